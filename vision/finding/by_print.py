"""A board whose tags do not tell where it lies: they are hidden, cut off, too small or blurred, or it has
none. Its print does: one of ours, or what a photograph of the empty board shows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.styles import STYLES
from engine.board import Board
from vision.errors import NoBoard
from vision.finding.locate import (
    CONTRAST,
    FAINT,
    NOT_SEEN,
    Features,
    Located,
    features_from_afar,
    features_of,
    matched,
    refine,
)
from vision.geometry.view import View
from vision.prints.printed import printed_surface
from vision.prints.surface import Surface

Grey = NDArray[np.uint8]
# A print and a photograph of at most `locate.AFAR_PX` are compared at about the same size: finer details than
# that are lost in the cases that matter here.
PRINT_LEVEL = 1
# The board is believed in if so many details of its print lie where they should.
ENOUGH = 60
# So many natural features are enough to try it.
FEWEST = 8
# From about 30 degrees above the table a board is half as deep as it is wide.
DIRECTIONS_DEG, PRESSED = (0.0, 45.0, 90.0, 135.0), 0.5


def by_print(
    grey: Grey,
    board: Board,
    *,
    lens: View | None = None,
    roughly: Located | None = None,
    style: str = "",
    anywhere: bool = True,
) -> Located:
    """The board in a photograph, by the details of its print in whichever style suits best. roughly: where it
    lies as far as its tags tell; style: what it seems to be printed in, if that is known, too; anywhere:
    whether it may lie elsewhere. Raises NoBoard if no style is seen."""
    guesses: list[tuple[Sequence[str], Located]] = []
    if roughly is not None:
        guesses = [((style,), roughly)] if style else []
        guesses += [(tuple(STYLES), roughly)]
    from_afar = ((tuple(STYLES), guess) for guess in (_from_afar(grey, board, lens) if anywhere else ()))
    for styles, guess in itertools.chain(guesses, from_afar):
        if guess.view.is_before(np.array([[0.0, 0.0], board.size_mm])):
            laid = [refine(grey, guess, printed_surface(board, each), lens=lens) for each in styles]
            best = max(laid, key=lambda each: each.points if each is not guess else 0)
            if best is not guess and best.points >= ENOUGH:
                return replace(best, how="print")
    raise NoBoard(f"the print of the {board.id} board is not seen")


def _from_afar(grey: Grey, board: Board, lens: View | None) -> Iterator[Located]:
    """Where the print of one style and the next would be known again: all have the same outlines, so that
    one may be known by another."""
    seen = features_from_afar(grey)
    for style in STYLES:
        try:
            yield matched(seen, _printed(board, style), (grey.shape[1], grey.shape[0]), lens=lens)
        except NoBoard:
            continue


def by_surface(grey: Grey, surface: Surface, known: Features, *, lens: View | None = None) -> Located:
    """The board in a photograph by its print, of which the details are `known` (`details_of`), from whatever
    side and under whatever light. Raises NoBoard if it is not seen."""
    seen = features_from_afar(grey, FAINT)
    located = matched(seen, known, (grey.shape[1], grey.shape[0]), lens=lens, fewest=FEWEST)
    laid = refine(grey, located, surface, lens=lens)
    if laid is located or laid.points < ENOUGH:
        raise NoBoard(NOT_SEEN)
    return replace(laid, how="reference")


@cache
def _printed(board: Board, style: str) -> Features:
    return details_of(printed_surface(board, style))


def details_of(surface: Surface, contrast: float = CONTRAST) -> Features:
    """The details of a print of at least such a contrast, their points in mm: as they look from straight
    above and, because cameras look from the side, foreshortened in some directions (ASIFT, Morel and Yu
    2009)."""
    grey = surface.greys[PRINT_LEVEL]
    views = [features_of(grey, contrast)]
    views += [_from_the_side(grey, angle, contrast) for angle in DIRECTIONS_DEG]
    points = np.concatenate([view.points for view in views])
    millimetres = (points + 0.5) * 2**PRINT_LEVEL / surface.px_per_mm
    return Features(millimetres, np.concatenate([view.words for view in views]))


def _from_the_side(grey: Grey, angle_deg: float, contrast: float) -> Features:
    """The details of a picture turned by so much and then pressed flat; their points in the picture as it
    was."""
    height, width = grey.shape
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle_deg, 1.0)
    blurred = cv2.warpAffine(grey, turn, (width, height))
    pressed = cv2.resize(blurred, (width, round(height * PRESSED)), interpolation=cv2.INTER_AREA)
    seen = features_of(np.asarray(pressed, np.uint8), contrast)
    upright = (seen.points + 0.5) / [1.0, PRESSED] - 0.5
    back = cv2.invertAffineTransform(turn)
    return replace(seen, points=upright @ back[:, :2].T + back[:, 2])
