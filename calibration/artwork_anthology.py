"""Artwork of the round board: thirty stones around a henge, seen from above.

Everything is placed from the board's own fields, so that a board with other measures is drawn as well.
"""

from __future__ import annotations

import math
import random

from calibration.drawing import Colour, Drawing, Point, arc, around, box, circle, sector, turned
from calibration.styles import Style
from engine.board import Board, Field

KINDS = {"ring": 30, "slot": 30, "pit": 60, "trilith": 5, "bluestone": 19, "altar": 1, "yard": 4}
ROMAN = ("", "I", "II", "III", "IV", "V")


def draw(drawing: Drawing, board: Board, look: Style) -> None:
    """The whole board without its tags."""
    centre = (drawing.width_mm / 2, drawing.height_mm / 2)
    rings, slots, pits = (board.fields_of_kind(kind) for kind in ("ring", "slot", "pit"))
    track = math.dist(centre, rings[0].centre_mm)
    slot = math.dist(centre, slots[0].centre_mm)
    pit = math.dist(centre, pits[0].centre_mm)
    draw_flecks(drawing, look)
    _bank(drawing, centre, track, slot, pit, look)
    _avenue(drawing, board, centre, pit, look)
    for each in rings:
        _ring_field(drawing, each, centre, track, slot, look)
    for each in slots:
        _slot(drawing, each, look)
    for each in pits:
        _pit(drawing, each, centre, look)
    _horseshoes(drawing, board, centre, look)
    _altar(drawing, board.fields["altar"], look)
    for each in board.fields_of_kind("yard"):
        _yard(drawing, each, centre, look)
    drawing.arc_words(centre, pit - 27.0, 180, "STONEHENGE", 6.6, look.ink, spacing=0.8)


def draw_flecks(drawing: Drawing, look: Style) -> None:
    """Grain of the paper: small flat grit, the same in every print."""
    chance = random.Random(30)
    for _ in range(round(look.flecks * drawing.width_mm * drawing.height_mm / 250_000)):
        x, y = chance.uniform(1, drawing.width_mm - 1), chance.uniform(1, drawing.height_mm - 1)
        size, turn = chance.uniform(0.25, 0.9), chance.uniform(0, 360)
        corners = [
            (size, 0.0),
            (0.1 * size, 0.55 * size),
            (-0.9 * size, 0.2 * size),
            (-0.2 * size, -0.5 * size),
        ]
        drawing.area([turned(corner, (x, y), turn) for corner in corners], look.fleck)


def draw_sun(drawing: Drawing, centre: Point, size_mm: float, colour: Colour, rays: int = 8) -> None:
    """A disc with rays; `size_mm` from the middle to the tips."""
    for ray in range(rays):
        left, tip, right = (
            around(centre, (ray + share) * 360 / rays, radius)
            for share, radius in ((-0.22, 0.68 * size_mm), (0.0, size_mm), (0.22, 0.68 * size_mm))
        )
        drawing.area([left, tip, right], colour)
    drawing.area(circle(centre, 0.54 * size_mm), colour)


def draw_moon(
    drawing: Drawing, centre: Point, size_mm: float, colour: Colour, angle_deg: float = 0.0
) -> None:
    """A crescent of that radius, open to the right before it is turned."""
    tip_deg, bite = 50.0, 0.28 * size_mm
    tip = (size_mm * math.cos(math.radians(tip_deg)), size_mm * math.sin(math.radians(tip_deg)))
    reach, inner_deg = math.dist(tip, (bite, 0)), math.degrees(math.atan2(tip[1], tip[0] - bite))
    outer = [turned((size_mm, 0), (0, 0), tip_deg + (360 - 2 * tip_deg) * n / 40) for n in range(41)]
    inner = [turned((reach, 0), (bite, 0), -inner_deg - (360 - 2 * inner_deg) * n / 40) for n in range(41)]
    drawing.area([turned(point, centre, angle_deg) for point in outer + inner], colour)


def readable(colour: Colour, look: Style) -> Colour:
    """Ink or chalk, whichever stands out from that colour."""
    brightness = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]
    return (34, 37, 44) if brightness > 145 else (250, 248, 242)


