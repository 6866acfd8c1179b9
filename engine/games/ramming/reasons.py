"""Why an action is refused, in plain words: one check per kind of action. None means it is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.cards import PLAYER_COLOURS, UNKNOWN, fits, is_known, number_of, phase_of
from engine.games.ramming.actions import (
    PAIR_INDEX,
    PAIRS,
    PLACE_INDEX,
    Attempt,
    Discard,
    LayBlock,
    LayCard,
    Materialise,
    NoPeek,
    Peek,
    Race,
    Show,
    SitOut,
    Stay,
    StopDiscarding,
    Swap,
    Uncover,
)
from engine.games.ramming.choices import unread_shows
from engine.games.ramming.race import FIELDS, GONE, next_on_way, reach
from engine.hands import BIT, Draw, Shuffle, mask_like
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.ramming.state import RammingState

Reason = Text | None


def _not_due(state: RammingState) -> Text:
    return Text("this is not due now: ", "das ist jetzt nicht dran: ") + state.prompt()


def check_block(state: RammingState, action: LayBlock) -> Reason:
    if state.phase != "blocks":
        return _not_due(state)
    due = f"slot-{len(state.blocks) + 1}"
    if action.slot != due:
        return Text("the next block goes to ", "der nächste Block kommt auf ") + name(due)
    if action.colour not in PLAYER_COLOURS:
        return Text("there are no blocks in ", "es gibt keine Blöcke in ") + name(action.colour)
    if PLAYER_COLOURS.index(action.colour) in state.blocks[len(state.blocks) // 5 * 5 :]:
        return Text(
            "each group of five fields gets one block of each colour; there is one already in ",
            "jede Fünfergruppe bekommt einen Block jeder Farbe; es liegt schon einer in ",
        ) + name(action.colour)
    return None


def check_lay(state: RammingState, action: LayCard) -> Reason:
    if state.phase != "display":
        return _not_due(state)
    due = f"display-{len(state.display) + 1}"
    if action.place != due:
        return Text("the next card goes to ", "die nächste Karte kommt auf ") + name(due)
    if state.game.half_seen:
        if action.card == state.game.card_back:
            return None
        return Text("the display is laid out face down: ", "die Auslage liegt verdeckt: ") + name(
            state.game.card_back
        )
    return _in_display(state, action.card)


def _in_display(state: RammingState, card: str) -> Reason:
    if card not in state.game.display_cards:
        return name(card) + Text(
            " is not among the cards of the display", " gehört nicht zu den Karten der Auslage"
        )
    if card in state.display:
        return (
            name(card) + Text(" lies at ", " liegt auf ") + name(f"display-{state.display.index(card) + 1}")
        )
    return None


def check_draw(state: RammingState, action: Draw) -> Reason:
    if state.phase not in ("deal", "draw"):
        return _not_due(state)
    hands = state.hands
    if hands.pile_count == 0:
        return Text("the pile is empty: shuffle first", "der Stapel ist leer: erst mischen")
    due = state.players[state._drawer()]
    if action.player != due:
        return Text("the next card goes to ", "die nächste Karte bekommt ") + name(due)
    if state.game.half_seen:
        if action.card == UNKNOWN:
            return None
        return Text("cards are drawn face down: ??", "Karten werden verdeckt gezogen: ??")
    if action.card in BIT and hands.pile & BIT[action.card]:
        return None
    return name(action.card) + Text(" is not in the pile", " ist nicht im Stapel")


def check_shuffle(state: RammingState, action: Shuffle) -> Reason:
    if state.phase != "draw":
        return _not_due(state)
    if state.hands.pile_count:
        return Text(
            "the discards are shuffled only when the pile is empty",
            "die Ablage wird erst gemischt, wenn der Stapel leer ist",
        )
    return None


def check_materialise(state: RammingState, action: Materialise) -> Reason:
    if state.phase != "place":
        return _not_due(state)
    trilith = state.named(action.trilith)
    return (
        _wrong_trilith(state, action.trilith, trilith)
        or _wrong_card(state, action.card)
        or _wrong_pair(action)
        or _unread_card(state, action)
        or _not_free(state, trilith, PAIR_INDEX[action.fields])
    )


def _wrong_trilith(state: RammingState, colour: str | None, trilith: int) -> Reason:
    if (colour is None) != (state.label(0) is None):
        return Text(
            "the trilith's colour is named exactly when players have two",
            "die Farbe des Trilithen wird genau dann genannt, wenn jeder zwei hat",
        )
    if trilith in state.to_place():
        return None
    if trilith < 0 or state.seat_of(trilith) != state.turn:
        return Text("this player has no trilith in ", "dieser Spieler hat keinen Trilithen in ") + name(
            str(colour)
        )
    if state.at[trilith] == GONE:
        return Text("this trilith is out of the race", "dieser Trilith ist ausgeschieden")
    return Text(
        "first place your trilith that is beside the track",
        "erst muss dein Trilith neben der Strecke aufgestellt werden",
    )


def _only_half_seen(state: RammingState) -> Reason:
    """What may be left open where the table does not know it."""
    if state.game.half_seen:
        return None
    return Text("this card is shown: name it", "diese Karte wird gezeigt: nenne sie")


def _wrong_card(state: RammingState, card: str) -> Reason:
    if not is_known(card) and mask_like(card):
        reason = _only_half_seen(state)
        if reason is not None:
            return reason
    elif is_known(card) and phase_of(card) != "day":
        return Text(
            "hands hold day cards only, the others are the display: ",
            "auf der Hand sind nur Tag-Karten, die anderen sind die Auslage: ",
        ) + name(card)
    return state.hands.why_not_hold(state.turn, state.players[state.turn], card)


def _wrong_pair(action: Materialise) -> Reason:
    k = PAIR_INDEX.get(action.fields)
    if k is None:
        return Text(
            "a trilith stands on two neighbouring number fields",
            "ein Trilith steht auf zwei benachbarten Zahlenfeldern",
        )
    number = number_of(action.card)
    if number is None:
        return None  # nobody read it
    if k not in ((number - 2) % FIELDS, number - 1):
        return Text(
            "one pillar stands on the card's number, ", "eine Säule steht auf der Zahl der Karte, "
        ) + (name(f"ring-{number}"))
    return None


def _unread_card(state: RammingState, action: Materialise) -> Reason:
    """The two fields tell of a card that nobody read that it is one of two."""
    if is_known(action.card):
        return None
    told = [f"{field.removeprefix('ring-')}-day" for field in action.fields]
    fitting = [card for card in told if fits(card, action.card)]
    if not fitting:
        return name(action.card) + Text(
            " is neither the card of the one field nor of the other",
            " ist weder die Karte des einen Feldes noch des anderen",
        )
    reasons = [state.hands.why_not_hold(state.turn, state.players[state.turn], card) for card in fitting]
    return None if None in reasons else reasons[0]


def _not_free(state: RammingState, trilith: int, k: int) -> Reason:
    if state.free_pairs(trilith) >> k & 1:
        return None
    if state.at[trilith] == k:
        return Text(
            "the trilith has to appear at another place than before",
            "der Trilith muss an anderer Stelle erscheinen als zuvor",
        )
    for field in PAIRS[k]:
        for other, j in enumerate(state.at):
            if j >= 0 and other != trilith and field in PAIRS[j]:
                there = Text(" is taken by the trilith of ", " ist besetzt vom Trilithen von ")
                return name(field) + there + name(state.triliths[other])
    return None


def check_sit_out(state: RammingState, action: SitOut) -> Reason:
    if state.phase != "place":
        return _not_due(state)
    if state.may_sit_out():
        return None
    return Text(
        "who can place his trilith with one of his cards may not sit out",
        "wer seinen Trilithen mit einer seiner Karten aufstellen kann, darf nicht aussetzen",
    )


def check_discard(state: RammingState, action: Discard) -> Reason:
    if state.phase != "discard":
        return _not_due(state)
    reason = _wrong_card(state, action.card)
    held = state.hands.possible(state.turn) & mask_like(action.card)
    if reason is None and not held & ~state.usable():
        return Text(
            "this player sits out because no card of his can be placed; he could have placed ",
            "dieser Spieler setzt aus, weil er keine Karte legen kann; möglich wäre aber ",
        ) + name(action.card)
    return reason


def check_stop(state: RammingState, action: StopDiscarding) -> Reason:
    return None if state.phase == "discard" else _not_due(state)


def check_attempt(state: RammingState, action: Attempt) -> Reason:
    if state.phase != "attempt":
        return _not_due(state)
    if action.direction not in ("clockwise", "anticlockwise"):
        return Text(
            "a trilith races clockwise or anticlockwise", "ein Trilith fährt rechtsherum oder linksherum"
        )
    if (action.trilith is None) != (len(state.placed) == 1):
        return Text(
            "the trilith is named exactly when two were placed in this turn",
            "der Trilith wird genau dann genannt, wenn in diesem Zug zwei aufgestellt wurden",
        )
    trilith = state.named(action.trilith)
    if trilith not in state.placed:
        return Text(
            "only a trilith placed in this turn may race", "nur ein in diesem Zug aufgestellter Trilith fährt"
        )
    return _no_target(state, trilith, state.way_to(action.direction))


def _no_target(state: RammingState, trilith: int, way: int) -> Reason:
    if state.target(trilith, way)[0] >= 0:
        return None
    victim, free = next_on_way(state.at, trilith, way)
    if victim < 0:
        return Text("there is no other trilith on the track", "es ist kein anderer Trilith auf der Strecke")
    if free == 0:
        return Text(
            "at least one field must be free before the next trilith",
            "vor dem nächsten Trilithen muss mindestens ein Feld frei sein",
        )
    if state.seat_of(victim) == state.turn and not state.game.ram_own:
        return Text(
            "the next trilith on this way is your own", "der nächste Trilith auf diesem Weg ist dein eigener"
        )
    far = reach(state.blocks, state.at[trilith], way, state.game.cards_per_colour)
    limit, steps = state.game.cards_per_colour, state.steps(free)
    return Text(
        f"out of reach: it takes {steps} cards, but only {limit} of each colour lie there, enough for {far}",
        f"außer Reichweite: nötig sind {steps} Karten, es liegen aber nur {limit} je Farbe, genug für {far}",
    )


def check_stay(state: RammingState, action: Stay) -> Reason:
    if state.phase != "attempt":
        return _not_due(state)
    if state.game.attempt_optional:
        return None
    return Text("who can reach a trilith has to try", "wer einen Trilithen erreichen kann, muss es versuchen")


def check_race(state: RammingState, action: Race) -> Reason:
    if state.phase != "uncover":
        return _not_due(state)
    most = state.steps(next_on_way(state.at, state.racer, state.way)[1]) - state.correct
    if 0 <= action.right <= most:
        return _only_half_seen(state)
    return Text(
        f"up to {most} cards can be right here, not {action.right}",
        f"hier können bis zu {most} Karten richtig sein, nicht {action.right}",
    )


def check_uncover(state: RammingState, action: Uncover) -> Reason:
    return _not_due(state) if state.phase != "uncover" else _face_down(state, action.place)


def _face_down(state: RammingState, place: str) -> Reason:
    i = PLACE_INDEX.get(place, len(state.display))
    if i >= len(state.display):
        return Text(
            f"the display has the places display-1 to display-{len(state.display)}",
            f"die Auslage hat die Plätze Auslage-1 bis Auslage-{len(state.display)}",
        )
    if state.face_up >> i & 1:
        return name(place) + Text(" is turned up already", " ist schon aufgedeckt")
    return None


def check_show(state: RammingState, action: Show) -> Reason:
    if state.phase != "show":
        return _not_due(state)
    due = f"display-{state.place + 1}"
    if action.place != due:
        return Text("the card to be turned up is ", "aufgedeckt wird ") + name(due)
    card = state.display[state.place]
    if not is_known(action.card) and state.game.half_seen:
        return None if action in unread_shows(state) else _unread(state, action)
    if is_known(card):
        if card == action.card:
            return None
        return name(due) + Text(" is known to be ", " ist bekanntlich ") + name(card)
    return _in_display(state, action.card)


def _unread(state: RammingState, action: Show) -> Text:
    colour = PLAYER_COLOURS[state.next_block()]
    if action.card in (f"??-{colour}", UNKNOWN):
        card = state.display[state.place]
        if is_known(card):
            return name(action.place) + Text(" is known to be ", " ist bekanntlich ") + name(card)
        return Text("no such card can lie there any more", "so eine Karte kann dort nicht mehr liegen")
    return Text(
        f"a card that nobody read is ??-{colour} if it was right, else ??",
        f"eine Karte, die niemand gelesen hat, ist ??-{name(colour).de}, wenn sie richtig war, sonst ??",
    )


def check_swap(state: RammingState, action: Swap) -> Reason:
    if state.phase != "swap":
        return _not_due(state)
    due = f"display-{state.place + 1}"
    if action.place != due:
        return Text("the card to be moved is the one on ", "getauscht wird die Karte auf ") + name(due)
    i = PLACE_INDEX.get(action.other, len(state.display))
    if i >= len(state.display) or i == state.place:
        return Text(
            "it changes places with another card of the display",
            "getauscht wird mit einer anderen Karte der Auslage",
        )
    return None


def check_peek(state: RammingState, action: Peek) -> Reason:
    if state.phase == "peek" and action.place == UNKNOWN:
        return _only_half_seen(state)
    return _not_due(state) if state.phase != "peek" else _face_down(state, action.place)


def check_no_peek(state: RammingState, action: NoPeek) -> Reason:
    return None if state.phase == "peek" else _not_due(state)


CHECKS: Mapping[type[Action], Callable[[RammingState, Any], Reason]] = {
    LayBlock: check_block,
    LayCard: check_lay,
    Draw: check_draw,
    Shuffle: check_shuffle,
    Materialise: check_materialise,
    SitOut: check_sit_out,
    StopDiscarding: check_stop,
    Discard: check_discard,
    Attempt: check_attempt,
    Stay: check_stay,
    Uncover: check_uncover,
    Show: check_show,
    Race: check_race,
    Swap: check_swap,
    Peek: check_peek,
    NoPeek: check_no_peek,
}
