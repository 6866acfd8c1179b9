"""Quick composed pictures of a board with pieces, for training only.

Not photographs: flat-shaded solids with soft shadows on a warped print, put through a camera's blur, noise,
colour errors and JPEG. What matters is that everything that differs between real tables differs here:
artwork, light, lens, sizes, shades, careless placing, hands. About a tenth of a second a picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.bodies import Body, Prism, placed
from vision.geometry.view import Array, View

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
HAND = 255
GAMMA = 2.2
# What lies on another piece may be told so much too high; pieces further apart do not touch (mm).
LOOSE_MM, WIDEST_MM = 1.0, 90.0
# How often upper faces mirror something bright, somewhere on a board of about this size; how often it fills
# such a face, and of which share of it if it does not.
MIRRORED, BOARD_MM, FILLS, MIDDLE = 0.3, 500.0, 0.6, (0.5, 0.9)
# What share of the light from everywhere reaches upright faces: a pale table throws much of it back, a dark
# one hardly any.
UPRIGHT = (0.25, 0.8)
# How often a camera's own tone curve bends what it saw, dark parts of the picture are lifted beside bright
# ones, and bright ones bleed; and how far each goes.
CURVED, WHITE_AT = 0.5, (1.0, 4.0)
LIFTED, LIFT = 0.3, (0.05, 0.35)
BLED, BLEEDS = 0.3, 0.05


@dataclass
class Lying:
    """A piece in the scene. `rgb` is display-referred BGR 0..1; `number` its id in the visibility buffer;
    `grooves` are turned into its top, as shares of its radius; `notches` cut across it, as shares of half its
    length."""

    body: Body
    at_mm: tuple[float, float]
    angle_deg: float
    bgr: Array
    number: int
    ground_mm: float = 0.0
    gloss: float = 0.3
    decal: Floats | None = None
    decal_bgr: Array = field(default_factory=lambda: np.ones(3))
    sticker_bgr: Array | None = None
    grooves: tuple[float, ...] = ()
    notches: tuple[float, ...] = ()


@dataclass
class Lamp:
    """A light far away: direction to it (unit, z up), colour (BGR), angular radius in radians."""

    direction: Array
    bgr: Array
    softness: float


@dataclass
class Sheen:
    """A bright thing that upper faces mirror around a point of the board: (2,) mm, how far around it they do
    (mm), and how much brighter than the light on them it is."""

    at_mm: Array
    reach_mm: float
    strength: float

    def on(self, at_mm: tuple[float, float]) -> float:
        """How bright it is in an upper face there."""
        away = float(np.hypot(*(np.asarray(at_mm) - self.at_mm))) / self.reach_mm
        return self.strength * math.exp(-(away**2))


@dataclass
class Lighting:
    lamps: list[Lamp]
    ambient_bgr: Array
    falloff: Array
    glare: list[tuple[float, float, float, float, float]]
    sheen: Sheen | None = None
    upright: float = 0.65


def random_lighting(rng: np.random.Generator) -> Lighting:
    """One to three lamps and light from everywhere."""
    lamps = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(22, 85))
        direction = np.array(
            [np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)]
        )
        warmth = rng.normal(0, 0.12)
        lamps.append(
            Lamp(
                direction,
                rng.uniform(0.3, 1.5) * np.array([1 - warmth, 1, 1 + warmth]),
                rng.choice([0.02, 0.08, 0.2, 0.35]),
            )
        )
    warmth = rng.normal(0, 0.1)
    ambient = rng.uniform(0.15, 1.2) * np.array([1 - warmth, 1, 1 + warmth])
    glare = []
    if rng.random() < 0.3:
        for _ in range(rng.integers(1, 4)):
            glare.append(
                (
                    rng.random(),
                    rng.random(),
                    rng.uniform(0.04, 0.25),
                    rng.uniform(0.04, 0.25),
                    rng.uniform(0.05, 0.6),
                )
            )
    sheen = None
    if rng.random() < MIRRORED:
        sheen = Sheen(rng.uniform(0, BOARD_MM, 2), rng.uniform(40, 300), rng.uniform(0.2, 2.5))
    return Lighting(lamps, ambient, rng.normal(0, 0.35, 2), glare, sheen, rng.uniform(*UPRIGHT))


def compose(
    rng: np.random.Generator,
    texture: Image,
    size_mm: tuple[float, float],
    view: View,
    pieces: list[Lying],
    lighting: Lighting,
    table_bgr: Array,
) -> tuple[Floats, NDArray[np.uint8]]:
    """(linear light (H, W, 3) float32, visibility buffer (H, W) uint8 of piece numbers, 0 is ground)."""
    width, height = view.size_px
    mm = _plane_map(view)
    lit, shadow = _ground_light(rng, size_mm, pieces, lighting)
    scale = texture.shape[1] / size_mm[0]
    ground = cv2.remap(
        texture, (mm * scale - 0.5).astype(np.float32), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    inside = (mm[..., 0] >= 0) & (mm[..., 1] >= 0) & (mm[..., 0] <= size_mm[0]) & (mm[..., 1] <= size_mm[1])
    linear = _lut(ground)
    linear[~inside] = table_bgr * rng.normal(1, 0.05, (int((~inside).sum()), 1))
    linear *= cv2.remap(lit, mm + PAD_MM, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    canvas = np.clip(linear / 3.0, 0, 1) ** (1 / GAMMA) * 255
    canvas = np.ascontiguousarray(canvas.astype(np.uint8))
    numbers = np.zeros((height, width), np.uint8)
    for piece in from_afar(pieces, view):
        _draw(rng, canvas, numbers, view, piece, lighting, shadow)
    linear = (canvas.astype(np.float32) / 255) ** GAMMA * 3.0
    if rng.random() < 0.5:
        linear[numbers > 0] *= _grain(rng, (height, width))[numbers > 0][:, None]
    x, y = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    linear *= np.exp(lighting.falloff[0] * x + lighting.falloff[1] * y)[..., None]
    for gx, gy, sx, sy, strength in lighting.glare:
        blob = np.exp(
            -((((x + 1 - 2 * gx) / (2 * sx)) ** 2 + ((y + 1 - 2 * gy) / (2 * sy)) ** 2) ** rng.choice([1, 3]))
        )
        linear += (strength * blob)[..., None] * float(lit.mean())
    return linear, numbers


def from_afar(pieces: Sequence[Lying], view: View) -> list[Lying]:
    """The pieces as a painter would draw them, who begins with what is furthest from the camera: what lies on
    others comes after all of these, as if it were as near as the nearest of them."""
    camera = view.camera_mm[:2]
    feet = {id(piece): [_foot(piece, prism, 0.0) for prism in piece.body.prisms] for piece in pieces}
    own = {key: math.dist(np.concatenate(foot).mean(axis=0), camera) for key, foot in feet.items()}
    away: dict[int, float] = {}
    drawn: list[Lying] = []
    for piece in sorted(pieces, key=lambda each: each.ground_mm):
        key = id(piece)
        below = [id(each) for each in drawn if _carries(each, piece, feet)] if piece.ground_mm else []
        away[key] = min((away[under] for under in below), default=own[key])
        drawn.append(piece)
    return sorted(drawn, key=lambda each: (-away[id(each)], each.ground_mm, -own[id(each)]))


def _carries(below: Lying, piece: Lying, feet: Mapping[int, list[Array]]) -> bool:
    """Whether one piece is just so high, and just there, that the other lies on it."""
    high = below.ground_mm < piece.ground_mm <= below.ground_mm + below.body.top_mm + LOOSE_MM
    if not high or math.dist(below.at_mm, piece.at_mm) > WIDEST_MM:
        return False
    return any(
        cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0] > 0
        for one in feet[id(below)]
        for other in feet[id(piece)]
    )


PAD_MM = 60.0


def _grain(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Wood, paint, dust: an uneven surface (H, W) around 1."""
    cells = (max(2, int(shape[0] / rng.uniform(1.5, 14))), max(2, int(shape[1] / rng.uniform(1.5, 14))))
    noise = rng.normal(0, rng.uniform(0.02, 0.2), cells).astype(np.float32)
    return np.exp(cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_LINEAR))


