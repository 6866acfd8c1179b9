"""Weighs what speaks for something: logistic regression, and how good weights are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# How strongly weights are held to what they are believed to be, in observations; steps of Newton's method.
HELD, STEPS = 0.01, 30


def logistic(evidence: Floats, lies: NDArray[np.bool_], believed: Floats) -> Floats:
    """(E,) weights of a logistic regression of (N,) on (N, E), by Newton's method."""
    weights, held = np.zeros(len(believed)), HELD * np.eye(len(believed))
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-evidence @ weights))
        slope = evidence.T @ (said - lies) + held @ (weights - believed)
        weights = weights - np.linalg.solve((evidence.T * (said * (1 - said))) @ evidence + held, slope)
    return weights


def report(name: str, odds: Floats, lies: NDArray[np.bool_]) -> None:
    """Print how many of the things that lie somewhere such odds miss, and how many they make up."""
    said = np.clip(1 / (1 + np.exp(-odds)), 1e-4, 1 - 1e-4)
    loss = -np.log(np.where(lies, said, 1 - said)).sum()
    missed, made_up = int((lies & (said < 0.5)).sum()), int((~lies & (said > 0.5)).sum())
    print(f"{name}: {missed} of {lies.sum()} pieces missed, {made_up} made up, log loss {loss:.1f}")
