"""Knizia's Stonehenge: the rule book's sentences, random games, and a second opinion."""

from __future__ import annotations

import doctest
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.games.stonehenge.lines
import engine.games.stonehenge.scoring
from engine import IllegalActionError, Piece, Position, StateError, load_game
from engine.board import load_board
from engine.game import CHANCE
from engine.games.stonehenge import Series, SeriesGame
from engine.games.stonehenge.actions import Claim, EndTurn, Place, PlaceFaceDown, Reveal
from engine.games.stonehenge.lines import LINE_NAMES, LINES, SPACES, Outlook, Placed, last_placer
from tests.engine.games import naive_stonehenge as naive
from tests.engine.games.properties import check_random_game, random_action

PLAYERS = ("black", "brown")
VARIANTS = [
    {},
    {"claim_duty": True, "claim_before_place": False},
    {"face_down": True},
    {"face_down": True, "facedown_early": "never"},
    {"face_down": True, "facedown_early": "honour"},
]


def start(**variant):
    return load_game("stonehenge", **variant).start(PLAYERS)


def play(state, *moves):
    for move in moves:
        state = state.apply(state.game.parse(move))
    return state


def position(stones, megaliths=()):
    """ "A black 4" for each stone, "3 brown" for each megalith."""
    pieces = []
    for text in stones:
        space, colour, value = text.split()
        pieces.append(
            Piece("druid", colour, field=f"space-{space}", value=None if value == "?" else int(value))
        )
    for text in megaliths:
        line, colour = text.split()
        pieces.append(Piece("megalith", colour, field=f"line-{line}"))
    return Position("knizia", tuple(pieces), "stonehenge")


def taken_over(stones, megaliths=(), to_move=None, **variant):
    return load_game("stonehenge", **variant).from_position(position(stones, megaliths), PLAYERS, to_move)


def conserved(state):
    """Nine stones and eight megaliths each, whatever happens."""
    on_board = [sum(1 for s in state.stones if s.player == p) for p in (0, 1)]
    known = [sum(1 for s in state.stones if s.player == p and s.value) for p in (0, 1)]
    megaliths = [p for p in state.visible() if p.kind == "megalith"]
    return (
        [state.supply[p].bit_count() + known[p] for p in (0, 1)],
        len(state.free) + sum(on_board),
        len(megaliths) + sum(state.megaliths_left(p) for p in PLAYERS),
    ).__repr__()


def swap_hidden(state, player, rng):
    """The same game with two hidden stones of one player exchanged, or one for a stone of his supply."""
    if not state.game.face_down or state.is_over:
        return None
    data = state.to_json()
    hidden = [s for s in data["stones"] if s["face"] == "down" and s["colour"] != player and s["value"]]
    if not hidden:
        return None
    stone = rng.choice(hidden)
    partner = rng.choice([s for s in hidden if s["colour"] == stone["colour"]])
    supply = state.insights()["supply"][stone["colour"]]
    if partner is stone and supply and not state.game.half_seen:
        stone["value"] = rng.choice(supply)
    else:
        stone["value"], partner["value"] = partner["value"], stone["value"]
    return state.game.from_json(data)


