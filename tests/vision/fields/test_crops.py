"""Places as the networks look at them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision import Reader
from vision.fields.places import places_of
from vision.pictures.images import load_image

PHOTOS = Path(__file__).resolve().parents[3] / "sample_images" / "photos"


def test_a_board_of_hundreds_of_fields_is_cut_out_some_at_a_time():
    """OpenCV makes no picture of so many rows at once."""
    reader = Reader("anthology", game="build")
    reader.read(load_image(PHOTOS / "build-full-1.jpg"))
    places = places_of(reader.board, "build")[:50]
    few, many = reader.sight.crops(places), reader.sight.crops(places * 15)
    assert len(many) * few.shape[-1] > np.iinfo(np.int16).max
    assert np.array_equal(many, np.tile(few, (15, 1, 1, 1)))
