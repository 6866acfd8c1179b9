"""What somebody may know of what happened: the one way from a record to pages, event streams and logs.

A record may hold more than everybody knows: cards that were dealt by name, a hand that was told, a stone
placed face down. `state.view(player)` hides that in states. An action is hidden by the same rule: as
somebody sees it, it is the one that leads from his view before it to his view after it. So a record as
`seen_by` somebody replays from his view of its start, and nothing in it goes beyond his views.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace

from engine import Action, State, state_from_json
from engine.cards import UNKNOWN, is_known
from engine.record import Entry, Record, Step


def action_seen(step: Step, player: str | None) -> Action | None:
    """The step's action as `player` sees it (None: an onlooker); None where no action was taken."""
    action = step.action
    if action is None:
        return None
    before, after = step.before.view(player), step.after.view(player)
    if _leads(before, action, after):
        return action
    candidates = (each for each in _vaguer(step, player, before) if _leads(before, each, after))
    return next(candidates, _masked(action))


def entry_seen(entry: Entry, steps: Sequence[Step], player: str | None) -> Entry:
    """`entry` as `player` sees it; `steps` are those of the record once it is entered."""
    if entry.kind == "hand":
        return entry if player is not None and entry.who == player else entry.public()
    if entry.kind == "allowed":
        state = state_from_json(entry.data["state"])
        return replace(entry, data={"state": state.view(player).to_json()})
    if entry.kind not in ("move", "correction"):
        return entry
    count = 1 if entry.kind == "move" else sum(1 for part in entry.text.split(";") if part.strip())
    taken = steps[len(steps) - count :]
    text = "; ".join(str(action_seen(step, player)) for step in taken)
    if text == "; ".join(str(step.action) for step in taken):
        return entry
    return replace(entry, text=text, extra={})  # a note that we do not know may say what is hidden


def seen_by(player: str | None, start: State, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries of a record that begins with `start`, as `player` sees them."""
    record = Record(start)
    seen = []
    for entry in entries:
        record.add(entry)
        seen.append(entry_seen(record.entries[-1], record.steps, player))
    return tuple(seen)


def _leads(before: State, action: Action, after: State) -> bool:
    return before.why_not(action) is None and before.apply(action) == after


def _vaguer(step: Step, player: str | None, before: State) -> Iterator[Action]:
    """The actions that may be what is seen of the step's action, the likely ones first."""
    assert step.action is not None
    yield _masked(step.action)
    if as_seen := getattr(step.before, "as_seen", None):  # a game that shows more of it: a blocked hand
        yield as_seen(step.action, player)
    yield from before.legal_actions()


def _masked(action: Action) -> Action:
    """`action` with "??" for every card that it names."""
    hidden = {
        item.name: _hidden(getattr(action, item.name)) for item in fields(action) if item.name != "place"
    }
    return replace(action, **hidden)


def _hidden(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_hidden, value))
    if isinstance(value, str) and is_known(value):
        return UNKNOWN
    return value
