"""The points of Opferroulette: two for each own disc left, one for each disc crushed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import PLAYER_COLOURS
from engine.games.roulette.ring import PITS
from engine.score import ScorePart
from engine.words import Text, name

POINTS_LEFT, POINTS_CRUSHED = 2, 1
POINTS: Final = Text("points", "Punkte")


def left_part(pits: Sequence[tuple[str, ...]], colour: str) -> ScorePart:
    """Two points for each own disc that is still in a pit."""
    places = tuple(PITS[index] for index, discs in enumerate(pits) for _ in range(discs.count(colour)))
    return ScorePart(
        "left",
        Text(f"{len(places)} own offerings left", f"{len(places)} eigene Opfergaben übrig"),
        POINTS_LEFT * len(places),
        places,
    )


def crushed_parts(captured: Sequence[str]) -> tuple[ScorePart, ...]:
    """One point for each disc crushed, by colour: own, foreign and neutral ones alike."""
    counts = {colour: captured.count(colour) for colour in PLAYER_COLOURS}
    return tuple(
        ScorePart(
            f"crushed-{colour}",
            Text(f"{count} {colour} crushed", f"{count}-mal {name(colour).de} zermahlen"),
            POINTS_CRUSHED * count,
        )
        for colour, count in counts.items()
        if count
    )
