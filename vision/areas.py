"""Yards and the altar: fields on which several pieces lie anywhere. Cards are read by their tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board import Board
from vision.palette import Palette

if TYPE_CHECKING:
    from vision.reader import Sight


def read_areas(board: Board, game: str | None, palette: Palette, sight: Sight) -> None:
    """Add the loose pieces of yards and altar to `sight`."""
