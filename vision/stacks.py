"""How many discs lie on one another in a pit, and of which colours.

Every disc that is seen is compared, pixel by pixel, with what one, two or three discs on one another would
cover: what is covered should have the set's colours, layer by layer, and not look like the empty board. How
wide and thick this set's discs are is learnt from all of them. From straight above only the top disc can be
seen, and a white disc below another on white print hardly: then as many are read as are seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Thing, thing_at
from vision.beliefs import FORGET, normal
from vision.bodies import Body, body_of
from vision.crops import CROP_PX, Frame, cut, frame_of
from vision.fitting import SHADOWS, scaled_body
from vision.palette import Palette
from vision.places import Place
from vision.shades import gap
from vision.view import Array, View

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# The kind of field on which discs lie on one another.
PIT, DISC, MOST = "pit", "disc", 3
# A disc may lie so far off its pit's middle (mm), and differ so much from the board file's size; of so many
# discs the size is learnt.
OFF_MM = 4.0
PLANS, HEIGHTS, TEACHERS = (0.86, 0.93, 1.0, 1.08, 1.16, 1.25), (0.7, 0.85, 1.0, 1.15, 1.35), 12
# Distances (in units of `shades.SPACE`) beyond this are something else altogether.
OTHER = 8.0
# The pits' pictures are compared in this size.
SIDE_PX = 24
# How much more a further disc must explain, and by how many times their spread more than in other pits: per
# pixel of the photograph that it shows, times the root of their number, as the mean of so many is sure.
EXPLAINS, STANDS_OUT = 24.0, 3.5
# How much the likeness of a pixel, on average over the top disc, says of its colour.
SURENESS = 2.0
# Pieces further away than this do not reach into a pit's picture (mm).
NEAR_MM = 60.0


@dataclass(frozen=True)
class Layers:
    """What some discs on one another explain at a place. likes: per disc, from below, (P,) how much more like
    each colour than like the board its pixels are; pixels: how many of the photograph it shows; total: what
    all explain together."""

    likes: Floats
    pixels: Floats
    total: float


def read_stacks(board: Board, palette: Palette, sight: Sight, places: Sequence[Place]) -> None:
    """Where more than one disc is seen in a pit, tell of the others too: equal ones as a count, others as
    pieces below the one that was read. All pits of the picture that hold a disc help to learn the size; only
    `places` are read."""
    names = (
        [name for name in palette.names if name in board.pieces[DISC].colours] if DISC in board.pieces else []
    )
    pits = _filled(board, sight)
    wanted = {place.id for place in places}
    for place in wanted:
        sight.below.pop(place, None)
    if not pits or not names or not any(pit.id in wanted for pit in pits):
        return
    shades = palette.of_pieces(DISC).shades[[palette.names.index(name) for name in names]]
    looked = _looked_at(sight, pits, shades)
    disc = _disc_of_this_set(sight.view, looked)
    explained = {
        each.pit.id: (each, [_best(sight.view, each, disc, count) for count in (1, 2)]) for each in looked
    }
    gains = np.array([_further(layers) for _, layers in explained.values()])
    usual = float(np.median(gains))
    least = max(EXPLAINS, usual + STANDS_OUT * float(np.median(np.abs(gains - usual))))
    for place, (each, layers) in explained.items():
        while place in wanted and len(layers) <= MOST and _further(layers) > least:
            layers.append(_best(sight.view, each, disc, len(layers) + 1))
        if len(layers) > 2:
            _tell(sight, place, names, layers[-2])


def _filled(board: Board, sight: Sight) -> list[Place]:
    """The pits in which a disc was read."""
    disc = body_of(board.pieces[DISC]) if DISC in board.pieces else None
    found = []
    for field in board.fields_of_kind(PIT):
        belief = sight.beliefs.get(field.id)
        if disc is None or not belief or field.id in sight.unseen:
            continue
        thing = max(belief, key=belief.__getitem__)
        if thing is not None and thing.kind == DISC:
            found.append(Place(field.id, field.centre_mm, 0.0, (disc,), OFF_MM / 2))
    return found


@dataclass(frozen=True)
class Looked:
    """A pit's picture: `frame` is where it lies in the photograph; `likes` (P, SIDE_PX, SIDE_PX) by how much
    each pixel is more like a shade than like the empty board, 0 where another piece is before or behind;
    `reach`: how many pixels a disc may lie off its pit's middle."""

    pit: Place
    frame: Frame
    likes: Floats
    reach: int

    @property
    def step_px(self) -> float:
        """Pixels of the photograph per pixel."""
        return self.frame.step_px * CROP_PX / SIDE_PX

    def filled(self, hull_px: Array) -> Floats:
        """(SIDE_PX, SIDE_PX) 1 inside an outline in pixels of the photograph."""
        mask = np.zeros((SIDE_PX, SIDE_PX), np.float32)
        points = (self.frame.into_crop(hull_px) + 0.5) * (SIDE_PX / CROP_PX) - 0.5
        cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 1.0, lineType=cv2.LINE_8, shift=4)
        return mask


