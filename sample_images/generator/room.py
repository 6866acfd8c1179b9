"""What surrounds the board: the room's light, the table, things that lie about, arms that reach in.

Blender axes: x right, y away from the printed bottom edge, z up, one unit is 10 mm, origin at the board's
middle on its face."""

from __future__ import annotations

import math
import random
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from sample_images.generator import materials, meshes, stickers
from sample_images.generator.scene import Hand, Light, Table

TABLE_TOP = -0.25  # the board is 2.5 mm thick


def add(
    name: str,
    mesh: bpy.types.Mesh,
    material: bpy.types.Material | None = None,
    at: tuple[float, float, float] = (0, 0, 0),
    turn_deg: float = 0.0,
) -> bpy.types.Object:
    """A new object in the scene."""
    made = bpy.data.objects.new(name, mesh)
    if material:
        mesh.materials.clear()
        mesh.materials.append(material)
    made.location = at
    made.rotation_euler = (0, 0, math.radians(turn_deg))
    bpy.context.scene.collection.objects.link(made)
    return made


def light_room(light: Light, environments: Path | None, seed: int) -> None:
    """World and lamps. Raises ValueError when the light's environment file is not there."""
    chance = random.Random(f"light {seed}")
    if light.kind == "hdr":
        _world_from_file(light, environments)
        return
    maker = {"lamp": _lamp, "window": _window, "overcast": _overcast, "studio": _studio, "several": _several}
    if light.kind not in maker:
        raise ValueError(f"no light {light.kind!r}: known are hdr, {', '.join(maker)}")
    _world(light, chance)
    maker[light.kind](light, chance)


def _world_nodes(picture: bpy.types.Image, strength: float, turn_deg: float = 0.0) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    if not world.node_tree:
        world.use_nodes = True
    tree = world.node_tree
    background = next(node for node in tree.nodes if node.type == "BACKGROUND")
    background.inputs["Strength"].default_value = strength
    texture = tree.nodes.new("ShaderNodeTexEnvironment")
    texture.image = picture
    mapping = tree.nodes.new("ShaderNodeMapping")
    mapping.inputs["Rotation"].default_value = (0, 0, math.radians(turn_deg))
    where = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(where.outputs["Generated"], mapping.inputs["Vector"])
    tree.links.new(mapping.outputs["Vector"], texture.inputs["Vector"])
    tree.links.new(texture.outputs["Color"], background.inputs["Color"])


def _world_from_file(light: Light, environments: Path | None) -> None:
    path = (environments or Path()) / (light.environment or "")
    if environments is None or not path.is_file():
        raise ValueError(
            f"light 'hdr' needs the environment {light.environment!r}: give its folder with --environments"
        )
    _world_nodes(bpy.data.images.load(str(path)), 1.0, light.direction_deg)


def _world(light: Light, chance: random.Random) -> None:
    """A painted room: floor, walls with darker furniture and pictures, a lighter ceiling, its window."""
    height, width = 128, 256
    v, u = np.mgrid[0:height, 0:width]
    up = 90 - (v + 0.5) * 180 / height  # degrees of elevation, row 0 at the top
    around = (0.5 - (u + 0.5) / width) * 2 * np.pi
    wall = np.array([chance.uniform(0.45, 0.75)] * 3) * [
        1,
        chance.uniform(0.92, 1.0),
        chance.uniform(0.82, 1.0),
    ]
    room = np.empty((height, width, 3), np.float32)
    room[:] = wall
    room[up > 42] = (0.8, 0.79, 0.77)
    room[up < -18] = (0.16, 0.12, 0.09)
    for _ in range(12):  # furniture, shelves, pictures, dark doors
        middle, wide = chance.uniform(-math.pi, math.pi), chance.uniform(0.1, 0.5)
        low, high = sorted((chance.uniform(-20, 40), chance.uniform(-20, 40)))
        shade = chance.uniform(0.04, 0.7)
        tint = [shade * chance.uniform(0.7, 1.1) for _ in range(3)]
        room[(np.abs(_turned(around - middle)) < wide) & (up > low) & (up < high)] = tint
    if light.kind in ("window", "overcast"):
        x, y, _ = materials.toward(light.direction_deg, 0)
        side = _turned(around - math.atan2(y, x))
        pane = (np.abs(side) < 0.42) & (up > 8) & (up < 52) & (np.abs(side) > 0.02) & (np.abs(up - 30) > 1.2)
        room[pane] = np.array(materials.blackbody(-0.4)) * (9.0 if light.kind == "overcast" else 6.0)
    tone = np.array(materials.blackbody(light.warmth * 0.8), np.float32)
    # A studio's ceiling lamp and an evening's other lamps fill the shadows a little.
    _world_nodes(materials.image("room", room * tone), 0.15 + 1.1 * light.ambient)


