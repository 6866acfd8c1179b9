"""Figures that look one way or the other, for the network that tells which.

python -m vision.training.faces compose --out faces --scenes 2000 --per-shard 100 --seed 1
python -m sample_images.generator lessons --of balls --tables 20 --seed 500 --samples 4 --out PHOTOS
python -m sample_images.generator.strangers --full --tables 150 --environments ROOMS --out PHOTOS
python -m vision.training.faces photographs --photos PHOTOS --out faces --seed 1
python -m vision.training.facing --shards faces --steps 2000 --seed 1 --out vision/models

Composed ones have faces of all kinds; photographed ones stand in traced light, which falls off round a head
as in no composed picture, those of `strangers` have bodies and fronts of any make.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from engine.board import Board, load_board
from vision.fields.facing import RING, clockwise_deg, crops_of
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism
from vision.geometry.view import Array, View
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.training.compose import HAND, Lying, add_hand, compose, random_lighting, through_camera
from vision.training.photographs import LEAST_SEEN, surface_of, view_of
from vision.training.scenes import (
    TRAINED_STYLES,
    as_printed,
    found_view,
    in_other_colours,
    random_palette,
    random_table_top,
    random_view,
    with_blotches,
)
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
BYTE = 182
# The name of a photograph's shard begins so.
PHOTOGRAPHED = "photos"
ANSWERS = {"clockwise": 1.0, "anticlockwise": 0.0, None: 0.5}
# The two figures stand so many fields apart; of all sets, so many have figures without a face.
APART, FACELESS = 2, 0.12
# What is composed of the board around them, and shown of that; the artwork's scale.
AROUND_MM, PITS_MM, WINDOW_MM, PX_PER_MM = 85.0, 62.0, 170.0, 3.0
# A photograph is cut so often, as if its board had been found a little differently.
CUTS = 4
SIZES = ((1280, 720), (1280, 720), (960, 540), (1600, 900), (810, 1080), (640, 480))


# Crops and ways (see `vision.fields.facing.crops_of`), and how likely each figure looks clockwise: 1, 0, or
# one half if it has no face.
Figures = tuple[Floats, Floats, Floats]


def one_corner(rng: np.random.Generator) -> Figures:
    """Two figures on a part of a random table."""
    board = load_board("anthology")
    view = random_view(rng, board.size_mm, SIZES[rng.integers(len(SIZES))])
    pieces, places, answers = _lay(rng, board)
    corner, size = _around(board, places)
    texture = _texture(rng, board, corner, size)
    view, found = _window(rng, view, corner, np.mean([place.at_mm for place in places], axis=0) - corner)
    for piece in pieces:
        piece.at_mm = (piece.at_mm[0] - corner[0], piece.at_mm[1] - corner[1])
    local = [replace(p, at_mm=(p.at_mm[0] - corner[0], p.at_mm[1] - corner[1])) for p in places]
    printed, lighting, table_bgr = as_printed(rng, texture), random_lighting(rng), random_table_top(rng)
    linear, ids = compose(rng, printed, size, view, pieces, lighting, table_bgr)
    if rng.random() < 0.06:
        add_hand(rng, linear, ids)
    photo = through_camera(rng, linear)
    surface = Surface.of_image(texture if rng.random() < 0.65 else printed, size)
    light = fit_light(photo, found, surface)
    seen = [i for i, place in enumerate(local) if _can_be_seen(view, place, i + 1, ids)]
    turns = [clockwise_deg(board, places[i].at_mm) for i in seen]
    heads = [local[i] for i in seen]
    crops, ways = crops_of(board.pieces["figure"], photo, found, surface, light, heads, turns)
    return crops, ways, np.array([answers[i] for i in seen], np.float32)


def _around(board: Board, places: list[Place]) -> tuple[Array, tuple[float, float]]:
    """The part of the board around these places: its top-left corner and size (mm)."""
    points = np.array([place.at_mm for place in places])
    low = np.maximum(points.min(axis=0) - AROUND_MM, 0)
    high = np.minimum(points.max(axis=0) + AROUND_MM, board.size_mm)
    return low, (float(high[0] - low[0]), float(high[1] - low[1]))


_TEXTURES: dict[str, Image] = {}


def _texture(rng: np.random.Generator, board: Board, corner: Array, size: tuple[float, float]) -> Image:
    """That part of the printed board, sometimes in other colours and with blotches of other art."""
    style = str(rng.choice(TRAINED_STYLES, p=[0.6, 0.4]))
    if style not in _TEXTURES:
        _TEXTURES[style] = render_artwork(board, px_per_mm=PX_PER_MM, style=style)
    (x, y), (width, height) = corner * PX_PER_MM, size
    part = _TEXTURES[style][
        round(y) : round(y + height * PX_PER_MM), round(x) : round(x + width * PX_PER_MM)
    ].copy()
    if rng.random() < 0.4:
        part = in_other_colours(rng, part)
    if rng.random() < 0.1:
        part = with_blotches(rng, part)
    return part


def _window(rng: np.random.Generator, view: View, corner: Array, middle_mm: Array) -> tuple[View, View]:
    """The view of the part around `middle_mm`, its coordinates counted from the corner: as it is, and as a
    reader finds it, a little off."""
    turn = cv2.Rodrigues(view.rotation)[0]
    view = replace(view, translation_mm=view.translation_mm + turn @ np.array([*corner, 0.0]))
    middle = view.project(middle_mm[None], 12.0)[0]
    half = view.px_per_mm((float(middle_mm[0]), float(middle_mm[1]))) * WINDOW_MM / 2
    side = int(np.clip(2 * half, 60, 420))
    axis = np.array(view.axis_px) - middle + side / 2
    view = replace(view, size_px=(side, side), centre_px=(float(axis[0]), float(axis[1])))
    zoom = float(np.exp(rng.normal(0, 0.015)))
    depth = float((turn @ np.array([*middle_mm, 0.0]) + view.translation_mm)[2])
    off = axis + rng.normal(0, 0.4, 2)
    found = replace(
        view,
        focal_px=view.focal_px * zoom,
        translation_mm=view.translation_mm + np.array([0.0, 0.0, (zoom - 1) * depth]),
        centre_px=(float(off[0]), float(off[1])),
    )
    return view, found


def _can_be_seen(view: View, place: Place, number: int, ids: NDArray[np.uint8]) -> bool:
    """Whether the middle of the figure's head is in the picture and not behind a hand or another piece."""
    x, y = np.round(view.project(np.array([place.at_mm]), 24.0)[0]).astype(int)
    height, width = ids.shape
    if not (4 <= x < width - 4 and 4 <= y < height - 4):
        return False
    around = ids[y - 3 : y + 4, x - 3 : x + 4]
    return bool((around == number).any() and not (around == HAND).any())


