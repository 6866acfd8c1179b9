"""What an action does: each effect fills in a fresh copy of the state, which nobody else has seen yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.cards import PLAYER_COLOURS, UNKNOWN
from engine.game import CHANCE
from engine.games.council.actions import (
    RING_INDEX,
    AcceptDraw,
    Confer,
    DeclineDraw,
    Discard,
    Discuss,
    EndTurn,
    GiveBack,
    Lift,
    OfferDraw,
    Persuade,
    Ponder,
    Replace,
    TakeSeat,
)
from engine.games.council.phases import ANSWER, CHANCE_PHASES, DEAL, DISCARD, DRAW, LIFT, OFFER, OVER, TURN
from engine.games.council.ring import CODE, COLOUR_OF, FACTION_OF, TO_WIN, block_around, disc, is_figure
from engine.hands import BIT, Draw, Hands, Shuffle

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState


def enter(state: CouncilState, phase: str) -> None:
    state.phase = phase
    if phase in CHANCE_PHASES:
        state.to_move = CHANCE
    elif phase == OVER:
        state.to_move = None
    elif phase == ANSWER:
        state.to_move = state.players[(state.turn + 2) % 4]
    else:
        state.to_move = state.players[state.asked if phase == OFFER else state.turn]


def replaced(row: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one entry changed."""
    return (*row[:index], value, *row[index + 1 :])


# --- cards -------------------------------------------------------------------------------------------


def _set_hands(state: CouncilState, seat: int, hands: Hands) -> None:
    state.cards = replaced(state.cards, state.faction(seat), hands)


def _draw(state: CouncilState, action: Draw) -> None:
    seat = state.drawer()
    hands, place = state.hand(seat)
    _set_hands(state, seat, hands.draw(place, action.card))
    if state.phase == DEAL:
        if state.cards_held(len(state.players) - 1) == 3:
            enter(state, TURN)
        return
    state.draws -= 1
    if not state.draws:
        enter(state, TURN)


def _shuffle(state: CouncilState, action: Shuffle) -> None:
    hands, _ = state.hand(state.drawer())
    _set_hands(state, state.drawer(), hands.shuffle())


def _play(state: CouncilState, cards: tuple[str, ...]) -> None:
    """The active player's cards go openly to his faction's discards, read or not."""
    hands, place = state.hand(state.turn)
    for card in cards:
        hands = hands.play_away(place, card)
        seen = state.confided[state.turn] & hands.known[place]
        state.confided = replaced(state.confided, state.turn, seen)
    _set_hands(state, state.turn, hands)
    state.draws += len(cards)


def _go_on(state: CouncilState) -> None:
    enter(state, DRAW if state.draws else TURN)


# --- actions -----------------------------------------------------------------------------------------


def _discuss(state: CouncilState, action: Discuss) -> None:
    unread = action.cards == (UNKNOWN,)
    _play(state, (UNKNOWN,) * _fewest_cards(state, action.arguments) if unread else action.cards)
    own = list(state.arguments[state.turn])
    for colour in action.arguments:
        own[PLAYER_COLOURS.index(colour)] += 1
    state.arguments = replaced(state.arguments, state.turn, tuple(own))
    state.acted = True
    _go_on(state)


def _fewest_cards(state: CouncilState, arguments: tuple[str, ...]) -> int:
    """So many unread cards are taken to have brought these arguments: a trilith card brings two colours,
    number cards one argument each."""
    return 1 if len(set(arguments)) > 1 else min(len(arguments), state.cards_held(state.turn))


def _take_seat(state: CouncilState, action: TakeSeat) -> None:
    _play(state, (action.card,))
    if action.paying is not None:
        _pay(state, PLAYER_COLOURS.index(action.paying), 3)
    state.acted = True
    _seat(state, action.piece, RING_INDEX[action.field])


def _replace(state: CouncilState, action: Replace) -> None:
    _play(state, (action.card,))
    state.acted = True
    i = RING_INDEX[action.field]
    _return(state, i)
    _put(state, CODE[action.piece], i)


def _ponder(state: CouncilState, action: Ponder) -> None:
    state.acted = True
    enter(state, DISCARD)


def _discard(state: CouncilState, action: Discard) -> None:
    _play(state, (action.card,))
    if not state.cards_held(state.turn):
        enter(state, DRAW)


def _confer(state: CouncilState, action: Confer) -> None:
    state.acted = True
    _hand_over(state, state.turn, action.card)
    enter(state, ANSWER)


