"""How many discs lie on one another in a pit, and of which colours.

How wide the discs of this set are, how dark their sides, of which shade each colour, and how the photograph
shows the print is learnt from all pits of the picture together. Each pit is then asked what one, two or
three discs explain (`piles.py`), thin ones and thick ones; how thick they are all pits together say. From
straight above only the top disc can be seen, and a white disc below another on white print hardly: then as
many are read as are seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import likeliest
from engine.position import Thing, thing_at
from vision.colours.palette import Palette
from vision.fields.beliefs import FORGET, normal
from vision.fields.crops import CROP_PX, frames_of, on_plane, pixels_of, sampled
from vision.fields.places import Place
from vision.geometry.bodies import Body, body_of
from vision.geometry.fitting import scaled_body
from vision.geometry.view import Array, View, within
from vision.stacked.layers import asked_of
from vision.stacked.piles import MOST, Pile, Sweep, drawn, several, single, sweep
from vision.stacked.sides import BOARD_SPREAD, TOP_SPREAD, Likeness, as_seen, unlike, unlike_sides

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# The kind of field on which discs lie on one another.
PIT, DISC = "pit", "disc"
# The logarithms of how often one disc lies in a pit that is not empty, two, three.
USUAL = np.log([0.96, 0.035, 0.005])
# How usual the network, which learnt from many, takes them for (compared with other shares on 1,194 piles by
# another renderer).
LEARNT = np.log([0.77, 0.19, 0.04])
# Where it is as sure as this of one disc, no more are looked for.
SURELY_ONE = math.log(0.99)
# So much better (logits) another colour must suit the uppermost disc than the one that was read; the log-odds
# of several discs, with the colour that was read, count so much with it. (Of 18 piles in 82 photographs that
# another colour suits better eight are then read in it, rightly; two of the others should be, too.)
CLEARLY, SEVERAL = 2.0, 2.0
# Where the network, with the colour that was read, hardly sees several discs (log-odds), no other one is
# tried: of 1,185 piles in 130 photographs 15 are taken for another colour, none below -1.2.
HARDLY_SEVERAL = -2.5
# A lower disc has a colour; where none is so likely, it counts so much less. (Of 116 piles in 130 photographs
# that were told as several, four were less clear: all single discs in shadow.)
CLEAR_COLOUR, UNCLEAR = 0.7, 0.05
# The logarithm of how seldom a disc alone is read in quite another colour than its top's.
ALONE = math.log(0.1)
# What is told of a pile is at least so likely: it is what is likeliest.
TOLD = 0.51
# What is explained counts so little beside what the network says, of how many discs there are and of which
# colours: pixels err together. (Of 2,705 piles 30 were counted wrong with 0.2, 15 with 0.1, 11 with 0.02,
# as with the network alone, which finds one pile of several less; and the 14 times that a recorded evening
# shows one with two rows of pixels of its lower disc, 9, 9 and 14.)
SHARE, SHARE_OF_COLOURS = 0.1, 0.2
# How wide discs may be, as a share of the board file's: first these, then in between by such steps; so many
# pits tell. How thick, and how far that usually is from the board file's.
PLANS, PLAN_STEPS, TEACHERS = (0.85, 1.0, 1.15, 1.3), (0.05, 0.025), 6
TALLS, TALL_SPREAD = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35), 0.18
_TALL_CHANCE = -0.5 * (np.log(TALLS) / TALL_SPREAD) ** 2
# The widths are compared at every second thickness; one that is so much less likely is let go.
UNLIKELY = -3.0
# The pits of a picture err alike (blur, shadows): all together say no more than so many.
ALIKE = 10.0
# Discs askew are looked for where straight ones explain hardly less than fewer of them.
HARDLY = 1.5
# How dark sides usually are, how far they at least differ, and as much as how many pits that counts.
DARK, DARK_SPREAD, DARK_PITS = 0.75, 0.25, 2
# Pieces further away than this do not reach into a pit's picture (mm).
NEAR_MM = 60.0
# So far around the largest pile pixels are looked at, for a single disc and for several.
AROUND_PX = (5, 5), (9, 9)
# Of a shade that fewer pixels of the crop show nothing is learnt.
FEW_PX = 8


@dataclass(frozen=True)
class Discs:
    """The discs of the set on the table: the board file's solid, how wide they are against it, which of
    `TALLS` they may be and most likely are, how dark their sides are and how far that differs, and (P, 3) the
    shades of their colours; and gain and offset by which the photograph shows the print."""

    nominal: Body
    shades: Floats
    plan: float = 1.0
    talls: tuple[int, ...] = tuple(range(len(TALLS)))
    likeliest: int = TALLS.index(1.0)
    dark: float = DARK
    dark_spread: float = DARK_SPREAD
    look: tuple[Floats, Floats] = (np.ones(3, np.float32), np.zeros(3, np.float32))

    def body(self, tall: float) -> Body:
        """A disc, `tall` times as thick as the board file's."""
        return scaled_body(self.nominal, self.plan, tall)


