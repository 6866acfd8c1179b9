"""What earlier pictures of the same table tell of a new one.

Between two pictures of an evening hardly anything changes. A place that looks just as it did when what lies
there was last told, before an arm or its shadow came, carries that still: it need not be read again. And
where the print was never seen empty by itself, so that the networks err, most places carry what they carried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from engine.observation import Belief
from engine.position import TOP, Piece, Position, Thing, fields_of
from vision.areas import area_place
from vision.bodies import Body, Prism
from vision.covered import BEHIND, SHRINK, ground_of, outlines_read
from vision.crops import CROP_PX, frame_of
from vision.places import Place, top_place
from vision.shades import differs
from vision.sight import Sight

Floats = NDArray[np.float32]
# Two looks (0..1) are the same if they nowhere differ by more than this, averaged over a square of so many
# pixels of a crop: noise cancels out there, the rim of a white disc on white print does not. Of 354 unchanged
# places of two tables between two pictures in one light 99 % are the same so, of 15 changed ones none.
SAME, SQUARE = 0.05, 5
# An area is so much larger that somewhere in it the difference is greater.
SAME_AREA = 0.07
# An area is looked at in so many tiles each way.
TILES = 4
# From one picture to the next so many places come to carry something else, hardly more often than with this
# chance each of those that look different; unless more than this share of them seems to: then a game was set
# up.
CHANGES, OFTEN, MUCH = 1.5, 0.3, 0.2
# Where so much of a place shows something else, in the light of the picture before and without an arm, it has
# changed up to as surely as this.
SURELY_OTHER, SURELY = 0.08, 0.95
# While an arm is over the board, fewer have changed already: most of what looks different is its shadow. It
# hides so many more places than the picture before, of whose ground no more than this lies behind pieces.
ARM_HIDES, BEHIND_PIECES, WITH_ARM = 2, 0.5, 0.05
# Of what an arm hides in part so much must look as it did; in another light an area must be so like itself
# (correlation).
STILL_SAME, ALIKE = 0.3, 0.45
# What looks as it did but for shadow, so much of it, has changed so much more seldom than what does not.
ALL_SAME, IN_SHADOW = 0.97, 0.1
# A piece that lay there was so often taken away, so often replaced by another; where nothing lay, one of a
# certain kind comes so likely.
LEAVES, REPLACED, COMES = 0.8, 0.15, 0.8
# What was thought impossible is so likely all the same.
SURPRISE = 1e-4


@dataclass(frozen=True)
class Settled:
    """How a place or an area looked, (N, 3, S, S) evened out, when what lies there was last told, and what
    that was: beliefs (of the place and of the capstone there), and the pieces under the uppermost or, in an
    area, all of them."""

    looks: Floats
    beliefs: dict[str, Belief]
    pieces: tuple[Piece, ...]

    def put_back(self, sight: Sight, name: str) -> None:
        """It looks so in this picture, too: what is known of it is known again."""
        sight.beliefs |= {place: dict(belief) for place, belief in self.beliefs.items()}
        if not self.beliefs:
            sight.loose += self.pieces
        for place in (*self.beliefs, name):
            sight.unseen.pop(place, None)
        for place in self.beliefs:
            sight.below[place] = [piece for piece in self.pieces if piece.place == place]


@dataclass
class Memory:
    """What is known of one table in front of one camera. settled: how each place looked before it last
    looked different; lay: what lay on it when it was last seen; hidden: what could not be seen in the last
    picture; doubted: where an arm over the board made that look as if it had changed; unlike: how different
    from that each place looks now; other: how much of it shows something else, in whatever shadow."""

    board: Board
    settled: dict[str, Settled] = field(default_factory=dict)
    lay: dict[str, Belief] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()
    unlike: dict[str, float] = field(default_factory=dict)
    other: dict[str, float] = field(default_factory=dict)

    def starts_with(self, beliefs: Mapping[str, Belief]) -> None:
        """It is known what lies there."""
        self.settled, self.lay, self.hidden = {}, dict(beliefs), frozenset()

    def note(self, sight: Sight, places: Iterable[Place], areas: Iterable[Field]) -> None:
        """Before these places and areas are read in a new picture: how they looked in the last one, which is
        `sight`. Of those that could not be seen there, what is known from before that stays known."""
        seen = [each for each in places if not {each.id, each.id + TOP} & sight.unseen.keys()]
        seen = [each for each in seen if each.id not in self.settled and each.id in sight.beliefs]
        for place, looks in zip(seen, self._looks(sight, seen), strict=True):
            names = [name for name in (place.id, place.id + TOP) if name in sight.beliefs]
            beliefs = {name: sight.beliefs[name] for name in names}
            below = tuple(piece for name in names for piece in sight.below.get(name, ()))
            self.settled[place.id] = Settled(looks, beliefs, below)
        shown = [area_place(area) for area in areas if area.id not in {*sight.unseen, *self.settled}]
        for area, looks in zip(shown, self._looks(sight, shown), strict=True):
            self.settled[area.id] = Settled(looks, {}, tuple(sight.lying_in(area.id)))

    def recognised(self, sight: Sight, places: Iterable[Place], areas: Iterable[Field]) -> dict[str, Settled]:
        """Those of these places and areas that look as they did, and what is known of them."""
        watched = [*places, *(area_place(area) for area in areas)]
        known = [place for place in watched if place.id in self.settled]
        self.unlike, self.other, found = {}, {}, {}
        for place, crops in zip(known, self._crops(sight, known), strict=True):
            apart = self._apart(place, crops[:, :3])[self._own(sight, place)]
            self.unlike[place.id] = float(apart.max())
            if self.unlike[place.id] < (SAME_AREA if _is_area(place) else SAME):
                found[place.id] = self.settled[place.id]
            elif not _is_area(place):
                self.other[place.id] = self._other(place, crops[0])
        return found

    def half_seen(self, sight: Sight, places: Iterable[Place], areas: Iterable[Field]) -> dict[str, Settled]:
        """While an arm is over the board: those of these areas, and of the places that it hides, of which
        what it leaves to be seen looks as it did, in whatever shadow."""
        hidden = (place for place in places if sight.unseen.get(place.id) == BEHIND)
        watched = [*hidden, *(area_place(area) for area in areas)]
        known = [place for place in watched if place.id in self.settled]
        found = {}
        for place, own in zip(known, self._crops(sight, known), strict=True):
            settled = self.settled[place.id]
            if len(own) != len(settled.looks):
                continue
            counted = self._own(sight, place) if _is_area(place) else own[:, 9:].max(axis=1) > 0
            now, before = (_blurred(looks) for looks in (own[:, :3], settled.looks))
            if not differs(now, before)[counted].mean() > 1 - STILL_SAME:
                found[place.id] = settled
        return found

    def alike(
        self, sight: Sight, places: Iterable[Place], areas: Iterable[Field], *, anew: bool
    ) -> dict[str, Settled]:
        """Where reading is of no use, those that are like themselves in another light: of these areas those
        whose print nobody knows; and if all of the board was looked at `anew`, all of them, and of the places
        those that seem hidden now."""
        hidden = (place for place in places if anew and sight.unseen.get(place.id) == BEHIND)
        unread = sight.surface.hidden if not (anew or sight.surface.guessed) else self.settled.keys()
        watched = [*hidden, *(area_place(area) for area in areas if area.id in unread)]
        known = [place for place in watched if place.id in self.settled]
        looks = zip(known, self._looks(sight, known), strict=True)
        return {
            place.id: self.settled[place.id]
            for place, now in looks
            if _likeness(now, self.settled[place.id].looks, self._own(sight, place)) > ALIKE
        }

    def weigh(self, sight: Sight, places: Sequence[Place], *, arm: bool, relit: bool) -> None:
        """After these places were read, which all look different now: what lay there before weighs, too; more
        while an `arm` is over the board, and where, in another light (`relit`), only shadows have come or
        gone."""
        read = [name for place in places for name in (place.id, place.id + TOP)]
        names = [name for name in read if name in sight.beliefs]
        expected = WITH_ARM if arm else CHANGES
        if not arm and (seen_to := self._changes(sight, names)) > MUCH * len(names):
            expected = seen_to
        # What looks hardly different has hardly changed; what cannot be seen tells of no change.
        unlike = {
            name: 0.0 if name in sight.unseen else self.unlike.get(name.removesuffix(TOP), 1.0) ** 2
            for name in names
        }
        share = expected / max(sum(unlike.values()), 1e-6)
        seen = {name: _likeliest(sight.beliefs[name]) for name in names}
        for name in names:
            if name in self.lay:
                # Of a capstone it is not known: below it the trilith may have changed.
                apart = self.other.get(name, 0.5 * SURELY_OTHER)
                in_shadow = relit and apart < 1 - ALL_SAME
                often = SURELY if apart > SURELY_OTHER and not (arm or relit) else OFTEN
                changes = min(often, share * unlike[name] * (IN_SHADOW if in_shadow else 1))
                sight.beliefs[name] = stayed(sight.beliefs[name], self.lay[name], changes)
        changed = {name for name in names if arm and _likeliest(sight.beliefs[name]) != seen[name]}
        self.doubted = frozenset(name.removesuffix(TOP) for name in changed)
        for name in read:
            # A trilith that is told after all carries what it carried.
            if name.endswith(TOP) and name not in sight.beliefs and name in self.lay:
                carrier = _likeliest(sight.beliefs.get(name.removesuffix(TOP), {}))
                if carrier is not None and carrier.kind == "trilith":
                    sight.beliefs[name] = dict(self.lay[name])

    def _changes(self, sight: Sight, names: Iterable[str]) -> float:
        """How many of these places carry something else than before, as far as the picture alone tells."""
        stays = (
            sum(chance for thing, chance in sight.beliefs[name].items() if _agrees(thing, _likeliest(lay)))
            for name in names
            if (lay := self.lay.get(name)) is not None
        )
        return sum(1 - chance for chance in stays)

    def _other(self, place: Place, crop: Floats) -> float:
        """How much of a place shows something else than it did, and not the same in a shadow."""
        bodies = crop[9:].max(axis=0) > 0
        looks = (crop[None, :3], self.settled[place.id].looks)
        now, before = (_blurred(each)[0][bodies] for each in looks)
        return float((differs(now, before) & differs(before, now)).mean())

    def keep(self, sight: Sight, read: Iterable[str]) -> None:
        """Remember what was read in this picture. What is told as before is no surer for that: what one
        picture of a camera shows wrongly the next one shows wrongly, too."""
        seen = [name for name in read if name in sight.beliefs and name not in sight.unseen]
        told = {name: sight.beliefs[name] for name in seen}
        self.lay |= {
            name: belief for name, belief in told.items()
            if name not in self.lay or _likeliest(belief) != _likeliest(self.lay[name])
        }  # fmt: skip
        self.hidden = frozenset(sight.unseen)

    def arm_over(self, sight: Sight, places: Sequence[Place]) -> bool:
        """Whether something that is no piece hides places that were seen in the picture before."""
        hidden = [place for place in places if place.id in sight.unseen.keys() - self.hidden]
        if len(hidden) < ARM_HIDES:
            return False
        outlines = outlines_read(self.board, sight, places)
        pixels = np.round(sight.view.project(*ground_of(hidden)) / SHRINK).astype(int)
        x, y = np.clip(pixels, 0, np.array(outlines.shape[::-1]) - 1).T
        behind_pieces = (outlines[y, x] > 0).reshape(len(hidden), -1).mean(axis=1)
        return bool((behind_pieces < BEHIND_PIECES).sum() >= ARM_HIDES)

    def _apart(self, place: Place, now: Floats) -> Floats:
        """(N, S, S) how far a place or an area is from how it looked; now: (N, 3, S, S)."""
        before = self.settled[place.id].looks
        if now.shape != before.shape:
            return np.ones((len(now), CROP_PX, CROP_PX), np.float32)
        return np.asarray(np.abs(_blurred(now - before)).max(axis=3), np.float32)

    def _own(self, sight: Sight, place: Place) -> NDArray[np.bool_]:
        """(N, S, S) which parts of its pictures are an area's own; all of a place's."""
        parts = self._parts(place)
        if not _is_area(place):
            return np.ones((len(parts), CROP_PX, CROP_PX), bool)
        masks = np.zeros((len(parts), CROP_PX, CROP_PX), np.uint8)
        outline = sight.view.project(np.array(self.board.fields[place.id].outline_mm()))
        for mask, part in zip(masks, parts, strict=True):
            corners = frame_of(sight.view, part).into_crop(outline)
            cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], (1,))
        return masks > 0

    def forget_changed(self, sight: Sight, names: Iterable[str]) -> None:
        """After these were read: of what was seen to carry something else the earlier look is of no use."""
        for name in names:
            settled = self.settled.get(name)
            if settled is None or name in sight.unseen:
                continue
            if any(_likeliest(sight.beliefs.get(each, {})) != _likeliest(belief)
                   for each, belief in settled.beliefs.items()) or not settled.beliefs:  # fmt: skip
                del self.settled[name]

    def forget_looks(self, sight: Sight) -> None:
        """In another light, or from another place, what is seen looks otherwise from now on."""
        self.settled = {name: looks for name, looks in self.settled.items() if name in sight.unseen}

    def _looks(self, sight: Sight, places: Sequence[Place]) -> list[Floats]:
        """Per place (N, 3, S, S): it, its other spots, and the capstone of a trilith there, evened out."""
        return [crops[:, :3] for crops in self._crops(sight, places)]

    def _crops(self, sight: Sight, places: Sequence[Place]) -> list[Floats]:
        """Per place (N, CHANNELS, S, S) the same as the network looks at it."""
        parts = [self._parts(place) for place in places]
        flat = [part for each in parts for part in each]
        if not flat:
            return []
        return np.split(sight.crops(flat), np.cumsum([len(each) for each in parts])[:-1])

    def _parts(self, place: Place) -> list[Place]:
        """A place as it is looked at: itself, its other spots, and the capstone of a trilith there; an area
        in tiles, so small that a card's code shows in them."""
        if _is_area(place):
            return _tiles(self.board.fields[place.id])
        parts = [place, *(replace(place, at_mm=spot, spots=()) for spot in place.spots)]
        if any(body.shape == "trilith" for body in place.bodies):
            parts.append(top_place(self.board, place, ("disc", "figure")))
        return parts


