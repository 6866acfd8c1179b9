"""The actions of Knizia's Stonehenge."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action, Notation
from engine.games.stonehenge.lines import LINE_NAMES, SPACES
from engine.words import Text


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Put one of your stones on an empty space (face down in that variant, and known to the record)."""

    notation = Notation("place {value} on {space}", "setze {value} auf {space}")
    title = Text("place a stone", "Stein setzen")
    value: int
    space: str


@dataclass(frozen=True, slots=True)
class PlaceFaceDown(Action):
    """The same as a table sees it: only the player knows which stone it was."""

    notation = Notation("place ?? on {space}", "setze ?? auf {space}")
    title = Text("place a stone face down", "Stein verdeckt setzen")
    space: str


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Put a megalith at the end of a line that you dominate."""

    notation = Notation("claim {line}", "beanspruche {line}")
    title = Text("claim a line", "Linie beanspruchen")
    line: str


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """A face-down stone of a full line is turned up and shows its value."""

    notation = Notation("reveal {value} on {space}", "decke {value} auf {space} auf")
    title = Text("reveal a stone", "Stein aufdecken")
    value: int
    space: str


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """Leave lines unclaimed for now and let the opponent go on."""

    notation = Notation("end turn", "Zug beenden")
    title = Text("end the turn", "Zug beenden")


# Every action exists once; states hand out these.
PLACE = tuple(tuple(Place(value, space) for space in SPACES) for value in range(7))
PLACE_FACE_DOWN = tuple(PlaceFaceDown(space) for space in SPACES)
CLAIM = tuple(Claim(line) for line in LINE_NAMES)
REVEAL = tuple(tuple(Reveal(value, space) for space in SPACES) for value in range(7))
END_TURN = EndTurn()

ACTIONS = (Place, PlaceFaceDown, Claim, Reveal, EndTurn)
