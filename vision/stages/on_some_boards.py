"""What only some games have: digits, the stone ball, piles, heaps, yards, what stands on no field."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Field
from engine.position import Piece
from vision.anywhere.detector import MARGIN_MM, MM_PER_PX, detect, whole_board
from vision.anywhere.free import FREE
from vision.fields import facing
from vision.fields.facing import RING, STONE, clockwise_deg
from vision.geometry.bodies import body_of, placed
from vision.geometry.view import Array
from vision.overlay import place_of
from vision.stacked.heaps import LAID, crops_of
from vision.stacked.piles import drawn
from vision.stacked.stacks import colours_of_discs, filled, looked_at
from vision.stages.look import Look
from vision.stages.sheet import (
    CROP_PX,
    GOOD,
    INK,
    MARK,
    beside,
    captioned,
    enlarged,
    from_floats,
    from_planes,
    line,
    sheet,
    sureness,
    tile,
    write,
)
from vision.stones.digits import VALUES, find_faces
from vision.yards.areas import areas_of
from vision.yards.ground import HIDDEN, KINDS, kinds_at, stretch

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# Yards are drawn so high (px).
YARD_PX = 260
# The key of the yards' tints is so high (px).
KEY_PX = 24
# Detections that are likelier than this are drawn.
LEAST = 0.1
# A colour for each of `ground.KINDS`, BGR.
TINTS = ((235, 235, 235), (60, 60, 220), (60, 160, 60), (200, 90, 30), (220, 160, 90), (120, 120, 120),
         (40, 170, 220), (150, 60, 150), (120, 210, 230), (30, 30, 30))  # fmt: skip


def draw_digits(look: Look) -> Image | None:
    """The upper face of each druid stone, from above, and the digit that is read."""
    druid = look.board.pieces.get("druid")
    stones = [name for name, thing in look.told.items() if thing.kind == "druid"]
    if druid is None or not stones:
        return None
    tiles = []
    for name, face in find_faces(look.board, look.sight, stones).items():
        thing, best = look.told[name], int(face.chances.argmax())
        alone = "face down" if VALUES[best] is None else str(VALUES[best])
        off = np.hypot(*np.subtract(face.where.centre_mm, look.board.fields[name].centre_mm))
        told = f"{thing.colour} {thing.value or 'face down'}"
        sure = look.sight.beliefs[name][thing]
        tiles.append(
            tile(
                enlarged(from_floats(face.top / 255), CROP_PX),
                f"{told} {sure:.2f}",
                f"{name}, alone {alone} {face.chances[best]:.2f}",
                f"{off:.1f} mm from its field's middle",
                colour=sureness(sure),
            )
        )
    return sheet("the upper face of each stone, and what is read with all of them together", tiles)


def draw_facing(look: Look) -> Image | None:
    """The stone ball, and which way it is said to look round its ring."""
    balls = [
        (place, thing)
        for place in look.reader.places
        if place.id in look.board.fields
        and look.board.fields[place.id].kind == RING
        and (thing := look.told.get(place.id)) is not None
        and thing.kind == "figure"
        and thing.colour == STONE
    ]
    tiles = []
    for place, thing in balls:
        way, sight = clockwise_deg(look.board, place.at_mm), look.sight
        (crop,), _ = facing.crops_of(
            look.board.pieces["figure"], sight.halves, sight.view, sight.surface, sight.light, [place], [way]
        )
        chances = {
            each.facing: chance
            for each, chance in look.sight.beliefs[place.id].items()
            if each is not None and each.facing
        }
        said = ", ".join(f"{looks} {chance:.2f}" for looks, chance in chances.items())
        pictures = (enlarged(from_planes(part), 2 * CROP_PX) for part in (crop[:3], crop[3:6]))
        told = f"{place.id}: {thing.facing or 'left open'}"
        tiles.append(tile(beside(*pictures), told, said, f"clockwise is {way:.0f} degrees from +x"))
    return sheet("the stone ball, beside the empty board", tiles) if tiles else None


def draw_piles(look: Look) -> Image | None:
    """Each pit with discs beside the empty pit, with a disc's outline there, and how many are told."""
    pits = filled(look.board, look.sight)
    if not pits:
        return None
    names = colours_of_discs(look.board, look.reader.colours)
    tiles = []
    for pile in looked_at(look.sight, pits, names):
        seen, empty = (enlarged(from_floats(each), 2 * CROP_PX) for each in (pile.seen, pile.empty))
        outline = drawn(pile.disc(pile.pit.bodies[0], in_the_middle=True)[0])
        edge = cv2.Canny((outline * 255).astype(np.uint8), 50, 150)
        seen[enlarged(np.dstack([edge] * 3), 2 * CROP_PX)[..., 0] > 0] = MARK
        thing = look.told[pile.pit.id]
        below = [f"{piece.count} {piece.colour}" for piece in look.sight.below.get(pile.pit.id, [])]
        told = " on ".join([f"{thing.count or '?'} {thing.colour}", *below])
        sure = look.sight.beliefs[pile.pit.id][thing]
        tiles.append(tile(beside(seen, empty), f"{told} {sure:.2f}", pile.pit.id, colour=sureness(sure)))
    return sheet("each pit with discs, beside the empty pit; outlined: where a single disc would lie", tiles)


