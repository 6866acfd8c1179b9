"""`henge rules series`: games of Stonehenge in a row."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cli.main import BAD_INPUT, DONE
from engine import State, load_game
from engine.log import GameLog, write
from engine.record import Entry, Record


def played(seed: int, *players: str, end: bool = True) -> Record:
    rng = random.Random(seed)
    record = Record(load_game("stonehenge").start(players))
    while record.state.to_move is not None and (end or len(record.entries) < 5):
        record.add(Entry("move", str(rng.choice(record.state.legal_actions()))))
    return record


def left(state: State) -> int:
    """What the loser has not placed, counted on the board."""
    standing = [piece.colour for piece in state.visible() if piece.kind == "megalith"]
    return 8 - min(standing.count("black"), standing.count("brown"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A log of a game that black began, and the last state of one that brown began."""
    log, final = played(1, "black", "brown"), played(2, "brown", "black")
    (tmp_path / "monday.henge").write_text(
        write(GameLog("stonehenge", ("black", "brown"), entries=tuple(log.entries)))
    )
    (tmp_path / "friday.json").write_text(json.dumps(final.state.to_json()))
    return str(tmp_path / "monday.henge"), str(tmp_path / "friday.json")


def test_megaliths_left_are_added_up(henge: Any, files: tuple[str, str]) -> None:
    expected = {"black": 0, "brown": 0}
    for state in (played(1, "black", "brown").state, played(2, "brown", "black").state):
        loser = state.players[state.returns().index(-1.0)]
        expected[loser] += left(state)
    result = json.loads(henge("rules", "series", "--json", *files).out)
    assert result["totals"] == expected
    assert result["masters"] == [p for p in expected if expected[p] == min(expected.values())]
    assert result["next_players"] == ["black", "brown"] and len(result["games"]) == 2


@pytest.mark.parametrize(("language", "words"), [("en", "true master: "), ("de", "wahrer Meister: ")])
def test_a_series_in_words(henge: Any, files: tuple[str, str], language: str, words: str) -> None:
    result = henge("rules", "series", "--lang", language, *files)
    assert result.code == DONE and words in result.out
    assert len(result.out.splitlines()) == 6 and files[0] in result.out


def test_what_belongs_to_no_series_is_one_line(henge: Any, files: tuple[str, str], tmp_path: Path) -> None:
    def refused(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text)
        result = henge("rules", "series", files[0], str(path))
        assert (result.code, result.out, result.err.count("\n")) == (BAD_INPUT, "", 1)
        assert name in result.err
        return str(result.err)

    running = played(3, "black", "brown", end=False)
    assert "a series counts finished games" in refused("running.json", json.dumps(running.state.to_json()))
    rolling = load_game("rolling").start(("red",)).to_json()
    assert "this is rolling" in refused("rolling.json", json.dumps(rolling))
    assert "neither a game log nor a state" in refused("broken.json", "{")
    refused("empty.henge", "")
    illegal = "henge log 1\ngame: stonehenge\nplayers: black, brown\n\n1. claim line-1\n"
    assert "cannot be" in refused("wrong.henge", illegal)
    assert henge("rules", "series", str(tmp_path / "nowhere.json")).code == BAD_INPUT
