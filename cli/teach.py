"""`henge board teach`: an edition of one's own, or a home-made board, from one photograph of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.shelf import Shelf
from calibration.teach import Taught, drawn_board, moved_field, teach
from cli.errors import UsageError
from cli.output import writing
from cli.read import corners
from engine.board import Board, board_from_json, load_board
from engine.boards.layout import board_text
from vision.calibrating.calibrate import find_board, lens_of_view
from vision.geometry.outlines import draw_outlines
from vision.geometry.view import View
from vision.pictures.images import load_image

Image = NDArray[np.uint8]
Point = tuple[float, float]


def run(args: argparse.Namespace) -> int:
    """Raises UsageError, TeachError, BoardError or CannotRead."""
    image = load_image(args.photo)
    size = _size(args.size)
    sheet = board_from_json({"id": "sheet", "size_mm": list(size), "fields": [], "pieces": {}})
    pixels = (image.shape[1], image.shape[0])
    profile = Shelf().load(args.profile) if args.profile else None
    given = corners(args.corners)
    assert given is not None
    view = find_board(image, sheet, given, lens_of_view(profile, pixels)).view
    if args.layout == "none":
        board = _drawn(args, size, view)
    else:
        taught = teach(args.layout, size, _places(args.at, view), args.id)
        board = taught.board
        _tell(taught)
    for name, place in _places(args.move, view).items():
        board = moved_field(board, name, place)
    _write(args, image, board, view)
    return 0


def _tell(taught: Taught) -> None:
    print(f"the fields that were pointed at fit to {taught.typical_miss_mm:.1f} mm", file=sys.stderr)
    for name, miss in sorted(taught.misses_mm.items(), key=lambda item: -item[1]):
        if miss > 2.5:
            print(f"  {name} is {miss:.1f} mm off: point at it again, or --move it", file=sys.stderr)


def _write(args: argparse.Namespace, image: Image, board: Board, view: View) -> None:
    picture = cv2.imencode(".png", draw_outlines(image, board, view))[1].tobytes() if args.overlay else b""
    with writing(args.output):
        Path(args.output).write_text(board_text(board.to_json()), encoding="utf-8")
        if args.overlay:
            Path(args.overlay).write_bytes(picture)
    print(f"{args.output}: {len(board.fields)} fields", file=sys.stderr)


def _drawn(args: argparse.Namespace, size: Point, view: View) -> Board:
    fields: list[dict[str, Any]] = []
    for text in args.circle:
        name, values = _named(text, 3)
        x, y = _mm(values[:2], view)
        fields.append({"id": name, "kind": _kind(name), "x": x, "y": y, "radius_mm": values[2]})
    for text in args.polygon:
        name, _, rest = text.partition("=")
        polygon = [list(_mm(_numbers(pair, 2, text), view)) for pair in rest.split()]
        fields.append({"id": name, "kind": _kind(name), "polygon": polygon})
    if not fields:
        raise UsageError('no field was drawn: expected --circle "ID=x,y,r" or --polygon "ID=x,y x,y x,y"')
    pieces = load_board(args.pieces_of).to_json()["pieces"] if args.pieces_of else {}
    kinds = list(dict.fromkeys(each["kind"] for each in fields))
    # On a board of one's own every piece may lie anywhere; the file can be edited to say more.
    pieces = {name: {**piece, "on": kinds} for name, piece in pieces.items()}
    return drawn_board(args.id or "my-board", size, fields, pieces)


def _kind(name: str) -> str:
    return name.rpartition("-")[0] or "field"


def _places(words: Sequence[str], view: View) -> dict[str, Point]:
    return {name: _mm(values, view) for name, values in (_named(word, 2) for word in words)}


def _mm(pixel: Sequence[float], view: View) -> Point:
    x, y = view.on_plane(np.array([pixel], float))[0]
    return round(float(x), 2), round(float(y), 2)


def _named(text: str, count: int) -> tuple[str, list[float]]:
    name, _, rest = text.partition("=")
    return name, _numbers(rest, count, text)


def _numbers(text: str, count: int, whole: str) -> list[float]:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != count or not np.isfinite(values).all():
        expected = "x,y" if count == 2 else "x,y,r"
        example = "640,120" if count == 2 else "640,120,14"
        raise UsageError(f'"{whole}" should be FIELD={expected} with numbers, such as ring-1={example}')
    return values


def _size(text: str) -> Point:
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0.0
    if not (10 <= width <= 5000 and 10 <= height <= 5000):
        raise UsageError(f'--size "{text}": expected width x height in mm, such as 480x480')
    return width, height
