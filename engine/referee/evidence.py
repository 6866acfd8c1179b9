"""How well a position agrees with a reading, in logarithms of probabilities (nats).

The log-likelihood of a position is the sum over the places that were seen of log p(what the position says
lies there). Three things keep a reading from being trusted too far:

* No probability counts as less than `FLOOR`: readers are overconfident.
* A place that reads the same as in the view before is not a new witness: glare that fooled the reader
  once fools it again. Its evidence counts `weights[place]` (1 for a fresh reading), unless something else
  is said to lie there than before: then the reading had every reason to change.
* Areas where several pieces lie together (yards, altar) are compared as heaps, with a small and limited
  say: what lies there is hard to read and easy to push about.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.observation import Belief, Observation
from engine.position import Piece, Thing
from engine.referee.looks import NOTHING, Layout, Things

FLOOR: Final = 1e-4
LOG_FLOOR: Final = math.log(FLOOR)
# What it costs that a thing in an area is not seen, or seen and not expected: cards are read by their tags,
# figures stand out, small parts lie on top of one another.
AREA_MISS: Final = {"card": -4.0, "block": -3.5, "figure": -3.0}
SMALL_MISS: Final = -2.5
FREE_MISS: Final = -4.5  # what stands by itself on the board is seen as well as what stands on a field
SEEN_LATE: Final = -1.5  # more is seen there than a moment ago although nothing has come
MISTAKEN: Final = -1.5  # one part of a trilith for another, a lying figure for a standing one
READ_AFTER_ALL: Final = -3.0  # a card can be read that was said to be unread
AREA_FLOOR: Final = -9.0
FREE_FLOOR: Final = -13.5
FAIRLY_SURE: Final = 0.1
TRILITH_PARTS: Final = frozenset({"pillar", "capstone", "trilith"})
NO_PAIR_THERE: Final = 0.97


def is_named(thing: Thing) -> bool:
    """Whether it is a number card that lies open and can be read."""
    return thing.kind == "card" and thing.face != "down" and thing.number is not None


def is_unread(thing: Thing) -> bool:
    """Whether it is a card that lies open and that nobody could read."""
    return thing.kind == "card" and thing.face == "up" and thing.number is None and thing.colour is None


def is_area(place: str) -> bool:
    """Whether several pieces may lie about there (free-standing ones stand under the empty string)."""
    return not place or place == "altar" or place.startswith("yard-")


class Evidence:
    """One reading, asked again and again: `log(place, things)`."""

    def __init__(
        self,
        observation: Observation,
        weights: Mapping[str, float] | None = None,
        areas: Iterable[str] = (),
        richer: Iterable[str] = (),
    ) -> None:
        """areas: those of which this reader is known to tell; where it names nothing, nothing lies.
        richer: those in which more is seen than in the view before."""
        self.observation = observation
        self._weights = weights or {}
        self._richer = frozenset(richer)
        self._beliefs: dict[str, Belief] = {
            place: belief for place, belief in observation.fields.items() if place not in observation.unseen
        }
        self._areas: dict[str, list[Piece]] = {area: [] for area in areas if area not in observation.unseen}
        for piece in observation.loose:
            place = piece.place or ""
            if is_area(place) and place not in self._beliefs and place not in observation.unseen:
                self._areas.setdefault(place, []).append(piece)
        self._known: dict[tuple[str, Things], float] = {}
        self._gaps: dict[tuple[str, Things], float] = {}
        self._best: dict[str, Things] = {}
        self.base = sum(self.log(place, NOTHING) for place in self.places())

    def places(self) -> Iterable[str]:
        """All places about which this reading says something."""
        yield from self._beliefs
        yield from self._areas

    def speaks_of(self, place: str) -> bool:
        """Whether this reading can tell one thing from another at `place`."""
        return place in self._beliefs or place in self._areas or ("+" in place and bool(self._beliefs))

    def log(self, place: str, things: Things, changed: bool = False) -> float:
        """log p(exactly `things` at `place`); 0 where nothing was seen. changed: `things` came there since
        the view before, so that a reading like the one before says as much as a fresh one."""
        key = (place, things)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._log(place, things)
        if changed:
            return found
        return found * self._weights.get(place, 1.0) + (SEEN_LATE if place in self._richer else 0.0)

    def gain(self, place: str, things: Things) -> float:
        """How much better than empty `things` explain what is seen at `place`."""
        return self.log(place, things) - self.log(place, NOTHING)

    def total(self, layout: Layout) -> float:
        """The log-likelihood of a whole position."""
        return self.base + sum(self.gain(place, things) for place, things in layout.items())

    def best(self, place: str) -> Things:
        """What the reader would rather believe lies at `place`."""
        found = self._best.get(place)
        if found is None:
            belief = self._beliefs.get(place)
            if belief is None:
                found = tuple(piece.thing for piece in self._areas.get(place, ()))
            else:
                thing = max(belief, key=belief.__getitem__)
                found = NOTHING if thing is None else (thing,)
            self._best[place] = found
        return found

    def shortfall(self, place: str, things: Things, changed: bool = False) -> float:
        """By how much `things` explain the place worse than the reader's favourite does; 0 is agreement."""
        key = (place, things)
        found = self._gaps.get(key)
        if found is None:
            top = self.log(place, self.best(place), True) if place in self._beliefs else 0.0
            found = self._gaps[key] = top - self.log(place, things, True)
        return found if changed else found * self._weights.get(place, 1.0)

    def wavers(self, place: str, things: Things, by: float, changed: bool = False) -> bool:
        """Whether the reader finds something else at `place` nearly as likely, or likelier."""
        belief = self._beliefs.get(place)
        if belief is None:
            return self.shortfall(place, things, changed) > 1.0
        limit = self.log(place, things, changed) - by
        rivals = ((NOTHING if thing is None else (thing,)) for thing in belief)
        return any(rival != things and self.log(place, rival, changed) > limit for rival in rivals)

    @property
    def unseen(self) -> Mapping[str, str]:
        """The places of which this reading says nothing, and why."""
        return self.observation.unseen

    def _log(self, place: str, things: Things) -> float:
        belief = self._beliefs.get(place)
        if belief is not None:
            return _log_belief(belief, things)
        if place in self.observation.unseen:
            return 0.0
        if is_area(place):
            return self._log_area(place, things)
        if "+" in place:  # readers list a pair of fields only where they suspect something
            parts_seen = all(part in self._beliefs for part in place.rstrip("^").split("+"))
            return math.log(1 - NO_PAIR_THERE if things else NO_PAIR_THERE) if parts_seen else 0.0
        return 0.0

    def _log_area(self, place: str, things: Things) -> float:
        seen = self._areas.get(place)
        if seen is None:
            return 0.0  # perhaps this reader does not look at yards at all
        missing, surplus = _unmatched(seen, things)
        if not place:
            return max(FREE_FLOOR, FREE_MISS * len(missing) + sum(map(_invented, surplus)))
        unread = sum(map(is_unread, things)) - sum(is_unread(piece.thing) for piece in seen)
        read_after_all = READ_AFTER_ALL * max(0, min(unread, len(things) - len(missing)))
        return max(AREA_FLOOR, _mismatch(missing, surplus) + read_after_all)


