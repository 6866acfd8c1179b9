"""Five fields, five colours: what the rules say of blocks that lie together."""

from __future__ import annotations

import pytest

from engine.board import load_board
from engine.observation import likeliest
from engine.position import Thing
from vision.fields.one_of_each import groups_of, one_of_each

BOARD = load_board("anthology")
SLOTS = [f"slot-{number}" for number in range(1, 6)]
COLOURS = ("white", "blue", "green", "yellow", "red")


def block(colour, count=1):
    return Thing("block", colour, count=count)


def sure(colour, chance=0.99):
    rest = {block(other): (1 - chance) / 4 for other in COLOURS if other != colour}
    return {block(colour): chance, **rest}


def told(beliefs, game="ramming", read=None):
    after = one_of_each(BOARD, game, beliefs, beliefs if read is None else read)
    assert all(sum(each.values()) == pytest.approx(1) for each in after.values())
    return after


def four_and(doubted):
    return dict(zip(SLOTS, [sure(each) for each in COLOURS[:4]] + [doubted], strict=True))


def test_the_fields_are_grouped_as_the_rules_have_it():
    assert groups_of(BOARD, "ramming")[1] == tuple(f"slot-{number}" for number in range(6, 11))
    assert len(groups_of(BOARD, "ramming")) == 6
    assert groups_of(BOARD, "council") == [tuple(f"trilith-{number}" for number in range(1, 6))]
    assert groups_of(BOARD, "build") == []


def test_where_four_are_known_the_fifth_is_what_is_left():
    after = told(four_and({block("yellow"): 0.97, block("red"): 0.03}))
    assert likeliest(after["slot-5"]) == block("red")


def test_two_that_were_told_as_one_colour_are_shared_out():
    """A pale yellow one and a red one that both look white."""
    beliefs = dict(zip(SLOTS, (sure(colour) for colour in ("white", "blue", "green")), strict=False))
    beliefs["slot-4"] = {block("white"): 0.97, block("yellow"): 0.025, block("red"): 0.005}
    beliefs["slot-5"] = {block("white"): 0.8, block("red"): 0.19, block("yellow"): 0.01}
    after = told(beliefs)
    assert likeliest(after["slot-4"]) == block("yellow")
    assert likeliest(after["slot-5"]) == block("red")


def test_what_is_plainly_seen_outvotes_the_rule():
    after = told(four_and({block("yellow"): 0.99995, block("red"): 0.00005}))
    assert likeliest(after["slot-5"]) == block("yellow")


def test_blocks_that_are_laid_out_leave_none_out():
    """A pale one on pale print that looked empty; and what is plainly empty is."""
    after = told(four_and({None: 0.9, block("red"): 0.08, block("white"): 0.02}))
    assert likeliest(after["slot-5"]) == block("red")
    after = told(four_and({None: 0.999, block("red"): 0.001}))
    assert likeliest(after["slot-5"]) is None


def test_heaps_of_the_council_have_a_colour_each_and_may_be_used_up():
    heaps = [f"trilith-{number}" for number in range(1, 6)]
    doubted = {block("blue", None): 0.7, block("white", None): 0.25, block("white", 9): 0.05}
    others = ({block(colour, 8): 0.98, block("white", 8): 0.02} for colour in COLOURS[1:])
    beliefs = dict(zip(heaps, [doubted, *others], strict=True))
    after = told(beliefs, "council")
    assert after["trilith-1"][block("white", None)] > 0.7
    assert after["trilith-1"][block("white", 9)] == pytest.approx(
        after["trilith-1"][block("white", None)] / 5
    )
    beliefs["trilith-1"] = {None: 0.9, block("white", 1): 0.1}
    assert likeliest(told(beliefs, "council")["trilith-1"]) is None


def test_only_what_was_read_is_told_anew_and_unseen_places_say_nothing():
    beliefs = four_and({block("yellow"): 0.97, block("red"): 0.03})
    assert list(told(beliefs, read={"slot-5", "ring-1"})) == ["slot-5"]
    alone = {"slot-5": beliefs["slot-5"]}
    assert told(alone) == {}
    assert told(beliefs, "build") == {}
