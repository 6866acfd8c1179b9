"""Pieces put down carelessly: a third of a field aside, turned any way."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine import Position
from engine.board import load_board
from tests.vision.conftest import over
from vision import Reader
from vision.geometry.bodies import body_of
from vision.pictures.images import load_image
from vision.training.compose import Lying

BOARD = load_board("anthology")
EMBER = Path(__file__).resolve().parents[3] / "sample_images" / "tables" / "ember"
# field, colour, how far aside of its middle (shares of its half-width), how much turned
CARELESS = (
    ("ring-1", "red", (0.33, 0.1), 35.0),
    ("ring-8", "blue", (-0.2, 0.3), -50.0),
    ("ring-15", "green", (-0.33, -0.1), 80.0),
    ("ring-22", "white", (0.1, -0.33), 25.0),
    ("ring-28", "yellow", (-0.3, 0.2), -30.0),
)


@pytest.fixture(scope="module")
def seen(picture_of):
    block = body_of(BOARD.pieces["block"])
    blocks = []
    for number, (field_id, colour, aside, turned) in enumerate(CARELESS, 1):
        field = BOARD.fields[field_id]
        at = tuple(
            float(c + share * field.radius_mm) for c, share in zip(field.centre_mm, aside, strict=True)
        )
        bgr = np.array(BOARD.colour_rgb(colour))[::-1] / 255
        blocks.append(Lying(block, at, field.angle_deg + turned, bgr, number, gloss=0.1))
    return Reader("anthology", game="build").read(picture_of("anthology", more=blocks).image)


def test_blocks_aside_and_turned_are_read(seen):
    read = {(piece.field, piece.colour) for piece in seen.position if piece.kind == "block"}
    assert read == {(field, colour) for field, colour, _, _ in CARELESS}


def test_nothing_else_is_seen(seen):
    assert len(seen.position.pieces) == len(CARELESS)


@pytest.mark.parametrize("style", ["chalk", "night"])
def test_a_capstone_in_front_of_a_number_field_is_no_block_on_it(picture_of, style):
    """Seen so low, the triliths stand before the numbers at the far side, where a block may lie too."""
    standing = [("trilith", f"trilith-{number}", "grey") for number in range(1, 6)]
    picture = picture_of("anthology", standing, view=over(BOARD, elevation_deg=20), style=style)
    read = Reader("anthology", game="build").read(picture.image).position
    assert [piece.kind for piece in read] == ["trilith"] * 5


def test_blocks_askew_on_a_strange_board_are_read_beside_a_photograph_of_it_empty():
    """Its ring runs otherwise than the blocks lie; the networks alone call them empty."""
    labels = json.loads((EMBER / "labels.json").read_text(encoding="utf-8"))
    corners = np.array(labels["empty.jpg"]["corners_px"], float)
    reader = Reader(
        str(EMBER / "board.json"), game="build", reference=(load_image(EMBER / "empty.jpg"), corners)
    )
    truth = Position.from_json(labels["04.jpg"]).things()
    read = reader.read(load_image(EMBER / "04.jpg")).position.things()
    for field in (f"ring-{number}" for number in range(1, 31)):
        assert read.get(field) == truth.get(field), field