def _plane_map(view: View) -> Floats:
    """(H, W, 2) board millimetres of every pixel, interpolated from a coarse grid."""
    width, height = view.size_px
    nx, ny = width // 16 + 2, height // 16 + 2
    x, y = np.meshgrid(np.linspace(0, width - 1, nx), np.linspace(0, height - 1, ny))
    coarse = view.on_plane(np.column_stack([x.ravel(), y.ravel()])).reshape(ny, nx, 2)
    coarse = np.clip(coarse, -1e4, 1e4).astype(np.float32)
    fx, fy = np.meshgrid(
        np.linspace(0, nx - 1, width, dtype=np.float32), np.linspace(0, ny - 1, height, dtype=np.float32)
    )
    return cv2.remap(coarse, fx, fy, cv2.INTER_LINEAR)


_LUT = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)


def _lut(image: Image) -> Floats:
    return _LUT[image]


def _ground_light(
    rng: np.random.Generator, size_mm: tuple[float, float], pieces: list[Lying], lighting: Lighting
) -> tuple[Floats, Floats]:
    """Light on the plane, 1 px per mm with a border of PAD_MM: (h, w, 3), and the shadowed share (h, w)."""
    shape = (int(size_mm[1] + 2 * PAD_MM), int(size_mm[0] + 2 * PAD_MM))
    total = np.zeros((*shape, 3), np.float32)
    shadow_sum = np.zeros(shape, np.float32)
    contact = np.zeros(shape, np.uint8)
    for piece in pieces:
        for prism in piece.body.prisms:
            if piece.ground_mm + prism.low_mm < 3:
                _fill(contact, _foot(piece, prism, 0.0) + PAD_MM, 255)
    for lamp in lighting.lamps:
        samples = 10 if lamp.softness > 0.05 else 4
        shadow = np.zeros(shape, np.float32)
        for _ in range(samples):
            direction = lamp.direction + rng.normal(0, lamp.softness, 3)
            direction[2] = max(direction[2], 0.25)
            slope = -direction[:2] / direction[2]
            mask = np.zeros(shape, np.uint8)
            for piece in pieces:
                _cast(mask, piece, slope)
            shadow += mask
        shadow = cv2.GaussianBlur(shadow / samples, (0, 0), 0.6 + 3 * lamp.softness)
        total += (1 - shadow)[..., None] * (lamp.bgr * lamp.direction[2]).astype(np.float32)
        shadow_sum += shadow / len(lighting.lamps)
    dark = cv2.GaussianBlur(contact.astype(np.float32) / 255, (0, 0), 3.5)
    total += lighting.ambient_bgr.astype(np.float32) * (1 - 0.55 * dark)[..., None]
    return total, shadow_sum


