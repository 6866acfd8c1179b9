"""The solids that pieces are, as a camera sees them: outlines for masks, for hiding, for drawing.

A body is a stack of prisms: convex footprints (mm, in the piece's own frame: x along its length) between
two heights, the upper one possibly smaller. Real pieces differ in detail; nothing here needs to be exact
to more than a few millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np

from engine.board import PieceType
from vision.geometry.view import Array, View

# The layers of an ordinary heap.
LAYERS = 3


@dataclass(frozen=True)
class Prism:
    """A convex footprint from `low_mm` to `high_mm`; the top is the footprint scaled by `taper`."""

    footprint_mm: tuple[tuple[float, float], ...]
    low_mm: float
    high_mm: float
    taper: float = 1.0


@dataclass(frozen=True)
class Body:
    """A kind of piece as a solid. `shape` is the board file's word for it; `top_mm` is the height of its
    highest face. `count` is 1, or None for a heap of them: nobody can count what lies inside."""

    kind: str
    prisms: tuple[Prism, ...]
    top_mm: float
    shape: str = "box"
    count: int | None = 1

    def outlines(
        self, view: View, at_mm: tuple[float, float], angle_deg: float, base_mm: float = 0.0
    ) -> list[tuple[Array, Array]]:
        """Per prism the convex hull of its picture and its top face, each (N, 2) in pixels.

        at_mm: where the piece stands; angle_deg clockwise from +x; base_mm: height of what it stands on."""
        return outlines_of_all(view, [(self, at_mm, angle_deg, base_mm)])[0]

    @cached_property
    def corners_mm(self) -> tuple[Array, Array]:
        """(C, 2) the corners of all prisms in the body's own frame, of each those of its foot and of its top;
        and (C,) how high they are."""
        points, heights = [], []
        for prism in self.prisms:
            foot = np.asarray(prism.footprint_mm, float)
            points += [foot, foot * prism.taper]
            heights += [np.full(len(foot), height) for height in (prism.low_mm, prism.high_mm)]
        return np.concatenate(points), np.concatenate(heights)


# A body, where it stands (mm), how it is turned (degrees clockwise from +x), how high its ground is (mm).
Stood = tuple[Body, tuple[float, float], float, float]


def corners_px(view: View, stood: Sequence[Stood]) -> list[Array]:
    """Where the corners of each body (see `Body.corners_mm`) are seen, (C, 2) px."""
    if not stood:
        return []
    corners = [placed(body.corners_mm[0], at_mm, angle_deg) for body, at_mm, angle_deg, _ in stood]
    heights = [base_mm + body.corners_mm[1] for body, _, _, base_mm in stood]
    pixels = view.project(np.concatenate(corners), np.concatenate(heights))
    return np.split(pixels, np.cumsum([len(points) for points in corners])[:-1])


def outlines_of_all(view: View, stood: Sequence[Stood]) -> list[list[tuple[Array, Array]]]:
    """`Body.outlines` of many bodies at once."""
    every = []
    for (body, *_), pixels in zip(stood, corners_px(view, stood), strict=True):
        found, first = [], 0
        for prism in body.prisms:
            corners = len(prism.footprint_mm)
            both, high = pixels[first : first + 2 * corners], pixels[first + corners : first + 2 * corners]
            hull = cv2.convexHull(both.astype(np.float32)).reshape(-1, 2)
            found.append((hull.astype(float), high))
            first += 2 * corners
        every.append(found)
    return every


def body_of(piece: PieceType, *, lying: bool = False) -> Body:
    """The solid that a board file's piece is. A lying figure is a bar of its height, and so is a pillar."""
    return _body(piece.name, piece.shape, tuple(sorted(piece.dims_mm.items())), lying)


def heap_of(piece: PieceType) -> Body:
    """Several blocks of one colour, piled up crosswise."""
    side, height = piece.length_mm, LAYERS * piece.height_mm
    return Body(piece.name, (Prism(rectangle(side, side), 0, height),), height, "heap", None)


@cache
def _body(kind: str, shape: str, dims: tuple[tuple[str, float], ...], lying: bool) -> Body:
    size = dict(dims)
    height = size.get("height_mm", 0.4)
    if shape == "cylinder":
        return Body(kind, (Prism(_circle(size["diameter_mm"]), 0, height),), height, shape)
    if shape == "figure":
        base = size["base_mm"]
        if lying:
            return Body(kind, (Prism(rectangle(height, 0.8 * base), 0, 0.8 * base),), 0.8 * base)
        return Body(kind, _figure(base, height), height, shape)
    if shape == "trilith":
        return Body(kind, _trilith(size), height, shape)
    length, width = size["length_mm"], size["width_mm"]
    if lying:
        length, width, height = height, length, width
    return Body(kind, (Prism(rectangle(length, width), 0, height),), height)


def _figure(base: float, height: float) -> tuple[Prism, ...]:
    """A pawn: a foot, a waist and a head."""
    return (
        Prism(_circle(base), 0, 0.25 * height, 0.8),
        Prism(_circle(0.62 * base), 0.25 * height, 0.72 * height, 0.8),
        Prism(_circle(0.62 * base), 0.7 * height, height, 0.75),
    )


def _trilith(size: dict[str, float]) -> tuple[Prism, ...]:
    span, height = size["span_mm"], size["height_mm"]
    long, wide = size.get("pillar_length_mm", 0.28 * span), size.get("pillar_width_mm", 0.25 * span)
    cap_height = size.get("capstone_height_mm", 0.22 * height)
    cap = rectangle(size.get("capstone_length_mm", 1.33 * span), size.get("capstone_width_mm", wide * 1.1))
    pillars = (rectangle(long, wide, shift) for shift in (-span / 2, span / 2))
    return (
        *(Prism(foot, 0, height - cap_height) for foot in pillars),
        Prism(cap, height - cap_height, height),
    )


def rectangle(length: float, width: float, shift: float = 0.0) -> tuple[tuple[float, float], ...]:
    """The footprint of a box, its long side along x, its middle `shift` mm along it."""
    x, y = length / 2, width / 2
    return ((shift - x, -y), (shift + x, -y), (shift + x, y), (shift - x, y))


def _circle(diameter: float, corners: int = 20) -> tuple[tuple[float, float], ...]:
    turns = np.arange(corners) * 2 * np.pi / corners
    return tuple((float(diameter / 2 * np.cos(t)), float(diameter / 2 * np.sin(t))) for t in turns)


def placed(points: Array, at_mm: tuple[float, float], angle_deg: float) -> Array:
    """(N, 2) points of a body's own frame where it stands, turned clockwise from +x; all in mm."""
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(at_mm))
