"""The phases of a turn, and what a druid, a project or the neutral blocks' owner can be."""

from __future__ import annotations

# DEALING and DISPLAY fill hands and display, DRAWN is a card on its way to a hand: these three are events.
# The others wait for a player; END only where he could still sabotage somebody.
DEALING, DISPLAY, DRAWN = "deal", "display", "drawn"
BUILD, DRAW, OCCUPY, PROJECT = "build", "draw", "occupy", "project"
GIVE, DISCARD, END, OVER = "give", "discard", "end", "over"
EVENTS = (DEALING, DISPLAY, DRAWN)
PHASES = (*EVENTS, BUILD, DRAW, OCCUPY, PROJECT, GIVE, DISCARD, END, OVER)
# A druid at the altar lies, then stands.
LYING, STANDING = 2, 1
# The third part of a trilith is its capstone, which is marked with a disc.
MARKED = 3
# Who owns the neutral blocks: nobody yet, or somebody who has not been told to us.
NOBODY, UNTOLD = -1, -2