def _foot(piece: Lying, prism: Prism, height_mm: float, taper: float = 1.0) -> Array:
    return placed(np.asarray(prism.footprint_mm) * taper, piece.at_mm, piece.angle_deg)


def _cast(mask: Image, piece: Lying, slope: Array) -> None:
    for prism in piece.body.prisms:
        low = _foot(piece, prism, 0) + slope * (piece.ground_mm + prism.low_mm)
        high = _foot(piece, prism, 0, prism.taper) + slope * (piece.ground_mm + prism.high_mm)
        hull = cv2.convexHull(np.concatenate([low, high]).astype(np.float32)).reshape(-1, 2)
        _fill(mask, hull + PAD_MM, 1)


def _fill(mask: NDArray[np.uint8], points: Array, value: int) -> None:
    cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), value, lineType=cv2.LINE_8, shift=4)


def _draw(
    rng: np.random.Generator,
    canvas: Image,
    numbers: Image,
    view: View,
    piece: Lying,
    lighting: Lighting,
    shadow: Floats,
) -> None:
    """Side faces that look at the camera, then the top, prism by prism from below and from afar."""
    camera = view.camera_mm
    x, y = (
        int(np.clip(v + PAD_MM, 0, limit - 1))
        for v, limit in zip(piece.at_mm, shadow.shape[::-1], strict=True)
    )
    shade = float(shadow[y, x]) * 0.35 if piece.ground_mm == 0 else 0.0
    if rng.random() < 0.08:
        shade = rng.uniform(0.4, 1.0)  # a taller neighbour stands in its light
    for prism in sorted(piece.body.prisms, key=lambda each: (each.low_mm, -_away(piece, each, camera))):
        low = _foot(piece, prism, 0)
        high = _foot(piece, prism, 0, prism.taper)
        low_px = view.project(low, piece.ground_mm + prism.low_mm)
        high_px = view.project(high, piece.ground_mm + prism.high_mm)
        hull = cv2.convexHull(np.concatenate([low_px, high_px]).astype(np.float32)).reshape(-1, 2)
        if hull[:, 0].max() < 0 or hull[:, 1].max() < 0 or (hull.min(axis=0) > np.array(view.size_px)).any():
            continue
        _fill(numbers, hull, piece.number)
        _draw_sides(rng, canvas, piece, prism, (low, high), (low_px, high_px), hull, lighting, shade, camera)
        level = piece.ground_mm + prism.high_mm
        towards = _unit(np.array([*(camera[:2] - np.asarray(piece.at_mm)), -camera[2] - level]))
        top = _shaded(piece, lighting, np.array([0, 0, 1.0]), shade * 0.3, towards) * (
            1 + piece.gloss * rng.uniform(0, 0.15)
        )
        mirrored = _mirrored(piece, lighting)
        if mirrored is not None and rng.random() < FILLS:
            top, mirrored = top + mirrored, None
        _poly(canvas, high_px, top)
        if mirrored is not None:
            _poly(
                canvas,
                view.project(_foot(piece, prism, 0, prism.taper * rng.uniform(*MIDDLE)), level),
                top + mirrored,
            )
        if rng.random() < 0.3:
            edge = high_px + (rng.random(2) - 0.5)
            _outline(canvas, edge, top * rng.uniform(0.8, 1.35))
        if prism is piece.body.prisms[-1] and piece.decal is None:
            _turn_grooves(rng, canvas, view, piece, prism, top)
            _cut_notches(rng, canvas, view, piece, prism, top)
    if piece.decal is not None:
        _stick(canvas, view, piece, lighting, shade)


