"""What an onlooker would say of a race: whose turn, the points, who can be rammed from where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.cards import PLAYER_COLOURS
from engine.game import CHANCE
from engine.games.ramming.actions import PAIRS
from engine.games.ramming.race import (
    FIELDS,
    GONE,
    OFF,
    Crash,
    colours_needed,
    crash,
    fields_entered,
    next_on_way,
    reach,
)
from engine.hands import cards_of
from engine.score import Score, ScorePart
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.ramming.state import RammingState

UNIT = Text("foreign structure points", "fremde Strukturpunkte")

_PROMPTS = {
    "blocks": Text("lay the next block under its number", "lege den nächsten Block unter seine Zahl"),
    "display": Text("lay the display out face down", "lege die Auslage verdeckt aus"),
    "deal": Text("deal the hands", "teile die Handkarten aus"),
    "show": Text("turn up the card", "decke die Karte auf"),
    "place": Text(
        ": play a card and set the trilith down", ": spiele eine Karte und stelle den Trilithen auf"
    ),
    "discard": Text(
        ": sits out, discard as many cards as you like", ": setzt aus, wirf beliebig viele Karten ab"
    ),
    "attempt": Text(": choose the way to race", ": wähle die Fahrtrichtung"),
    "uncover": Text(": turn up a card, needed is ", ": decke eine Karte auf, gebraucht wird "),
    "swap": Text(": swap the trilith card with another one", ": tausche die Trilith-Karte mit einer anderen"),
    "peek": Text(": may look at a card of the display", ": darf eine Karte der Auslage ansehen"),
}


def prompt(state: RammingState) -> Text:
    """Whose turn it is and what is expected, in one sentence."""
    if state.to_move is None:
        return _ending(state)
    if state.phase == "draw":
        if state.hands.pile_count == 0:
            return Text("shuffle the discards: the pile is empty", "mische die Ablage: der Stapel ist leer")
        return name(state.players[state.turn]) + Text(" draws a card", " zieht eine Karte")
    text = _PROMPTS[state.phase]
    if state.phase == "uncover":
        text = text + name(PLAYER_COLOURS[_needed(state)[state.correct]])
    return text if state.to_move == CHANCE else name(state.to_move) + text


def _ending(state: RammingState) -> Text:
    left = state.in_the_race()
    if len(left) > 1:
        return Text("the race was called off", "das Rennen ist abgebrochen")
    winner = name(state.players[left[0]])
    if hearts(state) == [state.players[left[0]]]:
        return winner + Text(" has won the grand victory", " hat den großen Sieg errungen")
    return winner + Text(
        " has won: the last trilith in the race", " hat gewonnen: der letzte Trilith im Rennen"
    )


# --- points ----------------------------------------------------------------------------------------


def scores(state: RammingState) -> dict[str, Score]:
    """Foreign points per player, by colour; in the longer game the blocks won are listed too."""
    return {player: _score(state, seat) for seat, player in enumerate(state.players)}


def _score(state: RammingState, seat: int) -> Score:
    parts = [
        ScorePart(f"taken-{colour}", Text("taken from ", "genommen von ") + name(colour), points)
        for trilith, (colour, points) in enumerate(zip(state.triliths, state.prizes[seat], strict=True))
        if points and state.seat_of(trilith) != seat
    ]
    if state.trophies[seat]:
        won = state.trophies[seat]
        label = Text(
            f"blocks won: {won} (they count before points)", f"Blöcke: {won} (zählen vor den Punkten)"
        )
        parts.append(ScorePart("blocks", label, 0))
    return Score(UNIT, tuple(parts))


def hearts(state: RammingState) -> list[str]:
    """Who is ahead as winner of the hearts: most blocks won, then most foreign points. Nobody with two
    players, or while nothing is taken."""
    if len(state.players) == 2:
        return []
    ranks = [(state.trophies[seat], _score(state, seat).total) for seat in range(len(state.players))]
    best = [player for player, rank in zip(state.players, ranks, strict=True) if rank == max(ranks)]
    if max(ranks) == (0, 0) or (len(best) > 1 and state.game.hearts_tie == "none"):
        return []
    return best


# --- insights --------------------------------------------------------------------------------------


def insights(state: RammingState) -> dict[str, Any]:
    """JSON data for the page.

    triliths: per trilith its colour, player, fields, points left, lives left and whether it still races.
    hearts: who is ahead as winner of the hearts. display: per place what everybody knows of it.
    attempt: the attempt under way, with the colours needed and how many are found.
    threats: who can be rammed by the active player, from where, which way and for how much; before the
    trilith is set down for every place where it could appear."""
    if state.phase in ("blocks", "display", "deal"):
        return {}
    return {
        "triliths": [_trilith(state, trilith) for trilith in range(len(state.at))],
        "hearts": hearts(state),
        "display": _display(state),
        "attempt": _attempt(state),
        "threats": _threats(state),
    }


def _trilith(state: RammingState, trilith: int) -> dict[str, Any]:
    k = state.at[trilith]
    return {
        "colour": state.triliths[trilith],
        "player": state.players[state.seat_of(trilith)],
        "fields": list(PAIRS[k]) if k >= 0 else [],
        "points": state.points[trilith],
        "lives": state.lives[trilith],
        "racing": k != GONE,
    }


def _display(state: RammingState) -> list[dict[str, Any]]:
    """Every place, with the card as far as all players have seen it."""
    return [
        {
            "place": f"display-{i + 1}",
            "card": card if state.public >> i & 1 else state.game.card_back,
            "face": "up" if state.face_up >> i & 1 else "down",
            "looked_at_by": [p for p, mask in zip(state.players, state.peeked, strict=True) if mask >> i & 1],
        }
        for i, card in enumerate(state.display)
    ]


def _needed(state: RammingState) -> tuple[int, ...]:
    _, free = next_on_way(state.at, state.racer, state.way)
    return colours_needed(state.blocks, state.at[state.racer], state.way, state.steps(free))


def _attempt(state: RammingState) -> dict[str, Any] | None:
    if state.racer < 0 or state.phase not in ("uncover", "show", "swap"):
        return None
    return {
        "trilith": state.triliths[state.racer],
        "direction": state.direction(state.way),
        "needed": [PLAYER_COLOURS[c] for c in _needed(state)],
        "right": state.correct,
    }


def _threats(state: RammingState) -> list[dict[str, Any]]:
    if state.phase == "place":
        return [
            threat
            for trilith in state.to_place()
            for k in range(FIELDS)
            if state.free_pairs(trilith) >> k & 1
            for way in (1, -1)
            for threat in _threat(state, trilith, k, way)
        ]
    if state.phase == "attempt":
        return [t for x in state.placed for way in (1, -1) for t in _threat(state, x, state.at[x], way)]
    if state.phase in ("uncover", "show", "swap"):
        return _threat(state, state.racer, state.at[state.racer], state.way)
    return []


def _threat(state: RammingState, trilith: int, k: int, way: int) -> list[dict[str, Any]]:
    """One entry if this trilith, standing at k, could ram somebody this way; else none."""
    at = (*state.at[:trilith], k, *state.at[trilith + 1 :])
    victim, free = next_on_way(at, trilith, way)
    if victim < 0 or free == 0 or (state.seat_of(victim) == state.turn and not state.game.ram_own):
        return []
    steps = state.steps(free)
    if reach(state.blocks, k, way, state.game.cards_per_colour) < steps:
        return []
    result = crash(
        at, state.points, trilith, way, bounce=not state.game.easy, touch_rams=state.game.touch_is_ram
    )
    cards = (1 << k) | (1 << (k + 1) % FIELDS)
    return [
        {
            "trilith": state.triliths[trilith],
            "fields": list(PAIRS[k]),
            "cards": list(cards_of(cards & ~state.hands.discards)) if state.phase == "place" else [],
            "direction": state.direction(way),
            "target": state.triliths[victim],
            "damage": free,
            "way": [f"ring-{field + 1}" for field in fields_entered(k, way, steps)],
            "needed": [PLAYER_COLOURS[c] for c in colours_needed(state.blocks, k, way, steps)],
            "stops_on": list(PAIRS[result.at[trilith]]),
            "chain": _chain(state, result),
            "takes": sum(hit.paid for hit in result.hits),
        }
    ]


def _chain(state: RammingState, result: Crash) -> list[dict[str, Any]]:
    return [
        {
            "trilith": state.triliths[hit.victim],
            "free": hit.free,
            "damage": hit.damage,
            "pays": hit.paid,
            "destroyed": hit.destroyed,
            "from": list(PAIRS[hit.start]),
            "to": list(PAIRS[hit.end]) if hit.end != OFF else [],
        }
        for hit in result.hits
    ]
