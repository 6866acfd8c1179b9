"""Renders photographs of a printed board and solid pieces, each with its label file.

A `Scene` (scene.py) says everything that matters to a picture in plain words and numbers; it comes from a
file or from a seed (conditions.py). Blender renders its light (studio.py), the lens and the sensor are
added afterwards (camera.py, sensor.py), and the label is computed from the same numbers (label.py).

Only studio.py, meshes.py, materials.py and room.py need Blender (`bpy`); everything else runs without it.
"""
