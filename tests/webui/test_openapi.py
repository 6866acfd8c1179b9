"""The API against its own description: schemathesis makes up requests, valid and broken, single and in
sequences along the links (webui/openapi/links.py), with all checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from table import Hall
from tests.webui.conftest import a_stonehenge, out_of_step
from tests.webui.seeing import view_of
from webui import guard

# An event stream never ends; tests of its own read it (test_api.py).
COMMAND = ("run", "--checks", "all", "--exclude-path-regex", "/events$",
           "--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "20", "--seed", "1",
           "--request-timeout", "20", "--no-color", "--continue-on-failure")  # fmt: skip


@pytest.mark.slow
def test_schemathesis_finds_nothing(
    hall: Hall, address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(guard, "CHANGES_PER_10_S", 10**6)
    seen = a_stonehenge(hall, moves=6)
    seen.see(*view_of(seen.state.visible()))
    tables = [seen, out_of_step(hall), hall.create("build", ("red", "blue", "green"), {"half_seen": False})]
    names = {
        "table_id": [table.id for table in tables],
        "player": ["red", "black"],
        "board_id": ["knizia", "anthology"],
        "name": ["0001.jpg"],
    }
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", *COMMAND, f"{address}/api/openapi.json"],
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.webui.api_hooks", "HENGE_NAMES": json.dumps(names),
             "PYTHONPATH": root},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(done.stdout[-20000:])
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