def _away(piece: Lying, prism: Prism, camera: Array) -> float:
    """How far a prism's foot is from below the camera (mm)."""
    return math.dist(_foot(piece, prism, 0.0).mean(axis=0), camera[:2])


def _mirrored(piece: Lying, lighting: Lighting) -> Array | None:
    """The light of something bright that a glossy piece's upper faces mirror; None if it is hardly any."""
    if lighting.sheen is None:
        return None
    bright = piece.gloss * lighting.sheen.on(piece.at_mm)
    light = lighting.ambient_bgr + sum(lamp.bgr * max(0.0, lamp.direction[2]) for lamp in lighting.lamps)
    return np.asarray(bright * light) if bright > 0.02 else None


def _turn_grooves(
    rng: np.random.Generator, canvas: Image, view: View, piece: Lying, prism: Prism, top: Array
) -> None:
    """Rings in a piece's upper face: one wall of each lies in the shade, the other catches the light."""
    level = piece.ground_mm + prism.high_mm
    wide_px = max(1, round(0.5 * view.px_per_mm(piece.at_mm)))
    for share in piece.grooves:
        groove = view.project(_foot(piece, prism, 0, prism.taper * share), level)
        side = rng.normal(0, 0.4 * wide_px, 2)
        _outline(canvas, groove + side, top * rng.uniform(1.0, 1.25), wide_px)
        _outline(canvas, groove, top * rng.uniform(0.55, 0.9), wide_px)


