"""How far a place of one camera's picture is from how it looked before, and whether that is a change.

Looks are crops, (N, 3, S, S) of S = CROP_PX pixels, BGR, evened out (display-referred 0..1).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.position import TOP
from vision.colours.shades import SHADOWS, differs, gap
from vision.fields.crops import CROP_PX
from vision.following.compared import compared
from vision.following.details import details_left

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Polygon = Sequence[tuple[float, float]]
# The kind and colour of a piece.
Kind = tuple[str, str | None]
# Looks are compared as averages over a square of so many pixels: noise cancels out there, the rim of a white
# disc on white print does not.
SQUARE = 5
# Details are what is left of a crop without what is broader than this (pixels).
BROAD_PX = 4.0
# The logarithms' floor, and details that are so faint (spread of the logarithms) that none are to be known.
DARKEST, PLAIN = 0.05, 0.02
# Looks differ by so much (see `shades.gap`) in any case.
MISFIT = 0.5
# So little else is seen, in area or in details, of what has not changed.
NOISE = 0.02
# Where nothing changed, no tile of an area shows more of something else, of lost details or of new ones: they
# were mostly below 0.03 in 60 areas, and at least 0.10 in eight of nine in which something was put down.
UNDISTURBED = 0.05
# How much each of `Evidence.features` says that something else lies there now: logistic regression over
# places that looked different in 33 series (`training/changes.py`), the comparing network's word
# from one that had not learnt from any series at that table.
WEIGHTS = np.array([9.35, 0.64, -5.87, 0.41, 1.54, 1.94, -5.49, -3.06, 1.36, 0.5])
# The comparing network is believed to be no surer than this (log-odds).
SUREST = 6.0
# So seldom something else lies on a place than before if how it looked is not known.
SELDOM = 0.03
# A bare place that looks otherwise in the light of the picture before, and so far (mm) around which nothing
# is told to have moved, is believed to carry something with so much more (log-odds): a piece that lay there
# may have been nudged, a bare place not. In 36 evenings those that did carry something were above -4.2, the
# others below -4.8.
REACH_MM, MOVED = 100.0, 4.5
# Where in that light a piece has come, that place which carried one of its kind and colour and looks most
# otherwise is believed, with so much more, to be where it came from. In 58 evenings those of them that had
# changed were above -2, the others below -4.2.
CAME_FROM = 3.1
# No picture tells with more certainty than this that what lay there still does, or does no longer.
SURPRISE = 1e-3


@dataclass(frozen=True)
class Apart:
    """How a place differs from how it looked: by how much at most (0..1), in how much of it something else
    is seen, in whatever shadow (0..1), and by how much at most in its details, where pieces would show; how
    much better than by that its looks are told by its bare print (logarithm); and in how much of it details
    are gone or new (0..1), which no light takes or brings."""

    most: float
    other: float
    details: float
    bare: float = 0.0
    redrawn: float = 0.0
    differs: float = 0.0

    @classmethod
    def of(cls, crop: Floats, before: Floats) -> Apart:
        """How a crop (CHANNELS, S, S) differs from how that looked (3, S, S)."""
        bodies = crop[9:].max(axis=0) > 0
        if not bodies.any():
            bodies[:] = True
        now, then, bare = (blurred(looks[None])[0] for looks in (crop[:3], before, crop[3:6]))
        other = differs(now, then)[bodies] & differs(then, now)[bodies]
        details = np.abs(_details(now) - _details(then))[bodies]
        unlike, unlike_bare = (gap(now[bodies], each[bodies], *SHADOWS).mean() for each in (then, bare))
        told_better = math.log((unlike + MISFIT) / (unlike_bare + MISFIT))
        around = cv2.dilate(bodies.astype(np.uint8), np.ones((SQUARE, SQUARE), np.uint8)) > 0
        redrawn = np.logical_or(*_redrawn(crop[:3], before))[around]
        return cls(
            most=float(np.abs(now - then).max()),
            other=float(other.mean()),
            details=float(details.max()),
            bare=told_better,
            redrawn=float(redrawn.mean()),
        )


@dataclass(frozen=True)
class Evidence:
    """What tells whether something else lies on a place than before: how likely the picture alone takes what
    lay there; how the place differs, None if how it looked is not known; whether an arm is over the board;
    whether all of it was looked at anew, maybe in another light or from another place (then what seems an
    arm often is none); and how likely the picture alone takes it that a piece which lay there has gone."""

    stays: float
    apart: Apart | None
    arm: bool
    relit: bool
    gone: float = 0.0

    @property
    def _speaks(self) -> float:
        """The log-odds by which the picture alone says that something else lies there."""
        stays = float(np.clip(self.stays, SURPRISE, 1 - SURPRISE))
        return math.log((1 - stays) / stays)

    def features(self) -> NDArray[np.float64]:
        """(10,) as `WEIGHTS` weighs them, the first always 1; of a place whose earlier look is known."""
        assert self.apart is not None
        return np.array(
            [
                1.0,
                self._speaks,
                self.apart.most,
                math.log(self.apart.other + NOISE),
                math.log(self.apart.details + NOISE),
                self.apart.bare * self.gone,
                self.arm and not self.relit,
                self.relit,
                math.log(self.apart.redrawn + NOISE),
                np.clip(self.apart.differs, -SUREST, SUREST),
            ]
        )

    def odds(self) -> float:
        """The log-odds that something else lies there now."""
        if self.apart is None:
            return self._speaks + math.log(SELDOM / (1 - SELDOM))
        return float(WEIGHTS @ self.features())


@dataclass(frozen=True)
class Watched:
    """A place that looks otherwise than it did: what tells whether something else lies there, where it lies
    (mm), and whether it was bare in the picture before and looked as it did. lay, shows: the kind and colour
    of what lay there, and of what else it would be."""

    evidence: Evidence
    at_mm: tuple[float, float]
    bare: bool
    lay: Kind | None = None
    shows: Kind | None = None


def changed(watched: Mapping[str, Watched], elsewhere: Sequence[Polygon] = ()) -> dict[str, float]:
    """How likely each of these places carries something else; elsewhere: the outlines (mm) of areas that
    do."""
    odds = {name: each.evidence.odds() for name, each in watched.items()}
    if not any(each.evidence.arm or each.evidence.relit for each in watched.values()):
        # In the light of the picture before a bare place looks otherwise only where something has moved.
        unsure = (
            name for name, each in watched.items() if each.bare and each.evidence.apart and odds[name] < 0
        )
        for name in sorted(unsure, key=odds.__getitem__, reverse=True):
            at = watched[name].at_mm
            near = (odds[other] for other, each in watched.items() if math.dist(at, each.at_mm) < REACH_MM)
            if max(near) < 0 and not any(_distance(at, each) < REACH_MM for each in elsewhere):
                odds[name] += MOVED
        for name in _left(watched, odds):
            odds[name] += CAME_FROM
    return {name: 1 / (1 + math.exp(-each)) for name, each in odds.items()}


def _left(watched: Mapping[str, Watched], odds: Mapping[str, float]) -> list[str]:
    """The places from which pieces may have come that lie elsewhere now: one for each."""
    came = Counter(each.shows for name, each in watched.items() if odds[name] > 0)
    found = []
    for kind in came.keys() - {None}:
        carried = (name for name, each in watched.items() if each.lay == kind)
        found += sorted(carried, key=odds.__getitem__, reverse=True)[: came[kind]]
    return found


def _distance(point: tuple[float, float], outline: Polygon) -> float:
    """How far a point lies outside of an outline; negative inside."""
    return -cv2.pointPolygonTest(np.array(outline, np.float32), point, measureDist=True)


def apart_of(pairs: Mapping[str, tuple[Floats, Floats]]) -> dict[str, Apart]:
    """How places and capstones differ from how they looked: crops (CHANNELS, S, S) and looks (3, S, S)."""
    if not pairs:
        return {}
    told = compared(*(np.array(each) for each in zip(*pairs.values(), strict=True)))
    found = {
        name: replace(Apart.of(crop, before), differs=float(differs))
        for (name, (crop, before)), differs in zip(pairs.items(), told, strict=True)
    }
    # No print shows what a bare capstone looks like.
    return {name: replace(each, bare=0.0) if name.endswith(TOP) else each for name, each in found.items()}


def differences(now: Floats, before: Floats) -> Floats:
    """(N, S, S) how far two looks differ; 1 where they cannot be compared."""
    if now.shape != before.shape:
        return np.ones((len(now), CROP_PX, CROP_PX), np.float32)
    return np.asarray(np.abs(blurred(now - before)).max(axis=3), np.float32)


def undisturbed(now: Floats, before: Floats, own: Mask) -> bool:
    """Whether nothing but a shadow has come over, or gone from, the tiles of an area: their looks, of which
    (N, S, S) are its own."""
    if now.shape != before.shape:
        return False
    for tile in np.flatnonzero(own.any(axis=(1, 2))):
        new, old = (looks[tile].transpose(1, 2, 0) for looks in (now, before))
        shown = (differs(new, old) & differs(old, new), *_redrawn(now[tile], before[tile]))
        if max(part[own[tile]].mean() for part in shown) > UNDISTURBED:
            return False
    return True


def _redrawn(now: Floats, before: Floats) -> tuple[Mask, Mask]:
    """(S, S) where details of a look (3, S, S) are gone, and where there are new ones."""
    new, old = (np.ascontiguousarray(255 * looks.transpose(1, 2, 0)) for looks in (now, before))
    return details_left(new, old)[0], details_left(old, new)[0]


def likeness(looks: Floats, others: Floats, own: Mask) -> float:
    """How well two looks correlate within their own pixels (N, S, S): -1..1."""
    if looks.shape != others.shape or not own.any():
        return -1.0
    channels = [each.transpose(1, 0, 2, 3)[:, own] for each in (looks, others)]
    return min(float(np.corrcoef(one, other)[0, 1]) for one, other in zip(*channels, strict=True))


def shared_details(now: Floats, before: Floats, own: Mask) -> float:
    """How well the details of two looks correlate within their own pixels (N, S, S): -1..1. 1 if there were
    hardly any."""
    new, old = (
        np.stack([_details(np.log(each.transpose(1, 2, 0) + DARKEST)) for each in looks])[own]
        for looks in (now, before)
    )
    if not own.any() or old.std() < PLAIN:
        return 1.0
    return float((new * old).sum() / np.sqrt((new**2).sum() * (old**2).sum() + 1e-9))


def blurred(looks: Floats) -> Floats:
    """(N, S, S, 3) looks, averaged over a small square."""
    return np.array([cv2.blur(each, (SQUARE, SQUARE)) for each in looks.transpose(0, 2, 3, 1)])


def _details(looks: Floats) -> Floats:
    grey = looks.mean(axis=2)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), BROAD_PX))
