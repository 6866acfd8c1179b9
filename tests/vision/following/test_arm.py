"""An arm over the board: what it hides is not seen, and what is seen beside it is read as before."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.conftest import reader_of
from vision.following import arm
from vision.following.arm import SHRINK, UNDER_ARM, ArmWatch, Table
from vision.yards.areas import areas_of

# The photographs of the series by their numbers: a piece moved, an arm, another light.
MOVED, ARM, LIGHT = "0003", "0004", "0010"


@pytest.fixture(scope="module")
def pictures(photos):
    return {name: picture for name, _, picture in photos[1:]}


@pytest.fixture
def reader(photos):
    return reader_of(photos)


@pytest.fixture
def watch(reader):
    """One that has seen the start."""
    watch = ArmWatch(Table(reader.board, reader.places, areas_of(reader.board, reader.game)))
    watch.note(reader.sight.image)
    return watch


def share(one, other):
    """How much of what either of two masks covers both cover."""
    return (one & other).sum() / (one | other).sum()


def test_an_arm_is_taken_off(reader, watch, pictures):
    arm = watch.arm_in(pictures[ARM], reader.sight)
    off, before = arm.taken_off(pictures[ARM]).astype(float), pictures[MOVED].astype(float)
    covered = cv2.resize(arm.mask, pictures[ARM].shape[1::-1]) > 127
    assert 0.05 < covered.mean() < 0.2
    # Where it was, what lay there is seen again.
    assert np.abs(off - before)[covered].mean() < 3 < 30 < np.abs(pictures[ARM] - before)[covered].mean()


def test_pale_skin_over_pale_print_is_the_arms(reader, watch, pictures, monkeypatch):
    """In a bay of the arm it looks like the print in more light; so much of the arm is no shadow."""
    mask = watch.arm_in(pictures[ARM], reader.sight).mask
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    row, column = (int(each) for each in np.unravel_index(inside.argmax(), inside.shape))
    edge = column - int(inside[row, column])
    bay = np.zeros(mask.shape, np.uint8)
    bay[row - 4 : row + 5, edge - 4 : column] = 1
    covered = (bay > 0) & (mask > 0)
    there = cv2.resize(bay, pictures[ARM].shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
    now = pictures[ARM].copy()
    smooth = cv2.GaussianBlur(pictures[MOVED], (0, 0), 12)
    now[there] = np.clip(smooth[there] * 1.08 + 6, 0, 255)

    def told():
        watch.note(pictures[MOVED])
        return (watch.arm_in(now, reader.sight).mask[covered] > 0).mean()

    seen = told()
    monkeypatch.setattr(arm, "BAY_MM", 0.0)
    assert seen > 0.8 > 0.6 > told()


def test_a_piece_that_was_moved_is_no_arm_and_neither_is_another_light(reader, watch, pictures):
    assert watch.arm_in(pictures[MOVED], reader.sight) is None
    assert watch.arm_in(pictures[LIGHT], reader.sight) is None


def test_the_camera_may_make_the_picture_with_an_arm_brighter(reader, watch, pictures):
    arm = watch.arm_in(pictures[ARM], reader.sight)
    brighter = np.clip(pictures[ARM] * [1.15, 1.2, 1.25], 0, 255).astype(np.uint8)
    again = watch.arm_in(brighter, reader.sight)
    assert share(arm.mask > 0, again.mask > 0) > 0.7
    covered = cv2.resize(again.mask, brighter.shape[1::-1]) > 127
    was = pictures[MOVED][covered] * [1.15, 1.2, 1.25]
    assert np.abs(again.taken_off(brighter)[covered] - np.minimum(was, 255)).mean() < 6


def test_a_shadow_is_no_arm(reader, watch, pictures):
    """However deep, if what it falls on can be made out in it."""
    height, width = pictures[MOVED].shape[:2]
    shade = np.ones((height, width, 1), np.float32)
    cv2.fillPoly(shade, [np.array([[0, height // 3], [width // 2, height // 2], [0, height]])], (0.3,))
    shade = cv2.GaussianBlur(shade, (0, 0), 4)[..., None]
    assert watch.arm_in((pictures[MOVED] * shade).astype(np.uint8), reader.sight) is None


def test_what_does_not_move_is_no_arm(reader, watch, pictures):
    """Something may have been put down; it is looked at as it is."""
    assert watch.arm_in(pictures[ARM], reader.sight) is not None
    assert watch.arm_in(pictures[ARM], reader.sight) is None


def test_an_arm_that_goes_is_none(reader, pictures, photos):
    """If it lay over the board from the start, it is not the board that comes in from the edge."""
    first = reader.read(pictures[ARM])
    watch = ArmWatch(Table(reader.board, reader.places, areas_of(reader.board, reader.game)))
    watch.note(pictures[ARM])
    assert first.unseen and watch.arm_in(pictures[MOVED], reader.sight) is None


def test_what_it_hides_is_not_seen_and_comes_back(reader, pictures, photos):
    before = reader.read(pictures[MOVED])
    seen = reader.read(pictures[ARM], before.position)
    label = next(label for name, label, _ in photos if name == ARM)
    assert label["occluded"] and UNDER_ARM in seen.unseen.values()
    assert all(name in seen.unseen or seen.fields[name].get(None, 0) < 0.5 for name in label["occluded"])
    # Beside it everything is told as it was.
    for name in before.fields.keys() - seen.unseen.keys() - before.unseen.keys():
        assert max(before.fields[name], key=before.fields[name].get) == max(
            seen.fields[name], key=seen.fields[name].get
        )
    after = reader.read(pictures[MOVED], before.position)
    assert after.unseen == before.unseen
    assert after.position.things() == before.position.things()


def test_how_a_place_looked_before_an_arm_hid_it_is_known_when_it_goes(reader, pictures):
    """Else nobody could tell whether something else lies there than before."""
    before = reader.read(pictures[MOVED])
    reader.read(pictures[ARM], before.position)
    hidden = [
        place for place in reader.places
        if reader.sight.unseen.get(place.id) == UNDER_ARM and place.id in reader.sight.beliefs
    ]  # fmt: skip
    reader.memory.settled.clear()
    reader.memory.note(reader.sight, hidden, ())
    assert hidden and reader.memory.settled.keys() == {place.id for place in hidden}


def test_nothing_is_hidden_where_the_arm_is_not(reader, watch, pictures):
    arm = watch.arm_in(pictures[ARM], reader.sight)
    hidden = set(arm.hides(reader.sight, watch.table))
    # Nobody misses a capstone where no trilith stands.
    assert hidden and hidden <= reader.sight.beliefs.keys()
    for place in reader.places:
        x, y = reader.sight.view.project(np.array([place.at_mm]))[0] / SHRINK
        near = arm.mask[max(0, int(y) - 12) : int(y) + 12, max(0, int(x) - 12) : int(x) + 12]
        if not near.any():
            assert place.id not in hidden


def test_nothing_is_not_told_of_what_a_finger_as_dark_as_a_shadow_may_hide(reader, watch, pictures):
    """Where the print's details are seen in it, it is a shadow; then what lies there is told as before."""
    arm = watch.arm_in(pictures[ARM], reader.sight)
    around = cv2.dilate(arm.mask, np.ones((25, 25), np.uint8))
    beside = cv2.resize(around, pictures[ARM].shape[1::-1]) > 127
    shades = {"shadow": pictures[MOVED], "finger": cv2.GaussianBlur(pictures[MOVED], (0, 0), 25)}
    under = cv2.resize(arm.mask, pictures[ARM].shape[1::-1]) > 127
    told = {}
    for name, shade in shades.items():
        now = pictures[ARM].copy()
        now[beside & ~under] = (0.55 * shade[beside & ~under]).astype(np.uint8)
        watch.note(pictures[MOVED])
        found = watch.arm_in(now, reader.sight)
        ring = (around > 0) & (arm.mask == 0)
        told[name] = (found.wide[ring] > 0).mean()
        assert (found.wide[found.mask > 0] > 0).all()
    assert told["finger"] > 0.8 > 0.5 > told["shadow"]


def test_what_still_looks_as_it_did_in_the_arms_shadow_is_seen(reader, watch, pictures):
    """Though the arm is taken to reach over it: the pieces there, of nothing is not told that."""
    arm = watch.arm_in(pictures[ARM], reader.sight)
    all_over = np.full_like(arm.mask, 255)
    for surely, hides in ((np.zeros_like(arm.mask), False), (all_over, True)):
        hidden = set(
            replace(arm, mask=all_over, wide=all_over, surely=surely).hides(reader.sight, watch.table)
        )
        for place in reader.places:
            belief = reader.sight.beliefs[place.id]
            carries = max(belief, key=belief.__getitem__) is not None
            assert (place.id in hidden) == (hides or not carries), place.id
    assert not (arm.surely[arm.mask == 0] > 0).any() and share(arm.surely > 0, arm.mask > 0) > 0.6
