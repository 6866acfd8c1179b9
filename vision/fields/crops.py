"""Small pictures of places, as the network looks at them.

Each crop has the board's normal upwards and is as wide as the bodies that may stand there need. The same
pixels are cut from the photograph (its light evened out) and from the empty board seen through the same
lens, and the allowed bodies are drawn as masks: so the network never has to know a board, a scale or a
piece by heart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fields.places import MOST_BODIES, Place
from vision.geometry.bodies import outlines_of_all
from vision.geometry.view import Array, View
from vision.pictures.halves import Halves, Photo
from vision.pictures.lookup import looked_up
from vision.prints.light import Light
from vision.prints.surface import Surface

CROP_PX = 48
# photo (3), empty board (3), difference (3), bodies (4)
CHANNELS = 9 + MOST_BODIES
MARGIN = 1.35
# Points per side of a crop whose place on the board is worked out.
NODES = 6
# So many places are cut out at once: more of them need more memory at a time.
AT_ONCE = 64
# Print that may lie aside is looked for so far from its place (pixels of a crop); what differs more than this
# is no print; and each pixel aside costs so much.
MOST_ASIDE_PX, FAR_APART, ASIDE_COSTS = 3, 0.25, 0.0005
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Frame:
    """Where a crop lies in the photograph: `centre_px`, unit vectors `right` and `up`, photograph pixels
    per crop pixel and per millimetre of the board there; how many pixels the crop is wide and high."""

    centre_px: Array
    right: Array
    up: Array
    step_px: float
    px_per_mm: float
    side_px: int = CROP_PX

    def widened(self, times: float, side_px: int) -> Frame:
        """So many times as wide a crop of the same place, so many pixels wide."""
        return replace(self, step_px=self.step_px * times * self.side_px / side_px, side_px=side_px)

    def into_crop(self, points_px: Array) -> Array:
        """(N, 2) crop coordinates of (N, 2) photograph pixels."""
        offset = (points_px - self.centre_px) / self.step_px
        middle = (self.side_px - 1) / 2
        return np.column_stack([offset @ self.right + middle, middle - offset @ self.up])

    def from_crop(self, points: Array) -> Array:
        """(N, 2) photograph pixels of (N, 2) crop coordinates."""
        x, y = ((points - (self.side_px - 1) / 2) * self.step_px).T[..., None]
        return np.asarray(self.centre_px + x * self.right - y * self.up)


def pixels_of(frames: Sequence[Frame]) -> Floats:
    """(N, S, S, 2) photograph coordinates of the pixels of crops, all S pixels wide."""
    side = frames[0].side_px if frames else CROP_PX
    along = (np.arange(side) - (side - 1) / 2)[:, None]
    right, up = (
        np.array([frame.step_px * way for frame, way in zip(frames, ways, strict=True)])[:, None]
        for ways in ([frame.right for frame in frames], [frame.up for frame in frames])
    )
    rows = np.array([frame.centre_px for frame in frames])[:, None] + along * right
    columns = along * up
    found = np.empty((len(frames), side, side, 2), np.float32)
    for axis in range(2):
        x, y = (each[..., axis].astype(np.float32) for each in (rows, columns))
        np.subtract(x[:, None], y[:, :, None], out=found[..., axis])
    return found


# Per body of a place its outlines, see `Body.outlines`.
Outlines = list[list[tuple[Array, Array]]]


def outlines_of(view: View, places: Sequence[Place]) -> list[Outlines]:
    """Per place the outlines of all bodies that may stand there."""
    stood = [
        (body, place.at_mm, place.angle_deg, place.ground_mm) for place in places for body in place.bodies
    ]
    every = iter(outlines_of_all(view, stood))
    return [[next(every) for _ in place.bodies] for place in places]


def frame_of(view: View, place: Place) -> Frame:
    """The crop that shows all bodies that may stand at `place`, and a margin for careless placing."""
    return frames_of(view, [place])[0]


def frames_of(view: View, places: Sequence[Place], outlines: Sequence[Outlines] | None = None) -> list[Frame]:
    """`frame_of` many places; outlines: `outlines_of` them, if they are known already."""
    outlines = outlines_of(view, places) if outlines is None else outlines
    points = np.array([place.at_mm for place in places], float).reshape(-1, 2)
    ground = np.array([place.ground_mm for place in places])
    heights = [max((body.top_mm for body in place.bodies), default=0.0) for place in places]
    feet, tops = np.split(
        view.project(np.vstack([points, points]), np.append(ground, ground + np.maximum(heights, 10.0))), 2
    )
    frames = []
    every = zip(places, outlines, feet, tops - feet, view.px_per_mm_at(points), strict=True)
    for place, bodies, base, up, scale in every:
        length = math.hypot(*up)
        up = up / length if length > 1e-6 else np.array([0.0, -1.0])
        right = np.array([-up[1], up[0]])
        hulls = [hull for parts in bodies for hull, _ in parts]
        around = (np.concatenate(hulls) - base) if hulls else np.array([[-1.0, -1], [1, 1]]) * 20
        turned = around @ np.column_stack([right, up])
        (left, low), (end, high) = turned.min(axis=0).tolist(), turned.max(axis=0).tolist()
        centre = base + up * (low + high) / 2 + right * (left + end) / 2
        size = max(end - left, high - low)
        slack = 2 * 0.33 * place.radius_mm * scale
        frames.append(Frame(centre, right, up, max(size * MARGIN, size + slack) / CROP_PX, float(scale)))
    return frames


def cut(
    photo: Photo,
    view: View,
    surface: Surface,
    light: Light,
    places: tuple[Place, ...],
    *,
    times: float = 1.0,
    side_px: int = CROP_PX,
) -> Floats:
    """(N, CHANNELS, side_px, side_px) float32 for the network, so many times as wide as the bodies need;
    photo is uint8 BGR (H, W, 3)."""
    out = np.empty((len(places), CHANNELS, side_px, side_px), np.float32)
    for first in range(0, len(places), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        _cut(out[some], photo, view, surface, light, places[some], times)
    return out


def _cut(
    out: Floats,
    photo: Photo,
    view: View,
    surface: Surface,
    light: Light,
    places: tuple[Place, ...],
    times: float,
) -> None:
    """Fill (N, CHANNELS, side_px, side_px), see `cut`."""
    outlines = outlines_of(view, places)
    frames = [frame.widened(times, out.shape[-1]) for frame in frames_of(view, places, outlines)]
    maps = pixels_of(frames)
    seen = sampled(photo, maps, [frame.step_px for frame in frames])
    mm = on_plane(view, maps)
    seen = light.even_out(seen, mm)
    empty = light.shown(surface, mm, [frame.step_px / frame.px_per_mm for frame in frames])
    for crop, frame, place in zip(empty, frames, places, strict=True):
        if place.under is not None:
            _paint_under(crop, view, frame, place)
    out[:, 0:3] = seen.transpose(0, 3, 1, 2)
    out[:, 3:6] = empty.transpose(0, 3, 1, 2)
    out[:, 6:9] = out[:, 0:3] - out[:, 3:6]
    for masks, frame, place, parts in zip(out[:, 9:], frames, places, outlines, strict=True):
        _draw_bodies(masks, frame, place, parts)


def on_plane(view: View, maps: Floats) -> Floats:
    """(N, S, S, 2) board millimetres of (N, S, S, 2) pixels: of some points per crop, the others lie
    between them."""
    nodes = np.linspace(0, 1, NODES)
    corner, right, down = (
        each[:, None, None].astype(float) for each in (maps[:, 0, 0], maps[:, 0, -1], maps[:, -1, 0])
    )
    pixels = corner + nodes[:, None] * (right - corner) + nodes[:, None, None] * (down - corner)
    return between(view.on_plane(pixels.reshape(-1, 2)).reshape(pixels.shape), maps.shape[1])


def between(nodes: Array, side: int) -> Floats:
    """(N, side, side, 2) what lies evenly between (N, NODES, NODES, 2) points."""
    places = np.linspace(0, NODES - 1, side)
    share = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(NODES)))
    return np.asarray(np.einsum("ri,nijc,sj->nrsc", share, nodes, share, optimize=True), np.float32)


def sampled(photo: Photo, maps: Floats, steps: list[float]) -> Floats:
    """(N, H, W, 3) the photograph, uint8 BGR, at `maps`, (N, H, W, 2) of its pixels. steps: how many of these
    lie between neighbours of each map; one that shrinks the photograph is cut from a smaller copy."""
    out = np.empty((*maps.shape[:3], 3), np.float32)
    levels = np.clip(np.floor(np.log2(np.maximum(steps, 1e-3)) + 0.4), 0, 3).astype(int)
    halves = Halves.of(photo)
    for level in np.unique(levels):
        chosen = np.flatnonzero(levels == level)
        out[chosen] = looked_up(halves[level], maps[chosen] / np.float32(2**level))
    return out


def register(crop: Floats) -> None:
    """Move the empty board in a crop (CHANNELS, S, S) a little so that it lies over the photograph: where
    most of it agrees, which a piece on it does not keep it from."""
    photo, empty = crop[:3], crop[3:6].copy()
    inner = slice(MOST_ASIDE_PX, CROP_PX - MOST_ASIDE_PX)
    best = np.inf
    for down, right in np.ndindex(2 * MOST_ASIDE_PX + 1, 2 * MOST_ASIDE_PX + 1):
        moved = np.roll(empty, (down - MOST_ASIDE_PX, right - MOST_ASIDE_PX), axis=(1, 2))
        apart = np.abs(photo - moved)[:, inner, inner].max(axis=0)
        price = float(np.minimum(apart, FAR_APART).mean())
        price += ASIDE_COSTS * float(np.hypot(down - MOST_ASIDE_PX, right - MOST_ASIDE_PX))
        if price < best:
            best = price
            crop[3:6] = moved
    crop[6:9] = photo - crop[3:6]


# How much darker the sides of a trilith are than its upper faces.
SIDES = 0.76


def _paint_under(crop: Floats, view: View, frame: Frame, place: Place) -> None:
    """Paint the bare trilith under a capstone's place into the picture of the empty board."""
    assert place.under is not None
    for hull, top in place.under.outlines(view, place.at_mm, place.angle_deg):
        points = np.round(frame.into_crop(hull) * 16).astype(np.int32)
        cv2.fillConvexPoly(crop, points, tuple(SIDES * part for part in place.under_bgr), shift=4)
        points = np.round(frame.into_crop(top) * 16).astype(np.int32)
        cv2.fillConvexPoly(crop, points, place.under_bgr, shift=4)


def _draw_bodies(masks: Floats, frame: Frame, place: Place, outlines: Outlines) -> None:
    """Into (MOST_BODIES, S, S): per allowed body 0.5 on its sides, 1 on its upper faces."""
    masks[:] = 0
    shapes: list[tuple[int, float, Array]] = []
    for slot, body, parts in zip(place.slots, place.bodies, outlines, strict=True):
        shapes += [(slot, 0.5, hull) for hull, _ in parts]
        shapes += [(slot, 1.0, top) for _, top in (parts[-1:] if body.kind == "trilith" else parts)]
    if not shapes:
        return
    points = np.round(frame.into_crop(np.concatenate([shape for *_, shape in shapes])) * 16).astype(np.int32)
    first = 0
    for slot, value, shape in shapes:
        corners = points[first : first + len(shape)]
        cv2.fillConvexPoly(masks[slot], corners, value, lineType=cv2.LINE_8, shift=4)
        first += len(shape)
