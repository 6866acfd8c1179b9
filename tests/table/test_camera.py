"""The live loop: hands are waited for, photographs are read one by one, cameras may vanish."""

from __future__ import annotations

import sqlite3

import cv2
import numpy as np
import pytest

from engine import Observation, Position, Thing
from table import TableError
from table.camera import Watcher
from tests.table.seeing import after, reading
from vision.errors import NoBoard
from vision.pictures.sources import Frame, Source

STONES = ("place 4 on space-A", "place 3 on space-B", "place 6 on space-K")
EMPTY = np.full((90, 160, 3), 120, np.uint8)


def picture(stones: int, hand: bool = False) -> np.ndarray:
    """A picture in which so many stones can be told by their number; the eyes below count them."""
    image = EMPTY.copy()
    for number in range(stones):
        image[20:34, 20 + 30 * number : 34 + 30 * number] = 10
    if hand:
        image[40:, 60:110] = 220
    return image


class Reel(Source):
    """Pictures that were prepared; None: nothing comes just now."""

    def __init__(self, images: list, *, live: bool) -> None:
        self.images, self.live, self.still = list(images), live, not live

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        if not self.images:
            self.ended = True
            return None
        image = self.images.pop(0)
        if isinstance(image, str):
            self.lost = image
            return None
        self.lost = None
        return Frame(image, f"{len(self.images)}.jpg", None)


class Eyes:
    """Counts the stones of `picture` and says what the game would look like."""

    def __init__(self, start) -> None:
        self.start, self.asked, self.learnt = start, [], []

    def read(self, image: np.ndarray, before: Position | None = None) -> Observation:
        self.asked.append(before)
        if image.mean() < 5:
            raise NoBoard("no board was found: turn on a lamp")
        stones = sum(int(image[27, 27 + 30 * number, 0] < 50) for number in range(3))
        return reading(after(self.start, *STONES[:stones]))

    def learn(self, truth: Position) -> None:
        self.learnt.append(truth)


@pytest.fixture
def table(hall):
    return hall.create("stonehenge", ("black", "brown"))


def watch(table, images: list, *, live: bool, step_s: float = 0.1) -> Eyes:
    ticks = iter(range(10_000))
    eyes = Eyes(table.state)
    watcher = Watcher(table, Reel(images, live=live), eyes, clock=lambda: next(ticks) * step_s)
    watcher.run()
    return eyes


def test_every_photograph_is_read(table):
    eyes = watch(table, [picture(0), picture(1), picture(3)], live=False)
    assert len(eyes.asked) == 3
    assert [entry.text for entry in table.entries][:1] == [STONES[0]] and len(table.entries) == 3
    assert all(table.photo(entry.photo)[:2] == b"\xff\xd8" for entry in table.entries)


def test_nothing_is_read_while_a_hand_is_over_the_board(table):
    quiet, hand, stone = [picture(0)] * 6, [picture(0, hand=True)] * 20, [picture(1)] * 8
    eyes = watch(table, [*quiet, *hand, *stone], live=True)
    assert len(eyes.asked) == 2, "the empty board, and the stone once the hand was gone"
    assert [entry.text for entry in table.entries] == [STONES[0]]


def test_a_move_is_recorded_within_a_second_after_the_hand_is_gone(table):
    quiet, hand = [picture(0)] * 6, [picture(0, hand=True)] * 5
    watch(table, [*quiet, *hand, *[picture(1)] * 10], live=True)
    assert len(table.entries) == 1


def test_the_status_says_that_a_hand_is_there(table):
    said = []
    real = table.looking
    table.looking = lambda message: (said.append(str(message)), real(message))
    watch(table, [*[picture(0)] * 6, *[picture(0, hand=True)] * 12], live=True)
    assert said == ["a hand is over the board"] * len(said) and said
    assert table.status.name == "looking"


def test_the_eyes_are_told_what_lay_there_before(table):
    eyes = watch(table, [picture(0), picture(1), picture(2)], live=False)
    assert eyes.asked[0] is None
    assert [len(before.pieces) for before in eyes.asked[1:]] == [0, 1]


