"""Where a view leaves something open the referee waits, asks, and revises what it has entered."""

from __future__ import annotations

from dataclasses import replace

from engine import Observation, Piece, Position, Thing, load_game
from engine.observation import certain
from engine.position import Change
from engine.record import Entry, Record
from engine.referee import Referee
from engine.referee.beam import Beam
from engine.referee.decision import Explanation, told_apart
from engine.referee.evidence import SEEN_LATE, Evidence
from engine.referee.repetition import Repetition
from engine.referee.simulate import Evening, entries_of
from engine.referee.unfolding import Unfolding
from engine.words import Text
from tests.engine.referee.tables import (
    BALL,
    PITS_AND_RING,
    ball_on_6,
    ball_seen,
    draw_unseen,
    followed,
    gates_seen,
    seen,
    stonehenge,
    texts,
)


def test_ten_pictures_of_the_same_glare_are_one_piece_of_evidence():
    """What a single picture is not enough for, ten equal ones are not enough for either."""
    state, referee = stonehenge(), Referee()
    glare = seen(Position("knizia"))
    glare.fields["space-C"] = {None: 0.42, Thing("druid", "brown", 5): 0.58}  # type: ignore[index]
    assert [referee.see(state, glare).verdict for _ in range(10)].count("out_of_step") == 0


def yard_seen(*pieces: Piece) -> Observation:
    return replace(certain(Position("anthology"), ("ring-1",)), loose=pieces)


def test_more_in_a_yard_than_a_moment_ago_has_come_and_less_may_be_overlooked():
    pillar = Piece("pillar", "grey", field="yard-1", confidence=0.9)
    repetition = Repetition(0.25)
    assert repetition.richer(yard_seen(pillar)) == set()
    repetition.remember(yard_seen(pillar))
    more = yard_seen(pillar, pillar)
    assert repetition.richer(more) == {"yard-1"}
    assert (
        repetition.richer(yard_seen()) == repetition.richer(replace(more, unseen={"yard-1": "hand"})) == set()
    )
    one, two = (pillar.thing,), (pillar.thing, pillar.thing)
    now, ever = Evidence(more, richer=("yard-1",)), Evidence(more)
    assert now.log("yard-1", two, changed=True) == ever.log("yard-1", two, changed=True)
    assert now.log("yard-1", one) == ever.log("yard-1", one) + SEEN_LATE


def test_what_the_reader_would_hardly_rather_believe_is_looked_at_again():
    """A stone that nobody may place, read 0.56 to 0.44: too little for an alarm, too much to pass over."""
    state, referee = stonehenge(), Referee()
    view = seen(Position("knizia"))
    view.fields["space-C"] = {Thing("druid", "brown", 4): 0.56, None: 0.44}  # type: ignore[index]
    assert [referee.see(state, view).verdict for _ in range(3)] == ["waiting", "waiting", "in_step"]


def test_two_readings_alike_wait_for_the_next_view_and_then_ask():
    state, referee = stonehenge(), Referee()
    view = seen(Position("knizia"))
    view.fields["space-C"] = {Thing("druid", "black", 6): 0.5, Thing("druid", "black", 5): 0.5}  # type: ignore[index]
    verdicts = [referee.see(state, view).verdict for _ in range(3)]
    assert verdicts == ["waiting", "waiting", "asking"]


def test_a_stone_that_may_be_there_or_not_is_asked_about_and_the_answer_holds():
    """Read 0.50 to 0.47 in every view: nothing is recorded without asking, however often it is seen."""
    state, referee = stonehenge(), Referee()
    view = seen(Position("knizia"))
    view.fields["space-C"] = {Thing("druid", "black", 5): 0.5, None: 0.47, Thing("druid", "black", 6): 0.03}  # type: ignore[index]
    decisions = [referee.see(state, view) for _ in range(12)]
    assert [decision.verdict for decision in decisions] == ["waiting"] * 2 + ["asking"] * 10
    answers = [str(answer.text()) for answer in decisions[-1].answers]
    assert answers == ["nothing happened", "place 5 on space-C"]
    referee.nothing_happened()
    assert [referee.see(state, view).verdict for _ in range(3)] == ["in_step"] * 3


def test_answers_come_in_the_order_of_their_shares_twins_included(monkeypatch):
    """A move counts together with those that look the same; the likeliest stands first."""
    decide = Referee._decide

    def with_a_twin(referee, candidates, *rest):
        candidates[1].twins.append(replace(candidates[1], twins=[]))
        return decide(referee, candidates, *rest)

    monkeypatch.setattr(Referee, "_decide", with_a_twin)
    state, referee = stonehenge(), Referee()
    view = seen(Position("knizia"))
    view.fields["space-C"] = {Thing("druid", "black", 6): 0.52, Thing("druid", "black", 5): 0.48}  # type: ignore[index]
    answers = [referee.see(state, view) for _ in range(3)][-1].answers
    shares = [answer.probability for answer in answers]
    assert len(shares) >= 2 and shares == sorted(shares, reverse=True)
    assert str(answers[0].text()) == "place 5 on space-C"


