"""The rules of six games as a referee needs them. Standard library only.

>>> game = load_game("stonehenge")
>>> state = game.start(players=("black", "brown"))
>>> state.to_move
'black'
"""

from engine.action import Action
from engine.errors import (
    AmbiguousActionError,
    BoardError,
    HengeError,
    IllegalActionError,
    StateError,
    UnknownActionError,
)
from engine.game import CHANCE, Game, State, Variant, draw_chance
from engine.games import GAMES, load_game, state_from_json
from engine.observation import Observation
from engine.position import Change, Piece, Position, Thing, difference
from engine.score import Score, ScorePart
from engine.words import Text

__all__ = [
    "CHANCE",
    "GAMES",
    "Action",
    "AmbiguousActionError",
    "BoardError",
    "Change",
    "Game",
    "HengeError",
    "IllegalActionError",
    "Observation",
    "Piece",
    "Position",
    "Score",
    "ScorePart",
    "State",
    "StateError",
    "Text",
    "Thing",
    "UnknownActionError",
    "Variant",
    "difference",
    "draw_chance",
    "load_game",
    "state_from_json",
]
