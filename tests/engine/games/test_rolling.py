"""Rollende Steine: the rule book's sentences, random games, courses and coordinates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CHANCE, IllegalActionError, Piece, Position, StateError, load_game
from tests.engine.games.properties import check_random_game, random_game

COLOURS = ("red", "blue", "green", "white", "yellow")
HOUSE = {
    "course": "own", "neutral_pool": "none", "reset_banks": True, "bank_on_reroll": True,
    "bank_zones": "trilith_zone", "fallen_gate_scores": True, "sideways_exit": "repeat", "max_rerolls": 1,
}  # fmt: skip


def played(text, count=2, **variant):
    """The state after moves separated by semicolons."""
    game = load_game("rolling", **variant)
    state = game.start(COLOURS[:count])
    for move in filter(None, map(str.strip, text.split(";"))):
        state = state.apply(game.parse(move))
    return state


def refusal(state, text):
    with pytest.raises(IllegalActionError) as refused:
        state.apply(state.game.parse(text))
    assert refused.value.reason.de
    return str(refused.value)


def conserved(state):
    """Every wheel is left, or used; markers and repeats change neither."""
    data = state.to_json()
    left = sum(wheels["own"] + wheels["neutral"] for wheels in data["wheels"].values())
    return data["wheels_used"] + left


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("variant", [{}, HOUSE], ids=["plain", "house rules"])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games(count, variant, seed):
    game = load_game("rolling", **variant)
    end = check_random_game(game, COLOURS[:count], seed, conserved=conserved, thoroughness=0.05)
    gates = [marker for marker in end.to_json()["markers"] if marker]
    assert (end.returns()[0] == 1) == (len(gates) == 5)
    assert (end.returns()[0] == -1) == (conserved(end) == end.to_json()["wheels_used"] and len(gates) < 5)
    assert len(set(end.returns())) == 1


@settings(max_examples=20, deadline=None)
@given(count=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_discs_and_banks_are_conserved(count, seed):
    """Own wheels are unrolled, out, or on a capstone; no player ever has more than ten of anything."""
    for state, _ in random_game(load_game("rolling"), COLOURS[:count], seed):
        data = state.to_json()
        on_gates = [piece.colour for piece in state.visible() if piece.on == "trilith"]
        for player, wheels in data["wheels"].items():
            assert wheels["own"] + wheels["out"] + on_gates.count(player) == 10
            banks = [bank for bank in data["banks"] if bank["name"].startswith(player)]
            assert len(banks) == wheels["banks_placed"] <= 10


def naive_tally(players, moves):
    """Who scored which gate and how many wheels are used, told from the moves alone: pencil and paper."""
    spare = dict.fromkeys(players, 0)  # own wheels lying out of the game
    gates, used, wheel = {}, 0, None
    for mover, text in moves:
        if text.startswith("set up "):
            who, wheel = mover, text.split()[2]
        elif text.startswith(("no gate", "sideways", "through")):
            used += 1
            spare[who] += wheel == who
            passed = text.split()[1].split("+") if text.startswith("through") else []
            for gate in passed:
                if gate not in gates:
                    gates[gate] = (who, spare[who] > 0)
                    spare[who] -= spare[who] > 0
    return gates, used, spare


@settings(max_examples=15, deadline=None)
@given(count=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_pencil_and_paper_agree(count, seed):
    moves = []
    for state, action in random_game(load_game("rolling"), COLOURS[:count], seed):
        data = state.to_json()
        gates, used, spare = naive_tally(state.players, moves)
        marked = {
            str(gate): (marker["player"], marker["kind"] == "disc")
            for gate, marker in enumerate(data["markers"], start=1)
            if marker
        }
        assert (marked, data["wheels_used"]) == (gates, used)
        assert {player: wheels["out"] for player, wheels in data["wheels"].items()} == spare
        moves.append((state.to_move, str(action)))


def test_neutral_wheels_are_divided_equally_and_the_rest_stays_out():
    for count, each in ((1, 40), (2, 15), (3, 6), (4, 2), (5, 0)):
        state = load_game("rolling").start(COLOURS[:count])
        assert {wheels["neutral"] for wheels in state.to_json()["wheels"].values()} == {each}


def test_own_wheels_are_rolled_before_neutral_ones():
    state = played("")
    assert "own wheels are rolled first" in refusal(state, "set up green")
    assert "own wheels are rolled first" in refusal(state, "set up blue")
    for _ in range(10):
        state = state.apply(state.game.parse("set up red")).apply(state.game.parse("no gate"))
        state = state.apply(state.game.parse("set up blue")).apply(state.game.parse("no gate"))
    assert state.to_move == "red"
    refusal(state, "set up red")
    assert "set up green" in map(str, state.legal_actions())


def test_a_weak_roll_is_repeated_with_the_wheel_only():
    state = played("set up red; too weak")
    assert state.to_move == "red" and [str(a) for a in state.legal_actions()] == ["set up red"]
    assert "now the wheel is set up" in refusal(state, "bank")
    assert state.to_json()["wheels_used"] == 0
    assert "bank" in map(str, played("set up red; too weak", bank_on_reroll=True).legal_actions())
    assert played("set up red; too weak", max_rerolls=0).to_json()["wheels_used"] == 1


def test_leaving_the_run_up_zone_without_a_gate_costs_the_wheel():
    state = played("set up red; no gate")
    assert state.to_move == "blue" and state.to_json()["wheels"]["red"] == {
        "own": 9, "out": 1, "neutral": 15, "banks_placed": 0}  # fmt: skip
    assert played("set up red; sideways off the board").to_move == "blue"
    assert played("set up red; sideways off the board", sideways_exit="repeat").to_move == "red"


def test_the_rolled_wheel_marks_its_gate():
    state = played("set up red; through 3")
    assert [(p.colour, p.field) for p in state.visible() if p.on == "trilith"] == [("red", "trilith-3")]
    assert state.scores()["red"].total == 1 and state.scores()["blue"].total == 0


def test_further_gates_are_marked_with_wheels_that_were_out():
    state = played("set up red; no gate; set up blue; no gate; set up red; through 2+4")
    assert [p.field for p in state.visible() if p.on == "trilith"] == ["trilith-2", "trilith-4"]
    assert state.to_json()["wheels"]["red"] == {"own": 8, "out": 0, "neutral": 15, "banks_placed": 0}


def test_without_a_wheel_that_is_out_a_further_gate_is_only_noted():
    state = played("set up red; through 2+4")
    assert [p.field for p in state.visible() if p.on == "trilith"] == ["trilith-2"]
    assert state.scores()["red"].total == 2
    supplied = played("set up red; through 2+4", marker_from_supply=True)
    assert supplied.to_json()["wheels"]["red"]["own"] == 8
    assert sum(p.on == "trilith" for p in supplied.visible()) == 2


def test_a_neutral_wheel_is_marked_with_an_own_one():
    moves = ["set up red; no gate"] * 10
    state = played("; ".join([*moves, "set up blue; through 5"]), count=1)
    assert [p.colour for p in state.visible() if p.on == "trilith"] == ["red"]
    assert state.to_json()["wheels"]["red"] == {"own": 0, "out": 9, "neutral": 39, "banks_placed": 0}


def test_a_gate_is_scored_once():
    state = played("set up red; through 1; set up blue; through 1")
    assert state.to_json()["wheels"]["blue"]["out"] == 1
    state = played("set up red; through 1; set up blue; through 1+2")
    assert state.scores()["blue"].total == 1 and state.scores()["red"].total == 1


def test_the_fifth_gate_wins_for_everybody_even_with_the_last_wheel():
    state = played("set up red; through 1+2+3+4; set up blue; through 5")
    assert state.is_over and state.returns() == (1.0, 1.0)
    solo = {"count": 1, "neutral_pool": "none"}
    last = played("; ".join([*["set up red; no gate"] * 9, "set up red"]), **solo)
    assert last.apply(last.game.parse("through 1+2+3+4+5")).returns() == (1.0,)
    assert last.apply(last.game.parse("through 1+2+3+4")).returns() == (-1.0,)


def test_a_gate_that_falls_over_under_the_wheel_counts_by_house_rule_only():
    for moves, gates in (
        ("through 2, toppling 4, pushing red-1", (1, 2)),
        ("through 2, toppling 2", (0, 1)),  # it fell before the wheel had left it
        ("through 1+2, toppling 2+4", (1, 3)),
        ("no gate, toppling 4", (0, 1)),
    ):
        start = "bank; set up red; too weak; set up red; "
        plain, kind = played(start + moves), played(start + moves, fallen_gate_scores=True)
        assert (plain.scores()["red"].total, kind.scores()["red"].total) == gates
        assert plain.to_json()["wheels_used"] == kind.to_json()["wheels_used"] == 1
        assert len([piece for piece in plain.visible() if piece.kind == "trilith"]) == 5, "put up again"
    assert "ascending" in refusal(played("set up red"), "no gate, toppling 4+2")
    german = played("").game.parse("durch 2+4, wirft 5 um, verschiebt rot-1")
    assert str(german) == "through 2+4, toppling 5, pushing red-1" and german.gates == (2, 4)


def test_players_without_wheels_are_skipped():
    lines = ["set up red; no gate; set up blue; no gate"] * 9
    state = played("; ".join([*lines, "set up red; no gate"]), neutral_pool="none")
    assert state.to_move == "blue"
    assert state.apply(state.game.parse("set up blue")).apply(state.game.parse("no gate")).is_over


def test_one_bank_is_placed_or_two_are_moved():
    state = played("bank")
    assert "now the wheel is set up" in refusal(state, "bank")
    start = "bank; set up red; no gate; bank; set up blue; no gate"
    state = played(start + "; move red-1")
    assert "either a new bank" in refusal(state, "bank")
    assert "was moved already" in refusal(state, "move red-1")
    assert "no bank on the board" in refusal(state, "move red-2")
    assert [str(a) for a in state.legal_actions()] == ["move blue-1", "set up red"]
    state = played(start + "; move red-1; move blue-1")
    assert [str(a) for a in state.legal_actions()] == ["set up red"]


def test_a_bank_may_be_told_with_its_place():
    state = played("bank at 120,340 turned 45; set up red at 250,480")
    bank = next(piece for piece in state.visible() if piece.kind == "block")
    assert (bank.x_mm, bank.y_mm, bank.angle_deg, bank.colour) == (120, 340, 45, "red")
    assert state.to_move == CHANCE
    pushed = state.apply(state.game.parse("no gate, pushing red-1"))
    assert pushed.to_json()["banks"][0]["told"] is False
    assert "no bank on the board" in refusal(state, "no gate, pushing blue-1")
    kept = played("bank at 120,340; set up red; no gate, pushing red-1", reset_banks=True)
    assert kept.to_json()["banks"][0]["told"] is True
    assert str(state.game.parse("Bande bei 0,340 gedreht 0")) == "bank at 0,340 turned 0"


def test_banks_and_wheels_stay_where_they_belong():
    state = played("")
    assert "off the board" in refusal(state, "bank at 501,30")
    assert "would close gate 3" in refusal(state, "bank at 250,360")
    assert "kick-off zone" in refusal(state, "set up red at 250,200")
    assert "trilith zone" in refusal(played("", bank_zones="trilith_zone"), "bank at 250,450")


def test_a_course_of_the_rule_book_is_put_up_gate_by_gate():
    state = played("gate 1 at 100,200 turned 90; gate 2 at 180,200", course="pyramid")
    assert "gate 3 is put up next" in refusal(state, "gate 5")
    assert "trilith zone" in refusal(state, "gate 3 at 250,470")
    state = played("gate 1 at 100,200 turned 90; gate 2; gate 3; gate 4; gate 5; set up red; through 1",
                   course="pyramid")  # fmt: skip
    first = state.visible().pieces[:2]
    assert [(p.kind, p.x_mm, p.y_mm, p.angle_deg, p.on) for p in first] == [
        ("trilith", 100, 200, 90, None), ("disc", 100, 200, 90, "trilith")]  # fmt: skip
    assert "pyramid" in state.insights()["course"]["en"]


def test_gates_are_named_ascending_and_once():
    state = played("set up red")
    for wrong in ("through 4+2", "through 2+2", "through 6", "through 0"):
        assert "ascending" in refusal(state, wrong)


def test_a_game_goes_on_from_what_lies_on_the_board():
    state = played("gate 1 at 100,200; gate 2 at 180,220; gate 3 at 260,200; gate 4 at 340,220;"
                   "gate 5 at 420,200; bank at 90,300; set up red; through 2", course="own")  # fmt: skip
    again = state.game.from_position(state.visible(), state.players, "blue", wheels_used={"red": 1})
    assert again.visible().same_as(state.visible()) and again.to_move == "blue"
    assert again.to_json()["wheels"] == state.to_json()["wheels"]
    assert state.game.score_position(state.visible())["red"].total == 1


def test_the_wheels_that_mark_gates_have_been_used():
    marked = played("set up red; through 2; set up blue; no gate; set up red; through 3").visible()
    with pytest.raises(StateError, match="2 wheels of red mark gates"):
        load_game("rolling").from_position(marked, ("red", "blue"), wheels_used={"red": 1})
    generous = load_game("rolling", marker_from_supply=True)
    state = generous.from_position(marked, ("red", "blue"), wheels_used={"red": 1})
    assert state.to_json()["wheels"]["red"] == {"own": 8, "out": 0, "neutral": 15, "banks_placed": 0}
    assert state.game.from_json(state.to_json()) == state
    data = load_game("rolling").from_position(marked, ("red", "blue")).to_json()
    data["wheels"]["red"]["own"] = 9
    with pytest.raises(StateError, match="10 own wheels"):
        load_game("rolling").from_json(data)


def test_who_has_no_wheel_left_is_skipped_where_a_game_goes_on():
    everybody = ("red", "blue", "green", "white", "yellow")
    game = load_game("rolling")
    course = game.start(everybody).visible()
    for to_move in ("red", None):
        state = game.from_position(course, everybody, to_move, wheels_used={"red": 10, "blue": 10})
        assert state.to_move == "green"
        assert "set up green" in map(str, state.legal_actions())


def test_impossible_positions_are_refused():
    game = load_game("rolling")
    triliths = tuple(Piece("trilith", "grey", field=f"trilith-{n}") for n in range(1, 6))
    with pytest.raises(StateError, match="found 4 triliths"):
        game.from_position(Position("anthology", triliths[:4]), ("red",))
    with pytest.raises(StateError, match="players are red"):
        marked = (*triliths, Piece("disc", "blue", field="trilith-1", on="trilith"))
        game.from_position(Position("anthology", marked), ("red",))
    with pytest.raises(StateError, match="triliths, discs and blocks"):
        game.score_position(Position("anthology", (Piece("druid", "black", field="space-A"),)))
    with pytest.raises(StateError, match="lacks 'gates'"):
        data = game.start(("red",)).to_json()
        del data["gates"]
        game.from_json(data)
