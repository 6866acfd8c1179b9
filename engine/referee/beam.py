"""The hypotheses that are alive, and the end of the record that they may still change."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.action import Action
from engine.game import State
from engine.position import difference
from engine.record import Step
from engine.referee.chance import is_unseen_draw
from engine.referee.contradiction import grudges
from engine.referee.decision import Explanation
from engine.referee.evidence import Evidence, is_area
from engine.referee.hypotheses import (
    Candidate,
    Hypothesis,
    continued,
    followed,
    weight_of,
    with_twins,
)
from engine.referee.prices import Prices
from engine.referee.unfolding import Unfolding


class Beam:
    """anchor: so many steps of the record nobody doubts any more; path: the actions after them, which lead to
    `state`. Every hypothesis begins at the anchor. firm: so many steps are beyond revision; stated: which of
    the later ones people have entered: these have happened, whatever else has."""

    def __init__(self, unfolding: Unfolding) -> None:
        self._unfolding = unfolding
        self._anchor_state: State | None = None
        self.anchor = self.firm = 0
        self.stated: frozenset[int] = frozenset()
        self.path: tuple[Action, ...] = ()
        self.hypotheses: list[Hypothesis] = []
        self.state: State | None = None

    def follow(self, state: State, steps: Sequence[Step]) -> Sequence[Step] | None:
        """Takes in what people have entered since the last view: goes along with what they added, and says
        what that was. None where they changed the record: then all begins anew."""
        path = tuple(step.action for step in steps[self.anchor :])
        old, known = self.state, len(self.path)
        if old is not None and len(steps) >= self.anchor and path[:known] == self.path:
            told = steps[self.anchor + known :]
            before = told[0].before if told else state
            if (old is before or old == before) and all(step.action for step in told):
                if told:
                    self._go_along(state, told)
                    first = len(steps) - len(told)
                    self.stated |= {n for n, step in enumerate(told, first) if not is_unseen_draw(step)}
                self.state = state
                return told
        self.hypotheses, self.state = [Hypothesis((), (), (), state)], state
        self.anchor = self.firm = len(steps)
        self.path, self._anchor_state, self.stated = (), state, frozenset()
        return None

    def _go_along(self, state: State, told: Sequence[Step]) -> None:
        """Of the hypotheses those stay after which that can be what people say."""
        said = tuple(step.action for step in told if step.action is not None)
        path, agree = (*self.path, *said), []
        for hypothesis in self.hypotheses:
            if hypothesis.before is not None:
                continue  # nobody goes on from what he is about to take back
            ahead = hypothesis.actions[len(self.path) :]
            seen = min(len(ahead), len(said))  # of it the camera may have seen before people said so
            new = told[seen:] if ahead[:seen] == said[:seen] else told
            longer = continued(self._unfolding, hypothesis, new)
            if longer is not None:
                recorded = hypothesis.actions == self.path or longer.actions == path
                agree.append(replace(longer, actions=path, state=state) if recorded else longer)
        self.path, self.hypotheses = path, agree or [Hypothesis((), (), (), state)]
        if not agree:
            self.anchor, self.path, self._anchor_state = self.anchor + len(path), (), state

    def settle(self) -> None:
        """The record is right as it is: nothing else is reckoned with."""
        if self.state is not None:
            self.anchor += len(self.path)
            self.path, self._anchor_state = (), self.state
            self.hypotheses = [Hypothesis((), (), (), self.state)]

    def reach_back(self, since: int, steps: Sequence[Step]) -> Hypothesis:
        """What is recorded from step `since` on is in doubt again. The way from there to where the hypotheses
        began until now."""
        until, self.anchor, self._anchor_state = self.anchor, since, steps[since].before
        way = self.recorded(until, steps)
        self.path = way.actions + self.path
        return way

    def recorded(self, until: int, steps: Sequence[Step]) -> Hypothesis:
        """What is recorded between the anchor and step `until`, no more and no less."""
        way = Hypothesis((), (), (), self.anchor_state)
        for step in steps[self.anchor : until]:
            assert step.action is not None, "what lies before a set-up is not doubted"
            way = followed(self._unfolding, way, step.action)
        return way

    def enter(self, explanation: Explanation) -> None:
        """The record goes on by it."""
        kept = self.steps - explanation.back
        places = self._places_of_stated(explanation.actions, kept)
        self.stated = frozenset(index for index in self.stated if index < kept)
        self.stated |= frozenset(kept + place for place in places)
        self.path = self.path[: len(self.path) - explanation.back] + explanation.actions
        self.state = explanation.state

    # --- compared with the record ------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """How long the record is."""
        return self.anchor + len(self.path)

    def common(self, actions: Sequence[Action]) -> int:
        """How many actions since the anchor are those of the record."""
        pairs = zip(actions, self.path, strict=False)
        return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))

    def fewest(self, actions: Sequence[Action]) -> int:
        """How many of the actions since the anchor have to be entered at least, so that nothing is lost that
        people have stated."""
        common = self.common(actions)
        places = self._places_of_stated(actions[common:], self.anchor + common)
        return common + max(places, default=-1) + 1

    def _places_of_stated(self, actions: Sequence[Action], kept: int) -> list[int]:
        """Where among the actions that replace the record after `kept` steps those are that people stated."""
        stated = [self.path[index - self.anchor] for index in sorted(self.stated) if index >= kept]
        places: list[int] = []
        for place, action in enumerate(actions):
            if len(places) < len(stated) and action == stated[len(places)]:
                places.append(place)
        return places

    def explanation(self, candidate: Candidate, steps: int | None = None) -> Explanation:
        """The candidate as a proposal, or only its first `steps` actions."""
        common = self.common(candidate.actions)
        actions, who = candidate.actions[common:steps], candidate.who[common:steps]
        state = candidate.way.state
        if steps is not None and steps < len(candidate.actions):
            state = self.after(candidate.actions[:steps])
        recorded = (self.state or self.hypotheses[0].state).visible()
        probability = min(1.0, weight_of(candidate))
        back = len(self.path) - common
        return Explanation(
            actions, who, state, difference(recorded, state.visible()), candidate.score, probability, back
        )

    def after(self, actions: Iterable[Action]) -> State:
        """The state after these actions since the anchor."""
        state = self.anchor_state
        for action in actions:
            state = self._unfolding.child(state, action).state
        return state

    @property
    def anchor_state(self) -> State:
        """What nobody doubts any more."""
        assert self._anchor_state is not None, "follow comes first"
        return self._anchor_state

    # --- which are kept ----------------------------------------------------------------------------------

    def keep(self, candidates: list[Candidate], evidence: Evidence, prices: Prices, verdict: str) -> None:
        """The best candidates, best first, are the hypotheses of the next view."""
        kept = _diverse(candidates, prices)
        recorded = next((each for each in with_twins(candidates) if each.actions == self.path), None)
        if recorded is not None and recorded not in kept:
            kept.append(recorded)
        top, alarmed = candidates[0].score, verdict == "out_of_step"
        self.hypotheses = [
            Hypothesis(
                each.actions, each.who, each.marks, each.way.state, each.score - top,
                {} if alarmed else grudges(evidence, each),
            )
            for each in kept
        ]  # fmt: skip
        if recorded is not None and verdict in ("moved", "in_step"):
            self._reckon_with_second_thoughts(recorded, -prices.taken_back)
        self._move_anchor(prices.longest_doubt)

    def _reckon_with_second_thoughts(self, recorded: Candidate, price: float) -> None:
        """The player may take back what he did last, and do something else instead."""
        last = max((i for i, mark in enumerate(recorded.marks) if mark), default=-1)
        if last < 0 or self.anchor + last <= max(self.stated, default=self.firm - 1):
            return
        actions = recorded.actions[:last]
        known = next((each for each in self.hypotheses if each.actions == actions), None)
        if known is None or known.past < price:
            before = self._unfolding.layout(recorded.way.state)
            taken_back = Hypothesis(
                actions, recorded.who[:last], recorded.marks[:last], self.after(actions), price, before=before
            )
            self.hypotheses = [*(each for each in self.hypotheses if each is not known), taken_back]

    def _move_anchor(self, longest_doubt: int) -> None:
        """What all hypotheses share is no longer in doubt."""
        if len(self.path) > longest_doubt:
            self.hypotheses = [each for each in self.hypotheses if each.actions[:20] == self.path[:20]]
        shared = min((self.common(each.actions) for each in self.hypotheses), default=len(self.path))
        if shared:
            self._anchor_state = self.after(self.path[:shared])
            self.anchor += shared
            self.path = self.path[shared:]
            self.hypotheses = [
                replace(each, actions=each.actions[shared:], who=each.who[shared:], marks=each.marks[shared:])
                for each in self.hypotheses
            ]


def _diverse(candidates: list[Candidate], prices: Prices) -> list[Candidate]:
    """The best candidates, but at most two that differ in nothing but what lies in a yard."""
    kept: list[Candidate] = []
    alike: Counter[object] = Counter()
    for each in with_twins(candidates):
        if each.score < candidates[0].score - prices.beam_width or len(kept) == prices.beam:
            break
        layout = each.way.layout.items()
        key = each.way.state.to_move, frozenset(item for item in layout if not is_area(item[0]))
        if alike[key] < 2:
            alike[key] += 1
            kept.append(each)
    return kept
