"""Solids as the renderer's meshes."""

from __future__ import annotations

from typing import Any

import mitsuba as mi
import numpy as np

from sample_images.generator.strangers.pieces import Surface
from sample_images.generator.strangers.solids import Solid

if mi.variant() != "llvm_ad_rgb":
    mi.set_variant("llvm_ad_rgb")


def mesh(name: str, solid: Solid, surface: Surface) -> Any:
    """The mesh of a solid, known to the renderer by that name."""
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(surface)
    made = mi.Mesh(
        name, len(solid.vertices), len(solid.triangles), props=properties,
        has_vertex_normals=True, has_vertex_texcoords=True,
    )  # fmt: skip
    made.set_id(name)
    content = mi.traverse(made)
    content["vertex_positions"] = np.ascontiguousarray(solid.vertices, np.float32).ravel()
    content["vertex_normals"] = np.ascontiguousarray(solid.normals, np.float32).ravel()
    content["vertex_texcoords"] = np.ascontiguousarray(solid.grain, np.float32).ravel()
    content["faces"] = np.ascontiguousarray(solid.triangles, np.uint32).ravel()
    content.update()
    return made
