"""Photographs to learn from, by Mitsuba: `python -m sample_images.generator.strangers --help`.

A table's photograph, its label and, if its board is not ours, its board file and print in `boards/`. What is
there already stays: interrupted, it goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
from rich.progress import track

from sample_images.generator.positions import GAMES

NO_MITSUBA = (
    "rendering needs Mitsuba and LLVM: pip install -r sample_images/generator/strangers/requirements.txt; "
    "DRJIT_LIBLLVM_PATH tells where libLLVM.so is (version 19 is known to work)"
)
QUALITY, OWN_BOARDS = 88, "boards"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sample_images.generator.strangers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, required=True, help="each is photographed once")
    parser.add_argument("--seed", type=int, default=0, help="the first table")
    parser.add_argument("--environments", type=Path, required=True, help="folder of .hdr files: rooms' light")
    of_one = parser.add_mutually_exclusive_group()
    of_one.add_argument("--game", choices=GAMES, help="all of this game, on our boards")
    of_one.add_argument(
        "--full", action="store_true", help="roulette: figures that look one way, discs on one another"
    )
    parser.add_argument("--rays", type=int, default=32, help="light paths per pixel (32)")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    environments = sorted(options.environments.glob("*.hdr"))
    if not environments:
        parser.error(f"--environments: no .hdr file in {options.environments}")
    try:
        from sample_images.generator.strangers.tables import lesson
    except (ImportError, OSError, RuntimeError) as error:
        print(f"{NO_MITSUBA} ({error})", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    for table in track(range(options.seed, options.seed + options.tables), "photographs"):
        photo = options.out / f"{table:05d}.jpg"
        if photo.with_suffix(".json").exists():
            continue
        try:
            made = lesson(table, environments, options.rays, options.game, full=options.full)
        except ValueError as error:
            print(f"{photo.name} left out: {error}", file=sys.stderr)
            continue
        said = made.label | {"image": photo.name}
        if made.board is not None and made.print_bgr is not None:
            board = options.out / OWN_BOARDS / f"{table:05d}.json"
            board.parent.mkdir(exist_ok=True)
            board.write_text(json.dumps(made.board), encoding="utf-8")
            cv2.imwrite(str(board.with_suffix(".png")), made.print_bgr)
            said |= {"board": f"{OWN_BOARDS}/{board.name}"}
        cv2.imwrite(str(photo), made.photo, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        photo.with_suffix(".json").write_text(json.dumps(said, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
