"""What tells that something else lies on a place than in the picture before (`changes.Evidence`), weighed.

    python -m sample_images.generator series --samples 4 --out SERIES
    python -m vision.training.changes SERIES/TABLE SERIES/TABLE ...

Each folder is a series as the generator makes them, its empty board in `empty/` beside it. It is read with
that photograph and without, from the first label; printed are the weights, and how many places they tell
wrongly that lie on tables they were not fitted on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from engine.position import Position
from vision.errors import CannotRead
from vision.following.changes import WEIGHTS
from vision.following.lying import lay_before
from vision.pictures.images import load_image
from vision.training.odds import logistic
from vision.training.pairs import opened_series

Floats = NDArray[np.float64]
# The weights are held to what they are, which other tables told, as by one observation: hardly any place is
# told wrongly.
HELD = 1.0


def evidence(folder: Path, *, reference: bool) -> Iterator[tuple[Floats, bool]]:
    """Of each place of a series that was weighed in one of its pictures, and of which was known what lay
    there before, the features (E,) and whether something else lies there."""
    reader, pictures = opened_series(folder, reference=reference)
    before = truth_before = Position.from_json(pictures[0].label)
    for number, (path, label, corners) in enumerate(pictures):
        try:
            seen = reader.read(load_image(path), before, corners).position
        except CannotRead:
            continue
        truth = Position.from_json(label)
        if number == 0:
            reader.learn(truth)
            seen = truth
        weighed = reader.memory.weighed
        now, then, told = (lay_before(each, weighed) for each in (truth, truth_before, before))
        for name, each in weighed.items() if number else ():
            known = name in now and name in then and told.get(name) == then[name]
            if known and each.apart is not None:
                yield each.features(), now[name] != then[name]
        before, truth_before = seen, truth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    features, changed, tables = [], [], []
    for folder in track(options.folders, description="series"):
        for reference in (True, False):
            for each, is_so in evidence(folder, reference=reference):
                features.append(each)
                changed.append(is_so)
                tables.append(str(folder))
    every, truth, table = np.array(features), np.array(changed), np.array(tables)
    unseen = np.zeros(len(truth))
    for left_out in set(tables):
        own = table == left_out
        unseen[own] = every[own] @ _fitted(every[~own], truth[~own])
    for name, said in (("as it is", every @ WEIGHTS), ("on tables left out", unseen)):
        print(f"{name}: {((said > 0) != truth).sum()} of {len(truth)} told wrongly, {truth.sum()} changed")
    print(f"WEIGHTS = {np.round(_fitted(every, truth), 2).tolist()}")


def _fitted(every: Floats, truth: NDArray[np.bool_]) -> Floats:
    return logistic(every, truth, WEIGHTS, HELD)


if __name__ == "__main__":
    main()
