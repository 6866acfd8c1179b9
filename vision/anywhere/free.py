"""Pieces that stand anywhere on the board, on no field: the gates of `rolling` and what marks them, its
banks and wheels.

The detector (`detector.py`) tells where they stand; the place network, looking closely at each, of which
colour they are, and whether a gate is marked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.games.rolling.course import GATES
from engine.position import TOP, Piece
from vision.anywhere.detector import MARGIN_MM, MM_PER_PX, Detection, detect, whole_board
from vision.anywhere.doubted import Doubted, as_drawn, on_board, overlooked
from vision.anywhere.gates import exactly, seen_at
from vision.anywhere.wheels import set_up_wheel
from vision.calibrating.loose import MOST_DIFFERENT
from vision.colours.palette import Palette
from vision.colours.shades import differs, gap
from vision.colours.stone import stone_bgr
from vision.fields.beliefs import EITHER_ERRS, TRILITH
from vision.fields.capstones import look_along, look_as_high_as_seen
from vision.fields.covered import BEHIND, UNKNOWN_PRINT, find_behind, read_on, uncovered
from vision.fields.network import Looks
from vision.fields.places import GAME_PIECES, Place, places_of, top_place
from vision.geometry.bodies import Body, Prism, Stood, body_of, outlines_of_all
from vision.geometry.fitting import scaled_body

if TYPE_CHECKING:
    from vision.geometry.view import View
    from vision.sight import Sight

Floats = NDArray[np.float32]
# What stands anywhere, per game.
FREE: dict[str | None, tuple[str, ...]] = {"rolling": ("block", "disc")}
UNLIKE_PRINT = "in light in which the board hardly looks like its print"
# Free-standing pieces stand under this name.
ANYWHERE = ""
GATE, BANK = "trilith", "block"
# What the detector finds so likely is looked at closely, gates (their whole outline tells more) sooner; what
# is told is at least so sure.
MAY_BE, GATE_MAY_BE, SURE = 0.2, 0.05, 0.5
# What it finds less likely than that, but not less than this, is there if everything else speaks for it.
FAINTLY = 0.06
# The weights of the odds of the detector and of the place network, and of one: fitted on 252 photographs of
# `rolling` from which neither had learnt. No odds are surer than this.
WEIGHTS, SUREST = np.array([2.67, 0.16, 0.69]), 1e-4
# What the detector finds less likely than this is nothing to it; the weights of the odds of the place
# network, of the detector, and of one, for a trilith on its field: what the place network sees there may be
# another that stands beside it (seven of 425 fields in 86 photographs of `rolling`; the weights that fit best
# trust the detector even more).
HARDLY, FIELD_WEIGHTS = 0.01, np.array([0.5, 0.8, -0.5])
# Of a gate that stands anywhere the networks see something on a bare one now and then, as it is known less
# exactly where it stands: the odds are so much worse. (Of 52 bare ones in 77 photographs none is less bare
# than a half, of 74 with a disc one is more.)
BARE_ODDS = 2.0
REACH_MM = 3.0
# What both together hardly believe is doubted if the place network does (see `doubted`).
CLOSELY = 0.85
# Such a piece plainly has one of the set's colours (of 19 in 100 photographs the 13 that were there surer
# than 0.9999, the six others, shadows and ends of gates, less than 0.998).
PLAINLY = 0.999
# All five gates of a set stand somewhere: while fewer are told, a doubted one is, too, if the place network
# believes in it and so much of its outline is seen as a gate (of 45 by another renderer two, seen end on with
# a disc in their middle), or nearly as much as of those that are told in this light.
SEEN_AS_GATE, NEARLY = 0.6, 0.8
# Of what is told hardly anything is seen if no more of it is uncovered by gates that may be so much taller
# than the board file says: then it is a capstone or what marks it, seen where it seems to lie on the ground
# (of 26 in 84 photographs of which less than a half was uncovered none was there).
WHOLLY_BEHIND, TALLER = 0.2, 1.15
# A piece is darker than this beside its print only in shadow; where it is looked for then (mm), how much
# brighter and how surely it has to be seen there.
IN_THE_DARK, BRIGHTER, CLEARLY = 0.75, 1.3, 0.7
# Where light print is so dark, a shadow lies, if on so much of the board; a piece in it may be lighter or
# darker by this, and is like it if it is no farther from it, or from print in any shade (see `shades.gap`;
# dull green blocks are 2.9 and more).
LIGHT_PRINT, IN_SHADOW, SOME_SHADOW, FLOOR = 0.35, 0.6, 0.01, 0.03
DARKER, LIKE_SHADOW = (0.8, 0.9, 1.0, 1.1, 1.25), 2.5
SHADES = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0)
# What covers more of the board than this (as much as it would lying flat) and is nothing that was told hides
# others: a hand over the rim covers 2,480, other things in 39 photographs at most 1,210.
LARGER_THAN_PIECES_MM2 = 1500.0
AROUND = [
    (reach * math.cos(turn), reach * math.sin(turn))
    for reach in (4.0, 7.0)
    for turn in np.arange(8) * math.pi / 4
]
# Pieces that touch may be told a little into one another, and a set's may be smaller than the board file's.
TOUCHING = 0.7
# Two triliths whose lintels, so much shorter than they are and so deep (mm), cross are one.
SHORTER, DEEP_MM = 0.9, 24.0
# A trilith that stands so near to the middle of its field, turned so little, stands on it; in its very middle
# turned anyhow.
ON_FIELD_MM, ON_FIELD_DEG = 14.0, 25.0
IN_ITS_MIDDLE_MM = 8.0


def free_place(board: Board) -> Place:
    """The whole board as a place without bodies of its own: for seeing whether anything on it changed."""
    body = Body(ANYWHERE, (Prism(board.corners_mm, 0.0, 1.0),), 1.0)
    return Place(ANYWHERE, (0.0, 0.0), 0.0, (body,), 0.0)


def read_free(board: Board, game: str | None, palette: Palette, sight: Sight) -> Palette:
    """Add the pieces that stand on no field to `sight`; returns the palette with what they tell of the set.
    While an arm lies over the board, or where it hardly looks like its print, those that are seen are told,
    and that there may be others; where the print was only guessed, none."""
    kinds = [kind for kind in FREE.get(game, ()) if kind in board.pieces]
    if not kinds:
        return palette
    if sight.surface.guessed:
        sight.unseen[ANYWHERE] = UNKNOWN_PRINT
        return palette
    seen = whole_board(sight.halves, sight.view, sight.surface, sight.light)
    learnt = _read_pieces(board, game, palette, sight, kinds, seen)
    find_behind(sight, places_of(board, game), gates_told(board, game, sight))
    if (reason := _unseen(board, game, sight, seen)) is not None:
        sight.unseen[ANYWHERE] = reason
    return learnt


def _read_pieces(
    board: Board, game: str | None, palette: Palette, sight: Sight, kinds: Sequence[str], seen: Floats
) -> Palette:
    """Add the gates, what marks them, and the pieces of these kinds; returns the palette with what they tell
    of the set. seen: see `whole_board`."""
    pieces = {kind: body_of(board.pieces[kind]) for kind in (GATE, *kinds) if kind in board.pieces}
    detected = [each for each in detect(seen, HARDLY) if each.kind in pieces]
    _weigh_fields(board, game, sight, [each for each in detected if each.kind == GATE])
    likely = [each for each in detected if each.sure >= (GATE_MAY_BE if each.kind == GATE else MAY_BE)]
    found, doubted = _weighed(sight, pieces, likely)
    gates = _gates_seen(
        board, game, sight, *([each for each in every if each.kind == GATE] for every in (found, doubted))
    )
    tops = _tops_of(board, game, sight, _read_gates(board, game, sight, gates))
    marks = _marks(board, game, palette, tops)
    sight.loose += marks
    low = _not_behind_gates(board, game, sight, [each for each in found if each.kind in kinds])
    low += _overlooked(board, game, sight, doubted, _faint_banks(sight, pieces, detected))
    lying = [standing(board, each) for each in low]
    chosen = apart(lying, _plan_mm)
    if not chosen:
        return palette
    places = [lying[index] for index in chosen]
    looks = sight.look(places)
    out_of_shadow(sight, places, looks, shadow_bgr(seen, board.size_mm))
    names = [low[index].kind for index in chosen]
    sure = np.array([low[index].sure for index in chosen], np.float32)
    at_mm = np.array([place.at_mm for place in places])
    allowed = palette.allowed(board, game, names)
    learnt = palette.adapted(looks.seen, allowed, sure, names, looks.around, at_mm)
    told = learnt.told(looks, board, game, names, at_mm)
    for index, place, colours, seen_bgr in zip(chosen, places, told, looks.seen, strict=True):
        best = int(colours.argmax())
        if low[index].sure <= SURE and colours[best] < PLAINLY:
            continue
        colour, sure_of = palette.names[best], low[index].sure * float(colours[best])
        wheel = set_up_wheel(board, sight, place, colour, seen_bgr)
        sight.loose.append(_piece(colour, wheel or place, sure_of))
    sight.loose = [piece for piece in sight.loose if piece not in marks] + _marks(board, game, learnt, tops)
    return learnt


def _gates_seen(
    board: Board, game: str | None, sight: Sight, agreed: Sequence[Detection], doubted: Sequence[Detection]
) -> list[Detection]:
    """The gates that stand on no field, as exactly as their outlines tell: those that both networks agree
    on and, while fewer than a set has are told, those of the doubted ones of which enough is seen."""
    on_fields = standing_on_fields(board, game, sight)

    def free(gates: Sequence[Detection]) -> list[Detection]:
        others = (
            each for each in gates if not any(_is_on(standing(board, each), field) for field in on_fields)
        )
        return [exactly(sight, body_of(board.pieces[GATE]), each) for each in others]

    gates = free(agreed)
    if len(on_fields) + len(gates) < GATES:
        gates += _seen_as_gates(board, sight, gates, free(doubted), on_fields)
    return gates


def _faint_banks(sight: Sight, pieces: Mapping[str, Body], detected: Sequence[Detection]) -> list[Detection]:
    """The banks that the detector hardly finds and the place network alone believes in."""
    faint = [each for each in detected if each.kind == BANK and FAINTLY <= each.sure < MAY_BE]
    return _weighed(sight, pieces, on_board(sight, faint))[1]


def _overlooked(
    board: Board, game: str | None, sight: Sight, doubted: Sequence[Detection], faint: Sequence[Detection]
) -> list[Detection]:
    """Those of the doubted low pieces and of the faint banks that have to be there, told as unsurely as
    anything is."""
    told = gates_told(board, game, sight)

    def placed(found: Sequence[Detection]) -> list[Doubted]:
        return [(each, standing(board, each)) for each in found]

    low = overlooked(sight, placed([each for each in doubted if each.kind != GATE]), told)
    hardly = overlooked(sight, placed(faint), told)
    return [replace(each, sure=SURE) for each in low + as_drawn(sight, placed(hardly), told)]


def _not_behind_gates(
    board: Board, game: str | None, sight: Sight, low: Sequence[Detection]
) -> list[Detection]:
    """Those of the low pieces that are not a part of a gate, or what marks it, seen behind it."""
    taller = [
        (scaled_body(body, 1.0, TALLER) if body.shape == GATE else body, at_mm, angle_deg, TALLER * ground_mm)
        for body, at_mm, angle_deg, ground_mm in gates_told(board, game, sight)
    ]
    shares = uncovered(sight.view, [standing(board, each) for each in low], taller)
    return [each for each, share in zip(low, shares, strict=True) if share > WHOLLY_BEHIND]


def _weigh_fields(board: Board, game: str | None, sight: Sight, gates: Sequence[Detection]) -> None:
    """Weigh the belief that triliths stand on their fields with what the detector says of these gates."""
    for place in places_of(board, game):
        belief = sight.beliefs.get(place.id, {})
        if place.bodies[0].shape != GATE or place.id in sight.unseen or TRILITH not in belief:
            continue
        near = [each for each in gates if math.dist(each.at_mm, place.at_mm) < ON_FIELD_MM]
        odds = [_odds(belief[TRILITH]), _odds(max((each.sure for each in near), default=HARDLY)), 1.0]
        stands = float(1 / (1 + np.exp(-FIELD_WEIGHTS @ odds)))
        # What would be told as one that stands anywhere, just there, is the field's.
        just_there = [each.sure for each in near if _is_on(standing(board, each), place)]
        stands = max([stands, *(_by_both(sure, belief[TRILITH]) for sure in just_there)])
        sight.beliefs[place.id] = {None: 1 - stands, TRILITH: stands}
        if stands < 0.5:
            sight.beliefs.pop(place.id + TOP, None)


def out_of_shadow(sight: Sight, places: list[Place], looks: Looks, shadow: Floats) -> None:
    """In hard light white pieces hardly differ from white print, but their shadows do. Where what is seen of
    a piece is nothing but print in the dark, it is looked for beside that, and put where it is seen clearly
    and brighter. shadow: (3,) of what colour white is in the dark, see `shadow_bgr`."""
    crops = sight.crops(places)
    for number, (place, crop) in enumerate(zip(places, crops, strict=True)):
        own = crop[9 + place.slots[0]] > 0
        printed = crop[3:6, own].mean(axis=1)
        seen = looks.seen[number]
        dark = gap(seen, printed * shadow, DARKER) < LIKE_SHADOW or (
            not differs(seen, printed) and gap(seen, printed, SHADES) < LIKE_SHADOW
        )
        if not dark or seen.mean() > IN_THE_DARK * printed.mean():
            continue
        x, y = place.at_mm
        beside = [replace(place, at_mm=(x + right, y + down)) for right, down in AROUND]
        closely = sight.look(beside, coloured=False)
        bright = closely.seen.mean(axis=1)
        chances = closely.kind[:, 1 + place.slots[0]] * (bright > BRIGHTER * seen.mean())
        best = int((chances * bright).argmax())
        if chances[best] > CLEARLY:
            places[number] = beside[best]
            looks.kind[number] = closely.kind[best]
            looks.put(number, sight.look([beside[best]]), 0)


def shadow_bgr(seen: Floats, board_mm: tuple[float, float]) -> Floats:
    """(3,) by what a board as `whole_board` shows it is darker in its shadows: the sky's light is bluer than
    the sun's. Ones where hardly any shadow lies."""
    photo, printed = _inside(seen, board_mm)
    ratio = (photo + FLOOR) / (printed + FLOOR)
    dark = (printed.mean(axis=2) > LIGHT_PRINT) & (ratio.mean(axis=2) < IN_SHADOW)
    if dark.mean() < SOME_SHADOW:
        return np.ones(3, np.float32)
    return np.asarray(np.median(ratio[dark], axis=0), np.float32)


