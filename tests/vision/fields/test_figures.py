"""Figures that look like discs from above: told by a wider look, and beside the others of their table."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from engine.board import load_board
from vision.fields import figures
from vision.fields.figures import (
    FEW_FIGURES,
    FIGURE_TO_DISC,
    LEAST,
    MANY_FIGURES,
    chances,
    channels,
    slots_of,
    tell_figures,
)
from vision.fields.network import EMPTY
from vision.fields.places import SLOTS, places_of, top_place
from vision.nets import answers
from vision.training.scenes import STORED
from vision.training.wider import composed

DISC, FIGURE = (1 + SLOTS.index(shape) for shape in ("cylinder", "figure"))


ANTHOLOGY = load_board("anthology")
RING = tuple(place for place in places_of(ANTHOLOGY, "council") if place.id.startswith("ring"))


def said(rows):
    """(N, 6) of networks that hold each place for a disc, or a figure, with such a chance."""
    kind = np.zeros((len(rows), 6), np.float32)
    for row, (disc, figure) in zip(kind, rows, strict=True):
        row[[EMPTY, DISC, FIGURE]] = 1 - disc - figure, disc, figure
    return kind


def seen(monkeypatch, scores):
    """A sight of which the wide network says that, and the places that it was asked about."""
    asked = []

    def log_odds(_, places):
        asked.extend(place.id for place in places)
        return np.array([scores.get(place.id, -6.0) for place in places], np.float32)

    monkeypatch.setattr(figures, "log_odds", log_odds)
    return SimpleNamespace(), asked


def test_what_stands_out_among_a_tables_discs_is_a_figure():
    """From above all of a maker's cones look rather like discs, but less so than each of its discs."""
    discs, cones = np.full(12, -5.0), np.full(4, -2.2)
    assert (chances(np.concatenate([discs, cones]), MANY_FIGURES)[12:] > 0.5).all()
    assert (chances(np.concatenate([discs, cones]), MANY_FIGURES)[:12] < 0.05).all()


def test_discs_of_a_make_that_looks_like_figures_are_discs():
    """Where all look alike and one stands out, that one is the figure."""
    tall, figure = np.random.default_rng(1).normal(-3.4, 0.3, 12), [4.0]
    told = chances(np.array([*tall, *figure]), FEW_FIGURES)
    assert (told[:12] < 0.05).all()
    assert told[12] > 0.7


def test_figures_are_rarer_in_our_games():
    assert chances(np.array([-1.0]), FEW_FIGURES) < chances(np.array([-1.0]), MANY_FIGURES)


def test_only_what_is_in_doubt_is_told_anew(monkeypatch):
    kind = said([(0.7, 0.29), *[(0.996, 0.003)] * 20, (0.001, 0.998), (0.2, 0.01)])
    sight, asked = seen(monkeypatch, {RING[0].id: 4.0})
    told = tell_figures(sight, RING[: len(kind)], kind, FEW_FIGURES)
    assert told[0, FIGURE] > 0.65
    assert np.array_equal(told[1:], kind[1:])
    assert told.sum(axis=1) == pytest.approx(1)
    assert asked[0] == RING[0].id
    # Beside it some sure ones are asked about; of what is probably neither nothing is.
    assert 3 < len(asked) <= 8
    assert RING[len(kind) - 1].id not in asked


def test_nothing_is_asked_where_all_is_sure(monkeypatch):
    kind = said([(1 - LEAST / 3, LEAST / 3)] * 5)
    sight, asked = seen(monkeypatch, {})
    assert tell_figures(sight, RING[:5], kind, FEW_FIGURES) is kind
    assert not asked


def test_how_rare_figures_are_counts_once(monkeypatch):
    """`beliefs.weighed` still takes them for rarer than the networks do."""
    sight, _ = seen(monkeypatch, {RING[0].id: -1.0})
    told = tell_figures(sight, RING[:1], said([(0.7, 0.3)]), FEW_FIGURES)[0]
    after = told[FIGURE] * FIGURE_TO_DISC / (told[FIGURE] * FIGURE_TO_DISC + told[DISC])
    score = (np.log(0.3 / 0.7) - 1.0) / 2
    assert after == pytest.approx(chances(np.array([score]), FEW_FIGURES)[0], rel=1e-3)


def test_it_is_asked_only_where_a_disc_or_a_figure_may_stand():
    build = {place.id: place for place in places_of(ANTHOLOGY, "build")}
    assert slots_of(build["bluestone-1"]) == (SLOTS.index("cylinder"), SLOTS.index("figure"))
    assert slots_of(build["ring-1"]) is None
    capstone = top_place(ANTHOLOGY, build["trilith-1"], ("disc", "figure"))
    assert slots_of(capstone) is None


@pytest.mark.slow
def test_the_network_tells_figures_of_sets_that_it_has_not_seen():
    """Composed tables: those that it learnt from have other numbers."""
    rng = np.random.default_rng(987654)
    made = [each for each in (composed(rng) for _ in range(16)) if each is not None]
    crops, are_figures = (np.concatenate(part) for part in zip(*made, strict=True))
    logits = answers("figure", channels(crops.astype(np.float32) / STORED))[0][:, 0]
    assert are_figures.sum() > 30
    assert (~are_figures).sum() > 30
    assert ((logits > 0) == are_figures).mean() > 0.9
