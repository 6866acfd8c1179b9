"""What a player is told in English he is told in German."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from engine import load_game
from engine.errors import UnknownActionError
from table.german import SENTENCES, in_both

ROOT = Path(__file__).resolve().parents[2]
EYES = (
    "finding/by_print",
    "finding/finder",
    "finding/locate",
    "geometry/view",
    "pictures/images",
    "pictures/sources",
)
SET_UP = (
    *("webui/setup/asked", "webui/setup/draft", "webui/setup/live", "webui/setup/steps"),
    *("calibration/teach", "vision/calibrating/calibrate"),
)
# Only for those who type commands, or write programs.
NOT_AT_A_TABLE = (
    "expected one of", "expected {} point", "expected the number of", "no layout",
    "OpenCV does not have", "has 4 corners", "do not go round", "no tags of a printed board",
    "boards are in the picture (", "cannot open", "are read", "is not there: expected the number",
    "holds no photographs", "cannot be played", "is it connected", "an image is uint8",
)  # fmt: skip


def text_of(node: ast.AST) -> str | None:
    """A text as it is written, "{}" for what is filled in; None if it is none."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def texts_of(nodes: Iterable[ast.AST]) -> Iterator[str]:
    return (text for text in map(text_of, nodes) if text is not None)


def sentences(path: Path) -> Iterator[str]:
    """All texts of a module."""
    return texts_of(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def raised(path: Path) -> Iterator[str]:
    """What it raises."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            yield from texts_of(node.exc.args[:1])


@pytest.mark.parametrize("name", EYES)
def test_all_that_the_eyes_cannot_see_is_told_in_german(name: str) -> None:
    found = set(raised(ROOT / "vision" / f"{name}.py"))
    missing = found - set(SENTENCES)
    assert [each for each in missing if not any(part in each for part in NOT_AT_A_TABLE)] == []


def refused(path: Path) -> Iterator[str]:
    """What it answers instead of what was asked for."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "abort":
            yield from texts_of(node.args[1:])


@pytest.mark.parametrize("name", SET_UP)
def test_all_that_the_set_up_refuses_is_told_in_german(name: str) -> None:
    path = ROOT / f"{name}.py"
    found = {*raised(path), *refused(path)}
    assert found
    missing = found - set(SENTENCES)
    assert [each for each in missing if not any(part in each for part in NOT_AT_A_TABLE)] == []


def test_no_german_is_kept_for_what_is_said_no_more() -> None:
    folders = ("calibration", "engine", "vision", "table", "webui")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    said = {sentence for path in paths if path.name != "german.py" for sentence in sentences(path)}
    assert set(SENTENCES) - said == set()


@pytest.mark.parametrize("english", SENTENCES)
def test_what_is_filled_in_is_kept(english: str) -> None:
    values = [f"x{n}" for n in range(english.count("{}"))]
    told = in_both(english.format(*values))
    assert told.en == english.format(*values) and told.de != told.en
    assert re.findall(r"x\d", told.de) == values


def test_what_is_not_known_stays_as_it_is() -> None:
    assert in_both("a new sentence").de == "a new sentence"


def test_a_move_that_is_none_is_refused_in_both_languages() -> None:
    with pytest.raises(UnknownActionError) as refused:
        load_game("stonehenge").parse("dance on the altar")
    assert in_both(refused.value).de.startswith("'dance on the altar' ist kein Zug dieses Spiels")
