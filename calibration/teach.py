"""Teaching an edition of a board from a few of its fields: a person points at some, the rest follows by the
layout's geometry.

The layouts know which measures a board of their kind has (`engine.boards.layout`); these measures and where
the pattern lies on the board are fitted to the fields that were pointed at, those nobody pointed at follow
the others' proportions.

HengeError
  x TeachError    anchors that do not tell a board; the text says which one is wrong or missing
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from engine.board import Board, Point, board_from_json
from engine.boards.layout import AnthologyLayout, KniziaLayout, anthology, knizia
from engine.errors import HengeError

Json = dict[str, Any]
Array = NDArray[np.float64]
LAYOUTS = ("anthology", "knizia", "none")
FEWEST_ANCHORS = 3
# How far an edition's measures may be from ours (standard deviations, as shares; directions in degrees).
MEASURE_SPREAD, TURN_SPREAD_DEG = 0.15, 20.0
ANCHOR_NOISE_MM = 1.0
# An anchor that lies so far from where the rest puts it is doubted.
DOUBTFUL_MM = 8.0
# What of the anthology's board turns with the horseshoes and not with the ring.
INNER = ("trilith", "bluestone", "altar")
OUTER_MEASURES = ("rim_radius_mm", "ring_radius_mm", "slot_radius_mm", "pit_radius_mm", "pit_offset_deg")
INNER_MEASURES = (
    "trilith_radius_mm",
    "horseshoe_radius_mm",
    "horseshoe_leg_mm",
    "horseshoe_down_mm",
    "altar_down_mm",
)


class TeachError(HengeError):
    """These anchors do not tell a board."""


@dataclass(frozen=True)
class Taught:
    """The board, and how far each anchor lies from the field's place on it (mm)."""

    board: Board
    misses_mm: Mapping[str, float]

    @property
    def typical_miss_mm(self) -> float:
        values = list(self.misses_mm.values())
        return float(np.sqrt(np.mean(np.square(values)))) if values else 0.0


@dataclass(frozen=True)
class _Pose:
    """Where the pattern lies: size against ours, direction in degrees (of the ring, of the horseshoes),
    middle in mm, and whether the numbers run anticlockwise."""

    scale: float
    turn_deg: float
    inner_turn_deg: float
    middle_mm: Point
    mirrored: bool = False

    def moved(self, kind: str, point: Sequence[float], half: float) -> Point:
        turn = math.radians(self.turn_deg + (self.inner_turn_deg if kind in INNER else 0.0))
        x, y = (point[0] - half) * self.scale, (point[1] - half) * self.scale
        x = -x if self.mirrored and kind not in INNER else x
        cos, sin = math.cos(turn), math.sin(turn)
        return self.middle_mm[0] + x * cos - y * sin, self.middle_mm[1] + x * sin + y * cos


def teach(
    layout: str, size_mm: tuple[float, float], anchors_mm: Mapping[str, Point], board_id: str | None = None
) -> Taught:
    """The board of that layout and size on which these fields have these middles. Raises TeachError."""
    if layout not in LAYOUTS[:2]:
        raise TeachError(f"no layout {layout}: expected anthology or knizia")
    known = _fields(layout, (), _Pose(1.0, 0.0, 0.0, (0.0, 0.0)))
    for name in anchors_mm:
        if name not in known:
            raise TeachError(
                f"{name} is no field of the {layout} board: expected names such as {_examples(known)}"
            )
    if len(anchors_mm) < FEWEST_ANCHORS:
        raise TeachError(
            f"{len(anchors_mm)} fields were pointed at, at least {FEWEST_ANCHORS} are needed, far from each "
            f"other, such as {_examples(known)}"
        )
    names = list(anchors_mm)
    wanted = np.array([anchors_mm[name] for name in names], float)
    sides = (False, True) if layout == "anthology" else (False,)
    fits = [_fit(layout, size_mm, names, wanted, mirrored) for mirrored in sides]
    measures, pose, _ = min(fits, key=lambda fit: fit[2])
    placed = _fields(layout, measures, pose)
    misses = {name: round(math.dist(placed[name], anchors_mm[name]), 2) for name in names}
    worst = max(misses, key=lambda name: misses[name])
    if misses[worst] > DOUBTFUL_MM:
        raise TeachError(
            f"{worst} was pointed at {misses[worst]:.0f} mm from where the other fields put it: is it really "
            f"{worst}, and are the board's corners and size right?"
        )
    return Taught(board_from_json(_board_json(layout, size_mm, measures, pose, board_id)), misses)


