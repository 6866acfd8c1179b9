"""The recorded game of Stonehenge comes out move for move from its photographs alone."""

from __future__ import annotations

from pathlib import Path

from cli.main import main
from engine.log import load

DEMO = Path(__file__).resolve().parents[2] / "sample_images" / "demo" / "stonehenge"


def moves(path: Path) -> list[str]:
    return [entry.text for entry in load(path).log.entries if entry.kind == "move"]


def test_the_photographs_of_the_recorded_game_give_its_log(tmp_path):
    photos = [str(path) for path in sorted(DEMO.glob("*.jpg"))]
    out = tmp_path / "game.henge"
    assert main(["log", *photos, "--game", "stonehenge", "--players", "black,brown", "-o", str(out)]) == 0
    assert moves(out) == moves(DEMO / "game.henge")
    assert len(moves(out)) == 32
