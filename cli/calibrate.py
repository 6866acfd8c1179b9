"""`henge calibrate`: teaches Henge a lens, a board and a set of pieces, kept together as a profile."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.coverage import alike, coverage
from calibration.lens import find_sheet, lens_of_exif
from calibration.profile import Profile, checked_name, load_profile
from calibration.shelf import SUFFIX, Shelf
from cli.errors import UsageError
from cli.kept_profiles import MARKS, add_actions
from cli.main import DONE
from cli.output import add_json, add_language, print_json, writing
from cli.read import corners
from engine import GAMES
from engine.board import load_board
from vision.calibrating.calibrate import (
    Step,
    board_step,
    find_board,
    grey_of,
    lens_of_view,
    lens_step,
    lens_told,
    pieces_step,
    sheets_in,
    with_board,
)
from vision.errors import CannotRead
from vision.finding.locate import which_board
from vision.pictures.images import load_image
from vision.pictures.sources import (
    Source,
    film_focal_mm,
    in_order,
    no_photographs,
    open_source,
    photos_in,
    quiet_opencv,
)

Image = NDArray[np.uint8]
TAKEN = ""  # --pieces without a photograph
LENS_PICTURES_EVERY = 4  # of a camera's pictures one in so many is searched for the sheet


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        description="Teaches Henge your lens, your board and your pieces from photographs, and keeps it as a "
        "profile for --profile of read, score, log and serve. What is left out is kept from the profile of "
        "that name, if there is one. For --pieces leave the camera where it was and lay some pieces of each "
        "colour onto the board or beside it.",
        epilog="henge calibrate ACTION --help tells more about one action.",
    )
    _add_making(parser)
    parser.set_defaults(run=run)
    add_actions(parser)


def _add_making(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--profile", metavar="NAME", help="the profile's name, or a file ending in .zip"
    )
    parser.add_argument("--board", help="board id or board file (default: told by the printed tags)")
    parser.add_argument("--reference", metavar="EMPTY.jpg", help="a photograph of the empty board")
    parser.add_argument("--corners", help='the board\'s corners in it, "x,y x,y x,y x,y" as in henge read')
    parser.add_argument(
        "--charuco", metavar="PHOTO", nargs="*", help="8-12 photographs of the kit's chessboard sheet; "
        "without a PHOTO they are taken with --camera while you hold the sheet",
    )  # fmt: skip
    parser.add_argument(
        "--pieces",
        metavar="PHOTO",
        nargs="?",
        const=TAKEN,
        help="some pieces of each colour, on the board or beside it; without PHOTO taken with --camera",
    )
    parser.add_argument("--pieces-corners", metavar="CORNERS", help="the board's corners in that photograph")
    parser.add_argument("--game", choices=tuple(GAMES), help="the game whose pieces are shown")
    parser.add_argument(
        "--photos", metavar="PHOTO", nargs="+", help="photographs or a folder of them, sorted by what they "
        "show: the chessboard sheet; of the others the first is the empty board, the second the pieces",
    )  # fmt: skip
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="take the empty board and, with --charuco and --pieces, these with this camera",
    )
    add_language(parser)
    add_json(parser)


# --- making ----------------------------------------------------------------------------------------


def run(args: argparse.Namespace) -> int:
    """Makes or mends a profile. Raises UsageError, CannotRead, LensError or ProfileError."""
    quiet_opencv()
    if not args.profile:
        raise UsageError("how shall the profile be called? Expected -o NAME, or an action such as list")
    _sort_photos(args)
    source = open_source(args.camera) if args.camera else None
    if not any((args.reference, args.charuco is not None, args.pieces, source)):
        raise UsageError(
            "nothing to learn from: expected --reference, --charuco, --pieces, --photos or --camera"
        )
    if args.charuco == [] and source is None:
        raise UsageError("--charuco without photographs needs --camera, which takes them")
    if args.pieces == TAKEN and source is None:
        raise UsageError("--pieces without a photograph needs --camera, which takes it")
    try:
        return _make(args, source)
    finally:
        if source is not None:
            source.close()


def _make(args: argparse.Namespace, source: Source | None) -> int:
    old = _before(args.profile)
    steps: list[Step] = []
    lens = old.lens if old else None
    if args.charuco is not None:
        sheets = (
            sheets_in([load_image(name) for name in args.charuco]) if args.charuco else _watch_sheets(source)
        )
        lens, step = lens_step(sheets)
        steps.append(step)
        if lens is None:
            raise CannotRead(str(step.text))
        _say(args, step)
    empty, name = _empty_board(args, source)
    profile = _blank(args, old, empty)
    profile = replace(profile, lens=lens, camera=args.camera or profile.camera)
    if empty is not None:
        profile = _with_exif(profile, name, empty)
        size = (empty.shape[1], empty.shape[0])
        located = find_board(empty, profile.board, corners(args.corners), lens_of_view(profile, size))
        told = profile.lens is None
        profile = with_board(profile, empty, located, keep_picture=True)
        steps += [lens_told(profile.lens)] if told and profile.lens else []
        steps.append(board_step(empty, profile.board, located))
        for step in steps[-(2 if told else 1) :]:
            _say(args, step)
    picture = _pieces(args, source)
    if picture is not None:
        profile, _, step = pieces_step(picture, profile, args.game, corners(args.pieces_corners))
        steps.append(step)
        _say(args, step)
    where = _keep(args.profile, profile)
    if args.json:
        print_json({"profile": profile.name, "file": str(where), "steps": [step.to_json() for step in steps]})
    else:
        print(f"{where}: kept. Use it with --profile {args.profile}")
    return DONE


def _sort_photos(args: argparse.Namespace) -> None:
    """--photos into --charuco, --reference and --pieces."""
    if not args.photos:
        return
    paths = []
    for word in args.photos:
        path = Path(word)
        paths += photos_in(path) if path.is_dir() else [path]
    others = []
    if not paths:
        raise UsageError(no_photographs(Path(args.photos[0])))
    for path in in_order(paths):
        sheet = find_sheet(grey_of(load_image(path)))
        if sheet is not None:
            args.charuco = [*(args.charuco or []), str(path)]
        else:
            others.append(str(path))
    if others and not args.reference:
        args.reference = others.pop(0)
    if others and not args.pieces:
        args.pieces = others.pop(0)


def _before(name: str) -> Profile | None:
    """The profile that is mended, if there is one."""
    if name.lower().endswith(SUFFIX):
        return load_profile(name) if Path(name).exists() else None
    shelf = Shelf()
    return shelf.load(checked_name(name)) if name in shelf.names() else None


def _keep(name: str, profile: Profile) -> Path:
    if not name.lower().endswith(SUFFIX):
        return Shelf().keep(profile)
    with writing(name):
        Path(name).write_bytes(profile.to_bytes())
    return Path(name)


def _blank(args: argparse.Namespace, old: Profile | None, empty: Image | None) -> Profile:
    """The profile before anything is learnt: the old one, or an empty one for the board."""
    made = datetime.now().astimezone().isoformat("T", "seconds")
    name = checked_name(Path(args.profile).stem if args.profile.lower().endswith(SUFFIX) else args.profile)
    if args.board:
        board = load_board(args.board)
        return Profile(name, board, made=made) if old is None else replace(old, board=board, made=made)
    if old is not None:
        return replace(old, made=made)
    if empty is None and args.pieces and args.pieces != TAKEN:
        empty = load_image(args.pieces)
    if empty is None:
        raise UsageError("which board? Expected --board, or a photograph of a board with printed tags")
    return Profile(name, load_board(which_board(grey_of(empty))), made=made)


def _empty_board(args: argparse.Namespace, source: Source | None) -> tuple[Image | None, str]:
    """The picture of the empty board and its file's name."""
    if args.reference:
        return load_image(args.reference), args.reference
    if source is None:
        return None, ""
    _ask(source, "Lay the empty board before the camera, then press Enter. ")
    return _next_image(source), ""


