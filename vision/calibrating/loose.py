"""Pieces that lie anywhere: beside the board or between its fields, found by what differs from a photograph
of the same table without them.

The plane of the board reaches as far as both photographs show it. What differs there and is no shadow is a
piece, if one of the board's solids covers it well; pieces that touch each other are left aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Thing
from vision.colours.shades import differs
from vision.fields.places import SLOTS, Place
from vision.finding.locate import Located
from vision.geometry.bodies import Body, body_of
from vision.geometry.fitting import FINER, REACH_MM, Fit, Foot, Mask, cover_of, fit_to_mask, is_of
from vision.geometry.view import Array, View
from vision.prints.light import fit_light
from vision.prints.surface import Surface

if TYPE_CHECKING:
    from vision.sight import Sight

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# How far around the board is looked, as a share of its larger side.
AROUND = 0.45
# Where so much of the table differs, it is another table, or the camera was moved a long way.
MOST_DIFFERENT = 0.2
SMALLEST_MM2, LARGEST_MM2 = 45.0, 5000.0
# What a solid must cover of what differs, and what it costs to be of another size than the board file says.
GOOD_COVER, SIZE_COST, MOST_TRIED = 0.72, 0.3, 3
# How much what the network says of the kind counts against the outline.
NETWORK_SHARE = 0.12
COARSE_PX = 16
# How wide a picture is looked at for what differs.
SEARCHED_PX = 960


def with_surroundings(
    sight: Sight, board: Board, reference: Image, reference_view: View
) -> tuple[Sight, Array]:
    """The sight with everything around the board that the reference photograph shows, and where the new
    origin lies on the board (mm): coordinates of its view are counted from there."""
    margin = AROUND * max(board.size_mm)
    origin = np.array([-margin, -margin])
    size = (board.size_mm[0] + 2 * margin, board.size_mm[1] + 2 * margin)
    view = _moved(sight.view, origin)
    surface = Surface.of_photo(reference, _moved(reference_view, origin), size, 2.0)
    light = fit_light(sight.halves, view, surface)
    located = Located(view, sight.located.how, sight.located.error_px)
    return replace(sight, located=located, light=light, surface=surface), origin


def _moved(view: View, origin_mm: Array) -> View:
    """The same camera, with the board's coordinates counted from another point."""
    turn = cv2.Rodrigues(view.rotation)[0]
    return replace(view, translation_mm=view.translation_mm + turn @ np.array([*origin_mm, 0.0]))


@dataclass(frozen=True)
class Differing:
    """What a picture shows that the surface does not. sure: (H, W) 1 where no shadow explains it; nowhere if
    that is so `mostly`."""

    sure: Mask
    sight: Sight
    mostly: bool = False

    def colours(self, box: tuple[slice, slice]) -> tuple[Floats, Floats]:
        """(h, w, 3) a part of the picture in even light, and the surface there."""
        rows, columns = (np.arange(size)[part] for size, part in zip(self.sure.shape, box, strict=True))
        return beside_the_surface(self.sight, self.sight.image[box], columns, rows)[:2]


