"""Who may sit down together: every game with every number of players."""

from __future__ import annotations

from typing import Any

from engine import GAMES, Game, load_game

SEATS = [(game_id, count) for game_id in GAMES for count in load_game(game_id).player_counts]


def seats(game: Game, count: int) -> tuple[str, ...]:
    """The first `count` colours that may play together, in an order that the game accepts."""
    return game.some_players(count)


def ending(game_id: str, turns: int = 20) -> dict[str, Any]:
    """The house rule that ends a game which random moves could go on with for ever; {} for the others."""
    limited = any(variant.key == "turn_limit" for variant in load_game(game_id).variants)
    return {"turn_limit": turns} if limited else {}
