"""Only what changed is rendered anew: from one photograph of a sequence to the next, little does.

Boxes are (left, top, right, bottom) in pixels of the straight picture (before the lens bends it), right and
bottom excluded.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from sample_images.generator.camera import View
from sample_images.generator.label import body_height_mm
from sample_images.generator.placing import Body, Placed, footprints
from sample_images.generator.sensor import Linear
from sample_images.generator.sets import PieceSet

Box = tuple[int, int, int, int]
# How far from a body its shadow and its reflected light reach: that far, and so many times its height.
REACH_MM, REACH_PER_HEIGHT = 16.0, 1.7
SEAM_PX = 10
TOO_MUCH = 0.7  # of the picture: then all of it is rendered


def changed_box(
    before: Mapping[str, Placed],
    after: Mapping[str, Placed],
    view: View,
    size_px: tuple[int, int],
    pieces: PieceSet,
    board: Board,
) -> Box | None:
    """What has to be rendered when the pieces `before` become those `after`; None: everything."""
    keys = before.keys() ^ after.keys()
    bodies = [body for key in keys for body in (before.get(key) or after[key]).bodies]
    if not bodies:
        return 0, 0, 1, 1
    points = np.vstack([_surroundings(body, pieces, board) for body in bodies])
    middle = (np.array(size_px) - 1) / 2
    pixels = view.normalised(points) * view.focal_px + middle
    low = np.floor(np.maximum(pixels.min(axis=0) - SEAM_PX, 0)).astype(int)
    high = np.ceil(np.minimum(pixels.max(axis=0) + SEAM_PX + 1, size_px)).astype(int)
    box = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    share = (box[2] - box[0]) * (box[3] - box[1]) / (size_px[0] * size_px[1])
    return None if share > TOO_MUCH else box


def _surroundings(body: Body, pieces: PieceSet, board: Board) -> NDArray[np.float64]:
    """The corners (N, 3) of a block of space around a body, in mm, heights upwards."""
    height = body_height_mm(body, pieces)
    reach = REACH_MM + REACH_PER_HEIGHT * (body.base_mm + height)
    spots = np.array([corner for foot in footprints(body, pieces, board) for corner in foot])
    left, top = spots.min(axis=0) - reach
    right, bottom = spots.max(axis=0) + reach
    ground = [(x, y, 0.0) for x in (left, right) for y in (top, bottom)]
    return np.array([*ground, *((x, y, body.base_mm + height + 3) for x, y in spots)])


def patched(old: Linear, new: Linear, box: Box) -> Linear:
    """`old` (H, W, 3) with the inside of `box` from `new`, softly joined except at the picture's edges."""
    height, width = old.shape[:2]
    share = np.minimum.outer(_ramp(box[1], box[3], height), _ramp(box[0], box[2], width))[..., None]
    return np.where(share > 0, share * new + (1 - share) * old, old).astype(np.float32)


def _ramp(first: int, last: int, length: int) -> NDArray[np.float64]:
    """1 inside first .. last, rising from 0 over SEAM_PX; no seam where the box ends with the picture."""
    at = np.arange(length)
    rise = np.clip((at - first + 0.5) / SEAM_PX, 0, 1) if first > 0 else np.ones(length)
    fall = np.clip((last - at - 0.5) / SEAM_PX, 0, 1) if last < length else np.ones(length)
    return np.where((at >= first) & (at < last), np.minimum(rise, fall), 0.0)