def read_stacks(board: Board, palette: Palette, sight: Sight, places: Sequence[Place]) -> None:
    """Where more than one disc is seen in a pit, tell of the others too: equal ones as a count, others as
    pieces below the one that was read. All pits of the picture that hold a disc help to learn the set; only
    `places` are read."""
    names = colours_of_discs(board, palette)
    pits = filled(board, sight)
    wanted = {place.id for place in places}
    for place in wanted:
        sight.below.pop(place, None)
    if not pits or not names or not any(pit.id in wanted for pit in pits):
        return
    shades = palette.of_pieces(DISC).shades[[palette.names.index(name) for name in names]]
    piles = looked_at(sight, pits, names)
    discs = Discs(pits[0].bodies[0], shades)
    discs = learnt(piles, discs)
    chances = _counted(piles, discs)
    stacks = np.flatnonzero(chances.argmax(axis=1))
    layers = _layers([(piles[number], 1 + int(chances[number].argmax())) for number in stacks], discs)
    colours = dict(zip(stacks.tolist(), layers, strict=True))
    for number, of_layers in colours.items():
        chances[number] = without_shadows(chances[number], of_layers)
    for number, (pile, each) in enumerate(zip(piles, chances, strict=True)):
        if pile.pit.id in wanted:
            tell(sight, pile.pit.id, names, each, colours.get(number) if each.argmax() else None)


def colours_of_discs(board: Board, palette: Palette) -> list[str]:
    """The colours in which the board has discs, in the palette's order."""
    discs = board.pieces.get(DISC)
    return [name for name in palette.names if discs is not None and name in discs.colours]


def without_shadows(chances: Floats, layers: Floats) -> Floats:
    """(MOST,) the chances of one disc, two, ..., where a lower one of no clear colour is rather a shadow on
    the pit's rim; layers: (MOST, P) chances of the colours from above."""
    told = 1 + int(chances.argmax())
    unclear = np.flatnonzero(layers[1:told].max(axis=1) < CLEAR_COLOUR)
    weighed = chances.copy()
    if len(unclear):
        weighed[1 + unclear[0] :] *= UNCLEAR
    return np.asarray(weighed / weighed.sum(), np.float32)


def filled(board: Board, sight: Sight) -> list[Place]:
    """The pits in which a disc was read."""
    disc = body_of(board.pieces[DISC]) if DISC in board.pieces else None
    found = []
    for field in board.fields_of_kind(PIT):
        belief = sight.beliefs.get(field.id)
        if disc is None or not belief or field.id in sight.unseen:
            continue
        thing = likeliest(belief)
        if thing is not None and thing.kind == DISC:
            found.append(Place(field.id, field.centre_mm, 0.0, (disc,), 2.0))
    return found


def looked_at(sight: Sight, pits: list[Place], names: list[str]) -> list[Pile]:
    """The pits' pictures."""
    high = tuple(replace(pit, bodies=(scaled_body(pit.bodies[0], 1.0, 3.0),)) for pit in pits)
    view, disc = sight.view, pits[0].bodies[0]
    frames = frames_of(view, high)
    maps = pixels_of(frames)
    mm = on_plane(view, maps)
    photo = sight.light.even_out(sampled(sight.halves, maps, [frame.step_px for frame in frames]), mm)
    print_ = sight.light.shown(sight.surface, mm, [frame.step_px / frame.px_per_mm for frame in frames])
    inside = within(maps, view.size_px)
    # Beyond the picture's edge its last pixels would go on as stripes, like the sides of a pile.
    photo = np.where(inside[..., None], photo, print_)
    eye, found = view.camera_mm[:2], []
    every = zip(pits, frames, _marks_px(view, pits, disc), photo, print_, inside, strict=True)
    for pit, frame, marks_px, seen, empty, shown in every:
        belief = sight.beliefs[pit.id]
        top = likeliest(belief)
        foot, right, down, lifted, *outline = frame.into_crop(marks_px)
        found.append(
            Pile(
                pit,
                math.dist(pit.at_mm, eye),
                names.index(top.colour) if top is not None and top.colour in names else 0,
                frame,
                seen,
                empty,
                foot,
                np.array(outline) - foot,
                np.column_stack([right - foot, down - foot]),
                float(foot[1] - lifted[1]) / disc.top_mm,
                shown.astype(np.float32),
            )
        )
    return found


