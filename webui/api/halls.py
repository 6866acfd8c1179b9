"""The hall: the tables being played, the shelf of past games, new tables, logs brought along."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify

from webui.api.asking import body, done, gallery, json_bytes, the_table, wanted

blueprint = Blueprint("halls", __name__, url_prefix="/api")


@blueprint.get("/tables")
def all_tables() -> Response:
    shown = gallery()
    return jsonify(
        {
            "tables": [shown.summary(row) for row in shown.hall.tables()],
            "shelf": [shown.summary(row) for row in shown.hall.shelf()],
        }
    )


@blueprint.get("/records")
def records() -> Response:
    """The record table of Rolling Rocks."""
    return jsonify(gallery().records())


@blueprint.post("/tables")
def new_table() -> Response:
    """A new game: its id, the players' colours in seat order, variants by keyword. `dealt`: Henge deals,
    draws and rolls, and each player looks at his hand on a page of his own."""
    data = body()
    players = wanted(data, "players", list)
    variants = wanted(data, "variants", dict, {})
    if "half_seen" in variants:
        abort(400, "'half_seen' is no choice here: a table never shows what is in a hand")
    if wanted(data, "dealt", bool, False):
        variants = {**variants, "half_seen": False}
    name = wanted(data, "name", str, "")
    made = gallery().hall.create(
        wanted(data, "game", str), [str(player) for player in players], variants, name=name
    )
    if (lookout := gallery().lookout) is not None:
        lookout.begun(made)
    return json_bytes(gallery().snapshot(made), 201)


@blueprint.post("/logs")
def import_log() -> Response:
    """A new table with the record of a log file."""
    data = body()
    text = data.get("text")  # longer than other texts may be
    if not isinstance(text, str):
        abort(400, "'text' has to be the text of a log file")
    made = gallery().hall.import_log(text, name=wanted(data, "name", str, ""))
    return json_bytes(gallery().snapshot(made), 201)


@blueprint.put("/tables/<table_id>/name")
def rename(table_id: str) -> Response:
    table = the_table(table_id)
    table.rename(wanted(body(), "name", str))
    return done(table)


@blueprint.put("/tables/<table_id>/shelf")
def shelve(table_id: str) -> Response:
    """Puts the game on the shelf (`away` true), or back on the table."""
    table = the_table(table_id)
    if wanted(body(), "away", bool):
        table.put_away()
    else:
        table.take_out()
    return done(table)
