"""Lens and pose: what is projected comes back, and a view is recovered from points of the board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import load_board
from vision.errors import NoBoard
from vision.geometry.view import View, fit_view

SIZE = (1280, 720)


def looking(
    azimuth_deg: float,
    elevation_deg: float,
    *,
    focal: float = 1100.0,
    distortion=(-0.1, 0.02),
    distance=900.0,
):
    """A camera that looks at the middle of a 500 mm board."""
    azimuth, elevation = np.radians(azimuth_deg), np.radians(elevation_deg)
    around = np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), -np.sin(elevation)]
    )
    eye = np.array([250.0, 250.0, 0.0]) + distance * around
    forward = -around
    side = np.cross(forward, [0.0, 0.0, -1.0])
    side /= np.linalg.norm(side)
    rotation = np.array([side, np.cross(forward, side), forward])
    return View(SIZE, focal, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ eye, distortion)


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 360), st.floats(25, 88), st.floats(0, 40))
def test_pixels_lead_back_to_the_millimetres_they_show(azimuth, elevation, height):
    view = looking(azimuth, elevation)
    points = np.array([[10.0, 20.0], [250.0, 250.0], [480.0, 30.0]])
    assert np.allclose(view.on_plane(view.project(points, height), height), points, atol=1e-3)


@pytest.mark.parametrize("elevation", [28, 50, 85])
def test_a_view_is_recovered_from_the_tags_corners(elevation):
    truth = looking(95, elevation)
    corners = np.array(
        [
            [x + dx, y + dy]
            for x in (24, 476)
            for y in (24, 476)
            for dx, dy in ((-16, -16), (16, -16), (16, 16), (-16, 16))
        ],
        float,
    )
    noise = np.random.default_rng(1).normal(0, 0.15, (16, 2))
    view, misses = fit_view(corners, truth.project(corners) + noise, SIZE)
    points = np.array([[250.0, 250.0], [60.0, 300.0], [400.0, 120.0]])
    assert np.median(misses) < 0.4
    assert np.abs(view.project(points) - truth.project(points)).max() < 0.7
    assert np.abs(view.project(points, 30.0) - truth.project(points, 30.0)).max() < 3.0
    assert view.elevation_deg == pytest.approx(truth.elevation_deg, abs=3)


def test_points_on_a_line_determine_no_view():
    line = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    with pytest.raises(NoBoard):
        fit_view(line, line * 10, SIZE)


def test_a_known_lens_is_kept():
    truth = looking(80, 60)
    points = np.random.default_rng(2).uniform(0, 500, (30, 2))
    view, _ = fit_view(points, truth.project(points), SIZE, lens=truth)
    assert view.focal_px == truth.focal_px and view.distortion == truth.distortion
    assert np.allclose(view.camera_mm, truth.camera_mm, atol=1)


def test_a_resized_picture_keeps_its_view():
    view = looking(80, 40)
    half = view.scaled(0.5, (640, 360))
    points = np.array([[100.0, 100.0], [300.0, 420.0]])
    assert np.allclose(half.project(points), (view.project(points) + 0.5) / 2 - 0.5, atol=1e-6)


def test_a_board_that_reaches_behind_the_camera_is_not_before_it():
    """Such a view was once fitted to a picture of noise."""
    corners = np.array([[0.0, 0.0], [360.0, 360.0]])
    turn, shift = np.array([-1.435, 0.045, -1.486]), np.array([63.5, 77.5, 190.4])
    assert not View((640, 360), 215.9, turn, shift, (0.256, 0.063)).is_before(corners)
    assert View((640, 360), 500.0, np.zeros(3), np.array([-180.0, -180.0, 600.0])).is_before(corners)


@pytest.mark.parametrize("seed", [1347, 2148])
def test_tags_that_lie_anywhere_end_the_search_without_a_warning(seed: int) -> None:
    """Misread tags: the search for a focal length that explains them ran beyond all numbers."""
    board, rng = load_board("knizia"), np.random.default_rng(seed)
    points = np.concatenate([np.array(marker.corners_mm) for marker in board.markers])
    middles = rng.uniform(0, 1, (len(points) // 4, 1, 2)) * [640, 360]
    pixels = middles + rng.uniform(-30, 30, (len(points) // 4, 4, 2))
    view, misses = fit_view(points, pixels.reshape(-1, 2), (640, 360))
    assert np.isfinite(view.focal_px) and np.median(misses) > 10
