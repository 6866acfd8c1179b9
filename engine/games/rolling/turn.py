"""How the game goes on: what each action changes. The functions change a fresh copy of a state, which nobody
else has yet; `RollingState` is the only caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.game import CHANCE
from engine.games.rolling import actions as act
from engine.games.rolling import course
from engine.games.rolling.course import GATES, NOTED, Bank, Marker
from engine.games.rolling.phases import BANKS, MOVING, OVER, ROLL, WHEEL

if TYPE_CHECKING:
    from engine.games.rolling.state import RollingState


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _gate_set(new: RollingState, action: act.SetGate) -> None:
    stopgap = course.gate_stopgap(action.gate)
    pose = course.told_pose(action.x_mm, action.y_mm, action.angle_deg, stopgap)
    new.gates = (*new.gates, pose)
    if len(new.gates) == GATES:
        new.phase = BANKS


def _bank_placed(new: RollingState, action: act.PlaceBank) -> None:
    number = new.placed[new.seat] + 1
    new.placed = _with(new.placed, new.seat, number)
    stopgap = course.bank_stopgap(len(new.banks))
    pose = course.told_pose(action.x_mm, action.y_mm, action.angle_deg, stopgap)
    new.banks = (*new.banks, Bank(f"{new.players[new.seat]}-{number}", pose))
    new.phase = WHEEL


def _bank_moved(new: RollingState, action: act.MoveBank) -> None:
    index = next(i for i, bank in enumerate(new.banks) if bank.name == action.bank)
    pose = course.told_pose(action.x_mm, action.y_mm, action.angle_deg, course.bank_stopgap(index))
    new.banks = (*new.banks[:index], replace(new.banks[index], pose=pose), *new.banks[index + 1 :])
    new.phase = MOVING if new.phase == BANKS and len(new.banks) > 1 else WHEEL
    new.moved = action.bank


def _wheel_set_up(new: RollingState, action: act.SetUpWheel) -> None:
    new.wheel = (action.wheel, course.told_pose(action.x_mm, action.y_mm, None, course.WHEEL_STOPGAP))
    new.phase, new.to_move = ROLL, CHANCE


def _push_banks(new: RollingState, pushed: tuple[str, ...]) -> None:
    """Banks that the wheel displaced stay where they are, which is to be measured anew."""
    if new.game.variant["reset_banks"]:
        return
    new.banks = tuple(
        replace(bank, pose=replace(bank.pose, told=False)) if bank.name in pushed else bank
        for bank in new.banks
    )


def _too_weak(new: RollingState, action: act.TooWeak | act.Sideways) -> None:
    most = new.game.variant["max_rerolls"]
    if most != "unlimited" and new.repeats >= most:
        _use_wheel(new, ())
        return
    new.repeats += 1
    new.wheel = None
    again = BANKS if new.game.variant["bank_on_reroll"] else WHEEL
    new.phase, new.to_move, new.moved = again, new.players[new.seat], None


def _rolled_weak(new: RollingState, action: act.TooWeak) -> None:
    _push_banks(new, action.pushed)
    _too_weak(new, action)


def _rolled_sideways(new: RollingState, action: act.Sideways) -> None:
    _push_banks(new, action.pushed)
    if new.game.variant["sideways_exit"] == "repeat":
        _too_weak(new, action)
    else:
        _use_wheel(new, ())


def _rolled_out(new: RollingState, action: act.NoGate) -> None:
    _score_gates(new, action, ())


def _rolled_through(new: RollingState, action: act.Through) -> None:
    _score_gates(new, action, action.gates)


def _score_gates(new: RollingState, action: act.NoGate | act.Through, gates: tuple[int, ...]) -> None:
    """Gates that fell over under the wheel are put up again. They count where that is the house rule, and
    else not, even if the wheel is said to have gone through them."""
    _push_banks(new, action.pushed)
    passed, fallen = set(gates), set(action.toppled)
    scored = passed | fallen if new.game.variant["fallen_gate_scores"] else passed - fallen
    _use_wheel(new, tuple(gate for gate in sorted(scored) if new.markers[gate - 1] is None))


def _use_wheel(new: RollingState, gates: tuple[int, ...]) -> None:
    """The wheel is used up; it or wheels that left earlier mark the newly scored `gates`."""
    seat = new.seat
    colour = new.wheel[0] if new.wheel else ""
    own = colour == new.players[seat]
    if own:
        new.own = _with(new.own, seat, new.own[seat] - 1)
    else:
        new.neutral = _with(new.neutral, seat, new.neutral[seat] - 1)
        new.pool = tuple((each, left - (each == colour)) for each, left in new.pool)
    new.used += 1
    if own:
        new.out = _with(new.out, seat, new.out[seat] + 1)
    for gate in gates:
        _mark(new, seat, gate)
    _next_turn(new)


def _mark(new: RollingState, seat: int, gate: int) -> None:
    """A disc of the player that is out of the game goes onto the capstone; if he has none, the gate is
    noted, or where that is the house rule marked with a wheel that was not rolled yet."""
    kind = "disc"
    if new.out[seat]:
        new.out = _with(new.out, seat, new.out[seat] - 1)
    elif new.game.variant["marker_from_supply"] and new.own[seat]:
        new.own = _with(new.own, seat, new.own[seat] - 1)
    else:
        kind = NOTED
    markers = list(new.markers)
    markers[gate - 1] = Marker(new.players[seat], kind)
    new.markers = tuple(markers)


def _next_turn(new: RollingState) -> None:
    new.wheel, new.repeats, new.moved = None, 0, None
    count = len(new.players)
    left = [seat for step in range(1, count + 1) if new.wheels_left(seat := (new.seat + step) % count)]
    if new.scored() == GATES or not left:
        new.phase, new.to_move = OVER, None
        return
    new.seat = left[0]
    new.phase, new.to_move = BANKS, new.players[new.seat]


EFFECTS: dict[type[Action], Callable[[RollingState, Any], None]] = {
    act.SetGate: _gate_set,
    act.PlaceBank: _bank_placed,
    act.MoveBank: _bank_moved,
    act.SetUpWheel: _wheel_set_up,
    act.TooWeak: _rolled_weak,
    act.Sideways: _rolled_sideways,
    act.NoGate: _rolled_out,
    act.Through: _rolled_through,
}
