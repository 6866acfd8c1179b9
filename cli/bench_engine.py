"""`henge bench engine`: random legal moves per second, next to python-chess.

A move is the whole of what a table asks for: the list of all legal moves, a choice from it, and `apply`,
which checks the choice once more and makes a new state. Deals, draws and rolls cost their time but do not
count as moves. python-chess lists its legal moves and pushes one of them.

Every measurement of a game stands right beside one of chess, so that a busy machine slows down both, and
is in seconds of processor time. What is printed are medians over the rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median
from typing import NamedTuple

from cli.errors import UsageError
from cli.games import playable
from cli.main import DONE
from cli.output import add_json, print_json
from engine import CHANCE, Game, draw_chance, load_game

LONGEST_GAME = 2000  # moves; random racers hardly ever ram each other off the track
STEPS = 50  # moves and events between two looks at the clock


class Speed(NamedTuple):
    """Of one game with one number of players. `per_s` counts the moves of players, `events_per_s` the
    deals, draws and rolls beside them; `chess_per_s` was measured at the same time, None without chess."""

    game: str
    players: int
    per_s: float
    events_per_s: float
    chess_per_s: float | None
    ratio: float | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=playable(), help="only this game")
    parser.add_argument("--half-seen", action="store_true", help="with hidden cards, as at a real table")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each game (default: 5)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement (default: 0.3)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves (default: 1)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.rounds < 1 or not 0 < args.seconds <= 3600:
        raise UsageError("--rounds is at least 1, --seconds more than 0")
    try:
        chess_games: Iterator[bool] | None = chess_moves(args.seed)
    except ImportError:
        chess_games = None
        print("henge: python-chess is not installed, so there is nothing to compare with", file=sys.stderr)
    speeds = []
    for game in (load_game(game_id, half_seen=args.half_seen) for game_id in playable()):
        for count in game.player_counts if args.game in (None, game.id) else ():
            moves = game_moves(game, game.some_players(count), args.seed)
            speeds.append(compared(game.id, count, moves, chess_games, args.rounds, args.seconds))
            if not args.json:
                print_speed(speeds[-1], first=len(speeds) == 1)
    if args.json:
        print_json([speed._asdict() for speed in speeds])
    return DONE


def compared(
    game_id: str, count: int, moves: Iterator[bool], chess: Iterator[bool] | None, rounds: int, seconds: float
) -> Speed:
    """The medians of `rounds` measurements, each beside one of chess."""
    ours, events, theirs, ratios = [], [], [], []
    for _ in range(rounds):
        per_s, events_per_s = rates(moves, seconds)
        ours.append(per_s)
        events.append(events_per_s)
        if chess is not None:
            theirs.append(rates(chess, seconds)[0])
            ratios.append(per_s / theirs[-1])
    return Speed(
        game_id, count, median(ours), median(events),
        median(theirs) if theirs else None, median(ratios) if ratios else None,
    )  # fmt: skip


def rates(
    moves: Iterator[bool], seconds: float, clock: Callable[[], float] = time.process_time
) -> tuple[float, float]:
    """(moves, events) per second of an endless run that yields True after a move, False after an event."""
    start, passed, steps, made = clock(), 0.0, 0, 0
    while passed < seconds:
        made += sum(islice(moves, STEPS))
        steps += STEPS
        passed = clock() - start
    return made / passed, (steps - made) / passed


def game_moves(game: Game, players: tuple[str, ...], seed: int) -> Iterator[bool]:
    """Plays random games for ever; yields True after a player's move, False after an event."""
    rng = random.Random(seed)
    while True:
        state, moves = game.start(players), 0
        while state.to_move is not None and moves < LONGEST_GAME:
            by_player = state.to_move != CHANCE
            action = rng.choice(state.legal_actions()) if by_player else draw_chance(state, rng)
            state = state.apply(action)
            moves += by_player
            yield by_player


def chess_moves(seed: int) -> Iterator[bool]:
    """The same for chess. Raises ImportError where python-chess is not installed."""
    import chess

    def play() -> Iterator[bool]:
        rng = random.Random(seed)
        while True:
            board = chess.Board()
            while (legal := list(board.legal_moves)) and board.halfmove_clock < 150:
                board.push(rng.choice(legal))
                yield True

    return play()


def print_speed(speed: Speed, first: bool) -> None:
    """One row of the table; before the first one also what the columns are."""
    if first:
        print("game         players    moves/s  events/s    chess/s   ratio")
    chess = "" if speed.chess_per_s is None else f"{speed.chess_per_s:9,.0f}  {speed.ratio:6.2f}"
    row = f"{speed.game:<12}  {speed.players:>6}  {speed.per_s:9,.0f} {speed.events_per_s:9,.0f}  {chess}"
    print(row.rstrip(), flush=True)
