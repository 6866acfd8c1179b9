"""Which colour a druid stone with a sticker has: its side tells, its face is as white as any other's.

The networks see all of a stone at once, and mix the two. The sides of stones are told apart by their tint
alone, how much redder than blue they are: how bright they are depends on where the lamp stands. Their light
is not quite that of the board, so how far all tints of a table are off is weighed too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.board import PieceType
from engine.position import Thing
from vision.digits import Face, Round
from vision.palette import Palette
from vision.stone_set import DRUID

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float64]
# Where on a stone is looked, as shares of its height and of its radius, in so many directions; where its side
# is as high in the picture as this (px), it is seen.
SIDE, FACE, AROUND, SEEN_PX, FEWEST = (0.3, 0.45, 0.6), (0.2, 0.4, 0.6, 0.75), 48, 2.5, 4
# A sticker is white, and so many times as bright as the side; where the light is dim, even more so: polished
# faces mirror something, too.
WHITE, STICKER, DIM_STICKER = 0.6, 2.5, 4.5
# The tint of a side for that of a paint, how far it is from that, how far a table's tints are off, and how
# often a tint tells nothing: of 523 stones on 55 photographs. DARK keeps the tint of what is black within
# bounds.
TINT_OF, SPREAD, OFF, NOTHING, DARK = (0.12, 0.55), 0.15, 0.2, 0.01, 0.02
# The networks' doubt in a stone's colour if it has a sticker.
DOUBT = 0.05
TRIED = np.linspace(-0.6, 0.6, 49)


def weigh_sides(sight: Sight, faces: Mapping[str, Face], stone: PieceType, palette: Palette) -> None:
    """Weigh the belief in each of these stones with the tint of its side, if it has a sticker and its side is
    seen."""
    sides = {place: _side(sight, face.where, stone.height_mm) for place, face in faces.items()}
    tints = {place: tint for place, tint in sides.items() if tint is not None}
    if not tints:
        return
    paints = dict(zip(palette.names, _tint(palette.shades), strict=True))
    colours = [name for name in stone.colours if name in paints]
    usual = np.array([TINT_OF[0] + TINT_OF[1] * float(paints[name]) for name in colours])
    for place, ratios in zip(tints, likelihoods(list(tints.values()), usual), strict=True):
        sight.beliefs[place] = _weighed(
            sight.beliefs[place], dict(zip(colours, ratios.tolist(), strict=True))
        )


def _weighed(belief: Mapping[Thing | None, float], ratios: Mapping[str, float]) -> dict[Thing | None, float]:
    """The belief in a stone of any of these colours, shared anew among them."""
    others = {thing: chance for thing, chance in belief.items() if not _is_stone(thing)}
    stone = sum(belief.values()) - sum(others.values())
    own = {thing.colour: chance for thing, chance in belief.items() if thing is not None and _is_stone(thing)}
    shares = {colour: max(own.get(colour, 0.0) / stone, DOUBT) * ratio for colour, ratio in ratios.items()}
    total = sum(shares.values())
    return others | {Thing(DRUID, colour): stone * share / total for colour, share in shares.items()}


def likelihoods(tints: Sequence[float], usual: Floats) -> Floats:
    """(N, C) how likely the sides of N stones are seen with these tints, were they of each of C colours whose
    sides have the `usual` tints: together, since all are off alike. Exact but for the common factor."""
    away = np.array(tints)[:, None, None] - usual[:, None] - TRIED
    each = np.exp(-0.5 * (away / SPREAD) ** 2) + NOTHING
    together = np.log(each.sum(axis=1))
    off = np.exp(together.sum(axis=0) - together.sum(axis=0).max() - 0.5 * (TRIED / OFF) ** 2)
    return np.asarray((each * off / np.exp(together)[:, None]).sum(axis=2))


def _is_stone(thing: Thing | None) -> bool:
    return thing is not None and thing.kind == DRUID


def _tint(bgr: NDArray[np.floating]) -> Floats:
    """(...) how much redder than blue (..., 3) display-referred colours are."""
    return np.asarray(np.log((bgr[..., 2] + DARK) / (bgr[..., 0] + DARK)), float)


def _side(sight: Sight, stone: Round, height_mm: float) -> float | None:
    """The tint of a stone's side; None if it has no sticker or its side is not seen."""
    turns = np.arange(AROUND) * 2 * np.pi / AROUND
    around = np.column_stack([np.cos(turns), np.sin(turns)]) * stone.radius_mm
    at = np.array(stone.centre_mm)
    middle, top, foot = (
        sight.view.project(points, height)
        for points, height in ((at[None], height_mm), (at + around, height_mm), (at + around, 0.0))
    )
    outwards = (top - middle) / np.maximum(np.linalg.norm(top - middle, axis=1), 1e-6)[:, None]
    turned_here = around[((foot - top) * outwards).sum(axis=1) > SEEN_PX]
    if len(turned_here) < FEWEST:
        return None
    side = np.concatenate([sight.lit(at + turned_here, share * height_mm, at) for share in SIDE])
    face = np.concatenate([sight.lit(at + share * around, height_mm, at) for share in FACE])
    seen, bright = np.median(side, axis=0), float(np.median(face, axis=0).mean())
    least = STICKER if bright > WHITE else DIM_STICKER
    return float(_tint(seen)) if bright > least * seen.mean() else None
