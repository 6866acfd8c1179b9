"""Who may do what: the machine at the table, players, onlookers; and hands, which are their owners' alone.

Whoever sits at the machine that runs Henge may do everything, except look into a hand. Other devices of the
network pair with one of two codes: with the one they may enter moves, with the other only look. A player
takes a seat with a PIN of his own; only a session that knows the PIN sees his hand and moves for him.
"""

from __future__ import annotations

import ipaddress
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

Right = Literal["nothing", "look", "play", "all"]
RIGHTS: Final[tuple[Right, ...]] = ("nothing", "look", "play", "all")
COOKIE: Final = "henge"
LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that are mistaken for another
CODE_LENGTH: Final = 8
MOST_SESSIONS: Final = 500
WRONG_TRIES: Final = 8  # within TRY_WINDOW_S, per address or seat
TRY_WINDOW_S: Final = 60.0


@dataclass(slots=True)
class Session:
    """One browser. seats: the (table id, player) whose PIN it knows."""

    may: Right = "nothing"
    seats: set[tuple[str, str]] = field(default_factory=set)


class TooManyTries(Exception):
    """Somebody guesses: nothing is compared any more for a while."""


class Doors:
    """The sessions of one server, and the codes that open it. lan: whether others can reach it at all."""

    def __init__(self, lan: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self.lan = lan
        self.address = ""  # where others find this server; "": as the request says
        self.codes: dict[Right, str] = {"play": new_code(), "look": new_code()}
        self._clock = clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._wrong: dict[str, deque[float]] = {}
        self._guard = threading.Lock()

    def session(self, cookie: str | None, address: str) -> Session:
        """The session of a request; one that may do nothing (or, at this machine, everything) without."""
        with self._guard:
            found = self._sessions.get(cookie or "")
        if found is not None:
            return found
        return Session("all" if is_own(address) else "nothing")

    def keep(self, session: Session) -> str:
        """Remembers a session; returns the cookie that leads back to it."""
        cookie = secrets.token_urlsafe(24)
        with self._guard:
            self._sessions[cookie] = session
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return cookie

    def forget(self, cookie: str | None) -> None:
        with self._guard:
            self._sessions.pop(cookie or "", None)

    def right_of(self, code: str, address: str) -> Right:
        """What this code opens ("nothing" if it is none). Raises TooManyTries."""
        given = "".join(letter for letter in code.upper() if letter.isalnum())
        with self.trying(address) as tries:
            for right, wanted in self.codes.items():
                if secrets.compare_digest(given.encode(), wanted.encode()):
                    return right
            tries.failed = True
        return "nothing"

    def trying(self, what: str) -> _Try:
        """A guess at something secret: `with doors.trying(seat) as guess: ...; guess.failed = True`.
        Raises TooManyTries on entering."""
        return _Try(self, what)

    def free(self, table_id: str, player: str) -> None:
        """Nobody holds that seat any more."""
        with self._guard:
            for session in self._sessions.values():
                session.seats.discard((table_id, player))


class _Try:
    def __init__(self, doors: Doors, what: str) -> None:
        self._doors, self._what = doors, what
        self.failed = False

    def __enter__(self) -> _Try:
        """It counts from the beginning: who guesses many at the same moment has no more tries."""
        self._at = self._doors._clock()
        with self._doors._guard:
            self._times = self._doors._wrong.setdefault(self._what, deque(maxlen=WRONG_TRIES))
            if len(self._times) == WRONG_TRIES and self._at - self._times[0] < TRY_WINDOW_S:
                raise TooManyTries
            self._times.append(self._at)
            if len(self._doors._wrong) > 1000:
                self._doors._wrong.pop(next(iter(self._doors._wrong)))
        return self

    def __exit__(self, *_: object) -> None:
        if not self.failed:
            with self._doors._guard, suppress(ValueError):
                self._times.remove(self._at)


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def is_own(address: str) -> bool:
    """Whether a request comes from the machine that runs Henge."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def enough(session: Session, wanted: Right) -> bool:
    return RIGHTS.index(session.may) >= RIGHTS.index(wanted)
