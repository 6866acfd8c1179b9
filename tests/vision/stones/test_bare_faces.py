"""The colour of druid stones without stickers, by what is seen around whatever is on them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision import Reader
from vision.pictures.images import load_image
from vision.stones.bare_faces import FIRST, MORE, SUREST, features, seconds

JUDGED = Path(__file__).resolve().parents[3] / "sample_images" / "judged"
# Six stones of a table that lie as close together as stones of one colour do.
NEAR = np.array([[0.02, 0.05], [-0.03, 0.02], [0.01, -0.06], [0.0, 0.03], [-0.02, -0.04], [0.03, 0.0]])


def table(*counts: int, off: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """(N, 2) so many black stones and so many brown ones, all of them off alike."""
    groups = [FIRST + off + NEAR[: counts[0]], FIRST + MORE + off + NEAR[: counts[1]]]
    return np.concatenate(groups)


def test_features_are_how_red_and_how_bright():
    dark, red, bright = features([np.full(3, 0.1), np.array([0.1, 0.1, 0.4]), np.full(3, 0.5)])
    assert dark[0] == bright[0] == 0 < red[0]
    assert dark[1] < red[1] < bright[1]


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.3, 0.3), (-0.25, -0.3)], ids=["usual", "warm", "cold"])
def test_groups_tell_whatever_the_light(off):
    chances = seconds(table(6, 6, off=off), np.full(12, 0.5))
    assert (chances[:6] < 0.1).all() and (chances[6:] > 0.9).all()


def test_the_networks_may_have_taken_all_of_them_for_the_other_colour():
    """As with red ink on black stones and white ink on brown ones."""
    swapped = np.repeat([0.7, 0.3], 6)
    chances = seconds(table(6, 6), swapped)
    assert (chances[:6] < 0.2).all() and (chances[6:] > 0.8).all()


@pytest.mark.parametrize("network", [0.02, 0.98], ids=["black", "brown"])
def test_stones_of_one_colour_are_not_parted(network):
    counts = (6, 0) if network < 0.5 else (0, 6)
    chances = seconds(table(*counts), np.full(6, network))
    assert (np.abs(chances - network) < 0.2).all()


def test_stones_that_hardly_differ_tell_nothing():
    chances = seconds(FIRST + 0.5 * MORE + np.concatenate([NEAR, NEAR]), np.full(12, 0.5))
    assert (np.abs(chances - 0.5) < 0.2).all()


def test_no_stone_is_quite_sure():
    chances = seconds(table(6, 6), np.repeat([0.0, 1.0], 6))
    assert chances.min() + 1e-9 >= 1 - SUREST and chances.max() <= SUREST + 1e-9


def test_a_photograph_in_which_ink_tints_the_stones():
    label = json.loads((JUDGED / "007-stonehenge.json").read_text())
    expected = {each["field"]: each["colour"] for each in label["pieces"] if each["kind"] == "druid"}
    read = Reader(label["board"], game="stonehenge").read(load_image(JUDGED / "007-stonehenge.jpg"))
    told = {each.field: each.colour for each in read.position if each.kind == "druid"}
    assert told == expected
