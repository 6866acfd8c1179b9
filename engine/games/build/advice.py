"""Advice: whose turn it is, what is due, and what a good onlooker would point out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.games.build import conflict, data, phases, scoring
from engine.games.build.ground import (
    ALTAR,
    BLUESTONES,
    CARDS,
    NO_CARD,
    RING,
    SITES,
    bits,
)
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.build.state import BuildState

_PROMPTS = {
    phases.DEALING: Text("the hands are being dealt", "die Handkarten werden gegeben"),
    phases.DISPLAY: Text("the display is being filled", "die Auslage wird ergänzt"),
    phases.DRAWN: Text("a card is being drawn", "eine Karte wird gezogen"),
    phases.BUILD: Text(" builds", " baut"),
    phases.DRAW: Text(" draws a card", " zieht eine Karte nach"),
    phases.OCCUPY: Text(" occupies a trilith field", " besetzt ein Trilithenfeld"),
    phases.PROJECT: Text(" plays a project", " spielt ein Bauprojekt"),
    phases.GIVE: Text(" gives a card as compensation", " gibt eine Karte als Entschädigung"),
    phases.DISCARD: Text(
        " discards down to three cards, under the pile", " wirft Karten bis auf drei ab, unter den Stapel"
    ),
    phases.END: Text(" may still sabotage, or ends the turn", " kann noch sabotieren oder beendet den Zug"),
    phases.OVER: Text("the game is over", "das Spiel ist zu Ende"),
}


def prompt(state: BuildState) -> Text:
    """Whose turn it is and what is due, in one sentence."""
    said = _PROMPTS[state.phase]
    if state.phase in (phases.DEALING, phases.DISPLAY, phases.DRAWN, phases.OVER):
        return said
    if state.phase == phases.BUILD and state.rituals[state.seat]:
        said = Text(" does the rituals at the altar", " vollführt Rituale am Altar")
    elif state.phase == phases.BUILD and state.face_down >> state.seat & 1:
        said = Text(
            " reveals the project and occupies its site", " deckt das Bauprojekt auf und besetzt den Bauplatz"
        )
    return name(state.to_move or "") + said


def something_else_is_due(state: BuildState) -> Text:
    """The refusal of a move that belongs to another phase."""
    if state.phase == phases.OVER:
        return prompt(state)
    return Text("not now: ", "nicht jetzt: ") + prompt(state)


def insights(state: BuildState) -> dict[str, Any]:
    """JSON data for the page:

    projects: per player {"player", "card", "site", "becomes", "steps"}: what the open project becomes and
        how many build phases that still takes.
    sabotage: the players whom some influence card of the player to move could hit now.
    steal: {"player", "parts", "colours"}: trilith projects that are not marked yet and what compensates.
    chances: {"player", "site", "gain"}: free places where a piece would be worth more than by itself.
    blocked: players who no longer act. neutral_blocks: {"owner", "left"}; the owner is None as long as
        there is none, "??" if nobody told who it is (then nobody's fame counts them)."""
    seats = range(len(state.players))
    return {
        "projects": [_project(state, seat) for seat in seats if state.projects[seat] != NO_CARD],
        "sabotage": [state.players[seat] for seat in state.sabotage_victims()]
        if state.influence[state.seat] and not state.is_over
        else [],
        "steal": [_loot(state, seat) for seat in seats if _may_be_robbed(state, seat)],
        "chances": [chance for seat in seats for chance in _chances(state, seat)],
        "blocked": [state.players[seat] for seat in bits(state.blocked)],
        "neutral_blocks": {"owner": data.owner_name(state), "left": state.neutral_left()},
    }


def _project(state: BuildState, seat: int) -> dict[str, Any]:
    site, waiting = state.druids[seat], state.rituals[seat]
    if state.is_trilith_project(seat):
        becomes, steps = "trilith", phases.MARKED + 1 - state.parts[seat] + waiting
    elif state.face_down >> seat & 1:
        becomes, steps = None, 2
    else:
        becomes, steps = ("block" if site < 30 else "bluestone"), 1
    return {
        "player": state.players[seat],
        "card": "??-day" if state.face_down >> seat & 1 else CARDS[state.projects[seat]],
        "site": SITES[site] if 0 <= site < ALTAR else None,
        "becomes": becomes,
        "steps": steps,
    }


def _may_be_robbed(state: BuildState, seat: int) -> bool:
    return state.is_trilith_project(seat) and state.parts[seat] < phases.MARKED


def _loot(state: BuildState, seat: int) -> dict[str, Any]:
    trilith = CARDS[state.projects[seat]].removeprefix("trilith-")
    thief_could = state.phase == phases.PROJECT and conflict.theft_refused(state, seat) is None
    return {
        "player": state.players[seat],
        "parts": state.parts[seat],
        "colours": sorted({state.players[seat], trilith}),
        "by_player_to_move": thief_could,
    }


def _chances(state: BuildState, seat: int) -> list[dict[str, Any]]:
    """The free sites where one more piece of `seat` gains more than the piece alone, best first."""
    own = state.owned[seat] | (state.owned[-1] & RING if seat == state.neutral_owner else 0)
    now = scoring.fame(own)
    found = []
    for site in bits(state.free_sites()):
        alone = 1 if 1 << site & RING else 2 if 1 << site & BLUESTONES else 8
        gain = scoring.fame(own | 1 << site) - now
        if gain > alone:
            found.append({"player": state.players[seat], "site": SITES[site], "gain": gain})
    return sorted(found, key=lambda chance: -int(str(chance["gain"])))
