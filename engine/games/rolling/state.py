"""State: one moment of Rollende Steine. Everything is open; only how a wheel rolls is an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from engine.action import Action
from engine.game import Outcome, State
from engine.games.rolling import actions as act
from engine.games.rolling import course, look, rules, turn
from engine.games.rolling.course import BANKS_EACH, GATES, OWN_WHEELS, Bank, Marker, Pose
from engine.games.rolling.phases import BANKS, COURSE, MOVING, OVER, ROLL
from engine.position import Position
from engine.score import Score
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.rolling.game import Rolling


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

    def seen_actions(self) -> tuple[Action, ...]:
        """A bank that was moved stands elsewhere among the others: that one was, people have to tell."""
        return tuple(action for action in self.legal_actions() if not isinstance(action, act.MoveBank))

    def rarity(self, action: Action) -> float:
        return look.rarity(self, action)

    def why_not(self, action: Action) -> Text | None:
        return rules.why_not(self, action)

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        return act.ROLLS if self.phase == ROLL else ()

    # --- how it goes on --------------------------------------------------------------------------

    def _after(self, action: Action) -> Self:
        new = type(self)()
        for slot in _SLOTS:
            setattr(new, slot, getattr(self, slot))
        turn.EFFECTS[type(action)](new, action)
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
