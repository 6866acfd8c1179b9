"""Photographs to learn from: tables with sets of pieces and prints that exist nowhere else.

What the eyes are judged on is kept apart: no set of `SETS` or `STRANGERS` is used here, nor the style
"parchment".
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.cards import PLAYER_COLOURS
from engine.position import Piece
from sample_images.generator.conditions import LIGHTS, TROUBLES, VIEWS, Wish, make_scene
from sample_images.generator.positions import BOARD_OF, GAMES
from sample_images.generator.scene import Scene

STYLES = ("chalk", "night")
# A table takes long to build: several positions are photographed on it, each from somewhere else.
PICTURES = 4
RECOLOURED, TROUBLED = 0.5, 0.35
# Smaller pictures than most cameras take: a crop for the network is 48 pixels wide in any case.
MOST_PX = 900
# A game of `rolling` shows the place network five triliths, others dozens of pieces.
GAMES_DRAWN = tuple(game for game in GAMES for _ in range(1 if game == "rolling" else 3))
# Heaps of one to ten blocks, so far apart that none hides the next (mm), a little off a grid.
HEAPS_APART, HEAPS_OFF, MOST_BLOCKS = 58, 6, 10
# Stone figures on every second or third field of the ring, so many of them without a face; the photographs'
# longer sides are one of these.
BALLS_APART, FACELESS, BALLS_PX = (2, 3), 0.1, (640, 900, 900, 1280)
# How often none, one or two discs more lie on one in a pit.
STACKED = (0.7, 0.24, 0.06)
# How far they are off the lowest one at most, from picture to picture (mm, see `Placement`).
ASKEW_MM = (0.4, 3.5)
# Where pieces stand close together, and how often a figure stands there instead of a disc.
CROWDED, FIGURES_ON, FIGURES = ("build", "build", "council"), ("bluestone-", "ring-"), 0.3
# Where triliths stand wherever they may: of so many number fields each reaches over two, one field apart from
# the next; and how often something lies on one.
TOPPED, NUMBERS, PAIRS_APART, ON_TOP = ("build", "ramming"), 30, 3, 0.6


def lessons(table: int) -> list[Scene]:
    """The scenes of one table, drawn from its number: one light, print and set; cameras, positions, troubles
    and games of their own."""
    return _scenes("lessons", table, _of_any_games, lambda _, scene: _smaller(scene))


def heap_lessons(table: int) -> list[Scene]:
    """The scenes of one table that is full of heaps of blocks, from two sides."""

    def laid(chance: random.Random, scene: Scene) -> Scene:
        return replace(scene, pieces=tuple(_heaps(chance)))

    return _scenes("heaps", table, _of_a_bare_board, laid)


def ball_lessons(table: int) -> list[Scene]:
    """The scenes of one table for `roulette`, stone figures all around its ring, from several sides."""

    def laid(chance: random.Random, scene: Scene) -> Scene:
        discs = tuple(piece for piece in scene.pieces if piece.kind != "figure")
        scene = replace(scene, pieces=(*discs, *stone_figures(chance)), piece_set=f"odd-{table}")
        return _smaller(scene, chance.choice(BALLS_PX))

    return _scenes("balls", table, _of_roulette, laid)


def stack_lessons(table: int) -> list[Scene]:
    """The scenes of one table for `roulette`, many of its discs on one another, from several sides."""

    def laid(chance: random.Random, scene: Scene) -> Scene:
        placement = replace(scene.placement, askew_mm=chance.uniform(*ASKEW_MM))
        scene = replace(scene, pieces=tuple(stacked(chance, scene.pieces)), placement=placement)
        return _smaller(scene, chance.choice(BALLS_PX))

    return _scenes("stacks", table, _of_roulette, laid)


def course_lessons(table: int) -> list[Scene]:
    """The scenes of one table for `rolling`, its gates, banks and wheels anywhere, from several sides."""
    return _scenes("courses", table, _of_rolling, lambda _, scene: _smaller(scene))


def crowd_lessons(table: int) -> list[Scene]:
    """The scenes of one table of `build` or `council` with most of its pieces on the board, many figures
    among them, from several sides."""

    def laid(chance: random.Random, scene: Scene) -> Scene:
        return _smaller(replace(scene, pieces=tuple(_more_figures(chance, scene.pieces))))

    return _scenes("crowds", table, _of_crowds, laid)


def top_lessons(table: int) -> list[Scene]:
    """The scenes of one table of `build` or `ramming` with triliths wherever they may stand, something on
    more than half of them, from several sides."""

    def laid(chance: random.Random, scene: Scene) -> Scene:
        return _smaller(replace(scene, pieces=tuple(_topped(chance, scene))))

    return _scenes("tops", table, _of_triliths, laid)


def _scenes(
    name: str,
    table: int,
    wishes: Callable[[random.Random], Iterator[Wish]],
    laid: Callable[[random.Random, Scene], Scene],
) -> list[Scene]:
    """The scenes of one table, drawn from its name and number: one light, print and set. wishes: what else
    its pictures show, one by one; laid: a scene as it is learnt from."""
    chance = random.Random(f"{name} {table}")
    style = chance.choice(STYLES) + (f"~{table}" if chance.random() < RECOLOURED else "")
    light = chance.choice(tuple(LIGHTS))
    scenes: list[Scene] = []
    for picture, wish in enumerate(wishes(chance)):
        wish = replace(wish, style=style, piece_set=f"any-{table}", light=light)
        scene = laid(chance, make_scene(wish, 1000 * table + picture))
        if scenes:
            scene = replace(scene, light=scenes[0].light, table=scenes[0].table)
        scenes.append(scene)
    return scenes


def _of_any_games(chance: random.Random) -> Iterator[Wish]:
    """Several games of one board."""
    game = chance.choice(GAMES_DRAWN)
    here = [other for other in GAMES_DRAWN if BOARD_OF.get(other) == BOARD_OF.get(game)]
    for _ in range(PICTURES):
        yield _wish(chance, game, ("opening", "middle", "middle", "full", "full"))
        game = chance.choice(here)


def _of_roulette(chance: random.Random) -> Iterator[Wish]:
    for _ in range(PICTURES):
        yield _wish(chance, "roulette", ("opening", "middle", "full"))


def _of_rolling(chance: random.Random) -> Iterator[Wish]:
    for _ in range(PICTURES):
        yield _wish(chance, "rolling", ("opening", "middle", "full", "full"))


def _of_crowds(chance: random.Random) -> Iterator[Wish]:
    for _ in range(PICTURES):
        yield replace(_wish(chance, chance.choice(CROWDED), ("middle", "full")), troubles=())


def _of_triliths(chance: random.Random) -> Iterator[Wish]:
    for _ in range(PICTURES):
        yield _wish(chance, chance.choice(TOPPED), ("opening", "middle", "full"))


def _of_a_bare_board(chance: random.Random) -> Iterator[Wish]:
    for _ in range(2):
        view = chance.choice(("ordinary", "steep", "steep", "above", "portrait", "far"))
        yield Wish("council", "empty", view=view)


def _wish(chance: random.Random, game: str, stages: tuple[str, ...]) -> Wish:
    stage = chance.choice(stages)
    troubles = (chance.choice(tuple(TROUBLES)),) if chance.random() < TROUBLED else ()
    return Wish(game, stage, view=chance.choice(tuple(VIEWS)), troubles=troubles)


def _heaps(chance: random.Random) -> Iterator[Piece]:
    for x in range(HEAPS_APART, 500 - HEAPS_APART // 2, HEAPS_APART):
        for y in range(HEAPS_APART, 500 - HEAPS_APART // 2, HEAPS_APART):
            at = [value + chance.uniform(-HEAPS_OFF, HEAPS_OFF) for value in (x, y)]
            count, colour = chance.randint(1, MOST_BLOCKS), chance.choice(PLAYER_COLOURS)
            turn = chance.uniform(0, 360)
            yield Piece("block", colour, count=count, x_mm=at[0], y_mm=at[1], angle_deg=turn)


def stone_figures(chance: random.Random) -> Iterator[Piece]:
    """One on every second or third field of the ring, looking either way or with no front."""
    ring = chance.randint(1, 2)
    while ring < 30:
        facing = None if chance.random() < FACELESS else chance.choice(("clockwise", "anticlockwise"))
        yield Piece("figure", "grey", field=f"ring-{ring}", facing=facing)
        ring += chance.randint(*BALLS_APART)


def stacked(chance: random.Random, pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces, and on each disc alone in its pit none, one or two more."""
    colours = sorted({piece.colour for piece in pieces if piece.kind == "disc" and piece.colour})
    fields = [piece.field for piece in pieces]
    for piece in pieces:
        yield piece
        if piece.kind == "disc" and fields.count(piece.field) == 1:
            for _ in range(chance.choices((0, 1, 2), STACKED)[0]):
                yield Piece("disc", chance.choice(colours), field=piece.field)


