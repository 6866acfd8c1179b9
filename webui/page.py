"""The page itself: one HTML file, ES modules and style sheets, served as they are."""

from __future__ import annotations

import gzip
import re
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import quote

from flask import Blueprint, Response, abort, request

from table import TableError
from webui.api.asking import gallery, session
from webui.rights import enough

STATIC = Path(__file__).with_name("static")
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
# What is needed for the first look at a table: the board, and whose turn it is. Everything else comes after.
FIRST = re.compile(r"js/(\w+|board/\w+|words/(en|de)|views/(banner|bar|parts|table))\.js")
blueprint = Blueprint("page", __name__)


@blueprint.get("/")
@blueprint.get("/pair")
@blueprint.get("/pair/<code>")
@blueprint.get("/phones")
@blueprint.get("/shelf")
@blueprint.get("/new")
def page(code: str = "") -> Response:
    """Every address of the page is the same file; the modules look at the address."""
    response = _file("index.html")
    response.headers["Link"] = "</static/js/views/hall.js>; rel=modulepreload"
    return response


@blueprint.get("/table/<table_id>")
@blueprint.get("/table/<table_id>/hand")
@blueprint.get("/table/<table_id>/hand/<player>")
def table_page(table_id: str, player: str = "") -> Response:
    """The table and its board are asked for while the modules are still on their way."""
    response = _file("index.html")
    with suppress(TableError):
        if enough(session(), "look"):
            board = gallery().table(table_id).state.game.board
            wanted = (f"/api/tables/{quote(table_id)}", f"/api/boards/{board}")
            links = [f"<{each}>; rel=preload; as=fetch; crossorigin" for each in wanted]
            response.headers["Link"] = ", ".join(links)
    return response


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    return _file(name)


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    return _file("icon.svg")


def _with_modules(html: bytes) -> bytes:
    """The page with the names of its first modules, so that a browser asks for all at once, not for one after
    the other."""
    first = sorted(name for name in _names() if FIRST.fullmatch(name))
    links = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in first)
    return html.replace(b"</head>", links.encode() + b"</head>")


@cache
def _names() -> dict[str, Path]:
    """The files of the page by name. Only these are opened: no path comes from a request."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.*") if path.suffix in TYPES}


@lru_cache(maxsize=200)
def _content(name: str, changed_ns: int) -> tuple[bytes, bytes]:
    """A file of the page, and the same compressed. changed_ns: an updated Henge shows at once."""
    data = _names()[name].read_bytes()
    if name == "index.html":
        data = _with_modules(data)
    return data, gzip.compress(data, 9, mtime=0)


def _file(name: str) -> Response:
    path = _names().get(name)
    if path is None:
        abort(404, "there is no such part of the page")
    data, compressed = _content(name, path.stat().st_mtime_ns)
    is_compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(compressed if is_compressed else data, mimetype=TYPES[path.suffix])
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.add_etag()
    # Asked anew each time, answered with "not modified".
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response
