"""The actions of Erbaut Stonehenge!, and ready-made tables of them for fast lists.

Deal and TurnUp are events (to_move is CHANCE); all others are moves. In the order of a turn."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action, Notation
from engine.cards import PLAYER_COLOURS, UNKNOWN_DAY, UNKNOWN_NIGHT
from engine.games.build.ground import CARDS, SITES, YARDS
from engine.words import Text


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """A card from the pile (or one of the display that nobody could read) arrives: a number card in the
    hand of a player, a trilith card openly in a yard. A second trilith of a turn goes below the "pile"."""

    notation = Notation("deal {card} to {to}", "gib {card} an {to}")
    title = Text("deal a card", "eine Karte geben")
    card: str
    to: str


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """The next card of the pile is laid open into a place (1..3) of the display."""

    notation = Notation("turn up {card} in place {slot}", "decke {card} auf Platz {slot} auf")
    title = Text("fill the display", "die Auslage ergänzen")
    card: str
    slot: int


@dataclass(frozen=True, slots=True)
class Ritual(Action):
    """The druid at the altar stands up, or (later) leaves it, for a trilith field if one is being built."""

    notation = Notation("ritual[ and back to {field}]", "Ritual[ und zurück auf {field}]")
    title = Text("ritual at the altar", "Ritual am Altar")
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """The face-down day card is turned up and its site occupied; no site: nothing can be built with it, and
    it goes away ("??-day" if nobody read it)."""

    notation = Notation("reveal {card}[ on {site}]", "enthülle {card}[ auf {site}]")
    title = Text("reveal the project", "das Projekt aufdecken")
    card: str
    site: str | None = None


@dataclass(frozen=True, slots=True)
class Construct(Action):
    """The open project grows one step: a block or bluestone is set, a pillar or capstone comes to the
    yard, or the trilith is erected. `place` is where that happens; it may be left out."""

    notation = Notation("build[ at {place}]", "baue[ bei {place}]")
    title = Text("build", "bauen")
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """A card is drawn from the pile; a Deal tells which."""

    notation = Notation("draw from the pile", "ziehe vom Stapel")
    title = Text("draw from the pile", "vom Stapel ziehen")


@dataclass(frozen=True, slots=True)
class Take(Action):
    """A card of the display is taken; "??": nobody could read it, or saw that it was not from the pile."""

    notation = Notation("take {card}", "nimm {card}")
    title = Text("take a card from the display", "eine Karte aus der Auslage nehmen")
    sums_up = (Draw, Deal)
    card: str


@dataclass(frozen=True, slots=True)
class Occupy(Action):
    """The druid of a player who got a trilith card goes to a trilith field."""

    notation = Notation("occupy {field}", "besetze {field}")
    title = Text("occupy a trilith field", "ein Trilithenfeld besetzen")
    field: str


@dataclass(frozen=True, slots=True)
class PlayNight(Action):
    """A night card is laid open into the own yard ("??-night" if nobody could read it), the druid goes to its
    site."""

    notation = Notation("play {card} on {site}", "spiele {card} auf {site}")
    title = Text("play a night card", "eine Nachtkarte spielen")
    card: str
    site: str


@dataclass(frozen=True, slots=True)
class PlayDay(Action):
    """A day card is laid face down into the own yard ("??-day" when only its player knows it)."""

    notation = Notation("play {card} face down", "spiele {card} verdeckt")
    title = Text("play a day card", "eine Tagkarte spielen")
    card: str


@dataclass(frozen=True, slots=True)
class Steal(Action):
    """Another player's unmarked trilith project changes yards; the own druid goes to `field`. Two cards
    of compensation are given afterwards, one by one (Give)."""

    notation = Notation(
        "steal the trilith of {victim} for {field}", "klaue den Trilith von {victim} für {field}"
    )
    title = Text("steal a trilith project", "ein Trilith-Projekt klauen")
    victim: str
    field: str


@dataclass(frozen=True, slots=True)
class Give(Action):
    """One of the two cards that compensate the player who was robbed."""

    notation = Notation("give {card}", "gib {card} ab")
    title = Text("give a card", "eine Karte abgeben")
    card: str


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """The player who was robbed puts a card face down under the pile until he has three."""

    notation = Notation("discard {card}", "wirf {card} ab")
    title = Text("discard a card", "eine Karte abwerfen")
    card: str


@dataclass(frozen=True, slots=True)
class Sabotage(Action):
    """An influence card sends another player's druid to the altar."""

    notation = Notation("sabotage {victim} with {card}", "sabotiere {victim} mit {card}")
    title = Text("sabotage", "sabotieren")
    victim: str
    card: str


@dataclass(frozen=True, slots=True)
class Blocked(Action):
    """The player has no playable card and is out of the game; he may show his hand with it."""

    notation = Notation("blocked[, showing {cards}]", "blockiert[, zeige {cards}]")
    title = Text("declare to be blocked", "sich blockiert erklären")
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """Asked for only where the player could still sabotage somebody."""

    notation = Notation("end turn", "Zug beenden")
    title = Text("end the turn", "den Zug beenden")


ACTIONS: tuple[type[Action], ...] = (
    Deal, TurnUp, Ritual, Reveal, Construct, Take, Draw, Occupy, PlayNight, PlayDay, Steal, Give, Discard,
    Sabotage, Blocked, EndTurn,
)  # fmt: skip

# Ready-made actions, by card and site number.
PILE = "pile"
DEAL = {to: tuple(Deal(card, to) for card in CARDS) for to in (*PLAYER_COLOURS, *YARDS, PILE)}
TURN_UP = tuple(tuple(TurnUp(card, slot) for card in CARDS) for slot in (1, 2, 3))
REVEAL = tuple(tuple(Reveal(card, site) for site in SITES) for card in CARDS[:30])
REVEAL_DEAD = tuple(Reveal(card) for card in CARDS[:30])
DEAD = frozenset(REVEAL_DEAD)
REVEAL_UNREAD = Reveal(UNKNOWN_DAY)
REVEAL_UNREAD_ON = tuple(Reveal(UNKNOWN_DAY, site) for site in SITES)
CONSTRUCT = tuple(Construct(site) for site in SITES)
CONSTRUCT_IN_YARD = {yard: Construct(yard) for yard in YARDS}
RITUAL = Ritual()
RITUAL_TO = tuple(Ritual(site) for site in SITES)
TAKE = tuple(Take(card) for card in CARDS)
DRAW = Draw()
OCCUPY = tuple(Occupy(site) for site in SITES)
# The rows of day cards are there so that the card's number can be the index.
PLAY_NIGHT = tuple(tuple(PlayNight(card, site) for site in SITES) for card in CARDS[:60])
PLAY_NIGHT_UNREAD = tuple(PlayNight(UNKNOWN_NIGHT, site) for site in SITES)
PLAY_DAY = tuple(PlayDay(card) for card in CARDS)
STEAL = {colour: tuple(Steal(colour, site) for site in SITES) for colour in PLAYER_COLOURS}
GIVE = tuple(Give(card) for card in CARDS)
DISCARD = tuple(Discard(card) for card in CARDS)
SABOTAGE = {colour: tuple(Sabotage(colour, card) for card in CARDS) for colour in PLAYER_COLOURS}
BLOCKED = Blocked()
END_TURN = EndTurn()
