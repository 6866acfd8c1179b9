"""Whether something else lies on a place than before, told by how it looks and what is read there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.fields.crops import CHANNELS, CROP_PX
from vision.following import changes
from vision.following.changes import Apart, Evidence, Watched, shared_details, undisturbed

# How a place looks on which a shadow has fallen, and one on which a piece has been laid.
SHADED, COVERED = Apart(0.4, 0.0, 0.06, differs=-3.0), Apart(0.6, 0.5, 0.25, redrawn=0.3, differs=3.0)
INSIDE = np.s_[16:32, 16:32]


def changed(
    stays: float, apart: Apart | None, *, arm: bool = False, relit: bool = False, gone: float = 0
) -> float:
    """By itself."""
    evidence = Evidence(stays, apart, arm, relit, gone)
    return changes.changed({"ring-1": Watched(evidence, (0.0, 0.0), bare=False)})["ring-1"]


def test_what_looks_as_it_did_but_for_a_shadow_has_hardly_changed():
    for arm, relit in ((True, False), (False, True)):
        assert changed(0.1, SHADED, arm=arm, relit=relit) < 0.1
        assert changed(0.001, COVERED, arm=arm, relit=relit) > 0.9
    assert changed(0.1, SHADED) < 0.5 < changed(0.1, COVERED)


def test_what_is_read_for_the_first_time_is_doubted_where_it_is_not_as_was_said():
    assert changed(0.2, None) < 0.5
    assert changed(0.001, None) > 0.9


FAR, YARD = (300.0, 300.0), ((70.0, 70.0), (90.0, 70.0), (90.0, 90.0))
PALE = replace(SHADED, details=0.15, differs=0.0)


def watched(evidence: Evidence, at_mm: tuple[float, float] = (0.0, 0.0), *, bare: bool = True) -> Watched:
    return Watched(evidence, at_mm, bare)


def test_a_bare_place_that_looks_otherwise_in_the_same_light_carries_something():
    """That which likeliest does, though by itself it seems not to."""
    place, shaded = Evidence(0.5, PALE, False, False), Evidence(0.9, SHADED, False, False)
    told = changes.changed({"ring-1": watched(place), "ring-2": watched(shaded, (20.0, 0.0))})
    assert changed(0.5, PALE) < 0.1 and told["ring-1"] > 0.8 and told["ring-2"] < 0.1
    for arm, relit in ((True, False), (False, True)):
        otherwise = replace(place, arm=arm, relit=relit)
        assert changes.changed({"ring-1": watched(otherwise)})["ring-1"] < 0.3
    assert changes.changed({"ring-1": watched(place, bare=False)})["ring-1"] < 0.1
    assert not changes.changed({})


def test_what_has_moved_beside_it_tells_why_a_place_looks_otherwise():
    place, laid = Evidence(0.5, PALE, False, False), Evidence(0.001, COVERED, False, False)
    assert changes.changed({"ring-1": watched(place), "ring-2": watched(laid)})["ring-1"] < 0.1
    assert changes.changed({"ring-1": watched(place), "ring-2": watched(laid, FAR)})["ring-1"] > 0.8
    assert changes.changed({"ring-1": watched(place)}, [YARD])["ring-1"] < 0.1
    assert changes.changed({"ring-1": watched(place, FAR)}, [YARD])["ring-1"] > 0.8


def test_where_a_piece_has_come_one_like_it_has_left():
    """The one which looks most otherwise, though by itself it seems to be there still."""
    white, red = ("block", "white"), ("block", "red")
    came = Watched(Evidence(0.001, COVERED, False, False), FAR, True, None, white)
    doubted, sure = Evidence(0.6, PALE, False, False), Evidence(0.99, SHADED, False, False)
    lay = {
        "ring-1": Watched(doubted, (0.0, 0.0), False, white, None),
        "ring-2": Watched(sure, (0.0, 0.0), False, white, None),
    }
    alone, told = changes.changed(lay), changes.changed({**lay, "ring-9": came})
    assert alone["ring-1"] < 0.5 < told["ring-1"] and told["ring-2"] < 0.1
    # One of another colour did not come from there; nor does anything where another is told to have left.
    red_came = {**lay, "ring-9": replace(came, shows=red)}
    gone = {**lay, "ring-9": came, "ring-8": Watched(came.evidence, FAR, False, white, None)}
    assert changes.changed(red_came)["ring-1"] == changes.changed(gone)["ring-1"] == alone["ring-1"]
    relit = {name: replace(each, evidence=replace(each.evidence, relit=True)) for name, each in lay.items()}
    assert changes.changed({**relit, "ring-9": came})["ring-1"] < 0.5


def test_an_arm_beside_which_all_is_looked_at_anew_says_nothing_more():
    assert changed(0.1, COVERED, arm=True, relit=True) == changed(0.1, COVERED, relit=True)


@pytest.fixture
def print_of_place():
    """The print of a place, (3, S, S): a pale spot with a dark number on a green ground."""
    picture = np.full((CROP_PX, CROP_PX, 3), (0.3, 0.55, 0.4), np.float32)
    cv2.circle(picture, (24, 24), 14, (0.75, 0.8, 0.85), -1)
    cv2.line(picture, (18, 18), (30, 30), (0.2, 0.2, 0.2), 2)
    return np.ascontiguousarray(picture.transpose(2, 0, 1))


def with_a_piece(looks):
    found = looks.copy()
    found[(slice(None), *INSIDE)] = 0.95
    return found


def crop_of(now, bare):
    crop = np.zeros((CHANNELS, CROP_PX, CROP_PX), np.float32)
    crop[:3], crop[3:6] = now, bare
    crop[(9, *INSIDE)] = 1
    return crop


def test_a_piece_that_the_picture_still_shows_in_another_light_has_not_gone(print_of_place):
    """Even if the networks are sure that nothing lies there."""
    there = with_a_piece(print_of_place)
    still = Apart.of(crop_of(0.9 * there, print_of_place), there)
    gone = Apart.of(crop_of(0.9 * print_of_place, print_of_place), there)
    assert still.bare < -1 < 1 < gone.bare
    assert changed(0.001, still, relit=True, gone=0.999) < 0.1 < 0.9 < changed(0.001, gone, gone=0.999)


def test_where_all_details_are_left_only_the_light_is_another():
    """The shadow of a window's bar may have gone from a white field: that is no white disc."""
    lighter = Apart(0.42, 0.0, 0.12, differs=-1.0)
    assert changed(0.005, lighter, relit=True) < 0.3
    assert changed(0.005, replace(lighter, redrawn=0.25, differs=1.0), relit=True) > 0.7


