"""Random tables and the labelled crops that the place network learns from.

    python -m vision.training.scenes --out FOLDER --scenes 1000 --seed 1

writes numpy shards. Everything is drawn from the seed: the same call gives the same crops.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from calibration.own_boards import random_own_board
from calibration.prints import recoloured
from engine.board import Board, load_board
from vision.fields.crops import cut
from vision.fields.places import GAME_PIECES, MOST_BODIES, Place, places_of, top_place
from vision.geometry.bodies import Body, body_of
from vision.geometry.view import Array, View, fit_view
from vision.prints.light import Light, fit_light
from vision.prints.surface import Surface
from vision.training.compose import (
    HAND,
    Lighting,
    Lying,
    add_hand,
    compose,
    random_lighting,
    through_camera,
)
from vision.training.sets import random_set
from vision.training.shards import compose_shards

Image = NDArray[np.uint8]
EMPTY, HIDDEN = 0, MOST_BODIES + 1
# How often a board is somebody's own.
OWN = 0.35
# What may be looked for on a capstone.
TOPS = (("disc",), ("figure",), ("disc", "figure"))
PALETTE_SIZE = 8
# A crop's values are stored as bytes, this many times as large.
STORED = 182
# So large a share of the pieces on a table has the colour of the print they lie on, by so much lighter or
# darker (display-referred); that colour's number.
AS_PRINT, LIGHTER, OF_PRINT = (0.0, 0.0, 0.4), 0.06, -2
# Display-referred RGB of the usual sets; each training set varies them.
USUAL = {
    "white": (236, 234, 226),
    "blue": (38, 84, 158),
    "green": (52, 122, 66),
    "yellow": (232, 186, 48),
    "red": (182, 44, 38),
    "grey": (134, 134, 130),
    "black": (38, 37, 38),
    "brown": (112, 72, 44),
}


@dataclass
class Sample:
    """Labelled crops of one picture: `palette` (PALETTE_SIZE, 3) BGR 0..1 as a board file would give it,
    `labels` 0 empty, 1.. which body, HIDDEN; `colours` the palette's index or -1."""

    crops: NDArray[np.float32]
    labels: NDArray[np.int64]
    colours: NDArray[np.int64]
    palette: NDArray[np.float32]
    palette_size: int


_TEXTURES: dict[tuple[str, str], Image] = {}
# The style "parchment" is kept for judging.
TRAINED_STYLES = ("chalk", "night")


def board_texture(rng: np.random.Generator, board: Board) -> Image:
    """The printed board, in one of the styles, sometimes with other colours and blotches of other art."""
    style = str(rng.choice(TRAINED_STYLES, p=[0.7, 0.3]))
    key = (board.id, style)
    if key not in _TEXTURES:
        _TEXTURES[key] = render_artwork(board, px_per_mm=3.0, style=style)
    image = _TEXTURES[key].copy()
    if rng.random() < 0.3:
        image = in_other_colours(rng, image)
    if rng.random() < 0.15:
        image = with_blotches(rng, image)
    return image


def in_other_colours(rng: np.random.Generator, image: Image) -> Image:
    turn, strength, more = int(rng.integers(0, 180)), rng.uniform(0.4, 1.8), rng.uniform(0, 60)
    return recoloured(image, turn, strength, more, rng.uniform(0.35, 1.0, 3))


def with_blotches(rng: np.random.Generator, image: Image) -> Image:
    """Areas of other colours and grain under the places, as on a board with painted art."""
    height, width = image.shape[:2]
    cells = int(rng.integers(4, 40))
    noise = cv2.resize(
        rng.random((cells, cells, 3)).astype(np.float32),
        (width, height),
        interpolation=int(rng.choice([cv2.INTER_CUBIC, cv2.INTER_NEAREST])),
    )
    strength = rng.uniform(0.1, 0.8)
    return np.clip(image * (1 - strength) + 255 * noise * strength, 0, 255).astype(np.uint8)