def test_the_alarm_lasts_as_long_as_what_is_wrong_lies_there():
    state, referee = stonehenge("place 4 on space-A"), Referee()
    referee.see(state, seen(state.visible()))
    wrong = Position("knizia", (*state.visible().pieces, Piece("druid", "black", field="space-Q", value=5)))
    assert {referee.see(state, seen(wrong)).verdict for _ in range(40)} == {"out_of_step"}
    assert referee.see(state, seen(state.visible())).verdict == "in_step"


def test_an_unclear_digit_is_asked_about_for_as_long_as_nobody_says_what_it_is():
    state, referee = stonehenge(), Referee()
    for number in range(60):
        view = seen(Position("knizia"))
        share = (0.5, 0.47) if number % 3 else (0.47, 0.5)
        six_or_five = dict(zip((Thing("druid", "black", 6), Thing("druid", "black", 5)), share, strict=True))
        view.fields["space-C"] = {**six_or_five, None: 0.03}  # type: ignore[index]
        assert referee.see(state, view).verdict == ("waiting" if number < 2 else "asking")


def test_an_early_choice_is_revised_when_later_views_say_so():
    record, referee = Record(stonehenge()), Referee()
    first = seen(Position("knizia"))
    first.fields["space-C"] = {Thing("druid", "black", 6): 0.985, None: 0.015}  # type: ignore[index]
    real = stonehenge("place 2 on space-D")
    for view in (first, seen(real.visible()), seen(real.visible()), seen(real.visible())):
        decision = referee.see(record.state, view, record.steps)
        for entry in entries_of(decision.explanation) if decision.verdict == "moved" else ():
            record.add(entry)
    assert record.state.visible().same_as(real.visible())
    assert [entry.kind for entry in record.entries] == ["move", "correction"]


def test_what_people_state_is_not_doubted():
    record, referee = Record(stonehenge()), Referee()
    referee.see(record.state, seen(record.state.visible()), record.steps)
    record.add(Entry("move", "place 4 on space-A"))
    assert referee.see(record.state, seen(record.state.visible()), record.steps).verdict == "in_step"


def test_what_people_add_does_not_make_an_early_choice_final():
    """A stone is misread; people enter the answer to it; then the first stone shows to be another one."""
    record, referee = Record(stonehenge()), Referee()
    first = seen(Position("knizia"))
    first.fields["space-C"] = {Thing("druid", "black", 6): 0.93, Thing("druid", "black", 5): 0.07}  # type: ignore[index]
    for entry in entries_of(referee.see(record.state, first, record.steps).explanation):
        record.add(entry)
    record.add(Entry("move", "place 3 on space-D"))
    real = stonehenge("place 5 on space-C", "place 3 on space-D")
    for _ in range(3):
        decision = referee.see(record.state, seen(real.visible()), record.steps)
        for entry in entries_of(decision.explanation) if decision.verdict == "moved" else ():
            record.add(entry)
    assert record.state.visible().same_as(real.visible())
    assert [entry.kind for entry in record.entries] == ["move", "move", "correction"]


def test_a_wheel_that_is_set_up_again_is_seen_although_it_looks_as_before():
    """People say that the wheel was too weak; the same wheel stands there in the next view."""
    game = load_game("rolling", half_seen=True)
    record, referee = Record(game.start(("white", "blue"))), Referee()
    places = tuple(f"trilith-{gate}" for gate in range(1, 6))
    up = game.start(("white", "blue")).apply(game.parse("set up white")).visible()
    view = Observation("anthology", certain(up, places).fields, up, loose=tuple(p for p in up if not p.place))
    for told in ("too weak", ""):
        decision = referee.see(record.state, view, record.steps)
        assert texts(decision) == ["set up white"], decision
        for entry in entries_of(decision.explanation):
            record.add(entry)
        if told:
            record.add(Entry("move", told, who="chance"))
    assert record.state.to_move == "chance"


def test_what_people_say_is_not_added_to_what_the_camera_has_seen_of_it():
    """The camera believes that the ball rolled from 6 to 7, and waits; people say that it did."""
    start = ball_on_6()
    record, referee = Record(start), Referee()
    moved = start.apply(start.game.parse("move ??-white")).visible()
    fields = {**certain(moved, PITS_AND_RING, doubt=0.001).fields, "ring-6": {None: 0.6, BALL.thing: 0.4}}
    fields["ring-7"] = {BALL.thing: 0.5, None: 0.5}
    view = Observation("anthology", fields, moved)
    assert referee.see(record.state, view, record.steps).verdict == "waiting"
    record.add(Entry("move", "move ??-white"))
    decision = referee.see(record.state, view, record.steps)
    assert decision.verdict == "in_step" and decision.scores["null"] < 0.1


def test_which_card_moved_the_ball_is_left_open():
    """People say that white passes; then the ball rolls from 6 to 7, for blue."""
    record, referee = Record(ball_on_6()), Referee()
    for told, verdict in (("pass", "in_step"), ("", "moved")):
        state = record.state
        state = state if told else state.apply(state.game.parse("move ??-white"))
        sure = certain(state.visible(), PITS_AND_RING, doubt=0.001)
        decision = referee.see(
            record.state, Observation("anthology", sure.fields, state.visible()), record.steps
        )
        assert decision.verdict == verdict, decision.scores
        if told:
            record.add(Entry("move", told))
    assert texts(decision) == ["move ??-white"] and decision.explanation.who == ("blue",)


