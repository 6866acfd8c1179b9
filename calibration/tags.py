"""Drawing ArUco tags: on boards, cards and calibration sheets."""

from __future__ import annotations

import math
from itertools import groupby

import cv2

from calibration.drawing import Drawing, Point, box
from engine.board import Marker
from engine.errors import HengeError


class TagError(HengeError):
    """A tag that cannot be drawn because its dictionary does not have it."""


def draw_marker(drawing: Drawing, marker: Marker, quiet_share: float = 1 / 6) -> None:
    """A board's tag on a white plate that is wider by `quiet_share` of its side all around.

    The plate's corners are round: on a dark board a square plate would itself be taken for a tag's outline.
    """
    (left, top), _, (right, bottom), _ = marker.corners_mm
    frame = math.dist(marker.corners_mm[0], marker.corners_mm[1]) * quiet_share
    if frame > 0:
        width, height = abs(right - left) + 2 * frame, abs(bottom - top) + 2 * frame
        plate = box(((left + right) / 2, (top + bottom) / 2), width, height, 0.0, 1.2 * frame)
        inside = [(min(max(x, 0.0), drawing.width_mm), min(max(y, 0.0), drawing.height_mm)) for x, y in plate]
        drawing.area(inside, (255, 255, 255))
    draw_tag(drawing, marker.corners_mm, marker.dictionary, marker.id)


def draw_tag(
    drawing: Drawing, corners: tuple[Point, Point, Point, Point], dictionary: str, number: int
) -> None:
    """The tag between its corners (top-left, top-right, bottom-right, bottom-left). Raises TagError."""
    bits = tag_bits(dictionary, number)
    (x, y), (right_x, right_y), _, (down_x, down_y) = corners
    count = len(bits)
    across = ((right_x - x) / count, (right_y - y) / count)
    down = ((down_x - x) / count, (down_y - y) / count)

    def at(column: float, row: float) -> Point:
        return x + column * across[0] + row * down[0], y + column * across[1] + row * down[1]

    drawing.area([at(0, 0), at(count, 0), at(count, count), at(0, count)], (0, 0, 0))
    for row, modules in enumerate(bits):
        start = 0
        for white, run in groupby(modules):
            end = start + len(list(run))
            if white:
                drawing.area(
                    [at(start, row), at(end, row), at(end, row + 1), at(start, row + 1)], (255, 255, 255)
                )
            start = end


def tag_bits(dictionary: str, number: int) -> list[list[bool]]:
    """The tag's modules, border included, row by row; True is white. Raises TagError."""
    tags = _dictionary(dictionary)
    if not 0 <= number < len(tags.bytesList):
        raise TagError(f"no tag {number} in {dictionary}: it has the tags 0 to {len(tags.bytesList) - 1}")
    picture = cv2.aruco.generateImageMarker(tags, number, tags.markerSize + 2)
    return [[bool(value > 127) for value in row] for row in picture]


def tag_count(dictionary: str) -> int:
    """How many tags a dictionary has: they are numbered from 0. Raises TagError."""
    return len(_dictionary(dictionary).bytesList)


def _dictionary(name: str) -> cv2.aruco.Dictionary:
    code = getattr(cv2.aruco, name, None)
    if not name.startswith("DICT_") or code is None:
        raise TagError(f"no tag dictionary {name}: expected a name such as DICT_4X4_50")
    return cv2.aruco.getPredefinedDictionary(code)
