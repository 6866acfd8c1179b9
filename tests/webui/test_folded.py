"""Nothing is lost on a phone, only folded: whatever stands above it, the sheet's handle can be reached; who
is ahead and what drives a recording stay in sight; no word is broken."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from cli.demo import RECORDED
from cli.recorded import Player
from table import Hall, Table
from tests.webui.conftest import a_stonehenge, asking, out_of_step, played
from tests.webui.seeing import view_of
from tests.webui.test_fits import FIVE, many_wrong
from tests.webui.test_page import LANGUAGES, PHONE, open_page, open_table, script, until  # noqa: F401
from tests.webui.test_put_right import boxes

SHORT = {"width": 390, "height": 664}  # the same phone while its browser shows its bars
# What fits in the lower window fits in the higher one, nearly always.
HEIGHTS = pytest.mark.parametrize("height", [664, pytest.param(844, marks=pytest.mark.slow)])
HALF_A_FINGER_PX = 22


def opened_at(open_page: Any, table: Table, height: int, language: str = "en") -> Any:  # noqa: F811
    page = open_table(open_page, table, PHONE, language)
    page.set_viewport_size({**PHONE, "height": height})
    until(lambda: page.evaluate("henge.ready"))
    return page


def can_be_touched(page: Any, selector: str) -> bool:
    """It is within the window, and nothing lies over its middle."""
    return bool(
        page.evaluate(
            """selector => { const each = document.querySelector(selector);
            const box = each.getBoundingClientRect();
            const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return box.bottom <= innerHeight + 0.5 && each.contains(found); }""",
            selector,
        )
    )


def stays_folded_together(page: Any) -> None:
    """Handle and tabs are there, the board is not squeezed, and pulled up the sheet has room for moves."""
    view = page.locator(".table-view")
    assert view.evaluate("each => each.scrollHeight <= each.clientHeight")
    board = page.locator(".stage").bounding_box()
    assert board["width"] == pytest.approx(board["height"], abs=1) and board["width"] >= 150
    assert can_be_touched(page, ".sheet .handle") and can_be_touched(page, '[data-key="tab-story"]')
    page.locator(".sheet .handle").tap()
    expect(page.locator(".table-view")).to_have_class("table-view sheet-up")
    page.locator('[data-key="tab-story"]').tap()
    page.locator(".panel .entry, .panel .story").first.wait_for()
    assert page.locator(".panel").bounding_box()["height"] >= 120
    assert view.evaluate("each => each.scrollHeight <= each.clientHeight")


def evening(hall: Hall, game: str) -> Table:
    """The game that `henge demo` shows, from its log."""
    return hall.import_log((RECORDED / game / "game.henge").read_text(encoding="utf-8"))


def recorded(app: Flask, table: Table) -> Player:
    player = Player("photographs", 30, lambda _: True)
    app.extensions["henge"].players[table.id] = player
    return player


@HEIGHTS
@LANGUAGES
def test_an_opened_score_row_leaves_the_sheet_in_sight(
    open_page: Any,  # noqa: F811
    hall: Hall,
    height: int,
    language: str,
) -> None:
    table = evening(hall, "build")
    page = opened_at(open_page, table, height, language)
    best = max(table.players, key=lambda p: len(table.state.scores()[p].parts))
    page.locator(f'[data-key="summary-{best}"]').tap()
    page.locator(".score[open] .parts li").first.wait_for()
    last = page.locator(".score[open] .parts li").last
    last.evaluate("each => each.scrollIntoView({block: 'nearest'})")
    assert can_be_touched(page, ".score[open] .parts li:last-child")
    stays_folded_together(page)


@HEIGHTS
def test_a_finished_trilith_bang_leaves_the_sheet_in_sight(open_page: Any, hall: Hall, height: int) -> None:  # noqa: F811
    table = evening(hall, "ramming")
    assert table.state.is_over
    stays_folded_together(opened_at(open_page, table, height))


@HEIGHTS
@pytest.mark.parametrize("game", ["council", "rolling", "ramming", "roulette"])
def test_every_game_leaves_the_sheet_in_sight(open_page: Any, hall: Hall, height: int, game: str) -> None:  # noqa: F811
    players = {"council": ("white", "red", "yellow", "blue"), "rolling": ("red", "blue")}.get(game, FIVE)
    table = played(hall.create(game, players), 60, 1)
    table.see(*view_of(table.state.visible()))
    stays_folded_together(opened_at(open_page, table, height, "de"))


@HEIGHTS
@pytest.mark.parametrize("asks", [asking, out_of_step, many_wrong])
def test_what_is_asked_leaves_scores_and_recording_in_sight(
    open_page: Any,  # noqa: F811
    app: Flask,
    hall: Hall,
    height: int,
    asks: Any,
) -> None:
    table = asks(hall)
    recording = recorded(app, table)
    page = opened_at(open_page, table, height, "de")
    page.locator(".ask, .alarm").first.wait_for()
    page.locator('[data-key="recording"]').wait_for()
    for player in table.players:
        assert can_be_touched(page, f'[data-key="summary-{player}"] .total')
    assert len({box["top"] for box in boxes(page, ".score")}) == 1
    for control in ('[data-key="recording"]', '[data-key="recording-step"]', ".sheet .handle"):
        assert can_be_touched(page, control)
    before = recording.state.step
    page.locator('[data-key="recording-step"]').tap()
    until(lambda: recording.state.step > before)
    [asked], ways = boxes(page, ".asked"), boxes(page, ".way, .answer")
    assert ways and all(way["top"] + HALF_A_FINGER_PX < asked["bottom"] for way in ways)
    page.locator(".sheet .handle").tap()  # the moves and the story lie over the question, and go away again
    expect(page.locator('[data-key="tab-story"]')).to_be_visible()
    assert page.locator(".panel").bounding_box()["height"] >= 100
    page.locator(".sheet .handle").tap()
    expect(page.locator(".ask, .alarm").first).to_be_visible()
    recording.close()


def test_a_field_that_is_tapped_shows_although_the_sheet_is_up(open_page: Any, hall: Hall) -> None:  # noqa: F811
    page = opened_at(open_page, a_stonehenge(hall, moves=4), 664)
    page.locator(".sheet .handle").tap()
    page.locator(".table-view.sheet-up").wait_for()
    page.locator('.target[data-field="space-G"]').tap()
    expect(page.locator(".field-panel")).to_be_visible()
    assert can_be_touched(page, ".score .total") and can_be_touched(page, ".sheet .handle")


@LANGUAGES
def test_the_story_breaks_no_word(open_page: Any, hall: Hall, language: str) -> None:  # noqa: F811
    """Every word of every line of a recorded game of cards, with the small print of what was seen."""
    table = played(hall.create("build", ("red", "blue", "green")), 60, 1)
    page = opened_at(open_page, table, 844, language)
    page.locator(".sheet .handle").tap()
    page.locator('[data-key="tab-story"]').tap()
    page.locator(".entry .when").first.wait_for()
    # As where a camera saw the moves and a photograph is at hand.
    link = "document.createElement('a')"
    page.locator(".entry .when").evaluate_all("all => all.forEach((each) => each.prepend('89 % sure · '))")
    page.locator(".entry").evaluate_all(
        f"all => all.forEach((each) => each.append(Object.assign({link}, {{className: 'bare-link'}})))"
    )
    assert page.evaluate(script("broken_words")) == []
    widths = page.locator(".entry .what").evaluate_all("all => all.map((each) => each.clientWidth)")
    assert len(widths) > 20 and min(widths) >= 200


def test_the_last_move_of_a_finished_game_is_told_whole(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall, moves=300)
    assert table.state.is_over
    table.see(*view_of(table.state.visible()))  # a picture takes its room beside the words
    page = opened_at(open_page, table, 844, "de")
    page.locator(".tile").wait_for()
    text = page.locator(".status .text")
    expect(text).to_contain_text("Schwarz: beanspruche Linie")
    assert text.evaluate("each => each.scrollHeight <= each.clientHeight + 1")
