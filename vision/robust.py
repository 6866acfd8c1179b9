"""Least squares that some wild values do not lead astray."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# The damping at first, by how much it changes after a good and a bad step, and at least and most; and that of
# what nothing depends on.
DAMPING, CHANGE, LEAST, MOST, TINY = 1e-3, 10.0, 1e-9, 1e6, 1e-12
# It is over when a step makes it better by less than this share, or after so many steps.
SETTLED, STEPS = 1e-8, 60


def least_squares(
    residuals: Callable[[Array], Array], slopes: Callable[[Array], Array], start: Array
) -> Array:
    """(V,) the values near `start` whose residuals (R,) are smallest: the sum of sqrt(1 + r²) - 1, so that
    those far beyond 1 count by their size, not its square. slopes: (R, V) how the residuals change.

    Method: Levenberg and Marquardt's, with the second-order correction for a robust loss of Triggs et al.,
    Bundle adjustment (2000). For some values and many residuals a few times as quick as SciPy's."""
    values, missed = start, residuals(start)
    price, damping = _price(missed), DAMPING
    curved, down = _downhill(slopes(values), missed)
    for _ in range(STEPS):
        damped = curved + np.diag(damping * np.diag(curved) + TINY)
        tried = values + np.linalg.solve(damped, down)
        missed = residuals(tried)
        gain = price - _price(missed)
        if gain > 0:
            values, price, damping = tried, price - gain, max(damping / CHANGE, LEAST)
            if gain < SETTLED * price:
                break
            curved, down = _downhill(slopes(values), missed)
        else:
            damping *= CHANGE
            if not damping < MOST:
                break
    return values


def _price(residuals: Array) -> float:
    return float((np.sqrt(1 + residuals**2) - 1).sum())


def _downhill(slopes: Array, residuals: Array) -> tuple[Array, Array]:
    """(V, V) how the price is curved, nearly, and (V,) where it falls."""
    weight = 1 / np.sqrt(1 + residuals**2)
    return slopes.T @ (slopes * weight[:, None] ** 3), -slopes.T @ (weight * residuals)
