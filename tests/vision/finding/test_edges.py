"""The board's straight edges put clicked corners right and tell how the lens bends."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.artwork import render_artwork
from calibration.lens import Lens
from engine.board import load_board
from sample_images.flat import FlatCamera, Stand
from vision.finding.edges import along_edges
from vision.finding.locate import Located, by_corners
from vision.geometry.lens import view_of_lens
from vision.geometry.view import View

BOARD = replace(load_board("knizia"), markers=())
EDGE = np.array([[0.0, 0.0], [360, 0], [360, 360], [0, 360]])
FIELDS = np.array([each.centre_mm for each in BOARD.fields.values()])
LENS = Lens((960, 540), 600.0, (479.5, 269.5), (-0.14, 0.02, 0.0, 0.0, 0.0))
STAND = Stand((190, 470, 380), (180, 190))


def by_edges(image: np.ndarray, corners: np.ndarray, lens: View | None = None) -> Located:
    located = by_corners(corners, BOARD, (image.shape[1], image.shape[0]), lens=lens)
    return along_edges(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), located, BOARD)


def photo(lens: Lens = LENS, table: tuple[int, int, int] = (60, 70, 84)) -> np.ndarray:
    return FlatCamera(lens, seed=2).take(render_artwork(BOARD, 3.0), 3.0, STAND, table=table)


def clicked(seed: int) -> np.ndarray:
    """The corners as a person marks them: whole pixels, a pixel or two off."""
    return np.round(FlatCamera(LENS).pixels(EDGE, STAND) + np.random.default_rng(seed).normal(0, 1.5, (4, 2)))


def misses_mm(view) -> np.ndarray:
    seen = FlatCamera(LENS).pixels(FIELDS, STAND)
    return np.linalg.norm(view.on_plane(seen) - FIELDS, axis=1)


@pytest.mark.parametrize("seed", [0, 1])
def test_fields_lie_right_although_the_corners_were_clicked_by_hand_and_the_lens_bends(seed: int) -> None:
    image, corners = photo(), clicked(seed)
    by_hand = by_corners(corners, BOARD, LENS.size_px)
    found = by_edges(image, corners)
    assert misses_mm(by_hand.view).max() > 2.0  # what four points alone come to
    assert misses_mm(found.view).max() < 0.8 and found.error_px < 0.6
    assert found.how == "corners" and found.view.distortion[0] < -0.05


def test_a_line_that_is_printed_along_the_edge_is_not_taken_for_it() -> None:
    printed = render_artwork(BOARD, 3.0)
    for near in (12, printed.shape[0] - 15):  # four millimetres from the edge
        for part in (slice(260, 640), slice(700, 960)):
            printed[near : near + 3, part] = printed[part, near : near + 3] = 0
    pale = (206, 206, 210)  # the board's own edge is hardly seen on such a table
    image = FlatCamera(LENS, seed=2).take(printed, 3.0, STAND, table=pale)
    found = by_edges(image, clicked(0))
    assert misses_mm(found.view).max() < 0.8 and found.error_px < 0.6


def test_a_measured_lens_is_kept() -> None:
    found = by_edges(photo(), clicked(0), view_of_lens(LENS, LENS.size_px))
    assert found.view.distortion == LENS.distortion and misses_mm(found.view).max() < 0.5


def test_edges_that_cannot_be_made_out_change_nothing() -> None:
    corners = clicked(0)
    by_hand = by_corners(corners, BOARD, LENS.size_px)
    grey = np.full((540, 960), 120, np.uint8)
    assert along_edges(grey, by_hand, BOARD) is by_hand
    cluttered = cv2.cvtColor(photo(), cv2.COLOR_BGR2GRAY)
    far = corners + [[40, 30]] * 4  # not the board's corners at all
    elsewhere = by_corners(far, BOARD, LENS.size_px)
    moved = along_edges(cluttered, elsewhere, BOARD).view.project(EDGE)
    assert np.abs(moved - far).max() < 15  # never far from where a person pointed
