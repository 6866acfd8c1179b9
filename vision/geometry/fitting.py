"""How large a piece is and where exactly it stands: the solid whose drawn outline covers best what has the
piece's colour in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.position import Thing
from vision.colours.shades import gap
from vision.fields.places import Place
from vision.geometry.bodies import Body, Stood, outlines_of_all
from vision.geometry.view import Array, View

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
# How far sizes may be from the board file's.
SMALLEST, LARGEST = 0.7, 1.4
REACH_MM = 6.0
# How much shadow may lie on a piece, and what it costs, see `shades.gap`.
SHADOWS = (0.6, 0.8, 1.0, 1.15), 0.15
# A pixel that differs from the ground by less (0..1) belongs to nothing.
LEAST_DIFFERENCE = 0.05
# Pictures are compared on a grid so much finer than the photograph's.
FINER = 3


@dataclass(frozen=True)
class Foot:
    """Where a piece stands: its place, and its colour as seen (display-referred BGR)."""

    thing: Thing
    place: Place
    seen: Floats
    sure: float

    @property
    def at_mm(self) -> tuple[float, float]:
        return self.place.at_mm

    @property
    def angle_deg(self) -> float:
        return self.place.angle_deg


@dataclass(frozen=True)
class Fit:
    """at_mm, angle_deg: where the body stands; plan, tall: its footprint and height against the board
    file's; cover: how well its outline covers what has its colour (intersection over union, 0 unknown)."""

    at_mm: tuple[float, float] = (0.0, 0.0)
    angle_deg: float = 0.0
    plan: float = 1.0
    tall: float = 1.0
    cover: float = 0.0

    @property
    def other_size(self) -> float:
        """How far its size is from the board file's (logarithms): 0 if it is the same."""
        return abs(math.log(self.plan)) + abs(math.log(self.tall))


def fitted(sight: Sight, foot: Foot, body: Body) -> Fit:
    """The best fit of the body to the piece that stands there."""
    if body.shape == "trilith":
        return Fit(foot.at_mm, foot.angle_deg)
    mask, offset = own_pixels(sight, foot, body)
    if mask.sum() < 40:
        return Fit(foot.at_mm, foot.angle_deg)
    return fit_to_mask(sight.view, body, mask, offset, Fit(foot.at_mm, foot.angle_deg))


def fit_to_mask(view: View, body: Body, mask: Mask, offset_px: Array, start: Fit) -> Fit:
    """The best fit to a mask (h, w) of 0 and 1, FINER times as fine as the photograph, whose corner is at
    `offset_px`; found by steps along one axis after the other."""
    state = _state(start)
    (cover,) = _covers(view, body, [state], mask, offset_px)
    steps = np.diag([REACH_MM, REACH_MM, 30.0, 0.2, 0.3])
    while steps[0, 0] > 0.3:
        better = False
        for step in steps:
            both = [tried for tried in (state - step, state + step) if _possible(tried)]
            for tried, value in zip(both, _covers(view, body, both, mask, offset_px), strict=True):
                if value > cover + 1e-4:
                    state, cover, better = tried, value, True
        if not better:
            steps /= 2
    x, y, angle, plan, tall = (float(value) for value in state)
    return Fit((x, y), angle, plan, tall, cover)


def _possible(state: Array) -> bool:
    return bool(((state[3:] >= SMALLEST) & (state[3:] <= LARGEST)).all())


def _width(body: Body) -> float:
    """The longest side of what a body covers of the ground."""
    points = np.array([point for prism in body.prisms for point in prism.footprint_mm])
    return float(np.ptp(points, axis=0).max())


def own_pixels(sight: Sight, foot: Foot, body: Body) -> tuple[Mask, Array]:
    """(h, w) 0 or 1 around the piece: pixels more like its colour, in whatever shadow, than like the ground.
    offset: the mask's corner in the picture."""
    reach = 0.75 * _width(body) + REACH_MM
    around = np.array([[x, y] for x in (-reach, reach) for y in (-reach, reach)]) + foot.at_mm
    points = np.concatenate([sight.view.project(around), sight.view.project(around, 1.4 * body.top_mm)])
    lit, ground, low = pixels_around(sight, points)
    own = is_of(foot.seen, lit, ground)
    mask = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, marks = cv2.connectedComponents(mask, connectivity=8)
    middle = (sight.view.project(np.array([foot.at_mm]), 0.4 * body.top_mm)[0] - low) * FINER
    column, row = (int(np.clip(v, 0, n - 1)) for v, n in zip(middle, mask.shape[::-1], strict=True))
    mark = int(marks[row, column])
    if not mark and count > 1:
        mark = int(np.bincount(marks.ravel())[1:].argmax()) + 1
    return (marks == mark).astype(np.uint8) * (mark > 0), low


