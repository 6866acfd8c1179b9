"""Runs the place network (trained by `vision.training`) through OpenCV: crops in, beliefs out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.places import MOST_BODIES

Floats = NDArray[np.float32]
MODELS = Path(__file__).with_name("models")
# Who is asked, with their shares in what stands there: trained on other pictures each, they err in other
# places. The judge is larger and learnt from what "place" doubts, but hardly from capstones.
JUDGED = {"place": 0.2, "shade": 0.2, "judge": 0.6}
UNJUDGED = {"place": 0.34, "shade": 0.36, "stand": 0.3}
# The first looks everywhere; where it is less sure than this, the others look too.
FIRST, SURE = "place", 0.97
# "place" sees the colour of all of a piece, this one that of its bright side, with so large a share; how to
# compare colours is what it learnt.
SEER, SEER_SHARE = "shade", 0.35
# Crops per forward pass: more of them need more memory, which takes longer to get than to fill.
BATCH = 16
CONTEXT = 16
EMPTY, HIDDEN = 0, MOST_BODIES + 1
# The logit of what cannot be there.
ABSENT = -30.0
# How dim it is shows on print that is brighter than this, and is not believed to be dimmer than that.
DARK_PRINT, DIMMEST = 0.15, 0.4


@dataclass(frozen=True)
class Looks:
    """What the network says of N crops. kind: (N, 6) probabilities of empty, body 1..4, hidden. seen:
    (N, 3) colour of the piece, evened out, display-referred BGR. context: (N, 16) for the colour network.
    around: (N,) how bright the print around it is beside an evenly lit one's; 1 where no shadow lies."""

    kind: Floats
    seen: Floats
    context: Floats
    around: Floats

    def of(self, chosen: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Looks:
        """Those of some of the crops, as copies."""
        parts = (self.kind, self.seen, self.context, self.around)
        return Looks(*(part[chosen].copy() for part in parts))

    def put(self, index: int, others: Looks, number: int) -> None:
        """Put in the colour that another look saw."""
        self.seen[index], self.context[index] = others.seen[number], others.context[number]
        self.around[index] = others.around[number]

    @property
    def bare(self) -> Floats:
        """(N,) how likely no piece is seen there."""
        return np.asarray(self.kind[:, EMPTY] + self.kind[:, HIDDEN])


@cache
def loaded(name: str) -> cv2.dnn.Net:
    """The network of this name among `MODELS`. OpenCV's older engine runs small ones in two thirds of the
    time that its newer one takes, to the same numbers."""
    return cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"), cv2.dnn.ENGINE_CLASSIC)


@cache
def _colour_matrices() -> dict[str, Floats]:
    with np.load(MODELS / "colour.npz") as stored:
        return {name: stored[name] for name in stored.files}


def look(crops: Floats, asked_of: Mapping[str, float] = JUDGED) -> Looks:
    """What the networks make of (N, CHANNELS, 48, 48) crops from `vision.crops.cut`: of what stands there the
    mean of those that looked, with the shares of `asked_of`. Where surely nothing does, the context is 0."""
    logits, seen, _ = run(FIRST, crops)
    absent = not_drawn(crops)
    first = chances(logits, absent)
    doubted = first.max(axis=1) < SURE
    standing = doubted | ~np.isin(first.argmax(axis=1), (EMPTY, HIDDEN))
    context = np.zeros((len(crops), CONTEXT), np.float32)
    shares = np.full((len(crops), 1), asked_of[FIRST], np.float32)
    logits = logits * shares
    for name, share in asked_of.items():
        asked = np.flatnonzero(standing if name == SEER else doubted)
        if name == FIRST or not len(asked):
            continue
        kind, colour, about = run(name, crops[asked])
        logits[asked] += share * kind
        shares[asked] += share
        if name == SEER:
            seen[asked] += SEER_SHARE * (colour - seen[asked])
            context[asked] = about
    return Looks(chances(logits / shares, absent), seen, context, dimmed(crops))


def dimmed(crops: Floats) -> Floats:
    """(N,) how dim the print around each place is, see `Looks`: the median of what no body may cover."""
    photo, empty = crops[:, :3].mean(axis=1), crops[:, 3:6].mean(axis=1)
    beside = (crops[:, 9:].max(axis=1) == 0) & (empty > DARK_PRINT)
    parts = (seen[there] / printed[there] for seen, printed, there in zip(photo, empty, beside, strict=True))
    medians = [float(np.median(part)) if len(part) else 1.0 for part in parts]
    return np.clip(np.array(medians, np.float32), DIMMEST, 1.0)


def run(name: str, crops: Floats) -> list[Floats]:
    """What one network makes of the crops: (N, 6) logits of kind, (N, 3) seen, (N, CONTEXT) context."""
    net, batches = loaded(name), []
    for first in range(0, len(crops), BATCH):
        net.setInput(np.ascontiguousarray(crops[first : first + BATCH]))
        batches.append(net.forward(("kind", "seen", "context")))
    return [np.concatenate(outputs).astype(np.float32) for outputs in zip(*batches, strict=True)]


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


def not_drawn(crops: Floats) -> NDArray[np.bool_]:
    """(N, 6) which bodies cannot stand there: those that are not drawn in the crop."""
    return np.pad(crops[:, -MOST_BODIES:].max(axis=(2, 3)) == 0, ((0, 0), (1, 1)))


def chances(logits: Floats, absent: NDArray[np.bool_]) -> Floats:
    """(N, 6) probabilities of logits, where what is `absent` cannot be there."""
    logits = np.where(absent, ABSENT, logits)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
