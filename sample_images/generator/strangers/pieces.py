"""One maker's pieces: the shape, paint and surface of each kind, drawn at random within a set's sizes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.board import Board
from sample_images.generator.placing import Body
from sample_images.generator.sensor import linear_from_srgb
from sample_images.generator.sets import PieceSet
from sample_images.generator.strangers import outlines
from sample_images.generator.strangers.solids import Solid, around_z, box, joined, laid_down, lathe, slab

Surface = dict[str, Any]
# Colours as a maker means them (sRGB); each set's differ.
PAINTS = {
    "white": (237, 235, 228), "blue": (30, 82, 170), "green": (34, 124, 62), "yellow": (240, 196, 34),
    "red": (192, 34, 32), "grey": (140, 140, 138), "black": (34, 33, 34), "brown": (108, 66, 38),
    "orange": (226, 118, 30), "purple": (104, 52, 132),
}  # fmt: skip
STONE = (140, 141, 138)
# How strong colours are on it, how rough it is, how strong its grain.
FINISHES = {
    "plastic": (0.85, (0.12, 0.3), 0.0),
    "satin": (1.0, (0.3, 0.45), 0.0),
    "wood": (0.75, (0.45, 0.7), 0.10),
    "matt": (0.85, (0.7, 0.95), 0.04),
    "resin": (0.9, (0.15, 0.4), 0.05),
}
GLOSSY = ("plastic", "resin")
# Seldom a figure is a flat man, has edges, or is flattened.
FLAT_MEN, EDGED, FLATTENED = 0.10, 0.08, 0.07
# A recess in a capstone is so deep, its rim so wide (mm).
RECESS_MM, RIM_MM = 1.4, 2.2
BOX = ("length", "width", "height")


def sized_for(board: Board, pieces: PieceSet, rng: Generator) -> PieceSet:
    """The set in nearly the sizes that a board file tells: nobody measures exactly."""

    def told(kind: str, dim: str) -> float:
        return board.pieces[kind].dims_mm[dim] * math.exp(rng.normal(0, 0.07))

    if "disc" in board.pieces:
        disc = replace(pieces.disc, diameter=told("disc", "diameter_mm"), height=told("disc", "height_mm"))
        pieces = replace(pieces, disc=disc)
    if "figure" in board.pieces:
        figure = replace(pieces.figure, base=told("figure", "base_mm"), height=told("figure", "height_mm"))
        pieces = replace(pieces, figure=figure)
    if "block" in board.pieces:
        sizes = (told("block", f"{name}_mm") for name in ("length", "width", "height"))
        pieces = replace(pieces, block=replace(pieces.block, **dict(zip(BOX, sizes, strict=True))))
    return pieces


class Maker:
    """Makes the pieces of one set. stone_figures: its grey figures are of the triliths' stone."""

    def __init__(self, rng: Generator, pieces: PieceSet, *, stone_figures: bool) -> None:
        self.rng, self.set, self.stone_figures = rng, pieces, stone_figures
        self.finish = str(rng.choice(list(FINISHES)))
        strength, rough, self.grain = FINISHES[self.finish]
        self.roughness = float(rng.uniform(*rough))
        self.coat = float(rng.uniform(0.3, 1)) if self.finish in GLOSSY and rng.random() < 0.5 else 0.0
        self.bevel = float(rng.uniform(0.2, 1.1))
        cast, bright = rng.normal(0, 6, 3), rng.normal(1, 0.06)
        self.paints: dict[str, NDArray[np.float64]] = {}
        for name, paint in PAINTS.items():
            shade = np.array(paint) * bright + cast + rng.normal(0, 9, 3)
            self.paints[name] = np.clip(shade.mean() + strength * (shade - shade.mean()), 12, 248)
        self.stone = np.clip(np.array(STONE) * rng.uniform(0.75, 1.15) + rng.normal(0, 5, 3), 20, 240)
        self.stone_as_pieces, self.recessed = rng.random(2) < (0.5, 0.6)
        self.figure = self._figure()
        self.disc = lathe(
            outlines.random_disc(rng, pieces.disc.diameter, pieces.disc.height),
            int(rng.choice([56, 6, 8], p=[0.6, 0.2, 0.2])),
        )

    def _figure(self) -> Solid:
        size, kind = self.set.figure, self.rng.random()
        if kind < FLAT_MEN:
            return slab(outlines.flat_man(size.base, size.height), size.base * self.rng.uniform(0.3, 0.7))
        profile = outlines.random_figure(self.rng, size.base, size.height)
        if kind < FLAT_MEN + EDGED:
            return lathe(profile, int(self.rng.choice([4, 5, 6, 8])))
        if kind < FLAT_MEN + EDGED + FLATTENED:
            return lathe(profile, flattened=float(self.rng.uniform(0.5, 0.85)))
        return lathe(profile)

    def made(self, body: Body, value: int | None = None) -> list[tuple[Solid, Surface]]:
        """The solids of a body where it lies, in the renderer's coordinates (y upwards on the board), each
        with its surface. value: a number stone's digit. Raises KeyError for cards: they are printed."""
        stone = body.kind in ("trilith", "capstone", "pillar") or (
            body.kind == "figure" and body.colour == "grey" and self.stone_figures
        )
        made = [(self._solid(body), self._surface(body.colour, stone=stone))]
        if body.kind == "druid" and value:
            made.append((self._sticker(), self._print(body.colour, value)))
        return [(where_it_lies(solid, body), surface) for solid, surface in made]

    def _solid(self, body: Body) -> Solid:
        pieces, lying, bevel = self.set, body.pose == "lying", self.bevel
        stone = pieces.trilith
        match body.kind:
            case "disc":
                return self.disc
            case "figure" if lying:
                size = pieces.figure
                return self.figure.moved(laid_down(), (-size.height / 2, 0, size.base / 2))
            case "figure":
                return self.figure
            case "block":
                return box(pieces.block.length, pieces.block.width, pieces.block.height, bevel)
            case "megalith":
                size = pieces.megalith
                return box(size.length, size.width, size.height, 1 + bevel)
            case "druid":
                size = pieces.druid
                edge = min(0.12 * size.height + 0.3, 0.4 * size.height)
                wide = size.diameter / 2
                return lathe([(0, 0), (wide - edge, 0), (wide, edge), (wide, size.height - edge),
                              (wide - edge, size.height), (0, size.height)])  # fmt: skip
            case "capstone":
                return self._capstone()
            case "pillar" if lying:
                return box(stone.pillar_height, stone.pillar_length, stone.pillar_width, bevel)
            case "pillar":
                return box(stone.pillar_length, stone.pillar_width, stone.pillar_height, bevel)
            case "trilith":
                pillar = box(stone.pillar_length, stone.pillar_width, stone.pillar_height, bevel)
                half = stone.span / 2
                return joined(
                    pillar.moved(by=(-half, 0, 0)), pillar.moved(by=(half, 0, 0)),
                    self._capstone().moved(by=(0, 0, stone.pillar_height)),
                )  # fmt: skip
        raise KeyError(body.kind)

    def _capstone(self) -> Solid:
        stone = self.set.trilith
        long, wide, high = stone.capstone_length, stone.capstone_width, stone.capstone_height
        if not self.recessed:
            return box(long, wide, high, self.bevel)
        rim = RECESS_MM + 0.4
        side, end = box(long, RIM_MM, rim, 0.2), box(RIM_MM, wide - 2 * RIM_MM, rim, 0.2)
        return joined(
            box(long, wide, high - RECESS_MM, self.bevel),
            *(side.moved(by=(0, sign * (wide - RIM_MM) / 2, high - rim)) for sign in (-1, 1)),
            *(end.moved(by=(sign * (long - RIM_MM) / 2, 0, high - rim)) for sign in (-1, 1)),
        )

    def _sticker(self) -> Solid:
        size = self.set.druid
        flat = lathe([(size.sticker_diameter / 2, 0), (0, 0.02)], 40)
        picture = 0.5 + flat.vertices[:, :2] * (1, -1) / size.sticker_diameter
        return replace(flat, grain=picture).moved(by=(0, 0, size.height + 0.06))

    def _surface(self, colour: str, *, stone: bool) -> Surface:
        """Paint or stone, each piece in a shade of its own."""
        grain = 0.07 if stone else self.grain
        shade = self.stone if stone else self.paints[colour]
        shade = np.clip(shade * (1 + self.rng.normal(0, 0.04 if grain else 0.02)), 8, 250)
        as_pieces = not stone or self.stone_as_pieces
        rough = self.roughness if as_pieces else float(self.rng.uniform(0.5, 0.9))
        base = painted(shade)
        if grain:
            stretch = 8 if self.finish == "wood" and not stone else 1
            uneven = 1 + grain * clouds(self.rng, 96, stretch=stretch)[..., None]
            base = pictured(linear_from_srgb(shade / 255) * uneven)
        coat = {"clearcoat": self.coat, "clearcoat_gloss": 0.9} if self.coat and as_pieces else {}
        return surfaced(base, rough, **coat)

    def _print(self, colour: str, value: int) -> Surface:
        """A digit on cream, or pale on the stone's colour."""
        dark, size = self.set.druid.sticker == "dark", 160
        ground, ink = (tuple(map(int, 0.95 * self.paints[colour])), (235, 230, 215))
        if not dark:
            ground, ink = (232, 228, 210), (30, 28, 30)
        picture = np.full((size, size, 3), ground, np.uint8)
        font = int(self.rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX]))
        (wide, high), _ = cv2.getTextSize(str(value), font, 4.0, 11)
        at = (size - wide) // 2, (size + high) // 2
        cv2.putText(picture, str(value), at, font, 4.0, ink, 11, cv2.LINE_AA)
        if value == 6:
            cv2.line(picture, (56, 138), (104, 138), ink, 5)
        return surfaced(pictured(linear_from_srgb(picture[::-1] / 255)), 0.5)


