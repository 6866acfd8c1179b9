"""The printed outlines of fields tell how the lens bends and where every field lies."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import Board, load_board
from vision import Reader
from vision.calibrating.calibrate import find_board
from vision.errors import CannotRead
from vision.finding.field_edges import along_fields, along_lines
from vision.finding.locate import Located, by_corners, by_tags
from vision.pictures.images import load_image

SAMPLES = Path(__file__).parents[3] / "sample_images"
SERIES = SAMPLES / "series"


class Photo:
    """A labelled photograph, whose camera is known."""

    def __init__(self, path: Path, board: Board) -> None:
        self.image, self.board = load_image(path), board
        self.label = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        self.corners = np.array(self.label["corners_px"], float)

    @property
    def size_px(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]

    def misses_mm(self, located: Located) -> np.ndarray:
        """How far from where they are the fields' middles are taken to be."""
        camera, (x, y) = self.label["camera"], self.label["camera"]["centre_px"]
        focal = camera["focal_px"]
        fields = np.array([field.centre_mm for field in self.board.fields.values()])
        world = np.column_stack([fields, np.zeros(len(fields))]) - camera["position_mm"]
        lens = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])
        seen = cv2.projectPoints(
            world @ np.array(camera["rotation"]).T, np.zeros(3), np.zeros(3), lens,
            np.array([*camera["distortion"], 0, 0]),
        )[0][:, 0]  # fmt: skip
        return np.linalg.norm(located.view.on_plane(seen) - fields, axis=1)


@pytest.fixture
def empty() -> Photo:
    """An empty board of somebody else's, by a lens that bends."""
    return Photo(SERIES / "empty" / "flint.jpg", load_board(SERIES / "boards" / "flint.json"))


@pytest.mark.parametrize("clicked", [0.0, 1.5])
def test_beside_four_corners_the_fields_tell_how_the_lens_bends(empty: Photo, clicked: float) -> None:
    """Also if a person marked the corners a pixel or two aside."""
    marked = empty.corners + clicked * np.random.default_rng(3).normal(size=(4, 2))
    by_hand = by_corners(marked, empty.board, empty.size_px)
    found = along_fields(empty.image, by_hand, empty.board)
    assert empty.misses_mm(by_hand).max() > 2.5  # what four points alone come to
    assert empty.misses_mm(found).max() < 0.5 and found.error_px < 0.3
    assert found.how == "corners" and found.view.distortion[0] < -0.05


def test_the_photograph_of_the_empty_board_and_one_without_it_are_laid_out_so(empty: Photo) -> None:
    path = str(SERIES / "boards" / "flint.json")
    beside = Reader(path, game="stonehenge", reference=(empty.image, empty.corners))
    assert empty.misses_mm(Located(beside._finder.reference[1], "corners", 0.0)).max() < 0.3
    alone = Reader(path, game="stonehenge")
    alone.read(empty.image, corners_px=empty.corners)
    assert empty.misses_mm(alone.sight.located).max() < 0.3


@pytest.mark.parametrize("name", ["010-rolling", "100-rolling"])
def test_beside_tags_they_lie_ten_times_as_exactly_and_pieces_do_no_harm(name: str) -> None:
    photo = Photo(SAMPLES / "judged" / f"{name}.jpg", load_board("anthology"))
    by_four = by_tags(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), photo.board)
    found = along_fields(photo.image, by_four, photo.board)
    assert np.median(photo.misses_mm(by_four)) > 1.5 and photo.misses_mm(found).max() < 0.3


def test_where_no_outlines_are_printed_nothing_changes(empty: Photo) -> None:
    """Fields said to lie elsewhere, as the points of a grid do between its lines."""
    elsewhere = {
        name: replace(field, centre_mm=(field.centre_mm[0] + 17, field.centre_mm[1] + 11))
        for name, field in empty.board.fields.items()
    }
    by_hand = by_corners(empty.corners, empty.board, empty.size_px)
    assert along_fields(empty.image, by_hand, replace(empty.board, fields=elsewhere)) is by_hand
    blank = np.full_like(empty.image, 128)
    assert along_lines(blank, by_hand, empty.board) is by_hand


@pytest.mark.parametrize(
    ("grey", "says"), [(0, "the photo of the empty board: .* too dark"), (128, "not in this one")]
)
def test_a_photograph_of_the_empty_board_that_shows_nothing_is_told(
    empty: Photo, grey: int, says: str
) -> None:
    with pytest.raises(CannotRead, match=says):
        path = str(SERIES / "boards" / "flint.json")
        Reader(path, reference=(np.full_like(empty.image, grey), empty.corners)).read(empty.image)


def test_a_measured_lens_is_kept(empty: Photo) -> None:
    by_hand = by_corners(empty.corners, empty.board, empty.size_px)
    measured = replace(by_hand, view=replace(by_hand.view, centre_px=by_hand.view.axis_px))
    assert along_fields(empty.image, measured, empty.board) is measured


def test_a_board_that_is_calibrated_lies_as_exactly(empty: Photo) -> None:
    found = find_board(empty.image, empty.board, empty.corners)
    assert empty.misses_mm(found).max() < 0.3
