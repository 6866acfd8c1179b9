"""The page is light, and complete in both languages."""

from __future__ import annotations

import re
from dataclasses import fields

from engine import GAMES, load_game
from engine.board import load_board
from engine.words import COLOURS
from webui.artwork import board_svg
from webui.page import STATIC

MODULES = STATIC / "js"


def test_the_page_weighs_less_than_300_kb() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file() and path.suffix not in (".png", ".jpg")]
    assert sum(path.stat().st_size for path in files) < 300_000


def words(language: str) -> dict[str, str]:
    text = (MODULES / "words" / f"{language}.js").read_text(encoding="utf-8")
    return dict(re.findall(r'"([\w.-]+)":\s*(.)', text))


def test_both_languages_have_the_same_words() -> None:
    english, german = words("en"), words("de")
    assert set(english) == set(german)
    # A sentence stays a sentence, and what counts counts in both.
    assert {key for key, first in english.items() if first == "("} == {
        k for k, first in german.items() if first == "("
    }


def test_every_word_that_is_used_exists() -> None:
    known = set(words("en"))
    used = set()
    for path in MODULES.rglob("*.js"):
        used |= set(re.findall(r'\bword\("([\w.-]+)"', path.read_text(encoding="utf-8")))
    assert used - known == set()


def test_every_choice_of_every_move_has_a_name() -> None:
    """The headings of choices are the fields of the actions of all games."""
    named = {field.name for game in GAMES for kind in load_game(game).actions for field in fields(kind)}
    assert {f"param.{name}" for name in named} <= set(words("en"))


def test_every_choice_of_every_variant_has_a_name() -> None:
    variants = [variant for game in GAMES for variant in load_game(game).variants]
    choices = {value for each in variants for value in each.choices if isinstance(value, str)}
    named = {key.removeprefix("choice.") for key in words("en") if key.startswith("choice.")}
    assert choices - set(COLOURS) == named


def test_nothing_comes_from_another_host() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            found = re.findall(r"https?://[\w.-]+", path.read_text(encoding="utf-8"))
            assert set(found) <= {"http://www.w3.org"}, path


def test_the_artwork_is_the_board() -> None:
    for name in ("anthology", "knizia"):
        board = load_board(name)
        svg = board_svg(board, "chalk")
        assert f'viewBox="0 0 {board.size_mm[0]:g} {board.size_mm[1]:g}"' in svg
    numbers = set(re.findall(r">(\d+)</text>", board_svg(load_board("anthology"), "night")))
    assert {str(n) for n in range(1, 31)} <= numbers
