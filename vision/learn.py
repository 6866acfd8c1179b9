"""The pieces of a set, learnt from one photograph in which some of each colour lie on fields of the board:
the set's real shades and sizes.

Where pieces lie and of which kind and colour they are is read as in a game; then every piece is looked at
again. Sizes are those with which the drawn outlines cover best what has the piece's colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, PieceType
from engine.position import Thing
from vision.bodies import Body
from vision.crops import cut
from vision.digits import find_stone
from vision.network import look
from vision.palette import SPACE
from vision.places import Place
from vision.view import Array

if TYPE_CHECKING:
    from vision.reader import Reader, Sight

Floats = NDArray[np.float32]
RGB = tuple[int, int, int]
# A piece read with less confidence teaches nothing.
SURE = 0.8
# How far sizes may be from the board file's, what a measured outline must cover, and how much the board
# file's size counts, in pieces.
SMALLEST, LARGEST = 0.7, 1.4
GOOD_COVER, PRIOR_PIECES = 0.72, 0.5
REACH_MM = 6.0
# So many pieces of a kind are measured, on a picture so much finer than the photograph's.
ENOUGH, FINER = 10, 3


@dataclass(frozen=True)
class Shown:
    """A piece that was found: kind, colour, the field, how sure, and how well its outline covers what has
    its colour (0..1)."""

    kind: str
    colour: str
    place: str
    confidence: float
    cover: float


@dataclass(frozen=True)
class Learnt:
    """board: with the sizes as measured. colours: kind -> colour -> red, green, blue as the reference's
    light shows it; only what was seen. sizes_mm: kind -> what was measured. shown: the pieces found."""

    board: Board
    colours: dict[str, dict[str, RGB]]
    sizes_mm: dict[str, dict[str, float]]
    shown: tuple[Shown, ...]

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """Kind -> the colours of it that were not shown, for the kinds that were shown at all."""
        left = {
            kind: tuple(colour for colour in self.board.pieces[kind].colours if colour not in named)
            for kind, named in self.colours.items()
        }
        return {kind: colours for kind, colours in left.items() if colours}


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


def learn_pieces(reader: Reader) -> Learnt:
    """What the picture that `reader` read last tells of the set. Raises ValueError if it has read none."""
    sight = reader.sight
    if sight is None:
        raise ValueError("nothing has been read yet")
    board = reader.board
    feet = _feet(board, reader.places, sight)
    counts: Counter[str] = Counter()
    fits = []
    for foot in feet:
        counts[foot.thing.kind] += 1
        enough = counts[foot.thing.kind] > ENOUGH
        fits.append((1.0, 1.0, 0.0) if enough else _fitted(sight, foot, foot.place.bodies[0]))
    measured: dict[str, dict[str, float]] = {}
    for kind in dict.fromkeys(foot.thing.kind for foot in feet):
        mine = [fit for foot, fit in zip(feet, fits, strict=True) if foot.thing.kind == kind]
        sizes = _sizes(board.pieces[kind], mine)
        measured |= {kind: sizes} if sizes else {}
    pieces = {
        name: replace(piece, dims_mm={**piece.dims_mm, **measured.get(name, {})})
        for name, piece in board.pieces.items()
    }
    shown = tuple(
        Shown(foot.thing.kind, foot.thing.colour or "", foot.place.id, round(foot.sure, 3), round(fit[2], 3))
        for foot, fit in zip(feet, fits, strict=True)
    )
    return Learnt(replace(board, pieces=pieces), _colours(feet), measured, shown)


def _feet(board: Board, places: Sequence[Place], sight: Sight) -> list[Foot]:
    """The pieces that were surely read, each with its colour looked at again."""
    feet = []
    for place in places:
        thing, sure = max(sight.beliefs.get(place.id, {None: 1.0}).items(), key=lambda item: item[1])
        if thing is None or thing.colour is None or sure < SURE or place.id in sight.unseen:
            continue
        body = next(each for each in place.bodies if each.kind == thing.kind)
        alone = replace(place, bodies=(body,))
        seen = look(cut(sight.image, sight.view, sight.surface, sight.light, (alone,))).seen[0]
        if thing.kind == "druid":
            seen = np.asarray(find_stone(board, sight, place.id).colour, np.float32)
        feet.append(Foot(thing, alone, seen, float(sure)))
    return feet


def _colours(feet: Sequence[Foot]) -> dict[str, dict[str, RGB]]:
    """The median shade of each colour of each kind."""
    found: dict[str, dict[str, RGB]] = {}
    for kind, colour in sorted({(foot.thing.kind, foot.thing.colour or "") for foot in feet}):
        mine = [foot.seen for foot in feet if (foot.thing.kind, foot.thing.colour) == (kind, colour)]
        blue, green, red = (int(np.clip(round(float(v) * 255), 0, 255)) for v in np.median(mine, axis=0))
        found.setdefault(kind, {})[colour] = (red, green, blue)
    return found


# --- how large they are ------------------------------------------------------------------------------

Fit = tuple[float, float, float]


def _fitted(sight: Sight, foot: Foot, body: Body) -> Fit:
    """Scale of plan and height with which the body covers best what has the piece's colour, and how well
    (intersection over union)."""
    if body.shape == "trilith":
        return 1.0, 1.0, 0.0
    mask, offset = _own_pixels(sight, foot, body)
    if mask.sum() < 40:
        return 1.0, 1.0, 0.0
    state = np.array([foot.at_mm[0], foot.at_mm[1], foot.angle_deg, 1.0, 1.0])
    cover = _cover(sight, body, state, mask, offset)
    step = np.array([REACH_MM, REACH_MM, 30.0, 0.2, 0.3])
    while step[0] > 0.3:
        better = False
        for axis in range(5):
            for sign in (-1, 1):
                tried = state.copy()
                tried[axis] += sign * step[axis]
                if not SMALLEST <= min(tried[3:]) <= max(tried[3:]) <= LARGEST:
                    continue
                value = _cover(sight, body, tried, mask, offset)
                if value > cover + 1e-4:
                    state, cover, better = tried, value, True
        if not better:
            step /= 2
    return float(state[3]), float(state[4]), cover


def _width(body: Body) -> float:
    """The longest side of what a body covers of the ground."""
    points = np.array([point for prism in body.prisms for point in prism.footprint_mm])
    return float(np.ptp(points, axis=0).max())


def _own_pixels(sight: Sight, foot: Foot, body: Body) -> tuple[NDArray[np.uint8], Array]:
    """(h, w) 0 or 1 around the piece: pixels more like its colour, in whatever shadow, than like the ground.
    offset: the mask's corner in the picture."""
    reach = 0.75 * _width(body) + REACH_MM
    around = np.array([[x, y] for x in (-reach, reach) for y in (-reach, reach)]) + foot.at_mm
    points = np.concatenate([sight.view.project(around), sight.view.project(around, 1.4 * body.top_mm)])
    low = np.clip(np.floor(points.min(axis=0)), 0, np.array(sight.view.size_px) - 1).astype(int)
    high = np.clip(np.ceil(points.max(axis=0)), 0, np.array(sight.view.size_px) - 1).astype(int)
    x, y = (np.arange(a, b, 1 / FINER) + 0.5 / FINER - 0.5 for a, b in zip(low, high + 1, strict=True))
    pixels = np.stack(np.meshgrid(x, y), axis=-1).astype(np.float32)
    mm = sight.view.on_plane(pixels.reshape(-1, 2)).reshape(pixels.shape).astype(np.float32)
    seen = cv2.remap(sight.image, pixels, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lit = sight.light.even_out(seen.astype(np.float32), mm)
    ground = sight.surface.sample(mm[None], [1.0])[0]
    own = _gap(lit, foot.seen.reshape(1, 1, 3)) < _gap(lit, ground)
    own &= np.abs(lit - ground).max(axis=2) > 0.05
    mask = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, marks = cv2.connectedComponents(mask, connectivity=8)
    middle = (sight.view.project(np.array([foot.at_mm]), 0.4 * body.top_mm)[0] - low) * FINER
    column, row = (int(np.clip(v, 0, n - 1)) for v, n in zip(middle, (len(x), len(y)), strict=True))
    mark = int(marks[row, column])
    if not mark and count > 1:
        mark = int(np.bincount(marks.ravel())[1:].argmax()) + 1
    return (marks == mark).astype(np.uint8) * (mark > 0), low.astype(float)


def _gap(lit: Floats, shade: Floats) -> Floats:
    """(h, w) squared distance from a colour in as much shadow as suits."""
    gaps = [
        ((((lit - shade * dim) @ SPACE) ** 2).sum(axis=2) + ((1 - dim) / 0.15) ** 2)
        for dim in (0.6, 0.8, 1.0, 1.15)
    ]
    return np.asarray(np.minimum.reduce(gaps), np.float32)


def _cover(sight: Sight, body: Body, state: Array, mask: NDArray[np.uint8], offset: Array) -> float:
    x, y, angle, plan, tall = (float(value) for value in state)
    drawn = np.zeros_like(mask)
    for hull, _ in scaled_body(body, plan, tall).outlines(sight.view, (x, y), angle):
        cv2.fillConvexPoly(
            drawn, np.round(((hull - offset + 0.5) * FINER - 0.5) * 16).astype(np.int32), (1,), shift=4
        )
    both = int((drawn & mask).sum())
    return both / max(1, int((drawn | mask).sum()))


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


def _sizes(piece: PieceType, fits: Sequence[Fit]) -> dict[str, float]:
    """The kind's sizes from its pieces' outlines, held to the board file's where few were seen."""
    good = [fit for fit in fits if fit[2] >= GOOD_COVER]
    if not good:
        return {}
    share = len(good) / (len(good) + PRIOR_PIECES)
    plan = 1 + share * (float(np.median([fit[0] for fit in good])) - 1)
    tall = 1 + share * (float(np.median([fit[1] for fit in good])) - 1)
    heights = [name for name in piece.dims_mm if "height" in name]
    return {
        name: round(value * (tall if name in heights else plan), 1) for name, value in piece.dims_mm.items()
    }
