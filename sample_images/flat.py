"""Photographs of something flat (a printed sheet, an empty board), made in a second.

Every pixel's rays are followed through the lens to the plane and look up the sheet's picture there: exact for
a flat thing. Then light that falls off to one side, the sensor's blur and noise, and the JPEG. Pieces have
no place here: `sample_images.generator` is for those.

Convention: as `calibration.lens`; the sheet's millimetres have x right, y down, origin at its top-left
corner; the camera's position has its height over the sheet as third number.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
OVERSAMPLING = 2
GAMMA = 2.2


@dataclass(frozen=True)
class Stand:
    """Where the camera is and what it looks at, in mm of the sheet; turn_deg: about its own axis."""

    position_mm: tuple[float, float, float]
    target_mm: tuple[float, float]
    turn_deg: float = 0.0

    @property
    def rotation(self) -> Array:
        """(3, 3): rows are the picture's right, down and forward in (x, y, downwards)."""
        x, y, height = self.position_mm
        forward = np.array([self.target_mm[0] - x, self.target_mm[1] - y, height], float)
        forward /= np.linalg.norm(forward)
        right = np.cross([0.0, 1.0, 0.0], forward)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        cos, sin = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        return np.stack([cos * right + sin * down, cos * down - sin * right, forward])


class FlatCamera:
    """A camera with a known lens. seed: of the sensor's noise."""

    def __init__(self, lens: Lens, seed: int = 0) -> None:
        self.lens = lens
        self._chance = np.random.default_rng(seed)
        self._rays = _rays(lens)

    def pixels(self, points_mm: Array, stand: Stand, height_mm: float = 0.0) -> Array:
        """(N, 2) where points of the sheet are seen."""
        x, y, high = stand.position_mm
        points = np.asarray(points_mm, float).reshape(-1, 2)
        world = np.column_stack([points, np.full(len(points), -height_mm)])
        rotation = stand.rotation
        seen, _ = cv2.projectPoints(
            world, cv2.Rodrigues(rotation)[0], -rotation @ np.array([x, y, -high]), self.lens.matrix,
            np.array(self.lens.distortion),
        )  # fmt: skip
        return np.asarray(seen, float).reshape(-1, 2)

    def take(
        self,
        sheet: Picture,
        px_per_mm: float,
        stand: Stand,
        *,
        table: tuple[int, int, int] = (92, 108, 124),
        falloff: float = 0.35,
        exposure: float = 1.0,
        blur_px: float = 0.6,
        noise: float = 1.6,
        jpeg_quality: int = 90,
    ) -> Picture:
        """The photograph, uint8 (H, W, 3) BGR. sheet: uint8 BGR from above, pixel centres at
        (c + 0.5) / px_per_mm; table: BGR around it; falloff: how much darker the far side is; noise: grey
        values."""
        mm = self._on_sheet(stand)
        width, height = self.lens.size_px
        linear = self._look_up(sheet, px_per_mm, mm, stand, table)
        linear = cv2.resize(linear, (width, height), interpolation=cv2.INTER_AREA)
        across = cv2.resize(mm[..., 0], (width, height), interpolation=cv2.INTER_AREA)
        light = 1 - falloff * np.clip(across / (sheet.shape[1] / px_per_mm), -0.5, 1.5)
        linear *= (exposure * light[..., None]).astype(np.float32)
        if blur_px > 0:
            linear = cv2.GaussianBlur(linear, (0, 0), blur_px)
        shown = np.clip(linear, 0, 1) ** (1 / GAMMA) * 255
        noisy = shown + self._chance.normal(0, noise, shown.shape)
        _, data = cv2.imencode(
            ".jpg",
            np.clip(np.round(noisy), 0, 255).astype(np.uint8),
            [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality],
        )
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _on_sheet(self, stand: Stand) -> NDArray[np.float32]:
        """(H, W, 2), oversampled: the millimetre of the plane that each ray meets."""
        x, y, high = stand.position_mm
        world = self._rays @ stand.rotation.astype(np.float32)
        steps = high / np.maximum(world[..., 2:], 1e-6)
        return np.asarray(
            np.clip(np.array([x, y], np.float32) + steps * world[..., :2], -1e4, 1e4), np.float32
        )

    def _look_up(
        self,
        sheet: Picture,
        px_per_mm: float,
        mm: NDArray[np.float32],
        stand: Stand,
        table: tuple[int, int, int],
    ) -> NDArray[np.float32]:
        """The sheet's linear light at these points, from a copy about as fine as the picture shows it."""
        x, y, high = stand.position_mm
        distance = float(np.linalg.norm([stand.target_mm[0] - x, stand.target_mm[1] - y, high]))
        scale = min(1.0, 1.2 * OVERSAMPLING * self.lens.focal_px / distance / px_per_mm)
        size = (round(sheet.shape[1] * scale), round(sheet.shape[0] * scale))
        linear = np.asarray((np.arange(256) / 255) ** GAMMA, np.float32)[sheet]
        copy = cv2.resize(linear, size, interpolation=cv2.INTER_AREA) if scale < 1 else linear
        around_it = tuple((value / 255) ** GAMMA for value in table)
        at = mm * np.float32(px_per_mm * size[0] / sheet.shape[1]) - np.float32(0.5)
        return np.asarray(
            cv2.remap(
                copy, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=around_it
            ),
            np.float32,
        )


