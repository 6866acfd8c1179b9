"""The printed look of a board: one drawing in millimetres, for the screen, for paper and for rendered tables.

Boards made from a known layout get their own artwork; any other board gets its outlines and names.
A board is made to be read: where pieces land it is neutral in colour and framed by fine sharp print; the
fields' colours stay in rims and numerals.
"""

from __future__ import annotations

from collections.abc import Callable

from calibration import artwork_anthology, artwork_knizia
from calibration.drawing import Drawing, Picture, rasterise, rectangle
from calibration.styles import STYLES, Style
from calibration.styles import ink_saving as saving_ink
from calibration.tags import draw_marker
from engine.board import Board, Field
from engine.errors import HengeError

DRAWERS: dict[str, Callable[[Drawing, Board, Style], None]] = {
    "anthology": artwork_anthology.draw,
    "knizia": artwork_knizia.draw,
}


class ArtworkError(HengeError):
    """An artwork that was asked for and that does not exist."""


def draw_board(board: Board, style: str = "chalk", ink_saving: bool = False) -> Drawing:
    """The board's artwork. Raises ArtworkError or TagError."""
    if style not in STYLES:
        raise ArtworkError(f"no artwork style {style}: expected one of {', '.join(STYLES)}")
    look = saving_ink(STYLES[style]) if ink_saving else STYLES[style]
    drawing = Drawing(*board.size_mm)
    drawing.area(rectangle(0, 0, *board.size_mm), look.paper)
    DRAWERS.get(_layout(board), draw_plain)(drawing, board, look)
    for marker in board.markers:
        draw_marker(drawing, marker)
    return drawing


def render_artwork(
    board: Board, px_per_mm: float = 4.0, ink_saving: bool = False, style: str = "chalk"
) -> Picture:
    """Top view as uint8 (H, W, 3), BGR; x right, y down.

    Pixel (c, r) has its centre at ((c + 0.5) / px_per_mm, (r + 0.5) / px_per_mm) mm on the board.
    """
    return rasterise(draw_board(board, style, ink_saving), px_per_mm)


def draw_plain(drawing: Drawing, board: Board, look: Style) -> None:
    """For boards of unknown layout: every field's outline, and its name where there is room for it."""
    frame = 1.5
    drawing.outline(
        rectangle(frame, frame, drawing.width_mm - 2 * frame, drawing.height_mm - 2 * frame), look.ink, 0.4
    )
    for each in board.fields.values():
        drawing.area(each.outline_mm(), look.ground)
    for each in board.fields.values():
        _plain_field(drawing, each, look)


def _plain_field(drawing: Drawing, each: Field, look: Style) -> None:
    rim = look.colours.get(each.colour or "", look.ink)
    drawing.outline(each.outline_mm(), rim, 0.8 if each.colour else 0.3)
    name = each.id.removeprefix(f"{each.kind}-")
    cap_mm = min(5.0, 0.45 * each.radius_mm, 2.2 * each.radius_mm / max(1, len(name)))
    drawing.words(*each.centre_mm, name, cap_mm, look.etch, font="regular")


def _layout(board: Board) -> str:
    """The layout whose artwork fits this board: its fields must be complete; else the plain drawing."""
    name = str(board.extra.get("layout", ""))
    needed = {"anthology": artwork_anthology.KINDS, "knizia": artwork_knizia.KINDS}.get(name, {})
    complete = all(len(board.fields_of_kind(kind)) == count for kind, count in needed.items())
    return name if complete else ""
