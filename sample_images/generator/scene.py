"""The words and numbers that describe one photograph. Everything is JSON, everything has a default."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from engine.position import Piece

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Camera:
    """`elevation_deg`: 90 looks straight down. `azimuth_deg`: 0 from the printed bottom edge, 90 from the
    left edge. `fill`: the board's share of the picture's width. `aim`: where the board's middle lies off
    the picture's, as a share of width and height. `field_of_view_deg` along the longer side, before
    distortion. `k1`, `k2`: OpenCV's radial terms. `f_stop` 0: everything sharp.
    `exif_orientation` 1, 3, 6 or 8: the file is stored turned, as phones do."""

    elevation_deg: float = 55.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    fill: float = 0.75
    aim: tuple[float, float] = (0.0, 0.0)
    field_of_view_deg: float = 62.0
    k1: float = 0.0
    k2: float = 0.0
    f_stop: float = 0.0
    width_px: int = 1280
    height_px: int = 720
    exif_orientation: int = 1
    whole_board: bool = True


@dataclass(frozen=True)
class Light:
    """`kind`: lamp, window, overcast, studio, several or hdr (then `environment` names the file).
    `direction_deg` as a camera's azimuth, `elevation_deg` of the main light. `warmth` -1 cold .. 1 warm,
    `softness` 0 hard shadows .. 1 none, `ambient`: how much the room itself gives."""

    kind: str = "overcast"
    direction_deg: float = 120.0
    elevation_deg: float = 50.0
    warmth: float = 0.0
    softness: float = 0.5
    ambient: float = 0.5
    environment: str | None = None


@dataclass(frozen=True)
class Hand:
    """An arm over the board: the hand's middle in board mm, where it comes from (as a camera's azimuth),
    its height, skin tone 0 light .. 1 dark, sleeve colour in sRGB 0..1."""

    x_mm: float
    y_mm: float
    from_deg: float
    height_mm: float = 30.0
    skin: float = 0.3
    sleeve: Colour = (0.2, 0.25, 0.35)


@dataclass(frozen=True)
class Table:
    """`surface`: oak, walnut, cloth, white or slate. `clutter`: how many things lie around the board.
    `board_gloss` 0 matt paper .. 1 laminated; `folds`: creases where the board folds in four."""

    surface: str = "oak"
    shade: float = 0.5
    clutter: int = 2
    board_gloss: float = 0.2
    folds: bool = True


@dataclass(frozen=True)
class Placement:
    """How carelessly pieces are put down: `off_centre` as a share of the field's radius, `turn_deg` of a
    block against its field's direction, `on_slot`: blocks of a number field lie in the block room; discs on
    one another are at most `askew_mm` off the lowest one, along the board's sides."""

    off_centre: float = 0.15
    turn_deg: float = 8.0
    on_slot: bool = False
    askew_mm: float = 1.0


@dataclass(frozen=True)
class Sensor:
    """`exposure_ev` against the meter, `white_balance`: 1 corrects the light's colour fully, 0 not at all;
    `tint`: gains of red, green, blue on top. `noise`: 0 none .. 1 a webcam at night. `blur_px`: standard
    deviation, `motion_px` and `motion_deg` of a shaken picture, `sharpening` 0 .. 1, `jpeg_quality`."""

    exposure_ev: float = 0.0
    white_balance: float = 0.9
    tint: Colour = (1.0, 1.0, 1.0)
    noise: float = 0.15
    blur_px: float = 0.5
    motion_px: float = 0.0
    motion_deg: float = 0.0
    sharpening: float = 0.3
    contrast: float = 0.5
    jpeg_quality: int = 88


@dataclass(frozen=True)
class Scene:
    """One photograph. `pieces` as in a label file; `seed` decides all that is not written out (where in
    its field a piece lies, what lies around the board, the grain of the sensor)."""

    board: str
    game: str
    pieces: tuple[Piece, ...] = ()
    seed: int = 0
    style: str = "chalk"
    piece_set: str = "kit"
    camera: Camera = field(default_factory=Camera)
    light: Light = field(default_factory=Light)
    table: Table = field(default_factory=Table)
    placement: Placement = field(default_factory=Placement)
    sensor: Sensor = field(default_factory=Sensor)
    hands: tuple[Hand, ...] = ()
    tags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The scene as JSON values; pieces as a label file writes them."""
        data = dataclasses.asdict(dataclasses.replace(self, pieces=()))
        return data | {"pieces": [piece.to_json() for piece in self.pieces]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Scene:
        """Read a scene. Raises ValueError naming the key that is wrong."""
        rest = dict(data)
        pieces = tuple(Piece.from_json(entry) for entry in rest.pop("pieces", []))
        hands = tuple(_read(Hand, entry, f"hands[{i}]") for i, entry in enumerate(rest.pop("hands", [])))
        scene: Scene = _read(cls, rest, "scene")
        return dataclasses.replace(scene, pieces=pieces, hands=hands)

    @classmethod
    def load(cls, path: Path) -> Scene:
        """Read a scene file. Raises ValueError for text that is no scene."""
        return cls.from_json(json.loads(path.read_text(encoding="utf-8")))


def _read(kind: Any, data: Any, where: str) -> Any:
    """Build a dataclass from JSON values, nested ones too; an unknown or missing key is an error."""
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected an object, found {data!r}")
    hints = get_type_hints(kind)
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise ValueError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(hints)}")
    values = {}
    for key, value in data.items():
        if dataclasses.is_dataclass(hints[key]):
            value = _read(hints[key], value, f"{where}.{key}")
        values[key] = tuple(value) if isinstance(value, list) else value
    try:
        return kind(**values)
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from None
