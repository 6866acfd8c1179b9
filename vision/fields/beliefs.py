"""From what the networks say of a place to the probabilities of what lies there."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.observation import Belief
from engine.position import Piece, Thing
from vision.fields.alone import look_alone
from vision.fields.beside import look_askew, look_beside
from vision.fields.consensus import Consensus, OffPrint, around, looks_of, weighed_with
from vision.fields.faint import look_for_outlines
from vision.fields.figures import FEW_FIGURES, FIGURE_TO_DISC, MANY_FIGURES, tell_figures
from vision.fields.network import EMPTY, HIDDEN, Looks
from vision.fields.places import SLOTS, Place
from vision.stacked.heaps import tell_heaps

if TYPE_CHECKING:
    from vision.sight import Sight

# How often one of two looks at the same place is altogether wrong.
EITHER_ERRS = 0.02
# Of ten blocks in a heap one is left at the very end, and hardly ever none: in the states of games played at
# random one heap in 200 is used up.
SINGLE_TO_HEAP, NONE_TO_HEAP = 0.15, 0.02
# What the networks hardly see on a field they hold for nothing too readily (of 22,900 places in 480
# photographs eight on which something lies are held for empty, twelve where this is 1; the other way ten).
NONE_TO_PIECE = 0.75
# How often a table has a second figure of a colour.
MORE_FIGURES = 0.001
# How often a trilith carries something.
CARRIES = 0.5
# How often a trilith looks from close by like a piece on the ground (five of 121, in 63 photographs).
AS_A_PIECE = 0.05
# How often what stands on a trilith is taken for a figure on the ground, from as far as a trilith is looked
# at (the mean of 106 that carry discs, in 63 photographs; on empty fields a tenth of that).
AS_A_FIGURE = 0.04
TRILITH = Thing("trilith", "grey")
# Below this nothing on top could turn the scales.
HARDLY_A_TRILITH = 0.05
# How often a place without a trilith looks as if something lay forty millimetres above it.
HOVERS = 0.05
# Where the print was only guessed the networks err more often than they think: their odds are taken to this
# power (fitted on 72 photographs of boards that nobody has).
HUMBLER = 0.45
# How sure one must be of what may be left open to say so: a figure's direction, the blocks of a heap (of 140
# numbers that are surer than 0.9, in photographs by two other programs, 133 are right, of 109 surer than 0.95
# 108).
SURE_OF_FACING, SURE_OF_COUNT = 0.65, 0.95
# Things less likely than this are not worth mentioning.
FORGET = 1e-4


def look_at(
    sight: Sight,
    places: tuple[Place, ...],
    bystanders: tuple[Place, ...] = (),
    shades: Mapping[str, NDArray[np.float32]] | None = None,
    *,
    known_game: bool = True,
) -> Looks:
    """The network's opinion of the places; on the `bystanders` nothing can lie; shades: (P, 3) those of each
    kind of piece, see `faint`; known_game: whether one of ours is played, with one figure to ten discs. Where
    a trilith or a small piece may stand, both are looked at in a crop of their own size: in a picture made
    for a trilith a figure is a few pixels."""
    small = [
        (index, replace(place, bodies=tuple(body for body in place.bodies if body.shape != "trilith")))
        for index, place in enumerate(places)
        if len({body.shape == "trilith" for body in place.bodies}) == 2
    ]
    crops = sight.crops([*places, *(place for _, place in small)])
    looks = sight.told_by(crops)
    found = looks.of(slice(len(places)))
    kind = found.kind
    trilith, figure = 1 + SLOTS.index("trilith"), 1 + SLOTS.index("figure")
    for number, (index, _) in enumerate(small, len(places)):
        large, close = looks.kind[index], looks.kind[number]
        # Both must agree: from close by a trilith is nothing that is looked for, or what stands on it; from
        # afar a figure is a few pixels.
        bare = looks.bare[number]
        a_trilith = np.arange(len(large)) == trilith
        large[trilith] += AS_A_FIGURE * large[figure]
        kind[index] = large * (np.where(a_trilith, max(bare, AS_A_PIECE), close) + EITHER_ERRS)
        kind[index, [EMPTY, HIDDEN]] = large[[EMPTY, HIDDEN]] * (bare + EITHER_ERRS)
        kind[index] /= kind[index].sum()
        if kind[index, trilith] < 0.5:
            found.put(index, looks, number)
    crops, guessed = crops[: len(places)], sight.surface.guessed
    if not guessed:
        kind = _beside_the_empty(sight, places, crops, kind, bystanders)
        kind = tell_figures(sight, places, kind, often=FEW_FIGURES if known_game else MANY_FIGURES)
        kind = tell_heaps(sight, places, kind)
    found = replace(found, kind=kind)
    look_alone(sight, places, crops, found)
    if guessed:
        return found
    look_for_outlines(sight, places, found, shades)
    look_askew(sight, places, crops, found)
    look_beside(sight, places, found)
    return found


def _beside_the_empty(
    sight: Sight,
    places: tuple[Place, ...],
    crops: NDArray[np.float32],
    kind: NDArray[np.float32],
    bystanders: tuple[Place, ...],
) -> NDArray[np.float32]:
    """What the network says, weighed with how the places look beside empty ones: those of this picture, or
    those of the first look where only some places are looked at again."""
    off_print = looks_of(crops, places)
    # What is only like their print differs from theirs in its own way.
    off_print = {name: looks for name, looks in off_print.items() if name not in sight.surface.likened}
    ground = around(crops, places)
    if sight.consensus is None:
        said = dict(zip((place.id for place in places), kind, strict=True))
        print_only = partial(_looks_of_print, sight, bystanders)
        own = not sight.surface.is_foreign
        sight.consensus = Consensus.of(off_print, said, ground, print_only, own=own)
    return weighed_with(sight.consensus, off_print, places, kind, ground)


def _looks_of_print(sight: Sight, bystanders: tuple[Place, ...]) -> OffPrint:
    """How the bystanders that the picture shows differ from their print."""
    inside = sight.view.shows(np.array([place.at_mm for place in bystanders]))
    shown = tuple(place for place, there in zip(bystanders, inside, strict=True) if there)
    if not shown:
        return {}
    return looks_of(sight.crops(shown), shown)


def weighed(places: tuple[Place, ...], kind: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the networks say, which saw all kinds equally often, with how often each is met at a table."""
    weights = np.ones_like(kind)
    for row, place in zip(weights, places, strict=True):
        kinds, counts = [body.kind for body in place.bodies], [body.count for body in place.bodies]
        if place.under is None:
            row[[EMPTY, HIDDEN]] = NONE_TO_PIECE
        if {"figure", "disc"} <= set(kinds) or (place.under is not None and "figure" in kinds):
            row[1 + place.slots[kinds.index("figure")]] = FIGURE_TO_DISC
        if None in counts and 1 in counts:
            row[1 + place.slots[counts.index(1)]] = SINGLE_TO_HEAP
            if set(kinds) == {"block"}:
                row[EMPTY] = NONE_TO_HEAP
    return np.asarray(kind * weights / (kind * weights).sum(axis=1, keepdims=True), np.float32)


