"""Tags of a known size on a known plane, also such as are too small or blurred for their outline to be found.

Where the view is known, a tag's size in the picture is known too: its black frame on white is looked for at
every place and turn, and every code is laid over what stands out (normalised cross-correlation). Knowing the
codes makes up for modules of two or three pixels, where a detector that wants an outline first sees none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.tags import tag_bits, tag_count

Grey = NDArray[np.uint8]
Floats = NDArray[np.float32]
# A tag with the white around it, in modules; where its bits are.
MODULES, SIZE = 6, 8
# The frame is looked for at this scale and in these turns (degrees; it looks alike every 90).
COARSE_PX_PER_MM, TURNS = 0.6, np.arange(0.0, 90.0, 7.5)
# What stands out: so much alike to a frame, not more than so many places.
LEAST_FRAME, MOST_PLACES = 0.45, 6
# Where each code is laid, first on the blurred picture and then, if it may be one, around the best: so far
# aside (mm) and turned (degrees), with so many samples across a module.
WAYS = (
    (np.arange(-3.0, 3.1, 1.0), np.arange(-6.0, 6.1, 3.0), 1),
    (np.arange(-0.8, 0.9, 0.4), np.arange(-2.0, 2.1, 1.0), 3),
)
MAY_BE = 0.65
# So much alike to its code is a tag. What else lies on a table stays below 0.79, other tags too.
LEAST_ALIKE = 0.8
# The modules count as so many independent looks: their errors come in patches.
LOOKS = 24


@dataclass(frozen=True)
class PlaneTag:
    """quad_px: (4, 2) top-left, top-right, bottom-right, bottom-left as printed; alike: the correlation
    (0..1) with the code of `number`; sure: how probable that code is beside the one that comes second."""

    number: int
    quad_px: NDArray[np.float64]
    alike: float
    sure: float


def find_plane_tags(above: Grey, px_per_mm: float, side_mm: float, dictionary: str) -> list[PlaneTag]:
    """The tags of `side_mm` in a picture of the plane from above, whatever their number in the dictionary."""
    spots = _frames(above, px_per_mm, side_mm)
    blur = round(side_mm / MODULES / 2 * px_per_mm)
    pictures = (cv2.blur(above, (blur, blur)), above)
    tags = [_decoded(pictures, px_per_mm, side_mm, spot, _codes(dictionary)) for spot in spots]
    return [tag for tag in tags if tag.alike >= LEAST_ALIKE]


def _frames(above: Grey, px_per_mm: float, side_mm: float) -> list[tuple[float, float, float]]:
    """(x, y in px of `above`, degrees) of what is most like a black frame on white."""
    scale = COARSE_PX_PER_MM / px_per_mm
    small = cv2.resize(above, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    alike, turn = None, None
    for degrees in TURNS:
        template, mask = _frame(side_mm * COARSE_PX_PER_MM, float(degrees))
        if min(small.shape) <= len(template):
            return []
        answer = cv2.matchTemplate(small, template, cv2.TM_CCOEFF_NORMED, mask=mask)
        answer = np.where(np.isfinite(answer), answer, -1.0)
        if alike is None or turn is None:
            alike, turn = answer, np.full(answer.shape, degrees)
        else:
            turn = np.where(answer > alike, degrees, turn)
            alike = np.maximum(alike, answer)
    assert alike is not None and turn is not None
    half = (len(template) - 1) / 2
    found: list[tuple[float, float, float]] = []
    while len(found) < MOST_PLACES:
        _, value, _, (x, y) = cv2.minMaxLoc(alike)
        if value < LEAST_FRAME:
            break
        found.append(((x + half + 0.5) / scale - 0.5, (y + half + 0.5) / scale - 0.5, float(turn[y, x])))
        reach = int(side_mm * COARSE_PX_PER_MM / 3)
        alike[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = -1.0
    return found


@cache
def _frame(side_px: float, degrees: float) -> tuple[Floats, Floats]:
    """A frame of that outer side with the white around it, turned, and which of its pixels count."""
    module = side_px / MODULES
    half = int(np.ceil(module * SIZE / 2 * 1.42))
    at = np.arange(-half, half + 1, dtype=np.float32)
    x, y = np.meshgrid(at, at)
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    out = np.maximum(np.abs(x * cos + y * sin), np.abs(y * cos - x * sin)) / module
    template = np.where(out > MODULES / 2, 255, 0).astype(np.float32)
    mask = ((out < SIZE / 2) & (out > MODULES / 2 - 1)).astype(np.float32)
    return cv2.GaussianBlur(template, (0, 0), 0.8), mask


@cache
def _codes(dictionary: str) -> Floats:
    """(4 * tags, SIZE * SIZE): every tag in four turns with the white around it, of mean 0, length 1."""
    every = (np.array(tag_bits(dictionary, number), np.float32) for number in range(tag_count(dictionary)))
    tags = [np.pad(tag, 1, constant_values=1.0) for tag in every]
    rows = np.stack([np.rot90(tag, -quarter).ravel() for tag in tags for quarter in range(4)])
    return _normalised(rows)


def _normalised(rows: Floats) -> Floats:
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)


def _decoded(
    pictures: tuple[Grey, Grey],
    px_per_mm: float,
    side_mm: float,
    spot: tuple[float, ...],
    codes: Floats,
) -> PlaneTag:
    """The code that agrees best with what is at a spot, laid there in many ways."""
    module = side_mm / MODULES * px_per_mm
    best_of = np.full(len(codes), -1.0, np.float32)
    for picture, (aside, turned, samples) in zip(pictures, WAYS, strict=True):
        inner = (np.arange(SIZE * samples) + 0.5) / samples - SIZE / 2
        grid = np.stack(np.meshgrid(inner, inner), axis=-1).reshape(-1, 2) * module
        steps = np.array([(dx, dy, turn) for dx in aside for dy in aside for turn in turned])
        ways = np.array(spot) + steps * [px_per_mm, px_per_mm, 1.0]
        points = _laid(grid, ways).astype(np.float32)
        seen = cv2.remap(picture, points, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        fine = seen.reshape(-1, SIZE * samples).astype(np.float32)
        modules = cv2.resize(fine, (SIZE, len(ways) * SIZE), interpolation=cv2.INTER_AREA)
        alike = _normalised(modules.reshape(len(ways), -1)) @ codes.T
        best_of = np.maximum(best_of, alike.max(axis=0))
        spot = tuple(ways[int(alike[:, best_of.argmax()].argmax())])
        if best_of.max() < MAY_BE:
            break
    best = int(best_of.argmax())
    number, quarter = divmod(best, 4)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * MODULES / 2 * module
    quad = np.roll(_laid(corners, np.array([spot]))[0], -quarter, axis=0)
    rival = float(np.delete(best_of.reshape(-1, 4).max(axis=1), number).max(initial=-1.0))
    return PlaneTag(number, quad, float(best_of[best]), _sure(float(best_of[best]), rival))


def _sure(alike: float, rival: float) -> float:
    """How probable the code that agrees best is beside the one that comes second, if what a correlation
    leaves unexplained is noise, as in a linear regression."""
    rests = [max(1e-6, 1 - max(0.0, value) ** 2) for value in (alike, rival)]
    return float(1 / (1 + (rests[0] / rests[1]) ** (LOOKS / 2)))


def _laid(points: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """(W, N, 2): N points around a tag's middle in px, turned and laid in W ways: x, y in px, degrees."""
    turns = np.radians(ways[:, 2:3])
    cos, sin = np.cos(turns), np.sin(turns)
    x, y = points.T
    return np.stack([ways[:, :1] + x * cos - y * sin, ways[:, 1:2] + x * sin + y * cos], axis=-1)
