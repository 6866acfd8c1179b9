"""`henge log`: a game log from photographs in order.

While it works, the record so far lies in a folder beside the log (GAME.work); interrupted and started
again, it goes on where it was. The folder goes when the log is written.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from cli.errors import UsageError
from cli.main import DONE, WRONG
from cli.play import add_game, variants_of
from cli.profiles import add_profile, profile_of, reader_for
from engine import CHANCE, Observation
from engine.errors import HengeError
from engine.referee import Decision
from table import Hall, Table
from vision import CannotRead, Reader
from vision.pictures.settle import Settler
from vision.pictures.sources import (
    VIDEOS,
    Frame,
    Photos,
    Source,
    Video,
    in_order,
    no_photographs,
    photos_in,
    quiet_opencv,
)

# The referee waits for three looks; each that records what is sure begins them anew.
LAST_LOOKS = 8
TELLS_NOTHING = ("out_of_step", "blind")  # about what was open before


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "log",
        description="Makes a game log from photographs, in the order of their EXIF times or else of their "
        "names. Moves without a photo of their own are worked out (up to three turns); what could not be "
        "settled is noted in the log. Exit code 1: the last of them show something that no rule explains.",
    )
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="photos, folders of photos, videos"
    )
    add_game(parser, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="GAME", help="the log to write")
    parser.add_argument("--board", help="id or file of the board (default: the game's own)")
    add_profile(parser)
    parser.add_argument("--name", default="", help="a name for this game")
    parser.add_argument(
        "--running", action="store_true", help="the first photo shows a game already going on"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    quiet_opencv()
    photos, videos = sorted_out(args.images)
    work = args.output.with_name(args.output.name + ".work")
    with Hall(work) as hall:
        table, progress = resumed(hall, args, work)
        eyes = reader_for(table.game.id, table.players, args.board, profile_of(args))
        before = len(progress.done)
        begun = any(entry.kind == "allowed" for entry in table.entries)  # hidden deals are entered unasked
        logbook = Logbook(table, eyes, progress, running=args.running and not begun)
        console = Console(stderr=True)
        with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("reading", total=len(photos) or None)
            for frame in frames_of(photos, videos, progress):
                bar.update(task, description=frame.name)
                logbook.take(frame)
                bar.advance(task)
        logbook.finish()
        told = bool(logbook.read or before)
        if told:
            args.output.write_text(table.export_log(), encoding="utf-8")
    shutil.rmtree(work)
    if not told:
        raise UsageError(f"{args.output} is not written: none of the pictures could be read")
    moves = sum(entry.kind == "move" and entry.who != CHANCE for entry in table.entries)
    print(f"{args.output}: {moves} moves from {logbook.read} pictures", file=sys.stderr)
    for line in logbook.open_questions:
        print(f"henge: {line}", file=sys.stderr)
    return WRONG if logbook.open_questions else DONE


def sorted_out(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """The photographs in order, and the videos as given. Raises UsageError for what is neither."""
    photos: list[Path] = []
    videos: list[Path] = []
    for path in paths:
        if path.is_dir():
            photos += photos_in(path)
        elif not path.exists():
            raise UsageError(f"{path} is not there")
        else:
            (videos if path.suffix.lower() in VIDEOS else photos).append(path)
    if not photos and not videos:
        raise UsageError(no_photographs(paths[0]))
    return in_order(photos), videos


@dataclass
class Done:
    """Which pictures have been dealt with, in a file that grows line by line."""

    path: Path
    done: dict[str, float]

    def add(self, name: str, seconds: float = 0.0) -> None:
        self.done[name] = seconds
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([name, seconds]) + "\n")


def resumed(hall: Hall, args: argparse.Namespace, work: Path) -> tuple[Table, Done]:
    """The table and how far it had come. Raises UsageError if another game was begun for this log."""
    progress = Done(work / "progress", {})
    begun = [*hall.tables(), *hall.shelf()]
    if not begun:
        return hall.create(
            args.game, args.players, variants_of(args), name=args.name or args.output.stem
        ), progress
    table = hall.open(begun[0].id)
    if (table.row.game, table.players) != (args.game, args.players):
        raise UsageError(
            f"{work} holds a log of {table.row.game} with {', '.join(table.players)} that was interrupted: "
            "go on with that game, or delete the folder"
        )
    if progress.path.exists():
        for line in progress.path.read_text(encoding="utf-8").splitlines():
            try:
                name, seconds = json.loads(line)
            except ValueError:
                continue  # the last line of a process that was killed
            progress.done[name] = seconds
        print(f"going on after {len(progress.done)} pictures", file=sys.stderr)
    return table, progress


def frames_of(photos: Sequence[Path], videos: Sequence[Path], progress: Done) -> Iterator[Frame]:
    """Every picture that has not been dealt with."""
    waiting = [path for path in photos if str(path) not in progress.done]
    if waiting:
        yield from _all(Photos(waiting))
    for path in videos:
        with Video(path) as video:
            assert isinstance(video, Video)
            video.skip_to(progress.done.get(str(path), 0.0))
            yield from settled(video, path)


def _all(source: Source) -> Iterator[Frame]:
    while (frame := source.read()) is not None:
        yield frame


def settled(video: Video, path: Path) -> Iterator[Frame]:
    """The pictures of a video in which hands are gone and something is new."""
    settler = Settler()
    while (frame := video.read()) is not None:
        assert frame.image is not None
        motion = settler.update(frame.image, video.seconds)
        if motion.state == "still" and motion.changed:
            settler.settled()
            yield Frame(frame.image, frame.name, path=path)


class Logbook:
    """Shows pictures to the table and notes what could not be settled."""

    def __init__(self, table: Table, eyes: Reader, progress: Done, *, running: bool) -> None:
        self._table, self._eyes, self._progress, self._running = table, eyes, progress, running
        self.read = 0
        self.open_questions: list[str] = []
        self._doubt: str | None = None
        self._open: tuple[Frame, Observation] | None = None  # the last that agreed, if it left something open

    def take(self, frame: Frame) -> None:
        """One picture."""
        if frame.image is None:
            self._remark(frame, frame.problem or "cannot be read")
        else:
            try:
                view = self._table.view
                seen = self._eyes.read(frame.image, before=view.observation.position if view else None)
                self.read += 1
                if self._running:
                    self._table.take_over(seen)
                    self._running = False
                else:
                    self._show(frame, seen)
                    if self._table.status.name not in TELLS_NOTHING:
                        self._open = None if self._table.status.name == "in_step" else (frame, seen)
            except CannotRead as error:
                self._remark(frame, str(error))
            except HengeError as error:
                self._remark(frame, f"what was read makes no sense: {error}")
        seconds = float(frame.name.rsplit(" at ", 1)[-1][:-2]) if " at " in frame.name else 0.0
        self._progress.add(str(frame.path or frame.name), seconds)

    def finish(self) -> None:
        """After the last picture: as no other one comes, it is looked at again until what it shows is
        settled; what is open even then is decided by what is likeliest, and said so. If it shows what no rule
        explains, that goes for the one before it: the record ends with what had happened until then."""
        doubt = self._doubt
        for _ in range(LAST_LOOKS):
            if self._open is not None and self._table.status.name not in ("in_step", "asking"):
                self._show(*self._open)
        status = self._table.status
        if status.name == "asking":
            best = status.answers[0]
            self._table.answer(0, by="camera")
            self._table.note(
                f"the last move is the likeliest of several ({best.probability:.0%}), not seen clearly"
            )
        elif status.name == "looking" and self._open is not None:
            self._doubt = f"{self._open[0].name}: what lies there could not be settled"
            self._table.note(self._doubt)
        self.open_questions += dict.fromkeys(each for each in (doubt, self._doubt) if each)

    def _show(self, frame: Frame, seen: Observation) -> None:
        self._note(frame, self._table.see(seen, None, frame.at, photo=frame.name))

    def _note(self, frame: Frame, decision: Decision | None) -> None:
        self._doubt = None
        if decision is None:
            return
        if decision.verdict == "out_of_step" and decision.alarm:
            alarm = decision.alarm
            why = f" ({alarm.reason})" if alarm.reason else ""
            self._doubt = f"{frame.name}: {alarm.seen}, {alarm.expected}{why}"
            self._table.note(self._doubt)
        elif decision.verdict == "asking":
            between = " or ".join(str(answer.text()) for answer in decision.answers)
            self._table.note(f"{frame.name}: {between}?")

    def _remark(self, frame: Frame, problem: str) -> None:
        line = problem if frame.name in problem else f"{frame.name}: {problem}"
        self._table.note(line)
        print(f"henge: {line}", file=sys.stderr)
