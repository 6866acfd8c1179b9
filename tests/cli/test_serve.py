"""`henge serve`: which page it opens."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import cli.serve
from calibration.profile import Profile
from calibration.shelf import Shelf
from cli.eyes import EyesOfTables
from cli.main import INTERRUPTED, main
from engine.board import load_board
from table import Hall
from tests.webui.seeing import view_of

ROOT = Path(__file__).resolve().parents[2]


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


def test_where_the_port_is_taken_no_game_is_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        game = ["--game", "stonehenge", "--players", "black,brown"]
        assert main(["serve", *game, "--folder", str(tmp_path), "--port", port]) == 2
        assert "is Henge running already?" in capsys.readouterr().err
        # The demo's tables are closed as well: a shell of its own would see them crash.
        command = [sys.executable, "-m", "cli", "demo", "--no-browser", "--port", port]
        shell = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (shell.returncode, len(shell.stderr.splitlines())) == (2, 1)
    with Hall(tmp_path) as hall:
        assert hall.tables() == ()


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


def test_a_camera_waits_for_the_game_that_is_begun_on_the_page_and_is_found_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also when a later game, which the camera does not watch, goes on as well."""
    photos, made = tmp_path / "photos", {}
    photos.mkdir()
    monkeypatch.setattr(cli.serve, "create_app", lambda hall, **given: made.update(given, hall=hall))

    def begin() -> None:
        assert made["lookout"].table is None
        watched, _ = (made["hall"].create("stonehenge", ("black", "brown")) for _ in range(2))
        assert made["lookout"].begun(watched)
        made["id"] = watched.id

    def look() -> None:
        assert made["lookout"].table.id == made["id"]

    for run in (begin, look):
        ended = SimpleNamespace(effective_port=8421, run=run, close=lambda: None)
        monkeypatch.setattr(cli.serve, "bound_server", lambda *_, ended=ended: ended)
        folder = ["--folder", str(tmp_path / "games")]
        assert main(["serve", "--camera", str(photos), *folder]) == INTERRUPTED
    assert capsys.readouterr().err.strip().endswith(f"/table/{made['id']}")


def test_the_next_game_is_read_on_the_board_and_with_the_profile_that_were_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its game is played on that board; else on the game's own."""
    monkeypatch.setenv("HENGE_FOLDER", str(tmp_path))
    kitchen = Profile("kitchen", load_board("anthology"))
    Shelf().keep(kitchen)
    mine = load_board("anthology").to_json() | {"id": "my-board"}
    (tmp_path / "mine.json").write_text(json.dumps(mine), encoding="utf-8")
    with Hall(tmp_path / "games") as hall:
        build = hall.create("build", ("red", "blue", "green"))
        council, stonehenge = (
            hall.create("council", ("white", "red")),
            hall.create("stonehenge", ("black", "brown")),
        )
        named = EyesOfTables(str(tmp_path / "mine.json"), None, build)
        assert [named(table).board.id for table in (council, stonehenge)] == ["my-board", "knizia"]
        assert [named.board_of(table) is None for table in (council, stonehenge)] == [False, True]
        Shelf().remember(build.id, "kitchen")
        after = EyesOfTables(None, None, build)
        assert [after(table).board.id for table in (stonehenge, council)] == ["knizia", "anthology"]
        assert [Shelf().of_table(table.id) for table in (stonehenge, council)] == [None, "kitchen"]
