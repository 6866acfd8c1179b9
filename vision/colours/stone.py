"""What shade a trilith on the table has: seen at the ends of its capstone, which no piece on it covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.shades import differs
from vision.fields.covered import LEAST_SEEN, ground_of
from vision.fields.places import USUAL_STONE, Place

if TYPE_CHECKING:
    from vision.sight import Sight

# Where the ends are, as shares of the capstone's length from its middle, and the size of a spot there (px).
ENDS, SPOT_PX = (0.36, 0.42), 3
# Nobody builds triliths that are darker or lighter in even light, or so colourful (bare wood is half of it):
# then it is something else.
DARKEST, LIGHTEST, MOST_COLOUR = 0.25, 0.95, 0.6
# What is less colourful at the ends of a capstone is its stone, however it is lit.
GREY = 0.12
# How much what is seen counts against the usual shade, on which the networks learnt: a dark disc on a stone
# as dark as is seen would be taken for a part of it.
SEEN = 0.6
# So many triliths tell what those of the table look like.
FEWEST = 3


def stone_bgr(sight: Sight, top: Place) -> tuple[float, float, float]:
    """The shade of the trilith under the place on its capstone, in even light (display-referred BGR 0..1);
    the usual one if what is seen there is no stone."""
    shade = _at_its_ends(sight, top)
    if not _is_stone(shade):
        return USUAL_STONE
    blue, green, red = (float(part) for part in SEEN * shade + (1 - SEEN) * np.array(USUAL_STONE))
    return blue, green, red


def covered_tops(sight: Sight, tops: Sequence[Place]) -> list[bool]:
    """On which of these capstones something lies that is no stone, such as a hand: hardly anything of them
    looks like the table's triliths in whatever shadow. False for all where too few stand to know those."""
    if len(tops) < FEWEST:
        return [False] * len(tops)
    ends = np.array([_at_its_ends(sight, top) for top in tops], np.float32)
    stone = np.median(ends, axis=0)
    if not _is_stone(stone):
        return [False] * len(tops)
    points, heights = ground_of(tops)
    lit = sight.lit(points, heights, points).reshape(len(tops), -1, 3)
    # One that mirrors the sky, and its neighbours do not, is still as grey as stone.
    own = np.where(np.ptp(ends, axis=1, keepdims=True) < GREY, ends, stone)[:, None]
    other = differs(lit, stone) & differs(lit, own)
    return [bool(share > 1 - LEAST_SEEN) for share in other.mean(axis=1)]


def _is_stone(shade: NDArray[np.floating]) -> bool:
    return bool(DARKEST < shade.mean() < LIGHTEST and np.ptp(shade) <= MOST_COLOUR)


def _at_its_ends(sight: Sight, top: Place) -> NDArray[np.floating]:
    """(3,) what is seen at the ends of the capstone under a place, in even light."""
    assert top.under is not None
    length = np.ptp(np.array(top.under.prisms[-1].footprint_mm)[:, 0])
    turn = np.radians(top.angle_deg)
    along = np.array([np.cos(turn), np.sin(turn)]) * length
    points = np.array([np.array(top.at_mm) + side * end * along for end in ENDS for side in (-1, 1)])
    pixels = sight.view.project(points, top.ground_mm).astype(np.float32)
    blurred = [cv2.getRectSubPix(sight.image, (SPOT_PX, SPOT_PX), tuple(map(float, at))) for at in pixels]
    seen = np.array([spot.reshape(-1, 3).mean(axis=0) for spot in blurred], np.float32)
    return np.asarray(np.median(sight.light.even_out(seen, points.astype(np.float32)), axis=0))
