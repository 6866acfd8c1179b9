"""A table: what people and camera do, what is announced, what is kept."""

from __future__ import annotations

import re
import threading

import pytest

from engine import IllegalActionError, Piece, Position, StateError, Thing
from table import Hall, NoSuchTable, TableError
from table.book import result_of
from tests.table.seeing import after, reading, with_piece

STONES = ("place 4 on space-A", "place 3 on space-B", "place 6 on space-K")
BLACK_2 = Thing("druid", "black", 2)
BLACK_5 = Thing("druid", "black", 5)


@pytest.fixture
def table(hall):
    return hall.create("stonehenge", ("black", "brown"), name="Friday")


# --- the camera ----------------------------------------------------------------------------------


def test_a_move_that_is_seen_is_recorded_with_photo_and_confidence(table):
    table.see(reading(after(table.state, STONES[0])), b"a jpeg")
    (entry,) = table.entries
    assert (entry.text, entry.who, entry.by) == (STONES[0], "black", "camera")
    assert entry.confidence > 0.9 and table.photo(entry.photo) == b"a jpeg"
    assert table.status.name == "in_step" and "place 4 on space-A" in str(table.status.message)


def test_nothing_new_is_nothing_recorded(table):
    for _ in range(3):
        table.see(reading(table.state))
    assert table.entries == () and table.status.name == "in_step"


def test_three_turns_between_two_views_are_worked_out_in_order(table):
    table.see(reading(after(table.state, *STONES)))
    assert [entry.who for entry in table.entries] == ["black", "brown", "black"]
    assert {entry.text for entry in table.entries} == set(STONES)


def test_a_field_that_cannot_be_seen_is_no_reason_for_anything(table):
    table.see(reading(after(table.state, STONES[0])))
    table.see(reading(Position("knizia"), unseen=("space-A",)))
    assert table.status.name == "in_step" and len(table.entries) == 1


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        ({"kind": "druid", "colour": "black", "value": 2, "field": "space-K"}, "black is not to move"),
        ({"kind": "megalith", "colour": "brown", "field": "line-3"}, "line 3"),
        ({"kind": "druid", "colour": "brown", "value": None, "field": "space-K"}, "number up|no stone"),
    ],
)
def test_an_illegal_table_is_told_with_its_rule_and_nothing_is_recorded(table, piece, reason):
    table.see(reading(after(table.state, STONES[0])))
    table.see(reading(with_piece(table.state, **piece)))
    assert table.status.name == "out_of_step"
    alarm = table.status.alarm
    assert piece["field"] in alarm.places and piece["field"] in str(alarm.seen)
    assert [repair.kind for repair in alarm.repairs] == ["put_back", "misread"]  # no game stands like that
    assert re.search(reason, str(alarm.reason)), alarm.reason
    assert len(table.entries) == 1


def test_a_moved_and_a_missing_piece_are_told(table):
    for number in (1, 2, 3):
        table.see(reading(after(load(), *STONES[:number])))
    others = table.state.visible().pieces[1:]
    table.see(reading(Position("knizia", (*others, Piece("druid", "black", field="space-R", value=4)))))
    assert table.status.name == "out_of_step" and "space-A to space-R" in str(table.status.alarm.reason)
    table.see(reading(Position("knizia", others)))
    assert table.status.name == "out_of_step" and table.status.places == ("space-A",)


def test_a_stone_that_its_player_puts_elsewhere_at_once_is_a_visible_correction(table):
    table.see(reading(after(table.state, STONES[0])))
    for _ in range(2):
        table.see(reading(Position("knizia", (Piece("druid", "black", field="space-R", value=4),))))
    assert [entry.kind for entry in table.entries] == ["move", "correction"]


def test_putting_it_back_ends_the_alarm(table):
    first = after(table.state, STONES[0])
    table.see(reading(first))
    table.see(reading(with_piece(first, kind="druid", colour="black", value=2, field="space-K")))
    assert table.status.name == "out_of_step"
    table.see(reading(first))
    assert table.status.name == "in_step"


def test_a_digit_that_could_be_two_is_asked_and_the_answer_is_entered(table):
    six_or_five = {Thing("druid", "black", 6): 0.5, Thing("druid", "black", 5): 0.5}
    for _ in range(4):
        table.see(reading(table.state, space_C=six_or_five))
    assert table.status.name == "asking"
    texts = [str(answer.actions[0]) for answer in table.status.answers]
    assert {"place 6 on space-C", "place 5 on space-C"} <= set(texts)
    table.answer(texts.index("place 5 on space-C"))
    assert table.entries[-1].text == "place 5 on space-C" and table.entries[-1].by == "person"
    assert table.status.name == "in_step"
    with pytest.raises(TableError):
        table.answer(0)


