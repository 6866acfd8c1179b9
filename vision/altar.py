"""Does a figure on the altar stand or lie? Its outline in the picture tells.

The ground network shows where something is; there, pixel by pixel, what has the figure's colour is told from
the bare ground in whatever shadow, and the standing and the lying figure are laid over it, larger or smaller
than the board file says, until they cover it as well as they can.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import PieceType
from vision.bodies import Body, Prism, body_of, rectangle
from vision.fitting import FINER, Fit, Mask, cover_of, fit_to_mask, is_of, pixels_around
from vision.loose import DIFFERENT, SHADOWS
from vision.shades import gap
from vision.solids import Stone
from vision.view import Array

if TYPE_CHECKING:
    from vision.sight import Sight

# How much of the patch's surroundings is looked at, and by how much a figure may be taller than the board
# file's.
MARGIN_MM, TALLEST = 6.0, 1.2
# What the better outline must cover, and what it costs to be of another size than the board file says.
GOOD_COVER, SIZE_COST = 0.5, 0.2
# The smallest figure.
LEAST_MM2 = 60.0
STEP_DEG = 45


def single_figure(
    sight: Sight, figure: PieceType, patch: NDArray[np.uint8], origin_mm: tuple[float, float], cell_mm: float
) -> Stone | None:
    """The one figure that a patch of the altar is, "figure" or "lying"; None if it looks like no single one.
    patch: (H, W) 0 or 1 in cells of `cell_mm`, the first at `origin_mm`."""
    rows, columns = np.nonzero(patch)
    low = np.array([columns.min(), rows.min()]) * cell_mm + origin_mm - MARGIN_MM
    high = np.array([columns.max(), rows.max()]) * cell_mm + origin_mm + MARGIN_MM
    edge = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    around = (sight.view.project(edge, tall * figure.height_mm) for tall in (0.0, TALLEST))
    mask, offset = _own_pixels(sight, np.concatenate([*around]))
    scale = FINER * sight.view.px_per_mm((float(low[0]), float(low[1])))
    if mask.sum() < LEAST_MM2 * scale**2:
        return None
    middle = (np.argwhere(mask).mean(axis=0)[::-1] + 0.5) / FINER - 0.5 + offset
    bodies = {"figure": body_of(figure), "lying": _lying(figure)}
    fits = {kind: _fitted(sight, body, mask, offset, middle) for kind, body in bodies.items()}
    worth = {
        kind: fit.cover - SIZE_COST * (abs(np.log(fit.plan)) + abs(np.log(fit.tall)))
        for kind, fit in fits.items()
    }
    best = max(worth, key=worth.__getitem__)
    if fits[best].cover < GOOD_COVER:
        return None
    return Stone(best, fits[best].at_mm, fits[best].angle_deg % 360, fits[best].cover)


def _own_pixels(sight: Sight, around_px: Array) -> tuple[Mask, Array]:
    """(h, w) 1 where the largest thing of one colour is, FINER times as fine as the picture; its corner."""
    lit, ground, offset = pixels_around(sight, around_px)
    sure = _largest((gap(lit, ground, *SHADOWS) > DIFFERENT).astype(np.uint8))
    if not sure.any():
        return sure, offset
    own = is_of(np.median(lit[sure > 0], axis=0), lit, ground) | (sure > 0)
    closed = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return _largest(np.asarray(closed, np.uint8)), offset


def _largest(mask: Mask) -> Mask:
    _, marks, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if len(stats) < 2:
        return mask
    return (marks == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())).astype(np.uint8)


def _fitted(sight: Sight, body: Body, mask: Mask, offset_px: Array, middle_px: Array) -> Fit:
    x, y = sight.view.on_plane(middle_px.reshape(1, 2), 0.5 * body.top_mm)[0]
    turns = (0,) if body.shape == "figure" else range(0, 360, STEP_DEG)
    starts = [Fit((float(x), float(y)), float(turn)) for turn in turns]
    start = max(starts, key=lambda fit: cover_of(sight.view, body, fit, mask, offset_px))
    return fit_to_mask(sight.view, body, mask, offset_px, start)


def _lying(figure: PieceType) -> Body:
    """A figure on its side, its head towards +x: a foot, a robe, a waist and a head."""
    height, base = figure.height_mm, figure.diameter_mm
    parts = ((-0.5, -0.36, 1.0), (-0.4, -0.1, 0.72), (-0.2, 0.22, 0.5), (0.18, 0.5, 0.62))
    prisms = tuple(
        Prism(
            rectangle((end - start) * height, width * base, (start + end) / 2 * height), 0, width * base, 0.9
        )
        for start, end, width in parts
    )
    return replace(body_of(figure, lying=True), prisms=prisms, top_mm=base)
