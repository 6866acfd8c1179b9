"""How many discs lie on one another in a pit, and of which colours.

How wide the discs of this set are, how dark their sides, of which shade each colour, and how the photograph
shows the print is learnt from all pits of the picture together. Each pit is then asked what one, two or
three discs explain (`piles.py`), thin ones and thick ones; how thick they are all pits together say. From
straight above only the top disc can be seen, and a white disc below another on white print hardly: then as
many are read as are seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.position import Thing, thing_at
from vision.beliefs import FORGET, normal
from vision.bodies import Body, body_of
from vision.crops import CROP_PX, frame_of, on_plane, sampled
from vision.fitting import scaled_body
from vision.palette import Palette
from vision.piles import Pile, Sweep, drawn, several, single, sweep
from vision.places import Place
from vision.sides import BOARD_SPREAD, TOP_SPREAD, as_seen, unlike, unlike_sides

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# The kind of field on which discs lie on one another, and how many.
PIT, DISC, MOST = "pit", "disc", 3
# The logarithms of how often one disc lies in a pit that is not empty, two, three.
USUAL = np.log([0.96, 0.035, 0.005])
# More than one disc are told of where they are so sure, and where their odds stand out from those of the
# other pits by so many times their spread, if there are as many: where a set or its light is taken for
# another than it is, all odds are higher.
SURE, STANDS_OUT, ENOUGH = 0.98, 3.5, 5
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
# So far around the largest pile pixels are looked at.
AROUND_PX = (5, 5)
# Of a shade that fewer pixels of the crop show nothing is learnt.
FEW_PX = 8


@dataclass(frozen=True)
class Discs:
    """The discs of the set on the table: the board file's solid, how wide they are against it, which of
    `TALLS` they may be, how dark their sides are and how far that differs, and (P, 3) the shades of their
    colours."""

    nominal: Body
    shades: Floats
    plan: float = 1.0
    talls: tuple[int, ...] = tuple(range(len(TALLS)))
    dark: float = DARK
    dark_spread: float = DARK_SPREAD

    def body(self, tall: float) -> Body:
        """A disc, `tall` times as thick as the board file's."""
        return scaled_body(self.nominal, self.plan, tall)


def read_stacks(board: Board, palette: Palette, sight: Sight, places: Sequence[Place]) -> None:
    """Where more than one disc is seen in a pit, tell of the others too: equal ones as a count, others as
    pieces below the one that was read. All pits of the picture that hold a disc help to learn the set; only
    `places` are read."""
    names = (
        [name for name in palette.names if name in board.pieces[DISC].colours] if DISC in board.pieces else []
    )
    pits = _filled(board, sight)
    wanted = {place.id for place in places}
    for place in wanted:
        sight.below.pop(place, None)
    if not pits or not names or not any(pit.id in wanted for pit in pits):
        return
    shades = palette.of_pieces(DISC).shades[[palette.names.index(name) for name in names]]
    piles = _looked_at(sight, pits, names)
    discs = Discs(pits[0].bodies[0], shades)
    counted = _counted(piles, discs)
    odds = np.log([(1 - chances[0] + 1e-9) / (chances[0] + 1e-9) for chances, _ in counted])
    least = math.log(SURE / (1 - SURE))
    if len(odds) >= ENOUGH:
        usual = float(np.median(odds))
        least = max(least, usual + STANDS_OUT * float(np.median(np.abs(odds - usual))))
    for pile, (chances, below), odd in zip(piles, counted, odds, strict=True):
        if odd > least and pile.pit.id in wanted:
            _tell(sight, pile.pit.id, [names[colour] for colour in below], 1 - float(chances[0]))


def _filled(board: Board, sight: Sight) -> list[Place]:
    """The pits in which a disc was read."""
    disc = body_of(board.pieces[DISC]) if DISC in board.pieces else None
    found = []
    for field in board.fields_of_kind(PIT):
        belief = sight.beliefs.get(field.id)
        if disc is None or not belief or field.id in sight.unseen:
            continue
        thing = max(belief, key=belief.__getitem__)
        if thing is not None and thing.kind == DISC:
            found.append(Place(field.id, field.centre_mm, 0.0, (disc,), 2.0))
    return found


