"""The six games, one module each, loaded by id."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from engine.errors import StateError
from engine.game import Game, State

# id -> class name; the module has the id's name. In the order of the rule books.
GAMES: dict[str, str] = {
    "stonehenge": "Stonehenge",
    "council": "Council",
    "build": "Build",
    "rolling": "Rolling",
    "ramming": "Ramming",
    "roulette": "Roulette",
}


def load_game(game_id: str, /, **variant: Any) -> Game:
    """The game with this id (CONTRACT: stonehenge, council, build, rolling, ramming, roulette), its
    variants as keywords. Raises StateError for an unknown game, variant or value.

    >>> load_game("build").player_counts
    (3, 4)
    """
    if game_id not in GAMES:
        raise StateError(f"there is no game {game_id!r}; the games are {', '.join(GAMES)}")
    module = import_module(f"engine.games.{game_id}")
    game: Game = getattr(module, GAMES[game_id])(**variant)
    return game


def state_from_json(data: Mapping[str, Any]) -> State:
    """The state that `State.to_json` of any game wrote. Raises StateError naming what is wrong."""
    if not isinstance(data, Mapping) or not isinstance(data.get("game"), str):
        raise StateError("a state is a JSON object with the key 'game'")
    variant = data.get("variant") or {}
    if not isinstance(variant, Mapping):
        raise StateError(f"'variant' is an object of keyword and value, found {variant!r}")
    return load_game(data["game"], **variant).from_json(data)
