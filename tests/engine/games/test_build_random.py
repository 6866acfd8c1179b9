"""Random games of Erbaut Stonehenge!: nothing gets lost, everybody knows only what he may."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CHANCE, draw_chance, load_game
from engine.cards import ALL_CARDS
from tests.engine.games.properties import check_random_game, random_game

COLOURS = ("red", "blue", "green", "white")
HOUSE = {
    "block_site": "number",
    "druid_counts_as_built": True,
    "trilith_counts_as_draw": False,
    "dead_reveal": "box",
    "steal_cards_open": False,
    "steal_prevents_block": True,
    "sabotage_per_turn": 3,
    "sabotage_idle": True,
    "influence_spent": "under_pile",
    "influence_needs_own_block": True,
    "ritual_blocks_whole_turn": True,
    "tiebreak": "triliths",
    "neutral_colour": "grey",
}


def cards(data):
    """Every card of a state, as its JSON tells; unseen ones are counted."""
    found = Counter()
    for seat in data["seats"].values():
        found.update(seat["hand"] + seat["influence"])
        found.update([seat["project"]["card"]] if seat["project"] else [])
    found.update(card for card in data["display"] if card)
    found.update(data["pile"]["below"] + data["out_of_game"])
    return found, data["pile"]["shuffled"] + sum(data["out_of_game_unknown"])


def conserved(state):
    """What never changes: 65 cards; per player 10 discs and one druid."""
    data = state.to_json()
    located, shuffled = cards(data)
    known = [card for card in located if "??" not in card]
    assert all(located[card] == 1 for card in known), "a card is in two places"
    discs = []
    for player, seat in data["seats"].items():
        project = seat["project"] or {}
        bluestones = sum(place.startswith("bluestone") for place in seat["built"])
        markers = sum(place in data["triliths_with_disc"] for place in seat["built"])
        discs.append(seat["discs"] + bluestones + markers + bool(project.get("marked")))
        figures = [piece for piece in state.visible() if piece.kind == "figure" and piece.colour == player]
        assert len(figures) == (seat["druid"] is not None)
    return sum(located.values()) + shuffled, tuple(discs)


def swap_hidden(state, player, rng):
    """The same state with the places of two cards swapped that `player` has not seen: one in a hand or
    face down in a yard, the other in the pile."""
    data = state.to_json()
    located, unseen = cards(data)
    if sum(data["out_of_game_unknown"]) or not unseen:
        return None
    seen = {card for known in data["known"].values() for card in known}
    seats = [seat for name, seat in data["seats"].items() if name != player]
    laid = [seat["project"] for seat in seats if seat["project"] and seat["project"]["face"] == "down"]
    hidden = [card for seat in seats for card in seat["hand"] if "??" not in card and card not in seen]
    hidden += [each["card"] for each in laid if "??" not in each["card"]] * 3
    if not hidden:
        return None
    first = rng.choice(hidden)
    same = [card for card in ALL_CARDS if not located[card] and card.endswith(first.split("-")[1])]
    if not same:
        return None
    second = rng.choice(same)
    for seat in data["seats"].values():
        seat["hand"] = [second if card == first else card for card in seat["hand"]]
        if seat["project"] and seat["project"]["card"] == first:
            seat["project"]["card"] = second
    return state.game.from_json(data)


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("variant", [{}, HOUSE], ids=["plain", "house rules"])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games(count, variant, seed):
    check_random_game(
        load_game("build", **variant), COLOURS[:count], seed,
        conserved=conserved, swap_hidden=swap_hidden, thoroughness=0.04,
    )  # fmt: skip


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("variant", [{}, HOUSE], ids=["plain", "house rules"])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_half_seen_games(count, variant, seed):
    game = load_game("build", half_seen=True, **variant)
    check_random_game(game, COLOURS[:count], seed, conserved=conserved, thoroughness=0.02)


@pytest.mark.parametrize("variant", [{}, HOUSE], ids=["plain", "house rules"])
@settings(max_examples=3, deadline=None)
@given(count=st.sampled_from([3, 4]), seed=st.integers(0, 2**32))
def test_what_a_player_saw_leads_to_what_he_knows(variant, count, seed):
    """Replaying, as each player saw them, the events of a game gives each player's view of it."""
    for state, action in random_game(load_game("build", **variant), COLOURS[:count], seed):
        if action is None:
            return
        for player in (*state.players, None):
            seen = state.as_seen(action, player)
            assert state.view(player).apply(seen) == state.apply(action).view(player), (player, str(action))


@settings(max_examples=6, deadline=None)
@given(count=st.sampled_from([3, 4]), seed=st.integers(0, 2**32))
def test_triliths_never_outnumber_their_fields(count, seed):
    for state, _ in random_game(load_game("build"), COLOURS[:count], seed):
        data = state.to_json()
        projects = [seat["project"]["card"] for seat in data["seats"].values() if seat["project"]]
        erected = [place for seat in data["seats"].values() for place in seat["built"] if "trilith" in place]
        assert len(erected) + sum("trilith" in card for card in projects) <= 5
        blocks = [piece for piece in state.visible() if piece.kind == "block"]
        assert len({piece.field for piece in blocks}) == len(blocks) <= 30


def test_a_random_game_reaches_thefts_sabotage_and_neutral_blocks():
    """The games above are not just quiet ones."""
    kinds = Counter()
    for seed in range(8):
        rng = random.Random(seed)
        state = load_game("build").start(COLOURS[:3])
        while not state.is_over:
            legal = state.legal_actions()
            rare = [a for a in legal if type(a).__name__ in ("Steal", "Sabotage") and rng.random() < 0.3]
            action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(rare or legal)
            kinds[type(action).__name__] += 1
            state = state.apply(action)
        kinds["neutral"] += bool(state.to_json()["neutral_blocks"])
    wanted = ("Steal", "Give", "Sabotage", "Ritual", "Reveal", "Blocked", "EndTurn", "Occupy", "neutral")
    assert not [kind for kind in wanted if not kinds[kind]]


@pytest.mark.parametrize("seed", [30, 46, 72, 81, 90])
def test_the_duty_to_steal_keeps_no_game_going(seed):
    """Random games in which players are left who would take a trilith from each other for ever, if each of
    them had to although it was just stolen."""
    rng = random.Random(seed)
    state, moves = load_game("build", steal_prevents_block=True).start(COLOURS[:3]), 0
    while not state.is_over:
        legal = state.legal_actions()
        done = [action for action in legal if str(action) == "blocked"]
        state = state.apply(draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(done or legal))
        moves += 1
        assert moves < 1000