def _marks_px(view: View, pits: list[Place], disc: Body) -> Array:
    """(N, 4 + P, 2) where of each pit the middle is seen, a millimetre to the right of it and down, and of a
    disc there the middle of its top and its outline."""
    around = np.vstack([[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)], disc.prisms[0].footprint_mm])
    points = np.array([pit.at_mm for pit in pits])[:, None] + around
    heights = np.where(np.arange(len(around)) == 3, disc.top_mm, 0.0)
    return view.project(points.reshape(-1, 2), np.tile(heights, len(pits))).reshape(points.shape)


def learnt(piles: list[Pile], discs: Discs) -> Discs:
    """What the single discs, as which all piles are taken here, tell of the set; and in each pile where it
    stands, what other piles hide of it, and how like its pixels are to discs of this set."""
    _keep_free(piles, discs.body(1.0))
    twice = scaled_body(discs.nominal, 1.1, 2.0)
    bare = [(pile.free > 0) & (drawn(pile.disc(twice)[0]) == 0) for pile in piles]
    look = as_seen(
        np.concatenate([pile.empty[mask] for pile, mask in zip(piles, bare, strict=True)]),
        np.concatenate([pile.seen[mask] for pile, mask in zip(piles, bare, strict=True)]),
    )
    discs = replace(discs, look=look)
    _liken_single(piles, discs)
    discs = replace(discs, plan=_plan(piles, discs.nominal.top_mm))
    thick_mm = np.array(TALLS) * discs.nominal.top_mm
    swept = (sweep(pile, discs.plan, thick_mm[-1], only_own=True) for pile in piles)
    explained, off_mm = zip(
        *(single(*each, thick_mm) for each in zip(piles, swept, strict=True)), strict=True
    )
    usual = _together(np.array(explained)) + _TALL_CHANCE
    talls = tuple(np.flatnonzero(usual > usual.max() + UNLIKELY))
    discs = replace(discs, talls=talls, likeliest=int(usual.argmax()))
    disc = discs.body(TALLS[discs.likeliest])
    for pile, each in zip(piles, off_mm, strict=True):
        pile.off_mm = each[discs.likeliest]
    tops, darks = _shades_seen(piles, disc, discs.shades)
    discs = replace(discs, **_darkness(darks), shades=_of_colours(piles, tops, discs.shades))
    _keep_free(piles, disc)
    usual_tops = (discs.shades[pile.colour] for pile in piles)
    own = [
        usual if top is None else (usual + 2 * top) / 3 for usual, top in zip(usual_tops, tops, strict=True)
    ]
    _liken(piles, discs, own)
    return discs


def _keep_free(piles: list[Pile], disc: Body) -> None:
    """Leave out of each pit's picture what discs in other pits cover: all of it if they lie before the pile,
    else what shows beside it."""
    hulls = [pile.disc(disc)[0] for pile in piles]
    photo = [pile.frame.from_crop(hull) for pile, hull in zip(piles, hulls, strict=True)]
    for number, pile in enumerate(piles):
        own, covered = drawn(hulls[number]), np.zeros((CROP_PX, CROP_PX), np.float32)
        for other, hull in zip(piles, photo, strict=True):
            if other is not pile and math.dist(other.pit.at_mm, pile.pit.at_mm) < NEAR_MM:
                mask = drawn(pile.frame.into_crop(hull))
                covered = np.maximum(covered, mask if other.far_mm < pile.far_mm else mask * (1 - own))
        pile.free = pile.inside * (1 - covered)


