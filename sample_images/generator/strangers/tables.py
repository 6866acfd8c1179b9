"""Tables to learn from, drawn from a number each: a board, a maker's pieces on it, a camera, a room."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.own_boards import random_own_board
from calibration.prints import any_print
from engine.board import Board, load_board
from engine.position import Piece
from sample_images.generator.camera import place_camera
from sample_images.generator.conditions import Wish, make_scene
from sample_images.generator.label import label, solids
from sample_images.generator.lessons import ASKEW_MM, stacked, stone_figures
from sample_images.generator.placing import Body, Placed, keyed, place_pieces
from sample_images.generator.positions import board_of
from sample_images.generator.scene import Camera, Scene
from sample_images.generator.sets import PieceSet, piece_set
from sample_images.generator.strangers.faces import looking
from sample_images.generator.strangers.pieces import PAINTS, Maker, Surface, sized_for, where_it_lies
from sample_images.generator.strangers.solids import Solid
from sample_images.generator.strangers.tracing import photograph

# Of five tables three have boards that are not ours.
FIVE, OWN = 5, 3
GAMES = ("build", "build", "build", "ramming", "ramming", "rolling", "council", "roulette", "stonehenge")
VIEWS = ("ordinary", "ordinary", "steep", "above", "low", "far", "wide")
NEAR = tuple(view for view in VIEWS if view != "far")
STYLES, RECOLOURED, PX_PER_MM = ("chalk", "night"), 0.8, 4.0
SIZES = ((960, 720), (960, 720), (1280, 720), (800, 600), (720, 960))
OURS_PX, POOR = (1200, 900), 0.3
# A piece lies up to so much of a field's radius beside its middle.
ASIDE = 0.3
# The longer sides of photographs of rings full of figures and pits full of discs.
FILLED, FULL_PX = "roulette", (900, 1200, 1200, 1600)


@dataclass(frozen=True)
class Lesson:
    """A photograph (uint8 BGR), its label, and of a board that is not ours the board file and its print."""

    photo: NDArray[np.uint8]
    label: dict[str, Any]
    board: dict[str, Any] | None = None
    print_bgr: NDArray[np.uint8] | None = None


def lesson(
    table: int, environments: list[Path], rays: int, game: str | None = None, *, full: bool = False
) -> Lesson:
    """The photograph of a table; `game`: what is played there, on our board; full: `roulette`, stone
    figures all around the ring, each of another make, and discs on one another. Raises ValueError where its
    pieces find no room on the board, or where it cannot be photographed (see `tracing.photograph`)."""
    game = FILLED if full else game
    chance, rng = random.Random(f"strangers {table}"), np.random.default_rng([table, 77])
    own = game is None and table % FIVE < OWN
    scene, board, pieces, drawn = _own(table, chance, rng) if own else _ours(table, chance, game, near=full)
    if full:
        scene = _filled(chance, scene)
    view = place_camera(scene.camera, board.size_mm)
    placed = _placed(scene, board, pieces, own=own)
    maker = Maker(rng, pieces, stone_figures=not own)
    bodies = [
        (key, *made)
        for key, lies in placed.items()
        for body in lies.bodies
        if body.kind != "card"
        for made in (
            _of_any_make(rng, pieces, body, faced=lies.piece.facing is not None)
            if full and body.kind == "figure"
            else maker.made(body, lies.piece.value)
        )
    ]
    taken = photograph(
        drawn, board.size_mm, view, bodies, environments, chance, rng, rays=rays, poor=chance.random() < POOR
    )
    said = label(scene, board, pieces, view, placed, taken.cast(view), None, "")
    said |= {"piece_set": f"strangers-{table}", "tags": [taken.light, maker.finish]}
    if own:
        return Lesson(taken.photo, said | {"game": None, "style": None}, board.to_json(), drawn)
    return Lesson(taken.photo, said | {"solids": solids(placed, pieces)})


def _own(
    table: int, chance: random.Random, rng: Generator
) -> tuple[Scene, Board, PieceSet, NDArray[np.uint8]]:
    """A board of a player's own making, with discs, figures and blocks in up to six colours."""
    board, drawn = random_own_board(rng)
    colours = tuple(chance.sample(list(PAINTS), chance.choice([2, 3, 4, 5, 6])))
    board = replace(
        board,
        pieces={name: replace(piece, colours=colours) for name, piece in board.pieces.items()},
        palette={name: PAINTS[name] for name in colours},
    )
    often = {name: chance.uniform(0.3, 1) for name in board.pieces}
    filled = chance.uniform(0.2, 0.9)
    laid = tuple(
        Piece(
            kind=chance.choices(list(often), list(often.values()))[0],
            colour=chance.choice(colours), field=field.id,
        )
        for field in board.fields.values()
        if chance.random() < filled
    )  # fmt: skip
    scene = Scene(board.id, "own", laid, table, camera=_camera(chance))
    return scene, board, sized_for(board, piece_set(f"any-{40000 + table}"), rng), drawn


