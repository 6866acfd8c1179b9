"""What the referee makes of a view of the table.

A `Decision` is one of

    in_step      the table shows what the record says; nothing to enter
    moved        `explanation` clearly explains the view: enter its actions
    asking       two or three explanations are as good as each other: `answers`, most likely first
    waiting      two explanations are alive and the next view may decide; nothing to enter yet
    out_of_step  no legal explanation fits: `alarm` says what is seen, expected and wrong
    blind        too little of the board can be seen to say anything
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engine.action import Action
from engine.game import State
from engine.position import Change, difference
from engine.record import Record
from engine.words import LANGUAGES, Language, Text, translate_word

NO_WORDS = Text("", "")
NOTHING = Text("nothing happened", "nichts ist geschehen")
TAKEN_BACK = Text(
    "what was entered last did not happen", "was zuletzt eingetragen wurde, ist nicht geschehen"
)
Verdict = Literal["in_step", "moved", "asking", "waiting", "out_of_step", "blind"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Legal actions that would explain a view.

    actions: in order, chance and hidden ones included; who: who took each (a colour or "chance");
    back: so many steps of the record are replaced by them (0: they follow it); state: what they lead
    to; change: what a camera sees of them; log_likelihood: of the view, prior included;
    probability: among all explanations, the null hypothesis included; doubts: places whose reading
    does not agree; in_full: whether it has to be told who did what, chance included."""

    actions: tuple[Action, ...]
    who: tuple[str, ...]
    state: State
    change: Change
    log_likelihood: float
    probability: float = 0.0
    back: int = 0
    doubts: tuple[str, ...] = ()
    in_full: bool = False

    def text(self) -> Text:
        """The moves in words; what nobody's hand did (chance) is left out if there is anything else, unless
        it is told in full."""
        pairs = list(zip(self.actions, self.who, strict=True))
        if not pairs:
            return TAKEN_BACK if self.back else NOTHING
        told = pairs if self.in_full else [pair for pair in pairs if pair[1] != "chance"] or pairs
        return Text(*("; ".join(self._words(*pair, language) for pair in told) for language in LANGUAGES))

    def _words(self, action: Action, who: str, language: Language) -> str:
        words = str(action) if language == "en" else action.text(language)
        if not self.in_full:
            return words
        return f"{who if language == 'en' else translate_word(who, language)}: {words}"

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text().to_json(),
            "in_full": self.in_full,
            "actions": [str(action) for action in self.actions],
            "who": list(self.who),
            "back": self.back,
            "probability": round(self.probability, 4),
            "gone": [piece.to_json() for piece in self.change.gone],
            "come": [piece.to_json() for piece in self.change.come],
            "places": list(self.change.places),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], record: Record) -> Explanation:
        """What `to_json` wrote while `record` was as it is now: a question that is still open when a table
        is opened again. Raises HengeError if the record does not allow it (any more)."""
        back = int(data["back"])
        now = record.state
        state = record.steps[-back].before if back else now
        actions = tuple(state.game.parse(text) for text in data["actions"])
        for action in actions:
            state = state.apply(action)
        change = difference(now.visible(), state.visible())
        share = float(data["probability"])
        likelihood, in_full = math.log(max(share, 1e-9)), bool(data.get("in_full"))
        return cls(actions, tuple(data["who"]), state, change, likelihood, share, back, in_full=in_full)


def told_apart(explanations: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """The answers to one question: those that would read alike are told in full."""
    texts = [each.text() for each in explanations]
    pairs = zip(explanations, texts, strict=True)
    return tuple(replace(each, in_full=texts.count(text) > 1) for each, text in pairs)


@dataclass(frozen=True, slots=True)
class Repair:
    """A way back to agreement. kind: "put_back" (clears by itself when it is seen), "misread" (the
    reading is wrong: open these places) or "allow" (the game goes on from what is seen)."""

    kind: Literal["put_back", "misread", "allow"]
    text: Text
    places: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "text": self.text.to_json(), "places": list(self.places)}


@dataclass(frozen=True, slots=True)
class Alarm:
    """The table does not follow the record.

    seen, expected: one sentence each. reason: the engine's rule against the nearest explanation.
    places: the fields concerned. action: the illegal action it looks like, if it looks like one.
    change: how the table differs from the record."""

    seen: Text
    expected: Text
    reason: Text | None
    places: tuple[str, ...]
    repairs: tuple[Repair, ...]
    change: Change = field(default_factory=Change)
    action: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "seen": self.seen.to_json(),
            "expected": self.expected.to_json(),
            "reason": self.reason.to_json() if self.reason else None,
            "places": list(self.places),
            "repairs": [repair.to_json() for repair in self.repairs],
            "gone": [piece.to_json() for piece in self.change.gone],
            "come": [piece.to_json() for piece in self.change.come],
            "action": self.action,
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do about a view; see the module's text."""

    verdict: Verdict
    explanation: Explanation | None = None
    answers: tuple[Explanation, ...] = ()
    alarm: Alarm | None = None
    message: Text = NO_WORDS
    scores: Mapping[str, float] = field(default_factory=dict)