def pixels_around(sight: Sight, points_px: Array) -> tuple[Floats, Floats, Array]:
    """The part of a picture around some of its points, FINER times as fine: (h, w, 3) what is seen, evened
    out, (h, w, 3) the empty board there, and the corner of the part in the picture."""
    last = np.array(sight.view.size_px) - 1
    low = np.clip(np.floor(points_px.min(axis=0)), 0, last).astype(int)
    high = np.clip(np.ceil(points_px.max(axis=0)), 0, last).astype(int)
    x, y = (np.arange(a, b, 1 / FINER) + 0.5 / FINER - 0.5 for a, b in zip(low, high + 1, strict=True))
    pixels = np.stack(np.meshgrid(x, y), axis=-1).astype(np.float32)
    mm = sight.view.on_plane(pixels.reshape(-1, 2)).reshape(pixels.shape).astype(np.float32)
    seen = cv2.remap(sight.image, pixels, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lit = sight.light.even_out(seen.astype(np.float32), mm)
    return lit, sight.light.shown(sight.surface, mm[None], [1.0])[0], low.astype(float)


def is_of(colour: Floats, seen: Floats, ground: Floats) -> NDArray[np.bool_]:
    """(h, w) which pixels are more like a piece's colour, (3,), in whatever shadow, than like the ground, and
    differ from it at all. seen, ground: (h, w, 3), evened out."""
    differs = np.abs(seen - ground).max(axis=2) > LEAST_DIFFERENCE
    return np.asarray((gap(seen, colour, *SHADOWS) < gap(seen, ground, *SHADOWS)) & differs, np.bool_)


def cover_of(
    view: View, body: Body, fit: Fit, mask: Mask, offset_px: Array, before: Sequence[Stood] = ()
) -> float:
    """How well the body covers the mask as it stands, where nothing else stands before it."""
    hidden = np.zeros_like(mask)
    for outlines in outlines_of_all(view, before) if before else ():
        _draw(hidden, outlines, offset_px)
    return _covers(view, body, [_state(fit)], mask & ~hidden, offset_px, hidden)[0]


def _state(fit: Fit) -> Array:
    return np.array([*fit.at_mm, fit.angle_deg, fit.plan, fit.tall])


def _covers(
    view: View, body: Body, states: list[Array], mask: Mask, offset_px: Array, hidden: Mask | None = None
) -> list[float]:
    """Of each state how well the body then covers the mask; what is hidden of it does not count."""
    stood: list[Stood] = []
    for x, y, angle, plan, tall in (state.tolist() for state in states):
        stood.append((scaled_body(body, plan, tall), (x, y), angle, 0.0))
    found = []
    for outlines in outlines_of_all(view, stood):
        drawn = np.zeros_like(mask)
        _draw(drawn, outlines, offset_px)
        if hidden is not None:
            drawn &= ~hidden
        either, both = (cv2.countNonZero(each) for each in (drawn | mask, drawn & mask))
        found.append(both / max(1, either))
    return found


def _draw(mask: Mask, outlines: Sequence[tuple[Array, Array]], offset_px: Array) -> None:
    """Fill a body's outlines (`Body.outlines`) with 1."""
    for hull, _ in outlines:
        points = np.round(((hull - offset_px + 0.5) * FINER - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, (1,), shift=4)


def outward_normals(drawn: Floats) -> tuple[Floats, Floats]:
    """How far to the right and how far down the outline's normals point outwards, each like `drawn`, (H, W)
    float32, 1 on a shape and 0 around it; scaled so that filtering what changes in a picture to the right and
    downwards with them gives the mean change along the outline."""
    soft = cv2.GaussianBlur(drawn, (0, 0), 0.7)
    x, y = -cv2.Sobel(soft, cv2.CV_32F, 1, 0), -cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    length = float(np.hypot(x, y).sum())
    return x / length, y / length


def scaled_body(body: Body, plan: float, tall: float) -> Body:
    """The body with another footprint and another height."""
    prisms = tuple(
        replace(
            prism,
            footprint_mm=tuple((x * plan, y * plan) for x, y in prism.footprint_mm),
            low_mm=prism.low_mm * tall,
            high_mm=prism.high_mm * tall,
        )
        for prism in body.prisms
    )
    return replace(body, prisms=prisms, top_mm=body.top_mm * tall)
