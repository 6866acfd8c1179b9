"""Disc or figure: seen from above a cone or a post is as round as a disc.

What tells then is its shadow, which is the longer the higher the piece is, and how light falls on what stands
around it. Both lie outside the crop that the place networks see: where these leave it open, a network of its
own looks at more than twice as much of the picture. And the discs of one table are of one make, and so are
its figures: how much like a figure each of them looks is weighed beside the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.fields.places import Place
from vision.nets import answers

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
DISC, FIGURE = "disc", "figure"
# What is looked at is so many times as wide as what the place networks see, and so many pixels wide.
TIMES, SIDE_PX = 2.2, 80
# photo (3), empty board (3), both bodies (2), difference (3), how much brighter than the board, either body.
CHANNELS = 13
# Shades are told apart down to so dark ones (display-referred), and so many times brighter or darker.
DARK, MOST = 0.05, 2.0
# Asked is what is a disc or a figure with such a chance, if neither of the two is less likely than that;
# beside it so many of those that are surely discs, and surely figures.
EITHER, LEAST, DISCS, FIGURES = 0.5, 0.005, 6, 3
# How many of a table's discs and figures are figures: a player has one figure and ten discs; on boards of
# somebody else's nobody knows. (Of 2,672 on ours in 480 photographs three figures and five discs are told as
# the other, eleven and two with 0.06.) `FIGURE_TO_DISC` is how the place networks' word is taken where they
# alone are asked, who saw both equally often; most capstones are bare, too.
FEW_FIGURES, MANY_FIGURES, FIGURE_TO_DISC = 0.09, 0.45, 0.6
# Scores (means of the logarithms of the odds that the place networks tell and that this one tells) of a
# table's discs and of its figures: where the middles of both lie (mean and deviation over tables), by how
# much single pieces differ, and which share of them strays so far and so widely towards the other kind. These
# and what is above were fitted to 3,171 pieces in photographs by two renderers, two thirds of them on 49
# boards that are not ours, none of which the network has learnt from. The middles lie so far apart at least.
MIDDLES, VARY = ((-5.0, 1.5), (7.0, 2.0)), (0.75, 2.7)
STRAY, TOWARDS, STRAYED, APART = 0.05, 2.0, 4.0, 2.0
# The middles are looked for in so many steps, and so many deviations to either side.
STEPS, WITHIN = (25, 13), 2.5


def tell_figures(sight: Sight, places: Sequence[Place], kind: Floats, often: float) -> Floats:
    """What stands at each place, (N, 6) as `network.Looks` tells it, after a wider look wherever it may be a
    disc or a figure; often: which share of these are figures."""
    slots = {index: both for index, place in enumerate(places) if (both := slots_of(place))}
    odds = {
        index: float(np.log(figure / disc))
        for index, both in slots.items()
        for disc, figure in [np.maximum(kind[index, [1 + slot for slot in both]], 1e-6)]
        if disc + figure > EITHER
    }
    most = float(np.log((1 - LEAST) / LEAST))
    doubted = [index for index, own in odds.items() if abs(own) < most]
    if not doubted:
        return kind
    asked = [
        *doubted,
        *_some([index for index, own in odds.items() if own <= -most], DISCS),
        *_some([index for index, own in odds.items() if own >= most], FIGURES),
    ]
    scores = (log_odds(sight, [places[index] for index in asked]) + [odds[index] for index in asked]) / 2
    told = kind.copy()
    for index, chance in zip(doubted, chances(scores, often), strict=False):
        disc, figure = (1 + slot for slot in slots[index])
        # `FIGURE_TO_DISC` is still to come.
        share = chance / (chance + (1 - chance) * FIGURE_TO_DISC)
        both = float(kind[index, disc] + kind[index, figure])
        told[index, [disc, figure]] = both * (1 - share), both * share
    return told


def _some(which: Sequence[int], most: int) -> Sequence[int]:
    """At most so many of these, evenly picked."""
    return which[:: -(-len(which) // most)] if which else which


def slots_of(place: Place) -> tuple[int, int] | None:
    """The slots of the disc and the figure that may stand on the board at a place."""
    slots = {body.kind: slot for slot, body in zip(place.slots, place.bodies, strict=True)}
    if place.under is not None or DISC not in slots or FIGURE not in slots:
        return None
    return slots[DISC], slots[FIGURE]


def chances(scores: Floats, often: float) -> Floats:
    """(N,) probabilities that pieces with these scores are figures; often: which share of all pieces that is.

    A mixture of two kinds whose middles are not known: each pair of middles counts as much as the pieces
    suggest, and what is known of other tables."""
    discs, figures = (
        middle + deviation * np.linspace(-WITHIN, WITHIN, steps)
        for (middle, deviation), steps in zip(MIDDLES, STEPS, strict=True)
    )
    known = sum(
        -0.5 * ((at - middle) / deviation) ** 2
        for at, (middle, deviation) in zip(np.meshgrid(discs, figures, indexing="ij"), MIDDLES, strict=True)
    )
    known = np.where(figures - discs[:, None] > APART, known, -np.inf)
    a_disc = (1 - often) * _likely(scores[:, None] - discs, VARY[0], TOWARDS)[:, :, None]
    a_figure = often * _likely(scores[:, None] - figures, VARY[1], -TOWARDS)[:, None, :]
    weight = known + np.log(a_disc + a_figure).sum(axis=0)
    weight = np.exp(weight - weight.max())
    share = (a_figure / (a_disc + a_figure) * weight).sum(axis=(1, 2)) / weight.sum()
    return np.asarray(np.clip(share, 1e-6, 1 - 1e-6), np.float32)


def _likely(away: NDArray[np.floating], vary: float, stray: float) -> NDArray[np.floating]:
    """How likely a score so far from the middle of its kind is; some stray towards the other kind."""

    def normal(away: NDArray[np.floating], vary: float) -> NDArray[np.floating]:
        return np.exp(-0.5 * (away / vary) ** 2) / vary

    return (1 - STRAY) * normal(away, vary) + STRAY * normal(away - stray, STRAYED)


def log_odds(sight: Sight, places: Sequence[Place]) -> Floats:
    """(N,) natural logarithms of the odds of a figure to a disc at these places, at each of which something
    stands, as the network tells them."""
    seen = channels(with_masks(sight.wide_crops(places, TIMES, SIDE_PX), places))
    return np.asarray(answers("figure", seen)[0][:, 0], np.float32)


def with_masks(wide: Floats, places: Sequence[Place]) -> Floats:
    """(N, 8, S, S) of crops as `crops.cut` makes them: photo, empty board, and the disc and the figure that
    may stand there."""
    masks = [
        crop[[9 + slot for slot in slots_of(place) or ()]] for crop, place in zip(wide, places, strict=True)
    ]
    return np.concatenate([wide[:, :6], np.stack(masks)], axis=1)


def channels(crops: Floats) -> Floats:
    """(N, CHANNELS, S, S) of (N, 8, S, S): photo, empty board, disc and figure as they are drawn."""
    photo, empty, masks = np.split(crops, (3, 6), axis=1)
    bright, print_there = (part.mean(axis=1, keepdims=True) + DARK for part in (photo, empty))
    brighter = np.clip(np.log(bright / print_there), -MOST, MOST)
    parts = [photo - 0.5, empty - 0.5, masks, photo - empty, brighter, masks.max(axis=1, keepdims=True)]
    return np.concatenate(parts, axis=1).astype(np.float32)
