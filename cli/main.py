"""The `henge` command: finds the sub-command, runs it, turns what goes wrong into one line and an exit code.

Each sub-command is a module of this folder with

    register(subparsers)   adds its parser and calls parser.set_defaults(run=run)
    run(args) -> int       does the work and returns DONE or WRONG, or raises a HengeError

Only the module of the command that was typed is imported, so `henge --help` and `henge rules` never
wait for OpenCV. The one-line summaries therefore stand here and not in the modules.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from cli import __version__
from engine.errors import HengeError

# Our matrices are small: a second thread of NumPy's OpenBLAS costs more than it brings. It is told before
# NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DONE = 0
WRONG = 1  # done, but what was read is illegal or contradicts itself
BAD_INPUT = 2
INTERRUPTED = 130

OURS = ("engine", "calibration", "vision", "table", "webui", "cli", "sample_images")

COMMANDS = {
    "demo": "watch a recorded table in the browser; needs no camera",
    "serve": "referee a live table through a camera",
    "read": "read the position in a photograph",
    "stages": "see what each stage of a reading saw",
    "score": "count the score in a photograph or a position",
    "log": "make a game log from photographs in order",
    "replay": "show and check a game log",
    "calibrate": "teach Henge your lens, your board and your pieces",
    "board": "list, show, draw and check boards",
    "kit": "print your own board and cards (PDF)",
    "games": "list the games and their variants",
    "rules": "play by the rules on JSON states",
    "schema": "print the JSON Schema of a file format",
    "bench": "measure reading, rules and refereeing",
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line on stderr."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser(command: str | None = None) -> Parser:
    """The parser of `henge`, with the arguments of `command` filled in (None: only the list of commands)."""
    parser = Parser(
        prog="henge",
        description="Referee for the games played on the Stonehenge boards.",
        epilog="henge COMMAND --help tells more about one command.",
    )
    parser.add_argument("--version", action="version", version=f"henge {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if name == command:
            importlib.import_module(f"cli.{name}").register(subparsers)
        elif importlib.util.find_spec(f"cli.{name}"):
            subparsers.add_parser(name, help=summary)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `henge` with these arguments and returns its exit code: 0, 1, 2 or 130 (see README.md)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Who closed a stream wants to hear nothing from it (>&-); Python then has None there.
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without umlauts is no reason to stop
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough. Python would complain once more when
        # it flushes stdout on exit, so stdout goes nowhere from here on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("HENGE_DEBUG"):
            raise
        return complain(describe(error) or describe_unexpected(error, arguments))


def _run(arguments: list[str]) -> int:
    command = next((word for word in arguments if not word.startswith("-")), None)
    known = command in COMMANDS and importlib.util.find_spec(f"cli.{command}") is not None
    args = build_parser(command if known else None).parse_args(arguments)
    run: Any = args.run
    code = run(args)
    sys.stdout.flush()
    return int(code)


def complain(message: str) -> int:
    """Prints one line on stderr and returns the exit code for bad input."""
    print("henge: " + " ".join(message.split()), file=sys.stderr)
    return BAD_INPUT


def describe(error: Exception) -> str | None:
    """The error as one sentence that says what to do; None if it is a fault of the program."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror.lower()}"
    if isinstance(error, HengeError | OSError):
        return str(error) or type(error).__name__
    if isinstance(error, ImportError):
        return _describe_missing(error)
    return None


def _describe_missing(error: ImportError) -> str | None:
    if "shared object file" in str(error):
        return (
            f"a library of your system is missing ({error}); to mend that, type: "
            "sudo apt-get update && sudo apt-get install -y libgl1 libglib2.0-0"
        )
    package = (error.name or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and package not in OURS:
        return (
            f"the Python package {package} is not installed here; to mend that, type: pip install {package}"
        )
    return None


def describe_unexpected(error: Exception, arguments: Sequence[str]) -> str:
    """The error that is being handled in one sentence; its traceback goes into a file of its own."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="henge-error-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(f"henge {__version__}\n{arguments}\n\n{traceback.format_exc()}")
    return f"this should not have happened: {type(error).__name__}: {error} (details in {file.name})"
