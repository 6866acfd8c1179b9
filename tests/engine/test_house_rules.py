"""Every variant and house rule that `henge games` lists: it can be read, loads, plays, and matters."""

from __future__ import annotations

import random
from itertools import count, product
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from engine import CHANCE, GAMES, Game, State, StateError, draw_chance, load_game, state_from_json
from engine.game import HALF_SEEN
from tests.engine.games.properties import check_json, check_random_game
from tests.engine.seats import SEATS, ending, seats

CHOICES = [
    (game_id, variant.key, choice)
    for game_id in GAMES
    for variant in load_game(game_id).variants
    for choice in variant.choices[1:]
]
# What shows in certain company only: with so many players, and with other variants beside it.
COMPANY: dict[tuple[str, str], dict[str, Any]] = {
    ("stonehenge", "facedown_early"): {"face_down": True},
    ("council", "vote_equal_discount"): {"turn_limit": 0},
    ("ramming", "hearts_tie"): {"players": 3},
    ("ramming", "lives_extra"): {"lives": 2, "turn_limit": 0},
}
# What shows only where somebody measures, which random moves never do.
TOLD = {
    ("rolling", "fallen_gate_scores"): "set up white; no gate, toppling 4",
    ("rolling", "reset_banks"): "bank at 120,340; set up white; no gate, pushing white-1",
    ("rolling", "bank_zones"): "bank at 250,450",
}


def tables(game_id: str) -> list[tuple[int, bool]]:
    """(number of players, half seen) in all ways."""
    return list(product(load_game(game_id).player_counts, (False, True)))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_keyword_has_one_line_in_both_languages(game_id):
    for variant in (*load_game(game_id).variants, HALF_SEEN):
        english, german = variant.label.en, variant.label.de
        assert english != german
        assert all(8 < len(line) <= 160 and "\n" not in line for line in (english, german)), variant.key
        assert not any(line.endswith(".") or line[:1].isupper() for line in (english,)), variant.key
        assert len(set(variant.choices)) == len(variant.choices) >= 2


@pytest.mark.parametrize("game_id", GAMES)
def test_unknown_keywords_and_values_are_refused_by_name(game_id):
    with pytest.raises(StateError, match="no variant 'speed'"):
        load_game(game_id, speed=1)
    for variant in load_game(game_id).variants:
        with pytest.raises(StateError, match=f"{variant.key} is one of"):
            load_game(game_id, **{variant.key: "perhaps"})


@pytest.mark.parametrize(
    ("game_id", "key", "choice"),
    [each for each in CHOICES if each[1] != "turn_limit" or each[2] <= 100],
)
def test_it_plays(game_id, key, choice):
    """One short random game by each rule, the tables taking turns; all of them below."""
    number = CHOICES.index((game_id, key, choice))
    players, half_seen = tables(game_id)[number % len(tables(game_id))]
    play(game_id, {key: choice}, players, half_seen, seed=number)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "key", "choice"), CHOICES)
def test_it_plays_at_every_table(game_id, key, choice):
    for seed, (players, half_seen) in enumerate(tables(game_id)):
        play(game_id, {key: choice}, players, half_seen, seed)


@st.composite
def mixed_rules(draw: st.DrawFn, game_id: str) -> dict[str, Any]:
    """Any of the variants and house rules together; games that random moves would not end get a limit."""
    rules = {variant.key: draw(st.sampled_from(variant.choices)) for variant in load_game(game_id).variants}
    return {**rules, "half_seen": draw(st.booleans()), **ending(game_id)}


@pytest.mark.parametrize(("game_id", "count"), SEATS)
@settings(max_examples=2, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_all_rules_go_together(game_id, count, data, seed):
    play_mixed(game_id, count, data.draw(mixed_rules(game_id)), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "count"), SEATS)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_all_rules_go_together_many_times(game_id, count, data, seed):
    play_mixed(game_id, count, data.draw(mixed_rules(game_id)), seed)


def play_mixed(game_id: str, count: int, rules: dict[str, Any], seed: int) -> None:
    """A random game by these rules with colours that they allow (a neutral colour is nobody's)."""
    game = load_game(game_id, **rules)
    try:
        players = game.some_players(count)
    except StateError:
        reject()
    check_random_game(game, players, seed, thoroughness=0.02, max_moves=50_000)


def play(game_id: str, variant: dict[str, Any], players: int, half_seen: bool, seed: int) -> None:
    game = load_game(game_id, **{**ending(game_id), **variant}, half_seen=half_seen)
    check_random_game(game, seats(game, players), seed, thoroughness=0.01, max_moves=50_000)


@pytest.mark.parametrize(
    ("game_id", "key", "choice"), [each for each in CHOICES if each[1] != "turn_limit" or each[2] <= 100]
)
def test_it_makes_a_difference(game_id, key, choice):
    """Some game by this rule is another one without it."""
    company = {**ending(game_id, 50), **COMPANY.get((game_id, key), {})}
    counts = (company.pop("players"),) if "players" in company else load_game(game_id).player_counts
    if key in company:
        company[key] = 0
    plain, ruled = load_game(game_id, **company), load_game(game_id, **{**company, key: choice})
    for seed, players in product(range(60), counts):
        seated = seats(plain, players)
        if seed % 2:  # colours that matter to the rule may be among the others
            seated = tuple(reversed(plain.colours))[:players]
        if differ(plain, ruled, seated, random.Random(seed), TOLD.get((game_id, key), "")):
            return
    pytest.fail(f"{key}={choice} changed nothing in {60 * len(counts)} games")


def differ(plain: Game, ruled: Game, players: tuple[str, ...], rng: random.Random, moves: str) -> bool:
    """Whether a game by `ruled` shows a state that `plain` would not lead to: these moves, then random."""
    try:
        ours, theirs = plain.start(players), ruled.start(players)
    except StateError:
        return ruled_out(plain, ruled, players)
    for text in filter(None, moves.split("; ")):
        action = ruled.parse(text)
        if (ours.why_not(action) is None) != (theirs.why_not(action) is None):
            return True
        if theirs.why_not(action) is None:
            ours, theirs = ours.apply(action), theirs.apply(action)
    for number in count():
        closely = number % 25 == 0 or theirs.is_over
        if (told(ours) != told(theirs)) if closely else (open_moves(ours) != open_moves(theirs)):
            return True
        if theirs.to_move is None:
            return False
        by_chance = theirs.to_move == CHANCE
        action = draw_chance(theirs, rng) if by_chance else rng.choice(theirs.legal_actions())
        ours, theirs = ours.apply(action), theirs.apply(action)
    raise AssertionError("unreachable: count() has no end")


def ruled_out(plain: Game, ruled: Game, players: tuple[str, ...]) -> bool:
    """Whether only `ruled` refuses these players."""
    try:
        plain.start(players)
    except StateError:
        return False
    with pytest.raises(StateError):
        ruled.start(players)
    return True


def open_moves(state: State) -> tuple[Any, ...]:
    return state.to_move, state.legal_actions()


def told(state: State) -> tuple[Any, ...]:
    """All that can be told of a state, but for its rules."""
    data = state.to_json()
    del data["variant"]
    return data, state.legal_actions(), state.returns(), state.scores(), state.insights()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_state_remembers_its_rules(game_id):
    """All keywords at once, each with its last value."""
    changed = {variant.key: variant.choices[-1] for variant in load_game(game_id).variants}
    game = load_game(game_id, **changed)
    state = game.start(seats(game, game.player_counts[-1]))
    assert check_json(state).game == game
    assert state_from_json(state.to_json()).game.variant == {**changed, "half_seen": False}
