"""Turns of which nobody says that they are over, where people say so at times."""

from __future__ import annotations

import math

import pytest

from engine import load_game
from engine.board import load_board
from engine.observation import certain
from engine.record import Entry, Record
from engine.referee import Referee, unseen_event
from engine.referee.search import FORGOTTEN
from engine.referee.silence import Silence
from engine.referee.simulate import entries_of

PLACES = tuple(field for field in load_board("anthology").fields if field.startswith(("ring", "trilith")))


class Council:
    """What really happens (`truth`), the record of it and its referee."""

    def __init__(self) -> None:
        game = load_game("council", half_seen=True)
        self.truth = game.start(("white", "red"))
        self.record, self.referee = Record(self.truth), Referee()
        self.see()

    def do(self, *moves: str) -> None:
        """Moves at the table; nobody says anything."""
        for move in moves:
            self._draw()
            self.truth = self.truth.apply(self.truth.game.parse(move))
        self._draw()

    def say(self, move: str) -> None:
        self.do(move)
        self.record.add(Entry("move", move, who=self.record.state.to_move))

    def see(self):
        """The decision on a view of the table; what it enters is on record then."""
        view = certain(self.truth.visible(), PLACES, doubt=0.001)
        decision = self.referee.see(self.record.state, view, self.record.steps)
        for entry in entries_of(decision.explanation) if decision.verdict == "moved" else ():
            self.record.add(entry)
        return decision

    def _draw(self) -> None:
        while (event := unseen_event(self.truth)) is not None:
            self.truth = self.truth.apply(event)


def test_the_next_players_move_tells_that_a_turn_is_over():
    """Where people leave it unsaid, say it once, and leave it unsaid again: no alarm, and every turn is in
    the record."""
    council = Council()
    council.do("seat white-disc on ring-1 with 1-day", "end turn", "seat red-disc on ring-2 with 2-night")
    assert council.see().verdict == "moved"
    council.say("end turn")
    for field in (4, 6, 8, 10, 12):
        who, phase = ("red", "night") if council.truth.to_move == "red" else ("white", "day")
        council.do(f"seat {who}-disc on ring-{field} with {field}-{phase}")
        verdicts = [council.see().verdict for _ in range(3)]
        assert "moved" in verdicts and "out_of_step" not in verdicts, field
        council.do("end turn")
    said = [(entry.who, entry.text) for entry in council.record.entries if "draws" not in entry.text]
    assert said[3:7] == [
        ("red", "end turn"),
        ("white", "seat white-disc on ring-4 with 4-day"),
        ("white", "end turn"),
        ("red", "seat red-disc on ring-6 with 6-night"),
    ]
    assert council.record.state.visible().same_as(council.truth.visible())


def test_a_turn_is_not_over_before_somebody_goes_on_or_says_so():
    council = Council()
    council.do("seat white-disc on ring-1 with 1-day")
    for _ in range(4):
        council.see()
    assert council.record.state.to_move == "white"


def test_the_more_often_it_is_said_the_dearer_it_is_to_leave_it_unsaid():
    silence, council = Silence(), Council()
    assert silence.price == pytest.approx(FORGOTTEN)
    council.do("seat white-disc on ring-1 with 1-day")
    council.see()
    council.say("end turn")
    silence.heard(council.record.steps)
    assert silence.price == pytest.approx(FORGOTTEN + math.log(2))
    other = Council()
    start = other.record.state
    other.do("seat white-disc on ring-1 with 1-day", "end turn", "seat red-disc on ring-2 with 2-night")
    silence.entered(start, other.see().explanation)
    assert silence.price < FORGOTTEN / 2
