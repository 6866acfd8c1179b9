"""Game logs and records: what is written reads back, what is wrong is named, nothing is ever edited."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.record
from engine import IllegalActionError, StateError, load_game
from engine.log import GameLog, check, load, read, replay, write
from engine.record import Entry, Record

OPENING = ("place 4 on space-A", "place 3 on space-B", "place 6 on space-K")


def a_log(*texts: str, **header: object) -> GameLog:
    entries = tuple(Entry("move", text) for text in texts)
    return GameLog("stonehenge", ("black", "brown"), entries=entries, **header)  # type: ignore[arg-type]


def test_examples_in_docstrings_hold():
    assert doctest.testmod(engine.record).failed == 0


# --- reading and writing ---------------------------------------------------------------------------

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp", "Zs")), min_size=1, max_size=12
)
names = st.lists(words, max_size=3).map(" ".join)
keys = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
header_keys = keys.filter(
    lambda key: key not in ("game", "players", "variant", "name", "date", "start", "result")
)
note_keys = keys.filter(lambda key: key not in ("by", "confidence", "photo", "at", "cards"))
annotations = st.fixed_dictionaries(
    {
        "by": st.sampled_from(["person", "camera", "rules"]),
        "at": st.none() | st.datetimes().map(lambda moment: moment.isoformat()),
        "photo": st.none() | names.filter(bool),
        "confidence": st.none() | st.floats(0, 1),
        "extra": st.dictionaries(note_keys, names, max_size=2),
    }
)
cards = st.lists(st.sampled_from(["7-day", "12-night", "trilith-red"]), min_size=1, max_size=3)
entries = st.one_of(
    st.builds(
        lambda more, text, who: Entry("move", text, who=who, **more),
        annotations, st.sampled_from(OPENING), st.sampled_from([None, "black"]),
    ),
    st.builds(lambda more, kind: Entry(kind, **more), annotations, st.sampled_from(["undo", "redo"])),
    st.builds(
        lambda more, back, texts: Entry("correction", "; ".join(texts), back=back, **more),
        annotations, st.integers(0, 9), st.lists(st.sampled_from(OPENING), max_size=2),
    ),
    st.builds(lambda more, text: Entry("note", text, **more), annotations, st.text(max_size=20)),
    st.builds(
        lambda more, held: Entry("hand", "??", who="red", data={"cards": held}, **more),
        annotations, cards,
    ),
    st.builds(
        lambda more, value: Entry("allowed", data={"state": {"game": "stonehenge", "x": value}}, **more),
        annotations, st.text(max_size=9) | st.integers(),
    ),
)  # fmt: skip
logs = st.builds(
    GameLog,
    game=st.sampled_from(["stonehenge", "build"]),
    players=st.just(("black", "brown")),
    variant=st.dictionaries(keys, st.booleans() | st.integers() | names, max_size=3),
    name=names,
    date=st.just("") | st.datetimes().map(lambda moment: moment.isoformat()),
    start=st.none() | st.just({"game": "stonehenge", "stones": [1, "ä"]}),
    entries=st.lists(entries, max_size=5).map(tuple),
    result=st.just("") | st.just("black 8, brown 6"),
    extra=st.dictionaries(header_keys, names, max_size=3),
)


@settings(max_examples=40, deadline=None)
@given(logs)
def test_what_is_written_reads_back(log):
    reading = read(write(log))
    assert reading.problems == ()
    numbered = tuple(replace(entry, number=n) for n, entry in enumerate(log.entries, 1))
    assert reading.log == replace(log, entries=numbered)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_the_reader_never_stumbles(text):
    read(text)


@given(
    st.lists(st.sampled_from(["game: build", "1. undo {", "2. allowed: {", "{a=b}", "9. note: x", "hand :"]))
)
def test_the_reader_never_stumbles_over_half_lines(lines):
    read("\n".join(lines))


def test_a_log_is_what_a_person_would_write():
    log = a_log(*OPENING, name="Friday", extra={"place": "the kitchen"})
    assert write(log) == (
        "henge log 1\ngame: stonehenge\nplayers: black, brown\nname: Friday\nplace: the kitchen\n\n"
        "1. place 4 on space-A\n2. place 3 on space-B\n3. place 6 on space-K\n"
    )


@pytest.mark.parametrize(
    "log",
    [
        a_log(name="two\nlines"),
        a_log(extra={"place": "the\nkitchen"}),
        a_log("place 4 on space-A {by=ghost}"),
        a_log(extra={"game": "chess"}),
    ],
)
def test_the_writer_refuses_what_would_not_read_back(log):
    with pytest.raises(StateError, match="cannot be written"):
        write(log)


def test_the_reader_goes_on_after_what_it_cannot_use():
    moves = "1. place 4 on space-A\nwhat?\n7. place 3 on space-B {oops\n8. undo\n"
    text = "game: stonehenge\nplayers: black, brown\n" + moves
    reading = read(text)
    assert [entry.kind for entry in reading.log.entries] == ["move", "move", "undo"]
    assert [problem.line for problem in reading.problems] == [4, 5, 6]
    assert "what?" in str(reading.problems[0])


def test_files_that_are_no_logs_are_refused(tmp_path):
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff\xe0")
    (tmp_path / "letter").write_text("Dear Sir or Madam")
    for name in ("picture", "letter"):
        with pytest.raises(StateError, match="is not a game log"):
            load(tmp_path / name)


# --- replaying ---------------------------------------------------------------------------------------


def test_replay_has_a_state_for_every_entry():
    record = replay(a_log(*OPENING))
    assert [len(record.state_at(n).visible().pieces) for n in range(4)] == [0, 1, 2, 3]


def test_check_names_the_first_illegal_move_and_why():
    record, problem = check(a_log("place 4 on space-A", "place 3 on space-A", "place 1 on space-B"))
    assert problem.entry == 2 and "space A is taken" in str(problem)
    assert len(record.entries) == 1


def test_check_names_text_that_is_no_move_and_a_player_who_is_not_to_move():
    _, problem = check(a_log("dance on space-A"))
    assert problem.entry == 1 and "no move of this game" in str(problem)
    log = a_log()
    log = replace(log, entries=(Entry("move", "place 4 on space-A", who="brown"),))
    assert "not brown's move" in str(check(log)[1])


def test_a_bad_header_is_a_problem_and_no_crash():
    record, problem = check(GameLog("chess", ("white",)))
    assert record is None and "there is no game 'chess'" in str(problem)


def test_undo_takes_back_and_redo_does_again():
    record = replay(a_log(*OPENING))
    before = record.state
    record.add(Entry("undo"))
    assert record.state == record.state_at(2)
    record.add(Entry("redo"))
    assert record.state == before
    assert len(record.entries) == 5, "nothing is taken out of a record"


def test_undo_takes_the_deals_after_a_move_with_it():
    state = load_game("build", half_seen=True).start(("red", "blue", "green"))
    record = Record(state)
    while record.state.to_move == "chance":
        record.add(Entry("move", str(record.state.legal_actions()[0])))
    with pytest.raises(StateError, match="no move to take back"):
        record.add(Entry("undo"))


def test_a_card_once_shown_stays_known_after_an_undo():
    state = load_game("build", half_seen=True).start(("red", "blue", "green"))
    record = Record(state)
    while record.state.to_move == "chance":
        record.add(Entry("move", str(record.state.legal_actions()[0])))
    before = record.state
    record.add(Entry("move", "play 7-night on ring-1"))
    record.add(Entry("undo"))
    assert record.state != before, "everybody has seen who holds the card"
    assert record.state.visible().same_as(before.visible())
    assert record.state.why_not(record.state.game.parse("play 7-night on ring-13")) is None


def test_a_new_move_ends_the_chance_to_redo():
    record = replay(a_log(*OPENING[:1]))
    record.add(Entry("undo"))
    record.add(Entry("move", "place 1 on space-A"))
    with pytest.raises(StateError, match="no move to do again"):
        record.add(Entry("redo"))


def test_a_correction_replaces_the_last_steps():
    record = replay(a_log(*OPENING[:2]))
    record.add(Entry("correction", "place 4 on space-C; place 3 on space-D", back=2))
    assert {piece.field for piece in record.state.visible()} == {"space-C", "space-D"}
    assert len(record.entries) == 3


def test_a_refused_entry_changes_nothing():
    record = replay(a_log(*OPENING[:2]))
    before, steps = record.state, record.steps
    with pytest.raises(IllegalActionError):
        record.add(Entry("correction", "place 4 on space-C; place 4 on space-C", back=2))
    assert record.state is before and record.steps == steps and len(record.entries) == 2


def test_an_agreed_state_goes_on_from_there():
    other = replay(a_log(*OPENING)).state
    record = Record(load_game("stonehenge").start(("black", "brown")))
    record.add(Entry("allowed", data={"state": other.to_json()}))
    assert record.state == other
    record.add(Entry("undo"))
    assert not record.state.visible().pieces


def test_a_told_hand_is_not_for_everybody():
    entry = Entry("hand", "??", who="red", data={"cards": ["7-day"]})
    assert "7-day" not in str(entry.public().to_json())
    assert Entry.from_json(entry.to_json()) == entry
