"""Triliths that stand anywhere on the board: the gates of `rolling`, wherever its course has them.

Looked for are solids that cover what differs from the print, and places that speak for a trilith
(`triliths.py`); the place network says at which of them one stands. The surest tell of what shade the stones
are, and with that everything of that shade is looked at once more: a trilith's shadow, and print of a stone's
brightness, are not of its tint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from engine.board import Board
from engine.games.rolling.course import GATES
from vision.bodies import Body, body_of
from vision.fitting import FINER, Fit, Mask, cover_of, fit_to_mask, is_of
from vision.loose import LARGEST_MM2, SIZE_COST, Differing, Part, beside_the_surface, blobs, finer
from vision.places import SLOTS, Place
from vision.triliths import find_triliths
from vision.view import Array

if TYPE_CHECKING:
    from vision.sight import Sight

# A picture so wide is enough.
WIDE_PX = 960
# What differs on less of the board (mm2) is no trilith; the turns that its outline is tried in (degrees).
SMALLEST_MM2, TURNS_DEG = 250.0, range(0, 180, 15)
# The likeliest turns are looked at by the network, and only where it sees a trilith with this chance fitted.
LIKELY_TURNS, MAY_BE = 2, 0.1
LIKELY, REACH_MM = 60, 3.0
# What an outline must cover of what differs, or else must speak for a trilith, and what the network must say.
GOOD_COVER, SPEAKS, SEEN = 0.7, 0.5, 0.9
# An outline that fits perfectly, rather than not at all, counts as much as such a logit of the network.
FIT_LOGIT = 6.0
# What lies so far on a trilith that is known is not looked at again.
KNOWN = 0.5
# So many of the surest tell the stone's shade, if so many pixels show it.
TEACHERS, FEWEST_PX = 3, 30
# Room around a part for outlines that reach out of it (pixels).
AROUND_PX = 8
# Two triliths whose lintels, so much shorter than they are and so deep (mm), cross are one.
SHORTER, DEEP_MM = 0.9, 24.0


@dataclass(frozen=True)
class Gate:
    """A trilith that stands somewhere: `place` with its body, how sure the network is, how well its outline
    fits, and whether that covers what differs from the board, or is only what speaks for one there."""

    place: Place
    sure: float
    fit: float
    covers: bool

    @property
    def score(self) -> float:
        """How likely this is the trilith, rather than another that would stand in its way."""
        return math.log(self.sure / max(1 - self.sure, 1e-4)) + FIT_LOGIT * self.fit


def find_gates(board: Board, sight: Sight, other: Differing) -> list[Gate]:
    """The triliths on the board, on fields or not, the surest first. other: what `smaller` of the sight shows
    that the board does not."""
    if "trilith" not in board.pieces:
        return []
    trilith, small = body_of(board.pieces["trilith"]), other.sight
    solids = _covering(sight, small, trilith, blobs(other, small.view))
    likely = find_triliths(sight, trilith, LIKELY)
    tried = [*_seen(sight, trilith, solids, covers=True), *_seen(sight, trilith, likely, covers=False)]
    best = apart(tried)
    known = silhouettes(small, [gate.place for gate in best if gate.covers])
    unknown = [part for part in _of_their_shade(small, best[:TEACHERS]) if _share(part, known) < KNOWN]
    of_stone = _covering(sight, small, trilith, unknown)
    return apart([*tried, *_seen(sight, trilith, of_stone, covers=True)])


def _share(part: Part, known: Mask) -> float:
    """How much of a part is known. known: (H, W) 0 or 1."""
    mask, corner_px = part
    rows, columns = np.nonzero(mask)
    pixels = (np.column_stack([columns, rows]) / FINER + corner_px).astype(int)
    x, y = np.minimum(pixels, np.array(known.shape[::-1]) - 1).T
    return float(known[y, x].mean())


def apart(gates: Sequence[Gate]) -> list[Gate]:
    """The best of those that cannot stand together, and no more than a set has."""
    found: list[Gate] = []
    for gate in sorted(gates, key=lambda gate: (not gate.covers, -gate.score)):
        if not any(crossing(gate.place, other.place) for other in found):
            found.append(gate)
    return found[:GATES]


def _lintel_mm(trilith: Body) -> tuple[float, float]:
    return SHORTER * float(np.ptp(np.array(trilith.prisms[-1].footprint_mm)[:, 0])), DEEP_MM


def crossing(one: Place, other: Place, plan_mm: Callable[[Body], tuple[float, float]] = _lintel_mm) -> bool:
    """Whether triliths at these places would stand in one another; or other pieces, of whose bodies `plan_mm`
    tells the length and width that count."""
    plans = [(place.at_mm, plan_mm(place.bodies[0]), place.angle_deg) for place in (one, other)]
    return cv2.rotatedRectangleIntersection(*plans)[0] != cv2.INTERSECT_NONE


def smaller(sight: Sight) -> Sight:
    """The sight as a picture that is wide enough for finding triliths."""
    height, width = sight.image.shape[:2]
    factor = min(1.0, WIDE_PX / width)
    size = (round(width * factor), round(height * factor))
    image = np.asarray(cv2.resize(sight.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return replace(
        sight, image=image, located=replace(sight.located, view=sight.view.scaled(size[0] / width, size))
    )


def _covering(sight: Sight, small: Sight, trilith: Body, parts: Sequence[Part]) -> list[Fit]:
    """The trilith that covers each part of the smaller picture best, where the network sees any there."""
    starts = []
    for mask, offset_px in parts:
        rows, columns = np.nonzero(mask)
        middle: Array = (np.array([[columns.mean(), rows.mean()]]) + 0.5) / FINER - 0.5 + offset_px
        x, y = small.view.on_plane(middle, 0.55 * trilith.top_mm)[0]
        pixels_per_mm2 = (FINER * small.view.px_per_mm((float(x), float(y)))) ** 2
        if not SMALLEST_MM2 <= len(rows) / pixels_per_mm2 <= LARGEST_MM2:
            continue
        turned = [Fit((float(x), float(y)), float(turn)) for turn in TURNS_DEG]
        covers = [cover_of(small.view, trilith, start, mask, offset_px) for start in turned]
        starts += [(turned[number], mask, offset_px) for number in np.argsort(covers)[-LIKELY_TURNS:]]
    chances = _chances(sight, trilith, [start for start, _, _ in starts])
    return [
        fit_to_mask(small.view, trilith, mask, offset_px, start)
        for (start, mask, offset_px), chance in zip(starts, chances, strict=True)
        if chance > MAY_BE
    ]


def _seen(sight: Sight, trilith: Body, fits: Sequence[Fit], *, covers: bool) -> list[Gate]:
    """Those of the fits that are good, and that the network sees a trilith at."""
    good = GOOD_COVER if covers else SPEAKS
    fits = [fit for fit in fits if _worth(fit) >= good]
    return [
        Gate(_place(trilith, fit), chance, _worth(fit), covers)
        for fit, chance in zip(fits, _chances(sight, trilith, fits), strict=True)
        if chance >= SEEN
    ]


def _worth(fit: Fit) -> float:
    """How well a fit covers what it should, less what it costs to be of another size than the board file
    says: a shadow is covered best by a trilith of odd measures."""
    return fit.cover - SIZE_COST * (abs(math.log(fit.plan)) + 0.5 * abs(math.log(fit.tall)))


def _chances(sight: Sight, trilith: Body, fits: Sequence[Fit]) -> list[float]:
    """How sure the network is of a trilith at each of these."""
    if not fits:
        return []
    kinds = sight.look([_place(trilith, fit) for fit in fits]).kind
    return [float(chance) for chance in kinds[:, 1 + SLOTS.index(trilith.shape)]]


def _place(trilith: Body, fit: Fit) -> Place:
    return Place("", fit.at_mm, fit.angle_deg % 180, (trilith,), REACH_MM)


def silhouettes(sight: Sight, triliths: Sequence[Place]) -> Mask:
    """(H, W) 1 where the picture would show these triliths."""
    drawn = np.zeros(sight.image.shape[:2], np.uint8)
    for place in triliths:
        for hull, _ in place.bodies[0].outlines(sight.view, place.at_mm, place.angle_deg):
            cv2.fillConvexPoly(drawn, np.round(hull * 16).astype(np.int32), (1,), shift=4)
    return drawn


def _of_their_shade(sight: Sight, gates: Sequence[Gate]) -> list[Part]:
    """What has the shade of these triliths rather than the ground's, part by part."""
    drawn = silhouettes(sight, [gate.place for gate in gates])
    inside = np.asarray(cv2.erode(drawn, np.ones((3, 3), np.uint8)), np.uint8)
    if inside.sum() < FEWEST_PX:
        return []
    rows, columns = (np.arange(size) for size in sight.image.shape[:2])
    seen, bare, on_board = beside_the_surface(sight, sight.image, columns, rows)
    own = on_board & is_of(np.median(seen[inside > 0], axis=0), seen, bare)
    opened = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, marks, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    found = []
    for mark in range(1, count):
        left, top, wide, high, size = (int(value) for value in stats[mark])
        if size < FEWEST_PX:
            continue
        x0, y0 = max(0, left - AROUND_PX), max(0, top - AROUND_PX)
        part = marks[y0 : top + high + AROUND_PX, x0 : left + wide + AROUND_PX] == mark
        found.append(finer(part, (x0, y0)))
    return found