def _turned(angle: np.ndarray) -> np.ndarray:
    return (angle + np.pi) % (2 * np.pi) - np.pi


def _area(at: tuple[float, float, float], size: float, watts: float, colour: materials.Colour) -> None:
    """A square lamp that looks at the board; sizes in Blender units."""
    data = bpy.data.lights.new("lamp", "AREA")
    data.shape, data.size, data.energy, data.color = "DISK", size, watts, colour
    lamp = bpy.data.objects.new("lamp", data)
    lamp.location = at
    lamp.rotation_euler = Vector(at).to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(lamp)


def _at(light: Light, distance: float) -> tuple[float, float, float]:
    x, y, z = materials.toward(light.direction_deg, light.elevation_deg)
    return x * distance, y * distance, z * distance


def _lamp(light: Light, chance: random.Random) -> None:
    distance = chance.uniform(75, 115)
    _area(_at(light, distance), 6 + 34 * light.softness, distance**2 * 12, materials.blackbody(light.warmth))


def _window(light: Light, chance: random.Random) -> None:
    """Sun through a window: hard shadows, sometimes the frame's own shadow across the table."""
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.angle = 5.0 - 2 * light.softness, math.radians(0.6 + 6 * light.softness)
    data.color = materials.blackbody(light.warmth + 0.15)
    sun = bpy.data.objects.new("sun", data)
    towards = Vector(materials.toward(light.direction_deg, light.elevation_deg))
    sun.rotation_euler = towards.to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(sun)
    if chance.random() < 0.6:
        _window_frame(towards, chance)


def _window_frame(towards: Vector, chance: random.Random) -> None:
    dark = materials.plain("frame", (60, 60, 60))
    centre = towards * 160
    turn = towards.to_track_quat("Z", "Y").to_euler()
    offset = chance.uniform(-30, 30)
    for x, y, w, h in ((offset, 0, 5, 300), (0, chance.uniform(-25, 25), 300, 4), (offset + 78, 0, 60, 300)):
        bar = add("frame", meshes.plate("frame", w * 10, h * 10), dark)
        bar.rotation_euler = turn
        bar.location = centre + turn.to_matrix() @ Vector((x, y, 0))
        bar.visible_camera = False


def _overcast(light: Light, chance: random.Random) -> None:
    distance = chance.uniform(140, 190)
    _area(
        _at(light, distance),
        60 + 120 * light.softness,
        distance**2 * 7,
        materials.blackbody(light.warmth - 0.2),
    )


def _studio(light: Light, chance: random.Random) -> None:
    for side, share in ((-1, 1.0), (1, chance.uniform(0.4, 0.9))):
        turned = Light(direction_deg=light.direction_deg + 75 * side, elevation_deg=light.elevation_deg)
        _area(
            _at(turned, 120), 30 + 60 * light.softness, 120**2 * 6 * share, materials.blackbody(light.warmth)
        )


def _several(light: Light, chance: random.Random) -> None:
    for _ in range(chance.randint(2, 4)):
        one = Light(
            direction_deg=light.direction_deg + chance.uniform(-150, 150),
            elevation_deg=chance.uniform(35, 80),
        )
        warmth = light.warmth + chance.uniform(-0.35, 0.35)
        _area(
            _at(one, chance.uniform(90, 150)),
            5 + 30 * light.softness,
            110**2 * chance.uniform(2, 7),
            materials.blackbody(max(-1.0, min(1.0, warmth))),
        )


def set_table(table: Table, size_mm: tuple[float, float], seed: int) -> None:
    """Table top, floor, and `table.clutter` things around the board (never on it)."""
    chance = random.Random(f"table {seed}")
    wide, deep = (size_mm[0] + chance.uniform(400, 900), size_mm[1] + chance.uniform(250, 600))
    top = add(
        "table", meshes.box("table", wide, deep, 30, 4), materials.table_top(table.surface, table.shade)
    )
    top.location = (chance.uniform(-8, 8), chance.uniform(-5, 5), TABLE_TOP - 3.0)
    top.rotation_euler = (0, 0, math.radians(chance.choice((0, 90)) * (wide > 1000) + chance.uniform(-4, 4)))
    floor = materials.plain("floor", chance.choice(((120, 104, 88), (78, 72, 70), (150, 140, 128))), 0.6)
    add("floor", meshes.plate("floor", 8000, 8000), floor, (0, 0, -74))
    taken: list[tuple[float, float, float]] = []
    things = [_mug, _book, _phone, _paper, _pencil, _bowl, _dice]
    for index in range(table.clutter):
        thing = things[(index + chance.randrange(len(things))) % len(things)]
        _beside_board(thing, size_mm, taken, chance)


