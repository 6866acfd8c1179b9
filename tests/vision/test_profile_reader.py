"""A profile in the reader: its lens bends the view, and a changed camera or board is said."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from calibration.lens import Lens
from calibration.profile import Profile, jpeg_of
from engine.board import load_board
from sample_images.flat import FlatCamera, Stand
from vision import Reader
from vision.colours.palette import Palette

BOARD = load_board("knizia")
LENS = Lens((960, 540), 560.0, (486.0, 264.0), (-0.3, 0.1, 0.0, 0.0, -0.015), "charuco", 0.1, 0.001, 9)
STAND = Stand((180, 430, 330), (180, 195))
PROFILE = Profile("test", BOARD, LENS, own_print=True)


@cache
def photo(style: str = "chalk") -> NDArray[np.uint8]:
    return FlatCamera(LENS, seed=1).take(render_artwork(BOARD, 4.0, style=style), 4.0, STAND)


def test_the_lens_of_the_profile_is_used() -> None:
    reader = Reader(BOARD, game="stonehenge", profile=PROFILE)
    seen = reader.read(photo())
    truth = FlatCamera(LENS).pixels([[0, 0], [360, 0], [360, 360], [0, 360]], STAND)
    assert np.abs(np.array(seen.corners_px) - truth).max() < 0.8
    assert "warnings" not in seen.quality and not seen.position.pieces
    assert reader.sight is not None and reader.sight.view.distortion == LENS.distortion


def test_another_camera_is_noticed_and_said() -> None:
    wrong = replace(LENS, focal_px=900.0, distortion=(0.1, 0.0, 0.0, 0.0, 0.0))
    seen = Reader(BOARD, game="stonehenge", profile=replace(PROFILE, lens=wrong)).read(photo())
    assert ["lens does not fit this camera" in warning["en"] for warning in seen.quality["warnings"]] == [
        True
    ]
    other = replace(PROFILE, lens=replace(LENS, size_px=(640, 480)))
    seen = Reader(BOARD, game="stonehenge", profile=other).read(photo())
    assert "another shape" in seen.quality["warnings"][0]["en"]
    assert "anderes Format" in seen.quality["warnings"][0]["de"]


@pytest.mark.parametrize("factor", [0.85, 1.15])
def test_a_focal_length_that_is_wrong_is_noticed_and_not_kept(factor: float) -> None:
    """A zoom that was moved: the picture is read with what the board shows, and it is said."""
    wrong = replace(PROFILE, lens=replace(LENS, focal_px=factor * LENS.focal_px))
    reader = Reader(BOARD, game="stonehenge", profile=wrong)
    seen = reader.read(photo())
    assert "lens does not fit this camera" in seen.quality["warnings"][0]["en"]
    assert reader.sight is not None and reader.sight.view.focal_px == pytest.approx(LENS.focal_px, rel=0.02)


def test_another_board_is_noticed_and_said() -> None:
    elsewhere = Profile("test", BOARD, LENS, reference=jpeg_of(photo("night")))
    seen = Reader(BOARD, game="stonehenge", profile=elsewhere).read(photo())
    assert any("board looks different" in warning["en"] for warning in seen.quality["warnings"])
    same = replace(elsewhere, reference=jpeg_of(photo()))
    assert "warnings" not in Reader(BOARD, game="stonehenge", profile=same).read(photo()).quality


def test_the_shades_of_a_profile_are_where_the_palette_starts() -> None:
    palette = Palette.of(BOARD, ("black", "brown"))
    told = palette.with_known({"druid": {"brown": (180, 140, 100)}})
    brown, black = told.of_kind["druid"].shades[1], told.of_kind["druid"].shades[0]
    assert brown == pytest.approx(np.array([100, 140, 180]) / 255)
    # What was not shown moves as what was.
    assert np.sign(black - palette.shades[0]) == pytest.approx(np.sign(brown - palette.shades[1]))
    seen = np.tile(brown * 0.95, (6, 1)).astype(np.float32)
    learnt = told.adapted(seen, np.ones((6, 2), bool), np.ones(6, np.float32), ["druid"] * 6)
    assert np.abs(learnt.of_kind["druid"].shades[1] - seen[0]).max() < 0.06 and learnt.known is told.known
    chances = learnt.beliefs(seen, np.ones((6, 2), bool), ["druid"] * 6)
    assert (chances.argmax(axis=1) == 1).all()