def _weighed(
    sight: Sight, pieces: Mapping[str, Body], found: Sequence[Detection]
) -> tuple[list[Detection], list[Detection]]:
    """Those of the detections that the place network, which looks more closely, agrees with, the surest
    first, and those that it alone believes in, each as sure as it is. pieces: what may stand there; among low
    pieces the network has to choose."""
    if not found:
        return [], []
    low = tuple(body for kind, body in pieces.items() if kind != GATE)
    places = [
        Place(ANYWHERE, each.at_mm, each.angle_deg, (pieces[GATE],) if each.kind == GATE else low, REACH_MM)
        for each in found
    ]
    agreed, doubted = [], []
    for each, place, kind in zip(found, places, sight.look(places, coloured=False).kind, strict=True):
        closely = float(kind[1 + place.slots[place.bodies.index(pieces[each.kind])]])
        sure = _by_both(each.sure, closely)
        if sure >= SURE:
            agreed.append(replace(each, sure=sure))
        elif closely >= CLOSELY:
            doubted.append(replace(each, sure=closely))
    return sorted(agreed, key=attrgetter("sure"), reverse=True), sorted(
        doubted, key=attrgetter("sure"), reverse=True
    )


def _seen_as_gates(
    board: Board,
    sight: Sight,
    told: Sequence[Detection],
    doubted: Sequence[Detection],
    on_fields: Sequence[Place],
) -> list[Detection]:
    """Those of the doubted gates of which enough is seen, and in whose way none stands on its field. told:
    the others that stand on none."""

    def seen(gate: Place) -> float:
        return seen_at(sight, gate.bodies[0], gate.at_mm, gate.angle_deg)

    unsure = [(each, standing(board, each)) for each in doubted]
    unsure = [each for each in unsure if not any(crossing(each[1], field, lintel_mm) for field in on_fields)]
    if not unsure:
        return []
    others = (seen(place) for place in (*(standing(board, each) for each in told), *on_fields))
    enough = min([SEEN_AS_GATE, *(NEARLY * share for share in others)])
    return [replace(each, sure=SURE) for each, place in unsure if seen(place) >= enough]


