"""Game logs: one text file that a person can read, and that reads back.

    henge log 1
    game: build
    players: red, blue, green
    variant: half_seen=true
    name: Friday evening
    date: 2026-03-06T19:30:00+01:00
    result: red 41, blue 38, green 30

    1. red: build on ring-7 {by=camera, confidence=0.98, photo=0007.jpg, at=2026-03-06T19:41:02+01:00}
    2. undo
    3. correction back 2: build on ring-13; stop
    4. allowed: {"game": "build", ...}
    5. hand red: ?? ?? ??
    6. note: "the lamp fell over"

The reader is tolerant: it goes on after a line it cannot use and lists what was wrong. The writer is
strict: it writes nothing that does not read back to the same log. Header lines and {annotations} that
we do not know are kept. `start:` holds a state as JSON for a record that begins in the middle of a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from engine.errors import HengeError, StateError
from engine.game import Game, State
from engine.games import load_game, state_from_json
from engine.record import Entry, Record

FIRST_LINE: Final = "henge log 1"
# Stands for what is not UTF-8 in a file.
UNREADABLE: Final = "\N{REPLACEMENT CHARACTER}"
_HEADER = re.compile(r"([A-Za-z][\w -]*?)\s*:\s*(.*)")
_ENTRY = re.compile(r"(\d+)\.\s*(.*)")
_HEAD = re.compile(
    r"(undo|redo|correction|allowed|hand|note)\b(?:\s+back\s+(\d+)|\s+([\w-]+))?\s*(?::\s*(.*))?"
)
_BARE = re.compile(r"[\w.:+/-]+")
_ANNOTATION = re.compile(r'\s*([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,{}"]*?)\s*(?:,|$)')
_WHO = re.compile(r"[a-z]+")
_HEADER_KEYS = ("game", "players", "variant", "name", "date", "start", "result")


@dataclass(frozen=True, slots=True)
class GameLog:
    """What a log file says. `start` None: the game begins as the rules say."""

    game: str
    players: tuple[str, ...]
    variant: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    date: str = ""
    start: Mapping[str, Any] | None = None
    entries: tuple[Entry, ...] = ()
    result: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)

    def first_state(self) -> State:
        """The state before the first entry. Raises StateError if the header cannot be."""
        if self.start is not None:
            return state_from_json(self.start)
        return self.load_game().start(self.players)

    def load_game(self) -> Game:
        return load_game(self.game, **self.variant)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong in a log: in which line of the file (1-based) or at which entry, and the error
    that an entry raised which cannot be."""

    message: str
    line: int | None = None
    entry: int | None = None
    cause: HengeError | None = None

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else f"entry {self.entry}: " if self.entry else ""
        return where + self.message


@dataclass(frozen=True, slots=True)
class Reading:
    """A log as far as it could be read, and what was wrong with it."""

    log: GameLog
    problems: tuple[Problem, ...] = ()


# --- replaying --------------------------------------------------------------------------------------


def replay(log: GameLog) -> Record:
    """The record with all its states. Raises the error of the first entry that cannot be."""
    return Record(log.first_state(), log.entries)


def check(log: GameLog) -> tuple[Record | None, Problem | None]:
    """The record up to the first entry that cannot be, and what is wrong there (None: nothing)."""
    try:
        record = Record(log.first_state())
    except HengeError as error:
        return None, Problem(str(error))
    for number, entry in enumerate(log.entries, 1):
        try:
            record.add(entry)
        except HengeError as error:
            what = f"{entry.who}: {entry.text}" if entry.who else entry.text or entry.kind
            return record, Problem(f"{what!r} cannot be: {error}", entry=number, cause=error)
    return record, None


# --- writing ----------------------------------------------------------------------------------------


