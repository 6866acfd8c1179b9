"""The recorded tables: a game of each of the six, played by the engine and photographed from one fixed
camera, and of each a few minutes in which something forbidden is done.

    python -m sample_images.generator.demo stonehenge --out sample_images/demo/stonehenge
    python -m sample_images.generator.demo council-illegal --out sample_images/demo/council-illegal
    python -m sample_images.generator.demo build --out sample_images/demo/build --log-only

The folder then holds `game.henge` (the whole game, hidden cards included; each move names the photograph
that shows it first), `0001.jpg` .. with their labels, the first one of the empty board. Photographs that are
there already are kept, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine import log
from engine.action import Action
from engine.board import Board, load_board
from engine.game import CHANCE, State
from engine.games.build.state import BuildState
from engine.position import Position
from engine.record import Entry
from sample_images.generator import mishaps
from sample_images.generator.count import count_by_hand
from sample_images.generator.layout import laid_out
from sample_images.generator.moments import Moment, is_due
from sample_images.generator.players import play
from sample_images.generator.recordings import RECORDINGS, Recording

LOG = "game.henge"
SAMPLES = 4
Steps = Sequence[tuple[Action, State]]


@dataclass(frozen=True)
class View:
    """One photograph to be taken: `step` actions of the game have happened by then. `number` of its file
    (from 1); `hand`: the one before it shows an arm that reaches for the place that changes. `taken`: how it
    is taken, if not like the one before (see `shoot_sequence`)."""

    step: int
    position: Position
    number: int = 1
    hand: bool = False
    label: dict[str, Any] = field(default_factory=dict)
    taken: dict[str, Any] = field(default_factory=dict)

    @property
    def is_taken(self) -> bool:
        """Whether there is a photograph at all."""
        return bool(self.taken.get("taken", True))

    @property
    def photo(self) -> str:
        """The name of the file."""
        return f"{self.number:04d}.jpg"


# --- when a photograph is taken ---------------------------------------------------------------------


def views_of(recording: Recording, start: State, steps: Steps) -> list[View]:
    """The empty board, then a view wherever one is due and shows something new."""
    views = [View(0, start.visible())]
    since: list[type[Action]] = []
    for number, moment in enumerate(_moments(start, steps, since), start=1):
        position = moment.after.visible()
        if not is_due(start.game.id, moment) or position.same_as(views[-1].position):
            continue
        hand = len(views) + 1 in recording.hands
        views.append(View(number, position, views[-1].number + 1 + hand, hand))
        since.clear()
        if len(views) == recording.until:
            break
    last = steps[-1][1]
    if isinstance(last, BuildState):
        views[-1] = replace(views[-1], label=count_by_hand(last.visible(), *_owner(last)))
    return views


def _moments(start: State, steps: Steps, since: list[type[Action]]) -> Iterator[Moment]:
    """Each action with what comes before and after it; who takes a photograph clears `since`."""
    before = start
    for number, (action, after) in enumerate(steps, start=1):
        rest = steps[number:]
        states = (after, *(state for _, state in rest))
        choices = (each for (each, _), state in zip(rest, states, strict=False) if state.to_move != CHANCE)
        since.append(type(action))
        yield Moment(before, action, after, rest[0][0] if rest else None, next(choices, None), tuple(since))
        before = after


def _owner(state: BuildState) -> tuple[tuple[str, ...], str | None]:
    return state.players, state.players[state.neutral_owner] if state.neutral_owner >= 0 else None


# --- the log ----------------------------------------------------------------------------------------


def game_log(game: str, recording: Recording, start: State, steps: Steps, views: list[View]) -> log.GameLog:
    """What has been played; every action names the first photograph taken after it."""
    played = steps if recording.until is None else steps[: views[-1].step]
    entries = _entries(start, played, views)
    last = played[-1][1]
    totals = ", ".join(f"{player} {score.total}" for player, score in last.scores().items())
    result, seed = totals if last.is_over else "", {"seed": str(recording.seed)}
    return log.GameLog(game, recording.players, recording.variant, name=recording.name, entries=entries,
                       result=result, extra=seed)  # fmt: skip


def _entries(start: State, steps: Steps, views: list[View], first: int = 0) -> tuple[Entry, ...]:
    """The actions from `first` on, with the photographs that show them."""
    entries, before = [], start
    for index, (action, after) in enumerate(steps, start=first + 1):
        photo = next((view.photo for view in views if view.step >= index), None)
        entries.append(Entry("move", str(action), who=before.to_move or CHANCE, photo=photo))
        before = after
    return tuple(entries)


# --- the table --------------------------------------------------------------------------------------


def positions(views: list[View], board: Board, seed: int) -> Iterator[dict[str, Any]]:
    """The views as a sequence for the photographer."""
    for view in views:
        pieces = laid_out(view.position, board, seed)
        taken = {"hand": True, **view.taken} if view.hand else view.taken
        yield {"pieces": [piece.to_json() for piece in pieces], "label": view.label, **taken}


# --- command line -----------------------------------------------------------------------------------


def recorded(name: str) -> tuple[log.GameLog, list[View]]:
    """The log and the views of a recording, or of a mishap at its table ("council-illegal")."""
    game, _, illegal = name.partition("-")
    recording = RECORDINGS[game]
    steps = play(game, recording.players, recording.seed, recording.variant)
    start = log.GameLog(game, recording.players, recording.variant).first_state()
    if illegal:
        return mishap_log(game, recording, start, steps)
    views = views_of(recording, start, steps)
    return game_log(game, recording, start, steps, views), views


def mishap_log(game: str, recording: Recording, start: State, steps: Steps) -> tuple[log.GameLog, list[View]]:
    """A few minutes from the middle of the game. What is done against the rules stands in the log as a note
    on the photographs that show it."""
    states = (start, *(state for _, state in steps))
    shots = mishaps.MISHAPS[game]
    begun = states[shots[0].step]
    views, lawful, notes = _mishap_views(game, views_of(recording, start, steps), states), [], []
    for shot, view in zip(shots, (view for view in views if view.is_taken), strict=True):
        if shot.told:
            notes.append(Entry("note", f"{view.photo}: {shot.told}", photo=view.photo))
        else:
            lawful.append(view)
    entries = _entries(begun, steps[shots[0].step : shots[-1].step], lawful, shots[0].step)
    written = log.GameLog(game, recording.players, recording.variant, name=f"{recording.name}, a mishap",
                          start=begun.to_json(), entries=_by_photo(entries, notes))  # fmt: skip
    return written, views


def _by_photo(entries: Iterable[Entry], notes: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted((*entries, *notes), key=lambda entry: entry.photo or ""))


def _mishap_views(game: str, evening: list[View], states: Sequence[State]) -> list[View]:
    """What the evening had seen before is not taken, but says where everything has come to lie. A moment that
    one of its photographs shows is a copy of that, until camera or light are others."""
    shots = mishaps.MISHAPS[game]
    views = [replace(view, number=0, hand=False, taken={"taken": False})
             for view in evening if view.step < shots[0].step]  # fmt: skip
    number, as_ever = 0, True
    for shot in shots:
        number += 1 + shot.hand
        position = mishaps.disturbed(states[shot.step].visible(), shot)
        taken = dict(shot.taken)
        as_ever = as_ever and not {"camera", "light"} & set(taken)
        known = [view for view in evening if view.position.same_as(position)]
        if as_ever and known and not shot.told:
            taken["copy"] = f"../{game}/{known[0].photo}"
        views.append(View(shot.step, position, number, shot.hand, taken=taken))
    return views


def record(
    name: str, out: Path, only: Collection[int] = (), log_only: bool = False, samples: int = SAMPLES,
    threads: int = 0,
) -> int:  # fmt: skip
    """Play, write the log, take the photographs; returns how many there are."""
    written, views = recorded(name)
    out.mkdir(parents=True, exist_ok=True)
    (out / LOG).write_text(log.write(written), encoding="utf-8")
    count = views[-1].number
    _say(f"{len(written.entries)} entries, {count} photographs: {out / LOG}")
    if log_only:
        return count
    from sample_images.generator import shoot

    scene = RECORDINGS[written.game].scene
    wanted = list(positions(views, load_board(scene.board), scene.seed))
    shoot.shoot_sequence(scene, wanted, out, shoot.Craft(samples=samples, threads=threads), _say, only)
    return count


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: Iterable[str] | None = None) -> int:
    """Entry point: 0 done, 2 bad input."""
    parser = argparse.ArgumentParser(prog="python -m sample_images.generator.demo", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    names = (*RECORDINGS, *(f"{game}-illegal" for game in mishaps.MISHAPS))
    parser.add_argument("name", choices=names)
    parser.add_argument("--out", type=Path, required=True, help="folder for log, photographs and labels")
    parser.add_argument("--log-only", action="store_true", help="play and write the log, render nothing")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="render only these photographs")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="light paths per pixel")
    parser.add_argument("--threads", type=int, default=0, help="how many processors render (0: all)")
    options = parser.parse_args(list(arguments) if arguments is not None else None)
    record(options.name, options.out, options.only or (), options.log_only, options.samples, options.threads)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
