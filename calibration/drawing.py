"""A drawing in millimetres that becomes the same picture as pixels and as vectors in a PDF.

A `Drawing` is a list of flat shapes, painted in order: areas, strokes and words. `rasterise` gives an array,
`paint` puts it on a reportlab canvas. Nothing is drawn anywhere else, so screen and paper never differ.

Convention: millimetres, origin at the top-left corner, x right, y down; angles in degrees clockwise.
Colours are (red, green, blue), 0..255.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

Colour = tuple[int, int, int]
Point = tuple[float, float]
Contour = tuple[Point, ...]
Picture = NDArray[np.uint8]

# Bitstream Vera comes with reportlab; capitals and digits are CAP of the font's size high.
FONT_FILES = {"regular": "Vera.ttf", "bold": "VeraBd.ttf", "italic": "VeraIt.ttf"}
CAP = 0.729
_GLYPH_PX = 480  # font size at which letters are traced
_FINEST_PER_MM = 16  # sub-pixels per mm that coarse pictures are drawn with
_TILE_SUBPX = 2048
_SHIFT = 4  # fractional bits of OpenCV's coordinates


@dataclass(frozen=True)
class Area:
    """Filled contours; where contours lie inside each other, every second one is a hole."""

    contours: tuple[Contour, ...]
    fill: Colour


@dataclass(frozen=True)
class Stroke:
    """A line with round joins."""

    points: Contour
    colour: Colour
    width_mm: float
    closed: bool = False


@dataclass(frozen=True)
class Words:
    """One line of text around (x, y): `align` -1, 0, 1 = that point is its left end, middle, right end;
    vertically the point is the middle of the capitals. `cap_mm` is the height of capitals and digits."""

    x: float
    y: float
    text: str
    cap_mm: float
    colour: Colour
    angle_deg: float = 0.0
    font: str = "bold"
    align: int = 0


Shape = Area | Stroke | Words


@dataclass
class Drawing:
    """Shapes on a sheet of the given size; later shapes cover earlier ones."""

    width_mm: float
    height_mm: float
    shapes: list[Shape] = field(default_factory=list)

    def area(self, points: Sequence[Point], fill: Colour, *holes: Sequence[Point]) -> None:
        self.shapes.append(Area(tuple(tuple(contour) for contour in (points, *holes)), fill))

    def outline(self, points: Sequence[Point], colour: Colour, width_mm: float) -> None:
        self.shapes.append(Stroke(tuple(points), colour, width_mm, closed=True))

    def line(self, points: Sequence[Point], colour: Colour, width_mm: float) -> None:
        self.shapes.append(Stroke(tuple(points), colour, width_mm))

    def dashes(self, points: Sequence[Point], colour: Colour, width_mm: float, on: float, off: float) -> None:
        """A dashed line: `on` and `off` are millimetres along it."""
        for piece in _dashed(points, on, off):
            self.line(piece, colour, width_mm)

    def words(self, x: float, y: float, text: str, cap_mm: float, colour: Colour, **how: Any) -> None:
        self.shapes.append(Words(x, y, text, cap_mm, colour, **how))

    def arc_words(
        self, centre: Point, radius_mm: float, middle_deg: float, text: str, cap_mm: float, colour: Colour,
        spacing: float = 0.25, **how: Any,
    ) -> None:  # fmt: skip
        """Letters along a circle around the direction `middle_deg` (clockwise from the top); in the lower
        half they stand with their feet outwards. `spacing` is extra room between letters, in capitals."""
        below = 90 < middle_deg % 360 < 270
        widths = [
            text_width_mm(letter, cap_mm, how.get("font", "bold")) + spacing * cap_mm for letter in text
        ]
        way = -sum(widths) / 2
        for letter, width in zip(text, widths, strict=True):
            turn = math.degrees((way + width / 2) / radius_mm) * (-1 if below else 1) + middle_deg
            x, y = around(centre, turn, radius_mm)
            self.words(x, y, letter, cap_mm, colour, angle_deg=turn + (180 if below else 0), **how)
            way += width

    def place(self, other: Drawing, x: float, y: float) -> None:
        """Everything of another drawing, with its top-left corner at (x, y)."""
        self.shapes += [_moved(shape, x, y) for shape in other.shapes]


def around(centre: Point, direction_deg: float, radius_mm: float) -> Point:
    """The point in a direction (degrees clockwise from the top) and at a distance from `centre`."""
    turn = math.radians(direction_deg)
    return centre[0] + radius_mm * math.sin(turn), centre[1] - radius_mm * math.cos(turn)


def arc(centre: Point, radius_mm: float, from_deg: float, to_deg: float) -> list[Point]:
    """Points on a circle, clockwise from the top, close enough together to look round in print."""
    step_deg = math.degrees(2 * math.acos(1 - min(0.5, 0.01 / max(radius_mm, 0.02))))
    count = max(2, math.ceil(abs(to_deg - from_deg) / step_deg) + 1)
    return [around(centre, from_deg + (to_deg - from_deg) * n / (count - 1), radius_mm) for n in range(count)]


def circle(centre: Point, radius_mm: float) -> list[Point]:
    return arc(centre, radius_mm, 0, 360)[:-1]


def sector(centre: Point, inner_mm: float, outer_mm: float, from_deg: float, to_deg: float) -> list[Point]:
    """A piece of a ring."""
    return arc(centre, outer_mm, from_deg, to_deg) + arc(centre, inner_mm, to_deg, from_deg)


def rectangle(x: float, y: float, width: float, height: float) -> list[Point]:
    """From its top-left corner."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def box(
    centre: Point, width: float, height: float, angle_deg: float = 0.0, corner_mm: float = 0.0
) -> list[Point]:
    """A turned rectangle around its middle, its corners rounded by `corner_mm`."""
    right, low, r = width / 2, height / 2, corner_mm
    if r <= 0:
        flat = [(-right, -low), (right, -low), (right, low), (-right, low)]
    else:
        flat = [
            *arc((right - r, r - low), r, 0, 90), *arc((right - r, low - r), r, 90, 180),
            *arc((r - right, low - r), r, 180, 270), *arc((r - right, r - low), r, 270, 360),
        ]  # fmt: skip
    return [turned(point, centre, angle_deg) for point in flat]


