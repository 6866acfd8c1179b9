"""The page itself: one HTML file, ES modules and style sheets, served as they are."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from flask import Blueprint, Response, abort, request

STATIC = Path(__file__).with_name("static")
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
# Parts of the page that are loaded when somebody goes there.
LATER = ("js/views/hand.js", "js/views/phones.js", "js/views/export.js", "js/setup", "js/words/setup")
blueprint = Blueprint("page", __name__)


@blueprint.get("/")
@blueprint.get("/table/<table_id>")
@blueprint.get("/table/<table_id>/hand")
@blueprint.get("/table/<table_id>/hand/<player>")
@blueprint.get("/pair")
@blueprint.get("/pair/<code>")
@blueprint.get("/phones")
@blueprint.get("/shelf")
@blueprint.get("/new")
def page(table_id: str = "", player: str = "", code: str = "") -> Response:
    """Every address of the page is the same file; the modules look at the address."""
    response = _file("index.html")
    if table_id:  # asked for while the modules are still on their way
        response.headers["Link"] = f"</api/tables/{quote(table_id)}>; rel=preload; as=fetch; crossorigin"
    return response


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    return _file(name)


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    return _file("icon.svg")


def _with_modules(html: bytes) -> bytes:
    """The page with the names of all its modules, so that a browser asks for them at once instead of finding
    one after the other."""
    modules = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
    first = [name for name in modules if not name.startswith(LATER)]
    links = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in first)
    return html.replace(b"</head>", links.encode() + b"</head>")


def _file(name: str) -> Response:
    # Only names that are found in the folder are opened: no path comes from a request.
    path = {str(each.relative_to(STATIC).as_posix()): each for each in STATIC.rglob("*.*")}.get(name)
    if path is None or path.suffix not in TYPES:
        abort(404, "there is no such part of the page")
    data = path.read_bytes()
    response = Response(_with_modules(data) if name == "index.html" else data, mimetype=TYPES[path.suffix])
    response.add_etag()
    # Asked anew each time, answered with "not modified": an updated Henge shows at once.
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response
