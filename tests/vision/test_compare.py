"""Readings against labels: what counts as right."""

from __future__ import annotations

from dataclasses import replace

from engine.board import load_board
from engine.observation import Observation
from engine.position import Piece, Position, Thing
from vision.compare import compare, in_the_picture


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


GATE = Piece("trilith", "grey", x_mm=100.0, y_mm=200.0, angle_deg=30.0)
BANKS = (Piece("block", "red", x_mm=50.0, y_mm=60.0), Piece("block", "red", x_mm=300.0, y_mm=60.0))


def test_pieces_on_no_field_are_matched_by_where_they_stand():
    label = Position("anthology", (GATE, *BANKS), "rolling")
    found = compare(seen(*(replace(bank, x_mm=bank.x_mm + 5) for bank in reversed(BANKS)), GATE), label)
    assert found.exact and found.places == 3


def test_a_piece_on_no_field_that_is_missed_moved_or_made_up_is_wrong():
    label = Position("anthology", (GATE,), "rolling")
    assert len(compare(seen(), label).misses) == 1
    assert len(compare(seen(replace(GATE, x_mm=150.0)), label).misses) == 2
    assert len(compare(seen(GATE, BANKS[0]), label).misses) == 1
    marker = Piece("disc", "red", on="trilith", x_mm=100.0, y_mm=200.0)
    assert not compare(seen(GATE, replace(marker, on=None)), replace(label, pieces=(GATE, marker))).exact


def test_under_an_arm_pieces_on_no_field_may_be_missed_but_not_made_up():
    label = Position("anthology", (GATE, BANKS[0]), "rolling")
    found = compare(replace(seen(GATE), unseen={"": "an arm"}), label)
    assert found.exact and found.places == 1 and found.unseen == 1
    made_up = compare(replace(seen(GATE, BANKS[1]), unseen={"": "an arm"}), label)
    assert len(made_up.misses) == 1 and made_up.places == 2


def test_a_piece_outside_the_picture_is_not_judged():
    board = load_board("anthology")
    far, near = replace(GATE, x_mm=450.0), replace(GATE, x_mm=50.0)
    label = Position("anthology", (far, near, HEAP), "rolling")
    corners_px = [(0, 0), (1000, 0), (1000, 1000), (0, 1000)]
    assert in_the_picture(label, board, corners_px, (1000, 1000)) == label
    assert in_the_picture(label, board, corners_px, (500, 1000)).pieces == (near, HEAP)


def test_a_piece_on_no_field_that_nobody_can_see_may_be_told_or_not():
    label = Position("anthology", (GATE,), "rolling")
    for told in ((GATE,), (GATE, BANKS[0])):
        found = compare(seen(*told), label, (), (BANKS[0],))
        assert found.exact and found.places == 1
    assert len(compare(seen(GATE, BANKS[1]), label, (), (BANKS[0],)).misses) == 1
