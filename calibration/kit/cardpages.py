"""The 65 cards, edge to edge on as few sheets as possible, each sheet followed by its backs."""

from __future__ import annotations

from calibration.cards import BACK, LENGTH_MM, WIDTH_MM, draw_card
from calibration.drawing import Drawing
from calibration.kit.page import Page
from calibration.kit.paper import GREY, MARGIN_MM, Paper, sheet_of
from engine.cards import ALL_CARDS


def card_pages(paper: Paper, title: str, ink_saving: bool) -> list[Page]:
    """Faces and backs in turn, so that they meet when printed on both sides (turned over the long edge)."""
    columns, rows = (
        int(side // size) for side, size in zip(paper.usable_mm, (WIDTH_MM, LENGTH_MM), strict=True)
    )
    pages = []
    for start in range(0, len(ALL_CARDS), columns * rows):
        cards = ALL_CARDS[start : start + columns * rows]
        for side in ("face", "back"):
            page = sheet_of(paper, f"{title} · {start + 1}-{start + len(cards)} {side}")
            left = MARGIN_MM + (paper.usable_mm[0] - columns * WIDTH_MM) / 2
            top = MARGIN_MM + (paper.usable_mm[1] - rows * LENGTH_MM) / 2
            for index, card in enumerate(cards):
                column, row = index % columns, index // columns
                if side == "back":  # the sheet is turned over: left becomes right
                    column = columns - 1 - column
                shown = draw_card(card if side == "face" else BACK, ink_saving)
                page.place(shown, left + column * WIDTH_MM, top + row * LENGTH_MM)
            _cut_marks(page, left, top, columns, -(-len(cards) // columns))
            pages.append(Page(page))
    return pages


def _cut_marks(page: Drawing, left: float, top: float, columns: int, rows: int) -> None:
    """Marks outside the block of cards at every cut, and hairlines along the cuts."""
    right, bottom = left + columns * WIDTH_MM, top + rows * LENGTH_MM
    for column in range(columns + 1):
        x = left + column * WIDTH_MM
        page.line([(x, top), (x, bottom)], (205, 205, 203), 0.1)
        for start, end in ((top - 1, top - 5), (bottom + 1, bottom + 4)):
            page.line([(x, start), (x, end)], GREY, 0.15)
    for row in range(rows + 1):
        y = top + row * LENGTH_MM
        page.line([(left, y), (right, y)], (205, 205, 203), 0.1)
        for start, end in ((left - 1, left - 5), (right + 1, right + 5)):
            page.line([(start, y), (end, y)], GREY, 0.15)
