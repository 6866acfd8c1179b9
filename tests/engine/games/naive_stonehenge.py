"""A second opinion on Knizia's lines, by trying everything out; knows nothing of the engine's tables.

A stone is (space letter, owner, value); a board is a list of them in the order of placing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

Stone = tuple[str, str, int]
VALUES = [1, 1, 2, 2, 3, 3, 4, 5, 6]
LINES = {
    1: "AB", 2: "CDE", 3: "FGHI", 4: "JKLMN", 5: "OPQR",
    6: "ACFJ", 7: "BDGKO", 8: "EHLP", 9: "IMQ", 10: "NR",
    11: "BEIN", 12: "ADHMR", 13: "CGLQ", 14: "FKP", 15: "JO",
}  # fmt: skip


def left(stones: Sequence[Stone], owner: str) -> list[int]:
    """The values that `owner` has not placed."""
    rest = list(VALUES)
    for _, who, value in stones:
        if who == owner:
            rest.remove(value)
    return rest


def dominates(stones: Sequence[Stone], line: int, owner: str, opponent: str) -> bool:
    """The rule book's two cases, literally: a full line by its sums (who placed last loses a tie); any
    other by trying every set of stones that the opponent can still put on it."""
    here = [stone for stone in stones if stone[0] in LINES[line]]
    mine = sum(value for _, who, value in here if who == owner)
    theirs = sum(value for _, who, value in here if who == opponent)
    empty = len(LINES[line]) - len(here)
    if empty == 0:
        return mine > theirs or (mine == theirs and here[-1][1] == opponent)
    hands = left(stones, opponent)
    return not any(
        theirs + sum(chosen) > mine
        for count in range(min(empty, len(hands)) + 1)
        for chosen in combinations(hands, count)
    )


def assignments(
    stones: Sequence[tuple[str, str, int | None]], owners: Sequence[str]
) -> Iterator[list[Stone]]:
    """Every way in which the stones whose value is None can have the values that are left."""
    choices = []
    for owner in owners:
        hidden = [i for i, (_, who, value) in enumerate(stones) if who == owner and value is None]
        known = [(s, who, v) for s, who, v in stones if v is not None]
        choices.append([(hidden, values) for values in set(permutations(left(known, owner), len(hidden)))])
    for combination in product(*choices):
        values = {i: v for hidden, chosen in combination for i, v in zip(hidden, chosen, strict=True)}
        yield [(space, who, values.get(i, v or 0)) for i, (space, who, v) in enumerate(stones)]