def _lay(rng: np.random.Generator, board: Board) -> tuple[list[Lying], list[Place], list[float]]:
    """Two stone figures on the ring, numbered from 1, and discs in the pits nearby; per figure its field and
    the answer."""
    real = random_set(rng, board.pieces).bodies
    _, palette = random_palette(rng)
    gloss = rng.uniform(0, 1)
    stone = np.clip(rng.uniform(0.25, 0.7) + rng.normal(0, 0.025, 3), 0.05, 0.95)
    face = None if rng.random() < FACELESS else random_face(rng, real["figure"], stone)
    both = _ornament(rng, real["figure"]) if rng.random() < 0.15 else None
    pieces: list[Lying] = []
    places, answers = [], []
    rings = board.fields_of_kind("ring")
    first = int(rng.integers(len(rings)))
    chosen = [rings[first], rings[(first + APART) % len(rings)]]
    fill = rng.choice([0.0, 0.2, 0.5, 0.8])
    for field in board.fields_of_kind("pit"):
        near = any(math.dist(field.centre_mm, ring.centre_mm) < PITS_MM for ring in chosen)
        if near and rng.random() < fill:
            at = _aside(rng, field.centre_mm, 3)
            bgr = palette[rng.integers(len(palette))]
            pieces.append(Lying(real["disc"], at, 0, bgr, 200, gloss=gloss))
    careless = rng.choice([2.0, 4.0])
    for number, field in enumerate(chosen, start=1):
        at = _aside(rng, field.centre_mm, careless)
        clockwise = bool(rng.random() < 0.5)
        turn = clockwise_deg(board, at) + 180 * (not clockwise) + rng.normal(0, 9)
        shade = np.clip(stone * rng.normal(1, 0.03), 0.02, 0.98)
        pieces.append(Lying(real["figure"], at, turn, shade, number, gloss=gloss))
        if both is not None:
            pieces.append(Lying(both[0], at, turn, both[1], number, gloss=gloss))
        if face is not None:
            pieces += [_worn(rng, part, at, turn, number, gloss) for part in face]
        places.append(Place(field.id, field.centre_mm, field.angle_deg, (real["figure"],), field.radius_mm))
        answers.append(0.5 if face is None else float(clockwise))
    return pieces, places, answers


