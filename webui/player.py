"""What plays a recorded table back on the page: photographs through the reader, or a log through the rules.

The page only knows this interface; `cli.demo` brings the players.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class PlayerState:
    """source: what is played. step: how much of it has been shown, of `count`. seconds: per step."""

    source: Literal["photographs", "log"]
    playing: bool
    step: int
    count: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Player(Protocol):
    """A recorded table that can be played, stopped and stepped; safe to call from any thread."""

    @property
    def state(self) -> PlayerState: ...

    def play(self) -> None: ...

    def pause(self) -> None: ...

    def step(self) -> None:
        """Shows the next photograph or move, then pauses."""

    def set_pace(self, seconds: float) -> None: ...