def test_an_answer_means_what_was_read_although_the_camera_looked_on(table):
    def look(six: float) -> list[str]:
        doubt = {Thing("druid", "black", 6): six, Thing("druid", "black", 5): 1 - six}
        for _ in range(4):
            table.see(reading(table.state, space_C=doubt))
        return [each.text().en for each in table.status.answers]

    read, then = look(0.55), look(0.25)
    assert then == read[::-1], "they changed places"
    table.answer(0, words=read[0])
    assert table.entries[-1].text == read[0] == "place 6 on space-C"


def test_an_answer_to_a_question_that_is_not_asked_any_more_is_refused(table):
    for place in ("space_C", "space_E"):
        colour = table.state.to_move
        doubt = {Thing("druid", colour, 6): 0.5, Thing("druid", colour, 5): 0.5}
        for _ in range(4):
            table.see(reading(table.state, **{place: doubt}))
        assert table.status.name == "asking"
        words = table.status.answers[0].text().en
        if place == "space_C":
            table.answer(0, words=words)
            read = words
    with pytest.raises(TableError, match="not the question any more"):
        table.answer(0, words=read)
    assert len(table.entries) == 1


def test_what_was_entered_too_early_is_corrected_visibly(table):
    """One view shows a stone that is not there; the next ones show the real move."""
    table.see(reading(table.state, space_C={Thing("druid", "black", 6): 0.985, None: 0.015}))
    assert table.entries[-1].text == "place 6 on space-C"
    for _ in range(3):
        table.see(reading(after(load(), "place 2 on space-D")))
    assert [piece.field for piece in table.state.visible()] == ["space-D"]
    assert table.entries[-1].kind == "correction" and table.entries[-1].back == 1


def load():
    from engine import load_game

    return load_game("stonehenge").start(("black", "brown"))


# --- people -----------------------------------------------------------------------------------------


def test_people_state_moves_and_the_table_waits_until_it_sees_them(table):
    table.see(reading(table.state))
    table.play("setze 4 auf Feld-A")
    assert table.entries[-1].text == "place 4 on space-A" and table.status.name == "looking"
    table.see(reading(load()))
    assert table.status.name == "looking", "people are still about to do it"
    table.see(reading(table.state))
    assert table.status.name == "in_step" and len(table.entries) == 1


def test_illegal_statements_are_refused_with_the_reason(table):
    table.play(STONES[0])
    with pytest.raises(IllegalActionError, match="space A is taken"):
        table.play("place 1 on space-A")
    assert len(table.entries) == 1


def test_a_move_taken_back_is_not_recorded_again_from_the_same_view(table):
    seen = reading(after(table.state, STONES[0]))
    table.see(seen)
    table.undo()
    table.see(seen)
    assert [entry.kind for entry in table.entries] == ["move", "undo"]
    table.see(reading(load()))
    table.see(reading(after(load(), "place 1 on space-A")))
    assert table.entries[-1].text == "place 1 on space-A"


def test_undo_and_redo(table):
    for text in STONES:
        table.play(text)
    now = table.state
    table.undo()
    assert table.can_redo and table.state == table.state_at(2)
    table.redo()
    assert table.state == now and not table.can_redo
    with pytest.raises(StateError):
        table.redo()


def test_a_reading_put_right_holds_until_the_view_changes(table):
    wrong = reading(table.state, space_C={BLACK_2: 1.0})
    for _ in range(2):
        table.see(wrong)
    assert table.entries[-1].text == "place 2 on space-C"
    table.undo()
    table.correct("space-C", None)
    table.see(wrong)
    assert not table.state.visible().pieces and table.status.name == "in_step"
    table.see(reading(table.state))
    table.see(reading(after(table.state, "place 5 on space-C")))
    assert table.entries[-1].text == "place 5 on space-C"


def test_what_people_say_lies_there_needs_no_second_picture(table):
    misread = reading(table.state, space_C={BLACK_2: 0.93, BLACK_5: 0.07})
    for _ in range(2):
        table.see(misread)
    assert table.entries[-1].text == "place 2 on space-C"
    table.correct("space-C", BLACK_5)
    assert table.entries[-1].kind == "correction" and table.entries[-1].text == "place 5 on space-C"
    assert table.status.name == "in_step"


