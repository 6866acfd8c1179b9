"""The board's straight edges between four corners that a person pointed at: they put the corners right to a
pixel and tell how the lens bends.

A person marks a corner to a few pixels, and four points say nothing about a bent lens; but the edges between
them are long, and a bent lens bends them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from engine.board import Board
from vision.finding.locate import Grey, Located
from vision.geometry.view import BREATHING, DISTORTION_SPREAD, FOCAL_SPREAD, USUAL_FOCAL, Array, View

SAMPLES = 40  # per edge
REACHES_PX = (14.0, 7.0, 4.0)  # how far from where it is expected an edge is looked for, round by round
CORNER_PX, EDGE_PX = 2.5, 0.5  # how exactly people mark corners, and how exactly an edge is seen
FEWEST_SHARE = 0.55  # of all samples, to believe in the edges at all
MOST_OF_EDGE = 0.6  # of one edge's samples, to believe in that edge
WEAKEST = 3.0  # grey values per pixel
STEP_PX, CURVE_PX = 0.5, 1.5  # how finely an edge is looked for, and how near to its curve it is believed
CORNERS_PX = 5.0  # how far from its marked corners an edge may begin and end


def along_edges(grey: Grey, located: Located, board: Board) -> Located:
    """The view that fits the board's edges as they are seen in `grey`, starting with one found by corners;
    that one again where the edges cannot be made out. A measured lens in it is kept."""
    if located.how != "corners" or located.told is None:
        return located
    view, (_, corners_px) = located.view, located.told
    measured = view.centre_px is not None
    corners_mm = np.array(board.corners_mm)
    share = (np.arange(SAMPLES) + 0.5) / SAMPLES
    starts, ends = corners_mm, np.roll(corners_mm, -1, axis=0)
    edge_mm = np.concatenate([a + share[:, None] * (b - a) for a, b in zip(starts, ends, strict=True)])
    along_mm = np.repeat((ends - starts) / np.linalg.norm(ends - starts, axis=1)[:, None], SAMPLES, axis=0)
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0).astype(np.float32)
    error, kept = located.error_px, 0
    for reach in REACHES_PX:
        at = view.project(edge_mm)
        ahead = view.project(edge_mm + along_mm) - view.project(edge_mm - along_mm)
        ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
        normal = np.column_stack([ahead[:, 1], -ahead[:, 0]])
        offset, seen = _steps(smooth, at, normal, reach)
        if seen.mean() < FEWEST_SHARE:
            return located
        points = at[seen] + normal[seen] * offset[seen, None]
        better = _fit(view, corners_mm, corners_px, edge_mm[seen], points, normal[seen], not measured)
        misses = np.abs(((better.project(edge_mm[seen]) - points) * normal[seen]).sum(axis=1))
        good = misses < max(1.5, 3 * float(np.median(misses)))
        if good.sum() < FEWEST_SHARE * len(edge_mm):
            return located
        view, error, kept = better, float(np.median(misses[good])), int(good.sum())
    moved = np.abs(view.project(corners_mm) - corners_px).max()
    if moved > REACHES_PX[0] or error > EDGE_PX * 3:
        return located
    return replace(located, view=view, error_px=error, points=kept)


def _steps(smooth: NDArray[np.float32], at: Array, normal: Array, reach_px: float) -> tuple[Array, Array]:
    """(4 * SAMPLES,) how far along its normal the board's edge is seen from each of these points, and whether
    it is.

    There may be steeper steps beside it, such as a line that is printed along the edge. But the edge is one
    curve from corner to corner: of all gently bent ones, that which runs along a step most of its way."""
    steps = np.arange(-reach_px - 1, reach_px + 1.01, STEP_PX)
    lines = (at[:, None] + steps[None, :, None] * normal[:, None]).astype(np.float32)
    values = cv2.remap(smooth, lines, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = np.abs(values[:, 2:] - values[:, :-2])  # per pixel
    height, width = smooth.shape
    inside = ((at > 3) & (at < np.array([width, height]) - 4)).all(axis=1)
    left, middle, right = slope[:, :-2], slope[:, 1:-1], slope[:, 2:]
    peaks = (middle > WEAKEST) & (middle >= left) & (middle > right) & inside[:, None]
    bend = np.minimum(left - 2 * middle + right, -1e-6)
    places = steps[2:-2] + STEP_PX * np.clip(0.5 * (left - right) / bend, -1, 1)
    curves = _curves(reach_px)
    away = np.full(len(at), np.inf)
    found = np.zeros(len(at))
    for first in range(0, len(at), SAMPLES):
        one = slice(first, first + SAMPLES)
        near = np.maximum(0, 1 - np.abs(places[one, :, None] - steps[None, None]) / CURVE_PX)
        votes = np.where(peaks[one, :, None], near, 0).max(axis=1, initial=0)
        index = np.round((curves - steps[0]) / STEP_PX).astype(int)
        best = curves[votes[np.arange(SAMPLES), index].sum(axis=1).argmax()]
        miss = np.where(peaks[one], np.abs(places[one] - best[:, None]), np.inf)
        nearest = miss.argmin(axis=1)
        found[one] = places[one][np.arange(SAMPLES), nearest]
        if (miss.min(axis=1) < CURVE_PX).mean() >= MOST_OF_EDGE:
            away[one] = miss.min(axis=1)
    return found, away < CURVE_PX


@cache
def _curves(reach_px: float) -> Array:
    """(C, SAMPLES) offsets along an edge: parabolas that begin and end near its corners, the straightest
    first."""
    share = (np.arange(SAMPLES) + 0.5) / SAMPLES
    ends = np.arange(-min(reach_px, CORNERS_PX), min(reach_px, CORNERS_PX) + 0.1)
    bends = np.arange(-reach_px, reach_px + 0.1, STEP_PX)
    start, end, bend = (part.ravel()[:, None] for part in np.meshgrid(ends, ends, bends))
    curves = start * (1 - share) + end * share + 4 * bend * share * (1 - share)
    curves = curves[np.abs(curves).max(axis=1) <= reach_px]
    return np.asarray(curves[np.argsort(np.abs(curves).max(axis=1), kind="stable")])


def _fit(
    start: View,
    corners_mm: Array,
    corners_px: Array,
    edge_mm: Array,
    edge_px: Array,
    normal: Array,
    free_lens: bool,
) -> View:
    """Least squares over pose and lens: corners count in both directions, edges only across them."""
    usual = USUAL_FOCAL * max(start.size_px)
    depth = max(1.0, float(np.linalg.norm(start.translation_mm)))

    def view_of(values: Array) -> View:
        turned = replace(start, rotation=values[:3], translation_mm=values[3:6] * depth)
        if not free_lens:
            return replace(turned, focal_px=start.focal_px * float(np.exp(values[6])))
        bend = (float(values[7]), float(values[8]))
        return replace(turned, focal_px=float(np.exp(values[6])), distortion=bend)

    def residuals(values: Array) -> Array:
        view = view_of(values)
        corners = (view.project(corners_mm) - corners_px).ravel() / CORNER_PX
        edges = ((view.project(edge_mm) - edge_px) * normal).sum(axis=1) / EDGE_PX
        if not free_lens:
            return np.concatenate([corners, edges, [values[6] / BREATHING]])
        prior = [
            (values[6] - np.log(usual)) / FOCAL_SPREAD,
            values[7] / DISTORTION_SPREAD,
            values[8] / (0.5 * DISTORTION_SPREAD),
        ]
        return np.concatenate([corners, edges, prior])

    lens = [np.log(start.focal_px), *start.distortion[:2]] if free_lens else [0.0]
    initial = np.array([*start.rotation, *(start.translation_mm / depth), *lens], float)
    solved = least_squares(residuals, initial, loss="soft_l1", max_nfev=60, x_scale="jac")
    return view_of(solved.x)
