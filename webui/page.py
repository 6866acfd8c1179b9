"""The page itself: one HTML file, ES modules and style sheets, served as they are."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, request

STATIC = Path(__file__).with_name("static")
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
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
    return _file("index.html")


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    return _file(name)


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    return _file("icon.svg")


def _file(name: str) -> Response:
    # Only names that are found in the folder are opened: no path comes from a request.
    path = {str(each.relative_to(STATIC).as_posix()): each for each in STATIC.rglob("*.*")}.get(name)
    if path is None or path.suffix not in TYPES:
        abort(404, "there is no such part of the page")
    response = Response(path.read_bytes(), mimetype=TYPES[path.suffix])
    response.add_etag()
    # Asked anew each time, answered with "not modified": an updated Henge shows at once.
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response