def test_a_piece_that_lies_elsewhere_than_it_was_read(table):
    wrong = reading(table.state, space_C={BLACK_2: 1.0})
    for _ in range(2):
        table.see(wrong)
    table.correct("space-D", BLACK_2, instead_of="space-C")
    assert table.status.name == "in_step"
    assert [piece.field for piece in table.state.visible().pieces] == ["space-D"]


def test_what_the_players_allow_goes_on_record(table):
    for number in (1, 2, 3):
        table.see(reading(after(load(), *STONES[:number])))
    others = table.state.visible().pieces[1:]
    moved = Position("knizia", (*others, Piece("druid", "black", field="space-R", value=4)))
    table.see(reading(moved))
    assert [way.kind for way in table.status.alarm.repairs] == ["put_back", "misread", "allow"]
    table.allow()
    assert table.entries[-1].kind == "allowed" and table.status.name == "in_step"
    assert table.state.visible().same_as(moved)
    table.see(reading(moved))
    assert table.status.name == "in_step"


def test_what_no_game_can_be_is_not_allowed(table):
    table.see(reading(after(table.state, STONES[0])))
    table.see(reading(with_piece(table.state, kind="druid", colour="black", value=2, field="space-K")))
    assert [way.kind for way in table.status.alarm.repairs] == ["put_back", "misread"]
    with pytest.raises(StateError, match="differ by one stone"):
        table.allow()
    assert len(table.entries) == 1


def test_a_game_can_begin_in_the_middle(table):
    going_on = after(load(), *STONES)
    table.take_over(reading(going_on), to_move="brown")
    assert table.state.visible().same_as(going_on.visible()) and table.state.to_move == "brown"
    table.see(reading(after(table.state, "place 1 on space-R")))
    assert table.entries[-1].text == "place 1 on space-R"


def test_without_a_picture_nothing_can_be_allowed_or_put_right(table):
    with pytest.raises(TableError, match="no picture"):
        table.allow()
    with pytest.raises(TableError, match="no picture"):
        table.correct("space-A", None)


def test_hands_are_told_in_private(hall):
    table = hall.create("build", ("red", "blue", "green"))
    assert table.state.to_move == "red", "the deals that nobody sees are entered by themselves"
    table.tell("red", ["7-night", "3-day", "12-night"])
    assert "7-night" not in table.export_log() and "7-night" not in table.export_log("blue")
    assert "7-night" not in str([entry.to_json() for entry in table.entries])
    assert "7-night" in table.export_log("red")
    with pytest.raises(IllegalActionError):
        table.tell("blue", ["7-night", "8-night", "9-night"])


# --- events -------------------------------------------------------------------------------------------


def test_events_come_in_order_and_wake_those_who_wait(table):
    last = table.last_event_id
    woken: list[object] = []
    waiter = threading.Thread(target=lambda: woken.extend(table.wait(last, 5)))
    waiter.start()
    table.play(STONES[0])
    waiter.join()
    assert woken and woken[0].kind == "entry" and woken[0].data["text"] == STONES[0]
    ids = [event.id for event in table.events_since(last)]
    assert ids == sorted(set(ids)) and ids[0] == last + 1
    assert table.wait(table.last_event_id, 0.01) == ()


def test_who_slept_too_long_is_told_to_load_everything(table):
    for _ in range(600):
        table.note("x")
    assert [event.kind for event in table.events_since(5)] == ["opened"]


def test_a_refused_entry_is_not_announced(table):
    last = table.last_event_id
    with pytest.raises(IllegalActionError):
        table.play("place 4 on space-A") or table.play("place 4 on space-A")
    kinds = [event.kind for event in table.events_since(last)]
    assert kinds.count("entry") == 1


# --- the hall -----------------------------------------------------------------------------------------


def test_a_table_comes_back_exactly(hall, table, reopen):
    for text in STONES:
        table.play(text)
    table.undo()
    before, entries, last = table.state, table.entries, table.last_event_id
    with reopen() as again:
        back = again.open(table.id)
        assert (back.state, back.entries, back.row.name) == (before, entries, "Friday")
        assert back.last_event_id > last, "ids of events never come twice"
        back.redo()
        assert len(back.entries) == 5


def test_a_game_whose_last_move_was_entered_just_before_a_kill_is_put_on_the_shelf(
    hall, table, reopen, monkeypatch
):
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hall._store, "set_closed", killed)
    with pytest.raises(KeyboardInterrupt):
        while True:
            table.play(str(table.state.legal_actions()[0]))
    with reopen() as again:
        assert again.open(table.id).state.is_over
        assert [row.result for row in again.shelf()] == [result_of(table.state)] and again.tables() == ()
        again.open(table.id).take_out()
        again._open.clear()  # as after one more restart: people wanted it on the table
        assert again.open(table.id).row.closed is None


