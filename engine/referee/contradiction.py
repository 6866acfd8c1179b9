"""Where the views contradict an explanation: what speaks for it that the table does not follow the record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.referee.evidence import Evidence, is_area
from engine.referee.hypotheses import Candidate, Hypothesis
from engine.referee.looks import Layout, Things
from engine.referee.prices import Prices

MINDED: Final = 0.5  # nats by which the reader would rather believe in something else
WORTH_A_LOOK: Final = 0.2  # by so many already it is worth another look
CLEARLY: Final = 2.0  # by so many it is sure of it


def gaps(evidence: Evidence, layout: Layout) -> dict[str, float]:
    """place -> how much worse the layout explains it than the reader's favourite."""
    found = {place: evidence.shortfall(place, layout.get(place, ())) for place in evidence.places()}
    for place, things in layout.items():
        if place not in found:
            found[place] = evidence.shortfall(place, things)
    return found


def contradictions(evidence: Evidence, candidate: Candidate) -> dict[str, float]:
    """place -> how clearly the views contradict the candidate there: this one, and those before if they did
    so too. Areas have no say: much lies about there."""
    before, layout = candidate.hypothesis.grudges, candidate.way.layout
    return {
        place: gap + before.get((place, evidence.best(place)), 0.0)
        for place, gap in gaps(evidence, layout).items()
        if not is_area(place) and evidence.shortfall(place, layout.get(place, ()), changed=True) > MINDED
    }


def clearly_otherwise(evidence: Evidence, layout: Layout) -> dict[str, float]:
    """place -> how clearly the reader finds something else there, as if it read it for the first time."""
    fields = ((p, evidence.shortfall(p, layout.get(p, ()), changed=True)) for p in gaps(evidence, layout))
    return {place: gap for place, gap in fields if gap > CLEARLY and not is_area(place)}


def grudges(evidence: Evidence, candidate: Candidate) -> dict[tuple[str, Things], float]:
    """The same as a hypothesis keeps it until the next view."""
    gaps = contradictions(evidence, candidate)
    return {(place, evidence.best(place)): gap for place, gap in gaps.items()}


def hindsight(hypothesis: Hypothesis, layout: Layout) -> float:
    """What a hypothesis that goes on from the record gains back if it leads to `layout` now: what
    contradicted it in earlier views, and lies there now as it was read, may have come by then."""
    return sum(lost for (place, seen), lost in hypothesis.grudges.items() if layout.get(place, ()) == seen)


def forgiven(evidence: Evidence, candidate: Candidate, prices: Prices) -> float:
    """What the candidate gains if the table does not follow the record where it is contradicted: for one
    thing that somebody did; each further one has its price anew."""
    found, layout = contradictions(evidence, candidate), candidate.way.layout
    gains = [
        sum(found[place] - prices.null_thing * _things_moved(evidence, layout, place) for place in places)
        for places in _irregularities(evidence, layout, found)
    ]
    gains.sort(reverse=True)
    return max([0.0, *gains[:1]]) + sum(max(0.0, gain - prices.null_entry) for gain in gains[1:])


def _things_moved(evidence: Evidence, layout: Layout, place: str) -> int:
    """How many things would have gone from there or come there: two if one was exchanged for another."""
    return max(1, len(set(layout.get(place, ())) ^ set(evidence.best(place))))


def _irregularities(evidence: Evidence, layout: Layout, places: Iterable[str]) -> list[list[str]]:
    """The places, those together where one thing may be wrong: a piece was moved from one to the other, or
    stands on what stands there."""
    groups: list[tuple[list[str], set[object]]] = []
    for place in places:
        expected, seen = set(layout.get(place, ())), set(evidence.best(place))
        marks: set[object] = {place.rstrip("^"), *((thing, "gone") for thing in expected - seen)}
        marks |= {(thing, "come") for thing in seen - expected}
        wanted = {place.rstrip("^"), *((thing, "come") for thing in expected - seen)}
        wanted |= {(thing, "gone") for thing in seen - expected}
        joined = next((group for group in groups if group[1] & wanted), None)
        if joined is None:
            groups.append(([place], marks))
        else:
            joined[0].append(place)
            joined[1].update(marks)
            joined[1].difference_update(wanted - {place.rstrip("^")})  # a piece comes from one place only
    return [group for group, _ in groups]


def reads_otherwise(evidence: Evidence, layout: Layout) -> bool:
    """Whether the reader would rather believe that something else lies somewhere: too little for an alarm,
    too much for not looking again."""
    fields = (place for place in evidence.places() if not is_area(place))
    return any(
        evidence.shortfall(place, layout.get(place, ()), changed=True) > WORTH_A_LOOK for place in fields
    )
