"""The colour of a piece on a place where pieces of other shapes may stand, too.

The place network looks for a colour wherever one of them might be seen: at a disc also where the head of a
figure would be, which may be the next disc. Where what it tells is not the colour of the piece's own upper
face, it looks again as if nothing else could stand there. Of a figure even that may be the colour of what is
seen behind its head, if that is slim: then the upper face of its foot tells the colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.shades import SPACE, differs
from vision.fields.network import Looks
from vision.fields.places import Place
from vision.geometry.bodies import Body

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# A colour that is farther from that of the upper face (see `shades.SPACE`) is doubted: of 1,642 pieces on 19
# tables one in six, among them the four of twelve wrong ones that the second look calls rightly.
DOUBTED = 2.5
# A small lamp's mirror image is smaller than a disc's upper face: where most of that is darker than what is
# seen, and so far from it, that may be the disc's colour.
MIRRORED = 4.0
# What is a figure with such a chance is read by its foot if need be.
SURELY = 0.7
# What is seen of a foot is a mixture of two colours if it is no farther from one, and so much of it is print.
NEARLY, A_PART, SHADOWS = 1.2, 0.2, (0.6, 0.7, 0.8, 0.9, 1.0, 1.1)
# The middle of an upper face: what is farther from its edge than this share of the farthest.
MIDDLE = 0.4


def look_alone(sight: Sight, places: Sequence[Place], crops: Floats, looks: Looks) -> None:
    """Put the colours that are seen in a second look in `looks`, where the first is doubted. crops: (N, ...)
    those of the places."""
    doubted: list[tuple[int, Place, Floats]] = []
    bare = looks.bare
    for index, place in enumerate(places):
        if bare[index] > 0.5:
            continue
        slot, body = place.likeliest(looks.kind[index])
        # A trilith is grey, and looked at for nothing else.
        face = _upper_face(crops[index], slot) if body.shape != "trilith" else None
        if face is None:
            continue
        away = _away(looks.seen[index], face[:3])
        if away > DOUBTED and (len(place.bodies) > 1 or body.shape == "figure"):
            doubted.append((index, replace(place, bodies=(body,)), face))
        elif _mirrors(body, looks.seen[index], face[:3]):
            looks.matt[index] = face[:3]
    if doubted:
        again = sight.look([place for _, place, _ in doubted])
        for number, (index, place, face) in enumerate(doubted):
            looks.put(index, again, number)
            own, print_there = face[:3], face[3:]
            if _mirrors(place.bodies[0], again.seen[number], own):
                looks.matt[index] = own
            figure = place.bodies[0].shape == "figure" and looks.kind[index].max() > SURELY
            other = _away(again.seen[number], own) > DOUBTED and differs(own, print_there)
            if figure and other and not _is_mixed(own, again.seen[number], print_there):
                looks.seen[index] = looks.matt[index] = own


def _mirrors(body: Body, seen: Floats, face: Floats) -> bool:
    """Whether what is seen of a piece, (3,), may be what it mirrors beside most of its upper face, (3,)."""
    return body.shape == "cylinder" and face.mean() < seen.mean() and _away(seen, face) > MIRRORED


def _is_mixed(colour: Floats, of: Floats, print_there: Floats) -> bool:
    """Whether a colour, (3,), is one of a piece mixed with the print's, in whatever shadow: the upper face
    of a foot that is smaller than the usual one shows the print beside it."""
    towards = (print_there - of) @ SPACE
    found = []
    for shadow in SHADOWS:
        beyond = (colour / shadow - of) @ SPACE
        share = float(np.clip(beyond @ towards / max(towards @ towards, 1e-9), 0, 1))
        found.append((float(np.linalg.norm(beyond - share * towards)), share))
    left, share = min(found)
    return left < NEARLY and share > A_PART


def _away(one: Floats, other: Floats) -> float:
    """How far one colour is from another, see `shades.SPACE`."""
    return float(np.linalg.norm((one - other) @ SPACE))


def _upper_face(crop: Floats, slot: int) -> Floats | None:
    """(6,) the median colour in the middle of where the upper face of the body in this slot is drawn, and
    that of the empty board there; None if it is not drawn."""
    face = (crop[9 + slot] == 1).astype(np.uint8)
    inner = cv2.distanceTransform(face, cv2.DIST_L2, 3)
    if inner.max() < 1:
        return None
    return np.asarray(np.median(crop[:6, inner > MIDDLE * inner.max()], axis=1), np.float32)
