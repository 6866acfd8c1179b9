"""`henge calibrate`: teaches Henge a lens, a board and a set of pieces, kept together as a profile."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.coverage import coverage
from calibration.lens import Lens, find_sheet, lens_of_exif
from calibration.profile import Profile, ProfileError, checked_name, load_profile
from calibration.shelf import SUFFIX, Shelf
from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, add_language, print_json, print_rows
from cli.read import corners
from engine import GAMES
from engine.board import load_board
from vision.calibrate import (
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
from vision.health import view_health
from vision.images import load_image
from vision.locate import which_board
from vision.sources import PHOTOS, Source, film_focal_mm, in_order, open_source, quiet_opencv

Image = NDArray[np.uint8]
MARKS = {"good": "+", "fair": "~", "poor": "!"}
LENS_PICTURES_EVERY = 4  # of a camera's pictures one in so many is searched for the sheet


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        description="Teaches Henge your lens, your board and your pieces from photographs, and keeps it as a "
        "profile for --profile of read, score, log and serve. What is left out is kept from the profile of "
        "that name, if there is one. Put some pieces of each colour onto fields for --pieces.",
        epilog="henge calibrate ACTION --help tells more about one action.",
    )
    _add_making(parser)
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=False)
    _action(actions, "list", run_list, "the profiles that are kept", json=True)
    _action(actions, "show", run_show, "what a profile knows", "NAME", json=True)
    _action(actions, "rename", run_rename, "give a profile another name", "NAME", "NEW")
    _action(actions, "export", run_export, "write a profile to a file", "NAME", "FILE.zip")
    taking = _action(actions, "import", run_import, "keep a profile that came as a file", "FILE.zip")
    taking.add_argument("--name", help="keep it under another name")
    taking.add_argument("--replace", action="store_true", help="even if there is one of that name")
    _action(actions, "delete", run_delete, "forget a profile", "NAME")
    check = _action(
        actions, "check", run_check, "how well the table is seen in a photograph", "PHOTO", json=True
    )
    check.add_argument("--profile", help="a profile's name or file")
    check.add_argument("--board", help="board id or board file (default: told by the printed tags)")
    check.add_argument("--corners", help="the board's corners in pixels, as in henge read")
    add_language(check)


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
    parser.add_argument("--pieces", metavar="PHOTO", help="some pieces of each colour on fields of the board")
    parser.add_argument("--pieces-corners", metavar="CORNERS", help="the board's corners in that photograph")
    parser.add_argument("--game", choices=tuple(GAMES), help="the game whose pieces are shown")
    parser.add_argument(
        "--photos", metavar="PHOTO", nargs="+", help="photographs or a folder of them, sorted by what they "
        "show: the chessboard sheet; of the others the first is the empty board, the second the pieces",
    )  # fmt: skip
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="take the empty board and, with --charuco, the chessboard sheet with this camera",
    )
    add_language(parser)
    add_json(parser)


def _action(
    actions: Any,
    name: str,
    run_it: Callable[[argparse.Namespace], int],
    text: str,
    *words: str,
    json: bool = False,
) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
    for word in words:
        made.add_argument(word.partition(".")[0].lower(), metavar=word)
    if json:
        add_json(made)
    made.set_defaults(run=run_it)
    return made


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
    picture = load_image(args.pieces) if args.pieces else None
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
        paths += (
            [each for each in path.iterdir() if each.suffix.lower() in PHOTOS] if path.is_dir() else [path]
        )
    others = []
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
    try:
        Path(name).write_bytes(profile.to_bytes())
    except OSError as error:
        raise ProfileError(f"cannot write {name}: {error.strerror or error}") from None
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
    if empty is None and args.pieces:
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
    if sys.stdin is not None and sys.stdin.isatty() and source.live:
        input("Lay the empty board before the camera, then press Enter. ")
    return _next_image(source), ""


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
        if sheet is None or any(_alike(sheet, other) for other in sheets):
            continue
        sheets.append(sheet)
        seen = coverage(sheets)
        line = f"{len(sheets)} pictures, {seen.share:.0%} of the picture covered: {seen.hint}"
        if line != said:
            print(line, file=sys.stderr)
            said = line
    return sheets


def _alike(sheet: Any, other: Any) -> bool:
    """Whether two pictures of the sheet show it in nearly the same place."""
    common, a, b = np.intersect1d(sheet.ids, other.ids, return_indices=True)
    if len(common) < 6:
        return False
    moved = np.linalg.norm(sheet.corners_px[a] - other.corners_px[b], axis=1).mean()
    return bool(moved < 0.05 * sheet.size_px[0])


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


# --- the kept ones -----------------------------------------------------------------------------------


def run_list(args: argparse.Namespace) -> int:
    shelf = Shelf()
    profiles = [shelf.load(name) for name in shelf.names()]
    if args.json:
        print_json([_summary(profile) for profile in profiles])
    else:
        print_rows((each.name, each.board.id, _lens_text(each.lens), each.made[:10]) for each in profiles)
        if not profiles:
            print("no profile is kept yet: henge calibrate --help tells how to make one", file=sys.stderr)
    return DONE


def run_show(args: argparse.Namespace) -> int:
    profile = Shelf().load(args.name)
    if args.json:
        print_json(_summary(profile))
        return DONE
    image = profile.reference_image()
    rows = [
        ("name", profile.name), ("made", profile.made), ("board", profile.board.id),
        ("camera", profile.camera or "-"), ("lens", _lens_text(profile.lens)),
        ("empty board", "-" if image is None else f"{image.shape[1]} x {image.shape[0]} pixels"),
    ]  # fmt: skip
    rows += [(f"{kind} colours", ", ".join(f"{c} {_hex(rgb)}" for c, rgb in named.items()))
             for kind, named in profile.colours.items()]  # fmt: skip
    print_rows((name, value) for name, value in rows if value)
    return DONE


def _summary(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "board": profile.board.id,
        "made": profile.made,
        "camera": profile.camera,
        "lens": None if profile.lens is None else profile.lens.to_json(),
        "colours": {
            kind: {c: list(rgb) for c, rgb in named.items()} for kind, named in profile.colours.items()
        },
        "pieces": {name: dict(piece.dims_mm) for name, piece in profile.board.pieces.items()},
        "reference": profile.reference is not None,
    }


def _lens_text(lens: Lens | None) -> str:
    if lens is None:
        return "no lens"
    error = f", error {lens.rms_px:.2f} px" if lens.source == "charuco" and lens.rms_px is not None else ""
    spread = f" +-{100 * lens.focal_spread:.1f} %"
    return f"lens from {lens.source}: {lens.focal_px:.0f} px{spread}{error}"


def _hex(rgb: Sequence[int]) -> str:
    return "#" + "".join(f"{value:02x}" for value in rgb)


def run_rename(args: argparse.Namespace) -> int:
    Shelf().rename(args.name, args.new)
    return DONE


def run_export(args: argparse.Namespace) -> int:
    Shelf().export(args.name, args.file)
    return DONE


def run_import(args: argparse.Namespace) -> int:
    try:
        data = Path(args.file).read_bytes()
    except OSError as error:
        raise ProfileError(f"cannot read the profile {args.file}: {error.strerror or error}") from None
    profile = Shelf().take_in(data, args.file, args.name, args.replace)
    print(f"{profile.name}: kept", file=sys.stderr)
    return DONE


def run_delete(args: argparse.Namespace) -> int:
    Shelf().delete(args.name)
    return DONE


def run_check(args: argparse.Namespace) -> int:
    """How well the table is seen."""
    image = load_image(args.photo)
    profile = Shelf().load(args.profile) if args.profile else None
    if args.board:
        board = load_board(args.board)
    else:
        board = profile.board if profile else load_board(which_board(grey_of(image)))
    lens = lens_of_view(profile, (image.shape[1], image.shape[0]))
    health = view_health(image, board, corners_px=corners(args.corners), lens=lens)
    if args.json:
        print_json(health.to_json())
        return DONE
    rows = []
    for measure in health.measures:
        label = measure.to_json()["label"][args.lang]
        rows.append((MARKS[measure.grade], label, f"{measure.value:.3g} {measure.unit}".strip()))
    print_rows(rows)
    print(health.advice.in_language(args.lang))
    return DONE
