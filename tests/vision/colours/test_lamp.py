"""Pieces that mirror a lamp are told by what their neighbours show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.colours.lamp import Lamp
from vision.colours.palette import Palette
from vision.pictures.images import load_image

BOARD = load_board("anthology")
PHOTO = Path(__file__).parents[3] / "sample_images" / "photos" / "build-opening-4.jpg"
NAMES = ("white", "blue", "green", "yellow", "red")
LAMP = Lamp(np.array([180.0, 240.0]), 45.0, 0.85)


class Table:
    """Pieces of five colours in rows and columns, some pale under a lamp."""

    def __init__(self, seed, lamp=None, kind="disc", spacing=42.0):
        rng = np.random.default_rng(seed)
        steps = 60.0 + spacing * np.arange(8)
        self.at_mm = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        self.kinds = [kind] * len(self.at_mm)
        self.truth = rng.integers(0, len(NAMES), len(self.at_mm))
        self.palette = Palette.of(BOARD, NAMES)
        white, paint = self.palette.shades[0], self.palette.shades[self.truth]
        self.share = np.ones(len(self.at_mm)) if lamp is None else lamp.paint(self.at_mm, self.kinds)
        lit = self.share[:, None] * paint + (1 - self.share[:, None]) * white
        self.seen = (lit + rng.normal(0, 0.012, lit.shape)).astype(np.float32)
        self.allowed = np.ones((len(self.seen), len(NAMES)), bool)

    def learnt(self, at_mm, palette=None):
        one = np.ones(len(self.seen), np.float32)
        return (palette or self.palette).adapted(self.seen, self.allowed, one, self.kinds, 1.0, at_mm)

    def wrong(self, at_mm):
        learnt = self.learnt(at_mm)
        told = learnt.beliefs(self.seen, self.allowed, self.kinds, at_mm=at_mm)
        return int((told.argmax(axis=1) != self.truth).sum())


@pytest.mark.parametrize("kind", ["disc", "block"])
@pytest.mark.parametrize("seed", range(1, 5))
def test_pale_pieces_around_one_spot_are_told_by_their_paint(seed, kind):
    table = Table(seed, LAMP, kind)
    assert table.wrong(None) >= 2
    assert table.wrong(table.at_mm) == 0


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_lamp_is_found_where_it_is(seed):
    table = Table(seed, LAMP)
    found = table.learnt(table.at_mm).lamp
    assert found is not None
    assert np.hypot(*(found.at_mm - LAMP.at_mm)) < 20
    assert np.abs(found.paint(table.at_mm, table.kinds) - table.share).max() < 0.2


@pytest.mark.parametrize("seed", range(6))
def test_where_nothing_is_pale_there_is_no_lamp(seed):
    table = Table(seed)
    assert table.learnt(table.at_mm).lamp is None
    assert table.wrong(table.at_mm) == 0


def test_pale_pieces_all_over_the_table_are_no_lamp():
    """One in five is pale, wherever it lies: their neighbours speak against a lamp."""
    table = Table(7)
    pale = np.arange(len(table.seen)) % 5 == 0
    table.seen[pale] = 0.6 * table.seen[pale] + 0.4 * table.palette.shades[0]
    found = table.learnt(table.at_mm).lamp
    assert found is None or found.paint(table.at_mm, table.kinds)[pale].mean() > 0.9


def test_pieces_in_a_shadow_are_no_lamp():
    table = Table(3)
    dark = 1 - 0.4 * np.exp(-((table.at_mm - LAMP.at_mm) ** 2).sum(axis=1) / (2 * 60.0**2))
    table.seen *= dark[:, None].astype(np.float32)
    one = np.ones(len(table.seen), np.float32)
    args = table.allowed, one, table.kinds, dark.astype(np.float32), table.at_mm
    assert table.palette.adapted(table.seen, *args).lamp is None


def test_figures_show_their_sides_and_mirror_none():
    assert LAMP.paint(LAMP.at_mm[None], ["figure"]) == pytest.approx(1.0)
    assert LAMP.paint(LAMP.at_mm[None], ["disc"]) == pytest.approx(1 - LAMP.strength)


def test_on_print_that_is_known_from_a_photograph_none_is_looked_for():
    table = Table(1, LAMP)
    foreign = replace(table.palette, mirrored=False)
    assert table.learnt(table.at_mm, foreign).lamp is None


def test_the_reader_tells_where_the_pieces_lie_that_may_mirror_it(monkeypatch):
    asked: list[np.ndarray] = []

    def found(palette, seen, allowed, weight, kinds, around, at_mm):
        asked.append(at_mm)
        return LAMP

    monkeypatch.setattr("vision.colours.palette.find_lamp", found)
    reader = Reader("anthology", game="build")
    dazzled: list[bool] = []
    paint = Lamp.paint
    monkeypatch.setattr(
        Lamp, "paint", lambda lamp, at_mm, kinds: dazzled.append(lamp is LAMP) or paint(lamp, at_mm, kinds)
    )
    reader.read(load_image(PHOTO))
    places = {place.at_mm for place in reader.places}
    assert asked and all(tuple(point) in places for points in asked for point in points.tolist())
    assert dazzled and all(dazzled)
