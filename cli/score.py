"""`henge score`: the score in a photograph or a position file, with its breakdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, add_language, place_text, print_json, print_scores, words
from cli.positions import load_position, refuse_unknown_fields
from cli.read import add_reading, corners, make_reader, print_warnings
from engine import GAMES, Position, Text, load_game
from engine.board import board_ids, load_board
from vision.pictures.images import load_image

# The game that is meant when only the board is known.
USUAL_GAME = {"knizia": "stonehenge", "anthology": "build"}
NOT_COUNTED = Text("not seen, so not counted", "nicht zu sehen, also nicht gezählt")
NOTHING = Text("nothing lies there that counts in this game", "es liegt nichts da, was in diesem Spiel zählt")


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "score", description="Counts the score in a photograph or in a position file."
    )
    parser.add_argument("source", metavar="IMAGE-or-POSITION", help="a photograph, or a position as JSON")
    add_reading(parser)
    parser.add_argument("--players", type=words, default=(), metavar="a,b,c", help="the colours that play")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    position, unseen = _read(args)
    name = args.game or position.game or USUAL_GAME.get(position.board)
    if name is None:
        raise UsageError(
            f"which game is played on the {position.board} board? Expected --game with one of "
            + ", ".join(GAMES)
        )
    game = load_game(name)
    scores = game.score_position(position, args.players)
    if args.json:
        told = {player: score.to_json() for player, score in scores.items()}
        print_json({"game": game.id, "scores": told, "unseen": unseen})
    else:
        print_scores(scores, args.lang)
        if not scores:
            print(NOTHING.in_language(args.lang))
    if unseen:
        places = ", ".join(place_text(place, args.lang) for place in unseen)
        print(f"henge: {args.source}: {NOT_COUNTED.in_language(args.lang)}: {places}", file=sys.stderr)
    return DONE


def _read(args: argparse.Namespace) -> tuple[Position, list[str]]:
    """What lies on the board, and the places that nobody can see."""
    if Path(args.source).suffix.lower() == ".json":
        position = load_position(args.source)
        if args.board or position.board in board_ids():
            refuse_unknown_fields(position, load_board(args.board or position.board), args.source)
        return position, []
    image = load_image(args.source)
    args.player_names = args.players
    seen = make_reader(args, image).read(image, corners_px=corners(args.corners))
    print_warnings(args.source, seen, args.lang)
    return seen.position, sorted(place for place in seen.unseen if place)