@pytest.mark.parametrize("half_seen", [False, True], ids=["open", "half-seen"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games(variant, half_seen, seed):
    game = load_game("stonehenge", half_seen=half_seen, **variant)
    hide = None if variant.get("facedown_early") == "honour" else swap_hidden
    check_random_game(game, PLAYERS, seed, conserved=conserved, swap_hidden=hide, thoroughness=0.1)


def test_examples_in_docstrings_hold():
    for module in (engine.games.stonehenge.lines, engine.games.stonehenge.scoring):
        assert doctest.testmod(module).failed == 0


# --- the board -----------------------------------------------------------------------------------


def test_lines_are_those_of_the_board():
    assert [sorted(line) for line in LINES] == [
        sorted(SPACES.index(f"space-{letter}") for letter in naive.LINES[number]) for number in range(1, 16)
    ]
    fields = load_board("knizia").fields
    assert all(name in fields for name in (*SPACES, *LINE_NAMES))
    assert all(sum(space in line for line in LINES) == 3 for space in range(18))


def test_lines_are_straight_on_the_board():
    fields = load_board("knizia").fields
    for line, name in zip(LINES, LINE_NAMES, strict=True):
        points = [fields[SPACES[space]].centre_mm for space in line] + [fields[name].centre_mm]
        (x0, y0), (x1, y1) = points[0], points[1]
        assert all(abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) < 60 for x, y in points), name


# --- the rule book's sentences -------------------------------------------------------------------


def test_the_example_of_the_rule_book():
    """Brown has 6 on a line, black 1, two spaces are empty, black has 3, 2, 1 left: 1 + 3 + 2 = 6 is not
    enough, brown may claim."""
    # Line 3 is F G H I: brown 6 on F, black 1 on G. Black's other stones lie off that line.
    black = ["G black 1", "A black 2", "C black 3", "J black 4", "K black 5", "O black 6"]
    brown = ["F brown 6", "B brown 1", "D brown 1", "E brown 2", "L brown 2"]
    state = taken_over([*black, *brown])
    assert state.to_move == "brown" and state.supply and state.why_not(Claim("line-3")) is None
    entry = state.insights()["lines"][2]
    assert entry["sums"] == {"black": 1, "brown": 6} and entry["can_reach"]["black"] == 6
    assert entry["status"] == "claimable" and len(entry["empty"]) == 2
    assert entry["why"] == {
        "en": "line 3 is brown's: 6 against at most 6",
        "de": "Linie 3 gehört Braun: 6 gegen höchstens 6",
    }


def test_one_point_more_for_the_opponent_and_the_line_stays_open():
    black = ["G black 1", "A black 2", "C black 2", "J black 4", "K black 5", "O black 6"]
    brown = ["F brown 6", "B brown 1", "D brown 1", "E brown 2", "L brown 2"]
    state = taken_over([*black, *brown])  # black has 3 and 3 left: 7
    assert state.why_not(Claim("line-3")).en == (
        "line 3 is not dominated: you have 6, black can still reach 7"
    )
    assert state.insights()["lines"][2]["status"] == "contested"


def test_equal_sums_are_lost_by_who_placed_last():
    state = play(start(), "place 3 on space-A", "place 3 on space-B")  # line 1 is full, 3 to 3
    assert state.to_move == "black" and state.why_not(Claim("line-1")) is None
    after = play(state, "claim line-1")
    assert after.scores()["black"].total == 1
    line = state.insights()["lines"][0]
    assert "brown placed last" in line["why"]["en"] and line["last_placed"] == "brown"


def test_a_player_may_not_claim_a_tie_that_he_completed():
    state = play(start(), "place 3 on space-A", "place 3 on space-B", "place 1 on space-R")
    assert state.to_move == "black"  # line 1 is still to be claimed
    state = play(state, "end turn")
    assert state.why_not(Claim("line-1")).en == (
        "line 1 is not dominated: it is full and tied at 3, and you placed last there"
    )


def test_higher_sum_wins_a_full_line_whoever_placed_last():
    state = play(start(), "place 3 on space-A", "place 4 on space-B")
    assert state.to_move == "brown" and state.why_not(Claim("line-1")) is None


def test_an_opportunity_in_the_opponents_turn_waits_for_the_own_turn():
    state = play(start(), "place 4 on space-A", "place 3 on space-B")
    assert state.to_move == "black"
    assert state.insights()["claimable"] == ["line-1"]
    state = play(state, "place 1 on space-R", "end turn")
    assert state.to_move == "brown" and state.insights()["overlooked"] == ["line-1"]
    assert state.why_not(Claim("line-1")).en == (
        "line 1 is not dominated: it is full, you have 3 and black has 4"
    )
    state = play(state, "place 1 on space-Q", "claim line-1")
    assert state.insights()["overlooked"] == [] and state.scores()["black"].total == 1


def test_a_six_beside_one_empty_space_dominates_at_once():
    state = play(start(), "place 6 on space-A")
    assert state.to_move == "black" and state.insights()["claimable"] == ["line-1"]
    assert play(state, "claim line-1").to_move == "brown"


def test_several_megaliths_in_one_turn():
    state = play(start(), "place 6 on space-A", "end turn", "place 6 on space-K", "place 5 on space-N")
    assert state.insights()["claimable"] == ["line-1", "line-10"]
    state = play(state, "claim line-10", "claim line-1")
    assert state.scores()["black"].total == 2 and state.to_move == "brown"


def test_the_eighth_megalith_ends_the_game_at_once():
    rng = random.Random(5)
    state = start()
    while state.to_move is not None:
        before, state = state, state.apply(random_action(state, rng))
    assert max(s.total for s in state.scores().values()) == 8 and sorted(state.returns()) == [-1.0, 1.0]
    assert before.megaliths_left(before.to_move) == 1
    assert state.why_not(EndTurn()).en == "the game is over"
    assert "Master Druid" in state.prompt().en


def test_lines_left_unclaimed_are_claimed_after_the_last_stone():
    state, rng = start(), random.Random(3)
    while state.free:  # nobody claims anything
        moves = [a for a in state.legal_actions() if not isinstance(a, Claim)]
        state = state.apply(rng.choice(moves))
    if EndTurn() in state.legal_actions():
        state = state.apply(EndTurn())
    assert all(isinstance(a, Claim) for a in state.legal_actions())
    assert "claim a line" in state.why_not(EndTurn()).en
    while state.to_move is not None:
        state = state.apply(random_action(state, rng))
    assert max(s.total for s in state.scores().values()) == 8


# --- reasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "refused", "reason"),
    [
        ([], "claim line-4", "line 4 is not dominated: you have 0, brown can still reach 21"),
        ([], "end turn", "you have to place a stone first"),
        ([], "place 7 on space-A", "no stone has the value 7"),
        ([], "claim line-16", "no line line-16: lines are 1 to 15"),
        ([], "place ?? on space-A", "stones are placed number up"),
        ([], "reveal 4 on space-A", "stones are revealed only when their line is full"),
        (["place 6 on space-L", "place 6 on space-K"], "place 6 on space-B",
         "you have no stone with 6 left; yours are 1, 1, 2, 2, 3, 3, 4, 5"),
        (["place 6 on space-L"], "place 1 on space-L", "space L is taken: a black stone lies there"),
        (["place 6 on space-A", "claim line-1", "place 1 on space-B"], "claim line-1",
         "line 1 is taken: a black megalith stands there"),
        (["place 6 on space-A"], "place 1 on space-Q",
         "you have placed a stone in this turn: only claims are left"),
    ],
)  # fmt: skip
def test_refusals_name_the_rule(moves, refused, reason):
    state = play(start(), *moves)
    assert state.why_not(state.game.parse(refused)).en == reason
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(state.game.parse(refused))
    assert str(refusal.value) == reason


