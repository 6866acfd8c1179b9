"""Reading photographs for tables: one reader each, which keeps its lock on the board between pictures; and
how well a table's camera sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from calibration.shelf import Shelf
from engine import Observation
from engine.board import load_board
from table import Table
from vision import Reader
from vision.calibrating.health import Health, view_health
from vision.pictures.images import load_image


class PhotoReader:
    """Called with a table and a picture file's bytes; reads one picture at a time.

    board_of: id or file of the board that was named for a table, or None. Raises vision.CannotRead in one
    sentence."""

    def __init__(self, board_of: Callable[[Table], str | None] = lambda table: None) -> None:
        self._board_of = board_of
        self._readers: dict[str, Reader] = {}
        self._last: dict[str, Observation] = {}
        self._guard = threading.Lock()

    def __call__(self, table: Table, jpeg: bytes) -> Observation:
        with self._guard:
            reader, lesson = self._readers.get(table.id), table.take_lesson(self._last.get(table.id))
            if reader is None:
                game = table.state.game
                known = Shelf().of_table(table.id)
                profile = Shelf().load(known) if known else None
                board = self._board_of(table) or (profile.board if profile else game.board)
                reader = Reader(board, game=game.id, players=table.players, profile=profile)
                self._readers[table.id] = reader
            elif lesson is not None:
                reader.learn(lesson)
            view = table.view
            before = view.observation.position if view else None
            self._last[table.id] = reader.read(load_image(jpeg), before=before)
            return self._last[table.id]


def health_of(table: Table) -> Health | None:
    """How well the camera sees the table, from its last picture and what was read in it; None without one."""
    view = table.view
    jpeg = None if view is None else view.jpeg or (table.photo(view.photo) if view.photo else None)
    if view is None or jpeg is None:
        return None
    name = Shelf().of_table(table.id)
    profile = Shelf().load(name) if name else None
    board = profile.board if profile else load_board(table.state.game.board)
    corners = np.array(view.observation.corners_px, float) if view.observation.corners_px else None
    return view_health(load_image(jpeg), board, corners_px=corners, unseen=tuple(view.observation.unseen))
