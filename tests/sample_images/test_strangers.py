"""The pieces of the second renderer's tables: closed solids, as large as told, of many shapes."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from sample_images.generator.sets import Figure
from sample_images.generator.strangers.outlines import flat_man, random_disc, random_figure, standing_ball
from sample_images.generator.strangers.solids import (
    Solid,
    around_z,
    box,
    joined,
    laid_down,
    lathe,
    slab,
    smoothed,
)


def volume(solid: Solid) -> float:
    """Of a closed body whose triangles all look outwards (divergence theorem)."""
    corners = solid.vertices[solid.triangles]
    return float((corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


@pytest.mark.parametrize(
    ("solid", "mm3"),
    [
        (box(25, 6, 8, 1e-6), 25 * 6 * 8),
        (lathe([(0, 0), (8, 0), (8, 5), (0, 5)], 400), math.pi * 64 * 5),
        (lathe([(0, 0), (8, 0), (0, 30)], 400, flattened=0.5), math.pi * 64 * 30 / 3 / 2),
        (slab([(-4, 0), (4, 0), (4, 20), (-4, 20)], 3), 8 * 20 * 3),
        (joined(box(2, 2, 2, 1e-6), box(2, 2, 2, 1e-6).moved(by=(9, 0, 0))), 16),
    ],
)
def test_solids_are_closed_and_as_large_as_told(solid: Solid, mm3: float) -> None:
    assert volume(solid) == pytest.approx(mm3, rel=1e-3)
    turned = solid.moved(around_z(33) @ laid_down(), (100, -50, 7))
    assert volume(turned) == pytest.approx(mm3, rel=1e-3)


def test_a_bevel_takes_a_little_away() -> None:
    assert 0.85 * 25 * 6 * 8 < volume(box(25, 6, 8, 1.0)) < 25 * 6 * 8


def test_what_stands_is_laid_down_along_x() -> None:
    figure = lathe([(0, 0), (8, 0), (0, 30)]).moved(laid_down())
    assert np.ptp(figure.vertices, axis=0) == pytest.approx([30, 16, 16], abs=0.1)


@pytest.mark.parametrize("seed", range(40))
def test_figures_and_discs_have_the_sizes_asked_for(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure, disc = np.array(random_figure(rng, 16, 32)), np.array(random_disc(rng, 15, 5))
    assert figure[:, 1].max() == pytest.approx(32, abs=0.1)
    assert 2 * figure[:, 0].max() <= 16.0 * 1.05
    assert 2 * disc[:, 0].max() == pytest.approx(15, abs=0.7)
    assert disc[:, 1].max() <= 1.35 * 5
    for profile in (figure, disc):
        assert (profile >= -1e-9).all()
        assert profile[0].tolist() == [0, 0]
        assert profile[-1, 0] == pytest.approx(0, abs=1e-9)
        assert volume(lathe([(float(r), float(z)) for r, z in profile])) > 0


def test_figures_are_of_many_shapes() -> None:
    rng = np.random.default_rng(7)
    sizes = {round(volume(lathe(random_figure(rng, 16, 32)))) for _ in range(60)}
    assert len(sizes) > 50
    assert max(sizes) > 3 * min(sizes)


def test_a_flat_man_is_even_and_stands() -> None:
    outline = np.array(flat_man(16, 32))
    assert sorted(outline[:, 0].round(6).tolist()) == sorted((-outline[:, 0]).round(6).tolist())
    assert np.ptp(outline, axis=0) == pytest.approx([17.6, 0.97 * 32])
    assert volume(slab([(x, z) for x, z in outline], 6)) > 0


def test_a_ball_stands_on_what_is_cut_off() -> None:
    ball = np.array(standing_ball(9, 8))
    assert ball[0].tolist() == [0, 0]
    assert ball[:, 1].min() == pytest.approx(0, abs=1e-9)
    assert ball[:, 1].max() == pytest.approx(17)
    assert ball[:, 0].max() == pytest.approx(9, abs=0.1)


def test_a_ball_is_shaded_as_one_round_surface() -> None:
    ball = lathe(standing_ball(9, 8))
    dented = Solid(ball.vertices, np.zeros_like(ball.normals), ball.grain, ball.triangles)
    away = ball.vertices - (0, 0, 8)
    above = ball.vertices[:, 2] > 3
    ways = away[above] / np.linalg.norm(away[above], axis=1, keepdims=True)
    assert (smoothed(dented).normals[above] * ways).sum(axis=1).min() > 0.98


@pytest.fixture
def traced() -> None:
    """Skips where nothing can be path traced."""
    pytest.importorskip("mitsuba", reason="Mitsuba is not installed: nothing can be path traced")
    try:
        from sample_images.generator.strangers import meshes  # noqa: F401
    except (OSError, RuntimeError) as error:
        pytest.skip(f"Mitsuba cannot be used: {error}")


@pytest.mark.usefixtures("traced")
def test_what_marks_a_front_is_ahead_and_even() -> None:
    from sample_images.generator.strangers.faces import looking

    ahead, aside = [], []
    for seed in range(60):
        body, *marks = looking(np.random.default_rng(seed), Figure(), faced=True)
        assert body[0].vertices[:, 2].min() > -0.01
        points = np.concatenate([solid.vertices[solid.triangles].mean(axis=1) for solid, _ in marks])
        ahead.append(points[:, 0].mean())
        aside.append(points[:, 1].mean())
    # Of some boulders the front is so steep that hardly anything can be painted on it.
    assert np.mean(np.array(ahead) > 0) > 0.9
    assert np.mean(np.abs(aside) < 1.0) > 0.9


@pytest.mark.usefixtures("traced")
def test_without_a_front_all_sides_are_alike() -> None:
    from sample_images.generator.strangers.faces import looking

    for seed in range(20):
        parts = looking(np.random.default_rng(seed), Figure(), faced=False)
        assert all(abs(solid.vertices[:, :2].mean(axis=0)).max() < 1.5 for solid, _ in parts)


@pytest.fixture
def photographed(tmp_path: Path, traced: None):
    """The lesson of a table, in a room of noise."""
    from sample_images.generator.strangers.tables import lesson

    room = tmp_path / "room.hdr"
    cv2.imwrite(str(room), np.random.default_rng(1).uniform(0.2, 1, (32, 64, 3)).astype(np.float32))
    return lambda table, game=None, **more: lesson(table, [room], 2, game, **more)


def test_stone_figures_of_many_makes_stand_around_the_ring(photographed) -> None:
    pieces = photographed(2, full=True).label["pieces"]
    figures = [piece for piece in pieces if piece["kind"] == "figure"]
    assert len(figures) > 8
    assert {piece["colour"] for piece in figures} == {"grey"}
    assert {piece.get("facing") for piece in figures} >= {"clockwise", "anticlockwise"}


def test_a_game_may_be_asked_for(photographed) -> None:
    made = photographed(0, "rolling")
    assert made.label["game"] == "rolling"
    assert made.board is None
    assert any(piece.get("field") is None for piece in made.label["pieces"])


def test_a_lens_that_bends_too_much_is_refused(photographed) -> None:
    with pytest.raises(ValueError, match="the lens bends so much"):
        photographed(5184)


@pytest.mark.parametrize("table", [0, 3])
def test_a_table_is_photographed_with_its_label(photographed, table: int) -> None:
    made = photographed(table)
    width, height = made.label["camera"]["size_px"]
    assert made.photo.shape == (height, width, 3)
    assert made.photo.std() > 10
    assert made.label["pieces"]
    assert (made.board is None) == (made.label["game"] is not None)
    assert len(made.label["occluded"]) < len(made.label["pieces"])
