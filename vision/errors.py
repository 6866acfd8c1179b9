"""The errors of the eyes. Each text is the one sentence that a person gets: what was seen, what was
expected, what to do.

    HengeError
      x CannotRead            an image without a readable board
          x NotAnImage        not a picture, or a damaged one
          x TooLarge          more pixels than anybody's camera makes
          x TooPoor           too dark, too bright, too blurred
          x NoBoard           no board, not enough of it, another one, or two
      x SourceLost            a camera, stream or folder that is not there (any more)
"""

from __future__ import annotations

from engine.errors import HengeError


class CannotRead(HengeError):
    """This image cannot be read; the text says why and what to do."""


class NotAnImage(CannotRead):
    """Not a picture that can be decoded."""


class TooLarge(CannotRead):
    """More pixels than are accepted."""


class TooPoor(CannotRead):
    """Too dark, too bright or too blurred to read."""


class NoBoard(CannotRead):
    """The board was not found: none, too little of it, another one, or two."""


class SourceLost(HengeError):
    """A camera, stream, video or folder that cannot be opened or has gone."""
