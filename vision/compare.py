"""How well a reading agrees with a label: the figures that `henge bench vision` prints."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from engine.observation import Observation
from engine.position import Position, Thing
from vision.beliefs import told


@dataclass(frozen=True)
class Miss:
    """One place that was read wrong: what lies there, what was read, and how sure the reader was."""

    place: str
    truth: str
    read: str
    confidence: float


@dataclass(frozen=True)
class Comparison:
    """One picture: `places` that could be seen and were judged, the `misses` among them, the confidence of
    every judged place with whether it was right, and hidden fields that were called empty with a
    confidence over 0.5 (`false_empty`)."""

    places: int
    misses: tuple[Miss, ...]
    unseen: int
    judged: tuple[tuple[float, bool], ...]
    false_empty: tuple[str, ...]

    @property
    def exact(self) -> bool:
        return not self.misses


def compare(seen: Observation, label: Position, areas: tuple[str, ...] = ()) -> Comparison:
    """Compare a reading with its label. Fields that the label calls occluded are not judged; a field that
    can be seen but was reported unseen counts as missed unless it is empty... it counts as wrong when a
    piece lies there. `areas` are fields on which several pieces lie: compared as multisets."""
    truth, read = _one_by_one(label), _one_by_one(seen.position)
    hidden = set(label.occluded)
    confidence = {place: told(belief)[1] for place, belief in seen.fields.items()}
    misses, judged, count, unseen = [], [], 0, 0
    for place in sorted({*seen.fields, *truth, *read} - {""} - hidden):
        if place.partition("+")[0].rstrip("^") in hidden:
            continue
        lies, was_read = truth.get(place, Counter()), read.get(place, Counter())
        if place in seen.unseen:
            unseen += 1
            if lies:
                misses.append(Miss(place, _words(lies), "not seen", 0.0))
                count += 1
            continue
        right = _agree(lies, was_read)
        count += 1
        if place not in areas:
            judged.append((confidence.get(place, 0.0), right))
        if not right:
            misses.append(Miss(place, _words(lies), _words(was_read), confidence.get(place, 0.0)))
    false_empty = tuple(
        place
        for place in sorted(hidden)
        if place in seen.fields and place not in seen.unseen and seen.fields[place].get(None, 0.0) > 0.5
    )
    return Comparison(count, tuple(misses), unseen, tuple(judged), false_empty)


def _one_by_one(position: Position) -> dict[str, Counter[Thing]]:
    """What lies where; a disc that is counted twice is two discs."""
    return {
        place: Counter(
            replace(thing, count=1) if thing.kind == "disc" else thing
            for thing, number in things.items()
            for _ in range(number * ((thing.count or 1) if thing.kind == "disc" else 1))
        )
        for place, things in position.things().items()
    }


def _agree(lies: Counter[Thing], was_read: Counter[Thing]) -> bool:
    """Whether the same things lie there; a heap that was not counted is any heap of that colour."""
    if len(lies) == len(was_read) == 1:
        (truth,), (read,) = lies, was_read
        if read.count is None and truth.count != 1:
            return replace(truth, count=None) == read
    return lies == was_read


def _words(things: Counter[Thing]) -> str:
    return ", ".join(str(thing) for thing in things.elements()) or "empty"
