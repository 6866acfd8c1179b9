"""A player of Sacrifice Roulette for the recorded games: careful, and easy to follow from a chair beside the
table. He lets the ball fall only where it is sure to crush something, and plays no colour twice running."""

from __future__ import annotations

import random

from engine.action import Action
from engine.cards import ring_colour
from engine.games.roulette.actions import EndTurn, Fall, Flip, Move, Pass, PlaceOffering
from engine.games.roulette.cards import COLOUR, INDEX
from engine.games.roulette.ring import PIT_INDEX
from engine.games.roulette.state import RouletteState

OWN = 1.2  # an own disc costs two points and brings one, but from then on a card more in the hand


def choose_roulette(state: RouletteState, rng: random.Random) -> Action:
    """Plays out one colour; falls, with the last card of it, where both pits hold something."""
    legal = state.legal_actions()
    if state.phase == "triliths":
        return _offering(state, rng)
    me = state.players[state.seat]
    if state.moved:
        falls = [each for each in legal if isinstance(each, Fall)]
        if falls and _gain(state, me) > 0:
            return falls[0]
    moves = [each for each in legal if isinstance(each, Move)]
    if state.moved and (not moves or (len(moves) == 1 and rng.random() < 0.2)):
        return next(each for each in legal if isinstance(each, EndTurn))
    fresh = [each for each in moves if state.moved or _colour(each) != ring_colour(state.ball)] or moves
    flips = [each for each in legal if isinstance(each, Flip)]
    if flips and not state.flipped and fresh and not state.moved:
        return flips[0]
    if not fresh:
        return next(each for each in legal if isinstance(each, (Pass, EndTurn)))
    return max(fresh, key=lambda each: _many(state, each) + _gain(state.apply(each), me) + 0.5 * rng.random())


def _colour(move: Move) -> str:
    return COLOUR[INDEX[move.card]]


def _many(state: RouletteState, move: Move) -> int:
    """How many cards of this colour the player holds."""
    return sum(isinstance(each, Move) and _colour(each) == _colour(move) for each in state.legal_actions())


def _gain(state: RouletteState, me: str) -> float:
    """What a fall here would surely bring: both pits hold something, and not too much of the own."""
    if not state.ball:
        return 0.0
    day, night = state.pits[state.ball - 1], state.pits[state.ball + 29]
    if not day or not night:
        return 0.0
    return sum(OWN if disc == me else 1.0 for disc in (*day, *night)) / 2


def _offering(state: RouletteState, rng: random.Random) -> Action:
    """The disc for a trilith card goes onto somebody else's, where it is in company."""
    me = state.players[state.waiting[0]]
    company = [
        each
        for each in state.legal_actions()
        if isinstance(each, PlaceOffering) and me not in (there := state.pits[PIT_INDEX[each.pit]]) and there
    ]
    return rng.choice(company)
