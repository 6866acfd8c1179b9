"""Photographs by Mitsuba, a path tracer: the light of a scene, which piece each pixel shows, and a camera."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import drjit as dr
import mitsuba as mi
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sample_images.generator.camera import View, board_corners
from sample_images.generator.sensor import bend, frame_to_render, srgb_from_linear
from sample_images.generator.strangers.meshes import mesh
from sample_images.generator.strangers.pieces import Surface
from sample_images.generator.strangers.rooms import bystanders, lights, sheet, table_and_floor
from sample_images.generator.strangers.solids import Solid

if mi.variant() != "llvm_ad_rgb":
    mi.set_variant("llvm_ad_rgb")

Array = NDArray[np.float64]
Linear = NDArray[np.float32]
# From the board's axes (y towards the reader, z down) to the renderer's.
FLIP = np.diag([1.0, -1.0, -1.0])
DEPTH = 4
# A straight picture, from which the bent one is taken, has no more pixels than so many times the latter.
MOST_RENDERED = 4
# How bright most of the board is meant to be, of what the sensor holds.
WHITE = 0.82


@dataclass(frozen=True)
class Traced:
    """A photograph (H, W, 3) uint8 BGR; who is seen at each pixel of it, (H, W): 0 the board or what is
    beside it, n the n-th of `owners`, -1 a thing beside the board; the light's name."""

    photo: NDArray[np.uint8]
    seen: NDArray[np.int64]
    owners: tuple[str, ...]
    light: str

    def cast(self, view: View) -> Callable[[Array], tuple[str | None, float]]:
        """What is met on the way to a point (mm), for the labels."""

        def met(point: Array) -> tuple[str | None, float]:
            column, row = np.round(view.project(point[None])[0]).astype(int)
            number = int(self.seen[row, column])
            return ("board" if number == 0 else "beside" if number < 0 else self.owners[number - 1]), math.inf

        return met


def photograph(
    print_bgr: NDArray[np.uint8],
    size_mm: tuple[float, float],
    view: View,
    pieces: Sequence[tuple[str, Solid, Surface]],
    environments: list[Path],
    chance: random.Random,
    rng: Generator,
    *,
    rays: int,
    poor: bool = False,
) -> Traced:
    """A photograph of a print with these pieces, each (owner, solid, surface), in a room drawn at random.

    rays: light paths per pixel; fewer look like a noisy sensor. poor: dim, soft or noisy. Raises ValueError
    if the lens bends too much or all is dark."""
    width, height = size_mm
    gloss = {"roughness": chance.uniform(0.2, 0.8), "specular": chance.uniform(0.2, 0.6)}
    shown = mi.Bitmap(np.ascontiguousarray(print_bgr[::-1, :, ::-1]))
    surface = {"type": "principled", "base_color": {"type": "bitmap", "bitmap": shown}, **gloss}
    edge = (
        mi.ScalarTransform4f().translate([width / 2, -height / 2, -1.3]).scale([width / 2, height / 2, 1.2])
    )
    light, name = lights(chance, environments, size_mm)
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": DEPTH},
        "board": sheet((width / 2, -height / 2, 0), (width / 2, height / 2), surface),
        "core": {"type": "cube", "to_world": edge, "bsdf": {"type": "diffuse"}},
        "sensor": _sensor(view, rays),
        **table_and_floor(rng, size_mm),
        **light,
    }
    owner_of: dict[str, str] = {}
    for number, (owner, solid, painted) in enumerate(pieces):
        key = f"piece-{number}"
        scene[key], owner_of[key] = mesh(key, solid, painted), owner
    for number, (solid, painted) in enumerate(bystanders(chance, rng, size_mm)):
        key = f"beside-{number}"
        scene[key], owner_of[key] = mesh(key, solid, painted), ""
    loaded = mi.load_dict(scene, optimize=False)
    straight = np.array(mi.render(loaded, spp=rays, seed=chance.randrange(10**6)), np.float32)
    # A light's own picture in a glossy piece is one pixel of noise.
    straight = np.minimum(straight, np.percentile(straight, 99.97))
    owners = tuple(dict.fromkeys(owner for owner in owner_of.values() if owner))
    numbers = {key: owners.index(owner) + 1 if owner else -1 for key, owner in owner_of.items()}
    photo = _developed(bend(straight, view), view, size_mm, chance, rng, poor=poor)
    return Traced(photo, _seen(loaded, view, numbers), owners, name)


