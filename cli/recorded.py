"""Recorded tables, played back: photographs through the reader and the referee, or a log through the rules.

A folder of a recorded game holds `*.jpg` in order and one log (`*.henge` or `*.txt`), which names the game
and its players. The photographs make the moves; what they leave open (whether a roll was too weak or went
through no gate) the log answers, as the players did. It is played itself where there are no photographs.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from engine import CHANCE, Observation, Text, draw_chance, log
from engine.action import Action, covers
from engine.errors import HengeError
from engine.record import Entry
from engine.referee import Explanation
from table import Hall, Table
from table.german import in_both
from table.seen import seen_by
from webui import PlayerState

Eyes = Callable[[Table, bytes], Observation]
# A camera looks on while nothing changes: a photograph is looked at so often where one look leaves doubts.
LOOKS = 2


class Player:
    """Plays `count` steps, one every `seconds`, in a thread of its own; `take` does the next step and
    returns False when there is nothing left. See `webui.player.Player`."""

    def __init__(self, source: str, count: int, take: Callable[[int], bool], seconds: float = 2.0) -> None:
        self._source, self._count, self._take, self._seconds = source, count, take, seconds
        self._step = 0
        self._playing = False
        self._closed = False
        self._once = 0
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="recorded table", daemon=True)
        self._thread.start()

    @property
    def state(self) -> PlayerState:
        with self._wake:
            source = "photographs" if self._source == "photographs" else "log"
            return PlayerState(source, self._playing, self._step, self._count, self._seconds)  # type: ignore[arg-type]

    def play(self) -> None:
        with self._wake:
            self._playing = self._step < self._count
            self._wake.notify_all()

    def pause(self) -> None:
        with self._wake:
            self._playing = False
            self._wake.notify_all()

    def step(self) -> None:
        with self._wake:
            self._playing = False
            self._once += 1
            self._wake.notify_all()

    def set_pace(self, seconds: float) -> None:
        with self._wake:
            self._seconds = seconds
            self._wake.notify_all()

    def close(self) -> None:
        """Ends the thread after the step it is at."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while self._wait_for_turn():
            try:
                more = self._take(self._step)
            except HengeError:  # people have moved otherwise than the log: it ends here
                more = False
            with self._wake:
                self._step += 1
                if not more or self._step >= self._count:
                    self._step, self._playing = self._count, False
                if self._playing:
                    # A pause, a step or another pace ends the wait; going on is decided above.
                    self._wake.wait_for(lambda: not self._playing or self._closed, self._seconds)

    def _wait_for_turn(self) -> bool:
        with self._wake:
            while not self._closed:
                if self._step < self._count and (self._playing or self._once):
                    self._once = max(0, self._once - 1) if not self._playing else 0
                    return True
                self._once = 0
                self._wake.wait()
        return False


def open_recorded(hall: Hall, folder: Path, eyes: Eyes, name: str = "") -> tuple[Table, Player]:
    """A new table that plays what lies in `folder`, called `name` or as its log. Raises HengeError if there
    is no log in it."""
    recorded = _log_in(folder)
    photos = sorted(folder.glob("*.jpg"), key=_natural)
    name = name or recorded.name or folder.name
    table = hall.create(recorded.game, recorded.players, {**recorded.variant, "half_seen": True}, name=name)
    entries = seen_by(None, recorded.first_state(), recorded.entries)
    if photos:
        return table, Player("photographs", len(photos), _photo_taker(table, photos, eyes, entries))
    return table, Player("log", len(entries), _entry_taker(table, entries))


def open_self_played(
    hall: Hall, game: str, players: Sequence[str], seed: int, name: str
) -> tuple[Table, Player]:
    """A new table at which chosen moves are drawn from the legal ones, until the game is over."""
    table = hall.create(game, players, name=name)
    moves = _random_moves(table, random.Random(seed))
    return table, Player("log", 400, lambda _: next(moves, None) is not None, seconds=1.0)


def _log_in(folder: Path) -> log.GameLog:
    found = sorted([*folder.glob("*.henge"), *folder.glob("*.txt")])
    if not found:
        raise HengeError(f"{folder} holds no game log: expected one *.henge file")
    return log.load(found[0]).log


def _natural(path: Path) -> list[object]:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.name)]


def _photo_taker(
    table: Table, photos: Sequence[Path], eyes: Eyes, recorded: Sequence[Entry]
) -> Callable[[int], bool]:
    def take(step: int) -> bool:
        jpeg = photos[step].read_bytes()
        for _ in range(LOOKS):
            table.looking(Text("reading the picture", "liest das Bild"))
            try:
                table.see(eyes(table, jpeg), jpeg)
            except HengeError as error:
                table.blind(in_both(error))
            if table.status.name != "looking":
                break
        after = recorded[len(table.entries) :]
        made = [table.state.game.parse(entry.text) for entry in after if entry.kind == "move"]
        agreeing = (number for number, answer in enumerate(table.status.answers) if _tells(answer, made))
        if (number := next(agreeing, None)) is not None:
            table.answer(number)
        return True

    return take


def _tells(answer: Explanation, made: Sequence[Action]) -> bool:
    """Whether the moves of an answer are the next of those that were made, as far as it knows them."""
    actions = answer.actions
    return not answer.back and 0 < len(actions) <= len(made) and all(map(covers, actions, made))


def _entry_taker(table: Table, entries: Sequence[Entry]) -> Callable[[int], bool]:
    def take(step: int) -> bool:
        entry = entries[step]
        # What follows by itself the table has entered already.
        if entry.kind != "move" or entry.by != "rules":
            table.enter_all([entry])
        return True

    return take


def _random_moves(table: Table, rng: random.Random) -> Iterator[bool]:
    while not table.state.is_over:
        state = table.state
        action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())
        table.play(str(action))
        yield True
