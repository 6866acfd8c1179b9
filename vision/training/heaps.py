"""Heaps of blocks for the networks that see and count them.

    python -m sample_images.generator lessons --of heaps --tables 9 --seed 1 --out PHOTOS
    python -m vision.training.heaps compose --out heaps --scenes 160 --per-shard 10 --seed 1
    python -m vision.training.heaps photographs --photos PHOTOS --out heaps --seed 1
    python -m vision.training.counting --shards heaps --steps 4000 --seed 1 --out vision/models

Most heaps are composed, with sets of pieces, prints and light drawn at random; photographs of some tables
(traced light) are learnt from beside them. Blocks lie crosswise, the lowest layer mostly along its field, in
rows, or in disorder; on some fields lies one or none. (laid.onnx learnt from composed heaps alone, 1,000
scenes and 3,500 steps; heap.onnx, before there were rows, from crosswise ones and such in disorder.)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism, placed, rectangle
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.stacked.heaps import BLOCK, DISORDER, LAID, MOST, NOTHING, PILED, crops_of
from vision.training.compose import Lying, compose, random_lighting, through_camera
from vision.training.photographs import surface_of, view_of
from vision.training.scenes import board_texture, found_view, random_palette, random_table_top, random_view
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut, photographs

Floats = NDArray[np.float32]
# Per network crops of heaps, and how many blocks each has, `NOTHING` or `DISORDER`.
Heaps = dict[str, tuple[Floats, NDArray[np.int64]]]
# Blocks of a layer.
PER_LAYER = 3
# Heaps lie on these fields; in a composed scene so far apart elsewhere, too (mm), where so many tries find
# room; a row of blocks is hardly longer than that (mm).
FIELDS, APART_MM, TRIES, ROW_MM = "trilith", 72.0, 300, 72.0
# How they lie.
HOW = {"nothing": 0.12, "one": 0.08, "crosswise": 0.3, "row": 0.35, "disorder": 0.15}
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
    _, width = _size(block)
    gap = _gap(block, apart)
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
            yield Lying(body, at_mm, angle_deg, _shade(rng, bgr), 1, level, gloss)


def rows_of_blocks(
    rng: np.random.Generator,
    block: Body,
    at_mm: tuple[float, float],
    angle_deg: float,
    count: int,
    bgr: Floats,
    gloss: float,
) -> Iterator[Lying]:
    """Blocks side by side, across their field or, in two rows, along it; mostly in one layer, the others on
    top of it."""
    length, width = _size(block)
    layers = min(count, int(rng.choice((1, 2, 3), p=(0.6, 0.3, 0.1))))
    per_layer, along = -(-count // layers), rng.random() < 0.2
    rows = 2 if along and per_layer > 1 else 1
    in_row = -(-per_layer // rows)
    most = max(0.0, (26.0 if along else ROW_MM) / in_row - width)
    apart, untidy = rng.uniform(0.0, min(most, 2.5)), rng.uniform(0.1, 1.5)
    first, dark, twist = rng.normal(0, 2.0), rng.uniform(0.25, 0.8), rng.uniform(0.3, 4.0)
    gap = _gap(block, apart)
    turn = 0.0 if along else 90.0
    for number in range(count):
        layer, rest = divmod(number, per_layer)
        row, spot = divmod(rest, in_row)
        end = (row - (rows - 1) / 2) * (length + rng.uniform(0.5, 2)) + rng.normal(0, untidy)
        across = first + (spot - (in_row - 1) / 2) * (width + apart)
        level = layer * block.top_mm
        if spot and apart > 0.1:
            between = _moved(gap, end, across - (width + apart) / 2, turn)
            yield Lying(between, at_mm, angle_deg, bgr * dark, 1, level, 0.0)
        body = _moved(block, end, across + rng.normal(0, 0.3), turn, float(rng.normal(0, twist)))
        yield Lying(body, at_mm, angle_deg, _shade(rng, bgr), 1, level, gloss)


def jumble(
    rng: np.random.Generator,
    block: Body,
    at_mm: tuple[float, float],
    count: int,
    bgr: Floats,
    gloss: float,
    angle_deg: float = 0.0,
) -> Iterator[Lying]:
    """Blocks in disorder, in a pile as round as that or strewn along their field."""
    along, twisted = rng.uniform(7, 15), rng.uniform(15, 90)
    for number in range(count):
        x, y = rng.normal(0, along), rng.normal(0, 7)
        turn = 90.0 + float(rng.uniform(-twisted, twisted))
        body = _moved(block, float(x), float(y), 0.0, turn)
        level = block.top_mm * (number // 3) * rng.uniform(0.5, 1.0)
        yield Lying(body, at_mm, angle_deg, _shade(rng, bgr), 1, level, gloss)


def _size(block: Body) -> NDArray[np.float64]:
    """(2,) how long and how wide a block is (mm)."""
    return np.asarray(np.ptp(np.array(block.prisms[0].footprint_mm), axis=0), float)


def _gap(block: Body, apart_mm: float) -> Body:
    """The darkness between two blocks side by side."""
    foot = rectangle(0.97 * float(_size(block)[0]), apart_mm)
    return Body(BLOCK, (Prism(foot, 0, 0.55 * block.top_mm),), block.top_mm)


def _shade(rng: np.random.Generator, bgr: Floats) -> Floats:
    """The shade of a single block of that colour."""
    return np.asarray(np.clip(bgr * np.exp(rng.normal(0, 0.03)), 0.01, 0.98))


def _moved(body: Body, along_mm: float, across_mm: float, turn_deg: float, twist_deg: float = 0.0) -> Body:
    """The body twisted about its middle, moved, and all of it turned about the heap's middle."""
    prisms = []
    for prism in body.prisms:
        foot = placed(np.array(prism.footprint_mm), (along_mm, across_mm), twist_deg)
        corners = placed(foot, (0.0, 0.0), turn_deg)
        prisms.append(Prism(tuple((float(x), float(y)) for x, y in corners), prism.low_mm, prism.high_mm))
    return Body(body.kind, tuple(prisms), body.top_mm, body.shape)


