"""Asks the networks that look at places: crops in, beliefs out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.fields.crops import CROP_PX
from vision.fields.places import MOST_BODIES, SLOTS
from vision.nets import answers

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Asked:
    """The networks that are asked of places, with their shares in what stands there and in the colour that
    is seen: trained on other pictures each, they err in other places."""

    kinds: Mapping[str, float]
    colours: Mapping[str, float]


# The judge is larger and learnt from what "place" doubts. Who else sees colours sees all of a piece, "shade"
# its bright side. On our own boards that one is not worth its time: of 493 photographs 410 are exact with it
# and without, 118 and 125 places wrong, seven of these in one photograph.
OURS = Asked({"place": 0.1, "stand": 0.2, "judge": 0.7}, {"place": 0.5, "stand": 0.5})
# Of boards that are not ours another one judges, which went on with such boards and with pieces of any shape.
ELSEWHERE = Asked({"place": 0.1, "stand": 0.2, "stranger": 0.7}, {"place": 0.4, "stand": 0.4, "shade": 0.2})
# Where the print is guessed nobody judges.
GUESSED = Asked({"place": 0.5, "shade": 0.2, "stand": 0.3}, ELSEWHERE.colours)
# Of our own boards the judge of others knows no print, but it knows pieces of more shapes: what stands there,
# if anything does that is seen, is asked of both judges, whether anything does of the first alone. (Asked
# that, too, the other took a line across an empty field, and what a capstone hides, for white discs.)
KINDS = {"place": 0.1, "stand": 0.2, "judge": 0.35, "stranger": 0.35}
# Who is asked of capstones: the first has learnt from nothing else.
ON_CAPSTONES = Asked({"top": 0.6, "judge": 0.4}, OURS.colours)
# The first looks everywhere; where it is less sure than this, the others look too.
FIRST, SURE = "place", 0.97
# What it holds for empty but differs from the print so many times more than empty places usually do is judged
# by the judge alone, which sees each piece by itself: white pieces on white print (of 12,205 places of 220
# photographs it was so asked of 371 and had all right, five discs among them that the first had called
# empty).
JUDGES, STANDS_OUT, SQUARE = ("judge", "stranger"), 3.0, 4
# Where fewer places are empty they differ from their print by this at most.
ENOUGH, USUAL = 8, 0.02
# Who has learnt to look beside the lamp that a piece mirrors; what mirrors one looks paler than it is: where
# the darkest channel of a colour is less than this share of the brightest, nothing is mirrored.
MATT, PALE = "matt", 0.4
EMPTY, TRILITH, HIDDEN = 0, 1 + SLOTS.index("trilith"), MOST_BODIES + 1
# The logit of what cannot be there; and nothing is less likely than this.
ABSENT, LEAST = -30.0, 1e-9
# How dim it is shows on print that is brighter than this, and is not believed to be dimmer than that.
DARK_PRINT, DIMMEST = 0.15, 0.4


@dataclass(frozen=True)
class Looks:
    """What the network says of N crops. kind: (N, 6) probabilities of empty, body 1..4, hidden. seen:
    (N, 3) colour of the piece, evened out, display-referred BGR; matt: the same as it is seen beside what the
    piece mirrors. around: (N,) how bright the print around it is beside an evenly lit one's; 1 where no
    shadow lies."""

    kind: Floats
    seen: Floats
    matt: Floats
    around: Floats

    def of(self, chosen: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Looks:
        """Those of some of the crops, as copies."""
        parts = (self.kind, self.seen, self.matt, self.around)
        return Looks(*(part[chosen].copy() for part in parts))

    def put(self, index: int, others: Looks, number: int) -> None:
        """Put in the colour that another look saw."""
        for own, other in ((self.seen, others.seen), (self.matt, others.matt), (self.around, others.around)):
            own[index] = other[number]

    @property
    def bare(self) -> Floats:
        """(N,) how likely no piece is seen there."""
        return np.asarray(self.kind[:, EMPTY] + self.kind[:, HIDDEN])


def look(crops: Floats, asked: Asked = OURS, *, coloured: bool = True) -> Looks:
    """What the networks make of (N, CHANNELS, 48, 48) crops from `vision.fields.crops.cut`: of what stands
    there the mean of those that looked, with the shares of `asked`; of its colour that of those who see it,
    and what `MATT` says. Not `coloured`, only what stands there is told as well as can be."""
    logits, seen = run(FIRST, crops)
    absent = not_drawn(crops)
    first = chances(logits, absent)
    doubted = first.max(axis=1) < SURE
    judged: dict[str, Floats] = {}
    judge = next((name for name in asked.kinds if name in JUDGES), None)
    if judge is not None:
        overlooked = ~doubted & (first.argmax(axis=1) == EMPTY) & _stands_out(crops, first)
        looked = doubted | overlooked
        told_by_judge = kinds_of(judge, crops[looked])
        judged[judge] = told_by_judge[doubted[looked]]
        logits[overlooked] = told_by_judge[overlooked[looked]]
    piece = ~np.isin(chances(logits, absent).argmax(axis=1), (EMPTY, HIDDEN))
    standing = np.flatnonzero(doubted | piece if coloured else doubted)
    if len(standing):
        told = {FIRST: (logits[standing], seen[standing])}
        told |= {name: run(name, crops[standing]) for name in asked.colours if name != FIRST}
        seen[standing] = _mean({name: colours for name, (_, colours) in told.items()}, asked.colours)
        again = doubted[standing]
        opinions = judged | {name: told[name][0][again] for name in asked.kinds if name in told}
        logits[doubted] = _mean(opinions, asked.kinds)
        still = doubted & _may_be_several(absent) & (chances(logits, absent).max(axis=1) < SURE)
        if asked is OURS and still.any():
            opinions = {name: told[still[doubted]] for name, told in opinions.items()}
            opinions["stranger"] = kinds_of("stranger", crops[still])
            logits[still] = _seen_as(logits[still], _mean(opinions, KINDS), absent[still])
    kind, matt = chances(logits, absent), seen.copy()
    if coloured:
        there = kind[:, EMPTY] + kind[:, HIDDEN] < SURE
        matt[there] = beside_the_lamp(crops[there], seen[there])
    return Looks(kind, seen, matt, dimmed(crops))


def _may_be_several(absent: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) where the judge of more shapes could tell otherwise, see `_seen_as`."""
    return np.asarray(((~absent[:, EMPTY + 1 : HIDDEN]).sum(axis=1) > 1) | ~absent[:, TRILITH])