def _sensor(view: View, rays: int) -> dict[str, Any]:
    wide, high = frame_to_render(view)
    if wide * high > MOST_RENDERED * view.width_px * view.height_px:
        raise ValueError(f"the lens bends so much that {wide} x {high} pixels would have to be rendered")
    turned = view.rotation @ FLIP
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([-turned[0], -turned[1], turned[2]])
    pose[:3, 3] = FLIP @ view.position_mm
    return {
        "type": "perspective", "fov_axis": "x", "near_clip": 10.0, "far_clip": 20000.0,
        "fov": math.degrees(2 * math.atan(wide / 2 / view.focal_px)),
        "to_world": mi.ScalarTransform4f(pose),
        "film": {"type": "hdrfilm", "width": wide, "height": high, "pixel_format": "rgb",
                 "component_format": "float32", "rfilter": {"type": "gaussian", "stddev": 0.5}},
        "sampler": {"type": "independent", "sample_count": rays},
    }  # fmt: skip


def _seen(scene: Any, view: View, numbers: dict[str, int]) -> NDArray[np.int64]:
    """(H, W) the number of the shape that each pixel shows, 0 for those that have none."""
    columns, rows = np.meshgrid(np.arange(view.width_px), np.arange(view.height_px))
    rays = view.undistorted(np.column_stack([columns.ravel(), rows.ravel()]))
    rays = np.column_stack([rays, np.ones(len(rays))]) @ (view.rotation @ FLIP)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    begin = mi.Point3f(*(float(v) for v in FLIP @ view.position_mm))
    met = scene.ray_intersect(mi.Ray3f(begin, mi.Vector3f(*rays.T))).shape
    dr.eval(met)
    which = dr.reinterpret_array(mi.UInt32, met).numpy()
    found = np.zeros(len(which), np.int64)
    for shape in scene.shapes():
        if number := numbers.get(shape.id(), 0):
            found[which == dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape)).numpy()[0]] = number
    return found.reshape(view.height_px, view.width_px)


def _developed(
    light: Linear,
    view: View,
    size_mm: tuple[float, float],
    chance: random.Random,
    rng: Generator,
    *,
    poor: bool,
) -> NDArray[np.uint8]:
    """What a camera makes of the light: metered on the board, a part of its cast taken away, a little soft,
    noisy, with a shoulder and a tone curve, sharpened. uint8 BGR. Raises ValueError if all is dark."""
    board = np.zeros(light.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, np.round(view.project(board_corners(size_mm))).astype(np.int32), 1)
    there = light[board > 0]
    if not there.any(axis=0).all():
        raise ValueError("no light falls on the board")
    balance = (there.mean() / there.mean(axis=0)) ** chance.uniform(0.3, 0.9)
    bright = float(np.percentile(there @ [0.2126, 0.7152, 0.0722], 96))
    picture = light * balance * (chance.uniform(0.8, 1.25) * WHITE / bright)
    if poor and chance.random() < 0.4:
        picture = picture * chance.uniform(0.3, 0.7)
    picture = cv2.GaussianBlur(
        picture, (0, 0), chance.uniform(0.5, 1.4) if poor else chance.uniform(0.4, 0.8)
    )
    noise = chance.uniform(0.0004, 0.003) * (3 if poor and chance.random() < 0.4 else 1)
    spread = np.sqrt(np.maximum(picture, 0) * noise + 0.01 * noise**1.5)
    picture = np.maximum(picture + rng.normal(size=picture.shape) * spread, 0)
    shoulder = chance.uniform(0.75, 0.95)
    room = 1 - shoulder
    picture = np.where(
        picture > shoulder, shoulder + room * (1 - np.exp(-(picture - shoulder) / room)), picture
    )
    shown = srgb_from_linear(picture)
    contrast, strong = chance.uniform(0, 0.35), chance.uniform(0.9, 1.2)
    shown = shown * (1 - contrast) + contrast * shown**2 * (3 - 2 * shown)
    grey = (shown @ [0.3, 0.59, 0.11])[..., None]
    shown = np.clip(255 * (grey + strong * (shown - grey)), 0, 255)
    if chance.random() < 0.6:
        shown = shown + chance.uniform(0.2, 0.7) * (shown - cv2.GaussianBlur(shown, (0, 0), 1.2))
    return np.asarray(np.clip(shown + 0.5, 0, 255), np.uint8)[..., ::-1].copy()
