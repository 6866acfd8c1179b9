"""Heaps of blocks: whether one lies there, and how many blocks it has.

People pile their blocks crosswise, lay them side by side, or drop them in disorder, and the place networks
know heaps that are piled up. A small network sees a heap's whole field, straightened: how bright it is and
how unlike the empty board, never a set's colours. It tells whether nothing lies there, one block or several,
and how many, if they lie in order. Another one sees the middle closely and counts heaps that are piled up
crosswise, three to a layer. A number that both hold for likely is told; otherwise it stays a heap of nobody
knows how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.position import Thing
from vision.fields.crops import on_plane, sampled
from vision.fields.network import EMPTY, HIDDEN
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
# The networks tell that they lie in disorder, of one block to so many, or (one of them) that nothing does.
DISORDER, MOST = 0, 10
NOTHING = MOST + 1
# How bright, how unlike the board; how far what lies higher leans, along the blocks and across them.
CHANNELS = 4
# A heap is hardly seen so near to a crop's edge (pixels); what lies a layer higher leans by about so much
# (mm).
EDGE, LEAN_MM = 6, 4.0


@dataclass(frozen=True)
class Look:
    """How a network sees heaps: its crop is so many pixels wide and high, each of so many mm, in a plane so
    many layers high; it tells of so many things."""

    network: str
    side_px: int
    step_mm: float
    layers: int
    tells: int


PILED = Look("heap", 48, 0.85, 2, NOTHING)
LAID = Look("laid", 80, 1.0, 1, NOTHING + 1)
# The share of `LAID` in whether a heap lies there, beside the place networks; and what is never less likely.
SHARE, LEAST = 0.7, 1e-6
# What the place networks hold for hidden so surely is; otherwise what is so surely blocks in order is not.
COVERED, IN_ORDER = 0.8, 0.9
# How often a network is altogether wrong; and how likely one must hold what the other says.
ERRS, AGREES = 0.03, 0.4
# Brightness and tint (display-referred) that are as unlike as matters.
UNLIKE = 0.15


def tell_heaps(sight: Sight, places: Sequence[Place], kind: Floats) -> Floats:
    """What stands at each place, (N, 6) as `network.Looks` tells it, after a look at all of each field on
    which a heap may lie."""
    slots = {index: both for index, place in enumerate(places) if (both := _slots_of(place))}
    if not slots:
        return kind
    asked = [places[index] for index in slots]
    (height_mm,) = {
        place.bodies[place.slots.index(one)].top_mm
        for place, (one, _) in zip(asked, slots.values(), strict=True)
    }
    laid, piled = (
        chances_of(
            look, crops_of(look, sight.halves, sight.view, sight.surface, sight.light, asked, height_mm)
        )
        for look in (LAID, PILED)
    )
    told = kind.copy()
    for index, seen, close in zip(slots, laid, piled, strict=True):
        one, several = slots[index]
        which = [EMPTY, 1 + one, 1 + several]
        seen_there = np.array([seen[NOTHING], seen[1], 1 - seen[NOTHING] - seen[1]])
        in_order = float(seen[2:NOTHING].sum())
        if kind[index, HIDDEN] < COVERED and in_order > IN_ORDER:
            # No hand lies in order.
            told[index, HIDDEN] *= 1 - in_order
        own = np.maximum(kind[index, which], LEAST)
        shares = own ** (1 - SHARE) * np.maximum(seen_there, LEAST) ** SHARE
        told[index, which] = shares / shares.sum() * (own.sum() + kind[index, HIDDEN] - told[index, HIDDEN])
        sight.heaps[places[index].id] = _agreed(_several(seen), _several(close))
    return told


def _several(chances: Floats) -> Floats:
    """(MOST - 1,) how likely it is two blocks, three, ..., if it is several; in disorder any number."""
    counts = chances[2:NOTHING] + chances[DISORDER] / (MOST - 1)
    return np.asarray(counts / counts.sum(), np.float32)


def _agreed(laid: Floats, piled: Floats) -> Floats:
    """What both say of the number: as sure as who sees piles closely, but where the other does not hold the
    same one for likely, both may be right."""
    return piled if laid[piled.argmax()] > AGREES else (laid + piled) / 2


def _slots_of(place: Place) -> tuple[int, int] | None:
    """The slots of the single block and the heap that may lie at a place."""
    slots = {
        body.count: slot for slot, body in zip(place.slots, place.bodies, strict=True) if body.kind == BLOCK
    }
    return (slots[1], slots[None]) if slots.keys() == {1, None} else None


def read_heaps(sight: Sight, places: Sequence[Place]) -> None:
    """Split the belief in a heap at each of these places into heaps of so and so many."""
    for place in places:
        if place.id in sight.heaps and place.id not in sight.unseen:
            sight.beliefs[place.id] = _counted(sight.beliefs[place.id], sight.heaps[place.id])


def crops_of(
    look: Look,
    photo: Photo,
    view: View,
    surface: Surface,
    light: Light,
    places: Sequence[Place],
    height_mm: float,
) -> Floats:
    """(N, CHANNELS, S, S): what a network sees of heaps of blocks so high at these places, whose fields lie
    along the place's angle: the plane through the heap, seen from above, the field from left to right, and so
    mirrored that what lies higher is seen further to the left and up."""
    planes = [_plane(look, view, place) for place in places]
    level = look.layers * height_mm
    maps = np.stack([view.project(mm.reshape(-1, 2), level).reshape(mm.shape) for mm in planes])
    maps = maps.astype(np.float32)
    on_board = on_plane(view, maps)
    seen = sampled(photo, maps, [look.step_mm * view.px_per_mm(place.at_mm) for place in places])
    seen = light.even_out(seen, on_board)
    unlike = np.abs(seen - light.shown(surface, on_board, [look.step_mm] * len(places))).max(axis=3)
    leans = np.stack([_lean(view, place, height_mm) for place in places])[:, :, None, None]
    known = np.broadcast_to(leans, (len(places), 2, look.side_px, look.side_px))
    shown = np.stack([_evened(seen.mean(axis=3), unlike), np.clip(unlike / UNLIKE, 0, 2)], axis=1)
    return np.concatenate([shown, known], axis=1).astype(np.float32)


def _evened(grey: Floats, unlike: Floats) -> Floats:
    """How bright, (N, S, S), against what is usual for what is unlike the board."""
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


def _plane(look: Look, view: View, place: Place) -> Floats:
    """(S, S, 2) points (mm) of a heap's plane."""
    along = (np.arange(look.side_px) - (look.side_px - 1) / 2) * look.step_mm
    x, y = np.meshgrid(along, along)
    return np.asarray(np.stack([x, y], axis=2) @ _axes(view, place) + np.array(place.at_mm), np.float32)


