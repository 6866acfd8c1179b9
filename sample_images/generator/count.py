"""The score of a final `build` photograph as a person counts it, kept apart from the engine's own scoring.

It reads nothing but the pieces of the position and writes down every step, so that it can be checked with a
finger on the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.position import Position


def count_by_hand(position: Position, players: tuple[str, ...], neutral_owner: str | None) -> dict[str, Any]:
    """Extra keys of a label:

    score: player -> {"total", "count": the steps}, the neutral blocks counted for their owner.
    neutral_owner: whose they are (no picture shows that; the log does).
    score_without_owner: colour -> points, what the picture alone gives: neutral blocks 1 point each, under
        their own colour."""
    colours = [piece.colour for piece in position if piece.kind == "block"]
    neutral = next((colour for colour in colours if colour not in players), None)
    score, alone = {}, {}
    for player in players:
        alone[player] = sum(points for _, points in _steps(position, player, None))
        steps = _steps(position, player, neutral if player == neutral_owner else None)
        score[player] = {
            "total": sum(points for _, points in steps),
            "count": [f"{what}: {points}" for what, points in steps],
        }
    if neutral:
        alone[str(neutral)] = colours.count(neutral)
    return {"score": score, "neutral_owner": neutral_owner, "score_without_owner": alone}


def _steps(position: Position, player: str, neutral: str | None) -> list[tuple[str, int]]:
    """What is counted, in words, and the points for it."""
    blocks = _numbers(position, "block", "ring-", (player, neutral))
    stones = _numbers(position, "disc", "bluestone-", (player,))
    marked = {p.field for p in position if p.kind == "disc" and p.on == "trilith" and p.colour == player}
    triliths = [number for number in range(1, 6) if f"trilith-{number}" in marked]
    whose = f"{player} and neutral ({neutral})" if neutral else player
    steps = [(f"blocks, {whose}, on {_list(blocks)}: {len(blocks)} x 1", len(blocks))]
    steps += _rows("blocks", _runs(blocks, closed_at=30), whole=30, long=4)
    steps += [(f"bluestones {_list(stones)}: {len(stones)} x 2", 2 * len(stones))]
    steps += _rows("bluestones", _runs(stones), whole=99, long=3)
    steps += [(f"triliths {_list(triliths)}: {len(triliths)} x 8", 8 * len(triliths))]
    pairs = sum(number + 1 in triliths for number in triliths)
    steps += [(f"neighbouring triliths: {pairs} x 5", 5 * pairs)]
    return steps


def _numbers(position: Position, kind: str, fields: str, colours: tuple[str | None, ...]) -> list[int]:
    return sorted(
        int(piece.field.removeprefix(fields))
        for piece in position
        if piece.kind == kind and piece.on is None and piece.colour in colours
        and piece.field and piece.field.startswith(fields)
    )  # fmt: skip


def _rows(name: str, rows: list[list[int]], whole: int, long: int) -> Iterable[tuple[str, int]]:
    """One point per pair of neighbours, five per row that is long enough."""
    for row in rows:
        if len(row) > 1:
            pairs = len(row) if len(row) == whole else len(row) - 1
            yield f"neighbouring {name} {_list(row)}: {pairs} pairs x 1", pairs
        if len(row) >= long:
            yield f"{len(row)} {name} in a row", 5


def _runs(numbers: list[int], closed_at: int | None = None) -> list[list[int]]:
    """The rows of neighbours, each in order; with `closed_at` its number is a neighbour of 1."""
    rows: list[list[int]] = []
    for number in numbers:
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    if closed_at and len(rows) > 1 and rows[0][0] == 1 and rows[-1][-1] == closed_at:
        rows[0] = rows.pop() + rows[0]
    return rows


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
