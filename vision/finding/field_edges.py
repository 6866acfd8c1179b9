"""The outlines of a board's fields as they are printed: beside corners that a person pointed at, or tags,
they tell how the lens bends, and where every field lies to a fraction of a millimetre.

Each outline is moved about in the picture until it lies on edges nearly all round; most fields of a board
agree on one bent lens, and those that are not printed, or covered, do not count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.finding.edges import along_edges
from vision.finding.locate import Located
from vision.geometry.view import Array, View, fit_view

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# Points per outline; it may be printed so much smaller or larger than the field is told.
POINTS, SIZES = 32, (0.88, 0.94, 1.0, 1.06)
# The bends (k1 of the Brown model) among which the fields choose.
BENDS = tuple(np.arange(-0.32, 0.17, 0.03).tolist())
# A lens of one such number is as good also where the board does not lie; it is taken if it fits so nearly as
# exactly as one of two, and looked for among these bends around that (their misses have several valleys).
NEAR_BENDS, AS_EXACT = tuple(np.arange(-0.08, 0.081, 0.01).tolist()), 1.2
# Outlines are then looked for so many steps around, of so many pixels of a picture so wide, round by round.
WIDE_PX, ROUNDS = 1920, ((3, 2), (2, 1), (2, 1))
# An outline is seen if so much more of it lies on edges than do so far aside (pixels of that picture).
CLEARER, ASIDE_PX = 1.4, 8.0
# To be believed, so many fields, and such a share of all, must agree as exactly (pixels of the wide picture).
FEWEST, SHARE, AGREES_PX = 10, 0.4, 1.5
# So far (pixels) half of the corners by which the board was found may lie from where they were seen.
MOST_OFF_PX = 6.0


@dataclass(frozen=True)
class _Edges:
    """The steps of a picture, (H, W, 3) across and down, per colour."""

    across: Floats
    down: Floats

    @classmethod
    def of(cls, image: Image, soft_px: float) -> _Edges:
        smooth = cv2.GaussianBlur(image, (0, 0), soft_px)
        across, down = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=1, scale=0.5) for way in ((1, 0), (0, 1)))
        return cls(np.asarray(across, np.float32), np.asarray(down, np.float32))

    def along(self, points: Array, normals: Array) -> Floats:
        """(...,) the root of the step (grey values per pixel) that is seen across (..., 2) normals at
        (..., 2) pixels: one strong line is no outline. 0 outside."""
        at = points.reshape(len(points), -1, 2).astype(np.float32)
        n = normals.reshape(len(points), -1, 2).astype(np.float32)
        across, down = (
            cv2.remap(steps, at, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
            for steps in (self.across, self.down)
        )
        blue, green, red = cv2.split(np.abs(across * n[..., :1] + down * n[..., 1:]))
        steps = np.sqrt(np.maximum(np.maximum(blue, green), red))
        return np.asarray(steps, np.float32).reshape(points.shape[:-1])

    def moved(self, points: Array, normals: Array, moves: Array) -> Floats:
        """(F, M) how much of each outline (F, P, 2), with its normals, lies on edges after each of (M, 2)
        moves."""
        at = points[:, None] + moves[:, None]
        return np.asarray(self.along(at, np.broadcast_to(normals[:, None], at.shape)).mean(axis=2))


def along_lines(image: Image, located: Located, board: Board) -> Located:
    """A board of somebody else's, found by corners or tags, as its printed lines tell more exactly:
    `along_fields`, or, where the fields' outlines are not printed, `along_edges`. image: uint8 (H, W, 3)
    BGR."""
    found = along_fields(image, located, board)
    if found is not located:
        return found
    return along_edges(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), located, board)


def along_fields(image: Image, located: Located, board: Board) -> Located:
    """The view in which the outlines of most fields lie on printed edges, starting with one found by corners
    or tags; that one again where no such outlines are seen. A measured lens in it is kept. image: uint8
    (H, W, 3) BGR."""
    outlines = _outlines(board)
    if located.told is None or len(outlines) < FEWEST or located.view.centre_px is not None:
        return located
    told_mm, told_px = located.told
    unit = max(located.view.size_px) / WIDE_PX
    edges = _Edges.of(image, 1.5 * max(unit, 0.5))
    middles = outlines.mean(axis=1)
    views = [_bent(located.view, told_mm, told_px, bend) for bend in BENDS]
    view = max(views, key=lambda each: _agreement(edges, each, outlines))
    for steps, step_px in ROUNDS:
        found, clear = _found(edges, view, outlines, steps, step_px * unit)
        if clear.sum() < FEWEST:
            return located
        points_mm = np.concatenate([told_mm, middles[clear]])
        points_px = np.concatenate([told_px, found[clear]])
        view, misses = fit_view(points_mm, points_px, view.size_px, start=view, noise_px=unit)
    plain = min(
        (_bent(view, points_mm, points_px, view.distortion[0] + more) for more in NEAR_BENDS),
        key=lambda each: float(np.median(_misses(each, points_mm, points_px))),
    )
    if np.median(_misses(plain, points_mm, points_px)) < AS_EXACT * np.median(misses):
        view, misses = plain, _misses(plain, points_mm, points_px)
    off, misses = misses[: len(told_mm)], misses[len(told_mm) :]
    agreeing = misses < AGREES_PX * unit
    if agreeing.sum() < max(FEWEST, SHARE * len(outlines)) or np.median(off) > MOST_OFF_PX:
        return located
    error = float(np.median(misses[agreeing]))
    return replace(located, view=view, error_px=error, points=int(agreeing.sum()))


def _misses(view: View, points_mm: Array, points_px: Array) -> Array:
    return np.asarray(np.linalg.norm(view.project(points_mm) - points_px, axis=1))


def _outlines(board: Board) -> Array:
    """(F, POINTS, 2) mm, evenly round each field."""
    found = []
    for field in board.fields.values():
        corners = np.array(field.outline_mm(POINTS), float)
        ends = np.concatenate([corners, corners[:1]])
        far = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(ends, axis=0), axis=1))])
        even = (np.arange(POINTS) + 0.5) / POINTS * far[-1]
        found.append(np.column_stack([np.interp(even, far, ends[:, k]) for k in (0, 1)]))
    return np.array(found).reshape(-1, POINTS, 2)


def _bent(view: View, told_mm: Array, told_px: Array, bend: float) -> View:
    """A view of those points through a lens that bends so."""
    lens = replace(view, distortion=(bend, -bend / 8), centre_px=view.axis_px)
    fitted, _ = fit_view(told_mm, told_px, view.size_px, lens=lens)
    return replace(fitted, centre_px=None)


def _projected(view: View, outlines: Array, size: float) -> tuple[Array, Array]:
    """(F, POINTS, 2) pixels of outlines so much larger than told, and their normals."""
    middles = outlines.mean(axis=1, keepdims=True)
    points = middles + size * (outlines - middles)
    pixels = view.project(points.reshape(-1, 2)).reshape(points.shape)
    ahead = np.roll(pixels, -1, axis=1) - np.roll(pixels, 1, axis=1)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=2, keepdims=True), 1e-9)
    return pixels, np.stack([ahead[..., 1], -ahead[..., 0]], axis=2)


def _agreement(edges: _Edges, view: View, outlines: Array) -> float:
    """How much of all outlines lies on edges, each in its best size."""
    told = [edges.along(*_projected(view, outlines, size)).mean(axis=1) for size in SIZES]
    return float(np.max(told, axis=0).mean())


def _found(
    edges: _Edges, view: View, outlines: Array, steps: int, step_px: float
) -> tuple[Array, NDArray[np.bool_]]:
    """(F, 2) pixels of the fields' middles where their outlines lie on edges best, and (F,) whether they do
    so clearly."""
    aside = np.arange(-steps, steps + 1)
    moves = step_px * np.stack(np.meshgrid(aside, aside, indexing="ij"), axis=2).reshape(-1, 2)
    told = np.zeros((len(outlines), len(moves)), np.float32)
    for size in SIZES:
        pixels, normals = _projected(view, outlines, size)
        told = np.maximum(told, edges.moved(pixels, normals, moves))
    best = told.argmax(axis=1)
    grid = told.reshape(len(outlines), len(aside), len(aside))
    clear = told.max(axis=1) > CLEARER * _aside(edges, view, outlines)
    at = view.project(outlines.mean(axis=1)) + moves[best]
    for axis in (0, 1):
        at[:, axis] += step_px * _between(grid, best, axis, len(aside))
    return at, clear


def _aside(edges: _Edges, view: View, outlines: Array) -> Floats:
    """(F,) how much of each outline lies on edges, on average, if it is moved aside."""
    far = ASIDE_PX * max(view.size_px) / WIDE_PX
    pixels, normals = _projected(view, outlines, 1.0)
    turns = np.arange(8) * np.pi / 4
    moves = far * np.column_stack([np.cos(turns), np.sin(turns)])
    return np.asarray(edges.moved(pixels, normals, moves).mean(axis=1))


def _between(grid: Floats, best: NDArray[np.int64], axis: int, size: int) -> Array:
    """(F,) how far from the best move, -0.5..0.5, the top of a parabola through its neighbours lies."""
    spot = list(np.unravel_index(best, (size, size)))
    inside = (spot[axis] > 0) & (spot[axis] < size - 1)
    here = np.arange(len(grid))

    def beside(step: int) -> Floats:
        moved = list(spot)
        moved[axis] = np.clip(spot[axis] + step, 0, size - 1)
        return grid[here, moved[0], moved[1]]

    before, middle, after = beside(-1), beside(0), beside(1)
    bend = np.minimum(before - 2 * middle + after, -1e-6)
    return np.where(inside, np.clip(0.5 * (before - after) / bend, -0.5, 0.5), 0.0)