def test_a_space_that_does_not_exist():
    assert start().why_not(Place(4, "space-Z")).de == "es gibt kein space-Z: Felder sind A bis R"


def test_house_rules():
    state = play(start(claim_before_place=False), "place 4 on space-A", "place 3 on space-B")
    assert state.why_not(Claim("line-1")).en == "place your stone first, then claim"
    assert play(state, "place 1 on space-R").why_not(Claim("line-1")) is None
    state = play(start(claim_duty=True), "place 4 on space-A", "place 3 on space-B", "place 1 on space-R")
    assert state.why_not(EndTurn()).en == "a dominated line has to be claimed: line 1 is yours"


# --- a second opinion ----------------------------------------------------------------------------


def random_board(rng, count):
    """Stones placed in turn, at random, as (letter, owner, value)."""
    supply = {p: rng.sample(naive.VALUES, 9) for p in PLAYERS}
    letters = rng.sample("ABCDEFGHIJKLMNOPQR", count)
    return [(letter, PLAYERS[i % 2], supply[PLAYERS[i % 2]].pop()) for i, letter in enumerate(letters)]


def as_placed(board, hidden=()):
    return tuple(
        Placed(SPACES.index(f"space-{letter}"), PLAYERS.index(owner), value, i not in hidden)
        for i, (letter, owner, value) in enumerate(board)
    )


def test_domination_agrees_with_trying_everything_out():
    """Played through the engine, so that the quick bookkeeping is what is compared: 2,000 positions."""
    rng = random.Random(1)
    for _ in range(120):
        state, board = start(), random_board(rng, 18)
        for count, (letter, owner, value) in enumerate(board, 1):
            while state.to_move != owner:
                state = state.apply(EndTurn())
            state = state.apply(Place(value, f"space-{letter}"))
            for line in range(15):
                expected = [
                    p for p, o in (PLAYERS, PLAYERS[::-1]) if naive.dominates(board[:count], line + 1, p, o)
                ]
                assert [PLAYERS[i] for i in state.owners(line)] == expected, (board[:count], line + 1)