def test_what_a_comparison_of_both_pictures_says_turns_the_scales():
    """White on white: what is read there is open, and the shades are the same."""
    white = Apart(0.16, 0.0, 0.1, redrawn=0.05)
    assert (
        changed(0.43, replace(white, differs=-2.0)) < 0.3 < 0.5 < changed(0.43, replace(white, differs=4.0))
    )
    assert changed(0.43, replace(white, differs=60.0)) < 0.99


def test_how_bare_a_place_looks_counts_only_where_a_piece_seems_to_have_gone(print_of_place):
    gone = Apart.of(crop_of(print_of_place, print_of_place), with_a_piece(print_of_place))
    assert changed(0.5, gone) < changed(0.5, gone, gone=0.5)


@pytest.fixture
def yard():
    """A tile of a yard, (1, 3, S, S): printed lines on a grained ground."""
    grain = np.random.default_rng(1).normal(0, 0.02, (CROP_PX, CROP_PX, 1)).astype(np.float32)
    picture = np.full((CROP_PX, CROP_PX, 3), (0.6, 0.65, 0.7), np.float32)
    picture += cv2.blur(grain, (3, 3))[..., None]
    for x in range(6, CROP_PX, 12):
        cv2.line(picture, (x, 0), (CROP_PX - x, CROP_PX - 1), (0.3, 0.3, 0.35), 1)
    return np.ascontiguousarray(picture.transpose(2, 0, 1))[None]


OWN = np.ones((1, CROP_PX, CROP_PX), bool)


def test_a_shadow_over_a_yard_disturbs_nothing_there(yard):
    shade = np.ones((CROP_PX, CROP_PX), np.float32)
    shade[:, 20:] = 0.6
    assert undisturbed(yard * cv2.GaussianBlur(shade, (0, 0), 3), yard, OWN)


def test_a_pillar_as_grey_as_a_yard_is_something_else_whether_it_comes_or_goes(yard):
    pillar = yard.copy()
    pillar[0, :, 8:36, 18:28] = 0.62
    assert not undisturbed(pillar, yard, OWN) and not undisturbed(yard, pillar, OWN)


def test_of_a_yard_only_what_is_its_own_counts(yard):
    beside, own = yard.copy(), OWN.copy()
    beside[0, :, :, :12], own[0, :, :16] = 0.9, False
    assert undisturbed(beside, yard, own) and not undisturbed(beside, yard, OWN)


def test_a_hand_of_the_prints_own_colour_has_none_of_its_details():
    """In a shadow all of them are still seen, however dark it is."""
    rng = np.random.default_rng(5)
    printed = np.full((1, 3, CROP_PX, CROP_PX), 0.6, np.float32)
    printed[:, :, 14:34, 14:34] = 0.9
    own = np.ones((1, CROP_PX, CROP_PX), bool)
    noise = rng.normal(0, 0.01, printed.shape).astype(np.float32)
    in_shadow, hand = 0.35 * printed + noise, np.full_like(printed, 0.3) + noise
    assert shared_details(in_shadow, printed, own) > 0.9
    assert abs(shared_details(hand, printed, own)) < 0.2
    half = np.where(np.arange(CROP_PX) < 20, hand, in_shadow)
    assert 0.4 < shared_details(half, printed, own) < 0.95


def test_of_plain_print_no_details_are_missed():
    plain = np.full((1, 3, CROP_PX, CROP_PX), 0.6, np.float32)
    assert shared_details(0.4 * plain, plain, np.ones((1, CROP_PX, CROP_PX), bool)) == 1
