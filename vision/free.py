"""Pieces that stand anywhere on the board, on no field: the banks and wheels of `rolling`.

What differs from the print and is no shadow is looked at by the place network; where it sees anything, the
piece's outline tells where it stands and how it is turned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Piece
from vision.bodies import Body, Prism, body_of
from vision.covered import BEHIND
from vision.crops import cut
from vision.fitting import FINER
from vision.loose import LARGEST_MM2, Differing, Part, blobs, differing, find_loose
from vision.network import EMPTY, look
from vision.palette import Palette
from vision.places import Place

if TYPE_CHECKING:
    from vision.sight import Sight

# What stands anywhere, per game.
FREE: dict[str | None, tuple[str, ...]] = {"rolling": ("block", "disc")}
# Free-standing pieces stand under this name.
ANYWHERE = ""
# Where the network sees less than this of a piece, nothing stands; what is told must be surer.
SEEMS, SURE = 0.1, 0.5
REACH_MM = 3.0


def free_place(board: Board) -> Place:
    """The whole board as a place without bodies of its own: for seeing whether anything on it changed."""
    width, height = board.size_mm
    body = Body(ANYWHERE, (Prism(((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), 0.0, 1.0),), 1.0)
    return Place(ANYWHERE, (0.0, 0.0), 0.0, (body,), 0.0)


def read_free(board: Board, game: str | None, palette: Palette, sight: Sight) -> None:
    """Add the pieces that stand on no field to `sight`; they are unseen while an arm lies over the board."""
    bodies = [body_of(board.pieces[kind]) for kind in FREE.get(game, ()) if kind in board.pieces]
    if not bodies:
        return
    other = differing(sight)
    if _arm_over(other, sight):
        sight.unseen[ANYWHERE] = BEHIND
        return
    parts = _standing(sight, bodies, blobs(other, sight.view))
    feet = [foot for foot, _ in find_loose(sight, board, [body.kind for body in bodies], parts)]
    if not feet:
        return
    looks = look(cut(sight.image, sight.view, sight.surface, sight.light, tuple(foot.place for foot in feet)))
    colours = palette.told(looks, board, game, [foot.thing.kind for foot in feet])
    for foot, chances, colour in zip(feet, looks.kind, colours, strict=True):
        best, there = int(colour.argmax()), 1 - float(chances[EMPTY])
        if there < SURE or not _on_board(board, foot.at_mm):
            continue
        sight.loose.append(
            Piece(
                foot.thing.kind,
                palette.names[best],
                x_mm=round(foot.at_mm[0], 1),
                y_mm=round(foot.at_mm[1], 1),
                angle_deg=None
                if foot.place.bodies[0].shape == "cylinder"
                else round(foot.place.angle_deg % 180, 1),
                confidence=round(there * float(colour[best]), 4),
            )
        )


def _standing(sight: Sight, bodies: list[Body], parts: list[Part]) -> list[Part]:
    """The parts at which the network sees one of these pieces."""
    places = [_place(sight, body, part) for part in parts for body in bodies]
    if not places:
        return []
    kinds = look(cut(sight.image, sight.view, sight.surface, sight.light, tuple(places))).kind
    seems = (1 - kinds[:, EMPTY]).reshape(len(parts), len(bodies)).max(axis=1)
    return [part for part, chance in zip(parts, seems, strict=True) if chance > SEEMS]


def _place(sight: Sight, body: Body, part: Part) -> Place:
    """The part as a place for this body, turned as the part is long."""
    mask, offset = part
    (x, y), (wide, high), turn = cv2.minAreaRect(np.argwhere(mask)[:, ::-1].astype(np.float32))
    pixel = (np.array([x, y]) + 0.5) / FINER - 0.5 + offset
    along = np.radians(turn if wide > high else turn + 90)
    ends = pixel + np.outer([-5.0, 0.0, 5.0], [np.cos(along), np.sin(along)])
    on_board: NDArray[np.float64] = sight.view.on_plane(ends, 0.5 * body.top_mm)
    angle = float(np.degrees(np.arctan2(*(on_board[2] - on_board[0])[::-1])))
    return Place(ANYWHERE, (float(on_board[1][0]), float(on_board[1][1])), angle, (body,), REACH_MM)


def _on_board(board: Board, at_mm: tuple[float, float]) -> bool:
    return all(0 <= value <= size for value, size in zip(at_mm, board.size_mm, strict=True))


def _arm_over(other: Differing, sight: Sight) -> bool:
    """Whether something larger than any piece lies over the board."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(other.sure, connectivity=8)
    places = sight.view.on_plane(middles[1:]) if len(stats) > 1 else []
    areas = (int(stat[cv2.CC_STAT_AREA]) for stat in stats[1:])
    return any(
        area > LARGEST_MM2 * sight.view.px_per_mm((float(x), float(y))) ** 2
        for area, (x, y) in zip(areas, places, strict=True)
    )
