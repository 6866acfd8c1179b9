"""Which colour of the set is this? Names and nominal shades come from the board file; the real shades of the
set on the table, under tonight's lamp, are learnt from the photograph itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.network import colour_scores

Floats = NDArray[np.float32]
# How far a set's shade may be from the nominal one (display-referred), and how strongly a piece counts.
COMMON_SPREAD, OWN_SPREAD, PIECE_SPREAD = 0.08, 0.05, 0.06
ROUNDS = 3


@dataclass(frozen=True)
class Palette:
    """Colour names and their shades, (P, 3) display-referred BGR 0..1."""

    names: tuple[str, ...]
    shades: Floats

    @classmethod
    def of(
        cls, board: Board, names: Sequence[str], known: Mapping[str, tuple[int, int, int]] | None = None
    ) -> Palette:
        """The nominal shades of `names`: from a profile (`known`, RGB 0..255) or else from the board file."""
        rgb = [(known or {}).get(name) or board.colour_rgb(name) for name in names]
        return cls(tuple(names), (np.array(rgb, np.float32).reshape(-1, 3)[:, ::-1] / 255).astype(np.float32))

    def beliefs(self, seen: Floats, context: Floats, allowed: NDArray[np.bool_]) -> Floats:
        """(N, P) probabilities of the colours; `allowed` (N, P) says which a piece may have."""
        logits = np.where(allowed, colour_scores(seen, context, self.shades), -40.0)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True)) * allowed
        return np.asarray(powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-12), np.float32)

    def adapted(self, seen: Floats, context: Floats, allowed: NDArray[np.bool_], weight: Floats) -> Palette:
        """The palette moved towards the pieces seen: a shift common to all colours and a smaller one of
        each, both shrunk towards nothing the fewer pieces there are (expectation maximisation)."""
        palette = self
        for _ in range(ROUNDS):
            share = palette.beliefs(seen, context, allowed) ** 2 * weight[:, None]
            count = share.sum(axis=0)
            mean = (share.T @ seen) / np.maximum(count, 1e-6)[:, None]
            offset = np.where(count[:, None] > 0.3, mean - self.shades, 0.0)
            trust = count / (count + (PIECE_SPREAD / COMMON_SPREAD) ** 2) * (count > 0.3)
            common = (trust @ offset) / (trust.sum() + 0.5)
            own = (offset - common) * (count / (count + 2 * (PIECE_SPREAD / OWN_SPREAD) ** 2))[:, None]
            moved = self.shades + np.where(count[:, None] > 0.3, common + own, common)
            palette = Palette(self.names, np.clip(moved, 0, 1.2).astype(np.float32))
        return palette
