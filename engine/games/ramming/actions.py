"""What happens in Trilithen knallen, in the order of a game, each with its text in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action, Notation
from engine.cards import PLAYER_COLOURS
from engine.hands import Draw, Shuffle
from engine.words import Text

CLOCKWISE, ANTICLOCKWISE = "clockwise", "anticlockwise"
_SET_UP = Text("set-up", "Aufbau")
_PLACE = Text("materialise the trilith", "Trilith materialisieren")
_RAM = Text("ram", "Rammen")
_SIT = Text("sit out", "Aussetzen")
_PEEK = Text("compensation", "Entschädigung")

# Pair k of the race track: ring fields k+1 and k+2, the last one being 30 and 1.
PAIRS = tuple((f"ring-{k + 1}", f"ring-{(k + 1) % 30 + 1}") for k in range(30))
PAIR_INDEX: dict[tuple[str, ...], int] = {pair: k for k, pair in enumerate(PAIRS)}


@dataclass(frozen=True, slots=True)
class LayBlock(Action):
    """A block is put under a number: the colour of that field in this game (chance)."""

    notation = Notation("block {colour} on {slot}", "Block {colour} auf {slot}")
    title = _SET_UP
    colour: str
    slot: str


@dataclass(frozen=True, slots=True)
class LayCard(Action):
    """A card is laid face down inside the inner ring (chance)."""

    notation = Notation("lay {card} on {place}", "lege {card} auf {place}")
    title = _SET_UP
    card: str
    place: str


@dataclass(frozen=True, slots=True)
class Materialise(Action):
    """A card is played and a trilith set on its number and a neighbour; `trilith` is its colour where a
    player has two. The two fields are kept in clockwise order."""

    notation = Notation(
        "play {card}: [{trilith} ]trilith on {fields}", "spiele {card}: [{trilith} ]Trilith auf {fields}"
    )
    title = _PLACE
    card: str
    fields: tuple[str, ...]
    trilith: str | None = None

    def __post_init__(self) -> None:
        if self.fields not in PAIR_INDEX and self.fields[::-1] in PAIR_INDEX:
            object.__setattr__(self, "fields", self.fields[::-1])


@dataclass(frozen=True, slots=True)
class SitOut(Action):
    """No card can be placed: no movement; cards may be discarded and drawn anew."""

    notation = Notation("sit out", "setze aus")
    title = _SIT


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """While sitting out: one card is discarded openly."""

    notation = Notation("discard {card}", "wirf {card} ab")
    title = _SIT
    card: str


@dataclass(frozen=True, slots=True)
class StopDiscarding(Action):
    """Enough discarded: the hand is filled up again."""

    notation = Notation("discard no more", "wirf nichts mehr ab")
    title = _SIT


@dataclass(frozen=True, slots=True)
class Attempt(Action):
    """The direction of the attempt is chosen, once and for all; `trilith` where two were just placed."""

    notation = Notation("race {direction}[ with {trilith}]", "fahre {direction}[ mit {trilith}]")
    title = _RAM
    direction: str
    trilith: str | None = None


@dataclass(frozen=True, slots=True)
class Stay(Action):
    """House rule: no attempt although a trilith could be rammed."""

    notation = Notation("stay", "bleibe stehen")
    title = _RAM


@dataclass(frozen=True, slots=True)
class Uncover(Action):
    """The racing player points at the card that is turned up next."""

    notation = Notation("turn up {place}", "decke {place} auf")
    title = _RAM
    place: str


@dataclass(frozen=True, slots=True)
class Show(Action):
    """The card that is turned up (chance); its movement, ram and bounces follow at once."""

    notation = Notation("{place} shows {card}", "{place} zeigt {card}")
    title = _RAM
    place: str
    card: str


@dataclass(frozen=True, slots=True)
class Race(Action):
    """All cards turned up in an attempt, by somebody who did not see which: so many were right, then a wrong
    one came or the trilith is rammed."""

    notation = Notation("turn up ??: {right} right", "decke ?? auf: {right} richtig")
    title = _RAM
    sums_up = (Uncover, Show)
    right: int


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """Changing display: the trilith card just turned up changes places with another card."""

    notation = Notation("swap {place} with {other}", "tausche {place} mit {other}")
    title = _RAM
    place: str
    other: str


@dataclass(frozen=True, slots=True)
class Peek(Action):
    """The rammed player looks at one face-down card ("??": nobody told which); nobody else sees it."""

    notation = Notation("look at {place}", "schaue {place} an")
    title = _PEEK
    place: str


@dataclass(frozen=True, slots=True)
class NoPeek(Action):
    """The rammed player does without his look."""

    notation = Notation("do not look", "schaue nicht nach")
    title = _PEEK


ACTIONS: tuple[type[Action], ...] = (
    LayBlock,
    LayCard,
    Draw,
    Shuffle,
    Materialise,
    SitOut,
    StopDiscarding,
    Discard,
    Attempt,
    Stay,
    Uncover,
    Show,
    Race,
    Swap,
    NoPeek,
    Peek,
)

# One object per action that is met often: states hand these out instead of making new ones.
PLACES = tuple(f"display-{i}" for i in range(1, 16))
PLACE_INDEX = {place: i for i, place in enumerate(PLACES)}
BLOCKS = tuple(tuple(LayBlock(colour, f"slot-{n}") for colour in PLAYER_COLOURS) for n in range(1, 31))
# MATERIALISE[colour or None][number - 1]: the two ways to use that card.
MATERIALISE: dict[str | None, tuple[tuple[Materialise, Materialise], ...]] = {
    colour: tuple(
        (Materialise(f"{i + 1}-day", PAIRS[i - 1], colour), Materialise(f"{i + 1}-day", PAIRS[i], colour))
        for i in range(30)
    )
    for colour in (None, *PLAYER_COLOURS)
}
UNCOVER = tuple(Uncover(place) for place in PLACES)
PEEK = tuple(Peek(place) for place in PLACES)
SIT_OUT, STOP_DISCARDING, STAY, NO_PEEK = SitOut(), StopDiscarding(), Stay(), NoPeek()
