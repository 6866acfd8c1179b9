"""The page in a real Chromium: games played by touch, the story scrubbed, logs taken out and in, in both
languages and on both sizes. What people do about a wrong reading: test_put_right.py."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from table import Hall, Table
from tests.webui.conftest import a_stonehenge, out_of_step
from tests.webui.seeing import view_of

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SIZES = pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Any]:
    """open_page(path, size, language, theme) is a page that has arrived; what the browser complains of
    fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(path: str, size: dict[str, int] = WIDE, language: str = "en", theme: str = "light") -> Any:
        context = browser.new_context(
            viewport=size,
            locale=language,
            color_scheme=theme,
            has_touch=size is PHONE,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        page.goto(address + path)
        arrived(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def arrived(page: Any) -> None:
    """All that belongs to the address has come and is drawn."""
    if page.url.endswith("/setup"):
        return page.locator(".step").first.wait_for()
    until(lambda: page.evaluate("window.henge?.arrived"))


def open_table(open_page: Any, table: Table, *how: Any) -> Any:
    page = open_page(f"/table/{table.id}", *how)
    page.locator(".banner h1").wait_for()
    return page


def script(name: str) -> str:
    return (Path(__file__).with_name(name + ".js")).read_text(encoding="utf-8")


def tap(page: Any, field: str) -> None:
    """A touch in the middle of a field of the drawn board."""
    box = page.locator(f'.target[data-field="{field}"]').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if page.evaluate("navigator.maxTouchPoints > 0"):
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def until(true: Any, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@SIZES
def test_a_whole_game_by_touch(open_page: Any, hall: Hall, size: dict[str, int]) -> None:
    """Two people play a game of Stonehenge on the page alone: a stone, a space; lines are claimed."""
    table = a_stonehenge(hall)
    page = open_table(open_page, table, size, "de" if size is PHONE else "en")
    while not table.state.is_over:
        count = len(table.entries)
        texts = [str(action) for action in table.state.legal_actions()]
        claim = next((text for text in texts if text.startswith("claim")), None)
        if claim:
            claim_line(page, claim)
        else:
            place_stone(page, max(texts))
        until(lambda count=count: len(table.entries) > count)  # type: ignore[misc]
        until(lambda: page.locator(".where b").inner_text().startswith(f"{len(table.entries)} "))
    page.locator(".banner.over").wait_for()
    winner = table.players[0 if table.state.returns()[0] > 0 else 1]
    expect(page.locator(f".banner .stone.{winner}")).to_have_count(1)
    assert table.row.result


def place_stone(page: Any, text: str) -> None:
    """A stone is chosen, then its space; with one kind of stone left the space alone is tapped."""
    _, value, _, space = text.split()
    listed = page.locator(f'.panel [data-key="move-{text}"]')
    stone = page.locator(f'.chip[data-key="value-{value}"]:enabled')
    spaces = page.locator(f'.chip[data-key="space-{space}"]')
    listed.or_(stone).or_(spaces).first.wait_for()
    if listed.count():
        listed.click()
    elif stone.count():
        stone.click()
        page.locator(f'.chip[data-key="value-{value}"][aria-pressed="true"]').wait_for()
        tap(page, space)
    else:
        tap(page, space)
        page.locator(f'.field-panel [data-key="move-{text}"]').click()


def claim_line(page: Any, text: str) -> None:
    """Few moves are simply listed; with many there is a heading, then the line is chosen."""
    listed = page.locator(f'.panel [data-key="move-{text}"]')
    heading = page.locator('[data-key="group-claim a line"]')
    listed.or_(heading).first.wait_for()
    if heading.count():
        heading.click()
        chip = page.locator(f'.chip[data-key="line-{text.split()[1]}"]')
        listed.or_(chip).first.wait_for()
        if chip.count():
            chip.click()
    listed.click()


@SIZES
@LANGUAGES
def test_the_story_is_scrubbed(open_page: Any, hall: Hall, size: dict[str, int], language: str) -> None:
    table = a_stonehenge(hall, moves=8)
    page = open_table(open_page, table, size, language)
    stones = page.locator(".layer-pieces .piece")
    expect(stones).to_have_count(len(table.state.visible().pieces))
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.locator(".status.replay").wait_for()
    until(lambda: stones.count() == len(table.state_at(3).visible().pieces))
    table.play(next(str(a) for a in table.state.legal_actions()))  # the game goes on underneath
    page.get_by_role("button", name={"en": "Back to now", "de": "Zurück zu jetzt"}[language]).click()
    until(lambda: stones.count() == len(table.state.visible().pieces))
    link = open_page(f"/table/{table.id}?at=2", size)
    link.locator(".status.replay").wait_for()


def test_the_language_changes_without_a_reload(open_page: Any, hall: Hall) -> None:
    table = a_stonehenge(hall, moves=3)
    page = open_table(open_page, table)
    page.evaluate("window.sameDocument = true")
    expect(page.locator(".where")).to_contain_text("Place")
    page.get_by_role("button", name="Deutsch").click()
    page.get_by_role("tab", name="Züge").wait_for()
    expect(page.locator(".where")).to_contain_text("Setze")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.evaluate("window.sameDocument")


def test_pointing_at_a_move_shows_it_and_a_rule_is_told(open_page: Any, hall: Hall) -> None:
    table = a_stonehenge(hall, moves=1)
    page = open_table(open_page, table)
    taken = table.state.visible().pieces[0].field
    page.locator("#typed").fill(f"place 1 on {taken}")
    until(lambda: "is taken" in page.locator(".verdict").inner_text())
    page.locator("#typed").fill("setze 1 auf Feld-L" if taken != "space-L" else "setze 1 auf Feld-K")
    page.locator(".ghost").wait_for()
    page.keyboard.press("Enter")
    until(lambda: len(table.entries) == 2)
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("u")
    until(lambda: table.entries[-1].kind == "undo")


def test_the_keyboard_alone_plays(open_page: Any, hall: Hall) -> None:
    table = a_stonehenge(hall)
    page = open_table(open_page, table)
    page.locator('.target[data-field="space-G"]').focus()
    page.keyboard.press("ArrowRight")
    until(lambda: page.evaluate("document.activeElement.dataset.field") == "space-H")
    page.keyboard.press("Enter")
    page.locator(".field-panel .move").first.focus()
    expect(page.locator(".ghost")).to_have_count(1)
    page.keyboard.press("Enter")
    until(lambda: len(table.entries) == 1)
    assert table.state.visible().pieces[0].field == "space-H"
    until(lambda: "place 1" in page.locator("#live").inner_text())


def test_board_and_photograph_fade_and_swap(open_page: Any, hall: Hall) -> None:
    table = a_stonehenge(hall, moves=5)
    table.see(*view_of(table.state.visible()))
    page = open_table(open_page, table)
    marks = page.locator(".tile .mark")
    until(lambda: marks.count() == len(table.state.visible().pieces))
    page.locator(".fade").fill("0.8")
    until(lambda: page.locator(".photograph").evaluate("e => getComputedStyle(e).opacity") == "0.8")
    page.locator("h1").click()
    page.keyboard.press("c")
    page.locator(".photo-box .mark").first.wait_for()
    page.keyboard.press("c")
    page.locator(".health summary").click()
    page.locator(".health .items li").first.wait_for()


@SIZES
def test_every_game_has_its_table(open_page: Any, hall: Hall, size: dict[str, int]) -> None:
    """A new game of each kind from the page; what can be seen fits its window."""
    page = open_page("/new", size)
    for game in ("build", "council", "rolling", "ramming", "roulette"):
        page.goto(page.url.split("/table")[0].removesuffix("/new") + "/new")
        page.locator(f'[data-key="game-{game}"]').click()
        page.locator('[data-key="start"]').click()
        page.locator(".banner h1").wait_for()
        page.locator(".move, .chip, .chance").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert {row.game for row in hall.tables()} == {"build", "council", "rolling", "ramming", "roulette"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_and_controls_have_names(open_page: Any, hall: Hall, theme: str) -> None:
    """Contrast AA of all text, a name for every control, no field smaller than a finger."""
    table = out_of_step(hall)
    page = open_table(open_page, table, WIDE, "en", theme)
    page.locator(".alarm").wait_for()
    for tab in ("Story", "As text", "Moves"):
        page.get_by_role("tab", name=tab, exact=True).click()
        assert page.evaluate(script("faint_text")) == []
        assert page.evaluate(script("nameless")) == []


@SIZES
@LANGUAGES
def test_a_log_goes_out_and_comes_in_by_the_page(
    open_page: Any, hall: Hall, size: dict[str, int], language: str, tmp_path: Path
) -> None:
    table = a_stonehenge(hall, moves=9)
    page = open_table(open_page, table, size, language)
    page.locator('[data-key="menu-summary"]').click()
    with page.expect_download() as download:
        page.get_by_role("link", name={"en": "Log as text", "de": "Aufzeichnung als Text"}[language]).click()
    log = tmp_path / "evening.henge"
    download.value.save_as(log)
    page.locator('[data-key="home"]').click()
    page.locator('[data-key="nav-new"]').click()
    page.locator('input[type="file"]').set_input_files(log)
    until(lambda: len(hall.tables()) == 2)
    page.locator(".banner h1").wait_for()
    copy = hall.open(hall.tables()[-1].id)
    assert copy.state == table.state and copy.row.name == "evening"
    until(lambda: page.locator(".layer-pieces .piece").count() == len(table.state.visible().pieces))
