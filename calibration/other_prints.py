"""Prints of other makers, drawn at random: a board's fields in a look that nobody has, to learn from.

Pictures are uint8 BGR (H, W, 3). Nothing is taken from the tables that the eyes are judged by.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field

Image = NDArray[np.uint8]
Colour = NDArray[np.float64]
# Points of outlines are given in so many parts of a pixel.
SHIFT = 4
# How often the places where pieces land have the ground's colour, one for all, each its own; a paler own one.
SPOTS = ("ground", "one", "own", "paler")
SPOT_SHARES = (0.2, 0.4, 0.2, 0.2)
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX_SMALL,
)  # fmt: skip


def other_print(rng: np.random.Generator, board: Board, px_per_mm: float) -> Image:
    """The board in a look drawn from the chance alone; the same one, however fine."""
    ground = _random_colour(rng)
    picture = _textured(rng, board, ground, px_per_mm)
    colours = {name: _random_colour(rng, lively=True) for name in _names(board)}
    line = np.clip(ground + np.sign(110 - ground.mean()) * rng.uniform(60, 150), 0, 255)
    for kind in sorted({field.kind for field in board.fields.values()}, key=_largest_first(board)):
        look = _Look(rng, ground, line)
        for field in board.fields_of_kind(kind):
            look.draw(picture, field, colours, px_per_mm)
    if rng.random() < 0.4:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.1, 0.3) * px_per_mm)
    return picture


class _Look:
    """How one kind of field is printed, the same for all of them."""

    def __init__(self, rng: np.random.Generator, ground: Colour, line: Colour) -> None:
        self.spot = str(rng.choice(SPOTS, p=SPOT_SHARES))
        self.one = _random_colour(rng) if rng.random() < 0.5 else _light(rng)
        self.line = line if rng.random() < 0.6 else _random_colour(rng)
        self.rim_mm = float(rng.choice([0.0, 0.4, 0.8, 1.4, 2.5], p=[0.12, 0.22, 0.26, 0.25, 0.15]))
        self.coloured_rim = bool(rng.random() < 0.5)
        self.size = float(rng.uniform(0.85, 1.12))
        self.inner = float(rng.uniform(0.45, 0.85)) if rng.random() < 0.35 else 0.0
        self.fine_mm = float(rng.uniform(0.25, 0.5))
        self.named = bool(rng.random() < 0.4)
        self.font, self.text = int(rng.choice(FONTS)), float(rng.uniform(0.3, 0.8))
        self.aside = rng.uniform(-0.4, 0.4, 2)

    def draw(self, picture: Image, field: Field, colours: dict[str, Colour], px_per_mm: float) -> None:
        own = colours.get(field.colour or "", self.one)
        outline = _outline(field, self.size, px_per_mm)
        if field.kind not in ("yard", "altar") and self.spot != "ground":
            fill = {"one": self.one, "own": own, "paler": 0.4 * own + 0.6 * 245}[self.spot]
            cv2.fillPoly(picture, [outline], fill.tolist(), cv2.LINE_AA, SHIFT)
        rim = own if self.coloured_rim else self.line
        fine = max(1, round(self.fine_mm * px_per_mm))
        if self.rim_mm:
            thick = max(1, round(self.rim_mm * px_per_mm))
            cv2.polylines(picture, [outline], True, rim.tolist(), thick, cv2.LINE_AA, SHIFT)
        if self.inner:
            within = _outline(field, self.size * self.inner, px_per_mm)
            cv2.polylines(picture, [within], True, self.line.tolist(), fine, cv2.LINE_AA, SHIFT)
        if self.named and field.radius_mm:
            self._name(picture, field, px_per_mm, fine)

    def _name(self, picture: Image, field: Field, px_per_mm: float, thick: int) -> None:
        text = field.id.split("-")[1] if "-" in field.id else field.id
        scale = self.text * field.radius_mm * px_per_mm / 22
        (wide, high), _ = cv2.getTextSize(text, self.font, scale, thick)
        x, y = (np.array(field.centre_mm) + self.aside * field.radius_mm) * px_per_mm
        at = (round(x - wide / 2), round(y + high / 2))
        cv2.putText(picture, text, at, self.font, scale, self.line.tolist(), thick, cv2.LINE_AA)


def _outline(field: Field, size: float, px_per_mm: float) -> NDArray[np.int32]:
    """The field's edge, so many times as large."""
    middle = np.array(field.centre_mm)
    points = (middle + size * (np.array(field.outline_mm()) - middle)) * px_per_mm - 0.5
    return np.round(points * 2**SHIFT).astype(np.int32)


def _largest_first(board: Board):  # type: ignore[no-untyped-def]
    """Large fields are printed before what lies within them."""
    return lambda kind: -max(field.radius_mm for field in board.fields_of_kind(kind))


def _names(board: Board) -> list[str]:
    return sorted({field.colour for field in board.fields.values() if field.colour})


def _random_colour(rng: np.random.Generator, *, lively: bool = False) -> Colour:
    """Any colour, pale ones and dark ones as often as bright ones; a lively one is no grey."""
    grey = rng.uniform(30, 250)
    strength = rng.uniform(0.35, 1.0) if lively else rng.uniform(0.0, 0.6)
    return np.clip(grey + strength * rng.uniform(-110, 110, 3), 5, 252)


def _light(rng: np.random.Generator) -> Colour:
    """White, cream, or a light grey: what prints have where pieces land."""
    return np.clip(rng.uniform(165, 250) + np.array([-1.0, -0.3, 0.0]) * rng.uniform(0, 35), 0, 255)


def _textured(rng: np.random.Generator, board: Board, ground: Colour, px_per_mm: float) -> Image:
    """A ground that wanders around its colour, coarse and fine, sometimes woven or in rings."""
    width, height = (round(side * px_per_mm) for side in board.size_mm)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = ground
    coarse_mm, strength = math.exp(rng.uniform(math.log(3), math.log(60))), rng.uniform(0, 30)
    for octave in range(3):
        cell_mm = max(0.8, coarse_mm / 2.5**octave)
        across, down = (max(2, int(side / cell_mm)) for side in board.size_mm)
        noise = rng.normal(size=(down, across, 3)).astype(np.float32)
        noise = noise.mean(axis=2, keepdims=True) * 0.8 + noise * 0.2
        grown = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        picture += strength * 0.6**octave * grown
    if rng.random() < 0.2:
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        period = rng.uniform(0.8, 8) * px_per_mm
        way = np.hypot(x - width / 2, y - height / 2) if rng.random() < 0.4 else x * rng.uniform(-1, 1) + y
        picture += rng.uniform(2, 12) * np.sin(way / period * 2 * math.pi)[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)
