"""A board found by its outline: somebody else's, so plain that natural features do not tell where it lies, or
one of ours, so far out of focus that its tags and details do not.

Whatever has four straight sides in the picture may be it, whichever way round; the colours of its print,
which the photograph of the empty board shows or we know, tell which, or its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.errors import NoBoard
from vision.finding.field_edges import along_lines
from vision.finding.locate import NOT_SEEN, Located, by_corners, lines_like, refine
from vision.geometry.view import Array, View
from vision.prints.surface import Surface

Image = NDArray[np.uint8]
Grey = NDArray[np.uint8]
Floats = NDArray[np.float32]
# Edges are looked for in a picture of this size, weak and strong ones, with gaps of so many pixels closed.
LONGER_SIDE_PX, WEAK, STRONGER, GAPS_PX = 640, (15, 30, 60), 2.5, (2, 4)
# A board covers at least this share of the picture; its outline at least this of the four sides around it.
SMALLEST, FOUR_SIDED = 0.04, 0.9
# Outlines whose corners are nearer than this are one.
APART_PX = 8
# The print is compared at so many mm a pixel, by how it differs from what is around it (mm): in brightness,
# blue - green, red - green (of logarithms), each counting up to as much as matters.
STEP_MM, AROUND_MM, FLOOR, SOFT_PX = 3.0, 120.0, 8.0, 2.0
MATTERS, HALF = np.array([0.25, 0.12, 0.12], np.float32), 0.5
# So many of the likeliest are laid over the picture; the best must be so much like the print (correlation),
# and so much more than the same the other way round. No more of it may look quite otherwise, as pieces do:
# the same board in another print does on 0.32 to 0.75 of it.
TRIED, LIKE, CLEARLY, OTHERWISE = 6, 0.4, 0.1, 0.3
# Or, laid over the picture, its lines are so much like the print's, and so much more than turned otherwise:
# print of thin lines has hardly any colours, and pieces and harsh light change those. (Of 32 photographs of
# eight boards, made with another renderer, 29 are so much alike; other boards are by 0.03 at most, and their
# own the other way round never more.) Less of it may look otherwise than of nearly all other prints, unless
# its lines surely are the print's: where tall pieces stand on most fields and the light is another, nearly
# all looks otherwise. (Lines of the same board in another print are like a print's by 0.24 at most, of nine
# tables; those of two photographs full of figures, of which 0.8 looks otherwise, by 0.44 and 0.48.)
LINES_LIKE, LINES_CLEARLY, LINES_OTHERWISE, LINES_SURELY = 0.1, 0.05, 0.6, 0.35


def by_outline(
    image: Image,
    board: Board,
    surface: Surface,
    *,
    lens: View | None = None,
    perhaps: Sequence[Array] = (),
    least: float = -1.0,
    tried: int = TRIED,
    sides: Sequence[Array] | None = None,
) -> Located:
    """The board, of which the print is known, by its outline. perhaps: (4, 2) px corners where it may lie,
    too; least, tried: what is less like the print is not looked at closely, nor are more than so many; sides:
    what is `four_sided`, if that is known. Raises NoBoard if it is not seen."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    size_px, printed = (grey.shape[1], grey.shape[0]), _print_of(surface)
    sides = four_sided(image) if sides is None else sides
    guesses = [np.roll(each, -turn, axis=0) for each in sides for turn in range(4)]
    guesses += perhaps
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), SOFT_PX), np.uint8)
    likes = np.array([_like(soft, guess, printed) for guess in guesses])
    found: list[tuple[float, bool, Located]] = []
    for number in np.argsort(-likes)[:tried].tolist():
        if likes[number] < least:
            break
        try:
            guess = by_corners(guesses[number], board, size_px, lens=lens)
            laid, by_print = _laid(image, grey, guess, board, surface, lens)
        except NoBoard:
            continue
        if by_print or likes[number] >= LIKE:
            found.append((lines_like(grey, laid.view, surface), by_print, laid))
    if not found:
        raise NoBoard(NOT_SEEN)
    lines, by_print, best = max(found, key=lambda each: each[0])
    corners = _corners_px(best, board)
    like = _like(soft, corners, printed)
    turned = [np.roll(corners, turn, axis=0) for turn in (1, 2, 3)]
    unlike = (np.abs(_seen(soft, corners, printed) - printed).max(axis=2) > HALF).mean()
    by_colours = like >= max(LIKE, CLEARLY + max(_like(soft, other, printed) for other in turned))
    if by_colours and unlike <= OTHERWISE:
        return replace(best, how="reference")
    if not by_print or lines < (LINES_LIKE if unlike <= LINES_OTHERWISE else LINES_SURELY):
        raise NoBoard(NOT_SEEN)
    for other in turned:
        view = refine(grey, by_corners(other, board, size_px, lens=lens), surface).view
        if lines_like(grey, best.view, surface, but_not=view) < LINES_CLEARLY:
            raise NoBoard(NOT_SEEN)
    return replace(best, how="reference")


