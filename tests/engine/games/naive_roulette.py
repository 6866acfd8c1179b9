"""A second opinion on Opferroulette: walks the ring field by field; knows nothing of the engine's tables."""

from __future__ import annotations

from collections.abc import Sequence

COLOURS = ["white", "blue", "green", "yellow", "red", "black"]


def colour(number: int) -> str:
    return COLOURS[(number - 1) % 6]


def walk(ball: int, facing: str, card_colour: str, ascending: bool = True) -> int:
    """The field on which the ball stops: one step at a time until a field has the card's colour."""
    forwards = (facing == "clockwise") is ascending
    while True:
        ball += 1 if forwards else -1
        ball = {0: 30, 31: 1}.get(ball, ball)
        if colour(ball) == card_colour:
            return ball


def roll(ball: int, facing: str, steps: Sequence[str], ascending: bool = True) -> tuple[int, str]:
    """Field and facing after `steps`: colours move the ball, "flip" turns it round."""
    for step in steps:
        if step == "flip":
            facing = {"clockwise": "anticlockwise", "anticlockwise": "clockwise"}[facing]
        else:
            ball = walk(ball, facing, step, ascending)
    return ball, facing


def points(pits: dict[str, list[str]], crushed: list[str], player: str) -> int:
    """Two per own disc in a pit, one per disc crushed."""
    return 2 * sum(discs.count(player) for discs in pits.values()) + len(crushed)
