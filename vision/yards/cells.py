"""The ground network's answer as a grid of cells: which of them belong together, to an area, to the board.

A grid is (H, W) cells of CELL_MM; `origin_mm` is the outer corner of the first.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from vision.yards.ground import CELL_MM, KINDS, Footprint
from vision.yards.solids import Stone

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
# Left, top, right, bottom in mm.
Box = tuple[float, float, float, float]
# How much of a patch must look like what is looked for, and how many patches are looked at.
LEAST_MM2, MOST_PATCHES = 60.0, 5
# How much less a cell of a patch is worth to a solid if it surely looks like another kind of solid.
KIND_COUNTS = 0.35
# A disc is looked for at each so-manieth cell, along and across.
EACH = 3
# Where a tall piece stands is known to this (mm).
BESIDE_MM = 8.0


def among(winner: NDArray[np.int64], kinds: Sequence[str]) -> Bools:
    """(H, W) which cells look like one of these kinds; winner: the index of what each looks most like."""
    return np.isin(winner, [KINDS.index(kind) for kind in kinds])


def worth_of(chances: Floats, kind: str, kinds: Sequence[str]) -> Floats:
    """(H, W) what each cell is worth as a part of such a piece: less where it is more like another of
    `kinds`. chances: (KINDS, H, W)."""
    own, best = chances[KINDS.index(kind)], np.max([chances[KINDS.index(each)] for each in kinds], axis=0)
    return np.asarray(1 + KIND_COUNTS * (own - best), np.float32)


def patches_of(solid: Bools, marked: Bools) -> list[Mask]:
    """The connected patches of `solid`, the largest first; those with little that is `marked` are nothing."""
    count, marks = cv2.connectedComponents(solid.astype(np.uint8), connectivity=8)
    patches = [marks == mark for mark in range(1, count)]
    much = [patch.astype(np.uint8) for patch in patches if (patch & marked).sum() * CELL_MM**2 >= LEAST_MM2]
    return sorted(much, key=lambda patch: -int(patch.sum()))[:MOST_PATCHES]


def covers(patch: Mask, at_mm: Sequence[float], origin_mm: Sequence[float]) -> bool:
    """Whether a patch covers a point."""
    column, row = (int((at - start) / CELL_MM) for at, start in zip(at_mm, origin_mm, strict=True))
    within = 0 <= row < patch.shape[0] and 0 <= column < patch.shape[1]
    return within and bool(patch[row, column])


def inside_area(
    area: Field, origin_mm: Sequence[float], shape: tuple[int, ...], cell_mm: int = CELL_MM
) -> Bools:
    """Which cells of a grid belong to the area."""
    mask = np.zeros(shape, np.uint8)
    points = (np.array(area.outline_mm()) - origin_mm) / cell_mm
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], (1,))
    return mask.astype(bool)


def inside_board(board: Board, origin_mm: Sequence[float], shape: tuple[int, ...]) -> Bools:
    """Which cells of a grid lie on the board."""
    rows, columns = np.indices(shape)
    x, y = ((cells + 0.5) * CELL_MM + start for cells, start in zip((columns, rows), origin_mm, strict=True))
    width, height = board.size_mm
    return np.asarray((x > 0) & (x < width) & (y > 0) & (y < height))


def belongs(area: Field, at_mm: Sequence[float], beside_mm: float = BESIDE_MM) -> bool:
    """Whether a piece that seems to stand there is the area's: it may stand so far beside that."""
    outline = np.array(area.outline_mm(), np.float32)
    x, y = at_mm
    return cv2.pointPolygonTest(outline, (float(x), float(y)), True) > -beside_mm


def points_mm(cells: Bools, origin_mm: Sequence[float]) -> list[tuple[float, float]]:
    """The middles of these cells and of those beside them, one in so many."""
    around = cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(around[::EACH, ::EACH])
    left, top = (start + CELL_MM / 2 for start in origin_mm)
    step = EACH * CELL_MM
    return [(left + step * float(x), top + step * float(y)) for x, y in zip(columns, rows, strict=True)]


def plan_mm(board: Board, kind: str) -> tuple[float, float]:
    """The long and short side of what a piece covers of the ground; "lying" is a figure on its side."""
    if kind == "lying":
        figure = board.pieces["figure"]
        return figure.height_mm, 0.8 * figure.diameter_mm
    piece = board.pieces[kind]
    shrink = 0.886 if piece.shape in ("cylinder", "figure") else 1.0  # a round covers less than its square
    return piece.length_mm * shrink, piece.width_mm * shrink


def footprint_of(board: Board, stone: Stone, doubted: bool = False) -> Footprint:
    """What a solid that explains a patch covers of the ground."""
    size_mm = plan_mm(board, stone.kind)
    return Footprint(stone.kind, stone.at_mm, stone.angle_deg, *size_mm, stone.covered, doubted)
