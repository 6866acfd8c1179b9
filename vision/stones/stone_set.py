"""A set of `stonehenge` has each stone once or twice: what is read of one says something of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.stonehenge.lines import STONES
from engine.observation import Belief
from engine.position import Thing

Floats = NDArray[np.float64]
# How often the stones on a table are of one set; what is so sure is taken for granted, what is less likely
# is not looked at.
ONE_SET, SURE, UNLIKELY = 0.98, 0.98, 0.002
DRUID = "druid"
# A stone's colour and value; None for whatever is no open stone.
Stone = tuple[str, int] | None


def one_set(beliefs: Mapping[str, Belief], colours: tuple[str, ...]) -> dict[str, Belief]:
    """What is believed of the places where a stone may lie, given that those that lie open are of one set:
    there are no more of a colour and value than that. Bayes' rule over two worlds: one with such stones,
    drawn from the set one after the other, and, seldom, one with any stones. Exact, by passing messages
    forwards and backwards along the places; the state is how many of each stone were met."""
    chances = {place: _chances(belief) for place, belief in beliefs.items()}
    sure = Counter(max(each, key=each.__getitem__) for each in chances.values() if max(each.values()) > SURE)
    doubted = [place for place, each in chances.items() if max(each.values()) <= SURE]
    left = tuple(
        ((colour, value), number - sure[colour, value])
        for colour in colours
        for value, number in sorted(Counter(STONES).items())
    )
    if not doubted or any(number < 0 for _, number in left):
        return dict(beliefs)
    stones = _Left(left)
    before, after = [stones.none_met()], [stones.all_alike()]
    for place in doubted:
        before.append(stones.on(before[-1], chances[place]))
    for place in reversed(doubted):
        after.append(stones.back(after[-1], chances[place]))
    of_one = ONE_SET * float(before[-1].sum())
    share = of_one / (of_one + 1 - ONE_SET)
    found = dict(beliefs)
    for place, met, to_come in zip(doubted, before[:-1], after[-2::-1], strict=True):
        given = stones.given(met, to_come, chances[place])
        found[place] = _weighed(
            beliefs[place],
            {stone: 1 - share + share * given[stone] / own for stone, own in chances[place].items()},
        )
    return found


def is_stone(thing: Thing | None) -> bool:
    return thing is not None and thing.kind == DRUID


def shared(belief: Belief, shares: Mapping[str, float]) -> dict[Thing | None, float]:
    """The belief with that in a stone, of whatever colour, shared anew among these, whose shares add up to
    1; before its value is told."""
    others = {thing: chance for thing, chance in belief.items() if not is_stone(thing)}
    stone = sum(belief.values()) - sum(others.values())
    return others | {Thing(DRUID, colour): stone * share for colour, share in shares.items()}


def _stone(thing: Thing | None) -> Stone:
    if thing is None or thing.kind != DRUID or thing.value is None or thing.colour is None:
        return None
    return thing.colour, thing.value


def _chances(belief: Belief) -> dict[Stone, float]:
    found: dict[Stone, float] = {}
    for thing, chance in belief.items():
        found[_stone(thing)] = found.get(_stone(thing), 0.0) + chance
    return {stone: chance for stone, chance in found.items() if chance > UNLIKELY}


def _weighed(belief: Belief, ratio: Mapping[Stone, float]) -> Belief:
    weighed = {thing: chance * ratio.get(_stone(thing), 1.0) for thing, chance in belief.items()}
    total = sum(weighed.values())
    return {thing: chance / total for thing, chance in weighed.items()}


@lru_cache(maxsize=64)
class _Left:
    """The stones that are left, (stone, how many). A state has an axis for each of them."""

    def __init__(self, left: tuple[tuple[tuple[str, int], int], ...]) -> None:
        self.axes = {stone: axis for axis, (stone, _) in enumerate(left)}
        self.shape = tuple(1 + number for _, number in left)
        rest = np.array(self.shape).reshape(-1, *[1] * len(left)) - 1 - np.indices(self.shape)
        of_colour: dict[str, Floats] = {}
        for (colour, _), axis in self.axes.items():
            of_colour[colour] = of_colour.get(colour, 0) + rest[axis]
        values = len(set(STONES))
        # How likely the next stone of a colour has this value, against any value alike.
        self.next = {
            stone: rest[axis] / np.maximum(of_colour[stone[0]], 1) * values
            for stone, axis in self.axes.items()
        }

    def none_met(self) -> Floats:
        start = np.zeros(self.shape)
        start[(0,) * len(self.shape)] = 1
        return start

    def all_alike(self) -> Floats:
        return np.ones(self.shape)

    def on(self, met: Floats, chances: Mapping[Stone, float]) -> Floats:
        """The states after one more place."""
        found = chances.get(None, 0.0) * met
        for stone, chance, fewer, more in self._steps(chances):
            found[more] += chance * (met * self.next[stone])[fewer]
        return np.asarray(found)

    def back(self, to_come: Floats, chances: Mapping[Stone, float]) -> Floats:
        """How well each state before a place goes with what is seen from there on."""
        found = chances.get(None, 0.0) * to_come
        for stone, chance, fewer, more in self._steps(chances):
            found[fewer] += chance * self.next[stone][fewer] * to_come[more]
        return np.asarray(found)

    def given(self, met: Floats, to_come: Floats, chances: Mapping[Stone, float]) -> dict[Stone, float]:
        """The chances at one place, given all others; as they were if nothing goes with those."""
        found: dict[Stone, float] = {None: chances.get(None, 0.0) * float((met * to_come).sum())}
        for stone, chance, fewer, more in self._steps(chances):
            found[stone] = chance * float(((met * self.next[stone])[fewer] * to_come[more]).sum())
        total = sum(found.values())
        return {stone: found.get(stone, 0.0) / total if total else own for stone, own in chances.items()}

    def _steps(
        self, chances: Mapping[Stone, float]
    ) -> Iterator[tuple[Stone, float, tuple[slice, ...], tuple[slice, ...]]]:
        every = (slice(None),) * len(self.shape)
        for stone, chance in chances.items():
            if stone in self.axes:
                axis = self.axes[stone]
                fewer, more = ((*every[:axis], part, *every[axis + 1 :]) for part in (_FEWER, _MORE))
                yield stone, chance, fewer, more


_FEWER, _MORE = slice(None, -1), slice(1, None)
