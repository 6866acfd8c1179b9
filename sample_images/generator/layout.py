"""Where in a yard things lie, so that nothing hides a card."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.board import Board
from engine.position import Piece, Position

# In yard-1, in mm and degrees; the other yards are its mirror images. The card lies on its printed place, the
# parts of a trilith in the yard's two arms.
PILLARS = ((113.0, 33.0), (136.0, 27.0))
CAPSTONE = (20.0, 122.0)
MIRRORED = {
    "yard-1": (False, False),
    "yard-2": (True, False),
    "yard-3": (True, True),
    "yard-4": (False, True),
}


def laid_out(position: Position, board: Board, seed: int) -> tuple[Piece, ...]:
    """The pieces with the places of those in the yards, where nothing hides a card."""
    pillars: dict[str, int] = {}
    placed = []
    for piece in position.pieces:
        field = piece.field or ""
        if field not in MIRRORED:
            placed.append(piece)
            continue
        count = pillars[field] = pillars.get(field, -1) + (piece.kind == "pillar")
        chance = random.Random(f"{seed} {field} {piece.thing} {count}")
        x, y, angle = _spot(piece, board, max(count, 0))
        if piece.kind != "disc":  # it lies on the capstone
            x, y, angle = x + chance.gauss(0, 1), y + chance.gauss(0, 1), angle + chance.gauss(0, 3)
        placed.append(replace(piece, x_mm=round(x, 1), y_mm=round(y, 1), angle_deg=round(angle % 360, 1)))
    return tuple(placed)


def _spot(piece: Piece, board: Board, pillar: int) -> tuple[float, float, float]:
    yard = board.fields[piece.field or ""]
    across, along = MIRRORED[yard.id]
    if piece.kind == "card":
        return *yard.centre_mm, 315.0 if across == along else 225.0
    x, y = PILLARS[pillar] if piece.kind == "pillar" else CAPSTONE
    width, height = board.size_mm
    return width - x if across else x, height - y if along else y, 90.0
