"""The camera over the table: which game it watches."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from table import TableError
from webui.api.asking import body, gallery, the_table, wanted

blueprint = Blueprint("cameras", __name__, url_prefix="/api/camera")


@blueprint.get("")
def camera() -> Response:
    """Whether this server has a camera, and which table it watches."""
    return jsonify(gallery().camera())


@blueprint.put("")
def watch() -> Response:
    """The camera watches the table with the id `table` from now on."""
    table = the_table(wanted(body(), "table", str))
    lookout = gallery().lookout
    if lookout is None:
        raise TableError("this server has no camera: start Henge with --camera")
    lookout.watch(table)
    return jsonify(gallery().camera())
