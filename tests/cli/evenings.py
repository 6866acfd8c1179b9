"""What no camera sees of the recorded evenings: a log made from photographs is compared with the recorded one
in so far as it can be known."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from engine.action import Action, covers
from engine.cards import PLAYER_COLOURS, colour_of, ring_colour
from engine.game import CHANCE
from engine.games.ramming.actions import Show, Uncover
from engine.games.rolling.actions import Through
from engine.log import GameLog, load, replay
from engine.position import Position
from engine.record import Step
from table import Table
from table.seen import action_seen

DEMO = Path(__file__).resolve().parents[2] / "sample_images" / "demo"

# Per game, what a move is as far as anybody can see it: cards that go from hand to hand or lie face down,
# the numbers of cards that nobody reads, where exactly a bank stands, what is looked at in private.
HIDDEN: dict[str, tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]] = {
    "stonehenge": (),
    "build": (
        # Whether a card came from the pile or from the display, which lies beside the board.
        (r"take \S+|draw from the pile", "draw ??"),
        (r"(give|discard) \S+", r"\1 ??"),
        (r"play \d+-day face down", "play ??-day face down"),
    ),
    "council": ((r"discuss \S+ for (\S+)", r"discuss ?? for \1"),),
    "rolling": (
        (r"(bank|set up \w+) at .*", r"\1"),
        # Both are gone, and nobody has marked a gate.
        (r"no gate|sideways off the board", "no gate"),
    ),
    "ramming": (
        (r"play \d+-day: (.*)", r"play ??-day: \1"),
        (r"look at \S+|do not look", "look at ??"),
    ),
    "roulette": (
        (r"(\w+) offers \S+", r"\1 offers ??"),  # in which order; the table tells into which pits
        (r"(move|fall) (\d+)-\w+", lambda card: f"{card[1]} ??-{ring_colour(int(card[2]))}"),
        (r"flip \S+", "flip ??"),
        (r"turn up .*", "turn up ??"),  # the pits tell what was hit
    ),
}
Told = tuple[str, str, Position]


def photographs(name: str) -> list[str]:
    return [str(path) for path in sorted((DEMO / name).glob("*.jpg"))]


def moves(path: Path) -> list[str]:
    return [entry.text for entry in load(path).log.entries if entry.kind == "move"]


def told(path: Path) -> list[Told]:
    """Every move that leaves a trace or that the rules ask of a player: who, what, and the table that a
    camera sees when the next one is due. Deals are told by that table: a trilith card comes to a yard in
    sight, all others unseen."""
    log = load(path).log
    trace = TRACES.get(log.game, _move)
    found: list[Told] = []
    for step in replay(log).steps:
        if step.action is None:
            continue  # the table as it was when the record began
        position = step.after.visible()
        move = trace(step)
        if move is not None:
            who, text = move
            found.append((who, _knowable(text, log.game), position))
        elif found:
            found[-1] = (*found[-1][:2], position)
    return found


class People:
    """Sit at a table and state on its page what the rules let no camera see (`Game.told`), as soon as they
    have done it; where the page asks, they know what they did."""

    def __init__(self, table: Table, recorded: GameLog) -> None:
        self._table, self._next = table, 0
        self._photos = [entry.photo or "" for entry in recorded.entries]
        self._steps = replay(recorded).steps

    def tell(self, seen: str, following: str) -> None:
        """After the photograph `seen`: what was done since the last move that it shows, until `following` is
        taken or something is done that the camera has to see. An arm over the board, in a photograph that no
        move names, reaches for what the next one shows."""
        following = next((photo for photo in self._photos if photo >= following), following)
        shown = [n for n, photo in enumerate(self._photos) if photo <= seen and self._is_for_camera(n)]
        self._next = max(self._next, shown[-1] + 1 if shown else 0)
        while self._next < len(self._steps) and self._photos[self._next] <= following:
            if self._is_for_camera(self._next):
                return
            step = self._steps[self._next]
            if isinstance(step.action, self._table.game.told) and self._is_to_be_said(step):
                self._table.play(str(action_seen(step, None)))
            self._next += 1

    def answer(self, seen: str) -> None:
        """If there is a question: with what was done last until the photograph `seen`."""
        shown = [n for n, photo in enumerate(self._photos) if photo <= seen and self._is_for_camera(n)]
        done = [step.action for step in self._steps[: max(shown, default=0) + 1] if not step.by_chance][::-1]
        for number, answer in enumerate(self._table.status.answers):
            mine = [each for each, who in zip(answer.actions, answer.who, strict=True) if who != CHANCE]
            pairs = zip(reversed(mine), done, strict=False)
            if mine and all(_says(said, action) for said, action in pairs if action is not None):
                self._table.answer(number)
                return

    def _is_to_be_said(self, step: Step) -> bool:
        """Whether it is not in the record yet: the camera may have seen what came of it."""
        return self._table.state.to_move == step.before.to_move

    def _is_for_camera(self, number: int) -> bool:
        step = self._steps[number]
        return not step.by_chance and not isinstance(step.action, self._table.game.told)


def _says(said: Action, action: Action) -> bool:
    return covers(said, action) or type(action) in said.sums_up


def _knowable(text: str, game: str) -> str:
    for hidden, shown in HIDDEN[game]:
        if re.fullmatch(hidden, text):
            return re.sub(hidden, shown, text)
    return text


def _move(step: Step) -> tuple[str, str] | None:
    return None if step.by_chance else (str(step.before.to_move), str(step.action))


def _roll(step: Step) -> tuple[str, str] | None:
    """How a wheel rolled can be seen, but not that it also went through gates that are marked already."""
    if isinstance(step.action, Through):
        marked = [gate for gate in step.action.gates if step.before.markers[gate - 1] is None]
        return "chance", f"through {'+'.join(map(str, marked))}" if marked else "no gate"
    return str(step.before.to_move), str(step.action)


def _race(step: Step) -> tuple[str, str] | None:
    """The cards that are turned up in a race lie face down again when the camera sees the table."""
    before, after, action = step.before, step.after, step.action
    if isinstance(action, Uncover):
        return None
    if isinstance(action, Show):
        if after.phase in ("uncover", "show", "swap"):
            return None
        right = colour_of(action.card) == PLAYER_COLOURS[before.next_block()]
        return before.players[before.turn], f"turn up ??: {before.correct + right} right"
    return None if step.by_chance and str(action).startswith(("lay ", "shuffle", *DRAWS)) else _seen(step)


def _seen(step: Step) -> tuple[str, str]:
    return str(step.before.to_move), str(step.action)


DRAWS = tuple(f"{colour} draws" for colour in PLAYER_COLOURS)
TRACES: dict[str, Callable[[Step], tuple[str, str] | None]] = {"rolling": _roll, "ramming": _race}
