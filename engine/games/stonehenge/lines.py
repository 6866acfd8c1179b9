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


def supply_after(stones: Iterable[Placed], player: int) -> int:
    """The stones of `player` that are not known to lie on the board; -1 when one lies there too often."""
    supply = ALL_STONES
    for stone in stones:
        if stone.player == player and stone.value:
            supply = TAKE[supply][stone.value]
            if supply < 0:
                return -1
    return supply


class Side(NamedTuple):
    """What one player has on a line: `has` is his sum as far as it counts as known, `hidden` the number of
    his other stones there; with these he has at least `least` and at most `best`, and with the stones to
    come he can reach `most` (at the worst only `worst`)."""

    has: int
    hidden: int
    least: int
    best: int
    most: int
    worst: int


class Outlook:
    """All lines at once, from everything that the record knows or, with `only_open`, from what lies open
    for both players.

    sums, hidden: per player and line the known values and the number of unknown stones. empty: per line.
    supply: per player the stones that are not known to lie on the board. to_come: how many of them he
    still has to place. unknown: how many lie on the board."""

    __slots__ = ("empty", "hidden", "sums", "supply", "to_come", "unknown")

    def __init__(self, stones: Sequence[Placed], *, only_open: bool = False) -> None:
        self.sums, self.hidden = ([0] * 15, [0] * 15), ([0] * 15, [0] * 15)
        self.empty = list(LENGTHS)
        self.to_come, self.unknown, self.supply = [len(STONES)] * 2, [0, 0], [ALL_STONES] * 2
        for space, player, value, is_open in stones:
            self.to_come[player] -= 1
            counts = is_open or (value and not only_open)
            if counts:
                self.supply[player] = TAKE[self.supply[player]][value]
                tally, amount = self.sums[player], value
            else:
                self.unknown[player] += 1
                tally, amount = self.hidden[player], 1
            for line in LINES_OF[space]:
                tally[line] += amount
                self.empty[line] -= 1

    def side(self, line: int, player: int) -> Side:
        """What `player` has and can reach on `line`."""
        has, hidden, supply = self.sums[player][line], self.hidden[player][line], self.supply[player]
        more = min(self.empty[line], self.to_come[player])
        # At the worst his best unknown stones lie elsewhere, and his smallest ones here.
        here_or_to_come = supply.bit_count() - (self.unknown[player] - hidden)
        worst = LEAST[supply][hidden] + LEAST[supply][here_or_to_come] - LEAST[supply][here_or_to_come - more]
        return Side(
            has, hidden, has + LEAST[supply][hidden], has + BEST[supply][hidden],
            has + BEST[supply][hidden + more], has + worst,
        )  # fmt: skip

    def owners(self, line: int, last: int | None, early: str) -> tuple[int, ...]:
        """Who may claim `line`: one player, nobody, or, when the record cannot tell, both.

        last: who placed last on the line, None when nobody knows. early: how lines that are not full and
        open are judged: "provable" (whatever is unknown), "never", or "honour" (if it can be so)."""
        first, second = self.side(line, 0), self.side(line, 1)
        if not self.empty[line] and not first.hidden and not second.hidden:
            if first.has != second.has:
                return (0,) if first.has > second.has else (1,)
            return (0, 1) if last is None else (1 - last,)
        if early == "never":
            return ()
        # A tie is enough for the holder, as the opponent would place last; unless he did so himself.
        margins = (0, 0) if self.empty[line] else (int(last == 0), int(last == 1))
        if early == "provable":
            firm = (first.least >= second.most + margins[0], second.least >= first.most + margins[1])
        else:
            firm = (first.best >= second.worst + margins[0], second.best >= first.worst + margins[1])
        return tuple(player for player in (0, 1) if firm[player])


def last_placer(stones: Sequence[Placed], line: int, unordered: int) -> int | None:
    """Who placed last on `line`; None when that was among the first `unordered` stones, whose order
    nobody has seen."""
    on_line = [i for i, stone in enumerate(stones) if stone.space in LINES[line]]
    return stones[on_line[-1]].player if on_line and on_line[-1] >= unordered else None


def line_text(line: int) -> Text:
    return Text(f"line {line + 1}", f"Linie {line + 1}")
