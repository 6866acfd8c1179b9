"""Boards as players make them, drawn at random for training: grids, rings, rows, on any ground.

What is printed under a piece differs from board to board more than anything else: nothing may be learnt from
how ours look.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field, PieceType

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Spots = list[tuple[float, float, float]]
PX_PER_MM = 3.0
# How often the fields lie on a grid that fills the board, and how often they are round.
GRIDS, ROUND = 0.4, 0.65
# Sides of boards (mm), radii of fields.
SIDE_MM, RADIUS_MM = (280.0, 600.0), (8.5, 14.0)


def random_own_board(rng: np.random.Generator) -> tuple[Board, Image]:
    """A board nobody here has seen, and its print (uint8 BGR, `PX_PER_MM`)."""
    return _grid_board(rng) if rng.random() < GRIDS else random_field_board(rng)


def _grid_board(rng: np.random.Generator) -> tuple[Board, Image]:
    """Squares or crossings, in any colours, with round pieces."""
    count = int(rng.integers(5, 12))
    cell = float(rng.uniform(14, 40))
    border = cell * rng.uniform(0.4, 2)
    size = count * cell + 2 * border
    scale = PX_PER_MM
    colours = rng.uniform(20, 245, (3, 3))
    image = np.full((int(size * scale), int(size * scale), 3), colours[2], np.float32)
    squares = rng.random() < 0.6
    fields = []
    for row in range(count):
        for column in range(count):
            x, y = border + (column + 0.5) * cell, border + (row + 0.5) * cell
            if squares:
                corner = [int((v - cell / 2) * scale) for v in (x, y)]
                end = [int((v + cell / 2) * scale) for v in (x, y)]
                cv2.rectangle(image, corner, end, colours[(row + column) % 2].tolist(), -1)
            else:
                cv2.line(
                    image,
                    (int((x - cell / 2) * scale), int(y * scale)),
                    (int((x + cell / 2) * scale), int(y * scale)),
                    colours[0].tolist(),
                    2,
                )
                cv2.line(
                    image,
                    (int(x * scale), int((y - cell / 2) * scale)),
                    (int(x * scale), int((y + cell / 2) * scale)),
                    colours[0].tolist(),
                    2,
                )
            fields.append(Field(f"f-{row}-{column}", "cell", None, None, (x, y), cell / 2))
    grain = cv2.resize(
        rng.normal(0, rng.uniform(2, 14), (int(rng.integers(30, 300)), int(rng.integers(8, 60)))).astype(
            np.float32
        ),
        image.shape[1::-1],
        interpolation=cv2.INTER_CUBIC,
    )
    image = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    diameter = cell * rng.uniform(0.5, 0.97)
    shape = {"diameter_mm": diameter, "height_mm": diameter * rng.uniform(0.15, 0.6)}
    pieces = {"disc": PieceType("disc", "cylinder", (), ("cell",), shape)}
    if rng.random() < 0.4:
        pieces["figure"] = PieceType(
            "figure",
            "figure",
            (),
            ("cell",),
            {"base_mm": cell * rng.uniform(0.4, 0.8), "height_mm": cell * rng.uniform(0.7, 1.6)},
        )
    board = Board("grid", (size, size), {f.id: f for f in fields}, pieces=pieces)
    return board, image


def random_field_board(rng: np.random.Generator) -> tuple[Board, Image]:
    """Round or square fields in rings or rows on painted ground, with discs, figures and blocks."""
    size = (float(rng.uniform(*SIDE_MM)), float(rng.uniform(*SIDE_MM)))
    radius = float(rng.uniform(*RADIUS_MM))
    spots = _spots(rng, size, radius)
    image = _ground(rng, (round(size[1] * PX_PER_MM), round(size[0] * PX_PER_MM)))
    _ornaments(rng, image)
    _draw_fields(rng, image, spots, radius)
    texture = np.clip(image, 0, 255).astype(np.uint8)
    fields = [
        Field(f"f-{n}", "cell", None, None, (x, y), radius, angle_deg=angle)
        for n, (x, y, angle) in enumerate(spots)
    ]
    return Board("fields", size, {each.id: each for each in fields}, pieces=_pieces(rng, radius)), texture


def _spots(rng: np.random.Generator, size: tuple[float, float], radius: float) -> Spots:
    """(x, y, angle) of fields that hardly ever touch: one or two rings, or rows, perhaps every second one or
    set off from each other."""
    width, height = size
    apart, edge = 2 * radius + rng.uniform(3, 12), radius + rng.uniform(5, 20)
    if rng.random() < 0.5:
        reach, spots = min(size) / 2 - edge, Spots()
        for _ in range(rng.integers(1, 3)):
            count = int(2 * math.pi * reach / apart)
            for turn in np.arange(max(count, 0)) * 2 * math.pi / max(count, 1):
                at = width / 2 + reach * math.cos(turn), height / 2 + reach * math.sin(turn)
                spots.append((*at, math.degrees(turn) + 90))
            reach -= apart
        return spots
    rows, columns = int((height - 2 * edge) / apart) + 1, int((width - 2 * edge) / apart) + 1
    shifted, every = rng.random() < 0.4, int(rng.integers(1, 3))
    return [
        (edge + column * apart + (apart / 2 if shifted and row % 2 else 0), edge + row * apart, 0.0)
        for row in range(0, rows, every)
        for column in range(columns - int(shifted))
    ]


def _ground(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """(h, w, 3) BGR: one colour, two that flow into each other, wood, or dark; always a little uneven."""
    first, second = rng.uniform(15, 245, (2, 3)) * rng.choice([0.3, 1.0], p=[0.25, 0.75])
    share = np.zeros((*shape, 1), np.float32)
    style = rng.choice(["plain", "painted", "wood"], p=[0.35, 0.4, 0.25])
    if style == "painted":
        share = 1 / (1 + np.exp(-3 * _noise(rng, shape, rng.uniform(60, 500), rng.uniform(60, 500))))
    elif style == "wood":
        share = 0.3 * (1 + _noise(rng, shape, rng.uniform(3, 12), rng.uniform(200, 900)))
    image = first * (1 - share) + second * share
    uneven = _noise(rng, shape, rng.uniform(2, 12), rng.uniform(2, 40))
    return np.asarray(image * (1 + rng.uniform(0, 0.1) * uneven), np.float32)


def _noise(rng: np.random.Generator, shape: tuple[int, int], high_px: float, wide_px: float) -> Floats:
    """(h, w, 1) smooth noise around 0 in cells of about this size."""
    cells = (max(2, int(shape[0] / high_px)), max(2, int(shape[1] / wide_px)))
    small = rng.standard_normal(cells).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)[..., None]


def _ornaments(rng: np.random.Generator, image: Floats) -> None:
    """Lines, rings and spots wherever they come to lie."""
    height, width = image.shape[:2]
    for _ in range(rng.integers(0, 25)):
        over, colour = image.copy(), rng.uniform(10, 245, 3).tolist()
        (x, y), wide = rng.integers([width, height]).tolist(), int(rng.integers(1, 6))
        if rng.random() < 0.5:
            cv2.line(over, (x, y), rng.integers([width, height]).tolist(), colour, wide, cv2.LINE_AA)
        else:
            reach = int(rng.integers(5, 150))
            cv2.circle(over, (x, y), reach, colour, -1 if rng.random() < 0.4 else wide, cv2.LINE_AA)
        image += rng.uniform(0.2, 0.9) * (over - image)


def _draw_fields(rng: np.random.Generator, image: Floats, spots: Spots, radius: float) -> None:
    """The fields filled, outlined or both, in one colour, in turns or gaily; perhaps with a mark in each."""
    colours, line = rng.uniform(10, 245, (int(rng.choice([1, 1, 2, 5])), 3)), rng.uniform(0, 250, 3).tolist()
    filled, outlined = rng.choice([(1, 0), (0, 1), (1, 1)])
    sides = 4 if rng.random() > ROUND else 48
    covers, wide, marked = rng.uniform(0.4, 1.0), int(rng.integers(1, 5)), rng.random() < 0.4
    turns = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    outlines = []
    for x, y, angle in spots:
        corners = np.column_stack([np.cos(turns + np.radians(angle)), np.sin(turns + np.radians(angle))])
        outlines.append(np.round((radius * corners + (x, y)) * PX_PER_MM * 16).astype(np.int32))
    if filled:
        over = image.copy()
        for number, outline in enumerate(outlines):
            colour = colours[number % len(colours)].tolist()
            cv2.fillPoly(over, [outline], colour, cv2.LINE_AA, 4)
        image += covers * (over - image)
    if outlined:
        cv2.polylines(image, outlines, True, line, wide, cv2.LINE_AA, 4)
    if marked:
        axes = rng.integers(3, 14, 2).tolist()
        for x, y, angle in spots:
            at = (round(x * PX_PER_MM), round(y * PX_PER_MM))
            cv2.ellipse(image, at, axes, angle, 0, 300, line, 2, cv2.LINE_AA)


def _pieces(rng: np.random.Generator, radius: float) -> dict[str, PieceType]:
    """Discs, mostly figures, sometimes blocks, as large as the fields allow."""
    on = ("cell",)
    wide, high = radius * rng.uniform(1.2, 1.9), rng.uniform(2.5, 8)
    pieces = {"disc": PieceType("disc", "cylinder", (), on, {"diameter_mm": wide, "height_mm": high})}
    if rng.random() < 0.65:
        dims = {"base_mm": radius * rng.uniform(0.9, 1.6), "height_mm": rng.uniform(20, 42)}
        pieces["figure"] = PieceType("figure", "figure", (), on, dims)
    if rng.random() < 0.4:
        long = radius * rng.uniform(1.3, 2.0)
        dims = {"length_mm": long, "width_mm": rng.uniform(5, 9), "height_mm": rng.uniform(5, 10)}
        pieces["block"] = PieceType("block", "box", (), on, dims)
    return pieces
