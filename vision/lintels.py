"""Where do lintels lie? The upper faces of triliths that stand anywhere, by their outlines.

On the plane of their upper faces all triliths are rectangles of one size, however the camera looks. There the
photograph is laid beside the empty board that each of its pixels would show, and searched for rectangles
along whose outline the difference changes in the same sense all around (Hough transform for a known shape).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bodies import Body, rectangle
from vision.fitting import Fit
from vision.view import Array

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
PX_PER_MM, MARGIN_MM = 0.5, 20.0
TURNS_DEG = np.arange(0.0, 180.0, 15.0)
# A difference that changes by this much within a pixel counts half of what any change can count.
HALF = 0.25
# Outlines that agree less are none; of those that lie so near to one another the best counts (pixels).
LEAST, NEAR_PX = 0.15, 7


def find_lintels(sight: Sight, trilith: Body, most: int) -> list[Fit]:
    """Up to `most` places where a trilith may stand, the likeliest first; many are none."""
    difference, inside = _difference(sight, trilith.top_mm)
    across, down = _changes(difference, inside)
    length, width = np.ptp(np.array(trilith.prisms[-1].footprint_mm), axis=0)
    agreeing = np.stack(
        [
            np.abs(cv2.filter2D(across, -1, kernel_x) + cv2.filter2D(down, -1, kernel_y))
            for kernel_x, kernel_y in (_outline(length, width, turn) for turn in TURNS_DEG)
        ]
    )
    near = np.stack([cv2.dilate(each, np.ones((NEAR_PX, NEAR_PX))) for each in agreeing])
    highest = np.maximum(near, np.maximum(np.roll(near, 1, axis=0), np.roll(near, -1, axis=0)))
    found = np.argwhere((agreeing >= highest) & (agreeing > LEAST))
    best = np.argsort(-agreeing[tuple(found.T)])[:most]
    return [
        Fit(
            ((x + 0.5) / PX_PER_MM - MARGIN_MM, (y + 0.5) / PX_PER_MM - MARGIN_MM),
            float(TURNS_DEG[turn]),
            cover=float(agreeing[turn, y, x]),
        )
        for turn, y, x in found[best].tolist()
    ]


def _difference(sight: Sight, height_mm: float) -> tuple[Floats, NDArray[np.bool_]]:
    """(H, W, 3) the evened-out photograph less the empty board behind it, on the plane at a height over the
    board; and (H, W) where the photograph shows the board behind it."""
    size = np.array(sight.surface.size_mm)
    x, y = (np.arange(0, side + 2 * MARGIN_MM, 1 / PX_PER_MM) + 0.5 / PX_PER_MM - MARGIN_MM for side in size)
    points: Array = np.stack(np.meshgrid(x, y), axis=2)
    shape = points.shape[:2]
    pixels = sight.view.project(points.reshape(-1, 2), height_mm)
    shown = ((pixels >= 0) & (pixels < np.array(sight.view.size_px) - 1)).all(axis=1).reshape(shape)
    mm = sight.view.on_plane(pixels).reshape(*shape, 2).astype(np.float32)
    centre = (float(size[0]) / 2, float(size[1]) / 2)
    shrink = math.log2(max(sight.view.px_per_mm(centre) / PX_PER_MM, 1e-3)) + 0.4
    image, level = sight.image, int(np.clip(shrink, 0, 3))
    for _ in range(level):
        image = np.asarray(cv2.pyrDown(image), np.uint8)
    maps = (pixels.reshape(*shape, 2) / 2**level).astype(np.float32)
    photo = cv2.remap(image, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = sight.light.even_out(photo.astype(np.float32), mm)
    inside = shown & ((mm > 0) & (mm < size)).all(axis=2)
    difference = np.where(inside[..., None], seen - sight.surface.sample(mm[None], [1 / PX_PER_MM])[0], 0)
    return cv2.GaussianBlur(difference.astype(np.float32), (0, 0), 0.7), inside


def _changes(difference: Floats, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How the difference changes to the right and downwards, in the channel where it does most; a strong
    change counts hardly more than a middling one."""
    changes = np.stack([cv2.Sobel(difference, cv2.CV_32F, 1, 0), cv2.Sobel(difference, cv2.CV_32F, 0, 1)])
    strength = np.hypot(*changes)
    most = strength.argmax(axis=2)[None, ..., None]
    across, down = np.take_along_axis(changes, np.broadcast_to(most, (2, *most.shape[1:])), axis=3)[..., 0]
    well_inside = cv2.erode(inside.astype(np.uint8), np.ones((5, 5), np.uint8))
    weight = well_inside / (np.hypot(across, down) + HALF)
    return (across * weight).astype(np.float32), (down * weight).astype(np.float32)


def _outline(length_mm: float, width_mm: float, turn_deg: float) -> tuple[Floats, Floats]:
    """Outward normals along a turned rectangle's outline, scaled so that filtering gives the mean change."""
    half = int((length_mm / 2 + 4) * PX_PER_MM) + 2
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    corners = np.array(rectangle(length_mm, width_mm)) @ np.array([[cos, sin], [-sin, cos]])
    mask = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    points = np.round((corners * PX_PER_MM + half) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, points, (1.0,), cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.7)
    x, y = -cv2.Sobel(soft, cv2.CV_32F, 1, 0), -cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    total = float(np.hypot(x, y).sum())
    return x / total, y / total
