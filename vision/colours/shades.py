"""How far one colour is from another, when nobody knows how much shadow lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
# Light and gloss change a piece's brightness more than its tint: colours are compared in a space whose unit
# is the usual spread of pieces of one colour, in brightness and in tint (display-referred 0..1).
BRIGHTNESS_UNIT, TINT_UNIT = 0.08, 0.03
# What differs from something by more than this (see `gap`), in whatever shadow, is something else.
DIFFERENT, SHADOWS = 9.0, ((0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1), 0.35)
_GREY = np.full((3, 3), 1 / 3)
SPACE = (_GREY / BRIGHTNESS_UNIT + (np.eye(3) - _GREY) / TINT_UNIT).astype(np.float32)


def gap(
    seen: Floats,
    own: Floats,
    shadows: Sequence[float],
    spread: float = np.inf,
    around: Floats | float = 1.0,
) -> Floats:
    """Squared distances in `SPACE` of what is seen (..., 3) from what is there (..., 3, broadcast), dimmed by
    that one of the `shadows` (1: none) that suits best; one that is `spread` away from none costs 1. around:
    (..., broadcast) how dim the ground around is; what is not dimmer than that costs nothing."""
    lit, bare = seen @ SPACE, own @ SPACE
    # |lit - shade bare|², multiplied out: the shades are many, the sums over the channels are slow.
    bright, both, dark = (
        np.einsum("...c,...c->...", a, b) for a, b in ((lit, lit), (lit, bare), (bare, bare))
    )
    odd = (np.maximum(np.minimum(around, 1) - shade, 0) + max(shade - 1, 0) for shade in shadows)
    gaps = (
        dark * shade**2 - both * (2 * shade) + (away / spread) ** 2
        for shade, away in zip(shadows, odd, strict=True)
    )
    return np.asarray(np.maximum(bright + reduce(np.minimum, gaps), 0), np.float32)


def differs(seen: Floats, bare: Floats) -> NDArray[np.bool_]:
    """(...,) whether what is seen (..., 3) is the bare ground (..., 3) in no shadow."""
    return np.asarray(gap(seen, bare, *SHADOWS) > DIFFERENT)
