"""Banks and wheels that stand anywhere on the board, in photographs of an evening of Rolling Rocks."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from vision import Reader
from vision.images import load_image

EVENING = Path(__file__).resolve().parents[2] / "sample_images" / "demo" / "rolling"
NEAR_MM = 3.0


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader("anthology", game="rolling", players=("red", "green", "blue"))


@pytest.mark.parametrize("photo", ["0001.jpg", "0002.jpg", "0013.jpg", "0014.jpg"])
def test_what_stands_on_no_field_is_told_with_its_place(reader: Reader, photo: str) -> None:
    """By one reader, which from the second photograph on looks at what changed."""
    label = json.loads((EVENING / photo).with_suffix(".json").read_text(encoding="utf-8"))
    seen = reader.read(load_image(EVENING / photo))
    truth = [piece for piece in label["pieces"] if "field" not in piece]
    assert "" not in seen.unseen and len(seen.loose) == len(truth)
    for piece in truth:
        same = [each for each in seen.loose if (each.kind, each.colour) == (piece["kind"], piece["colour"])]
        at = (piece["x_mm"], piece["y_mm"])
        assert min(math.dist(at, (each.x_mm or 0, each.y_mm or 0)) for each in same) < NEAR_MM
        assert all(each.place is None for each in same)


def test_under_an_arm_nobody_says_that_nothing_stands_there(reader: Reader) -> None:
    seen = reader.read(load_image(EVENING / "0005.jpg"))
    assert "" in seen.unseen and not seen.loose
