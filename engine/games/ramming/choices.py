"""What may be done, in a fixed order: by the rules, and as far as a camera can tell it apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from engine.action import Action
from engine.cards import ALL_CARDS, PLAYER_COLOURS, UNKNOWN, UNKNOWN_DAY, colour_of
from engine.games.ramming import phases
from engine.games.ramming.actions import (
    ANTICLOCKWISE,
    CLOCKWISE,
    MATERIALISE,
    NO_PEEK,
    PAIRS,
    PEEK,
    PLACES,
    SIT_OUT,
    STAY,
    STOP_DISCARDING,
    UNCOVER,
    Attempt,
    Discard,
    Materialise,
    Peek,
    Race,
    Show,
    Swap,
)
from engine.games.ramming.race import FIELDS, next_on_way
from engine.hands import cards_of

if TYPE_CHECKING:
    from engine.games.ramming.state import RammingState


def choices(state: RammingState) -> tuple[Action, ...]:
    """The legal actions of the player to move."""
    phase, display = state.phase, range(len(state.display))
    if phase == phases.UNCOVER:
        return tuple(UNCOVER[i] for i in display if not state.face_up >> i & 1)
    if phase == phases.PLACE:
        return tuple(_placings(state))
    if phase == phases.ATTEMPT:
        return attempts(state)
    if phase == phases.DISCARD:
        held = cards_of(state.hands.possible(state.turn) & ~state.usable())
        return (STOP_DISCARDING, *(_DISCARD[card] for card in held))
    if phase == phases.SWAP:
        return tuple(Swap(PLACES[state.place], PLACES[i]) for i in display if i != state.place)
    return (NO_PEEK, *(PEEK[i] for i in display if not state.face_up >> i & 1))


def _placings(state: RammingState) -> Iterator[Action]:
    possible = state.hands.possible(state.turn)
    for trilith in state.to_place():
        free = state.free_pairs(trilith)
        table = MATERIALISE[state.label(trilith)]
        cards = possible
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            i = lowest.bit_length() - 1
            if free >> ((i - 1) % FIELDS) & 1:
                yield table[i][0]
            if free >> i & 1:
                yield table[i][1]
    if state.may_sit_out():
        yield SIT_OUT


def attempts(state: RammingState) -> tuple[Action, ...]:
    """The races that may be begun; none where no trilith can be reached."""
    actions: list[Action] = [
        _ATTEMPT[state.label(trilith) if len(state.placed) > 1 else None, state.direction(way)]
        for trilith in state.placed
        for way in (1, -1)
        if state.target(trilith, way)[0] >= 0
    ]
    if state.game.attempt_optional:
        actions.append(STAY)
    return tuple(actions)


# --- as far as a camera can tell ------------------------------------------------------------------------


def seen(state: RammingState) -> tuple[Action, ...]:
    """The legal actions with "??" for what lies face down or on the discards."""
    phase = state.phase
    if phase == phases.PLACE:
        return tuple(_seen_placings(state))
    if phase == phases.UNCOVER:
        free = next_on_way(state.at, state.racer, state.way)[1]
        return tuple(race(right) for right in range(state.steps(free) - state.correct + 1))
    if phase == phases.SHOW:
        return unread_shows(state)
    if phase == phases.DISCARD:
        return STOP_DISCARDING, _DISCARD[UNKNOWN_DAY]
    if phase == phases.PEEK:
        return NO_PEEK, _PEEK_SOMEWHERE
    return state.legal_actions()


def unread_shows(state: RammingState) -> tuple[Show, ...]:
    """Of a card that was turned up and that nobody read, whether it was right: as far as both can be."""
    needed = PLAYER_COLOURS[state.next_block()]
    rights = {colour_of(card) == needed for card in state.may_lie(state.place)}
    told = ((f"??-{needed}", True), (UNKNOWN, False))
    return tuple(Show(PLACES[state.place], card) for card, right in told if right in rights)


def _seen_placings(state: RammingState) -> Iterator[Action]:
    possible = state.hands.possible(state.turn)
    both = possible | (possible >> 1 | possible << FIELDS - 1)  # pair k takes the card k or the next one
    for trilith in state.to_place():
        free = state.free_pairs(trilith) & both
        for k in range(FIELDS):
            if free >> k & 1:
                yield _materialise(k, state.label(trilith))
    if state.may_sit_out():
        yield SIT_OUT


@cache
def _materialise(k: int, trilith: str | None) -> Materialise:
    return Materialise(UNKNOWN_DAY, PAIRS[k], trilith)


@cache
def race(right: int) -> Race:
    """The one object for a race of so many right cards."""
    return Race(right)


_PEEK_SOMEWHERE = Peek(UNKNOWN)
_DISCARD = {card: Discard(card) for card in (*ALL_CARDS[:30], UNKNOWN_DAY)}
_ATTEMPT = {
    (colour, direction): Attempt(direction, colour)
    for colour in (None, *PLAYER_COLOURS)
    for direction in (CLOCKWISE, ANTICLOCKWISE)
}