def carried(belief: Belief, on_top: float) -> Belief:
    """The belief about a place after a look at where a capstone's top would be: something lies there with
    probability `on_top`. That weighs a trilith against nothing at all; Bayes' rule."""
    trilith, nothing = belief.get(TRILITH, 0.0), belief.get(None, 0.0)
    if not trilith or not nothing:
        return belief
    both = trilith + nothing
    trilith *= CARRIES * on_top + (1 - CARRIES) * (1 - on_top)
    nothing *= HOVERS * on_top + (1 - HOVERS) * (1 - on_top)
    share = both / (trilith + nothing)
    return {**belief, TRILITH: trilith * share, None: nothing * share}


def apart(
    beliefs: dict[str, Belief],
    places: Sequence[Place],
    on_top: Mapping[str, float],
    standing_on: Iterable[str] = (),
) -> None:
    """Two triliths cannot stand on the same field: of neighbours that share one, the surer stays (what is
    seen on top of it, place -> probability, counts as much as the trilith itself), the others are nothing.
    standing_on: fields on which other triliths are known to stand."""
    taken = set(standing_on)
    standing = [place for place in places if place.covers and _stands(beliefs, place)]
    for place in sorted(standing, key=lambda p: -beliefs[p.id][TRILITH] - on_top.get(p.id, 0.0)):
        if taken.isdisjoint(place.covers):
            taken.update(place.covers)
        else:
            beliefs[place.id] = {None: 1 - EITHER_ERRS, TRILITH: EITHER_ERRS}


