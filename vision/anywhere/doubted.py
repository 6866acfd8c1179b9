"""Low pieces of `rolling` that the detector doubts and the place network, which looks more closely, believes
in. Without some of them the picture could not be explained: banks half under a gate, or as pale as the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.position import Thing
from vision.anywhere.detector import Detection
from vision.colours.shades import differs
from vision.fields.covered import uncovered
from vision.fields.places import Place
from vision.geometry.bodies import Stood
from vision.geometry.fitting import Fit, Foot, cover_of, own_pixels

if TYPE_CHECKING:
    from vision.sight import Sight

# A doubted piece is told all the same if so much of its outline is behind nothing that was told, and so much
# unlike the print, or the place network is quite sure (white banks on white print): there has to be a piece.
# (Of the detector's doubted ones in 77 photographs ten were there, and two were not.)
UNCOVERED, UNLIKE, QUITE_SURE = 0.5, 0.5, 0.97
# What the detector hardly finds at all has to cover what has its colour so well, too, and to be on the board,
# whose rim never lies quite where it is looked for. (In 164 photographs five such banks are told, all there.)
AS_DRAWN, FROM_RIM_MM = 0.4, 12.0

# A doubted piece, and where it would stand.
Doubted = tuple[Detection, Place]


def overlooked(sight: Sight, doubted: Sequence[Doubted], told: Sequence[Stood]) -> list[Detection]:
    """Those without which the picture could not be explained: they look unlike the print, or surely like such
    a piece, and what has been told so far does not lie in front of them."""
    if not doubted:
        return []
    places = [place for _, place in doubted]
    found = []
    shares = uncovered(sight.view, places, told)
    for (each, place), share, crop in zip(doubted, shares, sight.crops(places), strict=True):
        own = crop[9 + place.slots[0]] > 0
        unlike = differs(crop[:3].transpose(1, 2, 0), crop[3:6].transpose(1, 2, 0))[own].mean()
        if share >= UNCOVERED and (unlike >= UNLIKE or each.sure >= QUITE_SURE):
            found.append(each)
    return found


def on_board(sight: Sight, found: Sequence[Detection]) -> list[Detection]:
    """Those that do not reach over the board's rim."""
    size_mm = np.array(sight.surface.size_mm)
    return [each for each in found if (np.minimum(each.at_mm, size_mm - each.at_mm) > FROM_RIM_MM).all()]


def as_drawn(sight: Sight, faint: Sequence[Doubted], told: Sequence[Stood]) -> list[Detection]:
    """Those whose outlines cover what is seen of their colour, where nothing that has been told so far lies
    in front of it."""
    if not faint:
        return []
    seen = sight.look([place for _, place in faint]).seen
    found = []
    for (each, place), colour in zip(faint, seen, strict=True):
        body = place.bodies[0]
        mask, offset_px = own_pixels(sight, Foot(Thing(each.kind), place, colour, each.sure), body)
        as_found = Fit(place.at_mm, place.angle_deg)
        if mask.any() and cover_of(sight.view, body, as_found, mask, offset_px, told) >= AS_DRAWN:
            found.append(each)
    return found
