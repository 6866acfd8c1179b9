"""The actions of Rollende Steine. Coordinates are whole millimetres and may be left out: what a player
writes as "bank" a camera may know as "bank at 120,340 turned 45"; the same holds for banks that were pushed
and gates that fell over. Lists of legal actions leave all these out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from engine.action import Action, Notation
from engine.games.rolling.course import GATES
from engine.words import Text

_RESULT = Text("how the wheel rolled", "wie das Rad rollte")


@dataclass(frozen=True, slots=True)
class SetGate(Action):
    """The next trilith of the course is put up."""

    notation = Notation(
        "gate {gate}[ at {x_mm},{y_mm}][ turned {angle_deg}]",
        "Tor {gate}[ bei {x_mm},{y_mm}][ gedreht {angle_deg}]",
    )
    title = Text("put up the course", "den Kurs aufbauen")
    gate: int
    x_mm: int | None = None
    y_mm: int | None = None
    angle_deg: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceBank(Action):
    """One own bank comes onto the board."""

    notation = Notation(
        "bank[ at {x_mm},{y_mm}][ turned {angle_deg}]", "Bande[ bei {x_mm},{y_mm}][ gedreht {angle_deg}]"
    )
    title = Text("place a bank", "eine Bande stellen")
    x_mm: int | None = None
    y_mm: int | None = None
    angle_deg: int | None = None


@dataclass(frozen=True, slots=True)
class MoveBank(Action):
    """A bank on the board, anybody's, comes to another place; a second one may follow."""

    notation = Notation(
        "move {bank}[ to {x_mm},{y_mm}][ turned {angle_deg}]",
        "versetze {bank}[ nach {x_mm},{y_mm}][ gedreht {angle_deg}]",
    )
    title = Text("move banks", "Banden umstellen")
    bank: str
    x_mm: int | None = None
    y_mm: int | None = None
    angle_deg: int | None = None


@dataclass(frozen=True, slots=True)
class SetUpWheel(Action):
    """A wheel is stood up in the kick-off zone."""

    notation = Notation("set up {wheel}[ at {x_mm},{y_mm}]", "stelle {wheel} auf[ bei {x_mm},{y_mm}]")
    title = Text("set up a wheel", "ein Rad aufstellen")
    wheel: str
    x_mm: int | None = None
    y_mm: int | None = None


@dataclass(frozen=True, slots=True)
class TooWeak(Action):
    """The wheel stopped in the run-up zone or came back: it is set up again."""

    notation = Notation("too weak[, pushing {pushed}]", "zu schwach[, verschiebt {pushed}]")
    title = _RESULT
    pushed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sideways(Action):
    """The wheel left the run-up zone at the side of the board."""

    notation = Notation(
        "sideways off the board[, pushing {pushed}]", "seitlich vom Brett[, verschiebt {pushed}]"
    )
    title = _RESULT
    pushed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoGate(Action):
    """The wheel crossed the run-up zone and went through no gate: it is out of the game. `toppled`: gates
    that fell over before the wheel had left them."""

    notation = Notation(
        "no gate[, toppling {toppled}][, pushing {pushed}]",
        "kein Tor[, wirft {toppled} um][, verschiebt {pushed}]",
    )
    title = _RESULT
    toppled: tuple[int, ...] = ()
    pushed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Through(Action):
    """The wheel went through these gates (1..5). `toppled`: gates that fell over before it had left them,
    those named among `gates` as well."""

    notation = Notation(
        "through {gates}[, toppling {toppled}][, pushing {pushed}]",
        "durch {gates}[, wirft {toppled} um][, verschiebt {pushed}]",
    )
    title = _RESULT
    gates: tuple[int, ...]
    toppled: tuple[int, ...] = ()
    pushed: tuple[str, ...] = ()


Roll = TooWeak | Sideways | NoGate | Through
ACTIONS: tuple[type[Action], ...] = (
    SetGate, PlaceBank, MoveBank, SetUpWheel, TooWeak, Sideways, NoGate, Through,
)  # fmt: skip

SET_GATE = tuple(SetGate(gate) for gate in range(1, GATES + 1))
PLACE_BANK = PlaceBank()


def _rolls() -> tuple[tuple[Action, float], ...]:
    """What a roll can bring, with how likely it is; a guess that favours few gates."""
    subsets = [
        Through(gates) for size in range(1, GATES + 1) for gates in combinations(range(1, GATES + 1), size)
    ]
    weights = [0.25 ** len(action.gates) for action in subsets]
    share = 0.4 / sum(weights)
    rest: tuple[tuple[Action, float], ...] = ((TooWeak(), 0.2), (Sideways(), 0.1), (NoGate(), 0.3))
    return (*rest, *((a, w * share) for a, w in zip(subsets, weights, strict=True)))


ROLLS = _rolls()