def _aside(rng: np.random.Generator, at_mm: tuple[float, float], most_mm: float) -> tuple[float, float]:
    away, turn = most_mm * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
    return at_mm[0] + away * math.cos(turn), at_mm[1] + away * math.sin(turn)


# A part of a face: its solid (around its own middle), its colour (BGR), how far ahead of the axis it sits and
# how far to its left (mm).
Part = tuple[Body, Array, float, float]
STYLES = {"mask": 0.24, "beak": 0.26, "nose": 0.12, "painted": 0.12, "staff": 0.06, "eyes": 0.2}


def random_face(rng: np.random.Generator, figure: Body, stone: Array) -> list[Part]:
    """What a maker may put on one side of the head: a mask or a painted face, pale, dark or gaudy; a
    beak or a nose, blunt or pointed; eyes; a staff held ahead."""
    height = figure.top_mm
    base = max(x for x, _ in figure.prisms[0].footprint_mm)
    level = rng.uniform(0.68, 0.88) * height
    head = max(1.5, _radius_at(figure, level))
    colour = _other_shade(rng, stone)
    style = rng.choice([*STYLES], p=[*STYLES.values()])
    if style == "staff":
        part = _round(0.09 * base, 0.09 * base, 0.0, rng.uniform(0.7, 1.15) * height, 0.0)
        return [(part, colour, rng.uniform(0.7, 1.1) * base, 0.0)]
    if style == "eyes":
        return _eyes(rng, level, head, colour)
    wide, tall = rng.uniform(0.35, 1.0) * head, rng.uniform(0.06, 0.16) * height
    if style == "painted":
        return [(_round(0.45 * head, 0.9 * wide, level - tall, level + tall, 0.6), colour, 0.75 * head, 0.0)]
    long = {"mask": rng.uniform(0.5, 1.0), "beak": rng.uniform(1.0, 2.4), "nose": rng.uniform(0.9, 2.2)}[
        style
    ]
    if style == "nose":
        wide, tall, colour = 0.5 * wide, 0.5 * tall, stone if rng.random() < 0.6 else colour
    ahead = rng.uniform(0.55, 1.0) * head
    if style != "mask" and rng.random() < 0.5:
        return _pointed(long * head, wide, tall, level, colour, ahead)
    return [(_round(long * head, wide, level - tall, level + tall, 0.5), colour, ahead, 0.0)]


def _eyes(rng: np.random.Generator, level: float, head: float, colour: Array) -> list[Part]:
    """Two small balls or dots side by side, and sometimes what is below them."""
    size, apart = rng.uniform(0.15, 0.4) * head, rng.uniform(0.25, 0.5) * head
    ahead = head * rng.uniform(0.85, 1.0)
    parts = []
    for aside in (-apart, apart):
        eye = _round(size, size, level - size, level + size, 0.8)
        parts.append((eye, colour, math.sqrt(max(0.1, ahead**2 - aside**2)), aside))
    if rng.random() < 0.6:
        low = level - rng.uniform(0.3, 0.7) * head
        wide = size * rng.uniform(0.6, 2.0)
        parts.append((_round(size, wide, low - 0.7 * size, low + 0.7 * size, 0.7), colour, 1.05 * ahead, 0.0))
    return parts


def _pointed(long: float, wide: float, tall: float, level: float, colour: Array, ahead: float) -> list[Part]:
    """A nose that ends in a point, and maybe far ahead."""
    parts = []
    for share in (0.0, 0.35, 0.7):
        thin = 1 - share
        part = _round(0.4 * long, thin * wide, level - thin * tall, level + thin * tall, 0.5)
        parts.append((part, colour, ahead + share * long, 0.0))
    return parts


def _radius_at(figure: Body, level_mm: float) -> float:
    """The radius of a turned figure at a height."""
    for prism in figure.prisms:
        if prism.low_mm <= level_mm <= prism.high_mm:
            wide = max(x for x, _ in prism.footprint_mm)
            share = (level_mm - prism.low_mm) / max(0.1, prism.high_mm - prism.low_mm)
            return wide * (1 + share * (prism.taper - 1))
    return 0.0


def _other_shade(rng: np.random.Generator, stone: Array) -> Array:
    """A colour that can be told from the stone's: mostly pale, else dark or gaudy."""
    while True:
        kind = rng.random()
        if kind < 0.5:
            bgr = np.array([0.75, 0.85, 0.92]) * rng.uniform(0.75, 1.05) + rng.normal(0, 0.04, 3)
        elif kind < 0.75:
            bgr = rng.uniform(0.04, 0.25) + rng.normal(0, 0.02, 3)
        else:
            bgr = rng.uniform(0.05, 0.95, 3)
        bgr = np.clip(bgr, 0.03, 0.98)
        if np.abs(bgr - stone).max() > 0.18:
            return np.asarray(bgr)


