"""The wheel that is set up to be rolled (`rolling`): a disc on its rim, which looks like a short bank.

Nothing else stands so, and it does only in the kick-off zone. A bank that was read there is one if a disc on
its rim covers what has the piece's colour better than a bank does.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from engine.board import Board, PieceType
from engine.games.rolling.course import KICK_OFF_FROM_MM
from engine.position import Thing
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism, rectangle
from vision.geometry.fitting import Fit, Foot, cover_of, fit_to_mask, own_pixels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.sight import Sight

# A rim is as round as so many slabs.
SLABS = 5
# What the better outline must cover, or in poor light, what at least and by how much it must be better; what
# it costs to be of another size than the board file says; and how few pixels tell nothing. (Of 54 banks in
# that zone none is taken for a wheel, of 14 wheels that were read as banks ten are.)
GOOD_COVER, SIZE_COST, FEWEST = 0.7, 0.2, 40
LEAST_COVER, PLAINLY_BETTER = 0.5, 0.1
# A bank that covers its pixels better than this where it was read is one (of wheels 0.55 in photographs).
PLAINLY = 0.7
# A bank is tried in these directions against that in which it was read: a rim shows another one.
TURNS_DEG = (0.0, 45.0, 90.0)


def set_up_wheel(
    board: Board, sight: Sight, bank: Place, colour: str, seen_bgr: NDArray[np.float32]
) -> Place | None:
    """Where the disc on its rim stands that was read as a bank there; None if it is what it was read as.
    seen_bgr: (3,) the piece's colour as it is seen."""
    if bank.bodies[0].kind != "block" or "disc" not in board.pieces or bank.at_mm[1] < KICK_OFF_FROM_MM:
        return None
    wheel = on_its_rim(board.pieces["disc"])
    mask, offset = own_pixels(sight, Foot(Thing("disc", colour), bank, seen_bgr, 1.0), wheel)
    if mask.sum() < FEWEST:
        return None
    as_read = Fit(bank.at_mm, bank.angle_deg)
    if cover_of(sight.view, bank.bodies[0], as_read, mask, offset) > PLAINLY:
        return None
    starts = [replace(as_read, angle_deg=bank.angle_deg + turn) for turn in TURNS_DEG]
    fits = {
        body.shape: max((fit_to_mask(sight.view, body, mask, offset, start) for start in starts), key=_worth)
        for body in (wheel, *bank.bodies)
    }
    best = fits.pop(wheel.shape)
    lead = _worth(best) - max(map(_worth, fits.values()))
    needed = 0.0 if best.cover >= GOOD_COVER else PLAINLY_BETTER
    if best.cover < LEAST_COVER or lead < needed:
        return None
    return Place(bank.id, best.at_mm, best.angle_deg, (wheel,), bank.radius_mm)


def _worth(fit: Fit) -> float:
    return fit.cover - SIZE_COST * fit.other_size


@cache
def on_its_rim(disc: PieceType) -> Body:
    """A disc that stands on its rim and would roll along +x."""
    radius = disc.diameter_mm / 2
    edges = np.linspace(0, disc.diameter_mm, SLABS + 1)
    slabs = []
    for low, high in pairwise(edges):
        half = math.sqrt(radius**2 - ((low + high) / 2 - radius) ** 2)
        slabs.append(Prism(rectangle(2 * half, disc.height_mm), float(low), float(high)))
    return Body(disc.name, tuple(slabs), disc.diameter_mm, "cylinder")
