"""`henge games`: the games, who can play them, and their variants with one line each."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Any

from cli.main import DONE
from cli.output import add_json, add_language, print_json, print_rows
from engine import GAMES, Game, Variant, load_game
from engine.game import HALF_SEEN, as_typed
from engine.words import translate_word


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "games",
        description="The games that Henge knows, who plays them, and the variants and house rules of each.",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="only this game")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    chosen = [load_game(args.game)] if args.game else [load_game(game_id) for game_id in playable()]
    if args.json:
        print_json([describe(game) for game in chosen])
        return DONE
    for number, game in enumerate(chosen):
        if number:
            print()
        print_game(game, args.lang)
    return DONE


def playable() -> tuple[str, ...]:
    """The ids of the games whose rules are there, in the order of the rule books."""
    return tuple(game_id for game_id in GAMES if find_spec(f"engine.games.{game_id}"))


def all_variants(game: Game) -> tuple[Variant, ...]:
    """What `--variant` understands: the game's own keywords, and `half_seen`, which every game has."""
    return (*game.variants, HALF_SEEN)


def describe(game: Game) -> dict[str, Any]:
    """The game as JSON data: id, title, board, player_counts, colours, variants."""
    return {
        "id": game.id,
        "title": game.title.to_json(),
        "board": game.board,
        "player_counts": list(game.player_counts),
        "colours": list(game.colours),
        "variants": [
            {
                "key": variant.key,
                "choices": list(variant.choices),
                "default": variant.default,
                "house_rule": variant.house_rule,
                "label": variant.label.to_json(),
            }
            for variant in all_variants(game)
        ],
    }


def print_game(game: Game, language: str) -> None:
    """The game in a few lines for people."""
    german = language == "de"
    colours = ", ".join(translate_word(colour, language) for colour in game.colours)
    counts = _counts(game.player_counts, "oder" if german else "or")
    print(f"{game.id}: {game.title.in_language(language)}")
    print(f"  {counts} Spieler: {colours}" if german else f"  {counts} players: {colours}")
    for house_rule in (False, True):
        variants = [variant for variant in all_variants(game) if variant.house_rule is house_rule]
        if variants:
            print("  " + _heading(house_rule, german))
            print_rows(
                ((_choices(variant), variant.label.in_language(language)) for variant in variants), "    "
            )


def _choices(variant: Variant) -> str:
    return f"{variant.key}={'|'.join(map(as_typed, variant.choices))}"


def _counts(counts: tuple[int, ...], conjunction: str) -> str:
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]}-{counts[-1]}"
    return f" {conjunction} ".join(map(str, counts))


def _heading(house_rule: bool, german: bool) -> str:
    if house_rule:
        return "Hausregeln (zuerst, was ohne Angabe gilt):" if german else "house rules (the default first):"
    return "Varianten (zuerst, was ohne Angabe gilt):" if german else "variants (the default first):"
