"""Which colour a druid stone with a sticker has: its side tells, its face is as white as any other's.

The networks see all of a stone at once, and mix the two. The sides of stones are told apart by their tint
alone, how much redder than blue they are: how bright they are depends on where the lamp stands. Their light
is not quite that of the board, nor is their set as every other: how far all tints of a table are off, how far
its colours are apart and how far stones of one colour differ is weighed too. Where no side is seen,
as from above, that network tells which has learnt to look beside what is white on a piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.board import PieceType
from engine.position import Thing
from vision.colours.palette import Palette
from vision.stones.digits import Face, Round
from vision.stones.stone_set import is_stone, shared

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float64]
# Where on a stone is looked, as shares of its height and of its radius, in so many directions; where its side
# is as high in the picture as this (px), it is seen.
SIDE, FACE, AROUND, SEEN_PX, FEWEST = (0.3, 0.45, 0.6), (0.2, 0.4, 0.6, 0.75), 48, 2.5, 4
# A sticker is white, and so many times as bright as the side; where the light is dim, even more so: polished
# faces mirror something, too.
WHITE, STICKER, DIM_STICKER = 0.6, 2.5, 4.5
# The tint of a side for that of a paint, and that which the network sees beside the sticker (of 122 stones
# whose sides are not seen, on 77 photographs); how far a table's tints are off, and how often a tint tells
# nothing: of 523 stones on 55 photographs. DARK keeps the tint of what is black within bounds.
TINT_OF, BESIDE_TINT_OF = (0.12, 0.55), (0.03, 0.6)
OFF, NOTHING, DARK = 0.2, 0.01, 0.02
# How far tints of one colour usually differ, and how far a table's may be from that (the logarithm); how far
# its colours are apart beside the usual. (Of 272 stones in 126 photographs two were told wrongly with 0.15
# for all tables, the log loss was 7.2; so it is one, and 5.6.)
SPREAD, OTHER_SPREAD, OTHER_CONTRAST = 0.11, 0.6, 0.3
# The networks' doubt in a stone's colour if it has a sticker.
DOUBT = 0.05
# What is tried of a table: off by so much, so much contrast, so much spread.
TRIED = np.array(
    [*product(np.linspace(-0.6, 0.6, 49), (0.6, 0.8, 1.0, 1.2, 1.4), (0.05, 0.08, 0.12, 0.17, 0.25))]
)


def weigh_sides(
    sight: Sight,
    faces: Mapping[str, Face],
    stone: PieceType,
    palette: Palette,
    beside: Mapping[str, NDArray[np.float32]],
) -> list[str]:
    """Weigh the belief in each of these stones that have a sticker with the tint of its side or, if that is
    not clearly seen, with that which is seen beside the sticker (see `network.Looks.matt`); returns where
    they are."""
    paints = dict(zip(palette.names, tint(palette.shades), strict=True))
    colours = [name for name in stone.colours if name in paints]
    of_paints = np.array([float(paints[name]) for name in colours])
    places, tints, usual = [], [], []
    for place, face in faces.items():
        bright = _brightness(sight, face.where, stone.height_mm)
        least = STICKER if bright > WHITE else DIM_STICKER
        side = _side(sight, face.where, stone.height_mm)
        for seen, (usual_tint, slope) in ((side, TINT_OF), (beside[place], BESIDE_TINT_OF)):
            if seen is not None and bright > least * seen.mean():
                places.append(place)
                tints.append(float(tint(seen)))
                usual.append(usual_tint + slope * of_paints)
                break
    if not places:
        return []
    for place, ratios in zip(places, likelihoods(tints, np.array(usual)), strict=True):
        sight.beliefs[place] = _weighed(
            sight.beliefs[place], dict(zip(colours, ratios.tolist(), strict=True))
        )
    return places


def _weighed(belief: Mapping[Thing | None, float], ratios: Mapping[str, float]) -> dict[Thing | None, float]:
    """The belief in a stone of any of these colours, shared anew among them."""
    own = {thing.colour: chance for thing, chance in belief.items() if thing is not None and is_stone(thing)}
    stone = sum(own.values())
    shares = {colour: max(own.get(colour, 0.0) / stone, DOUBT) * ratio for colour, ratio in ratios.items()}
    total = sum(shares.values())
    return shared(belief, {colour: share / total for colour, share in shares.items()})


def likelihoods(tints: Sequence[float], usual: Floats) -> Floats:
    """(N, C) how likely N stones are seen with these tints, were they of each of C colours, with which they
    have the `usual` tints, (C,) or (N, C): together, since those of one table are off alike. Exact but for
    the common factor."""
    off, contrast, spread = TRIED.T
    usual = np.atleast_2d(usual)
    middle = usual.mean(axis=1, keepdims=True)
    expected = middle[..., None] + (usual - middle)[..., None] * contrast + off
    away = (np.array(tints)[:, None, None] - expected) / spread
    each = np.exp(-0.5 * away**2) * (SPREAD / spread) + NOTHING
    together = np.log(each.sum(axis=1))
    table = (off / OFF) ** 2 + (np.log(contrast) / OTHER_CONTRAST) ** 2
    table += (np.log(spread / SPREAD) / OTHER_SPREAD) ** 2
    likely = together.sum(axis=0) - 0.5 * table
    of_table = np.exp(likely - likely.max() - together)
    return np.asarray((each * of_table[:, None]).sum(axis=2))


def tint(bgr: NDArray[np.floating]) -> Floats:
    """(...) how much redder than blue (..., 3) display-referred colours are."""
    return np.asarray(np.log((bgr[..., 2] + DARK) / (bgr[..., 0] + DARK)), float)


def _side(sight: Sight, stone: Round, height_mm: float) -> Floats | None:
    """(3,) how a stone's side looks, display-referred BGR; None if it is not seen."""
    around, at = _circle(stone)
    middle, top, foot = (
        sight.view.project(points, height)
        for points, height in ((at[None], height_mm), (at + around, height_mm), (at + around, 0.0))
    )
    outwards = (top - middle) / np.maximum(np.linalg.norm(top - middle, axis=1), 1e-6)[:, None]
    turned_here = around[((foot - top) * outwards).sum(axis=1) > SEEN_PX]
    if len(turned_here) < FEWEST:
        return None
    side = np.concatenate([sight.lit(at + turned_here, share * height_mm, at) for share in SIDE])
    return np.asarray(np.median(side, axis=0), float)


def _circle(stone: Round) -> tuple[Floats, Floats]:
    """(N, 2) mm from a stone's middle to its rim, and (2,) where the middle is."""
    turns = np.arange(AROUND) * 2 * np.pi / AROUND
    rim = np.column_stack([np.cos(turns), np.sin(turns)]) * stone.radius_mm
    return rim, np.array(stone.centre_mm)


def _brightness(sight: Sight, stone: Round, height_mm: float) -> float:
    """How bright a stone's face is."""
    around, at = _circle(stone)
    face = np.concatenate([sight.lit(at + share * around, height_mm, at) for share in FACE])
    return float(np.median(face, axis=0).mean())
