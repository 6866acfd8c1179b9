"""What a table tells the page: its status, its events, its last picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine import Observation, Text
from engine.referee import Alarm, Explanation

# in_step      table and record agree; `message` is the last move in words
# looking      something is going on, nothing is recorded; `message` says what ("a hand is over the board")
# asking       `message` is the question, `answers` its two or three answers (Table.answer(n), n from 0)
# out_of_step  `alarm`; nothing is recorded from the camera until table and record agree
# blind        nothing can be read; `message` says why and what to do
StatusName = Literal["in_step", "looking", "asking", "out_of_step", "blind"]


@dataclass(frozen=True, slots=True)
class Status:
    """Whether the table and the record agree, and what is asked of the people."""

    name: StatusName
    message: Text
    answers: tuple[Explanation, ...] = ()
    alarm: Alarm | None = None
    places: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "message": self.message.to_json(),
            "answers": [answer.to_json() for answer in self.answers],
            "alarm": self.alarm.to_json() if self.alarm else None,
            "places": list(self.places),
        }


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table. Ids increase, also over restarts; those of one table only.

    kind "entry": data is the new entry (public). "status": data is the status. "view": a new picture
    lies ready, data is its number (not kept). "opened": load everything anew."""

    id: int
    kind: Literal["entry", "status", "view", "opened"]
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """The last settled picture and what was read in it. jpeg: None if no picture came with it, or if it is
    kept elsewhere under the name `photo`."""

    number: int
    at: str
    observation: Observation
    jpeg: bytes | None = None
    photo: str | None = None
