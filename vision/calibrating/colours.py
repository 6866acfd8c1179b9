"""The kit's colour sheet in a picture: how the camera shows colours under tonight's lamp."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.kit.sheets import COLOUR_SHEET, GREYS
from vision.errors import CannotRead
from vision.finding.locate import Grey, by_tags
from vision.geometry.view import Array
from vision.prints.surface import GAMMA

Image = NDArray[np.uint8]
# Greys lighter or darker than these tell nothing of a tint: they are burnt, or noise.
DARKEST, LIGHTEST = 20.0, 245.0
INNER = 0.6  # of a patch's side: its rim is blurred


@dataclass(frozen=True)
class Shown:
    """gains: red, green and blue in linear light that greys have against their mean (1, 1, 1: no cast).
    saturation: how strong colours are against how they were printed."""

    gains: tuple[float, float, float]
    saturation: float

    @property
    def cast(self) -> float:
        """How far greys are from grey: 0.1 is a channel that is ten per cent off."""
        return max(abs(gain - 1) for gain in self.gains)

    @property
    def tint(self) -> tuple[str, str]:
        """What the greys look like, in English and German."""
        red, green, blue = self.gains
        if abs(green - 1) > max(abs(red - 1), abs(blue - 1)) - 0.02:
            return ("greenish", "grünlich") if green > 1 else ("purplish", "violett")
        return ("reddish", "rötlich") if red > blue else ("bluish", "bläulich")


def sheet_colours(image: Image, grey: Grey | None = None) -> Shown | None:
    """How the picture (H, W, 3) BGR shows the colour sheet; None if the sheet is not in it."""
    if grey is None:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    try:
        view = by_tags(grey, COLOUR_SHEET).view
    except CannotRead:
        return None
    seen = {patch.colour: _patch(image, view.project(_inside(patch.polygon_mm))) for patch in
            COLOUR_SHEET.fields.values() if patch.polygon_mm and patch.colour}  # fmt: skip
    greys = [seen[name] for name in GREYS if name in seen and seen[name] is not None]
    usable = [value for value in greys if value.min() > DARKEST and value.max() < LIGHTEST]
    if len(usable) < 2:
        return None
    linear = (np.array(usable) / 255) ** GAMMA
    gains = np.median(linear / linear.mean(axis=1, keepdims=True), axis=0)
    return Shown((float(gains[2]), float(gains[1]), float(gains[0])), _saturation(seen, gains))


def _inside(polygon: tuple[tuple[float, float], ...] | None) -> Array:
    """(25, 2) points well inside a square patch, mm."""
    corners = np.array(polygon, float)
    middle, half = corners.mean(axis=0), np.ptp(corners, axis=0) / 2 * INNER
    steps = np.linspace(-1, 1, 5)
    return np.array([middle + half * (x, y) for x in steps for y in steps])


def _patch(image: Image, pixels: Array) -> Array | None:
    """(3,) the median colour at these pixels; None outside the picture."""
    height, width = image.shape[:2]
    if (pixels < 0).any() or (pixels > [width - 1, height - 1]).any():
        return None
    columns, rows = np.round(pixels).astype(int).T
    return np.asarray(np.median(image[rows, columns], axis=0), float)


def _saturation(seen: dict[str, Array | None], gains: Array) -> float:
    shares = []
    for name, value in seen.items():
        printed = np.array(COLOUR_SHEET.colour_rgb(name)[::-1], float)
        if value is None or name in GREYS or np.ptp(printed) < 80:
            continue
        even = ((value / 255) ** GAMMA / gains) ** (1 / GAMMA) * 255
        shares.append(np.ptp(even) / max(1.0, even.max()) / (np.ptp(printed) / printed.max()))
    return float(np.median(shares)) if shares else 1.0