def random_board(rng: np.random.Generator, *, own: float) -> tuple[Board, Image, dict[str, tuple[str, ...]]]:
    """A board, how it is printed, and which pieces lie on which kinds of its fields. own: how often it is one
    that nobody here has seen."""
    if rng.random() < own:
        board, texture = random_own_board(rng)
        return board, texture, {"cell": tuple(board.pieces)}
    board = load_board(str(rng.choice(["anthology", "anthology", "knizia"])))
    texture = board_texture(rng, board)
    return board, texture, random_table_of_pieces(rng, board)


def random_view(rng: np.random.Generator, size_mm: tuple[float, float], size_px: tuple[int, int]) -> View:
    """A camera where people put one: 25-90 degrees above the table, any side, board mostly in the picture."""
    width, height = size_px
    elevation = np.radians(rng.uniform(25, 90) if rng.random() < 0.8 else rng.uniform(60, 90))
    azimuth = (
        rng.choice([0, 0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.3)
        if rng.random() < 0.7
        else rng.uniform(0, 2 * np.pi)
    )
    focal = max(size_px) * float(np.exp(rng.normal(np.log(0.85), 0.22)))
    distortion = (float(rng.normal(0, 0.08) - 0.03), float(rng.normal(0, 0.02)))
    target = np.array([*(np.array(size_mm) * rng.uniform(0.44, 0.56, 2)), 0.0])
    fill = rng.uniform(0.45, 1.0)
    span = max(size_mm) * 1.15
    distance = focal * span / (fill * min(width, height * 1.5))
    eye = target + distance * np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), -np.sin(elevation)]
    )
    forward = (target - eye) / np.linalg.norm(target - eye)
    side = np.cross(forward, [0.0, 0.0, -1.0]) if np.sin(elevation) < 0.9999 else np.array([1.0, 0, 0])
    side /= np.linalg.norm(side)
    roll = rng.normal(0, 0.06)
    down = np.cross(forward, side)
    rotation = np.array(
        [side * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - side * np.sin(roll), forward]
    )
    return View(size_px, focal, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ eye, distortion)


def random_table_top(rng: np.random.Generator) -> Array:
    """The colour of the table around the board, BGR, linear: wood, cloth, seldom gaudy."""
    return np.asarray(rng.uniform(0.02, 0.6) * np.exp(rng.normal(0, rng.choice([0.1, 0.3, 0.8]), 3)))


def random_palette(rng: np.random.Generator) -> tuple[Array, Array]:
    """(nominal, real) colours of a set, BGR 0..1: what the board file says, and what the set looks like."""
    count = int(rng.integers(2, PALETTE_SIZE + 1))
    names = rng.permutation(list(USUAL))[:count]
    usual = np.array([USUAL[name] for name in names])[:, ::-1] / 255
    if rng.random() < 0.25:
        usual = _apart(rng, count)
    nominal = np.clip(usual + rng.normal(0, 0.03, usual.shape), 0.02, 0.98)
    shift = rng.normal(0, 0.03, 3) + rng.normal(0, 0.05)
    real = np.clip(nominal + shift + rng.normal(0, 0.035, usual.shape), 0.02, 0.97)
    return nominal, real


def _apart(rng: np.random.Generator, count: int) -> Array:
    chosen = [rng.random(3)]
    while len(chosen) < count:
        options = rng.random((20, 3))
        gaps = np.min([np.linalg.norm(options - c, axis=1) for c in chosen], axis=0)
        chosen.append(options[int(np.argmax(gaps * rng.uniform(0.6, 1, 20)))])
    return np.array(chosen)


