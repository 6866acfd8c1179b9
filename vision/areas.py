"""Yards and the altar: fields on which several pieces lie anywhere, standing or lying.

Cards are read by their tags; solid pieces by the ground network, which marks where they stand, and then by
the place network, which looks at each of them again and tells its colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board import Board, Field
from engine.position import Piece
from vision.cards import find_cards
from vision.palette import Palette

if TYPE_CHECKING:
    from vision.reader import Sight

AREA_KINDS = ("yard", "altar")
# In which games something can lie on which areas.
GAME_AREAS = {"build": ("yard", "altar"), None: ("yard", "altar")}


def read_areas(board: Board, game: str | None, palette: Palette, sight: Sight) -> None:
    """Add the loose pieces of yards and altar to `sight`."""
    kinds = GAME_AREAS.get(game, ())
    for area in (each for each in board.fields.values() if each.kind in kinds):
        if "card" in board.pieces and area.kind == "yard":
            sight.loose += _cards(sight, area)


def _cards(sight: Sight, yard: Field) -> list[Piece]:
    xs, ys = zip(*yard.outline_mm(), strict=True)
    box = (min(xs) - 20, min(ys) - 20, max(xs) + 20, max(ys) + 20)
    seen = find_cards(sight.grey, sight.view, box)
    return [card.piece(yard.id) for card in seen if yard.contains(*card.at_mm)]
