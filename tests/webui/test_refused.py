"""What the server refuses: the page says why in its language, and what was typed stays, to be put right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from engine import load_game
from table import Hall
from tests.webui.test_connection import SILENCE, server, visit  # noqa: F401
from tests.webui.test_hand_page import take_seat
from tests.webui.test_page import PHONE, WIDE, until

HEADER = "henge log 1\ngame: stonehenge\nplayers: black, brown\n\n"
NOT_OPENED = "diese Aufzeichnung lässt sich nicht öffnen: "


# ---- a log that cannot be imported


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no log", "Zeile 1: weder eine Kopfzeile 'key: value' noch ein Eintrag '1. ...': 'no log'"),
        ("", "die Zeile 'game: ...' fehlt im Kopf"),
        ("game: chess\nplayers: black, white\n", "ein Spiel 'chess' gibt es nicht; die Spiele sind "),
        (HEADER + "1. place 4 on space-A\n3. undo\n", "Zeile 6: erwartet wurde Eintrag 2, gefunden: 3;"),
        (HEADER + "1. hand: ??\n", "Zeile 5: wessen Hand? erwartet wurde 'hand red: ?? ?? ??'"),
        (HEADER + "1. dance\n", "Eintrag 1: 'dance' geht nicht: 'dance' ist kein Zug dieses Spiels; "),
        (HEADER + "1. undo\n", "Eintrag 1: 'undo' geht nicht: es gibt keinen Zug zurückzunehmen"),
        (HEADER + "1. correction back 4: place 1 on space-A\n", "geht nicht: eine Korrektur geht 4 Schritte"),
    ],
    ids=["no log", "empty", "no game", "number", "hand", "no move", "undo", "correction"],
)
def test_why_a_log_is_not_imported_is_told_in_german(client: FlaskClient, text: str, why: str) -> None:
    refused = client.post("/api/logs", json={"text": text})
    told = refused.get_json()
    assert refused.status_code == 409 and told["reason"]["en"] == told["error"]
    assert told["reason"]["de"].startswith(NOT_OPENED) and why in told["reason"]["de"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("game: build\nplayers: red, blue\n", "Spiel, Spieler oder Regeln im Kopf passen nicht zusammen"),
        ('game: build\nplayers: red, blue, green\nstart: {"game": 1}\n', "Spiel, Spieler oder Regeln"),
        (HEADER + "1. place 4 on space-A {by}\n", "Zeile 5 ist nicht zu lesen"),
        (HEADER + '1. allowed: {"game": "stonehenge"}\n', "Eintrag 1: 'allowed' geht nicht"),
    ],
    ids=["players", "start", "annotation", "state"],
)
def test_without_a_german_reason_the_place_alone_is_told(client: FlaskClient, text: str, where: str) -> None:
    reason = client.post("/api/logs", json={"text": text}).get_json()["reason"]
    assert reason["de"].startswith(NOT_OPENED + where)
    assert reason["en"].removeprefix("this log cannot be imported: ") not in reason["de"]


def test_a_log_that_is_too_large_is_refused_in_german(client: FlaskClient) -> None:
    for size in (300_000, 20_000_000):
        told = client.post("/api/logs", json={"text": "x" * size}).get_json()
        assert told["reason"] == {"en": "at most 256 kB of JSON", "de": "höchstens 256 kB JSON"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_move_that_the_rules_forbid_is_refused_in_the_language_of_the_page(
    visit: Any,  # noqa: F811
    hall: Hall,
    tmp_path: Path,
    language: str,
) -> None:
    log = tmp_path / "evening.henge"
    log.write_text(HEADER + "1. place 4 on space-A\n2. place 1 on space-A\n", encoding="utf-8")
    state = load_game("stonehenge").start(("black", "brown"))
    state = state.apply(state.game.parse("place 4 on space-A"))
    rule = state.why_not(state.game.parse("place 1 on space-A"))
    assert rule is not None
    begins = {"en": "This log cannot be imported: ", "de": "D" + NOT_OPENED[1:]}[language]
    page = visit("/new", WIDE, language)
    page.locator('input[type="file"]').set_input_files(log)
    said = page.locator(".message.bad")
    expect(said).to_contain_text(begins)
    expect(said).to_contain_text(rule.in_language(language).replace("-A", " A"))
    assert {"en": "Eintrag", "de": "entry"}[language] not in said.inner_text()
    assert hall.tables() == ()


# ---- what a player typed on the page of his hand


def tells(page: Any, cards: str) -> Any:
    """The field for the cards, after these were typed there and sent."""
    field = page.locator('[data-key="told"]')
    field.fill(cards)
    field.press("Enter")
    return field


def test_the_cards_that_were_refused_stay_to_be_put_right(visit: Any, hall: Hall) -> None:  # noqa: F811
    table = hall.create("build", ("red", "blue", "green"))
    page = visit(f"/table/{table.id}/hand/red", PHONE, "de")
    take_seat(page, "2468")
    page.locator('[data-key="tell"] summary').click()
    field = tells(page, "7-Tag 31-Nacht ??")
    expect(page.locator(".message.bad")).to_contain_text("Eine Hand enthält verschiedene Zahlenkarten")
    expect(field).to_have_value("7-Tag 31-Nacht ??")
    table.note("something happens meanwhile")
    until(lambda: page.evaluate("henge.ready && henge.entries") == len(table.entries))
    expect(field).to_have_value("7-Tag 31-Nacht ??")
    page.keyboard.type(" 5")  # goes on where he was
    expect(field).to_have_value("7-Tag 31-Nacht ?? 5")
    tells(page, "7-Tag 12-Nacht ??")
    expect(page.locator(".held-cards li")).to_have_count(2)
    expect(page.locator(".message")).to_have_count(0)
    expect(field).to_have_value("")


@pytest.mark.slow
def test_what_one_player_typed_is_not_on_the_page_of_another(visit: Any, hall: Hall) -> None:  # noqa: F811
    table = hall.create("build", ("red", "blue", "green"))
    page = visit(f"/table/{table.id}/hand", PHONE)
    for player in ("blue", "red"):
        page.locator(f'[data-key="hand-{player}"]').click()
        take_seat(page, "2468")
        page.locator('[data-key="tell"] summary').click()
        tells(page, "7-day 31-night ??")
        page.locator(".message.bad").wait_for()
        page.go_back()
    page.locator('[data-key="hand-blue"]').click()
    page.locator('[data-key="tell"] summary').click()
    expect(page.locator('[data-key="told"]')).to_have_value("")


def test_a_pin_that_was_refused_stays_to_be_put_right(
    visit: Any,  # noqa: F811
    hall: Hall,
    server: Any,  # noqa: F811
) -> None:
    table = hall.create("build", ("red", "blue", "green"))
    assert hall.seats.take(table.id, "red", "2468")
    page = visit(f"/table/{table.id}/hand/red", PHONE, "de")
    field, take = page.locator('[data-key="pin"]'), page.locator('[data-key="take"]')
    field.fill("2469")
    take.click()
    expect(page.locator(".message.bad")).to_have_text("Das ist nicht die PIN dieses Platzes")
    expect(field).to_have_value("2469")
    field.fill("2468")
    server.goes()
    take.click()
    expect(page.locator(".message.bad")).to_have_text(SILENCE["de"])
    expect(field).to_have_value("2468")
    server.comes()
    expect(page.locator(".message, .status.offline")).to_have_count(0)
    take.click()
    page.locator('[data-key="cover"]').wait_for()