def random_table_of_pieces(rng: np.random.Generator, board: Board) -> dict[str, tuple[str, ...]]:
    """Which kinds of piece lie on which kinds of field: one of the games, or any mixture."""
    games = [g for g in GAME_PIECES if all(k in board.kinds or k in ("pair", "top") for k in GAME_PIECES[g])]
    if games and rng.random() < 0.7:
        return GAME_PIECES[str(rng.choice(games))]
    single = [
        n
        for n, p in board.pieces.items()
        if p.shape in ("cylinder", "box", "figure") and n not in ("pillar", "capstone")
    ]
    table = {}
    for kind in board.kinds:
        if kind in ("yard", "altar") or rng.random() < 0.3:
            continue
        table[kind] = tuple(str(n) for n in rng.permutation(single)[: rng.integers(1, 4)])
    return table


def one_picture(rng: np.random.Generator, digits: list[NDArray[np.float32]]) -> Sample | None:
    """A random table, photographed and cut into labelled crops; None if the board cannot be found."""
    board, texture, table = random_board(rng, own=OWN)
    sizes = [(1280, 720), (1280, 720), (1280, 720), (960, 540), (1600, 900), (640, 480), (810, 1080)]
    view = random_view(rng, board.size_mm, sizes[rng.integers(len(sizes))])
    places = places_on(board, table)
    if not places:
        return None
    real = random_set(rng, board.pieces).bodies
    nominal_palette, real_palette = random_palette(rng)
    pieces, truth, tops = lay(
        rng, board, places, real, real_palette, digits, rng.choice([0.0, 0.15, 0.35, 0.6, 0.85])
    )
    lighting = random_lighting(rng)
    table_bgr = random_table_top(rng)
    printed = as_printed(rng, texture)
    share = rng.choice(AS_PRINT)
    colour_as_print(rng, pieces, truth, printed, printed.shape[1] / board.size_mm[0], share)
    prints = Prints(texture, printed, printed)
    seen, numbers = photographed(rng, board, view, pieces, prints, lighting, table_bgr, hands=0.25)
    close, close_truth = from_close(places, truth[: len(places)])
    places, truth = (*places, *tops, *close), [*truth, *close_truth]
    chosen = choose(rng, truth, 96)
    picked = tuple(places[i] for i in chosen)
    crops = cut(*seen, picked)
    labels, colours = labels_of(view, places, truth, numbers, chosen)
    return Sample(crops, labels, colours, filled_up(nominal_palette), len(nominal_palette))


def filled_up(shades: Array) -> NDArray[np.float32]:
    """(PALETTE_SIZE, 3) a palette as a `Sample` holds it: the shades, (N, 3), and black."""
    palette = np.zeros((PALETTE_SIZE, 3), np.float32)
    palette[: len(shades)] = shades
    return palette


@dataclass(frozen=True)
class Prints:
    """A board as its artwork has it, as it was printed, and as it lies there: with what is flat on it."""

    texture: Image
    bare: Image
    printed: Image


# What a reader has of a picture: the photograph, the view as it was found, the empty board and the light.
Seen = tuple[Image, View, Surface, Light]


def photographed(
    rng: np.random.Generator,
    board: Board,
    view: View,
    pieces: list[Lying],
    prints: Prints,
    lighting: Lighting,
    table_bgr: Array,
    hands: float,
) -> tuple[Seen, NDArray[np.uint8]]:
    """What a reader has of a photograph of this table, and its visibility buffer (see `compose`). hands: the
    chance of one in the picture."""
    linear, numbers = compose(rng, prints.printed, board.size_mm, view, pieces, lighting, table_bgr)
    if rng.random() < hands:
        add_hand(rng, linear, numbers)
    photo = through_camera(rng, linear)
    found = found_view(rng, board, view)
    surface = known_surface(rng, prints.texture, prints.bare, board, view, lighting, table_bgr)
    return (photo, found, surface, fit_light(photo, found, surface)), numbers


