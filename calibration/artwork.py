"""The printed look of a board: one drawing in millimetres, for the screen, for paper and for rendered tables.

Boards made from a known layout get their own artwork; any other board gets its outlines and names.
A board is made to be read: where pieces land it is neutral in colour and framed by fine sharp print; the
fields' colours stay in rims and numerals.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2

from calibration import artwork_anthology, artwork_knizia
from calibration.drawing import Drawing, Picture, Point, box, circle, rasterise, rectangle
from calibration.styles import STYLES, Style, ink_saving as saving_ink
from engine.board import Board, Field, Marker
from engine.errors import HengeError

DRAWERS: dict[str, Callable[[Drawing, Board, Style], None]] = {
    "anthology": artwork_anthology.draw,
    "knizia": artwork_knizia.draw,
}


class ArtworkError(HengeError):
    """An artwork that was asked for and that does not exist."""


def draw_board(board: Board, style: str = "chalk", ink_saving: bool = False) -> Drawing:
    """The board's artwork. Raises ArtworkError for a style that does not exist or a tag that cannot be drawn."""
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


def draw_marker(drawing: Drawing, marker: Marker, quiet_share: float = 1 / 6) -> None:
    """An ArUco tag with a white frame of `quiet_share` of its side, cut off at the edge of the drawing."""
    (left, top), _, (right, bottom), _ = marker.corners_mm
    frame = (right - left) * quiet_share
    x0, y0 = max(0.0, left - frame), max(0.0, top - frame)
    x1, y1 = min(drawing.width_mm, right + frame), min(drawing.height_mm, bottom + frame)
    drawing.area(rectangle(x0, y0, x1 - x0, y1 - y0), (255, 255, 255))
    draw_tag(drawing, marker.corners_mm, marker.dictionary, marker.id)


def draw_tag(drawing: Drawing, corners: tuple[Point, Point, Point, Point], dictionary: str, number: int) -> None:
    """The tag's black modules between its corners (top-left, top-right, bottom-right, bottom-left)."""
    bits = tag_bits(dictionary, number)
    (x, y), (right_x, right_y), _, (down_x, down_y) = corners
    count = len(bits)
    across = ((right_x - x) / count, (right_y - y) / count)
    down = ((down_x - x) / count, (down_y - y) / count)

    def at(column: float, row: float) -> Point:
        return x + column * across[0] + row * down[0], y + column * across[1] + row * down[1]

    drawing.area([at(0, 0), at(count, 0), at(count, count), at(0, count)], (0, 0, 0))
    for row, modules in enumerate(bits):
        for start, end in _runs(modules):
            drawing.area([at(start, row), at(end, row), at(end, row + 1), at(start, row + 1)], (255, 255, 255))


def tag_bits(dictionary: str, number: int) -> list[list[bool]]:
    """The tag's modules, border included, row by row; True is white. Raises ArtworkError."""
    code = getattr(cv2.aruco, dictionary, None)
    if not dictionary.startswith("DICT_") or code is None:
        raise ArtworkError(f"no tag dictionary {dictionary}: expected a name such as DICT_4X4_50")
    tags = cv2.aruco.getPredefinedDictionary(code)
    if not 0 <= number < len(tags.bytesList):
        raise ArtworkError(f"no tag {number} in {dictionary}: it has the tags 0 to {len(tags.bytesList) - 1}")
    side = tags.markerSize + 2
    picture = cv2.aruco.generateImageMarker(tags, number, side)
    return [[bool(value > 127) for value in row] for row in picture]


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


def _runs(modules: list[bool]) -> list[tuple[int, int]]:
    """Start and end of every run of white modules in a row."""
    edges = [index for index in range(len(modules) + 1)
             if (index > 0 and modules[index - 1]) != (index < len(modules) and modules[index])]  # fmt: skip
    return list(zip(edges[::2], edges[1::2], strict=True))


__all__ = ["STYLES", "ArtworkError", "draw_board", "draw_marker", "draw_tag", "render_artwork", "tag_bits", "box",
           "circle"]  # fmt: skip
