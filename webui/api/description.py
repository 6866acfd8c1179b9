"""The OpenAPI document."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

blueprint = Blueprint("description", __name__, url_prefix="/api")


@blueprint.get("/openapi.json")
def openapi() -> Response:
    from webui.openapi import document

    return jsonify(document())
