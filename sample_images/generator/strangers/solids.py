"""Solid bodies as triangles: turned, cut from a board, or boxes. Millimetres; x right, y away, z up; a solid
stands on z = 0 around the z axis, its long side along x."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sample_images.generator.strangers.outlines import Profile

Array = NDArray[np.float64]
TURNS = 56
# Where two sides meet at less than this (cosine), they are shaded as one round surface.
ROUND = 0.78
# So large is one repeat of a grain.
GRAIN_MM = 30.0


@dataclass(frozen=True)
class Solid:
    """vertices, normals: (N, 3); grain: (N, 2), their places in the surface picture; triangles: (M, 3)."""

    vertices: Array
    normals: Array
    grain: Array
    triangles: NDArray[np.uint32]

    def moved(self, turn: Array | None = None, by: tuple[float, float, float] = (0, 0, 0)) -> Solid:
        """Turned by a matrix (3, 3), then moved."""
        turn = np.eye(3) if turn is None else turn
        return Solid(self.vertices @ turn.T + np.array(by), self.normals @ turn.T, self.grain, self.triangles)


def joined(*solids: Solid) -> Solid:
    """Several as one."""
    firsts = np.cumsum([0, *(len(solid.vertices) for solid in solids[:-1])])
    return Solid(
        np.concatenate([solid.vertices for solid in solids]),
        np.concatenate([solid.normals for solid in solids]),
        np.concatenate([solid.grain for solid in solids]),
        np.concatenate(
            [solid.triangles + np.uint32(first) for solid, first in zip(solids, firsts, strict=True)]
        ),
    )


def around_z(degrees: float) -> Array:
    """The matrix of a turn, counter-clockwise from above."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def smoothed(solid: Solid) -> Solid:
    """The same, shaded as its triangles lie: where vertices share a place, as one round surface."""
    corners = solid.vertices[solid.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    _, place = np.unique(np.round(solid.vertices, 4), axis=0, return_inverse=True)
    normals = np.zeros((int(place.max()) + 1, 3))
    for corner in range(3):
        np.add.at(normals, place.ravel()[solid.triangles[:, corner]], across)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    return Solid(solid.vertices, normals[place.ravel()], solid.grain, solid.triangles)


def laid_down() -> Array:
    """The matrix that lays what stands along x."""
    return np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])


def lathe(profile: Profile, turns: int = TURNS, flattened: float = 1.0) -> Solid:
    """A turned body, or with few `turns` one with edges; flattened: its depth as a share of its width."""
    points = np.array(profile, float)
    sides = np.diff(points, axis=0)
    lengths = np.linalg.norm(sides, axis=1) + 1e-9
    outwards = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths[:, None]
    along = np.concatenate([[0], np.cumsum(lengths)])
    angles = 2 * np.pi * np.arange(turns + 1) / turns
    around = np.column_stack([np.cos(angles), flattened * np.sin(angles)])
    facing = np.column_stack([np.cos(angles), np.sin(angles) / flattened])
    vertices, normals, grain, triangles = [], [], [], []
    for index in range(len(sides)):
        for end, beside in ((index, index - 1), (index + 1, index + 1)):
            normal = outwards[index]
            if 0 <= beside < len(sides) and normal @ outwards[beside] > ROUND:
                normal = normal + outwards[beside]
            vertices.append(np.column_stack([points[end, 0] * around, np.full(turns + 1, points[end, 1])]))
            normals.append(np.column_stack([normal[0] * facing, np.full(turns + 1, normal[1])]))
            grain.append(np.column_stack([angles * 6, np.full(turns + 1, along[end])]) / GRAIN_MM)
        low = 2 * index * (turns + 1) + np.arange(turns)
        high = low + turns + 1
        triangles += [np.column_stack([low, low + 1, high]), np.column_stack([high, low + 1, high + 1])]
    return _solid(vertices, normals, grain, triangles)


def slab(outline: Profile, thick: float) -> Solid:
    """An upright board cut along `outline` (x, z), which its middle sees all of, `thick` along y."""
    points = np.array(outline, float)
    count, middle = len(points), points.mean(axis=0)
    vertices, normals, grain, triangles = [], [], [], []
    for side in (-1.0, 1.0):
        face = np.vstack([middle, points])
        first = sum(len(each) for each in vertices)
        vertices.append(np.column_stack([face[:, 0], np.full(count + 1, side * thick / 2), face[:, 1]]))
        normals.append(np.tile([0, side, 0], (count + 1, 1)))
        grain.append(face / GRAIN_MM)
        ring = first + 1 + np.arange(count)
        triangles.append(np.column_stack([np.full(count, first), ring, np.roll(ring, -1)]))
    for begin, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        first = sum(len(each) for each in vertices)
        corners = [(*p, y) for p, y in zip((begin, end, end, begin), (-1, -1, 1, 1), strict=True)]
        vertices.append(np.array([(x, y * thick / 2, z) for x, z, y in corners]))
        outwards = np.array([end[1] - begin[1], 0, begin[0] - end[0]])
        normals.append(np.tile(outwards, (4, 1)))
        grain.append(np.array([(y * thick / 2, z) for _, z, y in corners]) / GRAIN_MM)
        triangles.append(first + np.array([[0, 1, 2], [0, 2, 3]]))
    return _solid(vertices, normals, grain, triangles)


def box(length: float, width: float, height: float, bevel: float) -> Solid:
    """A box whose edges are cut off."""
    bevel = min(bevel, 0.45 * min(length, width, height))
    half, middle = np.array([length, width, height]) / 2, np.array([0, 0, height / 2])
    vertices, normals, grain, triangles = [], [], [], []
    for facing in np.ndindex(3, 3, 3):
        towards = np.array(facing, float) - 1
        if not towards.any():
            continue
        axes = np.flatnonzero(towards == 0)
        # A side has two free directions, an edge one, a corner none.
        corners = [towards * half for _ in range(4)]
        if len(axes) == 2:
            for corner, signs in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
                corner[axes] = np.array(signs) * (half[axes] - bevel)
        elif len(axes) == 1:
            one, other = np.flatnonzero(towards)
            for corner, inner, sign in zip(corners, (one, one, other, other), (-1, 1, 1, -1), strict=True):
                corner[inner] -= towards[inner] * bevel
                corner[axes] = sign * (half[axes] - bevel)
        else:
            for corner, outer in zip(corners, (0, 1, 2, 2), strict=True):
                corner -= towards * bevel
                corner[outer] += towards[outer] * bevel
        first = 4 * len(vertices)
        vertices.append(np.array(corners) + middle)
        normals.append(np.tile(towards, (4, 1)))
        grain.append(np.delete(vertices[-1], int(np.abs(towards).argmax()), axis=1) / GRAIN_MM)
        triangles.append(first + np.array([[0, 1, 2], [0, 2, 3]]))
    return _solid(vertices, normals, grain, triangles)


def _solid(vertices: list[Array], normals: list[Array], grain: list[Array], triangles: list[Array]) -> Solid:
    turned = np.concatenate(normals).astype(float)
    turned /= np.linalg.norm(turned, axis=1, keepdims=True) + 1e-9
    every, points = np.concatenate(triangles), np.concatenate(vertices).astype(float)
    # Counter-clockwise from outside: as the normals say.
    first, second, third = (points[every[:, corner]] for corner in range(3))
    inwards = (np.cross(second - first, third - first) * turned[every[:, 0]]).sum(axis=1) < 0
    every[inwards] = every[inwards, ::-1]
    return Solid(points, turned, np.concatenate(grain).astype(float), every.astype(np.uint32))
