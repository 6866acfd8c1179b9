"""Where everything is on the two boards, as a few measures from which all fields follow.

`python -m engine.boards.layout` writes the board files beside this module. Another edition of a board is
the same layout with other measures: `anthology(AnthologyLayout(track_mm=210.0))`.

Convention: millimetres, origin at the printed top-left corner, x right, y down. Directions on the round
board are degrees clockwise from the top. Every function gives the parsed JSON of a board file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

Point = tuple[float, float]
Json = dict[str, Any]

RING_COLOURS = ("black", "white", "blue", "green", "yellow", "red")  # of number n: RING_COLOURS[n % 6]
PLAYER_COLOURS = ["white", "blue", "green", "yellow", "red"]
PALETTE = {
    "white": [241, 240, 234], "blue": [38, 84, 158], "green": [52, 122, 66], "yellow": [236, 190, 48],
    "red": [186, 44, 38], "grey": [134, 134, 130], "black": [38, 37, 38], "brown": [112, 72, 44],
}  # fmt: skip
CARD = {"shape": "card", "length_mm": 50, "width_mm": 34}

# Knizia's lattice: column x and row y of every space and line end; X = x * s / 2, Y = y * s * 0.866.
SPACES: dict[str, tuple[int, int]] = {
    "A": (-1, 1), "B": (1, 1),
    "C": (-2, 2), "D": (0, 2), "E": (2, 2),
    "F": (-3, 3), "G": (-1, 3), "H": (1, 3), "I": (3, 3),
    "J": (-4, 4), "K": (-2, 4), "L": (0, 4), "M": (2, 4), "N": (4, 4),
    "O": (-3, 5), "P": (-1, 5), "Q": (1, 5), "R": (3, 5),
}  # fmt: skip
LINES: tuple[tuple[str, tuple[int, int]], ...] = (
    ("AB", (-3, 1)), ("CDE", (-4, 2)), ("FGHI", (-5, 3)), ("JKLMN", (-6, 4)), ("OPQR", (-5, 5)),
    ("ACFJ", (0, 0)), ("BDGKO", (2, 0)), ("EHLP", (3, 1)), ("IMQ", (4, 2)), ("NR", (5, 3)),
    ("BEIN", (5, 5)), ("ADHMR", (4, 6)), ("CGLQ", (2, 6)), ("FKP", (0, 6)), ("JO", (-2, 6)),
)  # fmt: skip


@dataclass(frozen=True)
class AnthologyLayout:
    """Measures of the round board. `..._radius_mm` are distances from the middle of the board."""

    size_mm: float = 500.0
    rim_radius_mm: float = 235.0  # the outer edge of the printed ring
    ring_radius_mm: float = 217.5
    ring_spot_mm: float = 14.0
    slot_radius_mm: float = 185.0
    slot_mm: tuple[float, float] = (30.0, 10.0)
    pit_radius_mm: float = 162.5
    pit_spot_mm: float = 8.2
    pit_offset_deg: float = 3.0  # the night pit comes first, clockwise
    trilith_radius_mm: float = 110.0
    trilith_mm: tuple[float, float] = (68.0, 26.0)
    horseshoe_radius_mm: float = 74.0
    horseshoe_leg_mm: float = 52.0
    horseshoe_down_mm: float = 9.0  # its round end lies that far below the middle
    bluestone_spot_mm: float = 8.6
    altar_mm: tuple[float, float] = (60.0, 32.0)
    altar_down_mm: float = 20.0
    tag_mm: float = 32.0
    tag_edge_mm: float = 8.0
    quiet_mm: float = 6.0
    yard_edge_mm: float = 7.0
    yard_reach_mm: float = 168.0

    def number_deg(self, number: int) -> float:
        """Direction of ring field `number` from the middle."""
        return (number - 0.5) * 12.0


@dataclass(frozen=True)
class KniziaLayout:
    """Measures of the triangular board."""

    size_mm: float = 360.0
    spacing_mm: float = 52.0
    space_mm: float = 15.0
    line_end_mm: float = 9.0
    tag_mm: float = 32.0
    tag_edge_mm: float = 8.0

    def place(self, lattice: tuple[int, int]) -> Point:
        """Millimetres of a lattice point; the pattern stands in the middle of the board."""
        rise = self.spacing_mm * math.sqrt(3) / 2
        x, y = lattice
        return self.size_mm / 2 + (x + 0.5) * self.spacing_mm / 2, self.size_mm / 2 + (y - 3) * rise


def anthology(layout: AnthologyLayout | None = None) -> Json:
    """The board of the anthology and of Build Stonehenge!, with tags 0-3."""
    at = layout or AnthologyLayout()
    numbers = range(1, 31)
    rings = [_spot("ring", n, at, at.number_deg(n), at.ring_radius_mm, at.ring_spot_mm) for n in numbers]
    slots = [_slot(n, at) for n in numbers]
    pits = [_pit(n, phase, at) for n in numbers for phase in ("day", "night")]
    triliths = [_trilith(n, at) for n in range(1, 6)]
    bluestones = _bluestones(at)
    centre = (at.size_mm / 2, at.size_mm / 2 + at.altar_down_mm)
    altar = {"id": "altar", "kind": "altar", "polygon": _rectangle(centre, at.altar_mm, 0.0)}
    yards = [_yard(n, at) for n in range(1, 5)]
    return {
        "id": "anthology", "name": {"en": "Board of the five games", "de": "Brett der fünf Spiele"},
        "layout": "anthology", "size_mm": [at.size_mm, at.size_mm],
        "fields": rings + slots + pits + triliths + bluestones + [altar] + yards,
        "neighbours": _chain("ring", 30, closed=True) + _chain("trilith", 5) + _chain("bluestone", 19),
        "markers": _markers(at.size_mm, at.tag_mm, at.tag_edge_mm, first=0),
        "pieces": _anthology_pieces(),
        "palette": PALETTE,
    }  # fmt: skip


def knizia(layout: KniziaLayout | None = None) -> Json:
    """The board of Reiner Knizia's Stonehenge, with tags 4-7."""
    at = layout or KniziaLayout()
    spaces = [_circle(f"space-{name}", "space", at.place(xy), at.space_mm, colour="grey", letter=name)
              for name, xy in SPACES.items()]  # fmt: skip
    ends = [_line_end(number, names, end, at) for number, (names, end) in enumerate(LINES, 1)]
    next_to = [[f"space-{a}", f"space-{b}"] for names, _ in LINES for a, b in pairwise(names)]
    return {
        "id": "knizia", "name": {"en": "Reiner Knizia's Stonehenge", "de": "Reiner Knizias Stonehenge"},
        "layout": "knizia", "size_mm": [at.size_mm, at.size_mm],
        "lines": [{"id": f"line-{number}", "spaces": [f"space-{name}" for name in names]}
                  for number, (names, _) in enumerate(LINES, 1)],
        "fields": spaces + ends,
        "neighbours": next_to,
        "markers": _markers(at.size_mm, at.tag_mm, at.tag_edge_mm, first=4),
        "pieces": {
            "druid": {"shape": "cylinder", "diameter_mm": 22, "height_mm": 6, "values": [1, 2, 3, 4, 5, 6],
                      "colours": ["black", "brown"], "on": ["space"]},
            "megalith": {"shape": "box", "length_mm": 10, "width_mm": 6, "height_mm": 22,
                         "colours": ["black", "brown"], "on": ["line"]},
        },
        "palette": PALETTE,
    }  # fmt: skip


