"""`henge bench calibration DIR`: what `henge calibrate` is worth on tables that are not ours."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from calibration.profile import load_profile
from cli.bench_vision import compared, labelled
from cli.errors import UsageError
from cli.main import DONE, main
from cli.output import add_json, print_json, print_rows
from vision import CannotRead, Reader
from vision.compare import Comparison
from vision.pictures.images import load_image

EMPTY, PIECES, BOARD, LABELS = "empty.jpg", "pieces.jpg", "board.json", "labels.json"
BEFORE, AFTER, KIT = "before", "after", "kit"


@dataclass
class Tally:
    """How well a number of pictures was read; None stands for one that could not be read at all."""

    comparisons: list[Comparison | None] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def misses(self) -> list[str]:
        """Every place that was read wrong, in words."""
        return [
            f"{name}: {miss.place} is {miss.truth}, read {miss.read} ({miss.confidence:.2f})"
            for name, each in zip(self.names, self.comparisons, strict=False)
            for miss in (each.misses if each is not None else ())
        ]

    def to_json(self) -> dict[str, Any]:
        done = [each for each in self.comparisons if each is not None]
        fields, wrong = sum(each.places for each in done), sum(len(each.misses) for each in done)
        return {
            "pictures": len(self.comparisons),
            "read": len(done),
            "exact": sum(each.exact for each in done),
            "fields": fields,
            "wrong": wrong,
            "right_share": round(1 - wrong / max(1, fields), 5),
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        type=Path,
        metavar="DIR",
        help="folders, one per table: board.json, empty.jpg and pieces.jpg for henge calibrate, and pictures "
        "to be read before and after, with all their labels in labels.json",
    )
    parser.add_argument(
        "--kit", type=Path, metavar="DIR", help="labelled pictures of the kit's own board to compare with"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Raises UsageError or CannotRead."""
    tables = [path.parent for path in sorted(args.folder.rglob(BOARD)) if (path.parent / EMPTY).exists()]
    if not tables:
        raise UsageError(f"{args.folder} holds no table: expected folders with {BOARD}, {EMPTY} and {PIECES}")
    found: dict[str, dict[str, Tally]] = {}
    for folder in tables:
        found[folder.name] = _measure(folder, quiet=args.json)
    kit = _measure_kit(args.kit, {_game(folder) for folder in tables}, args.json) if args.kit else None
    rows = {name: {when: tally.to_json() for when, tally in each.items()} for name, each in found.items()}
    every = {
        when: Tally([c for each in found.values() for c in each[when].comparisons]).to_json()
        for when in (BEFORE, AFTER)
    }
    misses = [line for each in found.values() for line in each[AFTER].misses()]
    if args.json:
        told = {"tables": rows, "all": every, KIT: None if kit is None else kit.to_json(), "misses": misses}
        print_json(told)
        return DONE
    lines: list[tuple[object, ...]] = [("", "", "pictures", "read", "exact", "fields", "wrong", "right")]
    for name, each in [*rows.items(), ("all", every)]:
        lines += [_row(name, when, row) for when, row in each.items()]
    if kit is not None:
        lines.append(_row("the kit's own", "", kit.to_json()))
    print_rows(lines)
    print("\nread wrong after calibration:" if misses else "\nnothing was read wrong after calibration")
    print_rows([(line,) for line in misses], "  ")
    return DONE


def _row(name: str, when: str, row: dict[str, Any]) -> tuple[object, ...]:
    counts = (row["pictures"], row["read"], row["exact"], row["fields"], row["wrong"])
    return name, when, *counts, f"{row['right_share']:.2%}"


def _measure(folder: Path, quiet: bool) -> dict[str, Tally]:
    """before: the board file and corners set by hand; after: the profile alone, the board found by its
    print."""
    with tempfile.TemporaryDirectory() as home:
        profile = load_profile(calibrated(folder, Path(home)))
    game = _game(folder)
    readers = {
        BEFORE: Reader(str(folder / BOARD), game=game),
        AFTER: Reader(profile.board, game=game, profile=profile),
    }
    tallies = {when: Tally() for when in readers}
    for path, label in track(list(_pictures(folder)), folder.name, disable=quiet, transient=True):
        for when, reader in readers.items():
            corners = np.array(label["corners_px"], float) if when == BEFORE else None
            tallies[when].comparisons.append(_read(reader, path, label, corners))
            tallies[when].names.append(f"{folder.name}/{path.name}")
    return tallies


def calibrated(folder: Path, home: Path) -> Path:
    """The profile of a table, made by the command as a person would: a file in `home`."""
    label = _labels(folder)[EMPTY]
    corners = " ".join(f"{round(x)},{round(y)}" for x, y in label["corners_px"])
    into = home / f"{folder.name}.zip"
    words = ["calibrate", "--board", folder / BOARD, "--reference", folder / EMPTY, "--corners", corners,
             "--pieces", folder / PIECES, "--game", label["game"], "-o", into]  # fmt: skip
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        code = main([str(word) for word in words])
    if code != DONE:
        raise CannotRead(f"{folder.name}: {told.getvalue().strip().splitlines()[-1]}")
    return into


def _pictures(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    named = _labels(folder).items()
    return ((folder / name, label) for name, label in named if name not in (EMPTY, PIECES))


def _labels(folder: Path) -> dict[str, dict[str, Any]]:
    """Picture -> its label. Raises UsageError."""
    try:
        labels: dict[str, dict[str, Any]] = json.loads((folder / LABELS).read_text(encoding="utf-8"))
        _ = labels[EMPTY], labels[PIECES]
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{folder / LABELS} should hold a label for each picture ({error})") from None
    return labels


def _game(folder: Path) -> str:
    return str(_labels(folder)[EMPTY]["game"])


def _measure_kit(folder: Path, games: set[str], quiet: bool) -> Tally:
    tally = Tally()
    readers: dict[str, Reader] = {}
    chosen = [(path, label) for path, label in labelled(folder, ("plain",)) if label.get("game") in games]
    for path, label in track(chosen, "the kit's own", disable=quiet, transient=True):
        reader = readers.setdefault(label["game"], Reader(label["board"], game=label["game"]))
        tally.comparisons.append(_read(reader, path, label, None))
    return tally


def _read(reader: Reader, path: Path, label: dict[str, Any], corners: Any) -> Comparison | None:
    reader.forget()  # every picture stands for itself
    try:
        image = load_image(path)
        seen = reader.read(image, corners_px=corners)
    except CannotRead:
        return None
    return compared(seen, label, reader.board, image)