def as_printed(rng: np.random.Generator, texture: Image) -> Image:
    """The texture as a printer renders it: paler or darker, tinted."""
    gamma, tint = np.exp(rng.normal(0, 0.12)), np.exp(rng.normal(0, 0.04, 3))
    black, white = rng.uniform(0, 0.06), rng.uniform(0.88, 1.0)
    ramp = (np.arange(256) / 255) ** gamma * (white - black) + black
    lut = np.clip(ramp[:, None] * tint * 255, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(texture, lut), np.uint8)


def places_on(board: Board, table: dict[str, tuple[str, ...]]) -> tuple[Place, ...]:
    """Where something may lie: field kind -> kinds of piece, "pair" for triliths over two fields."""
    found = [
        Place(
            f.id,
            f.centre_mm,
            f.angle_deg,
            tuple(body_of(board.pieces[n]) for n in table[f.kind] if n in board.pieces)[:MOST_BODIES],
            f.radius_mm,
        )
        for f in board.fields.values()
        if f.kind in table
    ]
    if "pair" in table:
        found += [p for p in places_of(board, "ramming") if p.covers]
    return tuple(p for p in found if p.bodies)


@dataclass
class Truth:
    """What really is at a place: which body (index into the place's bodies) and colour; -1 for none.
    `number` is that of the piece that stands there, also of one that is not among the place's bodies."""

    body: int = -1
    colour: int = -1
    number: int = 0
    covered_by: int = 0


def lay(
    rng: np.random.Generator,
    board: Board,
    places: tuple[Place, ...],
    real: Mapping[str, Body],
    palette: Array,
    digits: list[NDArray[np.float32]],
    fill: float,
) -> tuple[list[Lying], list[Truth], list[Place]]:
    """Pieces on a share `fill` of the places, as careless players put them; what lies on each of these, and
    on the capstones, which are the last. real: the set's bodies; palette: (P, 3) its colours, BGR 0..1;
    digits: masks of ink (S, S)."""
    truth = [Truth() for _ in places]
    pieces: list[Lying] = []
    gloss = rng.uniform(0, 1)
    grooves = random_grooves(rng)
    taken: dict[str, int] = {}
    tops: list[Place] = []
    top_truth: list[Truth] = []
    for index in rng.permutation(len(places)):
        place = places[index]
        if len(pieces) > 240 or any(c in taken for c in (place.covers or (place.id,))):
            continue
        chance = fill * (0.35 if place.covers else 1)
        if rng.random() > chance:
            continue
        which = int(rng.integers(len(place.bodies)))
        body = place.bodies[which]
        colour = int(rng.integers(len(palette)))
        number = len(pieces) + 1
        slack = place.radius_mm * 0.33 * (rng.random() if rng.random() < 0.6 else 1.3 * rng.random())
        turn = rng.uniform(0, 2 * np.pi)
        at = (place.at_mm[0] + slack * np.cos(turn), place.at_mm[1] + slack * np.sin(turn))
        if body.kind == "trilith":
            at = (place.at_mm[0] + rng.normal(0, 1.5), place.at_mm[1] + rng.normal(0, 1.5))
            angle, bgr = (
                place.angle_deg + rng.normal(0, 4),
                np.array([0.5, 0.52, 0.52]) * rng.uniform(0.7, 1.25),
            )
            colour = -1
        else:
            angle = place.angle_deg + (rng.normal(0, 8) if rng.random() < 0.7 else rng.uniform(0, 180))
            bgr = np.clip(palette[colour] + rng.normal(0, 0.012, 3), 0.01, 0.98)
        lying = Lying(real[body.kind], at, angle, bgr, number, gloss=gloss)
        if body.shape == "cylinder" and rng.random() < 0.95:
            lying.grooves = grooves
        if body.kind == "druid" and digits and rng.random() < 0.9:
            lying.decal = digits[rng.integers(len(digits))]
            lying.angle_deg = rng.uniform(0, 360)
            ground = bgr
            if rng.random() < 0.45:
                ground = lying.sticker_bgr = random_paper(rng)
            lying.decal_bgr = np.clip(ground + np.sign(0.5 - ground.mean()) * rng.uniform(0.35, 0.8), 0, 1)
        pieces.append(lying)
        truth[index] = Truth(which, colour, number)
        for covered in place.covers or (place.id,):
            taken[covered] = number
        if body.kind == "trilith":
            top, on = _top(rng, board, real, place, at, angle, palette, pieces, gloss)
            tops.append(top)
            top_truth.append(on)
    for index, place in enumerate(places):
        owner = next((taken[c] for c in (place.covers or (place.id,)) if c in taken), 0)
        if truth[index].number == 0:
            truth[index].covered_by = owner
    return pieces, truth + top_truth, tops


