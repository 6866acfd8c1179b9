"""Surfaces in Blender: painted pieces, the printed board, table tops, skin, lamps' colours."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from sample_images.generator.sensor import linear_from_srgb
from sample_images.generator.sets import PieceSet

Colour = tuple[float, float, float]


def linear(rgb: Any, scale: float = 255.0) -> tuple[float, float, float, float]:
    """sRGB (0..255 or 0..scale) -> Blender's linear colour with alpha."""
    red, green, blue = (float(value) for value in linear_from_srgb(np.asarray(rgb, dtype=float) / scale))
    return red, green, blue, 1.0


def blackbody(warmth: float) -> Colour:
    """The colour of light: -1 cold sky (about 9000 K), 0 daylight, 1 a bulb (about 2600 K)."""
    if warmth >= 0:
        return 1.0 + 0.35 * warmth, 1.0 - 0.12 * warmth, 1.0 - 0.62 * warmth
    return 1.0 + 0.2 * warmth, 1.0 + 0.05 * warmth, 1.0 - 0.28 * warmth


def image(name: str, pixels: NDArray[np.generic], colour: bool = True) -> bpy.types.Image:
    """A Blender picture from (H, W, 3): uint8 sRGB, or float32 linear light."""
    height, width = pixels.shape[:2]
    is_light = pixels.dtype != np.uint8
    made = bpy.data.images.new(name, width, height, alpha=False, float_buffer=is_light)
    made.colorspace_settings.name = "Linear Rec.709" if is_light else "sRGB"
    full = np.ones((height, width, 4), np.float32)
    full[..., :3] = pixels[::-1] if is_light else pixels[::-1].astype(np.float32) / 255
    made.pixels.foreach_set(full.ravel())
    made.update()
    return made


class Nodes:
    """A material under construction: its Principled shader and short ways to add nodes."""

    def __init__(self, name: str, roughness: float, coat: float = 0.0, specular: float = 0.5) -> None:
        self.material = bpy.data.materials.new(name)
        if not self.material.node_tree:
            self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.shader = next(node for node in self.tree.nodes if node.type == "BSDF_PRINCIPLED")
        self.shader.inputs["Roughness"].default_value = roughness
        self.shader.inputs["Coat Weight"].default_value = coat
        self.shader.inputs["Coat Roughness"].default_value = 0.08
        self.shader.inputs["Specular IOR Level"].default_value = specular

    def add(self, kind: str, **inputs: Any) -> Any:
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in inputs.items():
            node.inputs[name.replace("_", " ")].default_value = value
        return node

    def link(self, source: Any, target: Any) -> None:
        self.tree.links.new(source, target)

    def colour(self, source: Any) -> None:
        self.link(source, self.shader.inputs["Base Color"])

    def bump(self, height: Any, strength: float, distance: float = 0.02) -> None:
        node = self.add("Bump", Strength=strength, Distance=distance)
        self.link(height, node.inputs["Height"])
        self.link(node.outputs["Normal"], self.shader.inputs["Normal"])


def piece_surface(pieces: PieceSet, rough: float = 0.0) -> bpy.types.Material:
    """The set's paint; the colour is the object's own, so one material serves all."""
    nodes = Nodes(
        f"piece {pieces.name} {rough}", min(1.0, pieces.roughness + rough), pieces.coat * (1 - rough)
    )
    info = nodes.add("ObjectInfo")
    if pieces.grain > 0.02:
        grain = nodes.add("TexNoise", Scale=3.5, Detail=3.0)
        where = nodes.add("TexCoord")
        stretch = nodes.add("Mapping")
        stretch.inputs["Scale"].default_value = (0.6, 3.0, 3.0)
        nodes.link(where.outputs["Object"], stretch.inputs["Vector"])
        nodes.link(stretch.outputs["Vector"], grain.inputs["Vector"])
        tone = nodes.add("MapRange")
        tone.inputs["To Min"].default_value = 1 - 0.35 * pieces.grain
        tone.inputs["To Max"].default_value = 1 + 0.25 * pieces.grain
        nodes.link(grain.outputs["Fac"], tone.inputs["Value"])
        mixed = nodes.add("VectorMath")
        mixed.operation = "MULTIPLY"
        nodes.link(info.outputs["Color"], mixed.inputs[0])
        nodes.link(tone.outputs["Result"], mixed.inputs[1])
        nodes.colour(mixed.outputs["Vector"])
        nodes.bump(grain.outputs["Fac"], 0.12 * pieces.grain + 0.03 * rough)
    else:
        nodes.colour(info.outputs["Color"])
    return nodes.material


def plain(name: str, rgb: Any, roughness: float = 0.6, coat: float = 0.0) -> bpy.types.Material:
    """One colour (sRGB 0..255)."""
    nodes = Nodes(name, roughness, coat)
    nodes.shader.inputs["Base Color"].default_value = linear(rgb)
    return nodes.material


