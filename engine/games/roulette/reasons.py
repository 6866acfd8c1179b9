"""Why something may not be done: the rules of Opferroulette in plain words.

The functions say None for what is legal; `RouletteState.why_not` asks them, and so does its list of legal
actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.action import Action
from engine.cards import ALL_CARDS, UNKNOWN
from engine.games.roulette.actions import Fall, Flip, Move, MoveAndFall, PlaceOffering, TurnUp
from engine.games.roulette.cards import (
    COLOUR,
    INDEX,
    NUMBER,
    NUMBER_CARD,
    TRILITH_CARD,
)
from engine.games.roulette.ring import PIT_INDEX
from engine.games.roulette.unread import turn_ups, why_not_unread
from engine.words import Text, name, shade

if TYPE_CHECKING:
    from engine.games.roulette.state import RouletteState


def why_not_number_card(state: RouletteState, action: Move | MoveAndFall | Fall) -> Text | None:
    card = action.card
    if UNKNOWN in card:
        return why_not_unread(state, action)
    index = INDEX.get(card, 65)
    if index >= 60:
        return Text(
            f"{card} is no number card: a trilith card only turns the ball round",
            f"{name(card).de} ist keine Zahlenkarte: eine Trilith-Karte wendet nur die Kugel",
        )
    reason = why_not_held(state, index)
    if reason is not None:
        return reason
    if state.colour and COLOUR[index] != state.colour:
        return Text(
            f"all number cards of a turn have one colour: this turn is {state.colour}, "
            f"{card} is {COLOUR[index]}",
            f"alle Zahlenkarten eines Zuges haben eine Farbe: dieser Zug ist {shade(state.colour).de}, "
            f"{name(card).de} ist {shade(COLOUR[index]).de}",
        )
    if isinstance(action, Fall):
        if state.moved:
            return None
        return Text(
            "the ball falls only after another card has moved it in this turn",
            "die Kugel fällt erst, wenn eine andere Karte sie in diesem Zug bewegt hat",
        )
    reached = state.next_field(COLOUR[index])
    if isinstance(action, MoveAndFall) and NUMBER[index] != reached:
        return Text(
            f"the ball reaches field {reached}, not {NUMBER[index]}: "
            "to move and fall the card needs the number of the field",
            f"die Kugel erreicht Feld {reached}, nicht {NUMBER[index]}: "
            "zum Rollen und Fallen braucht die Karte die Zahl des Feldes",
        )
    if isinstance(action, Move) and NUMBER[index] == reached and state.game.match_forces_fall:
        return Text(
            f"{card} takes the ball to its own number: here it has to fall",
            f"{name(card).de} bringt die Kugel auf ihre eigene Zahl: hier muss sie fallen",
        )
    return None


def why_not_trilith_card(state: RouletteState, action: Flip) -> Text | None:
    card = action.card
    if UNKNOWN in card:
        return why_not_unread(state, action)
    index = INDEX.get(card, -1)
    if index < 60:
        return Text(
            f"{card} does not turn the ball round: only trilith cards do",
            f"{name(card).de} wendet die Kugel nicht: das tun nur Trilith-Karten",
        )
    return why_not_held(state, index) or why_not_flip(state, index)


def why_not_held(state: RouletteState, index: int) -> Text | None:
    if state.held >> index & 1:
        return None
    return not_your_card(state, index)


def why_not_flip(state: RouletteState, index: int) -> Text | None:
    """Why the trilith card `index`, which may be held, may not be played."""
    if state.colour is None and not state.game.trilith_alone:
        rest = state.hands.play(state.seat, ALL_CARDS[index])
        if not rest.possible(state.seat) & NUMBER_CARD:
            return Text(
                "a trilith card is played beside a number card, and there is none in this hand",
                "eine Trilith-Karte wird zu einer Zahlenkarte gespielt, und die fehlt dieser Hand",
            )
    if state.colour is not None and state.game.trilith_first_only:
        return Text(
            "trilith cards are played before the number cards",
            "Trilith-Karten werden vor den Zahlenkarten gespielt",
        )
    return None


def why_not_end(state: RouletteState) -> Text | None:
    if state.colour is not None or (state.flipped and state.game.trilith_alone):
        return None
    if state.flipped:
        return Text(
            "a trilith card is played in addition: play a number card, too",
            "eine Trilith-Karte wird zusätzlich gespielt: spiele auch eine Zahlenkarte",
        )
    return Text(
        "no card has been played in this turn: play one or pass",
        "in diesem Zug wurde keine Karte gespielt: spiele eine oder passe",
    )


def why_not_pass(state: RouletteState) -> Text | None:
    if state.colour is not None or state.flipped:
        return Text(
            "a card has been played in this turn: end the turn instead of passing",
            "in diesem Zug wurde schon gespielt: beende den Zug, statt zu passen",
        )
    if not state.game.pass_allowed and not state.hands.can_all_be_among(state.seat, TRILITH_CARD):
        return Text(
            "who has a number card has to play: passing is not allowed",
            "wer eine Zahlenkarte hat, muss spielen: Passen ist nicht erlaubt",
        )
    return None


def why_not_offering(state: RouletteState, action: Action) -> Text | None:
    player = name(state.players[state.waiting[0]])
    if not isinstance(action, PlaceOffering):
        return Text(
            f"{player.en} first chooses a pit for the offering of a trilith card",
            f"zuerst wählt {player.de.capitalize()} eine Mulde für die Opfergabe einer Trilith-Karte",
        )
    index = PIT_INDEX.get(action.pit)
    if index is None:
        return Text(f"{action.pit} is no pit", f"{name(action.pit).de} ist keine Mulde")
    if state.game.trilith_free_pit_only and state.pits[index]:
        return Text(
            f"{action.pit} is taken: this offering goes into a free pit",
            f"{name(action.pit).de} ist besetzt: diese Opfergabe kommt in eine freie Mulde",
        )
    return None


def why_not_a_move(state: RouletteState, action: Action) -> Text:
    """Why `action`, which is none of a turn, may not happen in the middle of one."""
    player = seat_name(state, state.seat)
    return Text(
        f"{action}: now {player.en} plays cards, ends the turn or passes",
        f"{action.text('de')}: jetzt spielt {player.de} Karten, beendet den Zug oder passt",
    )


def seat_name(state: RouletteState, seat: int) -> Text:
    """A player's colour as a sentence begins."""
    colour = name(state.players[seat])
    return Text(colour.en, colour.de.capitalize())


