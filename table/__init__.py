"""One live physical table, and any number of them side by side.

hall = Hall(folder)
table = hall.create("build", ("red", "blue", "green"), name="Friday evening")
table.play("...", by="person")     table.undo()     table.see(observation, jpeg)
table.status                       what the page shows in large letters
Lookout(hall, watcher, eyes_of)    which of the tables the camera watches
table.wait(after=event_id)         events, each on the disk before it is announced
"""

from table.errors import (
    LogRefused,
    NoSuchTable,
    NotKept,
    TableError,
    TableInUse,
    UnreadableStore,
    UnreadableTable,
)
from table.hall import Hall
from table.lookout import Lookout
from table.status import Event, Status, View
from table.table import Table

__all__ = [
    "Event",
    "Hall",
    "LogRefused",
    "Lookout",
    "NoSuchTable",
    "NotKept",
    "Status",
    "Table",
    "TableError",
    "TableInUse",
    "UnreadableStore",
    "UnreadableTable",
    "View",
]
