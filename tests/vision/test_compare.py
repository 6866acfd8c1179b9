"""Readings against labels: what counts as right."""

from __future__ import annotations

from dataclasses import replace

from engine.observation import Observation
from engine.position import Piece, Position, Thing
from vision.compare import compare


def seen(*pieces: Piece) -> Observation:
    position = Position("anthology", pieces, "council")
    beliefs = {place: {next(iter(things)): 1.0} for place, things in position.things().items()}
    return Observation("anthology", beliefs, position, {}, (), (), {})


HEAP = Piece("block", "green", field="trilith-3", count=7)
LABEL = Position("anthology", (HEAP,), "council")


def test_a_heap_that_nobody_can_count_is_any_heap_of_its_colour():
    assert compare(seen(replace(HEAP, count=None)), LABEL).exact
    assert compare(seen(HEAP), LABEL).exact


def test_a_heap_is_not_one_piece_nor_another_colour_nor_another_number():
    assert not compare(seen(replace(HEAP, count=1)), LABEL).exact
    assert not compare(seen(replace(HEAP, count=6)), LABEL).exact
    assert not compare(seen(replace(HEAP, colour="red", count=None)), LABEL).exact
    single = Position("anthology", (replace(HEAP, count=1),), "council")
    assert not compare(seen(replace(HEAP, count=None)), single).exact


def test_what_was_read_where_nothing_lies_is_wrong():
    miss = compare(seen(HEAP), Position("anthology", (), "council")).misses[0]
    assert (miss.place, miss.truth, miss.read) == ("trilith-3", "empty", str(HEAP.thing))
    assert Thing("block", "green", count=7) == HEAP.thing
