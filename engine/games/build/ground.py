"""Constants: the building ground and the cards as numbers and bit masks, and what a set-up fixes.

A *site* is where something can be built: 0..29 the ring fields 1..30, 30..48 the bluestones 1..19,
49..53 the triliths 1..5. Sets of sites are 54-bit masks.
A card is 0..29 for the day cards 1..30, 30..59 for the night cards, 60..64 for the triliths in the order
of PLAYER_COLOURS; sets of cards are 65-bit masks. HIDDEN and HIDDEN_DAY stand for cards not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import ALL_CARDS, PLAYER_COLOURS, RING_COLOURS, UNKNOWN, UNKNOWN_DAY
from engine.errors import StateError

RING_COUNT, BLUESTONE_COUNT, TRILITH_COUNT = 30, 19, 5
SITES = (
    *(f"ring-{n}" for n in range(1, 31)),
    *(f"bluestone-{n}" for n in range(1, 20)),
    *(f"trilith-{n}" for n in range(1, 6)),
)
SITE_OF = {name: site for site, name in enumerate(SITES)}
RING = (1 << 30) - 1
BLUESTONES = ((1 << 19) - 1) << 30
TRILITHS = ((1 << 5) - 1) << 49
EVERYTHING = RING | BLUESTONES | TRILITHS
# Where a druid is when it stands on no site.
SUPPLY, ALTAR = -1, 54

CARDS = (*ALL_CARDS, UNKNOWN, UNKNOWN_DAY)
CARD_OF = {name: card for card, name in enumerate(CARDS)}
HIDDEN, HIDDEN_DAY = 65, 66
NO_CARD = -1
DAYS = RING
NIGHTS = RING << 30
NUMBERS = DAYS | NIGHTS
TRILITH_CARDS = ((1 << 5) - 1) << 60
ALL = NUMBERS | TRILITH_CARDS
FIRST_TRILITH_CARD = 60


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# RING_OF[k]: the ring fields of colour RING_COLOURS[k]; also, by number, the cards of that colour.
RING_OF = tuple(sum(1 << (n - 1) for n in range(1, 31) if n % 6 == k) for k in range(6))
# SAME_COLOUR[i]: the ring fields that have the colour of ring field i+1.
SAME_COLOUR = tuple(RING_OF[n % 6] for n in range(1, 31))
CARDS_OF_COLOUR = {colour: RING_OF[k] | RING_OF[k] << 30 for k, colour in enumerate(RING_COLOURS)}
COLOUR_OF_TRILITH_CARD = dict(enumerate(PLAYER_COLOURS, start=FIRST_TRILITH_CARD))

HAND_SIZE, DISPLAY_SIZE, DISCS, NEUTRAL_BLOCKS = 3, 3, 10, 10
BLOCKS_PER_PLAYER = {3: 9, 4: 7}
YARDS = ("yard-1", "yard-2", "yard-3", "yard-4")


def number_of_card(card: int) -> int:
    """The ring field (0..29) of a number card."""
    return card if card < 30 else card - 30


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed from the start to the end: seats, yards, colours, and the variants used often.

    own_fields: per seat the ring fields of the player's own colour. own_cards: per seat the number cards
    of the player's colour. blocks: each player's own blocks."""

    yards: tuple[str, ...]
    neutral: str
    own_fields: tuple[int, ...]
    own_cards: tuple[int, ...]
    blocks: int
    everybody: int
    site_by_number: bool
    druid_counts_as_built: bool


def make_setup(variant: dict[str, Any], players: tuple[str, ...], yards: Sequence[str] | None) -> Setup:
    """The set-up of a table. Raises StateError for yards or a neutral colour that cannot be."""
    chosen = tuple(yards) if yards is not None else YARDS[: len(players)]
    if len(chosen) != len(players) or len(set(chosen)) != len(chosen) or not set(chosen) <= set(YARDS):
        raise StateError(f"each player has a yard of {', '.join(YARDS)}; found {', '.join(map(str, chosen))}")
    neutral = variant["neutral_colour"]
    if neutral == "unused":
        neutral = next(colour for colour in PLAYER_COLOURS if colour not in players)
    if neutral in players:
        raise StateError(f"neutral blocks have a colour that nobody plays; {neutral} is a player's colour")
    return Setup(
        yards=chosen,
        neutral=neutral,
        own_fields=tuple(RING_OF[RING_COLOURS.index(colour)] for colour in players),
        own_cards=tuple(CARDS_OF_COLOUR[colour] for colour in players),
        blocks=BLOCKS_PER_PLAYER[len(players)],
        everybody=(1 << len(players)) - 1,
        site_by_number=variant["block_site"] == "number",
        druid_counts_as_built=bool(variant["druid_counts_as_built"]),
    )
