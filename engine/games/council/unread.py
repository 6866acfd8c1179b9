"""What may happen in Der Hohe Rat as far as a camera can tell it apart.

Cards on the discards are "??", and so is the side from which somebody was persuaded, where it may have been
either."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.action import Action
from engine.cards import PLAYER_COLOURS, UNKNOWN, colour_of
from engine.games.council import moves, phases
from engine.games.council.actions import END_TURN, Discard, Discuss, Persuade, TakeSeat
from engine.hands import cards_of

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState

_DISCARDS = (Discard(UNKNOWN),)


def seen(state: CouncilState) -> tuple[Action, ...]:
    """The legal actions, those that look alike as one. Pondering, conferring and offers of a draw leave no
    trace: people tell them."""
    if state.phase == phases.DISCARD:
        return _DISCARDS
    if state.phase != phases.TURN:
        return state.legal_actions()
    found: dict[Action, None] = {}
    if not state.acted:
        found.update(dict.fromkeys(_discuss(arguments) for arguments in sorted(moves.unread_takes(state))))
        found.update(dict.fromkeys(_seats(state)))
    if moves.may_persuade(state):
        found.update(dict.fromkeys(_persuasions(state)))
    if state.acted or not state.game.action_mandatory:
        found[END_TURN] = None
    return tuple(found)


@lru_cache(maxsize=1024)
def _discuss(colours: tuple[int, ...]) -> Discuss:
    return Discuss((UNKNOWN,), tuple(PLAYER_COLOURS[colour] for colour in colours))


def _seats(state: CouncilState) -> list[Action]:
    hands, place = state.hand(state.turn)
    seats: list[Action] = []
    moves.seats(state, cards_of(hands.possible(place)), seats)
    return [_unread_seat(each) if isinstance(each, TakeSeat) and each.paying else each for each in seats]


@lru_cache(maxsize=8192)
def _unread_seat(seat: TakeSeat) -> TakeSeat:
    return TakeSeat(f"{UNKNOWN}-{colour_of(seat.card)}", seat.piece, seat.field, seat.paying)


def _persuasions(state: CouncilState) -> list[Action]:
    sides: dict[Action, list[Action]] = {}
    for each in moves.persuasions(state):
        assert isinstance(each, Persuade)
        sides.setdefault(_from_anywhere(each), []).append(each)
    return [either if len(exact) > 1 else exact[0] for either, exact in sides.items()]


@lru_cache(maxsize=8192)
def _from_anywhere(each: Persuade) -> Persuade:
    return Persuade(UNKNOWN, each.target, each.piece, each.count, each.paying)
