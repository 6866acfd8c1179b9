"""Fits how what the network says of a place is weighed with how the place looks beside empty ones.

    python -m vision.training.consensus --photos PHOTOS --seed 1

PHOTOS are lessons that the place networks have not learnt from: on those they are too sure of themselves.
Prints the weights for `vision.consensus`, and what they change.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from engine.board import load_board
from vision.consensus import WEIGHTS, Consensus, evidence, looks_of
from vision.crops import cut
from vision.images import load_image
from vision.light import fit_light
from vision.network import HIDDEN, look
from vision.places import places_of
from vision.training.odds import logistic, report
from vision.training.photographs import surface_of, truth_of, view_of
from vision.training.scenes import found_view

Floats = NDArray[np.float64]
# The weights are held to the network's own odds.
OWN = np.array([1.0, 0, 0, 0, 0])


def places_seen(photo: Path, rng: np.random.Generator) -> tuple[list[Floats], list[bool]]:
    """Of every place that one photograph shows the evidence (5,), and whether something lies there."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, image = load_board(label["board"]), load_image(photo)
    view, surface = found_view(rng, board, view_of(label)), surface_of(board, label["style"])
    places = places_of(board, label["game"])
    names = sorted({colour for piece in board.pieces.values() for colour in piece.colours})
    _, truth = truth_of(board, label, names)
    crops = cut(image, view, surface, fit_light(image, view, surface), places)
    kinds, looks = look(crops).kind, looks_of(crops, places)
    consensus = Consensus.of(looks, {place.id: kind for place, kind in zip(places, kinds, strict=True)})
    found, lies = [], []
    for place, kind, what in zip(places, kinds, truth[: len(places)], strict=True):
        if what.covered_by or kind[HIDDEN] > 0.5 or place.id not in looks:
            continue
        weighed = evidence(consensus, place.id, looks[place.id], kind)
        if weighed is not None:
            found.append(weighed)
            lies.append(bool(what.number))
    return found, lies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    photos = sorted(path.with_suffix(".jpg") for folder in options.photos for path in folder.glob("*.json"))
    seen: list[Floats] = []
    lies: list[bool] = []
    for number, photo in enumerate(track(photos, description="photographs")):
        evidences, there = places_seen(photo, np.random.default_rng([options.seed, number]))
        seen += evidences
        lies += there
    every, truth = np.array(seen), np.array(lies)
    weights = logistic(every, truth, OWN)
    report("the network alone", every[:, 0], truth)
    report("as it is", every @ WEIGHTS, truth)
    report("fitted", every @ weights, truth)
    print(f"WEIGHTS = {np.round(weights, 2).tolist()}")


if __name__ == "__main__":
    main()
