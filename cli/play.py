"""What `serve` and `log` have in common: which game, who plays, with which variants."""

from __future__ import annotations

import argparse
import json
from typing import Any

from cli.errors import UsageError
from engine import GAMES
from engine.words import english_word


def add_game(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Adds --game, --players and --variant."""
    parser.add_argument("--game", choices=tuple(GAMES), required=required, help="which game is played")
    parser.add_argument(
        "--players",
        type=colours,
        required=required,
        metavar="a,b,c",
        help="colours in the order of the seats",
    )
    parser.add_argument(
        "--variant", action="append", default=[], metavar="KEY=VALUE", help="see henge games; may be repeated"
    )


def colours(text: str) -> tuple[str, ...]:
    """ "red, blau" -> ("red", "blue")."""
    return tuple(english_word(part.strip()) for part in text.split(",") if part.strip())


def variants_of(args: argparse.Namespace) -> dict[str, Any]:
    """The variants asked for. Raises UsageError for what is no KEY=VALUE."""
    found: dict[str, Any] = {}
    for pair in args.variant:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--variant expects KEY=VALUE, found {pair!r}; henge games lists them")
        try:
            found[key.strip()] = json.loads(value)
        except ValueError:
            found[key.strip()] = value.strip()
    return found
