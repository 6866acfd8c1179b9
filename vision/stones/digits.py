"""The digit on a druid stone, whatever its rotation and typeface; or none: face down.

First the stone's round top is found to about half a millimetre (a stone is seldom put down exactly), then
the round is cut out seen from above and given to a small network.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Thing
from vision.geometry.fitting import outward_normals
from vision.geometry.view import Array, View
from vision.nets import answers
from vision.stones.stone_set import one_set

if TYPE_CHECKING:
    from vision.sight import Sight

STONE_PX = 48
# The shares of the radius within which a face's brightness is measured: outside lies the board.
FACE = 0.95
# Stones that surely lie open, so many at least, whose faces are so alike in brightness, carry like stickers;
# one that is unlike them by so much carries none, at these odds.
SURELY_OPEN, FEWEST_OPEN, ALIKE, UNLIKE, BARE_ODDS = 0.05, 2, 1.6, 1.8, 50.0
# The face is looked at in so many turns; smoothed by so much (pixels of its cut), lest a camera's noise hide
# dark digits on dark stones: of 1,312 stones by four programs ten are read wrongly so, 17 without.
TURNS, SMOOTH_PX = 6, 1.6
# The search for the round: pixels per mm, how far a stone may be off, how much its radius may differ.
SEARCH_PX_PER_MM, OFF_MM, RADII = 1.6, 7.0, (0.86, 0.93, 1.0, 1.07, 1.14)
# How much the arc between face and side counts beside the outline, and how much less is believed at the
# farthest (of 640 stones on our prints 51 were found more than 2 mm aside without the first and with 0.25, 31
# so). What is found in either way so near to each other is one.
ARC, CAREFUL, SAME_MM = 0.5, 0.45, 0.8
VALUES = (None, 1, 2, 3, 4, 5, 6)
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Round:
    """Where a stone's upper face is (mm)."""

    centre_mm: tuple[float, float]
    radius_mm: float


@dataclass(frozen=True)
class Face:
    """A stone's upper face: where it is, how it looks from above, (STONE_PX, STONE_PX), and what the network
    says of that: (7,) probabilities of face down, 1 .. 6."""

    where: Round
    top: Floats
    chances: Floats


def find_faces(board: Board, sight: Sight, places: Sequence[str]) -> dict[str, Face]:
    """The stones on these fields, wherever exactly each lies: where its face is found in either way, that
    where the network is surer of what it sees."""
    piece = board.pieces["druid"]
    either = [
        (place, Round(*found))
        for place in places
        for found in find_rounds(
            sight.grey, sight.view, board.fields[place].centre_mm, piece.diameter_mm / 2, piece.height_mm
        )
    ]
    if not either:
        return {}
    tops = np.stack(
        [cut_round(sight.grey, sight.view, s.centre_mm, s.radius_mm, piece.height_mm) for _, s in either]
    )
    faces: dict[str, Face] = {}
    for (place, there), top, chances in zip(either, tops, digit_chances(tops), strict=True):
        if place not in faces or chances.max() > faces[place].chances.max():
            faces[place] = Face(there, top, chances)
    return faces


def read_stones(board: Board, sight: Sight, faces: Mapping[str, Face]) -> None:
    """Split the belief in a stone at each of these places into its six values and face down."""
    tops, chances = (
        np.stack(part) for part in zip(*((f.top, f.chances) for f in faces.values()), strict=True)
    )
    for place, values in zip(faces, faces_down(tops, chances), strict=True):
        sight.beliefs[place] = _with_values(sight.beliefs[place], values)
    seen = {
        place: belief
        for place, belief in sight.beliefs.items()
        if place not in sight.unseen and any(t is not None and t.kind == "druid" for t in belief)
    }
    together = one_set(seen, board.pieces["druid"].colours)
    sight.beliefs |= {place: together[place] for place in faces if place in together}


