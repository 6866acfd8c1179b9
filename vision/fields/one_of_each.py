"""Where the rules lay a block of each colour: what is seen of one says something of the others.

The council's arguments lie sorted by colour on the five trilith fields; in Trilith Bang each five number
fields, 1-5, 6-10 and so on, have got one block of each colour. In a light in which a pale yellow looks white
the others of the five tell.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import Belief
from engine.position import Thing

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
# How often what lies on such fields is one of each colour, as the rules have it (while it is laid out, some
# are still missing); and how often it is anything.
AS_RULED, ANYTHING = 0.95, 0.05
# Of tables where blocks are laid out once for the whole game so many are being laid out.
LAID_OUT = 0.05
BLOCK = "block"
# Of what a place may carry: no block.
NONE = 0
# Fields that have a block of each colour together: so many of a kind at a time, and whether all of them have
# one as soon as the table is laid out.
FIVES = 5
TOGETHER = {"council": ("trilith", False), "ramming": ("slot", True)}


def groups_of(board: Board, game: str | None) -> list[tuple[str, ...]]:
    """The fields that have a block of each colour together, in the order of their numbers."""
    if game not in TOGETHER:
        return []
    fields = [each.id for each in board.fields_of_kind(TOGETHER[game][0])]
    fields.sort(key=lambda name: int(name.rpartition("-")[2]))
    return [tuple(fields[first : first + FIVES]) for first in range(0, len(fields), FIVES)]


def one_of_each(
    board: Board, game: str | None, beliefs: Mapping[str, Belief], read: Collection[str]
) -> dict[str, Belief]:
    """What is believed of those of the places just `read` where blocks lie, one of each colour on each five;
    nothing in games without such a rule. beliefs: of the places that are seen. Bayes' rule over two worlds:
    one in which the rule holds, and, seldom, one with anything anywhere."""
    found: dict[str, Belief] = {}
    colours = board.pieces[BLOCK].colours if BLOCK in board.pieces else ()
    for group in groups_of(board, game):
        seen = [place for place in group if place in beliefs]
        if len(colours) < len(group) or len(seen) < 2 or not any(place in read for place in seen):
            continue
        chances = np.array([_chances(beliefs[place], colours) for place in seen])
        weighed = _together(chances, TOGETHER[game or ""][1])
        for place, before, after in zip(seen, chances, weighed, strict=True):
            if place not in read:
                continue
            ratio = after / np.maximum(before, 1e-12)
            found[place] = {
                thing: chance * float(ratio[_state(thing, colours)])
                for thing, chance in beliefs[place].items()
            }
    return found


def _together(chances: Floats, laid_out: bool) -> Floats:
    """(N, 1 + C) what each of N places carries, if no two have blocks of one colour; chances: the same
    of each place for itself. laid_out: none is without one, but while they are being laid out."""
    number, states = chances.shape
    ways = _ways(number, states - 1)
    blocks = (ways != NONE).sum(axis=1)
    # How much likelier these colours are than any would be.
    orders = np.array([(states - 1) ** n / math.perm(states - 1, n) for n in range(number + 1)])
    likely = chances[np.arange(number), ways].prod(axis=1) * orders[blocks]
    whole = likely * (blocks == number)
    ruled = (1 - LAID_OUT) * whole + LAID_OUT * likely if laid_out else likely
    as_ruled = np.zeros_like(chances)
    for place in range(number):
        as_ruled[place] = np.bincount(ways[:, place], ruled, states)
    weighed = AS_RULED * as_ruled + ANYTHING * chances / chances.sum(axis=1, keepdims=True)
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True) * chances.sum(axis=1, keepdims=True))


@cache
def _ways(places: int, colours: int) -> Ints:
    """(W, places) all ways to lay blocks, none or one on each place, no colour twice."""
    every = itertools.product(range(colours + 1), repeat=places)
    return np.array([way for way in every if len(set(way) - {NONE}) == sum(map(bool, way))], np.intp)


def _state(thing: Thing | None, colours: Sequence[str]) -> int:
    if thing is None or thing.kind != BLOCK or thing.colour not in colours:
        return NONE
    return 1 + colours.index(thing.colour)


def _chances(belief: Belief, colours: Sequence[str]) -> Floats:
    """(1 + C,) how likely no block, or one of each colour, lies there."""
    chances = np.zeros(1 + len(colours))
    for thing, chance in belief.items():
        chances[_state(thing, colours)] += chance
    return chances
