"""A plain board is found by its outline and its colours, whichever way round, and no other one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from vision.by_outline import by_outline, four_sided
from vision.errors import NoBoard
from vision.finder import Finder
from vision.images import load_image

TABLES = Path(__file__).resolve().parents[2] / "sample_images" / "tables"


def known(table):
    """The board and what a photograph of it empty shows."""
    labels = json.loads((TABLES / table / "labels.json").read_text())
    board = load_board(str(TABLES / table / "board.json"))
    corners = np.array(labels["empty.jpg"]["corners_px"])
    finder = Finder(board, None, (load_image(TABLES / table / "empty.jpg"), corners))
    return board, finder.surface


def photo_of(table, name="01.jpg"):
    labels = json.loads((TABLES / table / "labels.json").read_text())
    return load_image(TABLES / table / name), np.array(labels[name]["corners_px"])


def turned(photo, corners, quarters):
    """Photograph and corners turned by so many quarters against the clock."""
    for _ in range(quarters):
        width = photo.shape[1]
        photo = np.rot90(photo)
        corners = np.column_stack([corners[:, 1], width - 1 - corners[:, 0]])
    return np.ascontiguousarray(photo), corners


@pytest.mark.parametrize(("table", "quarters"), [("frost", 0), ("weave", 1), ("quarry", 2), ("fjord", 3)])
def test_a_board_lies_where_its_outline_is(table, quarters):
    photo, corners = turned(*photo_of(table), quarters)
    found = by_outline(photo, *known(table))
    board = load_board(str(TABLES / table / "board.json"))
    assert np.abs(found.view.project(np.array(board.corners_mm)) - corners).max() < 3
    assert found.how == "reference"


@pytest.mark.parametrize(
    ("table", "other"), [("basalt", "flint"), ("frost", "quarry"), ("ochre", "sorrel"), ("fjord", "tern")]
)
def test_the_same_board_in_another_print_is_another_board(table, other):
    photo, _ = photo_of(other)
    with pytest.raises(NoBoard, match="reference picture"):
        by_outline(photo, *known(table))


def test_the_boards_outline_is_among_what_has_four_sides():
    photo, corners = photo_of("basalt")
    away = [
        np.abs(np.roll(each, turn, axis=0) - corners).max() for each in four_sided(photo) for turn in range(4)
    ]
    assert min(away) < 0.01 * max(photo.shape)


def test_where_nothing_has_four_sides_there_is_no_board():
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    with pytest.raises(NoBoard):
        by_outline(noise, *known("frost"))
