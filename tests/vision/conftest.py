"""Composed pictures for tests of single stages: quick, with everything about them known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import Board, load_board
from engine.position import Position
from vision import Reader
from vision.geometry.bodies import body_of
from vision.geometry.view import View
from vision.pictures.images import load_image
from vision.prints.printed import printed_surface
from vision.training.compose import Lamp, Lighting, Lying, compose


@dataclass
class Picture:
    """A composed photograph of a board with its view."""

    image: np.ndarray
    board: Board
    view: View

    @property
    def grey(self) -> np.ndarray:
        return cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY)


def over(board: Board, size_px=(960, 720), elevation_deg=55.0, distortion=(-0.05, 0.0)) -> View:
    """A camera in front of the board, the whole board in its picture."""
    elevation = np.radians(elevation_deg)
    middle = np.array([board.size_mm[0] / 2, board.size_mm[1] / 2, 0.0])
    focal = 0.9 * size_px[0]
    around = np.array([0.0, np.cos(elevation), -np.sin(elevation)])
    eye = middle + around * focal * board.size_mm[0] * 1.35 / size_px[1]
    side = np.array([1.0, 0.0, 0.0])
    rotation = np.array([side, np.cross(-around, side), -around])
    return View(size_px, focal, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ eye, distortion)


LAMP = Lamp(np.array([0.3, -0.4, 0.87]), np.array([0.75, 0.8, 0.85]), 0.1)


@pytest.fixture(scope="session")
def picture_of():
    """picture_of(board id, [(kind, field id, colour)], more=[Lying], style="night", lamp=Lamp) -> Picture.
    paint: what makes other artwork (uint8 BGR, 3 px per mm) of ours, in place."""

    def make(
        board_id: str, pieces=(), view: View | None = None, seed: int = 1, more=(), style="chalk", lamp=LAMP,
        paint=lambda board, texture: None,
    ) -> Picture:  # fmt: skip
        rng = np.random.default_rng(seed)
        board = load_board(board_id)
        view = view or over(board)
        texture = printed_surface(board, style).top_view()
        paint(board, texture)
        lying = []
        for number, (kind, field_id, colour) in enumerate(pieces, 1):
            each = board.fields[field_id]
            bgr = np.array(board.colour_rgb(colour))[::-1] / 255
            lying.append(
                Lying(body_of(board.pieces[kind]), each.centre_mm, each.angle_deg, bgr, number, gloss=0.1)
            )
        lighting = Lighting([lamp], np.array([0.5, 0.5, 0.5]), np.array([0.1, -0.1]), [])
        lying += more
        linear, _ = compose(rng, texture, board.size_mm, view, lying, lighting, np.array([0.1, 0.15, 0.2]))
        linear = linear * (0.7 / np.percentile(linear, 90))
        image = (np.clip(cv2.GaussianBlur(linear, (0, 0), 0.5), 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
        return Picture(image, board, view)

    return make


# --- a series of photographs of a board that is not ours -----------------------------------------

SERIES = Path(__file__).resolve().parents[2] / "sample_images" / "series"
NAME = "flint"


@pytest.fixture(scope="module")
def photos():
    """Of the empty board and of each photograph its name, its label and the picture."""
    labels = [SERIES / "empty" / f"{NAME}.json", *sorted((SERIES / NAME).glob("*.json"))]
    read = [(path, json.loads(path.read_text())) for path in labels]
    return [(path.stem, label, load_image(path.with_suffix(".jpg"))) for path, label in read]


def reader_of(photos, *, reference: bool = True) -> Reader:
    """A reader that has seen the start and knows what lies there."""
    (_, empty, bare), (_, start, first), *_ = photos
    corners = np.array(empty["corners_px"], float)
    board = str(SERIES / "boards" / f"{NAME}.json")
    reader = Reader(board, game=start["game"], reference=(bare, corners) if reference else None)
    reader.read(first, corners_px=None if reference else np.array(start["corners_px"], float))
    reader.learn(Position.from_json(start))
    return reader
