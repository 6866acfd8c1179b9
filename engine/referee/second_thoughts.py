"""When nothing explains a view any more: was one of the last moves recorded wrongly?

The beam of hypotheses forgets what looked unlikely for a while. Before an alarm is raised, the last moves
are gone through once more: ways from a state before them that explain the present view are held against
the views that had been seen since then. What people have stated has happened in all of them; but a move
before it may have been overlooked.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import State
from engine.record import Step
from engine.referee.evidence import Evidence
from engine.referee.looks import Layout, Things, touched
from engine.referee.search import Search, Way
from engine.referee.unfolding import Unfolding

FARTHEST: Final = 4  # so many moves that could be seen are doubted
BUDGET: Final = 70
WORTH_JUDGING: Final = 8.0
SAME_FIELDS: Final = 3.0
# If the last view so far shows some moment: how well all of them agree, and what has been counted by then.
_End = tuple[float, frozenset[tuple[str, Things]]]


@dataclass(frozen=True, slots=True)
class Memory:
    """A view of some time ago: what it said, how long the record was after it with what was held to have
    happened, and what was held to lie on the table then."""

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
    unfolding: Unfolding,
    evidence: Evidence,
    steps: Sequence[Step],
    firm: int,
    stated: Container[int],
    memories: Iterable[Memory],
) -> list[SecondThought]:
    """What may have happened instead, best first. firm: so many steps are not doubted; stated: those that
    people entered."""
    remembered = tuple(memories)
    found: list[SecondThought] = []
    for since in _moments(unfolding, steps, firm, stated):
        base, recorded = steps[since].before, tuple(step.action for step in steps[since:] if step.action)
        told = [step for number, step in enumerate(steps[since:], since) if number in stated]
        search = Search(unfolding, evidence, BUDGET, since_last_view=False)
        paid = search.paid(base, recorded)
        ways = search.ways(base, max_turns=5)
        best = max(way.score for way in ways)
        witnesses = [
            (each, _better(each, unfolding.layout(base))) for each in remembered if each.steps > since
        ]
        for way in ways:
            if way.score < best - WORTH_JUDGING or way.actions[: len(recorded)] == recorded:
                continue
            if not _tells(way, told):
                continue
            past = paid + (SAME_FIELDS if _only_misread(unfolding, steps[since:], way) else 0.0)
            moments = _moments_of(unfolding, base, way)
            past += _agreement(unfolding.layout(base), moments, witnesses, evidence)
            found.append(SecondThought(since, way, past, past + way.score))
    return sorted(found, key=lambda each: -each.score)


def _tells(way: Way, told: Sequence[Step]) -> bool:
    """Whether all that people stated happens in the way, in that order."""
    rest = zip(way.who, way.actions, strict=True)
    return all(
        any(who == step.before.to_move and action == step.action for who, action in rest) for step in told
    )


def _only_misread(unfolding: Unfolding, steps: Sequence[Step], way: Way) -> bool:
    """Whether everything on the fields of the replaced steps was there, and some of it was taken for
    something else: a piece is more easily misread than exchanged."""
    before, after = unfolding.layout(steps[0].before), unfolding.layout(steps[-1].after)
    places = touched(before, after)
    other = any(way.layout.get(place) != after.get(place) for place in places)
    return other and all(place in way.layout for place in places)


def _moments(unfolding: Unfolding, steps: Sequence[Step], firm: int, stated: Container[int]) -> list[int]:
    """The steps before which to begin again: the last few that a camera could see, or that people stated."""
    found: list[int] = []
    for index in range(len(steps) - 1, firm - 1, -1):
        step = steps[index]
        if step.action is None or len(found) == FARTHEST:
            break  # what people agreed on is not doubted
        seen = unfolding.layout(step.before) != unfolding.layout(step.after)
        if seen or index in stated:
            found.append(index)
    return found


def _better(memory: Memory, layout: Layout) -> float:
    """How much better a remembered view agrees with `layout` than with what was believed."""
    believed, log = memory.layout, memory.evidence.log
    places = touched(believed, layout)
    return sum(log(place, layout.get(place, ())) - log(place, believed.get(place, ())) for place in places)


def _moments_of(unfolding: Unfolding, state: State, way: Way) -> list[Layout]:
    """What lay otherwise than at first: before the way, and after each of its actions."""
    first, differing = unfolding.layout(state), dict[str, Things]()
    found: list[Layout] = [{}]
    for action in way.actions:
        state, layout, changed = unfolding.child(state, action)
        differing |= {place: layout.get(place, ()) for place in changed}
        found.append({place: things for place, things in differing.items() if things != first.get(place, ())})
    return found


def _agreement(
    first: Layout,
    moments: Sequence[Layout],
    witnesses: Iterable[tuple[Memory, float]],
    evidence: Evidence,
) -> float:
    """How much better the remembered views agree with the way than with what was believed, and what the
    present view says about it in full. first: what lay there before the way; moments: what lay otherwise
    then, one after the other. Each view shows some moment, and none before that of the view before it. Each
    witness comes with how much better it agrees with `first`.

    What has come by a view should have been seen, even if the reader saw there what it had always seen: that
    counts once, then as little as all that is read again."""
    ends: list[_End] = [(0.0, frozenset())] * len(moments)
    for memory, at_first in witnesses:
        earlier = itertools.accumulate(ends, _better_end)
        ends = [
            (total + at_first + _instead(memory.evidence, first, moment, counted), counted | moment.items())
            for moment, (total, counted) in zip(moments, earlier, strict=True)
        ]
    total, counted = functools.reduce(_better_end, ends)
    for place, things in moments[-1].items():
        is_new = (place, things) not in counted
        total += evidence.log(place, things, changed=is_new) - evidence.log(place, things)
    return total


def _better_end(first: _End, second: _End) -> _End:
    return max(first, second, key=lambda end: end[0])


def _instead(
    evidence: Evidence, first: Layout, moment: Layout, counted: Container[tuple[str, Things]]
) -> float:
    """How much better a view agrees with what lay there at that moment than with what lay there at first."""
    return sum(
        evidence.log(place, things, changed=(place, things) not in counted)
        - evidence.log(place, first.get(place, ()))
        for place, things in moment.items()
    )
