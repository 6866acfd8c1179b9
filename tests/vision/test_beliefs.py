"""From what the networks say to what is believed."""

from __future__ import annotations

import pytest

from engine.board import load_board
from engine.position import Thing
from vision.beliefs import TRILITH, apart, carried
from vision.places import places_of

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