def _unmatched(seen: Sequence[Piece], things: Things) -> tuple[list[Thing], list[Piece]]:
    """The things that were not seen, and the pieces seen that are none of the things."""
    missing, surplus = list(things), []
    for piece in seen:
        mine = piece.thing
        match = next((thing for thing in missing if _likeness(mine, thing) > 0), None)
        if match is None:
            surplus.append(piece)
        else:
            missing.remove(match)
    return missing, surplus


def _invented(piece: Piece) -> float:
    """The price of a free-standing piece that is not there: a reader that is fairly sure has seen one."""
    doubt = 1 - (piece.confidence or 1.0)
    return FREE_MISS if doubt < FAIRLY_SURE else math.log(doubt)


def _mismatch(missing: list[Thing], surplus: list[Piece]) -> float:
    """The price of what was not seen and of what was seen in its place."""
    total = 0.0
    for piece in surplus:
        match = next((thing for thing in missing if _easily_mistaken(piece.thing, thing)), None)
        if match is not None:
            missing.remove(match)
            total += MISTAKEN
        else:
            total += max(_miss(piece.thing), math.log(max(FLOOR, 1 - (piece.confidence or 0.9))))
    return total + sum(map(_miss, missing))


def _easily_mistaken(seen: Thing, expected: Thing) -> bool:
    if seen.kind == expected.kind == "figure":
        return seen.colour == expected.colour
    return seen.kind in TRILITH_PARTS and expected.kind in TRILITH_PARTS


def _miss(thing: Thing) -> float:
    return AREA_MISS.get(thing.kind, SMALL_MISS)


def _log_belief(belief: Belief, things: Things) -> float:
    if not things:
        return math.log(max(FLOOR, belief.get(None, 0.0)))
    # Of several pieces on one another the reader sees the top one.
    return math.log(max(FLOOR, max(_probability(belief, thing) for thing in things)))


def _probability(belief: Belief, thing: Thing) -> float:
    exact = belief.get(thing)
    if exact is not None:
        return exact
    return sum(p * _likeness(seen, thing) for seen, p in belief.items() if seen is not None)


@lru_cache(maxsize=65536)
def _likeness(seen: Thing, expected: Thing) -> float:
    """1 if what was seen can be the expected thing, less if that takes a guess, 0 if it is another.

    A reader that does not tell which way a figure looks, how many lie in a heap or what is printed on a
    card leaves that None; a druid stone without a value is face down, which is something else."""
    same = (seen.kind, seen.colour, seen.lying) == (expected.kind, expected.colour, expected.lying)
    if expected.kind == "card" and seen.kind == "card":
        same = seen.colour is None or expected.colour is None or seen.colour == expected.colour
    if not same or (expected.kind == "druid" and seen.value != expected.value):
        return 0.0
    pairs = ((seen.facing, expected.facing), (seen.number, expected.number), (seen.phase, expected.phase),
             (seen.face, expected.face))  # fmt: skip
    if any(a != b and a is not None and b is not None for a, b in pairs):
        return 0.0
    if seen.count != expected.count:
        return 0.5 if seen.count is None or expected.count is None else 0.0
    return 1.0
