"""Runs the place network (trained by `vision.training`) through OpenCV: crops in, beliefs out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.places import MOST_BODIES

Floats = NDArray[np.float32]
MODELS = Path(__file__).with_name("models")
# Trained on other pictures each, they err in other places: their shares in what stands there.
NETWORKS = {"place": 0.4, "stand": 0.3, "shade": 0.3}
# "shade" looks at the bright side of a piece, "place" at all of it: their shares in its colour.
SEERS = {"shade": 0.35, "place": 0.65}
COMPARER = "shade"
# Crops per forward pass: bounds memory, costs nothing.
BATCH = 64
EMPTY, HIDDEN = 0, MOST_BODIES + 1


@dataclass(frozen=True)
class Looks:
    """What the network says of N crops. kind: (N, 6) probabilities of empty, body 1..4, hidden. seen:
    (N, 3) colour of the piece, evened out, display-referred BGR. context: (N, 16) for the colour network."""

    kind: Floats
    seen: Floats
    context: Floats


@cache
def _net(name: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"))


@cache
def _colour_matrices() -> dict[str, Floats]:
    with np.load(MODELS / "colour.npz") as stored:
        return {name: stored[name] for name in stored.files}


def look(crops: Floats) -> Looks:
    """What the networks make of (N, CHANNELS, 48, 48) crops from `vision.crops.cut`. What stands there is
    the mean of all, its colour that of `SEERS`; how to compare colours is what `COMPARER` learnt."""
    kinds, colours, contexts = [], [], []
    for first in range(0, len(crops), BATCH):
        batch = np.ascontiguousarray(crops[first : first + BATCH])
        answers = {name: _run(name, batch) for name in NETWORKS}
        kinds.append(sum((share * answers[name][0] for name, share in NETWORKS.items()), np.float32(0)))
        colours.append(sum((share * answers[name][1] for name, share in SEERS.items()), np.float32(0)))
        contexts.append(answers[COMPARER][2])
    logits, seen, context = (np.concatenate(part) for part in (kinds, colours, contexts))
    absent = crops[:, -MOST_BODIES:].max(axis=(2, 3)) == 0
    logits[:, 1 : 1 + MOST_BODIES][absent] = -30
    return Looks(_softmax(logits), seen, context)


def _run(name: str, batch: Floats) -> list[Floats]:
    """kind, seen and context of one network."""
    net = _net(name)
    net.setInput(batch)
    return [np.asarray(output, np.float32) for output in net.forward(("kind", "seen", "context"))]


def colour_scores(seen: Floats, context: Floats, palette: Floats) -> Floats:
    """(N, P) logits of how well seen (N, 3) colours fit a palette (P, 3) of display-referred BGR."""
    wide = np.broadcast_to(seen[:, None], (len(seen), len(palette), 3))
    offered = np.broadcast_to(palette[None], wide.shape)
    about = np.broadcast_to(context[:, None], (len(seen), len(palette), context.shape[1]))
    gap = wide - offered
    x = np.concatenate([wide, offered, gap, np.abs(gap), about], axis=2)
    matrices = _colour_matrices()
    for layer in ("0", "2", "4"):
        x = x @ matrices[f"layers_{layer}_weight"].T + matrices[f"layers_{layer}_bias"]
        x = np.maximum(x, 0) if layer != "4" else x
    return np.asarray(x[..., 0], np.float32)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
