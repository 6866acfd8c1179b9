"""Which way a stone figure looks along its ring: `roulette` needs it of the ball.

Sets differ: a face of another shade, a long nose, a visor. All that is taken for granted is that something on
one side of it is unlike the rest of the figure, or sticks out. So the picture of it is turned until clockwise
lies to the right, and turned into what differs from the figure's own colour and from the empty board; a small
network weighs the right against the left. In a mirror it gives the opposite answer, so it has no favourite
side: a figure without a face, or whose face is out of sight, comes out near one half.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, PieceType
from engine.position import Thing
from vision.fields.crops import cut, frame_of
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism, body_of
from vision.geometry.view import Array, View
from vision.nets import answers
from vision.pictures.halves import Photo
from vision.prints.light import Light
from vision.prints.surface import Surface

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# The kind of field on which a figure looks along a ring, and the colour of the figures that do.
RING, STONE = "ring", "grey"
# photo (3), empty board (3), body (1)
SEEN = 7
# brighter, darker, otherwise tinted than the figure, where it is unlike the board; unlike the board; the
# figure's place; how far clockwise leads in the picture; how much brighter than the figure and how otherwise
# tinted, whatever the board is like there; how unlike the figure and the board in each colour; how upright
# the figure is, and how far up in the picture clockwise leads: a face that looks away does not show.
CHANNELS, UP = 16, 15
# A figure is cut out so finely, a face on it is a few millimetres wide; so many pixels of that are looked at.
FINE_PX, SIDE_PX = 96, 80
# The usual margin for careless placing is not needed around what may stick out.
CLOSE = 0.82
# Brightness and tint (display-referred) that are as unlike as matters, and how unlike the board is no shadow.
BRIGHT_UNIT, TINT_UNIT, BOARD_UNIT = 0.25, 0.12, 0.12
# So high a figure may be, as a share of its usual height, and so far may something stick out of it (mm).
HIGH, REACH_MM = 1.1, 12.0
# A figure shows on so much of its place at least.
LEAST_OWN = 0.1
# A figure may stand so far from its field's middle (mm).
OFF_MM = 5.0
# What is less likely a figure is not looked at.
LIKELY = 0.05
# The network is asked about the picture turned by so much (radians). It learnt never to be quite sure;
# trusted more, it makes up faces for figures that have none.
TURNS, TRUST = (-0.2, 0.0, 0.2), 1.25


def clockwise_deg(board: Board, at_mm: tuple[float, float]) -> float:
    """The direction, clockwise from +x, in which a piece at a point of the board goes round it clockwise."""
    width, height = board.size_mm
    return math.degrees(math.atan2(at_mm[1] - height / 2, at_mm[0] - width / 2)) + 90


def read_facings(board: Board, sight: Sight, places: Sequence[Place]) -> None:
    """Split the belief in a stone figure at each of these places into the two ways it may look."""
    standing = [
        place
        for place in places
        if place.id in board.fields
        and board.fields[place.id].kind == RING
        and any(_looks(t) and chance > LIKELY for t, chance in sight.beliefs.get(place.id, {}).items())
        and place.id not in sight.unseen
    ]
    if not standing:
        return
    turns = [clockwise_deg(board, place.at_mm) for place in standing]
    crops, ways = crops_of(
        board.pieces["figure"], sight.halves, sight.view, sight.surface, sight.light, standing, turns
    )
    for place, chance in zip(standing, clockwise_chances(crops, ways), strict=True):
        sight.beliefs[place.id] = _with_facings(sight.beliefs[place.id], float(chance))


def _looks(thing: Thing | None) -> bool:
    return thing is not None and thing.kind == "figure" and thing.colour == STONE


def _with_facings(belief: dict[Thing | None, float], clockwise: float) -> dict[Thing | None, float]:
    split: dict[Thing | None, float] = {}
    for thing, chance in belief.items():
        if thing is None or not _looks(thing):
            split[thing] = chance
            continue
        for facing, share in (("clockwise", clockwise), ("anticlockwise", 1 - clockwise)):
            split[Thing(thing.kind, thing.colour, facing=facing)] = chance * share
    return split


def with_face(body: Body) -> Body:
    """What is looked at of a figure: all of it, for a ball is low, and room for what sticks out of it."""
    turns = np.arange(12) * np.pi / 6
    round_mm = tuple((float(REACH_MM * np.cos(t)), float(REACH_MM * np.sin(t))) for t in turns)
    top = HIGH * body.top_mm
    return Body(body.kind, (Prism(round_mm, 0.0, top),), top, body.shape)


def crops_of(
    figure: PieceType,
    photo: Photo,
    view: View,
    surface: Surface,
    light: Light,
    places: Sequence[Place],
    turns_deg: Sequence[float],
) -> tuple[Floats, Floats]:
    """(N, SEEN, FINE_PX, FINE_PX) pictures of the figures at these places, upright, and (N, 2) how far to the
    right and up one comes in them on the way clockwise (`turns_deg`), as a share of the way."""
    body = body_of(figure)
    heads = tuple(Place(p.id, p.at_mm, 0.0, (with_face(body),), 3 * OFF_MM / 2) for p in places)
    crops, ways = np.zeros((len(heads), SEEN, FINE_PX, FINE_PX), np.float32), np.zeros((len(heads), 2))
    if heads:
        crops[:, :6] = cut(photo, view, surface, light, heads, times=CLOSE, side_px=FINE_PX)[:, :6]
    for index, (head, turn) in enumerate(zip(heads, turns_deg, strict=True)):
        frame = frame_of(view, head).widened(CLOSE, FINE_PX)
        for hull, _ in body.outlines(view, head.at_mm, 0.0):
            points = np.round(frame.into_crop(hull) * 16).astype(np.int32)
            cv2.fillConvexPoly(crops[index, 6], points, 1.0, shift=4)
        way = _way(view, head.at_mm, math.radians(turn), 0.8 * body.top_mm)
        ways[index] = way @ frame.right, way @ frame.up
    return crops, ways.astype(np.float32)


def _way(view: View, at_mm: tuple[float, float], turn: float, height_mm: float) -> Array:
    """(2,) where one comes to in the picture on the way clockwise, as a share of the way there seen from
    above."""
    steps = np.array([[0.0, 0.0], [5 * math.cos(turn), 5 * math.sin(turn)]]) + at_mm
    start, end = view.project(steps, height_mm)
    return np.asarray((end - start) / (5 * view.px_per_mm(at_mm)))


def sides(crop: Floats, way: Floats) -> Floats:
    """(CHANNELS, SIDE_PX, SIDE_PX) of one figure: clockwise to the right, the figure's top not downwards;
    what is unlike the figure and unlike the board."""
    length = max(1e-3, float(np.hypot(*way)))
    right = np.array([way[0], -way[1]]) / length  # in rows and columns, downwards positive
    down = np.array([-right[1], right[0]])
    if down[1] < 0:
        down = -down
    middle = (SIDE_PX - 1) / 2
    turn = np.column_stack([right, down])
    shift = (FINE_PX - 1) / 2 - turn @ [middle, middle]
    turned = cv2.warpAffine(
        np.ascontiguousarray(crop.transpose(1, 2, 0)),
        np.column_stack([turn, shift]),
        (SIDE_PX, SIDE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    own = _own_colour(crop)
    maps = [
        *_unlike(turned[..., :3], turned[..., 3:6], turned[..., 6], own, length),
        *np.clip((turned[..., :3] - own) / BRIGHT_UNIT, -2, 2).transpose(2, 0, 1),
        *np.clip((turned[..., :3] - turned[..., 3:6]) / BRIGHT_UNIT, -2, 2).transpose(2, 0, 1),
        np.full_like(turned[..., 6], down[1]),
        np.full_like(turned[..., 6], -right[1]),
    ]
    return np.stack(maps).astype(np.float32)


def mirrored(halves: Floats) -> Floats:
    """The halves of `sides`, (N, CHANNELS, SIDE_PX, SIDE_PX), as if the other way were clockwise."""
    other = halves[..., ::-1].copy()
    other[:, UP] *= -1
    return other


def _own_colour(crop: Floats) -> Floats:
    """(3,) the figure's colour: the median over what should be its lower part and is unlike the board."""
    inside = crop[6] > 0.5
    inside[: FINE_PX // 2] = False
    unlike = inside & (np.abs(crop[:3] - crop[3:6]).max(axis=0) > BOARD_UNIT)
    there = unlike if unlike.sum() > LEAST_OWN * inside.sum() else inside
    return np.asarray(np.median(crop[:3, there], axis=1) if there.any() else np.zeros(3), np.float32)


def _from_board(photo: Floats, empty: Floats) -> Floats:
    """(S, S) how unlike the empty board pixels are; print that lies a pixel aside is the same print."""
    around = cv2.copyMakeBorder(empty, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    rows, columns = photo.shape[:2]
    shifted = (around[y : y + rows, x : x + columns] for y in range(3) for x in range(3))
    return np.asarray(np.minimum.reduce([np.abs(photo - each).max(axis=2) for each in shifted]), np.float32)


def _unlike(
    photo: Floats, empty: Floats, body: Floats, own: Floats, length: float
) -> tuple[NDArray[np.floating], ...]:
    grey = photo.mean(axis=2)
    brighter = (grey - own.mean()) / BRIGHT_UNIT
    tint = np.abs((photo - grey[..., None]) - (own - own.mean())).max(axis=2) / TINT_UNIT
    board = _from_board(photo, empty) / BOARD_UNIT
    there = np.clip(board, 0, 1)
    return (
        np.clip(brighter, 0, 2) * there,
        np.clip(-brighter, 0, 2) * there,
        np.clip(tint, 0, 2) * there,
        np.clip(board, 0, 2),
        body,
        np.full_like(body, length),
        np.clip(brighter, -2, 2),
        np.clip(tint, 0, 2),
    )


def clockwise_chances(crops: Floats, ways: Floats) -> Floats:
    """(N,) probabilities that figures look clockwise, of `crops_of`: what the network says on average of
    each, turned a little to and fro."""
    logits = np.zeros(len(crops), np.float32)
    for turn in TURNS:
        cos, sin = math.cos(turn), math.sin(turn)
        turned = ways @ np.array([[cos, sin], [-sin, cos]], np.float32)
        seen = np.stack([sides(crop, way) for crop, way in zip(crops, turned, strict=True)])
        right, left = answers("facing", np.concatenate([seen, mirrored(seen)]))[0].reshape(2, -1)
        logits += (right - left) / len(TURNS)
    return np.asarray(1 / (1 + np.exp(-TRUST * logits)), np.float32)
