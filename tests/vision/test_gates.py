"""Triliths that stand on no field: a course of one's own in Rolling Rocks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.board import load_board
from engine.games.rolling.course import GATES
from engine.position import Position
from vision import Reader
from vision.bodies import body_of
from vision.free import apart, crossing, lintel_mm
from vision.places import Place
from vision.training.compose import Lying

BOARD = load_board("anthology")
TRILITH, DISC = body_of(BOARD.pieces["trilith"]), body_of(BOARD.pieces["disc"])
# Where the gates of the course stand (mm), how they are turned (degrees), and whose disc marks them.
COURSE = (
    ((140.0, 120.0), 20.0, None),
    ((250.0, 250.0), 90.0, "red"),
    ((380.0, 330.0), 150.0, None),
    ((120.0, 380.0), 60.0, "blue"),
)
ON_FIELD = BOARD.fields["trilith-2"]


def standing(at_mm, turn_deg, number):
    return Lying(TRILITH, at_mm, turn_deg, np.array([0.62, 0.56, 0.5]), number, gloss=0.1)


def marking(at_mm, colour, number):
    bgr = np.array(BOARD.colour_rgb(colour))[::-1] / 255
    return Lying(DISC, at_mm, 0.0, bgr, number, ground_mm=TRILITH.top_mm, gloss=0.1)


@pytest.fixture(scope="module")
def table(picture_of) -> Position:
    gates = [*((at, turn) for at, turn, _ in COURSE), (ON_FIELD.centre_mm, ON_FIELD.angle_deg)]
    stones = [standing(at, turn, number) for number, (at, turn) in enumerate(gates, 1)]
    marks = [(at, colour) for at, _, colour in COURSE if colour]
    discs = [marking(at, colour, number) for number, (at, colour) in enumerate(marks, 1 + len(stones))]
    picture = picture_of("anthology", more=[*stones, *discs]).image
    return Reader("anthology", game="rolling").read(picture).position


def test_a_course_of_ones_own_is_read_with_its_poses(table):
    free = [piece for piece in table if piece.kind == "trilith" and piece.field is None]
    assert len(free) == len(COURSE)
    for at, turn, _ in COURSE:
        nearest = min(free, key=lambda piece: math.dist(at, (piece.x_mm, piece.y_mm)))
        assert math.dist(at, (nearest.x_mm, nearest.y_mm)) < 4
        assert abs((nearest.angle_deg - turn + 90) % 180 - 90) < 8


def test_a_gate_on_a_field_stays_on_its_field(table):
    assert [piece.field for piece in table if piece.kind == "trilith" and piece.field] == [ON_FIELD.id]


def test_what_marks_a_gate_lies_on_it(table):
    marks = [piece for piece in table if piece.on == "trilith"]
    assert {piece.colour for piece in marks} == {"red", "blue"}
    for at, _, colour in COURSE:
        for mark in (piece for piece in marks if piece.colour == colour):
            assert mark.field is None
            assert math.dist(at, (mark.x_mm, mark.y_mm)) < 6


def test_a_set_has_no_more_than_five(picture_of, monkeypatch):
    poses = [*((at, turn) for at, turn, _ in COURSE), ((380.0, 120.0), 0.0), ((290.0, 420.0), 10.0)]
    stones = [standing(at, turn, number) for number, (at, turn) in enumerate(poses, 1)]
    image = picture_of("anthology", more=stones).image

    def told():
        position = Reader("anthology", game="rolling").read(image).position
        return sum(piece.kind == "trilith" for piece in position)

    assert told() == GATES
    monkeypatch.setattr("vision.free.GATES", len(poses))
    assert told() == len(poses)


def test_a_gate_across_a_field_stands_on_no_field(picture_of):
    field = BOARD.fields["trilith-4"]
    at, turn = (field.centre_mm[0] + 16, field.centre_mm[1] - 8), field.angle_deg + 40
    image = picture_of("anthology", more=[standing(at, turn, 1)]).image
    [piece] = Reader("anthology", game="rolling").read(image).position
    assert piece.kind == "trilith"
    assert piece.field is None
    assert math.dist(at, (piece.x_mm, piece.y_mm)) < 4


def gate(x, turn=0.0):
    return Place("", (x, 100.0), turn, (TRILITH,), 3.0)


def cross(one, other):
    return crossing(one, other, lintel_mm)


def test_stones_that_would_stand_in_one_another_are_one():
    assert cross(gate(100), gate(130))
    assert not cross(gate(100), gate(170))
    assert cross(gate(100), gate(125, turn=90))
    assert not cross(gate(100, turn=90), gate(130, turn=90))


def test_the_likeliest_of_those_that_cross_stays():
    assert apart([gate(110), gate(100), gate(105), gate(200)], lintel_mm) == [0, 3]
