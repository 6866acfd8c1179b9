"""The referee: what happened at the table between the views.

The evening is treated as a hidden Markov chain. A hypothesis is a way from an *anchor* (a state of the
record that nobody doubts any more) to a state that may be now, with the log-likelihood of all views
since. Each view extends every hypothesis by the legal actions that explain it (`engine.referee.search`).
Beside them stands the null hypothesis, "the table does not follow the record", with a price per field
that no legal explanation can account for.

What clearly wins is entered; what was entered too early is replaced by a correction when later views say
so; two that stay alike are asked about; when the null hypothesis wins there is an alarm.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.action import Action
from engine.game import State
from engine.observation import Belief, Observation
from engine.position import Piece, Position, Thing, difference, thing_at
from engine.record import Step
from engine.referee.alarm import make_alarm
from engine.referee.decision import Decision, Explanation
from engine.referee.evidence import FLOOR, Evidence, Layout, Things, is_area, touched
from engine.referee.hypotheses import (
    Candidate,
    Hypothesis,
    by_score,
    continued,
    likeliest_first,
    visible_marks,
    weight_of,
    with_twins,
    without_twins,
)
from engine.referee.rebinding import rebound, swaps
from engine.referee.search import Search
from engine.referee.second_thoughts import Memory, SecondThought, second_thoughts
from engine.referee.unfolding import Unfolding
from engine.words import Text


@dataclass(frozen=True, slots=True)
class Prices:
    """The numbers that the referee weighs with, in nats and probabilities.

    The null hypothesis costs `null_entry` and then `null_field` for every field that it explains.
    A reading that was the same in the view before counts `repeat`."""

    null_entry: float = 3.0
    null_field: float = 2.0
    repeat: float = 0.25
    commit: float = 0.9
    revise: float = 0.9
    alarm: float = 0.7
    doubtful: float = 0.3
    settled: float = 0.8
    patience: int = 3
    beam: int = 8
    beam_width: float = 9.0
    longest_doubt: int = 40


UNCLEAR: Final = 1.0  # nats between the likeliest thing and the next
MOST_TRIED: Final = 600  # actions per view, so that a view is decided in time
WORTH_REBINDING: Final = 6
UNLIKELY: Final = 6.0  # nats behind the best hypothesis
LONGEST_LEAD: Final = 6.0
THINK_AGAIN: Final = 2  # times about the same places
FEWEST_TRIED: Final = 10  # for each further hypothesis
SAME: Final = Text("the table shows what the record says", "der Tisch zeigt, was im Protokoll steht")
UNSURE: Final = Text("looking again", "noch ein Blick")
WHICH: Final = Text("What happened?", "Was ist geschehen?")
NOTHING_SEEN: Final = Text(
    "no field of the board can be seen: clear the view of the camera",
    "kein Feld des Bretts ist zu sehen: gib der Kamera den Blick frei",
)


class Referee:
    """Keeps the hypotheses of one table. Not for several threads at once."""

    def __init__(self, prices: Prices | None = None) -> None:
        self.prices = prices or Prices()
        self._unfolding = Unfolding()
        self._anchor = 0
        self._path: tuple[Action, ...] = ()
        self._beam: list[Hypothesis] = []
        self._state: State | None = None
        self._anchor_state: State | None = None
        self._last: Observation | None = None
        self._areas: set[str] = set()
        self._told: set[str] = set()  # where people have changed the record since the last view
        self._memories: deque[Memory] = deque(maxlen=8)
        self._grudges: dict[tuple[str, Things], float] = {}
        self._people_tell = False  # what no camera sees
        self._firm = 0  # so many steps of the record people have agreed to
        self._streaks: Counter[str] = Counter()  # for how many views a place has read the same
        self._waited = 0
        self._alarmed = False
        self._lead = 0.0  # of the null hypothesis, where it won the last time
        self._disputed: set[tuple[str, Things]] = set()  # and what it won by
        self._doubted: Counter[str] = Counter()  # places for whose sake the last moves were thought over

    # --- small questions -----------------------------------------------------------------------------

    def agrees(self, state: State, observation: Observation) -> bool:
        """Whether no seen place contradicts the state."""
        evidence = Evidence(observation)
        return not any(gap > 2.5 for gap in _gaps(evidence, self._unfolding.layout(state)).values())

    def same_view(self, first: Observation, second: Observation) -> bool:
        """Whether two readings show the same table: no place is clearly different."""
        places = set(first.fields) & set(second.fields) - set(first.unseen) - set(second.unseen)
        for place in places:
            (was, sure), (now, sure_now) = first.ranked(place)[0], second.ranked(place)[0]
            if was != now and min(sure, sure_now) > 0.6:
                return False
        return True

    def seen_position(self, state: State, observation: Observation) -> Position:
        """What lies on the table: as seen, and where nothing can be seen as the record has it."""
        seen: list[Piece] = []
        for piece in observation.position.pieces:
            if piece.place not in observation.fields or piece.place in observation.unseen:
                seen.append(piece)
        for place in observation.fields:
            thing = observation.ranked(place)[0][0]
            if thing is not None and place not in observation.unseen:
                seen.append(_piece(thing, place))
        known = {piece.place for piece in seen}
        hidden = (p for p in state.visible().pieces if p.place in observation.unseen and p.place not in known)
        return Position(observation.board, (*seen, *hidden), state.game.id)

    # --- the question ----------------------------------------------------------------------------------

    def see(self, state: State, observation: Observation, steps: Sequence[Step] = ()) -> Decision:
        """What to do about a view. `state` is the record's, `steps` how it came about (as far as known):
        the referee may propose to replace the last of them (Explanation.back)."""
        self._follow(state, steps)
        for piece in observation.loose:
            if is_area(piece.place or ""):
                self._areas.update(_areas_like(piece.place or ""))
        evidence = Evidence(observation, self._weights(observation), self._areas)
        if not any(True for _ in evidence.places()):
            return Decision("blind", message=NOTHING_SEEN)
        candidates = self._candidates(evidence)
        null, nearest = self._null(evidence, candidates)
        total = _log_sum([each.score for each in with_twins(candidates)] + [null])
        for candidate in with_twins(candidates):
            candidate.probability = math.exp(candidate.score - total)
        decision = self._decide(candidates, math.exp(null - total), nearest, evidence)
        if decision.alarm is None:
            self._doubted.clear()
        elif any(self._doubted[place] < THINK_AGAIN for place in decision.alarm.places):
            self._doubted.update(decision.alarm.places)
            thought = self._think_again(state, steps, evidence, max(null, candidates[0].score))
            if thought is not None:
                candidates, decision = thought
        self._remember(decision, candidates, observation, evidence, null, nearest)
        return decision

    def nothing_happened(self) -> None:
        """People say so when they are asked: the record is right as it is."""
        if self._state is None:
            return
        self._anchor += len(self._path)
        self._path, self._anchor_state, self._waited = (), self._state, 0
        self._beam = [Hypothesis((), (), (), self._state)]

    def _follow(self, state: State, steps: Sequence[Step]) -> None:
        """Takes in what people have entered since the last view: goes along with what they added, begins
        anew where they changed it."""
        path = tuple(step.action for step in steps[self._anchor :])
        old, known = self._state, len(self._path)
        if old is not None and len(steps) >= self._anchor and path[:known] == self._path:
            told = steps[self._anchor + known :]
            before = told[0].before if told else state
            if (old is before or old == before) and all(step.action for step in told):
                if told:
                    self._go_along(state, told)
                    self._firm = len(steps)
                self._state = state
                return
        self._last = None  # all that is seen counts anew
        self._streaks.clear()
        self._beam, self._state = [Hypothesis((), (), (), state)], state
        self._anchor = self._firm = len(steps)
        self._path, self._anchor_state = (), state
        self._waited, self._grudges = 0, {}
        self._disputed.clear()
        self._memories.clear()

    def _go_along(self, state: State, told: Sequence[Step]) -> None:
        """Of the hypotheses those stay after which that can be what people say."""
        self._people_tell |= any(isinstance(step.action, state.game.told) for step in told)
        self._told.update(touched(self._unfolding.layout(told[0].before), self._unfolding.layout(state)))
        path = (*self._path, *(step.action for step in told if step.action is not None))
        beam = []
        for hypothesis in self._beam:
            longer = continued(self._unfolding, hypothesis, told)
            if longer is not None:
                recorded = hypothesis.actions == self._path
                beam.append(replace(longer, actions=path, state=state) if recorded else longer)
        self._path, self._beam = path, beam or [Hypothesis((), (), (), state)]
        if not beam:
            self._anchor, self._path, self._anchor_state = self._anchor + len(path), (), state

    def _weights(self, observation: Observation) -> dict[str, float]:
        """What reads as it did before says little new."""
        last, told = self._last, self._told
        self._told = set()
        if last is None:
            return {}
        heaps = Counter((piece.place, piece.thing) for piece in observation.loose)
        differing = heaps - Counter((piece.place, piece.thing) for piece in last.loose)
        differing.update(Counter((piece.place, piece.thing) for piece in last.loose) - heaps)
        changed_areas = {place or "" for place, _ in differing}
        repeated = {area: self._repeated(area) for area in self._areas if area not in changed_areas}
        for place, belief in observation.fields.items():
            before = last.fields.get(place)
            if not before or place in last.unseen:
                continue
            was, is_now = max(before, key=before.__getitem__), max(belief, key=belief.__getitem__)
            old, new = _clearness(before), _clearness(belief)
            if max(old, new) < UNCLEAR:  # looking at it again and again does not decide it
                repeated[place] = max(0.0, 1 - old / new)
            elif was == is_now:  # what is clearer than before counts as far as it is clearer
                repeated[place] = 1 - (1 - self._repeated(place)) * min(old, new) / new
        for place in [place for place in self._streaks if place not in repeated]:
            del self._streaks[place]
        return {place: weight for place, weight in repeated.items() if place not in told}

    def _repeated(self, place: str) -> float:
        """What the same reading counts once more: less and less; but what is wrong stays wrong, however long
        it lies there."""
        self._streaks[place] += 1
        return self.prices.repeat ** (1 if self._alarmed else self._streaks[place])

    def _candidates(self, evidence: Evidence) -> list[Candidate]:
        best = max(hypothesis.past for hypothesis in self._beam)
        found: dict[tuple[Action, ...], Candidate] = {}
        left = MOST_TRIED
        for rank, hypothesis in enumerate(self._beam):
            budget = min(left, 400 if rank == 0 else 40)
            if hypothesis.past < best - UNLIKELY and hypothesis.actions != self._path:
                budget = 0  # it has to explain the view as it is
            search = Search(self._unfolding, evidence, budget, people_tell=self._people_tell)
            # Out of step, people may have gone on for a while before somebody put it right.
            for way in search.ways(hypothesis.state, max_turns=6 if self._alarmed else 4):
                candidate = Candidate(hypothesis, way, hypothesis.past - best + way.score)
                known = found.get(candidate.actions)
                if known is None or known.score < candidate.score:
                    found[candidate.actions] = candidate
            left = max(FEWEST_TRIED, left - search.tried)
        for candidate in sorted(found.values(), key=by_score)[:WORTH_REBINDING]:
            for other in self._rebound(candidate, evidence):
                found.setdefault(other.actions, other)
        ranked = sorted(found.values(), key=lambda each: (-each.score, len(each.way.actions)))
        return without_twins(ranked[:80], self._unfolding)

    def _rebound(self, candidate: Candidate, evidence: Evidence) -> Iterator[Candidate]:
        """The same explanation with a card that can be read now."""
        hypothesis, way = candidate.hypothesis, candidate.way
        for swap in swaps(evidence, way.layout):
            assert self._anchor_state is not None
            new = rebound(candidate.actions, swap, self._anchor_state, self._unfolding)
            if new is None:
                continue
            actions, state, layout = new
            place, earlier = swap.place, len(hypothesis.actions)
            gain = evidence.log(place, layout.get(place, ()), True) - evidence.log(
                place, way.layout[place], True
            )
            for memory in self._memories:  # what was read there before
                then = memory.layout.get(place, ())
                if swap.expected in then:
                    gain += memory.evidence.log(place, swap.things(then)) - memory.evidence.log(place, then)
            yield Candidate(
                replace(hypothesis, actions=actions[:earlier], marks=swap.marks(hypothesis.marks)),
                replace(
                    way, actions=actions[earlier:], marks=swap.marks(way.marks), state=state, layout=layout,
                    evidence=way.evidence + gain,
                ),
                candidate.score + gain,
            )  # fmt: skip

    def _null(self, evidence: Evidence, candidates: list[Candidate]) -> tuple[float, Candidate]:
        """The score of "the table does not follow the record", and the explanation that comes nearest."""
        for candidate in candidates[:12]:
            if candidate.score < candidates[0].score - 25:
                break
            gaps = self._contradictions(evidence, candidate.way.layout)
            candidate.tolerant = candidate.score + sum(
                max(0.0, gap - self.prices.null_field) for gap in gaps.values()
            )
        nearest = max(candidates, key=lambda each: each.tolerant)
        contradictions = self._contradictions(evidence, nearest.way.layout)
        still = any((place, evidence.best(place)) in self._disputed for place in contradictions)
        return nearest.tolerant + (self._lead if still else -self.prices.null_entry), nearest

    def _contradictions(self, evidence: Evidence, layout: Layout) -> dict[str, float]:
        """place -> how clearly the views contradict the layout there: this one, and those before if they
        did so too. Areas have no say: much lies about there."""
        return {
            place: gap + self._grudges.get((place, evidence.best(place)), 0.0)
            for place, gap in _gaps(evidence, layout).items()
            if gap > 0.5 and not is_area(place)
        }

    # --- the answer --------------------------------------------------------------------------------------

    def _decide(
        self, candidates: list[Candidate], null: float, nearest: Candidate, evidence: Evidence
    ) -> Decision:
        first = candidates[0]
        scores = {"null": null, "best": first.probability}
        if null >= self.prices.alarm:
            return self._alarm(nearest, evidence, scores)
        sure = self._sure_steps(candidates, null)
        back = len(self._path) - self._common(first)
        taken_back = back and len(first.actions) == self._common(first)
        if sure > self._common(first) or (taken_back and weight_of(first) >= self.prices.revise):
            return Decision("moved", self._explanation(first, max(sure, self._common(first))), scores=scores)
        in_step = not back and len(first.actions) == len(self._path) and null < self.prices.doubtful
        if in_step and weight_of(first) >= self.prices.settled * sum(map(weight_of, candidates)):
            return Decision("in_step", message=SAME, scores=scores)
        if self._waited + 1 < self.prices.patience:
            return Decision("waiting", message=UNSURE, scores=scores)
        if back and null > self.prices.doubtful / 2:
            return self._alarm(nearest, evidence, scores)
        likely = [each for each in sorted(candidates, key=likeliest_first)[:3] if weight_of(each) > 0.04]
        if len(likely) < 2:
            return Decision("waiting", message=UNSURE, scores=scores)
        answers = tuple(self._explanation(each) for each in likely)
        return Decision("asking", answers=answers, message=WHICH, scores=scores)

    def _think_again(
        self, state: State, steps: Sequence[Step], evidence: Evidence, rival: float
    ) -> tuple[list[Candidate], Decision] | None:
        """Whether the record went wrong some moves ago: then begin again from there."""
        thoughts = second_thoughts(self._unfolding, evidence, steps, self._firm, self._memories)
        clear = self.prices.revise * _sum_of(thoughts, rival)
        if not thoughts or math.exp(thoughts[0].score - rival) < clear:
            return None
        best = thoughts[0]
        since, before = best.since, steps[best.since].before
        self._anchor, self._anchor_state = since, before
        self._path = tuple(step.action for step in steps[since:] if step.action is not None)
        self._beam = [Hypothesis((), (), (), before, best.past)]
        share = math.exp(best.score - rival) / _sum_of(thoughts, rival)
        candidate = Candidate(self._beam[0], best.way, best.score, probability=min(1.0, share))
        explanation = self._explanation(candidate)
        return [candidate], Decision("moved", explanation, scores={"best": candidate.probability})

    def _alarm(self, nearest: Candidate, evidence: Evidence, scores: dict[str, float]) -> Decision:
        explained = self._explanation(nearest)
        alarm = make_alarm(explained.state, evidence, self._contradictions(evidence, nearest.way.layout))
        return Decision("out_of_step", explained, alarm=alarm, message=alarm.seen, scores=scores)

    def _sure_steps(self, candidates: list[Candidate], null: float) -> int:
        """How many actions of the best candidate are beyond doubt: later ones may still be open."""
        first = candidates[0]
        back = len(self._path) - self._common(first)
        needed = self.prices.revise if back or self._alarmed else self.prices.commit
        legal = sum(weight_of(each) for each in candidates)
        sure = 0
        for length in range(len(first.actions), 0, -1):
            start = visible_marks(first.marks[:length])
            agree = sum(
                weight_of(each) for each in candidates if visible_marks(each.marks)[: len(start)] == start
            )
            if agree >= needed * (legal + null if back else legal) and agree > null:
                sure = length
                break
        return sure

    def _common(self, candidate: Candidate) -> int:
        common = 0
        for mine, recorded in zip(candidate.actions, self._path, strict=False):
            if mine != recorded:
                break
            common += 1
        return common

    def _explanation(self, candidate: Candidate, steps: int | None = None) -> Explanation:
        """The candidate as a proposal, or only its first `steps` actions."""
        common = self._common(candidate)
        actions, who = candidate.actions[common:steps], candidate.who[common:steps]
        state = candidate.way.state
        if steps is not None and steps < len(candidate.actions):
            state = self._unfold(candidate, steps)
        change = difference(self._recorded_position(), state.visible())
        probability = min(1.0, weight_of(candidate))
        return Explanation(
            actions, who, state, change, candidate.score, probability, len(self._path) - common
        )

    def _unfold(self, candidate: Candidate, steps: int) -> State:
        """The state after the first `steps` actions since the anchor."""
        state = self._anchor_state
        assert state is not None
        for action in candidate.actions[:steps]:
            state, _ = self._unfolding.child(state, action)
        return state

    def _recorded_position(self) -> Position:
        return (self._state or self._beam[0].state).visible()

    # --- what to remember ----------------------------------------------------------------------------------

    def _remember(
        self,
        decision: Decision,
        candidates: list[Candidate],
        observation: Observation,
        evidence: Evidence,
        null: float,
        nearest: Candidate,
    ) -> None:
        self._waited = self._waited + 1 if decision.verdict in ("waiting", "asking") else 0
        self._alarmed = decision.verdict == "out_of_step"
        self._last = observation
        if self._alarmed:
            self._lead = min(LONGEST_LEAD, null - candidates[0].score)
            # Nothing is entered, but play may go on: what contradicts every explanation decides little.
            for each in candidates:
                each.score = each.tolerant
            candidates = sorted((each for each in candidates if each.score > -math.inf), key=by_score)
        against = nearest if self._alarmed else candidates[0]
        contradictions = self._contradictions(evidence, against.way.layout)
        self._disputed.clear()
        if self._alarmed:  # the hypotheses are forgiven what contradicts them; it is laid up in the lead
            self._disputed.update((place, evidence.best(place)) for place in contradictions)
            contradictions = {}
        self._grudges = {(place, evidence.best(place)): gap for place, gap in contradictions.items()}
        if decision.verdict == "moved" and decision.explanation is not None:
            back = decision.explanation.back
            self._path = self._path[: len(self._path) - back] + decision.explanation.actions
            self._state = decision.explanation.state
        recorded_layout = self._unfolding.layout(self._state) if self._state else {}
        self._memories.append(Memory(evidence, self._anchor + len(self._path), recorded_layout))
        kept = self._diverse(candidates)
        recorded = next((each for each in with_twins(candidates) if each.actions == self._path), None)
        if recorded is not None and recorded not in kept:
            kept.append(recorded)
        top = candidates[0].score
        self._beam = [
            Hypothesis(each.actions, each.who, each.marks, each.way.state, each.score - top) for each in kept
        ]
        self._move_anchor()

    def _diverse(self, candidates: list[Candidate]) -> list[Candidate]:
        """The best candidates, but at most two that differ in nothing but what lies in a yard."""
        kept: list[Candidate] = []
        alike: Counter[object] = Counter()
        for each in with_twins(candidates):
            if each.score < candidates[0].score - self.prices.beam_width or len(kept) == self.prices.beam:
                break
            layout = each.way.layout.items()
            key = each.way.state.to_move, frozenset(item for item in layout if not is_area(item[0]))
            if alike[key] < 2:
                alike[key] += 1
                kept.append(each)
        return kept

    def _move_anchor(self) -> None:
        """What all hypotheses share is no longer in doubt."""
        if len(self._path) > self.prices.longest_doubt:
            self._beam = [each for each in self._beam if each.actions[:20] == self._path[:20]]
        shared = len(self._path)
        for hypothesis in self._beam:
            common = 0
            for mine, recorded in zip(hypothesis.actions, self._path, strict=False):
                if mine != recorded:
                    break
                common += 1
            shared = min(shared, common)
        if shared:
            assert self._anchor_state is not None
            for action in self._path[:shared]:
                assert action is not None
                self._anchor_state, _ = self._unfolding.child(self._anchor_state, action)
            self._anchor += shared
            self._path = self._path[shared:]
            self._beam = [
                replace(each, actions=each.actions[shared:], who=each.who[shared:], marks=each.marks[shared:])
                for each in self._beam
            ]


def decode(state: State, observation: Observation) -> Decision:
    """What happened between `state` and a single view, without memory of earlier views."""
    return Referee().see(state, observation)


def _gaps(evidence: Evidence, layout: Layout) -> dict[str, float]:
    """place -> how much worse the layout explains it than the reader's favourite."""
    found = {place: evidence.shortfall(place, layout.get(place, ())) for place in evidence.places()}
    for place, things in layout.items():
        if place not in found:
            found[place] = evidence.shortfall(place, things)
    return found


def _areas_like(place: str) -> tuple[str, ...]:
    """The areas of which a reader tells that has found something at `place`."""
    return (*(f"yard-{number}" for number in range(1, 5)), "altar") if place else ("",)


def _sum_of(thoughts: Sequence[SecondThought], rival: float) -> float:
    """The likelihoods of all that differ in the end, and of the rival, relative to the rival's."""
    best: dict[object, float] = {}
    for thought in thoughts:
        key = frozenset(thought.way.layout.items())
        best[key] = max(best.get(key, -math.inf), thought.score)
    return 1.0 + sum(math.exp(min(50.0, score - rival)) for score in best.values())


def _clearness(belief: Belief) -> float:
    """How clearly the best is ahead of the second, in nats."""
    first, second = sorted((*belief.values(), FLOOR, FLOOR), reverse=True)[:2]
    return max(0.1, math.log(first / max(FLOOR, second)))


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))


def _piece(thing: Thing, place: str) -> Piece:
    return thing_at(thing, place)
