"""Drawing: small pictures with a line of text each, side by side, and marks on a photograph."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import Array

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Colour = tuple[int, int, int]
PAPER, INK, FAINT = (250, 248, 246), (40, 34, 28), (150, 145, 140)
GOOD, DOUBT, MARK = (90, 160, 60), (40, 90, 230), (230, 150, 30)
# What is less likely is drawn as doubtful.
SURE = 0.9
# A sheet is about so wide (px), its text so high.
WIDTH_PX, TEXT_PX = 1600, 16
GAP_PX = 8
# A crop is drawn so high (px), or twice that.
CROP_PX = 96


def sureness(sure: float) -> Colour:
    """The colour in which something so likely is drawn."""
    return GOOD if sure > SURE else DOUBT


def from_floats(picture: Floats) -> Image:
    """A picture, (H, W, 3) BGR or (H, W) grey of 0..1."""
    grey = np.clip(picture * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8) if grey.ndim == 2 else grey


def from_planes(planes: Floats) -> Image:
    """A picture of three planes, (3, H, W) BGR of 0..1."""
    return from_floats(np.ascontiguousarray(planes.transpose(1, 2, 0)))


def enlarged(picture: Image, height_px: int) -> Image:
    """So high, its pixels still to be seen where it is enlarged much."""
    factor = height_px / picture.shape[0]
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_NEAREST if factor > 2 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def beside(*pictures: Image) -> Image:
    """Pictures of one height in a row."""
    return np.hstack(pictures)


def tile(picture: Image, *lines: str, colour: Colour = INK) -> Image:
    """A picture above lines of text, the first of them in that colour."""
    width = max(picture.shape[1], *(text_width(line) for line in lines)) if lines else picture.shape[1]
    out = _paper(picture.shape[0] + (TEXT_PX + 2) * len(lines) + 4, width)
    out[: picture.shape[0], : picture.shape[1]] = picture
    for number, line in enumerate(lines):
        at = (0, picture.shape[0] + (TEXT_PX + 2) * (number + 1) - 2)
        write(out, line, at, colour if number == 0 else FAINT)
    return out


def sheet(title: str, tiles: Sequence[Image], width_px: int = WIDTH_PX, top_px: int = 0) -> Image:
    """The tiles in rows below a title and so much room, none of them cut."""
    cell = max((each.shape[1] for each in tiles), default=0) + GAP_PX
    columns = max(1, min(len(tiles), (width_px - GAP_PX) // cell))
    rows = [tiles[first : first + columns] for first in range(0, len(tiles), columns)]
    heights = [max(each.shape[0] for each in row) + GAP_PX for row in rows]
    top = 2 * TEXT_PX + GAP_PX + top_px
    across = max(columns * cell + GAP_PX, text_width(title, 1.3) + 2 * GAP_PX)
    out = _paper(top + sum(heights), across)
    write(out, title, (GAP_PX, TEXT_PX + GAP_PX), INK, 1.3)
    for row, height in zip(rows, heights, strict=True):
        for column, each in enumerate(row):
            left = GAP_PX + column * cell
            out[top : top + each.shape[0], left : left + each.shape[1]] = each
        top += height
    return out


def write(out: Image, text: str, at: tuple[int, int], colour: Colour = INK, size: float = 1.0) -> None:
    """Text whose base line begins there."""
    cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * size, colour, 1, cv2.LINE_AA)


def text_width(text: str, size: float = 1.0) -> int:
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * size, 1)
    return int(width) + 4


def captioned(picture: Image, text: str) -> Image:
    """A photograph below a line of text."""
    top = 2 * TEXT_PX
    out = _paper(picture.shape[0] + top, max(picture.shape[1], text_width(text, 1.3) + 2 * GAP_PX))
    out[top:, : picture.shape[1]] = picture
    write(out, text, (GAP_PX, TEXT_PX + 4), INK, 1.3)
    return out


def dimmed(picture: Image) -> Image:
    """A photograph on which lines are seen well."""
    return np.ascontiguousarray(picture * 0.7 + 40, np.uint8)


def line(out: Image, points_px: Array, colour: Colour, *, closed: bool = True, width: int = 2) -> None:
    """A line through points (N, 2)."""
    points = np.round(points_px * 8).astype(np.int32)
    cv2.polylines(out, [points], closed, colour, width, cv2.LINE_AA, 3)


def cross(out: Image, points_px: Array) -> None:
    """Crosses out what a line around it, (N, 2), frames."""
    (left, top), (right, bottom) = points_px.min(axis=0), points_px.max(axis=0)
    line(out, np.array([[left, top], [right, bottom]]), DOUBT, closed=False)
    line(out, np.array([[left, bottom], [right, top]]), DOUBT, closed=False)


def chequered(one: Image, other: Image, squares: int) -> Image:
    """Squares of the one picture and, between them, of the other, equally large one."""
    height, width = one.shape[:2]
    side = max(1, math.ceil(max(height, width) / squares))
    rows, columns = np.indices((height, width)) // side
    return np.where(((rows + columns) % 2 == 0)[..., None], one, other)


def _paper(height: int, width: int) -> Image:
    return np.full((height, width, 3), PAPER, np.uint8)
