"""How well a reading agrees with a label: the figures that `henge bench vision` prints."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.board import Board
from engine.observation import Observation
from engine.position import Piece, Position, Thing
from vision.fields.beliefs import told

# A piece on no field is read right if it is told of so near to where it stands (mm).
NEAR_MM, ANYWHERE = 15.0, ""


@dataclass(frozen=True)
class Miss:
    """One place that was read wrong: what lies there, what was read, and how sure the reader was."""

    place: str
    truth: str
    read: str
    confidence: float


@dataclass(frozen=True)
class Comparison:
    """One picture: `places` that could be seen and were judged, the `misses` among them, the confidence of
    every judged place with whether it was right, and hidden fields that were called empty with a
    confidence over 0.5 (`false_empty`)."""

    places: int
    misses: tuple[Miss, ...]
    unseen: int
    judged: tuple[tuple[float, bool], ...]
    false_empty: tuple[str, ...]

    @property
    def exact(self) -> bool:
        return not self.misses


def compare(
    seen: Observation, label: Position, areas: tuple[str, ...] = (), out_of_sight: Sequence[Piece] = ()
) -> Comparison:
    """Compare a reading with its label. Fields that the label calls occluded are not judged; a field that
    can be seen but was reported unseen counts as missed unless it is empty... it counts as wrong when a
    piece lies there. `areas` are fields on which several pieces lie: compared as multisets. Each piece on no
    field counts as a place of its own, each that is made up too; where the reader says that there may be
    others that it cannot see, one that is missed does not count. `out_of_sight` are pieces on no field that
    nobody can see: whether they are told or not is not judged."""
    truth, read = _one_by_one(label), _one_by_one(seen.position)
    hidden = set(label.occluded)
    confidence = {place: told(belief)[1] for place, belief in seen.fields.items()}
    misses, judged, count, unseen = [], [], 0, 0
    for place in sorted({*seen.fields, *truth, *read} - {""} - hidden):
        if place.partition("+")[0].rstrip("^") in hidden:
            continue
        lies, was_read = truth.get(place, Counter()), read.get(place, Counter())
        if place in seen.unseen:
            unseen += 1
            if lies:
                misses.append(Miss(place, _words(lies), "not seen", 0.0))
                count += 1
            continue
        right = _agree(lies, was_read)
        count += 1
        if place not in areas:
            judged.append((confidence.get(place, 0.0), right))
        if not right:
            misses.append(Miss(place, _words(lies), _words(was_read), confidence.get(place, 0.0)))
    free, made_up = _matched(_free(label), _free(seen.position))
    for piece, found in free:
        if found is None and ANYWHERE in seen.unseen:
            unseen += 1
            continue
        count += 1
        judged += [(found.confidence or 0.0, True)] if found else []
        misses += [] if found else [Miss("anywhere", _where(piece), "nothing", 0.0)]
    for piece in _matched(list(out_of_sight), made_up)[1]:
        count += 1
        judged.append((piece.confidence or 0.0, False))
        misses.append(Miss("anywhere", "nothing", _where(piece), piece.confidence or 0.0))
    false_empty = tuple(
        place
        for place in sorted(hidden)
        if place in seen.fields and place not in seen.unseen and seen.fields[place].get(None, 0.0) > 0.5
    )
    return Comparison(count, tuple(misses), unseen, tuple(judged), false_empty)


def in_the_picture(
    label: Position, board: Board, corners_px: Sequence[Sequence[float]], size_px: tuple[int, int]
) -> Position:
    """The label without the pieces on no field that stand outside the picture, of that width and height:
    nobody can see them. corners_px: where the picture shows the board's corners."""
    free = _free(label)
    if not free:
        return label
    onto = cv2.getPerspectiveTransform(np.float32(board.corners_mm), np.float32(corners_px))
    at_mm = np.array([[(piece.x_mm, piece.y_mm)] for piece in free], np.float32)
    at_px = cv2.perspectiveTransform(at_mm, onto)[:, 0]
    shown = ((at_px >= 0) & (at_px < size_px)).all(axis=1)
    # Pieces that differ only in where they stand are equal.
    outside = {id(piece) for piece, there in zip(free, shown, strict=True) if not there}
    return replace(label, pieces=tuple(piece for piece in label.pieces if id(piece) not in outside))


def _free(position: Position) -> list[Piece]:
    return [piece for piece in position.pieces if piece.place is None and piece.x_mm is not None]


def _matched(truth: list[Piece], read: list[Piece]) -> tuple[list[tuple[Piece, Piece | None]], list[Piece]]:
    """Every piece that stands on no field with the nearest like it that was read; and what was made up."""
    left = dict(enumerate(read))
    found: list[tuple[Piece, Piece | None]] = []
    for piece in truth:
        same = [n for n, each in left.items() if each.thing == piece.thing and each.on == piece.on]
        near = [number for number in same if _apart_mm(left[number], piece) < NEAR_MM]
        nearest = min(near, key=lambda number: _apart_mm(left[number], piece), default=None)
        found.append((piece, None if nearest is None else left.pop(nearest)))
    return found, list(left.values())


def _apart_mm(one: Piece, other: Piece) -> float:
    return math.dist(*((piece.x_mm or 0.0, piece.y_mm or 0.0) for piece in (one, other)))


def _where(piece: Piece) -> str:
    on = " on a trilith" if piece.on else ""
    return f"{piece.thing}{on} at {piece.x_mm:.0f}, {piece.y_mm:.0f} mm"


def _one_by_one(position: Position) -> dict[str, Counter[Thing]]:
    """What lies where; a disc that is counted twice is two discs."""
    return {
        place: Counter(
            replace(thing, count=1) if thing.kind == "disc" else thing
            for thing, number in things.items()
            for _ in range(number * ((thing.count or 1) if thing.kind == "disc" else 1))
        )
        for place, things in position.things().items()
    }


def _agree(lies: Counter[Thing], was_read: Counter[Thing]) -> bool:
    """Whether the same things lie there; a heap that was not counted is any heap of that colour."""
    if len(lies) == len(was_read) == 1:
        (truth,), (read,) = lies, was_read
        if read.count is None and truth.count != 1:
            return replace(truth, count=None) == read
    return lies == was_read


def _words(things: Counter[Thing]) -> str:
    return ", ".join(str(thing) for thing in things.elements()) or "empty"
