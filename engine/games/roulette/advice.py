"""What an onlooker would point out: what each fall would crush, and what is expected now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.cards import RING_COLOURS
from engine.games.roulette.cards import NUMBER_CARD, OF_COLOUR, TRILITH_CARD
from engine.games.roulette.ring import NEXT_FIELD, PITS, RING, hit_pits
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.roulette.state import RouletteState

DAY_CARD: Final = (1 << 30) - 1
NIGHT_CARD: Final = NUMBER_CARD & ~DAY_CARD
PROMPTS: Final[dict[str, Text]] = {
    "offerings": Text(" is dealt the offerings", " bekommt die Karten für die Opfergaben"),
    "triliths": Text(" places the offering of a trilith card", " legt die Opfergabe einer Trilith-Karte"),
    "deal": Text(" is dealt a hand", " bekommt Handkarten"),
    "play": Text(
        " plays cards of one colour, ends the turn or passes",
        " spielt Karten einer Farbe, beendet den Zug oder passt",
    ),
    "fall": Text(
        " lets the ball fall: turn up the top card of the pile",
        " lässt die Kugel fallen: decke die oberste Karte des Stapels auf",
    ),
    "refill": Text(" draws up to the hand limit", " zieht bis zur Handgrenze nach"),
}


def prompt(state: RouletteState) -> Text:
    if state.to_move is None:
        return Text(
            "the pile has been played through: the game is over",
            "der Stapel ist durchgespielt: das Spiel ist zu Ende",
        )
    player = name(state.players[state.seat])
    if state.phase == "neutral":
        neutral = name(state.neutral_colour)
        return Text(
            f"ten cards place the neutral {neutral.en} offerings",
            f"zehn Karten legen die neutralen Opfergaben ({neutral.de})",
        )
    if state.phase == "ball":
        return Text("a card places the ball", "eine Karte bestimmt das Feld der Kugel")
    if state.phase == "triliths":
        player = name(state.players[state.waiting[0]])
    return player + PROMPTS[state.phase]


def fall_insights(state: RouletteState) -> dict[str, Any]:
    """The part of `RouletteState.insights` that concerns the ball."""
    if not state.ball:
        return {"ball": None, "facing": state.facing, "here": None, "ahead": {}, "chances": {}}
    return {
        "ball": RING[state.ball],
        "facing": state.facing,
        "here": _fall_at(state, state.ball),
        "ahead": {colour: _ahead(state, colour) for colour in _colours_in_play(state)},
        "chances": _chances(state),
    }


def _fall_at(state: RouletteState, number: int) -> dict[str, Any]:
    day, night = hit_pits(number, 60)
    return {
        "field": RING[number],
        "night": list(state.pits[night]),
        "day": list(state.pits[day]),
        "trilith": list(state.pits[day] + state.pits[night]),
        "pits": [PITS[night], PITS[day]],
    }


def _colours_in_play(state: RouletteState) -> tuple[str, ...]:
    """The colours that the player to move can still play, as far as the record knows."""
    if state.phase != "play":
        return RING_COLOURS
    held = state.held
    return tuple(c for c in RING_COLOURS if held & OF_COLOUR[c] and state.colour in (None, c))


def _ahead(state: RouletteState, colour: str) -> list[dict[str, Any]]:
    """The falls that one to five cards of `colour` lead to; five of the ball's own colour lead once
    round the ring."""
    entries, number = [], state.ball
    for cards in range(1, 6):
        number = NEXT_FIELD[state.step][colour][number]
        entries.append({"cards": cards, **_fall_at(state, number)})
    return entries


def _chances(state: RouletteState) -> dict[str, float]:
    top = state.hands.pile
    total = top.bit_count() or 1
    masks = {"night": NIGHT_CARD, "day": DAY_CARD, "trilith": TRILITH_CARD}
    return {kind: (top & mask).bit_count() / total for kind, mask in masks.items()}