def _looked_at(sight: Sight, pits: list[Place], shades: Floats) -> list[Looked]:
    high = tuple(replace(pit, bodies=(scaled_body(pit.bodies[0], 1.0, float(MOST)),)) for pit in pits)
    crops = cut(sight.image, sight.view, sight.surface, sight.light, high)
    hulls = [_outline(sight.view, pit.bodies[0], pit, 0.0) for pit in pits]
    found = []
    for pit, place, crop, hull in zip(pits, high, crops, hulls, strict=True):
        small = cv2.resize(crop[:6].transpose(1, 2, 0), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
        photo, empty = small[..., :3], small[..., 3:]
        ground = _away(photo, empty)
        likes = np.stack([ground - _away(photo, shade.reshape(1, 1, 3)) for shade in shades])
        frame = frame_of(sight.view, place)
        reach = math.ceil(OFF_MM * sight.view.px_per_mm(pit.at_mm) / frame.step_px * SIDE_PX / CROP_PX)
        looked = Looked(pit, frame, likes, reach)
        covered = np.zeros((SIDE_PX, SIDE_PX), np.float32)
        for other, others in zip(pits, hulls, strict=True):
            if other is not pit and math.dist(other.at_mm, pit.at_mm) < NEAR_MM:
                covered = np.maximum(covered, looked.filled(others))
        covered *= 1 - looked.filled(hull)
        found.append(replace(looked, likes=likes * (1 - covered)))
    return found


def _outline(view: View, disc: Body, pit: Place, base_mm: float) -> Array:
    """(N, 2) the outline, in pixels of the photograph, of a disc that lies there at a height."""
    return disc.outlines(view, pit.at_mm, 0.0, base_mm)[0][0]


def _disc_of_this_set(view: View, looked: list[Looked]) -> Body:
    """The disc as wide and as thick as explains best what single discs would show."""
    nominal = looked[0].pit.bodies[0]
    some = looked[:: -(-len(looked) // TEACHERS)]

    def fits(plan: float, tall: float) -> float:
        disc = scaled_body(nominal, plan, tall)
        return sum(_best(view, each, disc, 1).total for each in some)

    plan = max(PLANS, key=lambda plan: fits(plan, 1.0))
    return scaled_body(nominal, plan, max(HEIGHTS, key=lambda tall: fits(plan, tall)))


def _away(seen: Floats, shade: Floats) -> Floats:
    return np.minimum(np.sqrt(gap(seen, shade, *SHADOWS)), np.float32(OTHER))


def _best(view: View, looked: Looked, disc: Body, count: int) -> Layers:
    """`count` discs on one another where, within reach, they explain most."""
    masks: list[Floats] = []
    for level in range(count):
        mask = looked.filled(_outline(view, disc, looked.pit, level * disc.top_mm))
        masks = [below * (1 - mask) for below in masks] + [mask]
    sums = np.stack([[_moved_sums(like, mask, looked.reach) for like in looked.likes] for mask in masks])
    total = sums.max(axis=1).sum(axis=0)
    row, column = np.unravel_index(int(total.argmax()), total.shape)
    area = looked.step_px**2
    pixels = np.array([mask.sum() for mask in masks]) * area
    return Layers(sums[:, :, row, column] * area, pixels, float(total[row, column]) * area)


def _moved_sums(values: Floats, mask: Floats, reach: int) -> Floats:
    """(2 reach + 1, 2 reach + 1) sums of the values under the mask, moved by up to `reach` pixels."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    top, left, bottom, right = rows.min(), columns.min(), rows.max() + 1, columns.max() + 1
    padded = cv2.copyMakeBorder(values, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    part = padded[top : bottom + 2 * reach, left : right + 2 * reach]
    return cv2.matchTemplate(np.ascontiguousarray(part), mask[top:bottom, left:right], cv2.TM_CCORR)


def _further(layers: list[Layers]) -> float:
    """How much the last disc more explains of what it shows."""
    fewer, more = layers[-2:]
    shown = float(more.pixels.sum() - fewer.pixels.sum())
    return (more.total - fewer.total) / float(np.sqrt(max(shown, 1.0)))


def _tell(sight: Sight, place: str, names: list[str], layers: Layers) -> None:
    """These discs lie here: the belief in a disc becomes that in the top one, which is seen higher up than a
    single disc would be, counted with those of its colour below it; others are pieces of their own."""
    belief = sight.beliefs[place]
    chance = sum(share for thing, share in belief.items() if thing is not None and thing.kind == DISC)
    below = [names[int(likes.argmax())] for likes in layers.likes[:-1]]
    mean = layers.likes[-1] / max(float(layers.pixels[-1]), 1.0)
    shares = np.exp(SURENESS * (mean - mean.max()))
    found: dict[Thing | None, float] = {
        thing: share for thing, share in belief.items() if thing is None or thing.kind != DISC
    }
    for name, share in zip(names, shares / shares.sum(), strict=True):
        if share * chance > FORGET:
            found[Thing(DISC, name, count=1 + below.count(name))] = float(share * chance)
    sight.beliefs[place] = normal(found, 0.0)
    top = names[int(mean.argmax())]
    sight.below[place] = [
        thing_at(Thing(DISC, colour, count=below.count(colour)), place, confidence=round(chance, 4))
        for colour in dict.fromkeys(below)
        if colour != top
    ]
