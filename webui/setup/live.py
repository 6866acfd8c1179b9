"""The picture of the moment: a camera's, on this machine or on a phone, with the board's outlines and the
health of its view."""

from __future__ import annotations

import io
import time
from typing import Any

import segno
from flask import Blueprint, Response, abort, jsonify, request

from vision import CannotRead
from vision.calibrating.calibrate import grey_of
from vision.calibrating.health import view_health
from vision.finding.locate import Located, by_corners, by_tags
from vision.geometry.outlines import outlines_px
from webui.api.asking import doors
from webui.setup.asked import only_here, picture
from webui.setup.draft import Draft, Image, Live, the_draft, workshop

blueprint = Blueprint("live", __name__, url_prefix="/setup/api")


@blueprint.post("/live")
def send() -> Response:
    """A camera's picture of this moment (?device=, ?rate= pictures per second): kept until the next one,
    for other devices to look at. Answers with the health of the view and where the fields lie in it."""
    image = picture()
    with workshop().guard:
        draft = the_draft()
        device = request.args.get("device", "")[:40]
        workshop().live = Live(request.get_data(), time.monotonic(), device)
        return jsonify(_seen(draft, image, request.args.get("rate", type=float)))


@blueprint.get("/live")
def look() -> Response:
    """The health of the last picture that a camera sent, and where the fields lie in it."""
    with workshop().guard:
        live = workshop().live
        if live is None or not live.is_fresh:
            abort(404, "no camera sends pictures")
        return jsonify({"device": live.device})


@blueprint.get("/live.jpg")
def last() -> Response:
    live = workshop().live
    if live is None or not live.is_fresh:
        abort(404, "no camera sends pictures")
    return Response(live.jpeg, mimetype="image/jpeg")


@blueprint.post("/health")
def health() -> Response:
    """How well the table is seen in a picture. Nothing is kept."""
    image = picture()
    with workshop().guard:
        return jsonify(_seen(the_draft(), image, request.args.get("rate", type=float))["health"])


@blueprint.get("/phone.svg")
def phone_code() -> Response:
    """The way to this page for a phone, to be photographed: it lets the phone in and opens the set-up."""
    only_here()
    out = io.BytesIO()
    segno.make_qr(phone_address()).save(out, kind="svg", scale=6, border=3, light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")


@blueprint.get("/phone")
def phone() -> Response:
    only_here()
    return jsonify({"lan": doors().lan, "address": phone_address()})


def phone_address() -> str:
    return f"{doors().address or request.host_url}setup?code={doors().codes['play']}"


def _seen(draft: Draft, image: Image, rate: float | None) -> dict[str, Any]:
    located = _where(draft, image)
    corners = draft.same_view(image)
    found = view_health(image, draft.profile.board, located=located, corners_px=corners, pictures_per_s=rate)
    outlines = {} if located is None else outlines_px(draft.profile.board, located.view)
    return {
        "health": found.to_json(),
        "size_px": [image.shape[1], image.shape[0]],
        "outlines": outlines,
    }


def _where(draft: Draft, image: Image) -> Located | None:
    """The board in a picture of the moment: by its tags, else where the same camera saw it before."""
    size = (image.shape[1], image.shape[0])
    lens = draft.lens() if size == draft.size_px else None
    try:
        if draft.profile.board.markers:
            return by_tags(grey_of(image), draft.profile.board, lens=lens)
        corners = draft.same_view(image)
        if corners is not None and draft.located is not None:
            return draft.located
        return None if corners is None else by_corners(corners, draft.profile.board, size, lens=lens)
    except CannotRead:
        return None
