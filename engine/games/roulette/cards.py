"""The 65 cards as indices into ALL_CARDS and as masks: day cards 1..30, night cards 1..30, triliths. A number
card has the index of its pit."""

from __future__ import annotations

from typing import Final

from engine.cards import ALL_CARDS, colour_of, number_of

INDEX: Final = {card: index for index, card in enumerate(ALL_CARDS)}
EVERY_CARD: Final = (1 << len(ALL_CARDS)) - 1
NUMBER_CARD: Final = (1 << 60) - 1
TRILITH_CARD: Final = EVERY_CARD & ~NUMBER_CARD
NUMBER: Final = tuple(number_of(card) or 0 for card in ALL_CARDS)
COLOUR: Final = tuple(str(colour_of(card)) for card in ALL_CARDS)
OF_COLOUR: Final = {
    colour: sum(1 << i for i in range(60) if COLOUR[i] == colour)
    for colour in ("white", "blue", "green", "yellow", "red", "black")
}


def indices(mask: int) -> list[int]:
    """The cards of a mask as indices, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
