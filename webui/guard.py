"""What keeps the page to the people at the table: headers, who may call and from where, sizes.

A page on another site must not be able to move our pieces: requests that change something need the header
`X-Henge`, which a foreign page cannot send without asking, and an `Origin` that is ours. Names that are
not ours are refused, so that no foreign name can be pointed at this machine. What a device may do is told
by its session (`webui.rights`).
"""

from __future__ import annotations

import gzip
import time
from collections import deque
from functools import lru_cache
from urllib.parse import urlsplit

from flask import Flask, Response, abort, g, request

from webui.rights import COOKIE, Doors, Right, enough

LARGEST_BODY_BYTES = 16 * 1024 * 1024
LARGEST_JSON_BYTES = 256 * 1024
CHANGES_PER_10_S = 400  # per address: more than a hand can tap, less than a loop can send
PHOTOS_PER_10_S = 10  # each keeps the eyes busy for a second
OWN_NAMES = ("localhost", "127.0.0.1", "::1")
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), payment=()",
}
_COMPRESSED = ("text/", "application/json", "image/svg+xml", "application/javascript")


# What an address asks for, where it is not the usual: to look with GET, to play with anything else.
NEEDS: dict[str, Right] = {
    "doors.me": "nothing",
    "doors.pair": "nothing",
    "doors.codes": "all",
    "doors.code_as_qr": "all",
    "doors.free_seat": "all",
    "description.openapi": "nothing",
    "halls.import_log": "all",
    "halls.rename": "all",
    "halls.shelve": "all",
    "setup.page": "nothing",  # a phone that scanned its code is let in by the page
}
REFUSED: dict[Right, str] = {
    "look": "this device is not paired: open the page by the code that the machine at the table shows",
    "play": "this device may only look: pair it with the code for players",
    "all": "only the machine at the table may do that",
}


def protect(app: Flask, hosts: tuple[str, ...], doors: Doors) -> None:
    """Puts the checks before every request of `app` and the headers on every answer."""
    names = {*OWN_NAMES, *map(str.lower, hosts)}
    recent: dict[str, deque[float]] = {}
    photos: dict[str, deque[float]] = {}

    @app.before_request
    def check() -> None:
        if (urlsplit(f"//{request.host}").hostname or "") not in names:
            abort(
                403,
                f"this is not {request.host.partition(':')[0]}: open the page by the address Henge printed",
            )
        if request.routing_exception is not None:
            return  # no such address, or not by this method: that is the answer
        g.session = doors.session(request.cookies.get(COOKIE), request.remote_addr or "")
        _check_right()
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if request.headers.get("X-Henge") != "1":
            abort(403, "a request that changes something needs the header X-Henge: 1")
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            abort(403, "only the page itself may change something at a table")
        if request.mimetype == "application/json" and (request.content_length or 0) > LARGEST_JSON_BYTES:
            abort(413, f"at most {LARGEST_JSON_BYTES // 1024} kB of JSON")
        _count(recent, request.remote_addr or "", CHANGES_PER_10_S)
        if request.endpoint == "photos.send_photo":
            _count(photos, request.remote_addr or "", PHOTOS_PER_10_S)

    @app.after_request
    def mark(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return _smaller(response)


def _check_right() -> None:
    endpoint = request.endpoint or ""
    if endpoint.startswith("page.") or not endpoint:
        return
    usual: Right = "look" if request.method in ("GET", "HEAD", "OPTIONS") else "play"
    wanted = NEEDS.get(endpoint, usual)
    if not enough(g.session, wanted):
        abort(401 if g.session.may == "nothing" else 403, REFUSED[wanted])


def _count(recent: dict[str, deque[float]], address: str, most: int) -> None:
    """Aborts with 429 what comes after `most` requests of one address within 10 s."""
    now = time.monotonic()
    times = recent.setdefault(address, deque(maxlen=most))
    if len(times) == most and now - times[0] < 10:
        abort(429, "too many changes at once: wait a few seconds")
    times.append(now)
    if len(recent) > 1000:
        recent.clear()


def _smaller(response: Response) -> Response:
    """Texts are sent compressed to whoever understands that; event streams and pictures as they are."""
    wanted = "gzip" in request.headers.get("Accept-Encoding", "") and (response.mimetype or "").startswith(
        _COMPRESSED
    )
    if (
        not wanted
        or response.is_streamed
        or response.status_code != 200
        or "Content-Encoding" in response.headers
    ):
        return response
    data = response.get_data()
    if len(data) > 1000:
        response.set_data(_compressed(data))
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
    return response


@lru_cache(maxsize=32)
def _compressed(data: bytes) -> bytes:
    """The same table goes to every onlooker: it is compressed once."""
    return gzip.compress(data, 5, mtime=0)
