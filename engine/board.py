"""A board as data: its fields, what is next to what, its tags, its pieces and their colours.

Convention: millimetres on the board plane, origin at the printed top-left corner, x right, y down;
angles in degrees clockwise from +x. A `Board` is read from a board file and never changes.

>>> board = load_board("anthology")
>>> board.fields["ring-7"].colour, board.neighbours_of("ring-30")
('white', ('ring-29', 'ring-1'))
>>> len(board.fields_of_kind("bluestone"))
19
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.board_check import SHAPE_DIMENSIONS, area_mm2, check_board, is_number
from engine.errors import BoardError
from engine.position import one_after_the_other

__all__ = [
    "SHAPE_DIMENSIONS", "Board", "BoardError", "Field", "Marker", "PieceType", "Point",
    "board_from_json", "board_ids", "check_board", "load_board",
]  # fmt: skip

Point = tuple[float, float]
BOARDS_FOLDER = Path(__file__).with_name("boards")
# Colours of pieces as an ordinary set has them, for boards that bring no palette (red, green, blue).
ORDINARY_COLOURS: dict[str, tuple[int, int, int]] = {
    "white": (241, 240, 234), "blue": (38, 84, 158), "green": (52, 122, 66), "yellow": (236, 190, 48),
    "red": (186, 44, 38), "grey": (134, 134, 130), "black": (38, 37, 38), "brown": (112, 72, 44),
}  # fmt: skip
_FIELD_KEYS = {"id", "kind", "number", "colour", "x", "y", "radius_mm", "polygon", "angle_deg"}
_MARKER_KEYS = {"id", "dictionary", "corners"}
_BOARD_KEYS = {"id", "size_mm", "fields", "neighbours", "markers", "pieces", "palette"}


@dataclass(frozen=True)
class Field:
    """A place on the board: a circle (`radius_mm` around `centre_mm`) or a polygon.

    For a polygon `centre_mm` is its centroid and `radius_mm` the distance from there to its nearest edge.
    `angle_deg` is the direction of the field's tangent: a block lies along it.
    `extra` holds the file's other keys.
    """

    id: str
    kind: str
    number: int | None
    colour: str | None
    centre_mm: Point
    radius_mm: float
    polygon_mm: tuple[Point, ...] | None = None
    angle_deg: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def contains(self, x_mm: float, y_mm: float) -> bool:
        """Whether the point lies inside the field or on its edge."""
        if self.polygon_mm is None:
            return math.dist(self.centre_mm, (x_mm, y_mm)) <= self.radius_mm
        return _inside(self.polygon_mm, x_mm, y_mm)

    def outline_mm(self, corners: int = 48) -> tuple[Point, ...]:
        """The edge as a closed polygon, clockwise; a circle gets that many corners."""
        if self.polygon_mm is not None:
            return self.polygon_mm
        x, y = self.centre_mm
        turns = (2 * math.pi * step / corners for step in range(corners))
        return tuple((x + self.radius_mm * math.cos(t), y + self.radius_mm * math.sin(t)) for t in turns)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"id": self.id, "kind": self.kind}
        data |= {"number": self.number} if self.number is not None else {}
        data |= {"colour": self.colour} if self.colour is not None else {}
        if self.polygon_mm is None:
            data |= {"x": self.centre_mm[0], "y": self.centre_mm[1], "radius_mm": self.radius_mm}
        else:
            data["polygon"] = [list(corner) for corner in self.polygon_mm]
        data |= {"angle_deg": self.angle_deg} if self.angle_deg else {}
        return data | dict(self.extra)


@dataclass(frozen=True)
class PieceType:
    """A kind of piece: its shape ("cylinder", "box", "figure", "trilith" or "card"), its sizes in mm, the
    colours it comes in, and the kinds of fields (or single field ids) that it may lie on."""

    name: str
    shape: str
    colours: tuple[str, ...]
    on: tuple[str, ...]
    dims_mm: Mapping[str, float] = field(default_factory=dict, hash=False)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def height_mm(self) -> float:
        """How far the top is above the board; cards are as good as flat."""
        return self.dims_mm.get("height_mm", 0.4)

    @property
    def length_mm(self) -> float:
        """The footprint's long side: diameter, base, length, or a trilith's capstone from end to end."""
        return self._first("length_mm", "diameter_mm", "base_mm", "capstone_length_mm", "span_mm")

    @property
    def width_mm(self) -> float:
        """The footprint's short side; a round piece is as wide as long."""
        return self._first("width_mm", "capstone_width_mm", "diameter_mm", "base_mm", "span_mm")

    @property
    def diameter_mm(self) -> float:
        """Of a round footprint; for others the longer side."""
        return self._first("diameter_mm", "base_mm", "length_mm", "span_mm")

    @property
    def span_mm(self) -> float:
        """Between the middles of a trilith's pillars; 0 for other shapes."""
        return self.dims_mm.get("span_mm", 0.0)

    def _first(self, *names: str) -> float:
        return next(self.dims_mm[name] for name in names if name in self.dims_mm)

    def to_json(self) -> dict[str, Any]:
        head = {"shape": self.shape} | dict(self.dims_mm)
        return head | {"colours": list(self.colours), "on": list(self.on)} | dict(self.extra)


