"""What glossy print mirrors lies over it like a veil, but not over what stands on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.prints.light import GAMMA, Samples, fit_light
from vision.prints.printed import printed_surface

VEIL = 0.3


def mirrored(picture, surface, thick: float) -> np.ndarray:
    """The picture with a window mirrored in the left part of its board; the light on it is known from the
    picture without."""
    height, width = picture.image.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    mm = picture.view.on_plane(np.stack([x, y], axis=2).reshape(-1, 2)).astype(np.float32)
    across = np.clip(mm[:, :1] / picture.board.size_mm[0], 0, 1)
    veil = thick / (1 + np.exp((across - 0.35) / 0.05))
    light = fit_light(picture.image, picture.view, surface).at(mm)
    linear = (picture.image / 255) ** GAMMA + (veil * light).reshape(height, width, 3)
    return (np.clip(linear, 0, 1) ** (1 / GAMMA) * 255).astype(np.uint8)


@pytest.mark.parametrize("style", ["chalk", "parchment"])
def test_a_veil_is_told_from_light(picture_of, style):
    picture = picture_of("anthology", style=style)
    surface = printed_surface(picture.board, style)
    clear = fit_light(picture.image, picture.view, surface)
    image = mirrored(picture, surface, VEIL)
    veiled = fit_light(image, picture.view, surface)
    assert clear.veil is None and veiled.veil is not None
    columns = veiled.veil.shape[1]
    left, right = veiled.veil[:, : columns // 4], veiled.veil[:, -columns // 2 :]
    assert 0.1 < np.median(left) < 0.5 and np.median(right) < 0.05
    # Of a piece that stands there the light is known better: the veil does not lie over it.
    mm = np.array([[[0.15, 0.3], [0.15, 0.7]]], np.float32) * np.array(picture.board.size_mm, np.float32)
    taken_for_light = Samples.of(image, picture.view, picture.board.size_mm).light(surface)
    wrong = [np.abs(np.log(light.at(mm) / clear.at(mm))).max() for light in (veiled, taken_for_light)]
    assert wrong[0] < 0.7 * wrong[1]
    assert (veiled.shown(surface, mm, [1.0]) - surface.sample(mm, [1.0]) > 0.02).all()


@pytest.mark.parametrize("style", ["chalk", "night", "parchment"])
def test_neither_blur_nor_a_slope_of_light_is_a_veil(picture_of, style):
    picture = picture_of("anthology", style=style)
    surface = printed_surface(picture.board, style)
    slope = np.linspace(0.6, 1.2, picture.image.shape[1])[None, :, None]
    dim = np.clip(cv2.GaussianBlur(picture.image, (0, 0), 1.5) * slope, 0, 255).astype(np.uint8)
    assert fit_light(dim, picture.view, surface).veil is None
