"""From a photograph to an observation: locate, even out the light, look at every place, decide."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from calibration.profile import Profile
from engine.board import Board, Field, load_board
from engine.observation import Observation, likeliest
from engine.position import TOP, Position, Thing, fields_of, thing_at
from vision.anywhere.free import ANYWHERE, FREE, free_place, read_free
from vision.colours.palette import Palette
from vision.colours.stone import covered_tops, stone_bgr
from vision.fields.behind import look_behind
from vision.fields.beliefs import (
    FORGET,
    HARDLY_A_TRILITH,
    TRILITH,
    apart,
    carried,
    covered_by_triliths,
    humbler,
    look_at,
    normal,
    one_figure_each,
    told,
    weighed,
)
from vision.fields.capstones import look_along, look_as_high_as_seen
from vision.fields.covered import BEHIND, LEAST_SEEN, OUTSIDE, UNKNOWN_PRINT, find_covered, ground_of
from vision.fields.facing import read_facings
from vision.fields.network import EMPTY, HIDDEN, Looks
from vision.fields.one_of_each import one_of_each
from vision.fields.places import (
    ANY_ON_TOP,
    GAME_PIECES,
    Place,
    bystanders_of,
    colours_of,
    places_of,
    top_place,
)
from vision.finding.finder import Finder, working_size
from vision.following.arm import UNDER_ARM, ArmWatch, Table
from vision.following.lying import lay_before
from vision.following.memory import Memory
from vision.following.track import MANY, Anchor
from vision.geometry.view import Array, View
from vision.pictures.images import halved, in_copy, is_colourless
from vision.prints.learnt_print import learn_print, look_under, look_under_cards
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.sight import Sight
from vision.stacked.heaps import read_heaps
from vision.stacked.stacks import read_stacks
from vision.stones.bare_faces import weigh_bare_faces
from vision.stones.digits import find_faces, read_stones
from vision.stones.stickers import weigh_sides
from vision.telling import observation_of, warnings_of
from vision.yards.areas import AreaSeen, area_place, areas_of, look_over, read_areas
from vision.yards.cards import SeenCard

Image = NDArray[np.uint8]
# Where the picture's edge leaves no more of a place's ground than this, only what is so sure is told.
CUT_OFF, SURE_OF_HALF = 0.45, 0.9
# Where so large a share of what was seen before looks just as it did, the light is the same.
SAME_LIGHT = 0.5
# How sure it is that in an area, from one picture to the next, nothing changes.
STAYS = 0.9
# What is empty, if it is not hidden, is hidden if that is so much likelier.
RATHER = 1.1
# Nobody marks a corner twice more exactly than this (working picture).
BY_HAND_PX = 4.0


class Reader:
    """Reads positions from pictures of one board.

    board: an id, the path of a board file, or a Board. game: restricts what may lie where. players: the
    colours that play. reference: (photo of the empty board, its corners or None to find it by its tags),
    for boards whose artwork is not known. profile: what `henge calibrate` learnt of this table: its lens,
    the pieces' colours, and its reference if none is given.

    The reader keeps its lock on the board from call to call."""

    def __init__(
        self,
        board: str | os.PathLike[str] | Board,
        game: str | None = None,
        players: Sequence[str] = (),
        profile: Profile | None = None,
        reference: tuple[Image, Array | None] | None = None,
    ) -> None:
        self.board = board if isinstance(board, Board) else load_board(board)
        self.game = game
        self.players = tuple(players)
        self.profile = profile
        self.places = places_of(self.board, game)
        self._knows_game = game in GAME_PIECES
        self._bystanders = bystanders_of(self.board, game)
        names = [colour for piece in self.board.pieces.values() for colour in piece.colours]
        self.palette = Palette.of(self.board, tuple(dict.fromkeys(names)))
        self._nominal = {kind: self.palette.nominal(self.board, game, kind) for kind in self.board.pieces}
        if profile is not None:
            self.palette = self.palette.with_known(profile.colours)
        self._colours = self.palette
        self._areas = areas_of(self.board, game)
        self._free = (free_place(self.board),) if game in FREE else ()
        self._sight: Sight | None = None
        self._anchor: Anchor | None = None
        self._memory = Memory(self.board)
        self._arms = ArmWatch(Table(self.board, self.places, self._areas))
        self._corners: Array | None = None
        self._finder = Finder(self.board, profile, reference)
        self._libraries = ThreadpoolController()

    def read(
        self, image: Image, before: Position | None = None, corners_px: Array | None = None
    ) -> Observation:
        """What lies on the board in `image`, uint8 (H, W, 3) BGR.

        before: what lay there at the last settled view, if known: at a first look the set's colours are
        learnt from it. On a board that is not ours, most places are believed to carry what they carried then;
        on ours what is believed comes from the pictures alone. corners_px: (4, 2), the board's corners as
        printed, where tags cannot be found. Raises vision.CannotRead in one sentence."""
        # Our matrices are small: a second thread of NumPy's algebra takes the processor from what needs it.
        with self._libraries.limit(limits=1, user_api="blas"):
            return self._read_picture(image, before, corners_px)

    def _read_picture(self, image: Image, before: Position | None, corners_px: Array | None) -> Observation:
        working, factor = working_size(image)
        corners = _shrunk(corners_px, factor)
        if before is not None:
            unseen = () if self._sight is None else self._sight.unseen.keys()
            self._memory.told(lay_before(before, self._names(self.places)), unseen)
        sight, still, arm = None, False, None
        if self._anchor is not None and self._same(corners):
            half = halved(working)
            still = self._anchor.still(half)
            if still:
                changed = self._anchor.changed(half)
                if changed and self._sight is not None:
                    arm = self._arms.arm_in(working, self._sight)
                if arm is not None:
                    working = arm.taken_off(working)
                    half = halved(working)
                    changed = self._anchor.changed(half)
                sight = self._again(working, half, changed, arm=arm is not None)
        if sight is None:
            last, self._corners = self._sight, corners
            if last is not None and last.surface.is_foreign:
                self._memory.note(last, self.places, self._areas)
            sight = self._finder.first_look(working, corners, last, still=still)
            self._read(
                sight, self.places, self._areas, free=True, learn=True, relit=last is not None,
                arm=arm is not None, before=before,
            )  # fmt: skip
            if sight.surface.guessed and before is not None:
                self._believe_areas(sight, before)
                self._settle(sight)
            watched = (*self.places, *(area_place(area) for area in self._areas), *self._free)
            self._anchor = Anchor.of(sight.image, sight.view, self.board, watched)
        if arm is None:
            self._arms.note(working)
        else:
            hidden = arm.hides(sight, self._arms.table)
            anywhere = (ANYWHERE,) if self._free else ()
            sight.unseen = dict.fromkeys((*hidden, *anywhere), UNDER_ARM) | sight.unseen
        self._sight = sight
        warnings = warnings_of(
            sight, self.profile, has_reference=self._finder.reference is not None,
            colourless=is_colourless(image),
        )  # fmt: skip
        return observation_of(self.board, self.game, sight, factor, warnings)

    def find(self, image: Image, corners_px: Array | None = None) -> Sight:
        """Where the board lies in a picture, what is printed on it and how it is lit; nothing is read and the
        lock stays as it is. See `read`."""
        working, factor = working_size(image)
        with self._libraries.limit(limits=1, user_api="blas"):
            return self._finder.first_look(working, _shrunk(corners_px, factor))

    def look(self, sight: Sight, places: tuple[Place, ...]) -> Looks:
        """What the networks say of N places, at least one, of which the picture shows enough."""
        return look_at(sight, places, self._bystanders, self._nominal, known_game=self._knows_game)

    def _same(self, corners_px: Array | None) -> bool:
        """Whether corners given by hand are, to a few pixels, those that the board was found by."""
        if corners_px is None:
            return True
        return self._corners is not None and bool(np.abs(corners_px - self._corners).max() < BY_HAND_PX)

    def forget(self) -> None:
        """Let go of the table: the next picture is looked at as if it were the first."""
        self._anchor = self._sight = None
        self._arms = ArmWatch(self._arms.table)
        self._memory = Memory(self.board)
        self._finder.settle(None)

    def learn(self, truth: Position) -> None:
        """A person says what lies in the picture that was read last: it stays so until something changes
        there, and the set's colours are learnt from it. Raises ValueError if nothing has been read yet."""
        sight = self._sight
        if sight is None:
            raise ValueError("nothing has been read yet")
        lying = {
            place: [replace(thing, count=number) if number > 1 else thing for thing, number in things.items()]
            for place, things in truth.things().items()
        }
        areas = {area.id for area in self._areas}
        # Who says what lies there has seen it; and what looks hidden on print that nobody knows need not be.
        occluded = {name for name in {*sight.unseen, *sight.beliefs}
                    if not set(truth.occluded).isdisjoint(fields_of(name))}  # fmt: skip
        sight.unseen = dict.fromkeys(occluded - lying.keys() - areas, BEHIND) | sight.unseen
        hidden = {name for name, why in sight.unseen.items() if why == OUTSIDE or name in occluded}
        sight.unseen = {name: why for name, why in sight.unseen.items()
                        if name in hidden or not (
                            name in lying or why == UNKNOWN_PRINT or sight.surface.guessed)}  # fmt: skip
        for name in {*sight.beliefs, *lying} - hidden - areas - {ANYWHERE}:
            first, *others = lying.get(name) or [None]
            sight.beliefs[name] = {first: 1.0}
            sight.below[name] = [thing_at(thing, name) for thing in others if thing]
        places = self._inside(sight, tuple(place for place in self.places if lying.get(place.id)))
        places = tuple(place for place in places if place.id not in sight.unseen)
        sight.loose = [
            piece for piece in truth.pieces if piece.field in areas or (self._free and not piece.place)
        ]
        self._memory.starts_with(sight.beliefs, sight.unseen)
        for area in areas:
            cards = (SeenCard.of(piece) for piece in sight.lying_in(area))
            self._memory.remember_cards(sight, {area: [card for card in cards if card]})
        if sight.surface.is_foreign:
            self._settle(sight)
        if places:
            looks = look_at(sight, places, known_game=self._knows_game)
            things = [lying[place.id][0] for place in places]
            known = np.array([[name == thing.colour for name in self.palette.names] for thing in things])
            weight = known.any(axis=1).astype(np.float32)
            kinds = [thing.kind for thing in things]
            at_mm = np.array([place.at_mm for place in places])
            self._colours = self.palette.on(sight.surface).adapted(
                looks.seen, known, weight, kinds, looks.around, at_mm
            )

    def _believe_areas(self, sight: Sight, before: Position) -> None:
        """What lies in areas on print that nobody knows cannot be read: most likely what lay there before."""
        for area in self._areas:
            if sight.unseen.get(area.id) == UNKNOWN_PRINT and area.id not in before.occluded:
                del sight.unseen[area.id]
                sight.loose += [replace(piece, confidence=STAYS) for piece in before.at(area.id)]

    def _settle(self, sight: Sight) -> None:
        """What lies in this picture is known: its print is that of the table from now on."""
        sight.surface = learn_print(self.board, sight, self.places, self._areas)
        sight.light = fit_light(sight.halves, sight.view, sight.surface)
        sight.consensus, sight.usual_steps = None, {}
        self._finder.settle(sight.surface)

    def _again(self, image: Image, half: Image, changed: set[str], *, arm: bool) -> Sight | None:
        """A picture, and half its size, of the same table from the same place: only what changed is read.
        None if so much changed (the light, most pieces) that a first look is better. changed: the places and
        areas that look different; arm: one was taken off the picture."""
        old, anchor = self._sight, self._anchor
        if old is None or anchor is None or image.shape != old.image.shape:
            return None
        clock = time.perf_counter()
        changed = changed | self._memory.doubted
        places = tuple(place for place in self.places if place.id in changed)
        areas = tuple(area for area in self._areas if area.id in changed)
        free = ANYWHERE in changed
        if len(places) > MANY * len(self.places):
            return None
        if old.surface.is_foreign:
            self._memory.note(old, places, areas)
        sight = replace(
            old,
            photo=image,
            beliefs=dict(old.beliefs),
            unseen={name: why for name, why in old.unseen.items() if why != UNDER_ARM},
            loose=[piece for piece in old.loose if piece.place and piece.field not in {a.id for a in areas}]
            + [piece for piece in old.loose if not piece.place and not free],
            below=dict(old.below),
            timings_ms={},
        )
        _lap(sight, "track", clock)
        for name in (*self._names(places), *(area.id for area in areas), *((ANYWHERE,) if free else ())):
            sight.unseen.pop(name, None)
        self._read(sight, places, areas, free=free, learn=False, arm=arm)
        if places or areas or free:
            anchor.last = half
        return sight

    @staticmethod
    def _names(places: Sequence[Place]) -> list[str]:
        """The places, and the capstones that may stand there."""
        return [name for place in places for name in (place.id, place.id + TOP)]

    @property
    def surface(self) -> Surface | None:
        """The artwork, where a photograph of the empty board shows it."""
        return self._finder.surface

    @property
    def sight(self) -> Sight | None:
        """Everything that is known of the last picture."""
        return self._sight

    @property
    def colours(self) -> Palette:
        """The colours of the set, as they were last learnt."""
        return self._colours

    @property
    def memory(self) -> Memory:
        """What earlier pictures tell of the table."""
        return self._memory

    def last_view(self, image: Image) -> View:
        """The view of the last picture read, in pixels of the full `image`."""
        if self._sight is None:
            raise ValueError("nothing has been read yet")
        view = self._sight.view
        return view.scaled(image.shape[1] / view.size_px[0], (image.shape[1], image.shape[0]))

    # --- places ----------------------------------------------------------------------------------

    def _read(
        self,
        sight: Sight,
        places: tuple[Place, ...],
        areas: tuple[Field, ...],
        *,
        free: bool,
        learn: bool,
        relit: bool = False,
        arm: bool = False,
        before: Position | None = None,
    ) -> None:
        """Read these places and areas, and with `free` what stands on no field; with `learn` the set's real
        colours are learnt from what is seen, and from what is known to have lain there before. relit: the
        table was looked at before, maybe in another light: not if much of it looks just as it did. arm: one
        is known to lie over the board."""
        known = self._memory.recognised(sight, places, areas)
        relit = relit and len(known) < SAME_LIGHT * len(places)
        for name, settled in known.items():
            settled.put_back(sight, name)
        places = tuple(place for place in places if place.id not in known)
        areas = tuple(area for area in areas if area.id not in known)
        with ThreadPoolExecutor(max_workers=1) as meanwhile:
            shown = meanwhile.submit(look_over, self.board, self.game, sight, areas, self._memory.cards)
            self._read_fields(sight, places, learn and not known, before)
        clock = time.perf_counter()
        # On our own print every picture is read by itself: that is surer than what lay there before.
        foreign = sight.surface.is_foreign
        shaded = foreign and (arm or self._memory.arm_over(sight, self.places))
        known, alike = self._memory.kept(sight, places, areas, anew=learn, shaded=shaded)
        for name, settled in known.items():
            settled.put_back(sight, name)
        places = tuple(place for place in places if place.id not in known)
        areas = tuple(area for area in areas if area.id not in known)
        shown_areas = [each for each in shown.result() if each.area in areas]
        if sight.surface.under_cards and not shaded:
            shown_areas = self._under_cards(sight, shown_areas)
        read_areas(self.board, self.game, self._colours, sight, self.places, areas, shown_areas)
        self._memory.remember_cards(sight, {each.area.id: each.cards for each in shown_areas})
        for name, settled in alike.items():
            settled.put_back_overlooked(sight, name)
        read = self._names(places)
        if free:
            # The pieces that stand there tell of the set's colours, too.
            colours = read_free(self.board, self.game, self._colours, sight)
            self._tell_tops(sight, colours, sight.beliefs.keys() & read)
            # Of a gate that nothing but the whole board told of the capstone was not looked at yet.
            if late := self._without_tops(sight, read):
                self._read_tops(sight, late)
                self._tell_tops(sight, colours, {name + TOP for name in late})
        sight.beliefs |= self._one_figure_each(sight, read)
        doubtful = [name for name in read if sight.surface.guessed or name in sight.surface.likened]
        sight.beliefs |= {name: humbler(sight.beliefs[name]) for name in doubtful if name in sight.beliefs}
        if foreign:
            self._memory.weigh(sight, places, areas, arm=shaded, relit=relit)
            if sight.surface.likened and not shaded:
                sight.surface = look_under(self.board, sight, places)
                self._finder.settle(sight.surface)
        self._memory.keep(sight, read, relit=relit)
        if learn and not arm:
            self._memory.forget_looks(sight)
        self._memory.forget_changed(sight, [each.id for each in (*places, *areas)])
        _lap(sight, "areas", clock)

    def _under_cards(self, sight: Sight, shown: list[AreaSeen]) -> list[AreaSeen]:
        """What areas show, once that is known which was under cards that have gone since."""
        seen = [each for each in shown if not each.hidden]
        areas = tuple(each.area for each in seen)
        surface = look_under_cards(sight, areas, [card for each in seen for card in each.cards])
        if surface is sight.surface:
            return shown
        sight.surface = surface
        self._finder.settle(surface)
        anew = look_over(self.board, self.game, sight, areas, self._memory.cards)
        return [*(each for each in shown if each.hidden), *anew]

    def _read_fields(
        self, sight: Sight, places: tuple[Place, ...], learn: bool, before: Position | None
    ) -> None:
        """What lies on these places: pieces, then digits, directions and counts."""
        clock = time.perf_counter()
        stones = self._read_places(sight, places, learn, before)
        find_covered(self.board, self.game, sight, places, self.places)
        sight.beliefs |= one_of_each(self.board, self.game, sight.seen(), {place.id for place in places})
        clock = _lap(sight, "places", clock)
        if stones:
            faces = find_faces(self.board, sight, list(stones))
            druid = self.board.pieces["druid"]
            stickers = weigh_sides(sight, faces, druid, self.palette, stones)
            weigh_bare_faces(sight, faces, druid, stickers)
            read_stones(self.board, sight, faces)
        clock = _lap(sight, "digits", clock)
        read_facings(self.board, sight, places)
        clock = _lap(sight, "facing", clock)
        read_stacks(self.board, self._colours, sight, places)
        clock = _lap(sight, "stacks", clock)
        read_heaps(sight, places)
        _lap(sight, "heaps", clock)

    def _read_places(
        self, sight: Sight, places: tuple[Place, ...], learn: bool, before: Position | None
    ) -> dict[str, NDArray[np.float32]]:
        """What lies on these places; returns where druid stones may lie, digits still to be read, and (3,)
        what is seen of each beside what it mirrors."""
        places = self._inside(sight, places)
        stones: dict[str, NDArray[np.float32]] = {}
        seen: dict[str, NDArray[np.float32]] = {}
        if places:
            looks = self.look(sight, places)
            seen = {place.id: each for place, each in zip(places, looks.seen, strict=True)}
            kinds = [self._kind(place, kind) for place, kind in zip(places, looks.kind, strict=True)]
            for place, kind, chances, matt in zip(places, kinds, looks.kind, looks.matt, strict=True):
                if kind == "druid" and chances[1 + place.slots[0]] > 0.05:
                    stones[place.id] = matt
            allowed = self.palette.allowed(self.board, self.game, kinds)
            at_mm = np.array([place.at_mm for place in places])
            if learn:
                pieces = 1 - looks.bare
                weight = pieces * (pieces > 0.5) * (allowed.sum(axis=1) > 1)
                known = self._unchanged(places, kinds, allowed, before) if before else allowed
                self._colours = self.palette.on(sight.surface).adapted(
                    looks.seen, known, weight, kinds, looks.around, at_mm
                )
            colours = self._colours.beliefs(looks.seen, allowed, kinds, looks.around, looks.matt, at_mm)
            self._believe(sight, places, looks.kind, colours, self._colours.names)
        tops = self._read_tops(sight, {place.id for place in places})
        look_behind(self.board, self.game, self._colours, sight, places, tops, seen)
        return stones

    def _unchanged(
        self, places: tuple[Place, ...], kinds: list[str], allowed: NDArray[np.bool_], before: Position
    ) -> NDArray[np.bool_]:
        """`allowed`, but where the same kind of piece lay before, only that one's colour: most pieces stay.
        One that did not is far from its colour and teaches nothing."""
        lay = before.things()
        found = allowed.copy()
        for row, place, kind in zip(found, places, kinds, strict=True):
            colours = {thing.colour for thing in lay.get(place.id, ()) if thing.kind == kind}
            if colours:
                row &= [name in colours for name in self.palette.names]
        return found

    def _kind(self, place: Place, kind: NDArray[np.float32]) -> str:
        """The most likely kind of piece on this place, if there is one."""
        return place.likeliest(kind)[1].kind

    def _believe(
        self,
        sight: Sight,
        places: tuple[Place, ...],
        kind: NDArray[np.float32],
        colour: NDArray[np.float32],
        names: tuple[str, ...],
    ) -> None:
        # What is to be believed less must not have been rounded to certainty.
        forget = 0.0 if sight.surface.guessed else FORGET
        for place, chances, colours in zip(places, weighed(places, kind), colour, strict=True):
            belief: dict[Thing | None, float] = {None: float(chances[EMPTY])}
            for slot, body in zip(place.slots, place.bodies, strict=True):
                of_kind = colours_of(self.board, self.game, body.kind)
                share = np.array([c if n in of_kind else 0.0 for n, c in zip(names, colours, strict=True)])
                share = (
                    share / share.sum()
                    if share.sum() > 1e-9
                    else np.array([n in of_kind for n in names]) / len(of_kind)
                )
                for name, part in zip(names, share, strict=True):
                    if part * chances[1 + slot] > forget:
                        belief[Thing(body.kind, name, count=body.count)] = float(part * chances[1 + slot])
            hidden = float(chances[HIDDEN])
            rather_hidden = likeliest(belief) is None and hidden > RATHER * float(chances[EMPTY])
            if hidden > 0.5 or rather_hidden:
                sight.unseen[place.id] = BEHIND
            sight.beliefs[place.id] = normal(belief, hidden)
        for place, share in zip(places, _shown(sight, places), strict=True):
            thing, confidence = told(sight.beliefs[place.id])
            if share < CUT_OFF and (thing is None or confidence < SURE_OF_HALF):
                _note_outside(sight, place)

    def _read_tops(self, sight: Sight, under: set[str]) -> tuple[Place, ...]:
        """What stands on the capstones of the triliths seen at the places `under`, and where these are. What
        lies so high that only a trilith can carry it speaks for one that was hardly recognised."""
        kinds = GAME_PIECES.get(self.game or "", ANY_ON_TOP).get("top", ())
        # From above a disc on a capstone is like a figure; but its colour's only one may stand elsewhere.
        sight.beliefs |= self._one_figure_each(sight, under)
        likely = []
        for place in (each for each in self.places if each.id in under):
            sight.beliefs.pop(place.id + TOP, None)
            sight.unseen.pop(place.id + TOP, None)
            if sight.beliefs.get(place.id, {}).get(TRILITH, 0) > HARDLY_A_TRILITH:
                if place.id in sight.unseen:
                    sight.unseen[place.id + TOP] = sight.unseen[place.id]
                else:
                    likely.append(place)
        tops = self._inside(sight, tuple(top_place(self.board, place, kinds) for place in likely))
        tops = tuple(replace(top, under_bgr=stone_bgr(sight, top)) for top in tops)
        tops = tuple(top for top in tops if top.bodies)
        sight.tops = None
        if not tops:
            return ()
        carriers = [top.id.removesuffix(TOP) for top in tops]
        tops, looks = look_as_high_as_seen(sight, tops)
        bearing = dict(zip(carriers, 1 - looks.bare, strict=True))
        for carrier, on_top in bearing.items():
            sight.beliefs[carrier] = carried(sight.beliefs[carrier], float(on_top))
        # Those that look as before stand where they stood.
        others = (place for place in self.places if place.id not in under and place.id not in sight.unseen)
        apart(sight.beliefs, likely, bearing, covered_by_triliths(sight.beliefs, others))
        stands = np.array([sight.beliefs[carrier].get(TRILITH, 0) > 0.5 for carrier in carriers])
        tops = tuple(top for top, kept in zip(tops, stands, strict=True) if kept)
        if not tops:
            return ()
        tops, looks = look_along(sight, tops, looks.of(stands), self.places)
        sight.tops = tops, looks
        self._tell_tops(sight, self._colours, [top.id for top in tops])
        for top, covered in zip(tops, covered_tops(sight, tops), strict=True):
            if covered and sight.beliefs[top.id].get(None, 0.0) > 0.5:
                sight.unseen |= {top.id: BEHIND, top.id.removesuffix(TOP): BEHIND}
        return tops

    def _without_tops(self, sight: Sight, read: Collection[str]) -> set[str]:
        """Those of the places just `read` on which a trilith is seen whose capstone nobody has looked at."""
        seen = sight.beliefs.keys() | sight.unseen.keys()
        on = (name for name in read if name not in sight.unseen and name + TOP not in seen)
        return {name for name in on if sight.beliefs.get(name, {}).get(TRILITH, 0) > 0.5}

    def _tell_tops(self, sight: Sight, palette: Palette, names: Collection[str]) -> None:
        """What lies on those capstones with these names that were looked at, in the palette's colours."""
        if sight.tops is None:
            return
        wanted = np.array([top.id in names for top in sight.tops[0]])
        tops, looks = tuple(compress(sight.tops[0], wanted)), sight.tops[1].of(wanted)
        if not tops:
            return
        kinds = [self._kind(place, chances) for place, chances in zip(tops, looks.kind, strict=True)]
        colours = palette.told(looks, self.board, self.game, kinds)
        self._believe(sight, tops, looks.kind, colours, palette.names)

    def _one_figure_each(self, sight: Sight, read: Collection[str]) -> dict[str, dict[Thing | None, float]]:
        """The beliefs of the places that were just `read`, since a set has one figure of each colour; nobody
        knows that of the sets of games of one's own."""
        if not self._knows_game:
            return {}
        return one_figure_each(sight.seen(), sight.loose, read)

    def _inside(self, sight: Sight, places: tuple[Place, ...]) -> tuple[Place, ...]:
        """The places of which the picture shows enough; the others are noted as unseen."""
        found = []
        for place, share in zip(places, _shown(sight, places), strict=True):
            if share >= LEAST_SEEN:
                found.append(place)
            else:
                _note_outside(sight, place)
        return tuple(found)


def _shrunk(corners_px: Array | None, factor: float) -> Array | None:
    """Corners in a picture that is `factor` times as large."""
    return None if corners_px is None else in_copy(np.asarray(corners_px, float), factor)


def _shown(sight: Sight, places: tuple[Place, ...]) -> NDArray[np.float64]:
    """(N,) the share of each place's ground that lies inside the picture."""
    if not places:
        return np.zeros(0)
    return np.asarray(sight.view.shows(*ground_of(places)).reshape(len(places), -1).mean(axis=1))


def _note_outside(sight: Sight, place: Place) -> None:
    sight.unseen[place.id] = OUTSIDE
    things = {Thing(body.kind, None): 0.5 / len(place.bodies) for body in place.bodies}
    sight.beliefs[place.id] = normal({None: 0.5, **things}, 0.0)


def _lap(sight: Sight, stage: str, since: float) -> float:
    now = time.perf_counter()
    sight.timings_ms[stage] = (now - since) * 1e3
    return now
