"""The ring and the pits of Opferroulette as tables.

>>> NEXT_FIELD[1]["white"][7], NEXT_FIELD[-1]["black"][3], NEXT_FIELD[1]["red"][29]
(13, 30, 5)
"""

from __future__ import annotations

from typing import Final

from engine.cards import NUMBER_CARDS, RING_COLOURS, ring_colour

PITS: Final = tuple(f"pit-{card}" for card in NUMBER_CARDS)
PIT_INDEX: Final = {pit: index for index, pit in enumerate(PITS)}
RING: Final = tuple(f"ring-{number}" for number in range(31))
RING_INDEX: Final = {field: number for number, field in enumerate(RING) if number}
OFFERINGS: Final = 10  # discs of a colour
OTHER_WAY: Final = {"clockwise": "anticlockwise", "anticlockwise": "clockwise"}


def _next_number(ball: int, colour: str, step: int) -> int:
    number = ball
    while True:
        number = (number - 1 + step) % 30 + 1
        if ring_colour(number) == colour:
            return number


# NEXT_FIELD[step][colour][ball]: the next number of that colour, never the ball's own; index 0: no ball.
NEXT_FIELD: Final = {
    step: {
        colour: (0, *(_next_number(ball, colour, step) for ball in range(1, 31))) for colour in RING_COLOURS
    }
    for step in (1, -1)
}


def hit_pits(ball: int, card: int) -> tuple[int, ...]:
    """The pits that a fall at number `ball` hits when card `card` (an index) was turned up: the day pit,
    the night pit, or for a trilith card both."""
    day, night = ball - 1, ball + 29
    if card >= 60:
        return (day, night)
    return (day,) if card < 30 else (night,)
