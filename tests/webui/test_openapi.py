"""The API against its own description: schemathesis makes up requests, valid and broken, single and in
sequences along the links (webui/openapi/links.py), with all checks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from table import Hall
from tests.webui.conftest import a_stonehenge, out_of_step
from tests.webui.seeing import view_of
from webui import guard

# An event stream never ends; tests of its own read it (test_api.py).
COMMAND = ("run", "--checks", "all", "--exclude-path-regex", "/events$", "--seed", "1",
           "--request-timeout", "20", "--no-color", "--continue-on-failure")  # fmt: skip
# The links of the document alone, without those that could be guessed from names.
LONG_SEQUENCES = """
[phases.stateful]
max-steps = 16
inference.algorithms = []
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phases", "how_long"),
    [("examples,coverage,fuzzing", ("--max-examples", "20")), ("stateful", ("--max-time", "240"))],
    ids=["requests", "sequences"],
)
def test_schemathesis_finds_nothing(
    hall: Hall,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    phases: str,
    how_long: tuple[str, str],
) -> None:
    for limit in ("CHANGES_PER_10_S", "PHOTOS_PER_10_S"):
        monkeypatch.setattr(guard, limit, 10**6)
    (tmp_path / "schemathesis.toml").write_text(LONG_SEQUENCES)
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", *COMMAND, "--phases", phases, *how_long,
         f"{address}/api/openapi.json"],
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.webui.api_hooks",
             "HENGE_NAMES": json.dumps(names_in(hall)),
             "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(done.stdout[-20000:])
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    if phases == "stateful":
        reached, all_links = map(int, re.findall(r"(\d+) covered / (\d+) selected", done.stdout)[0])
        assert reached > all_links / 2, f"{reached} of {all_links} links were followed"


def names_in(hall: Hall) -> dict[str, list[str]]:
    """Tables to make requests about: one that the camera sees, one out of step, one with hands; and a game
    that is over."""
    a_stonehenge(hall, moves=300)
    seen = a_stonehenge(hall, moves=6)
    seen.see(*view_of(seen.state.visible()))
    dealt = hall.create("build", ("red", "blue", "green"), {"half_seen": False})
    return {
        "table_id": [table.id for table in (seen, out_of_step(hall), dealt)],
        "player": ["red", "black"],
        "board_id": ["knizia", "anthology"],
        "name": ["0001.jpg"],
    }
