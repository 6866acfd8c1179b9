"""Reads a board file's JSON with patience: collects every mistake, each with the path of its key.

>>> check_board({"id": "x", "size_mm": [100], "fields": [], "pieces": {}})
('size_mm: expected two numbers [width, height] in mm, found [100]',)
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

# What must be known of each shape, in millimetres, to draw it and to find it in a picture.
SHAPE_DIMENSIONS: dict[str, tuple[str, ...]] = {
    "cylinder": ("diameter_mm", "height_mm"),
    "box": ("length_mm", "width_mm", "height_mm"),
    "figure": ("base_mm", "height_mm"),
    "trilith": ("height_mm", "span_mm"),
    "card": ("length_mm", "width_mm"),
}
# The tags that OpenCV can draw and find: how many each dictionary has.
# No table is longer.
LARGEST_MM = 5000
TAG_COUNTS: dict[str, int] = {
    **{f"DICT_{side}X{side}_{count}": count for side in (4, 5, 6, 7) for count in (50, 100, 250, 1000)},
    **dict.fromkeys(("DICT_APRILTAG_16h5", "DICT_APRILTAG_16H5"), 30),
    **dict.fromkeys(("DICT_APRILTAG_25h9", "DICT_APRILTAG_25H9"), 35),
    **dict.fromkeys(("DICT_APRILTAG_36h10", "DICT_APRILTAG_36H10"), 2320),
    **dict.fromkeys(("DICT_APRILTAG_36h11", "DICT_APRILTAG_36H11"), 587),
    **dict.fromkeys(("DICT_ARUCO_MIP_36h12", "DICT_ARUCO_MIP_36H12"), 250),
    "DICT_ARUCO_ORIGINAL": 1024,
}


def check_board(data: object) -> tuple[str, ...]:
    """Every mistake in a board file's parsed JSON, one line each; empty if the file is good."""
    if not isinstance(data, Mapping):
        return (f"the file: expected an object with id, size_mm, fields and pieces, found {shown(data)}",)
    return tuple(_Check(data).run())


def shown(value: object) -> str:
    """`value` as it stands in the file, shortened to fit into a sentence."""
    text = '"' + value + '"' if isinstance(value, str) else repr(value)
    text = {"None": "null", "True": "true", "False": "false"}.get(text, text)
    return text if len(text) <= 60 else text[:57] + "..."


