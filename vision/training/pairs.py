"""Places, each in two pictures of one table: `vision.following.compared` learns whether something else lies
there.

    python -m vision.training.pairs compose --out pairs --scenes 1200 --seed 1
    python -m sample_images.generator series --samples 4 --out SERIES
    python -m vision.training.pairs photographs --photos SERIES --out pairs

Of a series every place is cut out of all of its pictures, beside the photograph of the empty board and
without; what is cut already is left out. Composed tables are photographed twice: what lies on some places is
another thing then, in the same light or another, from the same place or after the camera was knocked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from engine.board import Board
from engine.position import Position
from vision.errors import CannotRead
from vision.fields.crops import cut
from vision.fields.places import Place, top_place
from vision.following.arm import UNDER_ARM
from vision.following.lying import lay_before
from vision.geometry.view import View
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.reader import Reader
from vision.training import scenes
from vision.training.compose import Lying, add_hand, compose, random_lighting, through_camera
from vision.training.scenes import HIDDEN, stored
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut

# So the files of composed tables begin.
COMPOSED = "composed"
# Nothing lies there.
NOTHING = ""
# Of composed tables: how often what lies on a place is drawn anew, the light is another, the camera was
# knocked, its exposure and white balance stayed, and an arm is in the picture; and a piece has the colour of
# the print on which it lies.
ANEW, RELIT, KNOCKED, SAME_CAMERA, ARM, AS_PRINT = 0.5, 0.5, 0.3, 0.4, 0.15, 0.3
# So many places of a table are looked at.
MOST = 70


@dataclass(frozen=True)
class Views:
    """N places in pictures of one table. crops: (N, CHANNELS - 3, S, S), as they are stored; picture, place,
    thing: which picture, which place, and what lies there."""

    crops: NDArray[np.uint8]
    picture: list[str]
    place: list[str]
    thing: list[str]


def write(path: Path, views: list[Views]) -> None:
    """All of them, as one file."""
    np.savez(
        path,
        crops=np.concatenate([each.crops for each in views]),
        picture=[name for each in views for name in each.picture],
        place=[name for each in views for name in each.place],
        thing=[name for each in views for name in each.thing],
    )


# --- series --------------------------------------------------------------------------------------


def views_of(folder: Path, *, reference: bool) -> Iterator[Views]:
    """What is seen of each place in each picture of a series that can be read."""
    reader, pictures = opened_series(folder, reference=reference)
    before = Position.from_json(pictures[0].label)
    for number, (path, label, corners) in enumerate(pictures):
        try:
            reader.read(load_image(path), before, corners)
        except CannotRead:
            continue
        before = Position.from_json(label)
        if number == 0:
            reader.learn(before)
        sight = reader.sight
        assert sight is not None
        under_arm = {name for name, why in sight.unseen.items() if why == UNDER_ARM}
        places = (*reader.places, *_tops(reader, before))
        lay = lay_before(before, [place.id for place in places])
        places = tuple(place for place in places if place.id in lay and place.id not in under_arm)
        things = [next(iter(lay[place.id])) for place in places]
        yield Views(
            stored(sight.crops(places)),
            [path.stem] * len(places),
            [place.id for place in places],
            [NOTHING if thing is None else f"{thing.colour} {thing.kind}" for thing in things],
        )


def _tops(reader: Reader, lies: Position) -> Iterator[Place]:
    """Where something may stand on the triliths of a position."""
    things = lies.things()
    for place in reader.places:
        if any(thing.kind == "trilith" for thing in things.get(place.id, ())):
            yield top_place(reader.board, place, ("disc", "figure"))


class Taken(NamedTuple):
    """One picture of a series: its file, its label, and the board's corners if it must be found by them."""

    path: Path
    label: dict[str, Any]
    corners_px: NDArray[np.float64] | None


def opened_series(folder: Path, *, reference: bool) -> tuple[Reader, list[Taken]]:
    """A reader of the board of a series, with the photograph of it empty or without, and its pictures."""
    empty = folder.parent / "empty" / f"{folder.name}.jpg"
    photographs = sorted(folder.glob("*.jpg"))
    bare, *labels = (
        json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) for path in (empty, *photographs)
    )
    corners = [np.array(label["corners_px"], float) for label in (bare, *labels)]
    board, game = folder.parent / "boards" / f"{bare['board']}.json", labels[0]["game"]
    known = (load_image(empty), corners[0]) if reference else None
    taken = zip(photographs, labels, corners[1:], strict=True)
    pictures = [Taken(path, label, None if reference else marked) for path, label, marked in taken]
    return Reader(board, game, reference=known), pictures


# --- composed tables -----------------------------------------------------------------------------


