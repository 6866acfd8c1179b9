"""The pieces of a set, learnt from one photograph in which some of each colour lie on fields of the board,
between them or beside it: the set's real shades and sizes.

What lies on fields is read as in a game; what lies elsewhere is found by what differs from the picture of the
empty board. Then every piece is looked at again: sizes are those with which the drawn outlines cover best
what has the piece's colour. A person may say afterwards what a piece really is (`learnt_from`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, PieceType
from engine.position import Thing
from vision.calibrating.loose import find_loose, with_surroundings
from vision.colours.palette import Palette
from vision.colours.shades import SHADOWS, gap
from vision.fields.places import GAME_PIECES, Place
from vision.geometry.fitting import Fit, Foot, fitted
from vision.geometry.view import View
from vision.prints.light import fit_light

if TYPE_CHECKING:
    from vision.reader import Reader
    from vision.sight import Sight

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
RGB = tuple[int, int, int]
# A piece read with less confidence teaches nothing; what is less likely is not thought of.
SURE, LEAST_CHANCE = 0.8, 0.05
# An outline decides what a piece is if it covers so much of it, and so much more than another.
GOOD_OUTLINE, CLEARLY_BETTER = 0.6, 0.15
# What a measured outline must cover to count, from where on it counts the more the better it covers, and how
# much the board file's size counts, in pieces.
GOOD_COVER, LEAST_COVER, PRIOR_PIECES = 0.72, 0.7, 0.5
# So many pieces of a kind are measured.
ENOUGH = 10
# What was found on a field and beside it is one piece if it stands nearer than this.
SAME_MM = 14.0
# A paint is clearly another one if it is so many times nearer (squared distance, see `shades.gap`).
CLEARLY_NEARER = 2.0
BESIDE = "beside"
# How much darker than on the board a colour must look to be called shaded, and how much of that (as a power)
# is taken back: kinds of pieces differ a little of themselves.
SHADE, TAKEN_BACK = 1.12, 0.7


@dataclass(frozen=True)
class Shown:
    """A piece that was found: kind, colour, the field (or "beside"), how sure, how well its outline covers
    what has its colour (0..1), its footprint and height against the board file's, its shade, and where it
    stands in the picture (working size)."""

    kind: str
    colour: str
    place: str
    confidence: float
    cover: float
    plan: float
    tall: float
    rgb: RGB
    at_px: tuple[float, float]


@dataclass(frozen=True)
class Learnt:
    """board: with the sizes as measured. colours: kind -> colour -> red, green, blue as the reference's
    light shows it; only what was seen. sizes_mm: kind -> what was measured. shown: the pieces found."""

    board: Board
    colours: dict[str, dict[str, RGB]]
    sizes_mm: dict[str, dict[str, float]]
    shown: tuple[Shown, ...]

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """Kind -> the colours of it that were not shown, for the kinds that were shown at all."""
        left = {
            kind: tuple(colour for colour in self.board.pieces[kind].colours if colour not in named)
            for kind, named in self.colours.items()
        }
        return {kind: colours for kind, colours in left.items() if colours}


def learn_pieces(reader: Reader, reference: tuple[Image, View] | None = None) -> Learnt:
    """What the picture that `reader` read last tells of the set.

    reference: the empty board and its view (both at working size), which shows what else lies there; None:
    only pieces on fields are found. Raises ValueError if the reader has read nothing."""
    sight = reader.sight
    if sight is None:
        raise ValueError("nothing has been read yet")
    counts: Counter[str] = Counter()
    pieces: list[tuple[Foot, Fit]] = []
    for place in reader.places:
        for foot in _on_field(place, sight):
            counts[foot.thing.kind] += 1
            enough = counts[foot.thing.kind] > ENOUGH
            fit = Fit(foot.at_mm, foot.angle_deg) if enough else fitted(sight, foot, foot.place.bodies[0])
            pieces.append((foot, fit))
    pieces += [each for place in reader.places for each in _by_outline(place, sight)]
    if reference is not None:
        pieces = _with_loose(reader, sight, pieces, reference)
    return learnt_from(reader.board, [_shown(sight, foot, fit) for foot, fit in pieces])


def learnt_from(board: Board, shown: Sequence[Shown]) -> Learnt:
    """What these pieces tell; sizes are against those of `board`."""
    sizes: dict[str, dict[str, float]] = {}
    for kind in dict.fromkeys(each.kind for each in shown):
        measured = _sizes(board.pieces[kind], [each for each in shown if each.kind == kind])
        sizes |= {kind: measured} if measured else {}
    pieces = {
        name: replace(piece, dims_mm={**piece.dims_mm, **sizes.get(name, {})})
        for name, piece in board.pieces.items()
    }
    return Learnt(replace(board, pieces=pieces), _colours(shown), sizes, tuple(shown))


def _shown(sight: Sight, foot: Foot, fit: Fit) -> Shown:
    blue, green, red = (int(np.clip(round(float(value) * 255), 0, 255)) for value in foot.seen)
    x, y = sight.view.project(np.array([foot.at_mm]), 0.5 * foot.place.bodies[0].top_mm)[0]
    return Shown(
        foot.thing.kind, foot.thing.colour or "", foot.place.id, round(foot.sure, 3), round(fit.cover, 3),
        round(fit.plan, 4), round(fit.tall, 4), (red, green, blue), (round(float(x), 1), round(float(y), 1)),
    )  # fmt: skip


def _on_field(place: Place, sight: Sight) -> list[Foot]:
    """The piece that was surely read on a field, if there is one, its colour looked at again."""
    thing, sure = max(sight.beliefs.get(place.id, {None: 1.0}).items(), key=lambda item: item[1])
    # A heap tells nothing of one piece's size.
    if thing is None or thing.colour is None or sure < SURE or place.id in sight.unseen or thing.count != 1:
        return []
    return [_foot(place, sight, thing, float(sure))]


def _by_outline(place: Place, sight: Sight) -> list[tuple[Foot, Fit]]:
    """A piece of which the colour was surely read, but not the kind (a white one on white print hardly
    differs from its ground): it is of the kind whose outline covers it clearly better than any other."""
    belief = sight.beliefs.get(place.id, {})
    things = [thing for thing, chance in belief.items() if thing is not None and chance > LEAST_CHANCE]
    sure = sum(belief[thing] for thing in things)
    apart = len(things) > 1 and all(thing.count == 1 for thing in things)
    if not apart or sure < SURE or max(belief.values()) >= SURE or place.id in sight.unseen:
        return []
    if len({thing.colour for thing in things}) > 1 or things[0].colour is None:
        return []
    feet = [_foot(place, sight, thing, float(sure)) for thing in things]
    fits = [(fitted(sight, foot, foot.place.bodies[0]), foot) for foot in feet]
    (best, foot), (second, _) = sorted(fits, key=lambda each: -each[0].cover)[:2]
    clear = best.cover >= GOOD_OUTLINE and best.cover - second.cover >= CLEARLY_BETTER
    return [(foot, best)] if clear else []


def _foot(place: Place, sight: Sight, thing: Thing, sure: float) -> Foot:
    body = next(each for each in place.bodies if each.kind == thing.kind)
    alone = replace(place, bodies=(body,))
    seen = sight.look([alone]).seen[0]
    return Foot(thing, alone, seen, sure)


# --- beside the board ---------------------------------------------------------------------------------


def _with_loose(
    reader: Reader, sight: Sight, pieces: list[tuple[Foot, Fit]], reference: tuple[Image, View]
) -> list[tuple[Foot, Fit]]:
    """The pieces on fields and those that lie elsewhere. Where a solid covers what lies on a field better
    than what was read there, it is not what was read."""
    wide, origin = with_surroundings(sight, reader.board, *reference)
    kinds = tuple(kind for kind in reader.board.pieces if kind != "card")
    found = [
        (replace(foot, place=replace(foot.place, id=BESIDE, at_mm=_shifted(foot.at_mm, origin))), fit)
        for foot, fit in find_loose(wide, reader.board, kinds)
    ]
    found = _in_the_boards_light(reader, found, reference)
    loose = []
    for foot, fit in found:
        near = (n for n, (on, _) in enumerate(pieces) if math.dist(on.at_mm, foot.at_mm) < SAME_MM)
        same = next(near, None)
        if same is None:
            loose.append((foot, fit))
        elif pieces[same][0].thing.kind != foot.thing.kind and fit.cover > pieces[same][1].cover + 0.1:
            del pieces[same]
            loose.append((foot, fit))
    if not loose:
        return pieces
    named = _named(reader, pieces + loose)
    on, beside = named[: len(pieces)], named[len(pieces) :]
    return on + _out_of_shadow(on, beside)


def _shifted(at_mm: tuple[float, float], by: NDArray[np.float64]) -> tuple[float, float]:
    return at_mm[0] + float(by[0]), at_mm[1] + float(by[1])


def _in_the_boards_light(
    reader: Reader, found: list[tuple[Foot, Fit]], reference: tuple[Image, View]
) -> list[tuple[Foot, Fit]]:
    """Shades as the surface of the reader shows them: where that is a print and not the photograph of the
    empty board, the light in that photograph is taken out."""
    sight = reader.sight
    if sight is None or reader.surface is not None:
        return found
    light = fit_light(reference[0], reference[1], sight.surface)
    size = np.array(sight.surface.size_mm)
    even = []
    for foot, fit in found:
        nearest = np.clip(np.array([foot.at_mm]), 0, size).astype(np.float32)
        even.append((replace(foot, seen=light.even_out(foot.seen[None] * 255, nearest)[0]), fit))
    return even


def _named(reader: Reader, pieces: Sequence[tuple[Foot, Fit]]) -> list[tuple[Foot, Fit]]:
    """All pieces with their colours' names, told together: a single black stone on the board may have been
    read as a brown one, until a brown one beside the board is seen."""
    feet = [foot for foot, _ in pieces]
    names = reader.palette.names
    seen = np.stack([foot.seen for foot in feet]).astype(np.float32)
    allowed = np.array([[_may_be(reader, foot, name) for name in names] for foot in feet])
    kinds = [foot.thing.kind for foot in feet]
    palette: Palette = reader.palette.adapted(seen, allowed, np.ones(len(feet), np.float32), kinds)
    chances = palette.beliefs(seen, allowed, kinds)
    named = []
    for (foot, fit), chance in zip(pieces, chances, strict=True):
        best = int(chance.argmax())
        colour, sure = names[best], float(chance[best]) * foot.sure
        if foot.thing.colour is not None and sure < SURE:
            colour, sure = foot.thing.colour, foot.sure
        named.append((replace(foot, thing=Thing(foot.thing.kind, colour), sure=sure), fit))
    return of_one_paint(reader, named)


def of_one_paint(reader: Reader, pieces: list[tuple[Foot, Fit]]) -> list[tuple[Foot, Fit]]:
    """A set's kinds are of the same paints. Of a kind that shows a single colour nobody knows how it differs
    from the board file's; where kinds that show several say that it is clearly another one, it is."""
    colours: dict[str, set[str]] = defaultdict(set)
    for foot, _ in pieces:
        colours[foot.thing.kind].add(foot.thing.colour or "")
    paints: dict[str, list[Floats]] = defaultdict(list)
    for foot, _ in pieces:
        if len(colours[foot.thing.kind]) > 1:
            paints[foot.thing.colour or ""].append(foot.seen)
    found = []
    for foot, fit in pieces:
        if len(colours[foot.thing.kind]) == 1 and foot.thing.colour in paints:
            away = {
                name: min(float(gap(foot.seen, shade, *SHADOWS)) for shade in shades)
                for name, shades in paints.items()
                if _may_be(reader, foot, name)
            }
            nearest = min(away, key=away.__getitem__)
            if away[nearest] * CLEARLY_NEARER < away[foot.thing.colour]:
                foot = replace(foot, thing=replace(foot.thing, colour=nearest))
        found.append((foot, fit))
    return found