def _looked_at(sight: Sight, pits: list[Place], names: list[str]) -> list[Pile]:
    """The pits' pictures."""
    high = tuple(replace(pit, bodies=(scaled_body(pit.bodies[0], 1.0, 3.0),)) for pit in pits)
    view, disc = sight.view, pits[0].bodies[0]
    frames = [frame_of(view, place) for place in high]
    maps = np.stack([frame.pixels() for frame in frames])
    mm = on_plane(view, maps)
    photo = sight.light.even_out(sampled(sight.image, maps, [frame.step_px for frame in frames]), mm)
    print_ = sight.surface.sample(mm, [frame.step_px / frame.px_per_mm for frame in frames])
    found = []
    for pit, frame, seen, empty in zip(pits, frames, photo, print_, strict=True):
        belief = sight.beliefs[pit.id]
        top = max(belief, key=belief.__getitem__)
        x, y = pit.at_mm
        points = np.vstack([[(x, y), (x + 1, y), (x, y + 1), (x, y)], disc.prisms[0].footprint_mm])
        points[4:] += pit.at_mm
        heights = np.where(np.arange(len(points)) == 3, disc.top_mm, 0.0)
        foot, right, down, lifted, *outline = frame.into_crop(view.project(points, heights))
        found.append(
            Pile(
                pit,
                math.dist(pit.at_mm, view.camera_mm[:2]),
                names.index(top.colour) if top is not None and top.colour in names else 0,
                frame,
                seen,
                empty,
                foot,
                np.array(outline) - foot,
                np.column_stack([right - foot, down - foot]),
                float(foot[1] - lifted[1]) / disc.top_mm,
            )
        )
    return found


def _learnt(piles: list[Pile], discs: Discs) -> Discs:
    """What the single discs, as which all piles are taken here, tell of the set; and in each pile where it
    stands, what other piles hide of it, and how like its pixels are to discs of this set."""
    _keep_free(piles, discs.body(1.0))
    twice = scaled_body(discs.nominal, 1.1, 2.0)
    bare = [(pile.free > 0) & (drawn(pile.disc(twice)[0]) == 0) for pile in piles]
    look = as_seen(
        np.concatenate([pile.empty[mask] for pile, mask in zip(piles, bare, strict=True)]),
        np.concatenate([pile.seen[mask] for pile, mask in zip(piles, bare, strict=True)]),
    )
    for pile in piles:
        _liken(pile, discs, discs.shades, look, 1)
    discs = replace(discs, plan=_plan(piles, discs.nominal.top_mm))
    thickest = max(TALLS) * discs.nominal.top_mm
    swept = [sweep(pile, discs.plan, thickest, only_own=True) for pile in piles]
    usual = _together(
        np.array(
            [
                [single(*each, tall * discs.nominal.top_mm)[0] for tall in TALLS]
                for each in zip(piles, swept, strict=True)
            ]
        )
    )
    usual += _TALL_CHANCE
    disc = discs.body(TALLS[int(usual.argmax())])
    discs = replace(discs, talls=tuple(np.flatnonzero(usual > usual.max() + UNLIKELY)))
    for pile, each in zip(piles, swept, strict=True):
        pile.off_mm = single(pile, each, disc.top_mm)[1]
    tops, darks = _shades_seen(piles, disc, discs.shades)
    discs = replace(discs, **_darkness(darks), shades=_of_colours(piles, tops, discs.shades))
    _keep_free(piles, disc)
    for pile, top in zip(piles, tops, strict=True):
        shades = discs.shades.copy()
        if top is not None:
            shades[pile.colour] = (shades[pile.colour] + 2 * top) / 3
        _liken(pile, discs, shades, look, MOST)
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
        pile.free = 1 - covered


def _liken(pile: Pile, discs: Discs, shades: Floats, look: tuple[Floats, Floats], most: int) -> None:
    """Work out how like a disc's top and sides each pixel is that a pile of up to so many discs may cover; of
    a single one only its own colour is looked for."""
    gain, offset = look
    widest = scaled_body(discs.nominal, max(PLANS) if most == 1 else discs.plan, most * max(TALLS))
    region = cv2.dilate(drawn(pile.disc(widest)[0]), np.ones(AROUND_PX, np.uint8)) > 0
    seen, board = pile.seen[region], pile.empty[region] * gain + offset
    ground = unlike(seen, board, 1.0, BOARD_SPREAD)
    pile.top = np.zeros((CROP_PX, CROP_PX), np.float32)
    pile.top[region] = ground - unlike(seen, shades[pile.colour], 1.0, TOP_SPREAD)
    pile.sides = np.zeros((len(shades), CROP_PX, CROP_PX), np.float32)
    looked_for = slice(pile.colour, pile.colour + 1) if most == 1 else slice(None)
    sides = unlike_sides(seen, shades[looked_for], board, discs.dark, discs.dark_spread)
    pile.sides[looked_for, region] = ground - sides


