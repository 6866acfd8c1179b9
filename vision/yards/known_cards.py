"""Cards whose tags were read in a picture before, and on which something stands now.

What is left to be seen of such a card looks as it did, in whatever light: no other card's print would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import LENGTH_MM, WIDTH_MM
from vision.sight import Sight
from vision.yards.cards import SeenCard

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
# A card is compared in so many points a millimetre. So much of it must be seen, with so much contrast (grey
# values), and go so well with how it looked (correlation).
POINTS_PER_MM, LEAST_SEEN, CONTRAST, AS_BEFORE = 2.0, 0.2, 8.0, 0.7
# Two cards whose middles are nearer than this are one.
SAME_MM = 15.0


@dataclass(frozen=True)
class KnownCard:
    """A card that was read, and how it looked then: (N,) grey values of points all over it."""

    card: SeenCard
    looks: Floats

    @classmethod
    def of(cls, sight: Sight, card: SeenCard) -> KnownCard:
        """As this picture shows it."""
        return cls(card, _seen_at(sight, _points(card)))

    def is_seen(self, sight: Sight, shown: Floats, corner_mm: Array, cell_mm: float) -> bool:
        """Whether it still lies where it lay. shown: (H, W) in cells of the board, the first one's corner at
        corner_mm, how surely something that looks like a card is seen there."""
        points = _points(self.card)
        cells = ((points - corner_mm) / cell_mm - 0.5).astype(np.float32)
        there = cv2.remap(shown, cells[None], None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)[0] > 0.5
        if there.mean() < LEAST_SEEN:
            return False
        before, now = self.looks[there], _seen_at(sight, points[there])
        if min(before.std(), now.std()) < CONTRAST:
            return False
        return bool(np.corrcoef(before, now)[0, 1] > AS_BEFORE)

    def is_one_of(self, cards: Sequence[SeenCard]) -> bool:
        """Whether one of these lies where it lies."""
        x, y = self.card.at_mm
        return any(np.hypot(each.at_mm[0] - x, each.at_mm[1] - y) < SAME_MM for each in cards)


def _points(card: SeenCard) -> Array:
    """(N, 2) mm, all over a card."""
    along, across = (
        (np.arange(round(size * POINTS_PER_MM)) + 0.5) / POINTS_PER_MM - size / 2
        for size in (LENGTH_MM, WIDTH_MM)
    )
    turn = np.radians(card.angle_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(np.stack(np.meshgrid(along, across), axis=-1).reshape(-1, 2) @ axes + card.at_mm)


def _seen_at(sight: Sight, points_mm: Array) -> Floats:
    """(N,) grey values."""
    pixels = sight.view.project(points_mm).astype(np.float32)[None]
    return np.asarray(cv2.remap(sight.grey, pixels, None, cv2.INTER_LINEAR)[0], np.float32)
