"""What is believed of a place on which something else may lie than before: beliefs, weighed and compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from engine.observation import Belief, likeliest
from engine.position import Position, Thing, fields_of
from vision.following.changes import SURPRISE

# Pictures of one camera err together: of what another light shows of a place so much (a power) is news.
NEWS = 0.3
# A piece that lay there was so often taken away, so often replaced by another. What is laid down is a figure
# so much more seldom than another piece of its colour.
LEAVES, REPLACED, SELDOM_A_FIGURE = 0.9, 0.05, 0.2


def lay_before(position: Position, names: Iterable[str]) -> dict[str, Belief]:
    """What lay on each of these places in a position. Nothing is told of those that could not be seen, or
    where different things lay together."""
    lay: dict[str, Belief] = {}
    things = position.things()
    hidden = set(position.occluded)
    for name in names:
        if hidden.isdisjoint(fields_of(name)):
            here = things.get(name, {None: 1})
            if len(here) == 1:
                thing, number = next(iter(here.items()))
                lay[name] = {replace(thing, count=number) if thing and number > 1 else thing: 1.0}
    return lay


def after(seen: Belief, lay: Belief, changed: float, *, relit: bool = False) -> dict[Thing | None, float]:
    """What is believed of a place on which something else lies with the probability `changed`: what the
    picture shows beside what lay there, or that still. What was left open before, as a figure's direction, is
    as it is seen; where it was doubted what lay there, another light tells a little more (`relit`). A piece
    is so seldom replaced by another that one which seems to be is mostly the same in a light that misleads.
    """
    new = {thing: chance * (1 - share_of(thing, lay)) for thing, chance in seen.items()}
    others = {thing: chance * usual_for(thing) for thing, chance in new.items()}
    if likeliest(lay) is not None:
        usual = sum(others.values()) / (LEAVES * max(sum(new.values()), SURPRISE))
        changed = changed * usual / (changed * usual + 1 - changed + SURPRISE**2)
    told: dict[Thing | None, float] = defaultdict(float)
    for share, part in ((1 - changed, _still(seen, lay, NEWS if relit else 0.0)), (changed, others)):
        total = sum(part.values())
        for thing, chance in part.items():
            told[thing] += share * chance / max(total, 1e-9)
    total = sum(told.values())
    return {thing: chance / total for thing, chance in told.items()} if total else dict(seen)


def _still(seen: Belief, lay: Belief, news: float) -> dict[Thing | None, float]:
    """What lay there, weighed with this power of what is seen of it, and told as closely as it is seen."""
    found: dict[Thing | None, float] = defaultdict(float)
    for thing, chance in lay.items():
        alike = {each: part for each, part in seen.items() if agrees(each, thing)}
        if sum(alike.values()) < SURPRISE:
            alike = {thing: SURPRISE}
        total = sum(alike.values())
        for each, part in alike.items():
            found[each] += chance * total**news * part / total
    return found


def perhaps_gone(lay: Belief) -> dict[Thing | None, float]:
    """What lay there may lie there still, or nothing, the one as likely as the other."""
    return {thing: chance / 2 for thing, chance in lay.items()} | {None: (1 + lay.get(None, 0.0)) / 2}


def share_of(thing: Thing | None, lay: Belief) -> float:
    """How likely it is that this lay there."""
    return sum(chance for before, chance in lay.items() if agrees(thing, before))


def usual_for(thing: Thing | None) -> float:
    """How often such a thing lies where another lay."""
    if thing is None:
        return LEAVES
    return REPLACED * (SELDOM_A_FIGURE if thing.kind == "figure" else 1.0)


def agrees(thing: Thing | None, before: Thing | None) -> bool:
    """Whether this is what lay there, as closely as that was told."""
    if thing is None or before is None or thing == before:
        return thing == before
    if before.facing is None:
        thing = replace(thing, facing=None)
    if before.count is None and thing.count != 1:
        thing = replace(thing, count=None)
    return thing == before
