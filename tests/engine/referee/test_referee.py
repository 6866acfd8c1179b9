"""The referee: what happened between two views, what cannot have happened, and how sure that is."""

from __future__ import annotations

import doctest
import math
import random
import re

import pytest

import engine.referee.evidence
from engine import Observation, Piece, Position, Thing, load_game
from engine.position import Change
from engine.record import Entry, Record
from engine.referee import Referee, decode
from engine.referee.alarm import explain
from engine.referee.evidence import FLOOR, Evidence
from engine.referee.looks import layout_of
from engine.referee.simulate import Evening, entries_of
from engine.referee.simulated_reader import play_out
from tests.engine.referee.tables import (
    SPACES,
    building,
    draw_unseen,
    followed,
    seen,
    stonehenge,
    texts,
)

# --- explanations ------------------------------------------------------------------------------------


def test_a_move_is_the_explanation_of_what_it_changes():
    before = stonehenge("place 4 on space-A")
    decision = decode(before, seen(before.apply(before.game.parse("place 3 on space-B")).visible()))
    assert decision.verdict == "moved" and texts(decision) == ["place 3 on space-B"]
    assert decision.explanation.who == ("brown",) and decision.explanation.probability > 0.9


def test_nothing_new_is_in_step_and_an_empty_reading_is_blind():
    state = stonehenge("place 4 on space-A")
    assert decode(state, seen(state.visible())).verdict == "in_step"
    assert decode(state, Observation("knizia", {}, Position("knizia"))).verdict == "blind"


@pytest.mark.parametrize("seed", range(6))
def test_up_to_three_turns_between_views_are_found(seed):
    """Random games; the referee sees only every third turn, with a reader that makes no mistakes."""
    rng, record, referee = random.Random(seed), Record(stonehenge()), Referee()
    for number, state in enumerate(play_out(stonehenge(), rng)):
        for _ in range(2 if state.is_over else number % 3 == 0):
            decision = referee.see(record.state, seen(state.visible()), record.steps)
            assert decision.verdict in ("moved", "in_step", "waiting"), decision.verdict
            for entry in entries_of(decision.explanation) if decision.explanation else ():
                record.add(entry)
            assert set(record.state.visible()) <= set(state.visible()), (
                "nothing is recorded that is not there"
            )
    assert record.state.is_over


def test_the_end_of_a_turn_that_nobody_sees_comes_in_between():
    mine = stonehenge("place 6 on space-A")
    assert mine.to_move == "black", "line 1 could be claimed"
    theirs = mine.apply(mine.game.parse("end turn")).apply(mine.game.parse("place 2 on space-Q"))
    assert texts(decode(mine, seen(theirs.visible()))) == ["end turn", "place 2 on space-Q"]


def test_the_end_of_a_turn_is_not_entered_before_what_follows_it_is_sure():
    """Until brown's stone can be read, black may still have claimed something."""
    mine = stonehenge("place 6 on space-A")
    view = seen(mine.visible())
    view.fields["space-Q"] = {Thing("druid", "brown", 2): 0.5, Thing("druid", "brown", 3): 0.5}  # type: ignore[index]
    assert decode(mine, view).verdict == "waiting"


def test_the_order_in_which_a_tied_line_was_filled_is_kept():
    """Who placed last on a tie loses the line: seen one by one, the record must know it."""
    record, referee = Record(stonehenge()), Referee()
    truth = stonehenge()
    for move in ("place 3 on space-A", "place 3 on space-B"):
        truth = truth.apply(truth.game.parse(move))
        for entry in entries_of(referee.see(record.state, seen(truth.visible()), record.steps).explanation):
            record.add(entry)
    line = record.state.insights()["lines"][0]
    assert line["dominated_by"] == ["black"], line


def test_fields_that_cannot_be_seen_say_nothing():
    state = stonehenge("place 4 on space-A")
    view = seen(Position("knizia"), unseen={"space-A": "behind a hand"})
    assert decode(state, view).verdict == "in_step"


def test_hidden_draws_are_entered_as_half_seen():
    """A druid on a field, then the block: draws and deals in between are ??."""
    state = building()
    record, referee = Record(state), Referee()
    for position in (
        (("figure", "red", "ring-7"),),
        (("figure", "red", "ring-7"), ("figure", "blue", "ring-8")),
        (("figure", "red", "ring-7"), ("figure", "blue", "ring-8"), ("figure", "green", "ring-9")),
        (("block", "red", "ring-7"), ("figure", "blue", "ring-8"), ("figure", "green", "ring-9")),
    ):
        pieces = tuple(Piece(kind, colour, field=place) for kind, colour, place in position)
        decision = referee.see(record.state, seen(Position("anthology", pieces)), record.steps)
        assert decision.verdict == "moved", decision
        for entry in entries_of(decision.explanation):
            record.add(entry)
    assert {(p.kind, p.field) for p in record.state.visible() if (p.field or "").startswith("ring")} == {
        ("block", "ring-7"), ("figure", "ring-8"), ("figure", "ring-9")}  # fmt: skip


