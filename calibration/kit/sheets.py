"""Sheets that teach Henge a camera: ChArUco chessboard, colour sheet, and a ruler to check the print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2

from calibration.drawing import Colour, Drawing, rectangle
from calibration.kit.page import Page
from calibration.kit.paper import GREY, INK, MARGIN_MM, Paper, paragraph, sheet_of
from calibration.tags import draw_marker, draw_tag
from engine.board import ORDINARY_COLOURS, Board, board_from_json


@dataclass(frozen=True)
class Charuco:
    """The chessboard of the lens sheet. Its tags come from a dictionary of their own: no board has them."""

    columns: int = 6
    rows: int = 8
    square_mm: float = 30.0
    tag_mm: float = 22.0
    dictionary: str = "DICT_5X5_100"


CHARUCO = Charuco()
GREYS: dict[str, Colour] = {f"grey-{level}": (level, level, level) for level in (243, 200, 160, 122, 85, 52)}
PURE: dict[str, Colour] = {
    "pure-red": (214, 40, 40), "pure-green": (40, 160, 60), "pure-blue": (40, 70, 180),
    "pure-cyan": (0, 150, 190), "pure-magenta": (190, 40, 130), "pure-yellow": (245, 215, 40),
    "ground": (199, 192, 178), "paper": (241, 237, 227), "orange": (224, 124, 42), "violet": (98, 68, 140),
}  # fmt: skip


def charuco_board(charuco: Charuco = CHARUCO) -> Any:
    """The cv2.aruco.CharucoBoard of the sheet, in mm, for cv2.aruco.CharucoDetector."""
    tags = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, charuco.dictionary))
    return cv2.aruco.CharucoBoard((charuco.columns, charuco.rows), charuco.square_mm, charuco.tag_mm, tags)


def _colour_sheet() -> Board:
    """24 patches between four tags (DICT_4X4_100, 80-83), as a board: it is found like any other board."""
    patches = {**ORDINARY_COLOURS, **GREYS, **PURE}
    fields = [
        {
            "id": f"patch-{name}",
            "kind": "patch",
            "colour": name,
            "polygon": _square(9 + n % 6 * 27, 34 + n // 6 * 27),
        }
        for n, name in enumerate(patches)
    ]
    corners = ((4.0, 4.0), (152.0, 4.0), (152.0, 148.0), (4.0, 148.0))
    tags = [
        {"id": 80 + n, "dictionary": "DICT_4X4_100", "corners": _square(x, y)}
        for n, (x, y) in enumerate(corners)
    ]
    return board_from_json({
        "id": "colour-sheet", "size_mm": [180, 176], "fields": fields, "markers": tags, "pieces": {},
        "palette": {name: list(rgb) for name, rgb in patches.items()},
    })  # fmt: skip


def _square(x: float, y: float, side: float = 24.0) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


COLOUR_SHEET = _colour_sheet()


COLOUR_NOTES = (
    (
        "Lay this sheet beside the board, in the light in which you play, and show it to the camera once. "
        "A home printer's colours are only nearly right: the greys matter most."
    ),
    (
        "Dieses Blatt im Licht, in dem ihr spielt, neben den Plan legen und der Kamera einmal zeigen. "
        "Die Farben eines Druckers stimmen nur ungefähr: auf die Grautöne kommt es an."
    ),
)
RULER_NOTES = (
    "Lay a ruler or a bank card here. If it does not fit, print again at 100 % (“actual size”).",
    "Ein Lineal oder eine Bankkarte anlegen. Passt es nicht, mit 100 % („tatsächliche Größe“) neu drucken.",
)


def charuco_page(paper: Paper, title: str) -> Page:
    page = sheet_of(paper, title)
    spec, code = CHARUCO, charuco_board()
    left = (paper.width_mm - spec.columns * spec.square_mm) / 2
    top = (paper.height_mm - spec.rows * spec.square_mm) / 2
    for row in range(spec.rows):
        for column in range(row % 2, spec.columns, 2):
            x, y = left + column * spec.square_mm, top + row * spec.square_mm
            page.area(rectangle(x, y, spec.square_mm, spec.square_mm), (0, 0, 0))
    for number, corners in zip(code.getIds().ravel(), code.getObjPoints(), strict=True):
        a, b, c, d = ((left + float(x), top + float(y)) for x, y, _ in corners)
        draw_tag(page, (a, b, c, d), spec.dictionary, int(number))
    return Page(page)


def colour_page(paper: Paper, title: str) -> Page:
    sheet = COLOUR_SHEET
    drawing = Drawing(*sheet.size_mm)
    drawing.outline(rectangle(0, 0, *sheet.size_mm), GREY, 0.2)
    for patch in sheet.fields.values():
        drawing.area(patch.outline_mm(), sheet.colour_rgb(patch.colour or ""))
        drawing.outline(patch.outline_mm(), INK, 0.15)
    for marker in sheet.markers:
        draw_marker(drawing, marker, 0.0)
    drawing.words(90, 16, "henge colours", 5.0, INK)
    page = sheet_of(paper, title)
    page.place(drawing, (paper.width_mm - sheet.size_mm[0]) / 2, MARGIN_MM + 8)
    y = MARGIN_MM + 192.0
    for note in COLOUR_NOTES:
        y = paragraph(page, (MARGIN_MM + 5, y), paper.usable_mm[0] - 10, note, 2.4) + 2
    return Page(page)


def ruler_page(paper: Paper, title: str) -> Page:
    """Two rulers, a 100 mm square and a bank card's outline: any of them betrays a scaled print."""
    page = sheet_of(paper, title)
    left, top = MARGIN_MM + 12, MARGIN_MM + 14
    _ruler(page, left, top, 160, along_x=True)
    _ruler(page, left, top + 14, 220, along_x=False)
    page.outline(rectangle(left + 20, top + 24, 100, 100), INK, 0.2)
    page.words(left + 70, top + 74, "100 x 100 mm", 4.0, INK)
    page.outline(rectangle(left + 20, top + 138, 85.6, 53.98), INK, 0.2)
    page.words(left + 62.8, top + 165, "bank card 85.6 x 54 mm", 3.0, INK)
    y = top + 196.0
    for note in RULER_NOTES:
        y = paragraph(page, (left + 20, y), 130, note, 2.6) + 2
    return Page(page)


def _ruler(page: Drawing, x: float, y: float, length_mm: int, along_x: bool) -> None:
    for millimetre in range(length_mm + 1):
        tick = 6.0 if millimetre % 10 == 0 else 4.5 if millimetre % 5 == 0 else 3.0
        if along_x:
            page.line([(x + millimetre, y), (x + millimetre, y - tick)], INK, 0.15)
        else:
            page.line([(x, y + millimetre), (x - tick, y + millimetre)], INK, 0.15)
        if millimetre % 10 == 0:
            place = (x + millimetre, y - 8) if along_x else (x - 8.5, y + millimetre)
            page.words(*place, str(millimetre), 1.9, INK, font="regular")
    end = (x + length_mm, y) if along_x else (x, y + length_mm)
    page.line([(x, y), end], INK, 0.15)
