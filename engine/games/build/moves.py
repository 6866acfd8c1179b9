"""The moves that are open in each phase, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.action import Action
from engine.games.build import actions as act
from engine.games.build import conflict, knowledge, rules
from engine.games.build.ground import DAYS, FIRST_TRILITH_CARD, HIDDEN, HIDDEN_DAY, TRILITHS, bits
from engine.games.build.phases import BUILD, DISCARD, DRAW, END, GIVE, OCCUPY, PROJECT, STANDING

if TYPE_CHECKING:
    from engine.games.build.state import BuildState


def _build_moves(state: BuildState) -> list[Action]:
    seat = state.seat
    if state.rituals[seat] == STANDING and state.is_trilith_project(seat):
        return [act.RITUAL_TO[site] for site in bits(state.free_sites() & TRILITHS)]
    if state.rituals[seat]:
        return [act.RITUAL]
    if state.face_down >> seat & 1:
        return _reveals(state)
    return [state.construction()]


def _reveals(state: BuildState) -> list[Action]:
    found: list[Action] = []
    for card in bits(knowledge.face_down_options(state, state.seat)):
        sites = state.sites_for(state.seat, card)
        if sites:
            found.extend([act.REVEAL[card][site] for site in bits(sites)])
        else:
            found.append(act.REVEAL_DEAD[card])
    return found


def draw_moves(state: BuildState) -> list[Action]:
    """Triliths in the display first; after a trilith only open number cards, the pile if there are none."""
    numbers = [card for card in state.display if 0 <= card < FIRST_TRILITH_CARD]
    triliths = [card for card in state.display if FIRST_TRILITH_CARD <= card < HIDDEN]
    unread: list[Action] = [act.TAKE[HIDDEN]] if HIDDEN in state.display else []
    if triliths and not state.got_trilith:
        return [act.TAKE[card] for card in triliths] + unread
    open_cards = [act.TAKE[card] for card in numbers] + unread
    if rules.pile_refused(state) is None:
        open_cards.append(act.DRAW)
    return open_cards


def _project_moves(state: BuildState) -> list[Action]:
    seat = state.seat
    playable = state.playable_numbers(seat)
    options = knowledge.hand_options(state, seat) & (playable | playable << 30)
    found: list[Action] = []
    for card in bits(options >> 30):
        row = act.PLAY_NIGHT[card + 30]
        found.extend([row[site] for site in bits(state.sites_for(seat, card))])
    if state.game.half_seen and options & DAYS:
        found.append(act.PLAY_DAY[HIDDEN_DAY])
    if state.unknown[seat]:
        options &= state.hands[seat]
    found.extend([act.PLAY_DAY[card] for card in bits(options & DAYS)])
    for victim in state.steal_victims():
        table = act.STEAL[state.players[victim]]
        found.extend([table[site] for site in bits(conflict.sites_for_thief(state, victim))])
    if rules.blocked_refused(state) is None:
        found.append(act.BLOCKED)
    return found


def _occupy_moves(state: BuildState) -> list[Action]:
    return [act.OCCUPY[site] for site in bits(state.free_sites() & TRILITHS)]


def _give_moves(state: BuildState) -> list[Action]:
    options = knowledge.hand_options(state, state.seat) & conflict.compensation(state, state.victim)
    found: list[Action] = [act.GIVE[HIDDEN]] if knowledge.may_give_unknown(state) else []
    return found + [act.GIVE[card] for card in bits(options)]


def _discard_moves(state: BuildState) -> list[Action]:
    found: list[Action] = [act.DISCARD[HIDDEN]] if state.game.half_seen else []
    return found + [act.DISCARD[card] for card in bits(state.hands[state.victim])]


def _end_moves(state: BuildState) -> list[Action]:
    return [act.END_TURN]


MOVES: dict[str, Callable[[BuildState], list[Action]]] = {
    BUILD: _build_moves,
    DRAW: draw_moves,
    OCCUPY: _occupy_moves,
    PROJECT: _project_moves,
    GIVE: _give_moves,
    DISCARD: _discard_moves,
    END: _end_moves,
}
