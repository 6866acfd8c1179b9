"""One table: everything the page shows of it, any earlier moment, its log."""

from __future__ import annotations

import json

from flask import Blueprint, Response, abort, jsonify, request

from engine.words import LANGUAGES
from webui.api.asking import done, gallery, the_table
from webui.sheet import as_pdf, as_png, draw_sheet

SHEETS = {"pdf": (as_pdf, "application/pdf"), "png": (as_png, "image/png")}
blueprint = Blueprint("tables", __name__, url_prefix="/api/tables/<table_id>")


@blueprint.get("")
def snapshot(table_id: str) -> Response:
    """The table now: status, moment, entries, score curve. `event` is where its event stream goes on."""
    return done(the_table(table_id))


@blueprint.get("/moments/<int:number>")
def moment(table_id: str, number: int) -> Response:
    """The table after entry `number`; 0 is the beginning."""
    return jsonify(gallery().moment(the_table(table_id), number))


@blueprint.get("/log.txt")
def text_log(table_id: str) -> Response:
    """The record as a log file, with what everybody may know."""
    table = the_table(table_id)
    return _download(Response(table.export_log(), mimetype="text/plain"), table_id, "txt")


@blueprint.get("/log.json")
def json_log(table_id: str) -> Response:
    table = the_table(table_id)
    data = {
        "table": table.row.to_json(),
        "start": table.state_at(0).view(None).to_json(),
        "entries": [entry.to_json() for entry in table.entries],
        "state": table.state.view(None).to_json(),
    }
    return _download(jsonify(data), table_id, "json")


@blueprint.get("/sheet.<ending>")
def score_sheet(table_id: str, ending: str) -> Response:
    """The score sheet, as PDF or PNG; `language` en or de."""
    language = request.args.get("language", "en")
    if ending not in SHEETS or language not in LANGUAGES:
        abort(404, "there is sheet.pdf and sheet.png, in the languages en and de")
    make, mimetype = SHEETS[ending]
    table = the_table(table_id)
    sheet = draw_sheet(json.loads(gallery().snapshot(table)), table.moves_made, language)
    return _download(Response(make(sheet), mimetype=mimetype), table_id, ending)


@blueprint.get("/series")
def series(table_id: str) -> Response:
    """The games of Stonehenge with the same name and players, and the running total of the series."""
    return jsonify(gallery().series(the_table(table_id)))


def _download(response: Response, table_id: str, ending: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{table_id}.{ending}"'
    return response
