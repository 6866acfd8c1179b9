"""The errors of the engine, and the root of every error that Henge raises on purpose.

    HengeError
      x IllegalActionError     the rules forbid it; .reason says why, in English and German
      x UnknownActionError     the text is no action of this game
      x AmbiguousActionError   the text fits several actions; .candidates lists them
      x StateError             a state, position or log that contradicts itself or its format
      x BoardError             a board file with a mistake in it; names the key

Other packages have trees of their own (`vision.errors`, ...), all rooted in `HengeError`. The text of
each is the one line that a person gets to read: what was seen, what was expected, what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.words import Text


class HengeError(Exception):
    """Something the person at the keyboard can understand and put right."""


class IllegalActionError(HengeError):
    """The rules do not allow this action now."""

    def __init__(self, reason: Text) -> None:
        super().__init__(str(reason))
        self.reason = reason


class UnknownActionError(HengeError):
    """A text that is no action of this game, whatever the state."""


class AmbiguousActionError(HengeError):
    """A text that fits more than one action."""

    def __init__(self, message: str, candidates: Iterable[object] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class StateError(HengeError):
    """A state, position or log that is malformed or contradicts itself."""


def no_state(game: str, error: Exception) -> StateError:
    """What to raise for JSON data that is no state of a game, found out by `error`."""
    if isinstance(error, KeyError):
        return StateError(f"this is no state of {game}: {error} is missing or unknown")
    return StateError(f"this is no state of {game}: its values do not fit together ({error})")


class BoardError(HengeError):
    """A board file that cannot be used; the text names the key and what was expected there."""
