"""Print of one strong colour hardly shows the light's other colours: haze on it is told by the tint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.board import load_board
from tests.vision.conftest import over
from vision.geometry.view import View
from vision.prints.light import GAMMA, fit_light
from vision.prints.surface import Surface

BOARD = load_board("anthology")
VIEW = over(BOARD, elevation_deg=55)
GREEN, PAPER = (30, 185, 45), (225, 232, 238)
DIM, WARM = (0.4, 0.4, 0.4), (0.28, 0.4, 0.52)


def empty_board(ground: tuple[int, int, int]) -> Surface:
    """A photographed board of that colour (BGR), a little grained, with dark fields."""
    grain = np.random.default_rng(1).normal(0, 6, (750, 750, 1))
    picture = np.clip(np.full((750, 750, 3), ground) + grain, 0, 255).astype(np.uint8)
    picture[100:650:90, 60:700] = (70, 40, 30)
    return replace(Surface.of_image(picture, BOARD.size_mm), photographed=True)


def photograph(
    surface: Surface, view: View, light: tuple[float, float, float], haze: float
) -> NDArray[np.uint8]:
    """The board as it shows in a light (linear, BGR) of which it mirrors so much."""
    width, height = view.size_px
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    mm = view.on_plane(np.stack([x, y], axis=2).reshape(-1, 2)).astype(np.float32)
    printed = surface.sample(mm[None, None], [1.0])[0, 0].reshape(height, width, 3)
    seen = np.array(light) * (printed**GAMMA + haze)
    return np.asarray(np.clip(seen ** (1 / GAMMA), 0, 1) * 255, np.uint8)


def tints(light: tuple[float, float, float]) -> NDArray[np.float64]:
    logs = np.log(light)
    return np.asarray(logs - logs.mean())


@pytest.mark.parametrize("haze", [0.02, 0.04])
def test_haze_on_green_print_is_no_red_and_blue_light(haze: float) -> None:
    surface = empty_board(GREEN)
    found = fit_light(photograph(surface, VIEW, DIM, haze), VIEW, surface)
    assert found.veil is not None and abs(float(found.veil.mean()) - haze) < 0.015
    middle = np.array([[[250.0, 250.0]]], np.float32)
    assert np.abs(np.log(found.at(middle)[0, 0] / DIM)).max() < 0.25
    as_drawn = replace(surface, photographed=False)
    taken_for_light = fit_light(photograph(surface, VIEW, DIM, haze), VIEW, as_drawn)
    assert np.abs(np.log(taken_for_light.at(middle)[0, 0] / DIM)).max() > 0.35


@pytest.mark.parametrize("light", [DIM, WARM])
def test_pale_print_shows_the_tint_of_the_light_itself(light: tuple[float, float, float]) -> None:
    surface = empty_board(PAPER)
    found = fit_light(photograph(surface, VIEW, light, 0.0), VIEW, surface)
    assert found.veil is None
    tint = found.coefficients[0] - found.coefficients[0].mean()
    assert np.abs(tint - tints(light)).max() < 0.1


def test_green_print_without_haze_has_none() -> None:
    surface = empty_board(GREEN)
    assert fit_light(photograph(surface, VIEW, DIM, 0.0), VIEW, surface).veil is None
