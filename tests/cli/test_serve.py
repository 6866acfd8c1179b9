"""`henge serve`: which page it opens."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import cli.serve
from cli.main import main


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that ends at once."""
    ended = SimpleNamespace(effective_port=8421, run=lambda: None, close=lambda: None)
    monkeypatch.setattr(cli.serve, "bound_server", lambda *_: ended)


@pytest.mark.usefixtures("served")
def test_without_a_game_the_page_begins_one_and_later_the_last_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ["--folder", str(tmp_path)]
    assert main(["serve", *folder]) == 0
    assert capsys.readouterr().err.strip() == "The page is at http://127.0.0.1:8421/"
    assert main(["serve", "--game", "stonehenge", "--players", "black,brown", *folder]) == 0
    begun = re.search(r"/table/\S+", capsys.readouterr().err)
    assert begun is not None
    assert main(["serve", *folder]) == 0
    assert capsys.readouterr().err.strip().endswith(begun[0])
