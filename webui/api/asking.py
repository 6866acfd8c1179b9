"""What every topic of the API needs: the tables, and what stands in a request."""

from __future__ import annotations

import json
from typing import Any, TypeVar, cast

from flask import Response, abort, current_app, g, request

from table import Table
from webui.guard import LARGEST_JSON_BYTES
from webui.rights import Doors, Session
from webui.showing import Gallery

Kind = TypeVar("Kind")
LONGEST_TEXT = 2000


def gallery() -> Gallery:
    found: Gallery = current_app.extensions["henge"]
    return found


def doors() -> Doors:
    found: Doors = current_app.extensions["doors"]
    return found


def session() -> Session:
    """Who asks."""
    found: Session = g.session
    return found


def the_player(table: Table, player: str) -> str:
    """Aborts with 404 if nobody of that colour plays."""
    if player not in table.players:
        abort(404, f"the players of this table are {', '.join(table.players)}")
    return player


def the_table(table_id: str) -> Table:
    """Raises NoSuchTable (404)."""
    return gallery().table(table_id)


def body() -> dict[str, Any]:
    """The JSON object of the request; {} when it has no body. Aborts with 400 for anything else."""
    return json_object() if request.get_data(cache=True) else {}


def json_object() -> dict[str, Any]:
    """The JSON object of the request. Aborts with 413 for one that is too large, with 400 for anything else
    and for text that no file can hold: half a character would stand in the record for good."""
    if len(request.get_data(cache=True)) > LARGEST_JSON_BYTES:
        abort(413, f"at most {LARGEST_JSON_BYTES // 1024} kB of JSON")
    try:
        data = request.get_json(force=True, silent=True)
        json.dumps(data, ensure_ascii=False).encode()
    except (RecursionError, UnicodeEncodeError):
        data = None
    if not isinstance(data, dict):
        abort(400, "the body of the request has to be a JSON object")
    return data


def wanted(data: dict[str, Any], key: str, kind: type[Kind], default: Kind | None = None) -> Kind:
    """`data[key]`, which has to be of that kind. Aborts with 400 saying what was expected."""
    value: Any = data.get(key, default)
    # True is an int to Python, and not to the caller.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        abort(400, f"{key!r} has to be a {_NAMES.get(kind, kind.__name__)}")
    if isinstance(value, str) and (len(value) > LONGEST_TEXT or "\x00" in value):
        abort(400, f"{key!r} is longer than {LONGEST_TEXT} characters, or no text")
    return cast(Kind, value)


_NAMES: dict[type, str] = {
    str: "text",
    int: "whole number",
    list: "list",
    dict: "JSON object",
    bool: "true or false",
}


def json_bytes(text: bytes, status: int = 200) -> Response:
    """JSON that is already text."""
    return Response(text, status, mimetype="application/json")


def done(table: Table) -> Response:
    """The answer to a change: the whole table as it is now."""
    return json_bytes(gallery().snapshot(table))
