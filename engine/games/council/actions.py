"""What happens in Der Hohe Rat, each action with its text in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action, Notation
from engine.cards import ALL_CARDS, PLAYER_COLOURS
from engine.hands import Draw, Shuffle
from engine.words import Text

_DISCUSS = Text("discuss", "diskutieren")
_SEAT = Text("take a seat", "Platz nehmen")
_PONDER = Text("ponder", "grübeln")
_CONFER = Text("confer", "beraten")
_PERSUADE = Text("persuade", "überzeugen")
_TURN = Text("end the turn", "Zug beenden")
_DRAWN = Text("agree on a draw", "sich auf Unentschieden einigen")

_CARD_ORDER = {card: i for i, card in enumerate(ALL_CARDS)}
_COLOUR_ORDER = {colour: i for i, colour in enumerate(PLAYER_COLOURS)}


def heap(colour: str) -> str:
    """The trilith field on which the arguments of this colour lie."""
    return f"trilith-{_COLOUR_ORDER.get(colour, 0) + 1}"


@dataclass(frozen=True, slots=True)
class Discuss(Action):
    """Cards are played for arguments; `arguments` are those really taken, one colour each. Cards and
    arguments are kept in a fixed order."""

    notation = Notation("discuss {cards} for {arguments}", "diskutiere {cards} für {arguments}")
    title = _DISCUSS
    cards: tuple[str, ...]
    arguments: tuple[str, ...]

    def __post_init__(self) -> None:
        cards = tuple(sorted(self.cards, key=lambda card: _CARD_ORDER.get(card, 99)))
        arguments = tuple(sorted(self.arguments, key=lambda colour: _COLOUR_ORDER.get(colour, 9)))
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "arguments", arguments)

    def places(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(heap(colour) for colour in self.arguments))


@dataclass(frozen=True, slots=True)
class TakeSeat(Action):
    """A piece from the own supply is put on a free field: the field of the card's number, or, for three
    arguments (`paying` is their colour), any free field of the card's colour. `piece` is "disc" where the
    supply is used up: then a placed disc is lifted next."""

    notation = Notation(
        "seat {piece} on {field} with {card}[ paying 3 {paying}]",
        "setze {piece} auf {field} mit {card}[ zahle 3 {paying}]",
    )
    title = _SEAT
    card: str
    piece: str
    field: str
    paying: str | None = None

    def places(self) -> tuple[str, ...]:
        return (self.field, heap(self.paying)) if self.paying else (self.field,)


@dataclass(frozen=True, slots=True)
class Replace(Action):
    """An own disc on the card's number is swapped for the own figure."""

    notation = Notation(
        "replace disc on {field} by {piece} with {card}",
        "ersetze Scheibe auf {field} durch {piece} mit {card}",
    )
    title = _SEAT
    card: str
    piece: str
    field: str


@dataclass(frozen=True, slots=True)
class Lift(Action):
    """The supply is used up: an own placed disc is lifted and set on the field in question."""

    notation = Notation("lift disc from {field}", "nimm Scheibe von {field}")
    title = _SEAT
    field: str


@dataclass(frozen=True, slots=True)
class Ponder(Action):
    """All cards of the hand are discarded, one after the other, and new ones are drawn."""

    notation = Notation("ponder", "grüble")
    title = _PONDER


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """While pondering: one card is discarded."""

    notation = Notation("discard {card}", "wirf {card} ab")
    title = _PONDER
    card: str


@dataclass(frozen=True, slots=True)
class Confer(Action):
    """A card goes face down to the partner."""

    notation = Notation("confer {card}", "berate {card}")
    title = _CONFER
    card: str


@dataclass(frozen=True, slots=True)
class GiveBack(Action):
    """The partner gives a card back face down, perhaps the same one."""

    notation = Notation("give back {card}", "gib {card} zurück")
    title = _CONFER
    card: str


@dataclass(frozen=True, slots=True)
class Persuade(Action):
    """From the own side's piece on `source`, the enemy piece on the neighbouring `target` is replaced by a
    disc, for `count` arguments of the colour `paying`."""

    notation = Notation(
        "persuade {target} from {source} with {piece} for {count} {paying}",
        "überzeuge {target} von {source} mit {piece} für {count} {paying}",
    )
    title = _PERSUADE
    source: str
    target: str
    piece: str
    count: int
    paying: str

    def places(self) -> tuple[str, ...]:
        return (self.source, self.target, heap(self.paying))


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """The turn is over; with no action taken before, it was passed."""

    notation = Notation("end turn", "beende den Zug")
    title = _TURN


@dataclass(frozen=True, slots=True)
class OfferDraw(Action):
    """House rule: the player to move asks all others to end the game without a winner."""

    notation = Notation("offer a draw", "biete Unentschieden an")
    title = _DRAWN


@dataclass(frozen=True, slots=True)
class AcceptDraw(Action):
    """House rule: a player agrees to the draw."""

    notation = Notation("accept the draw", "nimm das Unentschieden an")
    title = _DRAWN


@dataclass(frozen=True, slots=True)
class DeclineDraw(Action):
    """House rule: a player does not agree, the turn goes on."""

    notation = Notation("decline the draw", "lehne das Unentschieden ab")
    title = _DRAWN


ACTIONS: tuple[type[Action], ...] = (
    Draw,
    Shuffle,
    Discuss,
    TakeSeat,
    Replace,
    Lift,
    Ponder,
    Discard,
    Confer,
    GiveBack,
    Persuade,
    EndTurn,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
)
PONDER, END_TURN = Ponder(), EndTurn()
OFFER_DRAW, ACCEPT_DRAW, DECLINE_DRAW = OfferDraw(), AcceptDraw(), DeclineDraw()
RING = tuple(f"ring-{n}" for n in range(1, 31))
RING_INDEX = {field: i for i, field in enumerate(RING)}
