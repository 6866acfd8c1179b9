"""docs/shell.md, docs/logs.md and docs/rules/: what stands there works, and a whole game of each kind is
played with nothing but `henge rules`."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import DONE, WRONG
from engine import GAMES, load_game
from engine.game import HALF_SEEN
from engine.log import check, read, write

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
GUIDE = (DOCS / "shell.md").read_text("utf-8")
LOGS = (DOCS / "logs.md").read_text("utf-8")
EXAMPLE = re.findall(r"^```henge\n(.*?)^```", LOGS, re.MULTILINE | re.DOTALL)[0]
PLAYERS = {
    "stonehenge": "black,brown", "council": "white,red,yellow,blue", "build": "red,blue,green",
    "rolling": "red,blue", "ramming": "red,blue,white", "roulette": "red,blue,white",
}  # fmt: skip


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```sh {kind}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def folder_with_henge(folder: Path) -> Path:
    """A folder with a ./henge that runs in the environment of this test, and with play.sh."""
    launcher = folder / "henge"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m cli "$@"\n')
    launcher.chmod(0o755)
    run_in(folder, blocks("test")[0])
    return folder


def run_in(folder: Path, script: str) -> str:
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout
    assert "henge:" not in result.stderr
    return result.stdout


@pytest.mark.parametrize("block", blocks("test"), ids=lambda block: block.split("\n")[0][:40])
def test_the_guides_examples(block, tmp_path):
    run_in(folder_with_henge(tmp_path), block)


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("slow"), ids=lambda block: block.split("\n")[0][:40])
def test_the_guides_whole_games(block, tmp_path):
    run_in(folder_with_henge(tmp_path), block)
    assert json.loads((tmp_path / "state.json").read_text("utf-8"))["to_move"] is None


def test_the_guide_has_an_example_and_a_whole_game_of_each_kind():
    for game_id in GAMES:
        assert any(f"rules new {game_id}" in block for block in blocks("test")), game_id
        assert any(f"play.sh {game_id}" in block for block in blocks("slow")), game_id


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_from_the_shell(henge, game_id):
    """What play.sh does, without starting a program for each move."""
    rng = random.Random(3)
    short = ("--variant", "turn_limit=20") if game_id in ("council", "ramming") else ()
    state = henge("rules", "new", game_id, "--players", PLAYERS[game_id], "--seed", "3", *short).out
    while moves := henge("rules", "legal", stdin=state).out.splitlines():
        if json.loads(state)["to_move"] == "chance":
            result = henge("rules", "apply", "--chance", "--seed", str(rng.random())[2:9], stdin=state)
        else:
            result = henge("rules", "apply", *rng.choice(moves).split(), stdin=state)
        assert (result.code, result.err) == (DONE, "")
        state = result.out
    shown = json.loads(henge("rules", "show", "--json", stdin=state).out)
    assert len(shown["returns"]) == len(shown["scores"]) == len(PLAYERS[game_id].split(","))
    scores = json.loads(henge("rules", "score", "--json", stdin=state).out)
    assert scores == shown["scores"]
    assert all(sum(part["points"] for part in score["parts"]) == score["total"] for score in scores.values())


def test_the_example_of_a_log_is_in_order(henge, tmp_path):
    reading = read(EXAMPLE)
    assert reading.problems == ()
    assert write(reading.log) == EXAMPLE
    record, problem = check(reading.log)
    assert problem is None and len(record.entries) == 8
    assert reading.log.extra == {"place": "at Anna's"} and reading.log.entries[2].extra == {"clock": "4:51"}
    path = tmp_path / "evening.henge"
    path.write_text(EXAMPLE)
    assert henge("replay", "--check", str(path)).code == DONE


def test_the_first_move_that_cannot_be_is_named_as_the_page_says(henge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("evening.henge").write_text(EXAMPLE.replace("place 1 on space-D", "place 1 on space-A"))
    result = henge("replay", "--check", "evening.henge")
    assert result.code == WRONG
    told = re.findall(r"^```text\n(.*?)^```", LOGS, re.MULTILINE | re.DOTALL)[0]
    assert result.err.startswith(told.strip())


def explained(game_id: str) -> dict[str, tuple[str, str]]:
    """keyword -> (default, all its line says), from the tables of a game's page."""
    page = (DOCS / "rules" / f"{game_id}.md").read_text("utf-8")
    tables = page.split("## Variants")[-1] if "## Variants" in page else page.split("## House rules")[-1]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|(.*)\|$", tables, re.MULTILINE)
    return {key: (re.split(r"[,\s]", values)[0], f"{values} {rest}") for key, values, rest in rows}


def names(line: str, choice: Any) -> bool:
    """Whether a line of a table names this value, or a range that it is in."""
    word = str(choice).lower() if isinstance(choice, bool) else str(choice)
    ranges = re.findall(r"(\d+) (?:…|to) (\d+)", line)
    within = any(int(low) <= choice <= int(high) for low, high in ranges if isinstance(choice, int))
    return within or re.search(rf"\b{word}\b", line) is not None


@pytest.mark.parametrize("game_id", GAMES)
def test_every_variant_of_a_game_is_explained_to_players_with_all_its_values(game_id):
    table = explained(game_id)
    variants = (*load_game(game_id).variants, HALF_SEEN)
    assert set(table) == {variant.key for variant in variants}
    for variant in variants:
        default, line = table[variant.key]
        assert default == (
            str(variant.default).lower() if isinstance(variant.default, bool) else str(variant.default)
        )
        assert [choice for choice in variant.choices if not names(line, choice)] == [], variant.key


def test_a_value_that_is_not_explained_is_noticed():
    assert names("0 (none) | 20 … 1000: so many turns", 50) and not names("20 … 1000: so many turns", 5)
    assert names("out | repeat: once more", "repeat") and not names("out | repeated", "repeat")


def test_every_page_that_these_pages_name_is_there():
    for page in [*DOCS.glob("*.md"), *DOCS.glob("rules/*.md")]:
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
        assert [target for target in targets if not (page.parent / target).exists()] == [], page.name
