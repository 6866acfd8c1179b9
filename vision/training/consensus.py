"""Fits how what the network says of a place is weighed with how the place looks beside empty ones.

    python -m vision.training.consensus --photos PHOTOS --seed 1

PHOTOS are lessons that the place networks have not learnt from: on those they are too sure of themselves.
Prints the weights for `vision.fields.consensus`, and what they change.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.fields.consensus import WEIGHTS, Consensus, around, evidence, looks_of
from vision.fields.network import HIDDEN, look
from vision.fields.places import places_of
from vision.training.odds import fit
from vision.training.photographs import sight_of, truth_of

Floats = NDArray[np.float64]


def places_seen(photo: Path, rng: np.random.Generator) -> tuple[list[Floats], list[bool]]:
    """Of every place that one photograph shows the evidence (6,), and whether something lies there."""
    label, board, sight = sight_of(photo, rng)
    places = places_of(board, label["game"])
    names = sorted({colour for piece in board.pieces.values() for colour in piece.colours})
    _, truth = truth_of(board, label, names)
    crops = sight.crops(places)
    kinds, looks = look(crops).kind, looks_of(crops, places)
    said = {place.id: kind for place, kind in zip(places, kinds, strict=True)}
    consensus = Consensus.of(looks, said, around(crops, places))
    found, lies = [], []
    for place, kind, what in zip(places, kinds, truth[: len(places)], strict=True):
        if what.covered_by or kind[HIDDEN] > 0.5 or place.id not in looks:
            continue
        weighed = evidence(consensus, place.id, looks[place.id], kind)
        if weighed is not None:
            found.append(weighed)
            lies.append(bool(what.number))
    return found, lies


if __name__ == "__main__":
    fit(__doc__, places_seen, WEIGHTS)
