"""An edition of a board is learnt from a few of its fields; the rest follows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.teach import Taught, TeachError, clipped, drawn_board, moved_field, teach
from engine.board import Board, board_from_json
from engine.boards.layout import AnthologyLayout, anthology, knizia
from engine.errors import BoardError

ANCHORS = ("ring-1", "ring-11", "ring-21", "slot-6", "pit-16-day", "trilith-1", "trilith-4", "bluestone-1",
           "bluestone-10", "bluestone-19", "altar")  # fmt: skip
OTHER = AnthologyLayout(
    ring_radius_mm=200.0, slot_radius_mm=172.0, pit_radius_mm=150.0, trilith_radius_mm=118.0,
    horseshoe_radius_mm=66.0, horseshoe_leg_mm=45.0, altar_down_mm=12.0,
)  # fmt: skip


def edition(
    turn_deg: float = 0.0, mirrored: bool = False, size: float = 450.0
) -> dict[str, tuple[float, float]]:
    """The middles of an edition's fields: other measures, turned, perhaps numbered the other way."""
    board, found = board_from_json(anthology(OTHER)), {}
    turn = math.radians(turn_deg)
    for each in board.fields.values():
        x, y = (value - 250.0 for value in each.centre_mm)
        if mirrored and each.kind in ("ring", "slot", "pit", "yard"):
            x = -x
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        found[each.id] = (size / 2 + 3 + x * size / 500, size / 2 - 2 + y * size / 500)
    return found


def errors(taught: Taught, truth: dict[str, tuple[float, float]]) -> dict[str, float]:
    return {
        each.id: math.dist(each.centre_mm, truth[each.id])
        for each in taught.board.fields.values()
        if each.kind != "yard"
    }


@pytest.mark.parametrize(("turn_deg", "mirrored"), [(0.0, False), (90.0, False), (10.0, True)])
def test_eleven_fields_tell_all_the_others(turn_deg: float, mirrored: bool) -> None:
    truth = edition(turn_deg, mirrored)
    chance = np.random.default_rng(3)
    anchors = {
        name: (truth[name][0] + chance.normal(0, 0.4), truth[name][1] + chance.normal(0, 0.4))
        for name in ANCHORS
    }
    taught = teach("anthology", (450, 450), anchors)
    off = errors(taught, truth)
    assert len(off) >= 116 and np.median(list(off.values())) < 1.5
    assert max(off.values()) < 3.5, max(off, key=lambda name: off[name])
    assert taught.typical_miss_mm < 1.5 and set(taught.misses_mm) == set(ANCHORS)
    board = taught.board
    assert board.id == "anthology" and board.markers == () and ("ring-30", "ring-1") in board.neighbours
    ring, wanted = board.fields["ring-8"], truth["ring-8"]
    outwards = math.degrees(math.atan2(wanted[0] - 228, 223 - wanted[1])) % 180
    assert abs((ring.angle_deg - outwards + 90) % 180 - 90) < 3  # a block lies along the ring
    assert ring.radius_mm == pytest.approx(14 * 0.9 * 200 / 217.5, abs=1.5)


def test_three_fields_are_enough_for_an_edition_with_our_proportions() -> None:
    board = board_from_json(knizia())
    truth = {name: (each.centre_mm[0] * 0.8, each.centre_mm[1] * 0.8) for name, each in board.fields.items()}
    taught = teach(
        "knizia", (288, 288), {name: truth[name] for name in ("space-A", "space-J", "space-R")}, "mine"
    )
    assert max(errors(taught, truth).values()) < 0.5
    assert taught.board.id == "mine" and taught.board.fields["space-Q"].radius_mm == pytest.approx(
        12, abs=0.3
    )
    assert taught.board.extra["lines"] == knizia()["lines"]


def test_a_field_that_was_mistaken_is_named() -> None:
    truth = edition()
    anchors = {name: truth[name] for name in ANCHORS} | {"ring-21": truth["ring-23"]}
    with pytest.raises(TeachError, match=r"is it really"):
        teach("anthology", (450, 450), anchors)


def test_what_does_not_tell_a_board() -> None:
    truth = edition()
    with pytest.raises(TeachError, match="2 fields were pointed at, at least 3"):
        teach("anthology", (450, 450), {name: truth[name] for name in ANCHORS[:2]})
    with pytest.raises(TeachError, match="ring-31 is no field of the anthology board"):
        teach("anthology", (450, 450), {"ring-31": (1.0, 2.0)})
    with pytest.raises(TeachError, match="expected anthology or knizia"):
        teach("none", (450, 450), {})


def test_a_field_is_dragged_to_where_it_is() -> None:
    board = board_from_json(anthology())
    moved = moved_field(moved_field(board, "altar", (200.0, 210.0)), "ring-1", (280.0, 40.0))
    assert moved.fields["ring-1"].centre_mm == (280.0, 40.0)
    before, after = board.fields["altar"], moved.fields["altar"]
    assert before.polygon_mm is not None and after.polygon_mm is not None
    shift = (
        after.polygon_mm[0][0] - before.polygon_mm[0][0],
        after.polygon_mm[0][1] - before.polygon_mm[0][1],
    )
    assert shift == pytest.approx((200 - before.centre_mm[0], 210 - before.centre_mm[1]))
    assert replace(moved, fields=board.fields) == board
    assert board_from_json(moved.to_json()).fields.keys() == board.fields.keys()
    with pytest.raises(TeachError, match="no field moat"):
        moved_field(board, "moat", (1, 2))


def test_a_board_of_ones_own_is_drawn() -> None:
    drawn = [
        {"id": "pond-1", "kind": "pond", "x": 40.0, "y": 40.0, "radius_mm": 12.0},
        {"id": "hut", "kind": "field", "polygon": [[80, 20], [110, 20], [110, 50], [80, 50]]},
    ]
    pieces = {
        "disc": {"shape": "cylinder", "diameter_mm": 15, "height_mm": 5, "colours": ["red"], "on": ["pond"]}
    }
    board = drawn_board("mine", (150, 100), drawn, pieces)
    assert isinstance(board, Board) and board.field_at(95, 35) == board.fields["hut"]
    with pytest.raises(BoardError, match="mine"):
        drawn_board("mine", (150, 100), [*drawn, drawn[0]], pieces)


def test_what_juts_out_of_the_board_is_cut_off() -> None:
    square = clipped([(-10, -10), (20, -10), (20, 20), (-10, 20)], (15, 100))
    assert set(square) == {(15, 0), (15, 20), (0, 20), (0, 0)} and len(square) == 4
    assert clipped([(30, 30), (40, 30), (40, 40)], (20, 20)) == []
