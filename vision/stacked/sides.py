"""How much more pixels are like a piece than like the empty board, when its sides are darker than its top
and the light of what lies around it spills over them.

Distances are those of `shades.SPACE`; how dark a pixel may be is solved for, with what is known of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.colours.shades import SPACE

Floats = NDArray[np.float32]
# Distances beyond this are something else altogether.
OTHER = 4.0
# How dark and how bright things may be, and how far pixels of a top and of the board are from their shade.
DARKEST, BRIGHTEST = 0.25, 1.12
TOP_SPREAD, BOARD_SPREAD = 0.25, 0.6
# How much of the board's light lies over a dark side: blurred, reflected, or of the lens.
SPILL, MOST_SPILL = 0.15, 0.35
# A photograph differs from the print by so much (display-referred) where something lies on it.
DIFFERS = 0.08
MOST_PIXELS = 4000
# Display-referred differences of colour that count as one, and distances.
APART, UNLIKE = 0.25, OTHER / 2


@dataclass(frozen=True)
class Likeness:
    """What is compared of the N pixels of a crop that a pile may cover. region: (H, W) which they
    are; seen, board: (N, 3) photograph and empty board; shades: (P, 3) of the discs of this set; how far the
    pixels are from the board's, (N,), and from those of the sides of each colour, (P, N)."""

    region: NDArray[np.bool_]
    seen: Floats
    board: Floats
    shades: Floats
    from_board: Floats
    from_sides: Floats

    def shown(self, colour: int) -> Floats:
        """(10, N): what the network sees of the pixels if the uppermost disc has that colour."""
        shade = self.shades[colour]
        found = np.empty((10, len(self.seen)), np.float32)
        found[:3], found[3:6] = self.seen.T, self.board.T
        found[:6] -= np.tile(shade, 2)[:, None]
        np.clip(found[:6] / APART, -2, 2, out=found[:6])
        found[6], found[8] = self.from_board, self.from_sides[colour]
        found[7] = unlike(self.seen, shade, 1.0, TOP_SPREAD)
        found[9] = np.delete(self.from_sides, colour, axis=0).min(axis=0, initial=OTHER)
        found[6:] /= UNLIKE
        return found


def unlike(seen: Floats, shade: Floats, usual: float, spread: float) -> Floats:
    """(N,) how far pixels (N, 3) are from a shade, (3,) or (N, 3), that is dimmed, usually to `usual`."""
    lit, bare = _in_space(seen), _in_space(shade)
    weight = 1 / spread**2
    seen_own, own = _dot(lit, bare) + usual * weight, _dot(bare, bare) + weight
    dim = np.clip(seen_own / own, DARKEST, BRIGHTEST)
    return _bounded(np.maximum(_dot(lit, lit) + weight * usual**2 + dim * (dim * own - 2 * seen_own), 0))


def unlike_sides(seen: Floats, shades: Floats, board: Floats, usual: float, spread: float) -> Floats:
    """(P, N) how far pixels (N, 3) are from the sides of pieces of some shades, (P, 1, 3) or pixel by pixel
    (P, N, 3), dimmed as in `unlike`, with some of the board's light, (N, 3), over them."""
    lit, bare, around = _in_space(seen), _in_space(shades), _in_space(board)
    weight, cost = 1 / spread**2, 1 / SPILL**2
    own, other = _dot(bare, bare) + weight, _dot(around, around) + cost
    both, seen_own, seen_other = _dot(bare, around), _dot(bare, lit) + usual * weight, _dot(lit, around)
    spilt = np.clip((own * seen_other - both * seen_own) / (own * other - both**2), 0, MOST_SPILL)
    dim = np.clip((seen_own - spilt * both) / own, DARKEST, BRIGHTEST)
    # |lit - spilt * around - dim * bare|^2 and what is known of both, multiplied out.
    gaps = _dot(lit, lit) + weight * usual**2 + spilt * (spilt * other - 2 * seen_other)
    return _bounded(np.maximum(gaps + dim * (dim * own - 2 * (seen_own - spilt * both)), 0))


def as_seen(print_: Floats, photo: Floats) -> tuple[Floats, Floats]:
    """Gain and offset per channel by which a photograph shows the print: haze, glare and exposure. Both are
    (N, 3) pixels where mostly nothing lies; what does is left aside (reweighted least squares)."""
    step = max(1, len(print_) // MOST_PIXELS)
    x, y = print_[::step].astype(float), photo[::step].astype(float)
    gain, offset = np.ones(3), np.zeros(3)
    if len(x) < 100:
        return gain.astype(np.float32), offset.astype(np.float32)
    weight = np.ones((len(x), 1))
    for _ in range(6):
        total = weight.sum()
        mean_x, mean_y = (weight * x).sum(axis=0) / total, (weight * y).sum(axis=0) / total
        # Where the print is all of one shade nothing speaks against a gain of one.
        little = 1e-3 * total
        common = (weight * (x - mean_x) * (y - mean_y)).sum(axis=0) + little
        gain = np.clip(common / ((weight * (x - mean_x) ** 2).sum(axis=0) + little), 0.3, 1.3)
        offset = mean_y - gain * mean_x
        away = np.abs(y - gain * x - offset).max(axis=1, keepdims=True)
        weight = 1 / (1 + (away / DIFFERS) ** 2) ** 2
    return gain.astype(np.float32), offset.astype(np.float32)


def _dot(a: Floats, b: Floats) -> Floats:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _in_space(colours: Floats) -> Floats:
    """(3, ...) colours (..., 3) in `shades.SPACE`, one channel after the other."""
    return np.ascontiguousarray(np.moveaxis(colours @ SPACE, -1, 0))


def _bounded(gaps: Floats) -> Floats:
    return np.minimum(np.sqrt(gaps), np.float32(OTHER))
