"""Knizia's board as tables, and the question that decides his game: who dominates a line, and why.

Spaces are numbered 0..17 (A..R), lines 0..14 (line-1..line-15), players 0 and 1 in seat order; a set of
lines is a bit mask. A supply is a mask over the nine stones of `STONES`. Board facts: every space lies on
exactly three lines, the 18 stones fill the board exactly.

>>> LINES[3], LINES_OF[0]
((9, 10, 11, 12, 13), (0, 5, 11))
>>> BEST[ALL_STONES][2], VALUES[ALL_STONES]
(11, (1, 2, 3, 4, 5, 6))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.words import Text

SPACES: Final = tuple(f"space-{letter}" for letter in "ABCDEFGHIJKLMNOPQR")
_SPELT = (
    "AB CDE FGHI JKLMN OPQR",  # lines 1-5: level
    "ACFJ BDGKO EHLP IMQ NR",  # lines 6-10: rising to the right
    "BEIN ADHMR CGLQ FKP JO",  # lines 11-15: falling to the right
)
LINES: Final = tuple(
    tuple("ABCDEFGHIJKLMNOPQR".index(letter) for letter in line) for row in _SPELT for line in row.split()
)
LINE_NAMES: Final = tuple(f"line-{number}" for number in range(1, 16))
LINES_OF: Final = tuple(tuple(i for i, line in enumerate(LINES) if space in line) for space in range(18))
ALL_LINES: Final = range(15)
LENGTHS: Final = tuple(len(line) for line in LINES)
SPACE_INDEX: Final = {name: index for index, name in enumerate(SPACES)}
LINE_INDEX: Final = {name: index for index, name in enumerate(LINE_NAMES)}

STONES: Final = (1, 1, 2, 2, 3, 3, 4, 5, 6)
ALL_STONES: Final = 0b111111111
MEGALITHS: Final = 8


def stones_in(supply: int) -> tuple[int, ...]:
    """The values in a supply mask, ascending."""
    return tuple(value for bit, value in enumerate(STONES) if supply >> bit & 1)


def _without(supply: int, value: int) -> int:
    """The supply after a stone of `value` left it, or -1 when there is none. Of two equal stones the one
    listed first goes first, so that equal supplies are equal masks."""
    return next(
        (supply & ~(1 << bit) for bit, v in enumerate(STONES) if v == value and supply >> bit & 1), -1
    )


_SUPPLIES = range(ALL_STONES + 1)
# BEST[supply][k]: the sum of the k best stones (all, when there are fewer); LEAST: of the k smallest.
BEST: Final = tuple(tuple(sum(stones_in(s)[::-1][:k]) for k in range(10)) for s in _SUPPLIES)
LEAST: Final = tuple(tuple(sum(stones_in(s)[:k]) for k in range(10)) for s in _SUPPLIES)
VALUES: Final = tuple(tuple(sorted(set(stones_in(s)))) for s in _SUPPLIES)
TAKE: Final = tuple(tuple(_without(s, value) for value in range(7)) for s in _SUPPLIES)


class Placed(NamedTuple):
    """A stone on the board. `value` 0: not known to the record. `is_open`: it lies face up."""

    space: int
    player: int
    value: int
    is_open: bool


def lines_in(mask: int) -> list[int]:
    """The lines of a mask, ascending."""
    return [line for line in ALL_LINES if mask >> line & 1]


def supply_after(stones: Iterable[Placed], player: int, *, only_open: bool = False) -> int:
    """The stones of `player` that are not known to lie on the board; -1 when one lies there too often.
    With `only_open` as the opponent knows it: only open stones count as known."""
    supply = ALL_STONES
    for stone in stones:
        if stone.player == player and stone.value and (stone.is_open or not only_open):
            supply = TAKE[supply][stone.value]
            if supply < 0:
                return -1
    return supply


class Side(NamedTuple):
    """What one player has on a line. `has` is his sum as far as known, `hidden` the number of his stones
    there that count with an unknown value; he has at least `least` and can still reach `most`."""

    has: int
    hidden: int
    least: int
    most: int


def side_of(stones: Sequence[Placed], line: int, player: int, *, only_open: bool = False) -> Side:
    """What `player` has and can reach on `line`, from everything the record knows or, with `only_open`,
    from what lies open for both players."""
    spaces = LINES[line]
    supply = supply_after(stones, player, only_open=only_open)
    own = [stone for stone in stones if stone.player == player]
    here = [stone for stone in own if stone.space in spaces]
    known = sum(s.value for s in here if s.is_open or not only_open)
    hidden = sum(1 for s in here if not s.value or (only_open and not s.is_open))
    empty = len(spaces) - sum(1 for s in stones if s.space in spaces)
    more = min(empty, len(STONES) - len(own))
    return Side(known, hidden, known + LEAST[supply][hidden], known + BEST[supply][hidden + more])


def last_placer(stones: Sequence[Placed], line: int, unordered: int) -> int | None:
    """Who placed last on `line`; None when that was among the first `unordered` stones, whose order
    nobody has seen."""
    on_line = [i for i, stone in enumerate(stones) if stone.space in LINES[line]]
    return stones[on_line[-1]].player if on_line and on_line[-1] >= unordered else None


def dominators(
    stones: Sequence[Placed], line: int, unordered: int = 0, early: str = "provable"
) -> tuple[int, ...]:
    """Who may claim `line`: one player, nobody, or, when the record cannot tell, both.

    early: how lines that are not full (and open) are judged: "provable" (from the open stones alone),
    "never", or "honour" (by the true values; a claim that cannot be excluded stands). While all stones
    lie open the first and the last agree."""
    here = [stone for stone in stones if stone.space in LINES[line]]
    if len(here) < LENGTHS[line]:
        return tuple(p for p in (0, 1) if _is_out_of_reach(stones, line, p, early))
    last = last_placer(stones, line, unordered)
    if not all(stone.is_open for stone in here):
        margins = (int(last == 0), int(last == 1))
        return tuple(p for p in (0, 1) if _is_out_of_reach(stones, line, p, early, margins[p]))
    first, second = (sum(stone.value for stone in here if stone.player == p) for p in (0, 1))
    if first != second:
        return (0,) if first > second else (1,)
    return (0, 1) if last is None else (1 - last,)


def _is_out_of_reach(stones: Sequence[Placed], line: int, player: int, early: str, margin: int = 0) -> bool:
    """Whether the opponent cannot beat `player`'s sum on `line` any more: a tie is the player's, for the
    opponent would place last, unless he did so himself (`margin` 1)."""
    if early == "provable":
        mine, theirs = (side_of(stones, line, p, only_open=True) for p in (player, 1 - player))
        return mine.least >= theirs.most + margin
    return early == "honour" and _may_be_out_of_reach(stones, line, player, margin)


def _may_be_out_of_reach(stones: Sequence[Placed], line: int, player: int, margin: int) -> bool:
    """As `_is_out_of_reach`, with the unknown stones lying as well for `player` as they can: his best
    ones here, the opponent's best ones elsewhere."""
    mine = side_of(stones, line, player)
    supply = supply_after(stones, player)
    theirs = side_of(stones, line, 1 - player)
    return (
        mine.has + BEST[supply][mine.hidden] >= theirs.has + _worst_outlook(stones, line, 1 - player) + margin
    )


def _worst_outlook(stones: Sequence[Placed], line: int, player: int) -> int:
    """The least that `player`'s hidden stones on `line` and his best stones to come can add together."""
    own = [stone for stone in stones if stone.player == player]
    unknown = [stone for stone in own if not stone.value]
    here = sum(1 for stone in unknown if stone.space in LINES[line])
    empty = LENGTHS[line] - sum(1 for stone in stones if stone.space in LINES[line])
    pool = stones_in(supply_after(stones, player))
    rest = pool[: len(pool) - (len(unknown) - here)]
    more = min(empty, len(STONES) - len(own))
    return sum(rest[:here]) + sum(rest[len(rest) - more :] if more else ())


def line_text(line: int) -> Text:
    return Text(f"line {line + 1}", f"Linie {line + 1}")


def line_sums(stones: Sequence[Placed]) -> tuple[list[int], list[int]]:
    """Per player the known values on each of the 15 lines."""
    sums = ([0] * 15, [0] * 15)
    for stone in stones:
        for line in LINES_OF[stone.space]:
            sums[stone.player][line] += stone.value
    return sums
