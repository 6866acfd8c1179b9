"""Why an action is refused, in plain words: one check per kind of action. None means it is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.cards import UNKNOWN, colour_of, is_known, is_trilith, number_of, ring_colour
from engine.games.council import moves, phases
from engine.games.council.actions import (
    RING,
    RING_INDEX,
    AcceptDraw,
    Confer,
    DeclineDraw,
    Discard,
    Discuss,
    EndTurn,
    GiveBack,
    Lift,
    OfferDraw,
    Persuade,
    Ponder,
    Replace,
    TakeSeat,
)
from engine.games.council.discussing import check_discuss
from engine.games.council.due import Reason, action_free, argument, due, held
from engine.games.council.ring import CODE, COLOUR_OF, FACTION_OF, PIECES, PRO, SEATS, cost, is_figure
from engine.hands import BIT, Draw, Shuffle
from engine.words import Text, name, piece_words, shade

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState

# --- chance ------------------------------------------------------------------------------------------


def check_draw(state: CouncilState, action: Draw) -> Reason:
    if state.phase not in phases.CHANCE_PHASES:
        return due(state, phases.DRAW)
    seat = state.drawer()
    hands, _ = state.hand(seat)
    if hands.pile_count == 0:
        return Text("the pile is empty: shuffle first", "der Stapel ist leer: erst mischen")
    if action.player != state.players[seat]:
        return Text("the next card goes to ", "die nächste Karte bekommt ") + name(state.players[seat])
    if state.game.half_seen:
        if action.card == UNKNOWN:
            return None
        return Text("cards are drawn face down: ??", "Karten werden verdeckt gezogen: ??")
    if action.card in BIT and hands.pile & BIT[action.card]:
        return None
    return name(action.card) + Text(
        " is not in the pile of this side", " ist nicht im Stapel dieser Fraktion"
    )


def check_shuffle(state: CouncilState, action: Shuffle) -> Reason:
    if state.phase not in phases.CHANCE_PHASES:
        return due(state, phases.DRAW)
    if state.hand(state.drawer())[0].pile_count:
        return Text(
            "played cards are shuffled only when the pile is empty",
            "gespielte Karten werden erst gemischt, wenn der Stapel leer ist",
        )
    return None


# --- take a seat -------------------------------------------------------------------------------------


def _piece(token: str) -> Text:
    colour, kind = token.split("-")
    return Text(piece_words(kind, colour), piece_words(kind, colour, language="de"))


def check_take_seat(state: CouncilState, action: TakeSeat) -> Reason:
    reason = action_free(state) or _number_card(state, action.card)
    if reason is None and action.field not in RING_INDEX:
        reason = Text(
            "seats are the fields of the ring, not ", "Plätze sind die Felder des Rings, nicht "
        ) + (name(action.field))
    if reason is not None:
        return reason
    i = RING_INDEX[action.field]
    if state.ring[i]:
        return name(action.field) + Text(" is taken by ", " ist besetzt: ") + _piece(PIECES[state.ring[i]])
    if action.paying is not None:
        return _paid_seat(state, action, i)
    if not is_known(action.card):
        return _from_supply(state, action.piece, figure_too=True) or _told_by_the_field(state, i)
    if number_of(action.card) != i + 1:
        return Text(
            "without three arguments the seat is the card's number: ",
            "ohne drei Argumente ist der Platz die Zahl der Karte: ",
        ) + name(RING[(number_of(action.card) or 1) - 1])
    return _from_supply(state, action.piece, figure_too=True)


def _told_by_the_field(state: CouncilState, i: int) -> Text:
    """A card that nobody read is known all the same where the field has its number."""
    kind = "day" if state.faction(state.turn) == PRO else "night"
    return held(state, state.turn, f"{i + 1}-{kind}") or Text(
        "without arguments the field tells the card: name it",
        "ohne Argumente verrät das Feld die Karte: nenne sie",
    )


def _number_card(state: CouncilState, card: str) -> Reason:
    if is_trilith(card):
        return Text(
            "a seat is taken with a number card, not with ",
            "Platz nimmt man mit einer Zahlen-Karte, nicht mit ",
        ) + name(card)
    return held(state, state.turn, card)


def _paid_seat(state: CouncilState, action: TakeSeat, i: int) -> Reason:
    colour = colour_of(action.card) or action.card.partition("-")[2]
    if ring_colour(i + 1) != colour:
        return (
            name(action.field)
            + Text(" is ", " ist ")
            + shade(ring_colour(i + 1))
            + Text(": this card is ", ": diese Karte ist ")
            + shade(colour)
        )
    paying = str(action.paying)
    if argument(paying) < 0 or (colour != "black" and paying != colour):
        return Text(
            "the three arguments are of the card's colour: ", "die drei Argumente haben die Farbe der Karte: "
        ) + (name(colour))
    if state.has(state.turn)[argument(paying)] < 3:
        return _too_few(state, 3, paying)
    return _from_supply(state, action.piece, figure_too=False)


def _too_few(state: CouncilState, count: int, colour: str) -> Text:
    has = state.has(state.turn)[argument(colour)]
    owner = name(state.players[state.turn])
    return (
        owner
        + Text(f" has {has} of {count} arguments in ", f" hat {has} von {count} Argumenten in ")
        + name(colour)
    )


def _from_supply(state: CouncilState, piece: str, figure_too: bool) -> Reason:
    """Whether the active player can take this piece from his supply."""
    if piece == "disc":
        if "disc" in state.new_discs(state.turn):
            return None
        return Text(
            "a placed disc is lifted only when the supply is used up; name the colour of the disc",
            "eine Scheibe wird nur umgesetzt, wenn der Vorrat leer ist; nenne die Farbe der Scheibe",
        )
    code = CODE.get(piece, 0)
    if code == 0:
        return Text("there is no piece ", "es gibt kein Spielstück ") + name(piece)
    if COLOUR_OF[code] not in state.colours(state.turn):
        return name(state.players[state.turn]) + Text(" does not place a ", " setzt keine ") + _piece(piece)
    if is_figure(code) and not figure_too:
        return Text(
            "a figure takes a seat only on the number of a card",
            "eine Figur nimmt nur auf der Zahl einer Karte Platz",
        )
    left = state.figures if is_figure(code) else state.discs
    if left[COLOUR_OF[code]]:
        return None
    return Text("there is none left in supply: ", "im Vorrat ist keine mehr: ") + _piece(piece)


def check_replace(state: CouncilState, action: Replace) -> Reason:
    reason = action_free(state) or _number_card(state, action.card)
    if reason is not None:
        return reason
    i = RING_INDEX.get(action.field, -1) if not is_known(action.card) else (number_of(action.card) or 0) - 1
    if action.field != RING[i]:
        return Text("the card allows to change the disc on ", "die Karte erlaubt den Tausch auf ") + name(
            RING[i]
        )
    if not is_figure(CODE.get(action.piece, 0)):
        return Text("a disc is replaced by a figure", "eine Scheibe wird durch eine Figur ersetzt")
    reason = _from_supply(state, action.piece, figure_too=True)
    if reason is None and not moves.may_replace(state, i, CODE[action.piece]):
        return Text("there is no own disc to replace on ", "keine eigene Scheibe zu ersetzen auf ") + name(
            RING[i]
        )
    if reason is None and not is_known(action.card):
        return _told_by_the_field(state, i)
    return reason


def check_lift(state: CouncilState, action: Lift) -> Reason:
    reason = due(state, phases.LIFT)
    if reason is None and RING_INDEX.get(action.field, -1) not in moves.liftable(state):
        return Text(
            "an own disc is lifted, of a colour that is used up; there is none on ",
            "umgesetzt wird eine eigene Scheibe, deren Farbe aufgebraucht ist; keine auf ",
        ) + (name(action.field))
    return reason


# --- ponder, confer ----------------------------------------------------------------------------------


def check_ponder(state: CouncilState, action: Ponder) -> Reason:
    return action_free(state)


def check_discard(state: CouncilState, action: Discard) -> Reason:
    return due(state, phases.DISCARD) or held(state, state.turn, action.card)


def check_confer(state: CouncilState, action: Confer) -> Reason:
    if len(state.players) == 2:
        return Text(
            "only partners confer: there are four players then",
            "beraten können sich nur Partner, also zu viert",
        )
    return action_free(state) or _lendable(state, state.turn, action.card)


def check_give_back(state: CouncilState, action: GiveBack) -> Reason:
    reason = due(state, phases.ANSWER)
    mate = state.partner(state.turn)
    if reason is not None or mate is None:
        return reason
    return _lendable(state, mate, action.card)


def _lendable(state: CouncilState, seat: int, card: str) -> Reason:
    hands, place = state.hand(seat)
    if card in moves.lendable(hands, place):
        return None
    vague = card != UNKNOWN and not is_known(card)
    if vague or (is_known(card) and any(hands.unknown[place]) and hands.holds(place, card)):
        return Text("cards are exchanged face down: ??", "Karten werden verdeckt getauscht: ??")
    if card == UNKNOWN:
        return Text("all cards of this hand are known: name one", "diese Hand ist bekannt: nenne die Karte")
    return held(state, seat, card)


# --- persuade ----------------------------------------------------------------------------------------


def check_persuade(state: CouncilState, action: Persuade) -> Reason:
    reason = due(state, phases.TURN)
    if reason is not None:
        return reason
    if not moves.may_persuade(state):
        return Text(
            "in this game one persuades either before or after the action",
            "in diesem Spiel überzeugt man entweder vor oder nach der Aktion",
        )
    if action.source == UNKNOWN:
        return _unread_source(state, action)
    source, target = RING_INDEX.get(action.source, -1), RING_INDEX.get(action.target, -1)
    return (
        _no_neighbours(state, source, target)
        or _price(state, action, source, target)
        or _from_supply(state, action.piece, figure_too=False)
        or _only_discs(action.piece)
    )


def _unread_source(state: CouncilState, action: Persuade) -> Reason:
    """Nobody could tell from which side: one of the two has to be right."""
    if not state.game.half_seen:
        return Text("say from which field", "sage, von welchem Feld aus")
    target = RING_INDEX.get(action.target, 0)
    sides = [RING[(target - 1) % SEATS], RING[(target + 1) % SEATS]]
    reasons = [check_persuade(state, replace(action, source=side)) for side in sides]
    return None if None in reasons else reasons[0]


def _only_discs(piece: str) -> Reason:
    if piece.endswith("disc"):
        return None
    return Text("a persuaded seat is taken by a disc", "den überzeugten Platz nimmt eine Scheibe ein")


def _no_neighbours(state: CouncilState, source: int, target: int) -> Reason:
    if min(source, target) < 0 or (source - target) % SEATS not in (1, SEATS - 1):
        return Text("only a neighbour can be persuaded", "überzeugt wird nur, wer daneben steht")
    mine = state.faction(state.turn)
    if FACTION_OF[state.ring[source]] != mine:
        return Text(
            "there is no piece of your side on ", "keine Figur oder Scheibe deiner Fraktion auf "
        ) + name(RING[source])
    if FACTION_OF[state.ring[target]] != 1 - mine:
        return Text("there is no opponent to persuade on ", "niemand zu überzeugen auf ") + name(RING[target])
    return None


def _price(state: CouncilState, action: Persuade, source: int, target: int) -> Reason:
    colour = ring_colour(source + 1)
    if argument(action.paying) < 0 or (colour != "black" and action.paying != colour):
        return name(RING[source]) + Text(" is ", " ist ") + shade(colour) + Text(
            ": the arguments have the colour of the field from which one persuades",
            ": die Argumente haben die Farbe des Feldes, von dem aus man überzeugt",
        )  # fmt: skip
    price = cost(state.ring, state.sizes(), source, target, state.voting, state.game.vote_equal_discount)
    if action.count != price:
        size = state.sizes()[target]
        who = "a figure" if is_figure(state.ring[target]) else f"one of a group of {size}"
        wer = "eine Figur" if is_figure(state.ring[target]) else f"jemanden aus einer {size}er-Gruppe"
        vote, abstimmung = (" in the vote", " in der Abstimmung") if state.voting else ("", "")
        return Text(
            f"persuading {who} costs {price} here{vote}, not {action.count}",
            f"{wer} zu überzeugen kostet hier{abstimmung} {price}, nicht {action.count}",
        )
    if state.has(state.turn)[argument(action.paying)] < price:
        return _too_few(state, price, action.paying)
    return None


# --- the turn ----------------------------------------------------------------------------------------


def check_end_turn(state: CouncilState, action: EndTurn) -> Reason:
    reason = due(state, phases.TURN)
    if reason is None and state.game.action_mandatory and not state.acted:
        return Text(
            "in this game everybody has to take an action", "in diesem Spiel muss jeder eine Aktion ausführen"
        )
    return reason


def check_offer(state: CouncilState, action: OfferDraw) -> Reason:
    if not state.game.draw_by_agreement:
        return Text(
            "the rules of this game know no draw", "die Regeln dieses Spiels kennen kein Unentschieden"
        )
    if state.phase == phases.TURN and state.offered:
        return Text("a draw is offered once in a turn", "ein Unentschieden wird einmal je Zug angeboten")
    return due(state, phases.TURN)


def check_accept(state: CouncilState, action: AcceptDraw) -> Reason:
    return due(state, phases.OFFER)


def check_decline(state: CouncilState, action: DeclineDraw) -> Reason:
    return due(state, phases.OFFER)


CHECKS: Mapping[type[Action], Callable[[CouncilState, Any], Reason]] = {
    Draw: check_draw,
    Shuffle: check_shuffle,
    Discuss: check_discuss,
    TakeSeat: check_take_seat,
    Replace: check_replace,
    Lift: check_lift,
    Ponder: check_ponder,
    Discard: check_discard,
    Confer: check_confer,
    GiveBack: check_give_back,
    Persuade: check_persuade,
    EndTurn: check_end_turn,
    OfferDraw: check_offer,
    AcceptDraw: check_accept,
    DeclineDraw: check_decline,
}
