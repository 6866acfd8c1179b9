"""Labelled crops from photographs, beside the composed ones of `scenes` and `ground`.

    python -m sample_images.generator lessons --tables 49 --seed 1 --out PHOTOS
    python -m vision.training.photographs places --photos PHOTOS --out FOLDER --seed 1
    python -m sample_images.generator.strangers --tables 354 --environments ROOMS --out PHOTOS   # the same
    python -m vision.training.photographs series --photos SERIES --out FOLDER --seed 1
    python -m vision.training.photographs ground --photos PHOTOS --out FOLDER --seed 1

Their light is traced, not composed: soft shadows, light from one piece to the next, gloss. Written as the
same shards; each photograph is cut several times, as if its board had been found a little differently. Those
of series (`generator series`), whose boards are not ours, are cut beside the photograph of the empty board.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from calibration.prints import any_print
from engine.board import Board, load_board
from engine.position import TOP, Piece, fields_of
from vision.fields.crops import cut
from vision.fields.places import GAME_PIECES, Place, places_of, top_place
from vision.finding.locate import Located
from vision.geometry.bodies import body_of, placed
from vision.geometry.view import View
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.sight import Sight
from vision.training.compose import Lying, compose, random_lighting
from vision.training.ground import Shown, Window, cut_windows, places_of_interest, write_windows
from vision.training.pairs import opened_series
from vision.training.scenes import (
    EMPTY,
    HIDDEN,
    PALETTE_SIZE,
    Sample,
    Truth,
    choose,
    filled_up,
    found_view,
    from_close,
    write,
)

CUTS = 3
MOST_PLACES = 120
# Of a series hardly anything differs from one photograph to the next.
MOST_OF_SERIES = 50
PER_SHARD = 60
PX_PER_MM = 3.0
LEAST_SEEN = 0.25
WINDOW_CUTS = 2
GREY = np.full(3, 0.5)
SOFT_PX = (0.3, 2.5)


def view_of(label: dict[str, Any]) -> View:
    """The camera as the label tells it."""
    camera = label["camera"]
    rotation, position = np.array(camera["rotation"]), np.array(camera["position_mm"])
    x, y = camera["centre_px"]
    return View(
        tuple(camera["size_px"]),
        camera["focal_px"],
        cv2.Rodrigues(rotation)[0].ravel(),
        -rotation @ position,
        tuple(camera["distortion"]),
        (x, y),
    )


def colours_of(board: Board) -> list[str]:
    """The names of the colours that a board's pieces have, as many as a sample's palette holds."""
    return sorted({colour for piece in board.pieces.values() for colour in piece.colours})[:PALETTE_SIZE]


@lru_cache(maxsize=2)
def surface_of(board: Board, style: str) -> Surface:
    return Surface.of_image(any_print(board, style, PX_PER_MM), board.size_mm)


def board_and_print(photo: Path, label: dict[str, Any], rng: np.random.Generator) -> tuple[Board, Surface]:
    """The board of a photograph and its print. One that is not ours lies beside it, its print under the same
    name; a reader knows that from a photograph, which is never as sharp."""
    if label["style"] is not None:
        board = load_board(label["board"])
        return board, surface_of(board, label["style"])
    own = photo.parent / label["board"]
    board, drawn = load_board(own), load_image(own.with_suffix(".png"))
    soft = cv2.GaussianBlur(drawn, (0, 0), rng.uniform(*SOFT_PX))
    return board, Surface.of_image(soft, board.size_mm)


def sight_of(photo: Path, rng: np.random.Generator) -> tuple[dict[str, Any], Board, Sight]:
    """The label of a photograph (it lies beside it), its board, and the photograph as a reader would see it
    who found the board a little differently."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    (board, surface), image = board_and_print(photo, label, rng), load_image(photo)
    view = found_view(rng, board, view_of(label))
    return label, board, Sight(image, Located(view, "label", 0.0), fit_light(image, view, surface), surface)


