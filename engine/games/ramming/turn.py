"""What an action does: each effect fills in a fresh copy of the state, which nobody else has seen yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.cards import PLAYER_COLOURS, colour_of, is_known, is_trilith
from engine.game import CHANCE
from engine.games.ramming.actions import (
    PAIR_INDEX,
    PLACE_INDEX,
    STAY,
    Attempt,
    Discard,
    LayBlock,
    LayCard,
    Materialise,
    NoPeek,
    Peek,
    Race,
    Show,
    SitOut,
    Stay,
    StopDiscarding,
    Swap,
    Uncover,
)
from engine.games.ramming.choices import attempts
from engine.games.ramming.phases import (
    ATTEMPT,
    CHANCE_PHASES,
    DEAL,
    DISCARD,
    DISPLAY,
    DRAW,
    OVER,
    PEEK,
    PLACE,
    SHOW,
    SWAP,
    UNCOVER,
)
from engine.games.ramming.race import FIELDS, GONE, OFF, crash, next_on_way
from engine.hands import BIT, Draw, Shuffle

if TYPE_CHECKING:
    from engine.games.ramming.state import RammingState


def enter(state: RammingState, phase: str) -> None:
    state.phase = phase
    if phase in CHANCE_PHASES:
        state.to_move = CHANCE
    elif phase == OVER:
        state.to_move = None
    else:
        state.to_move = state.players[state.peeker if phase == PEEK else state.turn]


def _lay_block(state: RammingState, action: LayBlock) -> None:
    state.blocks = (*state.blocks, PLAYER_COLOURS.index(action.colour))
    if len(state.blocks) == FIELDS:
        enter(state, DISPLAY)


def _lay_card(state: RammingState, action: LayCard) -> None:
    state.display = (*state.display, action.card)
    if len(state.display) == len(state.game.display_cards):
        enter(state, DEAL)


def _draw(state: RammingState, action: Draw) -> None:
    if state.phase == DEAL:
        state.hands = state.hands.draw(state._drawer(), action.card)
        if state.hands.size(len(state.players) - 1) == state.game.hand(state.players):
            begin_turn(state)
        return
    state.hands = state.hands.draw(state.turn, action.card)
    state.draws -= 1
    if not state.draws:
        _next_turn(state)


def _shuffle(state: RammingState, action: Action) -> None:
    out = [seat for seat in range(len(state.players)) if not state.triliths_of(seat)]
    state.hands = state.hands.shuffle(out)


def _play(state: RammingState, card: str) -> None:
    """The card lies open until the end of the turn; one that nobody read is away at once."""
    if card in BIT:
        state.hands = state.hands.play(state.turn, card)
        state.played |= BIT[card]
    else:
        state.hands = state.hands.play_away(state.turn, card)
    state.draws += 1


def _materialise(state: RammingState, action: Materialise) -> None:
    trilith = state.named(action.trilith)
    _play(state, action.card)
    state.at = _replaced(state.at, trilith, PAIR_INDEX[action.fields])
    state.placed = (*state.placed, trilith)
    if any(state.at[t] == OFF for t in state.triliths_of(state.turn)):
        enter(state, PLACE)
    elif _only_placing(state) or attempts(state) in ((), (STAY,)):
        end_turn(state)
    else:
        enter(state, ATTEMPT)


def _only_placing(state: RammingState) -> bool:
    """House rule for two players: all four triliths are placed before anybody races. Later on, in the longer
    game, who comes back with both may race as always."""
    first = state.turns < len(state.players)
    return state.game.two_player_setup == "pre_game" and first and len(state.placed) == 2


def _sit_out(state: RammingState, action: Action) -> None:
    state.placed = ()
    enter(state, DISCARD)


def _discard(state: RammingState, action: Discard) -> None:
    _play(state, action.card)
    if not state.hands.size(state.turn):
        end_turn(state)


def _attempt(state: RammingState, action: Attempt) -> None:
    state.racer = state.named(action.trilith)
    state.way = state.way_to(action.direction)
    state.correct = 0
    enter(state, UNCOVER)


def _uncover(state: RammingState, action: Uncover) -> None:
    state.place = PLACE_INDEX[action.place]
    enter(state, SHOW)


def _show(state: RammingState, action: Show) -> None:
    bit = 1 << state.place
    if is_known(action.card):
        state.display = _replaced(state.display, state.place, action.card)
        state.public |= bit
    state.face_up |= bit
    if is_trilith(action.card):
        enter(state, SWAP)
    else:
        _judge(state, action.card)


def _swap(state: RammingState, action: Swap) -> None:
    one, other = state.place, PLACE_INDEX[action.other]
    card = state.display[one]
    state.display = _swapped(state.display, one, other)
    state.face_up = _bits_swapped(state.face_up, one, other)
    state.public = _bits_swapped(state.public, one, other)
    state.peeked = tuple(_bits_swapped(mask, one, other) for mask in state.peeked)
    _judge(state, card)


def _judge(state: RammingState, card: str) -> None:
    """A card was turned up: right or wrong, on, ram or stop. Of an unread one only a right colour is told."""
    colour = colour_of(card) or card.partition("-")[2]
    if colour != PLAYER_COLOURS[state.next_block()]:
        _stop_short(state)
        return
    state.correct += 1
    if not _rammed(state):
        enter(state, UNCOVER)


def _race(state: RammingState, action: Race) -> None:
    state.correct += action.right
    if not _rammed(state):
        _stop_short(state)


def _rammed(state: RammingState) -> bool:
    """Whether enough cards were right; then the ram follows at once."""
    _, free = next_on_way(state.at, state.racer, state.way)
    if state.correct < state.steps(free):
        return False
    _ram(state)
    return True


def _stop_short(state: RammingState) -> None:
    start = state.at[state.racer]
    _, free = next_on_way(state.at, state.racer, state.way)
    moved = min(state.correct, free)
    state.at = _replaced(state.at, state.racer, (start + moved * state.way) % FIELDS)
    end_turn(state)


def _ram(state: RammingState) -> None:
    result = crash(
        state.at, state.points, state.racer, state.way,
        bounce=not state.game.easy, touch_rams=state.game.touch_is_ram,
    )  # fmt: skip
    state.at = result.at
    for hit in result.hits:
        _pay(state, hit.victim, hit.paid)
        if hit.destroyed:
            _destroy(state, hit.victim)
    if len(state.in_the_race()) == 1:
        _put_down(state)
        enter(state, OVER)
        return
    first = result.hits[0]
    state.peeker = state.seat_of(first.victim)
    # Somebody who still races may look, if he paid something and a card is left face down.
    if first.paid and state.triliths_of(state.peeker) and state.correct < len(state.display):
        enter(state, PEEK)
    else:
        end_turn(state)


def _pay(state: RammingState, trilith: int, paid: int) -> None:
    state.points = _replaced(state.points, trilith, state.points[trilith] - paid)
    row = state.prizes[state.turn]
    row = _replaced(row, trilith, row[trilith] + paid)
    state.prizes = _replaced(state.prizes, state.turn, row)


def _destroy(state: RammingState, trilith: int) -> None:
    """The trilith is broken; in the longer game it costs a block and comes back. Where blocks are lives
    beside the first one (house rule), none is left for the last loss."""
    state.at = _replaced(state.at, trilith, OFF)
    if state.game.lives == 1:
        state.at = _replaced(state.at, trilith, GONE)
        return
    left = state.lives[trilith] - 1
    state.lives = _replaced(state.lives, trilith, left)
    taker = state.most_taken(trilith)
    if taker is not None and (left or not state.game.lives_extra):
        state.trophies = _replaced(state.trophies, taker, state.trophies[taker] + 1)
    if left:
        state.points = _replaced(state.points, trilith, 10)
        state.prizes = tuple(_replaced(row, trilith, 0) for row in state.prizes)
    else:
        state.at = _replaced(state.at, trilith, GONE)


def _peek(state: RammingState, action: Peek) -> None:
    if action.place in PLACE_INDEX:
        mask = state.peeked[state.peeker] | 1 << PLACE_INDEX[action.place]
        state.peeked = _replaced(state.peeked, state.peeker, mask)
    end_turn(state)


def _put_down(state: RammingState) -> None:
    state.hands = state.hands.put_away(state.played)
    state.played = 0
    state.face_up = 0
    state.racer = state.peeker = state.place = -1
    state.way = state.correct = 0
    state.placed = ()


def end_turn(state: RammingState) -> None:
    _put_down(state)
    if state.draws:
        enter(state, DRAW)
    else:
        _next_turn(state)


def _next_turn(state: RammingState) -> None:
    state.turns += 1
    if state.game.turn_limit and state.turns >= state.game.turn_limit:
        enter(state, OVER)
        return
    seats = len(state.players)
    state.turn = next(
        (state.turn + i) % seats for i in range(1, seats + 1) if state.triliths_of((state.turn + i) % seats)
    )
    begin_turn(state)


def begin_turn(state: RammingState) -> None:
    state.placed = ()
    enter(state, PLACE)


def _replaced(row: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*row[:index], value, *row[index + 1 :])


def _swapped(row: tuple[str, ...], one: int, other: int) -> tuple[str, ...]:
    return _replaced(_replaced(row, one, row[other]), other, row[one])


def _bits_swapped(mask: int, one: int, other: int) -> int:
    if (mask >> one & 1) != (mask >> other & 1):
        mask ^= (1 << one) | (1 << other)
    return mask


def _stop(state: RammingState, action: Action) -> None:
    end_turn(state)


EFFECTS: Mapping[type[Action], Callable[[RammingState, Any], None]] = {
    LayBlock: _lay_block,
    LayCard: _lay_card,
    Draw: _draw,
    Shuffle: _shuffle,
    Materialise: _materialise,
    SitOut: _sit_out,
    StopDiscarding: _stop,
    Discard: _discard,
    Attempt: _attempt,
    Stay: _stop,
    Uncover: _uncover,
    Show: _show,
    Race: _race,
    Swap: _swap,
    Peek: _peek,
    NoPeek: _stop,
}
