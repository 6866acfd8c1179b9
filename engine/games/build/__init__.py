"""Erbaut Stonehenge! (Build Stonehenge!) for three or four players.

In the order of reading: ground (sites and cards as numbers), actions, phases, state (how a turn goes),
rules (why a move is refused), knowledge (hidden cards), scoring, look (what a camera sees), advice, data
(JSON), game (variants)."""

from engine.games.build.game import Build
from engine.games.build.state import BuildState

__all__ = ["Build", "BuildState"]
