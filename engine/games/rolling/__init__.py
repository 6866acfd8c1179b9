"""Rollende Steine (Rolling Rocks): up to five giants roll their wheels through five gates, together.

In the order of reading: course (board zones, gates), actions, phases, state, rules (why not), turn (what
follows), look (what a camera sees), game."""

from engine.games.rolling.game import Rolling
from engine.games.rolling.state import RollingState

__all__ = ["Rolling", "RollingState"]
