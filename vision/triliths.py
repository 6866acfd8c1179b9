"""Where may triliths stand, on fields or anywhere?

On the plane of their upper faces all lintels are rectangles of one size, however the camera looks. There, and
on a plane through their pillars, the photograph is laid beside the empty board that each of its pixels would
show. What speaks for a trilith: all of its lintel and of its pillars differs from the board behind, and the
difference changes in the same sense all around the lintel (Hough transform for a known shape).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bodies import Body
from vision.fitting import Fit, outward_normals
from vision.lifted import Lifted, lifted
from vision.view import Array

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
PX_PER_MM = 0.5
TURNS_DEG = np.arange(0.0, 180.0, 15.0)
# Pillars are looked at so high, as a share of the trilith's height.
PILLARS_AT = 0.4
# A difference so large (0..1) is one; a larger one counts no more.
DIFFERENT = 0.2
# A difference that changes by this much within a pixel counts half of what any change can count.
HALF = 0.25
# Of those that lie so near to one another the best counts (pixels).
NEAR_PX = 5


def find_triliths(sight: Sight, trilith: Body, most: int) -> list[Fit]:
    """Up to `most` places where a trilith may stand, the likeliest first; many are none. cover: how much
    speaks for it, 0..1."""
    above, below = (lifted(sight, share * trilith.top_mm, PX_PER_MM) for share in (1.0, PILLARS_AT))
    differs, differs_below = (_differs(there) for there in (above, below))
    across, down = _changes(cv2.GaussianBlur(above.difference, (0, 0), 0.7), above.inside)
    *pillars, lintel = (np.array(prism.footprint_mm) for prism in trilith.prisms)
    speaks = []
    for turn in TURNS_DEG:
        outline_x, outline_y = outward_normals(_drawn([lintel], turn))
        agrees = np.abs(cv2.filter2D(across, -1, outline_x) + cv2.filter2D(down, -1, outline_y))
        lies = cv2.filter2D(differs, -1, _mean_over([lintel], turn))
        stands = cv2.filter2D(differs_below, -1, _mean_over(pillars, turn))
        speaks.append((agrees + lies + stands) / 3)
    best = np.max(speaks, axis=0)
    turns = TURNS_DEG[np.argmax(speaks, axis=0)]
    highest = np.argwhere(best >= cv2.dilate(best, np.ones((NEAR_PX, NEAR_PX))))
    order = np.argsort(-best[tuple(highest.T)])[:most]
    return [
        Fit(above.mm(column, row), float(turns[row, column]), cover=float(best[row, column]))
        for row, column in highest[order].tolist()
    ]


def _differs(there: Lifted) -> Floats:
    """(H, W) 0..1 whether the photograph differs from the board behind."""
    return np.asarray(np.minimum(np.abs(there.difference).max(axis=2) / DIFFERENT, 1), np.float32)


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


def _mean_over(footprints_mm: Sequence[Array], turn_deg: float) -> Floats:
    """The filter that gives the mean over turned footprints."""
    drawn = _drawn(footprints_mm, turn_deg)
    return drawn / drawn.sum()


def _drawn(footprints_mm: Sequence[Array], turn_deg: float) -> Floats:
    """Turned footprints as a small map, 1 on them, their common middle in its middle."""
    reach = float(np.abs(np.concatenate(footprints_mm)).max()) + 4
    half = int(reach * PX_PER_MM) + 2
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    drawn = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for footprint in footprints_mm:
        corners = footprint @ np.array([[cos, sin], [-sin, cos]])
        points = np.round((corners * PX_PER_MM + half) * 16).astype(np.int32)
        cv2.fillConvexPoly(drawn, points, (1.0,), cv2.LINE_AA, 4)
    return drawn
