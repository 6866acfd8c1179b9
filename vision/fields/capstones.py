"""What lies on a capstone: mostly in its middle, but it is longer than any piece, and nobody minds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.observation import likeliest
from engine.position import TOP
from vision.fields.alone import look_alone
from vision.fields.network import (
    EMPTY,
    HIDDEN,
    ON_CAPSTONES,
    Looks,
    chances,
    kinds_of,
    kinds_on_capstones,
    look_on_capstones,
    not_drawn,
)
from vision.fields.places import Place
from vision.geometry.bodies import placed

if TYPE_CHECKING:
    from vision.sight import Sight

# Where the middle seems bare something is looked for so far aside, too (mm along the capstone), and told if
# seen there as surely as this: of 372 pieces up to 12 mm aside on composed triliths, three in ten of nearly
# their stone's shade, 33 are told empty (53 with 0.95), and on 6 of 318 bare ones something is told, with
# 0.95, too.
ASIDE_MM, SURELY = (-10.0, 10.0), 0.75
# A set's triliths may be so many times as high as the board file says, all of them alike, and how far that
# usually is (its logarithm); that has to explain clearly more of what is seen (log likelihood). Where what
# lies on each is clear in the first place, nobody looks elsewhere.
HEIGHTS, HEIGHT_SPREAD, CLEARLY, CLEAR = (1.0, 0.93, 1.07, 0.87, 1.15), 0.15, 1.0, (0.02, 0.98)
# No capstone tells more of that than one which is so surely not bare.
SURELY_NOT_BARE = 0.01
# In the middle something lies so many times more often than where the networks learnt to look, mostly aside.
IN_THE_MIDDLE = 2.7
# Where something is seen it may stand so far to either side of that (mm), as the first of those says who are
# asked of capstones; its colour is seen where it stands, if that is so far (mm) from where it was seen.
NEAR_MM, FAR_MM = (-8.0, -4.0, 4.0, 8.0), 2.0
# What lies so near to where it would be seen on the board may be seen in its stead.
BEHIND_MM = 14.0


def look_on(sight: Sight, tops: Sequence[Place], odds: float = IN_THE_MIDDLE) -> Looks:
    """What the networks say of the middles of these capstones; odds: see `look_on_capstones`."""
    crops = sight.crops(tops)
    looks = look_on_capstones(crops, odds)
    look_alone(sight, tops, crops, looks)
    return looks


def look_as_high_as_seen(sight: Sight, tops: Sequence[Place]) -> tuple[tuple[Place, ...], Looks]:
    """These capstones as high as the triliths of this set are, which is where most is seen to lie on them,
    and what the networks say of their middles."""
    looks = look_on(sight, tops)
    low, high = CLEAR
    if not ((looks.bare > low) & (looks.bare < high)).any():
        return tuple(tops), looks
    tried = [[replace(top, ground_mm=share * top.ground_mm) for top in tops] for share in HEIGHTS]
    kinds = kinds_on_capstones(sight.crops([top for each in tried[1:] for top in each]), IN_THE_MIDDLE)
    others = kinds[:, [EMPTY, HIDDEN]].sum(axis=1).reshape(-1, len(tops))
    bare = np.concatenate([looks.bare[None], others])
    told = -np.log(np.maximum(bare, SURELY_NOT_BARE)).sum(axis=1)
    told -= 0.5 * (np.log(HEIGHTS) / HEIGHT_SPREAD) ** 2 + CLEARLY * (np.array(HEIGHTS) != 1)
    best = int(told.argmax())
    return tuple(tried[best]), look_on(sight, tried[best]) if best else looks


def look_along(
    sight: Sight, tops: Sequence[Place], looks: Looks, fields: Sequence[Place] = ()
) -> tuple[tuple[Place, ...], Looks]:
    """Where on these capstones something lies, most likely, and what the networks say of it. looks: what they
    say of the middles; fields: places on the board: where one that is not empty is seen behind a capstone,
    it may be what is seen there."""
    places, found = list(tops), looks.of(slice(len(tops)))
    filled = [field for field in fields if likeliest(sight.beliefs.get(field.id, {None: 1.0})) is not None]
    every = [(n, moved_along(tops[n], mm)) for n in np.flatnonzero(looks.bare > 0.5) for mm in ASIDE_MM]
    tried = [(n, place) for n, place in every if not _seen_behind(sight, place, filled)]
    if tried:
        aside = look_on(sight, [place for _, place in tried], odds=1.0)
        for index in np.argsort(-aside.bare):
            number, place = tried[index]
            if aside.bare[index] < 1 - SURELY:
                places[number] = place
                found.kind[number] = aside.kind[index]
                found.put(number, aside, index)
    _look_where_it_stands(sight, places, found)
    return tuple(places), found


def _look_where_it_stands(sight: Sight, places: list[Place], found: Looks) -> None:
    """Put places on capstones where something is seen in the middle of that, and its colour as it is seen
    there in `found`."""
    filled = np.flatnonzero(found.bare < 0.5)
    if not len(filled):
        return
    crops = sight.crops([moved_along(places[n], mm) for n in filled for mm in NEAR_MM])
    first = next(iter(ON_CAPSTONES.kinds))
    bare = chances(kinds_of(first, crops), not_drawn(crops))[:, [EMPTY, HIDDEN]].sum(axis=1)
    there = np.column_stack([1 - bare.reshape(len(filled), -1), 1 - found.bare[filled]])
    along = there @ [*NEAR_MM, 0.0] / there.sum(axis=1)
    moved = [(n, moved_along(places[n], mm)) for n, mm in zip(filled, along, strict=True) if abs(mm) > FAR_MM]
    if moved:
        looks = look_on(sight, [place for _, place in moved], odds=1.0)
        for index, (number, place) in enumerate(moved):
            if looks.bare[index] < 0.5:
                places[number] = place
                found.put(number, looks, index)


def _seen_behind(sight: Sight, top: Place, filled: Sequence[Place]) -> bool:
    """Whether one of these fields, but for the trilith's own, is seen where something on its capstone would
    be."""
    middle = top.ground_mm + top.bodies[0].top_mm / 2
    behind = sight.view.on_plane(sight.view.project(np.array([top.at_mm]), middle))[0]
    others = (field for field in filled if field.id + TOP != top.id)
    return any(math.dist(behind, field.at_mm) < BEHIND_MM for field in others)


def moved_along(top: Place, along_mm: float) -> Place:
    """The place on a capstone so far from its middle."""
    x, y = placed(np.array([[along_mm, 0.0]]), top.at_mm, top.angle_deg)[0]
    return replace(top, at_mm=(float(x), float(y)))
