"""Puts the kit's pages together and writes them as a PDF: vectors in true millimetres, fonts included."""

from __future__ import annotations

import io
import os
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from calibration.artwork import draw_board
from calibration.kit.cardpages import card_pages
from calibration.kit.instructions import instruction_page
from calibration.kit.page import Page, add_board, add_page
from calibration.kit.paper import PAPERS, Paper, tile_board
from calibration.kit.sheets import charuco_page, colour_page, ruler_page
from calibration.kit.stickers import sticker_pages
from calibration.kit.tiles import tile_page
from engine.board import Board
from engine.errors import HengeError


class KitError(HengeError):
    """A kit that cannot be made as asked."""


def make_kit(
    board: Board,
    paper: Paper | str,
    path: str | os.PathLike[str],
    ink_saving: bool = False,
    style: str = "chalk",
) -> int:
    """Writes the kit and returns its number of pages. Raises KitError or ArtworkError."""
    sheet = paper if isinstance(paper, Paper) else _paper(paper)
    artwork = draw_board(board, style, ink_saving)
    pages = kit_pages(board, sheet, ink_saving, style)
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setTitle(f"Henge: {board.id}")
    add_board(artwork, canvas)
    for page in pages:
        add_page(page, artwork, canvas)
    canvas.save()
    try:
        Path(path).write_bytes(buffer.getvalue())
    except OSError as error:
        raise KitError(f"cannot write the kit to {os.fspath(path)}: {error.strerror or error}") from None
    return len(pages)


def kit_pages(board: Board, paper: Paper, ink_saving: bool = False, style: str = "chalk") -> list[Page]:
    """All pages in order: instructions, the board's tiles, stickers, cards, calibration sheets."""
    artwork = draw_board(board, style, ink_saving)
    tiling = tile_board(artwork.width_mm, artwork.height_mm, paper)
    title = f"henge · {board.id} · {paper.name}"
    druid = board.pieces.get("druid")
    cards = "card" in board.pieces
    stone_mm = druid.diameter_mm if druid else None
    pages = [
        instruction_page(language, paper, tiling, artwork, title, cards, stone_mm)
        for language in ("en", "de")
    ]
    pages += [tile_page(tiling, tile, title) for tile in tiling.tiles]
    pages += sticker_pages(druid, paper, title, ink_saving) if druid else []
    pages += card_pages(paper, title, ink_saving) if cards else []
    return [*pages, charuco_page(paper, title), colour_page(paper, title), ruler_page(paper, title)]


def _paper(name: str) -> Paper:
    if name.lower() not in PAPERS:
        raise KitError(f"no paper {name}: expected one of {', '.join(PAPERS)}")
    return PAPERS[name.lower()]
