"""Pictures between their pixels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.pictures import lookup
from vision.pictures.lookup import looked_up


@pytest.mark.parametrize("shape", [(5, 7), (1, 40000), (1500, 30, 2), (33000, 2), (3,)])
@pytest.mark.parametrize("channels", [(), (3,)])
def test_as_many_points_as_there_are_are_looked_up(shape, channels):
    """More than OpenCV makes pictures of."""
    rng = np.random.default_rng(4)
    picture = cv2.GaussianBlur(rng.uniform(0, 1, (20, 30, *channels)).astype(np.float32), (0, 0), 2)
    at = rng.integers(-3, 33, (*shape, 2)).astype(np.float32)
    column, row = (np.clip(at[..., axis], 0, size - 1).astype(int) for axis, size in ((0, 30), (1, 20)))
    assert looked_up(picture, at) == pytest.approx(picture[row, column], abs=1e-5)


def test_between_its_pixels_it_shows_both():
    ramp = np.tile(np.arange(10, dtype=np.float32), (4, 1))
    assert looked_up(ramp, np.array([[2.5, 1.0], [11.0, 2.0]], np.float32)) == pytest.approx([2.5, 9.0])
    assert np.iinfo(np.int16).max > lookup.MOST
