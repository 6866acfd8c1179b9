"""Sets of pieces as any maker might have made them: the kinds of a board file in other sizes and shapes.

Nothing that reads photographs may lean on one set's shapes; so a set is drawn at random for every picture:
flat, bevelled or domed discs, pawns, chessmen, robes, cones, pegs and flat men for figures, slim and stout
triliths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from engine.board import PieceType
from vision.geometry.bodies import Body, Prism, body_of, rectangle

# A turned shape: rings of (share of the height, radius in mm) from the foot to the top.
Profile = list[tuple[float, float]]
CORNERS = 16
LYING = "lying"
# How often figures are sawn out of a board.
FLAT_MEN = 0.12


@dataclass(frozen=True)
class PieceSet:
    """The solids of one set by kind; `lying` is the figure on its side."""

    bodies: Mapping[str, Body]
    lying: Body | None


def random_set(rng: np.random.Generator, pieces: Mapping[str, PieceType], spread: float = 0.09) -> PieceSet:
    """One set: every kind resized by some `spread` (log-normal) and given a shape."""
    bodies: dict[str, Body] = {}
    lying = None
    for name, piece in pieces.items():
        own = resized(piece, rng, spread)
        if piece.shape == "figure":
            height, profile = own.dims_mm["height_mm"], _figure_profile(rng, own.dims_mm["base_mm"])
            flat = rng.random() < FLAT_MEN
            prisms = _flat_man(rng, own.dims_mm["base_mm"], height) if flat else turned(profile, height)
            bodies[name] = Body(name, prisms, height, piece.shape)
            lying = _lying(name, profile, height)
        elif piece.shape == "cylinder":
            height = own.dims_mm["height_mm"]
            bodies[name] = Body(
                name, turned(_disc_profile(rng, own.dims_mm["diameter_mm"]), height), height, piece.shape
            )
        elif piece.shape == "trilith":
            bodies[name] = _bevelled(rng, body_of(_other_trilith(rng, own)))
        else:
            bodies[name] = _bevelled(rng, body_of(own))
    return PieceSet(bodies, lying)


def resized(piece: PieceType, rng: np.random.Generator, spread: float) -> PieceType:
    """The piece type as another set has it: sizes off by some tenths."""
    whole = float(np.exp(rng.normal(0, spread)))
    dims = {k: float(v * whole * np.exp(rng.normal(0, spread / 2))) for k, v in piece.dims_mm.items()}
    return replace(piece, dims_mm=dims)


def _other_trilith(rng: np.random.Generator, piece: PieceType) -> PieceType:
    """Span and height stay as they are: they must fit the board. The stones' own sizes do not."""
    dims = dict(piece.dims_mm)
    for key in ("pillar_length_mm", "pillar_width_mm", "capstone_width_mm", "capstone_height_mm"):
        if key in dims:
            dims[key] *= float(np.exp(rng.normal(0, 0.1)))
    return replace(piece, dims_mm=dims)


def _disc_profile(rng: np.random.Generator, diameter: float) -> Profile:
    radius = diameter / 2
    style = rng.random()
    if style < 0.35:
        return [(0.0, radius), (1.0, radius)]
    if style < 0.75:
        return [(0.0, radius), (1 - rng.uniform(0.1, 0.4), radius), (1.0, radius * rng.uniform(0.86, 0.97))]
    return [(0.0, radius), (0.45, radius), (0.75, 0.9 * radius), (0.92, 0.68 * radius), (1.0, 0.4 * radius)]


def _figure_profile(rng: np.random.Generator, base: float) -> Profile:
    styles = ["pawn", "chessman", "robe", "cone", "peg", "any"]
    style = rng.choice(styles, p=[0.25, 0.25, 0.2, 0.1, 0.08, 0.12])
    if style == "pawn":
        shares = _pawn(rng)
    elif style == "chessman":
        shares = _chessman(rng)
    elif style == "robe":
        hood = rng.uniform(0.4, 0.62)
        shares = [
            (0.0, 1.0),
            (rng.uniform(0.3, 0.5), rng.uniform(0.7, 0.9)),
            (0.66, rng.uniform(0.55, 0.85)),
            (0.7, hood),
            (0.88, hood * rng.uniform(0.7, 0.95)),
            (1.0, hood * rng.uniform(0.1, 0.4)),
        ]
    elif style == "cone":
        tip = rng.uniform(0.08, 0.4)
        shares = [(0.0, 1.0), (0.5, (1 + tip) / 2 * rng.uniform(0.85, 1.1)), (0.95, tip), (1.0, tip * 0.6)]
    elif style == "peg":
        top = rng.uniform(0.55, 0.95)
        shares = [(0.0, 1.0), (0.6, (1 + top) / 2), (0.9, top), (1.0, top * 0.6)]
    else:
        heights = sorted(rng.uniform(0.1, 0.9, 4))
        shares = [(0.0, 1.0), *((float(h), rng.uniform(0.35, 0.95)) for h in heights), (1.0, 0.4)]
    return [(height, share * base / 2) for height, share in shares]


