"""The empty board guessed from a board in use."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine import Position
from engine.board import Board, Field, PieceType, load_board
from vision import Reader
from vision.bare import bare_surface
from vision.compare import compare
from vision.images import load_image
from vision.view import fit_view

REAL = Path(__file__).resolve().parents[3] / "shared" / "real-photos"
CELL_MM, COUNT = 20.0, 8


@pytest.fixture(scope="module")
def squares() -> Board:
    fields = {}
    for row in range(COUNT):
        for column in range(COUNT):
            kind = "dark" if (row + column) % 2 else "light"
            middle = ((column + 1) * CELL_MM, (row + 1) * CELL_MM)
            x, y = (value - CELL_MM / 2 for value in middle)
            outline = ((x, y), (x + CELL_MM, y), (x + CELL_MM, y + CELL_MM), (x, y + CELL_MM))
            name = f"{kind}-{row}-{column}"
            fields[name] = Field(name, kind, None, None, middle, CELL_MM / 2, polygon_mm=outline)
    size = (COUNT + 1) * CELL_MM
    disc = PieceType("disc", "cylinder", ("white",), ("dark",), {"diameter_mm": 16, "height_mm": 5})
    return Board("squares", (size, size), fields, pieces={"disc": disc})


def printed(board: Board) -> np.ndarray:
    """5 px per mm: dark red and pale squares with a mark in each, lit from the left."""
    image = np.full((900, 900, 3), 200, np.uint8)
    for each in board.fields.values():
        colour = (40, 40, 150) if each.kind == "dark" else (190, 220, 220)
        outline = np.round(np.array(each.outline_mm()) * 5).astype(np.int32)
        cv2.fillPoly(image, [outline], colour)
        cv2.circle(
            image, tuple(np.round(np.array(each.centre_mm) * 5).astype(int).tolist()), 10, (90, 90, 90), 3
        )
    return np.asarray(image * np.linspace(1.0, 0.7, 900)[None, :, None], np.uint8)


def test_fields_of_a_colour_that_is_nowhere_empty_keep_it():
    """On both red ones lie blocks; what shows of their rims tells that they are red."""
    green, red, size = (90, 160, 90), (120, 130, 215), 150.0
    fields = {}
    for number in range(8):
        middle = (25.0 + 33 * (number % 4), 50.0 + 45 * (number // 4))
        colour = "red" if number in (2, 5) else "green"
        fields[f"ring-{number}"] = Field(f"ring-{number}", "ring", None, colour, middle, 12.0)
    block = PieceType("block", "box", ("white",), ("ring",), {"length_mm": 24, "width_mm": 8, "height_mm": 6})
    board = Board("rings", (size, size), fields, pieces={"block": block})
    view = fit_view(np.array(board.corners_mm), np.array(board.corners_mm) * 6 - 0.5, (900, 900))[0]
    photo = np.full((900, 900, 3), 170, np.uint8)
    for each in fields.values():
        x, y = (round(value * 6) for value in each.centre_mm)
        cv2.circle(photo, (x, y), 72, red if each.colour == "red" else green, -1)
        if each.colour == "red":
            cv2.rectangle(photo, (x - 72, y - 24), (x + 72, y + 24), (245, 245, 245), -1)
    empty = {name for name, each in fields.items() if each.colour == "green"}
    bare = bare_surface(photo, view, board, empty).levels[0]
    for each in fields.values():
        x, y = (round(value * bare.shape[1] / size) for value in each.centre_mm)
        seen = 255 * bare[y - 6 : y + 6, x - 6 : x + 6].mean(axis=(0, 1))
        assert np.abs(seen - (red if each.colour == "red" else green)).max() < 12, each.id


@pytest.mark.parametrize("occupied", [0.2, 0.45])
def test_pieces_vanish_and_the_print_stays(squares, occupied):
    rng = np.random.default_rng(3)
    bare = printed(squares)
    photo = bare.copy()
    for each in squares.fields.values():
        if each.kind == "dark" and rng.random() < occupied:
            spot = np.round((np.array(each.centre_mm) + rng.normal(0, 1.5, 2)) * 5).astype(int).tolist()
            cv2.circle(photo, spot, 40, (225, 230, 230), -1)
    corners = np.array([[0.0, 0.0], [180.0, 0.0], [180.0, 180.0], [0.0, 180.0]])
    view = fit_view(corners, corners * 5 - 0.5, (900, 900))[0]
    guessed = cv2.resize(bare_surface(photo, view, squares).levels[0], (900, 900)) * 255

    def far_off(image: np.ndarray) -> int:
        """In how many fields the colour around the mark is not that of the print."""
        found = 0
        for each in squares.fields.values():
            x, y = (int(value * 5) for value in each.centre_mm)
            part = np.s_[y - 30 : y + 30, x - 30 : x + 30]
            found += bool(
                np.abs(np.median(image[part], axis=(0, 1)) - np.median(bare[part], axis=(0, 1))).max() > 20
            )
        return found

    assert far_off(photo) >= 5
    assert far_off(guessed) == 0


@pytest.mark.skipif(not REAL.exists(), reason="the real photographs are not here")
@pytest.mark.parametrize("name", ["board-v2", "full-board-v2", "full-board"])
def test_a_real_board_that_nobody_described_the_print_of(name):
    label = REAL / "checkers" / f"{name}.json"
    reader = Reader(load_board(REAL / "boards" / "checkers-8x8.json"))
    truth = Position.from_json(json.loads(label.read_text()))
    assert len(compare(reader.read(load_image(label.with_suffix(".jpg"))), truth).misses) <= 1
