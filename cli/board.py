"""`henge board`: lists, shows, draws, checks and teaches boards."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from cli.errors import UsageError
from cli.output import writing
from engine.board import Board, board_from_json, board_ids, check_board, load_board
from engine.boards.layout import board_text

DONE, WRONG = 0, 1
STYLE_NAMES = ("chalk", "night", "parchment")
LAYOUT_NAMES = ("anthology", "knizia", "none")
MM_PER_INCH = 25.4
MOST_PIXELS = 150_000_000


def register(subparsers: Any) -> None:
    """Adds `henge board` and its actions."""
    parser = subparsers.add_parser("board", help="list, show, draw and check boards")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="the boards that Henge knows")
    listing.add_argument("--json", action="store_true", help="for programs")
    listing.set_defaults(run=run_list)
    show = actions.add_parser("show", help="print a board file")
    show.add_argument("board", metavar="ID", help="a board's id or the path of a board file")
    show.add_argument(
        "--json", action="store_true", help="accepted for symmetry: a board file is JSON anyway"
    )
    show.set_defaults(run=run_show)
    png = actions.add_parser("png", help="draw the top view")
    png.add_argument("board", metavar="ID", help="a board's id or the path of a board file")
    png.add_argument("-o", "--output", metavar="F", required=True, help="the picture to write (.png)")
    png.add_argument("--dpi", type=float, default=100.0, help="default: 100")
    png.add_argument("--style", choices=STYLE_NAMES, default="chalk", help="the board's look")
    png.add_argument("--ink-saving", action="store_true", help="white paper and pale ground")
    png.set_defaults(run=run_png)
    check = actions.add_parser("check", help="explain every mistake in a board file")
    check.add_argument("file", metavar="FILE", help="the path of a board file")
    check.add_argument("--json", action="store_true", help="for programs")
    check.set_defaults(run=run_check)
    _register_teach(actions)


def _register_teach(actions: Any) -> None:
    parser = actions.add_parser(
        "teach",
        help="make a board file from one photograph of a board",
        description="Makes a board file from one photograph of a board: give its corners, its size and a few "
        "fields of a known layout, the rest follows; or draw the fields of a board of your own. All places "
        "are pixels of the photograph.",
    )
    parser.add_argument("photo", metavar="PHOTO", help="a photograph of the empty board")
    parser.add_argument(
        "--layout", choices=LAYOUT_NAMES, required=True, help="none: draw every field yourself"
    )
    parser.add_argument("--size", metavar="WxH", required=True, help="width and height of the board in mm")
    parser.add_argument("--corners", required=True, help="the board's corners, as in henge read")
    parser.add_argument(
        "--at", metavar="FIELD=x,y", action="append", default=[], help="the middle of a field"
    )
    parser.add_argument("--move", metavar="FIELD=x,y", action="append", default=[], help="where one was off")
    parser.add_argument("--circle", metavar="ID=x,y,r", action="append", default=[], help="layout none: a "
                        "round field, r in mm; its kind is the name before the last hyphen")  # fmt: skip
    parser.add_argument("--polygon", metavar='ID="x,y x,y .."', action="append", default=[],
                        help="layout none: a field with corners")  # fmt: skip
    parser.add_argument("--pieces-of", metavar="BOARD", help="layout none: take the pieces of that board")
    parser.add_argument(
        "--id", help="the board's id (default: that of the layout, whose games can be played)"
    )
    parser.add_argument("--profile", help="a profile whose lens took the photograph")
    parser.add_argument("-o", "--output", metavar="F.json", required=True, help="the board file to write")
    parser.add_argument(
        "--overlay", metavar="OUT.png", help="write the photograph with the outlines drawn over"
    )
    parser.set_defaults(run=run_teach)


def run_teach(args: argparse.Namespace) -> int:
    """Makes a board file from a photograph."""
    from cli import teach  # here and not above: the other actions must not wait for OpenCV

    return teach.run(args)


def run_list(args: argparse.Namespace) -> int:
    boards = [load_board(name) for name in board_ids()]
    if args.json:
        print(json.dumps([{"id": board.id, "size_mm": list(board.size_mm), "fields": len(board.fields)}
                          for board in boards]))  # fmt: skip
        return DONE
    for board in boards:
        print(f"{board.id:12} {_summary(board)}")
    return DONE


def run_show(args: argparse.Namespace) -> int:
    print(board_text(load_board(args.board).to_json()), end="")
    return DONE


def run_png(args: argparse.Namespace) -> int:
    """Raises BoardError, ArtworkError or UsageError."""
    import cv2

    from calibration.artwork import render_artwork

    board = load_board(args.board)
    px_per_mm = args.dpi / MM_PER_INCH
    width, height = (side * px_per_mm for side in board.size_mm)
    if not (args.dpi > 0 and width * height <= MOST_PIXELS):
        raise UsageError(
            f"--dpi {args.dpi:g}: expected a number above 0 that gives at most {MOST_PIXELS:,} pixels"
        )
    picture = render_artwork(board, px_per_mm, args.ink_saving, args.style)
    code = cv2.imencode(".png", picture)[1].tobytes()
    with writing(args.output):
        Path(args.output).write_bytes(_with_scale(code, px_per_mm))
    print(f"{args.output}: {picture.shape[1]} x {picture.shape[0]} pixels", file=sys.stderr)
    return DONE


def run_check(args: argparse.Namespace) -> int:
    """Says every mistake on a line of its own; WRONG if there is one. Raises UsageError."""
    try:
        data = json.loads(Path(args.file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot read {args.file}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{args.file} is not a board file: expected JSON text in UTF-8 ({error})") from None
    mistakes = check_board(data)
    if args.json:
        print(json.dumps({"file": args.file, "mistakes": list(mistakes)}))
    elif mistakes:
        print("\n".join(mistakes))
    else:
        print(f"{args.file}: good. {_summary(board_from_json(data))}")
    return WRONG if mistakes else DONE


def _summary(board: Board) -> str:
    counts = ", ".join(f"{len(board.fields_of_kind(kind))} {kind}" for kind in board.kinds)
    return f"{board.size_mm[0]:g} x {board.size_mm[1]:g} mm, {len(board.markers)} tags; {counts}"


def _with_scale(png: bytes, px_per_mm: float) -> bytes:
    """The PNG with its resolution noted (pHYs), so that it prints in true size."""
    import struct
    import zlib

    per_metre = round(px_per_mm * 1000)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    after_header = 8 + 25  # signature and IHDR
    return png[:after_header] + chunk + png[after_header:]
