"""Capstones, bare ones and those on which something lies, for the network that looks at nothing else.

    python -m sample_images.generator lessons --of tops --tables 14 --seed 5200 --samples 4 --out PHOTOS
    python -m vision.training.tops compose --out composed --scenes 1500 --per-shard 60 --seed 1
    python -m vision.training.tops photographs --photos PHOTOS --out traced --seed 1
    python -m vision.training.train --network top --start vision/models --shards composed traced
        --batch 160 96 --steps 3000 --rate 1e-3 --out vision/models

In composed scenes triliths stand wherever they may, of any stone, and much of what lies on them has nearly
that stone's own shade.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from rich.progress import track

from engine.board import Board, load_board
from vision.crops import cut
from vision.images import load_image
from vision.training.compose import Lying, random_lighting
from vision.training.photographs import cut_out, surface_of, truth_of, view_of
from vision.training.scenes import (
    PALETTE_SIZE,
    Prints,
    Sample,
    as_printed,
    board_texture,
    found_view,
    labels_of,
    lay,
    photographed,
    places_on,
    random_palette,
    random_table_top,
    random_view,
    write,
)
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut
from vision.view import Array

# What lies on which kinds of field, and on what share of them something does.
TABLE = {"trilith": ("trilith",), "pair": ("trilith",), "bluestone": ("disc", "figure"), "slot": ("block",)}
FILL, HANDS = (0.5, 1.0), 0.1
SIZES = ((1280, 720), (1280, 720), (960, 540), (1600, 900), (640, 480), (810, 1080))
# So many of the pieces on capstones are nearly of the stone's shade, so far from it (display-referred).
OF_STONE, NEARLY = 0.3, 0.06
# Each photograph is cut so often, as if its board were found a little differently.
CUTS = 4


def random_stone(rng: np.random.Generator) -> Array:
    """What a set's triliths are made of, BGR 0..1: mostly some grey."""
    grey = rng.uniform(0.2, 0.85) * np.exp(rng.normal(0, 0.05, 3))
    return np.asarray(np.clip(grey, 0.03, 0.95))


def composed(rng: np.random.Generator, board: Board) -> Sample | None:
    """The capstones of one composed table; None if there are none."""
    texture, (nominal, real) = board_texture(rng, board), random_palette(rng)
    view = random_view(rng, board.size_mm, SIZES[rng.integers(len(SIZES))])
    bodies, places = random_set(rng, board.pieces).bodies, places_on(board, TABLE)
    pieces, truth, tops = lay(rng, board, places, bodies, real, [], rng.uniform(*FILL))
    if not tops:
        return None
    _of_one_stone(rng, pieces)
    printed = as_printed(rng, texture)
    seen, numbers = photographed(
        rng, board, view, pieces, Prints(texture, printed, printed), random_lighting(rng),
        random_table_top(rng), HANDS,
    )  # fmt: skip
    every = np.arange(len(tops))
    labels, colours = labels_of(view, tops, truth[len(places) :], numbers, every)
    palette = np.zeros((PALETTE_SIZE, 3), np.float32)
    palette[: len(nominal)] = nominal
    return Sample(cut(*seen, tuple(tops)), labels, colours, palette, len(nominal))


def _of_one_stone(rng: np.random.Generator, pieces: list[Lying]) -> None:
    """Give all triliths the same stone, and some of what lies on them nearly its shade."""
    stone = random_stone(rng)
    for piece in pieces:
        if piece.body.shape == "trilith":
            piece.bgr = np.clip(stone * np.exp(rng.normal(0, 0.03)), 0.02, 0.97)
        elif piece.ground_mm and rng.random() < OF_STONE:
            piece.bgr = np.clip(stone + rng.normal(0, NEARLY) + rng.normal(0, NEARLY / 4, 3), 0.02, 0.97)


def traced(photo: Path, rng: np.random.Generator) -> list[Sample]:
    """The capstones in a photograph (its label lies beside it), cut `CUTS` times."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, image = load_board(label["board"]), load_image(photo)
    names = sorted({colour for piece in board.pieces.values() for colour in piece.colours})[:PALETTE_SIZE]
    there = [each for each in zip(*truth_of(board, label, names), strict=True) if each[0].under is not None]
    if not there:
        return []
    surface, view = surface_of(board, label["style"]), view_of(label)
    return [
        cut_out(rng, board, names, (image, found_view(rng, board, view), surface), there, len(there))
        for _ in range(CUTS)
    ]


def main() -> None:
    options = made_or_cut(str(__doc__), scenes=1500, per_shard=60)
    if options.command == "photographs":
        options.out.mkdir(parents=True, exist_ok=True)
        photos = sorted(path.with_suffix(".jpg") for path in options.photos.glob("*.json"))
        for number, photo in enumerate(track(photos, "photographs")):
            samples = traced(photo, np.random.default_rng([options.seed, number]))
            if samples:
                write(options.out / f"{photo.stem}.npz", samples)
        return
    board = load_board("anthology")

    def store(rng: np.random.Generator, path: Path) -> int:
        samples = [made for _ in range(options.per_shard) if (made := composed(rng, board)) is not None]
        write(path, samples)
        return sum(len(each.labels) for each in samples)

    compose_shards(options.out, -(-options.scenes // options.per_shard), "tops", (options.seed,), store)


if __name__ == "__main__":
    main()
