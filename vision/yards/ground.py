"""What is seen where on the ground around loose pieces? A small network marks it on the board's plane.

It sees a stretch of the board from above (1 px per mm), the empty board beside it, and for every point the
direction in which tall things lean away from the camera; it answers, point by point, what hides the board
there: a shadow is ground, and of a tall piece all that leans over the ground is marked. Where it stands,
`vision.yards.solids` tells from the whole outline.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fields.crops import sampled
from vision.geometry.view import View
from vision.nets import answers
from vision.pictures.halves import Photo
from vision.prints.light import Light
from vision.prints.surface import Surface

Floats = NDArray[np.float32]
# What may be seen at a point. "lying" is a figure on its side, "hidden" a hand, or nothing: no picture.
KINDS = ("ground", "disc", "block", "figure", "lying", "trilith", "pillar", "capstone", "card", "hidden")
HIDDEN = KINDS.index("hidden")
GROUND_CHANNELS = 11
# Stretches are cut in this size and a multiple of this many pixels, so that they can be halved thrice.
STEP_PX = 8
# The network answers for squares of this size.
CELL_MM = 2


@dataclass(frozen=True)
class Footprint:
    """One piece found on the plane: kind, centre (mm), direction of its long side (degrees clockwise from
    +x), long and short side (mm), how sure the network is, and whether it looks like another kind."""

    kind: str
    at_mm: tuple[float, float]
    angle_deg: float
    length_mm: float
    width_mm: float
    confidence: float
    doubted: bool = False


def stretch(
    photo: Photo,
    view: View,
    surface: Surface,
    light: Light,
    box_mm: tuple[float, float, float, float],
    mm_per_px: float = 1.0,
) -> Floats:
    """(GROUND_CHANNELS, H, W) float32 of a box of the board (left, top, right, bottom in mm): photograph and
    empty board evened out, their difference, and the lean of a 10 mm high thing in cm."""
    mm = grid_mm(box_mm, mm_per_px)
    height, width = mm.shape[:2]
    maps = view.maps(box_mm[:2], mm_per_px, (width, height))
    left, top, right, bottom = box_mm
    step_px = view.px_per_mm(((left + right) / 2, (top + bottom) / 2)) * mm_per_px
    seen = light.even_out(sampled(photo, maps[None], [step_px])[0], mm)
    empty = light.shown(surface, mm[None], [mm_per_px])[0]
    flat = mm.reshape(-1, 2).astype(float)
    coarse = flat.reshape(height, width, 2)[::STEP_PX, ::STEP_PX]
    lean = view.on_plane(view.project(coarse.reshape(-1, 2), 10.0)) - coarse.reshape(-1, 2)
    lean = cv2.resize(np.clip(lean, -60, 60).reshape(*coarse.shape).astype(np.float32), (width, height))
    planes = (plane for picture in (seen, empty, seen - empty, lean / 10) for plane in cv2.split(picture))
    return np.asarray(np.stack([*planes]), np.float32)


def grid_mm(box_mm: tuple[float, float, float, float], mm_per_px: float = 1.0) -> Floats:
    """(H, W, 2) board millimetres of the stretch's pixels; H and W are multiples of STEP_PX."""
    left, top, right, bottom = box_mm
    width, height = (
        int(np.ceil(round((end - start) / mm_per_px, 6) / STEP_PX)) * STEP_PX
        for start, end in ((left, right), (top, bottom))
    )
    x, y = (start + (np.arange(count) + 0.5) * mm_per_px for start, count in ((left, width), (top, height)))
    return np.stack(np.meshgrid(x, y), axis=2).astype(np.float32)


def kinds_at(crop: Floats) -> Floats:
    """(len(KINDS), H / CELL_MM, W / CELL_MM) probabilities for a stretch."""
    logits = answers("ground", crop[None])[0][0]
    powers = np.exp(logits - logits.max(axis=0, keepdims=True))
    return np.asarray(powers / powers.sum(axis=0, keepdims=True), np.float32)


def footprints(
    chances: Floats, origin_mm: tuple[float, float], sizes_mm: dict[str, tuple[float, float]]
) -> list[Footprint]:
    """The pieces in a stretch: connected footprints of one kind, split where several of a size touch.

    sizes_mm: kind -> (long, short side) of the footprints to look for."""
    winner = chances.argmax(axis=0)
    found: list[Footprint] = []
    for kind, (length, width) in sizes_mm.items():
        mask = (winner == KINDS.index(kind)).astype(np.uint8)
        count, marks, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for mark in range(1, count):
            area = stats[mark, cv2.CC_STAT_AREA]
            if area * CELL_MM**2 < 0.3 * length * width:
                continue
            rows, columns = np.nonzero(marks == mark)
            points = np.column_stack([columns, rows]).astype(np.float32)
            parts = max(1, round(area * CELL_MM**2 / (length * width)))
            for part in _split(points, parts):
                sure = float(
                    chances[KINDS.index(kind)][part[:, 1].astype(int), part[:, 0].astype(int)].mean()
                )
                found.append(_fitted(kind, part, origin_mm, sure))
    return found


def _split(points: Floats, parts: int) -> list[Floats]:
    if parts == 1 or len(points) < parts * 4:
        return [points]
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.1)
    cv2.setRNGSeed(1)
    _, owner, _ = cv2.kmeans(points, parts, None, criteria, 4, cv2.KMEANS_PP_CENTERS)
    return [points[owner.ravel() == part] for part in range(parts)]


def _fitted(kind: str, points: Floats, origin_mm: tuple[float, float], sure: float) -> Footprint:
    (x, y), (a, b), angle = cv2.minAreaRect(points)
    if a < b:
        a, b, angle = b, a, angle + 90
    # Cells are sampled at their first millimetre's middle.
    at = (float(x) * CELL_MM + 0.5 + origin_mm[0], float(y) * CELL_MM + 0.5 + origin_mm[1])
    return Footprint(kind, at, float(angle) % 180, (float(a) + 1) * CELL_MM, (float(b) + 1) * CELL_MM, sure)
