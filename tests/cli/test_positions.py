"""Position files, and how positions are told in words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.output import print_position
from engine.observation import Observation
from engine.position import Piece, Position

PHOTO = Path(__file__).resolve().parents[2] / "sample_images" / "photos" / "build-full-1.jpg"
COURSE = Position(
    "anthology",
    (
        Piece("trilith", "grey", x_mm=66.2, y_mm=229.8, angle_deg=40.0),
        Piece("disc", "red", on="trilith", x_mm=66.2, y_mm=229.8),
        Piece("trilith", "grey", field="trilith-3"),
    ),
    "rolling",
)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "grey trilith (66, 230 mm), red disc on a trilith (66, 230 mm)"),
        ("de", "grauer Trilith (66, 230 mm), rote Scheibe auf einem Trilithen (66, 230 mm)"),
    ],
)
def test_what_stands_on_no_field_is_told_with_its_place(capsys, language, told):
    print_position(COURSE, language)
    assert told in capsys.readouterr().out


def test_where_no_field_is_is_no_occluded_field():
    unseen = dict.fromkeys(("", "trilith-2", "trilith-2^", "ring-4+ring-5"), "an arm")
    seen = Observation("anthology", {}, COURSE, unseen, (), (), {})
    assert seen.to_json()["occluded"] == ["trilith-2"]


def position(*pieces: dict, **more: object) -> dict:
    return {"board": "anthology", "game": "build", "pieces": list(pieces), **more}


MISTYPED = {"kind": "block", "colour": "red", "field": "ring-71"}
BAD_POSITIONS = [
    ("", "JSON"),
    ("[" * 100_000, "JSON"),
    ("[1]", "pieces"),
    (json.dumps(position(occluded=5)), "'occluded'"),
    (json.dumps(position({"kind": "block", "colour": 5, "field": ["a"]})), "'colour'"),
    (json.dumps(position(MISTYPED | {"field": "ring-7", "facing": "up"})), "clockwise or anticlockwise"),
    (json.dumps(position({"kind": "block", "colour": "red"})), "where does the red block lie?"),
    (json.dumps(position({"kind": "trilith", "fields": ["ring-1", "ring-15"]})), "which are no neighbours"),
    (json.dumps(position(MISTYPED)), '"ring-71", but the anthology board has no such field'),
]


@pytest.mark.parametrize(("text", "why"), BAD_POSITIONS)
def test_a_bad_position_is_refused_with_its_file_and_what_is_wrong(henge, tmp_path, text, why):
    path = tmp_path / "table.json"
    path.write_text(text)
    for command in (["score", str(path)], ["read", str(PHOTO), "--series", "--start", str(path)]):
        result = henge(*command)
        assert (result.code, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1 and "table.json" in result.err and why in result.err


def test_a_player_that_the_game_does_not_have_is_named(henge, tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(position() | {"game": "council"}))
    result = henge("score", str(path), "--players", "white,green")
    assert result.code == 2 and "white, yellow, red, blue; found white, green" in result.err


def test_where_no_game_is_told_it_is_asked_for(henge, tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"board": "my-board", "pieces": []}))
    result = henge("score", str(path))
    assert result.code == 2 and "--game" in result.err


@pytest.mark.parametrize("text", ["", json.dumps(position(occluded=5)), '{"pieces": []}'])
def test_a_bad_label_is_named_by_the_bench(henge, tmp_path, text):
    shutil.copy(PHOTO, tmp_path / "1.jpg")
    (tmp_path / "1.json").write_text(text)
    result = henge("bench", "vision", str(tmp_path))
    assert result.code == 2 and len(result.err.splitlines()) == 1
    assert "1.json" in result.err


def test_files_of_editors_that_begin_with_a_byte_order_mark_are_read(henge, tmp_path):
    log = "henge log 1\ngame: stonehenge\nplayers: black, brown\n\n1. black: place 6 on space-A\n"
    board = henge("board", "show", "knizia").out
    for name, text in (("table.json", json.dumps(position())), ("mine.json", board), ("game.henge", log)):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
    assert henge("score", str(tmp_path / "table.json")).code == 0
    assert henge("board", "check", str(tmp_path / "mine.json")).code == 0
    assert henge("board", "show", str(tmp_path / "mine.json")).code == 0
    assert henge("replay", "--check", str(tmp_path / "game.henge")).code == 0


def test_that_nothing_counts_is_said(henge, tmp_path):
    """A score of nobody is no silence: in the High Council blocks win nothing."""
    path = tmp_path / "table.json"
    block = {"kind": "block", "colour": "white", "field": "ring-3"}
    path.write_text(json.dumps({"board": "anthology", "game": "council", "pieces": [block]}), "utf-8")
    result = henge("score", str(path))
    assert result.code == 0 and "nothing lies there that counts" in result.out
