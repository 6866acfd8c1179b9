"""Where the camera is and where a point of the table lands in its picture.

Convention: the board's millimetres (x right, y down as printed, origin at the printed top-left corner) with
`height` above the board's face; in right-handed vectors z points down into the table, so height = -z.
Pixels have their centres at integers, the origin is the top-left pixel's centre. The lens follows OpenCV's
model: distorted = undistorted * (1 + k1 r^2 + k2 r^4) in normalised coordinates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sample_images.generator.scene import Camera

Array = NDArray[np.float64]
DOWN = np.array([0.0, 0.0, 1.0])
MARGIN = 0.975  # a whole board leaves this little of the frame free


@dataclass(frozen=True)
class View:
    """A camera in its place: what projects points.

    `rotation` (3, 3): rows are the picture's right, down and forward in board directions (x, y, z down).
    `position_mm` (3,): the lens, z negative above the board. `centre_px` (2,): (x, y) of the optical axis."""

    rotation: Array
    position_mm: Array
    focal_px: float
    centre_px: Array
    k1: float
    k2: float
    width_px: int
    height_px: int

    def project(self, points_mm: Any) -> Array:
        """Board points (N, 2) or (N, 3) with the third the height in mm -> pixels (N, 2), lens included."""
        flat = self.normalised(points_mm)
        radius2 = (flat**2).sum(axis=1, keepdims=True)
        return flat * (1 + self.k1 * radius2 + self.k2 * radius2**2) * self.focal_px + self.centre_px

    def normalised(self, points_mm: Any) -> Array:
        """Like `project`, without lens distortion and in units of the focal length."""
        points = np.atleast_2d(np.asarray(points_mm, dtype=float))
        if points.shape[1] == 2:
            points = np.c_[points, np.zeros(len(points))]
        seen = (points * (1, 1, -1) - self.position_mm) @ self.rotation.T
        return np.asarray(seen[:, :2] / np.maximum(seen[:, 2:], 1e-6))

    def undistorted(self, pixels: Any) -> Array:
        """Pixels (N, 2) of the finished picture -> undistorted normalised coordinates (N, 2)."""
        bent = (np.atleast_2d(np.asarray(pixels, dtype=float)) - self.centre_px) / self.focal_px
        radius = np.linalg.norm(bent, axis=1, keepdims=True)
        straight = radius.copy()
        for _ in range(12):
            square = straight**2
            error = straight * (1 + self.k1 * square + self.k2 * square**2) - radius
            straight -= error / (1 + 3 * self.k1 * square + 5 * self.k2 * square**2)
        return np.asarray(bent * np.where(radius > 0, straight / np.maximum(radius, 1e-12), 1.0))

    def on_board(self, pixels: Any, height_mm: float = 0.0) -> Array:
        """Pixels (N, 2) -> board points (N, 2) in mm at a height above the board."""
        flat = self.undistorted(pixels)
        rays = np.c_[flat, np.ones(len(flat))] @ self.rotation
        steps = (-height_mm - self.position_mm[2]) / rays[:, 2:]
        return np.asarray((self.position_mm + steps * rays)[:, :2])

    def inside(self, pixels: Array, margin_px: float = 0.0) -> NDArray[np.bool_]:
        """Which pixels (N, 2) lie in the picture, at least `margin_px` from its edge."""
        limit = np.array([self.width_px - 1, self.height_px - 1]) - margin_px
        return np.asarray(((pixels >= margin_px) & (pixels <= limit)).all(axis=1))

    def to_json(self) -> dict[str, Any]:
        """For the label file: intrinsics, distortion and pose as OpenCV takes them (z down)."""
        return {
            "size_px": [self.width_px, self.height_px],
            "focal_px": round(self.focal_px, 3),
            "centre_px": [round(float(value), 3) for value in self.centre_px],
            "distortion": [self.k1, self.k2],
            "rotation": [[round(float(value), 8) for value in row] for row in self.rotation],
            "position_mm": [round(float(value), 3) for value in self.position_mm],
        }


def directions(elevation_deg: float, azimuth_deg: float, roll_deg: float) -> Array:
    """Rows right, down, forward of a camera that looks from `azimuth_deg` (0: from the printed bottom edge,
    90: from the left edge, clockwise seen from above) and `elevation_deg` above the table."""
    azimuth, elevation, roll = (math.radians(value) for value in (azimuth_deg, elevation_deg, roll_deg))
    level = np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
    forward = math.cos(elevation) * level + math.sin(elevation) * DOWN
    right = np.cross(DOWN, level)
    down = np.cross(forward, right)
    turned = math.cos(roll) * right + math.sin(roll) * down
    return np.stack([turned, np.cross(forward, turned), forward])


def place_camera(camera: Camera, size_mm: tuple[float, float]) -> View:
    """The view in which the board fills `camera.fill` of the width, shifted by `camera.aim`.

    With `camera.whole_board` the camera steps back until all four corners are inside."""
    rotation = directions(camera.elevation_deg, camera.azimuth_deg, camera.roll_deg)
    target = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
    corners = board_corners(size_mm)
    view = _view(camera, rotation, target, 1000.0)
    for _ in range(8):
        distance = _distance(camera, rotation, target, corners)
        view = _view(camera, rotation, target, distance)
        low, high = _box(view, corners)
        wanted = view.centre_px + np.array(camera.aim) * (camera.width_px, camera.height_px)
        here, there = view.on_board(np.stack([(low + high) / 2, wanted]))
        target[:2] += here - there
    return view


def board_corners(size_mm: tuple[float, float]) -> Array:
    """Top-left, top-right, bottom-right, bottom-left (4, 2) in mm."""
    width, height = size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=float)


def _distance(camera: Camera, rotation: Array, target: Array, corners: Array) -> float:
    near, far = 150.0, 6000.0
    for _ in range(40):
        middle = (near + far) / 2
        view = _view(camera, rotation, target, middle)
        low, high = _box(view, corners)
        behind = (((np.c_[corners, np.zeros(4)] - view.position_mm) @ rotation[2]) < 50).any()
        width, height = (high - low) / (camera.width_px, camera.height_px)
        too_near = behind or width > camera.fill
        if camera.whole_board:
            shift = 2 * np.abs(camera.aim)
            too_near = too_near or width + shift[0] > MARGIN or height + shift[1] > MARGIN
        near, far = (middle, far) if too_near else (near, middle)
    return far


def _view(camera: Camera, rotation: Array, target: Array, distance_mm: float) -> View:
    focal_px = (
        max(camera.width_px, camera.height_px) / 2 / math.tan(math.radians(camera.field_of_view_deg) / 2)
    )
    centre = np.array([(camera.width_px - 1) / 2, (camera.height_px - 1) / 2])
    position = target - distance_mm * rotation[2]
    return View(rotation, position, focal_px, centre, camera.k1, camera.k2, camera.width_px, camera.height_px)


def _box(view: View, corners: Array) -> tuple[Array, Array]:
    pixels = view.project(corners)
    return pixels.min(axis=0), pixels.max(axis=0)