def _ours(
    table: int, chance: random.Random, game: str | None, *, near: bool
) -> tuple[Scene, Board, PieceSet, NDArray[np.uint8]]:
    """One of our boards, mostly in other colours, a game going on; any if none is given. near: seen from not
    so far away, mostly in its own colours."""
    drawn, style = chance.choice(GAMES), chance.choice(STYLES)
    game = game or drawn
    board, stage = load_board(board_of(game)), chance.choice(("opening", "middle", "full", "full"))
    wish = Wish(game, stage, style, f"any-{41000 + table}", None, chance.choice(NEAR if near else VIEWS))
    if chance.random() < (1 - RECOLOURED if near else RECOLOURED):
        wish = replace(wish, style=f"{style}~{table}")
    scene = make_scene(wish, 910000 + table, board)
    wide = scene.camera.width_px >= scene.camera.height_px
    width, height = OURS_PX if wide else OURS_PX[::-1]
    scene = replace(scene, camera=replace(scene.camera, width_px=width, height_px=height))
    return scene, board, piece_set(wish.piece_set), any_print(board, wish.style, PX_PER_MM)


def _filled(chance: random.Random, scene: Scene) -> Scene:
    """The scene with other figures than it has, and with more discs."""
    discs = stacked(chance, tuple(piece for piece in scene.pieces if piece.kind != "figure"))
    camera, longer = scene.camera, chance.choice(FULL_PX)
    share = longer / max(camera.width_px, camera.height_px)
    width, height = (round(side * share) for side in (camera.width_px, camera.height_px))
    camera = replace(camera, width_px=width, height_px=height)
    placement = replace(scene.placement, askew_mm=chance.uniform(*ASKEW_MM))
    pieces = (*discs, *stone_figures(chance))
    return replace(scene, pieces=pieces, camera=camera, placement=placement)


def _of_any_make(rng: Generator, pieces: PieceSet, body: Body, *, faced: bool) -> list[tuple[Solid, Surface]]:
    base, height = (
        float(side * rng.uniform(0.8, 1.2)) for side in (pieces.figure.base, pieces.figure.height)
    )
    size = replace(pieces.figure, base=base, height=height)
    return [(where_it_lies(solid, body), surface) for solid, surface in looking(rng, size, faced=faced)]


def _camera(chance: random.Random) -> Camera:
    """From any side, a quarter of them from low."""
    width, height = chance.choice(SIZES)
    return Camera(
        elevation_deg=chance.uniform(25, 40) if chance.random() < 0.25 else chance.uniform(38, 86),
        azimuth_deg=chance.uniform(0, 360),
        roll_deg=chance.gauss(0, 2),
        fill=chance.uniform(0.55, 0.95),
        aim=(chance.uniform(-0.02, 0.02), chance.uniform(-0.02, 0.02)),
        field_of_view_deg=chance.uniform(45, 80),
        k1=chance.uniform(-0.15, 0.03),
        k2=chance.uniform(0, 0.012),
        width_px=width,
        height_px=height,
    )


def _placed(scene: Scene, board: Board, pieces: PieceSet, *, own: bool) -> Mapping[str, Placed]:
    """On a board of one's own each piece lies a little beside the middle of its field, turned any way."""
    if not own:
        return place_pieces(scene.pieces, board, pieces, scene.placement, scene.seed)
    chance, placed = random.Random(f"laid {scene.seed}"), {}
    for key, piece in keyed(scene.pieces).items():
        field = board.fields[piece.field or ""]
        aside = np.array(_anywhere(chance)) * ASIDE * field.radius_mm
        x, y = (float(v) for v in np.array(field.centre_mm) + aside)
        body = Body(piece.kind, piece.colour or "", x, y, chance.uniform(0, 360), 0.0, "standing", key)
        placed[key] = Placed(replace(piece, x_mm=round(x, 2), y_mm=round(y, 2)), (body,))
    return placed


def _anywhere(chance: random.Random) -> tuple[float, float]:
    """A point of the circle of radius 1."""
    angle, reach = chance.uniform(0, 2 * np.pi), chance.uniform(0, 1)
    return reach * float(np.cos(angle)), reach * float(np.sin(angle))