def gates_told(board: Board, game: str | None, sight: Sight) -> list[Stood]:
    """The triliths that have been told, on fields and on none, and what lies on them."""
    stood = read_on(board, sight, places_of(board, game))
    for piece in sight.loose:
        if piece.field is None and piece.x_mm is not None and piece.y_mm is not None:
            ground = body_of(board.pieces[GATE]).top_mm if piece.on else 0.0
            body = body_of(board.pieces[piece.kind])
            stood.append((body, (piece.x_mm, piece.y_mm), piece.angle_deg or 0.0, ground))
    return stood


def standing_on_fields(board: Board, game: str | None, sight: Sight) -> list[Place]:
    """The fields on which a trilith is seen."""
    return [
        place
        for place in places_of(board, game)
        if place.bodies[0].shape == GATE
        and place.id not in sight.unseen
        and sight.beliefs.get(place.id, {}).get(TRILITH, 0.0) > 0.5
    ]


def _by_both(detected: float, closely: float) -> float:
    """How likely a piece is there by what the detector says and what the place network, looking closely."""
    return float(1 / (1 + np.exp(-WEIGHTS @ [_odds(detected), _odds(closely), 1.0])))


def _odds(chance: float) -> float:
    bounded = min(max(chance, SUREST), 1 - SUREST)
    return math.log(bounded / (1 - bounded))


