"""`henge bench referee`: games before an unreliable reader, with the rules and without."""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table as Rows

from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, print_json
from engine import GAMES, load_game
from engine.referee.simulate import PLAYERS, Evening
from engine.referee.tally import Tally

WIDTH = 150  # where the table goes into a file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", action="append", choices=tuple(GAMES), help="may be repeated (default: all)"
    )
    parser.add_argument("-n", "--games", type=int, default=20, help="games per error rate (default: 20)")
    parser.add_argument(
        "--planted",
        type=int,
        metavar="N",
        help="so many illegal moves per error rate (default: one per game)",
    )
    parser.add_argument(
        "--error", type=float, action="append", help="share of fields read wrongly (default: 0.01 and 0.03)"
    )
    parser.add_argument("--seed", type=int, default=0)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.games < 1:
        raise UsageError(f"--games must be 1 or more, not {args.games}")
    results = []
    for game in args.game or GAMES:
        for error in args.error or (0.01, 0.03):
            results.append(measured(game, error, args.games, args.seed, args.planted))
    if args.json:
        print_json(results)
        return DONE
    Console(width=None if sys.stdout.isatty() else WIDTH).print(as_rows(results))
    for result in results:
        for kind, told in (("wrong", result["failures"]), ("not caught", result["uncaught"])):
            for text in told:
                print(f"{result['game']} at {result['error']:.0%}, {kind}: {text}")
    return DONE


def measured(game_id: str, error: float, games: int, seed: int, planted: int | None = None) -> dict[str, Any]:
    """The figures of `games` evenings and of `planted` illegal moves (None: as many)."""
    game, players, total = load_game(game_id), PLAYERS[game_id], Tally()
    evenings = games if planted is None else max(games, planted)
    seeds = track(
        range(seed, seed + evenings),
        f"{game_id} at {error:.0%}",
        transient=True,
        console=Console(stderr=True),
    )
    for number in seeds:
        if number < seed + games:
            total.add(Evening(game, players, number, error).play())
        if planted is None or number < seed + planted:
            wrong = Evening(game, players, number + 1_000_000, error)
            caught = wrong.plant(random.Random(number).randint(3, 15))
            if caught is not None:
                total.planted += 1
                total.caught += caught
                if not caught:
                    what = f"seed {number}, view {wrong.tally.views}: {wrong.mischief}"
                    total.uncaught.append(what)
    return as_json(game_id, error, total)


def as_json(game_id: str, error: float, total: Tally) -> dict[str, Any]:
    times_ms = sorted(1000 * each for each in total.times_s)
    return {
        "game": game_id,
        "error": error,
        "games": total.games,
        "moves": total.moves,
        "views": total.views,
        "games_exact": total.games_exact / total.games,
        "games_without_wrong_move": total.games_right / total.games,
        "moves_exact": total.moves_exact / total.moves,
        "moves_exact_without_rules": total.moves_without / total.moves,
        "games_exact_without_rules": total.games_without / total.games,
        "questions_per_game": total.questions / total.games,
        "questions_per_20_moves": 20 * total.questions / total.moves,
        "told_per_20_moves": 20 * total.told / total.moves,
        "false_alarms_per_game": total.false_alarms / total.games,
        "corrections_per_game": total.corrections / total.games,
        "planted": total.planted,
        "caught": total.caught / total.planted if total.planted else None,
        "ms_median": statistics.median(times_ms),
        "ms_95": times_ms[int(len(times_ms) * 0.95)],
        "ms_worst": times_ms[-1],
        "failures": total.failures,
        "uncaught": total.uncaught,
    }


def as_rows(results: list[dict[str, Any]]) -> Rows:
    rows = Rows(title="The referee before a simulated reader (processor time per view)")
    heads = (
        "game", "error", "moves exact", "without rules", "games exact", "no wrong move", "without rules",
        "questions / 20 moves", "told / 20 moves", "false alarms / game", "illegal caught",
        "ms median", "95 %", "worst",
    )  # fmt: skip
    for head in heads:
        rows.add_column(head, justify="left" if head == "game" else "right")
    for result in results:
        caught = "-" if result["caught"] is None else f"{result['caught']:.1%}"
        rows.add_row(
            result["game"], f"{result['error']:.0%}", f"{result['moves_exact']:.2%}",
            f"{result['moves_exact_without_rules']:.1%}", f"{result['games_exact']:.1%}",
            f"{result['games_without_wrong_move']:.1%}", f"{result['games_exact_without_rules']:.1%}",
            f"{result['questions_per_20_moves']:.2f}", f"{result['told_per_20_moves']:.1f}",
            f"{result['false_alarms_per_game']:.2f}", caught,
            f"{result['ms_median']:.1f}", f"{result['ms_95']:.0f}", f"{result['ms_worst']:.0f}",
        )  # fmt: skip
    return rows
