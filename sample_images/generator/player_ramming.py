"""A player of Trilith Bang for the recorded games: remembers every card that was turned up for all to see,
and stands where the next trilith can be rammed with what he remembers."""

from __future__ import annotations

import random

from engine.action import Action
from engine.cards import PLAYER_COLOURS, colour_of
from engine.games.ramming.actions import Attempt, Materialise, NoPeek, Peek, SitOut, StopDiscarding
from engine.games.ramming.race import OFF, PAIR_MASKS, colours_needed, fields_entered
from engine.games.ramming.state import RammingState

LAST_POINTS = 8.0  # a trilith that cannot pay is out
LUCK = 0.4  # what a card that nobody remembers is worth


def choose_ramming(state: RammingState, rng: random.Random) -> Action:
    """Looks only at the track and at cards that everybody, or this player alone, has seen."""
    legal = state.legal_actions()
    if state.phase == "uncover":
        return _card_to_turn_up(state, rng)
    if state.phase == "peek":
        unknown = [each for each in legal if isinstance(each, Peek) and not _is_known(state, each.place)]
        return rng.choice(unknown) if unknown else next(each for each in legal if isinstance(each, NoPeek))
    if state.phase == "discard":
        return next(each for each in legal if isinstance(each, StopDiscarding))
    return max(legal, key=lambda action: _rate(state, action) + 0.3 * rng.random())


def _rate(state: RammingState, action: Action) -> float:
    """What may be taken from others after this move."""
    match action:
        case SitOut():
            return -1.0
        case Materialise():
            after = state.apply(action)
            races = [each for each in after.legal_actions() if isinstance(each, Attempt)]
            return max((_prize(after, each) for each in races), default=0.0) - 0.2 * _exposed(after)
        case Attempt():
            return _prize(state, action)
    return 0.0


def _prize(state: RammingState, race: Attempt) -> float:
    """What a race is worth: all of it if the player knows where every card lies, else what luck brings."""
    trilith = state.placed[-1] if race.trilith is None else state.triliths.index(race.trilith)
    way = state.way_to(race.direction)
    victim, free = state.target(trilith, way)
    needed = list(colours_needed(state.blocks, state.at[trilith], way, state.steps(free)))
    known = _remembered(state)
    guesses = 0
    for colour in needed:
        if known.get(colour, 0):
            known[colour] -= 1
        else:
            guesses += 1
    worth = free + LAST_POINTS * (free > state.points[victim])
    return worth * LUCK**guesses


def _exposed(state: RammingState) -> int:
    """How many fields of the track lie free before and behind the own triliths: so much can be taken."""
    taken = sum(PAIR_MASKS[k] for k in state.at if k > OFF)
    return sum(
        1
        for trilith in state.triliths_of(state.turn)
        if state.at[trilith] > OFF
        for way in (1, -1)
        for field in fields_entered(state.at[trilith], way, 3)
        if not taken >> field & 1
    )


def _is_known(state: RammingState, place: str) -> bool:
    index = int(place.removeprefix("display-")) - 1
    return bool((state.public | state.peeked[_looker(state)]) >> index & 1)


def _looker(state: RammingState) -> int:
    return state.players.index(str(state.to_move))


def _remembered(state: RammingState) -> dict[int, int]:
    """Colour -> how many cards of it the player to move knows the place of."""
    known: dict[int, int] = {}
    for index, card in enumerate(state.display):
        if _is_known(state, f"display-{index + 1}") and not state.face_up >> index & 1:
            colour = PLAYER_COLOURS.index(str(colour_of(card)))
            known[colour] = known.get(colour, 0) + 1
    return known


def _card_to_turn_up(state: RammingState, rng: random.Random) -> Action:
    """A card remembered to have the colour of the next block, else one that nobody has seen."""
    wanted = PLAYER_COLOURS[state.next_block()]
    known, unknown = [], []
    for action in state.legal_actions():
        place = str(getattr(action, "place", ""))
        if not _is_known(state, place):
            unknown.append(action)
        elif colour_of(state.display[int(place.removeprefix("display-")) - 1]) == wanted:
            known.append(action)
    return rng.choice(known or unknown or list(state.legal_actions()))