def standing(board: Board, found: Detection) -> Place:
    """Where the detector found a piece, as a place with its body."""
    return Place(ANYWHERE, found.at_mm, found.angle_deg, (body_of(board.pieces[found.kind]),), REACH_MM)


def apart(lying: Sequence[Place], plan_mm: Callable[[Body], tuple[float, float]]) -> list[int]:
    """Which of these, the likeliest first, stand there: of those that would stand in one another the
    likeliest."""
    chosen: list[int] = []
    for index, place in enumerate(lying):
        if not any(crossing(place, lying[other], plan_mm) for other in chosen):
            chosen.append(index)
    return chosen


def crossing(one: Place, other: Place, plan_mm: Callable[[Body], tuple[float, float]]) -> bool:
    """Whether pieces at these places would stand in one another. plan_mm: the length and width of a body that
    count."""
    plans = [(place.at_mm, plan_mm(place.bodies[0]), place.angle_deg) for place in (one, other)]
    return cv2.rotatedRectangleIntersection(*plans)[0] != cv2.INTERSECT_NONE


def _plan_mm(piece: Body) -> tuple[float, float]:
    """How much of a piece no other can stand in."""
    length, width = TOUCHING * np.ptp(np.array(piece.prisms[0].footprint_mm), axis=0)
    return float(length), float(width)


