"""From what the networks say to what is believed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Piece, Thing
from vision.fields.beliefs import TRILITH, apart, carried, covered_by_triliths, one_figure_each, weighed
from vision.fields.network import EMPTY
from vision.fields.places import places_of

FIGURE = Thing("figure", "red")


def test_what_hovers_is_carried_by_a_trilith():
    doubtful = {None: 0.7, TRILITH: 0.25, FIGURE: 0.05}
    assert carried(doubtful, 0.99)[TRILITH] > 0.5
    assert carried(doubtful, 0.01)[TRILITH] < 0.25


@pytest.mark.parametrize("on_top", [0.0, 0.5, 1.0])
def test_other_beliefs_stay_as_they_were(on_top):
    belief = {None: 0.5, TRILITH: 0.3, FIGURE: 0.2}
    after = carried(belief, on_top)
    assert sum(after.values()) == pytest.approx(1)
    assert after[FIGURE] == 0.2


def test_where_no_trilith_can_stand_nothing_changes():
    belief = {None: 0.9, FIGURE: 0.1}
    assert carried(belief, 0.9) == belief


def test_triliths_that_share_a_field_exclude_each_other():
    pairs = [place for place in places_of(load_board("anthology"), "ramming") if place.covers]
    beliefs = {place.id: {None: 1.0} for place in pairs}
    for name in ("ring-17+ring-18", "ring-18+ring-19", "ring-19+ring-20"):
        beliefs[name] = {TRILITH: 0.999, None: 0.001}
    apart(beliefs, pairs, {"ring-17+ring-18": 0.99, "ring-18+ring-19": 0.4, "ring-19+ring-20": 0.98})
    standing = {name for name, belief in beliefs.items() if belief.get(TRILITH, 0) > 0.5}
    assert standing == {"ring-17+ring-18", "ring-19+ring-20"}
    assert beliefs["ring-18+ring-19"][None] > 0.9


def test_a_trilith_that_stands_where_it_stood_keeps_others_off_its_fields():
    """Of an evening's picture only what changed is read: the capstone seen there may be its neighbour's."""
    pairs = {place.id: place for place in places_of(load_board("anthology"), "ramming") if place.covers}
    beliefs = {name: {None: 1.0} for name in pairs}
    beliefs["ring-20+ring-21"] = {TRILITH: 0.9, None: 0.1}
    for name in ("ring-21+ring-22", "ring-24+ring-25"):
        beliefs[name] = {TRILITH: 0.999, None: 0.001}
    stood = covered_by_triliths(beliefs, [pairs["ring-20+ring-21"], pairs["ring-1+ring-2"]])
    assert stood == {"ring-20", "ring-21"}
    apart(beliefs, [pairs["ring-21+ring-22"], pairs["ring-24+ring-25"]], {}, stood)
    standing = {name for name, belief in beliefs.items() if belief.get(TRILITH, 0) > 0.5}
    assert standing == {"ring-20+ring-21", "ring-24+ring-25"}


@pytest.mark.parametrize(("empty", "what"), [(0.8, "heap"), (0.995, "empty"), (0.05, "heap")])
def test_a_heap_of_the_council_is_hardly_ever_used_up(empty, what):
    """Where the network only doubts that white blocks are there, they are; a bare field stays one."""
    place = next(p for p in places_of(load_board("anthology"), "council") if p.id == "trilith-1")
    slot = {body.count: 1 + slot for slot, body in zip(place.slots, place.bodies, strict=True)}
    kind = np.zeros((1, 6), np.float32)
    kind[0, EMPTY], kind[0, slot[None]] = empty, 1 - empty
    likeliest = int(weighed((place,), kind)[0].argmax())
    assert likeliest == {"heap": slot[None], "empty": EMPTY}[what]


class TestASetHasOneFigureOfEachColour:
    DISC = Thing("disc", "red")

    def test_of_two_the_surer_one_is_it(self):
        beliefs = {"ring-1": {FIGURE: 0.99, None: 0.01}, "ring-2": {FIGURE: 0.51, self.DISC: 0.49}}
        after = one_figure_each(beliefs, [], beliefs)
        assert after["ring-1"][FIGURE] > 0.95 and after["ring-2"][self.DISC] > 0.95
        assert all(sum(belief.values()) == pytest.approx(1) for belief in after.values())

    def test_two_that_nobody_can_doubt_are_two(self):
        beliefs = {"ring-1": {FIGURE: 0.9999, None: 0.0001}, "ring-2": {FIGURE: 0.9999, None: 0.0001}}
        after = one_figure_each(beliefs, [], beliefs)
        assert all(belief[FIGURE] > 0.9 for belief in after.values())

    def test_one_that_lies_loose_counts(self):
        beliefs = {"ring-2": {FIGURE: 0.6, self.DISC: 0.4}}
        lying = Piece("figure", "red", field="altar", lying=True, confidence=0.98)
        assert one_figure_each(beliefs, [lying], beliefs)["ring-2"][self.DISC] > 0.9

    def test_other_colours_and_a_figure_alone_change_nothing(self):
        beliefs = {"ring-1": {FIGURE: 0.7, None: 0.3}, "ring-2": {Thing("figure", "blue"): 0.8, None: 0.2}}
        for place, belief in one_figure_each(beliefs, [], beliefs).items():
            assert belief == pytest.approx(beliefs[place])

    def test_what_can_be_nothing_else_stays(self):
        beliefs = {"ring-1": {FIGURE: 1.0}, "ring-2": {FIGURE: 0.99999, None: 0.00001}}
        after = one_figure_each(beliefs, [], beliefs)
        assert after["ring-1"] == {FIGURE: 1.0}
        assert sum(after["ring-2"].values()) == pytest.approx(1)

    def test_what_was_not_read_now_stays_as_it_was(self):
        beliefs = {"ring-1": {FIGURE: 0.9, None: 0.1}, "ring-2": {FIGURE: 0.9, None: 0.1}}
        assert set(one_figure_each(beliefs, [], ["ring-2", "ring-7"])) == {"ring-2"}