def board_text(data: Json) -> str:
    """The board file's text: one field, pair, tag or piece per line, so that people can read and edit it."""
    parts = [f"{json.dumps(key)}: {_value_text(value)}" for key, value in data.items()]
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _value_text(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict | list):
        rows = [json.dumps(entry) for entry in value]
        if isinstance(value[0], list):  # neighbours: several pairs to a line
            rows = [", ".join(rows[start : start + 5]) for start in range(0, len(rows), 5)]
        return "[\n  " + ",\n  ".join(rows) + "\n ]"
    if isinstance(value, dict):
        return "{\n  " + ",\n  ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n }"
    return json.dumps(value)


def _anthology_pieces() -> Json:
    return {
        "disc": {"shape": "cylinder", "diameter_mm": 15, "height_mm": 5, "colours": PLAYER_COLOURS,
                 "on": ["ring", "pit", "bluestone", "trilith", "yard"]},
        "block": {"shape": "box", "length_mm": 25, "width_mm": 6, "height_mm": 6, "colours": PLAYER_COLOURS,
                  "on": ["ring", "slot", "trilith", "yard"]},
        "figure": {"shape": "figure", "base_mm": 16, "height_mm": 32, "colours": [*PLAYER_COLOURS, "grey"],
                   "on": ["ring", "trilith", "bluestone", "altar", "yard"]},
        "trilith": {"shape": "trilith", "height_mm": 40, "span_mm": 45, "pillar_length_mm": 13,
                    "pillar_width_mm": 11, "capstone_length_mm": 60, "capstone_width_mm": 12,
                    "capstone_height_mm": 9, "colours": ["grey"], "on": ["ring", "trilith", "altar"]},
        "pillar": {"shape": "box", "length_mm": 13, "width_mm": 11, "height_mm": 31, "colours": ["grey"],
                   "on": ["yard"]},
        "capstone": {"shape": "box", "length_mm": 60, "width_mm": 12, "height_mm": 9, "colours": ["grey"],
                     "on": ["yard"]},
        "card": {**CARD, "colours": [*PLAYER_COLOURS, "black"], "on": ["yard"]},
    }  # fmt: skip