def _is_area(place: Place) -> bool:
    return not place.radius_mm


def _tiles(area: Field) -> list[Place]:
    """The tiles of an area's box, as places."""
    xs, ys = zip(*area.outline_mm(), strict=True)
    across, down = (np.linspace(min(each), max(each), TILES + 1) for each in (xs, ys))
    found = []
    for (left, right), (top, bottom) in product(pairwise(across.tolist()), pairwise(down.tolist())):
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        found.append(replace(area_place(area), bodies=(Body(area.kind, (Prism(corners, 0.0, 1.0),), 1.0),)))
    return found


def _blurred(looks: Floats) -> Floats:
    """(N, S, S, 3) looks (N, 3, S, S), averaged over a small square."""
    return np.array([cv2.blur(each, (SQUARE, SQUARE)) for each in looks.transpose(0, 2, 3, 1)])


def _likeness(looks: Floats, others: Floats, own: NDArray[np.bool_]) -> float:
    """How well two looks (N, 3, S, S) correlate within their own pixels (N, S, S): -1..1."""
    if looks.shape != others.shape or not own.any():
        return -1.0
    channels = [each.transpose(1, 0, 2, 3)[:, own] for each in (looks, others)]
    return min(float(np.corrcoef(one, other)[0, 1]) for one, other in zip(*channels, strict=True))


def _likeliest(belief: Belief) -> Thing | None:
    return max(belief, key=belief.__getitem__, default=None)


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


def stayed(seen: Belief, lay: Belief, changes: float) -> dict[Thing | None, float]:
    """What is believed of a place after a picture, given what lay there before it and how likely that
    changes: Bayes' rule. What was left open before, as a figure's direction, may be anything now."""
    odds, nothing = {}, lay.get(None, 0.0)
    for thing in {*seen, *lay}:
        before = sum(chance for other, chance in lay.items() if _agrees(thing, other))
        prior = (1 - changes) * before + changes * (nothing * COMES + (1 - nothing) * _instead(thing))
        odds[thing] = max(seen.get(thing, 0.0), SURPRISE) * prior
    total = sum(odds.values())
    return {thing: chance / total for thing, chance in odds.items()}


def _instead(thing: Thing | None) -> float:
    return LEAVES if thing is None else REPLACED


def _agrees(thing: Thing | None, before: Thing | None) -> bool:
    if thing is None or before is None or thing == before:
        return thing == before
    if before.facing is None:
        thing = replace(thing, facing=None)
    if before.count is None and thing.count != 1:
        thing = replace(thing, count=None)
    return thing == before
