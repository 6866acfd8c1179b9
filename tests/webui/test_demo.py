"""`henge demo` as a user meets it: started from the shell, opened in a browser, watched to the end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.log import load
from tests.webui.test_page import WIDE

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 90.0  # for one photograph, on a machine with much else to do
GAMES = ["stonehenge", pytest.param("build", marks=pytest.mark.slow)]


@pytest.fixture
def demo() -> Iterator[str]:
    """The address that `henge demo` prints."""
    command = [sys.executable, "-m", "cli", "demo", "--no-browser", "--port", "0", "--pace", "0.05"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        found = re.search(r"http://\S+?:\d+", running.stderr.readline())
        assert found
        yield found[0]
        running.terminate()
        running.stderr.close()
        running.wait(timeout=20)


def recorded_result(game: str) -> str:
    """The result that stands in the log that was written when the photographs were taken."""
    return load(ROOT / "sample_images" / "demo" / game / "game.henge").log.result


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_game_plays_through_from_its_photographs(browser: Any, demo: str, game: str) -> None:
    with urllib.request.urlopen(f"{demo}/api/tables") as answer:
        table = next(each["id"] for each in json.load(answer)["tables"] if each["game"] == game)
    page = browser.new_page(viewport=WIDE)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.goto(f"{demo}/table/{table}")
    over, player = page.locator(".banner.over"), page.locator(".recording .number")
    at, since = "", time.monotonic()
    while not over.count():
        if (now := player.inner_text()) != at:
            at, since = now, time.monotonic()
        assert time.monotonic() < since + LONGEST_S, f"still at {at}: {page.locator('.status').inner_text()}"
        time.sleep(0.3)
    assert page.locator(".status.in_step").count() == 1 and page.locator(".alarm, .ask").count() == 0
    colours = [text.lower() for text in page.locator(".score .who").all_inner_texts()]
    totals = page.locator(".score .total").all_inner_texts()
    result = ", ".join(" ".join(pair) for pair in zip(colours, totals, strict=True))
    assert result == recorded_result(game) != ""
    page.locator(".health.good, .health.fair").wait_for(timeout=20_000)  # it is asked for after the picture
    assert page.locator(".tile img").count() == 1
    assert complaints == []
    page.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["demo", "--bogus"],
        ["demo", "--port", "99999"],
        ["demo", "--pace", "0"],
        ["serve", "--bogus"],
        ["serve", "--game", "chess"],
        ["serve", "--game", "build", "--players", "red,blue"],
        ["serve", "--game", "stonehenge", "--players", "black,brown", "--running"],
        ["serve", "--game", "stonehenge", "--players", "black,brown", "--to-move", "pink"],
        ["serve", "--game", "stonehenge", "--players", "black,brown", "--board", "nowhere"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_is_one_line_and_exit_code_2(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.main import main

    monkeypatch.setenv("HENGE_FOLDER", str(tmp_path))
    try:
        code = main(arguments)
    except SystemExit as left:
        code = left.code  # type: ignore[assignment]
    told = capsys.readouterr()
    assert code == 2 and told.out == ""
    assert len(told.err.strip().splitlines()) == 1 and "Traceback" not in told.err
