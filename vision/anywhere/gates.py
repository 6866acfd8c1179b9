"""Where exactly does a gate of `rolling` stand? The detector tells its middle to a few millimetres, which is
too little to see what lies on it, half a disc aside. Its whole outline tells better: the ground network marks
what is seen of it on the board's plane, and the trilith's outline is moved there until it covers most of
that, turned a little and a little taller or lower than the board file says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anywhere.detector import Detection
from vision.geometry.bodies import Body
from vision.geometry.fitting import scaled_body
from vision.geometry.view import Array, View
from vision.yards.ground import CELL_MM, KINDS, kinds_at, stretch

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# What a gate and what marks it are told as by the ground network, and how much the latter are worth.
STONE, MARK, MARK_WORTH = ("trilith", "pillar", "capstone"), ("disc", "figure"), 0.7
# What is a gate with less than this chance is worth less than nothing, so much beyond what was looked at; a
# gate's outline is worth at least so much a cell, or the detector knows better.
MAYBE, BEYOND, LEAST = 0.45, -0.2, 0.1
# How it may be turned and how tall it may be against what was told; what each of these costs (cells), and
# what it costs, as a share of the outline, to be aside, by the square of how many cells it is.
TURNS_DEG, TALLS, COST, COST_ASIDE = (-8.0, 0.0, 8.0), (0.9, 1.0, 1.08), 3.0, 0.0015
# It is looked for so many cells aside; so far around its outline the network sees the board; and no
# outline is larger.
REACH, AROUND_MM, LARGEST_MM = 5, 14, 220
# So many steps are made at most; one that hardly moves nor turns it was the last.
STEPS, HARDLY_MM, HARDLY_DEG = 5, 4.0, 4.0


@dataclass(frozen=True)
class _Outline:
    """A gate's outline: as a mask, its corner on the board (mm), how it is turned, what it costs."""

    mask: Floats
    corner_mm: Array
    turned_deg: float
    cost: float


def exactly(sight: Sight, gate: Body, found: Detection) -> Detection:
    """A gate that was detected, where its outline covers most of what is seen of it; `found` as it is where
    hardly anything is. Detected a finger's breadth aside or askew, it is followed there step by step."""
    for _ in range(STEPS):
        before, found = found, _nearer(sight, gate, found)
        turned = abs((found.angle_deg - before.angle_deg + 90) % 180 - 90)
        if turned < HARDLY_DEG and math.dist(found.at_mm, before.at_mm) < HARDLY_MM:
            break
    return found


def _nearer(sight: Sight, gate: Body, found: Detection) -> Detection:
    """The gate moved and turned by one step."""
    stretched = _worth(sight, _hulls(sight.view, gate, found.at_mm, found.angle_deg))
    if stretched is None:
        return found
    worth, low = stretched
    worth = worth - MAYBE
    # Room for every place of every outline.
    edge = AROUND_MM + 2 * REACH
    worth = cv2.copyMakeBorder(worth, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(BEYOND,))
    aside = np.arange(-REACH, REACH + 1)
    squares = aside[:, None] ** 2 + aside**2
    cost_aside = np.where(squares <= REACH**2, COST_ASIDE * squares, np.inf)
    best, exact = 0.0, found
    for outline in _outlines(sight.view, gate, found):
        # The network's answers are those for its cells' first millimetres.
        at = (outline.corner_mm - low - 0.5) / CELL_MM
        column, row = np.round(at).astype(int)
        rows, columns = outline.mask.shape
        window = worth[
            edge + row - REACH : edge + row + REACH + rows,
            edge + column - REACH : edge + column + REACH + columns,
        ]
        if window.shape != (rows + 2 * REACH, columns + 2 * REACH):
            continue
        values = cv2.matchTemplate(window, outline.mask, cv2.TM_CCORR) - outline.cost
        values -= cost_aside * outline.mask.sum()
        down, right = np.unravel_index(int(values.argmax()), values.shape)
        value = float(values[down, right])
        if value > max(best, LEAST * outline.mask.sum()):
            away = (np.array([column + right - REACH, row + down - REACH]) - at) * CELL_MM
            x, y = np.array(found.at_mm) + away
            best = value
            exact = replace(
                found,
                at_mm=(float(x), float(y)),
                angle_deg=(found.angle_deg + outline.turned_deg) % 180,
            )
    return exact


def _outlines(view: View, gate: Body, found: Detection) -> Iterator[_Outline]:
    for turned, tall in product(TURNS_DEG, TALLS):
        hulls = _hulls(view, scaled_body(gate, 1.0, tall), found.at_mm, found.angle_deg + turned)
        points = np.concatenate(hulls)
        corner = points.min(axis=0) - CELL_MM
        columns, rows = np.ceil((points.max(axis=0) - corner) / CELL_MM).astype(int) + 2
        mask = _mask(hulls, corner, (rows, columns))
        yield _Outline(mask, corner, turned, COST * ((turned != 0) + (tall != 1)))


def seen_at(sight: Sight, gate: Body, at_mm: tuple[float, float], angle_deg: float) -> float:
    """How much of what a gate would hide there is seen as one or as what marks it: 0..1."""
    hulls = _hulls(sight.view, gate, at_mm, angle_deg)
    stretched = _worth(sight, hulls)
    if stretched is None:
        return 0.0
    worth, low = stretched
    # The network's answers are those for its cells' first millimetres.
    mask = _mask(hulls, low + 0.5, worth.shape)
    return float((worth * mask).sum() / max(1.0, mask.sum()))


def _worth(sight: Sight, hulls: list[Array]) -> tuple[Floats, Array] | None:
    """(H, W) in cells how much of a gate is seen around these outlines on the board, and the corner of the
    first cell (mm); None if that is larger than a gate looks from anywhere."""
    points = np.concatenate(hulls)
    low, high = np.floor(points.min(axis=0)) - AROUND_MM, np.ceil(points.max(axis=0)) + AROUND_MM
    if (high - low).max() > LARGEST_MM:
        return None
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    chances = kinds_at(stretch(sight.halves, sight.view, sight.surface, sight.light, box))
    stone, mark = (sum(chances[KINDS.index(kind)] for kind in kinds) for kinds in (STONE, MARK))
    return np.asarray(stone + MARK_WORTH * mark, np.float32), low


def _mask(hulls: list[Array], corner_mm: Array, shape: tuple[int, ...]) -> Floats:
    """(H, W) 1 inside the outlines, whose cells begin at this corner."""
    mask = np.zeros(shape, np.float32)
    for hull in hulls:
        points = np.round((hull - corner_mm) / CELL_MM * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 1.0, shift=4)
    return mask


def _hulls(view: View, gate: Body, at_mm: tuple[float, float], angle_deg: float) -> list[Array]:
    """What a gate hides of the board (mm), stone by stone."""
    return [view.on_plane(hull) for hull, _ in gate.outlines(view, at_mm, angle_deg)]