def faces_down(tops: Floats, chances: Floats) -> Floats:
    """(N, 7) what the network says of (N, STONE_PX, STONE_PX) faces, weighed with how bright they are: where
    the open stones of a table carry stickers, one that is far darker or brighter carries none, and what looks
    like a digit on it is what it mirrors."""
    median = np.median(tops[:, _face()], axis=1) + 1
    opened = (chances[:, 0] < SURELY_OPEN) & (chances.max(axis=1) > 1 - SURELY_OPEN)
    if opened.sum() < FEWEST_OPEN or median[opened].max() > ALIKE * median[opened].min():
        return chances
    darker, brighter = median < median[opened].min() / UNLIKE, median > median[opened].max() * UNLIKE
    weighed = chances.copy()
    weighed[(darker | brighter) & ~opened, 0] *= BARE_ODDS
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True), np.float32)


def _face() -> NDArray[np.bool_]:
    """(STONE_PX, STONE_PX) which pixels of a cut are the stone's face."""
    away = (np.arange(STONE_PX) - (STONE_PX - 1) / 2) / (STONE_PX / 2)
    return np.asarray(np.hypot(*np.meshgrid(away, away)) < FACE)


def _with_values(
    belief: dict[Thing | None, float], values: NDArray[np.float64] | Floats
) -> dict[Thing | None, float]:
    split: dict[Thing | None, float] = {}
    for thing, chance in belief.items():
        if thing is None or thing.kind != "druid":
            split[thing] = chance
            continue
        for value, share in zip(VALUES, values, strict=True):
            split[Thing("druid", thing.colour, value)] = chance * float(share)
    return split


def find_rounds(
    grey: NDArray[np.uint8], view: View, near_mm: tuple[float, float], radius_mm: float, height_mm: float
) -> list[tuple[tuple[float, float], float]]:
    """(centre, radius) in mm of the round face of a cylinder `height_mm` high that stands near a point, as it
    is found in two ways, once if both agree.

    On the plane of its upper face a cylinder's picture is a stadium: the face, and the foot shifted towards
    the camera. Searched for is the stadium along whose outline the picture changes most, in the same sense
    all around (Hough transform for a known shape); and that along whose outline and the arc between face and
    side it does: by its outline alone, one with a white sticker is sought where the sticker's edge would be
    the foot's."""
    half = OFF_MM + radius_mm * RADII[-1] + 2
    size = int(2 * half * SEARCH_PX_PER_MM) | 1
    patch = _from_above(grey, view, near_mm, size, SEARCH_PX_PER_MM, height_mm).astype(np.float32)
    patch = cv2.GaussianBlur(patch, (0, 0), 0.8)
    gx, gy = cv2.Sobel(patch, cv2.CV_32F, 1, 0), cv2.Sobel(patch, cv2.CV_32F, 0, 1)
    shift = view.on_plane(view.project(np.array([near_mm])), height_mm)[0] - np.array(near_mm)
    reach = int(OFF_MM * SEARCH_PX_PER_MM)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    careful = 1 - CAREFUL * np.hypot(x, y) / reach
    best, found = [-1.0, -1.0], [(near_mm, radius_mm)] * 2
    for ratio in RADII:
        radius_px, shift_px = radius_mm * ratio * SEARCH_PX_PER_MM, shift * SEARCH_PX_PER_MM
        outline, arc = _stadium_kernels(radius_px, shift_px), _arc_kernels(radius_px, shift_px)
        around, between = (
            np.abs(_filtered(gx, kx, reach) + _filtered(gy, ky, reach)) for kx, ky in (outline, arc)
        )
        for way, changes in enumerate((around, around + ARC * between)):
            response = changes * careful
            row, column = np.unravel_index(int(response.argmax()), response.shape)
            if response[row, column] > best[way]:
                best[way] = float(response[row, column])
                offset = ((column - reach) / SEARCH_PX_PER_MM, (row - reach) / SEARCH_PX_PER_MM)
                found[way] = ((near_mm[0] + offset[0], near_mm[1] + offset[1]), radius_mm * ratio)
    (one, one_radius), (other, other_radius) = found
    is_one = math.dist(one, other) < SAME_MM and abs(one_radius - other_radius) < SAME_MM
    return found[:1] if is_one else found