def _pawn(rng: np.random.Generator) -> Profile:
    """A foot, a waist, a neck and a ball on it, as shares of height and half width."""
    head, chin, foot = rng.uniform(0.5, 0.75), rng.uniform(0.55, 0.72), rng.uniform(0.08, 0.25)
    ball = [
        (chin + (1 - chin) * t, head * float(np.sqrt(1 - (2 * t - 1) ** 2))) for t in (0.12, 0.35, 0.7, 0.9)
    ]
    return [
        (0.0, 1.0),
        (foot, rng.uniform(0.8, 1)),
        (foot + 0.04, rng.uniform(0.55, 0.8)),
        (chin, rng.uniform(0.3, 0.5)),
        *ball,
        (1.0, 0.3 * head),
    ]


def _chessman(rng: np.random.Generator) -> Profile:
    """A wide foot, a slim stem, a collar and a head, as shares of height and half width."""
    foot, stem, collar = rng.uniform(0.06, 0.16), rng.uniform(0.22, 0.45), rng.uniform(0.55, 0.74)
    head, rim = rng.uniform(0.32, 0.62), rng.uniform(0.4, 0.75)
    return [
        (0.0, 1.0),
        (foot, rng.uniform(0.8, 1.0)),
        (foot + rng.uniform(0.05, 0.12), rng.uniform(1.1, 1.8) * stem),
        (collar - 0.03, stem),
        (collar, rim),
        (collar + 0.05, rim),
        (collar + 0.07, rng.uniform(0.6, 0.9) * head),
        (0.82, head),
        (0.93, head * rng.uniform(0.6, 1.0)),
        (1.0, head * rng.uniform(0.2, 0.9)),
    ]


def _flat_man(rng: np.random.Generator, base: float, height: float) -> tuple[Prism, ...]:
    """Two legs, a waist, arms and a head, all as thick as the board it is sawn out of."""
    thick, parts = base * rng.uniform(0.35, 0.7), []
    levels = (0.0, rng.uniform(0.25, 0.4), rng.uniform(0.45, 0.55), rng.uniform(0.6, 0.72), 1.0)
    wide = (1.0, rng.uniform(0.5, 0.8), rng.uniform(0.85, 1.15), rng.uniform(0.35, 0.55))
    for (low, high), share in zip(pairwise(levels), wide, strict=True):
        parts.append(
            Prism(rectangle(share * base, thick), low * height, high * height, rng.uniform(0.8, 1.0))
        )
    return tuple(parts)


def turned(profile: Profile, height_mm: float) -> tuple[Prism, ...]:
    """The turned shape as prisms of CORNERS sides, one one upon the other at the origin (mm)."""
    turns = np.arange(CORNERS) * 2 * np.pi / CORNERS
    prisms = []
    for (low, wide), (high, narrow) in pairwise(profile):
        foot = tuple((float(wide * np.cos(t)), float(wide * np.sin(t))) for t in turns)
        prisms.append(Prism(foot, low * height_mm, high * height_mm, narrow / wide))
    return tuple(prisms)


def _lying(kind: str, profile: Profile, height_mm: float) -> Body:
    """A turned piece on its side, foot towards -x: each ring a slab, and a narrower one upon it."""
    most = max(radius for _, radius in profile)
    prisms = []
    for (low, wide), (high, narrow) in pairwise(profile):
        a, b, radius = (low - 0.5) * height_mm, (high - 0.5) * height_mm, max(wide, narrow)
        if b - a < 0.5:
            continue
        floor = 0.0 if radius > 0.7 * most else most - radius
        for share, bottom, top in (
            (1.0, floor, most + 0.35 * radius),
            (0.7, most + 0.35 * radius, most + 0.85 * radius),
        ):
            outline = ((a, -share * wide), (b, -share * narrow), (b, share * narrow), (a, share * wide))
            prisms.append(Prism(outline, bottom, top))
    return Body(kind, tuple(prisms), 2 * most)


def _bevelled(rng: np.random.Generator, body: Body) -> Body:
    """Edges broken at the top, and tall stones in two parts, of which the lower one is darker."""
    prisms: list[Prism] = []
    edge = rng.uniform(0.0, 1.8)
    for prism in body.prisms:
        low, high = prism.low_mm, prism.high_mm
        if high - low > 12 and low < 1:
            prisms.append(Prism(prism.footprint_mm, low, low + (high - low) / 3))
            low += (high - low) / 3
        corners = np.asarray(prism.footprint_mm)
        centred = float(np.abs(corners.mean(axis=0)).max()) < 1e-6
        if centred and edge > 0.4 and high - low > 2 * edge:
            half = float(np.ptp(corners, axis=0).min()) / 2
            prisms.append(Prism(prism.footprint_mm, low, high - edge))
            low, taper = high - edge, max(0.5, 1 - 0.7 * edge / half)
        else:
            taper = 1.0
        prisms.append(Prism(prism.footprint_mm, low, high, taper))
    return Body(body.kind, tuple(prisms), body.top_mm, body.shape)
