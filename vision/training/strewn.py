"""Tables with pieces strewn over the whole board, and what the detector should answer of them.

    python -m vision.training.strewn compose --out FOLDER --scenes 3000 --seed 1
    python -m vision.training.strewn photographs --photos PHOTOS --out FOLDER --seed 1

PHOTOS are lessons (`python -m sample_images.generator lessons`); those of `rolling` among them are used.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from engine.board import Board, load_board
from vision.anywhere.detector import ANSWERS, CELL_MM, KINDS, OFFSETS, TURNED, TURNS, box_mm, whole_board
from vision.geometry.bodies import body_of
from vision.geometry.view import Array, View
from vision.training.compose import Lamp, Lighting, Lying, from_afar
from vision.training.ground import often_low, packed
from vision.training.photographs import sight_of, view_of
from vision.training.scenes import (
    Prints,
    as_printed,
    board_texture,
    photographed,
    random_palette,
    random_table_top,
    random_view,
)
from vision.training.sets import random_set
from vision.training.shards import compose_shards, made_or_cut

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
PER_SHARD = 60
# What the shards are called.
COMPOSED, PHOTOGRAPHED = "composed", "photographed"
# Where the part of the plane begins that the detector looks at.
LEFT_MM = box_mm((0.0, 0.0))[0]
# What a photograph shows of a piece at least, if its absence would be a mistake; where less is seen, either
# answer is right.
LEAST_SEEN = 0.3
# So many pieces stand on a table at most, and so much room each has around its middle (mm).
MOST = {"trilith": 5, "block": 20, "disc": 6}
ROOM_MM = {"trilith": 27.0, "block": 11.0, "disc": 8.0}
# One table in so many has its triliths on their fields.
ON_FIELDS = 0.25
# So many tables stand in the sun; on so many all pieces are of one colour, half of these white.
IN_SUN, ONE_COLOUR = 0.5, 0.3
# A piece as it is learnt: index of its kind, its middle (mm), its direction (degrees), whether it is seen.
COLUMNS = 5
# A whole board as it is stored: channels without the difference, and the pieces.
Seen = tuple[Image, Floats]
VIEWS_PER_LESSON = 3
# In cells: how wide the peak around a middle is, how near to it its place and direction are learnt, around an
# unseen one how far nothing is learnt, and how far to look for all of these.
SPREAD = {"trilith": 1.4, "block": 0.8, "disc": 0.8, "mark": 0.8}
CLOSE, UNSURE, AROUND = 1.5, 3.0, 5


def one_table(rng: np.random.Generator) -> Seen:
    """A random table, photographed, and what stands on it."""
    board = load_board("anthology")
    texture = board_texture(rng, board)
    bare = as_printed(rng, texture)
    sizes = [(1280, 720), (1280, 720), (960, 540), (810, 1080), (640, 480), (640, 480)]
    view = random_view(rng, board.size_mm, sizes[rng.integers(len(sizes))])
    pieces, kinds = _strewn(rng, board)
    lighting, table_bgr = often_low(rng), random_table_top(rng)
    if rng.random() < IN_SUN:
        lighting = sun(rng)
    prints = Prints(texture, bare, bare)
    seen, numbers = photographed(rng, board, view, pieces, prints, lighting, table_bgr, hands=0.08)
    told = [
        (KINDS.index(kind), *piece.at_mm, piece.angle_deg, _share_seen(view, piece, numbers) > LEAST_SEEN)
        for piece, kind in zip(pieces, kinds, strict=True)
    ]
    return packed(whole_board(*seen)), _rows(told)


def sun(rng: np.random.Generator) -> Lighting:
    """Nothing but the sun and the sky: shadows as dark as they come, with clear edges, and bluer than the
    light beside them."""
    azimuth, elevation = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(22, 65))
    across = math.cos(elevation)
    direction = np.array([across * math.cos(azimuth), across * math.sin(azimuth), math.sin(elevation)])
    warmth, blue = rng.normal(0.05, 0.08), rng.uniform(0.0, 0.5)
    lamp = Lamp(
        direction, rng.uniform(1.2, 2.4) * np.array([1 - warmth, 1, 1 + warmth]), rng.uniform(0.005, 0.03)
    )
    sky = rng.uniform(0.08, 0.4) * np.array([1 + blue, 1, 1 - blue])
    return Lighting([lamp], sky, rng.normal(0, 0.2, 2), [])


def _strewn(rng: np.random.Generator, board: Board) -> tuple[list[Lying], list[str]]:
    """Random pieces anywhere, and what each is to the detector."""
    _, palette = random_palette(rng)
    if rng.random() < ONE_COLOUR:
        palette = palette[:1] if rng.random() < 0.5 else np.clip(rng.normal(0.88, 0.05, (1, 3)), 0.6, 0.97)
    real, gloss = random_set(rng, board.pieces), rng.uniform(0, 1)
    stone = np.array([0.5, 0.52, 0.52]) * rng.uniform(0.45, 1.4) * np.exp(rng.normal(0, 0.04, 3))
    pieces: list[Lying] = []
    kinds: list[str] = []
    taken: list[tuple[float, float, float]] = []

    def put(kind: str, at: tuple[float, float], angle: float, bgr: Array, ground_mm: float = 0.0) -> None:
        body = real.bodies["disc" if kind == "mark" else kind]
        shade = np.clip(bgr + rng.normal(0, 0.012, 3), 0.01, 0.98)
        pieces.append(Lying(body, at, angle, shade, len(pieces) + 1, ground_mm, gloss))
        kinds.append(kind)

    fields = board.fields_of_kind("trilith") if rng.random() < ON_FIELDS else []
    for kind, most in MOST.items():
        for number in range(int(rng.integers(0, most + 1))):
            if kind == "trilith" and number < len(fields):
                field = fields[number]
                at = (field.centre_mm[0] + rng.normal(0, 2), field.centre_mm[1] + rng.normal(0, 2))
                angle = field.angle_deg + rng.normal(0, 5)
            else:
                x, y = (float(rng.uniform(9, side - 9)) for side in board.size_mm)
                at, angle = (x, y), float(rng.uniform(0, 180))
            room = ROOM_MM[kind] * rng.uniform(0.7, 1.1)
            if any(math.dist(at, (x, y)) < room + other for x, y, other in taken):
                continue
            taken.append((*at, room))
            put(kind, at, angle, stone if kind == "trilith" else palette[rng.integers(len(palette))])
            if kind == "trilith" and rng.random() < 0.5:
                spot = (at[0] + rng.normal(0, 2), at[1] + rng.normal(0, 2))
                put("mark", spot, 0.0, palette[rng.integers(len(palette))], real.bodies["trilith"].top_mm)
    return pieces, kinds


def _share_seen(view: View, piece: Lying, numbers: Image) -> float:
    """How much of a piece's outline the picture shows."""
    drawn = np.zeros_like(numbers)
    for hull, _ in piece.body.outlines(view, piece.at_mm, piece.angle_deg, piece.ground_mm):
        cv2.fillConvexPoly(drawn, np.round(hull * 16).astype(np.int32), (1,), shift=4)
    middle = view.project(np.array([piece.at_mm]), piece.ground_mm)[0]
    if not ((middle >= 0) & (middle < np.array(view.size_px) - 1)).all():
        return 0.0
    return float((numbers[drawn > 0] == piece.number).mean()) if drawn.any() else 0.0


