"""What is due in Opferroulette: the values of `phase`."""

from __future__ import annotations

from typing import Final, Literal

Phase = Literal["offerings", "neutral", "triliths", "ball", "deal", "play", "fall", "refill", "over"]
CHANCE_PHASES: Final = ("offerings", "neutral", "ball", "deal", "fall", "refill")
