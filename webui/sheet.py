"""The score sheet of a game: one page with the totals, what they are made of, their curve and the last moves.

One drawing in millimetres becomes the PDF and the picture.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

import cv2
from reportlab.pdfgen.canvas import Canvas

from calibration.drawing import Colour, Drawing, circle, paint, rasterise, rectangle
from engine import Action
from engine.words import Language, translate_word

WIDTH_MM, HEIGHT_MM, EDGE_MM = 210.0, 297.0, 18.0
INK: Final[Colour] = (29, 36, 48)
STONE: Final[Colour] = (93, 98, 105)
HAIR: Final[Colour] = (216, 211, 199)
PAINTS: Final[Mapping[str, Colour]] = {
    "white": (207, 201, 184), "blue": (38, 84, 158), "green": (52, 122, 66), "yellow": (224, 176, 42),
    "red": (186, 44, 38), "black": (38, 37, 38), "brown": (112, 72, 48),
}  # fmt: skip
MOST_MOVES = 84
COLUMNS = 3
PT_PER_MM = 72 / 25.4
PX_PER_MM = 6.0
WORDS: Final = {
    "en": {"scores": "Score", "curve": "How it came about", "moves": "Moves", "total": "Total",
           "more": "the first {n} moves stand in the log"},
    "de": {"scores": "Punkte", "curve": "Wie es dazu kam", "moves": "Züge", "total": "Summe",
           "more": "die ersten {n} Züge stehen in der Aufzeichnung"},
}  # fmt: skip


def draw_sheet(
    table: Mapping[str, Any], moves: Sequence[tuple[str, Action]], language: Language = "en"
) -> Drawing:
    """The sheet of a table as the page sees it (`Gallery.snapshot`), with the moves that stand
    (`Table.moves_made`); language "en" or "de"."""
    sheet, words = Drawing(WIDTH_MM, HEIGHT_MM), WORDS[language]
    sheet.area(rectangle(0, 0, WIDTH_MM, HEIGHT_MM), (255, 255, 255))
    _left(sheet, EDGE_MM, 24, table["title"][language], 6.0)
    _left(sheet, EDGE_MM, 34, _heading(table), 2.6, STONE, "regular")
    y = _scores(sheet, 48, table, language, words)
    y = _curve(sheet, y + 10, table, words)
    _moves(sheet, y + 10, moves, language, words)
    return sheet


def as_pdf(sheet: Drawing) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH_MM * PT_PER_MM, HEIGHT_MM * PT_PER_MM), invariant=True)
    canvas.scale(PT_PER_MM, PT_PER_MM)
    paint(sheet, canvas)
    canvas.save()
    return file.getvalue()


def as_png(sheet: Drawing) -> bytes:
    return bytes(cv2.imencode(".png", rasterise(sheet, PX_PER_MM))[1].tobytes())


def _heading(table: Mapping[str, Any]) -> str:
    name = "" if table["name"] == table["id"] else table["name"]
    return "  ·  ".join(filter(None, (name, table["created"][:10], table["created"][11:16])))


def _scores(
    sheet: Drawing, y: float, table: Mapping[str, Any], language: str, words: Mapping[str, str]
) -> float:
    players, scores = table["players"], table["moment"]["scores"]
    _section(sheet, y, words["scores"])
    columns = [WIDTH_MM - EDGE_MM - 24 * (len(players) - 1 - i) - 10 for i in range(len(players))]
    for x, player in zip(columns, players, strict=True):
        sheet.area(circle((x, y + 9), 2.6), PAINTS.get(player, STONE))
        sheet.outline(circle((x, y + 9), 2.6), INK, 0.25)
        won = player in table["moment"]["winners"]
        sheet.words(x, y + 16, translate_word(player, language), 2.3, INK, font="bold" if won else "regular")
    y += 24
    for label, points in _rows(players, scores, language):
        _left(sheet, EDGE_MM, y, label, 2.3, INK, "regular")
        for x, value in zip(columns, points, strict=True):
            sheet.words(x, y, str(value) if value else "–", 2.3, INK if value else STONE, font="regular")
        y += 6.5
    sheet.line([(EDGE_MM, y - 2.6), (WIDTH_MM - EDGE_MM, y - 2.6)], INK, 0.4)
    unit = scores[players[0]]["unit"][language]
    _left(sheet, EDGE_MM, y + 3, f"{words['total']} ({unit})", 2.8)
    for x, player in zip(columns, players, strict=True):
        sheet.words(x, y + 3, str(scores[player]["total"]), 3.6, INK)
    return y + 8


def _rows(players: Sequence[str], scores: Mapping[str, Any], language: str) -> list[tuple[str, list[int]]]:
    """Every kind of points that somebody has: its name, and the points of each player."""
    rows: dict[str, tuple[str, list[int]]] = {}
    for i, player in enumerate(players):
        for part in scores[player]["parts"]:
            row = rows.setdefault(part["key"], (part["label"][language], [0] * len(players)))
            row[1][i] += part["points"]
    return [(label[:70], points) for label, points in rows.values() if any(points)][:18]


def _curve(sheet: Drawing, y: float, table: Mapping[str, Any], words: Mapping[str, str]) -> float:
    totals, height = table["curve"], 34.0
    if len(totals) < 3:
        return y
    _section(sheet, y, words["curve"])
    top, width = y + 7, WIDTH_MM - 2 * EDGE_MM
    values = [value for moment in totals for value in moment.values()]
    low, high = min(0, *values), max(1, *values)
    sheet.line([(EDGE_MM, top + height), (EDGE_MM + width, top + height)], HAIR, 0.3)
    for player in table["players"]:
        points = [
            (
                EDGE_MM + width * i / (len(totals) - 1),
                top + height * (1 - (each[player] - low) / (high - low)),
            )
            for i, each in enumerate(totals)
        ]
        sheet.line(points, PAINTS.get(player, STONE), 0.7)
    return top + height


def _moves(
    sheet: Drawing, y: float, told: Sequence[tuple[str, Action]], language: Language, words: Mapping[str, str]
) -> None:
    room = int((HEIGHT_MM - EDGE_MM - y - 8) / 4.6) * COLUMNS
    left_out = max(0, len(told) - min(room, MOST_MOVES))
    _section(sheet, y, words["moves"] + (f"  ({words['more'].format(n=left_out)})" if left_out else ""))
    rows = -(-(len(told) - left_out) // COLUMNS)
    for i, (player, action) in enumerate(told[left_out:]):
        column, row = divmod(i, max(rows, 1))
        x, line = EDGE_MM + column * (WIDTH_MM - 2 * EDGE_MM) / COLUMNS, y + 9 + row * 4.6
        sheet.area(circle((x + 1.2, line), 1.1), PAINTS.get(player, STONE))
        _left(sheet, x + 4, line, _short(f"{left_out + i + 1}. {action.text(language)}"), 1.7, INK, "regular")


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _section(sheet: Drawing, y: float, words: str) -> None:
    _left(sheet, EDGE_MM, y, words, 2.6, STONE)
    sheet.line([(EDGE_MM, y + 3.4), (WIDTH_MM - EDGE_MM, y + 3.4)], HAIR, 0.3)


def _left(
    sheet: Drawing, x: float, y: float, text: str, cap_mm: float, colour: Colour = INK, font: str = "bold"
) -> None:
    sheet.words(x, y, text, cap_mm, colour, font=font, align=-1)
