"""What one, two or three discs on one another explain of a pit's picture.

A pile shows the top of its uppermost disc and, below it, a strip of every disc's side, as high as a disc is
thick. Where the pile stands is found with strips that are summed up beforehand, as one and the same outline
moves upwards; discs that do not lie straight on one another are then drawn and compared pixel by pixel.
Everything is told in logarithms of chances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fields.crops import CROP_PX, Frame
from vision.fields.places import Place
from vision.geometry.bodies import Body
from vision.geometry.view import Array
from vision.stacked.sides import Likeness

Floats = NDArray[np.float32]
Mask = NDArray[np.float32]
# Discs on one another are at most so many.
MOST = 3
# What a pixel of the photograph is worth: its neighbours err as it does.
WORTH = 0.25
# How far a disc usually lies off where its pit is seen, and at most, altogether and to the side (mm).
OFF_MM, MOST_OFF_MM, MOST_ASIDE_MM = 1.3, 4.5, 3.0
# Discs on one another are askew by about so much (mm).
ASKEW_MM = 0.8
ASKEW = np.array(
    [(x, y) for x in np.arange(-1.5, 1.6, 0.75) for y in np.arange(-1.5, 1.6, 0.75) if x * x + y * y < 3]
)
# Outlines are drawn so much finer to count parts of pixels.
FINER = 4


@dataclass
class Pile:
    """A pit with a disc, as its crop (see `crops.Frame`) shows it.

    far_mm: from the camera, along the board. colour: number of the uppermost disc's. seen, empty: (CROP_PX,
    CROP_PX, 3) photograph and board. foot: the pit's middle in the crop; outline: (N, 2) a disc's, around it;
    px_of_mm: (2, 2) from board millimetres to crop pixels; rise: pixels per millimetre of height; inside: 0
    beyond the photograph's edge. off_mm: where the pile was found. free: 0 there and where other pits' discs
    are in the picture. top: (CROP_PX, CROP_PX) how much more a pixel is like the uppermost disc's top than
    like the board; sides: (P, CROP_PX, CROP_PX) than like a disc's side, colour by colour; likeness: of the
    pixels that it may cover."""

    pit: Place
    far_mm: float
    colour: int
    frame: Frame
    seen: Floats
    empty: Floats
    foot: Array
    outline: Array
    px_of_mm: Array
    rise: float
    inside: Mask
    off_mm: Array = field(default_factory=lambda: np.zeros(2))
    free: Mask = field(default_factory=lambda: np.ones((CROP_PX, CROP_PX), np.float32))
    top: Floats = field(default_factory=lambda: np.zeros((CROP_PX, CROP_PX), np.float32))
    sides: Floats = field(default_factory=lambda: np.zeros((0, CROP_PX, CROP_PX), np.float32))
    likeness: Likeness | None = None

    @cached_property
    def mm_of_px(self) -> Array:
        return np.asarray(np.linalg.inv(self.px_of_mm))

    @property
    def at_mm(self) -> tuple[float, float]:
        """Where the pile was found."""
        return self.pit.at_mm[0] + float(self.off_mm[0]), self.pit.at_mm[1] + float(self.off_mm[1])

    def disc(self, disc: Body, *, in_the_middle: bool = False) -> tuple[Array, Array]:
        """The outline (pixels of the crop) of a disc that lies where the pile was found, or in the pit's
        middle, and of its top."""
        off_px = np.zeros(2) if in_the_middle else self.px_of_mm @ self.off_mm
        foot = self.foot + off_px + self.outline * self._plan(disc)
        top = foot - [0.0, self.rise * disc.top_mm]
        hull = cv2.convexHull(np.concatenate([foot, top]).astype(np.float32))
        return hull.reshape(-1, 2).astype(float), top

    def _plan(self, disc: Body) -> float:
        """How wide a disc is against that of the pit."""
        (x, _), (nominal, _) = (body.prisms[0].footprint_mm[0] for body in (disc, self.pit.bodies[0]))
        return x / nominal

    @property
    def worth(self) -> float:
        """What a pixel of the crop is worth."""
        return WORTH * self.frame.step_px**2


def drawn(outline: Array) -> Mask:
    """(CROP_PX, CROP_PX) 1 inside an outline in pixels of the crop."""
    return drawn_each(outline[None])[0]


def drawn_each(outlines: Array) -> Mask:
    """(N, CROP_PX, CROP_PX) `drawn` of N outlines, (N, P, 2)."""
    masks = np.zeros((len(outlines), CROP_PX, CROP_PX), np.float32)
    for mask, points in zip(masks, np.round(outlines * 16).astype(np.int32), strict=True):
        cv2.fillConvexPoly(mask, points, 1.0, lineType=cv2.LINE_8, shift=4)
    return masks


@dataclass(frozen=True)
class Sweep:
    """Sums under a disc's outline, its middle at each of `rows` and `columns` of the crop. top: (V, X) under
    its top; strips: (P, ..., X) under the strips that the outline adds below itself from row to row, summed
    up from the first (V and some more rows); `own` is the uppermost disc's colour among them."""

    own: int
    top: Floats
    strips: Floats
    rows: Array
    columns: Array

    def until(self, below: float) -> Floats:
        """(P, V, X) `strips` down to `below` pixels below each middle."""
        return self._until(self.strips, below)

    def uppermost(self, thick: float | Array) -> Floats:
        """(V, X) what the uppermost disc shows if it is so many pixels thick; (T, V, X) for some, (T,)."""
        strips = self.strips[self.own]
        return self.top + self._until(strips, thick) - strips[: len(self.rows)]

    def _until(self, strips: Floats, below: float | Array) -> Floats:
        whole, part = np.divmod(np.asarray(below)[..., None], 1)
        rows = whole.astype(int) + np.arange(len(self.rows))
        share = part[..., None].astype(np.float32)
        return np.asarray(strips[..., rows, :] * (1 - share) + strips[..., rows + 1, :] * share)


