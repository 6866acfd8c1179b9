"""`henge rules` and `henge games`: games from a shell, with nothing but JSON states between the calls."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from cli.games import playable
from cli.main import BAD_INPUT, DONE, WRONG
from engine import Game, State, draw_chance, load_game, state_from_json
from engine.game import HALF_SEEN, as_typed

NEW_STONEHENGE = ("rules", "new", "stonehenge", "--players", "black,brown")


@pytest.fixture(params=playable())
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


@pytest.fixture
def players(game: Game, seats: Any) -> tuple[str, ...]:
    chosen: tuple[str, ...] = seats(game, game.player_counts[0])
    return chosen


@pytest.fixture
def late_state(game: Game, players: tuple[str, ...]) -> State:
    """A state after some random moves, so that there is something to show and to score."""
    rng = random.Random(5)
    state, moves = game.start(players), 12
    while moves and not state.is_over:
        by_chance = bool(state.chance_outcomes())
        state = state.apply(draw_chance(state, rng) if by_chance else rng.choice(state.legal_actions()))
        moves -= not by_chance
    return state


def test_games_lists_every_game_with_its_variants(henge: Any) -> None:
    english, german = henge("games"), henge("games", "--lang", "de")
    assert english.code == german.code == DONE
    for game in map(load_game, playable()):
        assert f"{game.id}: {game.title.en}" in english.out
        for listing, language in ((english.out, "en"), (german.out, "de")):
            lines = [line for line in listing.splitlines() if "=" in line]
            for variant in (*game.variants, HALF_SEEN):
                line = f"{variant.key}={'|'.join(map(as_typed, variant.choices))} "
                assert any(line in each and variant.label.in_language(language) in each for each in lines)


def test_games_as_json(henge: Any, game: Game) -> None:
    (entry,) = json.loads(henge("games", game.id, "--json").out)
    assert entry["player_counts"] == list(game.player_counts)
    assert [item["key"] for item in entry["variants"]] == [*(v.key for v in game.variants), "half_seen"]


def test_every_variant_can_be_typed(henge: Any, game: Game) -> None:
    for variant in game.variants:
        for choice in variant.choices:
            assert variant.chosen(as_typed(choice)) is choice


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_game_from_the_shell(henge: Any, game: Game, players: tuple[str, ...], seed: str) -> None:
    rng = random.Random(int(seed))
    state = henge("rules", "new", game.id, "--players", ",".join(players), "--seed", seed).out
    for _ in range(12):
        options = json.loads(henge("rules", "legal", "--json", stdin=state).out)
        if not options:
            break
        if "probability" in options[0]:
            assert sum(option["probability"] for option in options) == pytest.approx(1)
            result = henge("rules", "apply", "--chance", "--seed", seed, stdin=state)
        else:
            result = henge("rules", "apply", *rng.choice(options)["text"].split(), stdin=state)
        assert (result.code, result.err) == (DONE, "")
        assert json.loads(result.out) != json.loads(state)
        state = result.out


def test_a_whole_game_of_stonehenge_from_the_shell(henge: Any) -> None:
    rng = random.Random(7)
    state = henge(*NEW_STONEHENGE).out
    while moves := henge("rules", "legal", stdin=state).out.splitlines():
        state = henge("rules", "apply", rng.choice(moves), stdin=state).out
    scores = json.loads(henge("rules", "score", "--json", stdin=state).out)
    assert max(score["total"] for score in scores.values()) == 8


def test_the_same_seed_deals_the_same(henge: Any, game: Game, players: tuple[str, ...]) -> None:
    def dealt(seed: str) -> str:
        return str(henge("rules", "new", game.id, "--players", ",".join(players), "--seed", seed).out)

    assert dealt("3") == dealt("3")
    state = state_from_json(json.loads(dealt("3")))
    assert not state.chance_outcomes()


def test_variants_are_keywords(henge: Any) -> None:
    state = json.loads(henge(*NEW_STONEHENGE, "--variant", "face_down", "--variant", "half_seen=no").out)
    assert state["variant"] == {"face_down": True}


@pytest.mark.parametrize("language", ["en", "de"])
def test_show_and_score_in_words(henge: Any, late_state: State, language: str) -> None:
    state = late_state
    text = json.dumps(state.to_json())
    shown = henge("rules", "show", "--lang", language, stdin=text)
    assert shown.code == DONE
    assert state.prompt().in_language(language) in shown.out
    for score in state.scores().values():
        assert f"{score.total} {score.unit.in_language(language)}" in shown.out
        assert all(part.label.in_language(language) in shown.out for part in score.parts)
    assert henge("rules", "score", "--lang", language, stdin=text).out in shown.out


def test_show_as_json(henge: Any, late_state: State) -> None:
    state = late_state
    shown = json.loads(henge("rules", "show", "--json", stdin=json.dumps(state.to_json())).out)
    assert shown["visible"] == json.loads(json.dumps(state.visible().to_json()))
    assert state_from_json(shown["state"]) == state


def test_show_for_a_player_tells_only_what_he_may_know(henge: Any, late_state: State) -> None:
    state = late_state
    player = state.players[0]
    shown = henge("rules", "show", "--json", "--player", player, stdin=json.dumps(state.to_json()))
    assert json.loads(shown.out)["state"] == json.loads(json.dumps(state.view(player).to_json()))


@pytest.mark.parametrize(("language", "reason"), [("en", "space A is taken"), ("de", "Feld A ist besetzt")])
def test_a_forbidden_move_is_refused_with_the_rule(henge: Any, language: str, reason: str) -> None:
    state = henge("rules", "apply", "place 4 on space-A", stdin=henge(*NEW_STONEHENGE).out).out
    result = henge("rules", "apply", "--lang", language, "place 2 on space-A", stdin=state)
    assert (result.code, result.out) == (WRONG, "")
    assert result.err.startswith(f"henge: {reason}")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("new", "chess", "--players", "white,black"), "there is no game 'chess'"),
        (("new", "stonehenge", "--players", "black"), "is played by 2 players"),
        (("new", "stonehenge", "--players", "black,pink"), "players of stonehenge are"),
        (("new", "stonehenge", "--players", "black,black"), "players of stonehenge are"),
        ((*NEW_STONEHENGE[1:], "--variant", "speed=2"), "has no variant 'speed'"),
        ((*NEW_STONEHENGE[1:], "--variant", "face_down=perhaps"), "face_down is one of no, yes"),
        ((*NEW_STONEHENGE[1:], "--seed", "x"), "invalid int value"),
        (("apply", "fly away"), "'fly away' is no move of this game"),
        (("apply", "claim line one"), "moves are written: claim {line}\n"),
        (("apply",), "takes either a move or --chance"),
        (("apply", "--chance", "claim line-1"), "takes either a move or --chance"),
        (("apply", "--chance"), "nothing is to be dealt, drawn or rolled now"),
        (("show", "--player", "red"), "'red' does not play here"),
    ],
)  # fmt: skip
def test_bad_arguments_are_one_line(henge: Any, arguments: tuple[str, ...], complaint: str) -> None:
    result = henge("rules", *arguments, stdin=henge(*NEW_STONEHENGE).out)
    assert (result.code, result.out) == (BAD_INPUT, "")
    assert complaint in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "stdin",
    [
        "", "  \n", "{", "[]", "null", "3", '"text"', "[" * 100_000, "NaN", b"\xff\xfe\x00", "9" * 10_000,
        "{}", '{"game": "chess"}', '{"game": 3}', '{"game": "stonehenge"}',
        '{"game": "stonehenge", "players": 3}',
        '{"game": "stonehenge", "players": ["black", "brown"], "stones": 5}',
        '{"game": "stonehenge", "players": ["black", "brown"], "variant": {"speed": 1}}',
        '{"game": "stonehenge", "players": ["black", "brown"], "variant": 7}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["legal", "score", "show"])
def test_bad_states_are_one_line(henge: Any, command: str, stdin: str | bytes) -> None:
    result = henge("rules", command, stdin=stdin)
    assert (result.code, result.out) == (BAD_INPUT, "")
    assert result.err.startswith("henge: ")
    assert result.err.count("\n") == 1
    assert "should not have happened" not in result.err


def test_a_state_with_one_value_changed_never_ends_in_a_traceback(henge: Any, late_state: State) -> None:
    data = late_state.to_json()
    for key in data:
        for value in (None, -1, "x", [], {}, [None], {"x": None}):
            result = henge("rules", "legal", stdin=json.dumps({**data, key: value}))
            assert result.code in (DONE, BAD_INPUT)
            assert "should not have happened" not in result.err, (key, value)