@pytest.mark.parametrize("early", ["provable", "honour"])
def test_face_down_claims_agree_with_trying_all_values(early):
    rng = random.Random(2)
    decided = 0
    for _ in range(40):
        board = random_board(rng, rng.randint(6, 17))
        hidden = rng.sample(range(len(board)), 4)
        told = [(s, who, None if i in hidden else value) for i, (s, who, value) in enumerate(board)]
        worlds = list(naive.assignments(told, PLAYERS))
        stones = [
            Placed(SPACES.index(f"space-{s}"), PLAYERS.index(w), v or 0, v is not None) for s, w, v in told
        ]
        outlook = Outlook(stones)
        for line in range(15):
            quantifier = all if early == "provable" else any
            expected = tuple(
                i for i, (p, o) in enumerate((PLAYERS, PLAYERS[::-1]))
                if quantifier(naive.dominates(world, line + 1, p, o) for world in worlds)
            )  # fmt: skip
            assert outlook.owners(line, last_placer(stones, line, 0), early) == expected, (told, line + 1)
            decided += len(expected) == 1
    assert decided > 100


# --- properties of whole games -------------------------------------------------------------------


def final_owner(board, line):
    return next(p for p, o in (PLAYERS, PLAYERS[::-1]) if naive.dominates(board, line, p, o))


def test_properties_of_complete_games():
    """At most one owner per line, for ever; after 18 stones all 15 lines are decided and one side has
    eight or more; what the first player finally has he could claim in his ninth turn."""
    rng = random.Random(7)
    for _ in range(150):
        board = random_board(rng, 18)
        owners = dict.fromkeys(range(15), ())
        for count in range(1, 19):
            outlook = Outlook(as_placed(board[:count]))
            for line in range(15):
                now = outlook.owners(line, last_placer(as_placed(board[:count]), line, 0), "provable")
                assert len(now) <= 1 and owners[line] in ((), now)
                owners[line] = now
            if count == 17:
                after_17 = dict(owners)
        assert all(len(owner) == 1 for owner in owners.values())
        assert (
            sum(owner == (0,) for owner in owners.values()) >= 8
            or sum(owner == (1,) for owner in owners.values()) >= 8
        )
        assert all(after_17[line] == (0,) for line in range(15) if owners[line] == (0,))


def test_the_time_of_claiming_never_changes_the_winner():
    rng = random.Random(8)
    for _ in range(60):
        board = random_board(rng, 18)
        lines = [final_owner(board, line) for line in range(1, 16)]
        expected = max(PLAYERS, key=lines.count)
        for _ in range(3):
            assert winner_with_random_claims(board, rng) == expected


def winner_with_random_claims(board, rng):
    state, stones = start(), list(board)
    eagerness = rng.random()
    while state.to_move is not None:
        claims = [a for a in state.legal_actions() if isinstance(a, Claim)]
        if claims and (rng.random() < eagerness or not stones):
            state = state.apply(rng.choice(claims))
        elif EndTurn() in state.legal_actions():
            state = state.apply(EndTurn())
        else:
            letter, _, value = stones.pop(0)
            state = state.apply(Place(value, f"space-{letter}"))
    return PLAYERS[0 if state.returns()[0] > 0 else 1]


# --- face down -----------------------------------------------------------------------------------


def test_a_full_line_is_revealed_and_then_counts():
    state = play(start(face_down=True), "place 6 on space-A", "place 5 on space-B")
    assert state.to_move == CHANCE and "space A" in state.prompt().en
    assert state.chance_outcomes() == ((Reveal(6, "space-A"), 1.0),)
    assert (
        state.why_not(Claim("line-1")).en == "the stone on space A has to be revealed first: its line is full"
    )
    state = play(state, "reveal 6 on space-A", "reveal 5 on space-B")
    assert state.to_move == "black" and state.insights()["claimable"] == ["line-1"]
    assert {p.value for p in state.visible()} == {5, 6}


