"""Fits what speaks for a low piece that stands on no field.

    python -m vision.training.spots --photos PHOTOS --seed 1

PHOTOS are lessons; those of `rolling` among them are looked at. Prints the weights for `vision.spots`, and
what they change.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.bodies import body_of
from vision.free import FREE, MOST_SPOTS, stone_of
from vision.gates import find_gates, silhouettes, smaller
from vision.loose import differing
from vision.spots import WEIGHTS, at_their_height, evidence, find_spots
from vision.training.odds import fit
from vision.training.photographs import sight_of

Floats = NDArray[np.float64]
GAME = "rolling"
# A spot so near to a piece shows it; one between that and so far shows a part of it, and teaches nothing.
NEAR_MM, AWAY_MM = 10.0, 16.0


def spots_seen(photo: Path, rng: np.random.Generator) -> tuple[list[Floats], list[bool]]:
    """Of every spot that is looked at in one photograph the evidence (5,), and whether a piece lies there."""
    label, board, sight = sight_of(photo, rng)
    gates = [gate.place for gate in find_gates(board, sight, differing(smaller(sight)))]
    bodies = [body_of(board.pieces[kind]) for kind in FREE[GAME]]
    spots = find_spots(at_their_height(sight, bodies), bodies, silhouettes(sight, gates), MOST_SPOTS)
    looks = sight.look([spot.place for spot in spots])
    pieces = [
        (piece["x_mm"], piece["y_mm"])
        for piece in label["pieces"]
        if piece["kind"] in FREE[GAME] and "x_mm" in piece and not piece.get("on")
    ]
    found, lies = [], []
    for spot, weighed in zip(spots, evidence(spots, looks, stone_of(board, sight, gates)), strict=True):
        nearest = min((math.dist(spot.place.at_mm, piece) for piece in pieces), default=math.inf)
        if nearest < NEAR_MM or nearest > AWAY_MM:
            found.append(weighed)
            lies.append(nearest < NEAR_MM)
    return found, lies


if __name__ == "__main__":
    fit(__doc__, spots_seen, WEIGHTS, GAME)