def write(log: GameLog) -> str:
    """The log as text. Raises StateError for what the format cannot hold (say, a line break in a name)."""
    lines = [FIRST_LINE, f"game: {log.game}", f"players: {', '.join(log.players)}"]
    if log.variant:
        pairs = (f"{key}={json.dumps(value)}" for key, value in log.variant.items())
        lines.append("variant: " + ", ".join(pairs))
    lines += [f"{key}: {value}" for key in ("name", "date") if (value := getattr(log, key))]
    if log.start is not None:
        lines.append("start: " + json.dumps(log.start, ensure_ascii=False))
    lines += [f"result: {log.result}"] if log.result else []
    lines += [f"{key}: {value}" for key, value in log.extra.items()]
    lines += ["", *(_entry_line(number, entry) for number, entry in enumerate(log.entries, 1))]
    text = "\n".join(lines) + "\n"
    _must_read_back(log, text)
    return text


def _must_read_back(log: GameLog, text: str) -> None:
    numbered = tuple(replace(entry, number=n) for n, entry in enumerate(log.entries, 1))
    again = read(text)
    if again.problems:
        raise StateError(f"this log cannot be written: {again.problems[0]}")
    if again.log != replace(log, entries=numbered):
        raise StateError("this log cannot be written: a text in it has a line break, a brace or outer spaces")


def _entry_line(number: int, entry: Entry) -> str:
    return f"{number}. {_entry_body(entry)}{_annotations(entry)}"


def _entry_body(entry: Entry) -> str:
    match entry.kind:
        case "move":
            return f"{entry.who}: {entry.text}" if entry.who else entry.text
        case "correction":
            return f"correction back {entry.back}: {entry.text}"
        case "allowed":
            return "allowed: " + json.dumps(entry.data.get("state"), ensure_ascii=False)
        case "hand":
            return f"hand {entry.who}: {entry.text}"
        case "note":
            return "note: " + json.dumps(entry.text, ensure_ascii=False)
        case _:
            return entry.kind


def _annotations(entry: Entry) -> str:
    pairs: dict[str, Any] = {"by": entry.by} if entry.by != "person" else {}
    pairs |= {key: getattr(entry, key) for key in ("confidence", "photo", "at")}
    if entry.kind == "hand" and entry.data.get("cards"):
        pairs["cards"] = " ".join(entry.data["cards"])
    written = [
        f"{key}={_quoted(value)}" for key, value in {**pairs, **entry.extra}.items() if value is not None
    ]
    return f" {{{', '.join(written)}}}" if written else ""


def _quoted(value: Any) -> str:
    text = str(value)
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


# --- reading ----------------------------------------------------------------------------------------


def load(path: str | Path) -> Reading:
    """The log in a file. Raises StateError if the file is no text or no log at all."""
    data = Path(path).read_bytes()
    text = data.decode("utf-8-sig", errors="replace")
    reading = read(text)
    if not reading.log.game:
        if UNREADABLE in text:
            raise StateError(f"{path} is not a game log: expected UTF-8 text")
        raise StateError(f"{path} is not a game log: expected a line 'game: ...', as in '{FIRST_LINE}'")
    return reading


def read(text: str) -> Reading:
    """The log in a text, as far as it can be read; never raises for what the text says."""
    header: dict[str, str] = {}
    entries: list[Entry] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#") or (number == 1 and line.startswith("henge log")):
            continue
        if UNREADABLE in line:
            problems.append(Problem("cut off or damaged: expected UTF-8 text", number))
            continue
        try:
            if match := _ENTRY.fullmatch(line):
                _warn_of_number(int(match[1]), len(entries) + 1, number, problems)
                entries.append(replace(_read_entry(match[2]), number=len(entries) + 1))
                if (odd := entries[-1].extra.get("confidence")) is not None:
                    problems.append(Problem(f"a confidence is a number from 0 to 1, found {odd!r}", number))
            elif (match := _HEADER.fullmatch(line)) and not entries:
                header[match[1].lower() if match[1].lower() in _HEADER_KEYS else match[1]] = match[2]
            else:
                problems.append(
                    Problem(f"neither a header 'key: value' nor an entry '1. ...': {line!r}", number)
                )
        except (HengeError, ValueError) as error:
            problems.append(Problem(str(error), number))
    return Reading(_log(header, tuple(entries), problems), tuple(problems))


def _warn_of_number(found: int, expected: int, line: int, problems: list[Problem]) -> None:
    if found != expected:
        problems.append(
            Problem(f"expected entry {expected}, found number {found}; read in the order of lines", line)
        )


