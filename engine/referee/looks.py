"""How a state looks: which things lie at which places.

The same few hundred pieces come up in thousands of states, and a move changes few of them. So pieces are told
apart by their ids as long as nothing says otherwise, and after a move only what it changed is worked out
anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.position import Piece, Position, Thing

Things = tuple[Thing, ...]
Layout = dict[str, Things]

NOTHING: Final[Things] = ()

# id -> the piece, its place and the thing alone there. To hash a piece takes as long as all else here; the
# piece is kept so that its id stays its own.
_SPLIT: dict[int, tuple[Piece, str, Things]] = {}
_MOST_SPLIT: Final = 32768


def layout_of(position: Position) -> Layout:
    """place -> the things there, in a fixed order."""
    layout: Layout = {}
    for piece in position.pieces:
        _, place, alone = _SPLIT.get(id(piece)) or _split(piece)
        there = layout.get(place)
        layout[place] = alone if there is None else _in_order((*there, *alone))
    return layout


def touched(before: Layout, after: Layout) -> list[str]:
    """The places that differ."""
    places = [place for place, things in after.items() if before.get(place) != things]
    return places + [place for place in before if place not in after]


class Look:
    """The layout of one position, and what it is made of."""

    __slots__ = ("_counts", "_pieces", "layout")

    def __init__(self, position: Position) -> None:
        self._pieces = position.pieces  # kept so that their ids stay their own
        self._counts = _count(self._pieces)
        self.layout = layout_of(position)

    def then(self, position: Position) -> tuple[Look, tuple[str, ...]]:
        """How it looks in `position`, which differs little, and the places that differ, in their order."""
        new = object.__new__(Look)
        new._pieces, new.layout = position.pieces, self.layout
        new._counts = _count(new._pieces)
        if new._counts == self._counts:
            return new, ()
        different = {number for number, _ in new._counts.items() ^ self._counts.items()}
        there: dict[str, list[Thing]] = {}
        for pieces, comes in ((new._pieces, True), (self._pieces, False)):
            for piece in pieces:
                if id(piece) in different:
                    _, place, (thing,) = _SPLIT.get(id(piece)) or _split(piece)
                    things = there.setdefault(place, list(self.layout.get(place, NOTHING)))
                    if comes:
                        things.append(thing)
                    else:
                        things.remove(thing)
        return new, new._lay_out(there)

    def _lay_out(self, there: dict[str, list[Thing]]) -> tuple[str, ...]:
        """Puts the things at their places; those that differ from before."""
        before, self.layout = self.layout, dict(self.layout)
        changed = []
        for place, listed in there.items():
            things = _in_order(listed)
            if things != before.get(place, NOTHING):
                changed.append(place)
                if things:
                    self.layout[place] = things
                else:
                    del self.layout[place]
        return tuple(sorted(changed))


def _count(pieces: tuple[Piece, ...]) -> dict[int, int]:
    """The id of each piece, and how often it is there."""
    return dict(Counter(map(id, pieces)))  # two plain dicts are compared much faster


def _in_order(things: Iterable[Thing]) -> Things:
    found = tuple(things)
    return found if len(found) < 2 else tuple(sorted(found, key=_text))


@lru_cache(maxsize=4096)
def _text(thing: Thing) -> str:
    return str(thing)


def _split(piece: Piece) -> tuple[Piece, str, Things]:
    if len(_SPLIT) > _MOST_SPLIT:
        _SPLIT.clear()
    split = _SPLIT[id(piece)] = (piece, piece.place or "", (piece.thing,))
    return split
