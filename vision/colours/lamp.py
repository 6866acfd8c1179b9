"""Where glossy pieces mirror a lamp: around one spot their tops show less of their paint, and white instead.

One pale red disc may be a dim white one. But the tops of a set all lie level and are equally glossy, so that
neighbours mirror the same lamp alike: several pale pieces of several colours around one spot, each of its own
paint and as much white as its neighbours, are better explained by one lamp than each by itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

if TYPE_CHECKING:
    from vision.colours.palette import Palette

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
# The kinds of pieces of which mostly the level top is seen.
LEVEL = ("disc", "block")
# How far a lamp may reach (mm), and how much of the paint it may hide at its middle; where the search begins.
REACH_MM, STRENGTH = (12.0, 150.0), (0.1, 0.99)
REACHES_MM, STRENGTHS = (20.0, 35.0, 60.0, 100.0), (0.3, 0.5, 0.7, 0.85, 0.95)
# The search goes on from there in steps of these: the middle (mm), the reach's logarithm, the strength.
STEPS, MOST_STEPS = np.array([15.0, 15.0, 0.3, 0.1]), 200
# Shares of paint at which it is asked how likely a piece looks so; in between they are interpolated.
SHARES, NEXT_SHARES = np.linspace(1, 0.1, 10), np.ones((3, 1), np.uint8)
# No piece speaks for or against a lamp more than what has another reason altogether would.
OTHERWISE = 1e-3
# Log likelihood by which all pieces must be better explained with a lamp, and a single one for its middle to
# be looked for there. (In 433 photographs, 12,641 pieces, 24 lamps are found so: 18 pieces more are told
# rightly, none wrongly that was right. With 4.5 a white one is told as yellow.)
BETTER, SPEAKS = 6.0, 0.5
FEWEST = 4


@dataclass(frozen=True)
class Lamp:
    """A lamp that pieces around `at_mm` mirror: `strength` of their paint is hidden there, less the farther
    away they lie (a Gaussian bell as wide as `reach_mm`)."""

    at_mm: Array
    reach_mm: float
    strength: float

    def paint(self, at_mm: Array, kinds: Sequence[str]) -> Floats:
        """(N,) the share of their paint that pieces of these kinds at the points (N, 2) show."""
        hidden = _hidden(at_mm, self.at_mm, np.array(self.reach_mm), np.array(self.strength))
        return np.where(np.isin(kinds, LEVEL), 1 - hidden, 1).astype(np.float32)


def find_lamp(
    palette: Palette,
    seen: Floats,
    allowed: NDArray[np.bool_],
    weight: Floats,
    kinds: Sequence[str],
    around: Floats,
    at_mm: Array,
) -> Lamp | None:
    """The lamp that explains N pieces at the points (N, 2) far better than none, if there is one; the palette
    is what was learnt of the set, see `Palette.adapted` for the others."""
    level = np.flatnonzero(np.isin(kinds, LEVEL) & (weight > 0))
    if len(level) < FEWEST:
        return None
    seen, allowed, around, at_mm = seen[level], allowed[level], around[level], at_mm[level]
    own = [kinds[index] for index in level]
    likely = np.stack([palette.likely(seen, own, around, share) for share in SHARES]) * allowed
    explained = np.log((likely * _often(likely[0], own, allowed)).sum(axis=2) + OTHERWISE)
    gained = explained - explained[0]
    return _best_of(gained, at_mm)


def _best_of(gained: Floats, at_mm: Array) -> Lamp | None:
    """The lamp under which N pieces at these points gain most, if that is enough; gained: what each gains
    where it shows so much of its paint, (len(SHARES), N)."""
    speaks = gained.max(axis=0)
    middles = at_mm[speaks > SPEAKS]
    if not len(middles) or speaks.sum() < BETTER:
        return None

    reaches, strengths = (each.ravel() for each in np.meshgrid(REACHES_MM, STRENGTHS))
    # What a piece would gain by a little more or less, too: no start is exact.
    about, lamps = cv2.dilate(gained, NEXT_SHARES), (middles[:, None], reaches, strengths)
    starts = _at(about, _hidden(at_mm, *lamps)).sum(axis=-1)
    if starts.max() < BETTER:
        return None
    middle, other = np.unravel_index(starts.argmax(), starts.shape)
    start = np.array([*middles[middle], math.log(reaches[other]), strengths[other]])
    found = minimize(
        lambda x: -_at(gained, _hidden(at_mm, x[:2], np.exp(x[2]), x[3])).sum(),
        start,
        method="Nelder-Mead",
        bounds=[(None, None), (None, None), tuple(np.log(REACH_MM)), STRENGTH],
        options={"maxfev": MOST_STEPS, "initial_simplex": np.vstack([start, start + np.diag(STEPS)])},
    )
    if -found.fun < BETTER:
        return None
    return Lamp(found.x[:2], math.exp(found.x[2]), float(found.x[3]))


def _hidden(at_mm: Array, middles: Array, reaches_mm: Array, strengths: Array) -> Array:
    """(..., N) how much of the paint of pieces at these points is hidden by lamps at (..., 2), of (...) reach
    and strength."""
    far = ((at_mm - middles[..., None, :]) ** 2).sum(axis=-1)
    return np.asarray(strengths[..., None] * np.exp(-far / (2 * reaches_mm[..., None] ** 2)))


def _often(likely: Floats, kinds: Sequence[str], allowed: NDArray[np.bool_]) -> Floats:
    """(N, P) how often pieces of each one's kind have each colour, as far as (N, P) `likely` tells."""
    each = likely / np.maximum(likely.sum(axis=1, keepdims=True), OTHERWISE)
    often = np.ones_like(likely)
    for kind in dict.fromkeys(kinds):
        own = np.array(kinds) == kind
        often[own] += each[own].sum(axis=0)
    often *= allowed
    return np.asarray(often / np.maximum(often.sum(axis=1, keepdims=True), OTHERWISE), np.float32)


def _at(gained: Floats, hidden: Array) -> Array:
    """(..., N) what each piece gains where so much is hidden, (..., N); gained: (len(SHARES), N)."""
    step = float(SHARES[0] - SHARES[1])
    below = np.minimum((hidden / step).astype(int), len(SHARES) - 2)
    part = hidden / step - below
    pieces = np.arange(gained.shape[1])
    return np.asarray((1 - part) * gained[below, pieces] + part * gained[below + 1, pieces])
