"""Series from a camera that stands still before a table that is not ours: pieces come, go and are moved, an
arm reaches in, the light becomes another one, the camera is knocked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.position import Piece
from sample_images.generator.conditions import LIGHTS
from sample_images.generator.editions import EDITIONS, Edition
from sample_images.generator.positions import random_position
from sample_images.generator.scene import Placement, Scene

FIRST_SEED, EVENINGS_APART = 990_000, 1000
# From how high the camera looks on other evenings than an edition's own.
ELEVATIONS_DEG = (40, 75)
STEPS = 11
# Before these steps an arm is photographed; from these on the light is another one, the camera knocked.
ARMS, OTHER_LIGHT, KNOCKED = (1, 4, 6, 9), 5, 8
# How much of what the game has lies there at the start; how often a piece comes, how often one is moved.
AT_FIRST, COMES, MOVES = 0.5, 0.55, 0.3
# How often something is built, or cleared away, in a yard instead.
IN_A_YARD = 0.2
BUILT = ("card", "pillar", "capstone", "disc")
# What is moved from field to field; the rest stays.
MOVED = ("disc", "block", "figure", "druid", "megalith")


def series(name: str, board: Board, board_file: Path, evening: int = 0) -> tuple[Scene, list[dict[str, Any]]]:
    """The scene of one edition's table and its positions as `shoot_sequence` takes them: the empty board,
    the start, and what happens then. evening: 0 is the edition's own; on another one the light and the place
    of the camera are others, too."""
    chance = random.Random(f"series {name} {evening}" if evening else f"series {name}")
    edition = _another_evening(EDITIONS[name], chance) if evening else EDITIONS[name]
    seed = FIRST_SEED + EVENINGS_APART * evening + sorted(EDITIONS).index(name)
    scene = Scene(
        str(board_file), edition.game, (), seed, name, edition.pieces, edition.camera, edition.light,
        edition.table, Placement(0.2, 9), edition.sensor, tags=("plain", name),
    )  # fmt: skip
    steps: list[dict[str, Any]] = [{"pieces": []}]
    for number, pieces in enumerate(_played(edition.game, board, seed, chance)):
        step: dict[str, Any] = {"pieces": [piece.to_json() for piece in pieces]}
        step["hand"] = number - 1 in ARMS
        if number - 1 == OTHER_LIGHT:
            light = LIGHTS["overcast" if edition.light.kind == "lamp" else "lamp"](chance)
            step |= {"light": asdict(light), "tags": ["light"]}
        if number - 1 == KNOCKED:
            camera = edition.camera
            knocked = {"azimuth_deg": camera.azimuth_deg + 2.5, "roll_deg": camera.roll_deg + 1.0}
            step |= {"camera": knocked, "tags": ["bump"]}
        steps.append(step)
    return scene, steps


def _another_evening(edition: Edition, chance: random.Random) -> Edition:
    camera = replace(
        edition.camera,
        azimuth_deg=chance.choice((0, 90, 180, 270)) + chance.gauss(0, 12),
        elevation_deg=chance.uniform(*ELEVATIONS_DEG),
    )
    light = LIGHTS[chance.choice(tuple(LIGHTS))](chance)
    return replace(edition, camera=camera, light=light)


def _played(game: str, board: Board, seed: int, chance: random.Random) -> Iterator[list[Piece]]:
    """What lies there at the start, and after each step."""
    every = list(random_position(game, "full", seed, board))
    chance.shuffle(every)
    on = Counter(piece.place for piece in every)
    loose = [
        piece
        for piece in every
        if piece.kind in MOVED and piece.field and on[piece.place] == 1 and not piece.on
    ]
    yards = [_Yard(each.id, every, chance) for each in board.fields_of_kind("yard")]
    yards = [yard for yard in yards if yard.pieces]
    kept = {piece.field for yard in yards for piece in yard.pieces}
    fixed = [piece for piece in every if piece not in loose and piece.field not in kept]
    loose = [piece for piece in loose if piece.field not in kept]
    count = round(AT_FIRST * len(loose))
    lying, pool = loose[:count], loose[count:]

    def lies() -> list[Piece]:
        return [*fixed, *lying, *(piece for yard in yards for piece in yard.shown())]

    yield lies()
    for _ in range(STEPS):
        for _ in range(chance.choice((1, 1, 2))):
            if yards and chance.random() < IN_A_YARD:
                chance.choice(yards).change()
            else:
                _change(board, fixed, lying, pool, chance)
        yield lies()


class _Yard:
    """What is built in a yard: piece by piece, until all of it is cleared away."""

    def __init__(self, field: str, every: Iterable[Piece], chance: random.Random) -> None:
        here = [piece for piece in every if piece.field == field]
        self.pieces = sorted(here, key=lambda piece: BUILT.index(piece.kind))
        self._built = chance.randint(0, len(self.pieces))

    def shown(self) -> list[Piece]:
        return self.pieces[: self._built]

    def change(self) -> None:
        self._built = (self._built + 1) % (len(self.pieces) + 1)


def _change(
    board: Board, fixed: list[Piece], lying: list[Piece], pool: list[Piece], chance: random.Random
) -> None:
    """One piece comes, is moved, or goes."""
    used = {name for piece in (*fixed, *lying) for name in (piece.field, *(piece.fields or ()))}
    drawn = chance.random()
    if drawn < COMES and pool:
        piece = pool.pop()
        if piece.field not in used:
            lying.append(piece)
        return
    piece = chance.choice(lying)
    kind = board.fields[piece.field or ""].kind
    free = [each.id for each in board.fields_of_kind(kind) if each.id not in used]
    lying.remove(piece)
    if drawn < COMES + MOVES and free:
        lying.append(replace(piece, field=chance.choice(free)))
