"""A kind that shows one colour only is named by the kinds that show several."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Thing
from vision import Reader
from vision.calibrating.learn import of_one_paint
from vision.fields.places import Place
from vision.geometry.bodies import body_of
from vision.geometry.fitting import Fit, Foot

BOARD = load_board("knizia")


def shown(kind: str, colour: str, rgb: tuple[int, int, int]) -> tuple[Foot, Fit]:
    place = Place("", (0.0, 0.0), 0.0, (body_of(BOARD.pieces[kind]),), 8.0)
    return Foot(Thing(kind, colour), place, np.array(rgb[::-1], np.float32) / 255, 1.0), Fit()


MEGALITHS = [shown("megalith", "black", (58, 58, 60)), shown("megalith", "brown", (131, 88, 64))]


@pytest.mark.parametrize(
    ("read", "rgb", "is_really"),
    [
        ("brown", (101, 100, 97), "black"),
        ("black", (125, 86, 60), "brown"),
        ("black", (66, 64, 64), "black"),
        ("brown", (140, 96, 72), "brown"),
    ],
)
def test_a_single_stone_is_named_by_the_megaliths_paints(read, rgb, is_really):
    reader = Reader(BOARD, game="stonehenge")
    pieces = of_one_paint(reader, [*MEGALITHS, shown("druid", read, rgb)])
    assert [foot.thing.colour for foot, _ in pieces] == ["black", "brown", is_really]


def test_where_both_colours_are_shown_they_stay_as_read():
    reader = Reader(BOARD, game="stonehenge")
    druids = [shown("druid", "brown", (101, 100, 97)), shown("druid", "black", (60, 60, 60))]
    pieces = of_one_paint(reader, [*MEGALITHS, *druids])
    assert [foot.thing.colour for foot, _ in pieces] == ["black", "brown", "brown", "black"]
