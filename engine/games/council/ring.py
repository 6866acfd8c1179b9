"""The circle of seats: groups, blocks and the price of a persuasion.

Convention: a ring is a tuple of 30 codes, index 0 is ring-1, the last one is next to the first. Code 0 is
an empty seat; 1 + 2 * colour is a disc, one more a figure, with the colours of COLOURS by their index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Ring = tuple[int, ...]

COLOURS = ("white", "yellow", "red", "blue")
PRO, CONTRA = 0, 1
FACTIONS = ("pro", "contra")
SEATS = 30
TO_WIN = 16

# By code: its name, colour and faction; -1 for an empty seat.
PIECES = ("", *(f"{colour}-{kind}" for colour in COLOURS for kind in ("disc", "figure")))
CODE = {name: code for code, name in enumerate(PIECES) if code}
COLOUR_OF = (-1, 0, 0, 1, 1, 2, 2, 3, 3)
FACTION_OF = (-1, 0, 0, 0, 0, 1, 1, 1, 1)


_FACTION = {colour: i // 2 for i, colour in enumerate(COLOURS)}


def disc(colour: int) -> int:
    return 1 + 2 * colour


def figure(colour: int) -> int:
    return 2 + 2 * colour


def is_figure(code: int) -> bool:
    return code > 0 and code % 2 == 0


def faction_of_colour(colour: str) -> int:
    """PRO for white and yellow, CONTRA for red and blue."""
    return _FACTION[colour]


def runs(keys: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(first index, length) of each maximal run of equal keys around the circle, empty seats (-1) left
    out, in the order of the numbers; a run over the boundary comes last."""
    first = next((i for i in range(SEATS) if keys[i] != keys[i - 1]), None)
    if first is None:
        if keys[0] >= 0:
            yield 0, SEATS
        return
    i = first
    while i < first + SEATS:
        key, start = keys[i % SEATS], i
        while i < first + SEATS and keys[i % SEATS] == key:
            i += 1
        if key >= 0:
            yield start % SEATS, i - start


def group_sizes(ring: Ring) -> list[int]:
    """For every seat the size of the group (same colour) its piece belongs to; 0 for an empty seat."""
    sizes = [0] * SEATS
    for start, length in runs([COLOUR_OF[code] for code in ring]):
        for i in range(start, start + length):
            sizes[i % SEATS] = length
    return sizes


def block_around(ring: Ring, seat: int) -> int:
    """The size of the block (same faction) that the piece on this seat belongs to."""
    faction = FACTION_OF[ring[seat]]
    size = 1
    for step in (1, -1):
        i = (seat + step) % SEATS
        while size < SEATS and FACTION_OF[ring[i]] == faction:
            size += 1
            i = (i + step) % SEATS
    return size


def longest_block(ring: Ring, faction: int) -> tuple[int, int]:
    """(first index, size) of the faction's longest block; (0, 0) if it has no piece on the ring."""
    keys = [FACTION_OF[code] for code in ring]
    best = (0, 0)
    for start, length in runs(keys):
        if keys[start] == faction and length > best[1]:
            best = (start, length)
    return best


def cost(
    ring: Ring, sizes: Sequence[int], source: int, target: int, voting: bool, equal_discount: bool = False
) -> int:
    """How many arguments it takes to persuade the piece on `target` from `source`.

    sizes: `group_sizes(ring)`. equal_discount: house rule, during the vote an equal group suffices."""
    if voting and (sizes[source] > sizes[target] or (equal_discount and sizes[source] == sizes[target])):
        return 1
    return 3 if is_figure(ring[target]) else min(3, sizes[target])
