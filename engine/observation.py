"""What a reader saw in one picture: the second value that crosses the borders of the house.

An observation is evidence, not truth: for every place a probability for each thing that may lie there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.position import Piece, Position, Thing, fields_of

Belief = Mapping[Thing | None, float]


def likeliest(belief: Belief) -> Thing | None:
    """What most likely lies there; nothing if nothing is believed."""
    return max(belief, key=belief.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Observation:
    """One reading of one picture.

    fields: place -> {thing: probability}; the probabilities of a place sum to 1, `None` is empty. Places
        are those of `engine.position`: field ids, "ring-4+ring-5" for a trilith on two fields, and the
        same with "^" for what stands on a capstone.
    unseen: place -> why it cannot be seen ("hidden behind the figure on ring-6", "outside the picture");
        "" stands for wherever no field is. An unseen place still has a belief, but nobody should rely on it.
    position: the pieces judged most likely, each with its confidence.
    loose: pieces that lie in areas (yards, altar, free-standing), where several may lie together; they
        are part of `position` too.
    corners_px: the board's corners top-left, top-right, bottom-right, bottom-left as printed; pixel
        centres at integer coordinates, origin at the top-left pixel's centre.
    quality: numbers about the picture (tags found, sharpness, light, reprojection error in pixels ..).
    """

    board: str
    fields: Mapping[str, Belief]
    position: Position
    unseen: Mapping[str, str] = field(default_factory=dict)
    loose: tuple[Piece, ...] = ()
    corners_px: tuple[tuple[float, float], ...] = ()
    quality: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, belief in self.fields.items():
            total = sum(belief.values())
            if not math.isclose(total, 1.0, abs_tol=1e-3):
                raise ValueError(f"the probabilities at {place} sum to {total:.4f}, expected 1")

    def probability(self, place: str, thing: Thing | None) -> float:
        """How likely it is that exactly `thing` (None: nothing) lies at `place`; 0 for unheard-of things."""
        return self.fields.get(place, {}).get(thing, 0.0)

    def ranked(self, place: str) -> list[tuple[Thing | None, float]]:
        """What may lie at `place`, most likely first."""
        return sorted(self.fields.get(place, {}).items(), key=lambda item: -item[1])

    def to_json(self) -> dict[str, Any]:
        """The label-file format plus `confidence` on each piece, `quality`, and the reasons for unseen:
        these also of places that are no fields, such as capstones."""
        data = self.position.to_json()
        data["corners_px"] = [list(corner) for corner in self.corners_px]
        data["occluded"] = sorted(place for place in self.unseen if place and fields_of(place) == (place,))
        data["unseen"] = dict(self.unseen)
        data["quality"] = dict(self.quality)
        return data


def certain(position: Position, places: tuple[str, ...], *, doubt: float = 0.0) -> Observation:
    """The observation of a reader that sees exactly `position` on `places`; `doubt` is the probability
    left for 'empty' where something lies. For records without pictures, and for tests."""
    lying = {piece.place: piece.thing for piece in position.pieces if piece.place}
    fields: dict[str, Belief] = {}
    for place in dict.fromkeys((*places, *lying)):
        thing = lying.get(place)
        fields[place] = {thing: 1.0 - doubt, None: doubt} if thing and doubt else {thing: 1.0}
    return Observation(position.board, fields, position)
