"""Projection: where points of the table land in the picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sample_images.generator.camera import board_corners, directions, place_camera
from sample_images.generator.scene import Camera

cv2 = pytest.importorskip("cv2")
SIZE = (500.0, 500.0)
cameras = st.builds(
    Camera,
    elevation_deg=st.floats(25, 90),
    azimuth_deg=st.floats(0, 360),
    roll_deg=st.floats(-5, 5),
    fill=st.floats(0.35, 0.97),
    field_of_view_deg=st.floats(40, 95),
    k1=st.floats(-0.12, 0.02),
    k2=st.floats(0, 0.02),
)


@given(cameras)
def test_agrees_with_opencv(camera: Camera) -> None:
    view = place_camera(camera, SIZE)
    points = np.array([[0, 0, 0], [500, 120, 30], [250, 250, 0], [40, 480, 9.5]], dtype=float)
    matrix = np.array(
        [[view.focal_px, 0, view.centre_px[0]], [0, view.focal_px, view.centre_px[1]], [0, 0, 1]]
    )
    turn, _ = cv2.Rodrigues(view.rotation)
    shift = -view.rotation @ view.position_mm
    lens = np.array([view.k1, view.k2, 0, 0], dtype=float)
    expected, _ = cv2.projectPoints(points * (1, 1, -1), turn, shift, matrix, lens)
    assert np.allclose(view.project(points), expected.reshape(-1, 2), atol=1e-4)


@given(cameras)
def test_back_to_the_board(camera: Camera) -> None:
    view = place_camera(camera, SIZE)
    points = np.array([[100, 100], [400, 90], [260, 410]], dtype=float)
    for height in (0.0, 20.0):
        above = np.c_[points, np.full(3, -height)] - view.position_mm
        right, down, forward = view.rotation @ above.T
        square = (right**2 + down**2) / forward**2
        # Beyond its fold a lens like this shows two directions at one pixel.
        assume((1 + 3 * view.k1 * square + 5 * view.k2 * square**2 > 0.05).all())
        pixels = view.project(np.c_[points, np.full(3, height)])
        assert np.allclose(view.on_board(pixels, height), points, atol=0.05)


@given(cameras)
def test_the_whole_board_is_in_the_picture(camera: Camera) -> None:
    view = place_camera(camera, SIZE)
    pixels = view.project(board_corners(SIZE))
    assert view.inside(pixels).all()
    width = np.ptp(pixels[:, 0]) / camera.width_px
    assert width < camera.fill + 0.02


def test_board_fills_what_was_asked() -> None:
    view = place_camera(Camera(elevation_deg=60, fill=0.5), SIZE)
    pixels = view.project(board_corners(SIZE))
    assert np.ptp(pixels[:, 0]) == pytest.approx(640, abs=2)
    assert (pixels.min(axis=0) + pixels.max(axis=0)) / 2 == pytest.approx([639.5, 359.5], abs=2)


def test_sides_of_the_table() -> None:
    from_below = place_camera(Camera(elevation_deg=60, azimuth_deg=0), SIZE).project(board_corners(SIZE))
    assert from_below[0, 0] < from_below[1, 0] and from_below[0, 1] < from_below[3, 1]
    from_left = place_camera(Camera(elevation_deg=60, azimuth_deg=90), SIZE).project(board_corners(SIZE))
    assert from_left[0, 0] < from_left[3, 0] - 100  # seen from the left, the printed left edge runs across
    assert from_left[0, 1] > from_left[1, 1]  # and is the near one


def test_higher_points_rise_in_the_picture() -> None:
    view = place_camera(Camera(elevation_deg=45), SIZE)
    low, high = view.project([[250, 250, 0], [250, 250, 40]])
    assert high[1] < low[1] - 10


def test_axes_are_right_handed() -> None:
    axes = directions(40, 123, 7)
    assert np.allclose(axes @ axes.T, np.eye(3))
    assert np.linalg.det(axes) == pytest.approx(1)
