"""Pieces that do not lie in the middle of their field, or are turned: looked for where the photograph differs
from the print, or where else on the field they may lie.

Where the print was only guessed this is no use: it would be taken for pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.shades import differs
from vision.fields.consensus import is_flat
from vision.fields.covered import uncovered
from vision.fields.crops import Frame, frames_of
from vision.fields.network import EMPTY, HIDDEN, Looks
from vision.fields.places import Place
from vision.geometry.bodies import Stood
from vision.geometry.view import Array, View

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# Where the evened-out photograph and the empty board differ by less than this (0..1) beside a place, nothing
# lies there.
DIFFERS = 0.12
# What is as near as this to the print in each channel does not differ from it (see `shades.differs`).
LEAST_UNLIKE = 0.05
# Where the network sees a piece with less than this chance, it looks again where the photograph differs.
HARDLY = 0.9
# What differs is at least and at most so large, as a share of a piece's footprint, and its middle so far from
# the field's, as a share of the field's half-width.
SMALLEST, LARGEST, FARTHEST = 0.4, 2.5, 0.8
# A spot is looked at if so much of what may lie there is not behind triliths, and a piece askew if so much is
# not behind what stands before it: else what differs from the print is the head of that.
MOSTLY, NOT_BEHIND = 0.6, 0.7


def look_askew(sight: Sight, places: tuple[Place, ...], crops: Floats, looks: Looks) -> None:
    """Where no piece is clearly seen, look again as a flat one would lie to be what differs from the print
    there, and put in what is seen. crops: (N, ...) those of the places."""
    bare = looks.bare
    flat = [tuple(body for body in place.bodies if is_flat(body)) for place in places]
    open_ones = [index for index in range(len(places)) if bare[index] > 1 - HARDLY and flat[index]]
    there = [replace(places[index], bodies=flat[index]) for index in open_ones]
    frames = frames_of(sight.view, [places[index] for index in open_ones])
    sizes = np.array([_sizes_px(place, frame) for place, frame in zip(there, frames, strict=True)])
    every = zip(open_ones, there, frames, _unlike_print(crops[open_ones], sizes), sizes, strict=True)
    asked = [
        (index, lying)
        for index, place, frame, other, size in every
        if (lying := _as_it_lies(sight.view, place, frame, other, size)) is not None
    ]
    if asked:
        shares = uncovered(sight.view, [lying for _, lying in asked], _standing(places, looks))
        asked = [each for each, share in zip(asked, shares, strict=True) if share >= NOT_BEHIND]
    if asked:
        closely = sight.look([lying for _, lying in asked])
        for number, (index, _) in enumerate(asked):
            _put_in(looks, index, closely, number)


def _sizes_px(place: Place, frame: Frame) -> tuple[float, float]:
    """How many pixels of its crop what differs from the print there has at least and at most, if it is a flat
    piece."""
    areas = [cv2.contourArea(np.array(body.prisms[0].footprint_mm, np.float32)) for body in place.bodies]
    pixel_mm2 = (frame.step_px / frame.px_per_mm) ** 2
    return SMALLEST * min(areas) / pixel_mm2, LARGEST * max(areas) / pixel_mm2


def _unlike_print(crops: Floats, sizes_px: Array) -> NDArray[np.uint8]:
    """(N, S, S) 1 where crops surely differ from the print in whatever shadow; all 0 where that is less than
    what matters, see `_sizes_px`, (N, 2)."""
    may = np.abs(crops[:, 6:9]).max(axis=1) > LEAST_UNLIKE
    may[may.sum(axis=(1, 2)) < sizes_px.reshape(-1, 2)[:, 0]] = False
    photo, printed = (crops[:, part].transpose(0, 2, 3, 1)[may] for part in (slice(0, 3), slice(3, 6)))
    other = np.zeros(may.shape, np.uint8)
    other[may] = differs(photo, printed)
    return other


def _as_it_lies(
    view: View, place: Place, frame: Frame, other: NDArray[np.uint8], size_px: Array
) -> Place | None:
    """The place as a flat piece would lie on it that is what differs from the print, (S, S); None if nothing
    does that could be one. size_px: see `_sizes_px`."""
    smallest, largest = size_px
    if np.count_nonzero(other) < smallest:
        return None
    opened = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, marks, stats, middles = cv2.connectedComponentsWithStats(opened, connectivity=8)
    height = 0.5 * max(body.top_mm for body in place.bodies)
    found: list[tuple[int, Place]] = []
    for mark in range(1, count):
        size = int(stats[mark, cv2.CC_STAT_AREA])
        if not smallest <= size <= largest:
            continue
        _, (wide, high), turn = cv2.minAreaRect(np.argwhere(marks == mark)[:, ::-1].astype(np.float32))
        along = np.radians(turn if wide > high else turn + 90)
        steps = np.outer([-5.0, 0.0, 5.0], [np.cos(along), np.sin(along)])
        ends: Array = view.on_plane(frame.from_crop(middles[mark] + steps), place.ground_mm + height)
        if np.linalg.norm(ends[1] - place.at_mm) > FARTHEST * place.radius_mm:
            continue
        angle = float(np.degrees(np.arctan2(*(ends[2] - ends[0])[::-1])))
        at_mm = (float(ends[1][0]), float(ends[1][1]))
        lying = replace(place, at_mm=at_mm, angle_deg=angle, radius_mm=place.radius_mm / 2)
        found.append((size, lying))
    return max(found, key=lambda each: each[0])[1] if found else None


def look_beside(sight: Sight, places: tuple[Place, ...], looks: Looks) -> None:
    """Where nothing is seen in the middle of a place, look at its other spots and put in what lies there."""
    nothing = looks.bare > 0.5
    spots = [
        (index, replace(place, at_mm=spot, bodies=boxes, radius_mm=place.radius_mm / 2))
        for index, place in enumerate(places)
        if nothing[index] and (boxes := tuple(body for body in place.bodies if body.shape == "box"))
        for spot in place.spots
    ]
    # A capstone in front of a spot is a grey block on it.
    triliths = [stood for stood in _standing(places, looks) if stood[0].shape == "trilith"]
    shares = uncovered(sight.view, [spot for _, spot in spots], triliths)
    spots = [each for each, share in zip(spots, shares, strict=True) if share >= MOSTLY]
    if not spots:
        return
    crops = sight.crops([spot for _, spot in spots])
    # Averaged before it is measured: an edge of the print that lies half a pixel aside cancels out.
    unlike = (np.abs(cv2.blur(crop[6:9].transpose(1, 2, 0), (5, 5))).max(axis=2) for crop in crops)
    inside = crops[:, 9:].max(axis=1) > 0
    differing = [n for n, crop in enumerate(unlike) if crop[inside[n]].max(initial=0.0) > DIFFERS]
    if not differing:
        return
    beside = sight.told_by(crops[differing])
    for number, (index, _) in enumerate(spots[n] for n in differing):
        _put_in(looks, index, beside, number)


def _standing(places: Sequence[Place], looks: Looks) -> list[Stood]:
    """The pieces that are seen."""
    return [
        (body, place.at_mm, place.angle_deg, place.ground_mm)
        for place, kind in zip(places, looks.kind, strict=True)
        for slot, body in zip(place.slots, place.bodies, strict=True)
        if kind[1 + slot] > 0.5
    ]


def _put_in(looks: Looks, index: int, there: Looks, number: int) -> None:
    """What lies there, as the second look sees it, in place of nothing."""
    here, beside = looks.kind[index], there.kind[number]
    bodies = slice(1, HIDDEN)
    nothing, hidden, lies = here[EMPTY], here[HIDDEN], beside[bodies].sum()
    if lies > 0.5 and nothing + hidden > 0.5:
        looks.put(index, there, number)
    here[bodies] += (nothing + hidden) * beside[bodies]
    here[EMPTY] = nothing * beside[EMPTY]
    here[HIDDEN] = nothing * beside[HIDDEN] + hidden * (1 - lies)
    here /= here.sum()
