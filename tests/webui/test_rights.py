"""Other devices come in by a code; with one they play, with the other they look on."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from flask.testing import FlaskClient

from table import Hall
from tests.webui.conftest import Client, a_stonehenge
from webui import create_app
from webui.rights import Doors, TooManyTries

PHONE = {"REMOTE_ADDR": "192.168.1.23"}


@pytest.fixture
def doors() -> Doors:
    return Doors(lan=True)


@pytest.fixture
def phone(hall: Hall, doors: Doors) -> FlaskClient:
    app = create_app(hall, doors=doors)
    app.test_client_class = Client
    client = app.test_client()
    client.environ_base = {**client.environ_base, **PHONE}
    return client


def status(answer: Any) -> int:
    return int(answer.status_code)


def test_a_phone_that_is_not_paired_sees_nothing(phone: FlaskClient, hall: Hall) -> None:
    table = a_stonehenge(hall, moves=2)
    for path in ("", "/log.txt", "/events", "/moves", "/picture"):
        assert status(phone.get(f"/api/tables/{table.id}{path}")) == 401
    assert status(phone.get("/api/tables")) == status(phone.get("/api/pairing")) == 401
    assert status(phone.get("/")) == status(phone.get("/static/js/main.js")) == 200
    assert phone.get("/api/me").get_json()["may"] == "nothing"


@pytest.mark.parametrize(("right", "move"), [("look", 403), ("play", 200)])
def test_a_code_opens_what_it_is_for(
    phone: FlaskClient, hall: Hall, doors: Doors, right: Any, move: int
) -> None:
    table = a_stonehenge(hall)
    code = doors.codes[right]
    me = phone.post("/api/pairing", json={"code": f"{code[:4].lower()}-{code[4:]}"})
    assert me.get_json()["may"] == right and "HttpOnly; Path=/; SameSite=Strict" in me.headers["Set-Cookie"]
    assert status(phone.get(f"/api/tables/{table.id}")) == 200
    assert status(phone.post(f"/api/tables/{table.id}/moves", json={"text": "place 4 on space-A"})) == move
    assert len(table.entries) == (move == 200)
    assert status(phone.get("/api/pairing")) == 403
    assert status(phone.put(f"/api/tables/{table.id}/shelf", json={"away": True})) == 403


def test_a_code_cannot_be_guessed(phone: FlaskClient, doors: Doors) -> None:
    tries = [status(phone.post("/api/pairing", json={"code": f"AAAA{n:04}"})) for n in range(10)]
    assert tries == [403] * 8 + [429] * 2
    assert status(phone.post("/api/pairing", json={"code": doors.codes["play"]})) == 429


def test_guesses_at_the_same_moment_count_as_well(doors: Doors) -> None:
    with ExitStack() as at_once:
        for _ in range(8):
            at_once.enter_context(doors.trying("a seat"))
        with pytest.raises(TooManyTries):
            at_once.enter_context(doors.trying("a seat"))
    with doors.trying("a seat"):
        pass  # none of them was wrong


def test_the_machine_at_the_table_shows_the_codes(client: FlaskClient) -> None:
    codes = client.get("/api/pairing").get_json()
    assert codes["lan"] is False and len(codes["codes"]["play"]["code"]) == 9
    assert b"<svg" in client.get("/api/pairing/look.svg").data
    assert client.get("/api/me").get_json()["may"] == "all"
