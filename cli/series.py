"""`henge rules series`: several games of Stonehenge in a row, and who is the true master after them.

    henge rules series monday.henge tuesday.henge last.json

Each file is a game log or a final state, in the order in which the games were played.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, add_language, print_json
from engine import State, StateError, state_from_json
from engine.log import check, read
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.stonehenge import Series, StonehengeState


def add_to(actions: Any) -> None:
    """Adds the action `series` to those of `henge rules`."""
    parser = actions.add_parser(
        "series", help="add up several games of Stonehenge", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("games", nargs="+", metavar="FILE", help="a game log or a final state")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from engine.games.stonehenge import Series  # not for every `henge rules` of another game

    first, second = final_state(args.games[0]).players
    series = Series((first, second))
    for path in args.games:
        try:
            series = series.with_game(final_state(path))
        except StateError as error:
            raise UsageError(f"{path}: {error}") from error
    if args.json:
        print_json(
            {
                **series.to_json(),
                "totals": series.totals(),
                "masters": list(series.masters()),
                "next_players": list(series.next_players()),
            }
        )
        return DONE
    for line in told(series, args.games):
        print(line.in_language(args.lang))
    return DONE


def final_state(path: str) -> StonehengeState:
    """The state at the end of a log, or the state in a JSON file. Raises UsageError, StateError, OSError."""
    from engine.games.stonehenge import StonehengeState

    text = Path(path).read_text("utf-8", errors="replace")
    state = _state_of_json(path, text) if text.lstrip().startswith("{") else _state_of_log(path, text)
    if not isinstance(state, StonehengeState):
        raise UsageError(f"{path}: a series is made of games of stonehenge, this is {state.game.id}")
    return state


def _state_of_json(path: str, text: str) -> State:
    try:
        return state_from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: neither a game log nor a state ({error})") from error


def _state_of_log(path: str, text: str) -> State:
    reading = read(text)
    record, illegal = check(reading.log)
    for problem in (*reading.problems, *([illegal] if illegal else [])):
        raise UsageError(f"{path}: {problem}")
    assert record is not None, "a log without a problem has a record"
    return record.state


def told(series: Series, files: list[str]) -> list[Text]:
    """The series in words: a line for each game, then the sums."""
    lines = []
    for game, path in zip(series.games, files, strict=True):
        loser = next(player for player in series.players if player != game.winner)
        left = Text(f" had {game.left} megaliths left", f" hatte noch {game.left} Megalithe")
        lines.append(
            Text(f"{path}: ", f"{path}: ")
            + name(game.winner)
            + Text(" won, ", " gewann, ")
            + name(loser)
            + left
        )
    for player, total in series.totals().items():
        lines.append(
            name(player) + Text(f": {total} left over all games", f": {total} übrig in allen Spielen")
        )
    masters = series.masters()
    both = (
        name(masters[0])
        if len(masters) == 1
        else name(masters[0]) + Text(" and ", " und ") + name(masters[1])
    )
    lines.append(Text("true master: ", "wahrer Meister: ") + both)
    lines.append(
        Text("begins the next game: ", "beginnt das nächste Spiel: ") + name(series.next_players()[0])
    )
    return lines
