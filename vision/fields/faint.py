"""Blocks that hardly differ from their print, a white one on a white field, told by their outline.

Such a block's faces differ from the print under it by less than one photograph of print from the next; no
network dares to call that a piece. But along both its long sides there is a step, as long as a block is and
as far apart as it is wide, and print, shadows and light have no such pair: a shadow has one edge, what is
printed is the same in photograph and print, and the light of a red neighbour fades away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.shades import DIFFERENT, gap
from vision.fields.crops import NODES, between
from vision.fields.network import EMPTY, HIDDEN, Looks
from vision.fields.places import Place
from vision.geometry.bodies import Body
from vision.geometry.view import Array
from vision.pictures.lookup import looked_up

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# Seen from above, so many mm per pixel; in these directions (degrees against the board); middles no farther
# from the field's than this share of its half-width along each side, and so much of that slantwise.
STEP_MM, TURNS, FARTHEST, CORNER = 0.75, np.arange(0.0, 180.0, 15.0), 0.75, 1.2
# A side's step is the difference of two strips along it, so wide (mm) and so long (of the side).
STRIP_MM, LENGTH = 2.0, 0.85
# Steps are of logarithms of (display-referred brightness + FLOOR). On empty fields they are of about this
# size, wherever a block would lie; how large they are in this light is asked where so many fields are empty.
FLOOR, USUAL, ENOUGH = 0.05, 0.008, 4
# Nothing surely lies where the network says so; only where it sees nothing a block is looked for.
SURE, NOTHING = 0.9, 0.5
# Both sides are so many usual steps, and no more than that: what differs more is not faint, and what the
# network made of it stands. So sure is it then that a block lies there.
PAIR, FAINT, LIES = 7.2, 0.3, 0.9
# What so many empty fields show is their print's, and a block is so much clearer: a ring that one photograph
# shows sharper than the other has two sides, too.
OFTEN, CLEARER = 0.25, 2.0
# The colour of a field's print is asked at these spots (as shares of its radius), and is a piece's if it is
# so in any of these shadows (see `shades.gap`).
AROUND = np.array([(x, y) for x in (-0.4, 0.0, 0.4) for y in (-0.4, 0.0, 0.4)])
SHADOWS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1)
# Only what is so many times as long as wide has long sides.
LONG = 2.5
# Where the logarithm of the print changes by so much from pixel to pixel, half is believed.
STEEP = 0.1


def look_for_outlines(
    sight: Sight, places: Sequence[Place], looks: Looks, shades: Mapping[str, Floats] | None = None
) -> None:
    """Where the network sees nothing but the outline of a block is seen, put that in. shades: (P, 3) those
    that pieces of a kind can have, as the board file says; other blocks show on their field, faint or not.

    Only beside a photograph of the empty board: a drawing of it differs more from what is seen, and in our
    own prints pieces lie on neutral ground. And only where it shows the field itself: of one that is printed
    like others the number is not known."""
    if not sight.surface.photographed:
        return
    alike: dict[Body, list[int]] = defaultdict(list)
    for index, place in enumerate(places):
        if sight.surface.is_likened(place.id):
            continue
        blocks = [body for body in place.bodies if body.shape == "box"]
        if len(blocks) == 1 and _long(blocks[0]) and looks.kind[index, EMPTY] > NOTHING:
            alike[blocks[0]].append(index)
    for body, indices in alike.items():
        some = [places[index] for index in indices]
        sides = _sides(off_print(sight, some, body), body, min(place.radius_mm for place in some))
        empty = looks.kind[indices, EMPTY] > SURE
        if empty.sum() >= ENOUGH:
            clearest = [_clear(pairs).max() for pairs in sides[empty]]
            steps = max(
                USUAL,
                1.48 * float(np.median(np.abs(sides[empty]))),
                float(np.quantile(clearest, 1 - OFTEN)) / PAIR * CLEARER,
            )
            sight.usual_steps = sight.usual_steps | {body: steps}
        usual = sight.usual_steps.get(body, USUAL)
        for index, pairs in zip(indices, sides, strict=True):
            place = places[index]
            if _outlined(pairs, usual) and (
                shades is None or _is_printed_like(sight, place, shades[body.kind])
            ):
                _put_in(looks.kind[index], place, body)


def _is_printed_like(sight: Sight, place: Place, shades: Floats) -> bool:
    """Whether a field is printed in about one of these shades, (P, 3), in whatever light the board was
    photographed."""
    printed = np.median(sight.print_at(np.array(place.at_mm) + place.radius_mm * AROUND, STEP_MM), axis=0)
    return bool(gap(printed, shades, SHADOWS).min() < DIFFERENT)


def _long(body: Body) -> bool:
    """Whether a body's long sides are long enough to be known again."""
    long, wide = np.ptp(body.corners_mm[0], axis=0)
    return bool(body.count == 1 and long > LONG * wide)


