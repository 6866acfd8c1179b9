"""Cards that nobody could read: what the table shows of them, and what the record can say.

The ball tells the colour of a card that moved it ("move ??-white"), a fall at once its number ("move and fall
7-??"), an empty pit that a fall hit it, though not always with which card ("turn up ?? hitting
pit-7-night")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from engine.action import Action
from engine.cards import UNKNOWN, ring_colour
from engine.game import CHANCE
from engine.games.roulette.actions import Fall, Flip, Move, MoveAndFall, Offer, Pass, TurnUp
from engine.games.roulette.cards import COLOUR, INDEX, OF_COLOUR, TRILITH_CARD, indices
from engine.games.roulette.ring import PITS, hit_pits
from engine.hands import cards_of, mask_like
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.roulette.state import RouletteState

ANY_TRILITH = "trilith-??"
# In nats: of ten cards that take the ball to a field two may fall there at once; hardly anybody turns it
# round when he has moved it, for the next player's sake, passes, or lets it fall where it may hit nothing.
# A hand of five seldom holds several cards of the colour that was played.
EXACT_CARD, LATE_FLIP, PASSED, HIT_NOTHING, FURTHER_CARD = 2.3, 3.0, 2.3, 1.5, 1.0
A_DAY, A_NIGHT, A_TRILITH = 0, 30, 60  # one card of each kind, as indices


def colour_of_play(state: RouletteState, card: str) -> str | None:
    """The colour of a number card that is played, as far as it is known."""
    if card in INDEX:
        return COLOUR[INDEX[card]]
    number, _, detail = card.partition("-")
    if number.isdigit():
        return ring_colour(int(number))
    return detail if detail in OF_COLOUR else state.colour


def why_not_unread(state: RouletteState, action: Move | MoveAndFall | Fall | Flip) -> Text | None:
    """An unread card may be played if one of the cards that it can be may."""
    if not state.game.half_seen:
        return Text("this card is shown: name it", "diese Karte wird gezeigt: nenne sie")
    if not isinstance(action, Flip) and colour_of_play(state, action.card) is None:
        return Text(
            "say at least the colour of the card: ??-white", "sage wenigstens die Farbe der Karte: ??-Weiß"
        )
    reasons = [state.why_not(replace(action, card=card)) for card in cards_of(mask_like(action.card))]
    if not reasons:
        return Text(f"there is no card {action.card}", f"eine Karte {action.card} gibt es nicht")
    return None if None in reasons else reasons[0]


def seen_actions(state: RouletteState) -> tuple[Action, ...]:
    """What may happen, as far as a camera can tell it apart."""
    if state.to_move == CHANCE:
        if state.phase == "fall":
            return turn_ups(state)
        events = state.legal_actions()
        if state.phase == "offerings":
            offers = tuple(each for each in events if isinstance(each, Offer) and INDEX[each.card] < 60)
            if len(offers) < len(events):
                return (*offers, _offer(state.players[state.seat]))
        return events
    return tuple(_plays(state)) if state.phase == "play" else state.legal_actions()


def _plays(state: RouletteState) -> Iterator[Action]:
    known: dict[Action, None] = {}
    for action in state.legal_actions():
        match action:
            case Move(card):
                known[_play(Move, f"{UNKNOWN}-{COLOUR[INDEX[card]]}")] = None
            case Fall(card):
                known[_play(Fall, f"{UNKNOWN}-{COLOUR[INDEX[card]]}")] = None
            case MoveAndFall(card):
                known[_play(MoveAndFall, card.partition("-")[0] + "-??")] = None
            case Flip():
                known[_play(Flip, ANY_TRILITH)] = None
            case _:
                known[action] = None
    yield from known


@cache
def _play(kind: type[Action], card: str) -> Action:
    return kind(card)  # type: ignore[call-arg]


@cache
def _offer(player: str) -> Offer:
    return Offer(player, ANY_TRILITH)


def rarity(state: RouletteState, action: Action) -> float:
    """See `State.rarity`."""
    match action:
        case Move() if state.moved:
            return FURTHER_CARD
        case MoveAndFall():
            return EXACT_CARD
        case Pass():
            return PASSED
        case Flip() if state.moved:
            return LATE_FLIP
        case TurnUp(pits=()) if action.card == UNKNOWN:
            return HIT_NOTHING
    return 0.0


def turn_ups(state: RouletteState) -> tuple[TurnUp, ...]:
    """What a fall may hit: each set of full pits below the ball that some card of the pile hits."""
    found: dict[TurnUp, None] = {}
    for kind in (A_DAY, A_NIGHT, A_TRILITH):
        if state.hands.pile & mask_like(("??-day", "??-night", ANY_TRILITH)[kind // 30]):
            pits = tuple(PITS[pit] for pit in hit_pits(state.ball, kind) if state.pits[pit])
            found[_turn_up(pits)] = None
    return tuple(found)


@cache
def _turn_up(pits: tuple[str, ...]) -> TurnUp:
    return TurnUp(UNKNOWN, pits)


def any_trilith_left(drawn: int) -> int | None:
    """A trilith card that may still be dealt in the set-up: their colours do not matter there."""
    left = indices(TRILITH_CARD & ~drawn)
    return left[0] if left else None