def _lean(view: View, place: Place, height_mm: float) -> Floats:
    """(2,) by how much (in LEAN_MM) what lies a layer higher is seen nearer to the crop's upper left."""
    camera = view.camera_mm
    towards = _axes(view, place) @ (camera[:2] - np.array(place.at_mm))
    return np.asarray(height_mm * towards / camera[2] / LEAN_MM, np.float32)


def chances_of(look: Look, crops: Floats) -> Floats:
    """(N, look.tells) probabilities of disorder, one block, two, ... and nothing, of `crops_of`."""
    logits = answers(look.network, crops)[0].reshape(-1, look.tells)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray((1 - ERRS) * powers / powers.sum(axis=1, keepdims=True) + ERRS / look.tells, np.float32)


def _is_heap(thing: Thing | None) -> bool:
    return thing is not None and thing.kind == BLOCK and thing.count is None


def _counted(belief: dict[Thing | None, float], several: Floats) -> dict[Thing | None, float]:
    """That it is no single block has been decided already. several: see `_several`."""
    found: dict[Thing | None, float] = {}
    for thing, chance in belief.items():
        if thing is None or not _is_heap(thing):
            found[thing] = chance
            continue
        for count, share in enumerate(several, start=2):
            found[replace(thing, count=count)] = chance * float(share)
    return found