def _log(header: dict[str, str], entries: tuple[Entry, ...], problems: list[Problem]) -> GameLog:
    for key in ("game", "players"):
        if not header.get(key):
            problems.append(Problem(f"the header has no line '{key}: ...'"))
    players = tuple(part.strip() for part in header.get("players", "").split(",") if part.strip())
    start = None
    if "start" in header:
        try:
            start = json.loads(header["start"])
        except ValueError as error:
            problems.append(Problem(f"the state after 'start:' is no JSON: {error}"))
    variant = _variant(header.get("variant", ""), problems)
    return GameLog(
        header.get("game", ""), players, variant, header.get("name", ""), header.get("date", ""), start,
        entries, header.get("result", ""),
        {key: value for key, value in header.items() if key not in _HEADER_KEYS},
    )  # fmt: skip


def _variant(text: str, problems: list[Problem]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for match in re.finditer(r'\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,]*)(?:,|$)', text):
        try:
            found[match[1]] = json.loads(match[2].strip())
        except ValueError:
            found[match[1]] = match[2].strip()
    if text.strip() and not found:
        problems.append(Problem(f"expected 'variant: key=value, key=value', found {text!r}"))
    return found


def _read_entry(line: str) -> Entry:
    head = re.match(r"(allowed|note)\s*:\s*", line)
    if head:
        return _read_with_json(head[1], line[head.end() :])
    body, notes = _split_annotations(line)
    if match := _HEAD.fullmatch(body):
        return _annotated(_plain_entry(match), notes)
    who, colon, text = body.partition(":")
    if colon and _WHO.fullmatch(who.strip()):
        return _annotated(Entry("move", text.strip(), who=who.strip()), notes)
    return _annotated(Entry("move", body), notes)


def _plain_entry(match: re.Match[str]) -> Entry:
    kind, back, who, text = match[1], match[2], match[3], (match[4] or "").strip()
    if kind == "hand" and who is None:
        raise StateError("whose hand? expected 'hand red: ?? ?? ??'")
    if kind == "correction" and back is None:
        raise StateError("a correction says how many steps it goes back: 'correction back 2: ...'")
    return Entry(kind, text, who=who, back=int(back or 0))


def _read_with_json(kind: str, rest: str) -> Entry:
    """An entry whose text is JSON (a state, or the quoted words of a note); a note may lack the quotes."""
    try:
        value, end = json.JSONDecoder().raw_decode(rest)
        body, notes = _split_annotations(rest[end:])
        if body:
            raise ValueError(f"found {body!r} after it")
    except ValueError as error:
        if kind == "allowed":
            raise StateError(f"the state after 'allowed:' is no JSON: {error}") from None
        value, notes = _split_annotations(rest)
    if kind == "note":
        return _annotated(Entry("note", str(value)), notes)
    return _annotated(Entry("allowed", data={"state": value}), notes)


def _split_annotations(line: str) -> tuple[str, dict[str, str]]:
    """The text before the {annotations} at the end of a line, and the annotations."""
    start = line.find("{")
    if start < 0 or not line.endswith("}"):
        return line.strip(), {}
    inside, notes, at = line[start + 1 : -1], {}, 0
    while at < len(inside):
        match = _ANNOTATION.match(inside, at)
        if not match:
            raise StateError(f"expected {{key=value, key=value}}, found {{{inside}}}")
        value = match[2]
        notes[match[1]] = json.loads(value) if value.startswith('"') else value
        at = match.end()
    return line[:start].strip(), notes


def _confidence(text: str | None) -> float | None:
    """The number of 0..1 that is written there, if it is one."""
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if 0 <= found <= 1 else None


def _annotated(entry: Entry, notes: dict[str, str]) -> Entry:
    confidence = _confidence(notes.get("confidence"))
    if confidence is not None:
        del notes["confidence"]
    if entry.kind == "hand" and "cards" in notes:
        entry = replace(entry, data={"cards": notes.pop("cards").split()})
    return replace(
        entry,
        by=notes.pop("by", "person"),
        photo=notes.pop("photo", None),
        at=notes.pop("at", None),
        confidence=confidence,
        extra=notes,
    )
