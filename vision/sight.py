"""One picture on its way to an observation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.position import Piece, Thing
from vision.fields.consensus import Consensus
from vision.fields.crops import cut, frames_of, register
from vision.fields.network import ELSEWHERE, GUESSED, OURS, Looks, look, look_on_capstones
from vision.fields.places import Place
from vision.finding.locate import Located
from vision.geometry.bodies import Body
from vision.geometry.view import Array, View
from vision.pictures.halves import Halves, Photo
from vision.pictures.lookup import looked_up
from vision.prints.glare import find_glare, take_off
from vision.prints.light import Light
from vision.prints.surface import Surface

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# A point of the print is about so large (mm).
POINT_MM = 2.0


@dataclass
class Sight:
    """Everything that is known of one picture on its way to an observation. consensus: what its empty places
    have in common, or those of an earlier picture of the same table in the same light; tops: what the
    networks say of the capstones that were looked at; print_seen: how much of their print these usually show,
    see `vision.fields.covered`; usual_steps: how large steps are there where the sides of a block would be,
    see `vision.fields.faint`; heaps: how likely a heap on these fields has two blocks,
    three, ..., see `vision.stacked.heaps`."""

    photo: Photo
    located: Located
    light: Light
    surface: Surface
    beliefs: dict[str, dict[Thing | None, float]] = field(default_factory=dict)
    unseen: dict[str, str] = field(default_factory=dict)
    loose: list[Piece] = field(default_factory=list)
    below: dict[str, list[Piece]] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    lens_is_off: bool = False
    consensus: Consensus | None = None
    tops: tuple[tuple[Place, ...], Looks] | None = None
    print_seen: tuple[float, float] | None = None
    usual_steps: dict[Body, float] = field(default_factory=dict)
    heaps: dict[str, Floats] = field(default_factory=dict)

    @property
    def view(self) -> View:
        return self.located.view

    @cached_property
    def halves(self) -> Halves:
        """The picture in half, quarter, ... size, too."""
        return Halves.of(self.photo)

    @property
    def image(self) -> Image:
        """The picture, (H, W, 3) BGR."""
        return self.halves[0]

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The picture in shades of grey."""
        return np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def _glare(self) -> NDArray[np.uint8] | None:
        """Where the board mirrors a lamp, see `vision.prints.glare.find_glare`."""
        return find_glare(self.halves, self.view, self.surface, self.light)

    def seen(self) -> dict[str, dict[Thing | None, float]]:
        """What is believed of the places that are seen."""
        return {place: belief for place, belief in self.beliefs.items() if place not in self.unseen}

    def lying_in(self, area: str) -> list[Piece]:
        """The pieces that lie in this area, as far as is known."""
        return [piece for piece in self.loose if piece.field == area]

    def dazzles(self, pixels: NDArray[np.integer]) -> NDArray[np.bool_]:
        """(N,) whether the board mirrors a lamp at these pixels, (N, 2), or beside them."""
        if self._glare is None:
            return np.zeros(len(pixels), bool)
        size = np.array(self._glare.shape[::-1])
        column, row = np.clip(pixels * size // np.array(self.view.size_px), 0, size - 1).T
        return np.asarray(self._glare[row, column] > 0)

    def lit(self, points_mm: Array, heights_mm: Array | float, foot_mm: Array) -> Floats:
        """(N, 3) the picture at points (N, 2) so high above the board, in the light at the foot (2,) or feet
        (N, 2) of what is seen there."""
        pixels = self.view.project(points_mm, heights_mm).astype(np.float32)[None]
        seen = looked_up(self.image, pixels)[0]
        feet = np.broadcast_to(foot_mm, points_mm.shape).astype(np.float32)
        return self.light.even_out(seen.astype(np.float32), feet)

    def print_at(self, ground_mm: Array, mm_per_px: float = POINT_MM) -> Floats:
        """(N, 3) the print at points of the board, (N, 2), each so large, as it shows in even light."""
        mm = ground_mm.astype(np.float32)[None, :, None]
        return self.light.shown(self.surface, mm, [mm_per_px])[0, :, 0]

    def beside_print(self, seen: NDArray[np.uint8], ground_mm: Array) -> tuple[Floats, Floats]:
        """What the picture shows, (N, 3), in even light, and the print, at points of the board (N, 2)."""
        lit = self.light.even_out(seen.astype(np.float32), ground_mm.astype(np.float32))
        return lit, self.print_at(ground_mm)

    def crops(self, places: Sequence[Place]) -> Floats:
        """(N, CHANNELS, CROP_PX, CROP_PX) the places as the network looks at them, see
        `vision.fields.crops.cut`."""
        crops = cut(self.halves, self.view, self.surface, self.light, tuple(places))
        if self._glare is not None:
            take_off(self._glare, frames_of(self.view, places), crops, self.view.size_px)
        for crop, place in zip(crops, places, strict=True):
            if not place.under and self.surface.is_likened(place.id):
                register(crop)
        return crops

    def wide_crops(self, places: Sequence[Place], times: float, side_px: int) -> Floats:
        """(N, CHANNELS, side_px, side_px) the places and, so many times as wide, what is around them."""
        return cut(
            self.halves, self.view, self.surface, self.light, tuple(places), times=times, side_px=side_px
        )

    def look(self, places: Sequence[Place], *, coloured: bool = True) -> Looks:
        """What the networks say of N places, at least one, all on the board or all on capstones; coloured:
        see `vision.fields.network.look`."""
        crops = self.crops(places)
        return look_on_capstones(crops) if places[0].under else self.told_by(crops, coloured=coloured)

    def told_by(self, crops: Floats, *, coloured: bool = True) -> Looks:
        """What the networks say of crops of places on the board."""
        asked = ELSEWHERE if self.surface.is_foreign else OURS
        return look(crops, GUESSED if self.surface.guessed else asked, coloured=coloured)