def test_an_alarm_outlives_a_restart(table, reopen):
    table.see(reading(with_piece(table.state, kind="druid", colour="brown", value=2, field="space-K")))
    assert table.status.name == "out_of_step"
    with reopen() as again:
        assert again.open(table.id).status.name == "out_of_step"


def test_a_question_outlives_a_restart_and_can_be_answered(table, reopen):
    six_or_five = {Thing("druid", "black", 6): 0.5, Thing("druid", "black", 5): 0.5}
    view = reading(table.state, space_C=six_or_five)
    for _ in range(4):
        table.see(view)
    before = table.status
    assert before.name == "asking"
    with reopen() as again:
        back = again.open(table.id)
        assert back.status.message == before.message
        assert [str(a.text()) for a in back.status.answers] == [str(a.text()) for a in before.answers]
        back.see(view)
        assert back.status.name == "asking", "the same view answers nothing"
        back.answer(1)
        assert back.entries[-1].text == str(before.answers[1].actions[-1])
        assert back.status.name == "in_step"


def test_tables_stand_side_by_side_and_finished_ones_on_the_shelf(hall, table):
    other = hall.create("build", ("red", "blue", "green"))
    assert [row.id for row in hall.tables()] == [table.id, other.id]
    assert hall.open(table.id) is table
    table.put_away()
    assert [row.id for row in hall.shelf()] == [table.id]
    table.take_out()
    assert len(hall.tables()) == 2
    with pytest.raises(NoSuchTable):
        hall.open("nowhere")


def test_a_name_is_one_line_so_that_the_log_can_be_taken_along(hall, table):
    table.rename("Friday\nevening ")
    assert table.row.name == "Friday evening"
    assert hall.import_log(table.export_log()).row.name == "Friday evening"
    assert hall.create("stonehenge", ("black", "brown"), name="a\r\nb").row.name == "a b"
    table.rename(" ")
    assert table.row.name == table.id


def test_another_name_and_the_shelf_are_told_to_all_who_look(table):
    for change in (lambda: table.rename("Friday"), table.put_away, table.take_out):
        last = table.last_event_id
        change()
        assert [event.kind for event in table.events_since(last)] == ["opened"]


def test_a_log_goes_out_and_comes_in(hall, table):
    for text in STONES:
        table.play(text)
    table.undo()
    table.note("the lamp fell over")
    copy = hall.import_log(table.export_log())
    assert copy.id != table.id and copy.state == table.state
    assert [(e.kind, e.text, e.at) for e in copy.entries] == [(e.kind, e.text, e.at) for e in table.entries]


def test_a_log_with_a_mistake_is_not_imported(hall):
    header = "henge log 1\ngame: stonehenge\nplayers: black, brown\n"
    text = header + "\n1. place 4 on space-A\n2. place 1 on space-A\n"
    with pytest.raises(StateError, match="entry 2"):
        hall.import_log(text)
    assert hall.tables() == ()


@pytest.mark.parametrize(("game", "players"), [("build", ("red", "blue")), ("stonehenge", ("black", "pink"))])
def test_players_that_cannot_be_are_refused(hall, game, players):
    with pytest.raises(StateError):
        hall.create(game, players)
    assert isinstance(hall, Hall) and hall.tables() == ()


@pytest.mark.parametrize("dealt", [False, True])
def test_a_game_with_cards_goes_out_and_comes_in(hall, dealt):
    """A log of a dealt game names no card that is hidden, and reads back as the half-seen game it tells."""
    table = hall.create("build", ("red", "blue", "green"), {"half_seen": not dealt})
    assert table.state.to_move == "red" and (table.state == table.state.view(None)) is not dealt
    table.play(str(table.state.legal_actions()[-1]))
    copy = hall.import_log(table.export_log())
    assert copy.state == table.state.view(None) and copy.entries == table.entries


def test_a_finished_game_is_imported_to_the_shelf(hall, table):
    table.play(STONES[0])
    table.put_away()
    assert [row.id for row in hall.shelf()] == [table.id]
    while not table.state.is_over:
        table.play(str(table.state.legal_actions()[-1]))
    copy = hall.import_log(table.export_log())
    assert copy.id in [row.id for row in hall.shelf()]
