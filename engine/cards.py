"""The 65 cards of the anthology: every number once as a day and once as a night card, and five triliths.

A card is a plain string that people can read and type: "7-day", "12-night", "trilith-red". What is not
known is written with `??`: "??" is any card, "??-day" a face-down card that must be a day card, "??-white" a
number card of that colour, "7-??" the 7 of day or night, "trilith-??" any trilith card.

>>> number_of("7-day"), phase_of("7-day"), colour_of("7-day"), colour_of("trilith-red")
(7, 'day', 'white', 'red')
>>> is_known("??-day"), fits("7-day", "??-day"), fits("7-night", "??-day")
(False, True, False)
>>> fits("7-day", "??-white"), fits("trilith-white", "??-white"), fits("trilith-white", "trilith-??")
(True, False, True)
"""

from __future__ import annotations

from typing import Literal

Phase = Literal["day", "night"]
PLAYER_COLOURS = ("white", "blue", "green", "yellow", "red")
# The colour of number n is RING_COLOURS[n % 6]: 6, 12, .. 30 are black (BOARDS of the anthology).
RING_COLOURS = ("black", "white", "blue", "green", "yellow", "red")
NUMBERS = range(1, 31)

DAY_CARDS = tuple(f"{n}-day" for n in NUMBERS)
NIGHT_CARDS = tuple(f"{n}-night" for n in NUMBERS)
NUMBER_CARDS = DAY_CARDS + NIGHT_CARDS
TRILITH_CARDS = tuple(f"trilith-{colour}" for colour in PLAYER_COLOURS)
ALL_CARDS = NUMBER_CARDS + TRILITH_CARDS
UNKNOWN = "??"
UNKNOWN_DAY = "??-day"
UNKNOWN_NIGHT = "??-night"

_NUMBER: dict[str, int] = {f"{n}-{phase}": n for n in NUMBERS for phase in ("day", "night")}
_COLOUR: dict[str, str] = {card: RING_COLOURS[n % 6] for card, n in _NUMBER.items()}
_COLOUR.update({f"trilith-{colour}": colour for colour in PLAYER_COLOURS})


def ring_colour(number: int) -> str:
    """The printed colour of ring field `number` (1..30), which is also its cards' colour."""
    return RING_COLOURS[number % 6]


def number_of(card: str) -> int | None:
    """1..30, or None for a trilith card and for a card that is not known."""
    return _NUMBER.get(card)


def colour_of(card: str) -> str | None:
    """The card's colour, or None for a card that is not known."""
    return _COLOUR.get(card)


def phase_of(card: str) -> Phase | None:
    """ "day" or "night" as far as it is known; None for trilith cards and "??"."""
    if card.endswith("-day"):
        return "day"
    return "night" if card.endswith("-night") else None


def is_trilith(card: str) -> bool:
    return card.startswith("trilith-")


def is_known(card: str) -> bool:
    return card in _COLOUR


def fits(card: str, seen: str) -> bool:
    """Whether the known card `card` can be what is only known as `seen`."""
    if seen == UNKNOWN:
        return True
    known, _, detail = seen.partition("-")
    if known == UNKNOWN:
        return number_of(card) is not None and detail in (phase_of(card), colour_of(card))
    return card.startswith(known + "-") if detail == UNKNOWN else card == seen
