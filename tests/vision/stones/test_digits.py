"""Stones whose faces carry no sticker lie face down, whatever they mirror."""

from __future__ import annotations

import numpy as np

from vision.stones.digits import STONE_PX, faces_down


def faces(*brightness):
    return np.stack([np.full((STONE_PX, STONE_PX), each, np.float32) for each in brightness])


def chances(*rows):
    """Of each stone how likely it is face down, and the rest for a 1."""
    return np.array([[down, 1 - down, 0, 0, 0, 0, 0] for down in rows], np.float32)


def test_a_dark_face_among_stickers_is_no_digit():
    weighed = faces_down(faces(200, 190, 80), chances(0.01, 0.02, 0.4))
    assert weighed[2, 0] > 0.95 and np.allclose(weighed[:2], chances(0.01, 0.02), atol=1e-6)


def test_where_digits_are_painted_on_the_stones_brightness_tells_nothing():
    doubtful = chances(0.01, 0.02, 0.4)
    assert np.array_equal(faces_down(faces(60, 150, 40), doubtful), doubtful)


def test_one_open_stone_tells_nothing_of_the_others():
    doubtful = chances(0.01, 0.4, 0.4)
    assert np.array_equal(faces_down(faces(200, 80, 80), doubtful), doubtful)


def test_what_surely_lies_open_stays_so():
    sure = chances(0.01, 0.02, 0.03)
    assert np.array_equal(faces_down(faces(200, 190, 80), sure), sure)
