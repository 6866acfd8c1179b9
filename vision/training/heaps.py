"""Heaps of blocks for the network that counts them.

    python -m sample_images.generator lessons --of heaps --tables 9 --seed 1 --out PHOTOS
    python -m vision.training.heaps compose --out heaps --scenes 160 --per-shard 10 --seed 1
    python -m vision.training.heaps photographs --photos PHOTOS --out heaps --seed 1
    python -m vision.training.counting --shards heaps --steps 4000 --seed 1 --out vision/models

Most heaps are composed, with sets of pieces, prints and light drawn at random; photographs of some tables
(traced light) are learnt from beside them. Heaps are tidy or in disorder; the lowest layer mostly lies along
its field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism, placed, rectangle
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.stacked.heaps import BLOCK, MOST, crops_of
from vision.training.compose import Lying, compose, random_lighting, through_camera
from vision.training.photographs import surface_of, view_of
from vision.training.scenes import board_texture, found_view, random_palette, random_table_top, random_view
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut, photographs

Floats = NDArray[np.float32]
# Crops of heaps, and how many blocks each has (0: in disorder).
Heaps = tuple[Floats, NDArray[np.int64]]
# Blocks of a layer.
PER_LAYER = 3
# The heaps of a composed scene stand so far apart (mm), so many of them in disorder.
APART_MM, DISORDER = 58.0, 0.12
# How far a heap stands off where it is looked for, and how often its lowest layer lies across.
OFF_MM, OFF_DEG, ACROSS = 2.0, 5.0, 0.08
# Each photograph is cut so often, as if its board and heaps were found a little differently.
CUTS = 6
SIZES = ((1280, 720), (1280, 720), (1280, 720), (1600, 900), (960, 540), (810, 1080))
# What a crop's value of one is stored as.
BYTE = 60.0


def heap_of_blocks(
    rng: np.random.Generator,
    block: Body,
    at_mm: tuple[float, float],
    angle_deg: float,
    count: int,
    bgr: Floats,
    gloss: float,
) -> Iterator[Lying]:
    """The blocks of a tidy heap, and the darkness between them, each a body that lies aside of the heap's
    middle."""
    apart, untidy, dark = rng.uniform(0.2, 3.2), rng.uniform(0.2, 1.3), rng.uniform(0.25, 0.8)
    length, width = np.ptp(np.array(block.prisms[0].footprint_mm), axis=0)
    gap = Body(BLOCK, (Prism(rectangle(0.97 * length, apart), 0, 0.55 * block.top_mm),), block.top_mm)
    for layer in range(-(-count // PER_LAYER)):
        here = min(PER_LAYER, count - PER_LAYER * layer)
        turn, level = 90.0 * (layer % 2), layer * block.top_mm
        for row in range(here - 1):
            between = _moved(gap, 0.0, (row + 1 - here / 2) * (width + apart), turn)
            yield Lying(between, at_mm, angle_deg, bgr * dark, 1, level, 0.0)
        for row in range(here):
            along, aside = rng.uniform(-untidy, untidy, 2)
            across = (row - (here - 1) / 2) * (width + apart) + 0.4 * aside
            body = _moved(block, along, across, turn, float(rng.normal(0, 2.5)))
            shade = np.clip(bgr * np.exp(rng.normal(0, 0.03)), 0.01, 0.98)
            yield Lying(body, at_mm, angle_deg, shade, 1, level, gloss)


def jumble(
    rng: np.random.Generator, block: Body, at_mm: tuple[float, float], count: int, bgr: Floats, gloss: float
) -> Iterator[Lying]:
    """Blocks in disorder."""
    for number in range(count):
        x, y = rng.normal(0, 8, 2)
        body = _moved(block, float(x), float(y), 0.0, float(rng.uniform(0, 180)))
        level = block.top_mm * (number // 3) * rng.uniform(0.5, 1.0)
        yield Lying(body, at_mm, 0.0, np.clip(bgr * np.exp(rng.normal(0, 0.03)), 0.01, 0.98), 1, level, gloss)


def _moved(body: Body, along_mm: float, across_mm: float, turn_deg: float, twist_deg: float = 0.0) -> Body:
    """The body twisted about its middle, moved, and all of it turned about the heap's middle."""
    prisms = []
    for prism in body.prisms:
        foot = placed(np.array(prism.footprint_mm), (along_mm, across_mm), twist_deg)
        corners = placed(foot, (0.0, 0.0), turn_deg)
        prisms.append(Prism(tuple((float(x), float(y)) for x, y in corners), prism.low_mm, prism.high_mm))
    return Body(body.kind, tuple(prisms), body.top_mm, body.shape)


