"""The pieces of the second renderer's tables: closed solids, as large as told, of many shapes."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from sample_images.generator.strangers.outlines import flat_man, random_disc, random_figure
from sample_images.generator.strangers.solids import Solid, around_z, box, joined, laid_down, lathe, slab


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


@pytest.fixture
def photographed(tmp_path: Path):
    """The lesson of a table, in a room of noise."""
    pytest.importorskip("mitsuba", reason="Mitsuba is not installed: nothing can be path traced")
    room = tmp_path / "room.hdr"
    cv2.imwrite(str(room), np.random.default_rng(1).uniform(0.2, 1, (32, 64, 3)).astype(np.float32))
    try:
        from sample_images.generator.strangers.tables import lesson
    except (OSError, RuntimeError) as error:
        pytest.skip(f"Mitsuba cannot be used: {error}")
    return lambda table, game=None: lesson(table, [room], 2, game)


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
