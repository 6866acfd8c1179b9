"""A camera's evening with more than one game: photographs of recorded tables come into a folder as from a
camera, new games are begun on the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from cli.eyes import EyesOfTables
from table import Hall, Lookout, Table
from table.camera import Watcher
from tests.webui.conftest import Client
from tests.webui.test_page import LANGUAGES, PHONE, arrived, open_page, until  # noqa: F401
from vision.pictures.sources import open_source
from webui import create_app

DEMO = Path(__file__).resolve().parents[2] / "sample_images" / "demo"
NEW_STONEHENGE = {"game": "stonehenge", "players": ["black", "brown"]}
NEW_BUILD = {"game": "build", "players": ["red", "blue", "green"], "name": "Late"}


class Evening:
    """A folder into which photographs come, watched for a table, and the page's API."""

    def __init__(self, hall: Hall, folder: Path, table: Table) -> None:
        folder.mkdir()
        self.hall, self.folder, self.table = hall, folder, table
        eyes = EyesOfTables(None, None, table)
        self.watcher = Watcher(table, open_source(str(folder), watch=True), eyes(table))
        self.lookout = Lookout(hall, self.watcher, eyes)
        self.app = create_app(hall, lookout=self.lookout)
        self.app.test_client_class = Client
        self.client = self.app.test_client()
        self._number = 0

    def takes(self, game: str, number: int) -> None:
        """A photograph of a recorded table comes."""
        self._number += 1
        shutil.copy(DEMO / game / f"{number:04d}.jpg", self.folder / f"{self._number:04d}.jpg")

    def begins(self, body: dict[str, Any]) -> Table:
        return self.hall.open(self.client.post("/api/tables", json=body).get_json()["id"])


@pytest.fixture
def evening(hall: Hall, tmp_path: Path) -> Iterator[Evening]:
    """The recorded game of Stonehenge, before its last move."""
    text = (DEMO / "stonehenge" / "game.henge").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(("32.", "result"))]
    made = Evening(hall, tmp_path / "photos", hall.import_log("\n".join(kept) + "\n", name="Solstice"))
    made.watcher.start()
    yield made
    made.watcher.stop()


@pytest.fixture
def app(evening: Evening) -> Flask:
    return evening.app


def finished(evening: Evening) -> Table:
    """The last move is made, and seen."""
    old = evening.table
    evening.takes("stonehenge", 32)
    until(lambda: old.view is not None)
    evening.takes("stonehenge", 33)
    until(lambda: old.row.closed is not None and old.status.name == "in_step")
    return old


def test_the_camera_goes_on_with_the_games_that_are_begun_on_the_page(evening: Evening) -> None:
    old = finished(evening)
    record, picture = old.export_log(), old.view.number
    first = evening.begins(NEW_STONEHENGE)
    assert evening.client.get("/api/camera").get_json()["table"]["id"] == first.id
    evening.takes("stonehenge", 33)  # nobody has cleared the board yet
    until(lambda: "left of the last game" in first.status.message.en)
    evening.takes("stonehenge", 1)
    until(lambda: first.status.name == "in_step")
    evening.takes("stonehenge", 2)
    until(lambda: len(first.entries) == 1)
    assert first.entries[0].text == "place 6 on space-B" and first.entries[0].by == "camera"
    assert (old.export_log(), old.view.number) == (record, picture)

    evening.client.put(f"/api/tables/{first.id}/shelf", json={"away": True})
    second = evening.begins(NEW_BUILD)  # another game on another board
    evening.takes("build", 1)
    until(lambda: second.status.name == "in_step" and second.view is not None)
    evening.takes("build", 2)
    until(lambda: any(entry.by == "camera" for entry in second.entries))
    assert len(first.entries) == 1


def test_a_game_that_goes_on_keeps_the_camera_until_a_player_says_so(evening: Evening) -> None:
    old, client = evening.table, evening.client
    evening.takes("stonehenge", 32)
    until(lambda: old.status.name == "in_step" and old.view is not None)
    second = evening.begins(NEW_BUILD)
    told = client.get("/api/camera").get_json()
    assert told["present"] and told["table"]["name"] == "Solstice"
    assert [row["watched"] for row in client.get("/api/tables").get_json()["tables"]] == [True, False]
    assert client.put("/api/camera", json={"table": second.id}).get_json()["table"]["id"] == second.id
    evening.takes("build", 1)
    until(lambda: second.status.name == "in_step" and second.view is not None)
    assert old.view is None and client.get(f"/api/tables/{old.id}").get_json()["view"] is None


def test_a_server_without_a_camera_says_so(hall: Hall) -> None:
    app = create_app(hall)
    app.test_client_class = Client
    table = hall.create("stonehenge", ("black", "brown"))
    assert app.test_client().get("/api/camera").get_json() == {"present": False, "table": None}
    refused = app.test_client().put("/api/camera", json={"table": table.id})
    assert refused.status_code == 409 and "no camera" in refused.get_json()["error"]


@LANGUAGES
def test_the_page_says_which_game_the_camera_watches_and_offers_another(
    evening: Evening,
    open_page: Any,  # noqa: F811
    language: str,
) -> None:
    table = evening.begins(NEW_STONEHENGE | {"name": "Next"})
    page = open_page(f"/table/{table.id}", PHONE, language)
    line = page.locator(".camera-line")
    expect(line).to_contain_text({"en": "The camera watches", "de": "Die Kamera verfolgt"}[language])
    expect(line.locator("a")).to_contain_text("Solstice")
    line.locator('[data-key="watch"]').click()
    expect(line).to_have_count(0)
    assert evening.lookout.table is table
    page.goto(page.url.replace(table.id, evening.table.id))
    arrived(page)
    expect(line.locator("a")).to_contain_text("Next")
    page.goto(page.url.rpartition("/table/")[0] + "/")
    arrived(page)
    expect(page.locator(".watched")).to_have_count(1)
