"""Which places are looked at, and what may lie there, game by game."""

from __future__ import annotations

import pytest

from engine.board import load_board
from vision.fields.places import SLOTS, places_of


def places(game: str | None):
    board = load_board("knizia" if game == "stonehenge" else "anthology")
    return {place.id: place for place in places_of(board, game)}


@pytest.mark.parametrize("game", ["build", "council", "rolling", "ramming", "roulette", "stonehenge", None])
def test_every_body_has_a_slot_of_its_own(game):
    for place in places(game).values():
        assert len(set(place.slots)) == len(place.bodies) <= len(SLOTS)


def test_arguments_of_the_council_lie_one_by_one_or_in_heaps():
    field = places("council")["trilith-3"]
    assert [(body.kind, body.count) for body in field.bodies] == [("block", 1), ("block", None)]
    single, heap = field.bodies
    assert heap.top_mm > 2 * single.top_mm


def test_the_vote_s_trilith_stands_on_the_altar():
    assert [body.kind for body in places("council")["altar"].bodies] == ["trilith"]
    assert "altar" not in places("build") and "altar" not in places(None)


def test_triliths_stand_across_two_ring_fields_only_in_ramming():
    assert {p.covers for p in places("ramming").values() if p.covers} >= {("ring-4", "ring-5")}
    assert not any(place.covers for place in places("build").values())