def test_turning_back_is_not_struck_out_as_taken_back_without_asking():
    """White turns the ball round and round again: whether he took the first card back, no camera sees."""
    start = ball_on_6()
    record, referee = Record(start), Referee()
    turned = start.apply(start.game.parse("flip trilith-??"))
    assert followed(record, referee, ball_seen(turned)).verdict == "moved"
    decisions = [followed(record, referee, ball_seen(start)) for _ in range(3)]
    assert [each.verdict for each in decisions] == ["waiting", "waiting", "asking"]
    assert {(str(each.text()), each.back) for each in decisions[-1].answers} == {
        ("what was entered last did not happen", 1),
        ("flip trilith-??", 0),
    }


def test_what_leaves_no_trace_is_not_asked_about():
    """Blue has built and may draw: whether he has done so already makes no difference to what is seen."""
    evening = Evening(load_game("build"), ("red", "blue", "green"), 5, error=0.01)
    assert evening.play(longest=25).questions == 0
    assert "asking" not in [evening.look().verdict for _ in range(5)]


def test_what_was_overlooked_before_people_spoke_comes_before_it():
    """Nobody has seen white's disc come when he says that his turn is over; then red sits down."""
    record, referee = Record(load_game("council", half_seen=True).start(("white", "red"))), Referee()
    draw_unseen(record)
    truth = record.state
    assert followed(record, referee, seen(truth.visible())).verdict == "in_step"
    record.add(Entry("move", "end turn", who="white", by="person"))
    moves = ["seat white-disc on ring-7 with 7-day", "white draws ??", "end turn"]
    moves += ["seat red-disc on ring-9 with 9-night", "red draws ??"]
    for text in moves:
        truth = truth.apply(truth.game.parse(text))
    decision = followed(record, referee, seen(truth.visible()))
    assert decision.verdict == "moved" and decision.explanation.back == 1
    assert [str(step.action) for step in record.steps[-5:]] == moves


def test_what_is_in_doubt_again_is_what_was_recorded_and_no_more():
    """The card that white draws after his discussion was recorded as a step of its own."""
    record = Record(load_game("council", half_seen=True).start(("white", "red")))
    draw_unseen(record)
    record.add(Entry("move", "discuss ?? for blue", who="white"))
    discussed = len(record.steps)
    draw_unseen(record)
    beam = Beam(Unfolding())
    beam.follow(record.steps[discussed].before, record.steps[:discussed])
    way = beam.reach_back(discussed - 1, record.steps)
    assert [str(action) for action in way.actions] == ["discuss ?? for blue"]
    assert beam.path == way.actions and beam.steps == discussed


def test_views_come_in_the_order_of_what_they_show():
    """A wheel is set up, is gone, and is set up again, before it rolls through a gate: that it was gone in
    between is not explained by the moment before it was set up, also when something is wrong in the end."""
    game = load_game("rolling", half_seen=True)
    state, record, referee = game.start(("white", "blue")), Record(game.start(("white", "blue"))), Referee()
    moves = ("set up white", "too weak", "set up white", "through 1")
    for move in moves:
        state = state.apply(game.parse(move))
        followed(record, referee, gates_seen(state.visible()))
    followed(record, referee, gates_seen(state.visible()))
    foreign = Piece("disc", "red", field="trilith-5")
    wrong = gates_seen(Position("anthology", (*state.visible().pieces, foreign)))
    assert [followed(record, referee, wrong).verdict for _ in range(3)] == ["out_of_step"] * 3
    recorded = [str(step.action) for step in record.steps]
    assert recorded == list(moves[: len(recorded)]) and len(recorded) >= 3


def an_explanation(*actions: str, who: tuple[str, ...], back: int = 0) -> Explanation:
    state = stonehenge()
    parsed = tuple(state.game.parse(action) for action in actions)
    return Explanation(parsed, who, state, Change(), 0.0, back=back)


def test_answers_that_would_read_alike_tell_who_did_what():
    first = an_explanation("place 5 on space-A", "place 4 on space-B", who=("chance", "black"))
    second = an_explanation("place 6 on space-C", "place 4 on space-B", who=("chance", "black"))
    third = an_explanation("place 3 on space-D", who=("brown",))
    assert first.text() == second.text()
    told = [answer.text() for answer in told_apart([first, second, third])]
    assert told[0] == Text(
        "chance: place 5 on space-A; black: place 4 on space-B",
        "Zufall: setze 5 auf Feld-A; Schwarz: setze 4 auf Feld-B",
    )
    assert len(set(map(str, told))) == 3
    assert str(told[2]) == "place 3 on space-D"  # alone it is told as always


def test_what_is_only_taken_back_does_not_read_as_if_nothing_had_happened():
    nothing, taken_back = an_explanation(who=()), an_explanation(who=(), back=1)
    assert str(nothing.text()) == "nothing happened"
    assert str(taken_back.text()) == "what was entered last did not happen"
