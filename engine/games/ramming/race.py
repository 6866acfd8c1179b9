"""The race track: who is next, how far a trilith gets, and what a collision does.

Convention: a trilith at k stands on ring fields k+1 and k+2 (k = 0..29, the track is closed); `way` is +1
towards higher numbers (clockwise on our boards) and -1 towards lower ones. `OFF` is a trilith beside the
track, `GONE` one that is out for good. Colours of blocks are numbers 0..4 in the order of PLAYER_COLOURS.
"""

from __future__ import annotations

from dataclasses import dataclass

OFF, GONE = -1, -2
FIELDS = 30


@dataclass(frozen=True, slots=True)
class Hit:
    """One link of a collision: `victim` is hit with `free` fields between before and has to pay `damage`.

    paid: what he still had of it. destroyed: he could not pay in full. start, end: where he stood and
    came to stand (end is OFF when destroyed)."""

    victim: int
    free: int
    damage: int
    paid: int
    destroyed: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Crash:
    """A ram with its bounces: the links in order, and where all triliths stand afterwards."""

    hits: tuple[Hit, ...]
    at: tuple[int, ...]


def occupied_fields(at: tuple[int, ...], without: int = -1) -> int:
    """Bit mask of the fields (bit f is ring field f+1) under all triliths but `without`."""
    mask = 0
    for trilith, k in enumerate(at):
        if k >= 0 and trilith != without:
            mask |= PAIR_MASKS[k]
    return mask


PAIR_MASKS = tuple((1 << k) | (1 << (k + 1) % FIELDS) for k in range(FIELDS))
ALL_PAIRS = (1 << FIELDS) - 1
# The pairs that do not touch a trilith at k.
_APART = tuple(sum(1 << j for j in range(FIELDS) if not PAIR_MASKS[j] & PAIR_MASKS[k]) for k in range(FIELDS))


def free_pairs(at: tuple[int, ...], trilith: int) -> int:
    """Bit mask of the pairs k that no other trilith touches."""
    free = ALL_PAIRS
    for other, k in enumerate(at):
        if k >= 0 and other != trilith:
            free &= _APART[k]
    return free


def next_on_way(at: tuple[int, ...] | list[int], trilith: int, way: int) -> tuple[int, int]:
    """The first trilith that `trilith` meets, and the free fields between them; (-1, 30) if it is alone."""
    start = at[trilith]
    found, nearest = -1, FIELDS
    for other, k in enumerate(at):
        if k >= 0 and other != trilith:
            free = ((k - start) * way - 2) % FIELDS
            if free < nearest:
                found, nearest = other, free
    return found, nearest


def fields_entered(start: int, way: int, count: int) -> tuple[int, ...]:
    """The next `count` fields (0..29) that a trilith at `start` moves onto."""
    first = start + 2 if way > 0 else start - 1
    return tuple((first + i * way) % FIELDS for i in range(count))


def colours_needed(blocks: tuple[int, ...], start: int, way: int, count: int) -> tuple[int, ...]:
    """The colours to be turned up, in order, to move `count` fields."""
    return tuple(blocks[f] for f in fields_entered(start, way, count))


def reach(blocks: tuple[int, ...], start: int, way: int, limit: int) -> int:
    """How many fields a trilith can move at most, with `limit` cards of each colour in the display."""
    left = [limit] * 5
    for moved, field in enumerate(fields_entered(start, way, FIELDS)):
        if not left[blocks[field]]:
            return moved
        left[blocks[field]] -= 1
    return FIELDS


def crash(
    at: tuple[int, ...],
    points: tuple[int, ...],
    rammer: int,
    way: int,
    *,
    bounce: bool = True,
    touch_rams: bool = False,
) -> Crash:
    """What happens when `rammer` reaches the next trilith on its way.

    points: per trilith, the structure points it still has. bounce False: the easy game. touch_rams: a
    bounce that exactly fills the gap rams as well (house rule)."""
    standing = list(at)
    victim, free = next_on_way(at, rammer, way)
    standing[rammer] = (at[victim] - 2 * way) % FIELDS
    damage = push = free
    hits = []
    while True:
        start = standing[victim]
        paid = min(damage, points[victim])
        if damage > points[victim]:
            standing[victim] = OFF
            hits.append(Hit(victim, free, damage, paid, True, start, OFF))
            break
        struck, gap = next_on_way(standing, victim, way)
        distance = min(push, gap) if bounce else 0
        standing[victim] = (start + distance * way) % FIELDS
        hits.append(Hit(victim, free, damage, paid, False, start, standing[victim]))
        reaches = push > gap or (touch_rams and push == gap)
        # The ramming trilith is never hit by its own chain: the gap behind it is too large.
        if not bounce or not reaches or gap == 0 or struck == rammer:
            break
        victim, free = struck, gap
        damage = push = (gap + 1) // 2
    return Crash(tuple(hits), tuple(standing))