def _beside_board(
    thing: object,
    size_mm: tuple[float, float],
    taken: list[tuple[float, float, float]],
    chance: random.Random,
) -> None:
    radius = {
        "_mug": 5.5,
        "_book": 13.0,
        "_phone": 8.0,
        "_paper": 18.5,
        "_pencil": 9.5,
        "_bowl": 8.5,
        "_dice": 2.5,
    }[thing.__name__]
    for _ in range(40):
        side, along = chance.randrange(4), chance.uniform(-0.6, 0.6)
        away = radius + 1.0 + chance.uniform(0, 9)
        half_x, half_y = size_mm[0] / 20, size_mm[1] / 20
        x, y = (
            (along * 2 * half_x, -(half_y + away)),
            (along * 2 * half_x, half_y + away),
            (-(half_x + away), along * 2 * half_y),
            (half_x + away, along * 2 * half_y),
        )[side]
        if all(math.dist((x, y), (a, b)) > radius + r for a, b, r in taken):
            taken.append((x, y, radius))
            thing((x, y, TABLE_TOP), chance)  # type: ignore[operator]
            return


def _mug(at: tuple[float, float, float], chance: random.Random) -> None:
    r, h = chance.uniform(36, 43), chance.uniform(75, 105)
    mesh = meshes.lathe(
        "mug", [(r * 0.8, 0), (r, 5), (r, h), (r - 2, h + 1), (r - 4, h), (r - 4, h * 0.75), (0.05, h * 0.75)]
    )
    colour = chance.choice(((230, 228, 220), (30, 60, 96), (150, 40, 34), (46, 48, 52), (214, 178, 60)))
    add("mug", mesh, materials.plain("mug", colour, 0.2, 0.7), at)


def _book(at: tuple[float, float, float], chance: random.Random) -> None:
    _sheet(at, chance, 150, 210, chance.uniform(2, 12), 0.4)


def _paper(at: tuple[float, float, float], chance: random.Random) -> None:
    _sheet(at, chance, 210, 297, 0.6, 0.0)


def _phone(at: tuple[float, float, float], chance: random.Random) -> None:
    add(
        "phone",
        meshes.box("phone", 72, 148, 8, 2.5),
        materials.plain("phone", (20, 21, 24), 0.08, 0.8),
        at,
        chance.uniform(0, 360),
    )


def _sheet(
    at: tuple[float, float, float],
    chance: random.Random,
    width: float,
    height: float,
    thick: float,
    gloss: float,
) -> None:
    turn = chance.uniform(0, 360)
    add(
        "book",
        meshes.box("book", width, height, thick, 0.2),
        materials.plain("pages", (222, 218, 206)),
        at,
        turn,
    )
    picture = materials.printed("cover", stickers.cover(chance), gloss)
    add("cover", meshes.plate("cover", width, height, thick + 0.1), picture, at, turn)


def _pencil(at: tuple[float, float, float], chance: random.Random) -> None:
    colour = chance.choice(((220, 180, 30), (30, 90, 40), (20, 20, 24), (170, 30, 30)))
    body = meshes.lathe("pencil", [(0.3, 0), (3.6, 16), (3.6, 170), (0.05, 170)], 6)
    pencil = add("pencil", body, materials.plain("pencil", colour, 0.35, 0.3), at)
    turn = chance.uniform(0, 2 * math.pi)
    pencil.rotation_euler = Vector((math.cos(turn), math.sin(turn), 0)).to_track_quat("Z", "Y").to_euler()
    pencil.location = (at[0] - 8.5 * math.cos(turn), at[1] - 8.5 * math.sin(turn), at[2] + 0.36)


