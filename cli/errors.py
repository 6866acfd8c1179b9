"""What goes wrong on the command line before anything of ours is asked.

HengeError
  x UsageError    arguments or input that cannot be used as given
"""

from __future__ import annotations

from engine.errors import HengeError


class UsageError(HengeError):
    """Arguments, or text on stdin, that this command cannot use."""
