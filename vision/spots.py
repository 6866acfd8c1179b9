"""Where on the board may a low piece lie, on fields or between them, and does one lie there?

May be: where the photograph differs more from the print than around; where piece and print have one colour it
still does a little. Does: the network says how likely, but parts of triliths and their shadows look much like
low pieces to it; that they lie beside a trilith, or are of its stone, speaks against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bodies import Body
from vision.fitting import Mask, is_of
from vision.lifted import Lifted, lifted
from vision.network import EMPTY, HIDDEN, Looks
from vision.places import Place
from vision.shades import gap
from vision.view import Array

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
PX_PER_MM = 0.5
# A difference counts up to this much (0..1); a piece is about so large, its surroundings twice so.
STRONGEST, PIECE_MM = 0.3, 6.0
# How much a difference in tint counts, and one towards the dark, against one towards the light.
TINT, DARKER = 2.0, 0.5
# Neighbouring pieces are at least so far apart; where a piece would lie is told from so far around (mm).
NEAR_MM, AROUND_MM = 7.0, 14.0
# Where the photograph differs by no more than this from the print, more than around, nothing lies.
LEAST = 0.002
# How much shadow may lie on stone, and what it costs, see `shades.gap`; a tint so far from it, and a place so
# far from a trilith, cannot be further (mm).
SHADOWS, OTHER_TINT, FAR_MM = ((0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.15), 0.3), 30.0, 40.0
SUREST = 1e-5
# What has a piece's colour on less than this is not the piece.
FEWEST_MM2, ROUNDS = 40.0, 3
# What speaks for a piece (fitted by `vision.training.spots`): the network's odds of one, and of something in
# front; how far its tint is from stone, and it from any trilith (cm).
WEIGHTS = np.array([0.84, -0.49, 0.26, 0.59, -8.95])


@dataclass(frozen=True)
class Spot:
    """A place where a piece may lie, and how far it is from the nearest trilith (mm)."""

    place: Place
    from_stone_mm: float


def at_their_height(sight: Sight, bodies: Sequence[Body]) -> Lifted:
    """The plane on which low bodies are where they lie: halfway up."""
    return lifted(sight, 0.5 * max(body.top_mm for body in bodies), PX_PER_MM)


def find_spots(there: Lifted, bodies: Sequence[Body], stone: Mask, most: int) -> list[Spot]:
    """Up to `most` spots where one of these bodies may lie, the likeliest first, turned as what differs there
    is; many are none. stone: (H, W) 1 where the picture shows a trilith."""
    known = cv2.remap(stone, there.pixels, None, cv2.INTER_NEAREST)
    differs = np.minimum(_differs(there), STRONGEST) * (known == 0)
    sigma = PIECE_MM * PX_PER_MM
    more = cv2.GaussianBlur(differs, (0, 0), sigma) - cv2.GaussianBlur(differs, (0, 0), 2 * sigma)
    near = round(NEAR_MM * PX_PER_MM) // 2 * 2 + 1
    peaks = (more >= cv2.dilate(more, np.ones((near, near)))) & (more > LEAST) & there.inside
    likeliest = np.argwhere(peaks)[np.argsort(-more[peaks])][:most]
    away = np.full(known.shape, FAR_MM)
    if known.any():
        away = cv2.distanceTransform((known == 0).astype(np.uint8), cv2.DIST_L2, 5) / PX_PER_MM
    spots = []
    for row, column in likeliest.tolist():
        at_mm, angle = _lying(there, differs, column, row)
        spots.append(Spot(Place("", at_mm, angle, tuple(bodies), PIECE_MM), float(away[row, column])))
    return spots


def _differs(there: Lifted) -> Floats:
    """(H, W) how much the photograph differs from the print: in tint it counts more than in brightness, and
    what is darker, as shadows are, less than what is lighter."""
    difference = there.difference
    tint = np.abs(difference - difference.mean(axis=2, keepdims=True)).max(axis=2)
    brightness = np.maximum(difference, -DARKER * difference).max(axis=2)
    return np.asarray(np.maximum(TINT * tint, brightness), np.float32)


def settled(there: Lifted, place: Place, piece_bgr: Floats) -> Place:
    """The place as exactly what has this colour lies there: its shadow differs from the print as well."""
    for _ in range(ROUNDS):
        column, row = there.pixel(*place.at_mm)
        around = there.around(column, row, AROUND_MM)
        own = np.zeros(there.inside.shape, np.float32)
        own[around] = is_of(piece_bgr, there.seen[around], there.printed[around])
        if own[around].sum() / PX_PER_MM**2 < FEWEST_MM2:
            break
        at_mm, angle = _lying(there, own, column, row)
        place = replace(place, at_mm=at_mm, angle_deg=angle)
    return place


def _lying(there: Lifted, differs: Floats, column: int, row: int) -> tuple[tuple[float, float], float]:
    """The middle of what differs about a pixel (mm), and how it is turned (degrees): its moments, weighed by
    how near it is."""
    around = there.around(column, row, AROUND_MM)
    part, (top, left) = differs[around], (each.start for each in around)
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    apart = ((x + left - column) ** 2 + (y + top - row) ** 2) / (2 * (AROUND_MM * PX_PER_MM / 2) ** 2)
    weight: Array = np.maximum(part - np.median(part), 0) * np.exp(-apart) + 1e-9
    moments = cv2.moments(weight.astype(np.float32))
    middle = moments["m10"] / moments["m00"] + left, moments["m01"] / moments["m00"] + top
    turn = 0.5 * np.arctan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"])
    return there.mm(*middle), float(np.degrees(turn))


def lies(spots: Sequence[Spot], looks: Looks, stone_bgr: Floats) -> Floats:
    """(N,) how likely a piece lies at each spot. looks: what the network says of them; stone_bgr: (3,) the
    shade of the triliths here, in even light (display-referred 0..1)."""
    return np.asarray(1 / (1 + np.exp(-evidence(spots, looks, stone_bgr) @ WEIGHTS)), np.float32)


def evidence(spots: Sequence[Spot], looks: Looks, stone_bgr: Floats) -> NDArray[np.float64]:
    """(N, 5) what `WEIGHTS` weigh."""
    tint = np.sqrt(np.minimum(gap(looks.seen, stone_bgr, *SHADOWS), OTHER_TINT))
    away = np.array([min(spot.from_stone_mm, FAR_MM) for spot in spots]) / 10
    piece = _odds(1 - looks.kind[:, EMPTY] - looks.kind[:, HIDDEN])
    return np.column_stack([piece, _odds(looks.kind[:, HIDDEN]), tint, away, np.ones(len(spots))])


def _odds(chance: Floats) -> NDArray[np.float64]:
    bounded = np.clip(chance.astype(float), SUREST, 1 - SUREST)
    return np.asarray(np.log(bounded / (1 - bounded)))
