"""A page of the kit: a drawing, and perhaps a window through which the board's artwork shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reportlab.lib.units import mm

from calibration.drawing import Drawing, paint

BOARD_FORM = "board"


@dataclass(frozen=True)
class BoardWindow:
    """A rectangle of the page (mm from its top-left corner) that shows the board from (`from_x_mm`,
    `from_y_mm`) on, at `scale` (1 = true size)."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    from_x_mm: float = 0.0
    from_y_mm: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class Page:
    """The window is painted first, the drawing over it."""

    drawing: Drawing
    window: BoardWindow | None = None


def add_board(board: Drawing, canvas: Any) -> None:
    """Puts the board's artwork into the PDF once; every page with a window refers to it."""
    canvas.beginForm(BOARD_FORM, 0, 0, board.width_mm * mm, board.height_mm * mm)
    paint(board, canvas)
    canvas.endForm()


def add_page(page: Page, board: Drawing, canvas: Any) -> None:
    height_mm = page.drawing.height_mm
    canvas.setPageSize((page.drawing.width_mm * mm, height_mm * mm))
    if page.window is not None:
        _paint_window(page.window, board, height_mm, canvas)
    paint(page.drawing, canvas)
    canvas.showPage()


def _paint_window(window: BoardWindow, board: Drawing, page_height_mm: float, canvas: Any) -> None:
    canvas.saveState()
    clip = canvas.beginPath()
    low = page_height_mm - window.y_mm - window.height_mm
    clip.rect(window.x_mm * mm, low * mm, window.width_mm * mm, window.height_mm * mm)
    canvas.clipPath(clip, stroke=0, fill=0)
    # The form's origin is the board's lower left corner, the window speaks of its upper left one.
    left = window.x_mm - window.from_x_mm * window.scale
    top = window.y_mm - window.from_y_mm * window.scale
    canvas.translate(left * mm, (page_height_mm - top - board.height_mm * window.scale) * mm)
    canvas.scale(window.scale, window.scale)
    canvas.doForm(BOARD_FORM)
    canvas.restoreState()