def _bank(drawing: Drawing, centre: Point, track: float, slot: float, pit: float, look: Style) -> None:
    """Earthworks: the ring's bed, the bank between blocks and pits with its scale, the inner plain."""
    drawing.area(circle(centre, track + 18.5), look.shade)
    drawing.area(circle(centre, track - 14.0), look.paper)
    inner = pit - 18.0
    drawing.area(circle(centre, inner), look.shade)
    drawing.area(circle(centre, inner - 2.2), look.plain)
    for radius, width in ((slot - 7.2, 0.3), (slot - 11.2, 0.3), (inner, 0.25), (inner - 2.2, 0.25)):
        drawing.outline(circle(centre, radius), look.ink, width)
    for degree in range(360):
        length = 3.2 if degree % 12 == 0 else 2.2 if degree % 6 == 0 else 1.2
        ends = [around(centre, degree, slot - 7.2), around(centre, degree, slot - 7.2 - length)]
        drawing.line(ends, look.ink if degree % 6 == 0 else look.quiet, 0.35 if degree % 12 == 0 else 0.2)


def _ring_field(drawing: Drawing, ring: Field, centre: Point, track: float, slot: float, look: Style) -> None:
    """One stone of the circle: neutral, a coloured rim outside, its number on a plate towards the middle."""
    direction, colour = ring.angle_deg, look.colours[ring.colour or "grey"]
    inner, outer, half = track - 12.6, track + 12.6, 5.78
    drawing.area(sector(centre, inner, outer, direction - half, direction + half), look.ground)
    drawing.area(sector(centre, outer, track + 17.5, direction - half, direction + half), colour)
    drawing.outline(sector(centre, inner, track + 17.5, direction - half, direction + half), look.ink, 0.35)
    drawing.line(arc(centre, outer, direction - half, direction + half), look.ink, 0.35)
    for tick in range(-10, 11):
        at_deg = direction + tick * 0.55
        length = 1.7 if tick % 5 == 0 else 0.9
        for start, way in ((outer, -1), (inner, 1)):
            drawing.line(
                [around(centre, at_deg, start), around(centre, at_deg, start + way * length)], look.etch, 0.16
            )
    spot = ring.radius_mm - 4.4
    for quarter in range(4):
        bow = arc(ring.centre_mm, spot, direction + quarter * 90 + 20, direction + quarter * 90 + 70)
        drawing.line(bow, look.etch, 0.22)
        at_deg = direction + quarter * 90
        cross = [around(ring.centre_mm, at_deg, spot - 1.2), around(ring.centre_mm, at_deg, spot + 1.2)]
        drawing.line(cross, look.etch, 0.22)
    _numeral(drawing, ring, around(centre, direction, slot + 12.0), colour, look)


def _numeral(drawing: Drawing, ring: Field, place: Point, colour: Colour, look: Style) -> None:
    direction = ring.angle_deg
    upright = direction + (180 if 90 < direction < 270 else 0)
    text = str(ring.number)
    if look.plates:
        plate = circle(place, 6.7) if look.round_plates else box(place, 21.0, 12.4, direction, 3.2)
        drawing.area(plate, colour)
        drawing.outline(plate, look.ink, 0.35)
        cap, letter = (6.6 if look.round_plates else 8.6), readable(colour, look)
    else:
        cap, letter = 9.4, colour
        if ring.colour in ("white", "yellow"):  # pale numerals need a dark edge to be seen on pale paper
            for step in range(12):
                x, y = around(place, step * 30, 0.5)
                drawing.words(x, y, text, cap, look.ink, angle_deg=upright)
    drawing.words(*place, text, cap, letter, angle_deg=upright)
    if text in ("6", "9"):
        foot = turned((0, cap * 0.5 + 0.9), place, upright)
        drawing.area(box(foot, cap * 0.62, 0.7, upright), letter)


def _slot(drawing: Drawing, slot: Field, look: Style) -> None:
    """Room for one block under the number."""
    length, width = 30.0, 9.6
    drawing.area(box(slot.centre_mm, length, width, slot.angle_deg, min(2.0, look.corner_mm)), look.ground)
    drawing.outline(
        box(slot.centre_mm, length, width, slot.angle_deg, min(2.0, look.corner_mm)), look.ink, 0.3
    )
    for side in (-1, 1):
        for up in (-1, 1):
            corner = [(side * 13.4, up * 2.2), (side * 13.4, up * 3.6), (side * 12.0, up * 3.6)]
            drawing.line([turned(point, slot.centre_mm, slot.angle_deg) for point in corner], look.etch, 0.22)


