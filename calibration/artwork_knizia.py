"""Artwork of the triangular board: ley lines crossing a chalk plain, a stone bed at every crossing."""

from __future__ import annotations

import math

from calibration.artwork_anthology import draw_flecks
from calibration.drawing import Drawing, arc, around, circle
from calibration.styles import Style
from engine.board import Board, Field

KINDS = {"space": 18, "line": 15}


def draw(drawing: Drawing, board: Board, look: Style) -> None:
    """The whole board without its tags."""
    draw_flecks(drawing, look)
    _henge(drawing, look)
    lines = [(board.fields[line["id"]], [board.fields[name] for name in line["spaces"]])
             for line in board.extra["lines"]]  # fmt: skip
    for end, spaces in lines:
        ley = [end.centre_mm, *_from(end, spaces)]
        drawing.line(ley, look.ink, 4.6)
    for end, spaces in lines:
        ley = [end.centre_mm, *_from(end, spaces)]
        drawing.line(ley, look.ley, 3.9)
    for space in board.fields_of_kind("space"):
        _space(drawing, space, look)
    for end, spaces in lines:
        _line_end(drawing, end, _from(end, spaces)[-1], look)
    centre = (drawing.width_mm / 2, drawing.height_mm / 2)
    drawing.arc_words(centre, min(centre) - 17.5, 180, "STONEHENGE", 6.0, look.ink, spacing=1.0)


def _from(end: Field, spaces: list[Field]) -> list[tuple[float, float]]:
    """The line's way: its spaces' centres, the one next to the marker field first, the far end last."""
    way = [space.centre_mm for space in spaces]
    return way if math.dist(way[0], end.centre_mm) < math.dist(way[-1], end.centre_mm) else way[::-1]


def _henge(drawing: Drawing, look: Style) -> None:
    """The plain inside its bank, with a degree scale around it."""
    centre = (drawing.width_mm / 2, drawing.height_mm / 2)
    outer = min(centre) - 6.0
    drawing.area(circle(centre, outer), look.shade)
    drawing.area(circle(centre, outer - 5.0), look.plain)
    drawing.outline(circle(centre, outer), look.ink, 0.35)
    drawing.outline(circle(centre, outer - 5.0), look.ink, 0.25)
    for degree in range(360):
        length = 3.6 if degree % 10 == 0 else 2.6 if degree % 5 == 0 else 1.5
        ends = [around(centre, degree, outer), around(centre, degree, outer - length)]
        drawing.line(ends, look.ink if degree % 5 == 0 else look.quiet, 0.3 if degree % 10 == 0 else 0.2)


def _space(drawing: Drawing, space: Field, look: Style) -> None:
    """A bed for one druid stone: neutral, framed, its letter under the stone and again small at its edge."""
    middle, radius = space.centre_mm, space.radius_mm
    drawing.area(circle(middle, radius + 2.6), look.ink)
    drawing.area(circle(middle, radius + 2.2), look.colours["grey"])
    drawing.area(circle(middle, radius + 0.4), look.ink)
    drawing.area(circle(middle, radius), look.ground)
    drawing.outline(circle(middle, radius - 3.2), look.etch, 0.25)
    for degree in range(0, 360, 10):
        if abs((degree + 180) % 360 - 180) < 15:
            continue
        length = 1.8 if degree % 30 == 0 else 1.0
        ends = [around(middle, degree, radius - 0.5), around(middle, degree, radius - 0.5 - length)]
        drawing.line(ends, look.etch, 0.22)
    letter = str(space.extra.get("letter", space.id[-1:]))
    drawing.words(middle[0], middle[1], letter, 9.0, look.etch)


def _line_end(drawing: Drawing, end: Field, far: tuple[float, float], look: Style) -> None:
    """A field for one megalith: green rim, the line's number beyond it."""
    middle, radius = end.centre_mm, end.radius_mm
    drawing.area(circle(middle, radius + 0.5), look.ink)
    drawing.area(circle(middle, radius + 0.1), look.colours["green"])
    drawing.area(circle(middle, radius - 2.2), look.ink)
    drawing.area(circle(middle, radius - 2.5), look.ground)
    for quarter in range(4):
        drawing.line(arc(middle, radius - 3.6, quarter * 90 + 25, quarter * 90 + 65), look.etch, 0.22)
    length = math.dist(far, middle)
    share = (radius + 6.0) / length
    place = (middle[0] + (middle[0] - far[0]) * share, middle[1] + (middle[1] - far[1]) * share)
    drawing.words(*place, str(end.number), 5.6, look.colours["green"])