def _more_figures(chance: random.Random, pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces, figures instead of some of the discs that lie alone where figures may stand."""
    fields = [piece.field for piece in pieces]
    for piece in pieces:
        alone = piece.kind == "disc" and fields.count(piece.field) == 1
        stands = alone and (piece.field or "").startswith(FIGURES_ON) and chance.random() < FIGURES
        yield replace(piece, kind="figure") if stands else piece


def _topped(chance: random.Random, scene: Scene) -> Iterator[Piece]:
    """What lies elsewhere, and triliths with what lies on them."""
    for piece in scene.pieces:
        if piece.kind != "trilith" and not piece.on and not (piece.field or "").startswith("trilith-"):
            yield piece
    if scene.game == "ramming":
        first, kind = chance.randrange(PAIRS_APART), "figure"
        numbers = range(first, NUMBERS, PAIRS_APART)
        gates = [{"fields": tuple(f"ring-{(n + i) % NUMBERS + 1}" for i in (0, 1))} for n in numbers]
    else:
        kind, gates = "disc", [{"field": f"trilith-{n}"} for n in range(1, 6)]
    for gate in gates:
        yield Piece("trilith", "grey", **gate)
        if chance.random() < ON_TOP:
            yield Piece(kind, chance.choice(PLAYER_COLOURS), on="trilith", **gate)


def _smaller(scene: Scene, most_px: int = MOST_PX) -> Scene:
    camera = scene.camera
    factor = min(1.0, most_px / max(camera.width_px, camera.height_px))
    size = (round(camera.width_px * factor), round(camera.height_px * factor))
    return replace(scene, camera=replace(camera, width_px=size[0], height_px=size[1], exif_orientation=1))


LESSONS = {
    "games": lessons,
    "heaps": heap_lessons,
    "balls": ball_lessons,
    "stacks": stack_lessons,
    "courses": course_lessons,
    "crowds": crowd_lessons,
    "tops": top_lessons,
}