def _rows(told: list[tuple[float, ...]]) -> Floats:
    return np.array(told, np.float32).reshape(-1, COLUMNS)


def write(path: Path, tables: list[Seen]) -> int:
    """Boards and pieces, the latter with the board's number in front."""
    pieces = [np.column_stack([np.full(len(rows), number), rows]) for number, (_, rows) in enumerate(tables)]
    np.savez(path, boards=np.stack([board for board, _ in tables]), pieces=np.concatenate(pieces))
    return len(tables)


def lessons_of(photo: Path, rng: np.random.Generator) -> list[Seen]:
    """The board of one photograph, as if it had been found several times a little differently."""
    found = [sight_of(photo, rng) for _ in range(VIEWS_PER_LESSON)]
    label, board, _ = found[0]
    rows = _rows(_labelled(label, board))
    boards = (whole_board(sight.image, sight.view, sight.surface, sight.light) for *_, sight in found)
    return [(packed(shown), rows) for shown in boards]


def _labelled(label: dict[str, Any], board: Board) -> list[tuple[float, ...]]:
    """The pieces that a label tells, as they are learnt, see `COLUMNS`."""
    view, gate = view_of(label), body_of(board.pieces["trilith"])
    told = [piece for piece in label["pieces"] if _kind(piece) in KINDS and "x_mm" in piece]
    pieces = [
        Lying(
            body_of(board.pieces[piece["kind"]]), (piece["x_mm"], piece["y_mm"]), piece.get("angle_deg", 0.0),
            np.zeros(3), number, gate.top_mm if piece.get("on") else 0.0,
        )
        for number, piece in enumerate(told, 1)
    ]  # fmt: skip
    numbers = _drawn(view, pieces)
    rows = []
    for piece, lying in zip(told, pieces, strict=True):
        share = min(_share_seen(view, lying, numbers), label["seen"].get(piece.get("field", ""), 1.0))
        rows.append((KINDS.index(_kind(piece)), *lying.at_mm, lying.angle_deg, share > LEAST_SEEN))
    return rows


