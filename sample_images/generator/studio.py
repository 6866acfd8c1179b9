"""The photographer: builds a scene in Blender once, moves its pieces, and takes pictures.

Needs the `bpy` module. Blender axes as in room.py; label coordinates are the board's millimetres."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Piece
from sample_images.generator import artwork, materials, meshes, patches, room
from sample_images.generator.camera import View
from sample_images.generator.placing import Body, Placed, card_size_mm
from sample_images.generator.scene import Hand, Scene
from sample_images.generator.sensor import Linear, frame_to_render, linear_from_srgb
from sample_images.generator.sets import piece_set

MM = 1 / meshes.UNIT_MM
SAMPLES = 5  # denoised, they can hardly be told from 16


class Studio:
    """One table under one light. `show` lays out pieces, `photograph` renders, `sees` asks what is hidden."""

    def __init__(
        self,
        scene: Scene,
        board: Board,
        view: View,
        environments: Path | None = None,
        samples: int = SAMPLES,
        threads: int = 0,
    ) -> None:
        self.scene, self.board, self.view = scene, board, view
        self.set = piece_set(scene.piece_set)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        _renderer(samples, threads)
        self._meshes: dict[str, bpy.types.Mesh] = {}
        self._paint = materials.piece_surface(self.set)
        self._stone = materials.piece_surface(self.set, rough=0.25)
        self._shown: dict[str, list[bpy.types.Object]] = {}
        self._hands: list[bpy.types.Object] = []
        self._owner: dict[str, str] = {}
        self._pieces: dict[str, Piece] = {}
        self._placed: Mapping[str, Placed] = {}
        self._pictured: Mapping[str, Placed] = {}
        self._last_picture: Linear | None = None
        self.light_colour = np.ones(3)
        room.light_room(scene.light, environments, scene.seed)
        room.set_table(scene.table, board.size_mm, scene.seed)
        self._art = self._lay_board()
        self.aim(view)

    # The board and the camera

    def _lay_board(self) -> NDArray[np.uint8]:
        width, height = self.board.size_mm
        core = materials.plain("core", (196, 188, 172), 0.8)
        room.add("board core", meshes.box("core", width, height, 2.45, 0.3), core, (0, 0, room.TABLE_TOP))
        corners = self.view.project([[0, 0], [width, 0], [width, height], [0, height]])
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        art = artwork.board_picture(self.board, self.scene.style, float(sides.max()) / max(width, height))
        if self.scene.table.folds:
            art = artwork.stickers.fold_lines(art, self.board.size_mm)
        face = materials.printed("board", art, self.scene.table.board_gloss)
        room.add("board", meshes.plate("board", width, height), face)
        return art

    def aim(self, view: View) -> None:
        """Put the camera where `view` says."""
        self.view = view
        self._last_picture = None
        scene = bpy.context.scene
        data = bpy.data.cameras.get("camera") or bpy.data.cameras.new("camera")
        camera = scene.camera or bpy.data.objects.new("camera", data)
        if scene.camera is None:
            scene.collection.objects.link(camera)
            scene.camera = camera
        width, height = frame_to_render(view)
        scene.render.resolution_x, scene.render.resolution_y = width, height
        data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
        data.lens = view.focal_px / width * 36.0
        data.clip_start, data.clip_end = 1.0, 5000.0
        right, down, forward = (self._direction(row) for row in view.rotation)
        turn = Matrix((right, -down, -forward)).transposed()
        camera.matrix_world = Matrix.Translation(self._point(view.position_mm)) @ turn.to_4x4()
        if self.scene.camera.f_stop:
            data.dof.use_dof = True
            data.dof.aperture_fstop = self.scene.camera.f_stop
            data.dof.focus_distance = self._point(view.position_mm).length

    def _point(self, mm: NDArray[np.float64]) -> Vector:
        """Board mm with z down -> Blender."""
        x, y, z = (float(value) for value in mm)
        return Vector(((x - self.board.size_mm[0] / 2) * MM, (self.board.size_mm[1] / 2 - y) * MM, -z * MM))

    @staticmethod
    def _direction(row: NDArray[np.float64]) -> Vector:
        return Vector((float(row[0]), -float(row[1]), -float(row[2])))

    # Pieces and hands

    def show(self, placed: Mapping[str, Placed], hands: tuple[Hand, ...] = ()) -> None:
        """Lay out exactly these pieces; those that lie already stay untouched."""
        self._placed = dict(placed)
        self._pieces = {key: lies.piece for key, lies in placed.items()}
        for key in [key for key in self._shown if key not in placed]:
            for gone in self._shown.pop(key):
                bpy.data.objects.remove(gone)
        for key, lies in placed.items():
            if key not in self._shown:
                self._shown[key] = [made for body in lies.bodies for made in self._make(body)]
        for gone in self._hands:
            bpy.data.objects.remove(gone)
        self._hands = [part for hand in hands for part in room.reach_in(hand, self.board.size_mm)]
        self._owner = {made.name: key for key, objects in self._shown.items() for made in objects}

    def _make(self, body: Body) -> list[bpy.types.Object]:
        mesh = self._mesh(body)
        made = room.add(body.kind, mesh)
        made.matrix_world = self._stand(body)
        chance = random.Random(f"shade {self.scene.seed} {body.key} {body.base_mm}")
        shade = 1 + chance.gauss(0, self.set.uneven)
        colour = (
            materials.linear(self.set.colours[body.colour])
            if body.colour in self.set.colours
            else (0.2, 0.2, 0.2, 1)
        )
        made.color = (*(min(1.0, value * shade) for value in colour[:3]), 1.0)
        return [made, *self._trimmings(body, made)]

    def _mesh(self, body: Body) -> bpy.types.Mesh:
        name = body.kind if body.kind != "card" else self._card_name(body)
        if name not in self._meshes:
            mesh = self._shape(body)
            if body.kind == "card":
                mesh.materials.append(materials.printed(name, self._card_picture(body), 0.3))
            else:
                stony = body.kind in ("trilith", "pillar", "capstone", "megalith")
                mesh.materials.append(self._stone if stony else self._paint)
            self._meshes[name] = mesh
        return self._meshes[name]

    def _shape(self, body: Body) -> bpy.types.Mesh:
        pieces = self.set
        if body.kind == "card":
            long, short = card_size_mm(self.board)
            return meshes.plate("card", short, long, 0.35)
        return {
            "disc": lambda: meshes.disc(pieces.disc),
            "block": lambda: meshes.block(pieces.block),
            "figure": lambda: meshes.figure(pieces.figure),
            "trilith": lambda: meshes.trilith(pieces.trilith),
            "pillar": lambda: meshes.pillar(pieces.trilith),
            "capstone": lambda: meshes.capstone(pieces.trilith, 0.0),
            "druid": lambda: meshes.druid(pieces.druid),
            "megalith": lambda: meshes.megalith(pieces.megalith),
        }[body.kind]()

    def _stand(self, body: Body) -> Matrix:
        turn = Matrix.Rotation(-np.radians(body.angle_deg), 4, "Z")
        lift = body.base_mm
        tilt = Matrix.Identity(4)
        if body.kind == "card":
            turn = turn @ Matrix.Rotation(np.radians(-90), 4, "Z")  # angle_deg is the long side's direction
        if body.pose == "lying":
            wide = self.set.figure.base if body.kind == "figure" else self.set.trilith.pillar_width
            high = self.set.figure.height if body.kind == "figure" else self.set.trilith.pillar_height
            tilt = Matrix.Rotation(np.radians(90), 4, "Y") @ Matrix.Translation((0, 0, -high / 2 * MM))
            lift += wide / 2
        where = self._point(np.array([body.x_mm, body.y_mm, -lift]))
        return Matrix.Translation(where) @ turn @ tilt

    def _trimmings(self, body: Body, base: bpy.types.Object) -> list[bpy.types.Object]:
        """A stone's number sticker; the stone figure's face."""
        piece = self._piece_of(body)
        if body.kind == "druid":
            name = f"sticker {body.colour} {piece.value}"
            if name not in self._meshes:
                picture = artwork.druid_picture(piece.value, body.colour, self.set)
                if picture is None:
                    return []
                mesh = meshes.round_plate(name, self.set.druid.sticker_diameter, self.set.druid.height + 0.06)
                mesh.materials.append(materials.printed(name, picture, 0.2))
                self._meshes[name] = mesh
            made = room.add("sticker", self._meshes[name])
        elif body.kind == "figure" and piece.facing:
            if "face" not in self._meshes:
                self._meshes["face"] = meshes.face(self.set.figure, self.set.face)
                self._meshes["face"].materials.append(materials.plain("face", self.set.face.colour, 0.5))
            made = room.add("face", self._meshes["face"])
        else:
            return []
        made.matrix_world = base.matrix_world
        return [made]

    def _piece_of(self, body: Body) -> Piece:
        return self._pieces[body.key]

    def _card_name(self, body: Body) -> str:
        piece = self._piece_of(body)
        return (
            f"card {piece.face} {piece.number} {piece.phase} {piece.colour if piece.number is None else ''}"
        )

    def _card_picture(self, body: Body) -> NDArray[np.uint8]:
        return artwork.card_picture(self._piece_of(body))

    # Pictures and questions

    def photograph(self) -> Linear:
        """Render: linear light (H, W, 3), RGB, without lens bending. What has not changed since the last
        picture is taken over from it."""
        last, box = self._last_picture, None
        if last is not None and not self._hands:
            size = (last.shape[1], last.shape[0])
            box = patches.changed_box(self._pictured, self._placed, self.view, size, self.set, self.board)
        if last is not None and not self._hands and self._pictured.keys() == self._placed.keys():
            picture = last
        elif box is None or last is None:
            picture = self._render(None)
            self.light_colour = self._measure_light(picture)
        else:
            picture = patches.patched(last, self._render(box), box)
        self._last_picture, self._pictured = (None if self._hands else picture), self._placed
        return picture

    def _render(self, box: patches.Box | None) -> Linear:
        """All of the picture, or only a box of it (the rest is black)."""
        scene = bpy.context.scene
        render, (width, height) = scene.render, frame_to_render(self.view)
        render.use_border = box is not None
        if box is not None:
            render.border_min_x, render.border_max_x = box[0] / width, box[2] / width
            render.border_min_y, render.border_max_y = 1 - box[3] / height, 1 - box[1] / height
        handle, name = tempfile.mkstemp(suffix=".exr")
        os.close(handle)
        render.filepath = name
        with _quiet():
            bpy.ops.render.render(write_still=True)
        loaded = bpy.data.images.load(name)
        flat = np.empty(width * height * 4, np.float32)
        loaded.pixels.foreach_get(flat)
        bpy.data.images.remove(loaded)
        Path(name).unlink()
        return np.ascontiguousarray(flat.reshape(height, width, 4)[::-1, :, :3])

    def _measure_light(self, straight: Linear) -> NDArray[np.float64]:
        """The colour of the light on the board: what it shows against what is printed (3,)."""
        width, height = self.board.size_mm
        x, y = np.meshgrid(np.linspace(0.03, 0.97, 60) * width, np.linspace(0.03, 0.97, 60) * height)
        spots = np.c_[x.ravel(), y.ravel()]
        size = np.array(straight.shape[1::-1])
        pixels = self.view.normalised(spots) * self.view.focal_px + (size - 1) / 2
        inside = ((pixels >= 0) & (pixels <= size - 1)).all(axis=1)
        column, row = pixels[inside].round().astype(int).T
        scale = self._art.shape[1] / width
        across, down = (spots[inside] * scale).astype(int).T
        paper = linear_from_srgb(self._art[down, across] / 255)
        return np.asarray(np.median(straight[row, column], axis=0) / np.median(paper, axis=0), dtype=float)

    def caster(self) -> Callable[[NDArray[np.float64]], tuple[str | None, float]]:
        """A function: target (x, y, height) in board mm -> (what its line of sight meets first: a piece's
        key, "board", or another object's name; None if nothing; and how far short of the target, in mm)."""
        graph = bpy.context.evaluated_depsgraph_get()
        lens = self._point(self.view.position_mm)

        def cast(target_mm: NDArray[np.float64]) -> tuple[str | None, float]:
            target = self._point(np.asarray(target_mm) * (1, 1, -1))
            ray = target - lens
            hit, spot, _, _, thing, _ = bpy.context.scene.ray_cast(graph, lens, ray.normalized())
            if not hit:
                return None, 0.0
            short = (ray.length - (spot - lens).length) / MM
            return self._owner.get(thing.name, thing.name), short

        return cast


def _renderer(samples: int, threads: int) -> None:
    """Cycles on the processor, few samples, denoised with the help of colour and direction."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", samples, False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 8.0
    cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", 1.5
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.render.image_settings.exr_codec = "ZIP"
    scene.view_settings.view_transform = "Standard"
    if threads:
        scene.render.threads_mode, scene.render.threads = "FIXED", threads


class _quiet:  # noqa: N801 - used like a function
    """Blender reports every sample on standard output; a progress line of our own is enough."""

    def __enter__(self) -> None:
        self._kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._kept, 1)
        os.close(self._kept)
