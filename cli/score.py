"""`henge score`: the score in a photograph or a position file, with its breakdown."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, add_language, print_json, print_scores, words
from cli.read import add_reading, corners, make_reader
from engine import Position, load_game
from vision.images import load_image

# The game that is meant when only the board is known.
USUAL_GAME = {"knizia": "stonehenge", "anthology": "build"}


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
    position = _position(args)
    game = load_game(args.game or position.game or USUAL_GAME.get(position.board, ""))
    scores = game.score_position(position, args.players)
    if args.json:
        print_json({"game": game.id, "scores": {player: score.to_json() for player, score in scores.items()}})
    else:
        print_scores(scores, args.lang)
    return DONE


def _position(args: argparse.Namespace) -> Position:
    if Path(args.source).suffix.lower() == ".json":
        try:
            return Position.from_json(json.loads(Path(args.source).read_text(encoding="utf-8")))
        except OSError as error:
            raise UsageError(f"cannot open {args.source}: {error.strerror or error}") from None
        except ValueError as error:
            raise UsageError(f"{args.source} is not a position file: {error}") from None
    image = load_image(args.source)
    args.player_names = args.players
    seen = make_reader(args, image).read(image, corners_px=corners(args.corners))
    return seen.position
