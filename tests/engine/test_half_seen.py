"""The half-seen game follows the real one: what really happens is never refused by what a table knows.

A whole game with every card known is played; beside it goes what each player, and an onlooker, knows of it.
Each real action, with "??" for what was not shown, has to be legal there and lead to what he knows next.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine import CHANCE, Action, State, draw_chance, load_game
from engine.cards import UNKNOWN, is_known, phase_of
from engine.games.stonehenge.actions import Place, PlaceFaceDown
from tests.engine.seats import SEATS, ending, seats

STEALTHY = {"steal_cards_open": False, "influence_spent": "under_pile", "sabotage_idle": True}
VARIANTS = {
    "stonehenge": [{"face_down": True}, {"face_down": True, "facedown_early": "honour"}],
    "council": [{}, {"combine_triliths": True}],
    "build": [{}, STEALTHY],
    "ramming": [{}, {"trilith_cards": 3, "lives": 2}],
    "roulette": [{}, {"refill_before_fall": True}],
}
TABLES = [(*seat, variant) for seat in SEATS for variant in VARIANTS.get(seat[0], [{}])]
STEPS = 160


def real_game(game_id: str, count: int, variant: dict[str, Any], seed: int) -> Iterator[tuple[State, Action]]:
    """(state, the action taken in it) of a random game in which every card is known."""
    game = load_game(game_id, **{**ending(game_id, 50), **variant})
    rng = random.Random(seed)
    state: State = game.start(seats(game, count))
    for _ in range(STEPS):
        if state.to_move is None:
            return
        action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())
        yield state, action
        state = state.apply(action)


def hidden(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(hidden, value))
    return UNKNOWN if isinstance(value, str) and is_known(value) and phase_of(value) is not None else value


def ways_to_tell(state: State, action: Action, player: str | None) -> Iterator[Action]:
    """The action, and what can be told of it by somebody who saw less."""
    yield action
    if isinstance(action, Place):
        yield PlaceFaceDown(action.space)
    fields = dataclasses.fields(action)
    yield dataclasses.replace(action, **{item.name: hidden(getattr(action, item.name)) for item in fields})
    if hasattr(state, "as_seen"):
        yield state.as_seen(action, player)
    # A display that lies face down shows its backs.
    for back in ("??-night", "??-day", UNKNOWN):
        if "card" in {item.name for item in fields}:
            yield dataclasses.replace(action, card=back)


def is_own(state: State, action: Action, player: str | None) -> bool:
    """Whether `player` sees a hidden card of this action himself: he tells it as his hand."""
    own = player is not None and player in (getattr(action, "player", None), state.to_move)
    partner = type(action).__name__ in ("Confer", "GiveBack")
    return own or (partner and player is not None)


@pytest.mark.parametrize(("game_id", "count", "variant"), TABLES, ids=str)
def test_what_really_happens_is_possible_for_everybody(game_id, count, variant):
    untold = 0
    for state, action in real_game(game_id, count, variant, seed=count):
        after = state.apply(action)
        for player in (*state.players, None):
            known, expected = state.view(player), after.view(player)
            ways = ways_to_tell(state, action, player)
            told = [way for way in ways if known.why_not(way) is None]
            assert told, f"{player} is told by the rules that {action} cannot be: {known.why_not(action)}"
            true = [way for way in told if known.apply(way) == expected]
            assert true or is_own(state, action, player), f"{player} knows something else: {action}"
            untold += action not in true
    assert untold or game_id == "rolling", "nothing was hidden: this test proves nothing"


@pytest.mark.parametrize(("game_id", "count", "variant"), TABLES, ids=str)
def test_what_the_table_lists_is_possible_there_and_what_happens_is_listed(game_id, count, variant):
    """A move that people make at the real table stands in the list of the half-seen game."""
    for number, (state, action) in enumerate(real_game(game_id, count, variant, seed=count + 9)):
        if number % 4 or state.to_move == CHANCE:
            continue
        listed = set(state.view(None).legal_actions())
        ways = set(ways_to_tell(state, action, None))
        assert listed & ways, f"{action} is not among {len(listed)} moves of the table"
