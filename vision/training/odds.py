"""Weighs what speaks for something in lessons: logistic regression, and how good weights are."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

Floats = NDArray[np.float64]
# How strongly weights are held to what they are believed to be, in observations; steps of Newton's method.
HELD, STEPS = 0.01, 30
# Of everything that is looked at in one photograph the evidence, (E,) each, the network's own odds first, and
# whether it lies there.
Evidence = tuple[list[Floats], list[bool]]


def fit(
    about: str | None,
    seen_in: Callable[[Path, np.random.Generator], Evidence],
    weights: Floats,
    game: str | None = None,
) -> None:
    """The command that fits weights to photographs, of one game or of all, and prints them and what they
    change. weights: (E,) as they are now."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--photos", type=Path, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    labels = sorted(path for folder in options.photos for path in folder.glob("*.json"))
    photos = [
        label.with_suffix(".jpg")
        for label in labels
        if game in (None, json.loads(label.read_text(encoding="utf-8"))["game"])
    ]
    seen: list[Floats] = []
    lies: list[bool] = []
    for number, photo in enumerate(track(photos, description="photographs")):
        evidence, there = seen_in(photo, np.random.default_rng([options.seed, number]))
        seen += evidence
        lies += there
    every, truth = np.array(seen), np.array(lies)
    # The weights are held to the network's own odds.
    fitted = logistic(every, truth, np.eye(len(weights))[0])
    report("the network alone", every[:, 0], truth)
    report("as it is", every @ weights, truth)
    report("fitted", every @ fitted, truth)
    print(f"WEIGHTS = {np.round(fitted, 2).tolist()}")


def logistic(evidence: Floats, lies: NDArray[np.bool_], believed: Floats, held: float = HELD) -> Floats:
    """(E,) weights of a logistic regression of (N,) on (N, E), by Newton's method; `held` to what is believed
    of them as by so many observations."""
    weights, hold = np.zeros(len(believed)), held * np.eye(len(believed))
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-evidence @ weights))
        slope = evidence.T @ (said - lies) + hold @ (weights - believed)
        weights = weights - np.linalg.solve((evidence.T * (said * (1 - said))) @ evidence + hold, slope)
    return weights


def report(name: str, odds: Floats, lies: NDArray[np.bool_]) -> None:
    """Print how many of the things that lie somewhere such odds miss, and how many they make up."""
    said = np.clip(1 / (1 + np.exp(-odds)), 1e-4, 1 - 1e-4)
    loss = -np.log(np.where(lies, said, 1 - said)).sum()
    missed, made_up = int((lies & (said < 0.5)).sum()), int((~lies & (said > 0.5)).sum())
    print(f"{name}: {missed} of {lies.sum()} pieces missed, {made_up} made up, log loss {loss:.1f}")
