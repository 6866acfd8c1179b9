"""What people said lies at a place, against what the camera reads there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine import Observation, Thing


@dataclass(frozen=True, slots=True)
class _Pin:
    """What lies there, and what the camera held it for."""

    thing: Thing | None
    mistaken_for: Thing | None


class Pins:
    """Readings that people put right. Each holds as long as the camera goes on seeing what it saw then."""

    def __init__(self) -> None:
        self._at: dict[str, _Pin] = {}

    def put(self, place: str, thing: Thing | None, observation: Observation) -> None:
        """In truth `thing` (None: nothing) lies at `place`, whatever `observation` holds it for."""
        seen = observation.ranked(place)
        self._at[place] = _Pin(thing, seen[0][0] if seen else None)

    def over(self, observation: Observation) -> Observation:
        """The observation with what people said; where the view has changed it is looked at afresh."""
        fields = dict(observation.fields)
        for place, pin in list(self._at.items()):
            seen = observation.ranked(place)
            if seen and seen[0][0] not in (pin.mistaken_for, pin.thing):
                del self._at[place]
            else:
                fields[place] = {pin.thing: 1.0}
        return replace(observation, fields=fields) if self._at else observation