def _give_back(state: CouncilState, action: GiveBack) -> None:
    _hand_over(state, (state.turn + 2) % 4, action.card)
    enter(state, TURN)


def _hand_over(state: CouncilState, giver: int, card: str) -> None:
    """The card changes hands; the giver knows where it is, and what the taker knew of it is over."""
    hands, place = state.hand(giver)
    taker = (giver + 2) % 4
    _set_hands(state, giver, hands.hand_over(place, taker // 2, card))
    if card != UNKNOWN:
        confided = list(state.confided)
        confided[giver] &= ~BIT[card]
        confided[taker] |= BIT[card]
        state.confided = tuple(confided)


def _persuade(state: CouncilState, action: Persuade) -> None:
    _pay(state, PLAYER_COLOURS.index(action.paying), action.count)
    if not state.acted:
        state.persuaded = True
    i = RING_INDEX[action.target]
    _return(state, i)
    _seat(state, action.piece, i)


def _pay(state: CouncilState, colour: int, count: int) -> None:
    """Arguments go back to the board: the player's own first, then (house rule) his partner's, then those
    of which nobody told whose they are."""
    team = [state.turn]
    if state.game.share_arguments and len(state.players) == 4:
        team.append((state.turn + 2) % 4)
    for seat in team:
        own = state.arguments[seat]
        paid = min(count, own[colour])
        state.arguments = replaced(state.arguments, seat, replaced(own, colour, own[colour] - paid))
        count -= paid
    if count:
        state.unclaimed = replaced(state.unclaimed, colour, state.unclaimed[colour] - count)


def _return(state: CouncilState, i: int) -> None:
    """The piece on ring index i goes back to its owner's supply."""
    code = state.ring[i]
    colour = COLOUR_OF[code]
    state.ring = replaced(state.ring, i, 0)
    state._sizes = None
    if is_figure(code):
        state.figures = replaced(state.figures, colour, 1)
    else:
        state.discs = replaced(state.discs, colour, state.discs[colour] + 1)


def _seat(state: CouncilState, piece: str, i: int) -> None:
    if piece == "disc":
        state.target = i
        enter(state, LIFT)
    else:
        _put(state, CODE[piece], i)


def _lift(state: CouncilState, action: Lift) -> None:
    source, target = RING_INDEX[action.field], state.target
    code = state.ring[source]
    _return(state, source)
    state.target = -1
    _put(state, code, target)


def _put(state: CouncilState, code: int, i: int) -> None:
    """A piece from supply takes the seat: the vote may begin, or the game be over."""
    colour = COLOUR_OF[code]
    state.ring = replaced(state.ring, i, code)
    state._sizes = None
    if code == disc(colour):
        state.discs = replaced(state.discs, colour, state.discs[colour] - 1)
    else:
        state.figures = replaced(state.figures, colour, 0)
    if 0 not in state.ring:
        state.voting = True
    if block_around(state.ring, i) >= TO_WIN:
        state.winner = FACTION_OF[code]
        enter(state, OVER)
    else:
        _go_on(state)


# --- the turn ----------------------------------------------------------------------------------------


def _end_turn(state: CouncilState, action: EndTurn) -> None:
    state.turns += 1
    state.turn = (state.turn + 1) % len(state.players)
    state.acted = state.persuaded = state.offered = False
    limit = state.game.turn_limit
    enter(state, OVER if limit and state.turns >= limit else TURN)


def _offer(state: CouncilState, action: OfferDraw) -> None:
    state.offered = True
    state.asked = (state.turn + 1) % len(state.players)
    enter(state, OFFER)


def _accept(state: CouncilState, action: AcceptDraw) -> None:
    state.asked = (state.asked + 1) % len(state.players)
    if state.asked == state.turn:
        state.asked = -1
        enter(state, OVER)
    else:
        enter(state, OFFER)


def _decline(state: CouncilState, action: DeclineDraw) -> None:
    state.asked = -1
    enter(state, TURN)


EFFECTS: Mapping[type[Action], Callable[[CouncilState, Any], None]] = {
    Draw: _draw,
    Shuffle: _shuffle,
    Discuss: _discuss,
    TakeSeat: _take_seat,
    Replace: _replace,
    Lift: _lift,
    Ponder: _ponder,
    Discard: _discard,
    Confer: _confer,
    GiveBack: _give_back,
    Persuade: _persuade,
    EndTurn: _end_turn,
    OfferDraw: _offer,
    AcceptDraw: _accept,
    DeclineDraw: _decline,
}
