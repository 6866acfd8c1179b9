"""What came or went on other places, left out of how a place is compared with how it looked.

A disc that is laid down shows in the pictures of its neighbours, too, and so does the gap that it leaves when
it goes. So the place that most surely changed is told first, and the pixels of what came and went there are
taken as they were before the next one is compared again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fields.crops import CROP_PX, Frame, frame_of
from vision.fields.places import Place
from vision.following.changes import Evidence, apart_of
from vision.geometry.bodies import Stood, outlines_of_all
from vision.geometry.view import View
from vision.sight import Sight

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
# Farther from a place nothing shows in its picture (mm).
NEAR_MM = 90.0
# A piece lies up to so far beside where it should, and its shadow around it (mm).
BESIDE_MM = 3.0
# Where less of what may stand on a place is seen beside what moved elsewhere, it is not compared again.
LEFT = 0.35


@dataclass(frozen=True)
class Compared:
    """A place or a capstone that looks otherwise than it did, (3, S, S), and what tells whether something
    else lies there; what lay there, and what would lie there now."""

    place: Place
    before: Floats
    evidence: Evidence
    lay: Stood | None
    shows: Stood | None


def without_others(sight: Sight, compared: Mapping[str, Compared]) -> dict[str, Evidence]:
    """What tells whether something else lies on places, compared again without what shows in their pictures
    of pieces that came or went on others; only of those where that is anything."""
    again: dict[str, Evidence] = {}
    moved: list[tuple[Place, list[Stood]]] = []
    for name in sorted(compared, key=lambda name: -compared[name].evidence.odds()):
        each = compared[name]
        elsewhere = [
            stood
            for place, pieces in moved
            if 0 < math.dist(place.at_mm, each.place.at_mm) < NEAR_MM
            for stood in pieces
        ]
        left = _as_before(sight, each, elsewhere)
        if left is not None:
            again[name] = replace(each.evidence, apart=apart_of({name: (left, each.before)})[name])
        if again.get(name, each.evidence).odds() > 0:
            moved.append((each.place, [stood for stood in (each.lay, each.shows) if stood]))
    return again


def _as_before(sight: Sight, compared: Compared, moved: Sequence[Stood]) -> Floats | None:
    """The crop of a place (CHANNELS, S, S) that shows what it did before where pieces came or went elsewhere,
    `moved`, that do not stand behind what lay on it; None if they are not to be seen in it, or hardly
    anything else is."""
    if not moved:
        return None
    place, eye = compared.place, sight.view.camera_mm[:2]
    frame = frame_of(sight.view, place)
    shown, own = np.zeros((2, CROP_PX, CROP_PX), np.uint8)
    for stood in moved:
        _draw(shown, sight.view, frame, stood)
    if compared.lay and any(math.dist(at, eye) > math.dist(place.at_mm, eye) for _, at, *_ in moved):
        _draw(own, sight.view, frame, compared.lay)
    reach = 2 * round(BESIDE_MM * frame.px_per_mm / frame.step_px) + 1
    mask = (cv2.dilate(shown, np.ones((reach, reach), np.uint8)) > 0) & (own == 0)
    crop = sight.crops((place,))[0]
    bodies = crop[9:].max(axis=0) > 0
    if not mask.any() or mask[bodies].mean() > 1 - LEFT:
        return None
    crop[:3] = np.where(mask, compared.before, crop[:3])
    crop[6:9] = crop[:3] - crop[3:6]
    return crop


def _draw(mask: Mask, view: View, frame: Frame, stood: Stood) -> None:
    for hull, _ in outlines_of_all(view, [stood])[0]:
        cv2.fillConvexPoly(mask, np.round(frame.into_crop(hull)).astype(np.int32), (1,))
