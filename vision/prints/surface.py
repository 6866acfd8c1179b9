"""The empty board as a texture: the printed artwork, or one photograph of it.

Values are display-referred (gamma 1/2.2 of linear light), 0..1, BGR: what an evenly lit white board would
look like. They are kept as whole numbers, in half the room of floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.position import fields_of
from vision.geometry.view import View
from vision.pictures.lookup import looked_up

Floats = NDArray[np.float32]
GAMMA = 2.2
Outline = tuple[tuple[float, float], ...]
# What a level shows of white.
FULL = 65535


@dataclass(frozen=True)
class Surface:
    """A texture of the board's plane. `levels` are uint16 (h, w, 3) images, 65535 being 1, each half the size
    of the one before; level 0 has `px_per_mm`. `size_mm` is width, height. `photographed`: it is a photograph
    of the empty board; `guessed`: it was made up from one with pieces on it, and is right only on the fields.
    `hidden`: the areas whose print nobody has seen, because something lay there; `likened`: the fields whose
    print was taken from others of their kind for that reason, and may lie a little aside; `under_cards`:
    where a card lay, (4, 2) mm, so that what is printed there was made up from what is around."""

    levels: tuple[NDArray[np.uint16], ...]
    px_per_mm: float
    size_mm: tuple[float, float]
    guessed: bool = False
    photographed: bool = False
    hidden: frozenset[str] = frozenset()
    likened: frozenset[str] = frozenset()
    under_cards: tuple[Outline, ...] = ()

    @property
    def is_foreign(self) -> bool:
        """Whether it is no print of ours, drawn as exactly as it was printed."""
        return self.guessed or self.photographed

    def shows(self, area: str) -> bool:
        """Whether it is known what an area's print looks like."""
        return not self.guessed and area not in self.hidden

    @classmethod
    def of_image(cls, image: NDArray[np.uint8], size_mm: tuple[float, float]) -> Surface:
        """From a top view (uint8 BGR) that covers the whole board."""
        levels = [image * np.uint16(FULL // 255)]
        while min(levels[-1].shape[:2]) > 64:
            height, width = levels[-1].shape[:2]
            half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            levels.append(np.asarray(half, np.uint16))
        return cls(tuple(levels), image.shape[1] / size_mm[0], size_mm)

    @classmethod
    def of_photo(
        cls, photo: NDArray[np.uint8], view: View, size_mm: tuple[float, float], px_per_mm: float = 3.0
    ) -> Surface:
        """From one photograph of the empty board: rectified, keeping its own light."""
        return replace(cls.of_image(rectified(photo, view, size_mm, px_per_mm), size_mm), photographed=True)

    def is_likened(self, place: str) -> bool:
        """Whether how a place is printed is only known from others like it."""
        return not self.likened.isdisjoint(fields_of(place))

    def top_view(self, level: int = 0) -> NDArray[np.uint8]:
        """(h, w, 3) one of the levels as a picture."""
        return (self.levels[level] >> 8).astype(np.uint8)

    @cached_property
    def greys(self) -> tuple[NDArray[np.uint8], ...]:
        """The levels as uint8 grey pictures."""
        pictures = (self.top_view(level) for level in range(len(self.levels)))
        return tuple(np.asarray(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY), np.uint8) for each in pictures)

    def sample(self, mm: Floats, mm_per_px: Sequence[float]) -> Floats:
        """(N, S, S, 3) texture at (N, S, S, 2) board millimetres; `mm_per_px` is each crop's own scale."""
        out = np.empty((*mm.shape[:-1], 3), np.float32)
        wanted = np.log2(np.maximum(np.asarray(mm_per_px) * self.px_per_mm, 1e-3)) + 0.3
        levels = np.clip(np.floor(wanted), 0, len(self.levels) - 1).astype(int)
        for level in np.unique(levels):
            chosen = np.flatnonzero(levels == level)
            scale = self.px_per_mm / 2**level
            xy = (mm[chosen] * scale - 0.5).astype(np.float32)
            out[chosen] = looked_up(self.levels[level], xy) * np.float32(1 / FULL)
        return out


def rectified(
    photo: NDArray[np.uint8], view: View, size_mm: tuple[float, float], px_per_mm: float
) -> NDArray[np.uint8]:
    """(h, w, 3) the board as a photograph shows it, rectified."""
    width, height = round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm)
    maps = view.maps((0.0, 0.0), 1 / px_per_mm, (width, height))
    top_view = cv2.remap(photo, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(top_view, np.uint8)
