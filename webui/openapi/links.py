"""Where one goes from an answer of the API: the links of the OpenAPI document.

From the hall to a table, from a table to its moves, its pictures, its hands; the first of the moves is
played, taken back, done again; what was read is put right. Programs follow these links, and so do the tests
that make up whole sequences of requests.
"""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]
T: Final = "/api/tables/{table_id}"
HERE: Final = "$request.path.table_id"
CHANGING: Final = ("post", "put", "delete")
# (name, method, path below the table, body, other parameters)
Way = tuple[str, str, str, Json | None, dict[str, str]]
# From a table one comes to everything that there is about it ...
FROM_A_TABLE: Final[tuple[Way, ...]] = (
    ("moves", "get", "/moves", None, {}),
    ("draw", "post", "/draw", {}, {}),
    ("undo", "post", "/undo", {}, {}),
    ("redo", "post", "/redo", {}, {}),
    ("moment", "get", "/moments/{number}", None, {"number": "$response.body#/moment/number"}),
    ("beginning", "get", "/moments/{number}", None, {"number": "0"}),
    ("answer", "post", "/answers", {"number": 0}, {}),
    ("allow", "post", "/agreements", {}, {}),
    ("teach", "post", "/lessons", {}, {}),
    ("note", "post", "/notes", {"text": "tea"}, {}),
    ("rename", "put", "/name", {"name": "Friday evening"}, {}),
    ("shelve", "put", "/shelf", {"away": True}, {}),
    ("unshelve", "put", "/shelf", {"away": False}, {}),
    ("seats", "get", "/seats", None, {}),
    ("log", "get", "/log.txt", None, {}),
    ("json", "get", "/log.json", None, {}),
    ("sheet", "get", "/sheet.{ending}", None, {"ending": "pdf"}),
    ("series", "get", "/series", None, {}),
    ("observation", "get", "/observation", None, {}),
    ("picture", "get", "/picture", None, {}),
    ("straight", "get", "/picture/straight", None, {}),
    ("health", "get", "/health", None, {}),
    ("player", "get", "/player", None, {}),
)
# ... and from a change to what is usually wanted next.
AFTER_A_CHANGE: Final = ("moves", "undo", "redo")
CHANGES: Final = tuple(
    (method, T + path)
    for method, path in (
        ("post", "/moves"), ("post", "/draw"), ("post", "/undo"), ("post", "/redo"), ("post", "/answers"),
        ("post", "/corrections"), ("post", "/agreements"), ("put", "/shelf"),
    )
)  # fmt: skip


def links_of(method: str, path: str) -> Json:
    """The links of an operation's answer, by name; {} if it has none."""
    match method, path.removeprefix(T) if path.startswith(T) else path:
        case "get", "/api/tables":
            places = {"first": "tables/0", "second": "tables/1", "third": "tables/2", "past": "shelf/0"}
            return {name: _link("get", T, f"$response.body#/{at}/id") for name, at in places.items()}
        case "post", "/api/tables" | "/api/logs":
            new = "$response.body#/id"
            return {"table": _link("get", T, new)} | _ways(AFTER_A_CHANGE, new) | _ways(("draw",), new)
        case "get", "":
            return _ways([name for name, *_ in FROM_A_TABLE], HERE)
        case "get", "/moves":
            text = "$response.body#/moves/0/text"
            return {
                "play": _link("post", T + "/moves", HERE, {"text": text}),
                "check": _link("get", T + "/moves/check", HERE, text=text),
            }
        case "get", "/observation":
            nothing = {"place": "$response.body#/pieces/0/field", "thing": None}
            return {"correct": _link("post", T + "/corrections", HERE, nothing)}
        case "get", "/seats":
            seat = {"player": "$response.body#/0/player"}
            return {
                "take": _link("put", T + "/seats/{player}", HERE, {"pin": "2468"}, **seat),
                "hand": _link("get", T + "/hands/{player}", HERE, **seat),
                "free": _link("delete", T + "/seats/{player}", HERE, **seat),
            }
    if (method, path) in CHANGES:
        return {"table": _link("get", T, HERE)} | _ways(AFTER_A_CHANGE, HERE)
    return {}


def _ways(names: Any, table_id: str) -> Json:
    return {
        name: _link(method, T + path, table_id, body, **more)
        for name, method, path, body, more in FROM_A_TABLE
        if name in names
    }


def _link(method: str, path: str, table_id: str, body: Json | None = None, **parameters: str) -> Json:
    target = path.replace("~", "~0").replace("/", "~1")
    link: Json = {
        "operationRef": f"#/paths/{target}/{method}",
        "parameters": {"table_id": table_id, **parameters},
    }
    if method in CHANGING:
        link["parameters"]["X-Henge"] = "1"
    if body is not None:
        link["requestBody"] = body
    return link
