"""Serving the page: waitress with as many threads as there may be onlookers."""

from __future__ import annotations

import argparse
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from waitress.server import create_server

from engine.errors import HengeError
from webui.guard import LARGEST_BODY_BYTES

# Every open event stream holds a thread; waitress' default of 4 would hang with four browsers.
THREADS = 160
# A body is on our disk before the page is asked whether it may come in; what is a little too large is still
# told so in the page's own words.
LARGEST_WAITED_FOR_BYTES = 2 * LARGEST_BODY_BYTES


class PortTaken(HengeError):
    """Something else listens there already."""


def port_number(text: str) -> int:
    """For argparse: a TCP port, 0 for any free one."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, found {text!r}")
    return int(text)


def bound_server(app: Flask, host: str = "127.0.0.1", port: int = 0) -> Any:
    """A waitress server that has its port already (`effective_port`), so that the address can be told
    before `run()` is called. Port 0: any free one. Raises PortTaken."""
    try:
        return create_server(
            app, host=host, port=port, threads=THREADS, connection_limit=THREADS * 2, channel_timeout=60,
            clear_untrusted_proxy_headers=True, ident="henge", max_request_body_size=LARGEST_WAITED_FOR_BYTES,
        )  # fmt: skip
    except OSError as error:
        raise _taken(host, port, error) from None


def refuse_taken(host: str, port: int) -> None:
    """Raises PortTaken if nobody can listen there."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            raise _taken(host, port, error) from None


def _taken(host: str, port: int, error: OSError) -> PortTaken:
    return PortTaken(
        f"cannot listen on {host}:{port} ({error.strerror or error}): is Henge running already? "
        "Choose another with --port"
    )


@contextmanager
def served(app: Flask, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """The address of a server that runs in a thread of its own until the block is left."""
    server = bound_server(app, host, port)
    leaving = threading.Event()

    def run() -> None:
        while not leaving.is_set():
            server.asyncore.loop(timeout=1, map=server._map, use_poll=True, count=1)

    thread = threading.Thread(target=run, name="henge server", daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.effective_port}"
    finally:
        leaving.set()
        server.pull_trigger()
        thread.join(timeout=10)
        server.socket.close()
        for channel in list(server.active_channels.values()):
            channel.handle_close()
        threading.Thread(target=_tidy_up, args=(server,), daemon=True).start()


def _tidy_up(server: Any) -> None:
    """Lets the threads end that still hold an event stream; they notice with their next heartbeat. Only then
    is closed what they write to."""
    server.task_dispatcher.shutdown(timeout=30)
    server.trigger.close()


def serve(app: Flask, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serves until interrupted."""
    bound_server(app, host, port).run()
