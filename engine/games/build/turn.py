"""How a turn goes on: what each action changes. The functions change a fresh copy of a state, which nobody
else has yet; `BuildState` is the only caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.game import CHANCE
from engine.games.build import actions as act
from engine.games.build import conflict, knowledge, unread
from engine.games.build.ground import (
    ALTAR,
    CARD_OF,
    EVERYTHING,
    FIRST_TRILITH_CARD,
    HAND_SIZE,
    HIDDEN,
    NO_CARD,
    NUMBERS,
    SITE_OF,
    SUPPLY,
)
from engine.games.build.moves import draw_moves
from engine.games.build.phases import (
    BUILD,
    DEALING,
    DISCARD,
    DISPLAY,
    DRAW,
    DRAWN,
    END,
    GIVE,
    LYING,
    MARKED,
    NOBODY,
    OCCUPY,
    OVER,
    PROJECT,
)

if TYPE_CHECKING:
    from engine.games.build.state import BuildState


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _become(new: BuildState, phase: str, mover: str | None) -> None:
    new.phase, new.to_move = phase, mover


def begin_turn(new: BuildState) -> None:
    """Changes a fresh state to the first step of the turn of `seat`; round one is project phase only."""
    new.sabotages = new.got_trilith = 0
    if new.turn < len(new.players):
        _become(new, PROJECT, new.players[new.seat])
    elif new.projects[new.seat] != NO_CARD or new.rituals[new.seat]:
        _become(new, BUILD, new.players[new.seat])
    else:
        _go_draw(new)


def _go_draw(new: BuildState) -> None:
    if new.rituals[new.seat] or (new.projects[new.seat] != NO_CARD and not new.got_trilith):
        _go_end(new)
        return
    new.phase = DRAW
    if new.cards_needed() > 0 and draw_moves(new):
        _become(new, DRAW, new.players[new.seat])
    else:
        _go_display(new)


def _go_display(new: BuildState) -> None:
    if NO_CARD in new.display and new.pile_size():
        _become(new, DISPLAY, CHANCE)
    elif new.projects[new.seat] != NO_CARD:
        _become(new, OCCUPY, new.players[new.seat])
    else:
        _become(new, PROJECT, new.players[new.seat])


def _go_end(new: BuildState) -> None:
    if new.influence[new.seat] and new.sabotage_victims():
        _become(new, END, new.players[new.seat])
    else:
        _next_turn(new)


def _next_turn(new: BuildState) -> None:
    new.turn += 1
    if new.blocked == new.setup.everybody:
        _become(new, OVER, None)
        return
    count = len(new.players)
    new.seat = (new.seat + 1) % count
    while new.blocked >> new.seat & 1:
        new.seat = (new.seat + 1) % count
    begin_turn(new)


def _take_from_pile(new: BuildState, card: int) -> int:
    """Takes the next card off the pile; returns the viewers (mask) who know from below which it is."""
    if new.top:
        new.top -= 1
        new.unseen &= ~(1 << card) if card < HIDDEN else -1
        return 0
    new.under = new.under[1:]
    viewers = knowledge.viewers_of(new, card)
    new.unseen &= ~(1 << card) if card < HIDDEN else -1
    return viewers


def _deal(new: BuildState, action: act.Deal) -> None:
    card, seat = CARD_OF[action.card], knowledge.dealt_seat(new)
    dealing = new.phase == DEALING
    if new.slot >= 0:
        new.display = _with(new.display, new.slot, NO_CARD)
        new.unseen &= ~(1 << card) if card < HIDDEN else -1
        new.slot, viewers = -1, -1
    else:
        viewers = _take_from_pile(new, card)
    if FIRST_TRILITH_CARD <= card < HIDDEN:
        _receive_trilith(new, seat, card)
    else:
        knowledge.put_in_hand(new, seat, card, viewers)
    if not dealing:
        _go_draw(new)
    elif min(map(new.hand_size, range(len(new.players)))) == HAND_SIZE:
        _become(new, DISPLAY, CHANCE)


def _receive_trilith(new: BuildState, seat: int, card: int) -> None:
    if new.got_trilith:
        _put_under(new, card)
        return
    new.projects = _with(new.projects, seat, card)
    new.parts = _with(new.parts, seat, 0)
    new.got_trilith = 1


def _put_under(new: BuildState, card: int) -> None:
    """A card that everybody has seen (or that nobody has) goes below the pile."""
    new.under = (*new.under, card)
    if card < HIDDEN:
        knowledge.show_to_all(new, card)


def _turn_up(new: BuildState, action: act.TurnUp) -> None:
    card = CARD_OF[action.card]
    _take_from_pile(new, card)
    new.display = _with(new.display, action.slot - 1, card)
    if new.turn == 0 and NO_CARD not in new.display:
        begin_turn(new)
    else:
        _go_display(new)


def _ritual(new: BuildState, action: act.Ritual) -> None:
    seat = new.seat
    new.rituals = _with(new.rituals, seat, new.rituals[seat] - 1)
    if new.rituals[seat]:
        _go_end(new)
        return
    new.druids = _with(new.druids, seat, SITE_OF[action.field] if action.field else SUPPLY)
    if new.game.variant["ritual_blocks_whole_turn"]:
        _go_end(new)
    else:
        _go_draw(new)


def _reveal(new: BuildState, action: act.Reveal) -> None:
    seat, card = new.seat, CARD_OF[action.card]
    if card >= HIDDEN and action.site is None:
        _abort_project(new, seat)
        _go_draw(new)
        return
    if card >= HIDDEN:
        card = min(new.projects[seat], HIDDEN)  # its player may have told which it is
    else:
        new.unseen &= ~(1 << card)
    new.face_down &= ~(1 << seat)
    new.could_be = _with(new.could_be, seat, 0)
    if action.site is not None:
        new.projects = _with(new.projects, seat, card)
        new.druids = _with(new.druids, seat, SITE_OF[action.site])
        _go_end(new)
        return
    new.projects = _with(new.projects, seat, NO_CARD)
    if new.game.variant["dead_reveal"] == "under_pile":
        _put_under(new, card)
    else:
        new.box |= 1 << card
    _go_draw(new)


def _construct(new: BuildState, action: act.Construct) -> None:
    seat = new.seat
    new.loot &= ~(1 << seat)
    if new.is_trilith_project(seat) and new.parts[seat] < MARKED:
        new.parts = _with(new.parts, seat, new.parts[seat] + 1)
        if new.parts[seat] == MARKED and new.discs[seat] > 0:
            new.discs = _with(new.discs, seat, new.discs[seat] - 1)
            new.marks |= 1 << seat
        _go_end(new)
        return
    site, card = new.druids[seat], new.projects[seat]
    owner = _set_building(new, seat, site)
    new.druids = _with(new.druids, seat, SUPPLY)
    new.projects = _with(new.projects, seat, NO_CARD)
    new.parts = _with(new.parts, seat, 0)
    _put_card_away(new, card, influence=_gives_influence(new, seat, site, owner))
    if new.built == EVERYTHING:
        _become(new, OVER, None)
    else:
        _go_draw(new)


def _set_building(new: BuildState, seat: int, site: int) -> int:
    """Erects what belongs on `site`; returns whose it is (the last index: neutral)."""
    owner = seat
    if site < 30 and new.blocks_left(seat) <= 0:
        owner = len(new.players)
        if new.neutral_owner == NOBODY:
            new.neutral_owner = seat
    elif 30 <= site < 49:
        new.discs = _with(new.discs, seat, new.discs[seat] - 1)
    elif site >= 49 and new.marks >> seat & 1:
        new.marks &= ~(1 << seat)
        new.disc_on |= 1 << site
    new.owned = _with(new.owned, owner, new.owned[owner] | 1 << site)
    new.built |= 1 << site
    return owner


def _gives_influence(new: BuildState, seat: int, site: int, owner: int) -> bool:
    if site >= 30 or not new.setup.own_fields[seat] >> site & 1:
        return False
    return owner == seat or not new.game.variant["influence_needs_own_block"]


def _put_card_away(new: BuildState, card: int, *, influence: bool) -> None:
    if influence:
        cards = tuple(sorted((*new.influence[new.seat], card)))
        new.influence = (*new.influence[: new.seat], cards, *new.influence[new.seat + 1 :])
    elif card == HIDDEN:
        new.box_hidden = (new.box_hidden[0] + 1, new.box_hidden[1])
    else:
        new.box |= 1 << card


def _take(new: BuildState, action: act.Take) -> None:
    card = CARD_OF[action.card]
    if card == HIDDEN:
        new.slot = new.display.index(HIDDEN)
        _become(new, DRAWN, CHANCE)
        return
    new.display = _with(new.display, new.display.index(card), NO_CARD)
    if card >= FIRST_TRILITH_CARD:
        _receive_trilith(new, new.seat, card)
    else:
        knowledge.put_in_hand(new, new.seat, card, -1)
    _go_draw(new)


def _draw(new: BuildState, action: act.Draw) -> None:
    _become(new, DRAWN, CHANCE)


def _occupy(new: BuildState, action: act.Occupy) -> None:
    new.druids = _with(new.druids, new.seat, SITE_OF[action.field])
    _go_end(new)


def _play_night(new: BuildState, action: act.PlayNight) -> None:
    card = CARD_OF.get(action.card, HIDDEN)
    if card == HIDDEN:
        unread.play(new, action.site)
    else:
        knowledge.take_from_hand(new, new.seat, card)
    new.projects = _with(new.projects, new.seat, card)
    new.druids = _with(new.druids, new.seat, SITE_OF[action.site])
    _go_end(new)


def _play_day(new: BuildState, action: act.PlayDay) -> None:
    seat, card = new.seat, CARD_OF[action.card]
    could_be = new.playable_numbers(seat)
    knowledge.leave_hand_hidden(new, seat, card, could_be)
    new.projects = _with(new.projects, seat, card)
    new.face_down |= 1 << seat
    new.could_be = _with(new.could_be, seat, could_be)
    _go_end(new)


def _steal(new: BuildState, action: act.Steal) -> None:
    thief, victim = new.seat, new.players.index(action.victim)
    card, parts = new.projects[victim], new.parts[victim]
    new.projects = _with(_with(new.projects, victim, NO_CARD), thief, card)
    new.parts = _with(_with(new.parts, victim, 0), thief, parts)
    new.loot = new.loot & ~(1 << victim) | 1 << thief
    if not new.rituals[victim]:
        new.druids = _with(new.druids, victim, SUPPLY)
    new.druids = _with(new.druids, thief, SITE_OF[action.field])
    new.victim, new.owed = victim, 2
    _become(new, GIVE, new.players[thief])


def _give(new: BuildState, action: act.Give) -> None:
    card, victim = CARD_OF[action.card], new.victim
    if card == HIDDEN or not new.game.variant["steal_cards_open"]:
        both = 1 << new.seat | 1 << victim
        knowledge.leave_hand_hidden(new, new.seat, card, conflict.compensation(new, victim), both)
        knowledge.put_in_hand(new, victim, card, both)
    else:
        knowledge.take_from_hand(new, new.seat, card)
        knowledge.put_in_hand(new, victim, card, -1)
    new.owed -= 1
    if not new.owed:
        _settle_theft(new)


def _settle_theft(new: BuildState) -> None:
    if new.hand_size(new.victim) > HAND_SIZE:
        _become(new, DISCARD, new.players[new.victim])
        return
    new.victim = -1
    _go_end(new)


def _discard(new: BuildState, action: act.Discard) -> None:
    card = CARD_OF[action.card]
    knowledge.leave_hand_hidden(new, new.victim, card, NUMBERS)
    knowledge.put_under_unseen(new, card)
    _settle_theft(new)


def _sabotage(new: BuildState, action: act.Sabotage) -> None:
    victim, card = new.players.index(action.victim), CARD_OF[action.card]
    if card == HIDDEN:
        knowledge.lose_sight_of_influence(new, new.seat)
    rest = list(new.influence[new.seat])
    rest.remove(card)
    new.influence = (*new.influence[: new.seat], tuple(rest), *new.influence[new.seat + 1 :])
    if new.game.variant["influence_spent"] == "under_pile":
        _put_under(new, card)
    else:
        _put_card_away(new, card, influence=False)
    _abort_project(new, victim)
    new.druids = _with(new.druids, victim, ALTAR)
    new.rituals = _with(new.rituals, victim, LYING)
    new.sabotages += 1
    if new.phase == END and not (new.influence[new.seat] and new.sabotage_victims()):
        _next_turn(new)


def _abort_project(new: BuildState, victim: int) -> None:
    """A number project goes below the pile, a face-down one unseen; a trilith project stays."""
    card = new.projects[victim]
    if card == NO_CARD or new.is_trilith_project(victim):
        return
    new.projects = _with(new.projects, victim, NO_CARD)
    new.could_be = _with(new.could_be, victim, 0)
    if new.face_down >> victim & 1:
        knowledge.put_under_unseen(new, card)
        new.face_down &= ~(1 << victim)
    else:
        _put_under(new, card)


def _blocked(new: BuildState, action: act.Blocked) -> None:
    knowledge.show_hand(new, new.seat, [CARD_OF[card] for card in action.cards])
    new.blocked |= 1 << new.seat
    _next_turn(new)


def _end_turn(new: BuildState, action: act.EndTurn) -> None:
    _next_turn(new)


EFFECTS: dict[type[Action], Callable[[BuildState, Any], None]] = {
    act.Deal: _deal,
    act.TurnUp: _turn_up,
    act.Ritual: _ritual,
    act.Reveal: _reveal,
    act.Construct: _construct,
    act.Take: _take,
    act.Draw: _draw,
    act.Occupy: _occupy,
    act.PlayNight: _play_night,
    act.PlayDay: _play_day,
    act.Steal: _steal,
    act.Give: _give,
    act.Discard: _discard,
    act.Sabotage: _sabotage,
    act.Blocked: _blocked,
    act.EndTurn: _end_turn,
}
