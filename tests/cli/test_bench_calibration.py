"""A table that is not ours: its profile is made from two photographs, and what that is worth is printed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from calibration.profile import load_profile
from cli.bench_calibration import EMPTY, LABELS, PIECES, calibrated
from cli.main import main

MEADOW = Path(__file__).parents[2] / "sample_images" / "tables" / "meadow"
COLOURS = {"white", "blue", "green", "yellow", "red"}


def test_shades_and_sizes_are_learnt_from_pieces_on_the_board_and_beside_it(tmp_path: Path) -> None:
    """Half of the pieces in this photograph lie beside the board; the set and the board were never seen."""
    profile = load_profile(calibrated(MEADOW, tmp_path))
    label = json.loads((MEADOW / LABELS).read_text(encoding="utf-8"))[PIECES]
    assert sum("field" not in piece for piece in label["pieces"]) == 7
    assert set(profile.colours["disc"]) == set(profile.colours["block"]) == COLOURS
    assert set(profile.colours["figure"]) >= {"blue", "green", "yellow", "red"}
    for kind, named in profile.colours.items():
        red, green, blue = named["red"]
        assert red > 1.5 * max(green, blue), kind
        red, green, blue = named["blue"]
        assert blue > 1.5 * max(red, green), kind
    pieces = profile.board.pieces  # 17 mm and 15.2 x 30 mm in truth; the board file says 15 and 16 x 32
    assert pieces["disc"].dims_mm["diameter_mm"] == pytest.approx(16.6, abs=0.6)
    assert pieces["figure"].dims_mm["base_mm"] == pytest.approx(15, abs=0.8)
    assert profile.lens is not None and profile.lens.distortion[0] < -0.05  # told by the board's edges


@pytest.mark.slow
def test_the_figures_before_and_after(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "meadow"
    shutil.copytree(MEADOW, folder)
    labels = json.loads((folder / LABELS).read_text(encoding="utf-8"))
    few = {name: labels[name] for name in (EMPTY, PIECES, "01.jpg", "02.jpg")}
    (folder / LABELS).write_text(json.dumps(few), encoding="utf-8")
    assert main(["bench", "calibration", str(tmp_path), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    before, after = figures["all"]["before"], figures["all"]["after"]
    assert before["pictures"] == after["pictures"] == after["read"] == 2
    assert after["wrong"] < before["wrong"] and after["right_share"] > 0.96


def test_what_is_no_table_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["bench", "calibration", str(tmp_path)]) == 2
    assert "holds no table" in capsys.readouterr().err
    shutil.copytree(MEADOW, tmp_path / "meadow")
    (tmp_path / "meadow" / LABELS).write_text("{}", encoding="utf-8")
    assert main(["bench", "calibration", str(tmp_path)]) == 2
    assert "should hold a label for each picture" in capsys.readouterr().err
