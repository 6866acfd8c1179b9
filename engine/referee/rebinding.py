"""When a card that was played unread is read at last.

A card that nobody could read stays "??" in the record, and one that was read wrongly leaves a dozen
explanations that differ in nothing but its name, of which only a few are kept alive. So when a card lies
where an explanation expects another one, or one that nobody has read, the same explanation is tried with the
card that is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.action import Action
from engine.errors import HengeError
from engine.game import State
from engine.position import Thing
from engine.referee.evidence import Evidence, is_unread
from engine.referee.looks import Layout, Things
from engine.referee.search import Mark
from engine.referee.unfolding import Unfolding


class Swap(NamedTuple):
    """At `place` lies the card `seen` where `expected` was thought to lie."""

    place: str
    expected: Thing
    seen: Thing

    def things(self, things: Things) -> Things:
        """`things` with the card that is seen."""
        return tuple(sorted((self.seen if each == self.expected else each for each in things), key=str))

    def marks(self, marks: Iterable[Mark]) -> tuple[Mark, ...]:
        return tuple(
            tuple(part if isinstance(part, str) else (part[0], self.things(part[1])) for part in mark)
            for mark in marks
        )


def swaps(evidence: Evidence, layout: Layout) -> Iterator[Swap]:
    """The cards that lie open where others are expected."""
    for place, things in layout.items():
        expected = [thing for thing in things if _name(thing) or is_unread(thing)]
        if not expected:
            continue
        seen = [thing for thing in evidence.best(place) if _name(thing) and thing not in things]
        missing = [thing for thing in expected if thing not in evidence.best(place)]
        if len(seen) == len(missing) == 1:
            yield Swap(place, missing[0], seen[0])


def rebound(
    actions: Iterable[Action], swap: Swap, since: State, unfolding: Unfolding
) -> tuple[tuple[Action, ...], State, Layout] | None:
    """The actions since that state with the card that is seen, and what they lead to. None if they do not
    name the card, or if the rules do not allow it."""
    old, new = _name(swap.expected) or r"\?\?-(day|night)", _name(swap.seen)
    name = re.compile(rf"(?<![\w-]){old}(?![\w-])")
    changed, state, found = False, since, []
    layout = unfolding.layout(since)
    for action in actions:
        text = str(action)
        if name.search(text) and (not is_unread(swap.expected) or _brings(unfolding, state, action, swap)):
            changed = True
            try:
                action = state.game.parse(name.sub(new, text))
            except HengeError:
                return None
        if state.why_not(action) is not None:
            return None
        found.append(action)
        state, layout, _ = unfolding.child(state, action)
    return (tuple(found), state, layout) if changed else None


def _brings(unfolding: Unfolding, state: State, action: Action, swap: Swap) -> bool:
    """Whether the unread card comes there by this action."""
    if swap.expected in unfolding.layout(state).get(swap.place, ()) or state.why_not(action) is not None:
        return False
    return swap.expected in unfolding.child(state, action).layout.get(swap.place, ())


def _name(thing: Thing) -> str:
    """A card's name in the notation, if it lies open and can be read; else ""."""
    if thing.kind != "card" or thing.face == "down":
        return ""
    if thing.number is not None and thing.phase is not None:
        return f"{thing.number}-{thing.phase}"
    return f"trilith-{thing.colour}" if thing.number is None and thing.phase is None and thing.colour else ""
