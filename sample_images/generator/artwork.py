"""Where printed surfaces get their pictures: the board's own artwork, the kit's stickers and cards.

All pictures are uint8 RGB (H, W, 3), row 0 at the printed top."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import card_face_image
from calibration.kit.stickers import druid_face_image
from calibration.prints import any_print
from engine.board import Board
from engine.position import Piece
from sample_images.generator import stickers
from sample_images.generator.editions import EDITIONS, edition_artwork
from sample_images.generator.sets import PieceSet

Picture = NDArray[np.uint8]
FINE = 8.0  # px per mm of the artwork before it is scaled to what the picture can show


def board_picture(board: Board, style: str, px_per_mm: float) -> Picture:
    """The board's print, half again as fine as the photograph resolves it (`px_per_mm`): a finer one would
    flicker between samples, a coarser one would look soft."""
    wanted = float(np.clip(1.5 * px_per_mm, 2.0, FINE))
    drawn = _drawn(board, style)
    size = round(board.size_mm[0] * wanted), round(board.size_mm[1] * wanted)
    return cv2.cvtColor(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)


@lru_cache(maxsize=4)
def _drawn(board: Board, style: str) -> Picture:
    if style in EDITIONS:
        return edition_artwork(board, EDITIONS[style].look, FINE)
    return any_print(board, style, FINE)


def druid_picture(value: int | None, colour: str, pieces: PieceSet) -> Picture | None:
    """The sticker on a druid stone: the kit's own or the set's; None where a face-down stone is bare."""
    if pieces.druid.typeface == "kit":
        drawn = druid_face_image(colour, value, pieces.druid.sticker_diameter, 12.0)
        return cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB)
    return stickers.number_sticker(value, pieces.druid, pieces.colours[colour]) if value else None


def card_picture(piece: Piece) -> Picture:
    """A card of the kit as it lies: its face, or the back."""
    name = f"{piece.number}-{piece.phase}" if piece.number else f"trilith-{piece.colour}"
    return cv2.cvtColor(card_face_image("??" if piece.face == "down" else name, 12.0), cv2.COLOR_BGR2RGB)
