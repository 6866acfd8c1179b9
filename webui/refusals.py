"""What is refused, and why, in both languages."""

from __future__ import annotations

from typing import Any

from engine import HengeError, IllegalActionError, Text
from engine.log import Problem
from table import LogRefused
from table.german import in_both


def refusal(error: str, reason: Text | None = None) -> dict[str, Any]:
    """{"error": one line, "reason": the rule, or else that line, in both languages}."""
    return {"error": error, "reason": (reason or in_both(error)).to_json()}


def reason_of(error: HengeError) -> Text:
    """The rule that forbids it, or else what the error says."""
    if isinstance(error, IllegalActionError):
        return error.reason
    if isinstance(error, LogRefused):
        problem = _in_german(error.problem)
        return Text(str(error), f"diese Aufzeichnung lässt sich nicht öffnen: {problem}")
    return in_both(error)


def _in_german(problem: Problem) -> str:
    """What is wrong in a log. Some mistakes in one written by hand have no German: then only where."""
    if problem.cause is not None:
        what = problem.message.removesuffix(f" cannot be: {problem.cause}")
        why = _german(reason_of(problem.cause))
        return f"Eintrag {problem.entry}: {what} geht nicht" + (f": {why}" if why else "")
    why = _german(in_both(problem.message))
    if problem.line is None:
        return why or "Spiel, Spieler oder Regeln im Kopf passen nicht zusammen"
    return f"Zeile {problem.line}: {why}" if why else f"Zeile {problem.line} ist nicht zu lesen"


def _german(reason: Text) -> str:
    """Empty where it is not known."""
    return "" if reason.de == reason.en else reason.de
