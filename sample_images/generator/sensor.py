"""From the light that reaches the lens to the JPEG: lens bending, blur, exposure, white balance, noise,
tone curve, sharpening. Pictures are float32 (H, W, 3), RGB, linear light, unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sample_images.generator.camera import View
from sample_images.generator.scene import Sensor

Linear = NDArray[np.float32]
Picture = NDArray[np.uint8]
GREY = 0.37  # what the meter wants the picture to be on average
WHITE = 0.85  # and what it allows the brightest part of the middle to be
# Rotation (np.rot90 turns) that a viewer applies for each EXIF orientation.
EXIF_TURNS = {1: 0, 3: 2, 6: -1, 8: 1}


def frame_to_render(view: View) -> tuple[int, int]:
    """(width, height) in px of the straight picture that holds all that the bent one shows."""
    if not (view.k1 or view.k2):
        return view.width_px, view.height_px
    right, bottom = view.width_px - 1, view.height_px - 1
    steps = np.linspace(0, 1, 41)
    edge = [(s * right, y) for s in steps for y in (0, bottom)] + [
        (x, s * bottom) for s in steps for x in (0, right)
    ]
    reach = np.abs(view.undistorted(edge)).max(axis=0) * view.focal_px
    width, height = (int(2 * np.ceil(value) + 5) for value in reach)
    return max(width, 16), max(height, 16)


def bend(straight: Linear, view: View) -> Linear:
    """The picture as the lens bends it; `straight` has the size of `frame_to_render`."""
    height, width = straight.shape[:2]
    if not (view.k1 or view.k2):
        return straight
    x, y = np.meshgrid(np.arange(view.width_px), np.arange(view.height_px))
    flat = view.undistorted(np.c_[x.ravel(), y.ravel()]) * view.focal_px + ((width - 1) / 2, (height - 1) / 2)
    maps = flat.reshape(view.height_px, view.width_px, 2).astype(np.float32)
    bent = cv2.remap(straight, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.maximum(bent, 0)


@dataclass(frozen=True)
class Metering:
    """The gains (3,) of red, green, blue that a camera settled on."""

    gains: tuple[float, float, float]


def meter(light: Linear, sensor: Sensor, light_colour: NDArray[np.float64]) -> Metering:
    """Exposure from the picture's brightness (its middle counts double), white balance from the light's
    colour (red, green, blue on a white surface; only the ratios count)."""
    luminance = light @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
    height, width = luminance.shape
    middle = luminance[height // 5 : -height // 5, width // 5 : -width // 5]
    level = (np.minimum(luminance, 4 * np.median(luminance)).mean() + 2 * middle.mean()) / 3
    bright = float(np.percentile(middle, 98))
    gain = min(GREY / max(level, 1e-9), WHITE / max(bright, 1e-9)) * 2**sensor.exposure_ev
    balance = (light_colour.mean() / np.maximum(light_colour, 1e-9)) ** sensor.white_balance
    balance = balance * np.array(sensor.tint)
    balance /= balance @ np.array([0.2126, 0.7152, 0.0722])
    red, green, blue = gain * balance
    return Metering((float(red), float(green), float(blue)))


def expose(light: Linear, sensor: Sensor, metering: Metering, seed: int) -> Picture:
    """The developed picture, uint8 RGB."""
    chance = np.random.default_rng(seed)
    light = _blur(light, sensor)
    light = light * _vignette(light.shape[:2])[..., None]
    light = light * np.array(metering.gains, dtype=np.float32)
    light = _noisy(light, sensor.noise, chance)
    shown = _tone(light, sensor.contrast)
    if sensor.sharpening:
        soft = cv2.GaussianBlur(shown, (0, 0), 1.1)
        shown = shown + 1.6 * sensor.sharpening * (shown - soft)
    return np.clip(shown * 255 + chance.uniform(0, 1, shown.shape), 0, 255).astype(np.uint8)


def save_photo(picture: Picture, path: Path, quality: int, orientation: int = 1) -> None:
    """Write a JPEG; with an EXIF orientation the file is stored turned and a viewer turns it back."""
    stored = np.rot90(picture, -EXIF_TURNS[orientation])
    exif = Image.Exif()
    if orientation != 1:
        exif[0x0112] = orientation
    Image.fromarray(np.ascontiguousarray(stored)).save(
        path, quality=quality, subsampling=2, exif=exif, optimize=True
    )


def _blur(light: Linear, sensor: Sensor) -> Linear:
    if sensor.blur_px > 0.1:
        light = cv2.GaussianBlur(light, (0, 0), sensor.blur_px)
    if sensor.motion_px > 0.5:
        size = int(np.ceil(sensor.motion_px)) | 1
        kernel = np.zeros((size, size), np.float32)
        turn = np.radians(sensor.motion_deg)
        for step in np.linspace(-0.5, 0.5, 8 * size):
            x, y = (size // 2 + step * sensor.motion_px * part for part in (np.cos(turn), np.sin(turn)))
            kernel[int(np.clip(round(y), 0, size - 1)), int(np.clip(round(x), 0, size - 1))] += 1
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    return light


def _vignette(shape: tuple[int, ...]) -> Linear:
    height, width = shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return (1 - 0.11 * (x**2 + y**2)).astype(np.float32)


def _noisy(light: Linear, noise: float, chance: np.random.Generator) -> Linear:
    """Shot and read noise, smeared as a camera's own noise reduction does: colour more than brightness."""
    if noise <= 0:
        return light
    spread = np.sqrt((0.02 * noise) ** 2 + (0.05 * noise) ** 2 * np.maximum(light, 0))
    grain = chance.standard_normal(light.shape).astype(np.float32)
    fine = cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.7
    coarse = cv2.GaussianBlur(grain[::-1], (0, 0), 2.2) * 4.5
    grey = fine.mean(axis=2, keepdims=True)
    return light + spread * (0.7 * grey + 0.35 * fine + 0.3 * coarse)


def _tone(light: Linear, contrast: float) -> Linear:
    """sRGB with a soft shoulder above 0.8 and an S-curve."""
    light = np.maximum(light, 0)
    over = np.maximum(light - 0.8, 0)
    light = np.where(light > 0.8, 0.8 + 0.2 * (1 - np.exp(-over / 0.2)), light)
    shown = srgb_from_linear(light)
    curve = shown * shown * (3 - 2 * shown)
    return (shown + 0.5 * contrast * (curve - shown)).astype(np.float32)


def srgb_from_linear(light: Linear | NDArray[np.float64]) -> Any:
    """Linear light, not negative -> sRGB, in the same precision."""
    root = np.power(light, 1 / 2.4, where=light > 0, out=np.zeros_like(light))
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * root - 0.055)


def linear_from_srgb(colour: NDArray[np.float64] | tuple[float, ...]) -> NDArray[np.float64]:
    """sRGB 0..1 -> linear light."""
    value = np.asarray(colour, dtype=float)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
