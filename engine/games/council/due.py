"""What most checks of Der Hohe Rat begin with: is it due, does the player hold that card?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import PLAYER_COLOURS, is_known
from engine.games.council import phases
from engine.hands import BIT, mask_like
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState

Reason = Text | None


def due(state: CouncilState, phase: str) -> Reason:
    if state.phase == phase:
        return None
    return Text("this is not due now: ", "das ist jetzt nicht dran: ") + state.prompt()


def action_free(state: CouncilState) -> Reason:
    """Whether the one action of this turn may still be taken."""
    reason = due(state, phases.TURN)
    if reason is None and state.acted:
        return Text(
            "the one action of this turn is taken already",
            "die eine Aktion dieses Zuges ist schon ausgeführt",
        )
    return reason


def held(state: CouncilState, seat: int, card: str) -> Reason:
    hands, place = state.hand(seat)
    if not is_known(card) and mask_like(card) and not state.game.half_seen:
        return Text("this card is shown: name it", "diese Karte wird gezeigt: nenne sie")
    if BIT.get(card, 0) & ~state.game.decks[state.faction(seat)]:
        return Text("this side does not play with ", "diese Fraktion spielt nicht mit ") + name(card)
    return hands.why_not_hold(place, state.players[seat], card)


def argument(colour: str) -> int:
    return PLAYER_COLOURS.index(colour) if colour in PLAYER_COLOURS else -1
