"""Discs and figures with what is around them, for the network that tells one from the other.

    python -m vision.training.wider compose --out wide --scenes 1800 --per-shard 60 --seed 11
    python -m vision.training.wider photographs --photos PHOTOS --out wide --seed 1
    python -m vision.training.figures --shards wide --seed 2 --out vision/models

Most of the composed boards are ones that players might have made, where figures stand in any number; the
photographs are lessons of either renderer (`vision.training.photographs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.fields.figures import DISC, FIGURE, SIDE_PX, TIMES, slots_of, with_masks
from vision.fields.network import EMPTY, HIDDEN
from vision.fields.places import Place
from vision.finding.locate import Located
from vision.sight import Sight
from vision.training.compose import random_lighting
from vision.training.photographs import colours_of, sight_of, truth_of
from vision.training.scenes import (
    STORED,
    Prints,
    as_printed,
    labels_of,
    lay,
    photographed,
    places_on,
    random_board,
    random_palette,
    random_table_top,
    random_view,
)
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut, photographs

Bytes = NDArray[np.uint8]
# (N, 8, SIDE_PX, SIDE_PX) crops as bytes, and (N,) whether a figure stands there.
Examples = tuple[Bytes, NDArray[np.bool_]]
# How the files of what is cut out of photographs begin.
PHOTOGRAPHED = "photo"
# How often composed boards are not ours, what share of their fields is taken, and how often a hand is there.
OWN, FILL, HANDS = 0.75, (0.15, 0.35, 0.6), 0.1
SIZES = ((1280, 720), (1280, 720), (960, 540), (1600, 900), (640, 480), (810, 1080))
# So many discs and figures at most are learnt from in each picture; each photograph is cut so often, as if
# its board were found a little differently.
MOST_COMPOSED, MOST_TRACED, CUTS = 16, 40, 2


def composed(rng: np.random.Generator) -> Examples | None:
    """Those of one composed table; None if there are none."""
    board, texture, table = random_board(rng, own=OWN)
    if not any({DISC, FIGURE} <= set(kinds) for kinds in table.values()):
        return None
    view, places = random_view(rng, board.size_mm, SIZES[rng.integers(len(SIZES))]), places_on(board, table)
    bodies, (_, real) = random_set(rng, board.pieces).bodies, random_palette(rng)
    pieces, truth, _ = lay(rng, board, places, bodies, real, [], rng.choice(FILL))
    printed = as_printed(rng, texture)
    seen, numbers = photographed(
        rng, board, view, pieces, Prints(texture, printed, printed), random_lighting(rng),
        random_table_top(rng), HANDS,
    )  # fmt: skip
    standing = np.array([index for index in range(len(places)) if truth[index].number], np.int64)
    labels, _ = labels_of(view, places, truth, numbers, standing)
    photo, found, surface, light = seen
    sight = Sight(photo, Located(found, "label", 0.0), light, surface)
    kinds = [
        (places[index], places[index].bodies[truth[index].body].kind)
        for index, label in zip(standing, labels, strict=True)
        if label not in (EMPTY, HIDDEN)
    ]
    return examples(rng, sight, kinds, MOST_COMPOSED)


def traced(photo: Path, rng: np.random.Generator) -> Examples | None:
    """Those of a photograph (its label lies beside it), cut `CUTS` times; None if there are none."""
    cuts = []
    for _ in range(CUTS):
        label, board, sight = sight_of(photo, rng)
        kinds = [
            (place, place.bodies[what.body].kind)
            for place, what in zip(*truth_of(board, label, colours_of(board)), strict=True)
            if what.body >= 0 and not what.covered_by
        ]
        cuts.append(examples(rng, sight, kinds, MOST_TRACED))
    return together([each for each in cuts if each])


def examples(
    rng: np.random.Generator, sight: Sight, kinds: Sequence[tuple[Place, str]], most: int
) -> Examples | None:
    """The crops of figures, so many at most, and of a few more discs than that, wherever both may stand.
    kinds: what is seen at which place."""
    either = [(place, kind) for place, kind in kinds if slots_of(place)]
    figures, discs = ([place for place, kind in either if kind == which] for which in (FIGURE, DISC))
    figures = [figures[index] for index in rng.permutation(len(figures))[:most]]
    discs = [discs[index] for index in rng.permutation(len(discs))[: max(most // 3, int(1.2 * len(figures)))]]
    if not figures + discs:
        return None
    crops = with_masks(sight.wide_crops([*figures, *discs], TIMES, SIDE_PX), [*figures, *discs])
    stored = np.clip(np.round(crops * STORED), 0, 255).astype(np.uint8)
    return stored, np.arange(len(stored)) < len(figures)


def together(parts: Sequence[Examples]) -> Examples | None:
    """All examples in one; None if there are none."""
    if not parts:
        return None
    crops, are_figures = zip(*parts, strict=True)
    return np.concatenate(crops), np.concatenate(are_figures)


def write(path: Path, made: Examples) -> None:
    np.savez(path, crops=made[0], are_figures=made[1])


def main() -> None:
    options = made_or_cut(str(__doc__), scenes=1800, per_shard=60)
    if options.command == "photographs":
        for rng, photo in photographs(options):
            path = options.out / f"{PHOTOGRAPHED}-{photo.stem}.npz"
            if not path.exists() and (made := traced(photo, rng)):
                write(path, made)
        return

    def store(rng: np.random.Generator, path: Path) -> int:
        parts = [made for _ in range(options.per_shard) if (made := composed(rng))]
        if made := together(parts):
            write(path, made)
        return sum(len(each[1]) for each in parts)

    compose_shards(options.out, -(-options.scenes // options.per_shard), "wide", (options.seed,), store)


if __name__ == "__main__":
    main()
