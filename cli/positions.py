"""Position and label files: what lies on the table, as a person or another program wrote it down."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from cli.errors import UsageError
from engine import Position
from engine.board import Board
from engine.errors import HengeError
from engine.position import fields_of


def load_position(path: str | os.PathLike[str]) -> Position:
    """The position in a file. Raises UsageError."""
    return position_of(load_json(path), path)


def load_json(path: str | os.PathLike[str]) -> Any:
    """The JSON value in a file. Raises UsageError."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot open {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a position: expected JSON text in UTF-8 ({error})") from None


def position_of(data: Any, path: str | os.PathLike[str]) -> Position:
    """The position that the file's JSON describes. Raises UsageError."""
    try:
        return Position.from_json(data)
    except HengeError as error:
        raise UsageError(f"{path} is not a position: {error}") from None


def refuse_unknown_fields(position: Position, board: Board, path: str | os.PathLike[str]) -> None:
    """Raises UsageError if something lies where the board has no field, or nowhere: most likely it was
    mistyped."""
    for piece in position:
        if piece.place is None and piece.x_mm is None:
            raise UsageError(
                f"{path}: where does the {piece.thing} lie? Expected its 'field', or x_mm and y_mm"
            )
        if piece.fields and board.neighbours and piece.fields not in board.neighbours:
            raise UsageError(f"{path}: the {piece.thing} stands on {piece.place}, which are no neighbours")
        for name in fields_of(piece.place) if piece.place else ():
            if name not in board.fields:
                raise UsageError(
                    f'{path}: the {piece.thing} lies on "{name}", but the {board.id} board has no such field '
                    f"(henge board show {board.id} lists them)"
                )