def turned(point: Point, centre: Point, angle_deg: float) -> Point:
    """`point`, given relative to `centre`, turned clockwise about it."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return centre[0] + point[0] * cos - point[1] * sin, centre[1] + point[0] * sin + point[1] * cos


def text_width_mm(text: str, cap_mm: float, font: str = "bold") -> float:
    return float(_traced_font(font).getlength(text)) / _GLYPH_PX * cap_mm / CAP


def rasterise(drawing: Drawing, px_per_mm: float, paper: Colour = (255, 255, 255)) -> Picture:
    """The drawing as uint8 (H, W, 3), BGR.

    Pixel (c, r) shows the point ((c + 0.5) / px_per_mm, (r + 0.5) / px_per_mm) mm.

    Anti-aliased by drawing at least 4 x 4 sub-pixels, in tiles so that a large sheet needs little memory.
    """
    width, height = (max(1, round(side * px_per_mm)) for side in (drawing.width_mm, drawing.height_mm))
    finer = min(16, max(4, math.ceil(_FINEST_PER_MM / px_per_mm)))
    scale = px_per_mm * finer
    outlines = [_pixel_shape(shape, scale) for shape in drawing.shapes]
    picture = np.empty((height, width, 3), np.uint8)
    step = _TILE_SUBPX // finer
    for top in range(0, height, step):
        for left in range(0, width, step):
            rows, columns = min(step, height - top), min(step, width - left)
            tile = np.full((rows * finer, columns * finer, 3), paper[::-1], np.uint8)
            for outline in outlines:
                outline.draw(tile, left * finer, top * finer)
            picture[top : top + rows, left : left + columns] = cv2.resize(
                tile, (columns, rows), interpolation=cv2.INTER_AREA
            )
    return picture


def paint(drawing: Drawing, canvas: Any) -> None:
    """The drawing on a reportlab canvas, its lower left corner at the canvas' origin."""
    for name in FONT_FILES:
        register_font(name)
    canvas.setLineJoin(1)
    canvas.setLineCap(1)
    for shape in drawing.shapes:
        if isinstance(shape, Words):
            _paint_words(shape, canvas, drawing.height_mm)
        else:
            _paint_path(shape, canvas, drawing.height_mm)


def register_font(font: str) -> str:
    """Makes one of FONT_FILES known to reportlab and returns its name there."""
    name = f"Vera-{font}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(_font_path(font))))
    return name


def _paint_path(shape: Area | Stroke, canvas: Any, height_mm: float) -> None:
    path = canvas.beginPath()
    contours = shape.contours if isinstance(shape, Area) else (shape.points,)
    for contour in contours:
        flipped = [(x * mm, (height_mm - y) * mm) for x, y in contour]
        path.moveTo(*flipped[0])
        for point in flipped[1:]:
            path.lineTo(*point)
        if isinstance(shape, Area) or shape.closed:
            path.close()
    if isinstance(shape, Area):
        canvas.setFillColorRGB(*(part / 255 for part in shape.fill))
        canvas.drawPath(path, stroke=0, fill=1, fillMode=0)  # 0: even-odd
    else:
        canvas.setStrokeColorRGB(*(part / 255 for part in shape.colour))
        canvas.setLineWidth(shape.width_mm * mm)
        canvas.drawPath(path, stroke=1, fill=0)


def _paint_words(words: Words, canvas: Any, height_mm: float) -> None:
    size = words.cap_mm / CAP
    width = text_width_mm(words.text, words.cap_mm, words.font)
    canvas.saveState()
    canvas.translate(words.x * mm, (height_mm - words.y) * mm)
    canvas.rotate(-words.angle_deg)
    canvas.setFillColorRGB(*(part / 255 for part in words.colour))
    canvas.setFont(register_font(words.font), size * mm)
    canvas.drawString(-(words.align + 1) / 2 * width * mm, -words.cap_mm / 2 * mm, words.text)
    canvas.restoreState()


