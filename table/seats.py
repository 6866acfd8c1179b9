"""Seats with a PIN: who may see a hand. The PIN itself is nowhere kept, only what it is checked against."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from table.errors import TableError
from table.store import Store

PIN = re.compile(r"\d{4,12}")
ROUNDS = 100_000


class Seats:
    """The seats of all tables in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def taken(self, table_id: str) -> frozenset[str]:
        """The players of the table whose seat has a PIN."""
        return frozenset(self._store.seats(table_id))

    def take(self, table_id: str, player: str, pin: str) -> bool:
        """Sets the PIN of a free seat, or checks that of a taken one; whether the seat is now the caller's.

        Raises TableError for what is no PIN."""
        if not PIN.fullmatch(pin):
            raise TableError("a PIN has 4 to 12 digits")
        salt = secrets.token_bytes(16)
        kept = self._store.take_seat(table_id, player, salt, _mixed(pin, salt))
        return hmac.compare_digest(_mixed(pin, kept[0]), kept[1])

    def free(self, table_id: str, player: str) -> None:
        """Forgets the PIN: whoever comes next takes the seat."""
        self._store.free_seat(table_id, player)


def _mixed(pin: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, ROUNDS)
