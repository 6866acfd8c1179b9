"""How states look: what a move changes is worked out without going through all pieces again."""

from __future__ import annotations

import random

import pytest

from engine import load_game
from engine.position import Piece, Position
from engine.referee.looks import Look, layout_of, touched
from engine.referee.simulate import PLAYERS
from engine.referee.simulated_reader import play_out


@pytest.mark.parametrize("game_id", PLAYERS)
def test_a_look_that_follows_another_is_the_look_of_that_state(game_id):
    look, before = Look(Position("anthology")), {}
    for state in play_out(load_game(game_id).start(PLAYERS[game_id]), random.Random(3), longest=300):
        look, changed = look.then(state.visible())
        assert look.layout == layout_of(state.visible())
        assert list(changed) == sorted(touched(before, look.layout))
        before = look.layout


def test_the_same_piece_twice_counts_twice():
    pillar = Piece("pillar", "grey", field="yard-1")
    one, two = Look(Position("anthology", (pillar,))), Position("anthology", (pillar, pillar))
    look, changed = one.then(two)
    assert look.layout == {"yard-1": (pillar.thing,) * 2} and changed == ("yard-1",)
    again, changed = look.then(Position("anthology", (Piece("pillar", "grey", field="yard-1"),)))
    assert again.layout == one.layout and changed == ("yard-1",)