@dataclass(frozen=True)
class _PixelShape:
    """A shape in sub-pixels, ready for any tile that it touches."""

    contours: tuple[NDArray[np.float64], ...]
    colour: tuple[int, int, int]  # blue, green, red
    thickness: int  # 0: filled
    closed: bool
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def draw(self, tile: Picture, left: int, top: int) -> None:
        corner = np.array([left, top], np.float64)
        if np.any(self.high < corner) or np.any(self.low > corner + tile.shape[1::-1]):
            return
        fixed = [np.rint((contour - corner) * 2**_SHIFT).astype(np.int32) for contour in self.contours]
        if self.thickness:
            cv2.polylines(tile, fixed, self.closed, self.colour, self.thickness, cv2.LINE_8, _SHIFT)
        else:
            cv2.fillPoly(tile, fixed, self.colour, cv2.LINE_8, _SHIFT)


def _pixel_shape(shape: Shape, scale: float) -> _PixelShape:
    if isinstance(shape, Words):
        contours, colour, thickness, closed = _word_contours(shape), shape.colour, 0, True
    elif isinstance(shape, Area):
        contours, colour, thickness, closed = shape.contours, shape.fill, 0, True
    else:
        contours, colour, closed = (shape.points,), shape.colour, shape.closed
        thickness = max(1, round(shape.width_mm * scale))
    # The sub-pixel with index 0 has its centre at half a sub-pixel.
    arrays = tuple(np.array(contour, np.float64).reshape(-1, 2) * scale - 0.5 for contour in contours)
    every = np.concatenate(arrays) if arrays else np.zeros((1, 2))
    reach = thickness / 2 + 1
    blue_green_red = (colour[2], colour[1], colour[0])
    return _PixelShape(
        arrays, blue_green_red, thickness, closed, every.min(axis=0) - reach, every.max(axis=0) + reach
    )


def _word_contours(words: Words) -> tuple[Contour, ...]:
    size = words.cap_mm / CAP
    shift = (words.align + 1) / 2 * text_width_mm(words.text, words.cap_mm, words.font)
    return tuple(
        tuple(
            turned((x * size - shift, y * size + words.cap_mm / 2), (words.x, words.y), words.angle_deg)
            for x, y in contour
        )
        for contour in _traced(words.text, words.font)
    )


@lru_cache(maxsize=2048)
def _traced(text: str, font: str) -> tuple[Contour, ...]:
    """The letters' contours for font size 1: baseline at y = 0, left end at x = 0, y down."""
    face, margin = _traced_font(font), _GLYPH_PX // 2
    width = math.ceil(face.getlength(text)) + 2 * margin
    image = Image.new("L", (width, 2 * _GLYPH_PX), 0)
    ImageDraw.Draw(image).text((margin, 1.4 * _GLYPH_PX), text, fill=255, font=face, anchor="ls")
    mask = (np.asarray(image) > 127).astype(np.uint8)
    found, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    origin = np.array([margin - 0.5, 1.4 * _GLYPH_PX - 0.5])
    return tuple(
        tuple((float(x), float(y)) for x, y in (contour.reshape(-1, 2) - origin) / _GLYPH_PX)
        for contour in found
        if len(contour) > 2
    )


@lru_cache(maxsize=8)
def _traced_font(font: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_font_path(font)), _GLYPH_PX, layout_engine=ImageFont.Layout.BASIC)


def _font_path(font: str) -> Path:
    return Path(reportlab.__file__).parent / "fonts" / FONT_FILES[font]


def _moved(shape: Shape, x: float, y: float) -> Shape:
    def shifted(contour: Contour) -> Contour:
        return tuple((px + x, py + y) for px, py in contour)

    if isinstance(shape, Words):
        return replace(shape, x=shape.x + x, y=shape.y + y)
    if isinstance(shape, Area):
        return Area(tuple(shifted(contour) for contour in shape.contours), shape.fill)
    return Stroke(shifted(shape.points), shape.colour, shape.width_mm, shape.closed)


def _dashed(points: Sequence[Point], on: float, off: float) -> list[list[Point]]:
    """The visible pieces of a dashed line."""
    pieces: list[list[Point]] = []
    drawing, left, here = True, on, points[0]
    piece = [here]
    for end in points[1:]:
        while (rest := math.dist(here, end)) > 0:
            step = min(left, rest)
            here = (here[0] + (end[0] - here[0]) * step / rest, here[1] + (end[1] - here[1]) * step / rest)
            left -= step
            if drawing:
                piece.append(here)
            if left <= 1e-9:
                if drawing:
                    pieces.append(piece)
                drawing, left = not drawing, off if drawing else on
                piece = [here]
            if step == rest:
                break
    return [*pieces, piece] if drawing and len(piece) > 1 else pieces