def test_an_argument_won_and_spent_between_two_views_is_found():
    """The heap is as it was; only white's disc has given way to red's."""
    record, referee = Record(load_game("council", half_seen=True).start(("white", "red"))), Referee()
    draw_unseen(record)
    followed(record, referee, seen(record.state.visible()))
    for text in ("seat white-disc on ring-7 with 7-day", "end turn", "seat red-disc on ring-8 with 8-night"):
        record.add(Entry("move", text))
        draw_unseen(record)
    record.add(Entry("move", "end turn"))
    record.add(Entry("move", "end turn"))
    assert followed(record, referee, seen(record.state.visible())).verdict == "in_step"
    truth = record.state
    moves = ["discuss ?? for blue", "red draws ??", "persuade ring-7 from ring-8 with red-disc for 1 blue"]
    for text in moves:
        truth = truth.apply(truth.game.parse(text))
    decision = followed(record, referee, seen(truth.visible()))
    assert decision.verdict == "moved" and texts(decision) == moves


# --- alarms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        (Piece("druid", "black", field="space-K", value=2), "black is not to move"),
        (Piece("megalith", "brown", field="line-4"), "line 4 is not dominated"),
        (Piece("druid", "brown", field="space-K", value=None), "number up|no stone has the value"),
    ],
)
def test_what_is_illegal_is_told_with_the_engines_reason(piece, reason):
    state = stonehenge("place 4 on space-A")
    wrong = Position("knizia", (*state.visible().pieces, piece))
    decision = decode(state, seen(wrong))
    assert decision.verdict == "out_of_step" and piece.field in decision.alarm.places
    assert re.search(reason, str(decision.alarm.reason)), decision.alarm.reason
    assert decision.alarm.change.come == (piece,) and decision.alarm.change.gone == ()
    german = decision.alarm.to_json()["seen"]["de"]
    assert german.startswith("zu sehen")


def test_a_wrong_field_is_told_with_the_rule_of_its_colour():
    state = building()
    decision = decode(state, seen(Position("anthology", (Piece("block", "blue", field="ring-7"),))))
    assert decision.verdict == "out_of_step" and decision.alarm.places == ("ring-7",)


@pytest.mark.parametrize(
    ("field", "reason"),
    [("bluestone-2", "whose own field is built on"), ("trilith-2", "triliths need a trilith card")],
)
def test_a_druid_on_a_wrong_site_is_told_with_the_rule_for_its_card(field, reason):
    state = building()
    decision = decode(state, seen(Position("anthology", (Piece("figure", "red", field=field),))))
    assert decision.verdict == "out_of_step" and reason in decision.alarm.reason.en


@pytest.mark.parametrize(
    ("before", "piece", "reason"),
    [
        ("seat white-disc on ring-7 with 7-day", Piece("disc", "yellow", field="ring-8"), "one action"),
        ("end turn; seat red-disc on ring-7 with 7-night; ??; end turn",
         Piece("disc", "white", field="ring-7"), "ring-7 is taken by red disc"),
        ("end turn; seat red-disc on ring-7 with 7-night; ??; end turn",
         Piece("disc", "blue", field="ring-8"), "white does not place a blue disc"),
    ],
)  # fmt: skip
def test_an_illegal_seat_in_the_council_is_told_with_the_rule(before, piece, reason):
    record = Record(load_game("council", half_seen=True).start(("white", "red")))
    for move in before.split("; "):
        draw_unseen(record)
        if move != "??":
            record.add(Entry("move", move, who=record.state.to_move, by="person"))
    draw_unseen(record)
    gone = tuple(p for p in record.state.visible() if p.place == piece.place)
    action, told = explain(record.state, Change(gone, (piece,)))
    assert reason in told.en and str(action).startswith("seat"), (action, told.en)


def test_what_lies_on_a_capstone_is_told_so():
    trilith = Piece("trilith", "grey", field="trilith-2")
    disc = Piece("disc", "red", field="trilith-2", on="trilith")
    alarm = decode(building(), seen(Position("anthology", (trilith, disc)))).alarm
    assert "red disc on the capstone of trilith-2" in alarm.seen.en
    assert "rote Scheibe auf Deckstein von Trilith-2" in alarm.seen.de
    assert "take the red disc off the capstone of trilith-2" in alarm.repairs[0].text.en
    assert "nimm rote Scheibe von Deckstein von Trilith-2" in alarm.repairs[0].text.de