def covered_by_triliths(beliefs: Mapping[str, Belief], places: Iterable[Place]) -> set[str]:
    """The fields on which triliths stand, as far as is known of these places."""
    return {name for place in places if _stands(beliefs, place) for name in place.covers}


def _stands(beliefs: Mapping[str, Belief], place: Place) -> bool:
    return beliefs.get(place.id, {}).get(TRILITH, 0.0) > 0.5


def one_figure_each(
    beliefs: Mapping[str, Belief], loose: Sequence[Piece], read: Collection[str]
) -> dict[str, Belief]:
    """A set has one figure of each colour: what is believed of the places that were just `read`, weighed
    against the figures of that colour elsewhere, on fields or `loose`. Bayes' rule over two worlds: one with
    at most one figure, and, seldom, one with as many as are seen. beliefs: of the places that are seen."""
    odds: dict[str | None, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for place, belief in beliefs.items():
        chances: dict[str | None, float] = defaultdict(float)
        for thing, chance in belief.items():
            if thing is not None and thing.kind == "figure":
                chances[thing.colour] += chance
        for colour, chance in chances.items():
            odds[colour][place] = _odds(chance)
    for piece in loose:
        if piece.kind == "figure":
            odds[piece.colour][piece.field or ""] = _odds(piece.confidence or 0.5)
    weighed_anew = {place: dict(beliefs[place]) for place in read if place in beliefs}
    for colour, seen in odds.items():
        every = 1 + sum(seen.values())
        more = MORE_FIGURES * math.prod(1 + own for own in seen.values())
        share = more / (more + (1 - MORE_FIGURES) * every)
        for place in seen.keys() & weighed_anew.keys():
            belief = weighed_anew[place]
            figure = sum(chance for thing, chance in belief.items() if _is_figure(thing, colour))
            other = sum(belief.values()) - figure
            after = share * figure + (1 - share) * seen[place] / every
            if figure > after and other > 0:
                weighed_anew[place] = {
                    thing: chance * (after / figure if _is_figure(thing, colour) else (1 - after) / other)
                    for thing, chance in belief.items()
                }
    return weighed_anew


def _odds(chance: float) -> float:
    at_most = min(chance, 1 - FORGET)
    return at_most / (1 - at_most)


def _is_figure(thing: Thing | None, colour: str | None) -> bool:
    return thing is not None and thing.kind == "figure" and thing.colour == colour


def told(belief: Belief) -> tuple[Thing | None, float]:
    """What a belief says lies there, and its probability. Which way a figure looks and how many blocks lie in
    a heap are told only if that is sure."""
    together: dict[Thing | None, float] = defaultdict(float)
    for thing, chance in belief.items():
        together[_in_any_case(thing)] += chance
    best = max(together, key=together.__getitem__)
    exact = {thing: chance for thing, chance in belief.items() if _in_any_case(thing) == best}
    thing = max(exact, key=exact.__getitem__)
    sure = SURE_OF_COUNT if thing is None or thing.facing is None else SURE_OF_FACING
    if exact[thing] < sure * together[best]:
        return best, together[best]
    return thing, exact[thing]


def _in_any_case(thing: Thing | None) -> Thing | None:
    """What is told of a thing even if it is not seen well."""
    is_heap = thing is not None and thing.kind == "block" and thing.count != 1
    if thing is None or not (is_heap or thing.facing):
        return thing
    return replace(thing, facing=None, count=None if is_heap else thing.count)


def humbler(belief: Belief) -> Belief:
    """A belief that was formed without knowing the print."""
    powers = {thing: chance**HUMBLER for thing, chance in belief.items()}
    total = sum(powers.values())
    return {thing: power / total for thing, power in powers.items()}


def normal(belief: Mapping[Thing | None, float], hidden: float) -> Belief:
    """Sums to 1; what is hidden is spread so that nothing is called certain, least of all empty."""
    total = sum(belief.values())
    if total < 1e-6 or hidden > 0.5:
        things = [thing for thing in belief if thing is not None]
        flat = {None: 0.4} | {thing: 0.6 / len(things) for thing in things} if things else {None: 1.0}
        return flat
    return {thing: chance / total for thing, chance in belief.items()}