def _pit(drawing: Drawing, pit: Field, centre: Point, look: Style) -> None:
    """A shallow bowl with its sun or moon on the side towards the middle."""
    direction = pit.angle_deg
    drawing.area(circle(pit.centre_mm, pit.radius_mm - 0.2), look.ground)
    drawing.outline(circle(pit.centre_mm, pit.radius_mm - 0.2), look.ink, 0.3)
    night = str(pit.extra.get("phase")) == "night"
    ring = pit.radius_mm - 1.5
    if night:
        drawing.outline(circle(pit.centre_mm, ring), look.etch, 0.25)
    else:
        for ray in range(24):
            ends = [around(pit.centre_mm, ray * 15, ring), around(pit.centre_mm, ray * 15, ring + 0.9)]
            drawing.line(ends, look.etch, 0.22)
    mark = around(centre, direction, math.dist(centre, pit.centre_mm) - pit.radius_mm - 4.4)
    if night:
        draw_moon(drawing, mark, 2.7, look.moon, direction - 30)
    else:
        draw_sun(drawing, mark, 3.4, look.gold)


def _avenue(drawing: Drawing, board: Board, centre: Point, pit: float, look: Style) -> None:
    """The axis of midsummer sunrise: from the altar through the opening of the horseshoes to 30 | 1."""
    top = pit - 22.0
    altar = board.fields["altar"]
    start = altar.centre_mm[1] - altar.radius_mm - 4
    drawing.dashes([(centre[0], start), (centre[0], centre[1] - top + 20)], look.gold, 0.5, 4.0, 2.4)
    for side in (-1, 1):
        edge = [(centre[0] + side * 13, start - 14), (centre[0] + side * 13, centre[1] - top + 6)]
        drawing.dashes(edge, look.quiet, 0.3, 1.2, 1.6)
    draw_sun(drawing, (centre[0], centre[1] - top + 12), 8.0, look.gold, rays=16)


def _horseshoes(drawing: Drawing, board: Board, centre: Point, look: Style) -> None:
    """Five triliths around nineteen bluestones, each row on its own band, both open to the top."""
    triliths, stones = board.fields_of_kind("trilith"), board.fields_of_kind("bluestone")
    radius = math.dist(centre, triliths[0].centre_mm)
    drawing.area(sector(centre, radius - 15.5, radius + 15.5, 37, 323), look.shade)
    for edge in (radius - 15.5, radius + 15.5):
        drawing.dashes(arc(centre, edge, 37, 323), look.quiet, 0.25, 0.6, 1.6)
    for start, end in ((8, 146), (214, 352)):
        drawing.dashes(arc(centre, radius + 24.0, start, end), look.quiet, 0.3, 0.3, 2.2)
    drawing.line([each.centre_mm for each in stones], look.shade, 21.0)
    drawing.line([each.centre_mm for each in stones], look.quiet, 0.3)
    for each in triliths:
        _trilith(drawing, each, centre, look)
    for each in stones:
        drawing.area(circle(each.centre_mm, each.radius_mm), look.ground)
        drawing.outline(circle(each.centre_mm, each.radius_mm), look.ink, 0.3)
        drawing.outline(circle(each.centre_mm, each.radius_mm - 1.6), look.etch, 0.2)
        for quarter in range(4):
            turn = each.angle_deg + quarter * 90
            ends = [
                around(each.centre_mm, turn, each.radius_mm - 2.8),
                around(each.centre_mm, turn, each.radius_mm),
            ]
            drawing.line(ends, look.etch, 0.25)


