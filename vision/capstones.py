"""What lies on a capstone: mostly in its middle, but it is longer than any piece, and nobody minds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.alone import look_alone
from vision.network import UNJUDGED, Looks, look
from vision.places import Place

if TYPE_CHECKING:
    from vision.sight import Sight

# Where the middle seems bare something is looked for so far aside, too (mm along the capstone), and told if
# seen there as surely as this: of 244 pieces up to 12 mm aside on composed triliths 9 are not seen, 75 in the
# middle alone, and no more is made up on 221 bare ones.
ASIDE_MM, SURELY = (-10.0, 10.0), 0.95


def look_on(sight: Sight, tops: Sequence[Place]) -> Looks:
    """What the networks say of the middles of these capstones."""
    crops = sight.crops(tops)
    looks = look(crops, UNJUDGED)
    look_alone(sight, tops, crops, looks)
    return looks


def look_along(sight: Sight, tops: Sequence[Place], looks: Looks) -> tuple[tuple[Place, ...], Looks]:
    """Where on these capstones something lies, most likely, and what the networks say of it. looks: what they
    say of the middles."""
    places, found = list(tops), looks.of(slice(len(tops)))
    tried = [(n, _aside(tops[n], mm)) for n in np.flatnonzero(looks.bare > 0.5) for mm in ASIDE_MM]
    if tried:
        aside = look_on(sight, [place for _, place in tried])
        for index in np.argsort(-aside.bare):
            number, place = tried[index]
            if aside.bare[index] < 1 - SURELY:
                places[number] = place
                found.kind[number] = aside.kind[index]
                found.put(number, aside, index)
    return tuple(places), found


def _aside(top: Place, along_mm: float) -> Place:
    turn = math.radians(top.angle_deg)
    x, y = top.at_mm
    return replace(top, at_mm=(x + along_mm * math.cos(turn), y + along_mm * math.sin(turn)))
