"""State: one moment of Rollende Steine. Everything is open; only how a wheel rolls is an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

from engine.action import Action
from engine.game import CHANCE, Outcome, State
from engine.games.rolling import actions as act
from engine.games.rolling import course, look
from engine.games.rolling.course import BANKS_EACH, GATES, NOTED, OWN_WHEELS, Bank, Marker, Pose
from engine.position import Position
from engine.score import Score
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.rolling.game import Rolling

# COURSE: gates are put up. BANKS: before the roll. MOVING: one bank was moved, another one may be.
# WHEEL: nothing but the wheel is left to set up. ROLL: it stands and is pushed.
COURSE, BANKS, MOVING, WHEEL, ROLL, OVER = "course", "banks", "moving", "wheel", "roll", "over"
PHASES: Final = (COURSE, BANKS, MOVING, WHEEL, ROLL, OVER)


class RollingState(State):
    """phase, seat: what is due and whose turn it is. gates: the poses of the gates put up so far (None: on
    the board's trilith field). markers: per gate who scored it, or None. banks: those on the board.
    own, out, neutral: per seat the wheels not rolled yet, the own ones that left the game, and the neutral
    ones. pool: neutral wheels by colour. used: wheels used up by a valid roll. wheel: the colour and pose of
    the wheel set up. repeats: rolls that were too weak. moved: the bank moved in this turn."""

    __slots__ = (
        "banks", "gates", "markers", "moved", "neutral", "out", "own", "phase", "placed", "pool", "repeats",
        "seat", "used", "wheel",
    )  # fmt: skip
    game: Rolling
    phase: str
    seat: int
    gates: tuple[Pose | None, ...]
    markers: tuple[Marker | None, ...]
    banks: tuple[Bank, ...]
    placed: tuple[int, ...]
    own: tuple[int, ...]
    out: tuple[int, ...]
    neutral: tuple[int, ...]
    pool: tuple[tuple[str, int], ...]
    used: int
    wheel: tuple[str, Pose] | None
    repeats: int
    moved: str | None

    @classmethod
    def opening(cls, game: Rolling, players: tuple[str, ...]) -> Self:
        """The state before the course is put up."""
        state, count = cls(), len(players)
        pool = game.neutral_wheels(players)
        state.game, state.players, state.seat = game, players, 0
        state.markers, state.banks, state.placed = (None,) * GATES, (), (0,) * count
        state.own, state.out = (OWN_WHEELS,) * count, (0,) * count
        state.neutral, state.pool = (sum(n for _, n in pool) // count,) * count, pool
        state.used, state.wheel, state.repeats, state.moved = 0, None, 0, None
        on_fields = game.variant["course"] == course.ON_THE_FIELDS
        state.gates = (None,) * GATES if on_fields else ()
        state.phase, state.to_move = (BANKS if on_fields else COURSE), players[0]
        return state

    # --- what holds now --------------------------------------------------------------------------

    def wheels_left(self, seat: int) -> int:
        return self.own[seat] + self.neutral[seat]

    def wheel_colours(self) -> tuple[str, ...]:
        """The wheels that the player whose turn it is may set up: first his own, then neutral ones."""
        if self.own[self.seat]:
            return (self.players[self.seat],)
        return tuple(colour for colour, left in self.pool if left) if self.neutral[self.seat] else ()

    def scored(self) -> int:
        return sum(marker is not None for marker in self.markers)

    # --- what may happen -------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        if self.phase == ROLL:
            return _ROLL_ACTIONS
        if self.phase == OVER:
            return ()
        if self.phase == COURSE:
            return (act.SET_GATE[len(self.gates)],)
        found: list[Action] = []
        if self.phase == BANKS and self.placed[self.seat] < BANKS_EACH:
            found.append(act.PLACE_BANK)
        if self.phase in (BANKS, MOVING):
            found.extend([act.MoveBank(bank.name) for bank in self.banks if bank.name != self.moved])
        found.extend([act.SetUpWheel(colour) for colour in self.wheel_colours()])
        return tuple(found)

    def why_not(self, action: Action) -> Text | None:
        if type(action) not in _RULES:
            return Text("that is no move of this game", "das ist kein Zug dieses Spiels")
        phases, check = _RULES[type(action)]
        if self.phase not in phases:
            return self._not_now(action)
        refused: Text | None = check(self, action)
        return refused

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        return act.ROLLS if self.phase == ROLL else ()

    def _not_now(self, action: Action) -> Text:
        if self.phase == MOVING and isinstance(action, act.PlaceBank):
            return Text(
                "either a new bank or up to two on the board are moved",
                "entweder kommt eine neue Bande, oder bis zu zwei stehende werden umgestellt",
            )
        if self.phase == WHEEL and isinstance(action, (act.PlaceBank, act.MoveBank)):
            return Text(
                "the banks of this turn are done: now the wheel is set up",
                "die Banden dieses Zugs sind gestellt: jetzt wird das Rad aufgestellt",
            )
        if self.phase == OVER:
            return self.prompt()
        return Text("not now: ", "nicht jetzt: ") + self.prompt()

    # --- how it goes on --------------------------------------------------------------------------

    def _after(self, action: Action) -> Self:
        new = type(self)()
        for slot in _SLOTS:
            setattr(new, slot, getattr(self, slot))
        _EFFECTS[type(action)](new, action)
        return new

    # --- what it is worth, what is seen, as data --------------------------------------------------

    def scores(self) -> dict[str, Score]:
        return look.scores(self.players, [marker.player if marker else None for marker in self.markers])

    def returns(self) -> tuple[float, ...]:
        """Everybody wins or loses together."""
        if not self.is_over:
            return (0.0,) * len(self.players)
        return (1.0 if self.scored() == GATES else -1.0,) * len(self.players)

    def insights(self) -> dict[str, Any]:
        """JSON data for the page: `gates` (number, scored_by or None), `zones` (top and bottom edge in mm),
        `wheels` (per player: own, neutral, out), `wheels_used`, `wheels_left`, `gates_left`, `course`."""
        seats = range(len(self.players))
        return {
            "gates": [
                {"gate": gate + 1, "scored_by": marker.player if marker else None}
                for gate, marker in enumerate(self.markers)
            ],
            "gates_left": GATES - self.scored(),
            "zones": course.zones(),
            "wheels": {
                self.players[seat]: {
                    "own": self.own[seat], "neutral": self.neutral[seat], "out": self.out[seat]
                }
                for seat in seats
            },
            "wheels_used": self.used,
            "wheels_left": sum(map(self.wheels_left, seats)),
            "course": course.COURSES[self.game.variant["course"]].to_json(),
        }  # fmt: skip

    def prompt(self) -> Text:
        if self.phase == OVER:
            return _WON if self.scored() == GATES else _LOST
        if self.phase == COURSE:
            number = len(self.gates) + 1
            return Text(f"put up gate {number} of the course", f"baue Tor {number} des Kurses auf")
        if self.phase == ROLL:
            return Text("the wheel is pushed: how did it roll?", "das Rad wird angestoßen: wie rollte es?")
        who = name(self.players[self.seat])
        if self.repeats:
            return who + Text(" sets the wheel up again", " stellt das Rad noch einmal auf")
        return who + Text(
            " may place or move banks, then sets up a wheel",
            " darf Banden stellen oder umstellen und stellt dann ein Rad auf",
        )

    def visible(self) -> Position:
        return look.visible(self)

    def view(self, player: str | None) -> Self:
        """Nothing is hidden in this game."""
        if self.game.half_seen:
            return self
        new = type(self)()
        for slot in _SLOTS:
            setattr(new, slot, getattr(self, slot))
        new.game = self.game.as_half_seen()
        return new

    def to_json(self) -> dict[str, Any]:
        return self._json_head() | look.to_json(self)


_SLOTS = ("game", "players", "to_move", *RollingState.__slots__)
_WON = Text("all five gates are scored: won together", "alle fünf Tore sind gewertet: gemeinsam gewonnen")
_LOST = Text("all wheels are used: lost together", "alle Räder sind verbraucht: gemeinsam verloren")
_ROLL_ACTIONS = tuple(action for action, _ in act.ROLLS)


# --- rules: why an action is refused -----------------------------------------------------------------


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


# --- effects: each changes a fresh copy --------------------------------------------------------------


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
    """Gates that fell over under the wheel are put up again, and count where that is the house rule."""
    _push_banks(new, action.pushed)
    if new.game.variant["fallen_gate_scores"]:
        gates = tuple(sorted({*gates, *action.toppled}))
    _use_wheel(new, tuple(gate for gate in gates if new.markers[gate - 1] is None))


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


_EFFECTS: dict[type[Action], Callable[[RollingState, Any], None]] = {
    act.SetGate: _gate_set,
    act.PlaceBank: _bank_placed,
    act.MoveBank: _bank_moved,
    act.SetUpWheel: _wheel_set_up,
    act.TooWeak: _rolled_weak,
    act.Sideways: _rolled_sideways,
    act.NoGate: _rolled_out,
    act.Through: _rolled_through,
}
