"""Two pictures of one place: does something else lie there?"""

from __future__ import annotations

import numpy as np
import pytest

from vision.fields.crops import CHANNELS, CROP_PX
from vision.following.compared import compared
from vision.training import compose
from vision.training.pairs import Views, twice
from vision.training.scenes import opened

# Composed tables that nothing was learnt from.
TABLES = range(90_000, 90_012)


@pytest.fixture(scope="module")
def tables() -> list[list[Views]]:
    with pytest.MonkeyPatch.context() as patch:
        # Faces that begin or cease to mirror something bright are not learnt from yet.
        patch.setattr(compose, "MIRRORED", 0.0)
        return [views for views in (twice(np.random.default_rng(seed)) for seed in TABLES) if views]


def pairs(views: list[Views]):
    """Numbers of the crops of places that both pictures show."""
    first, second = views
    return [
        (number, second.place.index(name)) for number, name in enumerate(first.place) if name in second.place
    ]


def test_what_was_put_down_taken_away_or_replaced_is_told_in_any_light(tables):
    told, truth = [], []
    for views in tables:
        before, now = views
        both = pairs(views)
        earlier, later = (opened(each.crops) for each in views)
        said = compared(later[[n for _, n in both]], earlier[[n for n, _ in both]][:, :3])
        told += list(said > 0)
        truth += [before.thing[one] != now.thing[other] for one, other in both]
    changed = np.array(truth)
    assert 50 < changed.sum() < 0.7 * len(changed)
    # Three pieces in ten have the colour of the print on which they lie.
    assert np.mean(np.array(told)[changed]) > 0.85 and np.mean(np.array(told)[~changed]) < 0.08


def test_what_is_not_drawn_anew_lies_where_it_lay(tables):
    same = [before.thing[one] == now.thing[other]
            for before, now in tables for one, other in pairs([before, now])]  # fmt: skip
    assert 0.3 < np.mean(same) < 0.95


def test_the_same_picture_twice_shows_no_change_and_nothing_is_asked_of_nothing(tables):
    crops = opened(tables[0][0].crops)
    assert (compared(crops, crops[:, :3]) < 0).all()
    none = np.zeros((0, CHANNELS, CROP_PX, CROP_PX), np.float32)
    assert compared(none, none[:, :3]).shape == (0,)
