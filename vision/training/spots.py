"""Fits what speaks for a low piece that stands on no field.

    python -m vision.training.spots --photos PHOTOS --seed 1

PHOTOS are lessons; those of `rolling` among them are looked at. Prints the weights for `vision.spots`, and
what they change.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from engine.board import load_board
from vision.bodies import body_of
from vision.free import FREE, MOST_SPOTS, stone_of
from vision.gates import find_gates, silhouettes, smaller
from vision.images import load_image
from vision.light import fit_light
from vision.locate import Located
from vision.loose import differing
from vision.sight import Sight
from vision.spots import WEIGHTS, at_their_height, evidence, find_spots
from vision.training.odds import logistic, report
from vision.training.photographs import surface_of, view_of
from vision.training.scenes import found_view

Floats = NDArray[np.float64]
GAME = "rolling"
# A spot so near to a piece shows it; one between that and so far shows a part of it, and teaches nothing.
NEAR_MM, AWAY_MM = 10.0, 16.0
# The weights are held to the network's own odds.
OWN = np.array([1.0, 0, 0, 0, 0])


def spots_seen(photo: Path, rng: np.random.Generator) -> tuple[list[Floats], list[bool]]:
    """Of every spot that is looked at in one photograph the evidence (5,), and whether a piece lies there."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, image = load_board(label["board"]), load_image(photo)
    view, surface = found_view(rng, board, view_of(label)), surface_of(board, label["style"])
    sight = Sight(image, Located(view, "label", 0.0), fit_light(image, view, surface), surface)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    labels = sorted(path for folder in options.photos for path in folder.glob("*.json"))
    photos = [each.with_suffix(".jpg") for each in labels if json.loads(each.read_text())["game"] == GAME]
    seen: list[Floats] = []
    lies: list[bool] = []
    for number, photo in enumerate(track(photos, description="photographs")):
        evidences, there = spots_seen(photo, np.random.default_rng([options.seed, number]))
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