def is_number(value: object) -> bool:
    """A finite JSON number that a float can hold; true and false are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_point(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(is_number, value))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and is_number(value) and value > 0


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_colours(value: object) -> bool:
    return _is_texts(value) and bool(value)


class _Check:
    """One walk through one file. Each method looks at one key and notes what is wrong with it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.mistakes: list[str] = []
        self.field_ids: set[str] = set()
        self.kinds: set[str] = set()

    def run(self) -> list[str]:
        self._need(self.data, "id", _is_text, 'a name, such as "my-board"')
        self._size()
        self._each("fields", self._field, list)
        self._each("neighbours", self._neighbours, list, optional=True)
        self._each("markers", self._marker, list, optional=True)
        self._each("pieces", self._piece, dict)
        self._each("palette", self._colour, dict, optional=True)
        return self.mistakes

    def _say(self, path: str, expected: str, found: object) -> None:
        self.mistakes.append(f"{path}: expected {expected}, found {shown(found)}")

    def _need(
        self,
        where: Mapping[str, Any],
        key: str,
        good: Callable[[object], bool],
        expected: str,
        path: str = "",
        optional: bool = False,
    ) -> bool:
        """Whether `key` is there and good; notes it if not. An optional key may be absent or null."""
        if where.get(key) is None and optional:
            return True
        if key not in where:
            self.mistakes.append(f"{path}{key}: missing, expected {expected}")
            return False
        if not good(where[key]):
            self._say(f"{path}{key}", expected, where[key])
            return False
        return True

    def _each(
        self, key: str, look: Callable[[str, Any], None], container: type, optional: bool = False
    ) -> None:
        """Looks at every entry of the list or object at `key`."""
        expected = "a list" if container is list else "an object"
        if not self._need(self.data, key, lambda value: isinstance(value, container), expected, "", optional):
            return
        entries = self.data.get(key) or ()
        if isinstance(entries, Mapping):
            for name, entry in entries.items():
                look(f"{key}.{name}", entry)
        else:
            for index, entry in enumerate(entries):
                look(f"{key}[{index}]", entry)

    def _size(self) -> None:
        expected = "two numbers [width, height] in mm"
        if self._need(self.data, "size_mm", is_point, expected):
            size = self.data["size_mm"]
            if min(size) <= 0 or max(size) > LARGEST_MM:
                self._say("size_mm", f"a width and a height above 0 and up to {LARGEST_MM} mm", size)

    def _field(self, path: str, entry: Any) -> None:
        if not isinstance(entry, Mapping):
            self._say(path, "an object with id, kind, x, y and radius_mm", entry)
            return
        if self._need(entry, "id", _is_text, "a name", path + "."):
            if entry["id"] in self.field_ids:
                self._say(f"{path}.id", "a name that no other field has", entry["id"])
            self.field_ids.add(entry["id"])
        if self._need(entry, "kind", _is_text, 'a kind of field, such as "ring"', path + "."):
            self.kinds.add(entry["kind"])
        self._need(entry, "number", _is_whole, "a whole number or null", path + ".", optional=True)
        self._need(entry, "colour", _is_text, "a colour's name or null", path + ".", optional=True)
        self._need(entry, "angle_deg", is_number, "degrees clockwise from +x", path + ".", optional=True)
        if "polygon" in entry:
            self._polygon(f"{path}.polygon", entry["polygon"])
        else:
            self._circle(path, entry)

    def _polygon(self, path: str, corners: Any) -> None:
        if not isinstance(corners, list | tuple) or len(corners) < 3 or not all(map(is_point, corners)):
            self._say(path, "at least three corners [x, y] in mm", corners)
            return
        if abs(area_mm2(corners)) < 1e-6:
            self._say(path, "corners around an area, one after the other", corners)
        for index, (x, y) in enumerate(corners):
            self._on_board(f"{path}[{index}]", x, y)

    def _circle(self, path: str, entry: Mapping[str, Any]) -> None:
        if not {"x", "y", "radius_mm"} & set(entry):
            self._say(path, "either x, y and radius_mm or a polygon", dict(entry))
            return
        good = [self._need(entry, key, is_number, "a number in mm", path + ".") for key in ("x", "y")]
        self._need(entry, "radius_mm", _is_positive, "a number above 0 in mm", path + ".")
        if all(good):
            self._on_board(path, entry["x"], entry["y"])

    def _on_board(self, path: str, x: float, y: float) -> None:
        size: Any = self.data.get("size_mm")
        if is_point(size) and not (-0.5 <= x <= size[0] + 0.5 and -0.5 <= y <= size[1] + 0.5):
            self._say(path, f"a point on the board, which is {size[0]:g} x {size[1]:g} mm", [x, y])

    def _neighbours(self, path: str, pair: Any) -> None:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(map(_is_text, pair)):
            self._say(path, "the ids of two fields", pair)
            return
        for index, name in enumerate(pair):
            if name not in self.field_ids:
                self._say(f"{path}[{index}]", "the id of a field of this board", name)
        if pair[0] == pair[1]:
            self._say(path, "two different fields", list(pair))

    def _marker(self, path: str, entry: Any) -> None:
        if not isinstance(entry, Mapping):
            self._say(path, "an object with id, dictionary and corners", entry)
            return
        dictionaries = 'a dictionary of OpenCV\'s, such as "DICT_4X4_50"'
        known = self._need(
            entry, "dictionary", lambda name: name in tuple(TAG_COUNTS), dictionaries, path + "."
        )
        count = TAG_COUNTS[entry["dictionary"]] if known else math.inf
        tags = f"a tag number from 0 to {count - 1}" if known else "a tag number"
        self._need(entry, "id", lambda n: _is_tag(n, count), tags, path + ".")
        expected = "four corners [x, y]: top-left, top-right, bottom-right, bottom-left as printed"
        good = self._need(entry, "corners", _is_quad, expected, path + ".")
        if good and area_mm2(entry["corners"]) <= 0:
            self._say(f"{path}.corners", "the corners in clockwise order", entry["corners"])

    def _piece(self, path: str, entry: Any) -> None:
        if not isinstance(entry, Mapping):
            self._say(path, "an object with shape, sizes in mm, colours and on", entry)
            return
        shapes = "one of " + ", ".join(SHAPE_DIMENSIONS)
        known = self._need(entry, "shape", _is_shape, shapes, path + ".")
        for key in SHAPE_DIMENSIONS[entry["shape"]] if known else ():
            self._need(entry, key, _is_positive, "a number above 0 in mm", path + ".")
        self._need(entry, "colours", _is_colours, "a list of colour names, one at least", path + ".")
        if self._need(entry, "on", _is_texts, "a list of kinds of fields", path + "."):
            for index, kind in enumerate(entry["on"]):
                if kind not in self.kinds | self.field_ids:
                    kinds = ", ".join(sorted(self.kinds)) or "none"
                    self._say(f"{path}.on[{index}]", f"a kind of field of this board ({kinds})", kind)

    def _colour(self, path: str, entry: Any) -> None:
        whole = isinstance(entry, list | tuple) and len(entry) == 3 and all(map(_is_whole, entry))
        if not whole or not all(0 <= value <= 255 for value in entry):
            self._say(path, "three whole numbers from 0 to 255 [red, green, blue]", entry)


def _is_tag(value: object, count: float) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count


def _is_shape(value: object) -> bool:
    return isinstance(value, str) and value in SHAPE_DIMENSIONS


def _is_quad(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 4 and all(map(is_point, value))


def area_mm2(corners: Any) -> float:
    """Signed area of a polygon; above 0 if its corners go clockwise on the board (y points down)."""
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return sum((float(a[0] * b[1] - b[0] * a[1]) for a, b in pairs), 0.0) / 2.0