def _cut_notches(
    rng: np.random.Generator, canvas: Image, view: View, piece: Lying, prism: Prism, top: Array
) -> None:
    """Edges across a piece's upper face, where a part of it lies lower: dark ones, and such that catch the
    light."""
    level, (half_long, half_wide) = piece.ground_mm + prism.high_mm, np.abs(prism.footprint_mm).max(axis=0)
    for share in piece.notches:
        ends = np.array([(share * half_long, side * prism.taper * half_wide) for side in (-1, 1)])
        shade = rng.uniform(0.45, 0.9) if rng.random() < 0.7 else rng.uniform(1.05, 1.4)
        wide_px = max(1, round(rng.uniform(0.4, 1.2) * view.px_per_mm(piece.at_mm)))
        _outline(
            canvas, view.project(placed(ends, piece.at_mm, piece.angle_deg), level), top * shade, wide_px
        )


def _draw_sides(
    rng: np.random.Generator,
    canvas: Image,
    piece: Lying,
    prism: Prism,
    rings: tuple[Array, Array],
    rings_px: tuple[Array, Array],
    hull_px: Array,
    lighting: Lighting,
    shade: float,
    camera: Array,
) -> None:
    """The faces between the lower and the upper ring; darker where they come close to the ground."""
    (low, high), (low_px, high_px) = rings, rings_px
    after_low, after_high = np.roll(low, -1, axis=0), np.roll(high, -1, axis=0)
    along = np.column_stack([after_low - low, np.zeros(len(low))])
    rise = np.column_stack([(high + after_high - low - after_low) / 2, np.full(len(low), 0.0)])
    rise[:, 2] = prism.high_mm - prism.low_mm
    normals = np.cross(along, rise)
    normals /= np.maximum(1e-9, np.linalg.norm(normals, axis=1, keepdims=True))
    middle = (low + after_low + high + after_high) / 4
    level = (prism.high_mm + prism.low_mm) / 2
    towards = np.column_stack([camera[:2] - middle, np.full(len(low), -camera[2] - piece.ground_mm - level)])
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    near_ground = 1.0 if piece.ground_mm else 0.7 + 0.3 * min(1.0, level / 12)
    facing = np.flatnonzero((normals * towards).sum(axis=1) > 0)
    _poly(canvas, hull_px, _shaded(piece, lighting, np.array([0, 0, 0.5]), shade) * near_ground)
    for i in facing:
        j = (i + 1) % len(low)
        quad = np.array([low_px[i], low_px[j], high_px[j], high_px[i]])
        light = _shaded(piece, lighting, normals[i], shade, towards[i])
        _poly(canvas, quad, light * near_ground * (1 + rng.normal(0, 0.02)), smooth=False)


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(1e-9, float(np.linalg.norm(vector))))


def _shaded(
    piece: Lying, lighting: Lighting, normal: Array, shade: float, towards: Array | None = None
) -> Array:
    """Light from a face: scattered, and for a glossy piece mirrored towards the camera (Phong)."""
    light = lighting.ambient_bgr * (lighting.upright + (1 - lighting.upright) * normal[2])
    for lamp in lighting.lamps:
        light = light + lamp.bgr * max(0.0, float(normal @ lamp.direction)) * (1 - shade)
    scattered = np.asarray(np.asarray(piece.bgr) ** GAMMA * light)
    if towards is None or piece.gloss < 0.05:
        return scattered
    facing = float(np.clip(normal @ towards, 0, 1))
    mirrored = 2 * facing * normal - towards
    fresnel = 0.04 + 0.6 * (1 - facing) ** 5
    shine = lighting.ambient_bgr * fresnel * max(0.0, 0.4 + 0.6 * float(mirrored[2]))
    for lamp in lighting.lamps:
        spot = max(0.0, float(mirrored @ lamp.direction)) ** (4 + 60 * piece.gloss**2)
        shine = shine + lamp.bgr * spot * (0.1 + piece.gloss) * (1 - shade)
    return np.asarray(scattered + piece.gloss * shine)