def moved_field(board: Board, field_id: str, to_mm: Point) -> Board:
    """The board with one field's middle elsewhere. Raises TeachError for a field that it does not have."""
    if field_id not in board.fields:
        raise TeachError(f"the board has no field {field_id}")
    each = board.fields[field_id]
    dx, dy = to_mm[0] - each.centre_mm[0], to_mm[1] - each.centre_mm[1]
    polygon = None if each.polygon_mm is None else tuple((x + dx, y + dy) for x, y in each.polygon_mm)
    new = replace(each, centre_mm=(round(to_mm[0], 2), round(to_mm[1], 2)), polygon_mm=polygon)
    return replace(board, fields={**board.fields, field_id: new})


def drawn_board(
    board_id: str, size_mm: tuple[float, float], drawn: Sequence[Json], pieces: Mapping[str, Json]
) -> Board:
    """A home-made board of drawn fields: {"id", "kind", and x, y, radius_mm or polygon, in mm}. Raises
    BoardError with the first mistake."""
    return board_from_json(
        {"id": board_id, "size_mm": list(size_mm), "fields": list(drawn), "pieces": dict(pieces)}, board_id
    )


# --- fitting -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pattern:
    """Where a layout has some fields, and how their places follow its measures: `places` (N, 2) mm from the
    middle, `follow` (M, N, 2) mm per unit of each measure's logarithm around `measures` (M,)."""

    places: Array
    follow: Array
    measures: Array
    inner: NDArray[np.bool_]

    @classmethod
    def of(cls, layout: str, names: list[str], measures: Array) -> _Pattern:
        places, inner = _plain(layout, names, measures)
        steps = np.eye(len(measures)) * 0.02
        ahead = [_plain(layout, names, measures + step)[0] for step in steps]
        behind = [_plain(layout, names, measures - step)[0] for step in steps]
        follow = (np.array(ahead) - np.array(behind)).reshape(len(measures), len(names), 2) / 0.04
        return cls(places, follow, measures, inner)

    def placed(self, values: Array, scale: float, middle: Array, mirrored: bool) -> Array:
        """(N, 2) mm on the board; values: logarithm of the scale, turns in degrees, middle, measures."""
        away = self.places + np.tensordot(values[5:] - self.measures, self.follow, axes=1)
        if mirrored:
            away = np.where(self.inner[:, None], away, away * [-1, 1])
        turn = np.radians(values[1] + np.where(self.inner, values[2], 0.0))
        cos, sin = np.cos(turn), np.sin(turn)
        x, y = away[:, 0], away[:, 1]
        turned = np.column_stack([x * cos - y * sin, x * sin + y * cos])
        return np.asarray(middle + turned * scale * np.exp(np.clip(values[0], -2, 2)))


