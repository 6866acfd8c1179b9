"""Reading photographs for tables: one reader each, which keeps its lock on the board between pictures."""

from __future__ import annotations

import threading

from calibration.shelf import Shelf
from engine import Observation
from table import Table
from vision import Reader
from vision.images import load_image


class PhotoReader:
    """Called with a table and a picture file's bytes; reads one picture at a time.

    Raises vision.CannotRead in one sentence."""

    def __init__(self) -> None:
        self._readers: dict[str, Reader] = {}
        self._guard = threading.Lock()

    def __call__(self, table: Table, jpeg: bytes) -> Observation:
        with self._guard:
            reader = self._readers.get(table.id)
            if reader is None:
                game = table.state.game
                known = Shelf().of_table(table.id)
                profile = Shelf().load(known) if known else None
                board = profile.board if profile else game.board
                reader = Reader(board, game=game.id, players=table.players, profile=profile)
                self._readers[table.id] = reader
            view = table.view
            before = view.observation.position if view else None
            return reader.read(load_image(jpeg), before=before)
