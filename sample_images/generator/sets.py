"""Sets of pieces as data: sizes in mm, shapes, shades, gloss and the typeface of the numbers.

Real sets differ; the sets here do too, so that nothing that reads photographs can lean on one of them.
Colours are sRGB 0..255 of the clean surface under white light.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace

RGB = tuple[int, int, int]


@dataclass(frozen=True)
class Disc:
    """`style`: flat, grooved (a ring in the top) or domed."""

    diameter: float = 15.0
    height: float = 5.0
    bevel: float = 0.6
    style: str = "flat"


@dataclass(frozen=True)
class Block:
    length: float = 25.0
    width: float = 6.0
    height: float = 6.0
    bevel: float = 0.5


@dataclass(frozen=True)
class Figure:
    """`style`: pawn (ball head), druid (robe and hood) or cone."""

    base: float = 16.0
    height: float = 32.0
    style: str = "pawn"


@dataclass(frozen=True)
class Face:
    """The mask that tells where the stone figure looks: half as wide as `size` of the figure's base, at
    `level` of its height; the beak is `beak` times as long as the mask is half wide."""

    colour: RGB = (238, 226, 200)
    size: float = 0.2
    beak: float = 2.4
    level: float = 0.8


@dataclass(frozen=True)
class Trilith:
    """Two pillars `span` apart (middle to middle) under a capstone whose recess is `recess` deep."""

    span: float = 45.0
    pillar_length: float = 12.0
    pillar_width: float = 12.0
    pillar_height: float = 31.0
    capstone_length: float = 60.0
    capstone_width: float = 12.0
    capstone_height: float = 9.0
    recess: float = 1.5
    bevel: float = 0.8


@dataclass(frozen=True)
class Druid:
    """A number stone. `typeface`: "kit" for the printed kit's own stickers, else see stickers.py;
    `sticker`: dark (pale digit on the stone's colour) or pale (dark digit on cream); `underline`: a bar
    under the 6."""

    diameter: float = 22.0
    height: float = 6.0
    sticker_diameter: float = 17.0
    bevel: float = 0.7
    typeface: str = "sans"
    sticker: str = "pale"
    underline: bool = True


@dataclass(frozen=True)
class Megalith:
    length: float = 10.0
    width: float = 6.0
    height: float = 22.0
    bevel: float = 1.2


@dataclass(frozen=True)
class PieceSet:
    """`roughness` 0 mirror .. 1 chalk; `coat` 0..1 a lacquer on top; `grain` 0..1 of the surface;
    `uneven`: how far single pieces differ in shade."""

    name: str
    colours: dict[str, RGB] = field(hash=False)
    disc: Disc = Disc()
    block: Block = Block()
    figure: Figure = Figure()
    trilith: Trilith = Trilith()
    druid: Druid = Druid()
    megalith: Megalith = Megalith()
    face: Face = Face()
    roughness: float = 0.45
    coat: float = 0.0
    grain: float = 0.2
    uneven: float = 0.03


def _colours(
    white: RGB, blue: RGB, green: RGB, yellow: RGB, red: RGB, grey: RGB, black: RGB, brown: RGB
) -> dict[str, RGB]:
    return {
        "white": white,
        "blue": blue,
        "green": green,
        "yellow": yellow,
        "red": red,
        "grey": grey,
        "black": black,
        "brown": brown,
    }


SETS = {
    each.name: each
    for each in (
        PieceSet(
            "kit",
            _colours(
                (236, 233, 224),
                (28, 78, 158),
                (40, 122, 62),
                (238, 190, 40),
                (188, 38, 34),
                (136, 136, 132),
                (36, 35, 36),
                (112, 70, 42),
            ),
            druid=Druid(sticker_diameter=20.0, typeface="kit"),
        ),
        PieceSet(
            "plastic",
            _colours(
                (244, 244, 246),
                (10, 92, 196),
                (20, 148, 70),
                (252, 214, 0),
                (214, 20, 28),
                (150, 152, 156),
                (22, 22, 24),
                (92, 52, 30),
            ),
            Disc(16, 4.2, 0.5, "grooved"),
            Block(27, 6.6, 6.6, 0.9),
            Figure(17, 34, "druid"),
            Trilith(45, 13, 11, 33, 61, 13, 8.5, 1.2, 1.4),
            Druid(22.5, 5.2, 18.5, 0.5, "serif", "dark", True),
            Megalith(10.5, 6.5, 24, 1.8),
            roughness=0.22,
            coat=0.6,
            grain=0.05,
            uneven=0.01,
        ),
        PieceSet(
            "wood",
            _colours(
                (226, 212, 184),
                (52, 88, 128),
                (84, 118, 66),
                (222, 172, 72),
                (164, 58, 46),
                (122, 118, 110),
                (48, 44, 42),
                (128, 84, 52),
            ),
            Disc(14, 5.6, 0.4, "flat"),
            Block(23.5, 5.6, 5.6, 0.3),
            Figure(15, 29, "cone"),
            Trilith(44, 11, 12, 29, 58, 12, 9.5, 1.8, 0.5),
            Druid(21, 7, 16, 0.4, "hand", "pale", False),
            Megalith(9.5, 6, 20, 0.8),
            roughness=0.6,
            coat=0.0,
            grain=0.7,
            uneven=0.06,
        ),
        PieceSet(
            "resin",
            _colours(
                (218, 216, 206),
                (44, 66, 118),
                (34, 92, 70),
                (208, 160, 60),
                (150, 36, 48),
                (112, 116, 118),
                (52, 50, 54),
                (138, 98, 66),
            ),
            Disc(15.5, 5.2, 1.6, "domed"),
            Block(24, 6.2, 5.8, 1.3),
            Figure(16.5, 35, "pawn"),
            Trilith(45.5, 12, 13, 32, 62, 13, 10, 2.0, 1.8),
            Druid(22, 6.4, 17.5, 1.4, "slab", "dark", True),
            Megalith(10, 7, 23, 2.4),
            roughness=0.38,
            coat=0.25,
            grain=0.35,
            uneven=0.045,
        ),
        PieceSet(
            "clay",
            _colours(
                (232, 222, 206),
                (64, 98, 142),
                (96, 134, 82),
                (216, 166, 84),
                (172, 74, 58),
                (146, 138, 128),
                (58, 52, 50),
                (120, 78, 56),
            ),
            Disc(15.4, 4.4, 1.2, "domed"),
            Block(22.5, 7, 5.4, 1.0),
            Figure(14.5, 27, "druid"),
            Trilith(44.5, 12.5, 11.5, 30, 59, 11.5, 8.8, 1.0, 1.5),
            Druid(21.5, 5.6, 17, 1.0, "serif", "pale", True),
            Megalith(9.2, 6.4, 20.5, 1.6),
            roughness=0.75,
            coat=0.0,
            grain=0.5,
            uneven=0.05,
        ),
    )
}


COLOUR_NAMES = ("white", "blue", "green", "yellow", "red", "grey", "black", "brown")


def _set(name: str, shades: tuple[RGB, ...], *solids: object, **surface: float) -> PieceSet:
    return PieceSet(name, dict(zip(COLOUR_NAMES, shades, strict=True)), *solids, **surface)  # type: ignore[arg-type]


# Sets of other makers, for `editions`: random scenes are not drawn from them.
STRANGERS = {
    each.name: each
    for each in (
        _set(
            "glass",
            ((238, 240, 236), (24, 60, 176), (10, 116, 84), (246, 204, 28), (206, 28, 48), (128, 132, 140),
             (26, 24, 30), (104, 58, 26)),
            Disc(17, 5.8, 1.8, "domed"), Block(26, 7.2, 7.2, 1.4), Figure(15.2, 30, "cone"),
            Trilith(44, 12, 11, 30, 58, 12, 9, 1.4, 1.6), Druid(23, 7, 18, 1.0, "narrow", "pale", True),
            Megalith(11, 7, 21, 2.0), roughness=0.12, coat=0.9, grain=0.02, uneven=0.01,
        ),
        _set(
            "horn",
            ((228, 216, 190), (70, 96, 130), (98, 120, 78), (214, 168, 66), (158, 66, 48), (132, 126, 116),
             (58, 50, 46), (146, 98, 58)),
            Disc(13.5, 4.6, 0.8, "grooved"), Block(22, 5.4, 6.4, 0.6), Figure(14, 28, "druid"),
            Trilith(43, 11, 12, 28, 57, 11, 9, 1.2, 1.0), Druid(20, 5.4, 16, 0.8, "mono", "dark", True),
            Megalith(9, 5.5, 19, 1.0), roughness=0.5, coat=0.15, grain=0.6, uneven=0.05,
        ),
        _set(
            "felt",
            ((240, 236, 230), (56, 104, 168), (70, 142, 92), (240, 196, 92), (196, 70, 66), (148, 146, 144),
             (44, 42, 46), (116, 74, 52)),
            Disc(16.2, 6.2, 1.0, "flat"), Block(24.5, 6.8, 5.2, 1.2), Figure(17, 31, "pawn"),
            Trilith(46, 13, 12, 31, 62, 13, 9, 1.4, 1.4), Druid(22, 6, 17, 0.8, "sans", "pale", True),
            Megalith(10, 6, 22, 1.2), roughness=0.9, coat=0.0, grain=0.3, uneven=0.03,
        ),
        _set(
            "bone",
            ((234, 226, 206), (60, 92, 122), (78, 112, 80), (206, 160, 74), (150, 62, 52), (126, 120, 108),
             (52, 46, 42), (132, 88, 56)),
            Disc(15.6, 4.0, 1.0, "domed"), Block(25.5, 5.8, 6.4, 0.9), Figure(15.6, 33, "druid"),
            Trilith(45, 12.5, 11.5, 30.5, 60, 12, 8.6, 1.6, 1.2),
            Druid(22.5, 6.2, 18, 0.9, "serif", "pale", True), Megalith(10.2, 6.4, 21, 1.6),
            roughness=0.42, coat=0.1, grain=0.4, uneven=0.045,
        ),
        _set(
            "acrylic",
            ((242, 242, 240), (20, 110, 190), (30, 140, 60), (250, 206, 40), (200, 34, 40), (150, 150, 154),
             (30, 30, 34), (96, 56, 34)),
            Disc(14.4, 5.4, 0.5, "grooved"), Block(24, 6.4, 6.8, 0.6), Figure(16.4, 29.5, "pawn"),
            Trilith(44.5, 11.5, 12.5, 32, 59, 12.5, 9.4, 1.2, 0.9),
            Druid(21, 5.8, 16.5, 0.6, "sans", "dark", True), Megalith(9.6, 6.2, 23, 1.0),
            roughness=0.2, coat=0.5, grain=0.05, uneven=0.015,
        ),
        _set(
            "bead",
            ((230, 226, 218), (50, 80, 140), (60, 118, 70), (224, 176, 60), (170, 50, 46), (134, 132, 128),
             (40, 38, 40), (122, 78, 48)),
            Disc(15, 5.6, 1.6, "domed"), Block(23, 6, 6, 1.2), Figure(15, 31, "cone"),
            Trilith(43.5, 11, 11, 29, 57, 11.5, 9, 1.2, 1.2), Druid(21.6, 6.6, 17, 1.2, "slab", "pale", True),
            Megalith(10.4, 6.8, 20, 2.2), roughness=0.35, coat=0.3, grain=0.2, uneven=0.03,
        ),
        _set(
            "teak",
            ((222, 208, 182), (64, 104, 150), (84, 124, 66), (228, 178, 56), (180, 62, 44), (144, 134, 122),
             (56, 46, 40), (112, 72, 44)),
            Disc(16.6, 5.0, 0.9, "flat"), Block(25, 6.0, 6.0, 0.7), Figure(16, 32, "druid"),
            Trilith(45.5, 12, 12, 31, 61, 12.5, 9, 1.3, 1.1), Druid(22, 6.4, 17.5, 0.9, "sans", "pale", True),
            Megalith(10, 6.2, 21.5, 1.3), roughness=0.6, coat=0.1, grain=0.55, uneven=0.04,
        ),
        _set(
            "shell",
            ((244, 240, 232), (44, 92, 158), (40, 124, 92), (238, 196, 60), (190, 48, 58), (140, 140, 144),
             (34, 32, 36), (128, 84, 52)),
            Disc(14, 5.2, 1.4, "domed"), Block(23.5, 5.6, 5.8, 1.0), Figure(14.6, 29, "cone"),
            Trilith(44, 11.5, 11, 29.5, 58, 11.5, 8.8, 1.5, 1.3),
            Druid(20.5, 6.0, 16.5, 1.0, "serif", "dark", True), Megalith(9.4, 6.0, 20.5, 1.5),
            roughness=0.25, coat=0.6, grain=0.08, uneven=0.02,
        ),
        _set(
            "clay",
            ((224, 216, 202), (76, 100, 146), (96, 132, 84), (216, 172, 84), (176, 84, 60), (138, 128, 118),
             (62, 56, 54), (124, 86, 62)),
            Disc(15.2, 6.0, 1.1, "grooved"), Block(24.2, 6.6, 7.0, 1.3), Figure(16.8, 30.5, "pawn"),
            Trilith(46, 12.5, 12.5, 30, 62, 13, 9.5, 1.7, 1.5),
            Druid(22.5, 6.8, 18, 1.1, "slab", "pale", True), Megalith(10.6, 6.6, 22, 1.9),
            roughness=0.8, coat=0.0, grain=0.35, uneven=0.05,
        ),
        _set(
            "resin",
            ((236, 234, 230), (30, 80, 168), (24, 128, 74), (242, 188, 36), (202, 40, 52), (152, 150, 146),
             (30, 28, 32), (108, 66, 38)),
            Disc(15.8, 4.6, 0.7, "flat"), Block(24.8, 6.2, 6.2, 0.5), Figure(15, 31.5, "pawn"),
            Trilith(44.8, 12, 11.5, 31.5, 60, 12, 9, 1.2, 1.0),
            Druid(21.4, 5.6, 17, 0.7, "mono", "pale", True), Megalith(9.8, 5.8, 22.5, 1.1),
            roughness=0.18, coat=0.4, grain=0.12, uneven=0.015,
        ),
        _set(
            "maple",
            ((232, 220, 196), (48, 96, 144), (76, 130, 70), (232, 184, 64), (176, 54, 42), (140, 134, 126),
             (50, 44, 40), (118, 78, 46)),
            Disc(15.4, 5.8, 0.6, "flat"), Block(24, 6.4, 6.2, 0.5), Figure(15.5, 33, "cone"),
            Trilith(45, 12, 11.5, 30.5, 60, 12, 9.2, 1.4, 0.8),
            Druid(21.8, 6.6, 17, 0.6, "slab", "dark", True),
            Megalith(10, 6, 21, 1.0),
            roughness=0.55, coat=0.15, grain=0.5, uneven=0.04,
        ),
        _set(
            "pebble",
            ((226, 222, 212), (58, 88, 138), (66, 116, 84), (220, 170, 72), (166, 60, 52), (130, 130, 126),
             (44, 42, 44), (142, 96, 60)),
            Disc(14.6, 6.4, 2.0, "domed"), Block(23, 6.6, 6.2, 1.6), Figure(16, 30, "druid"),
            Trilith(44, 11.5, 11.5, 29.5, 58, 11.5, 9, 1.3, 1.6),
            Druid(20.8, 7.0, 16.5, 1.4, "sans", "pale", True), Megalith(9.8, 6.6, 20, 2.2),
            roughness=0.4, coat=0.2, grain=0.3, uneven=0.04,
        ),
        _set(
            "stud",
            ((242, 242, 238), (0, 92, 184), (0, 136, 66), (250, 202, 8), (200, 24, 30), (154, 154, 152),
             (26, 26, 28), (96, 52, 32)),
            Disc(16.4, 5.0, 0.3, "grooved"), Block(24.8, 7.0, 6.6, 0.3), Figure(16.2, 32.5, "pawn"),
            Trilith(45.4, 12.5, 12.5, 31, 61, 12.5, 9, 1.5, 0.6),
            Druid(22.4, 5.6, 18, 0.4, "narrow", "dark", True), Megalith(10.4, 6.4, 22.5, 0.8),
            roughness=0.24, coat=0.3, grain=0.02, uneven=0.01,
        ),
        _set(
            "cork",
            ((230, 222, 206), (70, 102, 152), (90, 132, 82), (222, 178, 86), (178, 76, 62), (142, 136, 126),
             (56, 52, 50), (134, 94, 62)),
            Disc(14.8, 4.8, 0.9, "flat"), Block(23.2, 5.8, 6.0, 0.9), Figure(15, 30.5, "pawn"),
            Trilith(44.4, 12, 12, 30, 59, 12, 8.8, 1.2, 1.2),
            Druid(21.2, 6.0, 16.5, 0.9, "serif", "pale", True), Megalith(9.6, 6.0, 21, 1.3),
            roughness=0.75, coat=0.0, grain=0.6, uneven=0.05,
        ),
        _set(
            "opal",
            ((240, 240, 242), (36, 80, 160), (30, 116, 80), (240, 192, 48), (192, 40, 50), (146, 148, 152),
             (36, 36, 42), (112, 70, 44)),
            Disc(16, 5.4, 1.5, "domed"), Block(25.2, 6.0, 6.4, 1.1), Figure(15.8, 31, "druid"),
            Trilith(45.8, 12, 12.5, 31.5, 61, 12, 9.4, 1.6, 1.4),
            Druid(22, 5.8, 17.5, 1.0, "mono", "pale", True), Megalith(10.2, 6.2, 22, 1.7),
            roughness=0.3, coat=0.4, grain=0.1, uneven=0.02,
        ),
        _set(
            "rattan",
            ((224, 210, 184), (56, 92, 138), (80, 122, 70), (226, 178, 70), (170, 60, 48), (136, 130, 120),
             (52, 46, 42), (124, 84, 50)),
            Disc(14.2, 5.0, 0.7, "grooved"), Block(23.4, 6.2, 5.6, 0.6), Figure(15.8, 31, "pawn"),
            Trilith(44.2, 11.5, 12, 30, 58, 12, 9.2, 1.3, 1.0),
            Druid(21, 6.2, 16.5, 0.8, "slab", "pale", True), Megalith(9.8, 6.2, 20.5, 1.2),
            roughness=0.65, coat=0.05, grain=0.6, uneven=0.05,
        ),
        _set(
            "tin",
            ((238, 238, 240), (30, 74, 160), (34, 120, 76), (244, 198, 40), (198, 38, 46), (150, 152, 156),
             (40, 40, 46), (118, 80, 54)),
            Disc(16, 4.4, 0.5, "flat"), Block(25, 6.2, 6.8, 0.5), Figure(15.4, 32, "cone"),
            Trilith(45.2, 12.5, 11.5, 31, 60, 12, 9, 1.4, 0.9),
            Druid(21.6, 5.4, 17.5, 0.6, "mono", "dark", True), Megalith(10, 6.4, 22, 1.2),
            roughness=0.3, coat=0.4, grain=0.05, uneven=0.015,
        ),
        _set(
            "amber",
            ((240, 234, 220), (44, 88, 150), (52, 126, 78), (240, 184, 48), (184, 48, 44), (144, 140, 132),
             (44, 40, 40), (130, 88, 52)),
            Disc(15.2, 5.6, 1.4, "domed"), Block(24.2, 6.6, 6.0, 1.0), Figure(16.2, 30, "druid"),
            Trilith(45, 12, 12, 30.5, 60, 12.5, 9, 1.5, 1.2),
            Druid(22, 6.2, 17, 1.0, "sans", "pale", True), Megalith(10.2, 6.4, 21.5, 1.6),
            roughness=0.28, coat=0.5, grain=0.15, uneven=0.025,
        ),
        _set(
            "chalkstone",
            ((230, 228, 220), (66, 98, 148), (82, 126, 88), (228, 182, 82), (178, 68, 60), (146, 144, 140),
             (54, 52, 54), (136, 98, 70)),
            Disc(15.6, 5.2, 1.0, "flat"), Block(24.6, 6.0, 5.8, 0.8), Figure(14.8, 29.5, "pawn"),
            Trilith(44.6, 12, 11.5, 30, 59, 11.5, 9.2, 1.2, 1.3),
            Druid(21.4, 6.0, 17, 0.8, "serif", "pale", True), Megalith(9.6, 6.2, 21, 1.5),
            roughness=0.85, coat=0.0, grain=0.25, uneven=0.04,
        ),
    )
}  # fmt: skip


USUAL = SETS["kit"].colours


def random_set(seed: int) -> PieceSet:
    """A set that no maker sells: sizes, shapes, shades and surface drawn from the seed."""
    chance = random.Random(f"set of pieces {seed}")

    def about(value: float, spread: float = 0.1) -> float:
        return value * math.exp(chance.gauss(0, spread))

    lighter, warmer = chance.gauss(0, 14), chance.gauss(0, 8)
    shades = {
        name: (
            _byte(rgb[0] + lighter + warmer + chance.gauss(0, 11)),
            _byte(rgb[1] + lighter + chance.gauss(0, 11)),
            _byte(rgb[2] + lighter - warmer + chance.gauss(0, 11)),
        )
        for name, rgb in USUAL.items()
    }
    thick = about(5.0, 0.15)
    pillar = about(12.0, 0.08)
    druid = about(22.0, 0.05)
    return PieceSet(
        f"any-{seed}",
        shades,
        Disc(about(15.0), thick, min(0.45 * thick, chance.uniform(0.2, 2.0)),
             chance.choice(("flat", "grooved", "domed"))),
        Block(min(28.0, about(25.0)), about(6.2, 0.12), about(6.0, 0.12), chance.uniform(0.2, 1.5)),
        Figure(about(16.0), about(31.0), chance.choice(("pawn", "druid", "cone"))),
        Trilith(45.0 + chance.uniform(-1.5, 1.5), pillar, about(12.0, 0.08), about(31.0, 0.05),
                about(60.0, 0.03), about(12.0, 0.08), about(9.0, 0.1), chance.uniform(0.6, 2.2),
                chance.uniform(0.3, 1.8)),
        Druid(druid, about(6.0, 0.12), druid * chance.uniform(0.7, 0.9), chance.uniform(0.3, 1.4),
              chance.choice(("sans", "serif", "hand", "slab")), chance.choice(("pale", "dark")), True),
        Megalith(about(10.0), about(6.3), about(21.5), chance.uniform(0.5, 2.4)),
        roughness=chance.uniform(0.12, 0.9),
        coat=chance.choice((0.0, 0.0, chance.uniform(0.1, 0.9))),
        grain=chance.choice((0.0, chance.uniform(0, 0.8))),
        uneven=chance.uniform(0.0, 0.06),
    )  # fmt: skip


def odd_set(seed: int) -> PieceSet:
    """The set drawn from this seed; in every other one the stone figure has no usual face."""
    pieces = random_set(seed)
    face = _face(random.Random(f"face {seed}"), pieces.colours["grey"])
    return replace(pieces, name=f"odd-{seed}", face=face)


def _face(chance: random.Random, stone: RGB) -> Face:
    """The usual face, or one that is pale, dark or gaudy, with a beak or flat."""
    if chance.random() < 0.5:
        return Face()
    while True:
        low, high = chance.choice(((170, 250), (14, 70), (14, 250)))
        red, green, blue = (_byte(chance.uniform(low, high)) for _ in range(3))
        if max(abs(red - stone[0]), abs(green - stone[1]), abs(blue - stone[2])) > 45:
            break
    shape = chance.uniform(0.15, 0.25), chance.uniform(1.0, 3.0), chance.uniform(0.74, 0.84)
    return Face((red, green, blue), *shape)


def _byte(value: float) -> int:
    return round(min(250.0, max(14.0, value)))


def piece_set(name: str) -> PieceSet:
    """The set of that name; "any-7" and "odd-7" are drawn from the seed 7. Raises ValueError naming those
    that are known."""
    kind, _, seed = name.partition("-")
    if kind in ("any", "odd") and seed.isdigit():
        return (random_set if kind == "any" else odd_set)(int(seed))
    known = SETS | STRANGERS
    if name not in known:
        raise ValueError(f"no piece set {name!r}: known are {', '.join(known)}")
    return known[name]