def not_your_card(state: RouletteState, index: int, seat: int | None = None) -> Text:
    """Why card `index` cannot be in the hand of `seat` (the player to move)."""
    player = seat_name(state, state.seat if seat is None else seat)
    card = name(ALL_CARDS[index])
    elsewhere = Text(
        ": it was not in the pile when that hand was drawn",
        ": sie war nicht im Stapel, als diese Hand gezogen wurde",
    )
    held = Text(f"{player.en} does not hold {card.en}", f"{player.de} hat {card.de} nicht")
    return held + _whereabouts(state, index, elsewhere)


def _whereabouts(state: RouletteState, index: int, elsewhere: Text) -> Text:
    """Where card `index` lies; `elsewhere` is what is known of one that no player has shown."""
    if state.hands.discards >> index & 1:
        return Text(": it lies on the discard pile", ": sie liegt auf dem Ablagestapel")
    for seat, hand in enumerate(state.hands.known):
        if state.game.half_seen and hand >> index & 1:
            owner = seat_name(state, seat)
            return Text(f": {owner.en} has it", f": {owner.de} hat sie")
    return elsewhere if state.game.half_seen else Text("", "")


def refuse_event(state: RouletteState, action: Action, expected: Action) -> Text:
    """Why `action` is not what happens now; `expected` is one event that may."""
    card = getattr(action, "card", None)
    if type(action) is type(expected) and getattr(action, "player", None) == getattr(
        expected, "player", None
    ):
        if state.phase == "ball":
            return Text(
                f"the ball cannot start there: no card of that number is left; possible is {expected}",
                "dort kann die Kugel nicht beginnen: von dieser Zahl ist keine Karte übrig; möglich ist "
                f"{expected.text('de')}",
            )
        if state.game.half_seen and state.phase in ("deal", "refill"):
            return Text(
                f"hands are dealt face down here: {expected}",
                f"Handkarten werden hier verdeckt ausgeteilt: {expected.text('de')}",
            )
        if isinstance(action, TurnUp) and (refused := _pits_refused(state, action)):
            return refused
        if card in INDEX:
            return _not_in_pile(state, INDEX[card])
        return Text(f"say which card: {card} is none", f"sage, welche Karte: {name(str(card)).de} ist keine")
    return Text(
        f"now a card comes up, such as: {expected}", f"jetzt kommt eine Karte, etwa: {expected.text('de')}"
    )


def _pits_refused(state: RouletteState, action: TurnUp) -> Text | None:
    """Why a fall cannot be told like that, if it is not for the card."""
    if action.pits and action.card in INDEX:
        return Text(
            f"{action.card} says itself what the fall hits: name no pits",
            f"{name(action.card).de} sagt selbst, was der Fall trifft: nenne keine Mulden",
        )
    if not state.game.half_seen or UNKNOWN not in action.card:
        return None
    told = turn_ups(state)
    return Text(
        "of a card that nobody read it is told what it hit: " + " / ".join(map(str, told)),
        "von einer ungelesenen Karte wird gesagt, was sie trifft: "
        + " / ".join(each.text("de") for each in told),
    )


def _not_in_pile(state: RouletteState, index: int) -> Text:
    card = name(ALL_CARDS[index])
    if state.phase in ("offerings", "neutral") and not state.drawn >> index & 1:
        return Text(
            f"{card.en} does not count here: draw another card for it",
            f"{card.de} zählt hier nicht: ziehe dafür eine andere Karte",
        )
    gone = Text(f"{card.en} is not in the pile", f"{card.de} ist nicht im Stapel")
    if state.phase in ("offerings", "neutral"):
        return gone + Text(": it has been dealt already", ": sie wurde schon ausgeteilt")
    elsewhere = Text(
        ": it was not among the cards that were shuffled", ": sie war nicht unter den gemischten Karten"
    )
    return gone + _whereabouts(state, index, elsewhere)
