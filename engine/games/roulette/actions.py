"""The actions of Opferroulette: the set-up's and the pile's events, and what a player does with a card."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action, Notation
from engine.cards import ALL_CARDS, PLAYER_COLOURS, is_trilith
from engine.games.roulette.ring import PITS, RING
from engine.hands import Draw, drawing
from engine.words import Text


@dataclass(frozen=True, slots=True)
class Offer(Action):
    """Set-up: a card is dealt that says into which pit a disc goes (a trilith card: any, later)."""

    notation = Notation("{player} offers {card}", "{player} opfert {card}")
    title = Text("offerings", "Opfergaben")
    player: str
    card: str

    def places(self) -> tuple[str, ...]:
        return () if is_trilith(self.card) else (f"pit-{self.card}",)


@dataclass(frozen=True, slots=True)
class PlaceOffering(Action):
    """Set-up: the disc for a trilith card, into any pit."""

    notation = Notation("offer on {pit}", "opfere auf {pit}")
    title = Text("offering of a trilith card", "Opfergabe einer Trilith-Karte")
    pit: str


@dataclass(frozen=True, slots=True)
class PlaceBall(Action):
    """Set-up: the number of the next card is where the ball starts."""

    notation = Notation("ball on {field}", "Kugel auf {field}")
    title = Text("place the ball", "Kugel aufstellen")
    field: str


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Roll the ball to the next field of the card's colour."""

    notation = Notation("move {card}", "rolle {card}")
    title = Text("move the ball", "Kugel rollen")
    card: str


@dataclass(frozen=True, slots=True)
class MoveAndFall(Action):
    """Roll the ball onto the field of the card's own number and let it fall there."""

    notation = Notation("move and fall {card}", "rolle und falle {card}")
    title = Text("move the ball and let it fall", "Kugel rollen und fallen lassen")
    card: str


@dataclass(frozen=True, slots=True)
class Fall(Action):
    """Let the ball fall where it is, after another card has moved it."""

    notation = Notation("fall {card}", "falle {card}")
    title = Text("let the ball fall", "Kugel fallen lassen")
    card: str


@dataclass(frozen=True, slots=True)
class Flip(Action):
    """A trilith card turns the ball round."""

    notation = Notation("flip {card}", "wende {card}")
    title = Text("turn the ball round", "Kugel wenden")
    card: str


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """The top card says what the fall hits: night pit, day pit, or (a trilith card) both. `pits`: where a
    card "??" that nobody read hit discs, the day pit first in whichever order they are named."""

    notation = Notation("turn up {card}[ hitting {pits}]", "decke {card} auf[ und triff {pits}]")
    title = Text("the fall", "der Fall")
    card: str
    pits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "pits", tuple(sorted(self.pits)))


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """Enough cards played: draw up to the hand limit."""

    notation = Notation("end turn", "Zug beenden")
    title = Text("end the turn", "Zug beenden")


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Play no card in this turn."""

    notation = Notation("pass", "passe")
    title = Text("pass", "passen")


# Every action exists once; states hand out these.
MOVE = tuple(Move(card) for card in ALL_CARDS)
MOVE_AND_FALL = tuple(MoveAndFall(card) for card in ALL_CARDS)
FALL = tuple(Fall(card) for card in ALL_CARDS)
FLIP = tuple(Flip(card) for card in ALL_CARDS)
TURN_UP = tuple(TurnUp(card) for card in ALL_CARDS)
OFFER = {colour: tuple(Offer(colour, card) for card in ALL_CARDS) for colour in PLAYER_COLOURS}
DRAW = {colour: tuple(drawing(colour, card) for card in ALL_CARDS) for colour in PLAYER_COLOURS}
PLACE_OFFERING = tuple(PlaceOffering(pit) for pit in PITS)
PLACE_BALL = tuple(PlaceBall(field) for field in RING)
END_TURN, PASS = EndTurn(), Pass()

ACTIONS = (Offer, PlaceOffering, PlaceBall, Draw, MoveAndFall, Move, Fall, Flip, TurnUp, EndTurn, Pass)