def _bowl(at: tuple[float, float, float], chance: random.Random) -> None:
    r = chance.uniform(55, 78)
    profile = [(r * 0.5, 0), (r * 0.9, 18), (r, 42), (r - 3, 43), (r * 0.82, 20), (r * 0.4, 5), (0.05, 5)]
    add(
        "bowl",
        meshes.lathe("bowl", profile),
        materials.plain("bowl", chance.choice(((205, 198, 180), (80, 96, 92), (140, 92, 60))), 0.4),
        at,
    )


def _dice(at: tuple[float, float, float], chance: random.Random) -> None:
    white = materials.plain("die", (235, 232, 224), 0.3, 0.4)
    for _ in range(chance.randint(1, 3)):
        spot = (at[0] + chance.uniform(-2, 2), at[1] + chance.uniform(-2, 2), at[2])
        add("die", meshes.box("die", 14, 14, 14, 2), white, spot, chance.uniform(0, 90))


def reach_in(hand: Hand, size_mm: tuple[float, float]) -> list[bpy.types.Object]:
    """An arm with a hand over the board: capsules melted into one skin, and a sleeve."""
    x, y = hand.x_mm / 10 - size_mm[0] / 20, size_mm[1] / 20 - hand.y_mm / 10
    away = Vector(materials.toward(hand.from_deg, 0))
    side = Vector((-away.y, away.x, 0))
    palm = Vector((x, y, hand.height_mm / 10 + 3.5)) + away * 6
    wrist = palm + away * 7 + Vector((0, 0, 1.5))
    elbow = wrist + away * 26 + Vector((0, 0, 7))
    bones = [
        (wrist, palm, 2.7, 3.6),
        (palm - side * 2.2, palm + side * 2.2, 2.2, 2.2),
        (wrist, elbow, 2.8, 4.2),
    ]
    for spread, length in ((-3.1, 6.4), (-1.2, 7.4), (0.9, 7.0), (2.8, 5.6)):
        knuckle = palm + side * spread - away * 2.6 + Vector((0, 0, 0.8))
        middle = knuckle - away * length * 0.5 - side * spread * 0.1 + Vector((0, 0, 0.3))
        tip = knuckle - away * length * 0.85 - side * spread * 0.35 + Vector((0, 0, -length * 0.5))
        bones += [(knuckle, middle, 1.05, 0.95), (middle, tip, 0.95, 0.75)]
    thumb = palm - side * 3.2 + away * 1.5
    bones += [
        (palm, thumb - away * 2, 1.6, 1.2),
        (thumb - away * 2, thumb - away * 5.5 + side * 1.6 + Vector((0, 0, -2.4)), 1.15, 0.85),
    ]
    skin = _melt("hand", bones)
    skin.data.materials.append(materials.skin(hand.skin))
    cloth = materials.plain("sleeve", [255 * value for value in hand.sleeve], 0.9)
    sleeve = _melt(
        "sleeve", [(wrist + (elbow - wrist) * 0.35, elbow + away * 20 + Vector((0, 0, 8)), 4.4, 6.0)]
    )
    sleeve.data.materials.append(cloth)
    return [skin, sleeve]


def _melt(name: str, bones: list[tuple[Vector, Vector, float, float]]) -> bpy.types.Object:
    """Capsules (from, to, radius, radius) as one smooth surface."""
    vertices: list[Vector] = []
    faces: list[tuple[int, ...]] = []
    turns, rings = 14, 7
    for start, end, first, last in bones:
        axis = (end - start).to_track_quat("Z", "Y").to_matrix()
        length, base = (end - start).length, len(vertices)
        profile = [(-first * math.cos(t), first * math.sin(t)) for t in np.linspace(0.05, math.pi / 2, rings)]
        profile += [
            (length + last * math.sin(t), last * math.cos(t))
            for t in np.linspace(0, math.pi / 2 - 0.05, rings)
        ]
        for z, r in profile:
            vertices += [
                start + axis @ Vector((r * math.cos(a), r * math.sin(a), z))
                for a in np.linspace(0, 2 * math.pi, turns, endpoint=False)
            ]
        for ring in range(len(profile) - 1):
            a, b = base + ring * turns, base + (ring + 1) * turns
            faces += [(a + i, a + (i + 1) % turns, b + (i + 1) % turns, b + i) for i in range(turns)]
        faces += [
            tuple(reversed(range(base, base + turns))),
            tuple(range(len(vertices) - turns, len(vertices))),
        ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    made = add(name, mesh)
    remesh = made.modifiers.new("melt", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 0.32, True
    smooth = made.modifiers.new("smooth", "SMOOTH")
    smooth.iterations, smooth.factor = 6, 0.6
    return made