def composed(rng: np.random.Generator, board: Board) -> Heaps:
    """The crops of a composed table full of heaps, and how many blocks each has (see `Heaps`)."""
    texture = board_texture(rng, board)
    width, height = SIZES[rng.integers(len(SIZES))]
    view = random_view(rng, board.size_mm, (width, height))
    block, (_, shades) = random_set(rng, board.pieces).bodies[BLOCK], random_palette(rng)
    gloss = rng.uniform(0, 1)
    pieces: list[Lying] = []
    places, counts, piled = [], [], []
    for at, angle in _spots(rng, board):
        bgr = shades[rng.integers(len(shades))]
        how = str(rng.choice(list(HOW), p=list(HOW.values())))
        count = 0 if how == "nothing" else 1 if how == "one" else int(rng.integers(2, MOST + 1))
        if how == "disorder":
            pieces += jumble(rng, block, at, max(count, 4), bgr, gloss, angle)
        elif count:
            lay = heap_of_blocks if how == "crosswise" else rows_of_blocks
            turned = angle + (90.0 * rng.integers(4) + rng.normal(0, 15) if how == "one" else 0.0)
            pieces += lay(rng, block, at, turned, count, bgr, gloss)
        places.append(_looked_for(rng, at, angle))
        counts.append(DISORDER if how == "disorder" else NOTHING if how == "nothing" else count)
        piled.append(DISORDER if how == "row" and count > PER_LAYER else counts[-1])
    linear, _ = compose(
        rng, texture, board.size_mm, view, pieces, random_lighting(rng), random_table_top(rng)
    )
    photo = through_camera(rng, linear)
    found, surface = found_view(rng, board, view), Surface.of_image(texture, board.size_mm)
    pixels = view.project(np.array([place.at_mm for place in places]))
    inside = ((pixels > 25) & (pixels < np.array([width, height]) - 25)).all(axis=1)
    chosen = np.flatnonzero(inside)
    light = fit_light(photo, found, surface)
    seen = (photo, found, surface, light)
    there = chosen[np.array(counts)[chosen] != NOTHING]
    return {
        look.network: (
            crops_of(look, *seen, [places[i] for i in which], block.top_mm),
            np.array(told, np.int64)[which],
        )
        for look, which, told in ((LAID, chosen, counts), (PILED, there, piled))
    }


def _spots(rng: np.random.Generator, board: Board) -> Iterator[tuple[tuple[float, float], float]]:
    """Where heaps may lie and how they are turned: on their fields, and wherever no other is near."""
    fields = [field for field in board.fields.values() if field.kind == FIELDS]
    taken = [field.centre_mm for field in fields]
    yield from ((field.centre_mm, field.angle_deg) for field in fields)
    low, high = APART_MM / 2, board.size_mm[0] - APART_MM / 2
    for _ in range(TRIES):
        at = (float(rng.uniform(low, high)), float(rng.uniform(low, high)))
        if min(np.hypot(at[0] - x, at[1] - y) for x, y in taken) > APART_MM:
            taken.append(at)
            yield at, float(rng.uniform(0, 360))


def _looked_for(rng: np.random.Generator, at_mm: tuple[float, float], angle_deg: float) -> Place:
    x, y = (value + float(rng.normal(0, OFF_MM)) for value in at_mm)
    across = 90.0 * (rng.random() < ACROSS)
    return Place("", (x, y), angle_deg + across + float(rng.normal(0, OFF_DEG)), (), OFF_MM)


def photographed(photo: Path, rng: np.random.Generator, board: Board) -> Heaps:
    """The same of a photograph (its label lies beside it)."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    heaps = [piece for piece in label["pieces"] if piece["kind"] == BLOCK]
    image, view, surface = load_image(photo), view_of(label), surface_of(board, label["style"])
    counts = np.tile(np.array([heap.get("count", 1) for heap in heaps], np.int64), CUTS)
    crops: dict[str, list[Floats]] = {look.network: [] for look in (LAID, PILED)}
    for _ in range(CUTS):
        found = found_view(rng, board, view)
        light = fit_light(image, found, surface)
        places = [_looked_for(rng, (heap["x_mm"], heap["y_mm"]), heap["angle_deg"]) for heap in heaps]
        for look in (LAID, PILED):
            height_mm = board.pieces[BLOCK].height_mm
            crops[look.network].append(crops_of(look, image, found, surface, light, places, height_mm))
    return {name: (np.concatenate(cut), counts) for name, cut in crops.items()}


def store(path: Path, tables: list[Heaps]) -> int:
    """Writes the crops as bytes; how many heaps they show."""
    stored: dict[str, NDArray[np.int8]] = {}
    for name in tables[0]:
        crops, counts = (
            np.concatenate(part) for part in zip(*(table[name] for table in tables), strict=True)
        )
        stored[name] = np.clip(np.round(crops * BYTE), -127, 127).astype(np.int8)
        stored[f"{name}_counts"] = counts.astype(np.int8)
    np.savez(path, **stored)
    return len(stored[f"{LAID.network}_counts"])


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
