"""`henge schema`: the JSON Schemas of the files that other programs read and write."""

from __future__ import annotations

import argparse
import json
from typing import Any

from cli.main import DONE
from cli.output import print_rows
from engine.schemas import NAMES, load_schema


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "schema", description="Prints a JSON Schema; without a name, lists those there are."
    )
    parser.add_argument("name", nargs="?", choices=NAMES, metavar="NAME", help="one of " + ", ".join(NAMES))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.name:
        print(json.dumps(load_schema(args.name), indent=2, ensure_ascii=False))
    else:
        print_rows((name, load_schema(name)["title"]) for name in NAMES)
    return DONE
