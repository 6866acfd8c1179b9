"""How many blocks lie in a heap, where they are piled up crosswise, three to a layer.

From the layers of such a heap, and from what of the uppermost one is there, a small network tells how many
they are. It sees how bright the heap is and how unlike the empty board, straightened, and never a set's
colours. What lies in disorder is not counted: it stays a heap of nobody knows how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Thing
from vision.fields.crops import CROP_PX, on_plane, sampled
from vision.fields.places import Place
from vision.geometry.view import View
from vision.nets import answers
from vision.pictures.halves import Photo
from vision.prints.light import Light
from vision.prints.surface import Surface

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
BLOCK = "block"
# The network tells of so many blocks, from one on, or that they lie in disorder.
MOST = 10
# How bright, how unlike the board; how far what lies higher leans, along the blocks and across them.
CHANNELS = 4
# The crop's pixels are so large (mm); its plane lies so many layers high; a heap is hardly seen so near to
# the crop's edge (pixels); what lies a layer higher leans by about so much (mm).
STEP_MM, MIDDLE, EDGE, LEAN_MM = 0.85, 2, 6, 4.0
# A heap that is less likely is not counted.
LIKELY = 0.05
# How often the network is altogether wrong.
ERRS = 0.03
# Brightness and tint (display-referred) that are as unlike as matters.
UNLIKE = 0.15


def read_heaps(board: Board, sight: Sight, places: Sequence[Place]) -> None:
    """Split the belief in a heap at each of these places into heaps of so and so many."""
    heaps = [
        place
        for place in places
        if place.id not in sight.unseen
        and any(_is_heap(thing) and share > LIKELY for thing, share in sight.beliefs[place.id].items())
    ]
    if not heaps:
        return
    crops = crops_of(board, sight.halves, sight.view, sight.surface, sight.light, heaps)
    for place, chances in zip(heaps, count_chances(crops), strict=True):
        sight.beliefs[place.id] = _counted(sight.beliefs[place.id], chances)


def crops_of(
    board: Board,
    photo: Photo,
    view: View,
    surface: Surface,
    light: Light,
    places: Sequence[Place],
) -> Floats:
    """(N, CHANNELS, CROP_PX, CROP_PX): what the network sees of heaps at these places, whose lowest layer
    lies along the place's angle: the plane through the middle of a high heap, seen from above, blocks of the
    lowest layer from left to right, and so mirrored that what lies higher is seen further to the left and up.
    """
    height = board.pieces[BLOCK].height_mm
    planes = [_plane(view, place) for place in places]
    maps = np.stack([view.project(mm.reshape(-1, 2), MIDDLE * height).reshape(mm.shape) for mm in planes])
    maps = maps.astype(np.float32)
    on_board = on_plane(view, maps)
    seen = sampled(photo, maps, [STEP_MM * view.px_per_mm(place.at_mm) for place in places])
    seen = light.even_out(seen, on_board)
    unlike = np.abs(seen - light.shown(surface, on_board, [STEP_MM] * len(places))).max(axis=3)
    leans = np.stack([_lean(view, place, height) for place in places])[:, :, None, None]
    known = np.broadcast_to(leans, (len(places), 2, CROP_PX, CROP_PX))
    shown = np.stack([_evened(seen.mean(axis=3), unlike), np.clip(unlike / UNLIKE, 0, 2)], axis=1)
    return np.concatenate([shown, known], axis=1).astype(np.float32)


def _evened(grey: Floats, unlike: Floats) -> Floats:
    """How bright, (N, CROP_PX, CROP_PX), against what is usual for what is unlike the board."""
    middle = np.zeros_like(grey)
    middle[:, EDGE:-EDGE, EDGE:-EDGE] = 1
    on_heap = np.maximum(unlike * middle, 1e-3)
    weight = on_heap.sum(axis=(1, 2))
    bright = ((grey * on_heap).sum(axis=(1, 2)) / weight)[:, None, None]
    spread = np.sqrt((np.square(grey - bright) * on_heap).sum(axis=(1, 2)) / weight)[:, None, None]
    return np.asarray(np.clip((grey - bright) / (2 * np.maximum(spread, 0.03)), -2, 2), np.float32)


def _axes(view: View, place: Place) -> Floats:
    """(2, 2): along the lowest layer's blocks and across them, so turned that the camera is on the side to
    which both lead."""
    turn = np.radians(place.angle_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    towards = axes @ (view.camera_mm[:2] - np.array(place.at_mm))
    return np.asarray(axes * np.where(towards < 0, -1.0, 1.0)[:, None], np.float32)


def _plane(view: View, place: Place) -> Floats:
    """(CROP_PX, CROP_PX, 2) points (mm) of a heap's plane."""
    along = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) * STEP_MM
    x, y = np.meshgrid(along, along)
    return np.asarray(np.stack([x, y], axis=2) @ _axes(view, place) + np.array(place.at_mm), np.float32)


def _lean(view: View, place: Place, height_mm: float) -> Floats:
    """(2,) by how much (in LEAN_MM) what lies a layer higher is seen nearer to the crop's upper left."""
    camera = view.camera_mm
    towards = _axes(view, place) @ (camera[:2] - np.array(place.at_mm))
    return np.asarray(height_mm * towards / camera[2] / LEAN_MM, np.float32)


def count_chances(crops: Floats) -> Floats:
    """(N, 1 + MOST) probabilities of disorder, one block, two, ... of `crops_of`."""
    logits = answers("heap", crops)[0].reshape(-1, 1 + MOST)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((1 - ERRS) * powers / powers.sum(axis=1, keepdims=True) + ERRS / (1 + MOST), np.float32)


def _is_heap(thing: Thing | None) -> bool:
    return thing is not None and thing.kind == BLOCK and thing.count is None


def _counted(belief: dict[Thing | None, float], chances: Floats) -> dict[Thing | None, float]:
    """That it is no single block has been decided already. In disorder it may be any number."""
    several = chances[2:] + chances[0] / (MOST - 1)
    several /= several.sum()
    found: dict[Thing | None, float] = {}
    for thing, chance in belief.items():
        if thing is None or not _is_heap(thing):
            found[thing] = chance
            continue
        for count, share in enumerate(several, start=2):
            found[replace(thing, count=count)] = chance * float(share)
    return found