def _filtered(picture: Floats, kernel: Floats, reach: int) -> Floats:
    """(2 * reach + 1, 2 * reach + 1) the picture filtered around its middle, and only there."""
    around = reach + kernel.shape[0] // 2
    more = max(0, around - picture.shape[0] // 2)
    wide = cv2.copyMakeBorder(picture, more, more, more, more, cv2.BORDER_REFLECT_101)
    first = wide.shape[0] // 2 - around
    part = wide[first : first + 2 * around + 1, first : first + 2 * around + 1]
    return np.asarray(cv2.matchTemplate(part, kernel, cv2.TM_CCORR), np.float32)


def _stadium_kernels(radius_px: float, shift_px: Array) -> tuple[Floats, Floats]:
    """`outward_normals` of the outline around two circles, one at the kernel's middle and one at `shift_px`
    from it."""
    half = int(radius_px + np.abs(shift_px).max() + 3)
    mask = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    turns = np.arange(48) * 2 * np.pi / 48
    circle = radius_px * np.column_stack([np.cos(turns), np.sin(turns)])
    both = np.concatenate([circle, circle + shift_px]) + half
    hull = cv2.convexHull(both.astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, lineType=cv2.LINE_AA, shift=4)
    return outward_normals(mask.astype(np.float32) / 255)


def _arc_kernels(radius_px: float, shift_px: Array) -> tuple[Floats, Floats]:
    """`outward_normals` of the circle at the kernel's middle, the more the more they point towards
    `shift_px`."""
    half = int(radius_px + np.abs(shift_px).max() + 3)
    mask = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    cv2.circle(mask, (half * 16, half * 16), round(radius_px * 16), 255, -1, cv2.LINE_AA, 4)
    right, down = outward_normals(mask.astype(np.float32) / 255)
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    far = max(float(np.hypot(*shift_px)), 1e-6) * radius_px
    facing = np.clip((x * shift_px[0] + y * shift_px[1]) / far, 0, 1).astype(np.float32)
    return right * facing, down * facing


def cut_round(
    grey: NDArray[np.uint8], view: View, centre_mm: tuple[float, float], radius_mm: float, height_mm: float
) -> Floats:
    """(STONE_PX, STONE_PX) float32: the round face from above, filling the picture."""
    scale = STONE_PX / (2 * radius_mm)
    return _from_above(grey, view, centre_mm, STONE_PX, scale, height_mm).astype(np.float32)


def _from_above(
    grey: NDArray[np.uint8],
    view: View,
    centre_mm: tuple[float, float],
    size: int,
    px_per_mm: float,
    height_mm: float,
) -> NDArray[np.uint8]:
    along = (np.arange(size) - (size - 1) / 2) / px_per_mm
    x, y = np.meshgrid(along + centre_mm[0], along + centre_mm[1])
    pixels: Array = view.project(np.column_stack([x.ravel(), y.ravel()]), height_mm)
    maps = pixels.reshape(size, size, 2).astype(np.float32)
    return np.asarray(
        cv2.remap(grey, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def evened(stones: NDArray[np.uint8] | Floats) -> Floats:
    """(N, STONE_PX, STONE_PX) of brightness as the network gets it, smoothed: 0 is the face's median, 1 its
    mean deviation from it; highlights and the board around the stone are cut off at some multiple."""
    faces = np.asarray(stones, np.float32)
    smooth = np.stack([cv2.GaussianBlur(face, (0, 0), SMOOTH_PX) for face in faces])
    inside = smooth[:, _face()]
    median = np.median(inside, axis=1)[:, None, None]
    spread = np.abs(inside - median[:, :, 0]).mean(axis=1)[:, None, None]
    return np.asarray(np.clip((smooth - median) / (spread + 2.0), -5, 5), np.float32)


def digit_chances(stones: Floats) -> Floats:
    """(N, 7) probabilities of face down, 1 .. 6 for (N, STONE_PX, STONE_PX); over several turns."""
    middle = ((STONE_PX - 1) / 2,) * 2
    turns = [cv2.getRotationMatrix2D(middle, 360 / TURNS * turn, 1.0) for turn in range(TURNS)]
    turned = np.stack(
        [
            [
                cv2.warpAffine(face, turn, (STONE_PX, STONE_PX), borderMode=cv2.BORDER_REPLICATE)
                for turn in turns
            ]
            for face in evened(stones)
        ]
    )
    logits = answers("digit", turned.reshape(-1, 1, STONE_PX, STONE_PX))[0].reshape(-1, TURNS, 7).mean(axis=1)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
