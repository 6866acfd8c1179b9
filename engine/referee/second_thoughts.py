"""When nothing explains a view any more: was one of the last moves recorded wrongly?

The beam of hypotheses forgets what looked unlikely for a while. Before an alarm is raised, the last moves
are gone through once more: ways from a state before them that explain the present view are held against
the views that had been seen since then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import State
from engine.record import Step
from engine.referee.evidence import Evidence
from engine.referee.looks import Layout, touched
from engine.referee.search import TURN, Search, Way
from engine.referee.unfolding import Unfolding

FARTHEST: Final = 4  # so many moves that could be seen are doubted
BUDGET: Final = 100
WORTH_JUDGING: Final = 8.0
SAME_FIELDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Memory:
    """A view of some time ago: what it said, how long the record was after it, and what was held to lie on
    the table then."""

    evidence: Evidence
    steps: int
    layout: Layout


@dataclass(frozen=True, slots=True)
class SecondThought:
    """A way that replaces the record from step `since` on. `past`: how the views since then agree with
    it, against how they agree with what was believed then; `score`: with the present view."""

    since: int
    way: Way
    past: float
    score: float


def second_thoughts(
    unfolding: Unfolding, evidence: Evidence, steps: Sequence[Step], firm: int, memories: Iterable[Memory]
) -> list[SecondThought]:
    """What may have happened instead, best first. firm: so many steps are not doubted."""
    remembered = tuple(memories)
    found: list[SecondThought] = []
    for since in _moments(unfolding, steps, firm):
        base, recorded = steps[since].before, tuple(step.action for step in steps[since:])
        paid = TURN * len({step.before.to_move for step in steps[since:] if not step.by_chance})
        ways = Search(unfolding, evidence, BUDGET, since_last_view=False).ways(base, max_turns=5)
        best = max(way.score for way in ways)
        witnesses = [
            (each, _better(each, unfolding.layout(base))) for each in remembered if each.steps > since
        ]
        for way in ways:
            if way.score < best - WORTH_JUDGING or way.actions[: len(recorded)] == recorded:
                continue
            past = paid + (SAME_FIELDS if _only_misread(unfolding, steps[since:], way) else 0.0)
            past += sum(_against(unfolding, base, way, *witness) for witness in witnesses)
            found.append(SecondThought(since, way, past, past + way.score))
    return sorted(found, key=lambda each: -each.score)


def _only_misread(unfolding: Unfolding, steps: Sequence[Step], way: Way) -> bool:
    """Whether everything on the fields of the replaced steps was there, and some of it was taken for
    something else: a piece is more easily misread than exchanged."""
    before, after = unfolding.layout(steps[0].before), unfolding.layout(steps[-1].after)
    places = touched(before, after)
    other = any(way.layout.get(place) != after.get(place) for place in places)
    return other and all(place in way.layout for place in places)


def _moments(unfolding: Unfolding, steps: Sequence[Step], firm: int) -> list[int]:
    """The steps before which to begin again: the last few that a camera could see."""
    found: list[int] = []
    for index in range(len(steps) - 1, firm - 1, -1):
        if steps[index].action is None or len(found) == FARTHEST:
            break  # what people agreed on is not doubted
        if unfolding.layout(steps[index].before) != unfolding.layout(steps[index].after):
            found.append(index)
    return found


def _better(memory: Memory, layout: Layout) -> float:
    """How much better a remembered view agrees with `layout` than with what was believed."""
    believed, log = memory.layout, memory.evidence.log
    places = touched(believed, layout)
    return sum(log(place, layout.get(place, ())) - log(place, believed.get(place, ())) for place in places)


def _against(unfolding: Unfolding, state: State, way: Way, memory: Memory, at_first: float) -> float:
    """How much better a remembered view agrees with some moment of the way than with what was believed.
    at_first: the same for the moment before it. What would have come by then should have been seen, even if
    the reader saw there what it had always seen."""
    first = before = unfolding.layout(state)
    best = now = at_first
    for action in way.actions:
        state, layout, changed = unfolding.child(state, action)
        now += sum(_seen(memory, p, layout, first) - _seen(memory, p, before, first) for p in changed)
        best, before = max(best, now), layout
    return best


def _seen(memory: Memory, place: str, layout: Layout, first: Layout) -> float:
    things = layout.get(place, ())
    return memory.evidence.log(place, things, changed=things != first.get(place, ()))