def _seen_as(told: Floats, kinds: Floats, absent: NDArray[np.bool_]) -> Floats:
    """(N, 6) logits of what is as likely empty or hidden as `told`, and otherwise as `kinds` has it; whether
    a trilith is hidden, which hardly anything is large enough for, `kinds` tells, too."""
    told, kinds = chances(told, absent), chances(kinds, absent)
    kept = np.zeros(told.shape, bool)
    kept[:, EMPTY], kept[:, HIDDEN] = True, absent[:, TRILITH]
    share = (1 - np.where(kept, told, 0).sum(axis=1, keepdims=True)) / np.maximum(
        np.where(kept, 0, kinds).sum(axis=1, keepdims=True), LEAST
    )
    return np.log(np.maximum(np.where(kept, told, kinds * share), LEAST)).astype(np.float32)


def kinds_on_capstones(crops: Floats, odds: float = 1.0) -> Floats:
    """(N, 6) what of `look_on_capstones` is told of what lies there, without its colour."""
    logits = _mean({name: kinds_of(name, crops) for name in ON_CAPSTONES.kinds}, ON_CAPSTONES.kinds)
    logits[:, EMPTY + 1 : HIDDEN] += math.log(odds)
    return chances(logits, not_drawn(crops))


def look_on_capstones(crops: Floats, odds: float = 1.0) -> Looks:
    """The same of crops of capstones: what lies on them those tell who are asked of these, and of which
    colour it is those who tell it elsewhere, but of what is surely bare. odds: so many times more often than
    in what they learnt from something lies there."""
    kind = kinds_on_capstones(crops, odds)
    seen, matt = np.zeros((2, len(crops), 3), np.float32)
    # Most capstones are surely bare: nobody need look there for a colour.
    standing = kind[:, EMPTY] + kind[:, HIDDEN] < SURE
    told = {name: run(name, crops[standing])[1] for name in ON_CAPSTONES.colours}
    seen[standing] = _mean(told, ON_CAPSTONES.colours)
    matt[standing] = beside_the_lamp(crops[standing], seen[standing])
    return Looks(kind, seen, matt, dimmed(crops))


