"""What is done with profiles that are kept: `henge calibrate list`, `show`, `rename`, `export`, `import`,
`delete`; and `check`, which looks at a photograph of the table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from calibration.lens import Lens
from calibration.profile import Profile, ProfileError
from calibration.shelf import Shelf
from cli.main import DONE
from cli.output import add_json, add_language, print_json, print_rows
from cli.read import corners
from engine.board import load_board
from vision.calibrating.calibrate import grey_of, lens_of_view
from vision.calibrating.health import view_health
from vision.finding.locate import which_board
from vision.pictures.images import load_image

MARKS = {"good": "+", "fair": "~", "poor": "!"}


def add_actions(parser: argparse.ArgumentParser) -> None:
    """Adds the actions of `henge calibrate`."""
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
