"""Players for the recorded games: sensible, not strong, and the same from the same seed.

They see the whole state, hands included, but look only at what their own seat may know: the board, the
yards, the display and their own hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from engine import load_game
from engine.action import Action
from engine.game import CHANCE, State, draw_chance
from engine.games.build import actions as build
from engine.games.build import conflict, phases, scoring
from engine.games.build.ground import CARD_OF, FIRST_TRILITH_CARD, RING, SITE_OF, bits, number_of_card
from engine.games.build.state import BuildState
from engine.games.stonehenge.actions import Claim, Place
from engine.games.stonehenge.state import StonehengeState
from sample_images.generator.player_council import choose_council
from sample_images.generator.player_ramming import choose_ramming
from sample_images.generator.player_rolling import choose_rolling
from sample_images.generator.player_roulette import choose_roulette

Choose = Callable[[Any, random.Random], Action]


def play(
    game: str, players: tuple[str, ...], seed: int, variant: Mapping[str, Any] | None = None
) -> list[tuple[Action, State]]:
    """A whole game: every action, chance events included, with the state after it."""
    rng = random.Random(f"recorded {game} {seed}")
    state, steps = load_game(game, **(variant or {})).start(players), []
    while not state.is_over:
        action = draw_chance(state, rng) if state.to_move == CHANCE else PLAYERS[game](state, rng)
        state = state.apply(action)
        steps.append((action, state))
    return steps


# --- Stonehenge -----------------------------------------------------------------------------------

CANDIDATES = 6  # moves that are good at first sight and looked at with the opponent's best answer


def choose_stonehenge(state: StonehengeState, rng: random.Random) -> Action:
    """Places the stone whose worst answer is best; claims every line as soon as the stone lies."""
    legal = state.legal_actions()
    claims = [action for action in legal if isinstance(action, Claim)]
    places = [action for action in legal if isinstance(action, Place)]
    me = state.players[state.mover]
    if claims and (not places or len(claims) >= state.megaliths_left(me)):
        return claims[0]
    if not places:
        return legal[0]
    seat = state.mover
    rated = [(_outlook(state.apply(place), seat) + rng.random(), place) for place in places]
    best = sorted(rated, key=lambda entry: -entry[0])[:CANDIDATES]
    return max(best, key=lambda entry: _after_answer(state.apply(entry[1]), seat) + 0.2 * entry[0])[1]


def _outlook(state: StonehengeState, seat: int) -> float:
    """Lines dominated, and a little for being ahead where nothing is decided."""
    mine, theirs = (state.dominated[each].bit_count() for each in (seat, 1 - seat))
    total = 10.0 * (mine - theirs)
    decided = state.dominated[0] | state.dominated[1]
    for line, empty in enumerate(state.empty):
        if not decided >> line & 1:
            total += (state.sums[seat][line] - state.sums[1 - seat][line]) / (1 + empty)
    return total


def _after_answer(state: StonehengeState, seat: int) -> float:
    """The outlook after the opponent's best stone."""
    while state.to_move == state.players[seat]:
        state = state.apply(state.legal_actions()[0])
    answers = [action for action in state.legal_actions() if isinstance(action, Place)]
    return min((_outlook(state.apply(each), seat) for each in answers), default=_outlook(state, seat))


# --- Erbaut Stonehenge! ---------------------------------------------------------------------------

NIGHT = 3.0  # a night card is built a turn earlier
PILE = 1.5  # what a card from the pile is worth on average
WORTH_SABOTAGE = 6


def choose_build(state: BuildState, rng: random.Random) -> Action:
    """Builds where most fame is to be had, steals a trilith of two pillars, sabotages who is ahead."""
    legal = state.legal_actions()
    sabotages = [action for action in legal if isinstance(action, build.Sabotage)]
    plain = [action for action in legal if not isinstance(action, build.Sabotage)]
    if state.phase == phases.END:
        # Who keeps the last influence card can answer: only a big gain is worth it.
        hits = [action for action in sabotages if _is_worth_it(state, action)]
        return hits[0] if hits else plain[0]
    rate = _RATE.get(state.phase, lambda state, action: 0.0)
    return max(plain, key=lambda action: rate(state, action) + 0.2 * rng.random())


def fame_gain(state: BuildState, seat: int, site: int) -> int:
    """How much fame a building on `site` would bring to `seat` now."""
    own = state.owned[seat] | (state.owned[-1] & RING if seat == state.neutral_owner else 0)
    return scoring.fame(own | 1 << site) - scoring.fame(own)


def _best_site(state: BuildState, number: int) -> int:
    sites = bits(state.sites_for(state.seat, number))
    return max((fame_gain(state, state.seat, site) for site in sites), default=0)


def _rate_draw(state: BuildState, action: Action) -> float:
    if not isinstance(action, build.Take):
        return PILE
    card = CARD_OF[action.card]
    if card >= FIRST_TRILITH_CARD:
        return 0.0  # nothing else may be taken then
    return 0.5 * _best_site(state, number_of_card(card)) + (NIGHT / 2 if 30 <= card < 60 else 0)


def _rate_site(state: BuildState, action: Action) -> float:
    site = getattr(action, "site", None) or getattr(action, "field", None)
    return float(fame_gain(state, state.seat, SITE_OF[site])) if site else 0.0


def _rate_project(state: BuildState, action: Action) -> float:
    match action:
        case build.PlayNight():
            return NIGHT + _rate_site(state, action)
        case build.PlayDay():
            return float(_best_site(state, CARD_OF[action.card]))
        case build.Steal():
            return 2.0 + _rate_site(state, action) if _is_safe_theft(state, action) else -3.0
    return -2.0  # blocked, when nothing else is left


def _is_safe_theft(state: BuildState, action: build.Steal) -> bool:
    """Both pillars stand, and the compensation is two cards with which nobody can steal it back."""
    victim = state.players.index(action.victim)
    fitting = conflict.compensation(state, victim, state.projects[victim])
    harmless = fitting & ~conflict.compensation(state, state.seat, state.projects[victim])
    return state.parts[victim] == 2 and (state.hands[state.seat] & harmless).bit_count() >= 2


def _rate_gift(state: BuildState, action: Action) -> float:
    assert isinstance(action, build.Give)
    dangerous = conflict.compensation(state, state.seat)
    return 0.0 if dangerous >> CARD_OF[action.card] & 1 else 1.0


def _is_worth_it(state: BuildState, action: build.Sabotage) -> bool:
    """Somebody who is not behind is about to gain much."""
    victim = state.players.index(action.victim)
    scores = state.scores()
    ahead = scores[action.victim].total >= scores[state.players[state.seat]].total
    if state.face_down >> victim & 1 or not ahead or state.is_trilith_project(victim):
        return False
    return fame_gain(state, victim, state.druids[victim]) >= WORTH_SABOTAGE


_RATE: dict[str, Callable[[BuildState, Action], float]] = {
    phases.BUILD: _rate_site,
    phases.DRAW: _rate_draw,
    phases.OCCUPY: _rate_site,
    phases.PROJECT: _rate_project,
    phases.GIVE: _rate_gift,
}

PLAYERS: dict[str, Choose] = {
    "stonehenge": choose_stonehenge,
    "build": choose_build,
    "council": choose_council,
    "rolling": choose_rolling,
    "ramming": choose_ramming,
    "roulette": choose_roulette,
}
