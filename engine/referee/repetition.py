"""What reads as it did in the view before says little new: glare that fooled the reader fools it again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.observation import Belief, Observation
from engine.referee.evidence import FLOOR

UNCLEAR: Final = 1.0  # nats between the likeliest thing and the next


class Repetition:
    """What was read where, and for how many views already. once: what the same reading counts again."""

    def __init__(self, once: float) -> None:
        self._once = once
        self._last: Observation | None = None
        self._told: set[str] = set()  # where people have changed the record since the last view
        self._streaks: Counter[str] = Counter()  # for how many views a place has read the same

    def forget(self) -> None:
        """All that is seen counts anew."""
        self._last = None
        self._streaks.clear()

    def expect_changes(self, places: Iterable[str]) -> None:
        """People have said what happened there: what is seen there next counts in full."""
        self._told.update(places)

    def remember(self, observation: Observation) -> None:
        """The view that the next one is compared with."""
        self._last = observation

    def weights(self, observation: Observation, areas: Iterable[str], alarmed: bool) -> dict[str, float]:
        """place -> what a reading counts, where it is not as good as a fresh one. alarmed: what is wrong
        stays wrong, however long it lies there."""
        last, told = self._last, self._told
        self._told = set()
        if last is None:
            return {}
        gone, come = self._differing(observation)
        repeated = {area: self._repeated(area, alarmed) for area in areas if area not in gone | come}
        for place, belief in observation.fields.items():
            before = last.fields.get(place)
            if not before or place in last.unseen:
                continue
            was, is_now = max(before, key=before.__getitem__), max(belief, key=belief.__getitem__)
            old, new = _clearness(before), _clearness(belief)
            if max(old, new) < UNCLEAR:  # looking at it again and again does not decide it
                repeated[place] = max(0.0, 1 - old / new)
            elif was == is_now:  # what is clearer than before counts as far as it is clearer
                repeated[place] = 1 - (1 - self._repeated(place, alarmed)) * min(old, new) / new
        for place in [place for place in self._streaks if place not in repeated]:
            del self._streaks[place]
        return {place: weight for place, weight in repeated.items() if place not in told}

    def richer(self, observation: Observation) -> set[str]:
        """The yards (and the altar) in which more is seen than in the view before, and nothing less."""
        gone, come = self._differing(observation)
        hidden = set(observation.unseen).union(self._last.unseen if self._last else ())
        return come - gone - hidden - {""}

    def _differing(self, observation: Observation) -> tuple[set[str], set[str]]:
        """The areas in which something is not seen any more, and those in which something is seen now."""
        if self._last is None:
            return set(), set()
        now, before = (
            Counter((piece.place, piece.thing) for piece in view.loose) for view in (observation, self._last)
        )
        gone, come = ({place or "" for place, _ in each} for each in (before - now, now - before))
        return gone, come

    def _repeated(self, place: str, alarmed: bool) -> float:
        """What the same reading counts once more: less and less."""
        self._streaks[place] += 1
        return self._once ** (1 if alarmed else self._streaks[place])


def _clearness(belief: Belief) -> float:
    """How clearly the best is ahead of the second, in nats."""
    first, second = sorted((*belief.values(), FLOOR, FLOOR), reverse=True)[:2]
    return max(0.1, math.log(first / max(FLOOR, second)))