@dataclass(frozen=True)
class Marker:
    """A printed ArUco tag. Corners: top-left, top-right, bottom-right, bottom-left as printed."""

    id: int
    dictionary: str
    corners_mm: tuple[Point, Point, Point, Point]
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Any]:
        corners = [list(corner) for corner in self.corners_mm]
        return {"id": self.id, "dictionary": self.dictionary, "corners": corners} | dict(self.extra)


@dataclass(frozen=True)
class Board:
    """A board. `fields` keep the file's order; `extra` holds the keys that Henge itself does not use."""

    id: str
    size_mm: tuple[float, float]
    fields: Mapping[str, Field] = field(hash=False)
    neighbours: tuple[tuple[str, str], ...] = ()
    markers: tuple[Marker, ...] = ()
    pieces: Mapping[str, PieceType] = field(default_factory=dict, hash=False)
    palette: Mapping[str, tuple[int, int, int]] = field(default_factory=dict, hash=False)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Top-left, top-right, bottom-right, bottom-left as printed."""
        width, height = self.size_mm
        return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of fields, in the order of their first field."""
        return tuple(dict.fromkeys(each.kind for each in self.fields.values()))

    def fields_of_kind(self, kind: str) -> tuple[Field, ...]:
        return tuple(each for each in self.fields.values() if each.kind == kind)

    def fields_for(self, piece: str) -> tuple[Field, ...]:
        """The fields on which that kind of piece may lie; none for a kind that the board does not have."""
        on = self.pieces[piece].on if piece in self.pieces else ()
        return tuple(each for each in self.fields.values() if each.kind in on or each.id in on)

    def neighbours_of(self, field_id: str) -> tuple[str, ...]:
        """The ids of the fields next to this one, in the file's order."""
        return self._neighbours.get(field_id, ())

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for a, b in self.neighbours:
            found[a] = (*found.get(a, ()), b)
            found[b] = (*found.get(b, ()), a)
        return found

    def contains(self, field: Field | str, x_mm: float, y_mm: float) -> bool:
        """Whether a point of the board lies in that field (a `Field` or its id)."""
        return (self.fields[field] if isinstance(field, str) else field).contains(x_mm, y_mm)

    def field_at(self, x_mm: float, y_mm: float, kinds: Iterable[str] | None = None) -> Field | None:
        """The field in which the point lies, the one with the nearest centre if several do, or None."""
        wanted = self.kinds if kinds is None else tuple(kinds)
        inside = [each for each in self.fields.values() if each.kind in wanted and each.contains(x_mm, y_mm)]
        return min(inside, key=lambda each: math.dist(each.centre_mm, (x_mm, y_mm)), default=None)

    def colour_rgb(self, colour: str) -> tuple[int, int, int]:
        """The palette's red, green and blue (0..255) of a colour's name; grey if nobody knows it."""
        return self.palette.get(colour) or ORDINARY_COLOURS.get(colour) or ORDINARY_COLOURS["grey"]

    def to_json(self) -> dict[str, Any]:
        """The board file's content; `board_from_json(board.to_json()) == board`."""
        data: dict[str, Any] = {"id": self.id, "size_mm": list(self.size_mm)}
        data |= self.extra
        data["fields"] = [each.to_json() for each in self.fields.values()]
        data["neighbours"] = [list(pair) for pair in self.neighbours]
        data["markers"] = [marker.to_json() for marker in self.markers]
        data["pieces"] = {name: piece.to_json() for name, piece in self.pieces.items()}
        data["palette"] = {name: list(rgb) for name, rgb in self.palette.items()}
        return data


def board_ids() -> tuple[str, ...]:
    """The ids of the boards that Henge brings along."""
    return tuple(sorted(path.stem for path in BOARDS_FOLDER.glob("*.json")))


