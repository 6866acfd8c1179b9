"""The label file beside a photograph: what lies where, and what cannot be seen.

A field counts as hidden (`occluded`) when less than a quarter of what one would look at can be seen. What one
looks at: points spread over its landing place, on the ground and, where a piece stands, at three heights of
its body (up to the top). A point is seen when its line of sight reaches it, or first meets a piece that
belongs to the field itself. Points outside the picture are not seen, and neither is the ground under glare
(all three channels at the white end). `seen` in the label gives the share for every field below 0.9.

A piece that stands on no field is looked at in the same way, at points spread through its body; a `seen` of
its own gives the share where that is below 0.9.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from sample_images.generator.camera import View, board_corners
from sample_images.generator.placing import Body, Placed
from sample_images.generator.positions import FIELDS_OF
from sample_images.generator.scene import Scene
from sample_images.generator.sets import PieceSet

Array = NDArray[np.float64]
Caster = Callable[[Array], tuple[str | None, float]]
HIDDEN, NEARLY_ALL = 0.25, 0.9
GLARE = 250  # of 255, in every channel


def label(
    scene: Scene,
    board: Board,
    pieces: PieceSet,
    view: View,
    placed: Mapping[str, Placed],
    cast: Caster,
    picture: NDArray[np.uint8] | None,
    image: str,
) -> dict[str, Any]:
    """The label file's content. Without a `picture` (uint8 RGB, as a viewer shows it) glare is not judged."""
    seen = field_shares(scene, board, pieces, view, placed, cast, picture)
    corners = view.project(board_corners(board.size_mm))
    return {
        "image": image,
        "board": board.id,
        "game": scene.game,
        "corners_px": [[round(float(value), 2) for value in corner] for corner in corners],
        "pieces": [
            lies.piece.to_json() | _seen_of(key, lies, pieces, view, cast) for key, lies in placed.items()
        ],
        "occluded": sorted((name for name, share in seen.items() if share < HIDDEN), key=_natural),
        "tags": list(scene.tags),
        "style": scene.style,
        "piece_set": scene.piece_set,
        "seed": scene.seed,
        "seen": {name: round(share, 2) for name, share in seen.items() if share < NEARLY_ALL},
        "camera": view.to_json(),
    }


def _seen_of(key: str, lies: Placed, pieces: PieceSet, view: View, cast: Caster) -> dict[str, float]:
    """How much can be seen of a piece that stands on no field, where that is not nearly all."""
    if lies.piece.place is not None:
        return {}
    share = piece_share(key, lies.bodies, pieces, view, cast)
    return {"seen": round(share, 2)} if share < NEARLY_ALL else {}


def piece_share(key: str, bodies: Sequence[Body], pieces: PieceSet, view: View, cast: Caster) -> float:
    """Share of the points of a piece (its name in `cast` is `key`) that can be seen."""
    points = np.array([point for body in bodies for point in _through(body, pieces)])
    inside = view.inside(view.project(points))
    return float(
        np.mean([there and cast(point)[0] == key for point, there in zip(points, inside, strict=True)])
    )


def _through(body: Body, pieces: PieceSet) -> list[tuple[float, float, float]]:
    """Points spread through a body, at three heights up to the top: below the capstone of a trilith in its
    pillars, else over its whole length."""
    dims, top = _dims(body.kind, pieces), body_height_mm(body, pieces)
    length = dims.get("length_mm") or dims.get("diameter_mm") or dims.get("base_mm") or 0.0
    ends, low = (dims["span_mm"], (0.25, 0.55)) if body.kind == "trilith" else (0.8 * length, (0.3, 0.65))
    turn = math.radians(body.angle_deg)
    between = (-0.5, 0.5) if body.kind == "trilith" else (-0.5, 0.0, 0.5)
    along = [(share, height) for height in low for share in between]
    along += [(share, 0.95) for share in (-0.5, -0.25, 0.0, 0.25, 0.5)]
    return [
        (
            body.x_mm + share * ends * math.cos(turn),
            body.y_mm + share * ends * math.sin(turn),
            body.base_mm + height * top,
        )
        for share, height in along
    ]


def solids(placed: Mapping[str, Placed], pieces: PieceSet) -> list[dict[str, Any]]:
    """Every solid that stands or lies on the table, with its size in this set: what covers what, and where
    its foot is, can be told from it."""
    return [
        {
            "kind": body.kind,
            "lying": body.pose == "lying",
            "x_mm": round(body.x_mm, 2),
            "y_mm": round(body.y_mm, 2),
            "base_mm": round(body.base_mm, 2),
            "angle_deg": round(body.angle_deg, 1),
            "dims_mm": _dims(body.kind, pieces),
        }
        for lies in placed.values()
        for body in lies.bodies
    ]