def where_it_lies(solid: Solid, body: Body) -> Solid:
    """A body's solid in the renderer's coordinates."""
    return solid.moved(around_z(-body.angle_deg), (body.x_mm, -body.y_mm, body.base_mm))


def clouds(rng: Generator, size: int, *, beta: float = 1.0, stretch: int = 1) -> NDArray[np.float64]:
    """(size, size) noise around 0, deviation 1, of five sizes; beta: how little the fine ones count."""
    field = np.zeros((size, size))
    for octave in range(1, 6):
        cells = 2**octave
        grid = rng.normal(size=(cells, cells * stretch))
        field += cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC) / cells**beta
    return np.asarray((field - field.mean()) / (field.std() + 1e-9))


def surfaced(base: Surface, roughness: float, **coat: float) -> Surface:
    """What a piece is covered with, seen from both sides. base: `painted` or `pictured`; coat: further
    values of the renderer's principled surface."""
    surface = {"type": "principled", "base_color": base, "roughness": roughness, **coat}
    return {"type": "twosided", "bsdf": surface}


def painted(srgb: NDArray[np.float64] | tuple[float, ...]) -> Surface:
    """One colour (0..255) for the renderer."""
    return {"type": "rgb", "value": [float(v) for v in linear_from_srgb(np.asarray(srgb) / 255)]}


def pictured(linear: NDArray[np.float64]) -> Surface:
    """A picture (H, W, 3) of linear colours for the renderer; its first row lies at v = 0."""
    import mitsuba as mi

    picture = np.ascontiguousarray(np.clip(linear, 0.003, 0.95), np.float32)
    return {"type": "bitmap", "bitmap": mi.Bitmap(picture), "raw": True, "wrap_mode": "mirror"}
