"""How a camera renders the table: its contrast, and how deep its colours are.

The board is a colour chart: its print is known, so a photograph tells how much of the print's light and dark
and of its colours the camera shows. Most show somewhat less of both, and from such the networks have learnt.
A telephone that makes light and dark stand out more, or a camera that pales all colours, shows empty fields
as if pieces lay there, or red pieces as white ones. So what is beyond the usual is taken back before anything
is told.

Both are told in linear light, where neither what the board mirrors nor blur makes one colour paler beside
another: how details of the print differ from their surroundings, in the photograph and in print.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.prints.surface import GAMMA

Floats = NDArray[np.float32]
# No lens makes more of contrast or of colours than there is, only a program does. Contrast that is above the
# print's is brought as far below it, but not below this share of it, which lenses leave in the mean.
LENSES_LEAVE = 0.8
# Colours are paled where so little of their depth is left, or this share of that on dark print, which what it
# mirrors pales as well; but not more than contrast is, because what lies over everything pales both alike.
PALED, DARK_PRINT, ON_DARK_PRINT = 0.52, 0.6, 0.5
# Colours are not deepened or made paler more than so many times; and what would be changed less is left.
MOST, LEAST = 1.6, 0.02
# Colours are deep beside a brightness of this at least: in the dark they are noise.
DIM = 0.1
# Points tell nothing that are so far from the print (logarithm of brightness, beside this) that they are
# pieces; nor do so few points.
OTHER, FLOOR, FEW = 0.6, 0.05, 400
# Details are what differs from its surroundings: finer than so many cells of the grid of samples may be
# blurred, broader is the light's.
FINE, BROAD = 1.0, 4.0
# What is so many times as far from the print's details as usual counts half, a quarter, ...; fitted so often.
UNUSUAL, ROUNDS = 2.0, 8


@dataclass(frozen=True)
class Tone:
    """What brings samples in even light to what is usual. contrast: the power to which brightness is raised,
    beside that of most of the print; depth: by what colours are multiplied, beside the tint of most of the
    print; usual: (3,) most of the print, BGR, display-referred."""

    contrast: float
    depth: float
    usual: Floats

    def undone(self, lit: Floats) -> Floats:
        """Samples (..., 3), 0..~1.4 BGR, as a usual camera shows them."""
        middle = np.float32(self.usual.mean())
        brightness = np.maximum(lit.mean(axis=-1, keepdims=True), np.float32(1e-3))
        grey = brightness * (self.usual / middle)
        deeper = 1 + np.float32(self.depth - 1) * brightness / (brightness + np.float32(DIM))
        # So many times as bright as it was.
        brighter = (brightness / middle) ** np.float32(self.contrast - 1)
        return np.asarray((grey + (lit - grey) * deeper) * brighter, np.float32)


def tone_of(lit: Floats, printed: Floats, seen: NDArray[np.bool_]) -> Tone | None:
    """How a camera renders a print: samples (G, G, 3) of its photograph in even light, and of the print, BGR
    0..1, display-referred, over the whole board; seen: (G, G) which of them show it and are not burnt out.
    None if it is as usual, or not told."""
    apart = np.log((lit.mean(axis=2) + FLOOR) / (printed.mean(axis=2) + FLOOR))
    told = seen & (np.abs(apart) < OTHER)
    if told.sum() < FEW:
        return None
    details, own = (_details(each**GAMMA, told)[told] for each in (lit, printed))
    light, own_light = details.mean(axis=1, keepdims=True), own.mean(axis=1, keepdims=True)
    contrast = _share(light, own_light)
    depth = _share(details - light, own - own_light)
    usual = np.median(printed[told], axis=0)
    power = max(2 - contrast, LENSES_LEAVE) / contrast if contrast > 1 else 1.0
    paled = PALED * (ON_DARK_PRINT if usual.mean() < DARK_PRINT else 1.0)
    deeper = float(np.clip(np.clip(depth, min(paled, contrast), 1.0) / depth, 1 / MOST, MOST))
    if max(abs(np.log(power)), abs(np.log(deeper))) < LEAST:
        return None
    return Tone(power, deeper, usual.astype(np.float32))


def _details(values: Floats, told: NDArray[np.bool_]) -> Floats:
    """(G, G, 3) by how much values differ from what is around them, where that is told."""
    counted = told[..., None].astype(np.float32)

    def around(size: float) -> Floats:
        shares = cv2.GaussianBlur(counted, (0, 0), size)[..., None] + 1e-3
        return np.asarray(cv2.GaussianBlur(values * counted, (0, 0), size) / shares, np.float32)

    return around(FINE) - around(BROAD)


def _share(seen: Floats, own: Floats) -> float:
    """What share of the print's own details, (N, C), is seen: iteratively reweighted least squares
    (Geman-McClure)."""
    scale = UNUSUAL * float(np.median(np.linalg.norm(seen - own, axis=1))) + 1e-4
    share, weights = 1.0, np.ones((len(seen), 1), np.float32)
    for _ in range(ROUNDS):
        share = float((weights * own * seen).sum() / ((weights * own**2).sum() + 1e-9))
        away = np.linalg.norm(seen - share * own, axis=1, keepdims=True)
        weights = np.asarray((1 + (away / scale) ** 2) ** -2, np.float32)
    return max(share, 0.1)
