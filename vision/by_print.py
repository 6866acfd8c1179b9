"""A board of ours whose tags do not tell where it lies: they are hidden, cut off, too small or blurred. Its
print does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.styles import STYLES
from engine.board import Board
from vision.errors import NoBoard
from vision.images import shrunk
from vision.locate import Features, Located, by_tags, features_of, matched, refine
from vision.printed import printed_surface
from vision.view import View

Grey = NDArray[np.uint8]
# Prints and photographs are compared at about this size: finer details than that are lost in the cases that
# matter here.
PRINT_LEVEL, PHOTO_PX = 1, 1280
# The board is believed in if so many details of its print lie where they should.
ENOUGH = 60


def by_print(grey: Grey, board: Board, *, lens: View | None = None) -> Located:
    """The board in a photograph, by the details of its print in whichever style suits best. Raises NoBoard if
    none does."""
    found = []
    for style, guess in _guesses(grey, board, lens):
        laid = refine(grey, guess, printed_surface(board, style), lens=lens)
        if laid is not guess and laid.points >= ENOUGH:
            found.append(laid)
    if not found:
        raise NoBoard(f"the print of the {board.id} board is not seen")
    return replace(max(found, key=lambda laid: laid.points), how="print")


def _guesses(grey: Grey, board: Board, lens: View | None) -> Iterator[tuple[str, Located]]:
    """Styles, and where a board of that style may lie: two tags tell it roughly, or the print from afar."""
    try:
        roughly = by_tags(grey, board, lens=lens, fewest=2)
        yield from ((style, roughly) for style in STYLES)
    except NoBoard:
        small, factor = shrunk(grey, PHOTO_PX)
        seen = features_of(small)
        seen = replace(seen, points=(seen.points + 0.5) / factor - 0.5)
        for style in STYLES:
            try:
                yield style, matched(seen, _printed(board, style), (grey.shape[1], grey.shape[0]), lens=lens)
            except NoBoard:
                continue


@cache
def _printed(board: Board, style: str) -> Features:
    """The details of a print, their points in mm."""
    surface = printed_surface(board, style)
    drawn = features_of(surface.grey(PRINT_LEVEL))
    return replace(drawn, points=(drawn.points + 0.5) * 2**PRINT_LEVEL / surface.px_per_mm)