def _out_of_shadow(
    pieces: Sequence[tuple[Foot, Fit]], loose: Sequence[tuple[Foot, Fit]]
) -> list[tuple[Foot, Fit]]:
    """Beside the board it is often darker than on it. A set is of one paint: a piece that is clearly darker
    than those of its colour on the board lies in the shade, and most of that is taken back."""
    lit = []
    for foot, fit in loose:
        same = [float(on.seen.mean()) for on, _ in pieces if on.thing.colour == foot.thing.colour]
        darker = float(np.median(same)) / max(float(foot.seen.mean()), 0.02) if same else 1.0
        if darker > SHADE:
            foot = replace(foot, seen=np.minimum(foot.seen * darker**TAKEN_BACK, 1.0).astype(np.float32))
        lit.append((foot, fit))
    return lit


def _may_be(reader: Reader, foot: Foot, colour: str) -> bool:
    """Whether such a piece may have that colour."""
    grey_figure = foot.thing.kind == "figure" and colour == "grey" and reader.game != "roulette"
    usual = reader.game in GAME_PIECES and grey_figure
    return colour in reader.board.pieces[foot.thing.kind].colours and not usual


# --- what they tell -----------------------------------------------------------------------------------


def _colours(shown: Sequence[Shown]) -> dict[str, dict[str, RGB]]:
    """The median shade of each colour of each kind."""
    found: dict[str, dict[str, RGB]] = {}
    for kind, colour in sorted({(each.kind, each.colour) for each in shown}):
        mine = [each.rgb for each in shown if (each.kind, each.colour) == (kind, colour)]
        red, green, blue = (round(float(value)) for value in np.median(mine, axis=0))
        found.setdefault(kind, {})[colour] = (red, green, blue)
    return found


def _sizes(piece: PieceType, shown: Sequence[Shown]) -> dict[str, float]:
    """The kind's sizes from its pieces' outlines, held to the board file's where few were seen."""
    good = [each for each in shown if each.cover >= GOOD_COVER]
    if not good:
        return {}
    share = len(good) / (len(good) + PRIOR_PIECES)
    weights = [each.cover - LEAST_COVER for each in good]
    plan = 1 + share * (_middle([each.plan for each in good], weights) - 1)
    tall = 1 + share * (_middle([each.tall for each in good], weights) - 1)
    heights = [name for name in piece.dims_mm if "height" in name]
    return {
        name: round(value * (tall if name in heights else plan), 1) for name, value in piece.dims_mm.items()
    }


def _middle(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted median: half of the weight lies below it."""
    order = np.argsort(values)
    ranked, heaped = np.asarray(values, float)[order], np.cumsum(np.asarray(weights, float)[order])
    half = heaped[-1] / 2
    at = int(np.searchsorted(heaped, half - 1e-9))
    return float(ranked[at : at + 2].mean() if abs(heaped[at] - half) < 1e-9 else ranked[at])
