"""`./henge`, the launcher. The quick tests give it an environment whose Python only says what it was asked
to run; the slow one makes a real environment in a fresh clone, twice at once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("sh", "dirname", "readlink", "cmp", "uname", "id", "env", "cat")
PYTHON = """#!/bin/sh
case "$*" in
    *"import cv2"*) exit "${CV2:-0}" ;;
    *"import qr"*) exit "${QR:-0}" ;;
esac
printf '%s|' "$PWD" "$@"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a space in its path, set up already."""
    folder = tmp_path / "my games"
    (folder / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(ROOT / "henge", folder)
    for lock in ("requirements.lock", "requirements-test.lock"):
        (folder / lock).write_text("flask==3.1.3\n")
        shutil.copy(folder / lock, folder / ".venv")
    python = folder / ".venv" / "bin" / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    return folder


def start(
    checkout: Path, *arguments: str, program: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs ./henge from another folder, on a machine that has nothing but TOOLS."""
    tools = checkout.parent / "bin"
    tools.mkdir(exist_ok=True)
    for name in TOOLS:
        if not (tools / name).exists():
            (tools / name).symlink_to(str(shutil.which(name)))
    return subprocess.run(
        [str(program or checkout / "henge"), *arguments],
        cwd=checkout.parent, env={"PATH": str(tools), **environment},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_runs_the_command_where_the_user_is(checkout: Path) -> None:
    result = start(checkout, "read", "my photo.jpg")
    assert result.stdout == f"{checkout.parent}|-P|-m|cli|read|my photo.jpg|"
    assert (result.returncode, result.stderr) == (0, "")


def test_through_a_link(checkout: Path) -> None:
    first, second = checkout.parent / "first", checkout.parent / "second"
    first.symlink_to("my games/henge")
    second.symlink_to(first)
    assert start(checkout, "games", program=second).stdout == f"{checkout.parent}|-P|-m|cli|games|"


def test_the_tests_run_in_the_checkout(checkout: Path) -> None:
    result = start(checkout, "test", "-k", "a or b", HENGE_CHROMIUM="/bin/true")
    assert result.stdout == f"{checkout}|-P|-m|pytest|-k|a or b|"
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("missing", "what"), [("QR", "QR codes on cards cannot be scanned"), ("CV2", "no picture can be read")]
)
def test_without_a_library_it_starts_and_says_what_is_off(checkout: Path, missing: str, what: str) -> None:
    for _ in range(2):  # not only at the first start
        result = start(checkout, "games", **{missing: "1"})
        assert (result.returncode, result.stdout) == (0, f"{checkout.parent}|-P|-m|cli|games|")
        assert result.stderr.startswith(f"henge: {what}")
        assert result.stderr.count("\n") == 1
        assert "to mend that, type: " in result.stderr
    assert start(checkout, "games").stderr == ""


def test_without_chromium_the_tests_run_and_say_so(checkout: Path) -> None:
    result = start(checkout, "test")
    assert result.returncode == 0
    assert "|pytest|" in result.stdout
    assert "without Chromium the page tests are skipped" in result.stderr


def test_without_chromium_ci_refuses(checkout: Path) -> None:
    result = start(checkout, "test", HENGE_REQUIRE_CHROMIUM="1")
    assert (result.returncode, result.stdout) == (2, "")
    assert "not running without the page tests" in result.stderr


def test_a_changed_lock_is_not_ignored(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("flask==4.0.0\n")
    result = start(checkout, "games")
    assert result.returncode == 2  # this machine has no Python to install it with
    assert result.stderr.startswith("henge: Henge needs Python 3.11 to 3.14; to mend that, type: ")
    assert result.stdout == ""


@pytest.mark.slow
def test_two_first_starts_at_once_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "fresh clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "HENGE"))}
    starts = [
        subprocess.Popen(
            [str(clone / "henge"), "--version"], cwd="/", env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]  # fmt: skip
    results = [process.communicate(timeout=600) for process in starts]
    assert [process.returncode for process in starts] == [0, 0]
    assert all(out.startswith("henge ") for out, _ in results)
    assert sorted("waiting for it" in err for _, err in results) == [False, True]
    again = subprocess.run(
        [str(clone / "henge"), "--version"], capture_output=True, text=True, env=environment, check=True
    )
    assert "installing" not in again.stderr
