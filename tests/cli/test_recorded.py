"""Recorded tables are played back step by step, from photographs or from a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.demo import RECORDED
from cli.recorded import Player, open_recorded, open_self_played
from engine import Observation
from engine.errors import HengeError
from engine.log import GameLog, load, write
from engine.record import Entry
from table import Hall, Table
from tests.webui.seeing import view_of
from webui.eyes import PhotoReader

MOVES = ("place 4 on space-A", "place 2 on space-R", "place 6 on space-G")


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path / "hall") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "recorded"
    made.mkdir()
    entries = tuple(Entry("move", text) for text in MOVES)
    log = GameLog("stonehenge", ("black", "brown"), {"half_seen": True}, "An evening", entries=entries)
    (made / "game.henge").write_text(write(log), encoding="utf-8")
    return made


def no_eyes(table: Table, jpeg: bytes) -> Observation:
    raise AssertionError("there is no photograph to read")


def test_a_log_is_played_one_move_at_a_time(hall: Hall, folder: Path) -> None:
    table, player = open_recorded(hall, folder, no_eyes)
    player.step()
    until(lambda: player.state.step == 1)
    assert [entry.text for entry in table.entries] == [MOVES[0]]
    assert not player.state.playing
    player.set_pace(0.05)
    player.play()
    until(lambda: player.state.step == 3)
    assert [entry.text for entry in table.entries] == list(MOVES)
    until(lambda: not player.state.playing)
    player.close()


def test_a_log_ends_where_people_have_moved_otherwise(hall: Hall, folder: Path) -> None:
    table, player = open_recorded(hall, folder, no_eyes)
    table.play("place 3 on space-A")
    player.play()
    until(lambda: not player.state.playing)
    assert player.state.step == player.state.count
    assert [entry.text for entry in table.entries] == ["place 3 on space-A"]
    player.close()


def test_photographs_are_read_and_judged(hall: Hall, folder: Path) -> None:
    """What the photographs show becomes the record; the log only names game and players."""
    truth = hall.create("stonehenge", ("black", "brown"))
    views = {}
    for number, text in enumerate(("", *MOVES)):
        if text:
            truth.play(text)
        seen, jpeg = view_of(truth.state.visible())
        views[jpeg] = seen
        (folder / f"{number:04d}.jpg").write_bytes(jpeg)
    table, player = open_recorded(hall, folder, lambda _, jpeg: views[jpeg])
    assert player.state.count == 4
    player.set_pace(0.05)
    player.play()
    until(lambda: player.state.step == 4)
    until(lambda: len(table.entries) == 3)
    assert [entry.text for entry in table.entries] == list(MOVES)
    assert {entry.by for entry in table.entries} == {"camera"}
    player.close()


@pytest.mark.parametrize(
    ("game", "entries"),
    [
        ("rolling", 16),
        pytest.param("council", None, marks=pytest.mark.slow),
        pytest.param("roulette", 101, marks=pytest.mark.slow),
        pytest.param("ramming", None, marks=pytest.mark.slow),
    ],
)
def test_what_photographs_leave_open_the_log_answers(hall: Hall, game: str, entries: int | None) -> None:
    """A recorded evening plays through with nobody there to answer: whether a roll was too weak, or which
    argument was discussed, no photograph shows."""
    folder = RECORDED / game
    result = load(folder / "game.henge").log.result
    table, player = open_recorded(hall, folder, PhotoReader())
    player.set_pace(0.05)
    player.play()
    until(lambda: not player.state.playing, 200)
    player.close()
    assert table.status.name == "in_step"
    assert entries is None or len(table.entries) == entries
    scores = ", ".join(f"{player} {score.total}" for player, score in table.state.scores().items())
    assert not result or (scores == result and table.state.is_over)


def test_a_picture_that_cannot_be_read_is_told(hall: Hall, folder: Path) -> None:
    def blind(table: Table, jpeg: bytes) -> Observation:
        raise HengeError("no board in the picture")

    (folder / "1.jpg").write_bytes(b"")
    table, player = open_recorded(hall, folder, blind)
    player.step()
    until(lambda: table.status.name == "blind")
    assert str(table.status.message) == "no board in the picture"
    player.close()


def test_a_pause_holds_and_a_game_ends_by_itself(hall: Hall) -> None:
    table, player = open_self_played(hall, "stonehenge", ("black", "brown"), seed=1, name="self")
    player.set_pace(0.05)
    player.play()
    until(lambda: len(table.entries) > 2)
    player.pause()
    time.sleep(0.1)
    held = len(table.entries)
    time.sleep(0.15)
    assert len(table.entries) == held
    player.close()
    assert isinstance(player, Player)


def test_a_folder_without_a_log_is_refused(hall: Hall, tmp_path: Path) -> None:
    with pytest.raises(HengeError, match=r"expected one \*\.henge file"):
        open_recorded(hall, tmp_path, no_eyes)
