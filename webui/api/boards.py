"""Boards and games: what there is to play with."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, request

from calibration.styles import STYLES
from engine.board import board_ids, load_board
from webui.artwork import board_svg
from webui.showing import games_json

blueprint = Blueprint("boards", __name__, url_prefix="/api")
AN_HOUR = "max-age=3600"


@blueprint.get("/boards")
def all_boards() -> Response:
    return jsonify(list(board_ids()))


@blueprint.get("/boards/<board_id>")
def one_board(board_id: str) -> Response:
    """The board file: fields and pieces in millimetres."""
    return _kept(jsonify(load_board(_known(board_id)).to_json()))


@blueprint.get("/boards/<board_id>/artwork.svg")
def artwork(board_id: str) -> Response:
    """The printed board, its user units millimetres."""
    style = request.args.get("style", "chalk")
    if style not in STYLES:
        abort(400, f"the styles are {', '.join(STYLES)}")
    return _kept(Response(board_svg(load_board(_known(board_id)), style), mimetype="image/svg+xml"))


@blueprint.get("/games")
def all_games() -> Response:
    return jsonify(games_json())


def _known(board_id: str) -> str:
    # Never a path: load_board would open any file that a request names.
    if board_id not in board_ids():
        abort(404, f"the boards are {', '.join(board_ids())}")
    return board_id


def _kept(response: Response) -> Response:
    response.headers["Cache-Control"] = AN_HOUR
    return response
