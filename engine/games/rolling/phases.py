"""What is due in Rollende Steine: the values of `phase`."""

from __future__ import annotations

# COURSE: gates are put up. BANKS: before the roll. MOVING: one bank was moved, another one may be.
# WHEEL: nothing but the wheel is left to set up. ROLL: it stands and is pushed.
COURSE, BANKS, MOVING, WHEEL, ROLL, OVER = "course", "banks", "moving", "wheel", "roll", "over"
PHASES = (COURSE, BANKS, MOVING, WHEEL, ROLL, OVER)
