"""Illegal moves at the recorded tables, and what else goes wrong of an evening: the camera is knocked, the
light changes, a photograph is taken twice or shows something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.position import Piece, Position


@dataclass(frozen=True)
class Shot:
    """A photograph of a table after so many steps of its recording, but that the pieces at `gone` were taken
    away and `come` put down, which `told` says in words. `hand`: before it one with an arm over the board.
    `taken`: what is different from here on (see `shoot_sequence`); "copy" there names a photograph that is
    none of the table."""

    step: int
    gone: tuple[str, ...] = ()
    come: tuple[Piece, ...] = ()
    told: str = ""
    hand: bool = False
    taken: Mapping[str, Any] = field(default_factory=dict)


def disturbed(position: Position, shot: Shot) -> Position:
    """What lies there instead of `position`."""
    left = tuple(piece for piece in position.pieces if piece.place not in shot.gone)
    return Position(position.board, (*left, *shot.come), position.game)


# The first photograph is how the record begins: whoever is to move then sits first. Lawful moments that the
# evening's own photographs show already are not taken again.
MISHAPS: dict[str, tuple[Shot, ...]] = {
    "stonehenge": (
        Shot(12),
        Shot(14),
        Shot(16),
        Shot(16, come=(Piece("megalith", "black", field="line-4"),),
             told="black claims line 4, which nobody dominates yet"),
        Shot(16, taken={"camera": {"azimuth_deg": 1, "roll_deg": -2.5, "elevation_deg": 59, "fill": 0.86,
                                   "aim": (0.02, -0.01)}, "tags": ("bump",)}),
        Shot(18),
    ),
    "build": (
        Shot(125),
        Shot(129),
        Shot(133),
        Shot(138),
        Shot(138, come=(Piece("disc", "red", field="bluestone-6"),),
             told="red builds at once, though the day card still lies face down"),
        Shot(138, taken={"light": {"kind": "lamp", "direction_deg": 60, "elevation_deg": 66, "warmth": 0.6,
                                   "softness": 0.7, "ambient": 0.2}, "tags": ("light",)}),
        Shot(139),
    ),
    "council": (
        Shot(18),
        Shot(24),
        Shot(30),
        Shot(30, gone=("ring-20",), told="white takes the red disc on ring-20 away and seats nobody there"),
        Shot(30, gone=("ring-20",), told="the same photograph again",
             taken={"copy": "0004.jpg", "tags": ("duplicate",)}),
        Shot(30),
        Shot(36),
    ),
    "rolling": (
        Shot(3),
        Shot(5),
        Shot(6),
        Shot(7),
        Shot(8),
        Shot(8, gone=("trilith-3^",), come=(Piece("disc", "blue", field="trilith-3", on="trilith"),),
             told="blue marks gate 3, which is green's", hand=True),
        Shot(10),
    ),
    "ramming": (
        Shot(112),
        Shot(113),
        Shot(124),
        Shot(124, gone=("slot-5", "slot-6"),
             come=(Piece("block", "blue", field="slot-5"), Piece("block", "green", field="slot-6")),
             told="blue changes two blocks over", hand=True),
        Shot(124, told="a photograph of another table", taken={"copy": "../stonehenge/0005.jpg"}),
        Shot(126),
    ),
    "roulette": (
        Shot(92),
        Shot(93),
        Shot(93, gone=("pit-2-day",), told="blue takes a disc out of a pit where the ball is not"),
        Shot(93, taken={"camera": {"azimuth_deg": 357, "roll_deg": 2.0, "elevation_deg": 70, "fill": 0.86},
                        "tags": ("bump",)}),
        Shot(95),
    ),
}  # fmt: skip
