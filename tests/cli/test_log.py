"""`henge log` and `henge serve`: going on after a stop, and what they say when there is nothing to see."""

from __future__ import annotations

import json
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from calibration.artwork import render_artwork
from cli.log import Done, Logbook
from cli.main import main
from engine import Thing, load_game, log
from engine.board import load_board
from table import Hall
from tests.table.seeing import reading
from vision.pictures.sources import Frame

FIVE, SIX, BROWN = Thing("druid", "black", 5), Thing("druid", "black", 6), Thing("druid", "brown", 6)
BLACK = {Thing("druid", "black", 1): 0.999, None: 0.001}
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
    finish = Logbook.finish
    monkeypatch.setattr(Logbook, "finish", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
    assert main(["log", str(photos), *GAME, "-o", str(out)]) == 130
    done = (tmp_path / "evening.henge.work" / "progress").read_text().splitlines()
    assert [json.loads(line)[0].rsplit("/", 1)[-1] for line in done] == ["1.jpg", "2.jpg", "3.jpg"]
    monkeypatch.setattr(Logbook, "finish", finish)
    assert main(["log", str(photos), *GAME, "-o", str(out)]) == 0
    assert "going on after 3 pictures" in capsys.readouterr().err and out.exists()


@pytest.mark.parametrize(
    ("stone", "verdict", "said"),
    [
        ({None: 0.05, SIX: 0.95}, "place 6 on space-C", ""),
        ({FIVE: 0.45, SIX: 0.55}, "place 6 on space-C", "the last move is the likeliest of several"),
        ({BROWN: 0.99, None: 0.01}, "", "2.jpg: seen: brown druid 6 on space-C"),
        ({BROWN: 0.97, None: 0.03}, "", "2.jpg: what lies there could not be settled"),
    ],
)
def test_what_only_the_last_photograph_shows_is_settled(stone, verdict, said, tmp_path):
    """The referee would wait for another picture; there is none."""
    empty = load_game("stonehenge").start(("black", "brown"))
    views = iter((reading(empty), reading(empty, space_C=stone)))
    eyes = SimpleNamespace(read=lambda image, before: next(views))
    with Hall(tmp_path) as hall:
        table = hall.create("stonehenge", ("black", "brown"), {})
        logbook = Logbook(table, eyes, Done(tmp_path / "progress", {}), running=False)
        for name in ("1.jpg", "2.jpg"):
            logbook.take(Frame(np.zeros((2, 2, 3), np.uint8), name))
        assert table.status.name == "looking"
        logbook.finish()
        entries = table.entries
        assert [entry.text for entry in entries if entry.kind == "move"] == [verdict] * bool(verdict)
        assert any(said in entry.text for entry in entries if entry.kind == "note") == bool(said)
        assert bool(logbook.open_questions) == (not verdict)


def test_before_what_no_rule_explains_the_likeliest_of_what_was_open_has_happened(tmp_path):
    """There is nobody to ask which stone it was, and no later photograph tells."""
    empty = load_game("stonehenge").start(("black", "brown"))
    stone = {FIVE: 0.45, SIX: 0.55}
    views = iter(
        (reading(empty), reading(empty, space_C=stone), reading(empty, space_C=stone, space_Q=BLACK))
    )
    eyes = SimpleNamespace(read=lambda image, before: next(views))
    with Hall(tmp_path) as hall:
        table = hall.create("stonehenge", ("black", "brown"), {})
        logbook = Logbook(table, eyes, Done(tmp_path / "progress", {}), running=False)
        for name in ("1.jpg", "2.jpg", "3.jpg"):
            logbook.take(Frame(np.zeros((2, 2, 3), np.uint8), name))
        assert table.status.name == "out_of_step"
        assert not any(entry.kind == "move" for entry in table.entries)
        logbook.finish()
        moves = [entry for entry in table.entries if entry.kind == "move"]
        assert [(entry.text, entry.photo, entry.by) for entry in moves] == [
            ("place 6 on space-C", "2.jpg", "camera")
        ]
        assert 0.5 < moves[0].confidence < 0.6
        assert any("the likeliest of several" in entry.text for entry in table.entries)
        assert len(logbook.open_questions) == 1 and logbook.open_questions[0].startswith("3.jpg: seen:")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["log", "nowhere.jpg", *GAME, "-o", "x"], "nowhere.jpg is not there"),
        (["serve", "--game", "build", "--folder", "{folder}"], "who plays"),
        (["serve", "--folder", "{folder}", "--camera", "0", "--running"], "no game is going on"),
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


def test_where_nothing_can_be_read_nothing_is_written(henge, photos, tmp_path):
    out = tmp_path / "precious.henge"
    out.write_text("of another evening", encoding="utf-8")
    result = henge("log", str(photos / "3.jpg"), *GAME, "-o", str(out))
    assert result.code == 2 and "precious.henge is not written" in result.err
    assert out.read_text(encoding="utf-8") == "of another evening"
    assert not out.with_name("precious.henge.work").exists()
