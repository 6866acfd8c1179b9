"""A player of the High Council for the recorded games: gathers arguments, builds a block of his own, and
persuades whoever stands in its way."""

from __future__ import annotations

import random

from engine.action import Action
from engine.games.council.actions import Discuss, EndTurn, Lift, Persuade, Ponder, Replace, TakeSeat
from engine.games.council.ring import FACTION_OF, SEATS, TO_WIN, longest_block
from engine.games.council.state import CouncilState

ARC = TO_WIN + 2  # a little more than it takes, as somebody will stand in it


def choose_council(state: CouncilState, rng: random.Random) -> Action:
    """Persuades as soon as it can be paid for; a seat in the own arc, else arguments."""
    legal = state.legal_actions()
    persuasions = [each for each in legal if isinstance(each, Persuade)]
    me = state.faction(state.turn)
    now = _standing(state, me)
    if persuasions:
        best = max(persuasions, key=lambda each: _standing(state.apply(each), me) - 0.4 * each.count)
        if _standing(state.apply(best), me) - 0.4 * best.count > now:
            return best
    rated = [(_rate(state, each, me, now) + 0.1 * rng.random(), each) for each in legal]
    return max(rated, key=lambda entry: entry[0])[1]


def _rate(state: CouncilState, action: Action, me: int, now: float) -> float:
    match action:
        case TakeSeat() | Replace() | Lift():
            return _standing(state.apply(action), me) - now - (1.0 if getattr(action, "paying", None) else 0)
        case Discuss():
            return 0.42 * len(action.arguments) - 0.1 * len(action.cards)
        case EndTurn():
            return 5.0 if state.acted else -1.0
        case Ponder():
            return 0.2
    return -2.0


def _standing(state: CouncilState, me: int) -> float:
    """How near the faction is to its block, and the other to theirs."""
    if state.winner is not None:
        return 100.0 if state.winner == me else -100.0
    mine, theirs = (_arc(state, faction) for faction in (me, 1 - me))
    block = longest_block(state.ring, me)[1]
    return mine - 0.5 * theirs + 0.3 * block


def _arc(state: CouncilState, faction: int) -> float:
    """The best arc of the ring for a faction: own pieces count, enemies in it count against."""
    sides = [FACTION_OF[code] for code in state.ring]
    worth = [1.0 if side == faction else -0.8 if side == 1 - faction else 0.0 for side in sides]
    return max(sum(worth[(start + i) % SEATS] for i in range(ARC)) for start in range(SEATS))