def _plain(layout: str, names: list[str], measures: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The fields' places from the middle of the pattern, as the layout has them, and which are inner ones."""
    data, half = _made(layout, measures)
    entries = {entry["id"]: entry for entry in data["fields"]}
    found = [
        (entry["x"], entry["y"]) if "x" in entry else np.mean(entry["polygon"], axis=0)
        for entry in (entries[name] for name in names)
    ]
    inner = layout == "anthology"
    return np.array(found, float) - half, np.array([inner and entries[n]["kind"] in INNER for n in names])


def _fit(
    layout: str, size_mm: tuple[float, float], names: list[str], wanted: Array, mirrored: bool
) -> tuple[tuple[float, ...], _Pose, float]:
    """Measures, pose and cost of the best fit, from several directions to start with."""
    size = np.array(size_mm)
    ours = AnthologyLayout().size_mm if layout == "anthology" else KniziaLayout().size_mm

    def solved(pattern: _Pattern, start: Array) -> Any:
        def residuals(values: Array) -> Array:
            middle = size * (0.5 + values[3:5])
            gaps = pattern.placed(values, min(size_mm) / ours, middle, mirrored) - wanted
            priors = [values[:1] / 0.5, values[2:3] / TURN_SPREAD_DEG, values[3:5] / 0.1]
            return np.concatenate([gaps.ravel() / ANCHOR_NOISE_MM, *priors, values[5:] / MEASURE_SPREAD])

        return least_squares(residuals, start, x_scale="jac", max_nfev=80)

    count = len(_measures(layout))
    pattern = _Pattern.of(layout, names, np.zeros(count))
    starts = [np.array([0.0, turn, 0.0, 0.0, 0.0, *np.zeros(count)]) for turn in range(0, 360, 45)]
    best = min((solved(pattern, start) for start in starts), key=lambda each: each.cost)
    for _ in range(2):  # the horseshoe's places do not follow its measures in straight lines
        best = solved(_Pattern.of(layout, names, best.x[5:]), best.x)
    pose = _pose(layout, best.x, size_mm, mirrored)
    return tuple(float(value) for value in best.x[5:]), pose, float(best.cost)


def _pose(layout: str, values: Array, size_mm: tuple[float, float], mirrored: bool) -> _Pose:
    """values: logarithm of the scale, turn, inner turn, middle as a share of the size."""
    ours = AnthologyLayout().size_mm if layout == "anthology" else KniziaLayout().size_mm
    scale = min(size_mm) / ours * math.exp(float(np.clip(values[0], -2, 2)))
    inner = float(values[2]) if layout == "anthology" else 0.0
    middle = (size_mm[0] * (0.5 + float(values[3])), size_mm[1] * (0.5 + float(values[4])))
    return _Pose(scale, float(values[1]), inner, middle, mirrored)


def _measures(layout: str) -> tuple[str, ...]:
    return (*OUTER_MEASURES, *INNER_MEASURES) if layout == "anthology" else ()


def _made(layout: str, measures: Sequence[float]) -> tuple[Json, float]:
    """The board file of the layout with these measures (logarithms of shares of ours), and half its size."""
    if layout == "knizia":
        return knizia(), KniziaLayout().size_mm / 2
    ours = AnthologyLayout()
    changed = {
        name: getattr(ours, name) * math.exp(float(np.clip(value, -1, 1)))
        for name, value in zip(_measures(layout), measures, strict=False)
    }
    known = {each.name for each in fields(ours)}
    return anthology(replace(ours, **{k: v for k, v in changed.items() if k in known})), ours.size_mm / 2


def _fields(layout: str, measures: Sequence[float], pose: _Pose) -> dict[str, Point]:
    """Where the fields' middles come to lie."""
    data, half = _made(layout, measures)
    found = {}
    for entry in data["fields"]:
        middle = (entry["x"], entry["y"]) if "x" in entry else np.mean(entry["polygon"], axis=0)
        found[entry["id"]] = pose.moved(entry["kind"], middle, half)
    return found


def _board_json(
    layout: str, size_mm: tuple[float, float], measures: Sequence[float], pose: _Pose, board_id: str | None
) -> Json:
    data, half = _made(layout, measures)
    entries = []
    for entry in data["fields"]:
        kind = entry["kind"]
        turn = pose.turn_deg + (pose.inner_turn_deg if kind in INNER else 0.0)
        own = float(entry.get("angle_deg", 0.0))
        own = -own if pose.mirrored and kind not in INNER else own
        new = {**entry, "angle_deg": round((own + turn) % 360, 2)}
        if "x" in entry:
            x, y = pose.moved(kind, (entry["x"], entry["y"]), half)
            new |= {
                "x": round(x, 2),
                "y": round(y, 2),
                "radius_mm": round(entry["radius_mm"] * pose.scale, 2),
            }
        else:
            polygon = [pose.moved(kind, corner, half) for corner in entry["polygon"]]
            inside = clipped(polygon, size_mm)
            if len(inside) < 3:
                continue  # a yard for which this edition has no room
            new["polygon"] = [[round(x, 2), round(y, 2)] for x, y in inside]
        entries.append(new)
    ids = {entry["id"] for entry in entries}
    neighbours = [pair for pair in data["neighbours"] if set(pair) <= ids]
    size = {"id": board_id or data["id"], "size_mm": [float(side) for side in size_mm]}
    return {**data, **size, "fields": entries, "neighbours": neighbours, "markers": []}


def clipped(polygon: Sequence[Point], size_mm: tuple[float, float]) -> list[Point]:
    """The part of a polygon that lies on the board (Sutherland and Hodgman)."""
    inside = list(polygon)
    for axis in (0, 1):
        for limit, sign in ((0.0, 1.0), (size_mm[axis], -1.0)):
            rest: list[Point] = []
            for a, b in zip(inside, inside[1:] + inside[:1], strict=True):
                da, db = sign * (a[axis] - limit), sign * (b[axis] - limit)
                if da >= 0:
                    rest.append(a)
                if (da >= 0) != (db >= 0):
                    share = da / (da - db)
                    rest.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
            inside = rest
    return inside


def _examples(known: Mapping[str, Point]) -> str:
    chosen = [
        name
        for name in ("ring-1", "ring-11", "ring-21", "trilith-3", "space-A", "space-J", "space-R", "line-1")
        if name in known
    ]
    return ", ".join(chosen[:4])
