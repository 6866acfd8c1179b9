"""What the empty places of a photograph have in common, and which place does not share it.

White discs on white print hardly differ from it, less than one photograph of print differs from the next. But
in one photograph all empty places differ from their print alike: under the same lamp, in the same camera.
Places where nothing surely lies tell how, and how much; a place that is brighter or otherwise tinted than all
of them nearly wherever a disc or a block would lie is not empty, however little that is.

A logistic regression weighs this with what the network says (`vision.training.consensus`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.fields.network import EMPTY, HIDDEN
from vision.fields.places import SLOTS, Place
from vision.geometry.bodies import Body

Floats = NDArray[np.float32]
# What may lie so flat that its picture covers little but its own field.
FLAT = ("cylinder", "box")
# What can lie nowhere.
NO_SHAPE = ""
# Nothing surely lies where the network says so.
SURE = 0.9
# So many empty places have something in common.
ENOUGH = 6
# Shares of a body's pixels, from the lowest: all but a few agree that it is brighter, or darker.
LOW, MIDDLE, HIGH = 0.3, 0.5, 0.7
# Differences are of logarithms of (display-referred brightness + FLOOR): brightness, blue - green, red -
# green. Empty places differ by at least so much.
FLOOR, LEAST = 0.05, np.array([0.012, 0.0084, 0.0084], np.float32)
FEWEST_PX = 12
# Where the print around a place is so much brighter than usual (logarithm), a lamp's light lies on it, and
# the place is no brighter than its surroundings: of 19 empty-looking places in 400 photographs that were told
# as pieces, nine of the twelve that were empty, none of the seven others.
IN_A_LAMPS_LIGHT = 0.12
# Of the network's odds, of how much brighter, darker and otherwise tinted a place is than empty ones (that
# counts no more than so much: a shadow may be of any darkness), of how plainly it is tinted otherwise, and of
# nothing: their weights in the odds that something lies there.
MOST = np.array([4.0, 2.0, 4.0])
# Beyond this no empty place is tinted otherwise than the others: of 1,370 in 460 photographs two, both seen
# by half only, and these a little. How much beyond it a place is counts besides, up to so much. (Of 1,710
# places with pieces, in photographs of another renderer, four are told as empty by this where ten were: white
# ones with a tint that only their print lacks.) On others' boards fields of several colours change theirs by
# more, each in its own way, from one photograph to the next.
PLAINLY, AT_MOST = 3.2, 3.8
WEIGHTS = np.array([1.21, 1.6, -1.29, 0.61, 2.5, -0.15])


@dataclass(frozen=True)
class Look:
    """How one place differs from its print where the upper face of a body of some shape would lie: (3,) each
    at the shares LOW, MIDDLE and HIGH of its pixels."""

    shape: str
    low: Floats
    middle: Floats
    high: Floats


# Place -> how it looks for each flat body that may lie there.
OffPrint = dict[str, list[tuple[int, Look]]]


@dataclass(frozen=True)
class Consensus:
    """How the surely empty places of a photograph differ from their print: (place, shape, (3,)). ground: by
    how much the print beside places is brighter than it should be (logarithm). own: whether it is the print
    of one of our boards, on which all places where pieces land have one colour."""

    empty: tuple[tuple[str, str, Floats], ...]
    ground: float = 0.0
    own: bool = True

    @classmethod
    def of(
        cls,
        looks: OffPrint,
        kind: dict[str, Floats],
        ground: Mapping[str, float],
        bystanders: Callable[[], OffPrint] = dict,
        *,
        own: bool = True,
    ) -> Consensus:
        """kind: place -> (6,) what the network says lies there. ground: see `around`. bystanders: looks at
        places where nothing can lie; they are asked for, and help out, where too few others are empty."""
        sure = ((place, seen) for place, seen in looks.items() if kind[place][EMPTY] > SURE)
        found = [(place, look.shape, look.middle) for place, seen in sure for _, look in seen]
        empty = Counter(shape for _, shape, _ in found)
        if any(empty[look.shape] <= ENOUGH for seen in looks.values() for _, look in seen):
            print_only = bystanders().items()
            found += [(place, NO_SHAPE, look.middle) for place, seen in print_only for _, look in seen]
        return cls(tuple(found), float(np.median([*ground.values()])), own)

    def away(self, place: str, look: Look) -> Floats | None:
        """(3,) how much brighter, darker, otherwise tinted the place is than the other empty ones that could
        carry the same shape, or any, in their spreads. None if there are too few of them."""
        others = self._others(place, look.shape)
        if len(others) < ENOUGH:
            others = self._others(place)
        if len(others) < ENOUGH:
            return None
        usual = _median(others)
        spread = 1.48 * _median(np.abs(others - usual))
        spread = np.hypot(spread, LEAST) * np.sqrt(1 + 3 / len(others))
        above, below = np.maximum(look.low - usual, 0) / spread, np.maximum(usual - look.high, 0) / spread
        tint = np.hypot(*(above + below)[1:])
        return np.array([above[0], below[0], tint], np.float32)

    def _others(self, place: str, shape: str | None = None) -> Floats:
        """(N, 3) the empty places but this one: those that could carry that shape, or all."""
        names, shapes, looks = self._looks
        return looks[(names != place) & ((shapes == shape) | (shape is None))]

    @cached_property
    def _looks(self) -> tuple[NDArray[np.str_], NDArray[np.str_], Floats]:
        """(N,) names and (N,) shapes of the empty places, and (N, 3) how they differ from their print."""
        names, shapes, looks = zip(*self.empty, strict=True) if self.empty else ((), (), ())
        return np.array(names, str), np.array(shapes, str), np.array(looks, np.float32).reshape(-1, 3)


def _median(values: Floats) -> Floats:
    """(3,) the medians of (N, 3) values: of so few np.median takes five times as long."""
    ordered, count = np.sort(values, axis=0), len(values)
    return np.asarray((ordered[(count - 1) // 2] + ordered[count // 2]) / 2, np.float32)


def is_flat(body: Body) -> bool:
    """Whether a piece lies so flat that its picture covers little but its own field: an upright stone is seen
    before other fields, or before what is beside the board."""
    return body.shape in FLAT and body.top_mm <= float(np.ptp(body.corners_mm[0], axis=0).max())


def looks_of(crops: Floats, places: Sequence[Place]) -> OffPrint:
    """How each place that a flat piece may lie on differs from its print; crops: (N, CHANNELS, ...)."""
    found: OffPrint = {}
    for place, crop in zip(places, crops, strict=True):
        bodies = zip(place.slots, place.bodies, strict=True)
        flat = [(slot, body.shape, crop[9 + slot] == 1) for slot, body in bodies if is_flat(body)]
        flat = [(slot, shape, mask) for slot, shape, mask in flat if mask.sum() >= FEWEST_PX]
        if not flat:
            continue
        found[place.id] = [(slot, _look(shape, crop[:6, mask])) for slot, shape, mask in flat]
    return found


def _look(shape: str, pixels: Floats) -> Look:
    """pixels: (6, P) photograph and print, BGR."""
    logs = np.log(pixels + FLOOR)
    blue, green, red = logs[:3] - logs[3:]
    unlike = np.sort([(blue + green + red) / 3, blue - green, red - green], axis=1)
    last = unlike.shape[1] - 1
    return Look(shape, *(unlike[:, round(share * last)] for share in (LOW, MIDDLE, HIGH)))


def around(crops: Floats, places: Sequence[Place]) -> dict[str, float]:
    """Place -> by how much the print beside all that may lie there is brighter than it should be (logarithm);
    crops: (N, CHANNELS, ...)."""
    # Every second pixel tells as much.
    crops = crops[..., ::2, ::2]
    beside = crops[:, 9:].max(axis=1) == 0
    brighter = (crops[:, :3] + FLOOR).prod(axis=1) / (crops[:, 3:6] + FLOOR).prod(axis=1)
    found = {}
    for place, values, there in zip(places, brighter, beside, strict=True):
        # The mean of three logarithms is that of what they are of, multiplied.
        found[place.id] = math.log(np.median(values[there])) / 3 if there.any() else 0.0
    return found


def evidence(consensus: Consensus, place: str, looks: list[tuple[int, Look]], kind: Floats) -> Floats | None:
    """(6,) what `WEIGHTS` weigh, for one place. kind: (6,) what the network says. None if what it thinks
    likeliest to lie there is not flat, or if too few places are empty."""
    slot, look = max(looks, key=lambda each: kind[1 + each[0]])
    away = consensus.away(place, look)
    if away is None or kind[1 + slot] < kind[1:HIDDEN].max():
        return None
    lies = 1 - kind[EMPTY] - kind[HIDDEN]
    odds = np.log(np.maximum(lies, 1e-6) / np.maximum(kind[EMPTY], 1e-6))
    unlike = np.log1p(away**2)
    plainly = np.clip(unlike[2] - PLAINLY, 0, AT_MOST) if consensus.own else 0.0
    return np.array([odds, *np.minimum(unlike, MOST), plainly, 1.0])


def weighed_with(
    consensus: Consensus,
    looks: OffPrint,
    places: Sequence[Place],
    kind: Floats,
    ground: Mapping[str, float],
) -> Floats:
    """(N, 6) what the network says of the places, weighed with how they look beside the empty ones. ground:
    see `around`."""
    weighed = kind.copy()
    for row, place in zip(weighed, places, strict=True):
        seen = looks.get(place.id)
        found = None if seen is None or row[HIDDEN] > 0.5 else evidence(consensus, place.id, seen, row)
        if found is None:
            continue
        lies = 1 / (1 + np.exp(-found @ WEIGHTS))
        bodies = slice(1, 1 + len(SLOTS))
        visible, before = 1 - row[HIDDEN], row[bodies].sum()
        if lies * visible > before and ground[place.id] > consensus.ground + IN_A_LAMPS_LIGHT:
            continue
        row[bodies] *= lies * visible / max(before, 1e-6)
        row[EMPTY] = (1 - lies) * visible
        row /= row.sum()
    return weighed
