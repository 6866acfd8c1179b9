"""Pieces on one another where nobody knows the game: they hide more than one piece does.

The rules of our games say what may lie on what. On a board of one's own a king at draughts is two discs, and
what lies behind such a tower is hidden, though one piece of it is all that anybody asks for. Where a piece
has another of its kind on it, the picture goes on in its colour where that other one would be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.shades import DIFFERENT, gap
from vision.fields.places import Place
from vision.geometry.bodies import Stood, outlines_of_all
from vision.geometry.view import Array
from vision.sight import Sight

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# The top and the sides of a piece are lit otherwise, by so much.
LIT = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3)
# So much of what would be seen of another one must look like the piece, of so many pixels at least.
GOES_ON, ENOUGH_PX = 0.35, 40
# Nobody piles them higher.
HIGHEST = 4


def towers_on(sight: Sight, stood: Sequence[Stood], places: Sequence[Place]) -> list[Stood]:
    """The pieces that seem to lie on these, each like the one below it, where they may hide these places."""
    found: list[Stood] = []
    level = [each for each in stood if _may_hide(sight, each, places)]
    for _ in range(1, HIGHEST):
        if not level:
            break
        covered = _drawn(sight, [*stood, *found])
        above = ((lower, (*lower[:3], lower[3] + lower[0].top_mm)) for lower in level)
        level = [upper for lower, upper in above if _goes_on(sight, covered, lower, upper)]
        found += level
    return found


def _may_hide(sight: Sight, stood: Stood, places: Sequence[Place]) -> bool:
    """Whether the highest tower on this piece reaches one of the places in the picture."""
    body, at_mm, _, _ = stood
    reach = HIGHEST * body.top_mm / math.tan(math.radians(max(sight.view.elevation_deg, 1.0)))
    return any(0 < math.dist(at_mm, place.at_mm) < reach + 2 * place.radius_mm for place in places)


def _goes_on(sight: Sight, covered: Image, lower: Stood, upper: Stood) -> bool:
    """Whether the picture shows the colour of `lower`, and no print, where only `upper` would be seen."""
    own, other = ([hull for hull, _ in parts] for parts in outlines_of_all(sight.view, [lower, upper]))
    width, height = sight.view.size_px
    corners = np.concatenate(own + other)
    low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, [width, height])
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 1, 0, [width, height])
    window = np.s_[low[1] : high[1], low[0] : high[0]]
    if min(high - low) < 1:
        return False
    lower_mask, upper_mask = (_filled(hulls, low, high) > 0 for hulls in (own, other))
    new = upper_mask & (covered[window] == 0)
    if new.sum() < ENOUGH_PX or not lower_mask.any():
        return False
    own_px, new_px = (np.argwhere(mask)[:, ::-1] + low for mask in (lower_mask, new))
    colour = np.median(_lit(sight, own_px)[0], axis=0)
    seen, printed = _lit(sight, new_px)
    alike = (gap(seen, colour, LIT) < DIFFERENT) & (gap(printed, colour, LIT) > DIFFERENT)
    return bool(alike.mean() > GOES_ON)


def _lit(sight: Sight, pixels: NDArray[np.int_]) -> tuple[Floats, Floats]:
    """See `Sight.beside_print`, of these pixels, (N, 2)."""
    return sight.beside_print(
        sight.image[pixels[:, 1], pixels[:, 0]], sight.view.on_plane(pixels.astype(float))
    )


def _filled(hulls: Sequence[Array], low: NDArray[np.int_], high: NDArray[np.int_]) -> Image:
    """A mask of the pixels from `low` to `high` (x, y), 1 inside the hulls."""
    mask = np.zeros((high - low)[::-1], np.uint8)
    for hull in hulls:
        cv2.fillConvexPoly(mask, np.round(hull - low).astype(np.int32), (1,))
    return mask


def _drawn(sight: Sight, stood: Sequence[Stood]) -> Image:
    """A mask of the picture, 1 where these pieces cover it."""
    hulls = [hull for parts in outlines_of_all(sight.view, stood) for hull, _ in parts]
    return _filled(hulls, np.zeros(2, int), np.array(sight.view.size_px))
