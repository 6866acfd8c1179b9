"""Theft and sabotage: who may do what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import RING_COLOURS
from engine.games.build import actions as act
from engine.games.build import knowledge, phases
from engine.games.build.ground import (
    CARD_OF,
    CARDS,
    CARDS_OF_COLOUR,
    COLOUR_OF_TRILITH_CARD,
    FIRST_TRILITH_CARD,
    HIDDEN,
    NO_CARD,
    NUMBERS,
    TRILITHS,
    number_of_card,
)
from engine.games.build.questions import at_altar, trilith_field_refused
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.build.state import BuildState


def compensation(state: BuildState, victim: int, card: int | None = None) -> int:
    """The cards that compensate `victim`: of his colour or of the trilith card's (by default the one that
    has just been stolen)."""
    stolen = state.projects[state.seat] if card is None else card
    return state.setup.own_cards[victim] | CARDS_OF_COLOUR[COLOUR_OF_TRILITH_CARD[stolen]]


def theft_refused(state: BuildState, victim: int) -> Text | None:
    """Why the player whose turn it is may not steal the trilith project of `victim`."""
    owner = name(state.players[victim])
    if victim == state.seat:
        return Text("nobody steals from himself", "niemand bestiehlt sich selbst")
    if not state.is_trilith_project(victim):
        return owner + Text(" has no trilith project", " hat kein Trilith-Projekt")
    if state.parts[victim] >= phases.MARKED:
        return Text(
            "this trilith is marked with a disc: it can no longer be stolen",
            "dieser Trilith ist mit einem Doleriten markiert: er kann nicht mehr geklaut werden",
        )
    wanted = compensation(state, victim, state.projects[victim])
    surely = (state.hands[state.seat] & wanted).bit_count()
    possible = surely + min(state.unknown[state.seat], (state.unseen & wanted & NUMBERS).bit_count())
    if possible >= 2:
        return None
    card = name(COLOUR_OF_TRILITH_CARD[state.projects[victim]])
    return (
        Text("the compensation is two cards that are ", "die Entschädigung sind zwei Karten in ")
        + owner
        + Text(" or ", " oder ")
        + card
        + Text(": the hand does not hold them", ": die Hand enthält sie nicht")
    )


def sites_for_thief(state: BuildState, victim: int) -> int:
    """The trilith fields free for the thief, the one that the victim's druid leaves among them."""
    site = state.druids[victim]
    return (state.free_sites() | (1 << site if 0 <= site < 54 else 0)) & TRILITHS


def steal_refused(state: BuildState, action: act.Steal) -> Text | None:
    if action.victim not in state.players:
        return name(action.victim) + Text(" does not play", " spielt nicht mit")
    victim = state.players.index(action.victim)
    refused = theft_refused(state, victim)
    return refused or trilith_field_refused(state, action.field, sites_for_thief(state, victim))


def give_refused(state: BuildState, action: act.Give) -> Text | None:
    card = CARD_OF.get(action.card, NO_CARD)
    if card == HIDDEN and knowledge.may_give_unknown(state):
        return None
    if not 0 <= card < FIRST_TRILITH_CARD:
        return Text("a number card of the hand is given", "man gibt eine Zahlenkarte der Hand ab")
    held = knowledge.holds_refused(state, state.seat, card)
    if held or compensation(state, state.victim) >> card & 1:
        return held
    trilith = name(COLOUR_OF_TRILITH_CARD[state.projects[state.seat]])
    return (
        Text(
            f"{CARDS[card]} is {RING_COLOURS[(number_of_card(card) + 1) % 6]}",
            f"{name(CARDS[card]).de} passt nicht",
        )
        + Text(": the compensation is ", ": die Entschädigung ist ")
        + name(state.players[state.victim])
        + Text(" or ", " oder ")
        + trilith
    )


def discard_refused(state: BuildState, action: act.Discard) -> Text | None:
    card = CARD_OF.get(action.card, NO_CARD)
    if card == HIDDEN and state.game.half_seen:
        return None
    if 0 <= card < FIRST_TRILITH_CARD and state.hands[state.victim] >> card & 1:
        return None
    return name(action.card) + Text(" is not in this hand", " ist nicht auf dieser Hand")


def may_be_sabotaged(state: BuildState, seat: int) -> bool:
    """Whether `seat` can be a victim at all (whoever's card it is)."""
    if seat == state.seat or state.rituals[seat] or state.blocked >> seat & 1:
        return False
    return state.projects[seat] != NO_CARD or bool(state.game.variant["sabotage_idle"])


def sabotage_refused(state: BuildState, action: act.Sabotage) -> Text | None:
    card, cards = CARD_OF.get(action.card, NO_CARD), state.influence[state.seat]
    one_of_them = card == HIDDEN and state.game.half_seen and len(set(cards)) > 1
    if card not in cards and not one_of_them:
        return name(action.card) + Text(
            " is no influence card of this player", " ist keine Einflusskarte dieses Spielers"
        )
    if state.rituals[state.seat]:
        return at_altar(state)
    if state.sabotages >= state.game.sabotage_per_turn:
        return _OFTEN_ENOUGH[state.game.sabotage_per_turn]
    if action.victim not in state.players:
        return name(action.victim) + Text(" does not play", " spielt nicht mit")
    victim = state.players.index(action.victim)
    if may_be_sabotaged(state, victim):
        return None
    return _no_victim(state, victim)


def _no_victim(state: BuildState, victim: int) -> Text:
    who = name(state.players[victim])
    if victim == state.seat:
        return Text("nobody sabotages himself", "niemand sabotiert sich selbst")
    if state.rituals[victim]:
        return who + Text(" is at the altar already", " ist schon am Altar")
    if state.blocked >> victim & 1:
        return who + Text(
            " is blocked: there is nothing to interrupt", " ist blockiert: da ist nichts zu stören"
        )
    return who + Text(" has no project to interrupt", " hat kein Bauprojekt, das man unterbrechen könnte")


# By the house rule on how often.
_OFTEN_ENOUGH = {
    1: Text("sabotage is done once per turn", "sabotiert wird einmal je Zug"),
    2: Text("sabotage is done twice per turn at most", "sabotiert wird höchstens zweimal je Zug"),
    3: Text("sabotage is done three times per turn at most", "sabotiert wird höchstens dreimal je Zug"),
}
