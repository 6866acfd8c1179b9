"""Heaps of blocks: how many there are where they lie crosswise, and nothing made up where they do not."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Thing
from tests.vision.conftest import over
from vision import Reader
from vision.fields.beliefs import told
from vision.geometry.bodies import body_of
from vision.training.heaps import heap_of_blocks, jumble, rows_of_blocks

BOARD = load_board("anthology")
BLOCK = body_of(BOARD.pieces["block"])
COLOURS = ("white", "blue", "green", "yellow", "red")
DISCS = [("disc", "ring-4", "yellow"), ("disc", "ring-12", "blue"), ("disc", "ring-19", "red")]


def bgr_of(colour: str) -> np.ndarray:
    return np.array(BOARD.colour_rgb(colour))[::-1] / 255


@pytest.fixture
def read(picture_of):
    def make(counts, seed=1, tidy=True, size_px=(1600, 1200), elevation_deg=65.0):
        rng, more = np.random.default_rng(seed), []
        for number, (colour, count) in enumerate(zip(COLOURS, counts, strict=True), 1):
            field = BOARD.fields[f"trilith-{number}"]
            if tidy:
                more += heap_of_blocks(
                    rng, BLOCK, field.centre_mm, field.angle_deg, count, bgr_of(colour), gloss=0.2
                )
            else:
                more += jumble(rng, BLOCK, field.centre_mm, count, bgr_of(colour), gloss=0.2)
        picture = picture_of("anthology", DISCS, over(BOARD, size_px, elevation_deg), seed, more)
        return Reader("anthology", game="council", players=("white", "red")).read(picture.image)

    return make


def heaps(seen) -> list[tuple[int | None, int, float]]:
    """Per heap what is told of its number, the likeliest number and its probability."""
    found = []
    for number, colour in enumerate(COLOURS, 1):
        belief = seen.fields[f"trilith-{number}"]
        assert sum(belief.values()) == pytest.approx(1, abs=1e-3)
        said, _ = told(belief)
        assert said is not None and (said.kind, said.colour) == ("block", colour)
        counted = {thing.count: chance for thing, chance in belief.items() if thing and thing.count != 1}
        likeliest = max(counted, key=counted.__getitem__)
        found.append((said.count, likeliest, counted[likeliest]))
    return found


def test_tidy_heaps_are_counted(read):
    """The likeliest number is right but for a few, and what is told as sure is."""
    right = tellings = wrong = 0
    for seed, counts in enumerate([(10, 10, 10, 10, 10), (6, 3, 4, 5, 6), (7, 8, 9, 10, 4), (6, 5, 3, 4, 8)]):
        for (said, likeliest, _), count in zip(heaps(read(counts, seed)), counts, strict=True):
            right += likeliest == count
            tellings += said == count
            wrong += said not in (count, None)
    assert right >= 18 and tellings >= 10 and wrong == 0


def test_what_lies_in_disorder_is_not_counted(read):
    """Now and then it is not even taken for a heap."""
    told_of = [said for seed in range(3) for said, *_ in heaps(read((6, 7, 8, 9, 10), seed, tidy=False))]
    assert set(told_of) <= {None, 1} and told_of.count(None) >= 10


@pytest.mark.parametrize("elevation_deg", [38, 65, 88])
def test_blocks_side_by_side_are_a_heap(picture_of, elevation_deg):
    """Ten of them fill their field, which the place networks take for print; where some lie on others few are
    counted."""
    rng, more = np.random.default_rng(elevation_deg), []
    counts = (10, 7, 9, 5, 8)
    for number, (colour, count) in enumerate(zip(COLOURS, counts, strict=True), 1):
        at = BOARD.fields[f"trilith-{number}"]
        more += rows_of_blocks(rng, BLOCK, at.centre_mm, at.angle_deg, count, bgr_of(colour), gloss=0.2)
    picture = picture_of("anthology", DISCS, over(BOARD, (1600, 1200), elevation_deg), 3, more)
    seen = Reader("anthology", game="council", players=("white", "red")).read(picture.image)
    assert sum(said not in (count, None) for (said, *_), count in zip(heaps(seen), counts, strict=True)) < 2


def test_only_a_heap_that_changed_is_counted_anew(picture_of):
    reader, view = Reader("anthology", game="council"), over(BOARD, (1600, 1200), 65.0)

    def picture(count):
        rng, more = np.random.default_rng(1), []
        for number, each in ((1, count), (3, 10)):
            field, colour = BOARD.fields[f"trilith-{number}"], COLOURS[number - 1]
            more += heap_of_blocks(rng, BLOCK, field.centre_mm, field.angle_deg, each, bgr_of(colour), 0.2)
        return picture_of("anthology", DISCS, view, 1, more).image

    nine, seven = picture(9), picture(7)
    x, y = view.project(np.array([BOARD.fields["trilith-1"].centre_mm]))[0].astype(int)
    around = slice(y - 120, y + 120), slice(x - 120, x + 120)
    changed = nine.copy()
    changed[around] = seven[around]  # nothing else looks otherwise
    first, second = reader.read(nine), reader.read(changed)
    assert first.fields["trilith-3"] == second.fields["trilith-3"]
    before, after = (
        max(seen.fields["trilith-1"], key=seen.fields["trilith-1"].get) for seen in (first, second)
    )
    assert (before, after) == (Thing("block", "white", count=9), Thing("block", "white", count=7))