def _around(at: AnthologyLayout, direction_deg: float, radius_mm: float) -> Point:
    turn = math.radians(direction_deg)
    return at.size_mm / 2 + radius_mm * math.sin(turn), at.size_mm / 2 - radius_mm * math.cos(turn)


def _mm(value: float) -> float:
    return round(value, 2) + 0.0  # + 0.0: never "-0.0"


def _circle(
    name: str, kind: str, centre: Point, radius_mm: float, angle_deg: float = 0.0, **more: Any
) -> Json:
    place = {"x": _mm(centre[0]), "y": _mm(centre[1]), "radius_mm": radius_mm}
    return {"id": name, "kind": kind, **more, **place, "angle_deg": _mm(angle_deg % 360)}


def _rectangle(centre: Point, size: tuple[float, float], angle_deg: float) -> list[list[float]]:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    corners = [(sx * size[0] / 2, sy * size[1] / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [[_mm(centre[0] + x * cos - y * sin), _mm(centre[1] + x * sin + y * cos)] for x, y in corners]


def _numbered(number: int) -> Json:
    return {"number": number, "colour": RING_COLOURS[number % 6]}


def _spot(kind: str, number: int, at: AnthologyLayout, direction: float, radius: float, spot: float) -> Json:
    centre = _around(at, direction, radius)
    return _circle(f"{kind}-{number}", kind, centre, spot, direction, **_numbered(number))


def _slot(number: int, at: AnthologyLayout) -> Json:
    direction = at.number_deg(number)
    corners = _rectangle(_around(at, direction, at.slot_radius_mm), at.slot_mm, direction)
    head = {"id": f"slot-{number}", "kind": "slot", **_numbered(number)}
    return {**head, "polygon": corners, "angle_deg": _mm(direction)}


def _pit(number: int, phase: str, at: AnthologyLayout) -> Json:
    direction = at.number_deg(number) + (at.pit_offset_deg if phase == "day" else -at.pit_offset_deg)
    spot = _spot("pit", number, at, direction, at.pit_radius_mm, at.pit_spot_mm)
    return {**spot, "id": f"pit-{number}-{phase}", "phase": phase}


def _trilith(number: int, at: AnthologyLayout) -> Json:
    direction = number * 60.0
    corners = _rectangle(_around(at, direction, at.trilith_radius_mm), at.trilith_mm, direction)
    head = {"id": f"trilith-{number}", "kind": "trilith", "number": number}
    return {**head, "polygon": corners, "angle_deg": _mm(direction)}


def _bluestones(at: AnthologyLayout) -> list[Json]:
    """19 spots at equal distances along a horseshoe open to the top: right leg, round end, left leg."""
    radius, leg = at.horseshoe_radius_mm, at.horseshoe_leg_mm
    middle = (at.size_mm / 2, at.size_mm / 2 + at.horseshoe_down_mm)
    length = 2 * leg + math.pi * radius
    return [_bluestone(n, (n - 1) / 18 * length, middle, radius, leg, at) for n in range(1, 20)]


def _bluestone(
    number: int, way: float, middle: Point, radius: float, leg: float, at: AnthologyLayout
) -> Json:
    bend = math.pi * radius
    if way <= leg:
        centre, tangent = (middle[0] + radius, middle[1] - leg + way), 90.0
    elif way <= leg + bend:
        turn = (way - leg) / radius
        centre = (middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn))
        tangent = 90.0 + math.degrees(turn)
    else:
        centre, tangent = (middle[0] - radius, middle[1] - (way - leg - bend)), 270.0
    return _circle(f"bluestone-{number}", "bluestone", centre, at.bluestone_spot_mm, tangent, number=number)


def _yard(number: int, at: AnthologyLayout) -> Json:
    """The corner between ring, tag and board edge; yards 1-4 go clockwise from the top-left one."""
    half, start = at.size_mm / 2, at.tag_edge_mm + at.tag_mm + at.quiet_mm
    radius = at.rim_radius_mm + 3.0
    first = math.asin((half - at.yard_reach_mm) / radius)
    turns = [first + (math.pi / 2 - 2 * first) * step / 8 for step in range(9)]
    arc = [(half - radius * math.sin(turn), half - radius * math.cos(turn)) for turn in turns]
    edge, reach = at.yard_edge_mm, at.yard_reach_mm
    corner = [(start, edge), (reach, edge), *arc, (edge, reach), (edge, start), (start, start)]
    turned = [_quarter_turned(point, number - 1, half) for point in corner]
    place = [[_mm(x), _mm(y)] for x, y in turned]
    return {"id": f"yard-{number}", "kind": "yard", "number": number, "polygon": place,
            "angle_deg": (315.0 + 90.0 * (number - 1)) % 360}  # fmt: skip


def _quarter_turned(point: Point, quarters: int, half: float) -> Point:
    """The point turned clockwise about the middle of a board that is 2 * half wide."""
    x, y = point[0] - half, point[1] - half
    for _ in range(quarters):
        x, y = -y, x
    return x + half, y + half


def _line_end(number: int, names: str, end: tuple[int, int], at: KniziaLayout) -> Json:
    x, y = at.place(end)
    first, last = at.place(SPACES[names[0]]), at.place(SPACES[names[-1]])
    along = math.degrees(math.atan2(last[1] - first[1], last[0] - first[0])) % 180
    return _circle(f"line-{number}", "line", (x, y), at.line_end_mm, along, number=number, colour="green")


def _chain(kind: str, count: int, closed: bool = False) -> list[list[str]]:
    pairs: Iterable[tuple[int, int]] = zip(range(1, count), range(2, count + 1), strict=True)
    return [[f"{kind}-{a}", f"{kind}-{b}"] for a, b in [*pairs, *([(count, 1)] if closed else [])]]


def _markers(size: float, tag: float, edge: float, first: int) -> list[Json]:
    """Four tags in the corners, clockwise from the top-left one, all upright."""
    far = size - edge - tag
    starts: Sequence[Point] = ((edge, edge), (far, edge), (far, far), (edge, far))
    return [_marker(first + index, x, y, tag) for index, (x, y) in enumerate(starts)]


def _marker(number: int, x: float, y: float, tag: float) -> Json:
    corners = [[x, y], [x + tag, y], [x + tag, y + tag], [x, y + tag]]
    return {"id": number, "dictionary": "DICT_4X4_50", "corners": corners}


if __name__ == "__main__":
    for made in (anthology(), knizia()):
        Path(__file__).with_name(f"{made['id']}.json").write_text(board_text(made), encoding="utf-8")