def lessons_of(photo: Path, rng: np.random.Generator) -> list[Sample]:
    """The crops of one photograph (its label lies beside it), cut `CUTS` times."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    (board, surface), image = board_and_print(photo, label, rng), load_image(photo)
    view, names = view_of(label), colours_of(board)
    there = list(zip(*truth_of(board, label, names), strict=True))
    samples = []
    for _ in range(CUTS):
        seen = image, found_view(rng, board, view), surface
        samples.append(_cut_out(rng, board, names, seen, there, MOST_PLACES))
    return samples


def lessons_of_series(folder: Path, rng: np.random.Generator) -> list[Sample]:
    """The crops of the photographs of one series, beside that of the empty board."""
    reader, pictures = opened_series(folder, reference=True)
    board, surface = reader.board, reader.surface
    assert surface is not None
    names = colours_of(board)
    samples = []
    for path, label, _ in pictures:
        seen = load_image(path), found_view(rng, board, view_of(label)), surface
        there = list(zip(*truth_of(board, label, names), strict=True))
        samples.append(_cut_out(rng, board, names, seen, there, MOST_OF_SERIES))
    return samples


def _cut_out(
    rng: np.random.Generator,
    board: Board,
    names: Sequence[str],
    seen: tuple[np.ndarray, View, Surface],
    there: Sequence[tuple[Place, Truth]],
    most: int,
) -> Sample:
    """The crops of at most so many of the places in a photograph, as it is seen, and what is there."""
    chosen = [there[index] for index in choose(rng, [what for _, what in there], most)]
    crops = cut(*seen, fit_light(*seen), tuple(place for place, _ in chosen))
    return sample_of(board, names, crops, chosen)


def truth_of(board: Board, label: dict[str, Any], names: list[str]) -> tuple[list[Place], list[Truth]]:
    """Every place with what is there; `covered_by` where it cannot be seen."""
    lying: dict[str, list[Piece]] = defaultdict(list)
    taken: set[str] = set()
    for entry in label["pieces"]:
        piece = Piece.from_json(entry)
        if piece.place:
            lying[piece.place].append(piece)
            taken |= set(piece.fields or (piece.field,))
    hidden = set(label["occluded"]) | {name for name, share in label["seen"].items() if share < LEAST_SEEN}
    single = list(places_of(board, label["game"]))
    kinds = GAME_PIECES.get(label["game"], {}).get("top", ("disc", "figure"))
    triliths = [place for place in single if any(p.kind == "trilith" for p in lying.get(place.id, ()))]
    tops = [top_place(board, place, kinds) for place in triliths]
    truth = [_what(place, lying, taken, hidden, names) for place in single]
    # What hides a part of a field may hide all of what is beside or above it.
    in_part = set(label["seen"])
    beside, beside_truth = _beside(single, truth, label.get("solids", ()), in_part)
    close, close_truth = from_close(single, truth)
    tops = [top for top in tops if lying.get(top.id) or in_part.isdisjoint(fields_of(top.id))]
    on_top = [_what(place, lying, taken, hidden, names) for place in tops]
    return [*single, *tops, *close, *beside], [*truth, *on_top, *close_truth, *beside_truth]


def _beside(
    places: list[Place], truth: list[Truth], solids: Sequence[dict[str, Any]], in_part: Collection[str]
) -> tuple[list[Place], list[Truth]]:
    """The other spots of fields in whose middle nothing lies, as a reader looks at them; not of those that
    are seen `in_part`. What lies on one of them is, in `truth`, no longer at its field: of the middle's crop
    it is at the edge."""
    blocks = [(solid["x_mm"], solid["y_mm"]) for solid in solids if solid["kind"] == "block"]
    found: list[Place] = []
    what: list[Truth] = []
    for index, place in enumerate(places):
        boxes = tuple(body for body in place.bodies if body.shape == "box")
        if not place.spots or not boxes or truth[index].covered_by:
            continue
        lies = truth[index] if truth[index].number else None
        if lies is not None:
            ways = [(math.dist(spot, at), spot) for at in blocks for spot in (place.at_mm, *place.spots)]
            nearest = min(ways, default=(math.inf, place.at_mm))[1]
            if lies.body < 0 or place.bodies[lies.body] not in boxes or nearest == place.at_mm:
                continue
            truth[index] = Truth()
        for spot in place.spots:
            spotted = replace(place, at_mm=spot, bodies=boxes, radius_mm=place.radius_mm / 2)
            if place.id not in in_part and (lies is None or spot == nearest):
                found.append(spotted)
                what.append(Truth() if lies is None else replace(lies, body=0))
    return found, what


def _what(
    place: Place, lying: dict[str, list[Piece]], taken: set[str], hidden: set[str], names: list[str]
) -> Truth:
    fields = fields_of(place.id)
    pieces = lying.get(place.id, [])
    if any(name in hidden for name in fields):
        return Truth(covered_by=1)
    if not pieces:
        covered = not place.id.endswith(TOP) and any(name in taken for name in fields)
        return Truth(covered_by=int(covered))
    # A heap is a body of its own; of discs on one another the uppermost is seen.
    kind, top = pieces[0].kind, pieces[-1]
    heaped = len(pieces) > 1 or top.count != 1
    heaps = any(body.kind == kind and body.shape == "heap" for body in place.bodies)
    for index, body in enumerate(place.bodies):
        if body.kind == kind and (body.shape == "heap") == (heaped and heaps):
            colour = -1 if kind == "trilith" else names.index(top.colour or "")
            return Truth(index, colour, 1)
    return Truth(number=1)  # something that is not looked for here


def sample_of(
    board: Board, names: Sequence[str], crops: np.ndarray, cuts: Sequence[tuple[Place, Truth]]
) -> Sample:
    """The crops of these places with what is there."""
    labels, colours = [], []
    for place, what in cuts:
        hidden = bool(what.covered_by)
        labels.append(HIDDEN if hidden else 1 + place.slots[what.body] if what.body >= 0 else EMPTY)
        colours.append(-1 if hidden else what.colour)
    palette = filled_up(np.array([board.colour_rgb(name) for name in names])[:, ::-1] / 255)
    return Sample(crops, np.array(labels), np.array(colours), palette, len(names))


# --- the ground under loose pieces -----------------------------------------------------------------------


def windows_of(photo: Path, rng: np.random.Generator) -> list[Window]:
    """The windows of one photograph with what is where. Which piece stands before which is taken from a
    composed picture of the same solids."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, image, view = load_board(label["board"]), load_image(photo), view_of(label)
    pieces: list[Lying] = []
    kinds: list[str] = []
    cards: list[np.ndarray] = []
    for solid in label["solids"]:
        kind, at, angle = solid["kind"], (solid["x_mm"], solid["y_mm"]), solid["angle_deg"]
        if kind == "card":
            card = np.array(body_of(board.pieces["card"]).prisms[0].footprint_mm)
            cards.append(placed(card, at, angle))
            continue
        body = body_of(replace(board.pieces[kind], dims_mm=solid["dims_mm"]), lying=solid["lying"])
        pieces.append(Lying(body, at, angle, GREY, len(pieces) + 1, solid["base_mm"]))
        kinds.append("lying" if solid["lying"] and kind == "figure" else kind)
    blank = np.full((60, 60, 3), 200, np.uint8)
    _, numbers = compose(rng, blank, board.size_mm, view, pieces, random_lighting(rng), GREY)
    surface, windows = surface_of(board, label["style"]), []
    for _ in range(WINDOW_CUTS):
        found = found_view(rng, board, view)
        seen = (image, found, surface, fit_light(image, found, surface))
        windows += cut_windows(rng, seen, view, Shown(numbers, kinds, cards), places_of_interest(rng, board))
    return windows


