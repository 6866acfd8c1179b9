"""The book of one table: its record on the disk, what everybody may see of it, and what is announced.

Everything that is announced is on the disk before. Entries are added, never edited; if one of several is
refused none is entered. Used by `Table`, under its lock `changed`.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from engine import CHANCE, Action, State, draw_chance, load_game, state_from_json
from engine.record import Entry, Record, Step
from engine.referee import unseen_event
from table.seen import action_seen, entry_seen
from table.status import Event, Status
from table.store import Store, TableRow

REMEMBERED_EVENTS: Final = 500


class Book:
    """See the module's text. Opening it reads everything that the last process left on the disk, in whatever
    way that ended.

    changed: the lock, which also wakes whoever waits for an event. left_open: the last alarm or question that
    no entry followed, as it was kept."""

    def __init__(
        self, store: Store, row: TableRow, clock: Callable[[], datetime], dealer: random.Random
    ) -> None:
        self.row = row
        self.changed = threading.Condition(threading.RLock())
        self.left_open: Mapping[str, Any] | None = None
        self._store, self._clock, self._dealer = store, clock, dealer
        self._events: deque[Event] = deque(maxlen=REMEMBERED_EVENTS)
        self._record = Record(_first_state(row))
        self._public: list[Entry] = []
        self._seen_steps: list[tuple[Step, Step]] = []
        with self.changed:
            self._restore()

    @property
    def record(self) -> Record:
        """All that the table knows, private hands included."""
        return self._record

    @property
    def state(self) -> State:
        return self._record.state

    @property
    def public(self) -> tuple[Entry, ...]:
        """The entries as everybody may see them."""
        return tuple(self._public)

    @property
    def is_dealt(self) -> bool:
        return not self.state.game.half_seen

    def known_to_all(self) -> tuple[State, Sequence[Step]]:
        """State and steps as everybody may know them."""
        state, steps = self._record.state, self._record.steps
        public = state.view(None)
        if public == state:
            return state, steps
        same = 0
        while same < min(len(steps), len(self._seen_steps)) and self._seen_steps[same][0] is steps[same]:
            same += 1
        del self._seen_steps[same:]
        for step in steps[same:]:
            seen = Step(action_seen(step, None), step.before.view(None), step.after.view(None))
            self._seen_steps.append((step, seen))
        return public, tuple(seen for _, seen in self._seen_steps)

    def now(self) -> str:
        """The time of the table's clock, as it is kept."""
        return self._clock().isoformat("T", "seconds")

    # --- entering ----------------------------------------------------------------------------------

    def enter(self, entries: Sequence[Entry], follow: bool = True) -> None:
        """Checks the entries, puts them on the disk together, then announces them. `follow`: with the deals
        and draws that nobody sees. Raises the error of the first entry that cannot be."""
        before = self._record.entries
        try:
            for entry in entries:
                self._add(entry if entry.at else replace(entry, at=self.now()))
                if follow and self.is_dealt:
                    self._follow_unseen()
            if follow:
                self._follow_unseen()
            added = self._record.entries[len(before) :]
            stored = [(self.last_event_id + n, "entry", entry.to_json()) for n, entry in enumerate(added, 1)]
            self._store.append_all(self.row.id, stored)
        except BaseException:
            self._record = Record(self._record.start, before)
            del self._public[len(before) :]
            raise
        for entry in self._public[len(before) :]:
            self.announce("entry", entry.to_json())
        over = self.state.is_over
        if added and over != (self.row.closed is not None):
            self.shelve(self.now() if over else None)

    def shelve(self, when: str | None) -> None:
        """Notes when the game was put away; None: it is on the table again."""
        result = result_of(self.state)
        self._store.set_closed(self.row.id, when, result)
        self.row = replace(self.row, closed=when, result=result)
        self.announce("opened", {})

    def rename(self, name: str) -> None:
        self._store.rename(self.row.id, name)
        self.row = replace(self.row, name=name)
        self.announce("opened", {})

    def keep_photo(self, jpeg: bytes) -> str:
        """Keeps the picture that belongs to the next entry; its name."""
        name = f"{len(self._record.entries) + 1:04d}.jpg"
        self._store.keep_photo(self.row.id, name, jpeg)
        return name

    def photo(self, name: str) -> bytes:
        """Raises OSError if there is no picture of that name."""
        return self._store.photo_path(self.row.id, name).read_bytes()

    # --- announcing --------------------------------------------------------------------------------

    @property
    def last_event_id(self) -> int:
        return self._last_id

    def announce(self, kind: Any, data: Mapping[str, Any]) -> None:
        """Tells whoever waits; `data` is what everybody may see."""
        self._last_id += 1
        self._events.append(Event(self._last_id, kind, data))
        self.changed.notify_all()

    def announce_status(self, status: Status, keep: bool) -> None:
        """`keep`: an alarm or a question that begins or ends stays on the disk."""
        if keep:
            self._store.append(self.row.id, self._last_id + 1, "status", status.to_json())
        self.announce("status", status.to_json())

    def events_since(self, event_id: int) -> tuple[Event, ...]:
        """See `Table.events_since`."""
        known_from = self._events[0].id if self._events else self._last_id
        if event_id < known_from - 1 or event_id > self._last_id:
            return (Event(self._last_id, "opened"),)
        return tuple(event for event in self._events if event.id > event_id)

    # --- how it is done ----------------------------------------------------------------------------

    def _restore(self) -> None:
        for event in self._store.events(self.row.id):
            if event.kind == "entry":
                self._add(Entry.from_json(event.data))
                self.left_open = None
            elif event.kind == "status":
                still_open = event.data["name"] in ("asking", "out_of_step")
                self.left_open = event.data if still_open else None
        self._last_id = self._store.begin_block(self.row.id)
        self._events.append(Event(self._last_id, "opened"))
        self.enter(())
        if self.state.is_over and not self.row.result:  # the last process ended before it came to that
            self.shelve(self.now())

    def _add(self, entry: Entry) -> None:
        """One more entry, and what everybody may know of it."""
        self._record.add(entry)
        self._public.append(entry_seen(self._record.entries[-1], self._record.steps, None))

    def _follow_unseen(self) -> None:
        """Adds the deals and draws that nobody sees, so that the next player can be to move."""
        while (action := self._unseen_event()) is not None:
            self._add(Entry("move", str(action), who=CHANCE, by="rules", at=self.now()))

    def _unseen_event(self) -> Action | None:
        if self.is_dealt:
            return draw_chance(self.state, self._dealer) if self.state.to_move == CHANCE else None
        return unseen_event(self.state)


def _first_state(row: TableRow) -> State:
    if row.start is not None:
        return state_from_json(row.start)
    return load_game(row.game, **row.variant).start(row.players)


def result_of(state: State) -> str:
    """ "red 41, blue 38" once the game is over, else ""."""
    if not state.is_over:
        return ""
    return ", ".join(f"{player} {score.total}" for player, score in state.scores().items())
