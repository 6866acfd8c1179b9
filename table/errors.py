"""What goes wrong at a table.

HengeError
  x TableError     the table cannot do that now; the text says why
      x TableInUse       another Henge has this folder open
      x NoSuchTable      no table or past game with that id
      x UnreadableStore  the file of tables is damaged, or of a newer Henge
      x UnreadableTable  what is kept of one table cannot have been
      x NotKept          the disk is full or may not be written to; nothing was changed
  x StateError     a log or state that contradicts itself
      x LogRefused       a log that cannot be imported
"""

from __future__ import annotations

from engine.errors import HengeError, StateError
from engine.log import Problem


class TableError(HengeError):
    """The table cannot do that now."""


class TableInUse(TableError):
    """Another process keeps its tables in this folder."""


class NoSuchTable(TableError):
    """There is no table with that id."""


class UnreadableStore(TableError):
    """The file of tables is damaged, or was written by a newer version."""


class UnreadableTable(TableError):
    """The record of one table is damaged, or not possible by the rules of this version."""


class NotKept(TableError):
    """The disk does not take what is to be kept."""


class LogRefused(StateError):
    """A log that cannot be imported, with what is wrong in it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"this log cannot be imported: {problem}")
        self.problem = problem
