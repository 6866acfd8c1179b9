"""The colour of a piece that stands behind another: what the nearer one covers is not its colour.

The place network takes whatever it sees at a piece for that piece. Where that has the colour of a taller
piece before it, what stands before it is painted over with the empty board, and the network looks at the rest
again. If it was the stone of a trilith and nothing is left, there is no piece.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.observation import Belief, likeliest
from engine.position import TOP, Thing
from vision.colours.palette import Palette
from vision.colours.shades import SHADOWS, differs, gap
from vision.fields.beliefs import FORGET
from vision.fields.crops import CROP_PX, frames_of
from vision.fields.facing import STONE
from vision.fields.places import Place
from vision.geometry.bodies import Body
from vision.geometry.view import Array

if TYPE_CHECKING:
    from engine.board import Board
    from vision.fields.crops import Frame
    from vision.sight import Sight

Mask = NDArray[np.uint8]
# A piece that stands there so likely is looked at, and is taken for what hides others.
STANDS = 0.5
# So much of a piece's outline another one must cover to be asked for, and so much must be left to be seen.
COVERED, LEFT = 0.12, 0.25
# Where no piece is left that much, and what is seen of one is of the print's colour, or of none (its
# channels differ by less), that may be all the print: as likely as this the piece has the colour that it was
# told in.
NOTHING_LEFT, COLOURLESS, AS_TOLD = 0.5, 0.1, 0.6
# What was seen of a piece has the shade of the trilith before it if it is no farther from that (see
# `shades.gap`; a side that faces the lamp is brighter than the top); where, the trilith painted over, so
# surely nothing is left, that was the stone, and there is so likely no piece. (In 480 photographs by four
# programs so much is true of four places that are seen: three are empty, on one lies something else than was
# told. Of pieces that were rightly told the nearest is 10 away.)
STONY, BRIGHTER, NOTHING, NO_PIECE = 5.0, (1.2, 1.3), 0.9, 0.8
# What is lower than this hides hardly anything, and nothing hides what is farther away (mm).
TALL_MM, REACH_MM = 20.0, 140.0
# Outlines are as exact as a pixel of the crop, and edges are blurred.
EDGE = np.ones((5, 5), np.uint8)


def look_behind(
    board: Board,
    game: str | None,
    palette: Palette,
    sight: Sight,
    places: Sequence[Place],
    tops: Sequence[Place],
    seen: Mapping[str, NDArray[np.float32]],
) -> None:
    """Tell anew of which colour the pieces at `places` are that stand behind others, on a field or on a
    trilith (`tops`), and whether there are any. seen: (3,) what was seen of each of them, in even light."""
    every = (*places, *tops)
    lying = {place.id: thing for place in every if (thing := _stands(sight, place)) is not None}
    standing = [place for place in every if place.id in lying]
    tall = [each for each in standing if each.ground_mm + _body(each, lying[each.id]).top_mm > TALL_MM]
    _leave_out_stone(sight, places, tops, lying, seen)
    behind: list[tuple[Place, list[Place]]] = []
    eye = sight.view.camera_mm[:2]
    for place in places:
        own = lying.get(place.id)
        if own is None or own.colour == STONE:
            continue
        before = [each for each in tall if _is_before(eye, each, place)]
        if any(lying[each.id].colour == own.colour for each in before):
            behind.append((place, before))
    if not behind:
        return
    alone = [place for place, _ in behind]
    frames = frames_of(sight.view, alone)
    parts = [
        _hidden(sight, frame, place, before, lying)
        for (place, before), frame in zip(behind, frames, strict=True)
    ]
    asked = [(place, part) for place, part in zip(alone, parts, strict=True) if part is not None]
    if not asked:
        return
    chosen = [place for place, _ in asked]
    crops = _without(sight, asked)
    kinds = [lying[place.id].kind for place in chosen]
    looks = sight.told_by(crops)
    told = palette.told(looks, board, game, kinds)
    nothing_left = looks.bare > NOTHING_LEFT
    like_print = ~differs(looks.seen, np.array([_printed(crop) for crop in crops]))
    nothing_left &= like_print | (np.ptp(looks.seen, axis=1) < COLOURLESS)
    for place, kind, colours, nothing in zip(chosen, kinds, told, nothing_left, strict=True):
        as_told = sight.beliefs[place.id]
        anew = _recoloured(as_told, kind, dict(zip(palette.names, colours.tolist(), strict=True)))
        sight.beliefs[place.id] = _mixed(as_told, anew, AS_TOLD) if nothing else anew


def _leave_out_stone(
    sight: Sight,
    places: Sequence[Place],
    tops: Sequence[Place],
    lying: Mapping[str, Thing],
    seen: Mapping[str, NDArray[np.float32]],
) -> None:
    """Doubt pieces of which nothing was seen but the trilith before them."""
    stone = {top.id.removesuffix(TOP): np.array(top.under_bgr, np.float32) for top in tops}
    triliths = [place for place in places if place.id in stone and place.id in lying]
    eye, asked = sight.view.camera_mm[:2], []
    for place in places:
        if place.id not in lying or lying[place.id].kind == "trilith":
            continue
        before = [
            each
            for each in triliths
            if _is_before(eye, each, place) and _is_stone(seen[place.id], stone[each.id])
        ]
        if not before:
            continue
        (frame,) = frames_of(sight.view, [place])
        hidden = np.bitwise_or.reduce([_drawn(sight, frame, each, lying[each.id]) for each in before])
        own = _drawn(sight, frame, place, lying[place.id])
        if (own & hidden).sum() > COVERED * own.sum():
            asked.append((place, np.asarray(cv2.dilate(hidden, EDGE) > 0)))
    if not asked:
        return
    bare = sight.told_by(_without(sight, asked), coloured=False).bare
    for (place, _), nothing in zip(asked, bare, strict=True):
        if nothing > NOTHING:
            sight.beliefs[place.id] = _mixed({None: 1.0}, sight.beliefs[place.id], NO_PIECE)


def _is_stone(seen: NDArray[np.float32], stone: NDArray[np.float32]) -> bool:
    return bool(gap(seen, stone, (*SHADOWS[0], *BRIGHTER)) < STONY)


def _without(sight: Sight, hidden: Sequence[tuple[Place, NDArray[np.bool_]]]) -> NDArray[np.float32]:
    """(N, CHANNELS, CROP_PX, CROP_PX) the crops of N places, what hides them painted over with the empty
    board."""
    crops = sight.crops([place for place, _ in hidden])
    for crop, (_, mask) in zip(crops, hidden, strict=True):
        crop[:3, mask] = crop[3:6, mask]
        crop[6:9, mask] = 0.0
    return crops


def _mixed(one: Belief, other: Belief, share: float) -> dict[Thing | None, float]:
    """So much of one belief, and the rest of another."""
    things = dict.fromkeys((*one, *other))
    return {thing: share * one.get(thing, 0.0) + (1 - share) * other.get(thing, 0.0) for thing in things}


def _printed(crop: NDArray[np.float32]) -> NDArray[np.float32]:
    """(3,) the print where a piece would be seen in its crop (CHANNELS, S, S)."""
    own = crop[9:].max(axis=0) > 0
    return np.asarray(crop[3:6, own].mean(axis=1) if own.any() else np.zeros(3), np.float32)


def _is_before(eye: Array, one: Place, other: Place) -> bool:
    """Whether a piece at `one` may hide what stands at `other` from a camera over the point `eye` (mm)."""
    near = math.dist(one.at_mm, other.at_mm) < REACH_MM
    return near and math.dist(one.at_mm, eye) < math.dist(other.at_mm, eye)


def _hidden(
    sight: Sight, frame: Frame, place: Place, before: Sequence[Place], lying: Mapping[str, Thing]
) -> NDArray[np.bool_] | None:
    """(CROP_PX, CROP_PX) what the pieces `before` a piece cover of its crop; None if they cover hardly
    anything of it, or nearly all, or none that does has its colour."""
    own = _drawn(sight, frame, place, lying[place.id])
    drawn = {each.id: _drawn(sight, frame, each, lying[each.id]) for each in before}
    covering = {lying[name].colour for name, mask in drawn.items() if (own & mask).any()}
    hidden = np.bitwise_or.reduce(list(drawn.values()))
    share = float((own & hidden).sum()) / max(1, int(own.sum()))
    if lying[place.id].colour not in covering or not COVERED < share < 1 - LEFT:
        return None
    return np.asarray(cv2.dilate(hidden, EDGE) > 0)


def _stands(sight: Sight, place: Place) -> Thing | None:
    """What stands there, if anything surely does."""
    belief = sight.beliefs.get(place.id, {})
    thing = likeliest(belief)
    if thing is None or place.id in sight.unseen or sum(_of_kind(belief, thing.kind).values()) < STANDS:
        return None
    return thing


def _body(place: Place, thing: Thing) -> Body:
    return next(body for body in place.bodies if body.kind == thing.kind)


def _of_kind(belief: Belief, kind: str) -> dict[Thing, float]:
    return {thing: chance for thing, chance in belief.items() if thing is not None and thing.kind == kind}


def _drawn(sight: Sight, frame: Frame, place: Place, thing: Thing) -> Mask:
    """(CROP_PX, CROP_PX) where a crop shows the piece at a place."""
    mask = np.zeros((CROP_PX, CROP_PX), np.uint8)
    for hull, _ in _body(place, thing).outlines(sight.view, place.at_mm, place.angle_deg, place.ground_mm):
        cv2.fillConvexPoly(mask, np.round(frame.into_crop(hull)).astype(np.int32), (1,))
    return mask


def _recoloured(belief: Belief, kind: str, colours: Mapping[str, float]) -> dict[Thing | None, float]:
    """The belief, its pieces of that kind in other colours."""
    of_kind = _of_kind(belief, kind)
    # Counts (a heap or a single block) keep their shares.
    counts: dict[Thing, float] = {}
    for thing, chance in of_kind.items():
        bare = replace(thing, colour=None)
        counts[bare] = counts.get(bare, 0.0) + chance
    anew = {
        replace(thing, colour=colour): chance * part
        for thing, chance in counts.items()
        for colour, part in colours.items()
        if chance * part > FORGET
    }
    return {thing: chance for thing, chance in belief.items() if thing not in of_kind} | anew
