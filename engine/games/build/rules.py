"""Why a move is refused: the rules in plain words, one function per kind of action."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.cards import RING_COLOURS, UNKNOWN, UNKNOWN_DAY, UNKNOWN_NIGHT
from engine.games.build import actions as act
from engine.games.build import advice, conflict, knowledge, phases, unread
from engine.games.build.ground import (
    CARD_OF,
    CARDS,
    DAYS,
    FIRST_TRILITH_CARD,
    HIDDEN,
    HIDDEN_DAY,
    NO_CARD,
    NUMBERS,
    SITES,
    bits,
    number_of_card,
)
from engine.games.build.questions import at_altar, site_refused, trilith_field_refused
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.build.state import BuildState


def why_not(state: BuildState, action: Action) -> Text | None:
    """None if `action` is legal, else the rule that forbids it."""
    if type(action) not in _RULES:
        return Text("that is no move of this game", "das ist kein Zug dieses Spiels")
    expected, check = _RULES[type(action)]
    if state.phase not in expected:
        return advice.something_else_is_due(state)
    refused: Text | None = check(state, action)
    return refused


# --- events --------------------------------------------------------------------------------------


def _event_card(state: BuildState, card_name: str) -> Text | None:
    card = CARD_OF.get(card_name)
    if card is None or card == HIDDEN_DAY:
        return Text(f"{card_name} is no card of this game", f"{card_name} ist keine Karte dieses Spiels")
    cards, unread = knowledge.event_cards(state)
    if card == HIDDEN:
        return None if unread else Text("this card must be named", "diese Karte muss genannt werden")
    if cards >> card & 1:
        return None
    if not state.unseen >> card & 1:
        return knowledge.whereabouts(state, card)
    if card >= FIRST_TRILITH_CARD:
        return Text("a trilith card cannot come here", "eine Trilith-Karte kann nicht hierher kommen")
    return name(CARDS[card]) + Text(" cannot be the next card", " kann nicht die nächste Karte sein")


def _deal(state: BuildState, action: act.Deal) -> Text | None:
    card = CARD_OF.get(action.card, HIDDEN)
    receiver = knowledge.destination(state, card)
    refused = _event_card(state, action.card)
    if refused is None and action.to != receiver:
        return name(action.card) + Text(" goes to ", " kommt zu ") + name(receiver)
    return refused


def _turn_up(state: BuildState, action: act.TurnUp) -> Text | None:
    place = state.display.index(NO_CARD) + 1
    if action.slot != place:
        return Text(
            f"place {place} of the display is filled first", f"zuerst wird Platz {place} der Auslage ergänzt"
        )
    return _event_card(state, action.card)


# --- build phase -----------------------------------------------------------------------------------


def _ritual(state: BuildState, action: act.Ritual) -> Text | None:
    seat = state.seat
    if not state.rituals[seat]:
        return Text("the druid is not at the altar", "der Druide ist nicht am Altar")
    if state.rituals[seat] == phases.STANDING and state.is_trilith_project(seat):
        return trilith_field_refused(state, action.field, state.free_sites())
    if action.field is None:
        return None
    if state.rituals[seat] == phases.LYING:
        return Text("first the druid only stands up", "zuerst steht der Druide nur auf")
    return Text(
        "without a trilith project the druid goes back to the supply",
        "ohne Trilith-Projekt geht der Druide zurück in den Vorrat",
    )


def _reveal(state: BuildState, action: act.Reveal) -> Text | None:
    seat = state.seat
    if state.rituals[seat]:
        return at_altar(state)
    if not state.face_down >> seat & 1:
        return Text("no project lies face down here", "hier liegt kein Bauprojekt verdeckt")
    if action == act.REVEAL_UNREAD and state.game.half_seen:
        return None if action in state.seen_actions() else _can_be_built()
    if action.card in (UNKNOWN, UNKNOWN_DAY) and action.site is not None:
        return unread.reveal_refused(state, action.site)
    card = CARD_OF.get(action.card, HIDDEN)
    if not card < 30:
        return name(action.card) + Text(
            " is no day card: only those lie face down", " ist keine Tagkarte: nur solche liegen verdeckt"
        )
    if not knowledge.face_down_options(state, seat) >> card & 1:
        return _not_the_hidden_card(state, seat, card)
    sites = state.sites_for(seat, card)
    if action.site is not None:
        return site_refused(state, seat, card, action.site)
    if not sites:
        return None
    return (
        name(action.card)
        + Text(
            " can still be built with: name the site, for example ",
            " kann noch gebaut werden: wo, zum Beispiel ",
        )
        + name(SITES[next(bits(sites))])
    )


def _can_be_built() -> Text:
    return Text(
        "whatever card this is, it can still be built with: name it and the site",
        "welche Karte es auch ist, mit ihr kann noch gebaut werden: nenne sie und den Ort",
    )


def _not_the_hidden_card(state: BuildState, seat: int, card: int) -> Text:
    if state.projects[seat] < HIDDEN:
        return Text("the face-down card is ", "die verdeckte Karte ist ") + name(CARDS[state.projects[seat]])
    if not state.unseen >> card & 1:
        return knowledge.whereabouts(state, card)
    if not state.could_be[seat] >> card & 1:
        return name(CARDS[card]) + Text(
            " could not be built with when the card was laid: it must not have been played",
            " war nicht baubar, als die Karte gelegt wurde: sie durfte nicht gespielt werden",
        )
    return name(CARDS[card]) + Text(
        " must be another player's face-down card", " muss die verdeckte Karte eines anderen Spielers sein"
    )


def _construct(state: BuildState, action: act.Construct) -> Text | None:
    seat = state.seat
    if state.rituals[seat]:
        return at_altar(state)
    if state.face_down >> seat & 1:
        return Text(
            "the face-down project is revealed first", "das verdeckte Bauprojekt wird erst aufgedeckt"
        )
    due = state.construction()
    if action.place in (None, due.place):
        return None
    return Text("this project is built at ", "dieses Projekt wird gebaut bei ") + name(due.place or "")


# --- draw phase ------------------------------------------------------------------------------------


def _trilith_first(state: BuildState) -> Text | None:
    """A trilith in the display must be taken, unless one came already."""
    for card in state.display:
        if FIRST_TRILITH_CARD <= card < HIDDEN and not state.got_trilith:
            return name(CARDS[card]) + Text(
                " lies in the display and must be taken first",
                " liegt in der Auslage und muss zuerst genommen werden",
            )
    return None


def pile_refused(state: BuildState) -> Text | None:
    """Why no card may be drawn from the pile now."""
    if not state.pile_size():
        return Text("the pile is used up", "der Stapel ist aufgebraucht")
    if not state.got_trilith:
        return _trilith_first(state)
    if any(0 <= card < FIRST_TRILITH_CARD for card in state.display):
        return Text(
            "after a trilith the next card must be an open number card",
            "nach einem Trilith muss die nächste Karte eine offene Zahlenkarte sein",
        )
    if not state.pile_has_number_card():
        return Text("only triliths are left in the pile", "im Stapel sind nur noch Trilithen")
    return None


def _take(state: BuildState, action: act.Take) -> Text | None:
    card = CARD_OF.get(action.card)
    if card is None or card not in state.display:
        return name(action.card) + Text(" does not lie in the display", " liegt nicht in der Auslage")
    if card == HIDDEN:
        return None
    if card < FIRST_TRILITH_CARD:
        return _trilith_first(state)
    if state.got_trilith:
        return Text(
            "a trilith came already: the next card must be an open number card",
            "ein Trilith kam schon: die nächste Karte muss eine offene Zahlenkarte sein",
        )
    return None


def _draw(state: BuildState, action: act.Draw) -> Text | None:
    return pile_refused(state)


def _occupy(state: BuildState, action: act.Occupy) -> Text | None:
    return trilith_field_refused(state, action.field, state.free_sites())


# --- project phase ---------------------------------------------------------------------------------


def _play_night(state: BuildState, action: act.PlayNight) -> Text | None:
    if action.card in (UNKNOWN, UNKNOWN_NIGHT):
        return unread.play_refused(state, action.site)
    card = CARD_OF.get(action.card, HIDDEN)
    if card < 30 or card == HIDDEN_DAY:
        return Text(
            "a day card is played face down, its site is chosen later",
            "eine Tagkarte wird verdeckt gespielt, ihr Bauplatz erst später gewählt",
        )
    if card >= FIRST_TRILITH_CARD:
        return name(action.card) + Text(" is no night card", " ist keine Nachtkarte")
    held = knowledge.holds_refused(state, state.seat, card)
    return held or site_refused(state, state.seat, card - 30, action.site)


def _play_day(state: BuildState, action: act.PlayDay) -> Text | None:
    seat, card = state.seat, CARD_OF.get(action.card, HIDDEN)
    playable = state.playable_numbers(seat)
    if card == HIDDEN_DAY:
        return _play_hidden_day(state, playable)
    if card >= 30:
        return name(action.card) + Text(
            " is no day card: only those are played face down",
            " ist keine Tagkarte: nur solche spielt man verdeckt",
        )
    held = knowledge.holds_refused(state, seat, card)
    if held or not state.hands[seat] >> card & 1:
        return held or Text(
            "nobody told that this card is in the hand: it is played as ??-day",
            "niemand hat diese Handkarte angesagt: sie wird als ??-Tag gespielt",
        )
    return None if playable >> card & 1 else _unplayable(card)


def _play_hidden_day(state: BuildState, playable: int) -> Text | None:
    if not state.game.half_seen:
        return Text("the card must be named", "die Karte muss genannt werden")
    if knowledge.hand_options(state, state.seat) & playable & DAYS:
        return None
    return Text(
        "no day card that can be in this hand could be built with",
        "mit keiner Tagkarte, die auf dieser Hand sein kann, ließe sich bauen",
    )


def _unplayable(card: int) -> Text:
    number = number_of_card(card) + 1
    return name(CARDS[card]) + Text(
        f" may not be played: no site is left for it ({RING_COLOURS[number % 6]} fields, bluestones)",
        " darf nicht gespielt werden: es gibt dafür keinen Bauplatz mehr",
    )


def blocked_refused(state: BuildState) -> Text | None:
    """Why the player whose turn it is is not blocked."""
    seat = state.seat
    playable = state.playable_numbers(seat)
    playable |= playable << 30
    for card in bits(state.hands[seat] & playable):
        return name(CARDS[card]) + Text(" can still be played", " kann noch gespielt werden")
    if state.unknown[seat] > fitting_count(state, ~playable):
        return Text(
            "some card of this hand must still be playable", "eine Karte dieser Hand muss noch spielbar sein"
        )
    if state.game.variant["steal_prevents_block"] and not state.unknown[seat]:
        return _theft_due(state)
    return None


def _theft_due(state: BuildState) -> Text | None:
    """House rule: stealing comes before being blocked. A project that was stolen and not built on since
    binds nobody: else players without another move would take it from each other for ever."""
    for victim in state.steal_victims():
        if not state.loot >> victim & 1:
            return Text(
                "a trilith project can still be stolen: that of ",
                "noch zu klauen ist das Trilith-Projekt von ",
            ) + name(state.players[victim])
    return None


def fitting_count(state: BuildState, cards: int) -> int:
    """How many unseen number cards among `cards` can be in a hand."""
    return knowledge.fitting(state, state.unseen & NUMBERS & cards).bit_count()


def _blocked(state: BuildState, action: act.Blocked) -> Text | None:
    seat = state.seat
    refused = blocked_refused(state)
    if refused or not action.cards:
        return refused
    cards = [CARD_OF.get(card, HIDDEN) for card in action.cards]
    if (
        len(set(cards)) != len(cards)
        or len(cards) != state.hand_size(seat)
        or max(cards) >= FIRST_TRILITH_CARD
    ):
        return Text(
            f"the whole hand is shown: {state.hand_size(seat)} number cards",
            f"die ganze Hand wird gezeigt: {state.hand_size(seat)} Zahlenkarten",
        )
    playable = state.playable_numbers(seat)
    for card in cards:
        if held := knowledge.holds_refused(state, seat, card):
            return held
        if playable >> number_of_card(card) & 1:
            return name(CARDS[card]) + Text(" can still be played", " kann noch gespielt werden")
    missing = state.hands[seat] & ~sum(1 << card for card in cards)
    return knowledge.whereabouts(state, next(bits(missing))) if missing else None


def _end_turn(state: BuildState, action: act.EndTurn) -> Text | None:
    return None


_SABOTAGE_PHASES = (phases.BUILD, phases.DRAW, phases.OCCUPY, phases.PROJECT, phases.END)
_RULES: dict[type[Action], tuple[tuple[str, ...], Callable[[BuildState, Any], Text | None]]] = {
    act.Deal: ((phases.DEALING, phases.DRAWN), _deal),
    act.TurnUp: ((phases.DISPLAY,), _turn_up),
    act.Ritual: ((phases.BUILD,), _ritual),
    act.Reveal: ((phases.BUILD,), _reveal),
    act.Construct: ((phases.BUILD,), _construct),
    act.Take: ((phases.DRAW,), _take),
    act.Draw: ((phases.DRAW,), _draw),
    act.Occupy: ((phases.OCCUPY,), _occupy),
    act.PlayNight: ((phases.PROJECT,), _play_night),
    act.PlayDay: ((phases.PROJECT,), _play_day),
    act.Steal: ((phases.PROJECT,), conflict.steal_refused),
    act.Give: ((phases.GIVE,), conflict.give_refused),
    act.Discard: ((phases.DISCARD,), conflict.discard_refused),
    act.Sabotage: (_SABOTAGE_PHASES, conflict.sabotage_refused),
    act.Blocked: ((phases.PROJECT,), _blocked),
    act.EndTurn: ((phases.END,), _end_turn),
}
