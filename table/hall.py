"""Many tables in one folder: the games being played and the shelf of those that are over."""

from __future__ import annotations

import os
import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from engine import State, load_game, log
from engine.errors import HengeError, StateError
from engine.record import Entry
from table.errors import LogRefused, NotKept, UnreadableTable
from table.seats import Seats
from table.store import Store, TableRow, one_line
from table.table import Table

Clock = Callable[[], datetime]


def wall_clock() -> datetime:
    """The time now, with the zone of this machine."""
    return datetime.now().astimezone()


class Hall:
    """All tables of a folder. Only one process may have it open (TableInUse); close it when done."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        clock: Clock = wall_clock,
        dealer: random.Random | None = None,
    ) -> None:
        """dealer: shuffles and rolls where Henge deals; without it nobody can foretell a card."""
        self._store = Store(folder)
        self.seats = Seats(self._store)
        self._clock = clock
        self._dealer = dealer or random.SystemRandom()
        self._open: dict[str, Table] = {}
        self._guard = threading.RLock()

    @property
    def folder(self) -> Path:
        return self._store.folder

    def __enter__(self) -> Hall:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()

    def create(
        self,
        game_id: str,
        players: Sequence[str],
        variants: Mapping[str, Any] | None = None,
        *,
        name: str = "",
        start: State | None = None,
    ) -> Table:
        """A new table. `start`: a state to begin with instead of the set-up of the rules (for a game that
        is already going on: `game.from_position(...)`). The game is half-seen, as at a real table, unless
        `variants` say otherwise: then Henge deals. Raises StateError for players or variants that the
        game does not have."""
        game = load_game(game_id, **{"half_seen": True, **(variants or {})})
        first = start if start is not None else game.start(tuple(players))
        if first.game.id != game_id:
            raise StateError(f"the first state is one of {first.game.id}, not of {game_id}")
        return self._add(game_id, first, first.game.variant_json(), name, start is not None)

    def import_log(self, text: str, *, name: str = "") -> Table:
        """A new table with the record of a log file's text. Raises LogRefused naming the first problem,
        or the error of the first entry that cannot be; then nothing is made."""
        reading = log.read(text)
        if reading.problems:
            raise LogRefused(reading.problems[0])
        record, problem = log.check(reading.log)
        if problem is not None:
            raise LogRefused(problem)
        assert record is not None  # without a problem there is one
        first = record.start
        given = reading.log.start is not None
        name = name or reading.log.name
        variant = first.game.variant_json()
        table = self._add(reading.log.game, first, variant, name, given, record.entries)
        if table.state.is_over:
            table.put_away()
        return table

    def _add(
        self,
        game_id: str,
        first: State,
        variant: Mapping[str, Any],
        name: str,
        with_start: bool,
        entries: Sequence[Entry] = (),
    ) -> Table:
        now = self._clock()
        table_id = f"{now:%Y%m%d-%H%M%S}-{game_id}-{secrets.token_hex(2)}"
        start = first.to_json() if with_start else None
        row = TableRow(
            table_id,
            one_line(name) or table_id,
            game_id,
            tuple(first.players),
            dict(variant),
            start,
            now.isoformat("T", "seconds"),
        )
        self._store.add_table(row)
        # On the disk before the table is opened, which enters the deals that follow by themselves.
        self._store.append_all(table_id, [(n, "entry", each.to_json()) for n, each in enumerate(entries, 1)])
        return self.open(table_id)

    def open(self, table_id: str) -> Table:
        """The table with that id, exactly as it was left; the same object for everybody in this process.

        Raises NoSuchTable, or UnreadableTable if its record cannot have been."""
        with self._guard:
            if table_id not in self._open:
                row = self._store.table(table_id)
                try:
                    self._open[table_id] = Table(self._store, row, self._clock, self._dealer)
                except NotKept:
                    raise
                except (HengeError, LookupError, TypeError, ValueError) as error:
                    raise UnreadableTable(f"the game {row.name!r} cannot be opened: {error}") from error
            return self._open[table_id]

    def watched(self) -> TableRow | None:
        """The game that the camera watched last."""
        table_id = self._store.watched()
        return None if table_id is None else self._store.table(table_id)

    def note_watched(self, table_id: str) -> None:
        """The camera watches this table from now on, also after a restart; all open tables are told."""
        self._store.set_watched(table_id)
        with self._guard:
            opened = tuple(self._open.values())
        for table in opened:
            table.look_anew()

    def tables(self) -> tuple[TableRow, ...]:
        """The games being played, oldest first."""
        return tuple(row for row in self._store.tables() if row.closed is None)

    def shelf(self) -> tuple[TableRow, ...]:
        """The games that are over or were put away, newest first."""
        return tuple(row for row in reversed(self._store.tables()) if row.closed is not None)
