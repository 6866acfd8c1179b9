"""Which colour of the set is this? Names and nominal shades come from the board file; the real shades of the
set on the table, under tonight's lamp, are learnt from the photograph itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.network import colour_scores
from vision.shades import BRIGHTNESS_UNIT, TINT_UNIT, gap

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
# Display-referred, 0..1: how far all pieces of a kind may be brighter or darker than the board file says
# (gloss, print on them, their sides), how far tinted, and how far one colour may be on its own.
BRIGHTER_SPREAD, TINT_SPREAD, OWN_SPREAD = 0.14, 0.05, 0.04
# How much darker a single piece may be than its colour, in its shadow, and what that costs.
SHADOWS, SHADOW_SPREAD = (0.5, 0.58, 0.66, 0.75, 0.82, 0.9, 1.0, 1.1), 0.1
# Where the search begins: brightness and saturation of the whole kind.
STARTS = tuple(product((-0.12, 0.0, 0.12, 0.24), (0.6, 0.8, 1.0)))
# With shades that a profile tells, only the light can have changed.
KNOWN_STARTS = tuple(product((-0.08, 0.0, 0.08), (0.85, 1.0)))
ROUNDS = 4
OUTLIER = 1e-3
# Pieces of one colour have heavier tails than the space's unit says; the network adds what it knows of
# highlights and shadows.
TRUST, NETWORK_SHARE = 0.5, 0.5


@dataclass(frozen=True)
class Palette:
    """Colour names and their shades, (P, 3) display-referred BGR 0..1; `of_kind` holds the shades as they
    were learnt for each kind of piece, `known` those that a profile tells of the set."""

    names: tuple[str, ...]
    shades: Floats
    of_kind: Mapping[str, Floats] = field(default_factory=dict)
    known: Mapping[str, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls, board: Board, names: Sequence[str], known: Mapping[str, tuple[int, int, int]] | None = None
    ) -> Palette:
        """The nominal shades of `names`: from a profile (`known`, RGB 0..255) or else from the board file."""
        rgb = [(known or {}).get(name) or board.colour_rgb(name) for name in names]
        return cls(tuple(names), (np.array(rgb, np.float32).reshape(-1, 3)[:, ::-1] / 255).astype(np.float32))

    def with_known(self, colours: Mapping[str, Mapping[str, tuple[int, int, int]]]) -> Palette:
        """The palette of a set whose shades a profile tells: kind -> colour -> RGB 0..255. Colours that
        were not shown are moved as those that were."""
        known = {}
        for kind, named in colours.items():
            told = [n for n, name in enumerate(self.names) if name in named]
            if not told:
                continue
            shades = self.shades.copy()
            rgb = np.array([named[self.names[n]] for n in told], np.float32)
            shades[told] = rgb[:, ::-1] / 255
            rest = [n for n in range(len(self.names)) if n not in told]
            shades[rest] += np.median(shades[told] - self.shades[told], axis=0)
            known[kind] = np.clip(shades, 0, 1.2).astype(np.float32)
        return Palette(self.names, self.shades, known, known)

    def beliefs(self, seen: Floats, context: Floats, allowed: Bools, kinds: Sequence[str]) -> Floats:
        """(N, P) probabilities of the colours of N pieces; `allowed` (N, P) says which a piece may have,
        `kinds` what each of them is."""
        chances = np.zeros((len(seen), len(self.names)), np.float32)
        for kind in dict.fromkeys(kinds):
            chosen = np.flatnonzero(np.array(kinds) == kind)
            shades = self.of_kind.get(kind, self.shades)
            logits = -0.5 * TRUST * _gaps(seen[chosen], shades)
            logits = logits + NETWORK_SHARE * colour_scores(seen[chosen], context[chosen], shades)
            logits = np.where(allowed[chosen], logits, -40.0)
            powers = np.exp(logits - logits.max(axis=1, keepdims=True)) * allowed[chosen]
            chances[chosen] = powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-12)
        return chances

    def adapted(self, seen: Floats, allowed: Bools, weight: Floats, kinds: Sequence[str]) -> Palette:
        """The palette moved, kind by kind, to where the pieces seen have it; `weight` (N,) tells how surely
        each is a piece. One piece moves it little, many move it fully."""
        learnt = {}
        for kind in dict.fromkeys(kinds):
            chosen = (np.array(kinds) == kind) & (weight > 0)
            if chosen.any():
                learnt[kind] = self._learnt(kind, seen[chosen], allowed[chosen], weight[chosen])
        return Palette(self.names, self.shades, {**self.known, **learnt}, self.known)

    def _learnt(self, kind: str, seen: Floats, allowed: Bools, weight: Floats) -> Floats:
        """Expectation maximisation of a mixture of colours whose common shift has a prior, from several
        starts: with all blacks looking brown, the nearest colours alone would lead astray."""
        shades, starts = (self.known[kind], KNOWN_STARTS) if kind in self.known else (self.shades, STARTS)
        fits = [_fit(shades, seen, allowed, weight, *start) for start in starts]
        return max(fits, key=lambda fit: fit[0])[1]


def _fit(
    known: Floats, seen: Floats, allowed: Bools, weight: Floats, brighter: float, saturation: float
) -> tuple[float, Floats]:
    grey = known.mean(axis=1, keepdims=True)
    start = grey + (known - grey) * saturation
    common = np.full(3, brighter, np.float32)
    own = np.zeros_like(start)
    for _ in range(ROUNDS):
        share = np.exp(-0.5 * _gaps(seen, start + common + own)) * allowed
        share = share / (share.sum(axis=1, keepdims=True) + OUTLIER) * weight[:, None]
        common = _common(seen, share, start)
        count = share.sum(axis=0)
        mean = (share.T @ seen) / np.maximum(count, 1e-6)[:, None] - start - common
        own = mean * (count / (count + (TINT_UNIT / OWN_SPREAD) ** 2))[:, None]
    shades = start + common + own
    fit = float((weight * np.log((np.exp(-0.5 * _gaps(seen, shades)) * allowed).sum(axis=1) + OUTLIER)).sum())
    brightness, tint = common.mean(), common - common.mean()
    fit -= float(0.5 * (brightness / BRIGHTER_SPREAD) ** 2 + 0.5 * ((tint / TINT_SPREAD) ** 2).sum())
    fit -= float(0.5 * ((own / OWN_SPREAD) ** 2).sum() + 2 * (1 - saturation) ** 2)
    return fit, np.clip(shades, 0, 1.2).astype(np.float32)


def _common(seen: Floats, share: Floats, start: Floats) -> Floats:
    """The shift of the whole kind: brightness and tint, each shrunk by its prior."""
    total = float(share.sum())
    mean = (np.einsum("np,nc->c", share, seen) - share.sum(axis=0) @ start) / max(total, 1e-6)
    brightness = mean.mean()
    tint = mean - brightness
    brightness *= total / (total + (BRIGHTNESS_UNIT / BRIGHTER_SPREAD) ** 2)
    tint *= total / (total + (TINT_UNIT / TINT_SPREAD) ** 2)
    return np.asarray(brightness + tint, np.float32)


def _gaps(seen: Floats, shades: Floats) -> Floats:
    """(N, P) squared distances of (N, 3) colours from (P, 3) shades, each piece in as much shadow as suits
    it: a white block in the shade is a dim white, not a green."""
    return gap(seen[:, None], shades[None], SHADOWS, SHADOW_SPREAD)
