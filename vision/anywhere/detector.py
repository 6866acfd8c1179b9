"""Where do pieces stand that stand on no field? A small network looks at the whole board at once.

It sees the board from above (2 mm a pixel), the empty print beside it, and for every point the direction in
which tall things lean away from the camera. For every cell of 4 mm it answers how likely the middle of a
block, a disc, a trilith's foot or a marked trilith lies there, where in the cell, and how the long side is
turned: objects as points, as in Zhou, Wang and Krähenbühl, "Objects as Points", 2019.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import View
from vision.nets import answers
from vision.pictures.halves import Photo
from vision.prints.light import Light
from vision.prints.surface import Surface
from vision.yards.ground import GROUND_CHANNELS, stretch

Floats = NDArray[np.float32]
# What the network looks for; the last lies on the trilith in whose middle it is told of (the place network,
# which looks closely there, tells that better).
KINDS = ("block", "disc", "trilith", "mark")
# Which of these have a direction, told by the cosine and the sine of twice its angle.
TURNED = ("block", "trilith")
MM_PER_PX, CELL_MM = 2.0, 4.0
# The network looks so far beyond the board's edge, at a multiple of so many pixels.
MARGIN_MM, STEP_PX = 16.0, 16
# The answer: a logit for each kind, where in its cell a middle lies (2, in cells), and two numbers for each
# direction.
OFFSETS, TURNS = len(KINDS), len(KINDS) + 2
MIDDLE, LEAN = slice(OFFSETS, TURNS), slice(GROUND_CHANNELS - 2, GROUND_CHANNELS)
ANSWERS = TURNS + 2 * len(TURNED)
# The board is shown to it turned by so many quarters, one after the other: it errs otherwise each time, and
# the mean of what it answers less (26 of 886 low pieces in 70 photographs that it has not learnt from are
# missed or made up by it and the place network together, 37 where it looks once).
QUARTERS = 4
# Of middles nearer to each other than this only the likeliest counts (cells to each side).
APART = 1


@dataclass(frozen=True)
class Detection:
    """A piece that stands somewhere: of KINDS, its middle on the board (mm), the direction of its long side
    (degrees clockwise from +x, 0..180), and how likely it is there."""

    kind: str
    at_mm: tuple[float, float]
    angle_deg: float
    sure: float


def box_mm(size_mm: tuple[float, float]) -> tuple[float, float, float, float]:
    """The part of the plane that is looked at: the board of this size and a margin."""
    step = STEP_PX * MM_PER_PX
    right, bottom = (np.ceil((side + 2 * MARGIN_MM) / step) * step - MARGIN_MM for side in size_mm)
    return -MARGIN_MM, -MARGIN_MM, float(right), float(bottom)


def whole_board(photo: Photo, view: View, surface: Surface, light: Light) -> Floats:
    """(GROUND_CHANNELS, H, W) the board from above as the detector sees it, see
    `vision.yards.ground.stretch`."""
    return stretch(photo, view, surface, light, box_mm(surface.size_mm), MM_PER_PX)


def detect(board: Floats, least: float) -> list[Detection]:
    """What stands on a board as `whole_board` shows it, each as likely as `least` or likelier, the likeliest
    first."""
    answer = np.mean([_asked_turned(board, quarters) for quarters in range(QUARTERS)], axis=0)
    return detections(np.asarray(answer, np.float32), (-MARGIN_MM, -MARGIN_MM), least)


def _asked_turned(board: Floats, quarters: int) -> Floats:
    """What the network answers, (ANSWERS, H, W), to the board turned by so many quarters, turned back."""
    answer = _turned(answers("detector", _turned(board, quarters, LEAN)[None])[0][0], -quarters, MIDDLE)
    if quarters % 2:
        # Twice the angle turns by half a turn.
        answer[TURNS:] *= -1
    return answer


def _turned(planes: Floats, quarters: int, vector: slice) -> Floats:
    """Planes (C, H, W) turned counterclockwise by so many quarters, with the two of them that together say
    how far to the right and how far down something is."""
    turned = np.rot90(planes, quarters, (1, 2)).copy()
    for _ in range(quarters % 4):
        right, down = turned[vector].copy()
        turned[vector] = down, -right
    return turned


def detections(answer: Floats, origin_mm: tuple[float, float], least: float) -> list[Detection]:
    """What the network's answer, (ANSWERS, H, W), tells of; its first cell has its corner at `origin_mm`."""
    chances = 1 / (1 + np.exp(-answer[:OFFSETS]))
    found = []
    for kind, chance in zip(KINDS, chances, strict=True):
        highest = chance >= cv2.dilate(chance, np.ones((2 * APART + 1, 2 * APART + 1)))
        for row, column in np.argwhere(highest & (chance >= least)).tolist():
            told = answer[:, row, column]
            x, y = (
                origin + (cell + 0.5 + float(off)) * CELL_MM
                for origin, cell, off in zip(origin_mm, (column, row), told[OFFSETS:TURNS], strict=True)
            )
            angle = 0.0
            if kind in TURNED:
                first = TURNS + 2 * TURNED.index(kind)
                angle = math.degrees(math.atan2(told[first + 1], told[first])) / 2 % 180
            found.append(Detection(kind, (x, y), angle, float(chance[row, column])))
    return sorted(found, key=lambda each: -each.sure)