def printed(name: str, pixels: NDArray[np.uint8], gloss: float) -> bpy.types.Material:
    """A printed surface: matt paper (0) to laminated (1), whose film is never perfectly flat."""
    nodes = Nodes(name, 0.75 - 0.35 * gloss, coat=max(0.0, gloss - 0.3) * 1.2, specular=0.25 + 0.3 * gloss)
    nodes.shader.inputs["Coat Roughness"].default_value = 0.22 - 0.16 * gloss
    texture = nodes.add("TexImage")
    texture.image = image(name, pixels)
    texture.interpolation = "Cubic"
    texture.extension = "EXTEND"
    nodes.colour(texture.outputs["Color"])
    if gloss > 0.25:
        where = nodes.add("TexCoord")
        waves = nodes.add("TexNoise", Scale=0.16, Detail=2.0)
        nodes.link(where.outputs["Object"], waves.inputs["Vector"])
        bump = nodes.add("Bump", Strength=0.5, Distance=0.12)
        nodes.link(waves.outputs["Fac"], bump.inputs["Height"])
        nodes.link(bump.outputs["Normal"], nodes.shader.inputs["Coat Normal"])
    return nodes.material


# Two shades between which a table's pattern runs (sRGB), roughness.
TABLES = {
    "oak": ((196, 150, 98), (152, 106, 62), 0.42),
    "walnut": ((98, 62, 40), (58, 36, 24), 0.35),
    "pine": ((226, 190, 140), (198, 152, 98), 0.5),
    "cloth": ((112, 42, 44), (90, 32, 36), 0.95),
    "linen": ((196, 188, 172), (168, 160, 146), 0.95),
    "green": ((54, 84, 66), (44, 70, 56), 0.95),
    "white": ((226, 226, 222), (214, 214, 212), 0.3),
    "slate": ((70, 74, 78), (52, 55, 60), 0.55),
}


def table_top(surface: str, shade: float) -> bpy.types.Material:
    """Wood, cloth or a plain top; `shade` 0 dark .. 1 light around the surface's own tone."""
    light, dark, roughness = TABLES[surface]
    nodes = Nodes(f"table {surface}", roughness)
    factor = 0.72 + 0.5 * shade
    where = nodes.add("TexCoord")
    stretch = nodes.add("Mapping")
    woven = roughness > 0.9
    wooden = surface in ("oak", "walnut", "pine")
    stretch.inputs["Scale"].default_value = (
        (0.035, 0.55, 0.3) if wooden else (9.0, 9.0, 9.0) if woven else (0.08, 0.08, 0.08)
    )
    nodes.link(where.outputs["Object"], stretch.inputs["Vector"])
    pattern = nodes.add(
        "TexNoise",
        Scale=1.0,
        Detail=6.0 if wooden else 2.0,
        Roughness=0.62,
        Distortion=0.7 if wooden else 0.0,
    )
    nodes.link(stretch.outputs["Vector"], pattern.inputs["Vector"])
    ramp = nodes.add("ValToRGB")
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.32, 0.68
    for element, colour in zip(ramp.color_ramp.elements, (dark, light), strict=True):
        element.color = (*(min(1.0, value * factor**2) for value in linear(colour)[:3]), 1.0)
    nodes.link(pattern.outputs["Fac"], ramp.inputs["Fac"])
    nodes.colour(ramp.outputs["Color"])
    nodes.bump(pattern.outputs["Fac"], 0.5 if woven else 0.06)
    return nodes.material


def skin(tone: float) -> bpy.types.Material:
    """A hand's surface, 0 light .. 1 dark."""
    light, dark = np.array((232, 190, 168)), np.array((84, 52, 38))
    nodes = Nodes("skin", 0.5, specular=0.4)
    base = linear(light + (dark - light) * tone)
    ramp = nodes.add("ValToRGB")
    ramp.color_ramp.elements[0].color = (base[0] * 0.82, base[1] * 0.7, base[2] * 0.68, 1)
    ramp.color_ramp.elements[1].color = base
    noise = nodes.add("TexNoise", Scale=0.9, Detail=4.0)
    nodes.link(noise.outputs["Fac"], ramp.inputs["Fac"])
    nodes.colour(ramp.outputs["Color"])
    nodes.bump(noise.outputs["Fac"], 0.2, 0.05)
    return nodes.material


def toward(direction_deg: float, elevation_deg: float) -> tuple[float, float, float]:
    """Unit vector (Blender axes) from the board towards a direction given as a camera's azimuth."""
    around, up = math.radians(direction_deg), math.radians(elevation_deg)
    return -math.sin(around) * math.cos(up), -math.cos(around) * math.cos(up), math.sin(up)
