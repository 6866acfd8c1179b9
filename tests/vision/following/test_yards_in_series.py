"""Yards of a board whose print nobody has, from a known start in which cards lie there already."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.board import load_board
from engine.position import Position
from vision import Reader
from vision.pictures.images import load_image

EVENING = Path(__file__).parents[3] / "sample_images" / "demo" / "build"
BOARD = replace(load_board("anthology"), markers=())


def photo(number: int) -> np.ndarray:
    return load_image(EVENING / f"{number:04d}.jpg")


def label(number: int) -> dict:
    return json.loads((EVENING / f"{number:04d}.json").read_text(encoding="utf-8"))


def truth(number: int) -> Position:
    return Position.from_json(label(number))


def in_yards(position: Position) -> Counter:
    return Counter(
        (piece.field, piece.kind, piece.colour, piece.number)
        for piece in position.pieces if str(piece.field).startswith("yard")
    )  # fmt: skip


def started(start: Position) -> Reader:
    reader = Reader(BOARD, game="build")
    reader.read(photo(7), corners_px=np.array(label(7)["corners_px"]))
    reader.learn(start)
    return reader


def test_they_are_read_where_it_is_known_how_the_cards_lie() -> None:
    """Pillars are set beside two cards; the third is taken away, and another one laid on the spot whose
    print nobody has seen."""
    reader, before = started(truth(7)), truth(7)
    for number in (8, 9, 10, 11, 12, 13):
        before = reader.read(photo(number), before).position
        assert in_yards(before) == in_yards(truth(number))


def test_elsewhere_they_are_not_seen() -> None:
    nowhere = [replace(piece, x_mm=None, y_mm=None, angle_deg=None) for piece in truth(7).pieces]
    reader = started(replace(truth(7), pieces=tuple(nowhere)))
    seen = reader.read(photo(10), truth(7))
    assert {"yard-1", "yard-2", "yard-3"} <= seen.unseen.keys()
