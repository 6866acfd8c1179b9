"""A score with the breakdown that a person would check by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.words import Text


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One line of a breakdown: `label` in words, the points it gives, and the places that count."""

    key: str
    label: Text
    points: int
    places: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "label": self.label.to_json(),
            "points": self.points,
            "places": list(self.places),
        }


@dataclass(frozen=True, slots=True)
class Score:
    """One player's score: the sum of its parts. `unit` names what is counted ("fame", "megaliths")."""

    unit: Text
    parts: tuple[ScorePart, ...] = ()

    @property
    def total(self) -> int:
        return sum(part.points for part in self.parts)

    def to_json(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "unit": self.unit.to_json(),
            "parts": [part.to_json() for part in self.parts],
        }
