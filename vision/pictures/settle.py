"""Is the picture still, and are hands gone? Looks at every picture of a camera, so it has to be cheap.

A picture is compared at a tenth of its size, colour by colour, with the one before (does anything
move?) and with the last settled one (what is different?). Overall changes of brightness, as automatic
exposure makes them, are taken out. What differs and reaches in from the picture's edge is an arm; a hand
that lies still is still a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Small = NDArray[np.int16]

WIDTH: Final = 128  # px of the small picture
DIFFERS: Final = 14  # of 255
MOVING: Final = 0.0025  # share of the picture
CHANGED: Final = 0.0006
ARM: Final = 0.02
EVERYTHING: Final = 0.5
STILL_S: Final = 0.3
ARM_PATIENCE_S: Final = 6.0


@dataclass(frozen=True, slots=True)
class Motion:
    """state: "moving", "hand" (still, but an arm reaches in) or "still". changed: whether a still picture
    shows something else than the last settled one. moving, differing: shares of the picture, 0..1."""

    state: Literal["moving", "hand", "still"]
    changed: bool
    moving: float
    differing: float


class Settler:
    """Watches the pictures of one camera. `settled()` says that the present one has been read."""

    def __init__(self, still_s: float = STILL_S) -> None:
        self._still_s = still_s
        self._before: Small | None = None
        self._settled: Small | None = None
        self._still_since: float | None = None

    def update(self, image: NDArray[np.uint8], at_s: float) -> Motion:
        """Looks at the next picture, uint8 (H, W, 3) BGR, taken at `at_s` seconds on any clock."""
        small = _small(image)
        before, self._before = self._before, small
        if before is None or before.shape != small.shape:
            self._still_since = at_s
            return Motion("moving", True, 1.0, 1.0)
        moving = _share(_difference(small, before))
        if moving > MOVING:
            self._still_since = None
        elif self._still_since is None:
            self._still_since = at_s
        differing, arm = self._compare(small)
        still_for = -1.0 if self._still_since is None else at_s - self._still_since
        if still_for < self._still_s:
            return Motion("moving", differing > CHANGED, moving, differing)
        if arm and still_for < ARM_PATIENCE_S:
            return Motion("hand", True, moving, differing)
        return Motion("still", differing > CHANGED, moving, differing)

    def settled(self) -> None:
        """The present picture is the one to compare with from now on."""
        self._settled = self._before

    def forget(self) -> None:
        """Compare with nothing: whatever comes next is new."""
        self._settled = None

    def _compare(self, small: Small) -> tuple[float, bool]:
        """The share that differs from the settled picture, and whether an arm is part of it."""
        if self._settled is None or self._settled.shape != small.shape:
            return 1.0, False
        mask = _difference(small, self._settled)
        differing = _share(mask)
        if differing < ARM or differing > EVERYTHING:
            return differing, False  # a bumped camera or another light is no arm
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        rim = set(np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1])).tolist()) - {0}
        least = ARM * mask.size
        return differing, any(stats[label, cv2.CC_STAT_AREA] > least for label in rim if label < count)


def _small(image: NDArray[np.uint8]) -> Small:
    height, width = image.shape[:2]
    step = max(1, width // (4 * WIDTH))
    size = (WIDTH, max(1, round(height * WIDTH / width)))
    return cv2.resize(image[::step, ::step], size, interpolation=cv2.INTER_AREA).astype(np.int16)


def _difference(first: Small, second: Small) -> NDArray[np.uint8]:
    """1 where two pictures differ in any colour, the difference of the whole picture taken out."""
    apart = first - second
    apart -= np.median(apart, axis=(0, 1)).astype(np.int16)
    return (np.abs(apart).max(axis=2) > DIFFERS).astype(np.uint8)


def _share(mask: NDArray[np.uint8]) -> float:
    return float(np.count_nonzero(mask)) / mask.size