def _poly(canvas: Image, points: Array, linear: Array, smooth: bool = True) -> None:
    value = np.clip(np.clip(linear / 3.0, 0, 1) ** (1 / GAMMA) * 255, 0, 255)
    kind = cv2.LINE_AA if smooth else cv2.LINE_8
    cv2.fillConvexPoly(canvas, np.round(points * 16).astype(np.int32), value.tolist(), lineType=kind, shift=4)


def _outline(canvas: Image, points: Array, linear: Array, wide_px: int = 1) -> None:
    value = np.clip(np.clip(linear / 3.0, 0, 1) ** (1 / GAMMA) * 255, 0, 255)
    outline = np.round(points * 16).astype(np.int32)
    cv2.polylines(canvas, [outline], True, value.tolist(), wide_px, cv2.LINE_AA, 4)


def _stick(canvas: Image, view: View, piece: Lying, lighting: Lighting, shade: float) -> None:
    """The print on a piece's top: `decal` is the ink's coverage, (S, S); below it perhaps a paper."""
    assert piece.decal is not None
    prism = piece.body.prisms[-1]
    radius = max(abs(x) for x, _ in prism.footprint_mm) * prism.taper * 0.95
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * radius
    corners = view.project(placed(square, piece.at_mm, piece.angle_deg), piece.ground_mm + piece.body.top_mm)
    size = piece.decal.shape[0]
    if piece.sticker_bgr is not None:
        paper = np.zeros((size, size), np.float32)
        cv2.circle(paper, (size // 2, size // 2), size // 2 - 2, 1.0, -1, cv2.LINE_AA)
        _print_on(canvas, corners, paper, _printed_bgr(piece, piece.sticker_bgr, lighting, shade))
    _print_on(canvas, corners, piece.decal, _printed_bgr(piece, piece.decal_bgr, lighting, shade))


def _printed_bgr(piece: Lying, bgr: Array, lighting: Lighting, shade: float) -> Array:
    """Ink or paper on top of a piece, in canvas values."""
    ink = Lying(piece.body, piece.at_mm, 0, bgr, 0, gloss=0.0)
    light = _shaded(ink, lighting, np.array([0, 0, 1.0]), shade * 0.3)
    return np.asarray(np.clip(light / 3.0, 0, 1) ** (1 / GAMMA) * 255)


def _print_on(canvas: Image, corners_px: Array, cover: Floats, value: Array) -> None:
    """Blend `value` into the canvas where `cover` (S, S), stretched over the four corners, has ink."""
    size = cover.shape[0]
    x0, y0 = np.floor(corners_px.min(axis=0)).astype(int)
    x1, y1 = np.ceil(corners_px.max(axis=0)).astype(int) + 1
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, canvas.shape[1]), min(y1, canvas.shape[0])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
    h = cv2.getPerspectiveTransform(source, (corners_px - [x0, y0]).astype(np.float32))
    shrink = max(1.0, size / max(2.0, float(np.linalg.norm(corners_px[1] - corners_px[0]))))
    soft = cv2.GaussianBlur(cover, (0, 0), 0.45 * shrink) if shrink > 1.2 else cover
    share = cv2.warpPerspective(soft, h, (x1 - x0, y1 - y0))[..., None]
    part = canvas[y0:y1, x0:x1]
    part[:] = np.clip(part * (1 - share) + value * share, 0, 255).astype(np.uint8)


def add_hand(rng: np.random.Generator, linear: Floats, numbers: Image) -> None:
    """An arm that reaches in from the picture's edge, out of focus."""
    height, width = numbers.shape
    side = rng.integers(4)
    start = np.array(
        [
            [0, rng.random() * height],
            [width, rng.random() * height],
            [rng.random() * width, height],
            [rng.random() * width, 0],
        ][side]
    )
    tip = np.array([rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height])
    mask = np.zeros((height, width), np.uint8)
    thick = rng.uniform(0.05, 0.13) * width
    for t in np.linspace(0, 1, 12):
        point = start + (tip - start) * t + rng.normal(0, thick * 0.05, 2)
        cv2.circle(mask, tuple(int(v) for v in point), int(thick * (1 - 0.35 * t) / 2), 255, -1, cv2.LINE_AA)
    for _ in range(rng.integers(1, 5)):
        finger = tip + rng.normal(0, thick * 0.7, 2)
        cv2.line(
            mask,
            tuple(int(v) for v in tip),
            tuple(int(v) for v in finger),
            255,
            max(2, int(thick * 0.18)),
            cv2.LINE_AA,
        )
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 4)).astype(np.float32)[..., None] / 255
    skin = np.array([0.14, 0.25, 0.5]) * rng.uniform(0.15, 1.3) if rng.random() < 0.7 else rng.random(3) * 0.5
    texture = cv2.resize(
        rng.normal(1, 0.15, (12, 20, 1)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )[..., None]
    linear[:] = linear * (1 - soft) + soft * skin.astype(np.float32) * texture * float(np.median(linear)) * 4
    numbers[mask > 128] = HAND


def through_camera(rng: np.random.Generator, linear: Floats) -> Image:
    """What a webcam or phone makes of the light: blur, exposure, colour errors, noise, sharpening, JPEG."""
    height, width = linear.shape[:2]
    middle = linear[height // 4 : -height // 4 : 2, width // 4 : -width // 4 : 2]
    level = (
        float(np.percentile(linear[::4, ::4], 75))
        if rng.random() < 0.25
        else float(np.percentile(middle, 75))
    )
    image = linear * (np.exp(rng.normal(-0.9, 0.35)) / max(level, 1e-4))
    if rng.random() < 0.15:
        image = _motion(rng, image)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.1))
    image = image + rng.choice([0, 0, 0.01, 0.03]) * rng.random()
    image = image * np.exp(rng.normal(0, [0.14, 0.04, 0.14])).astype(np.float32)
    grey = image.mean(axis=2, keepdims=True)
    image = np.maximum(grey + (image - grey) * rng.uniform(0.75, 1.35), 0)
    gain = np.exp(rng.uniform(-9.5, -5.2))
    noise = rng.standard_normal(image.shape, dtype=np.float32)
    if rng.random() < 0.6:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.8
    image = image + noise * np.sqrt(np.maximum(image, 0) * gain + gain * 0.03)
    image = np.clip(_developed(rng, image), 0, 1) ** (1 / (GAMMA * rng.uniform(0.9, 1.12)))
    if rng.random() < 0.5:
        strength = rng.uniform(0, 0.35)
        image = image * (1 - strength) + strength * (3 * image**2 - 2 * image**3)
    if rng.random() < 0.6:
        image = image + rng.uniform(0.2, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    out = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    quality = int(rng.integers(45, 96))
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8
    )


