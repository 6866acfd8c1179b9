"""Where one goes from an answer of the API: the links of the OpenAPI document.

A new table is looked at, its legal moves are asked for, the first of them is played, taken back, done again;
programs follow these links, and so do the tests that make up whole sequences of requests.
"""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]
T: Final = "/api/tables/{table_id}"
HERE: Final = "$request.path.table_id"
CHANGING: Final = ("post", "put", "delete")
# From the answers that are a table: name, method, path, body.
FROM_A_TABLE: Final[tuple[tuple[str, str, str, Json | None], ...]] = (
    ("table", "get", T, None),
    ("moves", "get", T + "/moves", None),
    ("draw", "post", T + "/draw", {}),
    ("undo", "post", T + "/undo", {}),
    ("redo", "post", T + "/redo", {}),
    ("log", "get", T + "/log.txt", None),
    ("shelve", "put", T + "/shelf", {"away": True}),
    ("seats", "get", T + "/seats", None),
)
ANSWERED_BY_A_TABLE: Final = (
    ("post", "/api/tables"),
    ("post", "/api/logs"),
    ("post", T + "/moves"),
    ("post", T + "/draw"),
    ("post", T + "/undo"),
)


def links_of(method: str, path: str) -> Json:
    """The links of an operation's answer, by name; {} if it has none."""
    if (method, path) in ANSWERED_BY_A_TABLE:
        here = "$response.body#/id"
        now = {"number": "$response.body#/moment/number"}
        links = {name: _link(m, p, here, body) for name, m, p, body in FROM_A_TABLE}
        return links | {"moment": _link("get", T + "/moments/{number}", here, None, **now)}
    if (method, path) == ("get", T + "/moves"):
        return {"play": _link("post", T + "/moves", HERE, {"text": "$response.body#/moves/0/text"})}
    if (method, path) == ("get", T + "/seats"):
        seat = {"player": "$response.body#/0/player"}
        return {
            "take": _link("put", T + "/seats/{player}", HERE, {"pin": "2468"}, **seat),
            "hand": _link("get", T + "/hands/{player}", HERE, None, **seat),
        }
    return {}


def _link(method: str, path: str, table_id: str, body: Json | None, **parameters: str) -> Json:
    target = path.replace("~", "~0").replace("/", "~1")
    link: Json = {
        "operationRef": f"#/paths/{target}/{method}",
        "parameters": {"table_id": table_id, **parameters},
    }
    if method in CHANGING:
        link["parameters"]["X-Henge"] = "1"
        link["requestBody"] = body
    return link
