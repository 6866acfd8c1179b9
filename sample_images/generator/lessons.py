"""Photographs to learn from: tables with sets of pieces and prints that exist nowhere else.

What the eyes are judged on is kept apart: no set of `SETS` or `STRANGERS` is used here, nor the style
"parchment".
"""

from __future__ import annotations

import random
from collections.abc import Iterator
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


def lessons(table: int) -> list[Scene]:
    """The scenes of one table, drawn from its number: one light, print and set; cameras, positions, troubles
    and games of their own."""
    chance = random.Random(f"lessons {table}")
    style = chance.choice(STYLES)
    if chance.random() < RECOLOURED:
        style += f"~{table}"
    light = chance.choice(tuple(LIGHTS))
    game = chance.choice(GAMES_DRAWN)
    here = [other for other in GAMES_DRAWN if BOARD_OF.get(other) == BOARD_OF.get(game)]
    scenes: list[Scene] = []
    for picture in range(PICTURES):
        stage = chance.choice(("opening", "middle", "middle", "full", "full"))
        troubles = (chance.choice(tuple(TROUBLES)),) if chance.random() < TROUBLED else ()
        view = chance.choice(tuple(VIEWS))
        wish = Wish(game, stage, style, f"any-{table}", light, view, troubles)
        scene = make_scene(wish, 1000 * table + picture)
        if scenes:
            scene = replace(scene, light=scenes[0].light, table=scenes[0].table)
        scenes.append(_smaller(scene))
        game = chance.choice(here)
    return scenes


def heap_lessons(table: int) -> list[Scene]:
    """The scenes of one table that is full of heaps of blocks, from two sides."""
    chance = random.Random(f"heaps {table}")
    style = chance.choice(STYLES) + (f"~{table}" if chance.random() < RECOLOURED else "")
    light = chance.choice(tuple(LIGHTS))
    scenes: list[Scene] = []
    for picture in range(2):
        view = chance.choice(("ordinary", "steep", "steep", "above", "portrait", "far"))
        wish = Wish("council", "empty", style, f"any-{table}", light, view)
        scene = replace(make_scene(wish, 1000 * table + picture), pieces=tuple(_heaps(chance)))
        if scenes:
            scene = replace(scene, light=scenes[0].light, table=scenes[0].table)
        scenes.append(scene)
    return scenes


def _heaps(chance: random.Random) -> Iterator[Piece]:
    for x in range(HEAPS_APART, 500 - HEAPS_APART // 2, HEAPS_APART):
        for y in range(HEAPS_APART, 500 - HEAPS_APART // 2, HEAPS_APART):
            at = [value + chance.uniform(-HEAPS_OFF, HEAPS_OFF) for value in (x, y)]
            count, colour = chance.randint(1, MOST_BLOCKS), chance.choice(PLAYER_COLOURS)
            turn = chance.uniform(0, 360)
            yield Piece("block", colour, count=count, x_mm=at[0], y_mm=at[1], angle_deg=turn)


def ball_lessons(table: int) -> list[Scene]:
    """The scenes of one table for `roulette`, stone figures all around its ring, from several sides."""
    chance = random.Random(f"balls {table}")
    style = chance.choice(STYLES) + (f"~{table}" if chance.random() < RECOLOURED else "")
    light = chance.choice(tuple(LIGHTS))
    scenes: list[Scene] = []
    for picture in range(PICTURES):
        stage = chance.choice(("opening", "middle", "full"))
        troubles = (chance.choice(tuple(TROUBLES)),) if chance.random() < TROUBLED else ()
        view = chance.choice(tuple(VIEWS))
        wish = Wish("roulette", stage, style, f"any-{table}", light, view, troubles)
        scene = make_scene(wish, 1000 * table + picture)
        discs = tuple(piece for piece in scene.pieces if piece.kind != "figure")
        scene = replace(scene, pieces=(*discs, *_balls(chance)), piece_set=f"odd-{table}")
        if scenes:
            scene = replace(scene, light=scenes[0].light, table=scenes[0].table)
        scenes.append(_smaller(scene, chance.choice(BALLS_PX)))
    return scenes


def _balls(chance: random.Random) -> Iterator[Piece]:
    ring = chance.randint(1, 2)
    while ring < 30:
        facing = None if chance.random() < FACELESS else chance.choice(("clockwise", "anticlockwise"))
        yield Piece("figure", "grey", field=f"ring-{ring}", facing=facing)
        ring += chance.randint(*BALLS_APART)


def stack_lessons(table: int) -> list[Scene]:
    """The scenes of one table for `roulette`, many of its discs on one another, from several sides."""
    chance = random.Random(f"stacks {table}")
    style = chance.choice(STYLES) + (f"~{table}" if chance.random() < RECOLOURED else "")
    light = chance.choice(tuple(LIGHTS))
    scenes: list[Scene] = []
    for picture in range(PICTURES):
        stage = chance.choice(("opening", "middle", "full"))
        troubles = (chance.choice(tuple(TROUBLES)),) if chance.random() < TROUBLED else ()
        view = chance.choice(tuple(VIEWS))
        wish = Wish("roulette", stage, style, f"any-{table}", light, view, troubles)
        scene = make_scene(wish, 1000 * table + picture)
        scene = replace(scene, pieces=tuple(_stacked(chance, scene.pieces)))
        if scenes:
            scene = replace(scene, light=scenes[0].light, table=scenes[0].table)
        scenes.append(_smaller(scene, chance.choice(BALLS_PX)))
    return scenes


def _stacked(chance: random.Random, pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces, and on each disc alone in its pit none, one or two more."""
    colours = sorted({piece.colour for piece in pieces if piece.kind == "disc" and piece.colour})
    fields = [piece.field for piece in pieces]
    for piece in pieces:
        yield piece
        if piece.kind == "disc" and fields.count(piece.field) == 1:
            for _ in range(chance.choices((0, 1, 2), STACKED)[0]):
                yield Piece("disc", chance.choice(colours), field=piece.field)


def _smaller(scene: Scene, most_px: int = MOST_PX) -> Scene:
    camera = scene.camera
    factor = min(1.0, most_px / max(camera.width_px, camera.height_px))
    size = (round(camera.width_px * factor), round(camera.height_px * factor))
    return replace(scene, camera=replace(camera, width_px=size[0], height_px=size[1], exif_orientation=1))


LESSONS = {"games": lessons, "heaps": heap_lessons, "balls": ball_lessons, "stacks": stack_lessons}