def draw_heaps(look: Look) -> Image | None:
    """Each field with a heap, straightened, with what is unlike the board, and how many blocks are told."""
    sight = look.sight
    places = [
        place
        for place in look.reader.places
        if place.id in sight.heaps and (thing := look.told.get(place.id)) is not None and thing.count != 1
    ]
    if not places:
        return None
    (height_mm,) = {body.top_mm for place in places for body in place.bodies if body.count == 1}
    crops = crops_of(LAID, sight.halves, sight.view, sight.surface, sight.light, places, height_mm)
    tiles = []
    for place, crop in zip(places, crops, strict=True):
        likely = sight.heaps[place.id]
        most = ", ".join(f"{2 + number}: {likely[number]:.2f}" for number in np.argsort(-likely)[:3])
        thing = look.told[place.id]
        pictures = (enlarged(from_floats(each), 2 * CROP_PX) for each in (0.5 + crop[0] / 2, crop[1] / 2))
        tiles.append(tile(beside(*pictures), f"{place.id}: {thing.count or 'some'} {thing.colour}", most))
    return sheet("each heap from above, and how unlike the board it is", tiles)


def draw_areas(look: Look) -> Image | None:
    """Each yard and altar from above, what the network says is seen where, and what is told there."""
    areas = areas_of(look.board, look.reader.game)
    if not areas or look.sight.surface.guessed:
        return None
    tiles = [_area(look, area) for area in areas]
    out = sheet("each yard and altar from above, and what is seen where", tiles, top_px=KEY_PX)
    left = 8
    for kind, tint in zip(KINDS, TINTS, strict=True):
        box = (left, KEY_PX + 10), (left + 14, KEY_PX + 20)
        cv2.rectangle(out, *box, tint, -1)
        cv2.rectangle(out, *box, INK, 1)
        write(out, kind, (left + 18, KEY_PX + 20))
        left += 100
    return out


def draw_free(look: Look) -> Image | None:
    """The whole board from above, what the detector sees on it, and what is told to stand on no field."""
    if look.reader.game not in FREE:
        return None
    sight = look.sight
    planes = whole_board(sight.halves, sight.view, sight.surface, sight.light)
    photo = enlarged(from_planes(planes[:3]), 3 * planes.shape[1])
    from_mm = photo.shape[0] / planes.shape[1] / MM_PER_PX
    seen, told = photo.copy(), photo.copy()
    for found in detect(planes, LEAST):
        at = (np.array(found.at_mm) + MARGIN_MM) * from_mm
        along = placed(np.array([[-12.0, 0.0], [12.0, 0.0]]), found.at_mm, found.angle_deg)
        line(seen, (along + MARGIN_MM) * from_mm, sureness(found.sure), closed=False)
        write(seen, f"{found.kind} {found.sure:.2f}", np.round(at + 6).astype(int).tolist(), INK, 1.2)
    for piece in look.read.position.pieces:
        for plan in _plans(look, piece):
            line(told, (plan + MARGIN_MM) * from_mm, sureness(piece.confidence or 1.0))
    return captioned(beside(seen, told), "what the detector sees, and what is told with where it stands")


def _area(look: Look, area: Field) -> Image:
    sight = look.sight
    xs, ys = zip(*area.outline_mm(), strict=True)
    box = (min(xs) - MARGIN_MM, min(ys) - MARGIN_MM, max(xs) + MARGIN_MM, max(ys) + MARGIN_MM)
    planes = stretch(sight.halves, sight.view, sight.surface, sight.light, box)
    chances = kinds_at(planes)
    marks = np.array(TINTS, np.uint8)[chances.argmax(axis=0)]
    pieces = look.read.position.at(area.id)
    outlines = [np.array(area.outline_mm()), *(plan for piece in pieces for plan in _plans(look, piece))]
    photo = enlarged(from_planes(planes[:3]), YARD_PX)
    scale = photo.shape[0] / planes.shape[1]
    for points in outlines:
        line(photo, (points - box[:2]) * scale, GOOD, width=1)
    shown = cv2.resize(marks, photo.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    names = ", ".join(_name(piece) for piece in pieces) or "nothing"
    unseen = look.read.unseen.get(area.id)
    hidden = float((chances.argmax(axis=0) == HIDDEN).mean())
    covered = f", {hidden:.0%} of what is around hidden" if hidden > 0.02 else ""
    return tile(beside(photo, np.asarray(shown, np.uint8)), f"{area.id}: {unseen or names}{covered}")


def _plans(look: Look, piece: Piece) -> list[Array]:
    """(N, 2) each the outlines (mm) on the board of a piece as it is told."""
    where = place_of(look.board, piece)
    if where is None or piece.kind not in look.board.pieces:
        return []
    at_mm, angle, _ = where
    prisms = body_of(look.board.pieces[piece.kind], lying=piece.lying).prisms
    return [placed(np.array(prism.footprint_mm), at_mm, angle) for prism in prisms]


def _name(piece: Piece) -> str:
    if piece.kind == "card":
        return "card" if piece.face == "down" else f"{piece.number or piece.colour} {piece.phase or ''} card"
    return f"{'lying ' if piece.lying else ''}{piece.colour} {piece.kind}"