def lintel_mm(trilith: Body) -> tuple[float, float]:
    """How much of a trilith no other can stand in."""
    return SHORTER * float(np.ptp(np.array(trilith.prisms[-1].footprint_mm)[:, 0])), DEEP_MM


def _read_gates(
    board: Board,
    game: str | None,
    sight: Sight,
    found: Sequence[Detection],
) -> list[Place]:
    """Add the triliths that stand on no field to `sight`, and return them; a field whose trilith would stand
    in one of these is empty."""
    gates = [standing(board, each) for each in found]
    on_fields = standing_on_fields(board, game, sight)
    free: list[Place] = []
    for index in apart(gates, lintel_mm):
        gate = gates[index]
        if any(_is_on(gate, each) for each in on_fields):
            continue
        in_its_way = [each for each in on_fields if crossing(each, gate, lintel_mm)]
        if in_its_way and _is_one_of(sight, gate, in_its_way):
            continue
        if len(on_fields) - len(in_its_way) + len(free) >= GATES:
            continue
        for each in in_its_way:
            on_fields.remove(each)
            sight.beliefs[each.id] = {None: 1 - EITHER_ERRS, TRILITH: EITHER_ERRS}
            sight.beliefs.pop(each.id + TOP, None)
        free.append(gate)
        sight.loose.append(_piece("grey", gate, found[index].sure))
    return free


def _is_one_of(sight: Sight, gate: Place, on_fields: Sequence[Place]) -> bool:
    """Whether what was found at `gate` is rather the trilith on one of these fields that it would stand in.
    Seven gates that do stand there (75 photographs) cover more of what is seen as one than the field's would,
    two that do not cover less."""
    *others, own = (seen_at(sight, each.bodies[0], each.at_mm, each.angle_deg) for each in (*on_fields, gate))
    return max(others) >= own


