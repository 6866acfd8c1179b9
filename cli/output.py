"""Printing for people and for programs, and reading what was piped in: the same in every command."""

from __future__ import annotations

import argparse
import codecs
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cli.errors import UsageError
from engine import Piece, Position, Score
from engine.position import place_name
from engine.words import LANGUAGES, translate_word


def add_language(parser: argparse.ArgumentParser) -> None:
    """Adds `--lang`."""
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the words (default: en)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds `--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


@contextmanager
def writing(path: Path | str) -> Iterator[None]:
    """Around what writes a file there. Raises UsageError if it cannot be written."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        raise UsageError(f"cannot write {where}: {error.strerror or error}") from None


def print_json(data: Any) -> None:
    """One JSON value on one line; where the output is not UTF-8 with escapes, which every program reads."""
    encoding = codecs.lookup(sys.stdout.encoding or "utf-8").name
    print(json.dumps(data, ensure_ascii=encoding != "utf-8", separators=(", ", ": ")))


def print_rows(rows: Iterable[Sequence[object]], indent: str = "") -> None:
    """Rows of words with their columns aligned."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print((indent + "  ".join(cells)).rstrip())


def print_position(position: Position, language: str) -> None:
    """What lies where, a line for each field, in the order of their numbers."""
    rows: dict[str, list[str]] = {}
    for piece in sorted(position, key=lambda piece: _in_order(piece.place)):
        rows.setdefault(place_text(piece.place, language), []).append(_piece_text(piece, language))
    print_rows(((place, ", ".join(things)) for place, things in rows.items()), indent="  ")


def _piece_text(piece: Piece, language: str) -> str:
    """What it is; of a piece on no field also where it stands, in millimetres, and on what."""
    text = piece.thing.text(language)
    if piece.place is not None or piece.x_mm is None or piece.y_mm is None:
        return text
    on = {"de": " auf einem Trilithen"}.get(language, " on a trilith") if piece.on == "trilith" else ""
    return f"{text}{on} ({piece.x_mm:.0f}, {piece.y_mm:.0f} mm)"


def _in_order(place: str | None) -> list[tuple[int, str]]:
    return [(int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", place or "~")]


def place_text(place: str | None, language: str) -> str:
    """A place in words, "Ring-4+Ring-5"; None is where no field is."""
    if place is None:
        return "frei" if language == "de" else "free-standing"
    return place_name(place).in_language(language)


def print_scores(scores: Mapping[str, Score], language: str) -> None:
    """Every player's total and the parts it is made of."""
    for player, score in scores.items():
        print(f"{translate_word(player, language)}: {score.total} {score.unit.in_language(language)}")
        print_rows(
            ((f"{part.points:+d}", part.label.in_language(language)) for part in score.parts), indent="  "
        )


def print_remarks(insights: Mapping[str, Any], language: str) -> None:
    """What a good onlooker would say of the position: the reasons among `State.insights()`, but for what is
    still open."""
    for entries in insights.values():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and "why" in entry and entry.get("status") != "contested":
                print(f"  {entry['why'][language]}")


def read_json_from_stdin(expected: str) -> Any:
    """The JSON value on stdin. Raises UsageError that says what was `expected` there."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(f"nothing was piped in; expected {expected}")
    text = sys.stdin.buffer.read()
    if not text.strip():
        raise UsageError(f"stdin is empty; expected {expected}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"stdin is not JSON ({error}); expected {expected}") from error


def words(text: str) -> tuple[str, ...]:
    """An argument that is a list: "red, blue" -> ("red", "blue")."""
    return tuple(word.strip() for word in text.split(",") if word.strip())
