"""The looks that a board can be printed in. All keep the places where pieces land neutral in colour.

`ground` is where pieces land: lighter than grey pieces, darker than white ones, and hardly coloured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from calibration.drawing import Colour


@dataclass(frozen=True)
class Style:
    """Colours (red, green, blue) and manners of one look."""

    paper: Colour  # the board itself
    plain: Colour  # the open ground inside the henge
    shade: Colour  # broad quiet bands: horseshoes, the henge's bank
    fleck: Colour  # grain of the paper
    ground: Colour  # where pieces land
    etch: Colour  # fine print on the ground
    ink: Colour  # lines and lettering
    quiet: Colour  # lettering that may be overlooked
    gold: Colour  # the sun and its axis
    ley: Colour  # ley lines
    moon: Colour
    colours: Mapping[str, Colour]  # of the number fields
    corner_mm: float = 2.5  # roundness of stones
    flecks: int = 1500
    round_plates: bool = False  # numerals on discs instead of plates
    plates: bool = True  # False: coloured numerals on the bare paper


_ENAMEL: dict[str, Colour] = {
    "white": (250, 249, 245), "blue": (43, 90, 158), "green": (62, 122, 74), "yellow": (232, 181, 52),
    "red": (178, 58, 46), "black": (36, 38, 44), "grey": (138, 141, 145), "brown": (112, 76, 48),
}  # fmt: skip

CHALK = Style(
    paper=(241, 237, 227),
    plain=(234, 229, 217),
    shade=(221, 214, 199),
    fleck=(222, 215, 201),
    ground=(199, 192, 178),
    etch=(146, 139, 127),
    ink=(42, 46, 54),
    quiet=(131, 127, 118),
    gold=(214, 160, 58),
    ley=(238, 192, 62),
    moon=(84, 98, 124),
    colours=_ENAMEL,
)

NIGHT = Style(
    paper=(36, 44, 58),
    plain=(43, 52, 68),
    shade=(54, 65, 83),
    fleck=(58, 69, 88),
    ground=(184, 184, 180),
    etch=(124, 128, 132),
    ink=(226, 220, 204),
    quiet=(139, 146, 156),
    gold=(226, 178, 76),
    ley=(240, 200, 84),
    moon=(160, 184, 220),
    colours=_ENAMEL
    | {"blue": (72, 126, 200), "green": (84, 152, 96), "red": (200, 76, 62), "black": (14, 16, 20)},
    corner_mm=0.0,
    flecks=700,
    round_plates=True,
)

PARCHMENT = Style(
    paper=(226, 205, 165),
    plain=(220, 197, 154),
    shade=(206, 180, 134),
    fleck=(203, 176, 128),
    ground=(206, 192, 160),
    etch=(142, 118, 84),
    ink=(74, 48, 28),
    quiet=(136, 106, 70),
    gold=(190, 130, 36),
    ley=(222, 170, 44),
    moon=(88, 84, 110),
    colours=_ENAMEL
    | {
        "white": (246, 240, 224),
        "blue": (52, 78, 124),
        "green": (84, 106, 56),
        "red": (156, 50, 36),
        "yellow": (214, 158, 40),
        "black": (48, 38, 32),
    },
    corner_mm=5.0,
    flecks=2600,
    plates=False,
)

STYLES: dict[str, Style] = {"chalk": CHALK, "night": NIGHT, "parchment": PARCHMENT}


def ink_saving(style: Style) -> Style:
    """The same board on white paper: no broad tints, pale ground, coloured numerals instead of plates."""
    return replace(
        style,
        paper=(255, 255, 255),
        plain=(255, 255, 255),
        shade=(250, 249, 247),
        ground=(219, 216, 209),
        etch=(160, 158, 154),
        ink=CHALK.ink,
        quiet=CHALK.quiet,
        gold=CHALK.gold,
        ley=CHALK.ley,
        moon=CHALK.moon,
        colours=CHALK.colours,
        flecks=0,
        plates=False,
    )
