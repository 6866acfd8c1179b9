"""Where the evenings are kept: one SQLite file in a folder, and the photographs beside it.

    FOLDER/henge.sqlite             the tables and everything that happened at them
    FOLDER/photos/TABLE/0007.jpg    the picture from which something was recorded
    FOLDER/henge.lock               held by the one process that uses the folder

WAL mode with full sync: when `append` returns, the event is on the disk, and a process or machine that
dies at any moment leaves the file as of the last event. Events are only ever added.

Schema (see SCHEMA for the columns): `version` holds one number. `tables` holds one row per game played.
`events` holds, per table and with increasing ids, kind and JSON data of

    opened   a process began to use the table; its ids begin a new million, so that the ids of events
             that are not stored (pictures, a hand over the board) never come twice
    entry    one entry of the record, as `engine.record.Entry.to_json` writes it
    status   a question or an alarm, or that it is over
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from table.errors import NoSuchTable, NotKept, TableInUse, UnreadableStore

# Each script leads from one version of the schema to the next; the first makes version 1.
SCHEMA: Final = (
    """
    CREATE TABLE version (number INTEGER NOT NULL);
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        game TEXT NOT NULL,          -- "build"
        players TEXT NOT NULL,       -- JSON list of colours in seat order
        variant TEXT NOT NULL,       -- JSON object
        start TEXT,                  -- JSON state the record begins with; NULL: as the rules say
        created TEXT NOT NULL        -- ISO 8601
    );
    CREATE TABLE events (
        table_id TEXT NOT NULL REFERENCES tables(id),
        id INTEGER NOT NULL,
        kind TEXT NOT NULL,          -- opened, entry, status
        data TEXT NOT NULL,          -- JSON object
        PRIMARY KEY (table_id, id)
    ) WITHOUT ROWID;
    """,
    # 2: a finished game stands on the shelf and is listed without being replayed.
    """
    ALTER TABLE tables ADD COLUMN closed TEXT;           -- ISO 8601; NULL: still on the table
    ALTER TABLE tables ADD COLUMN result TEXT NOT NULL DEFAULT '';
    """,
    # 3: a player takes a seat with a PIN, of which only a salted hash is kept.
    """
    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables(id),
        player TEXT NOT NULL,
        salt BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (table_id, player)
    ) WITHOUT ROWID;
    """,
    # 4: which table the camera watches is known after a restart; no row or one.
    """
    CREATE TABLE camera (table_id TEXT NOT NULL REFERENCES tables(id));
    """,
)
VERSION: Final = len(SCHEMA)
BLOCK: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class TableRow:
    """What the store knows of a table without replaying it."""

    id: str
    name: str
    game: str
    players: tuple[str, ...]
    variant: Mapping[str, Any]
    start: Mapping[str, Any] | None
    created: str
    closed: str | None = None
    result: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "name": self.name, "game": self.game, "players": list(self.players),
            "variant": dict(self.variant), "created": self.created, "closed": self.closed,
            "result": self.result,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredEvent:
    id: int
    kind: str
    data: Mapping[str, Any]


class Store:
    """The tables of one folder. One process at a time; any number of threads."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Opens or makes the folder. Raises TableInUse if another process has it, UnreadableStore
        for a damaged file or one of a newer version; an older one is brought up to date."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock_file = _lock(self.folder)
        self._guard = threading.RLock()
        try:
            self._db = _open(self.folder / "henge.sqlite")
        except BaseException:
            self._lock_file.close()
            raise

    def close(self) -> None:
        with self._guard:
            self._db.close()
            self._lock_file.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raises UnreadableStore."""
        try:
            with self._guard:
                yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise UnreadableStore(
                f"{self.folder / 'henge.sqlite'} cannot be read ({error}): put a copy of it there, or choose "
                "another folder"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One change of the file, whole or not at all. Raises NotKept, UnreadableStore."""
        with self._reading(), _keeping(self.folder), self._db:
            yield

    # --- tables ------------------------------------------------------------------------------------

    def add_table(self, row: TableRow) -> None:
        start = None if row.start is None else json.dumps(row.start)
        values = (row.id, row.name, row.game, json.dumps(row.players), json.dumps(dict(row.variant)), start,
                  row.created)  # fmt: skip
        with self._writing():
            self._db.execute(
                "INSERT INTO tables (id, name, game, players, variant, start, created)"
                " VALUES (?,?,?,?,?,?,?)",
                values,
            )

    def table(self, table_id: str) -> TableRow:
        """Raises NoSuchTable."""
        with self._reading():
            row = self._db.execute(f"{_SELECT} WHERE id = ?", (table_id,)).fetchone()
        if row is None:
            raise NoSuchTable(f"there is no table {table_id!r} in {self.folder}")
        return _row(row)

    def tables(self) -> tuple[TableRow, ...]:
        """All tables, oldest first."""
        with self._reading():
            rows = self._db.execute(f"{_SELECT} ORDER BY created, rowid").fetchall()
        return tuple(map(_row, rows))

    def set_closed(self, table_id: str, closed: str | None, result: str) -> None:
        """Puts a game on the shelf (a time), or back on the table (None)."""
        with self._writing():
            self._db.execute(
                "UPDATE tables SET closed = ?, result = ? WHERE id = ?", (closed, result, table_id)
            )

    def rename(self, table_id: str, name: str) -> None:
        with self._writing():
            self._db.execute("UPDATE tables SET name = ? WHERE id = ?", (name, table_id))

    # --- camera ------------------------------------------------------------------------------------

    def watched(self) -> str | None:
        """The id of the table that the camera watched last."""
        with self._reading():
            row = self._db.execute("SELECT table_id FROM camera").fetchone()
        return None if row is None else str(row[0])

    def set_watched(self, table_id: str) -> None:
        with self._writing():
            self._db.execute("DELETE FROM camera")
            self._db.execute("INSERT INTO camera (table_id) VALUES (?)", (table_id,))

    # --- seats -------------------------------------------------------------------------------------

    def seats(self, table_id: str) -> tuple[str, ...]:
        """The players of the table whose seat is taken."""
        with self._reading():
            rows = self._db.execute("SELECT player FROM seats WHERE table_id = ?", (table_id,)).fetchall()
        return tuple(player for (player,) in rows)

    def take_seat(self, table_id: str, player: str, salt: bytes, digest: bytes) -> tuple[bytes, bytes]:
        """Keeps salt and hash for a free seat; returns those that are kept for it."""
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO seats (table_id, player, salt, hash) VALUES (?,?,?,?)",
                (table_id, player, salt, digest),
            )
            kept: tuple[bytes, bytes] = self._db.execute(
                "SELECT salt, hash FROM seats WHERE table_id = ? AND player = ?", (table_id, player)
            ).fetchone()
        return kept

    def free_seat(self, table_id: str, player: str) -> None:
        with self._writing():
            self._db.execute("DELETE FROM seats WHERE table_id = ? AND player = ?", (table_id, player))

    # --- events ------------------------------------------------------------------------------------

    def begin_block(self, table_id: str) -> int:
        """Notes that the table was opened; returns that event's id, the first of a new million."""
        with self._reading():
            (last,) = self._db.execute(
                "SELECT coalesce(max(id), 0) FROM events WHERE table_id = ?", (table_id,)
            ).fetchone()
            event_id: int = (last // BLOCK + 1) * BLOCK
            self.append(table_id, event_id, "opened", {})
        return event_id

    def append(self, table_id: str, event_id: int, kind: str, data: Mapping[str, Any]) -> None:
        """Adds an event. When this returns, it is on the disk. Raises NotKept."""
        self.append_all(table_id, ((event_id, kind, data),))

    def append_all(self, table_id: str, events: Any) -> None:
        """Adds events (id, kind, data) together: all of them or none. Raises NotKept."""
        rows = [(table_id, event_id, kind, json.dumps(dict(data))) for event_id, kind, data in events]
        with self._writing():
            self._db.executemany("INSERT INTO events (table_id, id, kind, data) VALUES (?,?,?,?)", rows)

    def events(self, table_id: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """The table's events with an id greater than `after`, in order."""
        with self._reading():
            rows = self._db.execute(
                "SELECT id, kind, data FROM events WHERE table_id = ? AND id > ? ORDER BY id",
                (table_id, after),
            ).fetchall()
        return tuple(StoredEvent(event_id, kind, json.loads(data)) for event_id, kind, data in rows)

    # --- photographs -------------------------------------------------------------------------------

    def keep_photo(self, table_id: str, name: str, jpeg: bytes) -> None:
        """Writes the picture so that it is there, whole, before anything refers to it. Raises NotKept."""
        path = self.photo_path(table_id, name)
        part = path.with_suffix(".part")
        with _keeping(self.folder):
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(jpeg)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)

    def photo_path(self, table_id: str, name: str) -> Path:
        return self.folder / "photos" / table_id / Path(name).name


def one_line(name: str) -> str:
    """A name as a log can hold it."""
    return " ".join(name.split())


_SELECT = "SELECT id, name, game, players, variant, start, created, closed, result FROM tables"


def _row(row: tuple[Any, ...]) -> TableRow:
    table_id, name, game, players, variant, start, created, closed, result = row
    parsed = None if start is None else json.loads(start)
    return TableRow(
        table_id, name, game, tuple(json.loads(players)), json.loads(variant), parsed, created, closed, result
    )


@contextmanager
def _keeping(folder: Path) -> Iterator[None]:
    """What goes wrong on the disk meanwhile, in one sentence. Raises NotKept."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise NotKept(f"nothing can be kept in {folder} ({reason}): make room there, then go on") from error


def _lock(folder: Path) -> TextIO:
    """The folder's lock; the operating system lets go of it when the process ends, however it ends."""
    path = folder / "henge.lock"
    file = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        process = file.read().strip() or "unknown"
        file.close()
        raise TableInUse(
            f"another henge (process {process}) keeps its tables in {folder}: "
            "close that one, or choose another folder"
        ) from None
    file.seek(0)
    file.truncate()
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        _upgrade(db, path)
    except sqlite3.DatabaseError as error:
        db.close()
        raise UnreadableStore(f"{path} is no file of tables that Henge can read: {error}") from None
    except BaseException:
        db.close()
        raise
    return db


def _upgrade(db: sqlite3.Connection, path: Path) -> None:
    """Brings the schema to VERSION; each step is done whole or not at all."""
    has_version = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'version'").fetchone()
    found = db.execute("SELECT number FROM version").fetchone()[0] if has_version else 0
    if found > VERSION:
        raise UnreadableStore(
            f"{path} has schema {found}; this Henge knows up to {VERSION}: use the newer Henge"
        )
    for number in range(found, VERSION):
        mark = "UPDATE version SET number = {0}" if number else "INSERT INTO version VALUES ({0})"
        db.executescript(f"BEGIN IMMEDIATE; {SCHEMA[number]} {mark.format(number + 1)}; COMMIT;")