def _round(long: float, wide: float, low: float, high: float, tapered: float) -> Body:
    """An upright elliptic solid, narrower at both ends by `tapered`: 0 a post, 1 an egg."""
    turns = np.arange(14) * 2 * np.pi / 14
    steps = np.linspace(-1, 1, 5)
    widths = 1 - tapered + tapered * np.sqrt(np.maximum(0.04, 1 - steps**2))
    middle, half = (low + high) / 2, (high - low) / 2
    prisms = []
    for a, b, wide_a, wide_b in zip(steps[:-1], steps[1:], widths[:-1], widths[1:], strict=True):
        most = max(wide_a, wide_b)
        foot = tuple((float(most * long * np.cos(t)), float(most * wide * np.sin(t))) for t in turns)
        prisms.append(Prism(foot, middle + a * half, middle + b * half, float(min(wide_a, wide_b) / most)))
    return Body("face", tuple(prisms), high)


def _worn(
    rng: np.random.Generator,
    part: Part,
    at_mm: tuple[float, float],
    turn_deg: float,
    number: int,
    gloss: float,
) -> Lying:
    solid, bgr, ahead, left = part
    turn = math.radians(turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    spot = (at_mm[0] + ahead * cos + left * sin, at_mm[1] + ahead * sin - left * cos)
    return Lying(solid, spot, turn_deg, bgr, number, gloss=gloss * rng.random())


def _ornament(rng: np.random.Generator, figure: Body) -> tuple[Body, Array]:
    """A band or a collar all around, in any colour: it tells no side."""
    level = rng.uniform(0.1, 0.85) * figure.top_mm
    wide = 1.04 * max(1.0, _radius_at(figure, level))
    return _round(wide, wide, level, level + rng.uniform(1.5, 5), 0.1), rng.uniform(0.05, 0.95, 3)


def photographed(photo: Path, rng: np.random.Generator) -> Figures:
    """The stone figures on the ring of a photograph (its label lies beside it), each `CUTS` times."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, image = load_board(label["board"]), load_image(photo)
    view, surface = view_of(label), surface_of(board, label["style"])
    hidden = set(label["occluded"]) | {name for name, share in label["seen"].items() if share < LEAST_SEEN}
    answers = {
        piece["field"]: ANSWERS[piece.get("facing")]
        for piece in label["pieces"]
        if piece["kind"] == "figure" and board.fields[piece["field"]].kind == RING
    }
    fields = [board.fields[name] for name in answers if name not in hidden]
    places = [Place(field.id, field.centre_mm, field.angle_deg, (), field.radius_mm) for field in fields]
    turns = [clockwise_deg(board, place.at_mm) for place in places]
    cuts = []
    for _ in range(CUTS):
        found = found_view(rng, board, view)
        light = fit_light(image, found, surface)
        cuts.append(crops_of(board.pieces["figure"], image, found, surface, light, places, turns))
    crops, ways = (np.concatenate(part) for part in zip(*cuts, strict=True))
    return crops, ways, np.tile(np.array([answers[place.id] for place in places], np.float32), CUTS)


def store(path: Path, tables: list[Figures]) -> int:
    """Writes the crops as bytes; how many they are."""
    crops, ways, answers = (np.concatenate(part) for part in zip(*tables, strict=True))
    picture = np.clip(np.round(crops * BYTE), 0, 255).astype(np.uint8)
    np.savez(path, crops=picture, way=ways, answers=answers)
    return len(crops)


def main() -> None:
    options = made_or_cut(__doc__, scenes=2000, per_shard=100)
    if options.command == "photographs":
        options.out.mkdir(parents=True, exist_ok=True)
        for label in sorted(options.photos.glob("*.json")):
            rng = np.random.default_rng([options.seed, *label.stem.encode()])
            path = options.out / f"{PHOTOGRAPHED}-{label.stem}.npz"
            if not path.exists():
                store(path, [photographed(label.with_suffix(".jpg"), rng)])
        return

    def shard(rng: np.random.Generator, path: Path) -> int:
        return store(path, [one_corner(rng) for _ in range(options.per_shard)])

    shards = -(-options.scenes // options.per_shard)
    compose_shards(options.out, shards, f"{options.seed:04d}", (options.seed,), shard)


if __name__ == "__main__":
    main()
