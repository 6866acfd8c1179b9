"""Stone figures that look one way: a body of any make, and on one side of it eyes, a painted face, an arrow
or whatever else a maker may mean by "that way". A body stands around the z axis and looks along x."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import mitsuba as mi
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sample_images.generator.sensor import linear_from_srgb
from sample_images.generator.sets import Figure
from sample_images.generator.strangers import outlines
from sample_images.generator.strangers.meshes import mesh
from sample_images.generator.strangers.pieces import Surface, clouds, painted, pictured, surfaced
from sample_images.generator.strangers.solids import Solid, around_z, lathe, slab, smoothed

Array = NDArray[np.float64]
Part = tuple[Solid, Surface]
Mask = NDArray[np.uint8]
# How often a figure is a ball, a boulder, turned, or a flat man.
BODIES = {"ball": 0.2, "boulder": 0.2, "turned": 0.5, "man": 0.1}
# How often what marks its front is each of these, and how often there is a band all around it, too.
FRONTS = {
    "eyes": 0.36, "patch": 0.12, "arrow": 0.15, "stripe": 0.06, "dot": 0.08, "nose": 0.11, "visor": 0.05,
    "wedge": 0.03, "half": 0.04,
}  # fmt: skip
BANDED = 0.1
# What is painted on a body is drawn on so many cells each way, and lies so far off it (mm).
CELLS, COAT_MM = 56, 0.06
# What marks a front differs so much from what it is on (0..255).
LEAST_OTHER = 50
# From where rays are sent at a body (mm).
AFAR_MM = 80.0


def looking(rng: Generator, size: Figure, *, faced: bool) -> list[Part]:
    """A stone figure of about this size, looking along x, or with no front. Each solid with its surface."""
    stone = np.clip(np.array((140, 141, 138)) * rng.uniform(0.3, 1.35) + rng.normal(0, 6, 3), 18, 225)
    figure = Figurine(rng, size, stone)
    parts = [(figure.solid, _stone(rng, stone))]
    if rng.random() < BANDED:
        parts.append(figure.band())
    if faced:
        parts += figure.front()
    return parts


def _stone(rng: Generator, shade: Array) -> Surface:
    base = painted(shade)
    if rng.random() < 0.7:
        grain = rng.choice((0.04, 0.08, 0.16))
        base = pictured(linear_from_srgb(shade / 255) * (1 + grain * clouds(rng, 96)[..., None]))
    rough = rng.uniform(0.5, 0.95) if rng.random() < 0.7 else rng.uniform(0.15, 0.5)
    return surfaced(base, rough)


class Figurine:
    """A body and what can be put on its front. level: how high the middle of its face is; wide: half the
    body's width there; up: the angle above the board at which the face looks (all drawn at random)."""

    def __init__(self, rng: Generator, size: Figure, stone: Array) -> None:
        self.rng, self.stone = rng, stone
        self.kind = str(rng.choice(list(BODIES), p=list(BODIES.values())))
        self.round = self.kind in ("ball", "boulder")
        self.solid = self._body(size)
        self.height = float(self.solid.vertices[:, 2].max())
        share = rng.uniform(0.5, 0.68) if self.round else rng.uniform(0.68, 0.88)
        self.level = share * self.height
        beside = np.abs(self.solid.vertices[:, 2] - self.level) < 0.08 * self.height
        reach = np.abs(self.solid.vertices[beside, 1]).max() if beside.any() else 0.0
        self.wide = float(max(0.12 * size.base, reach))
        self.up = math.radians(rng.uniform(0, 45 if self.round else 25))
        self.body = mi.load_dict({"type": "scene", "body": mesh("body", self.solid, painted((99, 99, 99)))})
        self.rough = float(rng.uniform(0.2, 0.9))

    def _body(self, size: Figure) -> Solid:
        rng = self.rng
        if self.kind == "man":
            man = slab(outlines.flat_man(size.base, 0.85 * size.height), size.base * rng.uniform(0.3, 0.6))
            return man.moved(around_z(90))
        if self.round:
            radius = size.base / 2 * rng.uniform(0.85, 1.3)
            middle = radius * rng.uniform(0.75, 0.98)
            solid = lathe(outlines.standing_ball(radius, middle))
            return lumpy(rng, solid, middle) if self.kind == "boulder" else solid
        return lathe(outlines.random_figure(rng, size.base, size.height * rng.uniform(0.7, 1.05)))

    def band(self) -> Part:
        """A collar all around: it tells no side."""
        level = self.rng.uniform(0.15, 0.8) * self.height
        beside = np.abs(self.solid.vertices[:, 2] - level) < 0.1 * self.height
        reach = np.linalg.norm(self.solid.vertices[beside, :2], axis=1).max() if beside.any() else 1.0
        high = self.rng.uniform(0.8, 3.0)
        ring = lathe([(0, 0), (1.03 * reach, 0), (1.03 * reach, high), (0, high)])
        return ring.moved(by=(0, 0, level)), self._paint(self.rng.uniform(15, 245, 3))

    def front(self) -> list[Part]:
        """What tells where it looks."""
        kind = str(self.rng.choice(list(FRONTS), p=list(FRONTS.values())))
        made: dict[str, Callable[[], Iterator[Part]]] = {
            "eyes": self._eyes, "patch": self._patch, "arrow": self._arrow, "stripe": self._stripe,
            "dot": self._dot, "nose": self._nose, "visor": self._visor, "wedge": self._wedge,
            "half": self._half,
        }  # fmt: skip
        return list(made[kind]())

    def _paint(self, shade: Array) -> Surface:
        return surfaced(painted(shade), self.rough)

    def _other(self, than: Array) -> Array:
        """A colour that can be told from another: pale, dark or gaudy."""
        while True:
            kind = self.rng.random()
            low, high = (170, 250) if kind < 0.35 else (10, 70)
            alike = self.rng.uniform(low, high) + self.rng.normal(0, 10, 3)
            shade = np.clip(alike if kind < 0.7 else self.rng.uniform(10, 250, 3), 8, 250)
            if np.abs(shade - than).max() > LEAST_OTHER:
                return np.asarray(shade)

    def _eyes(self) -> Iterator[Part]:
        rng = self.rng
        apart, size = rng.uniform(0.28, 0.6), rng.uniform(0.12, 0.36)
        shade, tall = self._other(self.stone), rng.uniform(0.8, 1.5)
        beads = rng.random() < 0.35
        for side in (-apart, apart):
            if beads:
                yield from self._bead((side, 0.0), size, shade, rng.uniform(0.4, 1.0))
                continue
            yield from self._painted(shade, lambda c, x=side: c.ellipse((x, 0), (size, size * tall)))
            if size > 0.2 and rng.random() < 0.5:
                pupil, inner = self._other(shade), 0.5 * size
                yield from self._painted(pupil, lambda c, x=side, r=inner: c.ellipse((x, 0), (r, r)), 2)
        low = -rng.uniform(0.3, 0.55)
        if rng.random() < 0.35:
            wide, thick = rng.uniform(0.15, 0.4), rng.uniform(0.05, 0.12)
            yield from self._painted(shade, lambda c: c.line((-wide, low), (wide, low), thick))
        if rng.random() < 0.3:
            yield from self._nose(0.6 * low, small=True)
        if rng.random() < 0.12:
            thick = rng.uniform(0.08, 0.2)
            yield from self._painted(shade, lambda c: c.line((0, 1.2), (0, 0.1), thick), up=self.up + 0.5)

    def _patch(self) -> Iterator[Part]:
        rng, shade = self.rng, self._other(self.stone)
        wide, tall = rng.uniform(0.45, 1.0), rng.uniform(0.4, 1.0)
        yield from self._painted(shade, lambda c: c.ellipse((0, 0), (wide, tall)))
        if rng.random() < 0.5:
            eye, size = self._other(shade), rng.uniform(0.1, 0.2)
            for x in (-0.4 * wide, 0.4 * wide):
                yield from self._painted(eye, lambda c, x=x: c.ellipse((x, 0.2 * tall), (size, size)), 2)

    def _arrow(self) -> Iterator[Part]:
        """On the crown or from it to the front; its point is ahead."""
        rng, shade = self.rng, self._other(self.stone)
        thick, head, long = rng.uniform(0.15, 0.4), rng.uniform(0.35, 0.75), rng.uniform(0.65, 1.1)
        barbed = rng.random() < 0.5

        def drawn(canvas: Canvas) -> None:
            canvas.line((0, long), (0, -long if barbed else -long + head), thick)
            if barbed:
                for side in (-head, head):
                    canvas.line((0, -long), (side, head - long), thick)
            else:
                canvas.polygon([(-head, head - long), (head, head - long), (0, -long)])

        yield from self._painted(shade, drawn, up=math.radians(rng.uniform(25, 90)), level=self._crown())

    def _stripe(self) -> Iterator[Part]:
        rng, shade = self.rng, self._other(self.stone)
        top, wide = rng.uniform(0.0, 0.5), rng.uniform(0.2, 0.6)
        up = math.radians(rng.uniform(30, 70))
        yield from self._painted(
            shade, lambda c: c.line((0, top), (0, -1.1), wide), up=up, level=self._crown()
        )

    def _wedge(self) -> Iterator[Part]:
        rng, shade = self.rng, self._other(self.stone)
        wide, long = rng.uniform(0.4, 0.9), rng.uniform(0.5, 0.95)
        up, corners = math.radians(rng.uniform(30, 90)), [(-wide, long), (wide, long), (0.0, -long)]
        yield from self._painted(shade, lambda c: c.polygon(corners), up=up, level=self._crown())

    def _dot(self) -> Iterator[Part]:
        size = self.rng.uniform(0.25, 0.6)
        yield from self._painted(
            self._other(self.stone), lambda c: c.ellipse((0, 0), (size, size)),
            up=self.up + math.radians(self.rng.uniform(0, 25)),
        )  # fmt: skip

    def _half(self) -> Iterator[Part]:
        low = self.rng.uniform(-1.6, -0.4)
        yield from self._painted(
            self._other(self.stone), lambda c: c.polygon([(-2, 1.6), (2, 1.6), (2, low), (-2, low)]), up=0.0
        )

    def _nose(self, at: float = 0.0, *, small: bool = False) -> Iterator[Part]:
        """Pointed, blunt or round, of stone or painted."""
        rng = self.rng
        base = (rng.uniform(0.12, 0.25) if small else rng.uniform(0.2, 0.5)) * self.wide
        long = base * rng.uniform(1.0, 3.5)
        end = base * rng.choice((0.05, rng.uniform(0.2, 0.9)))
        shade = self.stone if rng.random() < 0.4 else self._other(self.stone)
        cone = lathe([(0, -base), (base, -0.3 * base), (base, 0), (end, 0.9 * long), (0, long)], 20)
        yield from self._stuck_on(cone, (0.0, at), self._paint(shade))

    def _visor(self) -> Iterator[Part]:
        reach, high = self.wide * self.rng.uniform(0.8, 1.1), self.rng.uniform(0.5, 1.5)
        brim = lathe([(0, 0), (reach, 0), (reach, high), (0, high)])
        ahead = self.wide * self.rng.uniform(0.4, 0.8)
        shade = self.stone if self.rng.random() < 0.3 else self._other(self.stone)
        yield brim.moved(by=(ahead, 0, self.level + 0.1 * self.height)), self._paint(shade)

    def _bead(self, at: tuple[float, float], size: float, shade: Array, flat: float) -> Iterator[Part]:
        radius = max(0.5, size * self.wide)
        ball = lathe(outlines.standing_ball(radius, 0.99 * radius), 16)
        ball = replace(ball, vertices=(ball.vertices - (0, 0, radius)) * (1, 1, flat))
        yield from self._stuck_on(ball, at, self._paint(shade))

    def _crown(self) -> float:
        """How high what is painted over the crown has its middle."""
        return self.height / 2 if self.round else self.level

    def _stuck_on(self, solid: Solid, at: tuple[float, float], surface: Surface) -> Iterator[Part]:
        """A solid that stands on z = 0, on the face at a point of it."""
        grid = self._axes(self.up)
        hits, _, there = self._hits(np.array([at], float) * self.wide, self.up, self.level)
        if there[0]:
            yield solid.moved(np.column_stack(grid), tuple(float(v) for v in hits[0])), surface

    def _axes(self, up: float) -> tuple[Array, Array, Array]:
        """To its left, up over the face, and out of it."""
        c, s = math.cos(up), math.sin(up)
        return np.array([0.0, 1, 0]), np.array([-s, 0, c]), np.array([c, 0, s])

    def _hits(self, points: Array, up: float, level: float) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Where points of a face (N, 2: to the left, upwards) lie on the body: (N, 3), their normals, and
        whether they do."""
        left, above, out = self._axes(up)
        begin = np.array([0, 0, level]) + AFAR_MM * out + points[:, :1] * left + points[:, 1:] * above
        ray = mi.Ray3f(mi.Point3f(*begin.T), mi.Vector3f(*(-out).tolist()))
        met = self.body.ray_intersect(ray)
        hits, normals = np.array(met.p).T, np.array(met.sh_frame.n).T
        return hits.astype(float), normals.astype(float), np.array(met.is_valid())

    def _painted(
        self,
        shade: Array,
        draw: Callable[[Canvas], None],
        layer: int = 1,
        *,
        up: float | None = None,
        level: float | None = None,
    ) -> Iterator[Part]:
        """What is drawn on the face, as a coat of paint on the body."""
        up, level = self.up if up is None else up, self.level if level is None else level
        canvas = Canvas()
        draw(canvas)
        along = np.linspace(-Canvas.REACH, Canvas.REACH, CELLS + 1) * self.wide
        points = np.stack(np.meshgrid(along, -along), axis=2).reshape(-1, 2)
        hits, normals, there = self._hits(points, up, level)
        number = np.arange(len(points)).reshape(CELLS + 1, CELLS + 1)
        corners = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=2)
        cells = corners[canvas.mask > 0]
        cells = cells[there[cells].all(axis=1)]
        if len(cells):
            step = along[1] - along[0]
            cells = cells[np.ptp(hits[cells], axis=1).max(axis=1) < 6 * step]
        if len(cells):
            coat = Solid(
                hits + layer * COAT_MM * normals, normals, points / 30.0,
                np.concatenate([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]]).astype(np.uint32),
            )  # fmt: skip
            yield coat, self._paint(shade)


class Canvas:
    """Where a face is drawn: x to the figure's left, y upwards, 1 is half its width."""

    REACH = 1.7

    def __init__(self) -> None:
        self.mask: Mask = np.zeros((CELLS, CELLS), np.uint8)

    def _px(self, *points: tuple[float, float]) -> NDArray[np.int32]:
        share = (np.array(points, float) * (1, -1) / self.REACH + 1) / 2
        return np.round((share * CELLS - 0.5) * 16).astype(np.int32)

    def ellipse(self, at: tuple[float, float], radii: tuple[float, float]) -> None:
        axes = [max(8, round(16 * CELLS * r / self.REACH / 2)) for r in radii]
        x, y = (int(v) for v in self._px(at)[0])
        cv2.ellipse(self.mask, (x, y), (axes[0], axes[1]), 0, 0, 360, 255, -1, cv2.LINE_8, 4)

    def line(self, begin: tuple[float, float], end: tuple[float, float], thick: float) -> None:
        a, b = self._px(begin, end)
        wide = max(1, round(CELLS * thick / self.REACH / 2))
        cv2.line(self.mask, a.tolist(), b.tolist(), 255, wide, cv2.LINE_8, 4)

    def polygon(self, points: list[tuple[float, float]]) -> None:
        cv2.fillPoly(self.mask, [self._px(*points)], 255, cv2.LINE_8, 4)


def lumpy(rng: Generator, solid: Solid, middle: float) -> Solid:
    """A ball around a point so high, as a stream would leave it."""
    away = solid.vertices - (0, 0, middle)
    ways = away / (np.linalg.norm(away, axis=1, keepdims=True) + 1e-9)
    waves = sum(
        np.sin(ways @ rng.normal(0, size, 3) + rng.uniform(0, 2 * np.pi)) / size for size in (1.5, 2.5, 4, 6)
    )
    stretch = np.array([*rng.uniform(0.85, 1.15, 2), 1.0])
    bumpy = away * (1 + rng.uniform(0.02, 0.09) * waves[:, None]) * stretch
    lifted = bumpy + np.array([0, 0, middle])
    lifted[:, 2] = np.maximum(lifted[:, 2], 0)
    return smoothed(replace(solid, vertices=lifted))
