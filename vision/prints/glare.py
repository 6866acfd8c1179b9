"""Where the board mirrors a lamp so brightly that its picture is white, nothing is seen: least of all white
pieces.

Such a spot is wider than any piece lies, and white where the print in the light that falls there is not.
Within it, and in its bright seam, what is brighter than the print is taken for print: what the spot leaves to
be seen of a place tells what lies there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fields.crops import Frame, pixels_of
from vision.geometry.view import View
from vision.pictures.halves import Halves
from vision.prints.light import Light
from vision.prints.surface import Surface

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
# Where all three channels are this bright (a little below the end of the scale, for the sake of noise and
# JPEG), nothing is seen; print is as bright by itself where it would be
# seen brighter than this share of that.
BURNT_OUT, BY_ITSELF = 240, 0.9
# The mask is about so wide (px).
WIDTH_PX = 480
# A spot is wider than this, and has a seam so wide (mm).
WIDEST_MM, SEAM_MM = 26.0, 9.0


def find_glare(photo: Halves, view: View, surface: Surface, light: Light) -> Mask | None:
    """(h, w) 1 where the board mirrors a lamp, of a picture so many times as small as `WIDTH_PX` asks; None
    if it mirrors none."""
    level = max(0, int(np.log2(max(1.0, view.size_px[0] / WIDTH_PX))))
    small = photo[level]
    burnt = cv2.inRange(small, (BURNT_OUT,) * 3, (255,) * 3)  # type: ignore[call-overload]
    middle = surface.size_mm[0] / 2, surface.size_mm[1] / 2
    px_per_mm = view.px_per_mm(middle) / 2**level
    wide = _round(WIDEST_MM * px_per_mm)
    if not cv2.erode(burnt, wide).any():
        return None
    rows, columns = np.nonzero(burnt)
    on_plane = view.on_plane(np.column_stack([columns, rows]) * 2**level)
    # In rows, the last one filled up: OpenCV's remap takes neither too many columns nor too many rows.
    mm = np.resize(on_plane.astype(np.float32), (1, -(-len(rows) // WIDTH_PX), WIDTH_PX, 2))
    lit, printed = (
        colours.min(axis=3).ravel()[: len(rows)]
        for colours in (
            light.even_out(np.full((*mm.shape[:3], 3), 255, np.float32), mm),
            light.shown(surface, mm, [1 / px_per_mm]),
        )
    )
    on_board = ((on_plane > 0) & (on_plane < surface.size_mm)).all(axis=1)
    burnt[rows, columns] = np.where(on_board & (printed <= BY_ITSELF * lit), 255, 0)
    spots = cv2.morphologyEx(burnt, cv2.MORPH_OPEN, wide)
    return np.asarray(cv2.dilate(spots, _round(2 * SEAM_MM * px_per_mm)), np.uint8) if spots.any() else None


def _round(diameter_px: float) -> Mask:
    side = max(1, round(diameter_px))
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def take_off(glare: Mask, frames: Sequence[Frame], crops: Floats, picture_px: tuple[int, int]) -> None:
    """Take what is brighter than the print there for print, in crops (N, CHANNELS, S, S) of these frames of a
    picture so large (width, height)."""
    shrink = np.array(picture_px, np.float32) / glare.shape[::-1]
    for crop, maps in zip(crops, pixels_of(frames), strict=True):
        there = cv2.remap(glare, (maps / shrink).astype(np.float32), None, cv2.INTER_NEAREST) > 0
        if there.any():
            there &= crop[6:9].min(axis=0) > 0
            crop[:3, there] = crop[3:6, there]
            crop[6:9, there] = 0
