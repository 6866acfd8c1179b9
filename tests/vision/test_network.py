"""What the networks are asked, and what they need not be asked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision import Reader, network
from vision.images import load_image
from vision.network import EMPTY, Looks, look, see

PHOTO = Path(__file__).resolve().parents[2] / "sample_images" / "photos" / "build-middle-1.jpg"


@pytest.fixture(scope="module")
def crops() -> np.ndarray:
    """The places of a photograph, most of them bare."""
    label = json.loads(PHOTO.with_suffix(".json").read_text())
    reader = Reader(label["board"], game=label["game"])
    reader.read(load_image(PHOTO))
    return reader.sight.crops(reader.places)


def test_colours_are_looked_for_only_where_something_may_stand(crops: np.ndarray) -> None:
    everywhere, there = look(crops), look(crops, everywhere=False)
    bare = everywhere.kind[:, EMPTY] > network.SURE
    assert 20 < bare.sum() < len(crops) - 10
    assert (there.seen[bare] == 0).all() and everywhere.seen[bare].any(axis=1).all()
    assert there.seen[~bare] == pytest.approx(everywhere.seen[~bare], abs=1e-5)
    assert there.kind == pytest.approx(everywhere.kind, abs=1e-5)


def test_what_stands_there_after_all_is_looked_at_late(crops: np.ndarray) -> None:
    looks = look(crops, everywhere=False)
    late = int(np.flatnonzero(~looks.seen.any(axis=1))[0])
    looks.kind[late] = np.eye(6, dtype=np.float32)[1]
    before = looks.seen.copy()
    looks.see_late(crops)
    assert looks.seen[late] == pytest.approx(see(crops[late : late + 1])[1][0], abs=1e-5)
    others = np.arange(len(crops)) != late
    assert (looks.seen[others] == before[others]).all()


def test_nothing_is_asked_of_no_crops(crops: np.ndarray) -> None:
    looks = look(crops[:0])
    assert isinstance(looks, Looks) and looks.kind.shape == (0, 6) and looks.seen.shape == (0, 3)