def test_hidden_stones_prove_nothing_until_they_are_revealed():
    """Black's 6 lies face down beside the only empty space of line 10: nobody but black knows."""
    moves = ("place 6 on space-N", "place 4 on space-L")
    assert "for certain only 1" in play(start(face_down=True), *moves).why_not(Claim("line-10")).en
    honest = play(start(face_down=True, facedown_early="honour"), "place 6 on space-N")
    assert honest.why_not(Claim("line-10")) is None  # true: 6 against at most 6
    never = play(start(face_down=True, facedown_early="never"), *moves)
    assert "only full lines" in never.why_not(Claim("line-10")).en


def test_at_the_table_a_stone_is_placed_unknown_and_told_by_its_reveal():
    state = play(start(face_down=True, half_seen=True), "place ?? on space-A", "place ?? on space-B")
    assert state.to_move == CHANCE
    assert dict(state.chance_outcomes())[Reveal(1, "space-A")] == pytest.approx(2 / 9)
    state = play(state, "reveal 6 on space-A", "reveal 6 on space-B")
    assert state.to_move == "black" and state.why_not(Claim("line-1")) is None  # brown placed last
    state = play(state, "place ?? on space-N")
    assert state.why_not(Reveal(6, "space-N")) is not None
    assert play(state, "end turn").why_not(Place(6, "space-R")).en.startswith("you have no stone with 6 left")


def test_revealed_values_that_cannot_be_are_refused():
    state = play(start(face_down=True, half_seen=True), "place ?? on space-A", "place ?? on space-B",
                 "reveal 6 on space-A", "reveal 5 on space-B", "place ?? on space-N", "end turn",
                 "place ?? on space-R")  # fmt: skip
    assert state.why_not(Reveal(6, "space-N")).en == (
        "the black stone on space N cannot be 6; it can be 1, 2, 3, 4, 5"
    )


def test_a_view_shows_the_own_face_down_stones_only():
    state = play(start(face_down=True), "place 6 on space-A", "place 5 on space-R")
    values = {p: [s["value"] for s in state.view(p).to_json()["stones"]] for p in (*PLAYERS, None)}
    assert values == {"black": [6, None], "brown": [None, 5], None: [None, None]}
    assert state.view("black").why_not(PlaceFaceDown("space-N")) is None


def test_a_false_word_is_taken_back_when_the_reveal_shows_it():
    state = start(face_down=True, facedown_early="honour", half_seen=True)
    state = play(state, "place ?? on space-N", "claim line-10", "place ?? on space-A", "end turn")
    state = play(state, "place ?? on space-B", "reveal 1 on space-A", "reveal 2 on space-B", "end turn")
    assert state.scores()["black"].total == 1  # the stone on N may still be the 6
    state = play(state, "place ?? on space-R", "reveal 1 on space-N")
    assert state.scores()["black"].total == 1  # 1 against 1, and brown placed last
    assert play(state, "reveal 1 on space-R").scores()["black"].total == 1
    assert play(state, "reveal 5 on space-R").scores()["black"].total == 0


@pytest.mark.parametrize("value", [1, 6])
def test_on_a_players_word_the_turn_tells_nothing_of_hidden_stones(value):
    """With the 6 black may claim line 10, with the 1 he may not: the record waits for his word both times."""
    state = play(start(face_down=True, facedown_early="honour", claim_duty=True), f"place {value} on space-N")
    assert state.to_move == "black" and state.prompt().en == "black may claim lines"
    assert (state.why_not(Claim("line-10")) is None) == (value == 6)
    assert ("line 10 is yours" in str(state.why_not(EndTurn()))) == (value == 6), "he has to, if it is his"
    table = state.view(None)
    assert table.why_not(Claim("line-10")) is None and table.why_not(EndTurn()) is None
    free = play(start(face_down=True, facedown_early="honour"), f"place {value} on space-N", "end turn")
    assert free.insights()["overlooked"] == [], "nobody can see that"


# --- positions taken over ------------------------------------------------------------------------