def colour_as_print(
    rng: np.random.Generator,
    pieces: list[Lying],
    truth: list[Truth],
    printed: Image,
    px_per_mm: float,
    share: float,
) -> None:
    """Give such a share of the pieces the colour of the print around them: what is hardest to see."""
    by_number = {piece.number: piece for piece in pieces}
    for what in truth:
        if what.number and rng.random() < share:
            piece = by_number[what.number]
            piece.bgr = like_print(rng, printed, px_per_mm, piece.at_mm)
            what.colour = OF_PRINT


def like_print(
    rng: np.random.Generator, printed: Image, px_per_mm: float, at_mm: tuple[float, float]
) -> Array:
    """(3,) about the colour of the print around there, BGR 0..1."""
    x, y = (np.array(at_mm) * px_per_mm).astype(int)
    around = printed[max(0, y - 12) : y + 12, max(0, x - 12) : x + 12].reshape(-1, 3)
    lighter = rng.normal(0, LIGHTER) + rng.normal(0, LIGHTER / 4, 3)
    return np.asarray(np.clip(np.median(around, axis=0) / 255 + lighter, 0.01, 0.98))


def random_grooves(rng: np.random.Generator) -> tuple[float, ...]:
    """Half of all makers turn rings into their discs, the same into each."""
    return tuple(rng.uniform(0.4, 0.9, rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2])))


def from_close(places: tuple[Place, ...], truth: list[Truth]) -> tuple[list[Place], list[Truth]]:
    """Places for triliths and small pieces once more, in a crop of the small pieces' size: there a trilith
    is nothing that is looked for."""
    close, what = [], []
    for place, found in zip(places, truth, strict=True):
        small = tuple(body for body in place.bodies if body.shape != "trilith")
        if not small or len(small) == len(place.bodies):
            continue
        close.append(replace(place, bodies=small))
        if found.body >= 0 and place.bodies[found.body].shape != "trilith":
            what.append(replace(found, body=small.index(place.bodies[found.body])))
        else:
            what.append(replace(found, body=-1, colour=-1))
    return close, what


def random_paper(rng: np.random.Generator) -> Array:
    """A sticker's own colour: cream and white, or dark."""
    light = rng.uniform(0.75, 0.97) if rng.random() < 0.65 else rng.uniform(0.05, 0.3)
    return np.asarray(np.clip(light + rng.normal(0, 0.04, 3), 0.01, 0.98))


def _top(
    rng: np.random.Generator,
    board: Board,
    real: Mapping[str, Body],
    under: Place,
    at: tuple[float, float],
    angle: float,
    palette: Array,
    pieces: list[Lying],
    gloss: float,
) -> tuple[Place, Truth]:
    place = top_place(board, under, TOPS[int(rng.integers(len(TOPS)))])
    if rng.random() < 0.45:
        return place, Truth()
    which, colour = int(rng.integers(len(place.bodies))), int(rng.integers(len(palette)))
    spot = (at[0] + rng.normal(0, 1.5), at[1] + rng.normal(0, 1.5))
    number = len(pieces) + 1
    body = real[place.bodies[which].kind]
    pieces.append(Lying(body, spot, angle, palette[colour], number, real["trilith"].top_mm, gloss))
    return place, Truth(which, colour, number)


