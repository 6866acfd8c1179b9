"""A photograph as a map: on a plane over the board, what it shows there beside the print that it would show
if nothing stood in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.crops import sampled
from vision.view import Array

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# The map reaches so far beyond the board: what is high and at its rim is seen before the table.
MARGIN_MM = 20.0


@dataclass(frozen=True)
class Lifted:
    """seen, printed: (H, W, 3) the evened-out photograph and the print behind it; inside: (H, W) where the
    picture shows the board behind it, elsewhere both are the same; pixels: (H, W, 2) where in the picture."""

    seen: Floats
    printed: Floats
    inside: NDArray[np.bool_]
    pixels: Floats
    px_per_mm: float

    @property
    def difference(self) -> Floats:
        """(H, W, 3) the photograph less the print."""
        return self.seen - self.printed

    def mm(self, columns: float, rows: float) -> tuple[float, float]:
        """Where on the board a pixel of the map lies."""
        return (columns + 0.5) / self.px_per_mm - MARGIN_MM, (rows + 0.5) / self.px_per_mm - MARGIN_MM

    def pixel(self, x_mm: float, y_mm: float) -> tuple[int, int]:
        """The map's pixel, column and row, that shows a point of the board."""
        return round((x_mm + MARGIN_MM) * self.px_per_mm - 0.5), round(
            (y_mm + MARGIN_MM) * self.px_per_mm - 0.5
        )

    def around(self, column: int, row: int, reach_mm: float) -> tuple[slice, slice]:
        """The part of the map that reaches so far around a pixel."""
        reach = round(reach_mm * self.px_per_mm)
        return slice(max(0, row - reach), row + reach + 1), slice(max(0, column - reach), column + reach + 1)


def lifted(sight: Sight, height_mm: float, px_per_mm: float) -> Lifted:
    """The map of a plane so high over the board."""
    size = np.array(sight.surface.size_mm)
    x, y = (np.arange(0, side + 2 * MARGIN_MM, 1 / px_per_mm) + 0.5 / px_per_mm - MARGIN_MM for side in size)
    points: Array = np.stack(np.meshgrid(x, y), axis=2)
    shape = points.shape[:2]
    flat = sight.view.project(points.reshape(-1, 2), height_mm)
    mm = sight.view.on_plane(flat).reshape(*shape, 2).astype(np.float32)
    pixels = flat.reshape(*shape, 2).astype(np.float32)
    shown = ((pixels >= 0) & (pixels < np.array(sight.view.size_px) - 1)).all(axis=2)
    centre = (float(size[0]) / 2, float(size[1]) / 2)
    photo = sampled(sight.image, pixels[None], [sight.view.px_per_mm(centre) / px_per_mm])[0]
    seen = sight.light.even_out(photo, mm)
    inside = shown & ((mm > 0) & (mm < size)).all(axis=2)
    printed = sight.surface.sample(mm[None], [1 / px_per_mm])[0]
    printed[~inside] = seen[~inside]
    return Lifted(seen, printed, inside, pixels, px_per_mm)
