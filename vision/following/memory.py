"""What earlier pictures of the same table tell of a new one.

Between two pictures of an evening hardly anything changes. A place that looks just as it did when what lies
there was last told, before an arm or its shadow came, carries that still: it need not be read again. And
where the print was never seen empty by itself, so that the networks err, most places carry what they carried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from engine.observation import Belief, likeliest
from engine.position import TOP, Piece
from vision.colours.shades import differs
from vision.fields.covered import BEHIND, SHRINK, TOO_BRIGHT, ground_of, outlines_read
from vision.fields.crops import CROP_PX, frame_of
from vision.fields.places import Place, top_place
from vision.following.arm import UNDER_ARM
from vision.following.changes import (
    NOISE,
    Apart,
    Evidence,
    Kind,
    Watched,
    apart_of,
    blurred,
    changed,
    differences,
    likeness,
    shared_details,
    undisturbed,
)
from vision.following.lying import after, agrees, perhaps_gone, share_of, usual_for
from vision.following.neighbours import Compared, without_others
from vision.geometry.bodies import Body, Prism, body_of
from vision.sight import Sight
from vision.yards.areas import area_place
from vision.yards.cards import SeenCard
from vision.yards.known_cards import KnownCard

Floats = NDArray[np.float32]
# Two looks (0..1) are the same if they nowhere differ by more than this (see `changes.differences`). Of 354
# unchanged places of two tables between two pictures in one light 99 % are the same so, of 15 changed none.
SAME = 0.05
# An area is so much larger that somewhere in it the difference is greater.
SAME_AREA = 0.07
# So many places are compared with how they looked at once: all of them need more memory than anything else.
AT_ONCE = 24
# An area is looked at in so many tiles each way.
TILES = 4
# An arm hides so many more places than the picture before, of whose ground no more than this lies behind
# pieces.
ARM_HIDES, BEHIND_PIECES = 2, 0.5
# Of what an arm hides in part so much must look as it did, and show its details (correlation; 0.6 and more on
# 23 places in two dozen evenings, at most 0.1 on three under a hand of the print's colour); in another light
# an area must be so like itself.
STILL_SAME, STILL_SHOWN, ALIKE = 0.3, 0.3, 0.45
# So sure one must be of what lies where nobody has seen it before.
SURELY_SEEN = 0.8
# So sure it must be that a place was bare for what looks just like that to be bare again.
SURELY_BARE = 0.9
# Where more than this of a place shows something else, in whatever shadow, it is not as it was; and in the
# same light.
SURELY_OTHER, OTHER = 0.15, 0.05


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

    def put_back_overlooked(self, sight: Sight, area: str) -> None:
        """An area looks much as it did: what is read there counts if it is more, not if it is less or another
        thing."""
        lay, read = (Counter(map(_what, pieces)) for pieces in (self.pieces, sight.lying_in(area)))
        if not read >= lay:
            sight.loose = [piece for piece in sight.loose if piece.field != area]
            self.put_back(sight, area)


def _what(piece: Piece) -> tuple[object, ...]:
    return piece.kind, piece.colour, piece.number, piece.face


@dataclass
class Memory:
    """What is known of one table in front of one camera. settled: how each place looked before it last
    looked different; lay: what lay on it when it was last seen; hidden: what could not be seen in the last
    picture; doubted: where an arm over the board made that look as if it had changed; apart: how each place
    that looks different differs from that; undisturbed: the areas that only a shadow seems to make look so;
    weighed: what told whether something else lies there; cards: those whose tags were read in each area, and
    that still lie there; unlike: the places that look otherwise than they did and carry the same; bare: how
    places looked in this light when they were last bare; as_bare: those that look so again; renewed: those
    whose newest look counts from now on, since the light is that of the picture before."""

    board: Board
    settled: dict[str, Settled] = field(default_factory=dict)
    lay: dict[str, Belief] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()
    apart: dict[str, Apart] = field(default_factory=dict)
    undisturbed: set[str] = field(default_factory=set)
    weighed: dict[str, Evidence] = field(default_factory=dict)
    cards: dict[str, tuple[KnownCard, ...]] = field(default_factory=dict)
    unlike: set[str] = field(default_factory=set)
    renewed: set[str] = field(default_factory=set)
    bare: dict[str, NDArray[np.float16]] = field(default_factory=dict)
    as_bare: set[str] = field(default_factory=set)

    def starts_with(self, beliefs: Mapping[str, Belief], hidden: Collection[str]) -> None:
        """It is known what lies there, but for what is hidden."""
        lay = {name: belief for name, belief in beliefs.items() if name not in hidden}
        self.settled, self.lay, self.hidden = {}, lay, frozenset(hidden)

    def told(self, lay: Mapping[str, Belief], unseen: Collection[str]) -> None:
        """A position says what lay there before the next picture. That it shows nothing on a place that was
        `unseen` in the last one says nothing; where it shows what was read, that is no surer than it was."""
        self.lay |= {
            name: belief for name, belief in lay.items()
            if (name not in unseen or likeliest(belief) is not None)
            and not (name in self.lay and agrees(likeliest(self.lay[name]), likeliest(belief)))
        }  # fmt: skip

    def note(self, sight: Sight, places: Iterable[Place], areas: Iterable[Field]) -> None:
        """Before these places and areas are read in a new picture: how they looked in the last one, which is
        `sight`. Of those that could not be seen there, what is known from before that stays known; an arm
        was taken off, so that what it hid looks as it last did."""
        unseen = {name for name, why in sight.unseen.items() if why != UNDER_ARM}
        seen = [each for each in places if not {each.id, each.id + TOP} & unseen]
        seen = [each for each in seen if each.id not in self.settled and each.id in sight.beliefs]
        for place, looks in zip(seen, self._looks(sight, seen), strict=True):
            names = [name for name in (place.id, place.id + TOP) if name in sight.beliefs]
            beliefs = {name: sight.beliefs[name] for name in names}
            below = tuple(piece for name in names for piece in sight.below.get(name, ()))
            self.settled[place.id] = Settled(looks, beliefs, below)
            if beliefs[place.id].get(None, 0.0) > SURELY_BARE:
                self.bare[place.id] = looks[:1].astype(np.float16)
        shown = [area_place(area) for area in areas if area.id not in {*unseen, *self.settled}]
        for area, looks in zip(shown, self._looks(sight, shown), strict=True):
            self.settled[area.id] = Settled(looks, {}, tuple(sight.lying_in(area.id)))

    def recognised(self, sight: Sight, places: Iterable[Place], areas: Iterable[Field]) -> dict[str, Settled]:
        """Those of these places and areas that look as they did, and what is known of them."""
        watched = [*places, *(area_place(area) for area in areas)]
        known = [place for place in watched if place.id in self.settled]
        self.undisturbed, self.as_bare, self.apart, found = set(), set(), {}, {}
        for some in _some_at_once(known):
            pairs = dict[str, tuple[Floats, Floats]]()
            for place, crops in zip(some, self._crops(sight, some), strict=True):
                before = self.settled[place.id]
                own = self._own(sight, place)
                most = differences(crops[:, :3], before.looks)[own].max()
                if most < (SAME_AREA if _is_area(place) else SAME):
                    found[place.id] = before
                    self.unlike -= {place.id, place.id + TOP}
                elif _is_area(place):
                    if undisturbed(crops[:, :3], before.looks, own):
                        self.undisturbed.add(place.id)
                elif len(crops) == len(before.looks):
                    bare = self.bare.get(place.id)
                    if bare is not None and differences(crops[:1, :3], bare.astype(np.float32)).max() < SAME:
                        self.as_bare.add(place.id)
                    pairs[place.id] = crops[0], before.looks[0]
                    if _may_carry(place):
                        pairs[place.id + TOP] = crops[-1], before.looks[-1]
            self.apart |= apart_of(pairs)
        return found

    def kept(
        self, sight: Sight, places: Sequence[Place], areas: Sequence[Field], *, anew: bool, shaded: bool
    ) -> tuple[dict[str, Settled], dict[str, Settled]]:
        """What is known of those of these places and areas that carry what they did, whatever is read there;
        and of areas in which not less lies, unless they look otherwise. anew: all of the board is looked at,
        maybe in another light; shaded: an arm is over it."""
        alike = self.alike(sight, places, areas, anew=anew) if anew or shaded else {}
        alike |= {name: self.settled[name] for name in self.undisturbed}
        if shaded:
            return alike | self.half_seen(sight, places, areas), {}
        readable = {area.id for area in areas if sight.surface.shows(area.id)} & alike.keys()
        unread = {name: settled for name, settled in alike.items() if name not in readable}
        return unread, {name: alike[name] for name in readable}

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
            now, before = (blurred(looks) for looks in (own[:, :3], settled.looks))
            same = not differs(now, before)[counted].mean() > 1 - STILL_SAME
            if same and shared_details(own[:, :3], settled.looks, counted) > STILL_SHOWN:
                found[place.id] = settled
        return found

    def alike(
        self, sight: Sight, places: Iterable[Place], areas: Iterable[Field], *, anew: bool
    ) -> dict[str, Settled]:
        """Where reading is of no use, those that are like themselves in another light: under an arm, of these
        areas those whose print nobody knows; and if all of the board was looked at `anew`, all of them, and
        of the places those that seem hidden now and show nothing else."""
        hidden = (place for place in places if anew and sight.unseen.get(place.id) == BEHIND)
        unread = sight.surface.hidden if not (anew or sight.surface.guessed) else self.settled.keys()
        # Of what was not known in the last picture either, an older look tells nothing.
        watched = [*hidden, *(area_place(area) for area in areas if area.id in unread - self.hidden)]
        known = [place for place in watched if place.id in self.settled]
        found = {}
        for place, now in zip(known, self._crops(sight, known), strict=True):
            settled = self.settled[place.id]
            if not likeness(now[:, :3], settled.looks, self._own(sight, place)) > ALIKE:
                continue
            if not _is_area(place) and Apart.of(now[0], settled.looks[0]).other > SURELY_OTHER:
                # What was hidden before is so now, but what is left to be seen of it is something else.
                del self.settled[place.id]
            else:
                found[place.id] = settled
        return found

    def weigh(
        self, sight: Sight, places: Sequence[Place], areas: Sequence[Field], *, arm: bool, relit: bool
    ) -> None:
        """After these places and areas were read, which all look different now: what lay there before counts,
        too. arm: one is over the board; relit: the light may be another than in the picture before."""
        at = {name: place for place in places for name in (place.id, place.id + TOP)}
        self.weighed, self.renewed, doubted, seen_in = {}, set(), set(), dict[str, Belief]()
        for name in self.as_bare & at.keys():
            _clear(sight, name)
        for name in at:
            seen, lay = sight.beliefs.get(name), self.lay.get(name)
            if seen is None:
                continue
            if lay is None:
                if name in self.hidden and max(seen.values()) < SURELY_SEEN:
                    sight.unseen.setdefault(name, BEHIND)
                continue
            if name in sight.unseen:
                sight.beliefs[name] = dict(lay)
                if not arm and self._as_before(name):
                    del sight.unseen[name]
                elif not arm and self._shows_another(name, relit=relit):
                    # What is left to be seen of it looks otherwise now: the earlier look tells no more.
                    self.settled.pop(name, None)
                    if sight.unseen[name] == TOO_BRIGHT and likeliest(lay) is not None:
                        # Nothing stands before it: what lay there has gone, or mirrors a lamp.
                        self.lay[name] = perhaps_gone(lay)
            else:
                stays = sum(chance * share_of(thing, lay) for thing, chance in seen.items())
                gone = 0.0 if likeliest(lay) is None else seen.get(None, 0.0)
                self.weighed[name] = Evidence(
                    stays / max(lay.values()), self.apart.get(name), arm, relit, gone
                )
            seen_in[name] = seen
        if not arm and not relit:
            both = self.weighed.keys() & self.apart.keys()
            self.renewed = {name for name in both if at[name].id in self.settled}
            compared = {name: self._compared(name, at[name], seen_in[name]) for name in self.renewed}
            self.weighed |= without_others(sight, compared)
        chances = changed(
            {
                name: Watched(each, at[name].at_mm, *self._lay_and_shows(name, seen_in[name]))
                for name, each in self.weighed.items()
            },
            [area.outline_mm() for area in areas if self._carries_another(sight, area)],
        )
        self.unlike |= {name for name, chance in chances.items() if chance < 0.5}
        for name, seen in seen_in.items():
            if name in chances:
                sight.beliefs[name] = after(seen, self.lay[name], chances[name], relit=relit)
            if arm and likeliest(sight.beliefs[name]) != likeliest(seen):
                doubted.add(name.removesuffix(TOP))
        self.doubted = frozenset(doubted)
        for name in at:
            # A trilith that is told after all carries what it carried.
            if name.endswith(TOP) and name not in sight.beliefs and name in self.lay:
                carrier = likeliest(sight.beliefs.get(name.removesuffix(TOP), {}))
                if carrier is not None and carrier.kind == "trilith":
                    sight.beliefs[name] = dict(self.lay[name])

    def _compared(self, name: str, place: Place, seen: Belief) -> Compared:
        """A place that looks otherwise, or the capstone there, as it is compared with its neighbours."""
        part = -1 if name.endswith(TOP) else 0
        looked_at = self._parts(place)[part]
        _, *kinds = self._lay_and_shows(name, seen)
        lay, shows = (
            (body_of(self.board.pieces[kind[0]]), place.at_mm, place.angle_deg, looked_at.ground_mm)
            if kind else None
            for kind in kinds
        )  # fmt: skip
        return Compared(looked_at, self.settled[place.id].looks[part], self.weighed[name], lay, shows)

    def _lay_and_shows(self, name: str, seen: Belief) -> tuple[bool, Kind | None, Kind | None]:
        """Whether a place was bare and looked as it did, and the kind and colour of what lay there and of
        what else it shows most likely."""
        lay = likeliest(self.lay[name])
        others = {
            thing: chance * usual_for(thing) for thing, chance in seen.items() if not agrees(thing, lay)
        }
        kinds = [None if each is None else (each.kind, each.colour) for each in (lay, likeliest(others))]
        return name not in self.unlike and lay is None, kinds[0], kinds[1]

    def _carries_another(self, sight: Sight, area: Field) -> bool:
        """Whether in an area, after it was read, other things lie than before; if that is known."""
        before = self.settled.get(area.id)
        now = Counter(map(_what, sight.lying_in(area.id)))
        return before is None or Counter(map(_what, before.pieces)) != now

    def _as_before(self, name: str) -> bool:
        """Whether a place that was seen before, and seems hidden now, shows nothing else."""
        apart = self.apart.get(name)
        return name not in self.hidden and apart is not None and apart.other < NOISE

    def _shows_another(self, name: str, *, relit: bool) -> bool:
        """Whether a place shows something else than it did, in whatever shadow."""
        apart = self.apart.get(name)
        return apart is not None and apart.other > (SURELY_OTHER if relit else OTHER)

    def keep(self, sight: Sight, read: Iterable[str], *, relit: bool) -> None:
        """Remember what was read in this picture. What is told as before is surer for that only in another
        light, and never less sure: what one picture of a camera shows wrongly the next one shows wrongly,
        too."""
        for name in read:
            seen, lay = sight.beliefs.get(name), self.lay.get(name)
            if seen is None or name in sight.unseen:
                continue
            if lay is None or likeliest(seen) != likeliest(lay) or name in self.renewed:
                self.lay[name] = seen
            elif relit:
                self.lay[name] = max(seen, lay, key=lambda belief: max(belief.values()))
        self.hidden = frozenset(sight.unseen)

    def remember_cards(self, sight: Sight, seen: Mapping[str, Sequence[SeenCard]]) -> None:
        """The cards that were seen in these areas; of those that lay there before how they looked first."""
        for area in seen.keys() - sight.unseen.keys():
            known = {each.card: each for each in self.cards.get(area, ())}
            self.cards[area] = tuple(known.get(card) or KnownCard.of(sight, card) for card in seen[area])

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
        """After these were read: of what was seen to carry something else the earlier look is of no use, and
        in one light the newest tells most."""
        for name in names:
            settled = self.settled.get(name)
            if settled is None or name in sight.unseen:
                continue
            another = not settled.beliefs or any(
                likeliest(sight.beliefs.get(each, {})) != likeliest(belief)
                for each, belief in settled.beliefs.items()
            )
            if another or name in self.renewed:
                del self.settled[name]
                self.unlike -= {name, name + TOP}

    def forget_looks(self, sight: Sight) -> None:
        """In another light, or from another place, what is seen looks otherwise from now on."""
        self.settled = {name: looks for name, looks in self.settled.items() if name in sight.unseen}
        self.unlike, self.bare = set(), {}

    def _looks(self, sight: Sight, places: Sequence[Place]) -> list[Floats]:
        """Per place (N, 3, S, S): it, its other spots, and the capstone of a trilith there, evened out."""
        # Copies: of a part all of it would be kept.
        return [crops[:, :3].copy() for some in _some_at_once(places) for crops in self._crops(sight, some)]

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
        if _may_carry(place):
            parts.append(top_place(self.board, place, ("disc", "figure")))
        return parts


def _some_at_once(places: Sequence[Place]) -> Iterator[Sequence[Place]]:
    return (places[first : first + AT_ONCE] for first in range(0, len(places), AT_ONCE))


def _clear(sight: Sight, place: str) -> None:
    """Nothing lies there, and it is seen."""
    sight.beliefs[place] = {None: 1.0}
    sight.beliefs.pop(place + TOP, None)
    for name in (place, place + TOP):
        sight.unseen.pop(name, None)
        sight.below.pop(name, None)


def _is_area(place: Place) -> bool:
    return not place.radius_mm


def _may_carry(place: Place) -> bool:
    """Whether a trilith may stand there: its capstone is the last of the place's parts."""
    return any(body.shape == "trilith" for body in place.bodies)


def _tiles(area: Field) -> list[Place]:
    """The tiles of an area's box, as places."""
    xs, ys = zip(*area.outline_mm(), strict=True)
    across, down = (np.linspace(min(each), max(each), TILES + 1) for each in (xs, ys))
    found = []
    for (left, right), (top, bottom) in product(pairwise(across.tolist()), pairwise(down.tolist())):
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        found.append(replace(area_place(area), bodies=(Body(area.kind, (Prism(corners, 0.0, 1.0),), 1.0),)))
    return found