def test_a_tie_with_unknown_order_may_be_claimed_by_either_and_says_so():
    stones = ["A black 3", "B brown 3"]
    state = taken_over(stones)
    line = state.insights()["lines"][0]
    assert line["status"] == "unclear" and sorted(line["dominated_by"]) == ["black", "brown"]
    assert "nobody saw who placed last" in line["why"]["en"]
    assert state.why_not(Claim("line-1")) is None
    assert taken_over(stones, to_move="brown").why_not(Claim("line-1")) is None
    claimed = play(state, "claim line-1", "place 1 on space-R")
    assert "a black megalith stands there" in claimed.why_not(Claim("line-1")).en
    assert load_game("stonehenge").from_json(claimed.to_json()) == claimed


def test_a_tie_completed_later_has_a_known_order():
    state = play(taken_over(["A black 3", "R brown 6"]), "place 1 on space-N", "place 3 on space-B")
    assert [PLAYERS[i] for i in state.owners(0)] == ["black"]


def test_who_has_placed_more_stones_has_just_placed():
    stones = ["A black 6", "B brown 5", "R black 1"]
    assert taken_over(stones).to_move == "brown"
    claiming = taken_over(stones, to_move="black")
    assert claiming.to_move == "black" and {type(a) for a in claiming.legal_actions()} == {Claim, EndTurn}


def test_a_full_board_goes_on_with_claims():
    rng = random.Random(11)
    board = random_board(rng, 18)
    state = taken_over([f"{s} {p} {v}" for s, p, v in board])
    while state.to_move is not None:
        state = state.apply(random_action(state, rng))
    assert max(s.total for s in state.scores().values()) == 8


@pytest.mark.parametrize(
    ("stones", "megaliths", "message"),
    [
        (["A black 6", "B black 6", "C brown 1"], [], "black has the stones"),
        (["A black 6", "B black 5"], [], "differ by one stone"),
        (["A black 6", "A brown 5"], [], "two stones lie on space-A"),
        (["A black ?"], [], "shows no number"),
        ([], ["3 brown"], "brown does not dominate it"),
        (["A black 6", "B brown 5"], ["1 black", "1 brown"], "two megaliths stand on line-1"),
        (["A red 6"], [], "this game has black and brown"),
        (["A black 9"], [], "reads 9, expected 1 to 6"),
    ],
)
def test_impossible_positions_are_refused(stones, megaliths, message):
    with pytest.raises(StateError, match=message):
        taken_over(stones, megaliths)


def test_a_position_is_scored_by_its_megaliths():
    game = load_game("stonehenge")
    seen = position(["A black 6", "B brown 5"], ["1 black", "2 brown", "5 black"])
    scores = game.score_position(seen)
    assert {p: s.total for p, s in scores.items()} == {"black": 2, "brown": 1}
    assert scores["black"].parts[1].places == ("line-5",)
    assert game.score_position(seen, ("brown",)).keys() == {"brown"}
    with pytest.raises(StateError, match="found red disc on ring-1"):
        game.score_position(Position("knizia", (Piece("disc", "red", field="ring-1"),)))


@pytest.mark.parametrize("key", ["stones", "mover", "megaliths", "players", "unordered"])
def test_broken_states_are_refused(key):
    data = play(start(), "place 6 on space-A").to_json()
    del data[key]
    with pytest.raises(StateError):
        load_game("stonehenge").from_json(data)


# --- a series ------------------------------------------------------------------------------------


def test_a_series_adds_up_the_megaliths_left():
    series, rng = Series(PLAYERS), random.Random(4)
    expected = {"black": 0, "brown": 0}
    for _ in range(5):
        state = load_game("stonehenge").start(series.next_players())
        while state.to_move is not None:
            state = state.apply(random_action(state, rng))
        for player in PLAYERS:
            expected[player] += 8 - state.scores()[player].total
        series = series.with_game(state)
    assert series.totals() == expected and len(series.games) == 5
    assert series.masters() == (min(PLAYERS, key=expected.__getitem__),)
    assert Series.from_json(json.loads(json.dumps(series.to_json()))) == series


def test_a_tied_series_is_shared_and_the_start_alternates():
    series = Series(PLAYERS, (SeriesGame("black", 2), SeriesGame("brown", 2)))
    assert series.masters() == PLAYERS
    assert Series(PLAYERS, series.games[:1]).next_players() == ("brown", "black")
    with pytest.raises(StateError, match="finished games"):
        series.with_game(start())
    with pytest.raises(StateError, match="1 to 8 megaliths"):
        Series.from_json({"players": list(PLAYERS), "games": [{"winner": "black", "left": 9}]})
