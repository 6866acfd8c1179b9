"""Who may call, from where, and with how much."""

from __future__ import annotations

import io
import struct
import zlib
from http.client import HTTPConnection
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import ExifTags, Image

from engine import Observation
from table import Hall, Table
from tests.webui.conftest import Client, a_stonehenge
from tests.webui.seeing import view_of
from webui import create_app, guard
from webui.page import STATIC


def test_a_change_needs_the_pages_header(app: Flask, hall: Hall) -> None:
    app.test_client_class = FlaskClient
    answer = app.test_client().post(f"/api/tables/{a_stonehenge(hall).id}/undo", json={})
    assert answer.status_code == 403


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://localhost:1", "http://[::1"])
def test_another_sites_page_changes_nothing(client: FlaskClient, hall: Hall, origin: str) -> None:
    table = a_stonehenge(hall, moves=2)
    answer = client.post(f"/api/tables/{table.id}/undo", json={}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert len(table.entries) == 2


def test_a_foreign_name_is_refused(client: FlaskClient) -> None:
    assert client.get("/api/tables", headers={"Host": "table.example"}).status_code == 403
    assert client.get("/api/tables", headers={"Host": "127.0.0.1:8000"}).status_code == 200
    named = create_app(client.application.extensions["henge"].hall, hosts=("Annas-Table",))
    for name in ("annas-table", "Annas-Table:8420"):  # browsers ask in small letters
        assert named.test_client().get("/api/tables", headers={"Host": name}).status_code == 200


def test_the_policy_allows_nothing_inline_and_nobody_else(client: FlaskClient) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "style=" not in page
    assert "<script>" not in page


def test_no_file_outside_the_page_is_served(client: FlaskClient) -> None:
    for path in (
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/api/boards/..%2f..%2fx",
    ):
        assert client.get(path).status_code in (308, 404), path


@pytest.mark.parametrize(
    "body", ["[1]", "{", '"x"', '{"text": 3}', '{"text": true}', "{}", '{"text": ' + 100_000 * "["]
)
def test_a_malformed_body_gets_one_line(client: FlaskClient, hall: Hall, body: str) -> None:
    path = f"/api/tables/{a_stonehenge(hall).id}/moves"
    answer = client.post(path, data=body, content_type="application/json")
    assert answer.status_code == 400
    assert "\n" not in answer.get_json()["error"]


def test_half_a_character_does_not_come_into_the_record(client: FlaskClient, hall: Hall) -> None:
    """It could be kept, and then nobody could open the table any more."""
    table = a_stonehenge(hall)
    answer = client.post(f"/api/tables/{table.id}/notes", data='{"text": "\\ud83d"}')
    assert answer.status_code == 400
    assert client.get(f"/api/tables/{table.id}").status_code == 200
    assert client.post(f"/api/tables/{table.id}/notes", data='{"text": "\\ud83d\\ude00"}').status_code == 200
    assert table.entries[-1].text == "\U0001f600"


def test_a_body_is_no_larger_for_being_called_something_else(client: FlaskClient, hall: Hall) -> None:
    note = '{"text": "%s"}' % (guard.LARGEST_JSON_BYTES * "x")
    path = f"/api/tables/{a_stonehenge(hall).id}/notes"
    for kind in ("application/json", "text/plain"):
        assert client.post(path, data=note, content_type=kind).status_code == 413


def test_a_huge_body_is_not_even_waited_for(address: str) -> None:
    server = urlsplit(address)
    asking = HTTPConnection(server.hostname or "", server.port, timeout=20)
    asking.putrequest("POST", "/api/tables/any/photos")
    asking.putheader("Content-Length", str(10**9))
    asking.endheaders()
    assert asking.getresponse().status == 413
    asking.close()


@pytest.mark.parametrize("key", ["self", "game_id", "", "players"])
def test_a_variant_that_no_game_has_is_refused_in_one_line(client: FlaskClient, key: str) -> None:
    for game, players in (("stonehenge", ["black", "brown"]), ("build", ["red", "blue", "green"])):
        answer = client.post("/api/tables", json={"game": game, "players": players, "variants": {key: 1}})
        assert answer.status_code == 409 and "has no variant" in answer.get_json()["error"]


def test_unknown_tables_and_moments(client: FlaskClient, hall: Hall) -> None:
    assert client.get("/api/tables/nothing").status_code == 404
    assert client.get(f"/api/tables/{a_stonehenge(hall).id}/moments/99").status_code == 409


# --- photographs ----------------------------------------------------------------------------------------


@pytest.fixture
def seeing_client(hall: Hall) -> FlaskClient:
    """A client of a server whose eyes see whatever the record says."""

    def eyes(table: Table, jpeg: bytes) -> Observation:
        assert jpeg.startswith(b"\xff\xd8")
        return view_of(table.state.visible())[0]

    app = create_app(hall, eyes=eyes)
    app.test_client_class = Client
    return app.test_client()


def png_of(width: int, height: int) -> bytes:
    """A PNG that only claims its size: its header, and nothing to unpack."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["PNG", "HEIF"])
def test_a_photograph_is_read(seeing_client: FlaskClient, hall: Hall, kind: str) -> None:
    """Turned as the phone says, and kept as a JPEG that every browser shows."""
    table = a_stonehenge(hall, moves=2)
    file, exif = io.BytesIO(), Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    Image.new("RGB", (64, 48), "grey").save(file, kind, exif=exif.tobytes())
    path = f"/api/tables/{table.id}"
    sent = seeing_client.post(f"{path}/photos", data=file.getvalue(), content_type=f"image/{kind.lower()}")
    assert sent.status_code == 200 and table.status.name == "in_step"
    with Image.open(io.BytesIO(seeing_client.get(f"{path}/picture").data)) as kept:
        assert (kept.format, kept.size, kept.getexif()) == ("JPEG", (48, 64), {})


def test_what_is_no_photograph_is_refused(seeing_client: FlaskClient, hall: Hall) -> None:
    path = f"/api/tables/{a_stonehenge(hall).id}/photos"
    assert seeing_client.post(path, data=b"text").status_code == 400
    damaged = io.BytesIO()
    Image.effect_noise((64, 48), 90).convert("RGB").save(damaged, "HEIF")
    assert seeing_client.post(path, data=damaged.getvalue()[:-900]).status_code == 400
    assert seeing_client.post(path, data=png_of(20000, 20000)).status_code == 413
    assert seeing_client.post(path, data=b"x" * (17 * 1024 * 1024)).status_code == 413


def test_a_device_that_asks_too_much_has_to_wait(
    seeing_client: FlaskClient, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "CHANGES_PER_10_S", 40)
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: 7.0))
    table, file = a_stonehenge(hall), io.BytesIO()
    Image.new("RGB", (64, 48), "grey").save(file, "PNG")
    photos, notes = f"/api/tables/{table.id}/photos", f"/api/tables/{table.id}/notes"
    sent = [seeing_client.post(photos, data=file.getvalue()).status_code for _ in range(12)]
    assert sent == [200] * guard.PHOTOS_PER_10_S + [429] * 2
    told = [
        seeing_client.post(notes, json={"text": "tea"}).status_code for _ in range(guard.CHANGES_PER_10_S)
    ]
    assert told == [200] * (guard.CHANGES_PER_10_S - 12) + [429] * 12
    assert seeing_client.get(f"/api/tables/{table.id}").status_code == 200