def _has_loose_pieces(photo: Path) -> bool:
    """Whether pieces may lie in yards or anywhere; of a hand nobody knows where it is."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    return label["game"] in ("build", "rolling") and "hand" not in label["tags"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("places", "series", "ground"))
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.what == "series":
        for number, empty in enumerate(track(sorted((options.photos / "empty").glob("*.jpg")), "series")):
            samples = lessons_of_series(
                options.photos / empty.stem, np.random.default_rng([options.seed, number])
            )
            write(options.out / f"series-{options.seed:04d}-{number:04d}.npz", samples)
        return
    photos = sorted(path.with_suffix(".jpg") for path in options.photos.glob("*.json"))
    if options.what == "ground":
        photos = [photo for photo in photos if _has_loose_pieces(photo)]
    for first in track(range(0, len(photos), PER_SHARD), description="shards"):
        rng = np.random.default_rng([options.seed, first])
        group, name = photos[first : first + PER_SHARD], f"{options.seed:04d}-{first // PER_SHARD:04d}.npz"
        if options.what == "places":
            write(options.out / f"photos-{name}", [s for photo in group for s in lessons_of(photo, rng)])
        else:
            windows = [window for photo in group for window in windows_of(photo, rng)]
            write_windows(options.out / f"ground-photos-{name}", windows)


if __name__ == "__main__":
    main()
