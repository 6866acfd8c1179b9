"""The record of a game: entries in the order in which they were made, and the states they lead to.

Nothing is ever taken out of a record: an undo, a correction, an agreed exception are entries of their
own. The same entries stand in a log file (`engine.log`) and in a table's store.

>>> from engine import load_game
>>> record = Record(load_game("stonehenge").start(("black", "brown")))
>>> record.add(Entry("move", "place 4 on space-A")).to_move
'brown'
>>> record.add(Entry("undo")).to_move
'black'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from engine.action import Action
from engine.cards import UNKNOWN, is_known
from engine.errors import HengeError, IllegalActionError, StateError
from engine.game import CHANCE, State
from engine.games import state_from_json
from engine.words import Text, name

# move        `text` is the action in the engine's notation; `who` made it (a colour or "chance")
# undo        takes back the last move of a player, with the deals and draws after it
# redo        does again what the last undo took back
# correction  the last `back` steps were others than recorded: `text` is what really happened, "; " between
# allowed     the players agreed that the game goes on from `data["state"]`
# hand        `who` privately told his hand, `data["cards"]`; the text shows only how many
# note        anything worth telling; changes nothing
LARGEST_HAND: Final = 16  # five cards, and one more for every disc destroyed, in the game with most
KINDS: Final = ("move", "undo", "redo", "correction", "allowed", "hand", "note")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a record. `number` counts from 1 (0: not yet entered).

    by: who stated it, "camera", "person" or "rules" (what follows without anybody's doing).
    at: time as ISO 8601 text. photo: name of the picture. confidence: 0..1, of a reading.
    extra: annotations of a log file that we do not know; they are kept.
    """

    kind: str
    text: str = ""
    who: str | None = None
    by: str = "person"
    at: str | None = None
    photo: str | None = None
    confidence: float | None = None
    back: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, str] = field(default_factory=dict)
    number: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise StateError(f"an entry is one of {', '.join(KINDS)}, found {self.kind!r}")

    def public(self) -> Entry:
        """The entry as everybody may see it: a hand that was told keeps only its size."""
        return replace(self, data={}) if self.kind == "hand" else self

    def to_json(self) -> dict[str, Any]:
        """The entry as data; what is absent has its default."""
        data: dict[str, Any] = {"number": self.number, "kind": self.kind}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name not in data and value not in (None, "", {}, 0):
                data[item.name] = dict(value) if isinstance(value, Mapping) else value
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Entry:
        """What `to_json` wrote; unknown keys are ignored. Raises StateError naming what is wrong."""
        known = {item.name for item in fields(cls)}
        try:
            return cls(**{key: value for key, value in data.items() if key in known})
        except TypeError as error:
            raise StateError(f"an entry of a record needs a 'kind': {error}") from None


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the state: an action, or None where players agreed on another state."""

    action: Action | None
    before: State
    after: State

    @property
    def by_chance(self) -> bool:
        return self.action is not None and self.before.to_move == CHANCE


class Record:
    """Entries and the states they lead to. `add` refuses an entry that cannot be."""

    def __init__(self, start: State, entries: Iterable[Entry] = ()) -> None:
        self.start = start
        self._state = start
        self._entries: list[Entry] = []
        self._states: list[State] = [start]
        self._steps: list[Step] = []
        self._undone: list[tuple[Step, ...]] = []
        for entry in entries:
            self.add(entry)

    @property
    def state(self) -> State:
        """The state now."""
        return self._state

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What holds: every step that was not taken back, in order."""
        return tuple(self._steps)

    @property
    def can_undo(self) -> bool:
        return any(not step.by_chance for step in self._steps)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def state_at(self, number: int) -> State:
        """The state after entry `number`; 0 is the beginning. Raises StateError if there is none."""
        if not 0 <= number < len(self._states):
            raise StateError(f"the record has {len(self._states) - 1} entries, there is no entry {number}")
        return self._states[number]

    def add(self, entry: Entry) -> State:
        """Enters one more entry and returns the state after it.

        Raises IllegalActionError, UnknownActionError or StateError, and then nothing is entered."""
        steps, undone, state = list(self._steps), list(self._undone), self._state
        try:
            getattr(self, f"_enter_{entry.kind}")(entry)
        except HengeError:
            self._steps, self._undone, self._state = steps, undone, state
            raise
        self._entries.append(replace(entry, number=len(self._entries) + 1))
        self._states.append(self._state)
        return self._state

    # --- one method per kind of entry --------------------------------------------------------------

    def _enter_move(self, entry: Entry) -> None:
        if entry.who is not None and entry.who != self._state.to_move:
            raise IllegalActionError(_out_of_turn(entry.who, self._state))
        self._take(self._state.game.parse(entry.text))
        self._undone.clear()

    def _enter_undo(self, entry: Entry) -> None:
        if not self.can_undo:
            raise StateError("there is no move to take back")
        taken: list[Step] = []
        while not taken or taken[-1].by_chance:
            taken.append(self._steps.pop())
        self._undone.append(tuple(reversed(taken)))
        self._state = _still_known(taken[-1].before, taken)

    def _enter_redo(self, entry: Entry) -> None:
        if not self._undone:
            raise StateError("there is no move to do again")
        for step in self._undone.pop():
            if step.action is None:
                self._step(None, step.after)
            else:
                self._take(step.action)

    def _enter_correction(self, entry: Entry) -> None:
        if not 0 <= entry.back <= len(self._steps):
            raise StateError(
                f"a correction goes back {entry.back} steps, the record holds {len(self._steps)}"
            )
        for _ in range(entry.back):  # cards that those steps had shown were never there
            self._state = self._steps.pop().before
        for text in filter(None, (part.strip() for part in entry.text.split(";"))):
            self._take(self._state.game.parse(text))
        self._undone.clear()

    def _enter_allowed(self, entry: Entry) -> None:
        data = entry.data.get("state")
        if not isinstance(data, Mapping):
            raise StateError("an agreed state is written as JSON under 'state'")
        self._step(None, state_from_json(data))
        self._undone.clear()

    def _enter_hand(self, entry: Entry) -> None:
        cards = entry.data.get("cards")
        if cards and entry.who:  # without the cards it is the public side of the entry
            self._state = self._state.with_hand(entry.who, tuple(cards))

    def _enter_note(self, entry: Entry) -> None:
        pass

    def _take(self, action: Action) -> None:
        self._step(action, self._state.apply(action))

    def _step(self, action: Action | None, after: State) -> None:
        self._steps.append(Step(action, self._state, after))
        self._state = after


