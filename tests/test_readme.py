"""The README's commands work: every block that begins with ```sh test is run as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh test\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder like a checkout, as far as the README's commands are concerned, with a ./henge that runs in
    the environment of this test."""
    launcher = tmp_path / "henge"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m cli "$@"\n')
    launcher.chmod(0o755)
    (tmp_path / "sample_images").symlink_to(ROOT / "sample_images")
    return tmp_path


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][:40])
def test_block(block: str, folder: Path) -> None:
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout
    assert "henge:" not in result.stderr


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 3


def test_the_two_commands_are_the_readme_s_and_ci_runs_the_second() -> None:
    assert "```sh\n./henge demo\n```" in README
    assert "```sh\n./henge test\n```" in README
    assert re.search(r"^step \./henge test$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)


def test_every_file_that_the_readme_names_is_there() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    folders = re.findall(r"^\| `(\w+/)` \|", README, re.MULTILINE)
    assert len(folders) == 8
    assert [name for name in (*targets, *folders) if not (ROOT / name).exists()] == []
