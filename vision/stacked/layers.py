"""How many discs a pile is, as a small network sees it.

It never sees a set's colours: only how far what is seen, and the empty board there, are from the shade of
the uppermost disc's top, and how like each pixel is to the board, to that top, to a side of its colour and
to one of another; and where one disc and where the highest pile would be seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.fields.crops import CROP_PX
from vision.geometry.bodies import Body
from vision.geometry.fitting import scaled_body
from vision.nets import answers
from vision.stacked.piles import MOST, Pile, drawn

Floats = NDArray[np.float32]
# What `Likeness.shown` shows; and pixels that are free, one disc, MOST.
SHOWN, CHANNELS = 10, 13


def crops_of(asked: Sequence[tuple[Pile, int]], disc: Body) -> Floats:
    """(N, CHANNELS, CROP_PX, CROP_PX): what the network sees of piles of such discs, each with a colour that
    is asked about."""
    highest = scaled_body(disc, 1.0, MOST)
    crops = np.zeros((len(asked), CHANNELS, CROP_PX, CROP_PX), np.float32)
    last, bodies = None, crops[:0, SHOWN:]
    for crop, (pile, colour) in zip(crops, asked, strict=True):
        assert pile.likeness is not None
        crop[:SHOWN, pile.likeness.region] = pile.likeness.shown(colour)
        # Mostly a pile is asked about in several colours, one after the other.
        if pile is not last:
            last, bodies = pile, _bodies(pile, disc, highest)
        crop[SHOWN:] = bodies
    return crops


def _bodies(pile: Pile, disc: Body, highest: Body) -> Floats:
    """(CHANNELS - SHOWN, CROP_PX, CROP_PX) which pixels are free, and where a disc and the highest pile would
    be seen."""
    hull, top = (drawn(outline) for outline in pile.disc(disc, in_the_middle=True))
    return np.stack([pile.free, 0.5 * (hull + top), drawn(pile.disc(highest, in_the_middle=True)[0])])


def asked_of(asked: Sequence[tuple[Pile, int]], disc: Body) -> tuple[Floats, Floats]:
    """(N, MOST) logits of one disc, two, ... in piles of such discs, each with a colour that is asked about;
    and (N, MOST) how well that colour suits the uppermost disc, the second, ..."""
    counts, colours = answers("stack", crops_of(asked, disc), ("count", "colour"))
    return counts, colours
