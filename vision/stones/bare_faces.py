"""Which colour druid stones without stickers have: the rim of the face tells, outside whatever is on it.

The networks see all of a stone at once, and ink tints it: black stones with red digits looked brown, brown
ones with white digits black, all of a table alike. On the rim of the face hardly any ink is, so its median is
the bare stone. How red and how bright that is falls into two groups on most tables, however their light is
tinted: each way to part the stones into groups is weighed by how well a linear model with normal errors
explains it (its evidence, with the errors' spread summed over; see Bishop, "Pattern Recognition and Machine
Learning", 2006, 3.5), and by what the networks said.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.board import PieceType
from engine.position import Thing
from vision.stones.digits import Face
from vision.stones.stickers import DARK, tint
from vision.stones.stone_set import DRUID, shared

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float64]
# The colours whose faces are known well enough; the second is redder and brighter.
COLOURS = ("black", "brown")
# The rim of a face, as shares of its radius, and how finely it is looked at; what is brighter than this is a
# sticker in poor light.
RIM, POINTS, STICKER = (0.6, 0.88), 31, 0.55
# Of the first colour, and by how much the second is more: the logarithms of red to blue and of brightness;
# how far tables are from that, and what spreads of one colour on a table are tried, the usual one and how
# far others are from it (its logarithm). From 46 tables.
FIRST, FIRST_SPREAD = np.array([0.0, -1.3]), np.array([0.15, 0.5])
MORE, MORE_SPREAD = np.array([0.48, 0.33]), np.array([0.2, 0.15])
TRIED = np.array([[0.02, 0.04, 0.08, 0.16], [0.04, 0.08, 0.16, 0.32]])
USUAL, OTHER_SPREAD = np.array([0.03, 0.07]), 0.7
# How much the networks' doubts count: on one table they all err alike. No stone is surer than the last.
NETWORKS, DOUBT, SUREST = 0.7, 0.02, 0.998


def weigh_bare_faces(
    sight: Sight, faces: Mapping[str, Face], stone: PieceType, stickers: Collection[str]
) -> None:
    """Share the belief in each of these stones, but those with `stickers`, anew between its two colours."""
    if set(stone.colours) != set(COLOURS) or not faces:
        return
    seen = dict(zip(faces, rims_bgr(sight, [*faces.values()], stone.height_mm), strict=True))
    bare = [place for place, bgr in seen.items() if place not in stickers and bgr.mean() < STICKER]
    if not bare:
        return
    chances = np.array([_second(sight.beliefs[place]) for place in bare])
    for place, chance in zip(bare, seconds(features([seen[p] for p in bare]), chances), strict=True):
        shares = zip(COLOURS, (1 - float(chance), float(chance)), strict=True)
        sight.beliefs[place] = shared(sight.beliefs[place], dict(shares))


def rims_bgr(sight: Sight, faces: Sequence[Face], height_mm: float) -> Floats:
    """(N, 3) how the bare rims of N faces look, display-referred BGR."""
    side = np.linspace(-1, 1, POINTS)
    points = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    away = np.hypot(*points.T)
    rim = points[(away > RIM[0]) & (away < RIM[1])]
    middles = np.array([face.where.centre_mm for face in faces])[:, None]
    radii = np.array([face.where.radius_mm for face in faces])[:, None, None]
    at = (middles + rim * radii).reshape(-1, 2)
    feet = np.repeat(middles[:, 0], len(rim), axis=0)
    seen = sight.lit(at, height_mm, feet).reshape(len(faces), -1, 3)
    return np.asarray(np.median(seen, axis=1), float)


def features(seen_bgr: Sequence[Floats]) -> Floats:
    """(N, 2) how red beside blue and how bright N colours are, both as logarithms."""
    bgr = np.array(seen_bgr)
    return np.column_stack([tint(bgr), np.log(bgr.mean(axis=1) + DARK)])


def seconds(seen: Floats, chances: Floats) -> Floats:
    """(N,) how likely N stones of one table are of the second colour. seen: (N, 2) see `features`; chances:
    (N,) how likely the networks say they are."""
    doubted = np.clip(chances, DOUBT, 1 - DOUBT)
    parts = _partitions([*seen.T, (seen / MORE_SPREAD).sum(axis=1), chances])
    worth = sum(_evidence(seen[:, n], parts, n) for n in range(len(MORE)))
    worth = worth + NETWORKS * (parts @ np.log(doubted) + (1 - parts) @ np.log(1 - doubted))
    likely = np.exp(worth - worth.max())
    second = likely @ parts / likely.sum()
    return np.asarray(1 - SUREST + (2 * SUREST - 1) * second)


def _partitions(orders: Collection[Floats]) -> Floats:
    """(K, N) 0 or 1: all ways to part N stones at one value of any of these (N,)."""
    every = [(order[:, None] >= np.append(order, np.inf)).T for order in orders]
    return np.unique(np.concatenate(every).astype(float), axis=0)


def _evidence(seen: Floats, parts: Floats, which: int) -> Floats:
    """(K,) the logarithm of how likely (N,) values of a feature are with each of (K, N) partitions."""
    spreads = TRIED[which]
    first, more = FIRST_SPREAD[which] ** -2.0, MORE_SPREAD[which] ** -2.0
    off = seen - FIRST[which] - MORE[which] * parts
    precision = spreads[:, None] ** -2.0
    count, all_off, second_off = parts.sum(axis=1), off.sum(axis=1), (off * parts).sum(axis=1)
    # The posterior's precision is [[a, b], [b, c]], for the first colour and for how much more the second is.
    a, b, c = first + len(seen) * precision, count * precision, more + count * precision
    determinant = a * c - b * b
    explained = c * all_off**2 - 2 * b * all_off * second_off + a * second_off**2
    log_likely = -0.5 * (
        (off**2).sum(axis=1) * precision
        - precision**2 * explained / determinant
        - len(seen) * np.log(precision)
        + np.log(determinant)
    )
    log_likely -= 0.5 * (np.log(spreads[:, None] / USUAL[which]) / OTHER_SPREAD) ** 2
    return np.asarray(np.logaddexp.reduce(log_likely, axis=0))


def _second(belief: Mapping[Thing | None, float]) -> float:
    """How likely a stone is of the second colour, if there is one."""
    of_colour = [belief.get(Thing(DRUID, colour), 0.0) for colour in COLOURS]
    return of_colour[1] / sum(of_colour) if sum(of_colour) else 0.5
