"""What people do at a table: moves, undo, answers, corrections, agreements."""

from __future__ import annotations

from random import SystemRandom
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from engine import CHANCE, Thing, draw_chance
from engine.errors import HengeError
from table import Table, TableError
from table.german import in_both
from webui.api.asking import body, done, gallery, json_bytes, session, the_table, wanted
from webui.showing import change_json

blueprint = Blueprint("moves", __name__, url_prefix="/api/tables/<table_id>")


@blueprint.get("/moves")
def legal_moves(table_id: str) -> Response:
    """The legal moves, each with the heading players look under and what it would change on the board."""
    return json_bytes(gallery().moves(the_table(table_id)))


@blueprint.get("/moves/check")
def check_move(table_id: str) -> Response:
    """Whether the move that a person is typing (`text`) is legal, why not, and what it would change."""
    state = the_table(table_id).state.view(None)
    text = request.args.get("text", "")[:200]
    try:
        action = state.game.parse(text)
    except HengeError as error:
        return jsonify({"legal": False, "error": str(error), "reason": in_both(error).to_json()})
    reason = state.why_not(action)
    if reason is not None:
        return jsonify({"legal": False, "reason": reason.to_json()})
    return jsonify({"legal": True, "text": str(action), "change": change_json(state.visible_change(action))})


@blueprint.post("/moves")
def play(table_id: str) -> Response:
    """A move, as a player writes it in English or German."""
    table = the_table(table_id)
    text = wanted(body(), "text", str)
    _must_move_himself(table)
    table.play(text)
    return done(table)


def _must_move_himself(table: Table) -> None:
    """Who has a hand of his own moves himself: else others could find out what is in it by trying."""
    state, player = table.state, table.state.to_move
    if player not in table.players or (table.id, player) in session().seats:
        return
    if player in gallery().hall.seats.taken(table.id) and state.view(player) != state.view(None):
        abort(403, f"{player} moves from his own page: his hand is private")


@blueprint.post("/draw")
def draw(table_id: str) -> Response:
    """Lets Henge draw, deal or roll what is due."""
    table = the_table(table_id)
    body()
    state = table.state
    if state.to_move != CHANCE:
        raise TableError("nothing is to be drawn or rolled now")
    table.play(str(draw_chance(state, SystemRandom())))
    return done(table)


@blueprint.post("/undo")
def undo(table_id: str) -> Response:
    """Takes back the last move. `entries`: how many the record had on the page where somebody decided to."""
    table = the_table(table_id)
    table.undo(_entries())
    return done(table)


@blueprint.post("/redo")
def redo(table_id: str) -> Response:
    table = the_table(table_id)
    table.redo(_entries())
    return done(table)


def _entries() -> int | None:
    data = body()
    return None if data.get("entries") is None else wanted(data, "entries", int)


@blueprint.post("/answers")
def answer(table_id: str) -> Response:
    """Chooses one of the answers to the question asked; `number` counts from 0. `text`: the English of that
    answer as it was read, so that no other question is answered that is asked by now."""
    table, data = the_table(table_id), body()
    words = None if data.get("text") is None else wanted(data, "text", str)
    table.answer(wanted(data, "number", int), words=words)
    return done(table)


@blueprint.post("/corrections")
def correct(table_id: str) -> Response:
    """The reading is wrong: at `place` lies `thing` (kind, colour, value ..), or nothing (null), and nothing
    at the place `instead_of`."""
    table = the_table(table_id)
    data = body()
    place = wanted(data, "place", str)
    instead_of = None if data.get("instead_of") is None else wanted(data, "instead_of", str)
    view = table.view
    for each in (place, instead_of):
        if view is not None and each is not None and each not in view.observation.fields:
            raise TableError(f"the reader knows no place {each!r} on this board")
    table.correct(place, _thing(data.get("thing")), instead_of)
    return done(table)


@blueprint.post("/lessons")
def teach(table_id: str) -> Response:
    """The players agree that the reading is right now: the eyes learn the look of the pieces from it."""
    table = the_table(table_id)
    body()
    table.teach()
    return done(table)


@blueprint.post("/agreements")
def allow(table_id: str) -> Response:
    """The players agreed to go on from what lies on the table."""
    table = the_table(table_id)
    to_move = body().get("to_move")
    if to_move is not None and to_move not in table.players:
        raise TableError(f"'to_move' has to be one of {', '.join(table.players)}")
    table.allow(to_move)
    return done(table)


@blueprint.post("/notes")
def note(table_id: str) -> Response:
    table = the_table(table_id)
    words = wanted(body(), "text", str).strip()
    if not words:
        raise TableError("a note needs words")
    table.note(words)
    return done(table)


_THING = {"kind": str, "colour": str, "value": int, "facing": str, "lying": bool, "count": int, "number": int,
          "phase": str, "face": str}  # fmt: skip


def _thing(data: object) -> Thing | None:
    if data is None:
        return None
    if not isinstance(data, dict):
        abort(400, "'thing' has to be null, or an object with kind, colour and so on")
    values: dict[str, Any] = {
        key: wanted(data, key, kind) for key, kind in _THING.items() if data.get(key) is not None
    }
    if "kind" not in values:
        abort(400, "a thing needs a 'kind'")
    return Thing(**values)
