"""Why a discussion is refused, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import UNKNOWN, colour_of, is_known, is_trilith
from engine.games.council import moves
from engine.games.council.actions import Discuss
from engine.games.council.due import Reason, action_free, argument, held
from engine.hands import mask_of
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState


def check_discuss(state: CouncilState, action: Discuss) -> Reason:
    if action.cards == (UNKNOWN,):
        return action_free(state) or held(state, state.turn, UNKNOWN) or _unread_discussion(state, action)
    reason = action_free(state) or _hand_has_all(state, action.cards)
    if reason is not None:
        return reason
    if any(is_trilith(card) for card in action.cards):
        return _trilith_discussion(state, action)
    coloured = {colour_of(card) for card in action.cards} - {"black"}
    return _several_colours(coloured) or _number_discussion(state, action, coloured)


def _unread_discussion(state: CouncilState, action: Discuss) -> Reason:
    """Cards that nobody read brought what some cards bring."""
    brought = tuple(sorted(map(argument, action.arguments)))
    if brought in moves.unread_takes(state):
        return None
    if brought in moves.unread_takes(state, by_any_cards=True):
        return name(state.players[state.turn]) + Text(
            " cannot hold cards that bring this", " kann keine Karten haben, die das bringen"
        )
    return Text(
        "a discussion brings up to three arguments of one colour or two of any, up to 6 per side",
        "eine Diskussion bringt bis zu drei Argumente einer Farbe oder zwei beliebige, bis 6 je Fraktion",
    )


def _several_colours(coloured: set[str | None]) -> Reason:
    if len(coloured) <= 1:
        return None
    return Text(
        "cards played together are of one colour, only black ones may join",
        "zusammen gespielte Karten haben eine Farbe, nur schwarze dürfen dazu",
    )


def _hand_has_all(state: CouncilState, cards: tuple[str, ...]) -> Reason:
    if not all(map(is_known, cards)):
        return Text(
            "cards that nobody read are one ??, however many",
            "Karten, die niemand las, sind ein ??, egal wie viele",
        )
    for card in cards:
        reason = held(state, state.turn, card)
        if reason is not None:
            return reason
    hands, place = state.hand(state.turn)
    if len(set(cards)) == len(cards) <= hands.size(place) and hands.can_hold_all(place, mask_of(cards)):
        return None
    return name(state.players[state.turn]) + Text(
        " cannot hold these cards together", " kann diese Karten nicht zusammen haben"
    )


def _trilith_discussion(state: CouncilState, action: Discuss) -> Reason:
    if len(action.cards) > 1 and not state.game.combine_triliths:
        return Text("a trilith card is played alone", "eine Trilith-Karte wird allein gespielt")
    cards = moves.set_of(action.cards, combine=True)
    if cards is None:
        return _several_colours({colour_of(card) for card in action.cards if not is_trilith(card)})
    takes = moves.takes(state, cards, state.room(state.turn), state.bank())
    if not takes:
        return _nothing_to_take()
    if tuple(sorted(map(argument, action.arguments))) in takes:
        return None
    free = tuple(map(min, state.room(state.turn), state.bank()))
    for colour in action.arguments:
        i = argument(colour)
        if i >= 0 and action.arguments.count(colour) > free[i]:
            return _too_many(colour)
    count = max(map(len, takes))
    if len(action.cards) > 1:
        return Text(
            f"number cards bring an argument each, in their colour, trilith cards two of any: here {count}",
            f"Zahlen-Karten bringen je ein Argument ihrer Farbe, Trilith-Karten zwei beliebige: hier {count}",
        )
    return Text(
        f"a trilith card brings {count} arguments of any colour",
        f"eine Trilith-Karte bringt {count} beliebige Argumente",
    )


def _too_many(colour: str) -> Text:
    return Text(
        "a side may own 6 arguments of a colour, and takes what is on the board; too many of ",
        "eine Fraktion darf 6 Argumente einer Farbe besitzen und nimmt, was daliegt; zu viele in ",
    ) + name(colour)


def _nothing_to_take() -> Text:
    return Text(
        "this discussion would bring no argument: your side owns 6 already, or the heap is empty",
        "diese Diskussion brächte kein Argument: deine Fraktion hat schon 6, oder der Vorrat ist leer",
    )


def _number_discussion(state: CouncilState, action: Discuss, coloured: set[str | None]) -> Reason:
    wanted = set(action.arguments)
    if len(wanted) != 1 or argument(action.arguments[0]) < 0:
        return Text(
            "number cards bring arguments of one colour",
            "Zahlen-Karten bringen Argumente einer einzigen Farbe",
        )
    if coloured and wanted != coloured:
        return Text("these cards bring arguments in ", "diese Karten bringen Argumente in ") + name(
            str(next(iter(coloured)))
        )
    colour = argument(action.arguments[0])
    room = state.room(state.turn)[colour]
    if state.game.cap_overflow == "refuse" and len(action.cards) > room:
        return _too_many(action.arguments[0])
    taken = moves.number_takes(state, len(action.cards), room, state.bank()[colour])
    if not taken:
        return _nothing_to_take()
    if taken == len(action.arguments):
        return None
    return Text(
        f"one argument for each card, up to 6 per side and what is on the board: here {taken}",
        f"ein Argument je Karte, bis 6 je Fraktion und soweit vorrätig: hier {taken}",
    )
