"""Questions that several rules ask, answered with the reason: is the card there, is the site free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import RING_COLOURS
from engine.games.build.ground import (
    SITE_OF,
    SITES,
)
from engine.words import Text, name, shade

if TYPE_CHECKING:
    from engine.games.build.state import BuildState


def site_refused(state: BuildState, seat: int, number: int, site_name: str) -> Text | None:
    """Refused when a card of ring field `number` (0..29) cannot be built on this site."""
    site = SITE_OF.get(site_name)
    if site is None:
        return Text(f"{site_name} is no building site", f"{site_name} ist kein Bauplatz")
    if state.sites_for(seat, number) >> site & 1:
        return None
    if site >= 49:
        return Text(
            "a number card builds blocks and bluestones; triliths need a trilith card",
            "mit Zahlenkarten baut man Blöcke und Dolerite; ein Trilith braucht eine Trilith-Karte",
        )
    if not state.free_sites() >> site & 1:
        return taken(state, site)
    return _no_block(state, seat, number, site) if site < 30 else _no_bluestone(state, seat, number)


def taken(state: BuildState, site: int) -> Text:
    if state.built >> site & 1:
        return name(SITES[site]) + Text(" is already built on", " ist schon bebaut")
    druid = state.players[state.druids.index(site)]
    return (
        name(SITES[site])
        + Text(" is occupied by the druid of ", " ist besetzt vom Druiden von ")
        + name(druid)
    )


def _no_block(state: BuildState, seat: int, number: int, site: int) -> Text:
    if state.setup.site_by_number and site != number:
        return Text(
            f"this card builds on field {number + 1} only", f"diese Karte baut nur auf Feld {number + 1}"
        )
    field, card = shade(RING_COLOURS[(site + 1) % 6]), shade(RING_COLOURS[(number + 1) % 6])
    if field != card:
        return (
            Text(f"field {site + 1} is ", f"Feld {site + 1} ist ")
            + field
            + Text(": this card is ", ": diese Karte ist ")
            + card
        )
    return Text(
        "no own block is left, and every neutral one is spoken for",
        "kein eigener Block ist übrig, und jeder neutrale ist schon vergeben",
    )


def _no_bluestone(state: BuildState, seat: int, number: int) -> Text:
    if state.discs[seat] <= 0:
        return Text("no disc is left for a bluestone", "keine Scheibe ist übrig für einen Doleriten")
    return Text(
        f"field {number + 1} is not built on yet: only then this card may build a bluestone",
        f"Feld {number + 1} ist noch nicht bebaut: erst dann darf diese Karte einen Doleriten bauen",
    )


def trilith_field_refused(state: BuildState, field: str | None, free: int) -> Text | None:
    site = SITE_OF.get(field or "", -1)
    if site < 49:
        return Text(
            "the druid goes to one of the five trilith fields: name it",
            "der Druide geht auf eines der fünf Trilithenfelder: welches?",
        )
    return None if free >> site & 1 else taken(state, site)


def at_altar(state: BuildState) -> Text:
    return name(state.players[state.seat]) + Text(
        " is busy with rituals at the altar", " ist mit Ritualen am Altar beschäftigt"
    )
