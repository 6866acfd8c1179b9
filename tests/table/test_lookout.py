"""The camera over the table goes on with the next game, writes nothing into the last one, and stays where it
is while its game goes on."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from engine import Observation, Position
from engine.errors import BoardError
from table import Lookout, Table, TableError
from table.camera import Watcher
from tests.table.seeing import after, reading, with_piece
from tests.table.test_camera import EMPTY, Reel

PLAYERS = ("black", "brown")
FIRST = "place 4 on space-A"


class Seen:
    """Eyes that say what the test wants; the picture does not matter."""

    def __init__(self) -> None:
        self.lies: Position | None = None
        self.before: list[Position | None] = []
        self.while_reading = lambda: None

    def read(self, image: np.ndarray, before: Position | None = None) -> Observation:
        self.before.append(before)
        self.while_reading()
        assert self.lies is not None
        return reading(self.lies)

    def learn(self, truth: Position) -> None:
        pass


class Scene:
    """A camera over a table, told picture by picture what lies there."""

    def __init__(self, hall, table: Table | None) -> None:
        self.eyes, self.made_for = Seen(), []
        self.watcher = Watcher(table, Reel([], live=False), self.eyes if table else None)
        self.lookout = Lookout(hall, self.watcher, self.eyes_of)

    def eyes_of(self, table: Table) -> Seen:
        self.made_for.append(table.id)
        return self.eyes

    def shows(self, lies: Position) -> None:
        self.eyes.lies = lies
        self.watcher._source.images.append(EMPTY)
        self.watcher.step(timeout_s=0.01)

    @property
    def unread(self) -> int:
        return len(self.watcher._source.images)


def played_out(hall) -> Table:
    """A game of which the last move is still to come."""
    table = hall.create("stonehenge", PLAYERS)
    moves = []
    while not table.state.is_over:
        moves.append(str(table.state.legal_actions()[0]))
        table.play(moves[-1])
    table.undo()
    return table


def finish(table: Table) -> None:
    table.redo()
    assert table.state.is_over


def kept(hall, table: Table) -> list:
    """What is on the disk of a game, without who opened it when."""
    return [(event.kind, event.data) for event in hall._store.events(table.id) if event.kind != "opened"]


def test_a_new_game_is_watched_when_the_last_one_is_over(hall):
    old = played_out(hall)
    scene = Scene(hall, old)
    scene.shows(old.state.visible())
    finish(old)
    scene.shows(old.state.visible())
    before = kept(hall, old)
    new = hall.create("stonehenge", PLAYERS)
    assert scene.lookout.begun(new) and scene.lookout.table is new and scene.made_for == [new.id]
    scene.shows(new.state.visible())
    scene.shows(after(new.state, FIRST).visible())
    assert [entry.text for entry in new.entries] == [FIRST]
    assert kept(hall, old) == before


def test_nothing_that_is_done_at_the_table_after_the_end_is_written_into_the_game(hall):
    """Pieces are cleared away as soon as a game is over: that is no move taken back, and no alarm."""
    old = played_out(hall)
    scene = Scene(hall, old)
    scene.shows(old.state.visible())
    finish(old)
    end = old.state.visible()
    scene.shows(end)
    before, status = kept(hall, old), old.status
    scene.shows(Position(end.board, end.pieces[:-1], end.game))
    scene.shows(Position(end.board, (), end.game))
    assert kept(hall, old) == before and old.status == status
    assert scene.unread == 2, "they wait for the next game"


def test_a_game_that_is_taken_up_again_after_its_end_is_watched_again(hall):
    old = played_out(hall)
    scene = Scene(hall, old)
    scene.shows(old.state.visible())
    finish(old)
    scene.shows(old.state.visible())
    old.undo()
    scene.shows(old.state.visible())
    assert scene.unread == 0 and old.status.name == "in_step"


def test_the_camera_waits_until_the_last_game_is_cleared_away(hall):
    old = played_out(hall)
    scene = Scene(hall, old)
    finish(old)
    end = old.state.visible()
    scene.shows(end)
    new = hall.create("stonehenge", PLAYERS)
    scene.lookout.begun(new)
    for count in (len(end.pieces), 5, 1):
        scene.shows(Position(end.board, end.pieces[:count], end.game))
        assert new.status.name == "looking" and new.entries == ()
    assert "left of the last game" in new.status.message.en
    assert "noch von der letzten Partie" in new.status.message.de
    scene.shows(new.state.visible())
    assert new.status.name == "in_step"
    scene.shows(after(new.state, FIRST).visible())
    assert [entry.text for entry in new.entries] == [FIRST]


def test_a_first_move_that_is_made_at_once_ends_the_waiting(hall):
    old = played_out(hall)
    scene = Scene(hall, old)
    finish(old)
    scene.shows(old.state.visible())
    lay_there = {(piece.place, piece.thing) for piece in old.state.visible().pieces}
    new = hall.create("stonehenge", PLAYERS)
    scene.lookout.begun(new)
    another = next(
        str(move) for move in new.state.legal_actions()
        if not {(p.place, p.thing) for p in new.state.apply(move).visible().pieces} <= lay_there
    )  # fmt: skip
    scene.shows(after(new.state, another).visible())
    assert [entry.text for entry in new.entries] == [another]


def test_what_has_yet_to_be_laid_out_is_told(hall):
    old = hall.create("council", ("white", "red"))
    scene = Scene(hall, old)
    scene.shows(old.state.visible())
    old.put_away()
    new = hall.create("build", ("red", "blue", "green"))
    scene.lookout.begun(new)
    begins = new.state.visible()
    scene.shows(Position(begins.board, begins.pieces[:-1], begins.game))
    if begins.pieces:
        assert new.status.message.en.startswith("still to lay out: ")
    scene.shows(begins)
    assert new.status.name == "in_step"


def test_what_is_being_read_when_the_next_game_begins_is_entered_nowhere(hall):
    old, new = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, old)
    scene.shows(old.state.visible())
    old_state = old.state
    scene.eyes.while_reading = lambda: scene.lookout.watch(new)
    scene.shows(after(old_state, FIRST).visible())
    assert old.entries == () and new.entries == ()


def test_what_is_being_read_when_the_game_is_put_away_is_entered_nowhere(hall):
    table = hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, table)
    scene.eyes.while_reading = table.put_away
    scene.shows(after(table.state, FIRST).visible())
    assert table.entries == () and table.view is None


def test_a_game_that_goes_on_keeps_its_camera_until_somebody_says_so(hall):
    first = hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, first)
    scene.shows(first.state.visible())
    second = hall.create("build", ("red", "blue", "green"))
    assert not scene.lookout.begun(second) and scene.lookout.table is first
    scene.lookout.watch(second)
    assert scene.lookout.table is second
    scene.shows(second.state.visible())
    assert second.status.name == "in_step" and second.view is not None


def test_a_game_without_its_camera_goes_on_by_hand(hall):
    """What the camera saw last is no evidence any more, and nobody could end its alarm."""
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, first)
    first.play(FIRST)
    scene.shows(first.state.visible())
    for _ in range(4):
        scene.shows(with_piece(first.state, kind="druid", colour="black", field="space-Q", value=5))
    assert first.status.name == "out_of_step"
    scene.lookout.watch(second)
    scene.shows(second.state.visible())
    assert first.view is None and first.status.name == "in_step"
    first.play("place 5 on space-R")
    assert first.status.name == "in_step"
    scene.lookout.watch(first)
    scene.shows(first.state.visible())
    assert first.view is not None and first.status.name == "in_step"


def test_a_camera_without_a_game_waits_for_the_first(hall):
    scene = Scene(hall, None)
    assert scene.lookout.table is None
    scene.watcher._source.images.append(EMPTY)
    scene.watcher.step(timeout_s=0.01)
    assert scene.unread == 1
    table = hall.create("stonehenge", PLAYERS)
    assert scene.lookout.begun(table)
    scene.shows(table.state.visible())
    assert table.status.name == "in_step"


def test_which_game_is_watched_is_known_after_a_restart(hall, reopen):
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    lookout = Scene(hall, second).lookout
    assert hall.watched().id == second.id
    lookout.watch(first)
    again = reopen()
    assert again.watched().id == first.id
    again.close()


def test_all_open_tables_are_told_which_one_is_watched(hall):
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, first)
    heard = {table: table.last_event_id for table in (first, second)}
    scene.lookout.watch(second)
    for table, event in heard.items():
        assert [each.kind for each in table.events_since(event)] == ["opened"]


def test_a_game_on_the_shelf_is_not_watched(hall):
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, first)
    second.put_away()
    with pytest.raises(TableError, match="on the shelf"):
        scene.lookout.watch(second)
    assert scene.lookout.table is first


def test_a_camera_that_has_ended_watches_nothing(hall):
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    scene = Scene(hall, first)
    scene.watcher.run()
    first.put_away()
    assert not scene.lookout.is_there and not scene.lookout.begun(second)
    with pytest.raises(TableError, match="no camera any more"):
        scene.lookout.watch(second)


def test_eyes_that_cannot_be_made_leave_the_camera_where_it_is(hall):
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)

    def no_eyes(table: Table) -> Seen:
        raise BoardError("this board cannot be read")

    told: list[str] = []
    lookout = Lookout(hall, Watcher(first, Reel([], live=False), Seen()), no_eyes, tell=told.append)
    with pytest.raises(BoardError):
        lookout.watch(second)
    first.put_away()
    assert not lookout.begun(second) and "cannot be read" in told[0]
    assert lookout.table is first and hall.watched().id == first.id


def test_the_loop_in_its_own_thread_changes_over(hall):
    first, second = hall.create("stonehenge", PLAYERS), hall.create("stonehenge", PLAYERS)
    eyes = Seen()
    eyes.lies = first.state.visible()
    watcher = Watcher(first, Reel([EMPTY] * 100_000, live=False), eyes)
    lookout = Lookout(hall, watcher, lambda table: eyes)
    watcher.start()
    seen = threading.Event()
    eyes.while_reading = lambda: seen.set() if second.view else None
    lookout.watch(second)
    assert seen.wait(10)
    watcher.stop()
    assert watcher.failure is None and first.entries == () and second.entries == ()
