"""`henge log` and `henge serve`: going on after a stop, and what they say when there is nothing to see."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from calibration.artwork import render_artwork
from cli.main import main
from engine import log
from engine.board import load_board

GAME = ("--game", "stonehenge", "--players", "black,brown")


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Two photographs of the empty board, seen aslant, and a file that is no photograph."""
    folder = tmp_path_factory.mktemp("photos")
    art = np.ascontiguousarray(np.asarray(render_artwork(load_board("knizia"), 3.0))[:, :, ::-1])
    height, width = art.shape[:2]
    printed = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    for number in (1, 2):
        seen = np.array([[260 + number, 60], [1020, 60], [1160, 680], [120, 680]], np.float32)
        view = cv2.warpPerspective(
            art, cv2.getPerspectiveTransform(printed, seen), (1280, 720), borderValue=(90, 110, 130)
        )
        cv2.imwrite(str(folder / f"{number}.jpg"), view)
    (folder / "3.jpg").write_text("not a picture")
    return folder


def test_photos_without_a_move_give_a_log_without_a_move(photos, tmp_path, capsys):
    out = tmp_path / "evening.henge"
    assert main(["log", str(photos), *GAME, "-o", str(out)]) == 0
    reading = log.load(out)
    assert reading.problems == () and [entry.kind for entry in reading.log.entries] == ["note"]
    assert "3.jpg" in reading.log.entries[0].text
    assert "0 moves from 2 pictures" in capsys.readouterr().err
    assert not out.with_name("evening.henge.work").exists()


def test_interrupted_it_goes_on_where_it_was(photos, tmp_path, capsys, monkeypatch):
    out = tmp_path / "evening.henge"
    from cli.log import Logbook

    finish = Logbook.finish
    monkeypatch.setattr(Logbook, "finish", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
    assert main(["log", str(photos), *GAME, "-o", str(out)]) == 130
    done = (tmp_path / "evening.henge.work" / "progress").read_text().splitlines()
    assert [json.loads(line)[0].rsplit("/", 1)[-1] for line in done] == ["1.jpg", "2.jpg", "3.jpg"]
    monkeypatch.setattr(Logbook, "finish", finish)
    assert main(["log", str(photos), *GAME, "-o", str(out)]) == 0
    assert "going on after 3 pictures" in capsys.readouterr().err and out.exists()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["log", "nowhere.jpg", *GAME, "-o", "x"], "nowhere.jpg is not there"),
        (["serve", "--game", "build", "--folder", "{folder}"], "who plays"),
        (["serve", "--folder", "{folder}", "--camera", "0"], "no game is going on"),
        (["serve", *GAME, "--camera", "/no/such/camera", "--folder", "{folder}"], "is not there"),
        (["serve", *GAME, "--variant", "half_seen", "--folder", "{folder}"], "KEY=VALUE"),
        (["log", "{folder}", *GAME, "-o", "x"], "holds no photographs"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(command, told, tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    assert main([word.format(folder=folder) for word in command]) == 2
    error = capsys.readouterr().err
    assert told in error and len(error.splitlines()) == 1
