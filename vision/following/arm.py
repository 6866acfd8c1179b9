"""An arm over the board, told by what was seen there before it came.

Between two pictures of a camera that stands still, pieces come and go on the board; an arm reaches in from
beyond it. What it hides is looked at as it was seen last, and what lies there is told as not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from engine.position import TOP
from vision.colours.shades import DIFFERENT, SHADOWS, differs, gap
from vision.fields.covered import GROUND, body_read, outlines_read
from vision.fields.covered import SHRINK as OUTLINES_SHRINK
from vision.fields.places import Place
from vision.following.details import details_left
from vision.geometry.view import Array, View
from vision.sight import Sight

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
# Pictures are compared at so much less than their size: an arm is large, and noise and the rims of what moved
# by a fraction of a pixel are not seen there.
SHRINK = 4
# What differs by so much (of 255) is looked at closely, and what lies between two such pixels so near (px of
# the small picture) is the arm's, too: its own shades are here and there those of the board.
APART, GAP_PX = 10, 7
# What is no brighter (of 255) is dark.
DARK = 20
# Its rim, where it is blurred and its shadow is deepest, is so wide (px of the small picture).
RIM_PX = 5
# If more of the board looks different than this, it is another picture; if less, an arm's shadow is told from
# another light.
MOST, CALM = 0.8, 0.25
# An arm, or the hand that is seen of it, is at least so thick somewhere (mm; pieces and the rims of shadows
# are thinner), and at least so large and covers so much of the board (shares of its area). In 32 pictures of
# eight tables with an arm it was 25 mm and 0.010 or more, mostly 70 mm; in eight in another light never more
# than 34.
THICK_MM, LARGE, COVERS, HAND_MM = 24.0, 0.006, 0.0003, 50.0
# What lies in a bay of it that is no wider than this, and looks other than before, may be its own; and so may
# what lies no farther beside it, as dark as a shadow, in which nothing of the print is seen.
BAY_MM, BESIDE_MM = 40.0, 25.0
# It moves from picture to picture: so much of it looks different then.
MOVES = 0.02
# How much of the print is seen is told by so many points each way; none is further from it than so many times
# what differs.
POINTS, CLEARLY = 72, 3.0
# A place on which nothing lies must be seen so far to be sure of that, a piece that lay there before so far:
# where these are looked at, as shares of a piece's height and of an area's size.
BARE_SEEN, PIECE_SEEN = 0.45, 0.08
HEIGHTS, INWARD = (0.0, 0.5, 1.0), (0.3, 0.6, 0.9)
UNDER_ARM = "hidden by an arm"


@dataclass(frozen=True)
class Table:
    """What may lie where on a board."""

    board: Board
    places: Sequence[Place]
    areas: Sequence[Field]

    def pieces(self, sight: Sight) -> Mask:
        """(h, w) of a picture that may be smaller, above 0 where pieces are seen, as far as `sight` knows."""
        mask = outlines_read(self.board, sight, self.places)
        for area in self.areas:
            if sight.lying_in(area.id):
                outline = sight.view.project(np.array(area.outline_mm()))
                cv2.fillPoly(mask, [np.round(outline / OUTLINES_SHRINK).astype(np.int32)], (1,))
        return mask


@dataclass(frozen=True)
class Arm:
    """What an arm hides in a picture. mask: (h, w), 255 where it is, of a picture `SHRINK` times as small;
    wide: the same with all that may be the arm's or only its shadow; surely: the same without what looks as
    before there, in whatever shadow; before: (H, W, 3) what was seen there last."""

    mask: Mask
    wide: Mask
    surely: Mask
    before: Image

    def taken_off(self, now: Image) -> Image:
        """The picture with what was seen before where the arm is, as bright as the rest of it is now."""
        height, width = now.shape[:2]
        around = cv2.dilate(self.mask, np.ones((RIM_PX, RIM_PX), np.uint8))
        mask = cv2.resize(around, (width, height), interpolation=cv2.INTER_LINEAR) > 127
        some = (slice(None, None, SHRINK), slice(None, None, SHRINK))
        brighter = _brighter(now[some][~mask[some]], self.before[some][~mask[some]])
        found = now.copy()
        found[mask] = np.clip(np.round(self.before[mask] * brighter), 0, 255)
        return found

    def hides(self, sight: Sight, table: Table) -> Iterator[str]:
        """The places, with the capstones there, and areas of which too little is seen beside it. What lay
        there is known in the shadow; that nothing lies there is not told of what may be hidden."""
        for place in table.places:
            body = body_read(table.board, sight.beliefs.get(place.id, {}))
            ground = np.array(place.at_mm) + GROUND * place.radius_mm
            top_mm, mask = (0.0, self.wide) if body is None else (body.top_mm, self.surely)
            heights_mm = [place.ground_mm + share * top_mm for share in HEIGHTS]
            shown = [_shown(mask, sight.view, ground, height_mm) for height_mm in heights_mm]
            if np.mean(shown) < (BARE_SEEN if body is None else PIECE_SEEN):
                yield from {place.id, place.id + TOP} & sight.beliefs.keys()
        for area in table.areas:
            outline = np.array(area.outline_mm())
            middle = outline.mean(axis=0)
            ground = np.concatenate([middle + share * (outline - middle) for share in INWARD])
            least = PIECE_SEEN if sight.lying_in(area.id) else BARE_SEEN
            if _shown(self.mask, sight.view, ground, 0.0).mean() < least:
                yield area.id


def _shown(mask: Mask, view: View, points_mm: Array, heights_mm: Array | float) -> NDArray[np.bool_]:
    """(N,) which of these points, (N, 2) so high above the board, a mask of a small picture leaves free."""
    height, width = mask.shape
    pixels = np.round(view.project(points_mm, heights_mm) / SHRINK).astype(int)
    x, y = np.clip(pixels, 0, [width - 1, height - 1]).T
    return np.asarray(mask[y, x] < 128)


class ArmWatch:
    """Tells arms in the pictures of a camera that stands still before a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._without: Image | None = None
        self._with: Image | None = None

    def note(self, image: Image) -> None:
        """In this picture there is no arm, as far as anybody knows."""
        self._without, self._with = image, None

    def arm_in(self, image: Image, sight: Sight) -> Arm | None:
        """The arm in a picture, if there is one. sight: what is known of the table by the one before. What
        looks like one but does not move is none: a tall piece at the rim, or something that was put down."""
        if self._without is None or image.shape != self._without.shape:
            return None
        now = _small(image)
        masks = find_arm(now, _small(self._without), sight, self.table)
        if masks is not None and self._with is not None and _rests(masks[0], now, self._with):
            masks = None
        self._with = None if masks is None else now
        return None if masks is None else Arm(*masks, self._without)