def sweep(pile: Pile, plan: float, most_mm: float, *, only_own: bool = False) -> Sweep:
    """The sums for discs `plan` times as wide as the board file's, in a pile of up to `most_mm`; `only_own`:
    sides of the uppermost disc's colour alone."""
    sides, own = (pile.sides[pile.colour][None], 0) if only_own else (pile.sides, pile.colour)
    shape = _shape(pile.outline * plan)
    height, width = shape.shape
    strip = np.zeros_like(shape)
    np.maximum(shape[:-1] - shape[1:], 0, out=strip[1:])
    per_mm = [math.hypot(*along) for along in pile.px_of_mm.tolist()]
    aside = math.ceil(MOST_ASIDE_MM * per_mm[0])
    column = round(float(pile.foot[0]))
    columns = np.arange(column - aside, column + aside + 1)
    reach = MOST_OFF_MM * per_mm[1]
    rows = np.arange(
        math.floor(pile.foot[1] - most_mm * pile.rise - reach), math.ceil(pile.foot[1] + reach) + 1
    )
    box = (int(rows[0]) - height // 2, int(columns[0]) - width // 2)
    size = (len(rows) + height - 1, len(columns) + width - 1)
    strips = [_sums(values * pile.free, strip, box, size) for values in sides]
    last = len(rows) + 1
    until = np.zeros((len(sides), last + math.ceil(most_mm * pile.rise) + 1, len(columns)), np.float32)
    np.cumsum(strips, axis=1, out=until[:, 1:last])
    # Below the last row nothing is added any more.
    until[:, last:] = until[:, last - 1 : last]
    until *= pile.worth
    top = _sums(pile.top * pile.free, shape, box, size)
    return Sweep(own, top * pile.worth, until, rows, columns)


def single(pile: Pile, swept: Sweep, thick_mm: Array) -> tuple[Array, Array]:
    """How much one disc explains where it explains most, (T,) if it is so thick, (T,); and (T, 2) how far off
    that is (mm)."""
    thick = pile.rise * thick_mm
    values, _, off = _where(pile, swept, swept.uppermost(thick), thick)
    return values, off


def several(
    pile: Pile, swept: Sweep, disc: Body, count: int, worth_it: float = -math.inf
) -> tuple[float, list[Floats]]:
    """How much so many discs on one another explain, whatever the colours of the lower ones and however askew
    they lie; and of each of these, from above, (P,) how much with each colour. swept: with the sides of every
    colour. Where straight ones explain less than `worth_it`, askew ones are not looked for."""
    thick = pile.rise * disc.top_mm
    upper = swept.uppermost(thick)
    until = [swept.until(level * thick) for level in range(1, count + 1)]
    total = sum((_any(below - above) for above, below in pairwise(until)), upper)
    straight, at, off = _where(pile, swept, total, count * thick)
    if straight < worth_it:
        return straight, []
    value = float(upper[at]) - 0.5 * float(off @ off) / OFF_MM**2
    hull = pile.disc(disc)[0] + pile.px_of_mm @ (off - pile.off_mm)
    lift = np.array([0.0, -thick])
    above, moved, colours = drawn(hull + (count - 1) * lift), np.zeros(2), []
    sides = (pile.sides * pile.free).reshape(len(pile.sides), -1) * pile.worth
    for level in range(count - 2, -1, -1):
        shifts = moved + ASKEW @ pile.px_of_mm.T
        masks = drawn_each(hull + level * lift + shifts[:, None]) * (1 - above)
        shown = sides @ masks.reshape(len(masks), -1).T + _ASKEW_CHANCE - math.log(len(sides))
        value += float(np.logaddexp.reduce(shown, axis=None))
        best = int(shown.argmax()) % len(shifts)
        colours.append(np.logaddexp.reduce(shown, axis=1))
        moved, above = shifts[best], np.maximum(above, masks[best])
    return value, colours


def _where(
    pile: Pile, swept: Sweep, total: Floats, height: float | Array
) -> tuple[Array, tuple[NDArray[np.intp], ...], Array]:
    """Where the middle of the uppermost top lies, `height` pixels above the foot: the largest of `total`,
    (V, X), and of what is known of the place; its row and column in `swept`; how far off the pile stands
    (mm). Of some heights, (T,), and totals, (T, V, X), all of these are (T, ...)."""
    down = swept.rows + np.asarray(height)[..., None] - pile.foot[1]
    along = swept.columns - pile.foot[0]
    (xx, xy), (_, yy) = pile.mm_of_px.T @ pile.mm_of_px
    away = xx * along**2 + down[..., None] * (2 * xy * along) + yy * down[..., None] ** 2
    sums = np.where(away < MOST_OFF_MM**2, total - 0.5 / OFF_MM**2 * away, -np.inf)
    sums = sums.reshape(*sums.shape[:-2], -1)
    row, column = np.divmod(sums.argmax(axis=-1), len(along))
    off_px = np.stack([along[column], swept.rows[row] + height - pile.foot[1]], axis=-1)
    return sums.max(axis=-1), (row, column), off_px @ pile.mm_of_px.T


def _askew_chances() -> Array:
    chances = np.exp(-0.5 * (ASKEW**2).sum(axis=1) / ASKEW_MM**2)
    return np.asarray(np.log(chances / chances.sum()))


_ASKEW_CHANCE = _askew_chances()


def _any(shown: Floats) -> Floats:
    """What is explained if any of the colours, along the first axis, may be there."""
    most = shown.max(axis=0)
    return np.asarray(most + np.log(np.exp(shown - most).mean(axis=0)))


def _shape(outline: Array) -> Mask:
    """An outline around (0, 0) as a mask of odd size, its pixels by how much of them lies inside."""
    across, down = (math.ceil(float(np.abs(outline[:, axis]).max())) + 1 for axis in (0, 1))
    fine = np.zeros(((2 * down + 1) * FINER, (2 * across + 1) * FINER), np.float32)
    middle = np.array([across + 0.5, down + 0.5])
    points = (outline + middle) * FINER - 0.5
    cv2.fillConvexPoly(fine, np.round(points * 16).astype(np.int32), 1.0, lineType=cv2.LINE_8, shift=4)
    return np.asarray(cv2.resize(fine, (2 * across + 1, 2 * down + 1), interpolation=cv2.INTER_AREA))


def _sums(values: Floats, mask: Mask, first: tuple[int, int], size: tuple[int, int]) -> Floats:
    """The sums of the values under the mask as it moves over the part that begins at `first` (row, column)
    and is so large (rows, columns); beyond the crop there is nothing."""
    (top, left), (height, width) = first, size
    part = np.zeros(size, np.float32)
    rows = slice(max(0, top), min(CROP_PX, top + height))
    columns = slice(max(0, left), min(CROP_PX, left + width))
    part[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = values[
        rows, columns
    ]
    return np.asarray(cv2.matchTemplate(part, mask, cv2.TM_CCORR))