def _stands_out(crops: Floats, first: Floats) -> NDArray[np.bool_]:
    """(N,) which crops differ from their print, where a body may be, far more than those that are empty."""
    empty = first[:, EMPTY] > SURE
    unlike = np.zeros(len(crops), np.float32)
    if not empty.any():
        return empty
    apart = np.abs(_in_squares(np.add, crops[empty, 6:9])).max(axis=1) / SQUARE**2
    inside = _in_squares(np.maximum, crops[empty, 9:].max(axis=1)) > 0
    unlike[empty] = (apart * inside).sum(axis=(1, 2)) / np.maximum(inside.sum(axis=(1, 2)), 1)
    usual = float(np.median(unlike[empty]))
    return np.asarray(unlike > STANDS_OUT * (usual if empty.sum() >= ENOUGH else min(usual, USUAL)))


def _in_squares(how: np.ufunc, pictures: Floats) -> Floats:
    """(..., CROP_PX / SQUARE, CROP_PX / SQUARE) the pixels of each square of pictures, put together."""
    shape, side = pictures.shape[:-2], CROP_PX // SQUARE
    rows = how.reduce(pictures.reshape(*shape, side, SQUARE, CROP_PX), axis=-2)
    return np.asarray(how.reduce(rows.reshape(*shape, side, side, SQUARE), axis=-1), np.float32)


def beside_the_lamp(crops: Floats, seen: Floats) -> Floats:
    """(N, 3) the colour of the pieces in crops as it is seen beside what they mirror; seen: (N, 3) as it is
    seen everywhere."""
    matt, pale = seen.copy(), seen.min(axis=1) > PALE * seen.max(axis=1)
    matt[pale] = run(MATT, crops[pale])[1]
    return matt


def _mean(told: Mapping[str, Floats], shares: Mapping[str, float]) -> Floats:
    total = sum(shares[name] for name in told)
    return np.asarray(sum(each * (shares[name] / total) for name, each in told.items()), np.float32)


def dimmed(crops: Floats) -> Floats:
    """(N,) how dim the print around each place is, see `Looks`: the median of what no body may cover."""
    # Every second pixel tells as much.
    crops = crops[..., ::2, ::2]
    photo, empty = crops[:, :3].mean(axis=1), crops[:, 3:6].mean(axis=1)
    beside = (crops[:, 9:].max(axis=1) == 0) & (empty > DARK_PRINT)
    parts = (seen[there] / printed[there] for seen, printed, there in zip(photo, empty, beside, strict=True))
    medians = [float(np.median(part)) if len(part) else 1.0 for part in parts]
    return np.clip(np.array(medians, np.float32), DIMMEST, 1.0)


def kinds_of(name: str, crops: Floats) -> Floats:
    """(N, 6) logits of kind: what a network makes of the crops that is not asked for colours."""
    return answers(name, crops)[0] if len(crops) else np.zeros((0, HIDDEN + 1), np.float32)


def run(name: str, crops: Floats) -> tuple[Floats, Floats]:
    """What one that sees colours makes of them: (N, 6) logits of kind, (N, 3) seen."""
    if not len(crops):
        return np.zeros((0, HIDDEN + 1), np.float32), np.zeros((0, 3), np.float32)
    kinds, colours = answers(name, crops, ("kind", "seen"))
    return kinds, colours


def not_drawn(crops: Floats) -> NDArray[np.bool_]:
    """(N, 6) which bodies cannot stand there: those that are not drawn in the crop."""
    return np.pad(crops[:, -MOST_BODIES:].max(axis=(2, 3)) == 0, ((0, 0), (1, 1)))


def chances(logits: Floats, absent: NDArray[np.bool_]) -> Floats:
    """(N, 6) probabilities of logits, where what is `absent` cannot be there."""
    logits = np.where(absent, ABSENT, logits)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