def load_board(id_or_path: str | os.PathLike[str]) -> Board:
    """The board with that id, or from the board file at that path. Raises BoardError saying what is wrong."""
    name = os.fspath(id_or_path)
    path = BOARDS_FOLDER / f"{name}.json" if name in board_ids() else Path(name)
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        known = ", ".join(board_ids())
        raise BoardError(f"no board {name}: expected one of {known}, or the path of a board file") from None
    except OSError as error:
        raise BoardError(f"cannot read the board file {name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BoardError(f"{name} is not a board file: expected JSON text in UTF-8") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, column {error.colno}"
        raise BoardError(f"{name} is not a board file: {error.msg} at {line} of the JSON") from None
    except RecursionError:
        raise BoardError(f"{name} is not a board file: its JSON is nested too deeply") from None
    return board_from_json(data, name)


def board_from_json(data: object, where: str = "board") -> Board:
    """The board that a board file's parsed JSON describes. `where` names the file in BoardError's text."""
    mistakes = check_board(data)
    if mistakes:
        more = f" (and {len(mistakes) - 1} more, see henge board check)" if len(mistakes) > 1 else ""
        raise BoardError(f"{where}: {mistakes[0]}{more}")
    assert isinstance(data, Mapping)
    fields = [_field(entry) for entry in data["fields"]]
    return Board(
        id=data["id"],
        size_mm=_point(data["size_mm"]),
        fields={each.id: each for each in fields},
        neighbours=tuple(one_after_the_other(a, b) for a, b in data.get("neighbours") or ()),
        markers=tuple(_marker(entry) for entry in data.get("markers") or ()),
        pieces={name: _piece(name, entry) for name, entry in data["pieces"].items()},
        palette={name: (r, g, b) for name, (r, g, b) in (data.get("palette") or {}).items()},
        extra=_others(data, _BOARD_KEYS),
    )


def _field(entry: Mapping[str, Any]) -> Field:
    polygon = tuple(_point(corner) for corner in entry["polygon"]) if "polygon" in entry else None
    if polygon is None:
        centre, radius = (float(entry["x"]), float(entry["y"])), float(entry["radius_mm"])
    else:
        centre = _centroid(polygon)
        radius = min(_edge_distance(centre, a, b) for a, b in _edges(polygon))
    return Field(
        entry["id"], entry["kind"], entry.get("number"), entry.get("colour"), centre, radius, polygon,
        float(entry.get("angle_deg") or 0.0), _others(entry, _FIELD_KEYS),
    )  # fmt: skip


def _marker(entry: Mapping[str, Any]) -> Marker:
    a, b, c, d = (_point(corner) for corner in entry["corners"])
    return Marker(entry["id"], entry["dictionary"], (a, b, c, d), _others(entry, _MARKER_KEYS))


def _piece(name: str, entry: Mapping[str, Any]) -> PieceType:
    sizes = {key: float(value) for key, value in entry.items() if _is_size(key, value)}
    rest = _others(entry, {"shape", "colours", "on"} | set(sizes))
    return PieceType(name, entry["shape"], tuple(entry["colours"]), tuple(entry["on"]), sizes, rest)


def _is_size(key: str, value: object) -> bool:
    return key.endswith("_mm") and is_number(value)


def _others(entry: Mapping[str, Any], known: set[str]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in known}


def _point(pair: Any) -> Point:
    return float(pair[0]), float(pair[1])


def _edges(polygon: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(polygon, polygon[1:] + polygon[:1], strict=True))


def _centroid(polygon: tuple[Point, ...]) -> Point:
    """Centre of the polygon's area."""
    crosses = [(a, b, a[0] * b[1] - b[0] * a[1]) for a, b in _edges(polygon)]
    six_areas = 6 * area_mm2(polygon)
    x = sum((a[0] + b[0]) * cross for a, b, cross in crosses) / six_areas
    y = sum((a[1] + b[1]) * cross for a, b, cross in crosses) / six_areas
    return x, y


def _edge_distance(point: Point, a: Point, b: Point) -> float:
    """From a point to the segment a-b."""
    along_x, along_y = b[0] - a[0], b[1] - a[1]
    squared = along_x**2 + along_y**2
    if squared == 0:
        return math.dist(point, a)
    share = ((point[0] - a[0]) * along_x + (point[1] - a[1]) * along_y) / squared
    share = min(1.0, max(0.0, share))
    return math.dist(point, (a[0] + share * along_x, a[1] + share * along_y))


def _inside(polygon: tuple[Point, ...], x: float, y: float) -> bool:
    """Even-odd rule; a point within a hair (1e-9 mm) of an edge counts as inside."""
    if any(_edge_distance((x, y), a, b) <= 1e-9 for a, b in _edges(polygon)):
        return True
    crossings = 0
    for (ax, ay), (bx, by) in _edges(polygon):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1
