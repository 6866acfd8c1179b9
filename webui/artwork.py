"""The printed board as SVG: the same drawing in millimetres that becomes the paper board."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from xml.sax.saxutils import escape

import cv2
import numpy as np

from calibration.artwork import draw_board
from calibration.drawing import CAP, Area, Colour, Contour, Drawing, Shape, Stroke, Words
from engine.board import Board

WEIGHTS = {"regular": "400", "bold": "700", "italic": "400"}
ANCHORS = {-1: "start", 0: "middle", 1: "end"}
SMOOTH_MM = 0.04  # a curve's corners may be this far from the true curve: a tenth of a pixel
FINEST_MM = (
    0.23  # specks of the paper's grain and the finest hatching are for print; a screen does not miss them
)
FINEST_MM2 = 1.5


@lru_cache(maxsize=16)
def board_svg(board: Board, style: str) -> str:
    """The artwork of `board` as the text of an SVG file, its user units millimetres; without the tags, which
    are for cameras."""
    drawing = draw_board(replace(board, markers=()), style)
    width, height = drawing.width_mm, drawing.height_mm
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * 4:g}" height="{height * 4:g}" stroke-linejoin="round" stroke-linecap="round" '
        'font-family="Verdana, DejaVu Sans, Bitstream Vera Sans, sans-serif">'
    )
    return head + "".join(_shapes(drawing)) + "</svg>"


def _shapes(drawing: Drawing) -> list[str]:
    out: list[str] = []
    for manner, run in groupby(drawing.shapes, key=_manner):
        paths = "".join(_words(each) if isinstance(each, Words) else _data(each) for each in run)
        out.append(f'<path {manner} d="{paths}"/>' if manner and paths else paths)
    return out


def _manner(shape: Shape) -> str:
    """The attributes of its SVG path; shapes in a row with the same ones become one path."""
    if isinstance(shape, Area):
        return f'fill="{_hex(shape.fill)}" fill-rule="evenodd"'
    if isinstance(shape, Stroke):
        return f'fill="none" stroke="{_hex(shape.colour)}" stroke-width="{shape.width_mm:.3g}"'
    return ""


def _data(shape: Area | Stroke) -> str:
    if isinstance(shape, Stroke):
        return _path(shape.points, shape.closed) if shape.width_mm >= FINEST_MM else ""
    if _extent_mm2(shape.contours[0]) < FINEST_MM2:
        return ""
    return "".join(_path(contour, closed=True) for contour in shape.contours)


def _words(words: Words) -> str:
    turn = f" rotate({words.angle_deg:.2f})" if words.angle_deg else ""
    style = ' font-style="italic"' if words.font == "italic" else ""
    return (
        f'<text transform="translate({words.x:.2f} {words.y:.2f}){turn}" y="{words.cap_mm / 2:.2f}" '
        f'font-size="{words.cap_mm / CAP:.2f}" font-weight="{WEIGHTS[words.font]}"{style} '
        f'text-anchor="{ANCHORS[words.align]}" fill="{_hex(words.colour)}">{escape(words.text)}</text>'
    )


def _extent_mm2(contour: Contour) -> float:
    xs, ys = [x for x, _ in contour], [y for _, y in contour]
    return (max(xs) - min(xs)) * (max(ys) - min(ys))


def _path(points: Contour, closed: bool = False) -> str:
    """SVG path data: a circle as two arcs, anything else as its corners, each relative to the one before."""
    if closed and (circle := _as_circle(points)):
        x, y, r = circle
        half = f"a{_mm(r)} {_mm(r)} 0 1 0 "
        return f"M{_mm(x - r)} {_mm(y)}{half}{_mm(2 * r)} 0{half}{_mm(-2 * r)} 0Z"
    fewer = cv2.approxPolyDP(np.array(points, np.float32), SMOOTH_MM, closed).reshape(-1, 2)
    cents = np.rint(fewer * 100).astype(int)
    steps = np.diff(cents, axis=0, prepend=[[0, 0]])
    path = "".join(
        ("M" if i == 0 else "l" if i == 1 else _gap(dx)) + _step(dx, dy) for i, (dx, dy) in enumerate(steps)
    )
    return path + ("Z" if closed else "")


def _as_circle(points: Contour) -> tuple[float, float, float] | None:
    if len(points) < 12:
        return None
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    radii = [math.dist(point, (x, y)) for point in points]
    return (x, y, radii[0]) if max(radii) - min(radii) < 0.01 else None


def _step(dx: int, dy: int) -> str:
    return f"{_mm(dx / 100)}{_gap(dy)}{_mm(dy / 100)}"


def _gap(value: int) -> str:
    return "" if value < 0 else " "


def _mm(value: float) -> str:
    """At most two decimals, without the zero before the point."""
    text = f"{value:.2f}".rstrip("0").rstrip(".") or "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else "0" if text == "-0" else text


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in colour)
