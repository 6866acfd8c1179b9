"""What follows from each action: the functions change a fresh copy of a state, which nobody else has yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.cards import PLAYER_COLOURS
from engine.game import CHANCE
from engine.games.roulette.actions import (
    EndTurn,
    Fall,
    Flip,
    Move,
    MoveAndFall,
    Offer,
    Pass,
    PlaceBall,
    PlaceOffering,
    TurnUp,
)
from engine.games.roulette.cards import INDEX
from engine.games.roulette.phases import CHANCE_PHASES, Phase
from engine.games.roulette.ring import OFFERINGS, OTHER_WAY, PIT_INDEX, RING_INDEX, hit_pits
from engine.games.roulette.unread import any_trilith_left, colour_of_play
from engine.hands import Draw

if TYPE_CHECKING:
    from engine.games.roulette.state import RouletteState


def enter(new: RouletteState, phase: Phase) -> None:
    """Begin `phase`, or the one after it when there is nothing to do in it."""
    if phase == "triliths" and not new.waiting:
        phase = "ball"
    if phase == "refill" and not _draws(new):
        _filled_up(new)
        return
    new.phase = phase
    if phase == "triliths":
        new.to_move = new.players[new.waiting[0]]
    elif phase == "fall" or phase in CHANCE_PHASES:
        _fill_pile(new)
        new.to_move = CHANCE
    else:
        new.to_move = None if phase == "over" else new.players[new.seat]


def _offer(new: RouletteState, action: Offer) -> None:
    """A card of the set-up: ten per player, then ten for the neutral discs of two players."""
    index = INDEX.get(action.card, -1)
    if index < 0:  # a trilith card, of a colour that nobody told
        index = any_trilith_left(new.drawn) or 0
    new.drawn |= 1 << index
    colour = new.neutral_colour if new.phase == "neutral" else new.players[new.seat]
    if index < 60:
        _add_disc(new, index, colour)
    else:
        new.waiting = tuple(
            sorted((*new.waiting, new.seat), key=lambda seat: PLAYER_COLOURS.index(new.players[seat]))
        )
    if new.drawn.bit_count() % OFFERINGS:
        return
    if new.phase == "neutral":
        enter(new, "triliths")
    elif new.seat + 1 < len(new.players):
        new.seat += 1
    else:
        enter(new, "neutral" if len(new.players) == 2 else "triliths")


def _add_disc(new: RouletteState, pit: int, colour: str) -> None:
    new.pits = (*new.pits[:pit], (*new.pits[pit], colour), *new.pits[pit + 1 :])


def _draw(new: RouletteState, action: Draw) -> None:
    new.hands = new.hands.draw(new.seat, action.card)
    _count_pass(new)
    if new.phase == "over" or _draws(new):
        return
    if new.phase == "refill":
        _filled_up(new)
    elif new.seat + 1 < len(new.players):
        new.seat += 1
    else:
        new.seat = 0
        enter(new, "play")


def _draws(new: RouletteState) -> bool:
    """Whether the player of `seat` still draws: his hand is below its limit and there are cards."""
    hands = new.hands
    return hands.size(new.seat) < new.hand_limit(new.seat) and bool(hands.pile_count or hands.has_discards)


def _play(new: RouletteState, card: str) -> None:
    _discard(new, card)
    new.colour = colour_of_play(new, card)


def _discard(new: RouletteState, card: str) -> None:
    if new.hands.was_shuffled_before(card):
        new.passes_left -= 1
    new.hands = new.hands.play_away(new.seat, card)


def _roll(new: RouletteState) -> None:
    new.ball = new.next_field(str(new.colour))
    new.moved = True


def _let_fall(new: RouletteState) -> None:
    """The turn's last card is played; with a house rule the hand is filled up before the ball falls."""
    new.falling = new.game.refill_before_fall
    enter(new, "refill" if new.falling else "fall")


def _filled_up(new: RouletteState) -> None:
    """The hand is full, or there are no cards: the ball falls if it has waited for that."""
    waits, new.falling = new.falling, False
    if waits and (new.hands.pile_count or new.hands.has_discards):
        enter(new, "fall")
    else:
        _next_turn(new)


def _crush(new: RouletteState, action: TurnUp) -> None:
    """The ball falls by the card turned up; what it hits goes to the player whose turn it is."""
    new.hands = new.hands.turn_away(action.card)
    if new.game.end == "turn" or new.hands.pile_count or new.passes_left > 1:
        index = INDEX.get(action.card)
        _hit(new, [PIT_INDEX[pit] for pit in action.pits] if index is None else hit_pits(new.ball, index))
    _count_pass(new)
    if new.phase == "over":
        return
    if new.game.refill_before_fall:
        _next_turn(new)
    else:
        enter(new, "refill")


def _hit(new: RouletteState, places: Iterable[int]) -> None:
    pits = list(new.pits)
    hit: tuple[str, ...] = ()
    for pit in places:
        hit += pits[pit]
        pits[pit] = ()
    if hit:
        new.pits = tuple(pits)
        captured = list(new.captured)
        captured[new.seat] += hit
        new.captured = tuple(captured)


def _count_pass(new: RouletteState) -> None:
    """After a card was taken: has the pile been played through?"""
    if new.hands.pile_count:
        return
    new.passes_left -= 1
    if new.passes_left:
        _fill_pile(new)
    else:
        new.falling = False
        enter(new, "over")


def _fill_pile(new: RouletteState) -> None:
    """An empty pile is made anew from the discards, if there are any."""
    if new.hands.has_discards and not new.hands.pile_count:
        new.hands = new.hands.shuffle()


def _next_turn(new: RouletteState) -> None:
    new.seat = (new.seat + 1) % len(new.players)
    new.colour, new.moved, new.flipped = None, False, False
    enter(new, "play")


# --- one function per kind of action -------------------------------------------------------------


def _move(new: RouletteState, action: Move) -> None:
    _play(new, action.card)
    _roll(new)


def _fall(new: RouletteState, action: Fall) -> None:
    _play(new, action.card)
    _let_fall(new)


def _move_and_fall(new: RouletteState, action: MoveAndFall) -> None:
    _play(new, action.card)
    _roll(new)
    _let_fall(new)


def _flip(new: RouletteState, action: Flip) -> None:
    _discard(new, action.card)
    new.facing = OTHER_WAY[new.facing]
    new.flipped = True


def _place_offering(new: RouletteState, action: PlaceOffering) -> None:
    _add_disc(new, PIT_INDEX[action.pit], new.players[new.waiting[0]])
    new.waiting = new.waiting[1:]
    enter(new, "triliths")


def _place_ball(new: RouletteState, action: PlaceBall) -> None:
    new.ball = RING_INDEX[action.field]
    new.seat = 0
    enter(new, "deal")


def _refill(new: RouletteState, action: Action) -> None:
    enter(new, "refill")


EFFECTS: Mapping[type[Action], Callable[[RouletteState, Any], None]] = {
    Offer: _offer,
    PlaceOffering: _place_offering,
    PlaceBall: _place_ball,
    Draw: _draw,
    Move: _move,
    MoveAndFall: _move_and_fall,
    Fall: _fall,
    Flip: _flip,
    TurnUp: _crush,
    EndTurn: _refill,
    Pass: _refill,
}
