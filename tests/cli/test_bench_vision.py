"""`henge bench vision` on a series of a board without tags."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from cli.bench_speed import DECODE, FIRST, TRACKED, WITHIN, in_words
from cli.bench_vision import compared, labelled
from cli.main import main
from engine.board import load_board
from engine.observation import Observation
from engine.position import Position

SERIES = Path(__file__).resolve().parents[2] / "sample_images" / "series"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The start and the photograph after it."""
    shutil.copytree(SERIES / "boards", tmp_path / "boards")
    for name in ("0002", "0003"):
        for kind in (".jpg", ".json"):
            shutil.copy(SERIES / "flint" / f"{name}{kind}", tmp_path)
    return tmp_path


def test_a_series_is_counted_after_its_start(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference = str(SERIES / "empty" / "flint.jpg")
    assert main(["bench", "vision", str(folder), "--series", "--reference", reference, "--json"]) == 0
    every = json.loads(capsys.readouterr().out)["all"]
    assert (every["pictures"], every["read"], every["wrong"]) == (1, 1, 0)


def test_pictures_of_every_kind_that_is_read_are_counted(folder: Path) -> None:
    (folder / "0003.jpg").rename(folder / "0003.webp")
    assert [path.name for path, _ in labelled(folder)] == ["0002.jpg", "0003.webp"]


def test_where_nothing_can_be_timed_the_rest_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By itself, as the clock asks for it, no picture of a board without tags can be read."""
    assert main(["bench", "vision", str(folder), "--series"]) == 0
    told = capsys.readouterr().out
    assert "confidence against truth" in told and FIRST not in told
    assert in_words({DECODE: {"total": 4.0}, FIRST: {}, TRACKED: {}}) == [
        "milliseconds per frame of 1920 x 1080: decode 4.0"
    ]


def test_how_long_most_pictures_take_is_told_beside_the_median() -> None:
    first = {"total": 200.0, "places": 150.0, WITHIN: 260.0}
    assert in_words({DECODE: {"total": 4.0}, FIRST: first})[1:] == [
        "  first look 200.0 (50.0 x decode; 9 of 10 within 260.0): places 150.0"
    ]


@pytest.mark.parametrize(("seen", "asked_for"), [(0.2, 1), (0.3, 2)])
def test_a_bank_under_a_hand_is_not_asked_for(seen: float, asked_for: int) -> None:
    board = load_board("anthology")
    banks = [
        {"kind": "block", "colour": "red", "x_mm": x, "y_mm": 60.0, "angle_deg": 0.0, "seen": share}
        for x, share in ((50.0, 1.0), (300.0, seen))
    ]
    label = {"board": "anthology", "game": "rolling", "pieces": banks, "occluded": []}
    nothing = Observation("anthology", {}, Position("anthology", (), "rolling"))
    assert len(compared(nothing, label, board, np.zeros((10, 10, 3), np.uint8)).misses) == asked_for
