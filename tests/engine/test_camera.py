"""What a camera sees of each kind of move, in words, and which moves look alike to it: game by game.

(The moves of Build Stonehenge! stand in games/test_build_hidden.py.)
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import State, load_game
from tests.engine.games.council_tables import FOUR, TWO, seated
from tests.engine.games.ramming_tables import arranged, turn_up
from tests.engine.games.test_roulette import THREE_RED
from tests.engine.games.test_roulette import table as wheel

NOTHING = "nothing changes on the board"


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.apply(state.game.parse(move))
    return state


def council(**more: Any) -> State:
    ring = {7: "yellow-figure", 6: "red-disc", 8: "white-disc"}
    hand = {"white": ("1-day", "7-day", "30-day")}
    return seated(TWO, ring, arguments={"white": {"white": 4}}, hands=hand, **more)


def used_up() -> State:
    """Both colours of Pro are placed, and field 1 is free."""
    own = [*("white-disc",) * 10, *("yellow-disc",) * 10]
    numbers = [n for n in range(2, 31) if n not in (15, 22)][:20]
    ring = dict(zip(numbers, own, strict=True)) | {25: "red-disc", 28: "blue-disc"}
    return seated(TWO, ring, hands={"white": ("1-day", "2-day", "3-day")})


def racing() -> State:
    hands = {"red": ["5-day", "7-day", "8-day", "1-day"]}
    return arranged(("red", "blue", "white"), {"red": 20, "blue": 10}, hands=hands)


def rolled(*moves: str) -> State:
    return played(load_game("rolling").start(("red", "blue")), *moves)


def stones(*moves: str, **variant: Any) -> State:
    return played(load_game("stonehenge", **variant).start(("black", "brown")), *moves)


SEEN: list[tuple[State, str, str]] = [
    (stones(), "place 6 on space-A", "black druid 6 comes to space-A"),
    (stones("place 6 on space-A"), "claim line-1", "black megalith comes to line-1"),
    (stones("place 6 on space-A"), "end turn", NOTHING),
    (stones(face_down=True), "place 6 on space-A", "black druid face down comes to space-A"),
    (council(), "seat white-disc on ring-1 with 1-day", "white disc comes to ring-1"),
    (council(), "seat white-figure on ring-1 with 1-day", "white figure comes to ring-1"),
    (council(), "ponder", NOTHING),
    (council(), "discuss 1-day for white",
     "6 white blocks leave trilith-1; 5 white blocks come to trilith-1"),
    (council(), "seat white-disc on ring-1 with 1-day paying 3 white",
     "6 white blocks leave trilith-1; white disc comes to ring-1; 9 white blocks come to trilith-1"),
    (council(), "persuade ring-6 from ring-7 with white-disc for 1 white",
     ("red disc leaves ring-6; 6 white blocks leave trilith-1; "
     "white disc comes to ring-6; 7 white blocks come to trilith-1")),
    (seated(FOUR, {}), "confer {card}", NOTHING),
    (seated(TWO, {7: "yellow-disc"}, hands={"white": ("7-day", "8-day", "9-day")}),
     "replace disc on ring-7 by white-figure with 7-day",
     "yellow disc leaves ring-7; white figure comes to ring-7"),
    (used_up(), "seat disc on ring-1 with 1-day", NOTHING),
    (played(used_up(), "seat disc on ring-1 with 1-day"), "lift disc from ring-2",
     "white disc leaves ring-2; white disc comes to ring-1"),
    (rolled(), "bank", "red block comes to the board"),
    (rolled(), "set up red", "red disc comes to the board"),
    (rolled("set up red"), "too weak", "red disc leaves the board"),
    (rolled("set up red"), "through 2",
     "red disc leaves the board; red disc comes to the capstone of trilith-2"),
    (racing(), "play 5-day: trilith on ring-5+ring-6",
     ("grey trilith leaves ring-20+ring-21; red figure leaves the capstone of ring-20+ring-21; "
     "grey trilith comes to ring-5+ring-6; red figure comes to the capstone of ring-5+ring-6")),
    (wheel(THREE_RED), "flip trilith-white",
     "grey figure clockwise leaves ring-1; grey figure anticlockwise comes to ring-1"),
    (wheel(THREE_RED), "pass", NOTHING),
    (played(wheel(THREE_RED, pits={"pit-5-day": ["green"]}), "move and fall 5-day"), "turn up 4-day",
     "green disc leaves pit-5-day"),
]  # fmt: skip

ALIKE: list[tuple[State, list[str]]] = [
    # Pure colour or with black cards, and one card for another: only the discard tells.
    (council(), ["discuss 1-day for white", "discuss 7-day for white", "discuss 30-day for white"]),
    # The same field for three arguments, with either white card.
    (council(), ["seat white-disc on ring-1 with 1-day paying 3 white",
                 "seat white-disc on ring-1 with 7-day paying 3 white"]),
    (council(), ["ponder", "end turn"]),
    (rolled("set up red"), ["too weak", "sideways off the board", "no gate"]),
    # The same two fields with the card of either.
    (racing(), ["play 7-day: trilith on ring-7+ring-8", "play 8-day: trilith on ring-7+ring-8"]),
    (wheel(THREE_RED), ["move 5-day", "move 23-day", "move 11-night", "move and fall 5-day"]),
    (stones(face_down=True), [f"place {value} on space-A" for value in range(1, 7)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "move", "seen"), SEEN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_is_seen_of_a_move(state, move, seen):
    if "{card}" in move:
        move = move.format(card=state.to_json()["cards"]["pro"]["hands"]["white"][0])
    change = state.visible_change(state.game.parse(move))
    assert change.text().en == seen
    assert change.text().de != seen and "the board" not in change.text().de


@pytest.mark.parametrize(
    ("state", "moves"), ALIKE, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_moves_that_look_alike(state, moves):
    group = next(group for group in state.look_alikes() if str(group[0]) == moves[0])
    assert sorted(map(str, group)) == sorted(moves)


def test_a_partial_movement_looks_like_another_landing_place():
    """The trilith that moved one field on and the one set down there: the discarded card tells."""
    landed = played(racing(), "play 5-day: trilith on ring-5+ring-6", "race clockwise")
    stopped = turn_up(turn_up(landed, "blue"), "red")  # ring-7 has a blue block, ring-8 a green one
    assert stopped.visible().same_as(played(racing(), "play 7-day: trilith on ring-6+ring-7").visible())


def test_a_bounce_is_seen_as_two_triliths_that_moved():
    state = played(racing(), "play 5-day: trilith on ring-5+ring-6", "race clockwise")
    for colour in ("blue", "green", "yellow"):
        state = turn_up(state, colour)
    place = next(i for i, card in enumerate(state.display) if card.split("-")[0] in ("5", "11", "17")) + 1
    shown = played(state, f"turn up display-{place}")
    change = shown.visible_change(shown.legal_actions()[0])
    assert change.places == (
        "ring-10+ring-11", "ring-10+ring-11^", "ring-5+ring-6", "ring-5+ring-6^", "ring-13+ring-14",
        "ring-13+ring-14^", "ring-8+ring-9", "ring-8+ring-9^",
    )  # fmt: skip


def test_five_cards_of_its_colour_or_none_leave_the_ball_where_it_is():
    hand = ["1-day", "7-day", "13-day", "19-day", "25-night"]
    state = wheel(hand, ball="ring-1")
    after = played(state, "move 7-day", "move 13-day", "move 19-day", "move 25-night", "move 1-day")
    assert after.visible().same_as(state.visible())
