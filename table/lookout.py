"""The camera over the physical table, and which of the games it watches.

It watches the game that is played at that table: when one is begun while the camera's game is over, or while
it has none, it goes on with the new one. Otherwise it stays where it is until a player says so. Which it is
stays on the disk.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.errors import HengeError
from table.camera import Eyes, Watcher
from table.errors import TableError
from table.hall import Hall
from table.table import Table


class Lookout:
    """Any thread may ask. eyes_of: makes the eyes for a table, set up for its game, players and board."""

    def __init__(
        self,
        hall: Hall,
        watcher: Watcher,
        eyes_of: Callable[[Table], Eyes],
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._hall, self._watcher, self._eyes_of = hall, watcher, eyes_of
        self._tell = tell or (lambda line: None)
        self._guard = threading.Lock()
        if watcher.table is not None:
            hall.note_watched(watcher.table.id)

    @property
    def is_there(self) -> bool:
        """Whether pictures can still come."""
        return not self._watcher.has_ended

    @property
    def table(self) -> Table | None:
        """The table that the camera watches."""
        return self._watcher.table

    def begun(self, table: Table) -> bool:
        """A new game was begun; whether the camera watches it now."""
        with self._guard:
            watched = self.table
            if not self.is_there or (watched is not None and watched.row.closed is None):
                return False
            try:
                self._turn_to(table)
            except HengeError as error:
                self._tell(f"the camera does not watch {table.row.name}: {error}")
                return False
            return True

    def watch(self, table: Table) -> None:
        """A player says that this game is played at the camera's table. Raises TableError if it is over or if
        the camera has ended, and the error of the eyes if they cannot be made."""
        with self._guard:
            if not self.is_there:
                raise TableError("there is no camera any more: start Henge anew with --camera")
            if table.row.closed is not None:
                raise TableError("this game is on the shelf: put it back on the table first")
            if table is not self.table:
                self._turn_to(table)

    def _turn_to(self, table: Table) -> None:
        self._watcher.watch(table, self._eyes_of(table))
        self._hall.note_watched(table.id)
