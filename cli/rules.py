"""`henge rules`: the engine on JSON states. A state comes on stdin, the result goes to stdout.

    henge rules new stonehenge --players black,brown > state.json
    henge rules legal < state.json
    henge rules apply place 4 on space-A < state.json

A move that the rules forbid is refused with the reason on stderr and exit code 1; a text that is no move
of the game at all is bad input, exit code 2.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable
from typing import Any

from cli import series
from cli.errors import UsageError
from cli.games import all_variants
from cli.main import DONE, WRONG
from cli.output import (
    add_json,
    add_language,
    print_json,
    print_position,
    print_remarks,
    print_scores,
    read_json_from_stdin,
    words,
)
from engine import CHANCE, Action, Game, IllegalActionError, State, draw_chance, load_game, state_from_json

EXPECTED = "a state, as `henge rules new` prints it"


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "rules", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    new = actions.add_parser("new", help="print the first state of a game")
    new.add_argument("game", metavar="GAME", help="one of those that `henge games` lists")
    new.add_argument("--players", required=True, metavar="A,B,C", help="colours in the order of the seats")
    new.add_argument("--seed", type=int, help="draw the deals of the set-up, always the same for a number")
    new.add_argument(
        "--variant", action="append", default=[], metavar="KEY=VALUE", help="a variant from `henge games`"
    )
    new.set_defaults(run=run_new)

    legal = actions.add_parser("legal", help="print every legal move of the state on stdin")
    legal.set_defaults(run=run_legal)

    apply = actions.add_parser("apply", help="print the state after a move")
    apply.add_argument("move", nargs="*", metavar="MOVE", help="as `legal` prints it, in English or German")
    apply.add_argument("--chance", action="store_true", help="draw the deal, draw or roll that is due")
    apply.add_argument("--seed", type=int, help="with --chance: always draw the same for a number")
    apply.set_defaults(run=run_apply)

    score = actions.add_parser("score", help="print the score so far and how it comes about")
    score.set_defaults(run=run_score)

    show = actions.add_parser("show", help="print what is on the table and whose turn it is")
    show.add_argument("--player", metavar="COLOUR", help="only what this player may know")
    show.set_defaults(run=run_show)

    series.add_to(actions)

    for reader in (legal, score, show):
        add_json(reader)
    for speaker in (legal, apply, score, show):
        add_language(speaker)


def run_new(args: argparse.Namespace) -> int:
    game = load_game(args.game, **chosen_variants(load_game(args.game), args.variant))
    state = game.start(words(args.players))
    if args.seed is not None:
        rng = random.Random(args.seed)
        while state.to_move == CHANCE:
            state = state.apply(draw_chance(state, rng))
    print_json(state.to_json())
    return DONE


def run_legal(args: argparse.Namespace) -> int:
    state = read_state()
    chances = dict(state.chance_outcomes())
    if args.json:
        print_json(
            [
                {**action.to_json(), "probability": chances[action]} if chances else action.to_json()
                for action in state.legal_actions()
            ]
        )
        return DONE
    for action in state.legal_actions():
        print(action.text(args.lang))
    return DONE


def run_apply(args: argparse.Namespace) -> int:
    if args.chance == bool(args.move):
        raise UsageError("rules apply takes either a move or --chance")
    state = read_state()
    action = draw(state, args.seed) if args.chance else state.game.parse(" ".join(args.move))
    try:
        print_json(state.apply(action).to_json())
    except IllegalActionError as error:
        print(f"henge: {error.reason.in_language(args.lang)}", file=sys.stderr)
        return WRONG
    return DONE


def draw(state: State, seed: int | None) -> Action:
    """One chance outcome. Raises UsageError when none is due."""
    if state.to_move != CHANCE:
        raise UsageError(f"nothing is to be dealt, drawn or rolled now: {state.prompt()}")
    return draw_chance(state, random.Random(seed))


def run_score(args: argparse.Namespace) -> int:
    scores = read_state().scores()
    if args.json:
        print_json({player: score.to_json() for player, score in scores.items()})
    else:
        print_scores(scores, args.lang)
    return DONE


def run_show(args: argparse.Namespace) -> int:
    state = read_state()
    if args.player is not None:
        if args.player not in state.players:
            raise UsageError(
                f"{args.player!r} does not play here; the players are {', '.join(state.players)}"
            )
        state = state.view(args.player)
    if args.json:
        print_json(
            {
                "prompt": state.prompt().to_json(),
                "visible": state.visible().to_json(),
                "scores": {player: score.to_json() for player, score in state.scores().items()},
                "insights": state.insights(),
                "returns": list(state.returns()) if state.is_over else None,
                "state": state.to_json(),
            }
        )
        return DONE
    print(state.game.title.in_language(args.lang) + ": " + state.prompt().in_language(args.lang))
    print_position(state.visible(), args.lang)
    print_remarks(state.insights(), args.lang)
    print_scores(state.scores(), args.lang)
    return DONE


def read_state() -> State:
    """The state on stdin."""
    return state_from_json(read_json_from_stdin(EXPECTED))


def chosen_variants(game: Game, texts: Iterable[str]) -> dict[str, Any]:
    """The variants typed as "key=value" (a key alone means yes). Raises UsageError for what `game` lacks."""
    known = {variant.key: variant for variant in all_variants(game)}
    chosen = {}
    for text in texts:
        key, _, value = text.partition("=")
        if key not in known:
            raise UsageError(f"{game.id} has no variant {key!r}; it has {', '.join(known)}")
        chosen[key] = known[key].chosen(value or "yes")
    return chosen
