"""The OpenAPI document, put together from operations, schemas and links."""

from __future__ import annotations

from typing import Final

from webui.openapi.links import CHANGING, links_of
from webui.openapi.operations import NOTHING, OPERATIONS, PARAMETERS, QUERIES
from webui.openapi.schemas import SCHEMAS, Json, ref

ABOUT: Final = {
    "title": "Henge",
    "version": "1",
    "description": "Tables, moves, pictures and logs of Henge. "
    "Requests that change something need the header X-Henge: 1.",
}
PROBLEMS: Final = {
    "400": "not understood",
    "401": "this device is not paired",
    "403": "not from the page, or not allowed to this device",
    "404": "not there",
    "409": "not possible now",
    "413": "too large",
    "429": "too many at once",
}
FROM_THE_PAGE: Final = {"name": "X-Henge", "in": "header", "required": True, "schema": {"enum": ["1"]}}


def document() -> Json:
    """The whole document, OpenAPI 3.1."""
    paths: dict[str, Json] = {}
    for method, path, summary, body, answer, status in OPERATIONS:
        operation: Json = {"summary": summary, "responses": _responses(answer, status)}
        if parameters := _parameters(method, path):
            operation["parameters"] = parameters
        if links := links_of(method, path):
            operation["responses"][str(status)]["links"] = links
        if body is not None:
            operation["requestBody"] = {"required": body != NOTHING, "content": _content(body)}
        paths.setdefault(path, {})[method] = operation
    return {"openapi": "3.1.0", "info": ABOUT, "paths": paths, "components": {"schemas": SCHEMAS}}


def _responses(answer: Json | str, status: int) -> Json:
    problems = {
        code: {"description": what, "content": _content(ref("Error"))} for code, what in PROBLEMS.items()
    }
    return {str(status): {"description": "done", "content": _content(answer)}, **problems}


def _content(schema: Json | str) -> Json:
    if schema == "application/pdf":
        return {schema: {}, "image/png": {}}
    return {schema: {}} if isinstance(schema, str) else {"application/json": {"schema": schema}}


def _parameters(method: str, path: str) -> list[Json]:
    inside = [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in PARAMETERS.items()
        if f"{{{name}}}" in path
    ]
    asked = [
        {"name": name, "in": "query", "schema": schema} for name, schema in QUERIES.get(path, {}).items()
    ]
    return [*inside, *asked, *([FROM_THE_PAGE] if method in CHANGING else [])]
