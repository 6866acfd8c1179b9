"""What is refused, and why, in both languages."""

from __future__ import annotations

from typing import Any

from engine import HengeError, IllegalActionError, Text, log
from engine.record import Entry, Record
from table.german import in_both


def refusal(error: str, reason: Text | None = None) -> dict[str, Any]:
    """{"error": one line, "reason": the rule, or else that line, in both languages}."""
    return {"error": error, "reason": (reason or in_both(error)).to_json()}


def reason_of(error: HengeError) -> Text:
    return error.reason if isinstance(error, IllegalActionError) else in_both(error)


def why_not_imported(text: str, error: HengeError) -> Text:
    """What importing the log `text` raised, in both languages. Some mistakes in a log written by hand have no
    German: then it tells only where they are."""
    return Text(str(error), f"diese Aufzeichnung lässt sich nicht öffnen: {_mistake_in_german(text)}")


def _mistake_in_german(text: str) -> str:
    reading = log.read(text)
    record, problem = (None, reading.problems[0]) if reading.problems else log.check(reading.log)
    assert problem is not None, "this log can be imported"
    if record is not None:
        return _entry_in_german(record, reading.log.entries[len(record.entries)], problem)
    why = _german(in_both(problem.message))
    if problem.line is None:
        return why or "Spiel, Spieler oder Regeln im Kopf passen nicht zusammen"
    return f"Zeile {problem.line}: {why}" if why else f"Zeile {problem.line} ist nicht zu lesen"


def _entry_in_german(record: Record, entry: Entry, problem: log.Problem) -> str:
    """Entered once more, the entry is refused once more, with the rule."""
    try:
        record.add(entry)
    except HengeError as error:
        what, why = problem.message.removesuffix(f" cannot be: {error}"), _german(reason_of(error))
        return f"Eintrag {problem.entry}: {what} geht nicht" + (f": {why}" if why else "")
    raise AssertionError("this entry is possible")


def _german(reason: Text) -> str:
    """Empty where it is not known."""
    return "" if reason.de == reason.en else reason.de
