"""What may have happened so far: ways from what nobody doubts to states that may be now."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.action import Action
from engine.game import CHANCE, State
from engine.record import Step
from engine.referee.chance import says_little
from engine.referee.looks import Layout, Things
from engine.referee.search import Mark, Way, story
from engine.referee.unfolding import Unfolding

CLEARLY_DEARER: Final = 0.5
Grudges = Mapping[tuple[str, Things], float]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A way from the anchor to now. `past` is its score from all views before the present one; `grudges`:
    (place, what is read there) -> how much of that it has lost there. `before`: what lay on the table at the
    view before, if that was something else."""

    actions: tuple[Action, ...]
    who: tuple[str, ...]
    marks: tuple[Mark, ...]
    state: State
    past: float = 0.0
    grudges: Grudges = field(default_factory=dict)
    before: Layout | None = None


@dataclass(slots=True)
class Candidate:
    """A hypothesis extended by a way, judged by the present view. `tolerant`: its score if the places that
    contradict it do so because the table does not follow the record there."""

    hypothesis: Hypothesis
    way: Way
    score: float
    tolerant: float = -math.inf
    probability: float = 0.0
    twins: list[Candidate] = field(default_factory=list)

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.hypothesis.actions + self.way.actions

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self.hypothesis.marks + self.way.marks

    @property
    def who(self) -> tuple[str, ...]:
        return self.hypothesis.who + self.way.who

    def story(self) -> list[tuple[str, str]]:
        """What was seen to be done, by whom, in whatever order."""
        return story(self.actions, self.who, self.marks)

    def is_choice_unseen(self, index: int) -> bool:
        """Whether that action is one that somebody chose and no camera sees: the end of a turn, a pass."""
        return not self.marks[index] and self.who[index] != CHANCE


def continued(unfolding: Unfolding, hypothesis: Hypothesis, told: Iterable[Step]) -> Hypothesis | None:
    """The hypothesis with the steps that people stated; None if they could not be taken after it. Cards that
    nobody saw may have been dealt in it already. What was seen before they spoke had come before that."""
    longer = hypothesis
    for step in told:
        action, to_move = step.action, longer.state.to_move
        if action is None or (step.by_chance and to_move != CHANCE and says_little(action)):
            continue
        if to_move != step.before.to_move or longer.state.why_not(action) is not None:
            return None
        following: Action | None = action
        while following is not None:
            longer = followed(unfolding, longer, following)
            following = unfolding.unseen(longer.state)
    return longer if longer is hypothesis else replace(longer, grudges={})


def followed(unfolding: Unfolding, hypothesis: Hypothesis, action: Action) -> Hypothesis:
    """The hypothesis with one more action."""
    mover = str(hypothesis.state.to_move)
    state, layout, changed = unfolding.child(hypothesis.state, action)
    mark: Mark = (mover, *((place, layout.get(place, ())) for place in changed)) if changed else ()
    return replace(
        hypothesis,
        actions=(*hypothesis.actions, action),
        who=(*hypothesis.who, mover),
        marks=(*hypothesis.marks, mark),
        state=state,
    )


def after(before: Hypothesis, hypothesis: Hypothesis) -> Hypothesis:
    """The hypothesis, beginning with the way that leads to where it began until now."""
    return replace(
        hypothesis,
        actions=before.actions + hypothesis.actions,
        who=before.who + hypothesis.who,
        marks=before.marks + hypothesis.marks,
    )


def without_twins(candidates: list[Candidate], unfolding: Unfolding) -> list[Candidate]:
    """Candidates that look alike are one if the same was seen to be done in them and they leave everybody the
    same moves, or one takes clearly more for granted (a turn ended unseen): the cheapest speaks for them."""
    kept: list[Candidate] = []
    groups: dict[frozenset[tuple[str, object]], list[Candidate]] = {}
    for candidate in candidates:
        group = groups.setdefault(frozenset(candidate.way.layout.items()), [])
        for other in group:
            if other.story() == candidate.story() and (
                other.score - candidate.score > CLEARLY_DEARER
                or unfolding.future(other.way.state) == unfolding.future(candidate.way.state)
            ):
                other.twins.append(candidate)
                candidate.probability = 0.0  # it counts again if it is the best of the twins
                break
        else:
            group.append(candidate)
            kept.append(candidate)
    return kept


def visible_marks(marks: Iterable[Mark]) -> list[Mark]:
    return [mark for mark in marks if mark]


def with_twins(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates, each with the best of its twins."""
    every = [each for candidate in candidates for each in (candidate, *candidate.twins[:1])]
    return sorted(every, key=by_score)


def weight_of(candidate: Candidate) -> float:
    return candidate.probability + sum(twin.probability for twin in candidate.twins)


def weight_of_all(candidates: Iterable[Candidate]) -> float:
    return sum(map(weight_of, candidates))


def seen_alike(candidates: Iterable[Candidate]) -> list[list[Candidate]]:
    """Those together in which the same was seen to be done and lies there now, whatever was done unseen
    besides; the likeliest group first, and in it the best."""
    groups: dict[object, list[Candidate]] = {}
    for each in candidates:
        groups.setdefault((frozenset(each.way.layout.items()), tuple(each.story())), []).append(each)
    return sorted(groups.values(), key=weight_of_all, reverse=True)


def by_score(candidate: Candidate) -> float:
    """Best first; equal for those that differ only in the order in which their scores were added up."""
    return -round(candidate.score, 6)
