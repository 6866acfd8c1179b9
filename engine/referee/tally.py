"""How good a record is: what was made at the table, held against what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from itertools import starmap, zip_longest

from engine.action import Action, covers
from engine.game import CHANCE, State
from engine.position import Change
from engine.record import Record
from engine.referee.chance import says_little


@dataclass(frozen=True)
class Told:
    """A move that was made or recorded, and what it changed on the table. view: the first that could show it,
    if that is known."""

    who: str
    action: Action
    change: Change
    view: int = field(default=0, compare=False)

    @property
    def seen(self) -> bool:
        """Whether a camera could see it."""
        return bool(self.change)

    def is_covered_by(self, recorded: Told) -> bool:
        """Whether the record says this, or as much of it as can be known ("??" for the rest)."""
        mine, said = self.action, recorded.action
        alike = self.change == recorded.change
        if type(mine) in said.sums_up or type(said) in mine.sums_up:
            return alike and (self.seen or says_little(said))
        if self.who != recorded.who or not covers(said, mine):
            return False
        return alike or _details(said) == _details(mine)

    def __str__(self) -> str:
        return f"{self.who}: {self.action}"


@dataclass
class Tally:
    """What came of some evenings. moves_without, games_without: what the reader's favourites alone had right;
    times_s: processor time of every decision; failures: the games that are recorded wrongly; uncaught: the
    illegal moves that were not caught."""

    games: int = 0
    games_exact: int = 0
    games_right: int = 0
    moves: int = 0
    moves_exact: int = 0
    moves_without: int = 0
    games_without: int = 0
    views: int = 0
    questions: int = 0
    told: int = 0
    false_alarms: int = 0
    corrections: int = 0
    planted: int = 0
    caught: int = 0
    times_s: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    uncaught: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds another evening's tally."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def compare(self, made: Sequence[Told], record: Record, seed: int) -> None:
        """Counts one evening: `made` is all that happened, `record` what there is of it in the end."""
        recorded, visible = list(told_by(record)), [move for move in made if move.seen]
        wrong, missing = wrong_and_missing(made, recorded)
        seen = [told for told in recorded if told.seen]
        in_order = len(seen) == len(visible) and all(
            move.is_covered_by(told) for move, told in zip(visible, seen, strict=True)
        )
        self.games, self.moves = 1, len(visible)
        self.moves_exact = len(visible) - len(missing)
        self.games_exact = int(in_order and not wrong)
        self.games_right = int(not wrong and not missing)
        if not self.games_right:
            pairs = starmap(_told_wrongly, zip_longest(missing, wrong))
            self.failures.append(f"seed {seed}, " + "; ".join(pairs))


def _told_wrongly(made: Told | None, recorded: Told | None) -> str:
    when = f"view {made.view}: " if made else ""
    return f"{when}played {made or 'nothing of that'}, recorded {recorded or 'nothing of that'}"


def told_by(record: Record) -> Iterator[Told]:
    """What the record says, but for what chance did unseen, and the ends of turns."""
    for step in record.steps:
        if step.action is not None:
            yield from said_of(step.before, step.action)


def said_of(before: State, action: Action) -> Iterator[Told]:
    """What a record says of an action: nothing if chance did it unseen, or if it ended a turn."""
    said = Told(str(before.to_move), action, before.visible_change(action))
    if said.seen or (fields(action) and before.to_move != CHANCE):
        yield said


def wrong_and_missing(made: Sequence[Told], recorded: Sequence[Told]) -> tuple[list[Told], list[Told]]:
    """What is recorded and was not made, and what could be seen to be made and is not recorded."""
    visible = [move for move in made if move.seen]
    wrong = _left_over(recorded, made, lambda told, move: move.is_covered_by(told))
    missing = _left_over(visible, recorded, lambda move, told: move.is_covered_by(told))
    return wrong, missing


def _details(action: Action) -> list[object]:
    """What may be left out of the notation."""
    return [getattr(action, each.name) for each in fields(action) if each.default is not MISSING]


def _left_over(
    some: Sequence[Told], others: Sequence[Told], match: Callable[[Told, Told], bool]
) -> list[Told]:
    """Those for which there is no match among the others, each of which matches one."""
    free = list(others)
    left = []
    for one in some:
        partner = next((other for other in free if match(one, other)), None)
        if partner is None:
            left.append(one)
        else:
            free.remove(partner)
    return left