@dataclass(frozen=True)
class _Pixels:
    """The N pixels that some piles may cover, one pile's after the other's. regions: (CROP_PX, CROP_PX) which
    they are in each pile's crop; parts: which of the N; seen, board: (N, 3) photograph and empty board; own:
    (N, 3) the shade of the pile's uppermost disc; ground: (N,) how far they are from the board's; top: (N,)
    how much more they are like the uppermost disc's top."""

    regions: list[NDArray[np.bool_]]
    parts: list[slice]
    seen: Floats
    board: Floats
    own: Floats
    ground: Floats
    top: Floats

    @classmethod
    def of(cls, piles: list[Pile], discs: Discs, tops: list[Floats], highest: Body, most: int) -> _Pixels:
        """highest: so high and wide piles of up to so many discs may be; tops: shades of the uppermost."""
        gain, offset = discs.look
        around = np.ones(AROUND_PX[most > 1], np.uint8)
        regions = [cv2.dilate(drawn(pile.disc(highest)[0]), around) > 0 for pile in piles]
        sizes = [np.count_nonzero(region) for region in regions]
        seen, empty = (
            np.concatenate([picture[region] for picture, region in zip(pictures, regions, strict=True)])
            for pictures in ([pile.seen for pile in piles], [pile.empty for pile in piles])
        )
        board, own = empty * gain + offset, np.repeat(np.array(tops, np.float32), sizes, axis=0)
        ground = unlike(seen, board, 1.0, BOARD_SPREAD)
        top = ground - unlike(seen, own, 1.0, TOP_SPREAD)
        parts = [slice(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]
        return cls(regions, parts, seen, board, own, ground, top)


def _liken_single(piles: list[Pile], discs: Discs) -> None:
    """Work out how like a disc's top and sides each pixel is that a single disc may cover, of its own colour
    alone."""
    widest = scaled_body(discs.nominal, max(PLANS), max(TALLS))
    pixels = _Pixels.of(piles, discs, [discs.shades[pile.colour] for pile in piles], widest, 1)
    sides = pixels.ground - unlike_sides(
        pixels.seen, pixels.own[None], pixels.board, discs.dark, discs.dark_spread
    )
    for pile, region, part in zip(piles, pixels.regions, pixels.parts, strict=True):
        pile.top, pile.sides = _blank(1)[0], _blank(len(discs.shades))
        pile.top[region], pile.sides[pile.colour, region] = pixels.top[part], sides[0, part]


def _liken(piles: list[Pile], discs: Discs, tops: list[Floats]) -> None:
    """Work out how like a disc's top and sides each pixel is that piles of up to MOST discs may cover. tops:
    (3,) the shade of each pile's own colour, for the others those of the set count."""
    highest = scaled_body(discs.nominal, discs.plan, MOST * max(TALLS))
    pixels = _Pixels.of(piles, discs, tops, highest, MOST)
    sides, own_sides = (
        unlike_sides(pixels.seen, shades, pixels.board, discs.dark, discs.dark_spread)
        for shades in (discs.shades[:, None], pixels.own[None])
    )
    for pile, region, part, own in zip(piles, pixels.regions, pixels.parts, tops, strict=True):
        sides[pile.colour, part] = own_sides[0, part]
        pile.top, pile.sides = _blank(1)[0], _blank(len(discs.shades))
        pile.top[region], pile.sides[:, region] = pixels.top[part], pixels.ground[part] - sides[:, part]
        shades = discs.shades.copy()
        shades[pile.colour] = own
        seen, board, ground = (each[part] for each in (pixels.seen, pixels.board, pixels.ground))
        pile.likeness = Likeness(region, seen, board, shades, ground, sides[:, part])


def _blank(layers: int) -> Floats:
    return np.zeros((layers, CROP_PX, CROP_PX), np.float32)


def _plan(piles: list[Pile], thick_mm: float) -> float:
    """How wide single discs explain most of some piles."""
    some = piles[:: -(-len(piles) // TEACHERS)]
    talls_mm = np.array(TALLS[1::2]) * thick_mm
    known: dict[float, float] = {}

    def explained(plan: float) -> float:
        if plan not in known:
            swept = [sweep(pile, plan, max(TALLS) * thick_mm, only_own=True) for pile in some]
            ones = [single(*each, talls_mm)[0] for each in zip(some, swept, strict=True)]
            known[plan] = float((np.sum(ones, axis=0) + _TALL_CHANCE[1::2]).max())
        return known[plan]

    plan = max(PLANS, key=explained)
    for step in PLAN_STEPS:
        plan = max((round(plan - step, 3), plan, round(plan + step, 3)), key=explained)
    return plan


def _shades_seen(piles: list[Pile], disc: Body, shades: Floats) -> tuple[list[Floats | None], list[float]]:
    """The shade of each pile's top, None where hardly anything of it is seen, and how dark the sides are
    against it, where they are seen."""
    tops: list[Floats | None] = []
    darks = []
    for pile in piles:
        hull, top = (drawn(outline) for outline in pile.disc(disc))
        inside = (cv2.erode(top, np.ones((5, 5), np.uint8)) > 0) & (pile.free > 0)
        tops.append(np.median(pile.seen[inside], axis=0) if inside.sum() > FEW_PX else None)
        side = (cv2.erode(hull, np.ones((3, 3), np.uint8)) > 0) & (pile.free > 0)
        side &= cv2.dilate(top, np.ones((3, 3), np.uint8)) == 0
        if side.sum() > FEW_PX / 2:
            shade = shades[pile.colour]
            darks.append(float(np.median(pile.seen[side] @ shade / (shade @ shade))))
    return tops, darks


def _darkness(darks: list[float]) -> dict[str, float]:
    """How dark the sides of this set are, and how far that differs."""
    if not darks:
        return {}
    dark = (float(np.median(darks)) * len(darks) + DARK * DARK_PITS) / (len(darks) + DARK_PITS)
    spread = 1.5 * float(np.median(np.abs(np.array(darks) - dark)))
    return {"dark": dark, "dark_spread": max(DARK_SPREAD, spread)}


def _of_colours(piles: list[Pile], tops: list[Floats | None], shades: Floats) -> Floats:
    """The shades of the colours as the tops have them; what was known before counts as one of these."""
    found = shades.copy()
    for colour, shade in enumerate(shades):
        own = [
            top for pile, top in zip(piles, tops, strict=True) if pile.colour == colour and top is not None
        ]
        if own:
            found[colour] = (np.median(own, axis=0) * len(own) + shade) / (len(own) + 1)
    return found


def _together(logs: Floats) -> Floats:
    """What all pits of a picture say together, of what each of them says, along the first axis."""
    return np.asarray(logs.mean(axis=0) * min(len(logs), ALIKE))


def _counted(piles: list[Pile], discs: Discs) -> Floats:
    """(N, MOST) the chances of one, two and three discs in each pile."""
    looked = _looked(piles, discs)
    thick_mm = discs.nominal.top_mm
    doubted = looked[:, 0] < SURELY_ONE
    anew = _with_other_tops(piles, looked, discs)
    if anew:
        looked[anew] = _looked([piles[number] for number in anew], discs) + ALONE * (np.arange(MOST) == 0)
    swept = [
        sweep(pile, discs.plan, (MOST if doubt else 1) * max(TALLS) * thick_mm, only_own=not doubt)
        for pile, doubt in zip(piles, doubted, strict=True)
    ]
    talls_mm = np.array(TALLS)[[*discs.talls]] * thick_mm
    ones = np.array([single(*each, talls_mm)[0] for each in zip(piles, swept, strict=True)])
    usual = _together(ones) + _TALL_CHANCE[[*discs.talls]]
    likely = usual > usual.max() + UNLIKELY
    ones, talls = ones[:, likely], np.array(discs.talls)[likely]
    explained = np.repeat(ones[..., None], MOST, axis=2)
    explained[doubted, :, 1:] = -np.inf
    for number in np.flatnonzero(doubted):
        for row, tall in zip(explained[number], talls, strict=True):
            _explain(row, piles[number], swept[number], discs.body(TALLS[tall]))
    # (piles, thicknesses, counts)
    values = looked[:, None] + SHARE * explained
    thick = _TALL_CHANCE[talls] + _together(np.logaddexp.reduce(values, axis=2))
    counts = np.logaddexp.reduce(values + thick[..., None], axis=1)
    return np.exp(counts - np.logaddexp.reduce(counts, axis=1)[:, None]).astype(np.float32)


def _looked(piles: list[Pile], discs: Discs) -> Floats:
    """(N, MOST) the logarithms of the chances of one, two and three discs, as the network has them."""
    asked = [(pile, pile.colour) for pile in piles]
    looked = asked_of(asked, discs.body(TALLS[discs.likeliest]))[0] + USUAL - LEARNT
    return np.asarray(looked - np.logaddexp.reduce(looked, axis=1)[:, None], np.float32)


def _with_other_tops(piles: list[Pile], looked: Floats, discs: Discs) -> list[int]:
    """Which of the piles (their numbers) are taken for piles of another colour from now on, because that
    clearly suits the uppermost disc better: of several discs the side of a lower one may have been read.
    looked: see `_looked`."""
    others = []
    several = np.logaddexp.reduce(looked[:, 1:], axis=1) - looked[:, 0]
    numbers = np.flatnonzero(several > HARDLY_SEVERAL).tolist()
    suits = _suits([piles[number] for number in numbers], discs)[:, 0]
    for number, suit in zip(numbers, suits, strict=True):
        pile, top = piles[number], int(suit.argmax())
        better = float(suit[top] - suit[pile.colour])
        if top != pile.colour and better + SEVERAL * float(several[number]) > CLEARLY:
            _take_for(pile, top, discs)
            others.append(number)
    return others


def _take_for(pile: Pile, colour: int, discs: Discs) -> None:
    """Compare a pile with discs of that colour from now on."""
    pile.colour = colour
    _liken([pile], discs, [discs.shades[colour]])


def _explain(values: Floats, pile: Pile, swept: Sweep, disc: Body) -> None:
    """Add to what one disc explains, (MOST,), what two explain, and if that is not less, three."""
    for count in range(2, MOST + 1):
        least = float(values.max()) - HARDLY
        values[count - 1], _ = several(pile, swept, disc, count, least)
        if values[count - 1] < least:
            return


def _layers(stacks: list[tuple[Pile, int]], discs: Discs) -> Floats:
    """(N, MOST, P) the chances of the colours of piles of so many discs: of the uppermost one, the second and
    so on."""
    disc = discs.body(TALLS[discs.likeliest])
    suits = _suits([pile for pile, _ in stacks], discs)
    for suit, (pile, count) in zip(suits, stacks, strict=True):
        top = int(suit[0].argmax())
        if top != pile.colour:
            # Taken for a single disc, it was compared with one of the lower ones' colour.
            _take_for(pile, top, discs)
            suit[1:] = _suits([pile], discs)[0, 1:]
        _, explained = several(pile, sweep(pile, discs.plan, count * disc.top_mm), disc, count)
        suit[1:count] += SHARE_OF_COLOURS * np.array(explained)
    powers = np.exp(suits - suits.max(axis=2, keepdims=True))
    return np.asarray(powers / powers.sum(axis=2, keepdims=True), np.float32)


def _suits(piles: list[Pile], discs: Discs) -> Floats:
    """(N, MOST, P) how well each colour suits the uppermost disc of each pile, the second and so on, as the
    network has it."""
    colours = len(discs.shades)
    if not piles:
        return np.zeros((0, MOST, colours), np.float32)
    asked = [(pile, colour) for pile in piles for colour in range(colours)]
    suits = asked_of(asked, discs.body(TALLS[discs.likeliest]))[1]
    return suits.reshape(-1, colours, MOST).transpose(0, 2, 1).copy()


def tell(sight: Sight, place: str, names: list[str], chances: Floats, layers: Floats | None) -> None:
    """So many discs lie here, likely as told: those of the uppermost one's colour are counted with it, others
    are pieces below it. If it is otherwise, nobody knows how many. layers: (MOST, P) chances of the colours
    of several discs, from above; None if there is one."""
    belief = sight.beliefs[place]
    of_discs = {thing: share for thing, share in belief.items() if thing is not None and thing.kind == DISC}
    found = {thing: share for thing, share in belief.items() if thing not in of_discs}
    below: list[int] = []
    if layers is not None:
        share, shape = sum(of_discs.values()), next(iter(of_discs))
        of_discs = {
            replace(shape, colour=name): share * float(c) for name, c in zip(names, layers[0], strict=True)
        }
        below = [int(each.argmax()) for each in layers[1 : 1 + int(chances.argmax())]]
    chance = max(float(chances.max()), TOLD)
    lower = Counter(names[colour] for colour in below)
    for thing, share in of_discs.items():
        told = replace(thing, count=1 + lower[str(thing.colour)])
        for lying, part in ((told, chance), (replace(thing, count=None), 1 - chance)):
            if share * part > FORGET:
                found[lying] = found.get(lying, 0.0) + share * part
    sight.beliefs[place] = normal(found, 0.0)
    top = max(of_discs, key=of_discs.__getitem__).colour
    sight.below[place] = [
        thing_at(Thing(DISC, colour, count=lower[colour]), place, confidence=round(chance, 4))
        for colour in dict.fromkeys(names[each] for each in reversed(below))
        if colour != top
    ]
