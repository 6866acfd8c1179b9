"""The page itself: one HTML file, ES modules and style sheets, served as they are."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, send_from_directory

STATIC = Path(__file__).with_name("static")
blueprint = Blueprint("page", __name__)


@blueprint.get("/")
@blueprint.get("/table/<table_id>")
@blueprint.get("/shelf")
@blueprint.get("/new")
def page(table_id: str = "") -> Response:
    """Every address of the page is the same file; the modules look at the address."""
    return _file("index.html")


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    return _file(name)


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    return _file("icon.svg")


def _file(name: str) -> Response:
    response = send_from_directory(STATIC, name)
    # Asked anew each time, answered with "not modified": an updated Henge shows at once.
    response.headers["Cache-Control"] = "no-cache"
    response.direct_passthrough = False
    return response
