"""`henge bench`: measures reading, rules, refereeing and the page."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from typing import Any

SUBJECTS = {
    "vision": "accuracy and speed of reading on a folder of labelled pictures",
    "calibration": "reading tables that are not ours, before and after henge calibrate",
    "engine": "random legal moves per second for every game",
    "referee": "simulated games through an unreliable reader",
    "live": "from the hand that is gone to the move on record, before a camera stream",
    "page": "from a settled position to the changed picture in the browser",
}


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser("bench", description="Measures reading, rules, refereeing and the page.")
    subjects = parser.add_subparsers(title="subjects", metavar="SUBJECT", required=True)
    for name, summary in SUBJECTS.items():
        if importlib.util.find_spec(f"cli.bench_{name}"):
            subject = subjects.add_parser(name, description=summary.capitalize() + ".", help=summary)
            subject.set_defaults(run=_later(name))
            importlib.import_module(f"cli.bench_{name}").add_arguments(subject)


def _later(name: str) -> Any:
    def run(args: argparse.Namespace) -> int:
        code: int = importlib.import_module(f"cli.bench_{name}").run(args)
        return code

    return run
