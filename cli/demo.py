"""`henge demo`: the page on recorded tables; needs no camera."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import Any

import sample_images
from cli.main import INTERRUPTED
from cli.recorded import Player, open_recorded, open_self_played
from table import Hall
from webui import PortTaken, bound_server, create_app
from webui.api.players import FASTEST_S, SLOWEST_S
from webui.eyes import PhotoReader
from webui.server import port_number

RECORDED = Path(sample_images.__file__).parent / "demo"
DEFAULT_PORT = 8421
# The recorded evenings and who plays them; played by the rules where no recording is at hand.
SELF_PLAYED = {
    "build": ("red", "blue", "green"),
    "stonehenge": ("black", "brown"),
    "ramming": ("red", "blue", "white"),
    "roulette": ("red", "blue", "white", "green"),
    "rolling": ("red", "green", "blue"),
    "council": ("white", "red"),
}


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "demo",
        description="Serves the page on recorded tables: photographs are read as if they came from a camera. "
        "Nothing is kept. Ends with Ctrl-C.",
    )
    parser.add_argument(
        "--port", type=port_number, default=None, help=f"default: {DEFAULT_PORT}, or a free one"
    )
    parser.add_argument("--no-browser", action="store_true", help="only say where the page is")
    parser.add_argument(
        "--pace", metavar="SECONDS", type=seconds, default=2.0, help="per photograph (default: %(default)g)"
    )
    parser.set_defaults(run=run)


def seconds(text: str) -> float:
    """A pace that the page offers too. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not FASTEST_S <= value <= SLOWEST_S:
        raise argparse.ArgumentTypeError(
            f"expected seconds from {FASTEST_S} to {SLOWEST_S:g}, found {text!r}"
        )
    return value


def run(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="henge-demo-") as folder, Hall(folder) as hall:
        eyes = PhotoReader()
        players = open_tables(hall, eyes)
        for player in players.values():
            player.set_pace(args.pace)
            player.step()  # the table lies there, seen by the camera, before anybody opens it
        app = create_app(hall, players=dict(players), eyes=eyes)
        with contextlib.ExitStack() as closing:
            for player in players.values():
                closing.callback(player.close)
            server = _server(app, args.port)
            closing.callback(server.close)
            # With one recorded game there is nothing to choose from.
            path = f"/table/{next(iter(players))}" if len(players) == 1 else "/"
            address = f"http://127.0.0.1:{server.effective_port}{path}"
            print(f"The page is at {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
            if not args.no_browser:
                threading.Timer(0.5, webbrowser.open, [address]).start()
            server.run()  # until Ctrl-C, which it takes as its end
    return INTERRUPTED


def open_tables(hall: Hall, eyes: PhotoReader, recorded: Path = RECORDED) -> dict[str, Player]:
    """A table per recorded game, ready to be played."""
    players = {}
    for number, (game, colours) in enumerate(SELF_PLAYED.items()):
        folder = recorded / game
        if any(folder.glob("*.jpg")) or any(folder.glob("*.henge")):
            table, player = open_recorded(hall, folder, eyes, name="Demo")
        else:
            table, player = open_self_played(hall, game, colours, seed=number, name="Henge")
        players[table.id] = player
    return players


def _server(app: Any, port: int | None) -> Any:
    """On the port asked for; without one on the usual port, or any if that is taken."""
    if port is not None:
        return bound_server(app, port=port)
    try:
        return bound_server(app, port=DEFAULT_PORT)
    except PortTaken:
        return bound_server(app, port=0)
