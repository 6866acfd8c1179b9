"""The course: zones of the board, the five gates and where they stand, banks, markers.

Convention: millimetres on the board plane, origin at the printed top-left corner, x right, y down; angles
in degrees clockwise from +x, along a capstone or bank. The lettering STONEHENGE is at the lower edge, from
where everybody plays: upwards follow the kick-off zone, the run-up zone and the trilith zone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import StateError
from engine.words import Text

BOARD_MM: Final = 500
GATES: Final = 5
OWN_WHEELS: Final = 10
BANKS_EACH: Final = 10
NOTED: Final = "noted"  # a gate that is scored without a disc on it
# Ours: the rule sheet's drawing of the zones is not at hand. From here down the zone begins.
RUN_UP_FROM_MM: Final = 400
KICK_OFF_FROM_MM: Final = 445
# The free space between the pillars of a gate: half its width and half its depth.
GATE_HALF_WIDTH_MM: Final = 20
GATE_HALF_DEPTH_MM: Final = 10

# The courses of the rule book, by name; where their gates stand is a drawing that we do not have.
ON_THE_FIELDS: Final = "trilith_fields"
COURSES: Final[Mapping[str, Text]] = {
    ON_THE_FIELDS: Text("on the trilith fields of the board", "auf den Trilithenfeldern des Bretts"),
    "podium": Text("the podium (for beginners)", "das Podest (für Einsteiger)"),
    "pyramid": Text("the pyramid", "die Pyramide"),
    "wall": Text("the wall (for beginners)", "die Mauer (für Einsteiger)"),
    "roof": Text("the roof", "das Dach"),
    "wedge": Text("the wedge", "der Keil"),
    "stairs": Text("the stairs", "die Treppe"),
    "man": Text("the man", "der Mann"),
    "water_strider": Text("the water strider", "der Wasserläufer"),
    "own": Text("a course of one's own", "ein eigener Kurs"),
}


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a free-standing piece is. `told` is False as long as nobody measured it: then it is drawn at a
    stopgap place."""

    x_mm: int
    y_mm: int
    angle_deg: int = 0
    told: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"x_mm": self.x_mm, "y_mm": self.y_mm, "angle_deg": self.angle_deg, "told": self.told}

    @classmethod
    def from_json(cls, data: Any) -> Pose:
        """Raises StateError for anything but what `to_json` writes."""
        numbers = ("x_mm", "y_mm", "angle_deg")
        if not isinstance(data, Mapping) or not all(isinstance(data.get(key), int) for key in numbers):
            raise StateError(f"a pose has whole numbers {', '.join(numbers)}, found {data!r}")
        told = bool(data.get("told", True))
        return cls(int(data["x_mm"]), int(data["y_mm"]), int(data["angle_deg"]), told)


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank on the board, by name ("red-1": the first that red placed)."""

    name: str
    pose: Pose

    @property
    def colour(self) -> str:
        return self.name.split("-")[0]


@dataclass(frozen=True, slots=True)
class Marker:
    """Who scored a gate, and what lies on it: "disc", or NOTED when he had none that was out."""

    player: str
    kind: str = "disc"


def told_pose(x_mm: int | None, y_mm: int | None, angle_deg: int | None, stopgap: Pose) -> Pose:
    """The pose that an action tells, or `stopgap` when it tells none."""
    if x_mm is None or y_mm is None:
        return stopgap
    return Pose(x_mm, y_mm, angle_deg or 0)


def gate_stopgap(gate: int) -> Pose:
    """Gates that nobody measured are drawn in a row across the trilith zone."""
    return Pose(90 + 80 * (gate - 1), 200, 0, told=False)


def bank_stopgap(number: int) -> Pose:
    """Banks that nobody measured are drawn in columns at the left edge."""
    return Pose(20 + 32 * (number // 40), 20 + 9 * (number % 40), 0, told=False)


WHEEL_STOPGAP: Final = Pose(BOARD_MM // 2, (KICK_OFF_FROM_MM + BOARD_MM) // 2, 0, told=False)


def zones() -> list[dict[str, Any]]:
    """The three zones as JSON, from the lettering upwards, each with its top and bottom edge."""
    edges = (
        ("kick-off", KICK_OFF_FROM_MM, BOARD_MM),
        ("run-up", RUN_UP_FROM_MM, KICK_OFF_FROM_MM),
        ("trilith", 0, RUN_UP_FROM_MM),
    )
    return [{"zone": zone, "top_mm": top, "bottom_mm": bottom} for zone, top, bottom in edges]


def on_board(x_mm: int, y_mm: int) -> bool:
    return 0 <= x_mm <= BOARD_MM and 0 <= y_mm <= BOARD_MM


def closes(gate: Pose, x_mm: int, y_mm: int) -> bool:
    """Whether a bank there stands between the gate's pillars."""
    turn = math.radians(gate.angle_deg)
    dx, dy = x_mm - gate.x_mm, y_mm - gate.y_mm
    along = dx * math.cos(turn) + dy * math.sin(turn)
    across = dy * math.cos(turn) - dx * math.sin(turn)
    return abs(along) < GATE_HALF_WIDTH_MM and abs(across) < GATE_HALF_DEPTH_MM
