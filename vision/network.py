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
JUDGED = {"place": 0.1, "stand": 0.2, "judge": 0.7}
UNJUDGED = {"place": 0.5, "shade": 0.2, "stand": 0.3}
# The first looks everywhere; where it is less sure than this, the others look too.
FIRST, SURE = "place", 0.97
# What is at last less likely bare than this was perhaps not looked at for its colour.
LATE = 0.9
# Who sees of which colour a piece is, with what shares: "shade" sees its bright side, "stand" all of it.
SEERS = {"stand": 0.6, "shade": 0.4}
# Crops per forward pass: more of them need more memory, which takes longer to get than to fill.
BATCH = 16
EMPTY, HIDDEN = 0, MOST_BODIES + 1
# How many numbers a network's answers have.
WIDTHS = {"kind": HIDDEN + 1, "seen": 3}
# The logit of what cannot be there.
ABSENT = -30.0
# How dim it is shows on print that is brighter than this, and is not believed to be dimmer than that.
DARK_PRINT, DIMMEST = 0.15, 0.4


@dataclass(frozen=True)
class Looks:
    """What the network says of N crops. kind: (N, 6) probabilities of empty, body 1..4, hidden. seen:
    (N, 3) colour of the piece, evened out, display-referred BGR, black where none was looked for. around:
    (N,) how bright the print around it is beside an evenly lit one's; 1 where no shadow lies."""

    kind: Floats
    seen: Floats
    around: Floats

    def of(self, chosen: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Looks:
        """Those of some of the crops, as copies."""
        parts = (self.kind, self.seen, self.around)
        return Looks(*(part[chosen].copy() for part in parts))

    def put(self, index: int, seen: Floats, around: np.floating) -> None:
        """Put in the colour that another look saw, and how bright it was around."""
        self.seen[index], self.around[index] = seen, around

    def see_late(self, crops: Floats) -> None:
        """Look for the colours of what may stand there after all. crops: (N, ...) what was looked at."""
        late = np.flatnonzero((self.bare < LATE) & ~self.seen.any(axis=1))
        self.seen[late] = see(crops[late])[1]

    @property
    def bare(self) -> Floats:
        """(N,) how likely no piece is seen there."""
        return np.asarray(self.kind[:, EMPTY] + self.kind[:, HIDDEN])


@cache
def loaded(name: str) -> cv2.dnn.Net:
    """The network of this name among `MODELS`. OpenCV's older engine runs small ones in two thirds of the
    time that its newer one takes, to the same numbers."""
    return cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"), cv2.dnn.ENGINE_CLASSIC)


def look(crops: Floats, asked_of: Mapping[str, float] = JUDGED, *, everywhere: bool = True) -> Looks:
    """What the networks make of (N, CHANNELS, 48, 48) crops from `vision.crops.cut`: of what stands there the
    mean of those that looked, with the shares of `asked_of`; of its colour that of the `SEERS`. They look
    everywhere, or else where something may stand."""
    logits = run(FIRST, crops)[0]
    absent = not_drawn(crops)
    first = chances(logits, absent)
    doubted = first.max(axis=1) < SURE
    standing = np.flatnonzero(everywhere | doubted | ~np.isin(first.argmax(axis=1), (EMPTY, HIDDEN)))
    kinds, seen = see(crops[standing])
    unsure, again = np.flatnonzero(doubted), doubted[standing]
    told = {FIRST: logits[unsure], **{name: kind[again] for name, kind in kinds.items()}}
    told |= {name: run(name, crops[unsure])[0] for name in asked_of if name not in told}
    logits[unsure] = _mean(told, asked_of)
    every = np.zeros((len(crops), 3), np.float32)
    every[standing] = seen
    return Looks(chances(logits, absent), every, dimmed(crops))


def see(crops: Floats) -> tuple[dict[str, Floats], Floats]:
    """What each of the `SEERS` says, on the way, of what stands there: (N, 6) logits; and (N, 3) the colours
    that they see."""
    told = {name: run(name, crops, "kind", "seen") for name in SEERS}
    return {name: kind for name, (kind, _) in told.items()}, _mean(
        {name: seen for name, (_, seen) in told.items()}, SEERS
    )


def _mean(told: Mapping[str, Floats], shares: Mapping[str, float]) -> Floats:
    return np.asarray(sum(told[name] * share for name, share in shares.items()), np.float32)


def dimmed(crops: Floats) -> Floats:
    """(N,) how dim the print around each place is, see `Looks`: the median of what no body may cover."""
    photo, empty = crops[:, :3].mean(axis=1), crops[:, 3:6].mean(axis=1)
    beside = (crops[:, 9:].max(axis=1) == 0) & (empty > DARK_PRINT)
    parts = (seen[there] / printed[there] for seen, printed, there in zip(photo, empty, beside, strict=True))
    medians = [float(np.median(part)) if len(part) else 1.0 for part in parts]
    return np.clip(np.array(medians, np.float32), DIMMEST, 1.0)


def run(name: str, crops: Floats, *asked: str) -> list[Floats]:
    """What one network makes of the crops: an array of each thing that it is asked for, of "kind", (N, 6)
    logits, if nothing is said, and "seen", (N, 3) colours."""
    asked = asked or ("kind",)
    if not len(crops):
        return [np.zeros((0, WIDTHS[each]), np.float32) for each in asked]
    net, told = loaded(name), []
    for first in range(0, len(crops), BATCH):
        net.setInput(np.ascontiguousarray(crops[first : first + BATCH]))
        told.append(net.forward(asked))
    return [np.concatenate(parts).astype(np.float32) for parts in zip(*told, strict=True)]


def not_drawn(crops: Floats) -> NDArray[np.bool_]:
    """(N, 6) which bodies cannot stand there: those that are not drawn in the crop."""
    return np.pad(crops[:, -MOST_BODIES:].max(axis=(2, 3)) == 0, ((0, 0), (1, 1)))


def chances(logits: Floats, absent: NDArray[np.bool_]) -> Floats:
    """(N, 6) probabilities of logits, where what is `absent` cannot be there."""
    logits = np.where(absent, ABSENT, logits)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
