"""Solid shapes in Blender: lathed, extruded and bevelled. One Blender unit is 10 mm; shapes stand on z = 0
around the z axis with their long side along x."""

from __future__ import annotations

import math

import bmesh
import bpy

from sample_images.generator import sets

UNIT_MM = 10.0
TURNS = 48
Profile = list[tuple[float, float]]


def lathe(name: str, profile: Profile, turns: int = TURNS) -> bpy.types.Mesh:
    """A turned body from (radius, height) in mm, bottom to top; ends on the axis are closed."""
    vertices: list[tuple[float, float, float]] = []
    for radius, height in profile:
        for step in range(turns):
            angle = 2 * math.pi * step / turns
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), height))
    faces: list[tuple[int, ...]] = []
    for ring in range(len(profile) - 1):
        a, b = ring * turns, (ring + 1) * turns
        faces += [(a + i, a + (i + 1) % turns, b + (i + 1) % turns, b + i) for i in range(turns)]
    faces.append(tuple(reversed(range(turns))))
    faces.append(tuple(range((len(profile) - 1) * turns, len(profile) * turns)))
    return _mesh(name, vertices, faces)


def extrude(name: str, outline: Profile, width: float, bevel: float) -> bpy.types.Mesh:
    """A body whose side view (x, z in mm) is `outline`, `width` wide along y, with rounded edges."""
    count = len(outline)
    vertices = [(x, side * width / 2, z) for side in (-1, 1) for x, z in outline]
    faces: list[tuple[int, ...]] = [tuple(range(count)), tuple(reversed(range(count, 2 * count)))]
    faces += [(i, i + count, (i + 1) % count + count, (i + 1) % count) for i in range(count)]
    return _mesh(name, vertices, faces, bevel)


def box(name: str, length: float, width: float, height: float, bevel: float) -> bpy.types.Mesh:
    """A box with rounded edges."""
    half = length / 2
    return extrude(name, [(-half, 0), (half, 0), (half, height), (-half, height)], width, bevel)


