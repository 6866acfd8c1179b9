"""Pieces that stand anywhere on the board, on no field: the gates of `rolling` and what marks them, its
banks and wheels.

What differs from the print and is no shadow is looked at by the place network; where it sees anything, the
piece's outline tells where it stands and how it is turned. Gates are found in `gates.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import TOP, Piece
from vision.beliefs import EITHER_ERRS, TRILITH
from vision.bodies import Body, Prism, body_of
from vision.covered import BEHIND
from vision.crops import cut
from vision.fitting import FINER
from vision.gates import GATES, crossing, find_gates, silhouettes
from vision.loose import LARGEST_MM2, Differing, Part, blobs, differing, find_loose
from vision.network import EMPTY, HIDDEN, look
from vision.palette import Palette
from vision.places import GAME_PIECES, Place, places_of, top_place
from vision.stone import stone_bgr

if TYPE_CHECKING:
    from vision.sight import Sight

# What stands anywhere, per game.
FREE: dict[str | None, tuple[str, ...]] = {"rolling": ("block", "disc")}
UNLIKE_PRINT = "in light in which the board hardly looks like its print"
# Free-standing pieces stand under this name.
ANYWHERE = ""
# Where the network sees less than this of a piece, nothing stands; what is told must be surer.
SEEMS, SURE, SURE_OF_MARK = 0.1, 0.5, 0.8
REACH_MM = 3.0
# A trilith that stands so near to the middle of its field, turned so little, stands on it; further away where
# one is seen on the field, for an outline with a shadow is not exact.
ON_FIELD_MM, ON_FIELD_DEG = 15.0, 25.0
SEEN_THERE, ON_SEEN_MM, ON_SEEN_DEG = 0.5, 40.0, 45.0
# What differs and lies so far on a trilith is its own.
OF_STONE = 0.3
# How far what looks like a lintel, but has no outline of its own, is trusted.
LINTEL_ALONE = 0.6


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
    if other.mostly or _arm_over(other, sight):
        sight.unseen[ANYWHERE] = UNLIKE_PRINT if other.mostly else BEHIND
        return
    gates = _gates(board, game, palette, sight)
    parts = _standing(sight, bodies, _beside(gates, sight, blobs(other, sight.view)))
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
            _piece(foot.thing.kind, palette.names[best], foot.place, there * float(colour[best]))
        )


def _gates(board: Board, game: str | None, palette: Palette, sight: Sight) -> list[Place]:
    """Where triliths stand, on fields or not. Those on no field are added to `sight`, and what lies on them;
    a field whose trilith would stand in one of these is empty."""
    fields = [place for place in places_of(board, game) if place.bodies[0].shape == "trilith"]
    standing = [f for f in fields if sight.beliefs.get(f.id, {}).get(TRILITH, 0.0) > 0.5]
    free = []
    for gate in find_gates(board, sight):
        in_its_way = [each for each in standing if crossing(each, gate.place)]
        on_field = any(_is_on(gate.place, each, sight) for each in fields)
        if (
            on_field
            or (in_its_way and not gate.covers)
            or len(standing) - len(in_its_way) + len(free) >= GATES
        ):
            continue
        for each in in_its_way:
            standing.remove(each)
            sight.beliefs[each.id] = {None: 1 - EITHER_ERRS, TRILITH: EITHER_ERRS}
            sight.beliefs.pop(each.id + TOP, None)
        free.append(gate)
        sure = gate.sure if gate.covers else LINTEL_ALONE * gate.sure
        sight.loose.append(_piece("trilith", "grey", gate.place, sure))
        _mark(board, game, palette, sight, gate.place)
    return [*standing, *(gate.place for gate in free)]


def _is_on(gate: Place, field: Place, sight: Sight) -> bool:
    """Whether a trilith at `gate` stands on that field, however carelessly."""
    seen = sight.beliefs.get(field.id, {}).get(TRILITH, 0.0) > SEEN_THERE
    aside, askew = (ON_SEEN_MM, ON_SEEN_DEG) if seen else (ON_FIELD_MM, ON_FIELD_DEG)
    turned = abs((gate.angle_deg - field.angle_deg + 90) % 180 - 90)
    return math.dist(gate.at_mm, field.at_mm) < aside and turned < askew


def _mark(board: Board, game: str | None, palette: Palette, sight: Sight, gate: Place) -> None:
    """Add the disc that lies on a trilith, if one does."""
    top = top_place(board, gate, GAME_PIECES[game or ""]["top"])
    top = replace(top, under_bgr=stone_bgr(sight, top))
    looks = look(cut(sight.image, sight.view, sight.surface, sight.light, (top,)))
    there = 1 - float(looks.kind[0, EMPTY] + looks.kind[0, HIDDEN])
    if there > SURE_OF_MARK:
        colour = palette.told(looks, board, game, [top.bodies[0].kind])[0]
        best = int(colour.argmax())
        disc = _piece(top.bodies[0].kind, palette.names[best], top, there * float(colour[best]))
        sight.loose.append(replace(disc, on="trilith"))


def _piece(kind: str, colour: str, place: Place, sure: float) -> Piece:
    x, y = place.at_mm
    angle = None if place.bodies[0].shape == "cylinder" else round(place.angle_deg % 180, 1)
    return Piece(kind, colour, x_mm=round(x, 1), y_mm=round(y, 1), angle_deg=angle, confidence=round(sure, 4))


def _beside(gates: list[Place], sight: Sight, parts: list[Part]) -> list[Part]:
    """The parts that are not for the most part of these triliths."""
    stone = silhouettes(sight, gates)
    height, width = stone.shape
    found = []
    for mask, corner_px in parts:
        rows, columns = np.nonzero(mask)
        pixels = (np.column_stack([columns, rows]) / FINER + corner_px).astype(int)
        x, y = np.minimum(pixels, [width - 1, height - 1]).T
        if stone[y, x].mean() < OF_STONE:
            found.append((mask, corner_px))
    return found


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