def _small(image: Image) -> Image:
    size = (image.shape[1] // SHRINK, image.shape[0] // SHRINK)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rests(mask: Mask, now: Image, before: Image) -> bool:
    """Whether what looks like an arm now looked just so before."""
    moved = cv2.absdiff(now, before).max(axis=2)[mask > 0] > APART
    return bool(moved.mean() < MOVES)


def find_arm(now: Image, before: Image, sight: Sight, table: Table) -> tuple[Mask, Mask, Mask] | None:
    """(h, w) 255 where an arm is, if there is one, in a picture (h, w, 3) BGR of a camera that stood still
    since the one `before`, both made `SHRINK` times smaller; the same with all that may be its, and where
    surely something else is seen than before (see `Arm`); sight: what is known of the table in that."""
    view = sight.view.scaled(1 / SHRINK, now.shape[1::-1])
    corners = np.round(view.project(np.array(table.board.corners_mm))).astype(np.int32)
    on_board = cv2.fillConvexPoly(np.zeros(now.shape[:2], np.uint8), corners, (1,)) > 0
    if not on_board.any():
        return None
    lit = np.clip(before * _brighter(now.reshape(-1, 3), before.reshape(-1, 3)), 0, 255).astype(np.uint8)
    unlike = np.asarray(cv2.absdiff(now, lit).max(axis=2) > APART)
    share = unlike[on_board].mean()
    if share > MOST or not _rim(unlike):
        return None
    width_mm, height_mm = table.board.size_mm
    px_per_mm = view.px_per_mm((width_mm / 2, height_mm / 2))
    other, still_seen = _something_else(now, lit, unlike)
    parts = _thick(_closed(other), THICK_MM * px_per_mm)
    # It comes from outside the picture. What joins a hand to the edge may look like what it hides: then its
    # shadow does, unless all of the board looks different; even then, if it is as thick as most hands.
    _, joined = cv2.connectedComponents(_closed(unlike.astype(np.uint8)))
    from_outside: set[int] = set()
    area = on_board.sum()
    for part, thick_px in parts:
        if part.sum() > LARGE * area and part[on_board].sum() > COVERS * area:
            labels = set(joined[part].tolist())
            surely = share < CALM or thick_px > HAND_MM * px_per_mm
            from_outside |= labels if _rim(part) else labels & _rim(joined) if surely else set()
    arms = [part for part, _ in parts if not from_outside.isdisjoint(joined[part].tolist())]
    if not arms:
        return None
    mask = np.logical_or.reduce(arms)
    # Pale skin over pale print is nothing else in the light: in a bay of the arm it is the arm's.
    bays = unlike & ~still_seen & (_closed(mask.astype(np.uint8), BAY_MM * px_per_mm) > 0)
    mask = _closed((mask | bays).astype(np.uint8)) > 0
    if not _covers_print(now, before, mask, view, sight, table):
        return None
    # The end of a dark finger is told from its shadow by nothing but what is not seen there.
    reach = round(BESIDE_MM * px_per_mm)
    near = cv2.dilate(mask.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0
    _, parts_of_all = cv2.connectedComponents((mask | (near & unlike & ~still_seen)).astype(np.uint8))
    wide = np.isin(parts_of_all, np.unique(parts_of_all[mask]))
    surely = mask & (other > 0)
    return 255 * mask.astype(np.uint8), 255 * wide.astype(np.uint8), 255 * surely.astype(np.uint8)


def _something_else(now: Image, before: Image, unlike: NDArray[np.bool_]) -> tuple[Mask, NDArray[np.bool_]]:
    """(h, w) 255 where another thing is seen than before, and not the same in the shadow; it can only be
    where the picture is `unlike`. And where details that were seen before still are."""
    rows, columns = np.nonzero(unlike)
    seen, was = (each[rows, columns].astype(np.float32) / 255 for each in (now, before))
    other = np.zeros_like(unlike)
    other[rows, columns] = differs(seen, was) & differs(was, seen)
    gone, still_seen = details_left(now, before)
    other = (other & ~still_seen) | (unlike & gone)
    return np.asarray(cv2.medianBlur(255 * other.astype(np.uint8), 3), np.uint8), still_seen


def _closed(mask: Mask, gap_px: float = GAP_PX) -> Mask:
    """The mask without gaps as narrow as that."""
    width = round(gap_px) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)


def _thick(mask: Mask, least_px: float) -> list[tuple[NDArray[np.bool_], float]]:
    """What hangs together in a mask, (h, w) each, without holes, and how thick it is where it is thickest
    (pixels): what is thicker than `least_px`."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        left, top, width, height = cv2.boundingRect(contour)
        if min(width, height) < least_px:
            continue
        part = np.zeros((height + 2, width + 2), np.uint8)
        cv2.drawContours(part, [contour], 0, (1,), cv2.FILLED, offset=(1 - left, 1 - top))
        thick_px = 2 * float(cv2.distanceTransform(part, cv2.DIST_L2, 3).max())
        if thick_px > least_px:
            whole = np.zeros(mask.shape, bool)
            whole[top : top + height, left : left + width] = part[1:-1, 1:-1] > 0
            found.append((whole, thick_px))
    return found


def _rim(labels: NDArray[np.integer] | NDArray[np.bool_]) -> set[int]:
    """Those of the labels (h, w) other than 0 that reach the picture's edge."""
    edges = (labels[:RIM_PX], labels[-RIM_PX:], labels[:, :RIM_PX], labels[:, -RIM_PX:])
    return set(np.concatenate([each.ravel() for each in edges]).tolist()) - {0}


def _brighter(now: Image, before: Image) -> NDArray[np.float32]:
    """(3,) by how much most of N pixels, (N, 3), are brighter now than before: the camera may see to it that
    a picture with an arm is as bright as one without. What is dark tells nothing of that."""
    light = before.min(axis=1) > DARK
    if not light.any():
        return np.ones(3, np.float32)
    return np.asarray(np.median(now[light] / np.maximum(before[light], np.float32(1)), axis=0), np.float32)


def _covers_print(
    now: Image, before: Image, there: NDArray[np.bool_], view: View, sight: Sight, table: Table
) -> bool:
    """Whether `there` (h, w), beside what lies there, less of the print is seen than before: when an arm goes
    that was taken for the board, it is more."""
    if sight.surface.guessed:
        return False
    size_mm = np.array(sight.surface.size_mm, np.float32)
    shares = ((np.arange(POINTS) + 0.5) / POINTS).astype(np.float32)
    mm = np.stack(np.meshgrid(shares, shares), axis=-1).reshape(-1, 2) * size_mm
    x, y = np.clip(np.round(view.project(mm)).astype(int), 0, np.array(there.shape[::-1]) - 1).T
    bare = there & (cv2.resize(table.pieces(sight), there.shape[::-1], interpolation=cv2.INTER_NEAREST) == 0)
    mm, x, y = (each[bare[y, x]] for each in (mm, x, y))
    if not len(mm):
        return False
    printed = sight.print_at(mm, size_mm[0] / POINTS)
    lit = (sight.light.even_out(each[y, x].astype(np.float32), mm) for each in (now, before))
    unlike, was = (np.minimum(gap(each, printed, *SHADOWS), CLEARLY * DIFFERENT).mean() for each in lit)
    return bool(unlike > was)
