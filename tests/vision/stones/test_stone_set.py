"""The stones on a table are of one set: two open 1s of a colour leave no third."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from engine.games.stonehenge.lines import STONES
from engine.position import Thing
from vision.stones.stone_set import ONE_SET, one_set

COLOURS = ("black", "brown")


def stone(colour, value):
    return Thing("druid", colour, value=value)


def belief(colour, **chances):
    """belief("brown", v1=0.6, v4=0.4); v0 is face down."""
    return {stone(colour, int(name[1:]) or None): chance for name, chance in chances.items()}


def sure(colour, value):
    return {stone(colour, value): 0.995, stone(colour, None): 0.005}


def test_a_third_1_is_a_4():
    after = one_set(
        {"A": sure("brown", 1), "B": sure("brown", 1), "C": belief("brown", v1=0.8, v4=0.2)}, COLOURS
    )
    assert after["C"][stone("brown", 4)] > 0.9
    assert sum(after["C"].values()) == pytest.approx(1)


def test_the_other_colour_has_stones_of_its_own():
    doubted = belief("brown", v1=0.8, v4=0.2)
    after = one_set({"A": sure("black", 1), "B": sure("black", 1), "C": doubted}, COLOURS)
    assert after["C"][stone("brown", 1)] > 0.8


def test_a_stone_face_down_may_be_any():
    doubted = belief("brown", v0=0.8, v1=0.2)
    after = one_set({"A": sure("brown", 1), "B": sure("brown", 1), "C": doubted}, COLOURS)
    assert after["C"][stone("brown", None)] > 0.95


def test_what_is_surely_no_set_stays_as_it_is_read():
    read = {place: sure("brown", 4) for place in "ABC"} | {"D": belief("brown", v1=0.7, v2=0.3)}
    assert one_set(read, COLOURS) == read


def test_two_doubted_stones_are_weighed_together():
    """Both look like the only 4 of their colour: the one that looks less like it is the 1."""
    read = {"A": belief("black", v4=0.9, v1=0.1), "B": belief("black", v4=0.6, v1=0.4)}
    after = one_set(read, COLOURS)
    assert after["A"][stone("black", 4)] > 0.7
    assert after["B"][stone("black", 1)] > 0.7


def test_it_is_bayes_rule_over_every_way_to_draw_them():
    rng = np.random.default_rng(1)
    values = sorted(set(STONES))
    read = {
        place: dict(zip((stone("black", v) for v in values), rng.dirichlet(np.ones(6)).tolist(), strict=True))
        for place in "ABC"
    }
    after = one_set(read, COLOURS)
    drawn = np.zeros((3, 6))
    for ways in itertools.product(range(6), repeat=3):
        left, chance = Counter(STONES), 1.0
        for place, way in zip("ABC", ways, strict=True):
            value = values[way]
            chance *= read[place][stone("black", value)] * max(left[value], 0) / sum(left.values()) * 6
            left[value] -= 1
        drawn[range(3), ways] += chance
    share = ONE_SET * drawn[0].sum() / (ONE_SET * drawn[0].sum() + 1 - ONE_SET)
    for place, row in zip("ABC", drawn, strict=True):
        for value, chance in zip(values, row / row.sum(), strict=True):
            thing = stone("black", value)
            expected = share * chance + (1 - share) * read[place][thing]
            assert after[place][thing] == pytest.approx(expected, abs=0.002)


def test_a_whole_board_of_stones_that_are_hardly_read_is_weighed():
    rng = np.random.default_rng(2)
    things = [stone(colour, value) for colour in COLOURS for value in sorted(set(STONES))]
    read = {
        str(place): dict(zip(things, rng.dirichlet(np.ones(12)).tolist(), strict=True)) for place in range(18)
    }
    after = one_set(read, COLOURS)
    assert all(sum(belief.values()) == pytest.approx(1) for belief in after.values())
