"""The API described by itself."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from webui.openapi import document

blueprint = Blueprint("description", __name__, url_prefix="/api")


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return jsonify(document())
