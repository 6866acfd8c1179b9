"""Nothing that was announced is ever lost: kills, locks, upgrades."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from table import Hall, NotKept, TableInUse, UnreadableStore
from table.store import SCHEMA, VERSION, Store

# Plays random moves, undoes some, and says each event's number and kind once it is announced.
EVENING = textwrap.dedent(
    """
    import random, sys
    from table import Hall
    rng = random.Random(int(sys.argv[2]))
    hall = Hall(sys.argv[1])
    going_on = hall.tables()
    table = hall.open(going_on[-1].id) if going_on else hall.create("stonehenge", ("black", "brown"))
    print("table", table.id, len(table.entries), flush=True)
    while True:
        last = table.last_event_id
        if rng.random() < 0.1 and table.can_undo:
            table.undo()
        elif table.state.is_over:
            table.undo()
        else:
            table.play(str(rng.choice(table.state.legal_actions())))
        for event in table.events_since(last):
            if event.kind == "entry":
                entry = event.data
                print("entry", entry["number"], entry["kind"], entry.get("text", ""), flush=True)
    """
)


def evening_until_killed(folder: Path, seed: int, after_s: float) -> list[str]:
    """What one process announced before it was killed with -9."""
    process = subprocess.Popen(
        [sys.executable, "-c", EVENING, str(folder), str(seed)],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    time.sleep(after_s)
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read()
    process.wait()
    process.stdout.close()
    whole = rest[: rest.rfind("\n") + 1]  # a line cut short was not announced
    return [line for line in [*lines, *whole.splitlines()] if line.startswith("entry")]


def kill_often(folder: Path, times: int, seed: int) -> None:
    rng = random.Random(seed)
    announced: list[str] = []
    for number in range(times):
        announced += evening_until_killed(folder, number, rng.uniform(0.0, 0.25))
        with Hall(folder) as hall:
            table = hall.open(hall.tables()[-1].id if hall.tables() else hall.shelf()[0].id)
            kept = [f"entry {e.number} {e.kind} {e.text}" for e in table.entries]
            lost = [line for line in map(str.rstrip, announced) if line not in map(str.rstrip, kept)]
            assert lost == []
            assert hall._store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            if table.row.closed:
                table.undo()
    assert announced, "nothing was ever played"


def test_a_few_kills_lose_no_announced_move(tmp_path):
    kill_often(tmp_path / "games", 4, seed=1)


@pytest.mark.slow
def test_200_kills_lose_no_announced_move(tmp_path):
    kill_often(tmp_path / "games", 200, seed=2)


def test_a_second_process_is_told_so(tmp_path):
    with Hall(tmp_path):
        code = (
            "import sys; from table import Hall, NotKept, TableInUse\n"
            "try: Hall(sys.argv[1])\nexcept TableInUse as error: print(error)"
        )
        told = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True,
        ).stdout  # fmt: skip
        assert told.startswith(f"another henge (process {os.getpid()})") and len(told.splitlines()) == 1
        with pytest.raises(TableInUse):
            Hall(tmp_path)
    Hall(tmp_path).close()


def test_it_is_in_wal_mode_with_full_sync(tmp_path):
    store = Store(tmp_path)
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    store.close()


def test_an_older_file_is_brought_up_to_date(tmp_path):
    db = sqlite3.connect(tmp_path / "henge.sqlite")
    db.executescript(SCHEMA[0] + "INSERT INTO version VALUES (1);")
    db.execute(
        "INSERT INTO tables VALUES "
        "('t', 'old', 'stonehenge', '[\"black\", \"brown\"]', '{}', NULL, '2024-01-01')"
    )
    db.execute(
        'INSERT INTO events VALUES (\'t\', 1, \'entry\', \'{"kind": "move", "text": "place 4 on space-A"}\')'
    )
    db.commit()
    db.close()
    with Hall(tmp_path) as hall:
        assert [row.closed for row in hall.tables()] == [None]
        assert len(hall.open("t").state.visible().pieces) == 1
        assert hall._store._db.execute("SELECT number FROM version").fetchall() == [(VERSION,)]


def test_a_newer_or_damaged_file_is_refused_in_one_line(tmp_path):
    Store(tmp_path).close()
    db = sqlite3.connect(tmp_path / "henge.sqlite")
    db.execute("UPDATE version SET number = 99")
    db.commit()
    db.close()
    with pytest.raises(UnreadableStore, match="schema 99"):
        Store(tmp_path)
    (tmp_path / "henge.sqlite").write_bytes(b"not a database at all" * 100)
    for leftover in tmp_path.glob("henge.sqlite-*"):
        leftover.unlink()
    with pytest.raises(UnreadableStore, match="no file of tables"):
        Store(tmp_path)


def test_a_file_that_is_damaged_in_its_middle_is_told_in_one_line(tmp_path):
    with Hall(tmp_path) as hall:
        table = hall.create("stonehenge", ("black", "brown"))
        for _ in range(20):
            table.note("x" * 1000)
    file = tmp_path / "henge.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\x55" * (len(whole) - 8192))
    with Hall(tmp_path) as hall, pytest.raises(UnreadableStore, match="cannot be read"):
        hall.open(table.id)


def test_events_are_kept_together_or_not_at_all(tmp_path):
    with Hall(tmp_path) as hall:
        table = hall.create("stonehenge", ("black", "brown"))
        store, before = hall._store, len(hall._store.events(table.id))
        with pytest.raises(sqlite3.IntegrityError):
            store.append_all(table.id, [(5, "entry", {}), (5, "entry", {})])
        assert len(store.events(table.id)) == before


def test_a_full_disk_leaves_record_and_file_agreeing(tmp_path, monkeypatch):
    with Hall(tmp_path) as hall:
        table = hall.create("stonehenge", ("black", "brown"))
        monkeypatch.setattr(
            hall._store, "append_all", lambda *_: (_ for _ in ()).throw(sqlite3.OperationalError("full"))
        )
        with pytest.raises(sqlite3.OperationalError):
            table.play("place 4 on space-A")
        assert table.entries == () and not table.state.visible().pieces


def fill(hall: Hall) -> None:
    """No page more is to be had for the file, as on a full disk."""
    hall._store._db.execute("PRAGMA max_page_count = 1")  # as many as it has
    other = hall.create("stonehenge", ("black", "brown"))
    while True:
        other.note("x" * 3000)


def test_a_full_disk_is_told_in_words_and_the_game_goes_on_when_there_is_room(tmp_path):
    with Hall(tmp_path) as hall:
        table = hall.create("stonehenge", ("black", "brown"))
        with pytest.raises(NotKept, match="disk is full"):
            fill(hall)
        with pytest.raises(NotKept, match=str(tmp_path)):
            table.note("x" * 3000)
        assert table.entries == () and table.status.name == "looking"
        hall._store._db.execute("PRAGMA max_page_count = 100000")
        table.play("place 4 on space-A")
        assert len(table.entries) == 1


def test_a_photo_that_finds_no_room_is_told_in_words(tmp_path):
    with Hall(tmp_path) as hall:
        (tmp_path / "photos").write_text("no folder", encoding="utf-8")
        with pytest.raises(NotKept, match="nothing can be kept"):
            hall._store.keep_photo("table", "0001.jpg", b"jpeg")


def test_a_photo_is_whole_or_not_there(tmp_path):
    store = Store(tmp_path)
    store.keep_photo("t", "0001.jpg", b"x" * 1000)
    assert [path.name for path in (tmp_path / "photos" / "t").iterdir()] == ["0001.jpg"]
    assert store.photo_path("t", "../../henge.sqlite").parent == tmp_path / "photos" / "t"
    store.close()


def test_tables_of_one_second_are_told_in_the_order_in_which_they_were_begun(tmp_path: Path) -> None:
    with Hall(tmp_path) as hall:
        begun = [hall.create("stonehenge", ("black", "brown")).id for _ in range(8)]
        assert [row.id for row in hall.tables()] == begun
