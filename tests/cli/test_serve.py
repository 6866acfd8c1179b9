"""`henge serve`: which page it opens."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import cli.serve
from cli.main import INTERRUPTED, main
from engine.board import load_board
from tests.webui.seeing import view_of


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that Ctrl-C ends at once."""
    ended = SimpleNamespace(effective_port=8421, run=lambda: None, close=lambda: None)
    monkeypatch.setattr(cli.serve, "bound_server", lambda *_: ended)


def test_a_phones_picture_is_read_on_the_board_that_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}
    monkeypatch.setattr(cli.serve, "create_app", lambda hall, **given: made.update(given, hall=hall))
    mine = load_board("knizia").to_json() | {"id": "my-board"}
    (tmp_path / "mine.json").write_text(json.dumps(mine), encoding="utf-8")

    def read() -> None:
        (row,) = made["hall"].tables()
        table = made["hall"].open(row.id)
        made["seen"] = made["eyes"](table, view_of(table.state.visible())[1])

    ended = SimpleNamespace(effective_port=8421, run=read, close=lambda: None)
    monkeypatch.setattr(cli.serve, "bound_server", lambda *_: ended)
    named = ["--board", str(tmp_path / "mine.json"), "--folder", str(tmp_path / "games")]
    assert main(["serve", "--game", "stonehenge", "--players", "black,brown", *named]) == INTERRUPTED
    assert made["seen"].board == "my-board"


@pytest.mark.usefixtures("served")
def test_without_a_game_the_page_begins_one_and_later_the_last_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ["--folder", str(tmp_path)]
    assert main(["serve", *folder]) == INTERRUPTED
    assert capsys.readouterr().err.strip() == "The page is at http://127.0.0.1:8421/"
    assert main(["serve", "--game", "stonehenge", "--players", "black,brown", *folder]) == INTERRUPTED
    begun = re.search(r"/table/\S+", capsys.readouterr().err)
    assert begun is not None
    assert main(["serve", *folder]) == INTERRUPTED
    assert capsys.readouterr().err.strip().endswith(begun[0])
