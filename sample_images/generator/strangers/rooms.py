"""The room of a photograph: the table, what stands around the board, and the light. As shapes for Mitsuba."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from sample_images.generator.sensor import linear_from_srgb
from sample_images.generator.strangers.pieces import clouds, painted, pictured, surfaced
from sample_images.generator.strangers.solids import Array, Solid, around_z, box, lathe

Shape = dict[str, Any]
TABLE_MM, FLOOR_MM = -2.6, -720.0
LIGHTS = ("room", "room", "room", "lamp", "window", "sun", "ceiling")
# How much of a captured room's light is left beside a light of its own; how bright that is on the board.
ROOM_LEFT = {"room": 1.0, "lamp": 0.25, "window": 0.35, "sun": 0.4, "ceiling": 0.3}
LIT = {"lamp": 2.2, "window": 3.2, "sun": 2.6, "ceiling": 1.4}


def table_and_floor(rng: Generator, size_mm: tuple[float, float]) -> dict[str, Shape]:
    """A table of wood, cloth, stone or anything plain, and the floor."""
    width, height = size_mm
    kind = rng.choice(["wood", "wood", "cloth", "plain", "stone"])
    size = 512
    if kind == "wood":
        shade = np.array((90, 55, 30.0)) + rng.uniform(0, 1) * np.array((100, 85, 65.0))
        uneven, strong = clouds(rng, size, beta=0.8, stretch=12), 0.16
    elif kind == "cloth":
        shade = rng.uniform(60, 215) + rng.normal(0, 12, 3)
        rows, columns = np.mgrid[0:size, 0:size]
        uneven, strong = np.sin(1.3 * rows) + np.sin(1.3 * columns) + 0.5 * clouds(rng, size), 0.06
        if rng.random() < 0.4:
            uneven = uneven + 4 * ((rows // 64 + columns // 64) % 2)
    else:
        low, high, strong = (40, 235, 0.05) if kind == "plain" else (90, 170, 0.15)
        shade = rng.uniform(low, high) + rng.normal(0, 12, 3)
        uneven = clouds(rng, size, beta=0.7)
    tinted = linear_from_srgb(np.clip(shade, 8, 245) / 255) * (1 + strong * uneven)[..., None]
    surface = {"type": "principled", "base_color": pictured(tinted), "specular": 0.4,
               "roughness": float(rng.uniform(0.3, 0.9))}  # fmt: skip
    return {
        "table": sheet((width / 2, -height / 2, TABLE_MM), (1100, 800), surface),
        "floor": sheet((0, 0, FLOOR_MM), (6000, 6000), {
            "type": "diffuse", "reflectance": painted(rng.uniform(80, 170, 3))}),
    }  # fmt: skip


def bystanders(
    chance: random.Random, rng: Generator, size_mm: tuple[float, float]
) -> list[tuple[Solid, Shape]]:
    """Up to four mugs and boxes beside the board, each with its surface."""
    width, height = size_mm
    found = []
    for _ in range(chance.randint(0, 4)):
        turn, reach = chance.uniform(0, 2 * math.pi), 0.78 * max(width, height) + chance.uniform(0, 160)
        at = (width / 2 + reach * math.cos(turn), -height / 2 + reach * math.sin(turn), TABLE_MM)
        solid = box(chance.uniform(60, 160), chance.uniform(50, 120), chance.uniform(8, 60), 2)
        if chance.random() < 0.5:
            solid = lathe([(0, 0), (38, 0), (42, 6), (42, 95), (38, 95), (37, 10), (0, 8)], 40)
        surface = surfaced(painted(rng.uniform(20, 240, 3)), float(rng.uniform(0.1, 0.8)))
        solid = solid.moved(around_z(chance.uniform(0, 360)), at)
        found.append((solid, surface))
    return found


def lights(
    chance: random.Random, environments: list[Path], size_mm: tuple[float, float]
) -> tuple[dict[str, Shape], str]:
    """A captured room, mostly with a lamp, a window, the sun or ceiling lamps; and its name for the label."""
    import mitsuba as mi

    kind, room = chance.choice(LIGHTS), chance.choice(environments)
    picture = cv2.imread(str(room), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError(f"{room} is no picture of a room's light")
    light = picture[..., ::-1].astype(np.float32)
    turned = mi.ScalarTransform4f().rotate([0, 0, 1], chance.uniform(0, 360)).rotate([1, 0, 0], 90)
    # Beyond this a few pixels would be all the light, and noise.
    captured = np.ascontiguousarray(np.minimum(light, np.percentile(light, 99.99)))
    found: dict[str, Shape] = {"room": {
        "type": "envmap", "bitmap": mi.Bitmap(captured), "to_world": turned,
        "scale": float(ROOM_LEFT[kind] / light.mean()),
    }}  # fmt: skip
    middle, side = np.array([size_mm[0] / 2, -size_mm[1] / 2, 0.0]), chance.uniform(0, 2 * math.pi)
    towards = np.array([math.cos(side), math.sin(side), 0])
    if kind == "lamp":
        at = middle + chance.uniform(100, 700) * towards + (0, 0, chance.uniform(600, 1100))
        half = chance.uniform(40, 160)
        warm = np.array([1, 0.72, 0.42]) if chance.random() < 0.6 else np.array([1, 0.9, 0.76])
        found["lamp"] = _panel(at, middle, (half, half), LIT[kind] * warm)
    elif kind == "ceiling":
        for number in range(chance.choice([1, 2, 3])):
            at = middle + np.array([chance.uniform(-1500, 1500), chance.uniform(-1500, 1500), 1700])
            half = chance.uniform(100, 400)
            shape = half, half * chance.uniform(0.3, 1)
            lit = LIT[kind] * np.array([1, 0.9, 0.75])
            found[f"lamp-{number}"] = _panel(at, at - (0, 0, 1000), shape, lit, onto=middle)
    elif kind == "window":
        at = middle + 1500 * towards + (0, 0, chance.uniform(500, 1100))
        found["window"] = _panel(at, middle, (500, 600), LIT[kind] * np.array([0.8, 0.92, 1.1]))
    elif kind == "sun":
        high = math.radians(chance.uniform(25, 65))
        ray = -math.cos(high) * towards - (0, 0, math.sin(high))
        power = [LIT[kind] * tone for tone in (1, 0.93, 0.8)]
        found["sun"] = {"type": "directional", "direction": ray.tolist(),
                        "irradiance": {"type": "rgb", "value": power}}  # fmt: skip
    return found, f"{kind}:{room.stem}"


def sheet(at: tuple[float, float, float], half: tuple[float, float], surface: Shape) -> Shape:
    """A level rectangle around a point, so far to each side."""
    import mitsuba as mi

    return {"type": "rectangle", "bsdf": surface,
            "to_world": mi.ScalarTransform4f().translate(list(at)).scale([*half, 1])}  # fmt: skip


def _panel(
    at: Array, target: Array, half: tuple[float, float], lit: Array, onto: Array | None = None
) -> Shape:
    """A shining rectangle that looks at `target` and lights what lies at `onto` (or there) as told, (3,)."""
    import mitsuba as mi

    way = at - (target if onto is None else onto)
    facing = (at - target) / np.linalg.norm(at - target)
    # What a small panel gives: radiance, times its area, times both cosines, by the distance squared.
    given = 4 * half[0] * half[1] * (way[2] / np.linalg.norm(way)) * (way @ facing / np.linalg.norm(way))
    radiance = lit * (way @ way) / given
    upright = [0, 1, 0] if np.abs(facing[:2]).sum() < 0.05 else [0, 0, 1]
    turned = mi.ScalarTransform4f().look_at(origin=at.tolist(), target=target.tolist(), up=upright)
    return {"type": "rectangle", "to_world": turned.scale([*half, 1]),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}}}  # fmt: skip
