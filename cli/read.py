"""`henge read`: the position in a photograph."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from cli.errors import UsageError
from cli.main import BAD_INPUT, DONE
from cli.output import add_json, add_language, place_text, print_json, print_position, writing
from cli.positions import load_position, refuse_unknown_fields
from cli.profiles import add_profile, board_of, profile_of
from engine import GAMES, Observation
from engine.board import load_board
from vision import CannotRead, Reader
from vision.anywhere.free import FREE
from vision.finding.finder import check_quality
from vision.finding.locate import which_board
from vision.overlay import draw_overlay
from vision.pictures.images import load_image

Image = NDArray[np.uint8]


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser("read", description="Reads what lies on the board in a photograph.")
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="photographs of a board (JPEG, PNG)")
    add_reading(parser)
    parser.add_argument(
        "--series",
        action="store_true",
        help="the images are in order, from one camera that mostly stays where it is",
    )
    parser.add_argument(
        "--start",
        metavar="POSITION.json",
        help="with --series: what lies on the board before the first image",
    )
    parser.add_argument(
        "--overlay",
        metavar="OUT.png",
        help="write the picture with the reading drawn over it (several images: -1, -2 .. are added)",
    )
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The options of every command that reads photographs."""
    parser.add_argument(
        "--board", metavar="B", help="board id or board file (default: told by the printed tags)"
    )
    parser.add_argument(
        "--game", choices=tuple(GAMES), help="the game that is played: only its pieces are looked for"
    )
    parser.add_argument(
        "--corners",
        metavar='"x,y x,y x,y x,y"',
        help="the board's corners in pixels: top-left, top-right, bottom-right, bottom-left as printed (with "
        "--series: in the first image)",
    )
    parser.add_argument(
        "--reference",
        metavar="EMPTY.jpg",
        help="a photograph of the empty board, for boards that Henge did not print",
    )
    parser.add_argument(
        "--reference-corners", metavar='"x,y ..."', help="the board's corners in the reference photograph"
    )
    add_profile(parser)


def run(args: argparse.Namespace) -> int:
    if args.start and not args.series:
        raise UsageError("--start goes with --series")
    if args.overlay:
        _check_overlay(Path(args.overlay))
    before = load_position(args.start) if args.start else None
    readers: dict[str, Reader] = {}
    by_hand, code = corners(args.corners), DONE
    for number, name in enumerate(args.images, 1):
        try:
            image = load_image(name)
            first = not readers
            reader = _reader_for(args, image, readers)
            if first and before is not None:
                refuse_unknown_fields(before, reader.board, args.start)
            seen = reader.read(image, before, by_hand)
        except CannotRead as error:
            if len(args.images) == 1:
                raise
            print(f"henge: {error if name in str(error) else f'{name}: {error}'}", file=sys.stderr)
            code = BAD_INPUT
            continue
        if args.series:
            # From here on the reader knows where the board lies, also after somebody knocked it.
            before, by_hand = seen.position, None
        try:
            _show(args, name, seen)
        finally:
            # Also if whoever reads what is shown, such as `head`, has seen enough.
            if args.overlay:
                _write_overlay(args, number, image, reader, seen)
    return code


def _reader_for(args: argparse.Namespace, image: Image, readers: dict[str, Reader]) -> Reader:
    """The reader of one of several images, kept in `readers` by its board: if none was named, each image
    may show another one."""
    board = ""
    if not (args.series or args.board or args.profile or args.game):
        try:
            board = _board_in(image)
        except CannotRead:
            if not readers:
                raise
            board = next(reversed(readers))  # it may be found without its tags
    if board not in readers:
        readers[board] = make_reader(args, image, board)
    return readers[board]


def _board_in(image: Image) -> str:
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    check_quality(grey)
    return which_board(grey)


def make_reader(args: argparse.Namespace, image: Image, seen: str = "") -> Reader:
    """The reader that the options of `add_reading` ask for; if they name no board, that of the board `seen`
    in `image`, which is looked for if nobody has yet."""
    reference = None
    if args.reference_corners and not args.reference:
        raise UsageError("--reference-corners goes with --reference: the photograph whose corners they are")
    if args.reference:
        reference = (load_image(args.reference), corners(args.reference_corners))
    profile = profile_of(args)
    board = board_of(args.board, profile, args.game)
    if board is None:
        board = load_board(seen or _board_in(image))
    reader = Reader(
        board, game=args.game, reference=reference, players=getattr(args, "player_names", ()),
        profile=profile,
    )  # fmt: skip
    if args.game and not reader.places and args.game not in FREE:
        raise UsageError(
            f"{args.game} is not played on the {board.id} board, which has no field for its pieces: choose "
            "another board or game"
        )
    return reader


def corners(text: str | None) -> NDArray[np.float64] | None:
    """Four corners as typed: "x,y x,y x,y x,y"."""
    if text is None:
        return None
    try:
        points = [[float(number) for number in pair.split(",")] for pair in text.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise UsageError(f'corners are four points "x,y x,y x,y x,y" in pixels, found "{text}"')
    return np.array(points, float)


def print_warnings(name: str, seen: Observation, language: str) -> None:
    """What the eyes themselves doubt of a reading, on stderr."""
    for warning in seen.quality.get("warnings", ()):
        print(f"henge: {name}: {warning[language]}", file=sys.stderr)


def _show(args: argparse.Namespace, name: str, seen: Observation) -> None:
    print_warnings(name, seen, args.lang)
    if args.json:
        print_json({"image": Path(name).name, **seen.to_json()})
        return
    if len(args.images) > 1:
        print(f"{name}:")
    print_position(seen.position, args.lang)
    not_seen, maybe_more = {"de": ("nicht zu sehen", "auf keinem Feld kann noch mehr stehen")}.get(
        args.lang, ("not seen", "there may be more that stands on no field")
    )
    if places := sorted(place for place in seen.unseen if place):
        print(f"  {not_seen}: " + ", ".join(place_text(place, args.lang) for place in places))
    if "" in seen.unseen:
        print(f"  {maybe_more}")


def _check_overlay(path: Path) -> None:
    """Raises UsageError for what surely cannot be written, before anything is read."""
    if path.suffix and not cv2.haveImageWriter(path.name):
        raise UsageError(f"cannot write {path}: the name should end in .png or .jpg")
    if path.is_dir() or not path.parent.is_dir():
        there = "is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        raise UsageError(f"cannot write {path}: {there}")


def _write_overlay(
    args: argparse.Namespace, number: int, image: Image, reader: Reader, seen: Observation
) -> None:
    path = Path(args.overlay)
    if len(args.images) > 1:
        path = path.with_stem(f"{path.stem}-{number}")
    picture = draw_overlay(image, reader.board, seen, reader.last_view(image))
    data = cv2.imencode(path.suffix or ".png", picture)[1]
    with writing(path):
        path.write_bytes(data.tobytes())