def differing(sight: Sight) -> Differing:
    """Where the picture shows something that the surface does not, shadows left aside; nowhere if most of it
    is different: that is another table. Looked for in a smaller picture than a large one."""
    height, width = sight.image.shape[:2]
    step = max(1, round(width / SEARCHED_PX))
    small = cv2.resize(sight.image, (width // step, height // step), interpolation=cv2.INTER_AREA)
    columns, rows = ((np.arange(size) + 0.5) * step - 0.5 for size in (width // step, height // step))
    seen, bare, inside = beside_the_surface(sight, small, columns, rows)
    sure = (inside & differs(seen, bare)).astype(np.uint8)
    mostly = bool(sure.sum() > MOST_DIFFERENT * inside.sum())
    if mostly:
        sure[:] = 0
    opened = cv2.morphologyEx(sure, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    large = np.asarray(cv2.resize(opened, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    return Differing(large, sight, mostly)


def beside_the_surface(
    sight: Sight, picture: Image, columns: Array, rows: Array
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Pixels of the sight's picture, (h, w, 3) at these columns and rows, in even light; the surface there;
    and which of them it reaches."""
    mm = _plane(sight.view, columns, rows)
    width, height = sight.surface.size_mm
    inside = (mm[..., 0] > 0) & (mm[..., 1] > 0) & (mm[..., 0] < width) & (mm[..., 1] < height)
    seen = sight.light.even_out(picture.astype(np.float32), mm)
    pixel_mm = 1 / max(sight.view.px_per_mm((width / 2, height / 2)), 1e-3)
    apart = float(columns[1] - columns[0]) if len(columns) > 1 else 1.0
    return seen, sight.light.shown(sight.surface, mm[None], [apart * pixel_mm])[0], inside


def _whole(part: Mask, box: tuple[slice, slice], other: Differing) -> Mask:
    """A part that surely differs, and around it what is of its colour in some shade rather than of the
    ground's: a dark piece on light ground is for the most part no darker than a shadow. part: (H, W) 0 or 1
    in that box of the picture."""
    seen, bare = other.colours(box)
    colour = np.median(seen[part > 0], axis=0)
    own = is_of(colour, seen, bare)
    near = cv2.morphologyEx((own | (part > 0)).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, marks = cv2.connectedComponents(near, connectivity=8)
    return np.isin(marks, np.unique(marks[part > 0])).astype(np.uint8) & (marks > 0)


def _plane(view: View, columns: Array, rows: Array) -> Floats:
    """(h, w, 2) millimetres that the pixels at these columns and rows show on the plane, interpolated between
    a coarse grid."""
    nx, ny = (int(np.ptp(each)) // COARSE_PX + 2 for each in (columns, rows))
    x, y = np.meshgrid(np.linspace(columns[0], columns[-1], nx), np.linspace(rows[0], rows[-1], ny))
    coarse = view.on_plane(np.column_stack([x.ravel(), y.ravel()])).reshape(ny, nx, 2).astype(np.float32)
    fx, fy = np.meshgrid(
        np.linspace(0, nx - 1, len(columns), dtype=np.float32),
        np.linspace(0, ny - 1, len(rows), dtype=np.float32),
    )
    return np.asarray(cv2.remap(coarse, fx, fy, cv2.INTER_LINEAR), np.float32)


# A part that differs: (h, w) FINER times as fine as the picture, and its corner in pixels.
Part = tuple[Mask, Array]


def blobs(other: Differing, view: View) -> list[Part]:
    """What differs, part by part."""
    closed = cv2.morphologyEx(other.sure, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, marks, stats, middles = cv2.connectedComponentsWithStats(closed, connectivity=8)
    found = []
    taken = np.zeros_like(closed)
    for mark in range(1, count):
        left, top, wide, high, _ = (int(value) for value in stats[mark])
        if taken[marks == mark].any():
            continue
        place = view.on_plane(middles[mark].reshape(1, 2))[0]
        scale = max(view.px_per_mm((float(place[0]), float(place[1]))), 1e-3)
        margin = 6 + round(REACH_MM * scale)
        x0, y0 = max(0, left - margin), max(0, top - margin)
        box = (slice(y0, top + high + margin), slice(x0, left + wide + margin))
        part = _whole((marks[box] == mark).astype(np.uint8), box, other)
        if not SMALLEST_MM2 <= part.sum() / scale**2 <= LARGEST_MM2:
            continue
        taken[box] |= part
        found.append(finer(part > 0, (x0, y0)))
    return found


def finer(part: NDArray[np.bool_], corner_px: tuple[int, int]) -> Part:
    """A part of the picture whose corner lies there."""
    fine = cv2.resize(part.astype(np.float32), None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR)
    return (fine > 0.5).astype(np.uint8), np.array(corner_px, float)


def find_loose(sight: Sight, board: Board, kinds: Sequence[str]) -> list[tuple[Foot, Fit]]:
    """The pieces of these kinds that lie apart from each other in a sight with surroundings; their colour is
    not told yet (`thing.colour` is None). Places are in the sight's coordinates."""
    bodies = [body_of(board.pieces[kind]) for kind in kinds]
    feet = []
    for mask, offset in blobs(differing(sight), sight.view):
        best = _best_solid(sight, bodies, mask, offset)
        if best is not None:
            feet.append(best)
    return feet


def _best_solid(
    sight: Sight, bodies: Sequence[Body], mask: Mask, offset_px: Array
) -> tuple[Foot, Fit] | None:
    """The solid that covers this part best, seen as the networks see it."""
    rows, columns = np.nonzero(mask)
    middle = (np.array([columns.mean(), rows.mean()]) + 0.5) / FINER - 0.5 + offset_px
    starts = []
    for body in bodies:
        x, y = sight.view.on_plane(middle.reshape(1, 2), 0.5 * body.top_mm)[0]
        turns = range(0, 180, 30) if body.shape in ("box", "trilith") else (0,)
        tried = [Fit((float(x), float(y)), float(turn)) for turn in turns]
        covers = [cover_of(sight.view, body, fit, mask, offset_px) for fit in tried]
        starts.append((max(covers), body, tried[int(np.argmax(covers))]))
    starts.sort(key=lambda each: -each[0])
    fits = []
    for _, body, start in starts[:MOST_TRIED]:
        fit = fit_to_mask(sight.view, body, mask, offset_px, start)
        size = abs(np.log(fit.plan)) + 0.5 * abs(np.log(fit.tall))
        fits.append((fit.cover - SIZE_COST * size, body, fit))
    fits = [each for each in fits if each[0] >= GOOD_COVER]
    if not fits:
        return None
    places = [Place("", fit.at_mm, fit.angle_deg, (body,), 3.0) for _, body, fit in fits]
    looks = sight.look(places)
    scores = [
        score + NETWORK_SHARE * float(kind[1 + SLOTS.index(body.shape)])
        for (score, body, _), kind in zip(fits, looks.kind, strict=True)
    ]
    order = int(np.argmax(scores))
    _, body, fit = fits[order]
    rest = sorted(scores, reverse=True)
    sure = 1.0 if len(rest) == 1 else float(np.clip((rest[0] - rest[1]) / 0.1, 0, 1))
    return Foot(Thing(body.kind, None), places[order], looks.seen[order], sure), fit