def twice(rng: np.random.Generator) -> list[Views]:
    """A random table in two pictures; nothing if there is no place on it."""
    board, texture, table = scenes.random_board(rng, own=0.25)
    places = [
        place for place in scenes.places_on(board, table)
        if not any(body.shape == "trilith" for body in place.bodies)
    ]  # fmt: skip
    if not places:
        return []
    chosen = tuple(places[number] for number in sorted(rng.permutation(len(places))[:MOST]))
    sizes = [(1280, 800), (1280, 720), (960, 540), (1600, 900), (640, 480)]
    view = scenes.random_view(rng, board.size_mm, sizes[rng.integers(len(sizes))])
    printed, table_bgr = scenes.as_printed(rng, texture), scenes.random_table_top(rng)
    lighting = random_lighting(rng)
    surface = scenes.known_surface(rng, texture, printed, board, view, lighting, table_bgr)
    found = scenes.found_view(rng, board, view)
    camera, same_camera = int(rng.integers(2**32)), rng.random() < SAME_CAMERA
    views = []
    for number, (pieces, truth) in enumerate(_arrangements(rng, board, chosen, printed)):
        if number and rng.random() < RELIT:
            lighting = random_lighting(rng)
        if number and rng.random() < KNOCKED:
            view = _knocked(rng, view)
            found = scenes.found_view(rng, board, view)
        linear, numbers = compose(rng, printed, board.size_mm, view, pieces, lighting, table_bgr)
        if rng.random() < ARM:
            add_hand(rng, linear, numbers)
        photo = through_camera(np.random.default_rng(camera) if same_camera else rng, linear)
        crops = cut(photo, found, surface, fit_light(photo, found, surface), chosen)
        labels, colours = scenes.labels_of(view, chosen, truth, numbers, np.arange(len(chosen)))
        shown = np.flatnonzero(labels != HIDDEN)
        views.append(
            Views(
                stored(crops[shown]),
                [str(number)] * len(shown),
                [chosen[index].id for index in shown],
                [f"{labels[index]} {colours[index]}" if labels[index] else NOTHING for index in shown],
            )
        )
    return views


Arranged = tuple[list[Lying], list[scenes.Truth]]


def _arrangements(
    rng: np.random.Generator, board: Board, places: tuple[Place, ...], printed: NDArray[np.uint8]
) -> list[Arranged]:
    """What lies on these places, and what lies there later, by one set of pieces."""
    real, palette = random_set(rng, board.pieces).bodies, scenes.random_palette(rng)[1]
    digits, fill = scenes.digit_decals(rng, 8), rng.choice([0.15, 0.35, 0.6, 0.85])
    drawn = [scenes.lay(rng, board, places, real, palette, digits, fill)[:2] for _ in range(2)]
    for arranged in drawn:
        scenes.colour_as_print(rng, *arranged, printed, printed.shape[1] / board.size_mm[0], AS_PRINT)
    first, second = drawn
    return [first, _mixed(first, second, rng.random(len(places)) < ANEW)]


def _mixed(first: Arranged, second: Arranged, anew: NDArray[np.bool_]) -> Arranged:
    """On some places what lies there in the second, on the others what lies in the first."""
    by_number = [{piece.number: piece for piece in pieces} for pieces, _ in (first, second)]
    pieces, truth = list[Lying](), list[scenes.Truth]()
    for own, other, change in zip(first[1], second[1], anew, strict=True):
        chosen = other if change else own
        if chosen.number:
            piece = by_number[int(change)][chosen.number]
            pieces.append(replace(piece, number=len(pieces) + 1))
            chosen = replace(chosen, number=len(pieces))
        truth.append(chosen)
    return pieces, truth


def _knocked(rng: np.random.Generator, view: View) -> View:
    """The camera a little aside and turned."""
    turn = cv2.Rodrigues(rng.normal(0, 0.02, 3))[0]
    rotation = turn @ cv2.Rodrigues(view.rotation)[0]
    moved = turn @ view.translation_mm * (1 + rng.normal(0, 0.01))
    return replace(view, rotation=cv2.Rodrigues(rotation)[0].ravel(), translation_mm=moved)


def main() -> None:
    options = made_or_cut(__doc__ or "", scenes=1200, per_shard=50)
    if options.command == "photographs":
        options.out.mkdir(parents=True, exist_ok=True)
        folders = [path.parent for path in sorted(options.photos.glob("*/0002.json"))]
        for folder in track(folders, description="series"):
            for how in ("beside", "alone"):
                path = options.out / f"{options.photos.name}-{folder.name}-{how}.npz"
                if not path.exists():
                    write(path, list(views_of(folder, reference=how == "beside")))
        return

    def store(rng: np.random.Generator, path: Path) -> int:
        every = []
        for scene in range(options.per_shard):
            every += [replace(each, place=[f"{scene} {name}" for name in each.place]) for each in twice(rng)]
        write(path, every)
        return sum(len(each.place) for each in every)

    shards = -(-options.scenes // options.per_shard)
    compose_shards(options.out, shards, f"{COMPOSED}{options.seed}", (options.seed,), store)


if __name__ == "__main__":
    main()
