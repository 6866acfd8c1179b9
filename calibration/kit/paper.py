"""Sheets of paper: their sizes, how a board is cut into tiles, and the marks around what is to be cut out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from calibration.drawing import CAP, Colour, Drawing, Point, text_width_mm

INK: Colour = (34, 37, 44)
GREY: Colour = (120, 120, 118)
MARGIN_MM = 10.0  # room for marks; ordinary printers leave the outermost 4-6 mm white
OVERLAP_MM = 10.0  # the flap of a tile that the next one is glued onto


@dataclass(frozen=True)
class Paper:
    """A sheet in the direction in which it is printed."""

    name: str
    width_mm: float
    height_mm: float

    @property
    def usable_mm(self) -> tuple[float, float]:
        return self.width_mm - 2 * MARGIN_MM, self.height_mm - 2 * MARGIN_MM

    def turned(self) -> Paper:
        return replace(self, width_mm=self.height_mm, height_mm=self.width_mm)


PAPERS = {
    "a4": Paper("A4", 210.0, 297.0),
    "a3": Paper("A3", 297.0, 420.0),
    "letter": Paper("Letter", 215.9, 279.4),
}


@dataclass(frozen=True)
class Tile:
    """One sheet's part of a board: from `x_mm`, `y_mm` as wide and high as all others, with a flap of
    OVERLAP_MM to the right and below where another tile follows."""

    name: str
    column: int
    row: int
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    flap_right_mm: float
    flap_below_mm: float


@dataclass(frozen=True)
class Tiling:
    """A board cut into tiles of equal size for one kind of paper; rows are letters, columns numbers."""

    paper: Paper
    columns: int
    rows: int
    tiles: tuple[Tile, ...]


def tile_board(width_mm: float, height_mm: float, paper: Paper) -> Tiling:
    """The tiling with the fewest sheets, upright or on its side."""
    ways = [(sheet, *_grid(width_mm, height_mm, sheet)) for sheet in (paper, paper.turned())]
    sheet, columns, rows = min(ways, key=lambda way: way[1] * way[2])
    wide, high = width_mm / columns, height_mm / rows
    tiles = tuple(
        Tile(
            f"{chr(65 + row)}{column + 1}", column, row, column * wide, row * high, wide, high,
            OVERLAP_MM if column < columns - 1 else 0.0, OVERLAP_MM if row < rows - 1 else 0.0,
        )
        for row in range(rows) for column in range(columns)
    )  # fmt: skip
    return Tiling(sheet, columns, rows, tiles)


def _grid(width_mm: float, height_mm: float, paper: Paper) -> tuple[int, int]:
    """Columns and rows that are needed; a single tile has no flap."""
    counts = [1 if side <= room else math.ceil(side / (room - OVERLAP_MM))
              for side, room in zip((width_mm, height_mm), paper.usable_mm, strict=True)]  # fmt: skip
    return counts[0], counts[1]


def sheet_of(paper: Paper, title: str) -> Drawing:
    """An empty page with its title and a 50 mm measure in the lower margin."""
    page = Drawing(paper.width_mm, paper.height_mm)
    low = paper.height_mm - MARGIN_MM / 2
    page.words(MARGIN_MM, low, title, 1.9, GREY, font="regular", align=-1)
    right = paper.width_mm - MARGIN_MM
    page.words(right - 52, low, "50 mm", 1.9, GREY, font="regular", align=1)
    page.line([(right - 50, low), (right, low)], INK, 0.2)
    for x in (right - 50, right):
        page.line([(x, low - 1.5), (x, low + 1.5)], INK, 0.2)
    return page


def crop_marks(page: Drawing, left: float, top: float, right: float, bottom: float, gap: float = 1.0) -> None:
    """Hairlines that point at the four corners of what is to be cut out."""
    length = 4.0
    for x, outwards in ((left, -1), (right, 1)):
        for y, upwards in ((top, -1), (bottom, 1)):
            page.line([(x + outwards * gap, y), (x + outwards * (gap + length), y)], INK, 0.15)
            page.line([(x, y + upwards * gap), (x, y + upwards * (gap + length))], INK, 0.15)


def paragraph(
    page: Drawing, place: Point, width_mm: float, text: str, cap_mm: float, font: str = "regular"
) -> float:
    """Text broken into lines from its top-left corner; returns the y below it."""
    x, y = place
    leading = cap_mm / CAP * 1.45
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_width_mm(longer, cap_mm, font) > width_mm:
            page.words(x, y + leading / 2, line, cap_mm, INK, font=font, align=-1)
            line, y = word, y + leading
        else:
            line = longer
    page.words(x, y + leading / 2, line, cap_mm, INK, font=font, align=-1)
    return y + leading
