"""Why an action is refused: the rules of Rollende Steine in plain words, one function per kind of action."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.games.rolling import actions as act
from engine.games.rolling import course, look
from engine.games.rolling.course import BANKS_EACH, GATES
from engine.games.rolling.phases import BANKS, COURSE, MOVING, OVER, ROLL, WHEEL
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.rolling.state import RollingState


def why_not(state: RollingState, action: Action) -> Text | None:
    """None if `action` is legal, else the rule that forbids it."""
    if type(action) not in _RULES:
        return Text("that is no move of this game", "das ist kein Zug dieses Spiels")
    phases, check = _RULES[type(action)]
    if state.phase not in phases:
        return _not_now(state, action)
    refused: Text | None = check(state, action)
    return refused


def _not_now(state: RollingState, action: Action) -> Text:
    if state.phase == MOVING and isinstance(action, act.PlaceBank):
        return Text(
            "either a new bank or up to two on the board are moved",
            "entweder kommt eine neue Bande, oder bis zu zwei stehende werden umgestellt",
        )
    if state.phase == WHEEL and isinstance(action, (act.PlaceBank, act.MoveBank)):
        return Text(
            "the banks of this turn are done: now the wheel is set up",
            "die Banden dieses Zugs sind gestellt: jetzt wird das Rad aufgestellt",
        )
    if state.phase == OVER:
        return state.prompt()
    return Text("not now: ", "nicht jetzt: ") + state.prompt()


def _place_refused(x_mm: int | None, y_mm: int | None) -> Text | None:
    if (x_mm is None) != (y_mm is None):
        return Text("a place has two coordinates", "ein Ort hat zwei Koordinaten")
    if x_mm is None or y_mm is None or course.on_board(x_mm, y_mm):
        return None
    return Text(
        f"{x_mm},{y_mm} is off the board, which is {course.BOARD_MM} mm wide",
        f"{x_mm},{y_mm} liegt nicht auf dem Brett, das {course.BOARD_MM} mm breit ist",
    )


def _set_gate(state: RollingState, action: act.SetGate) -> Text | None:
    due = len(state.gates) + 1
    if action.gate != due:
        return Text(f"gate {due} is put up next", f"als Nächstes wird Tor {due} aufgebaut")
    if action.y_mm is not None and action.y_mm >= course.RUN_UP_FROM_MM:
        return Text(
            f"gates stand in the trilith zone, above {course.RUN_UP_FROM_MM} mm",
            f"Tore stehen in der Trilithzone, oberhalb von {course.RUN_UP_FROM_MM} mm",
        )
    return _place_refused(action.x_mm, action.y_mm)


def _bank_place_refused(state: RollingState, x_mm: int | None, y_mm: int | None) -> Text | None:
    off = _place_refused(x_mm, y_mm)
    if off or x_mm is None or y_mm is None:
        return off
    if state.game.variant["bank_zones"] == "trilith_zone" and y_mm >= course.RUN_UP_FROM_MM:
        return Text("banks stand in the trilith zone", "Banden stehen in der Trilithzone")
    for number, pose in enumerate(look.gate_poses(state), start=1):
        if pose.told and course.closes(pose, x_mm, y_mm):
            return Text(
                f"a bank there would close gate {number}", f"eine Bande dort würde Tor {number} schließen"
            )
    return None


def _place_bank(state: RollingState, action: act.PlaceBank) -> Text | None:
    if state.placed[state.seat] >= BANKS_EACH:
        return Text(
            "all own banks are on the board: move two instead",
            "alle eigenen Banden stehen auf dem Brett: stelle zwei um",
        )
    return _bank_place_refused(state, action.x_mm, action.y_mm)


def _unknown_bank(state: RollingState, bank: str) -> Text | None:
    if any(each.name == bank for each in state.banks):
        return None
    return name(bank) + Text(" is no bank on the board", " ist keine Bande auf dem Brett")


def _move_bank(state: RollingState, action: act.MoveBank) -> Text | None:
    if action.bank == state.moved:
        return name(action.bank) + Text(
            " was moved already in this turn", " wurde in diesem Zug schon umgestellt"
        )
    unknown = _unknown_bank(state, action.bank)
    return unknown or _bank_place_refused(state, action.x_mm, action.y_mm)


def _set_up_wheel(state: RollingState, action: act.SetUpWheel) -> Text | None:
    allowed = state.wheel_colours()
    if action.wheel not in allowed:
        colours = Text(", ".join(allowed), ", ".join(name(colour).de for colour in allowed))
        return (
            Text(
                "own wheels are rolled first, then the neutral ones: now ",
                "erst rollen die eigenen Räder, dann die neutralen: jetzt ",
            )
            + colours
        )
    off = _place_refused(action.x_mm, action.y_mm)
    if off or action.y_mm is None or action.y_mm >= course.KICK_OFF_FROM_MM:
        return off
    return Text(
        f"the wheel is set up in the kick-off zone, below {course.KICK_OFF_FROM_MM} mm",
        f"das Rad wird in der Anstoßzone aufgestellt, unterhalb von {course.KICK_OFF_FROM_MM} mm",
    )


def _roll(state: RollingState, action: act.Roll) -> Text | None:
    if isinstance(action, act.Through) and not (action.gates and _well_named(action.gates)):
        return _GATES_TWICE
    if isinstance(action, (act.Through, act.NoGate)) and not _well_named(action.toppled):
        return _GATES_TWICE
    return next(filter(None, (_unknown_bank(state, bank) for bank in action.pushed)), None)


def _well_named(gates: tuple[int, ...]) -> bool:
    return list(gates) == sorted(set(gates)) and all(1 <= gate <= GATES for gate in gates)


_GATES_TWICE = Text(
    "gates are named once each, ascending, from 1 to 5: through 2+4",
    "Tore werden je einmal und aufsteigend genannt, von 1 bis 5: durch 2+4",
)


_RULES: dict[type[Action], tuple[tuple[str, ...], Callable[[RollingState, Any], Text | None]]] = {
    act.SetGate: ((COURSE,), _set_gate),
    act.PlaceBank: ((BANKS,), _place_bank),
    act.MoveBank: ((BANKS, MOVING), _move_bank),
    act.SetUpWheel: ((BANKS, MOVING, WHEEL), _set_up_wheel),
    act.TooWeak: ((ROLL,), _roll),
    act.Sideways: ((ROLL,), _roll),
    act.NoGate: ((ROLL,), _roll),
    act.Through: ((ROLL,), _roll),
}
