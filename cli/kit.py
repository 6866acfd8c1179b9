"""`henge kit`: a board to print, with stickers, cards and calibration sheets."""

from __future__ import annotations

import argparse
import sys
from typing import Any

PAPER_NAMES = ("a4", "a3", "letter")
STYLE_NAMES = ("chalk", "night", "parchment")


def register(subparsers: Any) -> None:
    """Adds `henge kit`."""
    parser = subparsers.add_parser("kit", help="print your own board and cards (PDF)")
    parser.add_argument("board", metavar="ID", help="anthology, knizia, or the path of a board file")
    parser.add_argument("-o", "--output", metavar="F.pdf", required=True, help="the PDF to write")
    parser.add_argument("--paper", choices=PAPER_NAMES, default="a4", help="default: a4")
    parser.add_argument("--ink-saving", action="store_true", help="white paper, pale ground, outlined cards")
    parser.add_argument("--style", choices=STYLE_NAMES, default="chalk", help="the board's look")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the kit. Raises BoardError, KitError or ArtworkError."""
    from calibration.kit import make_kit  # here and not above: --help must not wait for OpenCV
    from engine.board import load_board

    count = make_kit(load_board(args.board), args.paper, args.output, args.ink_saving, args.style)
    print(f"{args.output}: {count} pages. Print at 100 % and check the 50 mm measure.", file=sys.stderr)
    return 0