def found_view(rng: np.random.Generator, board: Board, view: View) -> View:
    """The view as a reader finds it: from tags with noise, mostly with print to refine the lens."""
    width, height = board.size_mm
    if rng.random() < 0.35:
        corners = [m.corners_mm for m in board.markers] or [board.corners_mm]
        points = np.array(corners).reshape(-1, 2)
    else:
        x, y = np.meshgrid(np.linspace(0.04, 0.96, 6) * width, np.linspace(0.04, 0.96, 6) * height)
        points = np.column_stack([x.ravel(), y.ravel()])
    noise = rng.uniform(0.1, 0.8)
    seen = view.project(points) + rng.normal(0, noise, (len(points), 2))
    return fit_view(
        points, seen, view.size_px, noise_px=noise, with_distortion=len(points) > 16 or rng.random() < 0.5
    )[0]


def known_surface(
    rng: np.random.Generator,
    texture: Image,
    printed: Image,
    board: Board,
    view: View,
    lighting: object,
    table_bgr: Array,
) -> Surface:
    """What the reader knows of the empty board: the artwork, or a photograph of the empty board taken
    from somewhere else, or from here under another light."""
    if rng.random() < 0.65:
        return Surface.of_image(texture, board.size_mm)
    other = view if rng.random() < 0.5 else random_view(rng, board.size_mm, view.size_px)
    light = random_lighting(rng)
    light.glare = []
    linear, _ = compose(rng, printed, board.size_mm, other, [], light, table_bgr)
    photo = through_camera(rng, linear)
    return Surface.of_photo(photo, other, board.size_mm)