def _laid(
    image: Image, grey: Grey, guess: Located, board: Board, surface: Surface, lens: View | None
) -> tuple[Located, bool]:
    """The board laid over the picture by the details of its print or, if need be, by its edges and lines,
    which may bring it near enough for those; and whether by its details. Raises NoBoard if by nothing."""
    laid = refine(grey, guess, surface, lens=lens)
    if laid is not guess:
        return laid, True
    nearer = along_lines(image, guess, board)
    if nearer is guess:
        raise NoBoard(NOT_SEEN)
    laid = refine(grey, nearer, surface, lens=lens)
    return laid, laid is not nearer


def four_sided(image: Image) -> list[Array]:
    """What has four straight sides in a picture: (4, 2) px each, clockwise from the corner that is nearest to
    the picture's top left."""
    shrink = LONGER_SIDE_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found: list[Array] = []
    for outline in _outlines(np.asarray(small, np.uint8)):
        corners = (outline + 0.5) / shrink - 0.5
        if cv2.contourArea(outline.astype(np.float32), oriented=True) < 0:
            corners = corners[::-1]
        corners = np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
        if all(np.abs(corners - other).max() > APART_PX for other in found):
            found.append(corners)
    return found


def _outlines(small: Image) -> Iterator[Array]:
    """(4, 2) px of what edges enclose on four sides."""
    least = SMALLEST * small.shape[0] * small.shape[1]
    lab = cv2.cvtColor(cv2.bilateralFilter(small, 7, 30, 5), cv2.COLOR_BGR2LAB)
    channels = [np.ascontiguousarray(lab[..., channel]) for channel in range(3)]
    for weak in WEAK:
        edges = np.bitwise_or.reduce([cv2.Canny(each, weak, STRONGER * weak) for each in channels])
        for gap in GAPS_PX:
            closed = cv2.dilate(edges, np.ones((gap, gap), np.uint8))
            for contour in cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
                hull = cv2.convexHull(contour).astype(np.float32)
                area = cv2.contourArea(hull)
                if area < least:
                    continue
                corners = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2).astype(np.float32)
                if area > FOUR_SIDED * cv2.contourArea(corners):
                    yield np.asarray(corners, float)


def _corners_px(located: Located, board: Board) -> Array:
    return located.view.project(np.array(board.corners_mm))


def _print_of(surface: Surface) -> Floats:
    """The print at `STEP_MM` a pixel, see `_looks`."""
    width, height = (round(side / STEP_MM) for side in surface.size_mm)
    level = min(len(surface.levels) - 1, int(np.log2(surface.px_per_mm * STEP_MM)))
    shown = cv2.resize(surface.top_view(level), (width, height), interpolation=cv2.INTER_AREA)
    return _looks(np.asarray(shown, np.uint8))


def _like(soft: Image, corners_px: Array, printed: Floats) -> float:
    """How like the print (see `_looks`) is what these corners enclose in a softened picture, -1..1:
    correlations, of which each channel's counts as much as the print has of it."""
    seen = _seen(soft, corners_px, printed)
    of_print, of_both = (printed**2).sum(axis=(0, 1)), (seen * printed).sum(axis=(0, 1))
    alike = of_both / np.sqrt((seen**2).sum(axis=(0, 1)) * of_print + 1e-6)
    weight = np.sqrt(of_print)
    return float((alike * weight).sum() / max(1e-6, float(weight.sum())))


def _seen(soft: Image, corners_px: Array, printed: Floats) -> Floats:
    """What these corners enclose, as large as the print, see `_looks`."""
    height, width = printed.shape[:2]
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    upright = cv2.getPerspectiveTransform(np.asarray(corners_px, np.float32), ends)
    return _looks(np.asarray(cv2.warpPerspective(soft, upright, (width, height)), np.uint8))


def _looks(top_view: Image) -> Floats:
    """(h, w, 3) how a picture differs from what is around: brightness, blue - green, red - green."""
    logs = np.log(top_view.astype(np.float32) + FLOOR)
    channels = np.dstack([logs.mean(axis=2), logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]])
    around = round(AROUND_MM / STEP_MM)
    return np.asarray(np.clip((channels - cv2.blur(channels, (around, around))) / MATTERS, -1, 1), np.float32)
