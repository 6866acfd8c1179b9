"""Running `henge` inside the test's own process."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple

import pytest

from cli.main import main
from engine import Game


class Result(NamedTuple):
    code: int
    out: str
    err: str


Henge = Callable[..., Result]


@pytest.fixture
def seats() -> Callable[[Game, int], tuple[str, ...]]:
    """seats(game, count): colours that may sit down together, in an order that the game accepts."""
    return Game.some_players


@pytest.fixture
def henge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Henge:
    """henge("rules", "legal", stdin=text) -> exit code, stdout, stderr."""
    monkeypatch.delenv("HENGE_DEBUG", raising=False)

    def run(*arguments: str, stdin: str | bytes = "") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse: --help and wrong usage
            code = int(stop.code or 0)
        return Result(code, *capsys.readouterr())

    return run
