"""Whole evenings before a reader that makes mistakes: how good is the referee?

The people of these evenings do what real ones would do: they tell with one touch what no camera sees and the
record needs (`Game.told`: how a wheel rolled, that a turn is over), they answer questions rightly, and when
the record does not come along they help it on. That last counts as a question.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from engine.action import Action, covers
from engine.game import CHANCE, Game, State
from engine.position import Position, Thing, difference
from engine.record import Entry, Record
from engine.referee.chance import unseen_event
from engine.referee.decision import Decision, Explanation
from engine.referee.looks import layout_of
from engine.referee.mischief import illegal_position
from engine.referee.prices import Prices
from engine.referee.referee import Referee
from engine.referee.simulated_reader import SimulatedReader, choose, tops
from engine.referee.tally import Tally, Told, said_of, wrong_and_missing

# Who sits at the tables of these evenings.
PLAYERS = {
    "stonehenge": ("black", "brown"),
    "council": ("white", "red"),
    "build": ("red", "blue", "green"),
    "rolling": ("white", "blue"),
    "ramming": ("white", "blue", "green"),
    "roulette": ("white", "blue", "green"),
}
LONGEST_GAME = 400  # moves that can be seen
MISSED = 0.15  # of all views
MOST_MISSED = 2  # one after the other
PLACES_TO_BEGIN = 12
PATIENCE = 3  # alarms one after the other, until people put the record right
FEWEST_AT_THE_END = 3  # looks, and then more as long as something is open
MOST_AT_THE_END = 12
MOST_LOOKS = 3  # while the referee waits, if people give the camera the time


def entries_of(explanation: Explanation, **mark: object) -> list[Entry]:
    """The entries that put an explanation on record."""
    if explanation.back:
        text = "; ".join(map(str, explanation.actions))
        return [Entry("correction", text, back=explanation.back, **mark)]  # type: ignore[arg-type]
    pairs = zip(explanation.actions, explanation.who, strict=True)
    return [Entry("move", str(action), who=who, **mark) for action, who in pairs]  # type: ignore[arg-type]


class Evening:
    """One random game before a simulated reader, followed by a referee."""

    def __init__(
        self, game: Game, players: Sequence[str], seed: int, error: float, prices: Prices | None = None
    ) -> None:
        self.rng = random.Random(seed)
        self.truth = self.before = game.start(players)
        self.reader = SimulatedReader(game, players, self.rng, error)
        self.record = Record(game.as_half_seen().start(players))
        self.referee = Referee(prices)
        self.moves: list[Told] = []  # those that a camera could see
        self.all_moves: list[Told] = []
        self.without: list[bool] = []
        self.tally = Tally()
        self.seed = seed
        self._unseen = 0  # moves since the last view
        self.verdict = "in_step"  # of the last view
        self.mischief = ""  # what was done against the rules and not caught
        self._alarms = 0  # one after the other
        self._together = [(0, 0)]  # so many steps and moves there were when record and table agreed
        self.seen = self.reader.read(self.truth.visible())
        self._follow_unseen()

    def play(self, missed: float = MISSED, longest: int = LONGEST_GAME) -> Tally:
        """Plays to the end; a view after each visible move, of which a share is `missed`."""
        while not self.truth.is_over and len(self.moves) < longest:
            self.step(missed)
        self._look_to_the_end()
        self.tally.compare(self.all_moves, self.record, self.seed)
        self.tally.moves_without, self.tally.games_without = sum(self.without), int(all(self.without))
        return self.tally

    def _look_to_the_end(self) -> None:
        """What lies on the table in the end stays there: the camera looks until nothing is open any more.
        People know when a game is over, and see whether the page says so."""
        for looks in range(MOST_AT_THE_END):
            settled = self.look().verdict == "in_step" and self.record.state.is_over == self.truth.is_over
            if settled and looks + 1 >= FEWEST_AT_THE_END:
                break

    def skip(self, moves: int) -> None:
        """So many moves are made before anybody looks, and the turn's end: then what the table shows becomes
        the set-up, and what cannot be known is "??"."""
        mover: str | None = None
        while moves > 0 or self.truth.to_move in (CHANCE, mover):
            mover = mover if self.truth.to_move == CHANCE else self.truth.to_move
            self.truth, moves = self.truth.apply(choose(self.truth, self.rng)), moves - 1
        game, seats = self.truth.game.as_half_seen(), self.truth.players
        self.record = Record(game.from_position(self.truth.visible(), seats, self.truth.to_move))
        self._follow_unseen()

    def plant(self, before: int) -> bool | None:
        """Plays `before` moves, then does something illegal. True if it raises an alarm: when it was done, or
        when somebody's hand has been over the board once more. A camera that is there all the time looks
        again while the referee waits or asks."""
        while not self.truth.is_over and len(self.moves) < before:
            self.step()
        for _ in range(MOST_LOOKS):  # what nobody has seen come cannot be seen to go
            if not self._agrees():
                self.look()
        if self.truth.is_over or not self._agrees():
            return None
        wrong = illegal_position(self.truth, self._may_follow(), self.reader, self.rng)
        if wrong is None:
            return None
        for _ in range(2):
            for _ in range(MOST_LOOKS):
                verdict = self.look(wrong, count=False).verdict
                if verdict == "out_of_step":
                    return True
                if verdict not in ("waiting", "asking"):
                    break
        change = difference(self.truth.visible(), wrong)
        self.mischief = " and ".join(
            [f"{each.thing} gone from {each.place}" for each in change.gone]
            + [f"{each.thing} come to {each.place}" for each in change.come]
        )
        return False

    def _may_follow(self) -> list[State]:
        """The states from which what comes next may be legal: now, and if the last move is taken back; both
        in truth and as the record has them. It does not know who holds which card."""
        steps = self.record.steps
        seen = (step.before for step in reversed(steps) if step.before.visible() != step.after.visible())
        recorded = self.record.state
        return [self.truth, self.before, recorded, next(seen, recorded)]

    def step(self, missed: float = 0.0) -> None:
        """One move, and a view if it could be seen and the view is not missed."""
        action, mover = choose(self.truth, self.rng), str(self.truth.to_move)
        told = Told(mover, action, self.truth.visible_change(action), self.tally.views + 1)
        seen = told.seen
        if isinstance(action, self.truth.game.told) and not self._is_clear(told):
            self._tell(action, mover)
        self.all_moves.append(told)
        if seen:
            self.before = self.truth
            self.moves.append(told)
        self.truth = self.truth.apply(action)
        if not seen:
            return
        self._unseen += 1
        expected = self._naive(self.truth.visible())
        if self._unseen <= MOST_MISSED and self.rng.random() < missed:
            self.without.append(False)
            return
        self._unseen = 0
        self.look()
        argmax = {place: self.seen.ranked(place)[0][0] for place in self.seen.fields}
        self.without.append(all(argmax.get(p) == t for p, t in expected.items()))

    def _is_clear(self, told: Told) -> bool:
        """Whether a camera can take the move for nothing else, or the record goes on by itself."""
        known = self.truth.view(None)
        if unseen_event(known) is not None:
            return True
        alike = [each for each in known.seen_actions() if known.visible_change(each) == told.change]
        return told.seen and len(alike) == 1

    def _tell(self, action: Action, mover: str) -> None:
        """People state what happened, when the camera has seen what was before it."""
        self.tally.told += 1
        hidden = set(self.reader.places if self._unseen else self.seen.unseen)
        for _ in range(MOST_LOOKS):
            if hidden or self.verdict in ("waiting", "out_of_step"):
                self.look()
                hidden &= set(self.seen.unseen)
        self._unseen = 0
        for attempt in range(3):
            text = _as_known(self.record.state, action, mover)
            if text is not None:
                self.record.add(Entry("move", text, who=mover, by="person"))
                self._follow_unseen()
                return
            if attempt < 2:
                self.look()
        self._help_on()
        text = _as_known(self.record.state, action, mover)
        if text is not None:
            self.record.add(Entry("move", text, who=mover, by="person"))
            self._follow_unseen()
            return
        agreed = self.truth.apply(action).view(None).to_json()
        self.record.add(Entry("allowed", data={"state": agreed}))
        self._follow_unseen()

    def _naive(self, position: Position) -> dict[str, Thing | None]:
        top = tops(position)
        return {place: top.get(place) for place in self.reader.places}

    def look(self, position: Position | None = None, count: bool = True) -> Decision:
        """A view, the referee's decision, and what the people do about it."""
        self.seen = observation = self.reader.read(position or self.truth.visible())
        started = time.thread_time()
        decision = self.referee.see(self.record.state, observation, self.record.steps)
        self.tally.times_s.append(time.thread_time() - started)
        self.tally.views += 1
        self.verdict = decision.verdict
        if decision.verdict == "moved" and decision.explanation is not None:
            self._enter(decision.explanation)
        elif decision.verdict == "asking" and count:
            self.tally.questions += 1
            self._answer(decision)
        elif decision.verdict == "out_of_step" and count:
            self.tally.false_alarms += 1
        self._alarms = self._alarms + 1 if decision.verdict == "out_of_step" else 0
        if self._agrees():
            self._together.append((len(self.record.steps), len(self.all_moves)))
        elif self._alarms == PATIENCE and count:
            self._help_on()
        return decision

    def _agrees(self) -> bool:
        """Whether the record says what lies on the table."""
        return layout_of(self.record.state.visible()) == layout_of(self.truth.visible())

    def _help_on(self) -> None:
        """The record does not come along though nobody did anything wrong: people say what was misread. If
        that was not it, they go back to where the record was right and enter what has happened since; where
        they cannot, they agree on what lies there."""
        self.tally.questions += 1
        lies = self._naive(self.truth.visible())
        wrong = [place for place, thing in lies.items() if self.seen.ranked(place)[0][0] != thing]
        if wrong:
            self.reader.put_right(wrong, lies)
            self.look()
            if self._agrees():
                return
        for steps, moves in reversed(self._together[-PLACES_TO_BEGIN:]):
            told = self._retold(steps, moves) if steps <= len(self.record.steps) else None
            if told is not None:
                back = len(self.record.steps) - steps
                self.record.add(Entry("correction", "; ".join(told), back=back))
                return
        self.record.add(Entry("allowed", data={"state": self.truth.view(None).to_json()}))

    def _retold(self, steps: int, moves: int) -> list[str] | None:
        """What has happened since, from so many steps of the record on; None if it cannot follow on them."""
        state = self.record.steps[steps].before if steps < len(self.record.steps) else self.record.state
        told: list[str] = []
        for move in self.all_moves[moves:]:
            text = _as_known(state, move.action, move.who) or str(move.action)
            action = state.game.parse(text)
            if state.why_not(action) is not None:
                if move.who == CHANCE and not move.seen:
                    continue  # drawn unseen already
                return None
            state = state.apply(action)
            told.append(text)
            while (event := unseen_event(state)) is not None:
                state = state.apply(event)
                told.append(str(event))
        right = layout_of(state.visible()) == layout_of(self.truth.visible())
        return told if right and state.to_move == self.truth.to_move else None

    def _enter(self, explanation: Explanation) -> None:
        self.tally.corrections += bool(explanation.back)
        for entry in entries_of(explanation, by="camera"):
            self.record.add(entry)
        self._follow_unseen()

    def _answer(self, decision: Decision) -> None:
        """People know what they did; if no answer is right they leave the question."""
        truth = layout_of(self.truth.visible())
        right = [answer for answer in decision.answers if layout_of(answer.state.visible()) == truth]
        if right:
            answer = min(right, key=self._untrue)
            self._enter(answer)
            if not answer.actions and not answer.back:
                self.referee.nothing_happened()

    def _untrue(self, answer: Explanation) -> tuple[int, bool]:
        """How much would be recorded wrongly with this answer."""
        kept = len(self.record.steps) - answer.back
        state = self.record.steps[kept].before if answer.back else self.record.state
        recorded = [
            said
            for step in self.record.steps[:kept]
            if step.action
            for said in said_of(step.before, step.action)
        ]
        for action in answer.actions:
            recorded += said_of(state, action)
            state = state.apply(action)
        wrong, missing = wrong_and_missing(self.all_moves, recorded)
        return len(wrong) + len(missing), answer.state.to_move != self.truth.to_move

    def _follow_unseen(self) -> None:
        while (action := unseen_event(self.record.state)) is not None:
            self.record.add(Entry("move", str(action), who=CHANCE, by="rules"))


def _as_known(state: State, action: Action, mover: str) -> str | None:
    """What people state of an action: no more than a camera would tell of it. None if the record is not so
    far that it could happen."""
    if state.to_move != mover:
        return None
    found = [each for each in state.seen_actions() if covers(each, action)]
    found.sort(key=lambda each: bool(state.visible_change(each)))
    return str(found[0]) if found else None