def _kind(piece: dict[str, Any]) -> str:
    """What a label's piece is to the detector."""
    return "mark" if piece.get("on") else str(piece["kind"])


def _drawn(view: View, pieces: Sequence[Lying]) -> Image:
    """(H, W) the number of the piece that a picture shows there, 0 where none."""
    width, height = view.size_px
    numbers = np.zeros((height, width), np.uint8)
    for piece in from_afar(pieces, view):
        for hull, _ in piece.body.outlines(view, piece.at_mm, piece.angle_deg, piece.ground_mm):
            cv2.fillConvexPoly(numbers, np.round(hull * 16).astype(np.int32), (piece.number,), shift=4)
    return numbers


def wanted(rows: Floats, origin_mm: tuple[float, float], cells: tuple[int, int]) -> tuple[Floats, Floats]:
    """What the detector should answer of a board with these pieces: (ANSWERS, H, W) with a peak of each kind
    around its middles instead of logits; and (3, H, W) how much each cell's likelihood counts, its offset and
    its directions. rows: (N, COLUMNS); cells: H and W."""
    answer = np.zeros((ANSWERS, *cells), np.float32)
    counts = np.ones((3, *cells), np.float32)
    counts[1:] = 0
    for number, x_mm, y_mm, angle, seen in rows.tolist():
        kind = KINDS[int(number)]
        column, row = (
            (at - start) / CELL_MM - 0.5 for at, start in zip((x_mm, y_mm), origin_mm, strict=True)
        )
        middle = round(row), round(column)
        if not all(0 <= at < size for at, size in zip(middle, cells, strict=True)):
            continue
        near = tuple(slice(max(0, at - AROUND), at + AROUND + 1) for at in middle)
        y, x = (np.arange(size, dtype=np.float32)[part] for size, part in zip(cells, near, strict=True))
        across, down = column - x[None, :], row - y[:, None]
        apart = across**2 + down**2
        if not seen:
            counts[0][near][apart < UNSURE**2] = 0
            continue
        answer[int(number)][near] = np.maximum(
            answer[int(number)][near], np.exp(-apart / (2 * SPREAD[kind] ** 2))
        )
        answer[int(number)][middle] = 1.0
        close = apart < CLOSE**2
        if kind != "mark":
            for part, away in enumerate(np.broadcast_arrays(across, down), OFFSETS):
                answer[part][near][close] = away[close]
            counts[1][near][close] = 1
        if kind in TURNED:
            first, twice = TURNS + 2 * TURNED.index(kind), 2 * math.radians(angle)
            answer[first][near][close], answer[first + 1][near][close] = math.cos(twice), math.sin(twice)
            counts[2][near][close] = 1 + TURNED.index(kind)
    return answer, counts


def turned_about(
    rng: np.random.Generator, board: Floats, rows: Floats, side_mm: float
) -> tuple[Floats, Floats]:
    """The same board mirrored or with its axes exchanged. board: (8, S, S) with the lean in the last two
    channels; side_mm: of the square that it shows."""
    rows = rows.copy()
    if rng.random() < 0.5:
        board = board[:, :, ::-1].copy()
        board[6] = -board[6]
        rows[:, 1], rows[:, 3] = side_mm - rows[:, 1], -rows[:, 3]
    if rng.random() < 0.5:
        board = board[:, ::-1].copy()
        board[7] = -board[7]
        rows[:, 2], rows[:, 3] = side_mm - rows[:, 2], -rows[:, 3]
    if rng.random() < 0.5:
        board = board.transpose(0, 2, 1)[[0, 1, 2, 3, 4, 5, 7, 6]].copy()
        rows[:, [1, 2]], rows[:, 3] = rows[:, [2, 1]], 90 - rows[:, 3]
    return board, rows


def main() -> None:
    options = made_or_cut(str(__doc__), 3000, PER_SHARD)
    if options.command == "compose":
        shards = -(-options.scenes // options.per_shard)

        def store(rng: np.random.Generator, path: Path) -> int:
            return write(path, [one_table(rng) for _ in range(options.per_shard)])

        compose_shards(options.out, shards, f"{COMPOSED}-{options.seed:04d}", (options.seed, 11), store)
        return
    options.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([options.seed, 12])
    labels = [path for path in sorted(options.photos.glob("*.json")) if _of_rolling(path)]
    tables = [
        table
        for label in track(labels, description="boards")
        for table in lessons_of(label.with_suffix(".jpg"), rng)
    ]
    write(options.out / f"{PHOTOGRAPHED}-{options.seed:04d}.npz", tables)


def _of_rolling(label: Path) -> bool:
    return bool(json.loads(label.read_text(encoding="utf-8"))["game"] == "rolling")


if __name__ == "__main__":
    main()
