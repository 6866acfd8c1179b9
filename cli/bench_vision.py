"""`henge bench vision DIR`: reads every labelled picture of a folder and compares."""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from cli.bench_speed import frame_times, in_words, is_wide
from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, print_json, print_rows
from cli.positions import load_json, position_of
from cli.profiles import add_profile, profile_of
from cli.read import corners
from engine import Piece, Position
from engine.board import Board
from engine.board_check import is_number
from engine.observation import Observation
from vision import CannotRead, Reader
from vision.compare import Comparison, compare, in_the_picture
from vision.pictures.images import load_image
from vision.pictures.sources import PHOTOS
from vision.yards.areas import AREA_KINDS

# A label may tell of a piece on no field what share of it can be seen; with less it is hidden, as a field is.
LEAST_SEEN = 0.25

Image = NDArray[np.uint8]


@dataclass
class Result:
    """One picture of the bench: `comparison` is None if it could not be read at all (`error` says why)."""

    path: Path
    tags: tuple[str, ...]
    comparison: Comparison | None
    reader: Reader
    error: str = ""
    stages_ms: dict[str, float] = field(default_factory=dict)
    decode_ms: float = 0.0
    is_wide: bool = False
    position: Position | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="pictures, each with a label file of the same name beside it"
    )
    parser.add_argument("--board", metavar="B", help="board id or board file (default: what the labels say)")
    parser.add_argument("--reference", metavar="EMPTY.jpg", help="a photograph of the empty board")
    parser.add_argument(
        "--reference-corners", metavar='"x,y ..."', help="its corners (default: as its label says)"
    )
    add_profile(parser)
    parser.add_argument("--use-corners", action="store_true", help="take the board's corners from the labels")
    parser.add_argument(
        "--series",
        action="store_true",
        help="the pictures of each folder are one fixed camera's: each is read with those before it; the "
        "first is a known start and not counted",
    )
    parser.add_argument(
        "--tag", action="append", default=[], help="only pictures with this tag (may be repeated)"
    )
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write an HTML page with every wrong field"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    labels = list(labelled(args.folder, tuple(args.tag)))
    if not labels:
        raise UsageError(
            f"{args.folder} holds no pictures with labels: each 0001.jpg needs a 0001.json beside it"
        )
    results = list(_read_all(args, labels))
    summary = summarise(results)
    if not args.use_corners:
        summary["frame_ms"] = frame_times([(each.reader, each.path) for each in results if each.is_wide])
    if args.report:
        from cli.bench_report import write_report

        write_report(args.report, results)
    if args.json:
        print_json(summary)
    else:
        _print(summary, results)
    return DONE


