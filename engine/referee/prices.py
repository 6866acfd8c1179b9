"""The numbers that the referee weighs with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prices:
    """The numbers that the referee weighs with, in nats and probabilities.

    The null hypothesis costs `null_entry` for every thing that somebody did, and `null_thing` for every piece
    that came or went by that.
    A reading that was the same in the view before counts `repeat`. That the last thing done is taken back
    costs `taken_back`."""

    null_entry: float = 3.0
    null_thing: float = 2.0
    repeat: float = 0.25
    taken_back: float = 2.5
    commit: float = 0.9
    revise: float = 0.9
    alarm: float = 0.7
    doubtful: float = 0.3
    settled: float = 0.8
    patience: int = 3
    beam: int = 8
    beam_width: float = 9.0
    longest_doubt: int = 40
