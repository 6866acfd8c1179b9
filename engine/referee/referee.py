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
from dataclasses import replace
from typing import Final

from engine.action import Action
from engine.game import State
from engine.observation import Observation
from engine.position import Piece, Position, Thing, thing_at
from engine.record import Step
from engine.referee.alarm import make_alarm
from engine.referee.beam import Beam
from engine.referee.contradiction import (
    clearly_otherwise,
    contradictions,
    forgiven,
    gaps,
    grudges,
    hindsight,
    reads_otherwise,
)
from engine.referee.decision import Decision, told_apart
from engine.referee.evidence import Evidence, is_area
from engine.referee.hypotheses import (
    Candidate,
    after,
    by_score,
    seen_alike,
    visible_marks,
    weight_of,
    weight_of_all,
    with_twins,
    without_twins,
)
from engine.referee.looks import Things, touched
from engine.referee.prices import Prices
from engine.referee.rebinding import rebound, swaps
from engine.referee.repetition import Repetition
from engine.referee.search import Mark, Search
from engine.referee.second_thoughts import Memory, SecondThought, second_thoughts
from engine.referee.silence import Silence
from engine.referee.unfolding import Unfolding
from engine.words import Text

MOST_WORKED: Final = 1000  # states per view, so that it is decided in time
MOST_POSTPONED: Final = 2  # views one after the other, of which not all could be worked out in time
MOST_TRIED: Final = 600  # actions per view
MOST_FOR_THE_BEST: Final = 400  # after the likeliest hypothesis
MOST_FOR_OTHERS: Final = 40  # after each further one
WORTH_REBINDING: Final = 6
UNLIKELY: Final = 6.0  # nats behind the best hypothesis
LONGEST_LEAD: Final = 6.0
THINK_AGAIN: Final = 2  # times about the same places
WORTH_A_THOUGHT: Final = 3.0  # nats behind the best explanation and the alarm
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
        self._beam = Beam(self._unfolding)
        self._repetition = Repetition(self.prices.repeat)
        self._areas: dict[str, None] = {}  # of which this reader is known to tell
        self._memories: deque[Memory] = deque(maxlen=8)
        self._people_tell = False  # what no camera sees
        self._silence = Silence()
        self._waited = 0
        self._postponed = 0
        self._alarmed = False
        self._lead = 0.0  # of the null hypothesis, where it won the last time
        self._disputed: set[tuple[str, Things]] = set()  # and what it won by
        self._doubted: Counter[str] = Counter()  # places for whose sake the last moves were thought over

    # --- small questions -----------------------------------------------------------------------------

    def agrees(self, state: State, observation: Observation) -> bool:
        """Whether no seen place contradicts the state."""
        evidence = Evidence(observation)
        return not any(gap > 2.5 for gap in gaps(evidence, self._unfolding.layout(state)).values())

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
                self._areas.update(dict.fromkeys(_areas_like(piece.place or "")))
        self._unfolding.begin(MOST_WORKED)
        weights = self._repetition.weights(observation, self._areas, self._alarmed)
        evidence = Evidence(observation, weights, self._areas, self._repetition.richer(observation))
        if not any(True for _ in evidence.places()):
            return Decision("blind", message=NOTHING_SEEN)
        candidates = self._candidates(evidence)
        null, nearest = self._null(evidence, candidates)
        decision = self._judged(candidates, null, nearest, evidence)
        if decision.alarm is None:
            self._doubted.clear()
        elif any(self._doubted[place] < THINK_AGAIN for place in decision.alarm.places):
            thoughts = second_thoughts(
                self._unfolding, evidence, steps, self._beam.firm, self._beam.stated, self._memories
            )
            if not self._is_to_be_postponed(decision):
                self._doubted.update(decision.alarm.places)
                rival = max(null, candidates[0].score)
                thoughts = [each for each in thoughts if each.score > rival - WORTH_A_THOUGHT]
                if thoughts:
                    candidates = self._with_thoughts(candidates, thoughts, steps)
                    null, nearest = self._null(evidence, candidates)
                    decision = self._judged(candidates, null, nearest, evidence)
        if self._is_to_be_postponed(decision):
            self._postponed += 1
            decision = Decision("waiting", message=UNSURE, scores=decision.scores)
        else:
            self._postponed = 0
        if decision.verdict == "moved" and decision.explanation is not None:
            self._silence.entered(state, decision.explanation)
        self._remember(decision, candidates, evidence, null, nearest)
        return decision

    def _is_to_be_postponed(self, decision: Decision) -> bool:
        """Whether there was no time for all that may explain the view, so that something else may be right:
        the next view goes on from there."""
        settles = decision.verdict in ("moved", "asking", "out_of_step")
        return settles and self._unfolding.is_exhausted and self._postponed < MOST_POSTPONED

    def nothing_happened(self) -> None:
        """People say so when they are asked: the record is right as it is."""
        self._beam.settle()
        self._waited = 0

    def _follow(self, state: State, steps: Sequence[Step]) -> None:
        """Takes in what people have entered since the last view."""
        told = self._beam.follow(state, steps)
        if told is None:
            self._repetition.forget()
            self._waited = 0
            self._disputed.clear()
            self._memories.clear()
        elif told:
            self._people_tell |= any(isinstance(step.action, state.game.told) for step in told)
            self._silence.heard(told)
            before, after = self._unfolding.layout(told[0].before), self._unfolding.layout(state)
            self._repetition.expect_changes(touched(before, after))

    def _candidates(self, evidence: Evidence) -> list[Candidate]:
        best = max(hypothesis.past for hypothesis in self._beam.hypotheses)
        found: dict[tuple[Action, ...], Candidate] = {}
        left, recorded = MOST_TRIED, self._beam.path
        for rank, hypothesis in enumerate(self._beam.hypotheses):
            budget = min(left, MOST_FOR_OTHERS if rank else MOST_FOR_THE_BEST)
            if hypothesis.past < best - UNLIKELY and hypothesis.actions != recorded:
                budget = 0  # it has to explain the view as it is
            search = Search(
                self._unfolding, evidence, budget, people_tell=self._people_tell, detours=not rank,
                left_unsaid=self._silence.price,
            )  # fmt: skip
            # Out of step, people may have gone on for a while before somebody put it right.
            for way in search.ways(hypothesis.state, 6 if self._alarmed else 4, hypothesis.before):
                candidate = Candidate(hypothesis, way, hypothesis.past - best + way.score)
                if hypothesis.actions[: len(recorded)] == recorded:
                    candidate.score += hindsight(hypothesis, way.layout)
                known = found.get(candidate.actions)
                if known is None or known.score < candidate.score:
                    found[candidate.actions] = candidate
            left = max(FEWEST_TRIED, left - search.tried)
        for candidate in sorted(found.values(), key=by_score)[:WORTH_REBINDING]:
            for other in self._rebound(candidate, evidence):
                found.setdefault(other.actions, other)
        ranked = sorted(found.values(), key=lambda each: (by_score(each), len(each.way.actions)))
        return without_twins(ranked[:80], self._unfolding)

    def _rebound(self, candidate: Candidate, evidence: Evidence) -> Iterator[Candidate]:
        """The same explanation with a card that can be read now."""
        hypothesis, way = candidate.hypothesis, candidate.way
        for swap in swaps(evidence, way.layout):
            new = rebound(candidate.actions, swap, self._beam.anchor_state, self._unfolding)
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
        # Nobody takes back a move in order to do something illegal.
        followed = [each for each in candidates if each.hypothesis.before is None]
        for candidate in followed[:12]:
            if candidate.score < followed[0].score - 25:
                break
            candidate.tolerant = candidate.score + forgiven(evidence, candidate, self.prices)
        nearest = max(candidates, key=lambda each: (round(each.tolerant, 6), -by_score(each)))
        seen = clearly_otherwise(evidence, nearest.way.layout)
        still = any((place, evidence.best(place)) in self._disputed for place in seen)
        return nearest.tolerant + (self._lead if still else -self.prices.null_entry), nearest

    # --- the answer --------------------------------------------------------------------------------------

    def _judged(
        self, candidates: list[Candidate], null: float, nearest: Candidate, evidence: Evidence
    ) -> Decision:
        """How probable each candidate is, and what follows from that."""
        total = _log_sum([each.score for each in with_twins(candidates)] + [null])
        for candidate in with_twins(candidates):
            candidate.probability = math.exp(candidate.score - total)
        return self._decide(candidates, math.exp(null - total), nearest, evidence)

    def _decide(
        self, candidates: list[Candidate], null: float, nearest: Candidate, evidence: Evidence
    ) -> Decision:
        first = candidates[0]
        scores = {"null": null, "best": first.probability}
        if null >= self.prices.alarm:
            return self._alarm(nearest, evidence, scores)
        patient = self._waited + 1 < self.prices.patience
        sure = self._sure_steps(candidates, null, nearest, patient)
        common = self._beam.common(first.actions)
        back = len(self._beam.path) - common
        taken_back = back and len(first.actions) == common
        if sure > common or (taken_back and weight_of(first) >= self.prices.revise):
            return Decision("moved", self._beam.explanation(first, max(sure, common)), scores=scores)
        alike = seen_alike(candidates)
        mine = next(group for group in alike if first in group)
        in_step = not back and not visible_marks(first.marks[common:]) and null < self.prices.doubtful
        in_step = in_step and weight_of_all(mine) >= self.prices.settled * weight_of_all(candidates)
        if in_step and not (patient and reads_otherwise(evidence, first.way.layout)):
            return Decision("in_step", message=SAME, scores=scores)
        if patient:
            return Decision("waiting", message=UNSURE, scores=scores)
        if null > weight_of_all(candidates) or (back and null > self.prices.doubtful / 2):
            return self._alarm(nearest, evidence, scores)
        likely = [group for group in alike[:3] if weight_of_all(group) > 0.04]
        if len(likely) < 2:
            return Decision("waiting", message=UNSURE, scores=scores)
        answers = told_apart(
            [
                replace(self._beam.explanation(group[0]), probability=min(1.0, weight_of_all(group)))
                for group in likely
            ]
        )
        return Decision("asking", answers=answers, message=WHICH, scores=scores)

    def _with_thoughts(
        self, candidates: Sequence[Candidate], thoughts: Sequence[SecondThought], steps: Sequence[Step]
    ) -> list[Candidate]:
        """The candidates, and beside them that the record went wrong some moves ago."""
        held = self._held_against_the_record()
        since = min(each.since for each in thoughts)
        if since < self._beam.anchor:
            before = self._beam.reach_back(since, steps)
            for each in with_twins(candidates):
                each.hypothesis = after(before, each.hypothesis)
        marks = self._recorded_marks(candidates)
        found = list(candidates)
        for thought in thoughts:
            begin = self._beam.recorded(thought.since, steps)
            layout, begun = thought.way.layout, (marks or begin.marks)[: len(begin.actions)]
            against = {key: lost for key, (lost, things) in held.items() if layout.get(key[0], ()) == things}
            begin = replace(begin, marks=begun, past=thought.past, grudges=against)
            found.append(Candidate(begin, thought.way, thought.score))
        return without_twins(sorted(found, key=by_score), self._unfolding)

    def _held_against_the_record(self) -> dict[tuple[str, Things], tuple[float, Things]]:
        """What has contradicted the record until now, and what it says lies there: whoever says the same is
        contradicted as much."""
        record = next((each for each in self._beam.hypotheses if each.actions == self._beam.path), None)
        if record is None:
            return {}
        layout = self._unfolding.layout(record.state)
        return {key: (lost, layout.get(key[0], ())) for key, lost in record.grudges.items()}

    def _alarm(self, nearest: Candidate, evidence: Evidence, scores: dict[str, float]) -> Decision:
        explained = self._beam.explanation(nearest)
        found = contradictions(evidence, nearest)  # and what lies there as it did at the alarm before
        for place, gap in clearly_otherwise(evidence, nearest.way.layout).items():
            found[place] = max(gap, found.get(place, 0.0))
        alarm = make_alarm(explained.state, evidence, found)
        return Decision("out_of_step", explained, alarm=alarm, message=alarm.seen, scores=scores)

    def _sure_steps(self, candidates: list[Candidate], null: float, nearest: Candidate, patient: bool) -> int:
        """How many actions of the best candidate are beyond doubt: later ones may still be open. If the table
        does not follow the record, the same actions may still have come before that. patient: whether to look
        again before that doubt is put aside."""
        first = candidates[0]
        common = self._beam.common(first.actions)
        back = common < len(self._beam.path)
        needed = self.prices.revise if back or self._alarmed else self.prices.commit
        legal = weight_of_all(candidates)
        fewest = self._beam.fewest(first.actions)
        kept, removed = visible_marks(first.marks[:common]), self._recorded_marks(candidates)[common:]
        for length in range(len(first.actions), 0, -1):
            if length < fewest:
                break
            if length < len(first.actions) and first.is_choice_unseen(length - 1):
                continue  # somebody may have done more before it
            start = visible_marks(first.marks[:length])
            otherwise = visible_marks(removed)[:1] if start == kept else []  # what is struck out for nothing
            agree = sum(weight_of(each) for each in candidates if _begins(each, start, otherwise))
            doubted = patient and visible_marks(nearest.marks)[: len(start)] != start
            other = null if back or doubted else 0.0
            if agree >= needed * (legal + other) and agree > null:
                return length
        return 0

    def _recorded_marks(self, candidates: Sequence[Candidate]) -> tuple[Mark, ...]:
        """The marks of what is recorded since the anchor."""
        path = self._beam.path
        found = next((each for each in with_twins(candidates) if each.actions[: len(path)] == path), None)
        return found.marks[: len(path)] if found else ()

    # --- what to remember ----------------------------------------------------------------------------------

    def _remember(
        self,
        decision: Decision,
        candidates: list[Candidate],
        evidence: Evidence,
        null: float,
        nearest: Candidate,
    ) -> None:
        self._waited = self._waited + 1 if decision.verdict in ("waiting", "asking") else 0
        self._alarmed = decision.verdict == "out_of_step"
        self._repetition.remember(evidence.observation)
        self._disputed.clear()
        if self._alarmed:  # the hypotheses are forgiven what contradicts them; it is laid up in the lead
            self._lead = min(LONGEST_LEAD, null - candidates[0].score)
            self._disputed.update(grudges(evidence, nearest))
            # Nothing is entered, but play may go on: what contradicts every explanation decides little.
            for each in candidates:
                each.score = each.tolerant
            candidates = sorted((each for each in candidates if each.score > -math.inf), key=by_score)
        if decision.verdict == "moved" and decision.explanation is not None:
            self._beam.enter(decision.explanation)
        believed = candidates[0]  # the record may lag behind
        steps = max(self._beam.steps, self._beam.anchor + len(believed.actions))
        self._memories.append(Memory(evidence, steps, believed.way.layout))
        self._beam.keep(candidates, evidence, self.prices, decision.verdict)


def decode(state: State, observation: Observation) -> Decision:
    """What happened between `state` and a single view, without memory of earlier views."""
    return Referee().see(state, observation)


def _begins(candidate: Candidate, start: Sequence[Mark], otherwise: Sequence[Mark]) -> bool:
    """Whether what was seen of the candidate begins like that, and does not go on `otherwise`."""
    marks = visible_marks(candidate.marks)
    goes_on = marks[len(start) : len(start) + 1]
    return marks[: len(start)] == list(start) and not (otherwise and goes_on == list(otherwise))


def _areas_like(place: str) -> tuple[str, ...]:
    """The areas of which a reader tells that has found something at `place`."""
    return (*(f"yard-{number}" for number in range(1, 5)), "altar") if place else ("",)


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))


def _piece(thing: Thing, place: str) -> Piece:
    return thing_at(thing, place)
