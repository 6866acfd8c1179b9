"""White discs on white fields, of which the first look is sure that nothing lies there: crops of two
photographs of a table that is not ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.fields.network import EMPTY, SURE, chances, look, not_drawn, run

CROPS = Path(__file__).with_name("white_on_white.npz")


@pytest.fixture(scope="module")
def crops():
    with np.load(CROPS) as kept:
        stored, disc = kept["crops"].astype(np.float32) / 182, kept["disc"]
    return np.concatenate([stored[:, :6], stored[:, :3] - stored[:, 3:6], stored[:, 6:]], axis=1), disc


def test_what_stands_out_from_white_print_is_judged_again(crops):
    pictures, disc = crops
    first = chances(run("place", pictures)[0], not_drawn(pictures))[:, EMPTY]
    assert (first > SURE).all()
    assert ((look(pictures).kind[:, EMPTY] < 0.5) == disc).all()


def test_one_of_few_places_is_judged_again_too(crops):
    """Where a camera stands still only what changed is looked at."""
    pictures, disc = crops
    few = np.flatnonzero(disc)[:1].tolist() + np.flatnonzero(~disc)[:1].tolist()
    assert (look(pictures[few]).kind[:, EMPTY] < 0.5).tolist() == [True, False]