def plate(name: str, length: float, width: float, height: float = 0.0) -> bpy.types.Mesh:
    """A flat rectangle at a height, its picture the right way up for a reader at -y."""
    x, y = length / 2, width / 2
    mesh = _mesh(name, [(-x, -y, height), (x, -y, height), (x, y, height), (-x, y, height)], [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new()
    for corner, uv in zip(layer.data, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        corner.uv = uv
    return mesh


def round_plate(name: str, diameter: float, height: float) -> bpy.types.Mesh:
    """A flat circle with its picture, for stickers."""
    ring = [(math.cos(2 * math.pi * i / TURNS), math.sin(2 * math.pi * i / TURNS)) for i in range(TURNS)]
    mesh = _mesh(name, [(diameter / 2 * x, diameter / 2 * y, height) for x, y in ring], [tuple(range(TURNS))])
    layer = mesh.uv_layers.new()
    for corner, (x, y) in zip(layer.data, ring, strict=True):
        corner.uv = (0.5 + x / 2, 0.5 + y / 2)
    return mesh


def disc(shape: sets.Disc) -> bpy.types.Mesh:
    r, h, b = shape.diameter / 2, shape.height, shape.bevel
    bottom = _rounded([(r, 0.0)], b, inward=True)
    if shape.style == "domed":
        top = [(r * math.cos(t), h * 0.62 + h * 0.38 * math.sin(t)) for t in _steps(0, math.pi / 2, 10)]
        top[-1] = (0.05, h)
        return lathe("disc", bottom + top)
    profile = bottom + _corner(r, h, b)
    if shape.style == "grooved":
        profile += [(r * 0.72, h), (r * 0.68, h - 0.7), (r * 0.58, h - 0.7), (r * 0.54, h)]
    return lathe("disc", [*profile, (0.05, h)])


def block(shape: sets.Block) -> bpy.types.Mesh:
    return box("block", shape.length, shape.width, shape.height, shape.bevel)


def figure(shape: sets.Figure) -> bpy.types.Mesh:
    """A turned figure: pawn, hooded druid or plain cone with a head."""
    r, h = shape.base / 2, shape.height
    if shape.style == "cone":
        head = 0.3 * h
        body = [(r, 0), (r, 1.5), (r * 0.9, 2.4), (r * 0.32, h - head * 1.55)]
        ball = _ball(head * 0.62, h - head * 0.62, -0.9)
    elif shape.style == "druid":
        body = [
            (r, 0),
            (r, 1.2),
            (r * 0.88, 3),
            (r * 0.7, h * 0.35),
            (r * 0.62, h * 0.55),
            (r * 0.5, h * 0.66),
        ]
        ball = [
            (r * 0.56, h * 0.74),
            (r * 0.55, h * 0.82),
            (r * 0.42, h * 0.91),
            (r * 0.2, h * 0.97),
            (0.05, h),
        ]
    else:
        body = [
            (r, 0),
            (r, 2.2),
            (r * 0.92, 3.2),
            (r * 0.6, 5.2),
            (r * 0.42, h * 0.34),
            (r * 0.33, h * 0.52),
            (r * 0.36, h * 0.58),
            (r * 0.6, h * 0.605),
            (r * 0.6, h * 0.635),
            (r * 0.34, h * 0.66),
        ]
        ball = _ball(h * 0.185, h * 0.815, -0.85)
    return lathe("figure", [*body, *ball])


def face(shape: sets.Figure, mask: sets.Face) -> bpy.types.Mesh:
    """The mask with a beak that tells where a figure looks (towards +x), from the side too."""
    size, height = shape.base * mask.size, shape.height * mask.level
    if shape.style == "druid":
        size *= 0.95
    mesh = lathe("face", _ball(size, 0.0, -1.5), 24)
    forward = shape.base * {"cone": 0.22, "druid": 0.2}.get(shape.style, 0.27)
    for vertex in mesh.vertices:
        x, y, z = (value * UNIT_MM for value in vertex.co)
        stretched = (mask.beak if x > 0 else 0.9) * x + forward
        vertex.co = (stretched / UNIT_MM, y / UNIT_MM, (z * 1.15 + height) / UNIT_MM)
    return mesh


def capstone(shape: sets.Trilith, base: float) -> bpy.types.Mesh:
    """The lintel with the recess in the middle of its top, standing at height `base`."""
    half, top, notch = shape.capstone_length / 2, base + shape.capstone_height, 8.8
    outline = [
        (-half, base),
        (half, base),
        (half, top),
        (notch, top),
        (notch - 0.6, top - shape.recess),
        (-notch + 0.6, top - shape.recess),
        (-notch, top),
        (-half, top),
    ]
    return extrude("capstone", outline, shape.capstone_width, shape.bevel)


def pillar(shape: sets.Trilith) -> bpy.types.Mesh:
    return box("pillar", shape.pillar_length, shape.pillar_width, shape.pillar_height, shape.bevel)


def trilith(shape: sets.Trilith) -> bpy.types.Mesh:
    """Two pillars and the capstone as one mesh."""
    joined = bmesh.new()
    for side in (-1, 1):
        part = pillar(shape)
        for vertex in part.vertices:
            vertex.co.x += side * shape.span / 2 / UNIT_MM
        joined.from_mesh(part)
    joined.from_mesh(capstone(shape, shape.pillar_height))
    mesh = bpy.data.meshes.new("trilith")
    joined.to_mesh(mesh)
    joined.free()
    return _shade(mesh)


def druid(shape: sets.Druid) -> bpy.types.Mesh:
    r, h, b = shape.diameter / 2, shape.height, shape.bevel
    return lathe("druid", [*_rounded([(r, 0.0)], b, inward=True), *_corner(r, h, b), (0.05, h)])


def megalith(shape: sets.Megalith) -> bpy.types.Mesh:
    """A standing stone, a little narrower at the top."""
    half, h = shape.length / 2, shape.height
    outline = [
        (-half, 0),
        (half, 0),
        (half * 0.86, h * 0.8),
        (half * 0.62, h),
        (-half * 0.5, h * 0.97),
        (-half * 0.82, h * 0.78),
    ]
    return extrude("megalith", outline, shape.width, shape.bevel)


def _steps(low: float, high: float, count: int) -> list[float]:
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def _corner(radius: float, height: float, bevel: float) -> Profile:
    """The rounded upper edge of a cylinder."""
    return [
        (radius - bevel + bevel * math.cos(t), height - bevel + bevel * math.sin(t))
        for t in _steps(0, math.pi / 2, 5)
    ]


def _rounded(points: Profile, bevel: float, inward: bool) -> Profile:
    """The slightly rounded lower edge of a cylinder."""
    (radius, height), small = points[0], min(bevel, 0.5)
    return [(radius - small if inward else radius, height), (radius, height + small)]


def _ball(radius: float, middle: float, start: float) -> Profile:
    points = [(radius * math.cos(t), middle + radius * math.sin(t)) for t in _steps(start, math.pi / 2, 14)]
    return [*points[:-1], (0.05, points[-1][1])]


def _mesh(
    name: str, vertices: list[tuple[float, float, float]], faces: list[tuple[int, ...]], bevel: float = 0.0
) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(x / UNIT_MM, y / UNIT_MM, z / UNIT_MM) for x, y, z in vertices], [], faces)
    work = bmesh.new()
    work.from_mesh(mesh)
    if len(faces) > 1:  # a single face lies as it was drawn, its picture up
        bmesh.ops.recalc_face_normals(work, faces=work.faces)
    if bevel:
        bmesh.ops.bevel(
            work,
            geom=work.edges[:],
            offset=bevel / UNIT_MM,
            segments=3,
            profile=0.5,
            affect="EDGES",
            clamp_overlap=True,
        )
    work.to_mesh(mesh)
    work.free()
    return _shade(mesh)


def _shade(mesh: bpy.types.Mesh) -> bpy.types.Mesh:
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=math.radians(38))
    return mesh
