"""Capstones, bare ones and those on which something lies, for the network that looks at nothing else.

    python -m sample_images.generator lessons --of tops --tables 14 --seed 5200 --samples 4 --out PHOTOS
    python -m vision.training.tops compose --out composed --scenes 600 --per-shard 40 --seed 12
    python -m vision.training.tops photographs --photos PHOTOS --out traced --seed 1
    python -m vision.training.train --network top --start vision/models --shards composed traced
        --batch 176 64 --steps 1800 --rate 1e-3 --out vision/models

In composed scenes triliths stand wherever they may, of any stone, and much of what lies on them has nearly
that stone's own shade. Some places without a trilith are among them: nothing lies there, however it looks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from engine.position import Piece
from vision.colours.stone import stone_bgr
from vision.fields.capstones import ASIDE_MM, moved_along
from vision.fields.places import Place, top_place
from vision.finding.locate import Located
from vision.geometry.bodies import placed
from vision.geometry.view import Array
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.sight import Sight
from vision.training.compose import Lying, random_lighting
from vision.training.photographs import colours_of, sample_of, surface_of, truth_of, view_of
from vision.training.scenes import (
    TOPS,
    Prints,
    Sample,
    Seen,
    Truth,
    as_printed,
    board_texture,
    filled_up,
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
from vision.training.shards import compose_shards, made_or_cut, photographs

Floats = NDArray[np.float32]

# What lies on which kinds of field, and on what share of them something does.
TABLE = {"trilith": ("trilith",), "pair": ("trilith",), "bluestone": ("disc", "figure"), "slot": ("block",)}
FILL, HANDS = (0.5, 1.0), 0.1
SIZES = ((1280, 720), (1280, 720), (960, 540), (1600, 900), (640, 480), (810, 1080))
# So many of the pieces on capstones are nearly of the stone's shade, so far from it (display-referred).
OF_STONE, NEARLY = 0.3, 0.06
# How often capstones have a recess in the middle, and how long it is, as a share of their length.
RECESSED, RECESS = 0.6, (0.2, 0.45)
# So many places without a trilith at most are learnt from in each picture.
ABSENT = 4
# So often what lies on a capstone was put aside, up to where the eyes look for it there.
PUT_ASIDE = 0.4
# So near to where is looked something counts as being there, and so far away as being elsewhere (mm).
HERE_MM, ELSEWHERE_MM = 5.0, 8.0
# How often is looked lower than the board file says that capstones are, and where at most (share).
LOWER, LOWEST = 0.4, 0.86
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
    _put_aside(rng, pieces)
    at_mm = {piece.number: piece.at_mm for piece in pieces}
    there = [
        each
        for top, what in zip(tops, truth[len(places) :], strict=True)
        for each in looked_at(rng, top, what, at_mm.get(what.number))
    ]
    there += [(top, Truth()) for top in _without(rng, board, places, truth[: len(places)])]
    printed = as_printed(rng, texture)
    seen, numbers = photographed(
        rng, board, view, pieces, Prints(texture, printed, printed), random_lighting(rng),
        random_table_top(rng), HANDS,
    )  # fmt: skip
    asked, on_top = zip(*there, strict=True)
    labels, colours = labels_of(view, asked, list(on_top), numbers, np.arange(len(there)))
    return Sample(_cut(seen, asked), labels, colours, filled_up(nominal), len(nominal))


def _put_aside(rng: np.random.Generator, pieces: Sequence[Lying]) -> None:
    """Move some of what lies on capstones along them."""
    for piece in pieces:
        if piece.ground_mm and rng.random() < PUT_ASIDE:
            along = np.array([[rng.uniform(-1, 1) * max(ASIDE_MM), 0.0]])
            piece.at_mm = tuple(placed(along, piece.at_mm, piece.angle_deg)[0])


def looked_at(
    rng: np.random.Generator, top: Place, what: Truth, at_mm: tuple[float, float] | None
) -> Iterator[tuple[Place, Truth]]:
    """A capstone as it is looked at, in its middle and aside, as high as the board file says or lower, and
    what is seen just there. at_mm: of the piece on it, if there is one."""
    for along_mm in (0.0, rng.choice(ASIDE_MM) + rng.normal(0, 1)):
        lower = rng.uniform(LOWEST, 1.0) if rng.random() < LOWER else 1.0
        place = replace(moved_along(top, along_mm), ground_mm=lower * top.ground_mm)
        away = math.inf if at_mm is None else math.dist(at_mm, place.at_mm)
        if away < HERE_MM:
            yield place, what
        elif away > ELSEWHERE_MM:
            yield place, replace(what, body=-1, colour=-1, number=0)


def _cut(seen: Seen, tops: Sequence[Place]) -> Floats:
    """The crops of capstones, as the eyes look at them: each as of a stone of the shade that is seen."""
    photo, view, surface, light = seen
    sight = Sight(photo, Located(view, "label", 0.0), light, surface)
    return sight.crops([replace(top, under_bgr=stone_bgr(sight, top)) for top in tops])


def _without(
    rng: np.random.Generator, board: Board, places: Sequence[Place], truth: Sequence[Truth]
) -> list[Place]:
    """Where the capstones of a few triliths would be that do not stand there."""
    absent = [
        place
        for place, what in zip(places, truth, strict=True)
        if "trilith" in [body.shape for body in place.bodies] and not (what.number or what.covered_by)
    ]
    chosen = rng.permutation(len(absent))[:ABSENT]
    return [top_place(board, absent[index], TOPS[int(rng.integers(len(TOPS)))]) for index in chosen]


def _of_one_stone(rng: np.random.Generator, pieces: list[Lying]) -> None:
    """Give all triliths the same stone and recess, if any, and some of what lies on them nearly its shade."""
    stone = random_stone(rng)
    recess = rng.uniform(*RECESS) if rng.random() < RECESSED else 0.0
    for piece in pieces:
        if piece.body.shape == "trilith":
            piece.bgr = np.clip(stone * np.exp(rng.normal(0, 0.03)), 0.02, 0.97)
            piece.notches = (-recess, recess) if recess else ()
        elif piece.ground_mm and rng.random() < OF_STONE:
            piece.bgr = np.clip(stone + rng.normal(0, NEARLY) + rng.normal(0, NEARLY / 4, 3), 0.02, 0.97)


def traced(photo: Path, rng: np.random.Generator) -> list[Sample]:
    """The capstones in a photograph (its label lies beside it), cut `CUTS` times."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, image = load_board(label["board"]), load_image(photo)
    names = colours_of(board)
    places, truth = truth_of(board, label, names)
    tops = [each for each in zip(places, truth, strict=True) if each[0].under is not None]
    at_mm = {Piece.from_json(each).place: (each["x_mm"], each["y_mm"]) for each in label["pieces"]}
    surface, view = surface_of(board, label["style"]), view_of(label)
    samples = []
    for _ in range(CUTS if tops else 0):
        there = [
            each
            for top, what in tops
            for each in looked_at(rng, top, what, at_mm.get(top.id) if what.number else None)
        ]
        there += [(place, Truth()) for place in _without(rng, board, places, truth)]
        found = found_view(rng, board, view)
        crops = _cut((image, found, surface, fit_light(image, found, surface)), [top for top, _ in there])
        samples.append(sample_of(board, names, crops, there))
    return samples


def main() -> None:
    options = made_or_cut(str(__doc__), scenes=600, per_shard=40)
    if options.command == "photographs":
        for rng, photo in photographs(options):
            if samples := traced(photo, rng):
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