def _rays(lens: Lens) -> NDArray[np.float32]:
    """(H, W, 3), oversampled: the ray of every pixel, in the camera's frame. Solved on every second
    pixel and interpolated in between, which is right to some thousandths of a pixel."""
    step, margin = 2, 8
    width, height = lens.size_px
    knots = np.stack(
        np.meshgrid(np.arange(-margin, width + margin, step), np.arange(-margin, height + margin, step)),
        axis=-1,
    ).astype(float)
    solved = cv2.undistortPoints(
        knots.reshape(-1, 1, 2), lens.matrix, np.array(lens.distortion), criteria=(3, 30, 1e-8)
    )
    solved = solved.reshape(knots.shape).astype(np.float32)
    x = ((np.arange(width * OVERSAMPLING) + 0.5) / OVERSAMPLING - 0.5 + margin) / step
    y = ((np.arange(height * OVERSAMPLING) + 0.5) / OVERSAMPLING - 0.5 + margin) / step
    at = np.stack(np.meshgrid(x, y), axis=-1).astype(np.float32)
    rays = cv2.remap(solved, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.concatenate([rays, np.ones((*rays.shape[:2], 1), np.float32)], axis=2)


def around(
    size_mm: tuple[float, float], count: int, distance_mm: float, seed: int = 0, tilt_deg: float = 30.0
) -> list[Stand]:
    """Stands from which a person would photograph a sheet: from all sides, some straight from above, so
    that the sheet is now in the middle, now at an edge of the picture."""
    chance = np.random.default_rng(seed)
    middle = np.array(size_mm) / 2
    stands = []
    for number in range(count):
        side = 2 * np.pi * number / count + chance.uniform(-0.3, 0.3)
        tilt = np.radians(tilt_deg * (0.3 if number % 4 == 3 else chance.uniform(0.7, 1.2)))
        away = distance_mm * chance.uniform(0.85, 1.15)
        # The golden angle spreads the sheet over all parts of the picture.
        off = 2.39996 * number
        target = middle + 0.62 * np.array(size_mm).min() * np.array([np.cos(off), np.sin(off)]) * (
            number % 3 > 0
        )
        foot = target + np.sin(tilt) * away * np.array([np.cos(side), np.sin(side)])
        place = (float(foot[0]), float(foot[1]), float(np.cos(tilt) * away))
        turn = 90 * (number % 4) + chance.uniform(-15, 15)
        stands.append(Stand(place, (float(target[0]), float(target[1])), float(turn)))
    return stands
