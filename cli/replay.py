"""`henge replay`: shows a game log move by move, and checks it against the rules."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from cli.main import BAD_INPUT, DONE, WRONG
from cli.output import add_json, add_language, print_json, print_rows, print_scores
from engine import Score, State, Text
from engine.log import GameLog, Problem, check, load
from engine.record import Entry, Record
from engine.words import translate_word

KINDS = {
    "undo": Text("undo", "zurück"),
    "redo": Text("redo", "wieder vor"),
    "correction": Text("correction back {}", "richtiggestellt, {} zurück"),
    "allowed": Text("allowed", "zugelassen"),
    "hand": Text("hand", "Hand"),
    "note": Text("note", "Notiz"),
}


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "replay",
        description="Shows a game log move by move and its score. The first move that cannot be is named "
        "with the rule that forbids it; the exit code is then 1, and 2 if nothing can be replayed.",
    )
    parser.add_argument("log", metavar="GAME", help="a game log, as `henge log` and the page write it")
    parser.add_argument("--check", action="store_true", help="only say whether everything is in order")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    reading = load(args.log)
    record, illegal = check(reading.log)
    problems = [*reading.problems, *([illegal] if illegal else [])]
    if record and not problems:
        problems += wrong_results(reading.log, record.state)
    if args.json:
        print_json(as_json(reading.log, record, problems))
    else:
        if record and not args.check:
            print_game(reading.log, record, args.lang)
        for problem in problems:
            print(f"henge: {args.log}: {problem}", file=sys.stderr)
        if args.check and not problems:
            print(f"{args.log}: {len(reading.log.entries)} entries, all in order")
    if record is None:
        return BAD_INPUT
    return WRONG if problems else DONE


def wrong_results(log: GameLog, state: State) -> list[Problem]:
    """What the line "result: red 41, blue 38" says otherwise than the moves do."""
    scores = state.scores() if log.result else {}
    told = {player: int(points) for player, points in re.findall(r"(\w+) (-?\d+)", log.result)}
    return [
        Problem(f"the result says {player} {told[player]}, the moves give {score.total}")
        for player, score in scores.items()
        if told.get(player, score.total) != score.total
    ]


def as_json(log: GameLog, record: Record | None, problems: list[Problem]) -> dict[str, Any]:
    """The log, what is wrong with it, and where it leads, as JSON data (see `henge schema log`)."""
    return {
        "game": log.game,
        "players": list(log.players),
        "variant": dict(log.variant),
        "name": log.name,
        "date": log.date,
        "result": log.result,
        "entries": [{**entry.to_json(), "number": number} for number, entry in enumerate(log.entries, 1)],
        "problems": [{"message": item.message, "line": item.line, "entry": item.entry} for item in problems],
        "replayed": len(record.entries) if record else 0,
        "state": record.state.to_json() if record else None,
        "scores": {player: score.to_json() for player, score in _scores(record).items()},
        "returns": list(record.state.returns()) if record and record.state.is_over else None,
    }


def print_game(log: GameLog, record: Record, language: str) -> None:
    """Header, the entries that hold good, and the score they lead to."""
    about = " - ".join(filter(None, (record.state.game.title.in_language(language), log.name, log.date)))
    print(f"{about}: {', '.join(translate_word(player, language) for player in log.players)}")
    print_rows((_entry_row(entry, record, language) for entry in record.entries), indent="  ")
    print(record.state.prompt().in_language(language))
    print_scores(_scores(record), language)


def _scores(record: Record | None) -> dict[str, Score]:
    return record.state.scores() if record else {}


def _entry_row(entry: Entry, record: Record, language: str) -> tuple[str, str, str]:
    before = record.state_at(entry.number - 1)
    if entry.kind == "move":
        who = translate_word(str(before.to_move), language)
        return f"{entry.number}.", who, before.game.parse(entry.text).text(language)
    what, text = KINDS[entry.kind].in_language(language), entry.text
    if entry.kind == "correction":
        what = what.format(entry.back)
        text = "; ".join(before.game.parse(move).text(language) for move in text.split("; ") if move)
    who = translate_word(entry.who, language) if entry.who else ""
    return f"{entry.number}.", who, f"{what}: {text}" if text else what
