"""The profiles that are kept, and which table uses which."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from calibration.shelf import Shelf
from webui.setup.asked import json_body, only_here
from webui.setup.draft import board_name

blueprint = Blueprint("profiles", __name__, url_prefix="/setup/api")


@blueprint.get("/profiles")
def profiles() -> Response:
    shelf = Shelf()
    kept = [shelf.load(name) for name in shelf.names()]
    return jsonify([{"name": each.name, "board": board_name(each.board), "made": each.made,
                     "lens": each.lens.source if each.lens else None} for each in kept])  # fmt: skip


@blueprint.post("/profiles")
def take_in() -> Response:
    """A profile's zip file as the body; ?name= keeps it under another name."""
    only_here()
    profile = Shelf().take_in(request.get_data(), "the file", request.args.get("name"))
    return jsonify({"name": profile.name})


@blueprint.get("/profiles/<name>.zip")
def export(name: str) -> Response:
    data = Shelf().path(name).read_bytes()
    response = Response(data, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.zip")
    return response


@blueprint.post("/profiles/<name>/name")
def rename(name: str) -> Response:
    only_here()
    Shelf().rename(name, str(json_body().get("name", "")))
    return jsonify({"name": json_body().get("name")})


@blueprint.delete("/profiles/<name>")
def delete(name: str) -> Response:
    only_here()
    Shelf().delete(name)
    return jsonify({"deleted": name})


@blueprint.post("/tables/<table_id>")
def of_table(table_id: str) -> Response:
    """{"profile"}: the table is played with it from now on."""
    only_here()
    Shelf().remember(table_id, str(json_body().get("profile", "")))
    return jsonify({"table": table_id, "profile": json_body().get("profile")})
