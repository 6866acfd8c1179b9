"""One live table: its record, whether table and record agree, and what people and camera do about it.

Everything that is announced is on the disk before (see `Book`). Nothing in here is ever edited: undo,
correction and agreement are entries of their own. All methods may be called from any thread.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal

from engine import CHANCE, Action, Observation, Position, State, Text, Thing, log
from engine.board import load_board
from engine.errors import HengeError, IllegalActionError, StateError
from engine.record import Entry
from engine.referee import Alarm, Decision, Explanation, Referee
from engine.words import name as word
from table.book import Book, result_of
from table.errors import TableError
from table.pins import Pins
from table.remarks import (
    LEARNT,
    MORE_TO_COME,
    NOT_AS_TOLD,
    NOT_SHOWN_YET,
    NOTHING_YET,
    TAKEN_BACK,
    put_right,
    remark,
)
from table.seen import action_seen, seen_by
from table.status import Event, Status, View
from table.store import Store, TableRow, one_line

LOOKS_AT_A_WORD: Final = 4  # after so many the referee has thought again, and asks rather than waits


class Table:
    """See the module's text. Made by `Hall`.

    A game that is not half-seen is *dealt*: `dealer` draws and rolls whatever is due, the record holds all
    cards, and everybody is told only what he may know."""

    def __init__(
        self, store: Store, row: TableRow, clock: Callable[[], datetime], dealer: random.Random
    ) -> None:
        self._book = Book(store, row, clock, dealer)
        self._changed = self._book.changed
        self._status = Status("looking", NOTHING_YET)
        self._view: View | None = None
        self._pins = Pins()
        self._can_teach = False
        self._read: Observation | None = None  # in the last picture, as the eyes told it
        self._lesson: tuple[Observation | None, Position] | None = None
        self._held: Observation | None = None
        self._referee = Referee()
        if self._book.left_open is not None:
            self._status = self._still_open(self._book.left_open)

    # --- what there is -----------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self._book.row.id

    @property
    def row(self) -> TableRow:
        """Name, game, players, variant, when it was created and put away, result."""
        return self._book.row

    @property
    def game(self) -> Any:
        return self.state.game

    @property
    def players(self) -> tuple[str, ...]:
        return self.state.players

    @property
    def state(self) -> State:
        """All that the table knows, private hands included: give pages `state.view(player)`."""
        with self._changed:
            return self._book.state

    @property
    def is_dealt(self) -> bool:
        """Whether Henge deals, draws and rolls, so that all cards are in the record."""
        return self._book.is_dealt

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The record, as everybody may see it."""
        with self._changed:
            return self._book.public

    @property
    def moves_made(self) -> tuple[tuple[str, Action], ...]:
        """The moves that stand, each with its player, as everybody may see them: without what was taken
        back, and as corrected."""
        with self._changed:
            steps = [
                step for step in self._book.record.steps if step.action is not None and not step.by_chance
            ]
            seen = ((str(step.before.to_move), action_seen(step, None)) for step in steps)
            return tuple((player, action) for player, action in seen if action is not None)

    @property
    def status(self) -> Status:
        with self._changed:
            return self._status

    @property
    def view(self) -> View | None:
        """The last settled picture; its observation carries what people said about it."""
        with self._changed:
            return self._view

    @property
    def can_undo(self) -> bool:
        with self._changed:
            return self._book.record.can_undo

    @property
    def can_redo(self) -> bool:
        with self._changed:
            return self._book.record.can_redo

    @property
    def can_teach(self) -> bool:
        """Whether a reading was put right since the eyes learnt last, and table and record agree again."""
        with self._changed:
            return self._can_teach and self._status.name == "in_step"

    def state_at(self, number: int) -> State:
        """The state after entry `number` (0: the beginning). Raises StateError if there is none."""
        with self._changed:
            return self._book.record.state_at(number)

    def photo(self, name: str) -> bytes:
        """The JPEG of that name. Raises TableError if it is not there."""
        try:
            return self._book.photo(name)
        except OSError:
            raise TableError(f"there is no photograph {name!r} at this table") from None

    # --- events ------------------------------------------------------------------------------------

    @property
    def last_event_id(self) -> int:
        with self._changed:
            return self._book.last_event_id

    def events_since(self, event_id: int) -> tuple[Event, ...]:
        """The events after `event_id`, oldest first. If some are no longer remembered (after a restart,
        or a long sleep), one event "opened": load everything anew, then go on from its id."""
        with self._changed:
            return self._book.events_since(event_id)

    def wait(self, after: int, timeout_s: float = 15.0) -> tuple[Event, ...]:
        """The events after `after`, as soon as there is one; () when `timeout_s` have passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._book.last_event_id != after, timeout_s)
            return self.events_since(after) if self._book.last_event_id != after else ()

    def look_anew(self) -> None:
        """Something beside the record has changed: whoever listens loads everything anew."""
        with self._changed:
            self._book.announce("opened", {})

    # --- people ------------------------------------------------------------------------------------

    def play(self, text: str, by: str = "person") -> None:
        """A move stated by a person ("place 4 on space-A", in English or German).

        Raises IllegalActionError with the reason, or UnknownActionError."""
        with self._changed:
            state = self._book.state
            action = state.game.parse(text)
            self._book.enter([Entry("move", str(action), who=state.to_move, by=by)])
            self._await_table(NOT_SHOWN_YET)

    def undo(self, entries: int | None = None) -> None:
        """Takes back the last move; cards that it had shown stay known. entries: how many the record had when
        somebody decided to: what has been entered meanwhile, he does not mean.

        Raises StateError if there is none, TableError if the record has gone on."""
        with self._changed:
            self._check_length(entries)
            self._book.enter([Entry("undo")])
            self._await_table(TAKEN_BACK)

    def redo(self, entries: int | None = None) -> None:
        """Does again what the last undo took back; entries: as with `undo`. Raises StateError if there is
        nothing, TableError if the record has gone on."""
        with self._changed:
            self._check_length(entries)
            self._book.enter([Entry("redo")])
            self._await_table(NOT_SHOWN_YET)

    def _check_length(self, entries: int | None) -> None:
        if entries is not None and entries != len(self._book.public):
            raise TableError("meanwhile something else was entered: look once more")

    def note(self, words: str | Text) -> None:
        """Enters a remark: what people wrote, or what Henge says in both languages."""
        with self._changed:
            self._book.enter([remark(words)])

    def tell(self, player: str, cards: Sequence[str]) -> None:
        """A player privately tells his hand. Raises IllegalActionError if the hand cannot be that."""
        with self._changed:
            hidden = " ".join("??" for _ in cards)
            self._book.enter([Entry("hand", hidden, who=player, data={"cards": list(cards)})])

    def answer(
        self, number: int, by: Literal["person", "camera"] = "person", words: str | None = None
    ) -> None:
        """Chooses answer `number` (from 0) to the question asked; by the camera where there is nobody to ask.
        words: the English of the answer as it was read. The camera looks on while people read: then the
        answer with these words is meant, wherever it stands now. Raises TableError if there is none."""
        with self._changed:
            answers = self._status.answers
            if words is not None:
                meant = [i for i, each in enumerate(answers) if each.text().en == words]
                if not meant:
                    raise TableError("that is not the question any more: read it once more")
                number = number if number in meant else meant[0]
            if not 0 <= number < len(answers):
                raise TableError(f"the question has {len(answers)} answers, there is no answer {number + 1}")
            self._take(answers[number], by)
            if not answers[number].actions and not answers[number].back:
                self._referee.nothing_happened()

    def correct(self, place: str, thing: Thing | None, instead_of: str | None = None) -> None:
        """The reading is wrong: `thing` (None: nothing) lies at `place`, and nothing at the place
        `instead_of`. Holds as long as the camera goes on seeing what it saw there. Raises TableError if there
        is no picture to correct, or no such piece on this board."""
        with self._changed:
            if self._view is None:
                raise TableError("there is no picture yet whose reading could be corrected")
            if thing is not None:
                self._check_piece(thing)
            told = [(place, thing)] if instead_of is None else [(instead_of, None), (place, thing)]
            for where, what in told:
                self._pins.put(where, what, self._view.observation)
            self._can_teach = True
            self._book.enter([remark(put_right(where, what)) for where, what in told])
            self._book.announce("view", {"number": self._view.number})  # another reading of the same picture
            for _ in range(LOOKS_AT_A_WORD):  # people are sure: no second picture is waited for
                decision = self._judge(self._view, revised=True)
                if decision is None or decision.verdict not in ("waiting", "out_of_step"):
                    break

    def _check_piece(self, thing: Thing) -> None:
        pieces = load_board(self.game.board).pieces
        colours = pieces[thing.kind].colours if thing.kind in pieces else ()
        if thing.kind not in pieces or (thing.colour is not None and thing.colour not in colours):
            known = ", ".join(sorted(pieces))
            raise TableError(f"this board has no such piece; it has {known}, in the colours of its players")

    def teach(self) -> None:
        """The players agree that the last picture shows what the record says: whoever reads for this table
        learns the look of the set from it (see `take_lesson`). Raises TableError if nothing was put right,
        or table and record do not agree."""
        with self._changed:
            if not self.can_teach:
                raise TableError("there is nothing to learn: first put a reading right, until all agrees")
            self._can_teach, self._lesson = False, (self._read, self._book.state.visible())
            self._book.enter([remark(LEARNT)])

    def take_lesson(self, read: Observation | None) -> Position | None:
        """What lies in the picture in which `read` was read last, once after the players agreed that it does;
        else None. A table may be seen by a camera and by phones: who has read another picture learns
        nothing from it."""
        with self._changed:
            if self._lesson is None or self._lesson[0] is not read:
                return None
            (_, lesson), self._lesson = self._lesson, None
            return lesson

    def allow(self, to_move: str | None = None) -> None:
        """We agreed to go on from what lies on the table, whatever the rules say: also how a game begins
        that is already going on. What cannot be known is "??". Unseen places stay as the record has them.

        Raises TableError without a picture, StateError if no game can stand like that."""
        with self._changed:
            if self._view is None:
                raise TableError("there is no picture yet to go on from")
            state = self._as_it_lies(self._view, to_move)
            photo = self._keep_photo(self._view)
            self._book.enter([Entry("allowed", data={"state": state.to_json()}, photo=photo)])
            self._set_status(Status("in_step", Text("agreed: on from here", "abgemacht: von hier weiter")))

    def _as_it_lies(self, view: View, to_move: str | None = None) -> State:
        """The game as the table shows it. Raises StateError if no game can stand like that."""
        old = self._book.state
        position = self._referee.seen_position(old, view.observation)
        mover = to_move or (old.to_move if old.to_move in old.players else None)
        return old.game.as_half_seen().from_position(position, old.players, mover)

    # --- camera ------------------------------------------------------------------------------------

    def see(
        self,
        observation: Observation,
        jpeg: bytes | None = None,
        at: str | None = None,
        photo: str | None = None,
    ) -> Decision | None:
        """A settled picture was read: works out what happened and records it, asks, or says that the table
        does not follow. `photo`: the name of a picture that is kept elsewhere. Returns the referee's
        decision; None while people are still catching up with what they stated on the page."""
        with self._changed:
            return self._judge(self._put_view(observation, jpeg, at, photo))

    def take_over(
        self, observation: Observation, jpeg: bytes | None = None, to_move: str | None = None
    ) -> None:
        """A game that is already going on: what this view shows becomes the set-up. See `allow`."""
        with self._changed:
            self._put_view(observation, jpeg, None, None)
            self.allow(to_move)

    def _put_view(
        self, observation: Observation, jpeg: bytes | None, at: str | None, photo: str | None
    ) -> View:
        number = self._view.number + 1 if self._view else 1
        self._view = View(number, at or self._book.now(), observation, jpeg, photo)
        self._read = observation
        self._book.announce("view", {"number": number})
        return self._view

    def looking(self, message: Text) -> None:
        """The camera waits ("a hand is over the board"). A question or an alarm stays."""
        self._quiet("looking", message)

    def blind(self, message: Text) -> None:
        """The camera cannot see the board ("only two of four tags found: ..."). An alarm stays."""
        self._quiet("blind", message)

    def shows(self, observation: Observation) -> bool:
        """Whether nothing that was seen contradicts the record."""
        with self._changed:
            return self._referee.agrees(self._book.state, observation)

    def unwatch(self) -> None:
        """The camera has gone to another table: what it saw last is no evidence any more, and what it asked
        nobody needs to know."""
        with self._changed:
            self._view = self._read = self._held = self._lesson = None
            self._pins, self._can_teach = Pins(), False
            self._set_status(Status("in_step", self._last_words()))

    # --- logs --------------------------------------------------------------------------------------

    def as_log(self, player: str | None = None) -> log.GameLog:
        """The record as a log, with what `player` may know (None: what everybody may)."""
        with self._changed:
            entries = self.entries
            if player is not None:
                entries = seen_by(player, self._book.record.start, self._book.record.entries)
            first = self._book.record.start.view(player)
            start = first.to_json() if self._book.row.start is not None else None
            return log.GameLog(
                self._book.row.game, tuple(first.players), first.game.variant_json(), self._book.row.name,
                self._book.row.created, start, entries, result_of(self._book.state),
            )  # fmt: skip

    def export_log(self, player: str | None = None) -> str:
        """The record as the text of a log file (see `engine.log`)."""
        return log.write(self.as_log(player))

    def enter_all(self, entries: Sequence[Entry]) -> None:
        """Enters a record that was kept elsewhere. Raises the error of the first entry that cannot be."""
        with self._changed:
            self._book.enter(list(entries), follow=False)

    def put_away(self) -> None:
        """The game goes to the shelf, finished or not."""
        with self._changed:
            self._book.shelve(self._book.now())

    def take_out(self) -> None:
        """The game comes back from the shelf."""
        with self._changed:
            self._book.shelve(None)

    def rename(self, name: str) -> None:
        """Another name, in one line; without one it is called by its id again."""
        with self._changed:
            self._book.rename(one_line(name) or self.id)

    # --- how it is done ----------------------------------------------------------------------------

    def _still_open(self, waiting: Mapping[str, Any]) -> Status:
        """The alarm or the question with which the last process ended."""
        text = Text(waiting["message"]["en"], waiting["message"]["de"])
        if waiting["name"] == "out_of_step":
            return Status("out_of_step", text, places=tuple(waiting["places"]))
        try:
            answers = [Explanation.from_json(answer, self._book.record) for answer in waiting["answers"]]
        except HengeError:  # deals that nobody sees may have been entered since: the camera asks anew
            return self._status
        return Status("asking", text, answers=tuple(answers))

    def _judge(self, view: View, revised: bool = False) -> Decision | None:
        observation = self._pins.over(view.observation)
        self._view = replace(view, observation=observation)
        if self._held is not None and not revised:
            agrees = self._referee.agrees(self._book.state, observation)  # looks at the board alone
            if not agrees and self._referee.same_view(self._held, observation):
                return None
        self._held = None
        state, steps = self._book.known_to_all()
        decision = self._referee.see(state, observation, steps)
        try:
            self._act_on(decision)
        except IllegalActionError:
            if state is self._book.state:
                raise
            self._set_status(Status("looking", NOT_AS_TOLD))
        return decision

    def _act_on(self, decision: Decision) -> None:
        match decision.verdict:
            case "moved" if decision.explanation is not None:
                self._take(decision.explanation, by="camera")
            case "in_step":
                self._set_status(Status("in_step", self._last_words()))
            case "asking":
                self._set_status(Status("asking", decision.message, answers=decision.answers))
            case "out_of_step" if decision.alarm is not None:
                alarm = self._with_ways_out(decision.alarm)
                self._set_status(Status("out_of_step", alarm.seen, alarm=alarm, places=alarm.places))
            case "waiting":
                if self._status.name != "asking":  # a question stays until a view or a person answers it
                    self._set_status(Status("looking", decision.message))
            case _:
                self._set_status(Status("blind", decision.message))

    def _with_ways_out(self, alarm: Alarm) -> Alarm:
        """The alarm without the offer to go on from here where no game can."""
        assert self._view is not None
        try:
            self._as_it_lies(self._view)
        except StateError:
            return replace(alarm, repairs=tuple(each for each in alarm.repairs if each.kind != "allow"))
        return alarm

    def _take(self, explanation: Explanation, by: str) -> None:
        photo = self._keep_photo(self._view)
        confidence = round(explanation.probability, 4) if by == "camera" else None
        mark: dict[str, Any] = {
            "by": by,
            "photo": photo,
            "confidence": confidence,
            "at": self._view.at if self._view else None,
        }
        if explanation.back:
            text = "; ".join(map(str, explanation.actions))
            self._book.enter([Entry("correction", text, back=explanation.back, **mark)])
        else:
            pairs = zip(explanation.actions, explanation.who, strict=True)
            moves = [Entry("move", str(action), who=who, **mark) for action, who in pairs]
            self._book.enter([each for each in moves if each.who != CHANCE] if self.is_dealt else moves)
        # What is sure is entered at once; of the rest the next look may tell.
        observation = self._view.observation if self._view and by == "camera" else None
        agrees = observation is None or self._referee.agrees(self._book.state, observation)
        self._set_status(Status("in_step", self._last_words()) if agrees else Status("looking", MORE_TO_COME))

    def _await_table(self, message: Text) -> None:
        """After a statement on the page: agree if the table shows it already, else wait for the people to
        do it; what lies there now is no reason for an alarm."""
        self._held = self._view.observation if self._view else None
        agrees = self._view is None or self._referee.agrees(self._book.state, self._view.observation)
        if agrees:
            self._held = None
        self._set_status(Status("in_step", self._last_words()) if agrees else Status("looking", message))

    def _last_words(self) -> Text:
        moves = [step for step in self._book.record.steps if step.action is not None and not step.by_chance]
        action = action_seen(moves[-1], None) if moves else None
        if action is None:
            return self._book.state.view(None).prompt()
        return word(str(moves[-1].before.to_move)) + Text(f": {action}", f": {action.text('de')}")

    def _keep_photo(self, view: View | None) -> str | None:
        if view is None or view.jpeg is None or view.photo is not None:
            return view.photo if view else None
        return self._book.keep_photo(view.jpeg)

    def _quiet(self, name: Literal["looking", "blind"], message: Text) -> None:
        with self._changed:
            if self._status.name in ("asking", "out_of_step"):
                return
            self._set_status(Status(name, message))

    def _set_status(self, status: Status) -> None:
        if status == self._status:
            return
        names = {self._status.name, status.name}
        self._book.announce_status(status, keep=not names.isdisjoint(("out_of_step", "asking")))
        self._status = status
