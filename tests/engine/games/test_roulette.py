"""Opferroulette."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import load_game
from tests.engine.games.properties import check_random_game

COLOURS = ("red", "white", "green", "yellow", "blue")


def conserved(state):
    """Discs in pits and captured, per colour; the place of every card."""
    cards = state.cards
    discs = [c for heap in (*state.pits, *state.captured) for c in heap]
    if state.phase in ("offerings", "neutral", "triliths", "ball"):
        return None
    hands = sum(cards.hand_size(seat) for seat in range(len(state.players)))
    return (
        tuple(sorted((c, discs.count(c)) for c in set(discs))),
        hands + cards.pile_size + cards.discard.bit_count(),
    )


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("half_seen", [False, True])
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games(count, half_seen, seed):
    check_random_game(load_game("roulette", half_seen=half_seen), COLOURS[:count], seed)