def _out_of_turn(who: str, state: State) -> Text:
    player = name(who)
    if state.to_move is None:
        return (
            Text("the game is over, ", "das Spiel ist zu Ende, ")
            + player
            + Text(" cannot move", " zieht nicht mehr")
        )
    return Text("it is not ", "") + player + Text("'s move: ", " ist nicht am Zug: ") + state.prompt()


def _still_known(state: State, taken: Iterable[Step]) -> State:
    """`state` with the cards that the steps taken back had shown: nobody can un-see a card."""
    for step in taken:
        mover = step.before.to_move
        cards = [card for card in _cards(step.action) if mover in state.players]
        if cards and state.game.half_seen:
            state = _with_known(state, str(mover), cards)
    return state


def _with_known(state: State, player: str, cards: list[str]) -> State:
    """`state` with these cards in the player's hand among others that nobody knows; unchanged if they did
    not come from there."""
    for others in range(LARGEST_HAND):
        try:
            return state.with_hand(player, (*cards, *[UNKNOWN] * others))
        except IllegalActionError:
            continue  # a hand of another size, or not his card
    return state


def _cards(action: Action | None) -> list[str]:
    if action is None:
        return []
    values = (getattr(action, item.name) for item in fields(action))
    tokens = (t for v in values for t in (v if isinstance(v, tuple) else (v,)))
    return [token for token in tokens if isinstance(token, str) and is_known(token)]
