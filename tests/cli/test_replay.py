"""`henge replay`: a log shown, and what is wrong with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import BAD_INPUT, DONE, WRONG

# Line 1 is A and B only: with a 6 on A black holds it, because brown can at best tie and would place last.
GOOD = """henge log 1
game: stonehenge
players: black, brown
name: Friday evening

1. black: place 6 on space-A
2. black: claim line-1 {by=camera, confidence=0.98, photo=0002.jpg}
3. brown: place 1 on space-B
4. black: place 2 on space-C
5. note: "the lamp fell over"
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "evening.henge"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_a_log_is_shown_move_by_move_with_its_score(henge: Any, log: Path) -> None:
    result = henge("replay", str(log))
    assert (result.code, result.err) == (DONE, "")
    for text in ("Friday evening", "place 6 on space-A", "the lamp fell over", "black: 1 megaliths"):
        assert text in result.out


def test_a_log_in_german(henge: Any, log: Path) -> None:
    assert "beanspruche Linie-1" in henge("replay", str(log), "--lang", "de").out


def test_check_is_one_line(henge: Any, log: Path) -> None:
    assert henge("replay", "--check", str(log)) == (DONE, f"{log}: 5 entries, all in order\n", "")


def test_json(henge: Any, log: Path) -> None:
    data = json.loads(henge("replay", "--json", str(log)).out)
    assert data["problems"] == []
    assert data["entries"][1]["confidence"] == 0.98
    assert data["scores"]["black"]["total"] == 1
    assert data["state"]["to_move"] == "brown"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("claim line-1", "claim line-2", "entry 2: 'black: claim line-2' cannot be: line 2 is not dominated"),
        (
            "place 2 on space-C",
            "place 2 on space-A",
            "entry 4: 'black: place 2 on space-A' cannot be: space A",
        ),
        ("3. brown", "3. black", "entry 3: 'black: place 1 on space-B' cannot be: it is not black's move"),
        ("place 6", "fly", "entry 1: 'black: fly on space-A' cannot be: 'fly on space-A' is no move"),
        ("1. black", "1 black", "line 6: neither a header"),
        ("name: Friday", "result: black 3\nname: Friday", "the result says black 3, the moves give 1"),
    ],
)
def test_the_first_wrong_thing_is_named(henge: Any, log: Path, old: str, new: str, complaint: str) -> None:
    log.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    for arguments in (["--check"], []):
        result = henge("replay", *arguments, str(log))
        assert result.code == WRONG
        assert f"henge: {log}: {complaint}" in result.err
    data = json.loads(henge("replay", "--json", str(log)).out)
    assert complaint.partition(": ")[2][:20] in json.dumps(data["problems"])


def test_what_is_no_log(henge: Any, tmp_path: Path) -> None:
    picture = tmp_path / "picture.jpg"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    text = tmp_path / "letter.txt"
    text.write_text("Dear Ann,\n")
    for path in (picture, text, tmp_path, tmp_path / "nowhere"):
        result = henge("replay", str(path))
        assert (result.code, result.out) == (BAD_INPUT, "")
        assert result.err.startswith(f"henge: {path}")
        assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("written", "instead"),
    [("stonehenge", "chess"), ("black, brown", "black, pink"), ("name: Friday evening", "variant: foo=bar")],
)
def test_a_header_that_cannot_be_is_bad_input(henge: Any, log: Path, written: str, instead: str) -> None:
    log.write_text(GOOD.replace(written, instead), encoding="utf-8")
    result = henge("replay", str(log))
    assert (result.code, result.out, len(result.err.splitlines())) == (BAD_INPUT, "", 1)


def test_of_a_log_cut_off_in_a_letter_the_rest_is_shown(henge: Any, log: Path) -> None:
    log.write_bytes(GOOD.encode() + '6. note: "m\u00fc'.encode()[:-1])
    result = henge("replay", str(log))
    assert result.code == WRONG and "line 11: cut off or damaged" in result.err
    assert "place 2 on space-C" in result.out


def test_an_odd_confidence_costs_no_move(henge: Any, log: Path) -> None:
    log.write_text(GOOD.replace("0.98", "98"), encoding="utf-8")
    result = henge("replay", str(log))
    assert result.code == WRONG and "a confidence is a number from 0 to 1, found '98'" in result.err
    assert "place 2 on space-C" in result.out


def test_what_is_no_move_is_in_the_language_too(henge: Any, log: Path) -> None:
    log.write_text(GOOD + "6. undo\n7. correction back 1: place 4 on space-C\n", encoding="utf-8")
    shown = henge("replay", str(log), "--lang", "de").out
    assert "richtiggestellt, 1 zurück: setze 4 auf Feld-C" in shown and "Notiz: the lamp fell over" in shown


@pytest.mark.parametrize("word", ["yes", "True", "on", "true"])
def test_variants_are_written_as_they_are_listed(henge: Any, log: Path, word: str) -> None:
    log.write_text(GOOD.replace("name: Friday evening", f"variant: face_down={word}"), encoding="utf-8")
    data = json.loads(henge("replay", "--json", str(log)).out)
    assert data["state"]["variant"]["face_down"] is True