def composed(rng: np.random.Generator, board: Board) -> Heaps:
    """The crops of a composed table full of heaps, and how many blocks each has (0: in disorder)."""
    texture = board_texture(rng, board)
    width, height = SIZES[rng.integers(len(SIZES))]
    view = random_view(rng, board.size_mm, (width, height))
    block, (_, shades) = random_set(rng, board.pieces).bodies[BLOCK], random_palette(rng)
    gloss = rng.uniform(0, 1)
    pieces: list[Lying] = []
    places, counts = [], []
    low, high = APART_MM, board.size_mm[0] - APART_MM / 2
    for x, y in product(np.arange(low, high, APART_MM), repeat=2):
        at = (float(x + rng.uniform(-6, 6)), float(y + rng.uniform(-6, 6)))
        angle, bgr = float(rng.uniform(0, 360)), shades[rng.integers(len(shades))]
        count = int(rng.integers(1, MOST + 1))
        tidy = count <= PER_LAYER or rng.random() > DISORDER
        pieces += (
            heap_of_blocks(rng, block, at, angle, count, bgr, gloss)
            if tidy
            else jumble(rng, block, at, count, bgr, gloss)
        )
        places.append(_looked_for(rng, at, angle))
        counts.append(count if tidy else 0)
    linear, _ = compose(
        rng, texture, board.size_mm, view, pieces, random_lighting(rng), random_table_top(rng)
    )
    photo = through_camera(rng, linear)
    found, surface = found_view(rng, board, view), Surface.of_image(texture, board.size_mm)
    pixels = view.project(np.array([place.at_mm for place in places]))
    inside = ((pixels > 25) & (pixels < np.array([width, height]) - 25)).all(axis=1)
    chosen = np.flatnonzero(inside)
    light = fit_light(photo, found, surface)
    crops = crops_of(board, photo, found, surface, light, [places[i] for i in chosen])
    return crops, np.array(counts, np.int64)[chosen]


def _looked_for(rng: np.random.Generator, at_mm: tuple[float, float], angle_deg: float) -> Place:
    x, y = (value + float(rng.normal(0, OFF_MM)) for value in at_mm)
    across = 90.0 * (rng.random() < ACROSS)
    return Place("", (x, y), angle_deg + across + float(rng.normal(0, OFF_DEG)), (), OFF_MM)


def photographed(photo: Path, rng: np.random.Generator, board: Board) -> Heaps:
    """The same of a photograph (its label lies beside it)."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    heaps = [piece for piece in label["pieces"] if piece["kind"] == BLOCK]
    image, view, surface = load_image(photo), view_of(label), surface_of(board, label["style"])
    crops = []
    for _ in range(CUTS):
        found = found_view(rng, board, view)
        light = fit_light(image, found, surface)
        places = [_looked_for(rng, (heap["x_mm"], heap["y_mm"]), heap["angle_deg"]) for heap in heaps]
        crops.append(crops_of(board, image, found, surface, light, places))
    return np.concatenate(crops), np.tile(np.array([heap.get("count", 1) for heap in heaps], np.int64), CUTS)


def store(path: Path, tables: list[Heaps]) -> int:
    """Writes the crops as bytes; how many they are."""
    crops, counts = (np.concatenate(part) for part in zip(*tables, strict=True))
    stored = np.clip(np.round(crops * BYTE), -127, 127).astype(np.int8)
    np.savez(path, crops=stored, counts=counts.astype(np.int8))
    return len(counts)


def main() -> None:
    options = made_or_cut(__doc__, scenes=160, per_shard=10)
    board = load_board("anthology")
    if options.command == "photographs":
        for rng, photo in photographs(options):
            store(options.out / f"{photo.stem}.npz", [photographed(photo, rng, board)])
        return

    def shard(rng: np.random.Generator, path: Path) -> int:
        return store(path, [composed(rng, board) for _ in range(options.per_shard)])

    compose_shards(options.out, -(-options.scenes // options.per_shard), "heaps", (options.seed,), shard)


if __name__ == "__main__":
    main()
