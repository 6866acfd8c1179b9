"""A picture on which a person can check a reading at a glance."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from engine.observation import Observation
from engine.position import Piece
from vision.geometry.bodies import Body, body_of, heap_of
from vision.geometry.view import Array, View

Image = NDArray[np.uint8]
EMPTY_LINE, UNSEEN_LINE, DOUBT_LINE = (150, 150, 150), (60, 140, 250), (40, 60, 230)
# Below this confidence a piece is marked as doubtful.
DOUBT = 0.9
LETTERS = {
    "white": "W",
    "blue": "B",
    "green": "G",
    "yellow": "Y",
    "red": "R",
    "grey": "S",
    "black": "K",
    "brown": "N",
}
KINDS = {
    "disc": "o",
    "block": "-",
    "figure": "i",
    "trilith": "TT",
    "pillar": "I",
    "capstone": "=",
    "megalith": "!",
    "card": "",
}


def draw_overlay(image: Image, board: Board, seen: Observation, view: View) -> Image:
    """`image` with every field outlined and every piece as it was read: its outline in its colour, a letter
    for the colour and a sign for the kind (digits for stones, numbers for cards). Unseen fields are crossed
    out, doubtful pieces framed in red. `view` belongs to the full picture."""
    out = np.ascontiguousarray(image * 0.82 + 18, np.uint8)
    scale = max(1.0, image.shape[1] / 1280)
    occupied = {piece.place for piece in seen.position.pieces}
    for each in board.fields.values():
        if each.id in seen.fields or each.id in seen.unseen:
            _field(out, each, view, unseen=each.id in seen.unseen, occupied=each.id in occupied, scale=scale)
    for piece in seen.position.pieces:
        _piece(out, board, piece, view, scale)
    _caption(out, _summary(seen), scale)
    return out


def _field(out: Image, each: Field, view: View, *, unseen: bool, occupied: bool, scale: float) -> None:
    outline = view.project(np.array(each.outline_mm(24)))
    colour = UNSEEN_LINE if unseen else EMPTY_LINE
    if not occupied or unseen:
        _lines(out, outline, colour, 1 if not unseen else 2, scale)
    if unseen:
        x0, y0, x1, y1 = *outline.min(axis=0), *outline.max(axis=0)
        _lines(out, np.array([[x0, y0], [x1, y1]]), colour, 1, scale)
        _lines(out, np.array([[x0, y1], [x1, y0]]), colour, 1, scale)


def _piece(out: Image, board: Board, piece: Piece, view: View, scale: float) -> None:
    where = place_of(board, piece)
    if where is None or piece.kind not in board.pieces:
        return
    at_mm, angle, ground = where
    kind = board.pieces[piece.kind]
    body = body_of(kind, lying=piece.lying) if piece.count == 1 else heap_of(kind)
    red, green, blue = board.colour_rgb(piece.colour or "grey")
    for hull, top in body.outlines(view, at_mm, angle, ground):
        _lines(out, hull, (0, 0, 0), 3, scale)
        _lines(out, hull, (blue, green, red), 2, scale)
        _lines(out, top, (blue, green, red), 1, scale)
    centre = _middle(body, view, at_mm, angle, ground)
    if piece.confidence is not None and piece.confidence < DOUBT:
        cv2.circle(out, _point(centre), int(16 * scale), DOUBT_LINE, max(2, int(2 * scale)), cv2.LINE_AA)
    _text(out, _label(piece), centre, scale)


def place_of(board: Board, piece: Piece) -> tuple[tuple[float, float], float, float] | None:
    """(x, y) in mm, angle in degrees and height of the ground of a piece; None if nobody knows."""
    ground = board.pieces["trilith"].height_mm if piece.on == "trilith" and "trilith" in board.pieces else 0.0
    if piece.x_mm is not None and piece.y_mm is not None:
        return (piece.x_mm, piece.y_mm), piece.angle_deg or 0.0, ground
    if piece.fields and all(name in board.fields for name in piece.fields):
        (ax, ay), (bx, by) = (board.fields[name].centre_mm for name in piece.fields)
        return ((ax + bx) / 2, (ay + by) / 2), float(np.degrees(np.arctan2(by - ay, bx - ax))), ground
    if piece.field in board.fields:
        each = board.fields[piece.field or ""]
        return each.centre_mm, each.angle_deg, ground
    return None


def _middle(body: Body, view: View, at_mm: tuple[float, float], angle: float, ground: float) -> Array:
    top = body.outlines(view, at_mm, angle, ground)[-1][1]
    return np.asarray(top.mean(axis=0))


def _label(piece: Piece) -> str:
    if piece.kind == "druid":
        return str(piece.value or "?")
    if piece.kind == "card":
        return "back" if piece.face == "down" else f"{piece.number or 'T'}{(piece.phase or '')[:1]}"
    heap = "" if piece.count == 1 else f"x{piece.count or '?'}"
    return LETTERS.get(piece.colour or "", "?") + KINDS.get(piece.kind, "") + heap


def _summary(seen: Observation) -> str:
    pieces, unseen = len(seen.position.pieces), sum(bool(place) for place in seen.unseen)
    doubtful = sum((piece.confidence or 1) < DOUBT for piece in seen.position.pieces)
    more = ", maybe more on no field" if "" in seen.unseen else ""
    return f"{_count(pieces, 'piece')}, {doubtful} doubtful, {_count(unseen, 'place')} not seen{more}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _caption(out: Image, text: str, scale: float) -> None:
    cv2.rectangle(out, (0, 0), (int((14 * len(text) + 20) * scale * 0.72), int(30 * scale)), (32, 28, 24), -1)
    cv2.putText(
        out,
        text,
        (int(10 * scale), int(21 * scale)),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.55 * scale,
        (235, 241, 244),
        max(1, int(scale)),
        cv2.LINE_AA,
    )


def _lines(out: Image, points: Array, colour: tuple[int, int, int], width: int, scale: float) -> None:
    cv2.polylines(
        out,
        [np.round(points * 8).astype(np.int32)],
        len(points) > 2,
        colour,
        max(1, int(width * scale)),
        cv2.LINE_AA,
        3,
    )


def _text(out: Image, text: str, centre: Array, scale: float) -> None:
    size = 0.42 * scale
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    origin = _point(centre + np.array([-width / 2, height / 2]))
    cv2.putText(
        out, text, origin, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), max(3, int(3 * scale)), cv2.LINE_AA
    )
    cv2.putText(
        out, text, origin, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), max(1, int(scale)), cv2.LINE_AA
    )


def _point(xy: Array) -> tuple[int, int]:
    return round(float(xy[0])), round(float(xy[1]))
