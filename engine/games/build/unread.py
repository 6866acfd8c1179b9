"""Number cards that nobody could read: a night card in the yard ("play ??-night on ring-7"), a day card that
was turned up ("reveal ??-day on ring-7"), of which the druid's site tells what they can be; which of several
influence cards was used ("sabotage blue with ??")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.action import Action
from engine.cards import UNKNOWN
from engine.games.build import actions as act
from engine.games.build import knowledge
from engine.games.build.ground import DAYS, HIDDEN, NIGHTS, SITE_OF, bits
from engine.games.build.phases import BUILD, PROJECT
from engine.games.build.questions import site_refused
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.build.state import BuildState


def seen_actions(state: BuildState, legal: tuple[Action, ...]) -> tuple[Action, ...]:
    """The legal actions as a camera can know them. Cards lie open in the yards, but they may be hidden there;
    one that nothing can be built with is gone before it can be read. Which of several influence cards is used
    no camera sees."""
    if len(set(state.influence[state.seat])) > 1:
        told = [
            act.Sabotage(each.victim, UNKNOWN) if isinstance(each, act.Sabotage) else each for each in legal
        ]
        legal = tuple(dict.fromkeys(told))
    if state.phase == PROJECT:
        return (*legal, *[act.PLAY_NIGHT_UNREAD[site] for site in bits(_sites(state, playable(state)))])
    if state.phase == BUILD and state.face_down >> state.seat & 1:
        sites = _sites(state, knowledge.face_down_options(state, state.seat))
        seen = (act.REVEAL_UNREAD if each in act.DEAD else each for each in legal)
        return (*dict.fromkeys(seen), *[act.REVEAL_UNREAD_ON[site] for site in bits(sites)])
    return legal


def playable(state: BuildState, site: int | None = None) -> int:
    """The night cards that the player whose turn it is may play (on this site)."""
    cards = knowledge.hand_options(state, state.seat) & NIGHTS & state.playable_numbers(state.seat) << 30
    return cards if site is None else cards & _cards_for(state, cards >> 30, site) << 30


def _cards_for(state: BuildState, numbers: int, site: int) -> int:
    return sum(1 << n for n in bits(numbers) if state.sites_for(state.seat, n) >> site & 1)


def _sites(state: BuildState, cards: int) -> int:
    """Where something can be built with one of the cards."""
    sites = 0
    for number in bits(cards & DAYS | cards >> 30):
        sites |= state.sites_for(state.seat, number)
    return sites


def play_refused(state: BuildState, site: str) -> Text | None:
    """Why no night card that may be in the hand can be played there."""
    if not state.game.half_seen:
        return Text("the card must be named", "die Karte muss genannt werden")
    return _any_card_refused(state, playable(state) >> 30, site) if playable(state) else _no_card()


def reveal_refused(state: BuildState, site: str) -> Text | None:
    """Why no card that the face-down project can be is built there."""
    if not state.game.half_seen:
        return Text("the card must be named", "die Karte muss genannt werden")
    return _any_card_refused(state, knowledge.face_down_options(state, state.seat), site)


def _any_card_refused(state: BuildState, numbers: int, site: str) -> Text | None:
    reasons = {site_refused(state, state.seat, number, site) for number in bits(numbers)}
    if None in reasons:
        return None
    if len(reasons) == 1:
        return reasons.pop()
    return _no_card_for(site) if reasons else _no_card()


def _no_card_for(site: str) -> Text:
    """Each card that this can be is refused there for a reason of its own."""
    if site.startswith("bluestone"):
        return Text(
            "a bluestone needs a card whose own field is built on: this can be none",
            "ein Dolerit braucht eine Karte, deren eigenes Feld bebaut ist: so eine kann das nicht sein",
        )
    refused = Text("no card that this can be builds on ", "keine Karte, die das sein kann, baut auf ")
    return refused + name(site)


def _no_card() -> Text:
    return Text(
        "no card that this can be could be built with",
        "mit keiner Karte, die das sein kann, ließe sich bauen",
    )


def play(new: BuildState, site: str) -> None:
    """A night card that nobody read leaves the hand; it may have been one of those known to be there."""
    knowledge.leave_hand_hidden(new, new.seat, HIDDEN, playable(new, SITE_OF[site]))
