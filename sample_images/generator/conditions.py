"""Scenes from a seed: what light, from where, with which set, and what goes wrong.

`VIEWS` and `LIGHTS` are ordinary evenings; `TROUBLES` make a photograph hard. Each name becomes a tag.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.board import Board, load_board
from sample_images.generator.positions import board_of, random_position
from sample_images.generator.scene import Camera, Hand, Light, Placement, Scene, Sensor, Table
from sample_images.generator.sets import SETS

STYLES = ("chalk", "night", "parchment")
SURFACES = ("oak", "walnut", "pine", "cloth", "linen", "green", "white", "slate")
Trouble = Callable[[Scene, random.Random], Scene]


@dataclass(frozen=True)
class Wish:
    """What a scene must have; None: the seed decides. `troubles` are names of TROUBLES."""

    game: str
    stage: str = "middle"
    style: str | None = None
    piece_set: str | None = None
    light: str | None = None
    view: str | None = None
    troubles: tuple[str, ...] = ()
    environment: str | None = None
    surface: str | None = None


def make_scene(wish: Wish, seed: int, board: Board | None = None) -> Scene:
    """The scene for a wish; the same seed gives the same one. A scene without troubles is tagged "plain"
    (to be checked against the picture: all tags free, no field hidden), others "hard"."""
    chance = random.Random(f"scene {seed} {wish}")
    board = board or load_board(board_of(wish.game))
    view = wish.view or chance.choice(tuple(VIEWS))
    light = wish.light or ("hdr" if wish.environment else chance.choice(tuple(LIGHTS)))
    scene = Scene(
        board=board.id,
        game=wish.game,
        pieces=random_position(wish.game, wish.stage, seed, board),
        seed=seed,
        style=wish.style or chance.choice(STYLES),
        piece_set=wish.piece_set or chance.choice(tuple(SETS)),
        camera=VIEWS[view](chance),
        light=Light("hdr", chance.uniform(0, 360), environment=wish.environment)
        if light == "hdr"
        else LIGHTS[light](chance),
        table=Table(
            wish.surface or chance.choice(SURFACES),
            chance.random(),
            chance.randint(0, 4),
            chance.uniform(0, 0.35),
            folds=board.id == "anthology" and chance.random() < 0.6,
        ),
        placement=Placement(chance.uniform(0.05, 0.3), chance.uniform(3, 25)),
        sensor=_sensor(light, chance),
        tags=(wish.stage, light, view),
    )
    for name in wish.troubles:
        scene = replace(TROUBLES[name](scene, chance), tags=(*scene.tags, name))
    kind = "hard" if wish.troubles else "plain"
    return replace(scene, tags=tuple(dict.fromkeys((kind, *scene.tags))), hands=scene.hands)


def _sensor(light: str, chance: random.Random) -> Sensor:
    night = 0.25 if light in ("lamp", "several") else 0.08
    return Sensor(
        exposure_ev=chance.uniform(-0.25, 0.3),
        white_balance=chance.uniform(0.75, 1.0),
        tint=(chance.uniform(0.97, 1.03), 1.0, chance.uniform(0.97, 1.03)),
        noise=chance.uniform(0.04, 0.14) + night,
        blur_px=chance.uniform(0.4, 0.75),
        sharpening=chance.uniform(0.1, 0.6),
        contrast=chance.uniform(0.3, 0.8),
        jpeg_quality=chance.randint(82, 93),
    )


def _side(chance: random.Random) -> float:
    """Players and cameras sit at one of the four sides, not exactly square to it."""
    return (chance.choice((0, 0, 90, 180, 270)) + chance.gauss(0, 16)) % 360


def _camera(
    chance: random.Random, elevation: Sequence[float], fill: Sequence[float], **more: object
) -> Camera:
    base = Camera(
        elevation_deg=chance.uniform(*elevation),
        azimuth_deg=_side(chance),
        roll_deg=chance.gauss(0, 1.5),
        fill=chance.uniform(*fill),
        aim=(chance.uniform(-0.02, 0.02), chance.uniform(-0.02, 0.02)),
        field_of_view_deg=chance.uniform(50, 72),
        k1=chance.uniform(-0.07, 0.01),
        k2=chance.uniform(0, 0.015),
    )
    return replace(base, **more)  # type: ignore[arg-type]


VIEWS: dict[str, Callable[[random.Random], Camera]] = {
    "ordinary": lambda chance: _camera(chance, (45, 66), (0.6, 0.9)),
    "steep": lambda chance: _camera(chance, (66, 82), (0.5, 0.9)),
    "above": lambda chance: _camera(chance, (84, 90), (0.45, 0.9)),
    "portrait": lambda chance: _camera(chance, (50, 80), (0.8, 0.97), width_px=720, height_px=1280),
}
# Views that people use too, but that are more than ordinary.
FURTHER_VIEWS: dict[str, Callable[[random.Random], Camera]] = {
    "low": lambda chance: _camera(chance, (25, 35), (0.75, 0.97)),
    "far": lambda chance: _camera(chance, (40, 75), (0.35, 0.45)),
    "wide": lambda chance: _camera(
        chance,
        (40, 75),
        (0.6, 0.9),
        field_of_view_deg=chance.uniform(85, 100),
        k1=chance.uniform(-0.16, -0.1),
        k2=chance.uniform(0.008, 0.02),
    ),
    "close": lambda chance: _camera(chance, (55, 85), (0.97, 1.0)),
    "vga": lambda chance: _camera(chance, (45, 75), (0.75, 0.95), width_px=640, height_px=480),
    "phone": lambda chance: _camera(
        chance,
        (45, 80),
        (0.8, 0.97),
        width_px=1200,
        height_px=1600,
        exif_orientation=chance.choice((6, 8, 3)),
        f_stop=0.0,
    ),
    "large": lambda chance: _camera(chance, (45, 75), (0.7, 0.95), width_px=4000, height_px=3000),
}
VIEWS |= FURTHER_VIEWS

LIGHTS: dict[str, Callable[[random.Random], Light]] = {
    "overcast": lambda chance: Light(
        "overcast",
        chance.uniform(0, 360),
        chance.uniform(25, 55),
        chance.uniform(-0.3, 0.1),
        chance.uniform(0.3, 1),
        chance.uniform(0.3, 0.7),
    ),
    "lamp": lambda chance: Light(
        "lamp",
        chance.uniform(0, 360),
        chance.uniform(48, 78),
        chance.uniform(0.4, 0.95),
        chance.uniform(0.1, 0.9),
        chance.uniform(0.05, 0.2),
    ),
    "window": lambda chance: Light(
        "window",
        chance.uniform(0, 360),
        chance.uniform(28, 55),
        chance.uniform(-0.1, 0.2),
        chance.uniform(0, 0.6),
        chance.uniform(0.3, 0.7),
    ),
    "studio": lambda chance: Light(
        "studio",
        chance.uniform(0, 360),
        chance.uniform(40, 60),
        chance.uniform(-0.1, 0.1),
        chance.uniform(0.3, 0.9),
        chance.uniform(0.2, 0.5),
    ),
    "several": lambda chance: Light(
        "several",
        chance.uniform(0, 360),
        60,
        chance.uniform(0.1, 0.6),
        chance.uniform(0.1, 0.8),
        chance.uniform(0.1, 0.3),
    ),
}


def _hand(scene: Scene, chance: random.Random) -> Scene:
    width, height = load_board(scene.board).size_mm
    hand = Hand(
        width * chance.uniform(0.2, 0.8),
        height * chance.uniform(0.2, 0.8),
        chance.uniform(0, 360),
        chance.uniform(15, 60),
        chance.random(),
        (chance.random() * 0.7, chance.random() * 0.7, chance.random() * 0.7),
    )
    return replace(scene, hands=(*scene.hands, hand))


def _glare(scene: Scene, chance: random.Random) -> Scene:
    """A laminated board that mirrors the lamp or the window standing opposite the camera."""
    camera = replace(scene.camera, elevation_deg=min(scene.camera.elevation_deg, chance.uniform(38, 58)))
    light = replace(
        scene.light,
        direction_deg=(camera.azimuth_deg + 180 + chance.gauss(0, 12)) % 360,
        elevation_deg=camera.elevation_deg + chance.uniform(-4, 6),
    )
    return replace(
        scene, camera=camera, light=light, table=replace(scene.table, board_gloss=chance.uniform(0.85, 1))
    )


def _cropped(scene: Scene, chance: random.Random) -> Scene:
    """A part of the board is outside the picture; two or three tags stay."""
    aim = (chance.choice((-1, 1)) * chance.uniform(0.1, 0.2), chance.uniform(-0.05, 0.05))
    return replace(
        scene, camera=replace(scene.camera, whole_board=False, fill=chance.uniform(0.85, 1.0), aim=aim)
    )


def _sensor_trouble(**ranges: tuple[float, float]) -> Trouble:
    def change(scene: Scene, chance: random.Random) -> Scene:
        values = {name: chance.uniform(*limits) for name, limits in ranges.items()}
        if "jpeg_quality" in values:
            values["jpeg_quality"] = int(values["jpeg_quality"])
        return replace(scene, sensor=replace(scene.sensor, **values))  # type: ignore[arg-type]

    return change


def _cast(scene: Scene, chance: random.Random) -> Scene:
    tint = chance.choice(((1.3, 1.0, 0.72), (0.78, 1.0, 1.3), (0.9, 1.1, 0.85), (1.15, 0.9, 1.1)))
    return replace(scene, sensor=replace(scene.sensor, tint=tint, white_balance=chance.uniform(0, 0.5)))


def _careless(scene: Scene, chance: random.Random) -> Scene:
    return replace(scene, placement=Placement(0.36, 180.0, on_slot=chance.random() < 0.5))


TROUBLES: dict[str, Trouble] = {
    "hand": _hand,
    "glare": _glare,
    "cropped": _cropped,
    "cast": _cast,
    "careless": _careless,
    "dim": _sensor_trouble(exposure_ev=(-1.8, -1.1), noise=(0.7, 1.1)),
    "noise": _sensor_trouble(noise=(0.8, 1.4)),
    "blur": _sensor_trouble(blur_px=(1.2, 1.8), motion_px=(0, 2.5)),
    "jpeg": _sensor_trouble(jpeg_quality=(48, 54), sharpening=(0.6, 0.9)),
    "bright": _sensor_trouble(exposure_ev=(0.7, 1.0)),
}
