"""What single views show: the council's prices, the display's places, the record table; what a finger's first
touch does; a photograph that is sent; the next game of a series."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from table import Hall
from tests.webui.conftest import a_stonehenge, out_of_step, played
from tests.webui.seeing import view_of
from tests.webui.test_page import PHONE, WIDE, open_page, open_table, until  # noqa: F401
from webui import create_app
from webui.server import served
from webui.showing import Gallery


def test_the_council_shows_blocks_and_what_persuading_costs(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = played(hall.create("council", ("white", "red")), 96, 0)
    told = table.state.insights()
    mine = "pro" if table.state.to_move in ("white", "yellow") else "contra"
    prices = sorted(str(each["cost"]) for each in told["persuasions"] if each["faction"] == mine)
    blocks = sorted(str(each["size"]) for each in told["blocks"] if each["size"] > 1)
    assert prices and blocks
    page = open_table(open_page, table)
    expect(page.locator(".price")).to_have_count(len(prices))
    assert sorted(page.locator(".price text").all_text_contents()) == prices
    assert sorted(page.locator(".block-size text").all_text_contents()) == blocks
    page.locator('[data-key="tab-table"]').click()
    assert page.locator(".text-board section dd").count() == len(told["blocks"]) + len(told["persuasions"])


def test_the_display_of_trilith_bang_is_there_place_by_place(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = played(hall.create("ramming", ("red", "blue", "green")), 80, 3)
    display = table.state.view(None).insights()["display"]
    page = open_table(open_page, table)
    slots = page.locator(".slot")
    expect(slots).to_have_count(len(display))
    for shown, place in zip(slots.all(), display, strict=True):
        card = "?" if place["card"].startswith("??") else place["card"].split("-")[0]
        assert shown.inner_text().split()[-1] == card or place["card"].startswith("trilith")


def test_the_record_table_of_rolling_rocks(open_page: Any, hall: Hall) -> None:  # noqa: F811
    tables = [played(hall.create("rolling", ("red", "blue")), 3000, seed) for seed in (1, 2, 3)]
    told = [table.state.insights() for table in tables]
    best = sorted(told, key=lambda each: (each["gates_left"], each["wheels_used"]))
    assert [game["wheels"] for game in Gallery(hall).records()] == [each["wheels_used"] for each in best]
    page = open_table(open_page, tables[0])
    rows = page.locator(".records tbody tr")
    expect(rows).to_have_count(3)
    expect(page.locator(".records .here td").nth(3)).to_have_text(str(told[0]["wheels_used"]))


def test_a_fingers_first_touch_shows_a_move_and_its_second_plays_it(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall, moves=3)
    page = open_table(open_page, table, PHONE)
    page.locator('.target[data-field="space-G"]').tap()
    move = page.locator(".field-panel .move:not(.alternative)").first
    move.tap()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(move).to_have_class("move main")
    assert len(table.entries) == 3
    move.tap()
    until(lambda: len(table.entries) == 4)


def test_the_move_that_is_left_of_the_choices_is_shown(open_page: Any, hall: Hall) -> None:  # noqa: F811
    page = open_table(open_page, a_stonehenge(hall, moves=2), PHONE)
    page.locator('.chip[data-key^="value-"]').first.tap()
    page.locator('.chip[data-key^="space-"]:enabled').last.tap()
    expect(page.locator(".panel .move.main")).to_have_count(1)
    expect(page.locator(".ghost")).to_have_count(1)
    page.locator('[data-key="reset"]').or_(page.locator('.chip[aria-pressed="true"]').first).first.tap()
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_photograph_is_sent_from_the_menu(hall: Hall, browser: Any, tmp_path: Path) -> None:
    table = a_stonehenge(hall, moves=4)
    picture = tmp_path / "table.jpg"
    picture.write_bytes(view_of(table.state.visible())[1])
    app = create_app(hall, eyes=lambda table, jpeg: view_of(table.state.visible())[0])
    with served(app) as address:
        page = browser.new_context(viewport=PHONE, locale="en").new_page()
        page.goto(f"{address}/table/{table.id}")
        page.locator(".status.page").wait_for()
        page.locator('[data-key="menu-summary"]').click()
        page.locator('[data-key="send-photo"]').set_input_files(picture)
        page.locator(".status.in_step").wait_for()
        page.locator(".tile img").wait_for()
        page.context.close()


def test_the_next_game_of_a_series_begins_as_this_one_did(open_page: Any, hall: Hall) -> None:  # noqa: F811
    first = played(hall.create("stonehenge", ("black", "brown"), name="Solstice"), 300, 1)
    page = open_table(open_page, first)
    expect(page.locator(".series .number")).to_have_count(2)
    page.locator('[data-key="next-game"]').click()
    expect(page.locator('[data-key="name"]')).to_have_value("Solstice")
    page.locator('[data-key="start"]').click()
    until(lambda: len(hall.tables()) == 1)
    again = hall.tables()[0]
    assert (again.name, again.game, again.players) == ("Solstice", "stonehenge", ("brown", "black"))


def test_variants_are_told_in_words(open_page: Any) -> None:  # noqa: F811
    page = open_page("/new", WIDE, "de")
    page.locator('[data-key="game-rolling"]').click()
    page.locator("details summary").click()
    options = page.locator('[data-key="variant-course"] option')
    assert options.nth(1).inner_text() == "das Podest (für Einsteiger)"


def test_what_henge_remarks_is_told_in_both_languages(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = out_of_step(hall)
    table.correct("space-Q", None)
    page = open_table(open_page, table, WIDE, "de")
    page.locator('[data-key="tab-story"]').click()
    expect(page.locator(".of-note .what").first).to_have_text("Falsch gelesen: nichts liegt auf Feld Q")
    copy = hall.import_log(table.export_log())
    assert copy.entries[-1].extra == table.entries[-1].extra != {}


def test_the_hall_follows_what_happens_at_its_tables(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall, moves=2)
    page = open_page("/")
    card = page.locator(".table-card")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("2 entries")
    played(table, 1, 4)
    expect(card).to_contain_text("3 entries")
    a_stonehenge(hall)
    expect(card).to_have_count(2)
    table.put_away()
    expect(card).to_have_count(1)