def _dims(kind: str, pieces: PieceSet) -> dict[str, float]:
    """The sizes of a kind of body, by the names of the board files."""
    stone = pieces.trilith
    if kind == "trilith":
        return {
            "height_mm": stone.pillar_height + stone.capstone_height,
            "span_mm": stone.span,
            "pillar_length_mm": stone.pillar_length,
            "pillar_width_mm": stone.pillar_width,
            "capstone_length_mm": stone.capstone_length,
            "capstone_width_mm": stone.capstone_width,
            "capstone_height_mm": stone.capstone_height,
        }
    if kind == "disc":
        return {"diameter_mm": pieces.disc.diameter, "height_mm": pieces.disc.height}
    if kind == "figure":
        return {"base_mm": pieces.figure.base, "height_mm": pieces.figure.height}
    boxes = {
        "block": (pieces.block.length, pieces.block.width, pieces.block.height),
        "pillar": (stone.pillar_length, stone.pillar_width, stone.pillar_height),
        "capstone": (stone.capstone_length, stone.capstone_width, stone.capstone_height),
    }
    return dict(zip(("length_mm", "width_mm", "height_mm"), boxes.get(kind, ()), strict=False))


def field_shares(
    scene: Scene,
    board: Board,
    pieces: PieceSet,
    view: View,
    placed: Mapping[str, Placed],
    cast: Caster,
    picture: NDArray[np.uint8] | None = None,
) -> dict[str, float]:
    """Field id -> share of its points that can be seen, for the fields that the game uses."""
    kinds = FIELDS_OF.get(scene.game, board.kinds)
    owners: dict[str, set[str]] = {}
    for key, lies in placed.items():
        for name in lies.piece.fields or ((lies.piece.field,) if lies.piece.field else ()):
            owners.setdefault(name, set()).add(key)
    glare = None if picture is None else (picture.min(axis=2) >= GLARE)
    shares = {}
    for field in board.fields.values():
        if field.kind in kinds:
            own = owners.get(field.id, set())
            bodies = [body for key in own for body in placed[key].bodies]
            shares[field.id] = _share(field, own, bodies, pieces, view, cast, glare)
    return shares


def _share(
    field: Field,
    own: set[str],
    bodies: list[Body],
    pieces: PieceSet,
    view: View,
    cast: Caster,
    glare: NDArray[np.bool_] | None,
) -> float:
    points = [np.array([x, y, 0.05]) for x, y in spread(field)]
    for body in bodies:
        if (
            not field.contains(body.x_mm, body.y_mm)
            and math.dist((body.x_mm, body.y_mm), field.centre_mm) > 40
        ):
            continue
        top = body_height_mm(body, pieces)
        points += [
            np.array([body.x_mm, body.y_mm, body.base_mm + share * top]) for share in (0.3, 0.65, 1.0)
        ] * 2
    pixels = view.project(np.stack(points))
    inside = view.inside(pixels)
    count = 0
    for point, pixel, is_inside in zip(points, pixels, inside, strict=True):
        if not is_inside:
            continue
        met, short = cast(point)
        on_ground = met in (None, "board") or short < 0.6
        if met in own or (on_ground and not (glare is not None and glare[round(pixel[1]), round(pixel[0])])):
            count += 1
    return count / len(points)


def spread(field: Field) -> list[tuple[float, float]]:
    """About twenty points over a field's landing place."""
    if field.polygon_mm is None:
        x, y = field.centre_mm
        rings = [(0.0, 1), (0.45, 6), (0.85, 12)]
        return [
            (
                x + share * field.radius_mm * math.cos(2 * math.pi * i / count),
                y + share * field.radius_mm * math.sin(2 * math.pi * i / count),
            )
            for share, count in rings
            for i in range(count)
        ]
    xs, ys = zip(*field.polygon_mm, strict=True)
    grid = [
        (x, y)
        for x in np.linspace(min(xs), max(xs), 11)[1:-1]
        for y in np.linspace(min(ys), max(ys), 11)[1:-1]
    ]
    inside = [(float(x), float(y)) for x, y in grid if field.contains(float(x), float(y))]
    return inside[:: max(1, len(inside) // 20)] or [field.centre_mm]


def body_height_mm(body: Body, pieces: PieceSet) -> float:
    """How high a body's top is above what it stands on."""
    stone = pieces.trilith
    if body.pose == "lying":
        return pieces.figure.base if body.kind == "figure" else stone.pillar_width
    return {
        "disc": pieces.disc.height,
        "block": pieces.block.height,
        "figure": pieces.figure.height,
        "trilith": stone.pillar_height + stone.capstone_height,
        "pillar": stone.pillar_height,
        "capstone": stone.capstone_height,
        "druid": pieces.druid.height,
        "megalith": pieces.megalith.height,
        "card": 0.3,
    }[body.kind]


def tags_in_view(board: Board, view: View, cast: Caster) -> int:
    """How many of the board's printed tags lie in the picture with nothing before them or their frame."""
    steps = np.linspace(-0.12, 1.12, 9)
    count = 0
    for marker in board.markers:
        first, right, _, down = (np.array(corner) for corner in marker.corners_mm)
        plane = np.array([first + a * (right - first) + b * (down - first) for a in steps for b in steps])
        points = np.c_[plane, np.full(len(plane), 0.05)]
        free = all(cast(point)[0] in (None, "board") for point in points)
        count += bool(free and view.inside(view.project(points), 4).all())
    return count


def _natural(name: str) -> tuple[str, int, str]:
    parts = name.split("-")
    number = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0
    return parts[0], number, name