def _plan(piles: list[Pile], thick_mm: float) -> float:
    """How wide single discs explain most of some piles."""
    some = piles[:: -(-len(piles) // TEACHERS)]
    known: dict[float, float] = {}

    def explained(plan: float) -> float:
        if plan not in known:
            swept = [sweep(pile, plan, max(TALLS) * thick_mm, only_own=True) for pile in some]
            known[plan] = max(
                chance + sum(single(*each, tall * thick_mm)[0] for each in zip(some, swept, strict=True))
                for tall, chance in zip(TALLS[1::2], _TALL_CHANCE[1::2], strict=True)
            )
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


@dataclass(frozen=True)
class Explained:
    """What one, two and three discs of one thickness explain of a pile, and each time the likeliest colours,
    from above, of those below the uppermost."""

    values: tuple[float, float, float]
    below: tuple[list[int], list[int], list[int]]


def _counted(piles: list[Pile], discs: Discs) -> list[tuple[Floats, list[int]]]:
    """For every pile the chances of one, two and three discs, and of the likeliest the colours, from above,
    of those below the uppermost."""
    discs = _learnt(piles, discs)
    thick_mm = discs.nominal.top_mm
    swept = [sweep(pile, discs.plan, MOST * max(TALLS) * thick_mm) for pile in piles]
    ones = np.array(
        [
            [single(pile, each, TALLS[number] * thick_mm)[0] for number in discs.talls]
            for pile, each in zip(piles, swept, strict=True)
        ]
    )
    usual = _together(ones) + _TALL_CHANCE[[*discs.talls]]
    likely = usual > usual.max() + UNLIKELY
    ones, talls = ones[:, likely], np.array(discs.talls)[likely]
    explained = [
        [
            _explained(pile, each, discs.body(TALLS[tall]), value)
            for tall, value in zip(talls, one, strict=True)
        ]
        for pile, each, one in zip(piles, swept, ones, strict=True)
    ]
    values = np.array([[each.values for each in of_pile] for of_pile in explained]) + USUAL
    # (piles, thicknesses), however many discs there are.
    whole = np.logaddexp.reduce(values, axis=2)
    thick = _TALL_CHANCE[talls] + _together(whole)
    joint = values + thick[..., None]
    counts = np.logaddexp.reduce(joint, axis=1)
    chances = np.exp(counts - np.logaddexp.reduce(counts, axis=1)[:, None]).astype(np.float32)
    return [
        (each, of_pile[int(logs[:, each.argmax()].argmax())].below[int(each.argmax())])
        for each, of_pile, logs in zip(chances, explained, joint, strict=True)
    ]


def _explained(pile: Pile, swept: Sweep, disc: Body, one: float) -> Explained:
    two, below_two = several(pile, swept, disc, 2, one - HARDLY)
    if two < one - HARDLY:
        return Explained((one, two, -math.inf), ([], below_two, []))
    three, below_three = several(pile, swept, disc, MOST, max(one, two) - HARDLY)
    return Explained((one, two, three), ([], below_two, below_three))


def _tell(sight: Sight, place: str, below: list[str], chance: float) -> None:
    """Discs of these colours, from above, lie below the one that was read here, as likely as that: those of
    its own colour are counted with it, others are pieces of their own."""
    belief = sight.beliefs[place]
    found: dict[Thing | None, float] = {}
    for thing, share in belief.items():
        count = below.count(str(thing.colour)) if thing is not None and thing.kind == DISC else 0
        if thing is None or not count:
            found[thing] = found.get(thing, 0.0) + share
            continue
        for lying, part in ((thing, 1 - chance), (replace(thing, count=1 + count), chance)):
            if share * part > FORGET:
                found[lying] = found.get(lying, 0.0) + share * part
    sight.beliefs[place] = normal(found, 0.0)
    top = max(belief, key=belief.__getitem__)
    sight.below[place] = [
        thing_at(Thing(DISC, colour, count=below.count(colour)), place, confidence=round(chance, 4))
        for colour in dict.fromkeys(reversed(below))
        if top is None or colour != top.colour
    ]
