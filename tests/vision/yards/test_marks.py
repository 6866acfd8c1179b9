"""The disc that marks a trilith in a yard as somebody's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.geometry.bodies import body_of
from vision.pictures.images import load_image
from vision.training.compose import Lying

BOARD = load_board("anthology")
JUDGED = Path(__file__).resolve().parents[3] / "sample_images" / "judged"
WHOLE = ["capstone", "disc", "pillar", "pillar"]
# Where the stones of a trilith stand in a yard, and how they are turned.
STONES = (("capstone", (60.0, 72.0), 130.0), ("pillar", (105.0, 30.0), 10.0), ("pillar", (36.0, 110.0), 60.0))
STONE = np.array([0.52, 0.53, 0.54])


def in_yard(image: np.ndarray, yard: str) -> list[tuple[str, str | None]]:
    pieces = Reader("anthology", game="build").read(image).loose
    return sorted(
        (piece.kind, piece.colour) for piece in pieces if piece.field == yard and piece.kind != "card"
    )


@pytest.mark.parametrize(
    "name", ["063-build", "105-build"], ids=["a disc behind a pillar", "a capstone on a tag"]
)
def test_a_whole_trilith_of_a_photograph_is_read_with_its_disc(name: str) -> None:
    read = in_yard(load_image(JUDGED / f"{name}.jpg"), "yard-3")
    assert [kind for kind, _ in read] == WHOLE
    assert ("disc", "yellow") in read


@pytest.mark.parametrize("colour", ["white", None])
def test_a_disc_is_told_where_one_lies_and_not_made_up(picture_of, colour: str | None) -> None:
    lying = [
        Lying(body_of(BOARD.pieces[kind]), at, turn, STONE, number)
        for number, (kind, at, turn) in enumerate(STONES, 1)
    ]
    if colour:
        bgr = np.array(BOARD.colour_rgb(colour))[::-1] / 255
        lying.append(Lying(body_of(BOARD.pieces["disc"]), (84.0, 60.0), 0.0, bgr, 4, gloss=0.1))
    read = in_yard(picture_of("anthology", more=lying).image, "yard-1")
    marks = [name for kind, name in read if kind == "disc"]
    assert sorted(kind for kind, _ in read if kind != "disc") == ["capstone", "pillar", "pillar"]
    assert marks == ([colour] if colour else [])