def _is_on(gate: Place, field: Place) -> bool:
    """Whether a trilith at `gate` stands on that field, however carelessly."""
    away = math.dist(gate.at_mm, field.at_mm)
    turned = abs((gate.angle_deg - field.angle_deg + 90) % 180 - 90)
    return away < IN_ITS_MIDDLE_MM or (away < ON_FIELD_MM and turned < ON_FIELD_DEG)


def _tops_of(
    board: Board, game: str | None, sight: Sight, gates: Sequence[Place]
) -> list[tuple[Place, Looks]]:
    """The capstones of these triliths and what the networks say of each, where most is seen."""
    tops = [top_place(board, gate, GAME_PIECES[game or ""]["top"]) for gate in gates]
    tops = [replace(top, under_bgr=stone_bgr(sight, top)) for top in tops]
    if not tops:
        return []
    places, looks = look_along(sight, *look_as_high_as_seen(sight, tops))
    return [(place, looks.of(np.array([number]))) for number, place in enumerate(places)]


def _marks(
    board: Board, game: str | None, palette: Palette, tops: Sequence[tuple[Place, Looks]]
) -> list[Piece]:
    """The discs that lie on these capstones."""
    found = []
    for top, looks in tops:
        kind, bare = top.bodies[0].kind, float(looks.bare[0])
        colour = palette.told(looks, board, game, [kind])[0]
        there = (1 - bare) / (1 - bare + BARE_ODDS * bare)
        if there >= SURE:
            best = int(colour.argmax())
            found.append(_piece(palette.names[best], top, there * float(colour[best])))
    return [replace(disc, on="trilith") for disc in found]


def _piece(colour: str, place: Place, sure: float) -> Piece:
    kind, (x, y) = place.bodies[0].kind, place.at_mm
    angle = None if place.bodies[0].shape == "cylinder" else round(place.angle_deg % 180, 1)
    return Piece(kind, colour, x_mm=round(x, 1), y_mm=round(y, 1), angle_deg=angle, confidence=round(sure, 4))


def _inside(seen: Floats, board_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """(H, W, 3) photograph and print of a board as `whole_board` shows it, without the margin."""
    board = tuple(
        slice(round(MARGIN_MM / MM_PER_PX), round((MARGIN_MM + side) / MM_PER_PX))
        for side in reversed(board_mm)
    )
    return seen[:3, *board].transpose(1, 2, 0), seen[3:6, *board].transpose(1, 2, 0)


def _unseen(board: Board, game: str | None, sight: Sight, seen: Floats) -> str | None:
    """Why nobody can tell all that stands on the board, if so: most of it does not look like its print, or
    beside what was told something larger than any piece lies over it. seen: see `whole_board`."""
    photo, printed = _inside(seen, sight.surface.size_mm)
    other = differs(photo, printed).astype(np.uint8)
    if other.mean() > MOST_DIFFERENT:
        return UNLIKE_PRINT
    other[_explained(board, game, sight, other.shape) > 0] = 0
    opened = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, middles = cv2.connectedComponentsWithStats(opened, connectivity=8)
    for stat, middle in zip(stats[1:], middles[1:], strict=True):
        at_mm = float(middle[0] + 0.5) * MM_PER_PX, float(middle[1] + 0.5) * MM_PER_PX
        if stat[cv2.CC_STAT_AREA] * MM_PER_PX**2 * _flattened(sight.view, at_mm) > LARGER_THAN_PIECES_MM2:
            return BEHIND
    return None


def _explained(board: Board, game: str | None, sight: Sight, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """(H, W) of the board as `whole_board` shows it, without the margin: 1 where what was told covers it, or
    a tag is printed, which never lies quite where it is looked for."""
    told = outlines_of_all(sight.view, gates_told(board, game, sight))
    outlines = [sight.view.on_plane(hull) for parts in told for hull, _ in parts]
    outlines += [np.array(marker.corners_mm) for marker in board.markers]
    mask = np.zeros(shape, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.round(outline / MM_PER_PX - 0.5).astype(np.int32), (1,))
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)


def _flattened(view: View, at_mm: tuple[float, float]) -> float:
    """What the camera makes of an area of the board there: 1 seen from straight above, less from aside. What
    rises from the board covers the more of it the flatter it is seen."""
    x, y = at_mm
    left, right, above, below = view.project(np.array([[x - 2, y], [x + 2, y], [x, y - 2], [x, y + 2]]))
    area = abs(float(np.linalg.det(np.column_stack([right - left, below - above]) / 4)))
    return area / view.px_per_mm(at_mm) ** 2