def choose(rng: np.random.Generator, truth: list[Truth], most: int) -> NDArray[np.int64]:
    """Some places of the picture, half of them occupied if there are so many."""
    full = [i for i, t in enumerate(truth) if t.number]
    bare = [i for i, t in enumerate(truth) if not t.number]
    full = list(rng.permutation(full)[: most // 2 + 4])
    bare = list(rng.permutation(bare)[: most - len(full)])
    return np.array(sorted(full + bare), np.int64)


def labels_of(
    view: View,
    places: tuple[Place, ...] | list[Place],
    truth: list[Truth],
    numbers: Image,
    chosen: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Labels and colours of a `Sample`, of the chosen places. numbers: the picture's visibility buffer."""
    labels, colours = [], []
    for index in chosen:
        place, what = places[index], truth[index]
        seen = _visible_share(view, place, what.number, numbers)
        if what.covered_by or seen < 0.25:
            labels.append(HIDDEN)
            colours.append(-1)
        else:
            labels.append(1 + place.slots[what.body] if what.body >= 0 else EMPTY)
            colours.append(what.colour)
    return np.array(labels), np.array(colours)


def _visible_share(view: View, place: Place, number: int, numbers: Image) -> float:
    """How much of the ground and of the lowest body that may stand here is not behind something else."""
    body = min(place.bodies, key=lambda b: b.top_mm)
    under = _under_number(view, place, numbers) if place.under else 0
    hulls = [hull for hull, _ in body.outlines(view, place.at_mm, place.angle_deg, place.ground_mm)]
    points = np.concatenate(hulls)
    x0, y0 = np.floor(points.min(axis=0)).astype(int)
    x1, y1 = np.ceil(points.max(axis=0)).astype(int) + 1
    area = np.zeros((max(1, y1 - y0), max(1, x1 - x0)), np.uint8)
    for hull in hulls:
        cv2.fillConvexPoly(area, np.round((hull - [x0, y0]) * 16).astype(np.int32), 1, shift=4)
    rows, columns = np.nonzero(area)
    rows, columns = rows + y0, columns + x0
    inside = (rows >= 0) & (columns >= 0) & (rows < numbers.shape[0]) & (columns < numbers.shape[1])
    if not inside.any():
        return 0.0
    ids = numbers[rows[inside], columns[inside]]
    clear = (ids == 0) | (ids == number) | ((ids == under) & (under > 0))
    return (
        float(clear.sum()) / max(1, len(rows))
        if number == 0
        else max(
            float(clear.sum()) / max(1, len(rows)),
            float((numbers == number).any()) * float((ids == number).mean()) * 1.5,
        )
    )


def _under_number(view: View, place: Place, numbers: Image) -> int:
    """The number of the trilith whose capstone this is: what is seen most along its top."""
    assert place.under is not None
    top = place.under.outlines(view, place.at_mm, place.angle_deg)[-1][1]
    ends = np.round(
        [
            (top[0] + top[3]) / 2 * 0.8 + (top[1] + top[2]) / 2 * 0.2,
            (top[0] + top[3]) / 2 * 0.2 + (top[1] + top[2]) / 2 * 0.8,
        ]
    ).astype(int)
    ids = [int(numbers[y, x]) for x, y in ends if 0 <= y < numbers.shape[0] and 0 <= x < numbers.shape[1]]
    good = [i for i in ids if 0 < i < HAND]
    return good[0] if good else 0


def digit_decals(rng: np.random.Generator, count: int = 120) -> list[NDArray[np.float32]]:
    """Ink masks (64, 64) of the digits 1-6 in OpenCV's stroke fonts, for stones in the pictures."""
    fonts = [
        cv2.FONT_HERSHEY_SIMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
        cv2.FONT_HERSHEY_TRIPLEX,
    ]
    decals = []
    for _ in range(count):
        image = np.zeros((64, 64), np.uint8)
        scale, thick = rng.uniform(1.0, 1.9), int(rng.integers(2, 7))
        font, text = int(rng.choice(fonts)), str(rng.integers(1, 7))
        (w, h), _ = cv2.getTextSize(text, font, scale, thick)
        cv2.putText(image, text, (32 - w // 2, 32 + h // 2), font, scale, 255, thick, cv2.LINE_AA)
        decals.append(image.astype(np.float32) / 255)
    return decals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-shard", type=int, default=100)
    options = parser.parse_args()

    def store(rng: np.random.Generator, path: Path) -> int:
        digits = digit_decals(rng)
        samples = [s for s in (one_picture(rng, digits) for _ in range(options.per_shard)) if s is not None]
        write(path, samples)
        return sum(len(each.labels) for each in samples)

    shards = -(-options.scenes // options.per_shard)
    compose_shards(options.out, shards, f"{options.seed:04d}", (options.seed,), store)


def write(path: Path, samples: list[Sample]) -> None:
    """All crops, as they are `stored`, in one file."""
    np.savez(
        path,
        crops=stored(np.concatenate([s.crops for s in samples])),
        labels=np.concatenate([s.labels for s in samples]).astype(np.int8),
        colours=np.concatenate([s.colours for s in samples]).astype(np.int8),
        palettes=np.stack([s.palette for s in samples]),
        palette_sizes=np.array([s.palette_size for s in samples]),
        picture=np.concatenate([np.full(len(s.labels), i) for i, s in enumerate(samples)]).astype(np.int32),
    )


def stored(crops: NDArray[np.float32]) -> NDArray[np.uint8]:
    """(N, CHANNELS - 3, CROP_PX, CROP_PX) crops as bytes, without the difference channels."""
    return np.clip(np.round(np.delete(crops, slice(6, 9), axis=1) * STORED), 0, 255).astype(np.uint8)


def opened(kept: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(N, CHANNELS, CROP_PX, CROP_PX) the crops that were `stored`, as the networks look at them."""
    values = kept.astype(np.float32) / STORED
    return np.concatenate([values[:, :6], values[:, :3] - values[:, 3:6], values[:, 6:]], axis=1)


if __name__ == "__main__":
    main()
