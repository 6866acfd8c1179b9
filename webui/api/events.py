"""What happens at a table, as it happens: server-sent events with ids, so that a browser resumes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import BoundedSemaphore

from flask import Blueprint, Response, abort, request

from table import Event, Table
from webui.api.asking import the_table

blueprint = Blueprint("events", __name__, url_prefix="/api/tables/<table_id>")
HEARTBEAT_S = 10.0
MOST_STREAMS = 120  # each holds one of the server's threads; the others answer
_OPEN = BoundedSemaphore(MOST_STREAMS)


@blueprint.get("/events")
def events(table_id: str) -> Response:
    """The events after the one whose id is in the header `Last-Event-ID` or in `after`; without either,
    from now on. kind "entry", "status", "view" (a new picture) or "opened" (load everything anew)."""
    table = the_table(table_id)
    given = request.headers.get("Last-Event-ID") or request.args.get("after") or ""
    after = int(given) if given.isascii() and given.isdigit() and len(given) < 18 else table.last_event_id
    if not _OPEN.acquire(blocking=False):
        abort(429, "too many browsers are listening: close some")
    response = Response(_stream(table, after), mimetype="text/event-stream")
    response.call_on_close(_OPEN.release)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _stream(table: Table, after: int) -> Iterator[str]:
    yield "retry: 1000\n\n"
    for event in table.events_since(after):
        yield event_text(event)
        after = event.id
    while True:
        happened = table.wait(after, HEARTBEAT_S)
        if not happened:
            yield ": still here\n\n"  # also how a browser that has gone away is noticed
        for event in happened:
            yield event_text(event)
            after = event.id


def event_text(event: Event) -> str:
    """An event as it stands in the stream."""
    data = json.dumps(dict(event.data), ensure_ascii=False, separators=(",", ":"))
    return f"id: {event.id}\nevent: {event.kind}\ndata: {data}\n\n"