def test_a_missing_piece_is_told():
    decision = decode(stonehenge("place 4 on space-A"), seen(Position("knizia")))
    assert decision.verdict == "out_of_step"
    assert "put the black druid 4 on space-A" in str(decision.alarm.repairs[0].text)


def test_what_one_view_leaves_open_later_views_decide():
    """A stone is read doubtfully where none may lie, beside a move that explains it if something else was
    read wrongly: once that is seen to be wrong, what was read doubtfully before still counts."""
    state, referee = stonehenge("place 4 on space-A"), Referee()
    wrong = Position("knizia", (*state.visible().pieces, Piece("druid", "black", field="space-K", value=2)))
    view = seen(wrong, doubt=0.005)
    view.fields["space-Q"] = {None: 0.6, Thing("druid", "brown", 3): 0.4}  # type: ignore[index]
    assert referee.see(state, view).verdict == "waiting"
    assert {referee.see(state, seen(wrong, doubt=0.005)).verdict for _ in range(2)} == {"out_of_step"}


def test_two_things_misread_are_not_one_thing_done():
    """Each alone is too little for an alarm, and nobody does two illegal things at once."""
    state = stonehenge("place 4 on space-A")
    view = seen(state.visible())
    for line in ("line-6", "line-10"):
        view.fields[line] = {Thing("megalith", "black"): 0.99, None: 0.01}  # type: ignore[index]
    assert decode(state, view).verdict == "waiting"


def test_a_piece_moved_is_one_thing_done():
    state = stonehenge("place 4 on space-A")
    moved = Position("knizia", (Piece("druid", "black", field="space-K", value=4),))
    decision = decode(state, seen(moved, doubt=0.02))
    assert decision.verdict == "out_of_step" and set(decision.alarm.places) == {"space-A", "space-K"}


@pytest.mark.parametrize(
    ("count", "german"),
    [
        (1, "blauer Block darf nicht"),
        (3, "3 blaue Blöcke dürfen nicht"),
        (None, "mehrere blaue Blöcke dürfen nicht"),
    ],
)
def test_what_was_moved_is_told_in_whole_sentences(count, german):
    heap = Piece("block", "blue", field="trilith-2", count=count)
    _, reason = explain(building(), Change((heap,), (heap.at("trilith-5"),)))
    assert reason.de.startswith(german) and reason.de.endswith("von Trilith-2 nach Trilith-5")


def test_the_camera_looks_again_where_it_reads_something_that_cannot_be():
    state, referee = stonehenge("place 4 on space-A"), Referee()
    view = seen(state.visible())
    view.fields["space-K"] = {Thing("druid", "black", 2): 0.7, None: 0.3}  # type: ignore[index]
    assert [referee.see(state, view).verdict for _ in range(4)] == [
        "waiting",
        "waiting",
        "in_step",
        "waiting",
    ]


def test_an_alarm_is_told_in_time_where_there_are_many_moves(monkeypatch):
    """The legal moves of a turn in the council take long to list: they are asked for a few times, not once
    for each of them."""
    evening = Evening(load_game("council"), ("white", "red"), 1, error=0.0)
    evening.skip(60)
    state, listed = evening.record.state, []
    legal = type(state).legal_actions
    monkeypatch.setattr(type(state), "legal_actions", lambda self: listed.append(1) or legal(self))
    free = next(f"ring-{n}" for n in range(1, 31) if not state.visible().at(f"ring-{n}"))
    piece = Piece("disc", "green", field=free)
    action, reason = explain(state, Change((), (piece,)))
    assert action is not None and reason is not None and len(listed) <= 3


# --- evidence ------------------------------------------------------------------------------------------


def test_no_single_reading_counts_for_more_than_the_floor():
    evidence = Evidence(seen(Position("knizia")))
    assert evidence.log("space-A", (Thing("druid", "black", 4),)) == pytest.approx(math.log(FLOOR))


def test_a_reader_that_cannot_tell_the_facing_does_not_contradict_it():
    belief = {Thing("figure", "grey"): 1.0}
    evidence = Evidence(Observation("anthology", {"ring-7": belief}, Position("anthology")))
    assert evidence.log("ring-7", (Thing("figure", "grey", facing="clockwise"),)) == pytest.approx(0.0)
    assert evidence.log("ring-7", (Thing("figure", "red"),)) < -5


def test_the_total_is_the_sum_over_the_places():
    state = stonehenge("place 4 on space-A", "place 3 on space-B")
    evidence, layout = Evidence(seen(state.visible(), doubt=0.1)), layout_of(state.visible())
    assert evidence.total(layout) == pytest.approx(sum(evidence.log(p, layout.get(p, ())) for p in SPACES))
    assert evidence.total({}) < evidence.total(layout)


def test_examples_in_docstrings_hold():
    assert doctest.testmod(engine.referee.evidence).failed == 0
