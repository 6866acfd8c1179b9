"""Coming in: pairing a device, taking a seat with a PIN, and the hand that only its player sees."""

from __future__ import annotations

import io
from typing import Any

import segno
from flask import Blueprint, Response, abort, jsonify, request

from engine.words import Text, name
from webui.api.asking import body, done, doors, gallery, session, the_player, the_table, wanted
from webui.rights import COOKIE, Right, Session
from webui.showing import hand

blueprint = Blueprint("doors", __name__, url_prefix="/api")
T = "/tables/<table_id>"
PAIRED: tuple[Right, ...] = ("play", "look")


@blueprint.get("/me")
def me() -> Response:
    """What this browser may do: nothing, look, play or all; and the seats whose PIN it knows."""
    return jsonify(_me(session()))


@blueprint.post("/pairing")
def pair() -> Response:
    """Lets a device in that knows a code."""
    right = doors().right_of(wanted(body(), "code", str), request.remote_addr or "")
    if right == "nothing":
        abort(403, "this is not the code: read it once more at the machine at the table")
    return _with_cookie(Session(right, set(session().seats)))


@blueprint.get("/pairing")
def codes() -> Response:
    """The codes that let other devices in, with the address to open there."""
    return jsonify({"lan": doors().lan, "codes": {right: _code(right) for right in PAIRED}})


@blueprint.get("/pairing/<right>.svg")
def code_as_qr(right: str) -> Response:
    """The address with the code, to be photographed by a phone."""
    if right not in PAIRED:
        abort(404, "there are codes to play and to look")
    out = io.BytesIO()
    segno.make_qr(_code(right)["address"]).save(out, kind="svg", scale=6, border=3, light="#fff")  # type: ignore[arg-type]
    return Response(out.getvalue(), mimetype="image/svg+xml")


@blueprint.get(f"{T}/seats")
def seats(table_id: str) -> Response:
    table = the_table(table_id)
    taken = gallery().hall.seats.taken(table.id)
    mine = session().seats
    return jsonify([{"player": p, "taken": p in taken, "mine": (table.id, p) in mine} for p in table.players])


@blueprint.put(f"{T}/seats/<player>")
def take_seat(table_id: str, player: str) -> Response:
    """A free seat is taken by choosing its `pin`; a taken one is opened by knowing it."""
    table = the_table(table_id)
    seat = (table.id, the_player(table, player))
    with doors().trying(f"{table.id} {player}") as guess:
        guess.failed = not gallery().hall.seats.take(*seat, wanted(body(), "pin", str))
    if guess.failed:
        abort(403, "this is not the PIN of this seat")
    known = session()
    return _with_cookie(Session(known.may, {*known.seats, seat}))


@blueprint.delete(f"{T}/seats/<player>")
def free_seat(table_id: str, player: str) -> Response:
    """Forgets a PIN. It is noted in the record, so that nobody does it unseen."""
    table = the_table(table_id)
    gallery().hall.seats.free(table.id, the_player(table, player))
    doors().free(table.id, player)
    table.note(
        Text("the seat of ", "der Platz von ") + name(player) + Text(" was given free", " wurde freigegeben")
    )
    return done(table)


@blueprint.get(f"{T}/hands/<player>")
def see_hand(table_id: str, player: str) -> Response:
    """What only this player may know: his cards, his view of the table, his moves."""
    table = the_table(table_id)
    _must_be_mine(table.id, the_player(table, player))
    return jsonify(hand(table, player))


@blueprint.post(f"{T}/hands/<player>")
def tell_hand(table_id: str, player: str) -> Response:
    """The player tells in private which `cards` he holds ("??" for one he does not tell)."""
    table = the_table(table_id)
    _must_be_mine(table.id, the_player(table, player))
    cards = wanted(body(), "cards", list)
    if len(cards) > 60 or not all(isinstance(card, str) for card in cards):
        abort(400, '\'cards\' has to be a list of cards, as in ["7-day", "??"]')
    table.tell(player, cards)
    return jsonify(hand(table, player))


def _must_be_mine(table_id: str, player: str) -> None:
    if (table_id, player) not in session().seats:
        abort(403, "this hand is opened with the PIN of its player")


def _code(right: str) -> dict[str, str]:
    code = doors().codes[right]  # type: ignore[index]
    return {"code": f"{code[:4]}-{code[4:]}", "address": f"{doors().address or request.host_url}pair/{code}"}


def _me(known: Session) -> dict[str, Any]:
    held = [{"table": table, "player": player} for table, player in sorted(known.seats)]
    return {"may": known.may, "seats": held, "lan": doors().lan}


def _with_cookie(known: Session) -> Response:
    """The session goes on under a new cookie, so that one that was seen before opens nothing more."""
    doors().forget(request.cookies.get(COOKIE))
    response = jsonify(_me(known))
    response.set_cookie(COOKIE, doors().keep(known), max_age=14 * 86400, httponly=True, samesite="Strict")
    return response
