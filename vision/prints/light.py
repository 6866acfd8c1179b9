"""Evening out the light: how bright and of what tint the lamp is at each point of the board.

The photograph of a printed surface is its reflectance times the light that falls there. Both the artwork
and the photograph are known, so their ratio is the light: a smooth surface over the board, found robustly
because pieces, shadows and highlights are outliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import Array, View, within
from vision.pictures.halves import Halves, Photo
from vision.pictures.lookup import looked_up
from vision.prints.surface import GAMMA, Surface
from vision.prints.tone import Tone, tone_of

GRID = 72
# In the logarithm of linear light, so that dark print does not rule the fit.
FLOOR = 0.02
# The light is looked up on a grid of so many points that reaches beyond the board by a share of its size.
NODES, MARGIN = 96, 0.25
Floats = NDArray[np.float32]
# Veils that are tried; what is so many cells around a place tells which one lies there. One as thick as this
# must lie on so much of the board: smaller ones are mostly something else. A cell has so many points a side.
VEILS = (0.0, 0.04, 0.1, 0.16, 0.22, 0.28, 0.34, 0.4, 0.46, 0.52, 0.58, 0.64, 0.7, 0.76)
AROUND_CELLS, THICK_VEIL, WIDE_VEIL, CELL = 3.25, 0.08, 0.2, 2
# Pieces, whose light is so far from the print's, and what is burnt out tell nothing of it, nor does a board
# of which so little is left, nor print as dark as this: there light and veil are too far apart.
UNUSUAL, BURNT, FEW_USUAL, DARK_PRINT = 0.45, 0.87, 0.2, 0.35
# Print that is dark in a channel, as print of one strong colour is, hardly shows how much of that the light
# has: what it mirrors of the room is as much. Such haze (of some, as reflectances) is told by the light's
# tint: it is the one with which light of a usual tint explains the print. The logarithms of the light's
# channels are so far apart from one photograph to the next, and so much haze is usual.
HAZES, TINT, USUAL_HAZE = (0.01, 0.02, 0.03, 0.04, 0.06, 0.08), 0.3, 0.06
# Nothing is seen brighter than so many times the white of paper; what shows as bright as this is burnt out.
BRIGHTEST, OVEREXPOSED = 1.4, 0.98
# So many points are worked out at once: more of them need more memory than a reading has.
AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Light:
    """log of (photograph / artwork) in linear light as a polynomial of the board's coordinates.

    coefficients: (10, 3), cubic in x and y scaled to -1..1 over the board, per channel B, G, R.
    misfit: how far the photograph is from the lit artwork, mean of the bounded logarithmic difference: tells
    one printed artwork from another. veil: (R, C) over the board, by how much glossy print is whiter for the
    lamp or window that it mirrors, as a reflectance; None if nothing shows. tone: how the camera renders the
    table, if it does so otherwise than most."""

    coefficients: Array
    size_mm: tuple[float, float]
    misfit: float = 0.0
    veil: Floats | None = None
    tone: Tone | None = None

    def at(self, mm: Array | Floats) -> Floats:
        """(..., 3) factor of the light at (..., 2) board millimetres."""
        points = np.asarray(mm, np.float32).reshape(-1, 2)
        gain = np.empty((len(points), 3), np.float32)
        for first in range(0, len(points), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            logs = _basis(points[part], self.size_mm) @ self.coefficients.astype(np.float32)
            gain[part] = np.exp(np.clip(logs, -5, 3))
        return gain.reshape(*mm.shape[:-1], 3)

    def even_out(self, seen: Floats, mm: Floats) -> Floats:
        """Photograph samples (..., 3), 0..255 BGR, as they would look on an evenly lit board (0..~1.2), to a
        usual camera."""
        (width, height), share = self.size_mm, NODES / (1 + 2 * MARGIN)
        first = share * MARGIN - 0.5
        table_from_mm = np.array([[share / width, 0.0, first], [0.0, share / height, first]])
        at = np.asarray(cv2.transform(mm.reshape(1, -1, 2), table_from_mm), np.float32)
        lit = looked_up(self._corrections, at).reshape(*mm.shape[:-1], 3)
        lit *= seen
        if self.tone is not None:
            lit = self.tone.undone(lit)
        return np.clip(lit, np.float32(0), np.float32(BRIGHTEST), out=lit)

    def shown(self, surface: Surface, mm: Floats, mm_per_px: Sequence[float]) -> Floats:
        """The empty board as a photograph in this light shows it once evened out: `surface.sample`, under
        the veil."""
        printed = surface.sample(mm, mm_per_px)
        if self.veil is None:
            return printed
        rows, columns = self.veil.shape
        at = mm.reshape(1, -1, 2) / np.array(self.size_mm, np.float32) * [columns, rows] - 0.5
        return _veiled(printed, looked_up(self.veil, at.astype(np.float32)).reshape(*mm.shape[:-1], 1))

    @cached_property
    def _corrections(self) -> Floats:
        """(NODES, NODES, 3) by what a photograph, 0..255, is multiplied, over the board and a margin."""
        share = ((np.arange(NODES) + 0.5) / NODES * (1 + 2 * MARGIN) - MARGIN).astype(np.float32)
        mm = np.stack(np.meshgrid(share * self.size_mm[0], share * self.size_mm[1]), axis=2)
        return np.asarray(self.at(mm) ** (-1 / GAMMA) / 255, np.float32)


def _veiled(printed: Floats, veil: Floats) -> Floats:
    """Print, display-referred, under a veil."""
    return np.asarray((printed**GAMMA + veil) ** (1 / GAMMA), np.float32)


@dataclass(frozen=True)
class Samples:
    """A photograph at points spread evenly over the board: mm (G, G, 2), seen (G * G, 3) display-referred BGR
    0..1, and which of them the picture shows."""

    mm: Floats
    seen: Floats
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, photo: Photo, view: View, size_mm: tuple[float, float], *, every: int = 1) -> Samples:
        """Of a photograph, uint8 BGR. every: take one point of so many per direction."""
        width, height = size_mm
        share = ((np.arange(GRID) + 0.5) / GRID)[every // 2 :: every]
        mm = np.stack(np.meshgrid(share * width, share * height), axis=2)
        pixels = view.project(mm.reshape(-1, 2)).reshape(mm.shape)
        cell_px = view.px_per_mm((width / 2, height / 2)) * width / GRID
        seen, inside = area_samples(photo, pixels.astype(np.float32), cell_px, view.size_px)
        return cls(mm.astype(np.float32), seen, inside)

    def light(self, surface: Surface, veil: Floats | None = None) -> Light:
        """The light that makes this photograph of the surface, under a veil."""
        seen, inside, printed = self.seen, self.inside, self._printed(surface)
        if veil is not None:
            shape = self.mm.shape[:2]
            printed = _veiled(printed, cv2.resize(veil, shape[::-1]).reshape(-1, 1))
        # The floor is that of the board under this light: a dim photograph must not drown in it.
        level = (
            float(np.median(seen[inside] ** GAMMA) / max(1e-4, np.median(printed[inside] ** GAMMA)))
            if inside.any()
            else 1.0
        )
        level = max(level, 1e-3)
        ratio = np.log(seen**GAMMA + FLOOR * level) - np.log(printed**GAMMA + FLOOR)
        trusted = inside & self._exposed & (printed.min(axis=1) > 0.12)
        basis = _basis(self.mm.reshape(-1, 2), surface.size_mm)
        coefficients = _robust_fit(basis[trusted], ratio[trusted])
        away = np.abs(ratio[inside] - basis[inside] @ coefficients).max(axis=1)
        misfit = float(np.minimum(away, 0.7).mean()) if inside.any() else 1.0
        return Light(coefficients, surface.size_mm, misfit, veil)

    def hazy_light(self, surface: Surface) -> Light:
        """The light and the haze that make this photograph of the surface, see `HAZES`; the veil is None if
        there is none."""

        def unlikely(light: Light) -> float:
            tint = light.coefficients[0] - light.coefficients[0].mean()
            return float((tint**2).sum() / (2 * TINT**2))

        shape = tuple(-(-side // CELL) for side in self.mm.shape[:2])
        likeliest = self.light(surface)
        least = unlikely(likeliest)
        for haze in HAZES:
            if haze / USUAL_HAZE >= least:
                break
            light = self.light(surface, np.full(shape, haze, np.float32))
            if (doubt := unlikely(light) + haze / USUAL_HAZE) < least:
                likeliest, least = light, doubt
        return likeliest

    def veil(self, surface: Surface, light: Light) -> Floats | None:
        """The veil that lies on the surface in this light, if any does, see `Light`.

        What glossy print mirrors adds white to what it is printed in: colours pale, and light and dark come
        nearer to one another. Of some veils, at each place the one that leaves there the least of either is
        taken; the thinner of both, because mixed light tints, too, and blur takes contrast, too."""
        shape, some = self.mm.shape[:2], (slice(None, None, CELL), slice(None, None, CELL))
        seen = self.seen.reshape(*shape, 3)[some] ** GAMMA
        printed = self._printed(surface).reshape(*shape, 3)[some] ** GAMMA
        away = np.abs(np.log((seen + FLOOR) / (printed * light.at(self.mm[some]) + FLOOR))).max(axis=2)
        usual = self.inside.reshape(shape)[some] & (away < UNUSUAL) & (seen.max(axis=2) < BURNT)
        if usual.mean() < FEW_USUAL or np.median(printed) < DARK_PRINT:
            return None
        counted = usual.astype(np.float32)[..., None]
        share = _around(counted) + 1e-6
        logs = np.log(seen + 1e-4)
        means, contrasts = [], []
        for veil in VEILS:
            lit = logs - np.log(printed + np.float32(veil + 0.01))
            means.append(_around(counted * lit) / share)
            contrasts.append((_around(counted * (lit - means[-1]) ** 2) / share).sum(axis=2))
        tried = np.array(VEILS, np.float32)
        # Most of the board shows the lamp's own tint.
        tint = np.median((logs - np.log(printed + np.float32(0.01)))[usual], axis=0)
        tints = [_spread(mean - tint) for mean in means]
        thinner = np.minimum(*(tried[np.argmin(each, axis=0)] for each in (tints, contrasts)))
        found = cv2.GaussianBlur(thinner, (0, 0), AROUND_CELLS / 2, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.float32) if (found > THICK_VEIL).mean() > WIDE_VEIL else None

    def tone(self, surface: Surface, light: Light) -> Tone | None:
        """How the camera renders the surface in this light, if otherwise than most do."""
        shape = (*self.mm.shape[:2], 3)
        lit = light.even_out(self.seen.reshape(shape) * 255, self.mm)
        printed = light.shown(surface, self.mm[None], [surface.size_mm[0] / GRID])[0]
        return tone_of(lit, printed, (self.inside & self._exposed).reshape(shape[:2]))

    @property
    def _exposed(self) -> NDArray[np.bool_]:
        """(G * G,) which points are not burnt out."""
        return np.asarray(self.seen.max(axis=1) < OVEREXPOSED)

    def _printed(self, surface: Surface) -> Floats:
        """(G * G, 3) the surface at these points."""
        return surface.sample(self.mm[None], [surface.size_mm[0] / GRID]).reshape(-1, 3)


def _around(values: Floats) -> Floats:
    """(R, C, N) what is around each point of a grid (R, C, N), weighted by how near it is."""
    found = cv2.GaussianBlur(values, (0, 0), AROUND_CELLS, borderType=cv2.BORDER_REFLECT)
    return np.asarray(found, np.float32).reshape(values.shape)


def _spread(channels: Floats) -> Floats:
    """(R, C) how far three channels (R, C, 3) are apart."""
    one, two, three = (channels[..., channel] for channel in range(3))
    return (one - two) ** 2 + (two - three) ** 2 + (three - one) ** 2


def fit_light(photo: Photo, view: View, surface: Surface) -> Light:
    """The light on the board in `photo` (uint8 BGR)."""
    samples = Samples.of(photo, view, surface.size_mm)
    light = samples.hazy_light(surface) if surface.photographed else samples.light(surface)
    veil = None if surface.guessed or light.veil is not None else samples.veil(surface, light)
    if veil is not None:
        light = samples.light(surface, veil)
    # A print that was photographed was rendered by the same camera.
    return light if surface.is_foreign else replace(light, tone=samples.tone(surface, light))


def area_samples(
    photo: Photo, pixels: Floats, cell_px: float, size_px: tuple[int, int]
) -> tuple[Floats, NDArray[np.bool_]]:
    """The photograph, of `size_px`, at a grid of its pixels (R, C, 2), each the mean of about `cell_px`
    around it: (R * C, 3) display-referred BGR 0..1, and (R * C,) which of them the picture shows."""
    level = int(np.clip(np.round(np.log2(max(cell_px, 1.0))), 0, 4))
    xy = pixels / np.float32(2**level)
    image = Halves.of(photo)[level]
    seen = cv2.remap(image, xy, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(-1, 3)
    return (seen / 255).astype(np.float32), within(pixels, size_px).ravel()


def _basis(mm: Floats, size_mm: tuple[float, float]) -> Floats:
    x, y = 2 * mm[:, 0] / size_mm[0] - 1, 2 * mm[:, 1] / size_mm[1] - 1
    xx, xy, yy = x * x, x * y, y * y
    return np.stack([np.ones_like(x), x, y, xx, xy, yy, xx * x, xx * y, x * yy, yy * y], axis=1)


def _robust_fit(basis: Floats, ratio: Floats) -> Array:
    """Iteratively reweighted least squares, one weight per point for all channels (Geman-McClure)."""
    if len(basis) < 50:
        return np.zeros((10, 3))
    # (10, N) and (3, N), contiguous.
    shapes, ratios = basis.T.astype(float, order="C"), ratio.T.astype(float, order="C")
    coefficients = np.zeros((10, 3))
    coefficients[0] = np.median(ratio, axis=0)
    ridge = np.diag([0.0] + [1e-3] * 9) * len(basis)
    for scale in (0.6, 0.4, 0.25, 0.18, 0.15, 0.15):
        misfit = np.abs(ratios - coefficients.T @ shapes).max(axis=0)
        weighted = shapes / (1 + (misfit / scale) ** 2) ** 2
        coefficients = np.linalg.solve(weighted @ shapes.T + ridge, weighted @ ratios.T)
    return np.asarray(coefficients, float)
