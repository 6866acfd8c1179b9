"""Views of a table for page tests: what a perfect reader would say of a position, and a flat picture of it
(the printed board seen aslant, pieces as plain discs). Nothing here is read by `vision`."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from engine import Observation, Piece, Position, Thing
from engine.board import load_board
from engine.observation import Belief, certain

CORNERS_PX = ((250.0, 90.0), (1010.0, 70.0), (1180.0, 660.0), (110.0, 690.0))
SIZE_PX = (1280, 720)
PX_PER_MM = 2.0


def view_of(position: Position, beliefs: dict[str, Belief] | None = None) -> tuple[Observation, bytes]:
    """What is seen of `position`; `beliefs` replaces what is thought of single places."""
    board = load_board(position.board)
    places = tuple(each.id for each in board.fields.values() if each.kind not in ("slot", "pit", "yard"))
    sure = certain(position, places)
    fields = {**sure.fields, **(beliefs or {})}
    seen = Observation(position.board, fields, position, corners_px=CORNERS_PX, quality={"tags": 4})
    return seen, _jpeg(position)


def with_piece(position: Position, piece: Piece) -> Position:
    return Position(position.board, (*position.pieces, piece), position.game)


def stone(colour: str, value: int) -> Thing:
    return Thing("druid", colour, value=value)


@cache
def _printed(board: str) -> NDArray[np.uint8]:
    return render_artwork(load_board(board), PX_PER_MM)


def _jpeg(position: Position) -> bytes:
    board = load_board(position.board)
    flat = _printed(position.board).copy()
    for piece in position.pieces:
        field = board.fields.get(piece.field or "")
        if field is not None:
            at = tuple(round(v * PX_PER_MM) for v in field.centre_mm)
            cv2.circle(flat, at, 18, board.colour_rgb(piece.colour or "grey")[::-1], -1, cv2.LINE_AA)
    height, width = flat.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    aslant = cv2.getPerspectiveTransform(corners, np.array(CORNERS_PX, np.float32))
    table = np.full((SIZE_PX[1], SIZE_PX[0], 3), (52, 70, 96), np.uint8)
    cv2.warpPerspective(flat, aslant, SIZE_PX, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return bytes(cv2.imencode(".jpg", table, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
