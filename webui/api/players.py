"""Recorded tables: play, pause, step."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify

from webui.api.asking import body, gallery, the_table
from webui.player import Player

blueprint = Blueprint("players", __name__, url_prefix="/api/tables/<table_id>/player")
FASTEST_S, SLOWEST_S = 0.05, 60.0


@blueprint.get("")
def state(table_id: str) -> Response:
    return jsonify(_player(table_id).state.to_json())


@blueprint.put("")
def change(table_id: str) -> Response:
    """`playing` true or false; `step` true shows the next picture; `seconds` sets the pace."""
    player, data = _player(table_id), body()
    seconds = data.get("seconds")
    if seconds is not None:
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not FASTEST_S <= seconds <= SLOWEST_S
        ):
            abort(400, f"'seconds' has to be a number from {FASTEST_S} to {SLOWEST_S}")
        player.set_pace(float(seconds))
    if data.get("playing") is True:
        player.play()
    elif data.get("playing") is False:
        player.pause()
    if data.get("step") is True:
        player.step()
    return jsonify(player.state.to_json())


def _player(table_id: str) -> Player:
    the_table(table_id)
    found = gallery().players.get(table_id)
    if found is None:
        abort(404, "this table is not a recorded one")
    return found
