"""`henge serve`: a live table, its camera and its page."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import segno

from cli.errors import UsageError
from cli.eyes import EyesOfTables
from cli.main import INTERRUPTED
from cli.play import add_game, variants_of
from cli.profiles import add_profile, board_of, profile_of, reader_for, remembered
from engine.board import load_board
from table import Hall, Lookout, Table
from table.camera import Watcher
from vision.pictures.sources import open_source, quiet_opencv
from webui import bound_server, create_app
from webui.eyes import PhotoReader
from webui.rights import Doors
from webui.server import port_number, refuse_taken

DEFAULT_PORT = 8420


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "serve",
        description="Referees a live table: looks through the camera, keeps the record, serves the page. "
        "Without --game the last game goes on. When it is over, the camera watches the next one that is "
        "begun on the page. Ends with Ctrl-C; nothing is lost.",
    )
    add_game(parser, required=False)
    parser.add_argument(
        "--camera", metavar="SOURCE",
        help="number or device of a camera, URL of a stream, video file or folder of photos; "
        "without it people enter the moves, and phones may send photos",
    )  # fmt: skip
    parser.add_argument("--board", help="id or file of the board (default: the game's own)")
    add_profile(parser)
    parser.add_argument("--name", default="", help="a name for this game")
    parser.add_argument(
        "--running", action="store_true", help="the game is already going on: the first view is the set-up"
    )
    parser.add_argument("--to-move", metavar="COLOUR", help="with --running: whose turn it is")
    parser.add_argument("--port", type=port_number, default=DEFAULT_PORT, help=f"default: {DEFAULT_PORT}")
    parser.add_argument(
        "--lan", action="store_true", help="let phones and tablets in this network see the page"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=default_folder(),
        help="where the games are kept (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def default_folder() -> Path:
    """$HENGE_FOLDER, or a folder of the user's own."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("HENGE_FOLDER") or Path(data) / "henge")


def run(args: argparse.Namespace) -> int:
    quiet_opencv()
    if args.running and not args.camera:
        raise UsageError("--running needs a camera whose first view is the set-up: add --camera")
    if args.to_move and not args.running:
        raise UsageError("--to-move goes with --running: whose turn it is in a game that is already going on")
    if args.players and not args.game:
        raise UsageError("--players goes with --game: which game do they play?")
    host = "0.0.0.0" if args.lan else "127.0.0.1"
    with Hall(args.folder) as hall:
        refuse_taken(host, args.port)  # before a table is made
        if args.board:
            load_board(args.board)  # refused before a table is made
        if args.game:
            board_of(args.board, profile_of(args), args.game)
        if args.running and not args.game and not hall.tables():
            raise UsageError(f"no game is going on in {hall.folder}: start one with --game and --players")
        source = open_source(args.camera, watch=True) if args.camera else None
        table = the_table(hall, args)
        eyes = None
        if table is not None:
            eyes = reader_for(table.game.id, table.players, args.board, remembered(args, table.id))
        names = lan_names() if args.lan else ()
        doors = Doors(lan=args.lan)
        later = EyesOfTables(args.board, args.profile, table)
        watcher, lookout = None, None
        if source is not None:
            watcher = Watcher(table, source, eyes, tell=say, take_over=args.running, to_move=args.to_move)
            lookout = Lookout(hall, watcher, later, tell=say)
        phones = PhotoReader(later.board_of)
        app = create_app(hall, eyes=phones, hosts=names, doors=doors, lookout=lookout)
        server = bound_server(app, host, args.port)
        say(f"The page is at http://127.0.0.1:{server.effective_port}/{f'table/{table.id}' if table else ''}")
        if args.lan:
            let_phones_in(doors, f"http://{names[0]}:{server.effective_port}/")
        with running(watcher):
            server.run()  # until Ctrl-C, which it takes as its end
        server.close()
    return INTERRUPTED


def let_phones_in(doors: Doors, address: str) -> None:
    """Tells how phones and tablets of this network come in: by one code to play, by another to look on."""
    doors.address = address
    play, look = (f"{address}pair/{doors.codes[right]}" for right in ("play", "look"))
    segno.make_qr(play).terminal(out=sys.stderr, compact=True)
    say(f"Phones that play: {play}")
    say(f"Phones that look on: {look}")


def the_table(hall: Hall, args: argparse.Namespace) -> Table | None:
    """A new table for the game asked for, or the one that goes on: the camera's, or the last; None if there
    is none: then the page begins one."""
    if args.game:
        if not args.players:
            raise UsageError(
                f"who plays? Expected --players with colours, as in: --game {args.game} --players a,b"
            )
        return hall.create(args.game, args.players, variants_of(args), name=args.name)
    going_on, watched = hall.tables(), hall.watched()
    if args.camera and watched is not None and watched.closed is None:
        return hall.open(watched.id)
    return hall.open(going_on[-1].id) if going_on else None


@contextlib.contextmanager
def running(watcher: Watcher | None) -> Iterator[None]:
    """The camera loop, stopped in the end whatever happens."""
    if watcher is None:
        yield
        return
    watcher.start()
    try:
        yield
    finally:
        watcher.stop()


def lan_names() -> tuple[str, ...]:
    """The names and addresses by which others in this network call this machine."""
    found = [socket.gethostname()]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; only chooses the way out
        found.insert(0, str(probe.getsockname()[0]))
    return tuple(dict.fromkeys(found))


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