def labelled(folder: Path, tags: tuple[str, ...] = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every picture of the folder and below that has a label, with the label's content."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in PHOTOS):
        beside = path.with_suffix(".json")
        if beside.exists():
            label = load_json(beside)
            if isinstance(label, dict) and "pieces" in label:
                position_of(label, beside)  # refused before anything is read
                if all(tag in tags_of(label) for tag in tags):
                    yield path, label


def tags_of(label: dict[str, Any]) -> tuple[str, ...]:
    """What a label says that its picture is an example of."""
    return tuple(label.get("tags") or ())


def _read_all(args: argparse.Namespace, labels: list[tuple[Path, dict[str, Any]]]) -> Iterator[Result]:
    readers: dict[tuple[str, str | None], Reader] = {}
    known_start, before, folder = False, None, None
    for path, label in track(labels, "reading", disable=args.json, transient=True):
        key = (args.board or board_file(path, label), label.get("game"))
        if key not in readers:
            reference = None
            if args.reference:
                reference = (load_image(args.reference), _reference_corners(args))
            profile = profile_of(args)
            board = profile.board if profile and not args.board else key[0]
            readers[key] = Reader(board, game=key[1], reference=reference, profile=profile)
        if args.series and path.parent != folder:
            readers[key].forget()
            known_start, before, folder = True, None, path.parent
        # Of a known start it is known, too, where the board lies, if nothing else tells.
        by_hand = args.use_corners or (known_start and not args.reference and not readers[key].board.markers)
        given = np.array(label["corners_px"], float) if by_hand else None
        if not args.series:
            readers[key].forget()
        result = _read_one(readers[key], path, label, given, before)
        if known_start and result.comparison:
            before = Position.from_json(label)
            readers[key].learn(before)
            known_start = False
            continue
        if args.series and result.comparison:
            before = result.position
        yield result


def _reference_corners(args: argparse.Namespace) -> NDArray[np.float64] | None:
    """As they were given, or as a label beside the reference tells."""
    beside = Path(args.reference).with_suffix(".json")
    if args.reference_corners or not beside.exists():
        return corners(args.reference_corners)
    label = load_json(beside)
    told = label.get("corners_px") if isinstance(label, dict) else None
    return None if told is None else np.array(told, float)


def board_file(path: Path, label: dict[str, Any]) -> str:
    """The label's board: an id of ours, or a board file in a folder `boards` nearby."""
    for folder in path.parents[:3]:
        candidate = folder / "boards" / f"{label['board']}.json"
        if candidate.exists():
            return str(candidate)
    return str(label["board"])


def _read_one(
    reader: Reader,
    path: Path,
    label: dict[str, Any],
    given: NDArray[np.float64] | None,
    before: Position | None = None,
) -> Result:
    tags = tags_of(label)
    data = np.frombuffer(path.read_bytes(), np.uint8)
    clock = time.perf_counter()
    cv2.imdecode(data, cv2.IMREAD_COLOR)
    decode_ms = (time.perf_counter() - clock) * 1e3
    try:
        image = load_image(path)
        seen = reader.read(image, before, given)
    except CannotRead as error:
        return Result(path, tags, None, reader, str(error), decode_ms=decode_ms)
    comparison = compared(seen, label, reader.board, image)
    stages_ms = dict(seen.quality["ms"])
    return Result(path, tags, comparison, reader, "", stages_ms, decode_ms, is_wide(image), seen.position)


def compared(seen: Observation, label: dict[str, Any], board: Board, image: NDArray[np.uint8]) -> Comparison:
    """What was seen beside what the label says that the picture shows."""
    areas = tuple(each.id for each in board.fields.values() if each.kind in AREA_KINDS)
    hidden = [each for each in label["pieces"] if not _can_be_seen(each)]
    return compare(seen, shown_of(label, board, image), areas, [Piece.from_json(each) for each in hidden])


def shown_of(label: dict[str, Any], board: Board, image: NDArray[np.uint8]) -> Position:
    """What a label says that the picture shows: not the pieces on no field of which it says that less than
    `LEAST_SEEN` of them can be seen."""
    lies = Position.from_json(label | {"pieces": [each for each in label["pieces"] if _can_be_seen(each)]})
    corners_px = label.get("corners_px")
    if not corners_px:
        return lies
    return in_the_picture(lies, board, corners_px, (image.shape[1], image.shape[0]))


def _can_be_seen(piece: dict[str, Any]) -> bool:
    """Whether a label's piece stands on a field (which may be occluded) or enough of it is seen."""
    share = piece.get("seen", 1.0)
    return "field" in piece or "fields" in piece or not is_number(share) or bool(share >= LEAST_SEEN)


# --- figures ---------------------------------------------------------------------------------------


def summarise(results: list[Result]) -> dict[str, Any]:
    """The figures of a bench as JSON data."""
    read = [r for r in results if r.comparison]
    judged = [pair for r in read if r.comparison for pair in r.comparison.judged]
    by_tag = {
        tag: _figures([r for r in results if tag in r.tags])
        for tag in sorted({tag for r in results for tag in r.tags})
    }
    return {
        "all": _figures(results),
        "by_tag": by_tag,
        "reliability": reliability(judged),
        "false_empty": sum(len(r.comparison.false_empty) for r in read if r.comparison),
        "misses": [
            {
                "image": str(r.path),
                "place": m.place,
                "truth": m.truth,
                "read": m.read,
                "confidence": round(m.confidence, 3),
            }
            for r in read
            if r.comparison
            for m in r.comparison.misses
        ],
        "not_read": [{"image": str(r.path), "why": r.error} for r in results if r.comparison is None],
        "ms": speed(read),
    }


def _figures(results: list[Result]) -> dict[str, Any]:
    done = [r.comparison for r in results if r.comparison]
    places, misses = sum(c.places for c in done), sum(len(c.misses) for c in done)
    exact = sum(c.exact for c in done)
    return {
        "pictures": len(results),
        "read": len(done),
        "exact": exact,
        "exact_share": round(exact / max(1, len(results)), 4),
        "fields": places,
        "wrong": misses,
        "field_share": round(1 - misses / max(1, places), 5),
    }


def reliability(judged: list[tuple[float, bool]]) -> dict[str, Any]:
    """Confidence against truth in ten bins, and the expected calibration error."""
    edges = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.01]
    rows, error = [], 0.0
    for low, high in pairwise(edges):
        inside = [(c, right) for c, right in judged if low <= c < high]
        if inside:
            confidence = sum(c for c, _ in inside) / len(inside)
            right = sum(r for _, r in inside) / len(inside)
            error += len(inside) / len(judged) * abs(confidence - right)
            rows.append(
                {
                    "from": low,
                    "to": min(1.0, high),
                    "fields": len(inside),
                    "confidence": round(confidence, 4),
                    "right": round(right, 4),
                }
            )
    return {"bins": rows, "expected_calibration_error": round(error, 5)}