def _pieces(args: argparse.Namespace, source: Source | None) -> Image | None:
    """The picture of the pieces, if they are to be learnt."""
    if args.pieces != TAKEN:
        return load_image(args.pieces) if args.pieces else None
    assert source is not None
    _ask(source, "Lay some pieces of each colour onto the board or beside it, then press Enter. ")
    return _next_image(source)


def _ask(source: Source, words: str) -> None:
    """Waits for a person, where there is one and the camera looks at a real table."""
    if sys.stdin is not None and sys.stdin.isatty() and source.live:
        input(words)


def _next_image(source: Source) -> Image:
    for _ in range(20):
        frame = source.read(1.0)
        if frame is not None and frame.image is not None:
            return frame.image
        if source.ended:
            break
    raise CannotRead(f"no picture came from the camera: {source.lost or 'it is at its end'}")


def _watch_sheets(source: Source | None) -> list[Any]:
    """Chessboard sheets from a camera, with hints where to hold the sheet next, until that is enough."""
    assert source is not None
    sheets: list[Any] = []
    number, said = 0, ""
    while not coverage(sheets).good and not source.ended:
        frame = source.read(1.0)
        number += 1
        if frame is None or frame.image is None or (source.live and number % LENS_PICTURES_EVERY):
            continue
        sheet = find_sheet(grey_of(frame.image))
        if sheet is None or any(alike(sheet, other) for other in sheets):
            continue
        sheets.append(sheet)
        seen = coverage(sheets)
        line = f"{len(sheets)} pictures, {seen.share:.0%} of the picture covered: {seen.hint}"
        if line != said:
            print(line, file=sys.stderr)
            said = line
    return sheets


def _with_exif(profile: Profile, name: str, image: Image) -> Profile:
    """The profile with the focal length that a phone wrote into the photograph, if no better is known."""
    focal = film_focal_mm(Path(name)) if name and profile.lens is None else None
    if focal is None:
        return profile
    return replace(profile, lens=lens_of_exif((image.shape[1], image.shape[0]), focal))


def _say(args: argparse.Namespace, step: Step) -> None:
    print(f"{MARKS[step.grade]} {step.text.in_language(args.lang)}", file=sys.stderr)
    if step.advice is not None:
        print(f"  {step.advice.in_language(args.lang)}", file=sys.stderr)