def _trilith(drawing: Drawing, trilith: Field, centre: Point, look: Style) -> None:
    """Ground for a trilith, with the outlines of its two pillars and its capstone."""
    angle, middle = trilith.angle_deg, trilith.centre_mm
    sides = trilith.polygon_mm or ()
    length, width = math.dist(sides[0], sides[1]), math.dist(sides[1], sides[2])
    drawing.area(box(middle, length, width, angle, min(4.0, look.corner_mm)), look.ground)
    drawing.outline(box(middle, length, width, angle, min(4.0, look.corner_mm)), look.ink, 0.4)
    drawing.outline(box(middle, length - 3, width - 3, angle, min(3.0, look.corner_mm)), look.etch, 0.2)
    for side in (-1, 1):
        foot = turned((side * 22.5, 0), middle, angle)
        drawing.outline(box(foot, 13.0, 11.0, angle), look.etch, 0.25)
        for hatch in range(-2, 3):
            ends = [turned((side * 22.5 + hatch * 2.6 + lean, up), middle, angle)
                    for lean, up in ((-0.9, 6.4), (0.9, 7.8))]  # fmt: skip
            drawing.line(ends, look.etch, 0.2)
    capstone = box(middle, 60.0, 12.0, angle)
    drawing.dashes([*capstone, capstone[0]], look.etch, 0.2, 1.6, 1.2)
    radius = math.dist(centre, middle)
    for end in (-1, 1):
        towards = angle + end * (math.degrees(math.atan2(length / 2, radius)) + 3.6)
        upright = towards + (180 if 90 < towards < 270 else 0)
        label = around(centre, towards, radius + 2)
        drawing.words(*label, ROMAN[trilith.number or 0], 3.8, look.quiet, angle_deg=upright)


def _altar(drawing: Drawing, altar: Field, look: Style) -> None:
    middle, sides = altar.centre_mm, altar.polygon_mm or altar.outline_mm(4)
    length, width = math.dist(sides[0], sides[1]), math.dist(sides[1], sides[2])
    drawing.area(box(middle, length, width, 0.0, min(5.0, look.corner_mm)), look.ground)
    drawing.outline(box(middle, length, width, 0.0, min(5.0, look.corner_mm)), look.ink, 0.5)
    drawing.outline(box(middle, length - 2.6, width - 2.6, 0.0, min(4.0, look.corner_mm)), look.etch, 0.22)
    for side in (-1, 1):
        for step in range(9):
            x = middle[0] + side * (length / 2 - 2.6)
            y = middle[1] + (step - 4) * (width - 8) / 8
            drawing.line([(x, y), (x - side * (2.4 if step % 4 == 0 else 1.2), y)], look.etch, 0.2)
    drawing.words(middle[0], middle[1] + width / 2 + 6.0, "ALTAR", 3.2, look.quiet)


def _yard(drawing: Drawing, yard: Field, centre: Point, look: Style) -> None:
    """A player's building yard with a place for one card."""
    drawing.area(yard.outline_mm(), look.ground)
    drawing.outline(yard.outline_mm(), look.ink, 0.4)
    outward = (yard.angle_deg + 90) % 180 - 90
    card = box(yard.centre_mm, 50.0, 34.0, outward)
    drawing.dashes([*card, card[0]], look.etch, 0.22, 2.0, 1.5)
    corners = yard.polygon_mm or ()
    if len(corners) == 14:  # as the layout makes them; a taught edition's yards have other corners
        _yard_mark(drawing, yard, corners[1], corners[2], corners[0], look)
        _yard_mark(drawing, yard, corners[11], corners[10], corners[12], look)


def _yard_mark(drawing: Drawing, yard: Field, a: Point, b: Point, along: Point, look: Style) -> None:
    """At the far end a-b of the yard: a small trilith seen from the front, and the yard's number."""
    share = 13.0 / math.dist(a, along)
    x, y = ((a[i] + b[i]) / 2 + (along[i] - a[i]) * share for i in (0, 1))
    upright = (
        0.0 if abs(along[0] - a[0]) > abs(along[1] - a[1]) else -90.0 if x < drawing.width_mm / 2 else 90.0
    )
    for part, size in (((-7.4, 1.4), (2.2, 6.0)), ((-1.6, 1.4), (2.2, 6.0)), ((-4.5, -2.8), (10.4, 2.2))):
        drawing.area(box(turned(part, (x, y), upright), *size, upright), look.etch)
    drawing.words(*turned((7.0, 0.2), (x, y), upright), str(yard.number), 7.6, look.etch, angle_deg=upright)