def test_the_eyes_learn_from_what_was_put_right_once_the_players_agree(table):
    eyes = Eyes(table.state)
    watcher = Watcher(table, Reel([picture(1), picture(1), picture(2), picture(3)], live=False), eyes)
    watcher.step()
    with pytest.raises(TableError, match="nothing to learn"):
        table.teach()
    table.correct("space-A", Thing("druid", "black", 4))
    watcher.step()
    assert eyes.learnt == [] and table.can_teach
    table.teach()
    agreed = table.state.visible()
    watcher.step()
    watcher.step()
    assert eyes.learnt == [agreed] and not table.can_teach


def test_what_was_put_right_in_a_phones_picture_is_no_lesson_for_the_camera(table):
    """The camera would take what lies in the phone's picture for what lies in its own last one."""
    eyes = Eyes(table.state)
    watcher = Watcher(table, Reel([picture(0), picture(1), picture(1)], live=False), eyes)
    watcher.step()
    phone = reading(after(table.state, *STONES[:1]))
    table.see(phone)
    table.correct("space-A", Thing("druid", "black", 4))
    table.teach()
    watcher.step()
    assert eyes.learnt == []
    assert table.take_lesson(phone) == table.state.visible()
    assert table.take_lesson(phone) is None


def test_a_picture_without_a_board_makes_the_table_blind_and_the_loop_goes_on(table):
    watch(table, [picture(0), EMPTY * 0], live=False)
    assert table.status.name == "blind" and "no board was found" in str(table.status.message)
    watch(table, [picture(1)], live=False)
    assert table.status.name == "in_step" and len(table.entries) == 1


def test_a_picture_over_which_the_eyes_stumble_does_not_end_the_evening(table, monkeypatch):
    eyes = Eyes(table.state)
    read = eyes.read

    def stumble(image: np.ndarray, before: Position | None = None) -> Observation:
        return cv2.resize(image, (0, 0)) if image.size == 3 else read(image, before)

    monkeypatch.setattr(eyes, "read", stumble)
    watcher = Watcher(table, Reel([picture(0), EMPTY[:1, :1], picture(1)], live=False), eyes)
    watcher.step()
    watcher.step()
    assert table.status.name == "blind" and "cannot be read" in table.status.message.en
    watcher.run()
    assert [entry.text for entry in table.entries] == [STONES[0]]


def test_a_full_disk_does_not_end_the_evening(hall, table, monkeypatch):
    """What could not be kept is looked at again, and recorded once there is room."""
    keep, refusals = hall._store._db, iter([True] * 2)
    monkeypatch.setattr(hall._store, "_db", SometimesFull(keep, lambda: next(refusals, False)))
    told = []
    reel = Reel([picture(0), picture(1), picture(1), picture(1)], live=False)
    watcher = Watcher(table, reel, Eyes(table.state), tell=told.append)
    watcher.run()
    assert watcher.failure is None
    assert len(told) == 2 and all("disk is full" in line for line in told)
    assert [entry.text for entry in table.entries] == [STONES[0]]


class SometimesFull:
    """A database that now and then has no room for an event."""

    def __init__(self, db: sqlite3.Connection, is_full) -> None:
        self._db, self._is_full = db, is_full

    def __enter__(self) -> None:
        self._db.__enter__()

    def __exit__(self, *error: object) -> None:
        self._db.__exit__(*error)

    def executemany(self, *args: object) -> None:
        if self._is_full():
            raise sqlite3.OperationalError("database or disk is full")
        self._db.executemany(*args)

    def __getattr__(self, name: str) -> object:
        return getattr(self._db, name)


def test_a_camera_that_vanishes_is_told_and_waited_for(table):
    told = []
    real = table.blind
    table.blind = lambda message: (told.append(str(message)), real(message))
    watch(table, [*[picture(0)] * 6, "the cable is out", *[picture(1)] * 8], live=True)
    assert told == ["the cable is out"]
    assert [entry.text for entry in table.entries] == [STONES[0]]


def test_a_game_that_is_going_on_is_taken_over(table):
    eyes = Eyes(table.state)
    watcher = Watcher(table, Reel([picture(3)], live=False), eyes, take_over=True, to_move="brown")
    watcher.run()
    assert [entry.kind for entry in table.entries] == ["allowed"]
    assert len(table.state.visible().pieces) == 3 and table.state.to_move == "brown"


def test_the_loop_can_be_stopped(table):
    watcher = Watcher(table, Reel([picture(0)] * 100_000, live=True), Eyes(table.state))
    watcher.start()
    watcher.stop()
    assert watcher.wait(1)