def speed(read: list[Result]) -> dict[str, float]:
    """Median milliseconds by stage, and of decoding the same files."""
    stages: dict[str, list[float]] = defaultdict(list)
    for result in read:
        for stage, ms in result.stages_ms.items():
            stages[stage].append(ms)
        stages["total"].append(sum(result.stages_ms.values()))
        stages["decode"].append(result.decode_ms)
    medians = {stage: round(float(np.median(values)), 1) for stage, values in stages.items()}
    if medians.get("decode"):
        medians["total_per_decode"] = round(medians["total"] / medians["decode"], 1)
    return medians


def _print(summary: dict[str, Any], results: list[Result]) -> None:
    rows: list[tuple[object, ...]] = [("", "pictures", "read", "exact", "", "fields", "wrong", "right")]
    for name, row in [("all", summary["all"]), *summary["by_tag"].items()]:
        rows.append(
            (
                name,
                row["pictures"],
                row["read"],
                row["exact"],
                f"{row['exact_share']:.1%}",
                row["fields"],
                row["wrong"],
                f"{row['field_share']:.3%}",
            )
        )
    print_rows(rows)
    print("\nconfidence against truth")
    print_rows(
        [
            ("from", "to", "fields", "confidence", "right"),
            *(tuple(b.values()) for b in summary["reliability"]["bins"]),
        ],
        "  ",
    )
    print(f"  expected calibration error {summary['reliability']['expected_calibration_error']:.3%}")
    print(f"  hidden fields called empty: {summary['false_empty']}")
    for miss in summary["misses"]:
        read_as = f"read {miss['read']} ({miss['confidence']:.3f})"
        print(f"  {miss['image']}: {miss['place']} is {miss['truth']}, {read_as}")
    for entry in summary["not_read"]:
        print(f"  {entry['image']}: {entry['why']}")
    print("\nmedian milliseconds: " + ", ".join(f"{stage} {ms}" for stage, ms in summary["ms"].items()))
    for line in in_words(summary.get("frame_ms", {})):
        print(line)
    kinds = Counter(f"{m['truth']} read as {m['read']}" for m in summary["misses"])
    for words, count in kinds.most_common(12):
        print(f"  {count} x {words}")