def _outlined(pairs: Floats, usual: float) -> bool:
    """Whether there is a faint block in one of (turns, rows, columns, 2) poses, by the steps at its sides.
    What is clearest outside, or at the very end of where a block may lie, belongs to something beside the
    field."""
    clear = _clear(pairs)
    turn, row, column = np.unravel_index(clear.argmax(), clear.shape)
    far = (clear.shape[1] - 1) / 2
    away = np.abs([row - far, column - far])
    inside = away.max() < far and np.hypot(*away) < CORNER * far
    best = pairs[turn, row, column]
    return bool(inside and np.abs(best).min() > PAIR * usual and np.abs(best).max() < FAINT)


def _clear(pairs: Floats) -> Floats:
    """(turns, rows, columns) the steps at the side of a block where they are smaller; none if one leads up
    and the other down."""
    return np.asarray(np.abs(pairs).min(axis=-1) * (pairs[..., 0] * pairs[..., 1] > 0), np.float32)


def _put_in(kind: Floats, place: Place, body: Body) -> None:
    visible, slot = 1 - kind[HIDDEN], 1 + place.slots[place.bodies.index(body)]
    kind[EMPTY:HIDDEN] = 0
    kind[EMPTY], kind[slot] = (1 - LIES) * visible, LIES * visible


def off_print(sight: Sight, places: Sequence[Place], body: Body) -> Floats:
    """(N, S, S, 2) how much brighter the photograph is than the print (logarithm) around each place, on the
    plane of the body's upper face, seen from above; and how far that is to be trusted, 0..1: little on lines
    of the print, where one photograph is sharper than the other."""
    long, wide = np.ptp(body.corners_mm[0], axis=0)
    reach = (
        FARTHEST * max(place.radius_mm for place in places) + float(np.hypot(long, wide)) / 2 + 2 * STRIP_MM
    )
    count = int(np.ceil(reach / STEP_MM))
    nodes = np.linspace(-count, count, NODES) * STEP_MM
    around = np.stack(np.meshgrid(nodes, nodes), axis=-1)
    mm: Array = np.array([place.at_mm for place in places])[:, None, None] + around
    pixels = sight.view.project(mm.reshape(-1, 2), body.top_mm + places[0].ground_mm)
    ground = sight.view.on_plane(pixels)
    side = 2 * count + 1
    maps, ground_mm = (between(each.reshape(mm.shape), side) for each in (pixels, ground))
    seen = sight.light.even_out(looked_up(sight.image, maps).astype(np.float32), ground_mm)
    scales = [1 / sight.view.px_per_mm(place.at_mm) for place in places]
    printed = sight.light.shown(sight.surface, ground_mm, scales)
    print_of = np.log(printed + FLOOR).mean(axis=-1)
    off = np.log(seen + FLOOR).mean(axis=-1) - print_of
    steep = np.hypot(*np.gradient(print_of, axis=(1, 2)))
    return np.stack([off, 1 / (1 + (steep / STEEP) ** 2)], axis=-1).astype(np.float32)


def _sides(patches: Floats, body: Body, radius_mm: float) -> Floats:
    """(N, turns, rows, columns, 2) the steps from inside to outside at both long sides of a block in every
    pose: turned so, its middle there."""
    long, wide = np.ptp(body.corners_mm[0], axis=0) / STEP_MM
    middle = patches.shape[1] // 2
    far = round(FARTHEST * radius_mm / STEP_MM)
    window = slice(middle - far, middle + far + 1)
    strip = max(2, round(STRIP_MM / STEP_MM))
    length = round(LENGTH * long) | 1
    inner, outer = round((wide - strip - 1) / 2), round((wide + strip + 1) / 2)
    found = []
    for patch in patches:
        poses = []
        for turn in TURNS:
            turned = cv2.warpAffine(
                patch, cv2.getRotationMatrix2D((middle, middle), float(turn), 1.0), patch.shape[1::-1],
                flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
            off, trust = turned[..., 0] * turned[..., 1], turned[..., 1]
            off, trust = (cv2.blur(part, (length, strip)) for part in (off, trust))
            strips = off / (trust + 1e-3)
            pair = [np.roll(strips, way * inner, 0) - np.roll(strips, way * outer, 0) for way in (1, -1)]
            poses.append(np.stack([step[window, window] for step in pair], axis=-1))
        found.append(poses)
    return np.asarray(found, np.float32)