def _developed(rng: np.random.Generator, image: Floats) -> Floats:
    """What many cameras do with the light before it is stored: bright parts bleed, dark ones are lifted, and
    a curve keeps bright ones from burning out (Reinhard et al., 2002, with a white point)."""
    wide = image.shape[1]
    if rng.random() < BLED:
        image = image + rng.uniform(0, BLEEDS) * cv2.GaussianBlur(image, (0, 0), wide / 90)
    if rng.random() < LIFTED:
        around = cv2.GaussianBlur(image.mean(axis=2), (0, 0), wide / rng.uniform(12, 40))
        usual = float(np.median(around))
        lift = np.clip((usual / np.maximum(around, 0.05 * usual)) ** rng.uniform(*LIFT), 0.5, 2)
        image = image * lift[..., None]
    if rng.random() < CURVED:
        white, exposed = rng.uniform(*WHITE_AT), image * rng.uniform(0.8, 2.2)
        image = exposed * (1 + exposed / white**2) / (1 + exposed)
    return np.asarray(image, np.float32)


def _motion(rng: np.random.Generator, image: Floats) -> Floats:
    length, angle = rng.integers(3, 7), rng.uniform(0, np.pi)
    kernel = np.zeros((9, 9), np.float32)
    end = (round(float(4 + length / 2 * np.cos(angle))), round(float(4 + length / 2 * np.sin(angle))))
    cv2.line(kernel, (8 - end[0], 8 - end[1]), end, 1, 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum())
