"""Pieces that stand anywhere on the board, on no field: the gates of `rolling` and what marks them, its
banks and wheels.

Gates are found in `gates.py`, low pieces in `spots.py`; the place network says of both what they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import TOP, Piece
from vision.beliefs import EITHER_ERRS, TRILITH
from vision.bodies import Body, Prism, body_of
from vision.covered import BEHIND, UNKNOWN_PRINT
from vision.gates import GATES, crossing, find_gates, silhouettes, smaller
from vision.lifted import Lifted
from vision.loose import LARGEST_MM2, Differing, differing
from vision.network import EMPTY, HIDDEN
from vision.palette import Palette
from vision.places import GAME_PIECES, USUAL_STONE, Place, places_of, top_place
from vision.spots import Spot, at_their_height, find_spots, lies, settled
from vision.stone import stone_bgr

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# What stands anywhere, per game.
FREE: dict[str | None, tuple[str, ...]] = {"rolling": ("block", "disc")}
UNLIKE_PRINT = "in light in which the board hardly looks like its print"
# Free-standing pieces stand under this name.
ANYWHERE = ""
# The network is asked of so many spots, and again where it is as sure as this; what is told is surer.
MOST_SPOTS, MAY_BE, SURE, SURE_OF_MARK = 120, 0.1, 0.5, 0.8
# Two pieces whose footprints, so much larger than they are, touch are one.
GROWN = 1.2
# A trilith that stands so near to the middle of its field, turned so little, stands on it; further away where
# one is seen on the field, for an outline with a shadow is not exact; in its very middle turned anyhow.
ON_FIELD_MM, ON_FIELD_DEG = 15.0, 25.0
SEEN_THERE, ON_SEEN_MM, ON_SEEN_DEG = 0.5, 40.0, 45.0
IN_ITS_MIDDLE_MM = 8.0
# How far what looks like a lintel, but has no outline of its own, is trusted.
LINTEL_ALONE = 0.6


def free_place(board: Board) -> Place:
    """The whole board as a place without bodies of its own: for seeing whether anything on it changed."""
    width, height = board.size_mm
    body = Body(ANYWHERE, (Prism(((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), 0.0, 1.0),), 1.0)
    return Place(ANYWHERE, (0.0, 0.0), 0.0, (body,), 0.0)


def read_free(board: Board, game: str | None, palette: Palette, sight: Sight) -> None:
    """Add the pieces that stand on no field to `sight`; they are unseen while an arm lies over the board, and
    where the print was only guessed."""
    bodies = [body_of(board.pieces[kind]) for kind in FREE.get(game, ()) if kind in board.pieces]
    if not bodies:
        return
    if sight.surface.guessed:
        sight.unseen[ANYWHERE] = UNKNOWN_PRINT
        return
    other = differing(smaller(sight))
    if other.mostly or _arm_over(other):
        sight.unseen[ANYWHERE] = UNLIKE_PRINT if other.mostly else BEHIND
        return
    gates = _gates(board, game, palette, sight, other)
    low = at_their_height(sight, bodies)
    stone = stone_of(board, sight, gates)
    spots = _likely(low, sight, find_spots(low, bodies, silhouettes(sight, gates), MOST_SPOTS), stone)
    if not spots:
        return
    looks = sight.look([spot.place for spot in spots])
    there = lies(spots, looks, stone)
    likeliest = looks.kind[:, [1 + slot for slot in spots[0].place.slots]].argmax(axis=1)
    lying = [
        replace(spot.place, bodies=(spot.place.bodies[best],))
        for spot, best in zip(spots, likeliest, strict=True)
    ]
    chosen = _apart(lying, there)
    kinds = [place.bodies[0].kind for place in lying]
    teach = np.where(np.isin(np.arange(len(spots)), chosen), there, 0).astype(np.float32)
    learnt = palette.adapted(looks.seen, palette.allowed(board, game, kinds), teach, kinds)
    colours = learnt.told(looks, board, game, kinds)
    for index in chosen:
        best = int(colours[index].argmax())
        sure = float(there[index] * colours[index, best])
        sight.loose.append(_piece(kinds[index], palette.names[best], lying[index], sure))


def _likely(low: Lifted, sight: Sight, spots: list[Spot], stone: Floats) -> list[Spot]:
    """The spots at which something may lie, as it would exactly lie there: so it is known better."""
    if not spots:
        return []
    looks = sight.look([spot.place for spot in spots])
    return [
        replace(spot, place=settled(low, spot.place, seen))
        for spot, seen, chance in zip(spots, looks.seen, lies(spots, looks, stone), strict=True)
        if chance > MAY_BE
    ]


def stone_of(board: Board, sight: Sight, gates: Sequence[Place]) -> Floats:
    """(3,) the shade of these triliths in even light (display-referred BGR); the usual one of none."""
    tops = [top_place(board, gate, ()) for gate in gates]
    return np.median([stone_bgr(sight, top) for top in tops] or [USUAL_STONE], axis=0).astype(np.float32)


def _apart(lying: Sequence[Place], there: Floats) -> list[int]:
    """Which pieces surely lie there: the likeliest of those that lie in one another."""
    found: list[int] = []
    for index in np.argsort(-there).tolist():
        if there[index] < SURE:
            break
        if not any(crossing(lying[index], lying[other], _grown_mm) for other in found):
            found.append(index)
    return found


def _grown_mm(piece: Body) -> tuple[float, float]:
    length, width = GROWN * np.ptp(np.array(piece.prisms[0].footprint_mm), axis=0)
    return float(length), float(width)


def _gates(board: Board, game: str | None, palette: Palette, sight: Sight, other: Differing) -> list[Place]:
    """Where triliths stand, on fields or not. Those on no field are added to `sight`, and what lies on them;
    a field whose trilith would stand in one of these is empty."""
    fields = [place for place in places_of(board, game) if place.bodies[0].shape == "trilith"]
    standing = [f for f in fields if sight.beliefs.get(f.id, {}).get(TRILITH, 0.0) > 0.5]
    free = []
    for gate in find_gates(board, sight, other):
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
    away = math.dist(gate.at_mm, field.at_mm)
    turned = abs((gate.angle_deg - field.angle_deg + 90) % 180 - 90)
    return away < IN_ITS_MIDDLE_MM or (away < aside and turned < askew)


def _mark(board: Board, game: str | None, palette: Palette, sight: Sight, gate: Place) -> None:
    """Add the disc that lies on a trilith, if one does."""
    top = top_place(board, gate, GAME_PIECES[game or ""]["top"])
    top = replace(top, under_bgr=stone_bgr(sight, top))
    looks = sight.look([top])
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


def _arm_over(other: Differing) -> bool:
    """Whether something larger than any piece lies over the board."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(other.sure, connectivity=8)
    places = other.sight.view.on_plane(middles[1:]) if len(stats) > 1 else []
    areas = (int(stat[cv2.CC_STAT_AREA]) for stat in stats[1:])
    return any(
        area > LARGEST_MM2 * other.sight.view.px_per_mm((float(x), float(y))) ** 2
        for area, (x, y) in zip(areas, places, strict=True)
    )
