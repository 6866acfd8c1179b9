"""Fame: what the blocks, bluestones and triliths of a player are worth, line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from engine.games.build.ground import (
    BLUESTONE_COUNT,
    BLUESTONES,
    RING,
    RING_COUNT,
    SITES,
    TRILITH_COUNT,
    TRILITHS,
    bits,
)
from engine.score import Score, ScorePart
from engine.words import Text

FAME = Text("fame", "Ruhm")
Run = tuple[int, ...]


def runs(members: Sequence[int], length: int, *, closed: bool) -> list[Run]:
    """The maximal rows of neighbours among `members` (0 .. length-1); `closed`: last and first are
    neighbours. Each run in ascending order around the circle."""
    present = set(members)
    if closed and len(present) == length:
        return [tuple(range(length))]
    size = length if closed else length + 1  # an open row never wraps onto a member
    starts = [m for m in sorted(present) if (m - 1) % size not in present]
    found = []
    for start in starts:
        run = [start]
        while (run[-1] + 1) % size in present:
            run.append((run[-1] + 1) % size)
        found.append(tuple(run))
    return found


def _fame(members: Sequence[int], length: int, closed: bool, each: int, pair: int, bonus_from: int) -> int:
    rows = runs(members, length, closed=closed)
    pairs = sum(len(row) if closed and len(row) == length else len(row) - 1 for row in rows)
    return each * len(members) + pair * pairs + 5 * sum(len(row) >= bonus_from for row in rows)


@lru_cache(maxsize=4096)
def fame(mask: int) -> int:
    """The fame of everything in `mask` (sites that belong to one player)."""
    return (
        _fame(tuple(bits(mask & RING)), RING_COUNT, True, 1, 1, 4)
        + _fame(tuple(bits((mask & BLUESTONES) >> 30)), BLUESTONE_COUNT, False, 2, 1, 3)
        + _fame(tuple(bits(mask >> 49)), TRILITH_COUNT, False, 8, 5, 99)
    )


def _names(offset: int, members: Sequence[int]) -> tuple[str, ...]:
    return tuple(SITES[offset + member] for member in members)


def _rows_parts(
    kind: str, labels: tuple[Text, Text], offset: int, rows: list[Run], whole: int, pair: int, bonus_from: int
) -> list[ScorePart]:
    """The lines for neighbouring pairs, and one line for every run long enough for the bonus."""
    parts = []
    pairs = sum(len(row) if len(row) == whole else len(row) - 1 for row in rows)
    if pairs:
        joined = tuple(member for row in rows if len(row) > 1 for member in row)
        parts.append(ScorePart(f"{kind}_pairs", labels[0], pair * pairs, _names(offset, joined)))
    for row in rows:
        if len(row) >= bonus_from:
            parts.append(ScorePart(f"{kind}_run", labels[1], 5, _names(offset, row)))
    return parts


def _single(key: str, label: Text, each: int, offset: int, members: Sequence[int]) -> list[ScorePart]:
    return [ScorePart(key, label, each * len(members), _names(offset, members))] if members else []


def _block_parts(own: int, neutral: int) -> list[ScorePart]:
    rows = runs(tuple(bits(own | neutral)), RING_COUNT, closed=True)
    labels = (
        Text("neighbouring blocks", "benachbarte Steinblöcke"),
        Text("row of 4 or more blocks", "Reihe von 4 oder mehr Steinblöcken"),
    )
    return [
        *_single("blocks", Text("blocks", "Steinblöcke"), 1, 0, tuple(bits(own))),
        *_single(
            "neutral_blocks", Text("neutral blocks", "neutrale Steinblöcke"), 1, 0, tuple(bits(neutral))
        ),
        *_rows_parts("block", labels, 0, rows, RING_COUNT, 1, 4),
    ]


def _bluestone_parts(mask: int) -> list[ScorePart]:
    members = tuple(bits(mask))
    rows = runs(members, BLUESTONE_COUNT, closed=False)
    labels = (
        Text("neighbouring bluestones", "benachbarte Dolerite"),
        Text("row of 3 or more bluestones", "Reihe von 3 oder mehr Doleriten"),
    )
    return [
        *_single("bluestones", Text("bluestones", "Dolerite"), 2, 30, members),
        *_rows_parts("bluestone", labels, 30, rows, -1, 1, 3),
    ]


def _trilith_parts(mask: int) -> list[ScorePart]:
    members = tuple(bits(mask))
    rows = runs(members, TRILITH_COUNT, closed=False)
    labels = (Text("neighbouring triliths", "benachbarte Trilithen"), Text("", ""))
    return [
        *_single("triliths", Text("triliths", "Trilithen"), 8, 49, members),
        *_rows_parts("trilith", labels, 49, rows, -1, 5, 99),
    ]


def score(own: int, neutral: int = 0) -> Score:
    """The score of a player who built `own` and counts the `neutral` blocks as his own."""
    parts = [
        *_block_parts(own & RING, neutral & RING),
        *_bluestone_parts((own & BLUESTONES) >> 30),
        *_trilith_parts((own & TRILITHS) >> 49),
    ]
    return Score(FAME, tuple(parts))


def unowned_score(neutral: int) -> Score:
    """The neutral blocks by themselves, while nobody knows whose they are."""
    label = Text(
        "neutral blocks: they count for the player who took the first of them",
        "neutrale Steinblöcke: sie zählen für den Spieler, der den ersten nahm",
    )
    members = tuple(bits(neutral & RING))
    return Score(FAME, (ScorePart("neutral_blocks", label, len(members), _names(0, members)),))


def winners(
    players: Sequence[str], totals: Mapping[str, int], tiebreak: Callable[[int], int] | None = None
) -> set[int]:
    """The seats with most fame; `tiebreak(seat)` decides among equals, the rest share."""
    keys = [(totals[player], tiebreak(seat) if tiebreak else 0) for seat, player in enumerate(players)]
    return {seat for seat, key in enumerate(keys) if key == max(keys)}
