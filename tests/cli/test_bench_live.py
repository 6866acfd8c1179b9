"""A real stream over HTTP, with an arm over the board in between, and the page open in a Chromium."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cli.bench_live import ARM, DEMO, Arm
from cli.main import main
from vision.pictures.images import load_image


@pytest.mark.slow
def test_moves_before_a_streaming_camera_come_into_the_record(capsys, chromium):
    assert main(["bench", "live", "--moves", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["moves"], found["recorded"]) == ("stonehenge", 3, 3)
    assert 0.3 < found["median_s"] <= found["longest_s"]  # less than it takes to be sure that nothing moves


def test_an_arm_comes_from_the_rim_and_leaves_the_rest_as_it_is():
    arm, table = Arm(*map(load_image, ARM)), load_image(DEMO / "stonehenge" / "0003.jpg")
    covered = (arm.over(table, 0.0) != table).any(axis=2)
    assert 0.02 < covered.mean() < 0.4
    assert covered[[0, -1]].any() or covered[:, [0, -1]].any()
    assert (arm.over(table, 0.12) != table).any(axis=2).mean() < covered.mean()
    assert np.array_equal(arm.over(table, 2.0), table)


def test_a_folder_that_is_no_recorded_game_is_refused(tmp_path, capsys):
    assert main(["bench", "live", str(tmp_path)]) == 2
    assert "is no recorded game" in capsys.readouterr().err
