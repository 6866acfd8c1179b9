"""The eyes of the tables that one camera watches, one after the other."""

from __future__ import annotations

from calibration.profile import Profile
from calibration.shelf import Shelf
from cli.profiles import reader_for
from engine.board import Board, load_board
from table import Table
from vision import Reader


class EyesOfTables:
    """Called with a table that was begun later: a reader for its board, game and players.

    board: id or file of the board named on the command line; it is meant for every game that is played on the
    same board as that of the table `first`. profile: the one named there. A table without a profile of its
    own is read with the one named, or with that of the table before, if its game is played on that board: it
    is the same camera over the same table."""

    def __init__(self, board: str | None, profile: str | None, first: Table | None) -> None:
        self._board, self._profile = board, profile
        named = load_board(board) if board else None
        self._played_on = first.game.board if first else named and _layout(named)
        self._last = Shelf().of_table(first.id) if first else None

    def board_of(self, table: Table) -> str | None:
        """The board that was named, if the game is played on it."""
        return self._board if self._played_on == table.game.board else None

    def __call__(self, table: Table) -> Reader:
        """Raises ProfileError, BoardError."""
        return reader_for(table.game.id, table.players, self.board_of(table), self._profile_of(table))

    def _profile_of(self, table: Table) -> Profile | None:
        shelf = Shelf()
        for name in (shelf.of_table(table.id), self._profile, self._last):
            profile = shelf.load(name) if name else None
            if name and profile and table.game.board in (profile.board.id, _layout(profile.board)):
                if name in shelf.names():
                    shelf.remember(table.id, name)
                    self._last = name
                return profile
        return None


def _layout(board: Board) -> str:
    """The board of ours whose fields it has."""
    return str(board.extra.get("layout") or board.id)
