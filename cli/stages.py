"""`henge stages`: what each stage of a reading saw, as pictures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2

from cli.main import DONE
from cli.output import writing
from cli.read import add_reading, corners, make_reader
from vision.pictures.images import load_image
from vision.stages import STAGES, Look


def register(subparsers: Any) -> None:
    stages = "\n".join(f"  {name:10}{stage.does}" for name, stage in STAGES.items())
    parser = subparsers.add_parser(
        "stages",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Draws what the stages of a reading saw in a photograph, one PNG each:\n\n" + stages,
    )
    parser.add_argument("image", metavar="IMAGE", help="a photograph of a board (JPEG, PNG)")
    parser.add_argument("-o", "--out", metavar="DIR", required=True, help="the folder for the pictures")
    parser.add_argument(
        "--only", nargs="+", metavar="STAGE", choices=tuple(STAGES),
        help="these stages; what no later one needs is not done",
    )  # fmt: skip
    add_reading(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    image = load_image(args.image)
    look = Look(make_reader(args, image), image, corners(args.corners))
    folder = Path(args.out)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name in args.only or STAGES:
        picture = STAGES[name].draw(look)
        if picture is None:
            print(f"{name}: nothing of the kind here")
            continue
        path = folder / f"{list(STAGES).index(name) + 1:02}-{name}.png"
        with writing(path):
            path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        print(f"{name}: {path}")
    return DONE
