"""Piles of discs in pits for the network that counts them and names their colours.

    python -m sample_images.generator lessons --of stacks --tables 16 --seed 900 --out PHOTOS
    python -m vision.training.stacks compose --out stacks --scenes 360 --per-shard 10 --seed 1
    python -m vision.training.stacks photographs --photos PHOTOS --out stacks --seed 1
    python -m vision.training.layers --shards stacks --steps 1200 --seed 1 --out vision/models

Composed piles are of any set, print and light, so that the network leans on none; photographs (traced light)
show what solids of one shade do not: edges, shadows between discs, gloss.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from engine.position import Thing
from vision.colours.palette import Palette
from vision.fields.beliefs import look_at
from vision.fields.network import EMPTY, HIDDEN
from vision.fields.places import places_of
from vision.finding.locate import Located
from vision.geometry.bodies import Body
from vision.geometry.view import View
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.sight import Sight
from vision.stacked.layers import crops_of
from vision.stacked.piles import MOST
from vision.stacked.stacks import DISC, PIT, TALLS, Discs, filled, learnt, looked_at
from vision.training.compose import Lying, compose, random_lighting, through_camera
from vision.training.photographs import surface_of, view_of
from vision.training.scenes import (
    PALETTE_SIZE,
    board_texture,
    found_view,
    random_grooves,
    random_palette,
    random_table_top,
    random_view,
)
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut, photographs

Floats = NDArray[np.float32]
# What a crop's value of one is stored as.
BYTE = 60.0
SIZES = ((1280, 720), (1280, 720), (1600, 900), (960, 540), (810, 1080), (640, 480), (900, 675))
# Of how many discs composed piles are, how often one has the colour of that below it; so much of a disc's
# size must be seen.
COUNTS, SAME, LEAST_SEEN = (0.6, 0.3, 0.1), 0.2, 0.55
# How often the uppermost one's colour is read wrong: as any other, and as that of the one below it.
MISREAD, MISREAD_AS_BELOW = 0.02, 0.25
# How much sets differ in size; how far discs lie from their pit's middle, and from the one below, from table
# to table (mm).
SIZE_SPREAD, OFF_MM, ASKEW_MM = 0.12, (0.8, 2.2), (0.3, 2.5)
# How often a glossy board mirrors a bright room so far (shares of the picture) and so strongly.
VEILED, VEIL_REACH, VEIL_STRENGTH = 0.25, (0.2, 0.9), (0.1, 1.0)
GAME = "roulette"
# Each photograph is cut so often, as if its board were found a little differently.
CUTS = 3
# Per pit the numbers of the colours that lie there, from below.
Truth = Mapping[str, list[int]]
# What a shard holds, by name, see `examples`.
Examples = dict[str, NDArray[np.generic]]


def examples(board: Board, sight: Sight, names: list[str], shades: Floats, truth: Truth) -> Examples | None:
    """What the network is shown of the pits in which a disc was read. crops, counts: (N, CHANNELS, S, S) of
    the colour that was read, and how many discs there are; query, colours, many: of several discs (M,
    PALETTE_SIZE, CHANNELS, S, S) one crop a colour, (M, MOST) the true ones from above or -1, and how many
    colours the set has. None if there is nothing."""
    pits = [pit for pit in filled(board, sight) if truth.get(pit.id)]
    if not pits:
        return None
    piles = looked_at(sight, pits, names)
    discs = learnt(piles, Discs(pits[0].bodies[0], shades))
    disc = discs.body(TALLS[discs.likeliest])
    stacks = [pile for pile in piles if len(truth[pile.pit.id]) > 1]
    crops = crops_of([(pile, pile.colour) for pile in piles], disc)
    query = np.zeros((len(stacks), PALETTE_SIZE, *crops.shape[1:]), np.float32)
    colours = np.full((len(stacks), MOST), -1, np.int8)
    for each, known, pile in zip(query, colours, stacks, strict=True):
        each[: len(names)] = crops_of([(pile, colour) for colour in range(len(names))], disc)
        lie = truth[pile.pit.id]
        known[: len(lie)] = lie[::-1]
    return {
        "crops": _bytes(crops),
        "counts": np.array([len(truth[pile.pit.id]) for pile in piles], np.int8),
        "query": _bytes(query),
        "colours": colours,
        "many": np.full(len(stacks), len(names), np.int8),
    }


def _bytes(crops: Floats) -> NDArray[np.int8]:
    return np.clip(np.round(crops * BYTE), -127, 127).astype(np.int8)


def composed(rng: np.random.Generator, board: Board) -> Examples | None:
    """Of a composed table with many discs in its pits."""
    texture = board_texture(rng, board)
    width, height = SIZES[rng.integers(len(SIZES))]
    view = random_view(rng, board.size_mm, (width, height))
    disc, (_, real) = random_set(rng, board.pieces, SIZE_SPREAD).bodies[DISC], random_palette(rng)
    names = [str(number) for number in range(len(real))]
    pieces, truth = _piles(rng, board, disc, real)
    lighting = random_lighting(rng)
    if rng.random() < VEILED:
        lighting.glare.append((*rng.random(2), *rng.uniform(*VEIL_REACH, 2), rng.uniform(*VEIL_STRENGTH)))
    linear, numbers = compose(rng, texture, board.size_mm, view, pieces, lighting, random_table_top(rng))
    photo = through_camera(rng, linear)
    found, surface = found_view(rng, board, view), Surface.of_image(texture, board.size_mm)
    beliefs: dict[str, dict[Thing | None, float]] = {}
    for number, (pit, lie) in enumerate(truth.items(), 1):
        if _is_seen(view, disc, board.fields[pit].centre_mm, numbers == number):
            beliefs[pit] = {Thing(DISC, names[_read(rng, lie, len(real))]): 1.0}
    shades = np.clip(real + rng.normal(0, 0.03, real.shape) + rng.normal(0, 0.03), 0.02, 1)
    light = fit_light(photo, found, surface)
    sight = Sight(photo, Located(found, "tags", 0.5), light, surface, beliefs)
    return examples(board, sight, names, shades.astype(np.float32), truth)


def _read(rng: np.random.Generator, lie: list[int], colours: int) -> int:
    """As which colour the uppermost disc of a pile is read."""
    if rng.random() < MISREAD:
        return int(rng.integers(colours))
    return lie[-2 if len(lie) > 1 and rng.random() < MISREAD_AS_BELOW else -1]


def _piles(
    rng: np.random.Generator, board: Board, disc: Body, shades: NDArray[np.float64]
) -> tuple[list[Lying], dict[str, list[int]]]:
    """Discs in some of the pits, and of which colours; those of one pit have one number, from 1 on."""
    gloss, grooves = rng.uniform(0, 1), random_grooves(rng)
    off_mm, askew_mm = rng.uniform(*OFF_MM), rng.uniform(*ASKEW_MM)
    share = rng.uniform(0.3, 0.7)
    pieces: list[Lying] = []
    truth: dict[str, list[int]] = {}
    for pit in board.fields_of_kind(PIT):
        if rng.random() > share:
            continue
        lowest = np.array(pit.centre_mm) + rng.normal(0, off_mm, 2)
        lie = truth[pit.id] = []
        for level in range(1 + int(rng.choice(MOST, p=COUNTS))):
            lie.append(lie[-1] if lie and rng.random() < SAME else int(rng.integers(len(shades))))
            x, y = lowest + rng.normal(0, askew_mm, 2) * (level > 0)
            bgr = np.clip(shades[lie[-1]] + rng.normal(0, 0.012, 3), 0.01, 0.98)
            turn = float(rng.uniform(0, 360))
            pieces.append(
                Lying(disc, (float(x), float(y)), turn, bgr, len(truth), level * disc.top_mm, gloss)
            )
        pieces[-1].grooves = grooves
    return pieces, truth


def _is_seen(view: View, disc: Body, at_mm: tuple[float, float], shown: NDArray[np.bool_]) -> bool:
    """Whether enough of a pile is seen. shown: (H, W) where it is."""
    outlines = np.concatenate([hull for hull, _ in disc.outlines(view, at_mm, 0.0)])
    inside = ((outlines > 3) & (outlines < np.array(view.size_px) - 4)).all()
    size = cv2.contourArea(cv2.convexHull(outlines.astype(np.float32)))
    return bool(inside and size > 20 and shown.sum() > LEAST_SEEN * size)


def photographed(photo: Path, rng: np.random.Generator, board: Board) -> list[Examples]:
    """Of a photograph (its label lies beside it) as it is read, cut `CUTS` times."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    image, view, surface = load_image(photo), view_of(label), surface_of(board, label["style"])
    palette = Palette.of(board, board.pieces[DISC].colours)
    names = list(palette.names)
    truth: dict[str, list[int]] = {}
    for piece in label["pieces"]:
        field = piece.get("field")
        if piece["kind"] == DISC and field in board.fields and field not in label.get("occluded", ()):
            lie = truth.setdefault(field, [])
            lie += [names.index(piece["colour"])] * piece.get("count", 1)
    places = tuple(place for place in places_of(board, GAME) if place.id in truth)
    made = []
    for _ in range(CUTS if places else 0):
        found = found_view(rng, board, view)
        sight = Sight(image, Located(found, "tags", 0.5), fit_light(image, found, surface), surface)
        looks, kinds = look_at(sight, places), [DISC] * len(places)
        allowed = palette.allowed(board, GAME, kinds)
        pieces = 1 - looks.kind[:, EMPTY] - looks.kind[:, HIDDEN]
        set_ = palette.adapted(looks.seen, allowed, pieces, kinds, looks.around)
        read = set_.beliefs(looks.seen, allowed, kinds, looks.around).argmax(axis=1)
        sight.beliefs.update(
            {place.id: {Thing(DISC, names[each]): 1.0} for place, each in zip(places, read, strict=True)}
        )
        made.append(examples(board, sight, names, set_.of_pieces(DISC).shades, truth))
    return [each for each in made if each]


def store(path: Path, made: list[Examples]) -> int:
    """Writes the examples; how many piles they are."""
    together = {name: np.concatenate([each[name] for each in made]) for name in made[0]}
    np.savez_compressed(path, **together)
    return len(together["counts"])


def main() -> None:
    options = made_or_cut(__doc__, scenes=360, per_shard=10)
    board = load_board("anthology")
    if options.command == "photographs":
        for rng, photo in photographs(options):
            if made := photographed(photo, rng, board):
                store(options.out / f"photo-{photo.stem}.npz", made)
        return

    def shard(rng: np.random.Generator, path: Path) -> int:
        return store(path, [made for _ in range(options.per_shard) if (made := composed(rng, board))])

    compose_shards(options.out, -(-options.scenes // options.per_shard), "stacks", (options.seed,), shard)


if __name__ == "__main__":
    main()
