"""Number stickers for druid stones, and the round faces themselves for other uses."""

from __future__ import annotations

from calibration.artwork_anthology import readable
from calibration.cards import draw_trilith
from calibration.drawing import Drawing, Picture, Point, circle, rasterise, rectangle
from calibration.kit.page import Page
from calibration.kit.paper import GREY, INK, MARGIN_MM, Paper, paragraph, sheet_of
from calibration.styles import CHALK
from engine.board import PieceType

VALUES = (1, 1, 2, 2, 3, 3, 4, 5, 6)  # of one player's nine stones
SPARES = (1, 2, 3, 4, 5, 6)
BACKS = 9
NOTES = (
    "Cut out and glue on. One set per colour: 1 1 2 2 3 3 4 5 6, one spare of each, nine backs.",
    "Ausschneiden und aufkleben. Je Farbe: 1 1 2 2 3 3 4 5 6, je eine als Ersatz, neun Rückseiten.",
)
_EDGE_MM = 1.0  # the sticker is that much smaller than the stone, all around


def sticker_pages(druid: PieceType, paper: Paper, title: str, ink_saving: bool) -> list[Page]:
    """Faces and backs for all colours, one colour after the other, with spares."""
    size = druid.diameter_mm - 2 * _EDGE_MM
    pitch = size + 3.0
    wanted: list[tuple[str, int | None]] = []
    for colour in druid.colours:
        wanted += [(colour, value) for value in (*VALUES, *SPARES)] + [(colour, None)] * BACKS
    columns = int((paper.usable_mm[0] + 3.0) // pitch)
    rows = int((paper.usable_mm[1] - 28) // pitch)
    pages = []
    for start in range(0, len(wanted), columns * rows):
        page = sheet_of(paper, title)
        y = MARGIN_MM
        for note in NOTES:
            y = paragraph(page, (MARGIN_MM, y), paper.usable_mm[0], note, 2.2)
        for index, (colour, value) in enumerate(wanted[start : start + columns * rows]):
            middle = (
                MARGIN_MM + (index % columns + 0.5) * pitch,
                MARGIN_MM + 22 + (index // columns + 0.5) * pitch,
            )
            draw_druid_face(page, middle, size, colour, value, ink_saving)
            page.outline(circle(middle, size / 2), GREY, 0.15)
        pages.append(Page(page))
    return pages


def draw_druid_face(
    drawing: Drawing,
    middle: Point,
    diameter_mm: float,
    colour: str,
    value: int | None,
    ink_saving: bool = False,
) -> None:
    """A stone's top: its value, a bar under the 6 that tells which way is up; None draws a back."""
    unit, paint = diameter_mm / 20, CHALK.colours[colour]
    letter = paint if ink_saving else readable(paint, CHALK)
    drawing.area(circle(middle, diameter_mm / 2), (255, 255, 255) if ink_saving else paint)
    drawing.outline(circle(middle, 8.9 * unit), letter, 0.35 * unit)
    if value is None:
        draw_trilith(drawing, middle, 7.5 * unit, letter)
        return
    drawing.words(middle[0], middle[1] - (0.9 * unit if value == 6 else 0.0), str(value), 9.4 * unit, letter)
    if value == 6:
        drawing.area(
            rectangle(middle[0] - 3.3 * unit, middle[1] + 5.2 * unit, 6.6 * unit, 1.0 * unit), letter
        )


def druid_face_image(colour: str, value: int | None, diameter_mm: float, px_per_mm: float) -> Picture:
    """A stone's top as uint8 (H, W, 3), BGR, upright, in a square of `diameter_mm` whose corners are INK."""
    drawing = Drawing(diameter_mm, diameter_mm)
    drawing.area(rectangle(0, 0, diameter_mm, diameter_mm), INK)
    draw_druid_face(drawing, (diameter_mm / 2, diameter_mm / 2), diameter_mm, colour, value)
    return rasterise(drawing, px_per_mm)
