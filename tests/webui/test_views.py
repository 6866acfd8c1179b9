"""What single views show: the council's prices, the display's places, the record table; what a finger's first
touch does; a photograph that is sent; the next game of a series."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image, ImageChops
from playwright.sync_api import expect

from table import Hall
from tests.webui.conftest import a_stonehenge, out_of_step, played
from tests.webui.seeing import view_of
from tests.webui.test_hand_page import take_seat
from tests.webui.test_page import PHONE, WIDE, arrived, open_page, open_table, script, until  # noqa: F401
from webui import create_app, rights
from webui.rights import COOKIE, Session
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
    until(lambda: sorted(page.locator(".price text").all_text_contents()) == prices)
    until(lambda: sorted(page.locator(".block-size text").all_text_contents()) == blocks)
    page.locator('[data-key="tab-table"]').click()
    rows = page.locator(".text-board section dd")
    expect(rows).to_have_count(len(told["blocks"]) + len(told["persuasions"]))


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
    expect(options.nth(1)).to_have_text("das Podest (für Einsteiger)")


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


def test_the_board_as_a_picture_looks_like_the_board(open_page: Any, hall: Hall, tmp_path: Path) -> None:  # noqa: F811
    """With everything that is drawn upon it: counts of heaps, shadows, prices."""
    page = open_table(open_page, played(hall.create("council", ("white", "red")), 96, 0))
    page.locator('[data-key="menu-summary"]').click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Board as picture").click()
    download.value.save_as(tmp_path / "board.png")
    page.evaluate("document.querySelector('.layer-hints').replaceChildren()")  # hints stay on the page
    both = [Image.open(io.BytesIO(page.locator("svg.board").first.screenshot()))]
    both.append(Image.open(tmp_path / "board.png"))
    shown, saved = (each.convert("L").resize((80, 80), Image.Resampling.BOX) for each in both)
    differences = ImageChops.difference(shown, saved).histogram()
    assert sum(differences[40:]) < 0.005 * sum(differences)


def test_on_a_phone_nothing_is_smaller_than_a_finger(open_page: Any, hall: Hall) -> None:  # noqa: F811
    """Nor what is folded away until somebody opens it."""
    seen = a_stonehenge(hall, moves=8)
    seen.see(*view_of(seen.state.visible()))
    build = played(hall.create("build", ("red", "blue", "green")), 40, 1)
    paths = ["/", "/shelf", "/new", "/phones", "/pair", "/setup"]
    paths += [f"/table/{build.id}/hand", f"/table/{build.id}/hand/red"]
    paths += [f"/table/{table.id}" for table in (seen, build, out_of_step(hall), a_stonehenge(hall, 300))]
    page = open_page("/", PHONE)
    origin, found = page.url.rstrip("/"), {}
    for path in paths:
        page.goto(origin + path)
        arrived(page)
        if path.endswith("/red"):
            take_seat(page, "2468")
        elif path.startswith("/table") and "hand" not in path:
            until(lambda: page.evaluate("henge.ready"))
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        found[path] = page.evaluate(script("too_small"))
    assert {path: small for path, small in found.items() if small} == {}


def test_big_letters_and_the_dark_have_a_key(open_page: Any, hall: Hall) -> None:  # noqa: F811
    page = open_table(open_page, a_stonehenge(hall, moves=4))
    page.keyboard.press("l")
    size = "parseFloat(getComputedStyle(document.querySelector('{}')).fontSize) / innerHeight"
    until(lambda: page.evaluate(size.format(".banner h1")) >= 0.06)
    until(lambda: page.locator(".score .total").count() == 2)
    until(lambda: page.evaluate(size.format(".score .total")) >= 0.06)
    page.keyboard.press("d")
    until(lambda: page.evaluate("document.documentElement.dataset.theme") == "dark")
    page.reload()
    until(lambda: page.evaluate("document.documentElement.className") == "large")
    until(lambda: page.evaluate("document.documentElement.dataset.theme") == "dark")


def test_the_shelf_is_searched(open_page: Any, hall: Hall) -> None:  # noqa: F811
    for name in ("Solstice", "Holiday"):
        played(hall.create("stonehenge", ("black", "brown"), name=name), 300, 1)
    page = open_page("/shelf", WIDE, "de")
    rows = page.locator(".past li")
    expect(rows).to_have_count(2)
    page.locator("#search").press_sequentially("holi")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 Partie")
    rows.locator("a").click()
    page.locator(".banner.over").wait_for()


def test_who_only_looks_on_changes_nothing(open_page: Any, hall: Hall, app: Flask) -> None:  # noqa: F811
    table = a_stonehenge(hall, moves=3)
    page = open_table(open_page, table)
    doors = app.extensions["doors"]
    page.context.add_cookies(
        [{"name": COOKIE, "value": doors.keep(Session("look")), "url": page.url.split("/table")[0]}]
    )
    page.reload()
    page.locator('[data-key="icon-undo"]').click()
    expect(page.locator(".message.bad")).to_have_text("This device may only look.")
    page.locator('[data-key="menu-summary"]').click()
    expect(page.locator('[data-key="send-photo"]')).to_have_count(0)
    undone = f"{page.url.replace('/table/', '/api/tables/')}/undo"
    assert page.context.request.post(undone, headers={"X-Henge": "1"}).status == 403
    assert len(table.entries) == 3


def test_what_is_held_down_is_not_drawn_anew_before_it_lets_go(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall)
    page = open_table(open_page, table)
    note = page.locator('[data-key="note"]')

    def move_elsewhere() -> None:
        table.play(str(table.state.legal_actions()[0]))
        until(lambda: page.evaluate("window.henge.entries") == len(table.entries))

    story = page.locator('[data-key="tab-story"]')
    story.hover()
    page.mouse.down()
    move_elsewhere()
    page.mouse.up()
    expect(story).to_have_attribute("aria-selected", "true")
    expect(page.locator(".entries .entry")).to_have_count(1)  # what waited is drawn
    moves = page.locator('[data-key="tab-moves"]')
    moves.focus()
    page.keyboard.down("Space")
    move_elsewhere()
    page.keyboard.up("Space")
    expect(moves).to_have_attribute("aria-selected", "true")
    story.click()
    note.fill("tea at four")
    move_elsewhere()
    expect(page.locator(".entries .entry")).to_have_count(3)
    expect(note).to_have_value("tea at four")
    note.press("Enter")
    expect(page.locator(".of-note .what")).to_have_text("Tea at four")
    expect(note).to_have_value("")


def test_the_story_slider_is_dragged_from_move_to_move(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall, 6)
    page = open_table(open_page, table)
    where = page.locator(".where b")
    last = where.inner_text()
    box = page.locator('[data-key="scrub"]').bounding_box()
    seen = []
    page.mouse.move(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.8, 0.6, 0.4, 0.2, 0.0):
        page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2)
        page.wait_for_timeout(50)
        seen.append(where.inner_text())
    page.mouse.up()
    assert len({last, *seen}) >= 5
    expect(page.locator(".layer-pieces .piece")).to_have_count(0)


def test_a_game_that_cannot_be_opened_says_so_beside_the_others(open_page: Any, hall: Hall) -> None:  # noqa: F811
    a_stonehenge(hall, moves=1)
    damaged = a_stonehenge(hall, moves=2).id
    hall._store._db.execute("UPDATE events SET data = '{' WHERE table_id = ? AND kind = 'entry'", (damaged,))
    hall._open.clear()  # as after a restart
    page = open_page("/")
    expect(page.locator("a.table-card")).to_have_count(1)
    expect(page.locator(".table-card .message.bad")).to_have_text("This game cannot be opened.")


def test_pressing_twice_takes_back_two_moves(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall, moves=3)
    page = open_table(open_page, table)
    page.keyboard.type("uu")
    until(lambda: [entry.kind for entry in table.entries[3:]] == ["undo", "undo"])
    expect(page.locator(".message.bad")).to_have_count(0)
    page.keyboard.type("rr")
    until(lambda: len(table.entries) == 7)


def test_a_recorded_table_that_is_out_of_step_says_so_in_the_hall(
    app: Flask,
    open_page: Any,  # noqa: F811
    hall: Hall,
) -> None:
    recorded, disagreeing = a_stonehenge(hall, moves=1), out_of_step(hall)
    app.extensions["henge"].players |= {recorded.id: object(), disagreeing.id: object()}
    page = open_page("/")
    expect(page.locator(".table-card .status b")).to_have_text(["Recorded", "Out of step"])


def test_a_tab_that_nobody_sees_leaves_the_connections_to_the_others(open_page: Any, hall: Hall) -> None:  # noqa: F811
    """A browser opens six for all of its tabs; once it is seen again the tab has all that happened."""
    table = a_stonehenge(hall, moves=2)
    page = open_table(open_page, table)
    with page.expect_event("requestfailed", lambda request: "/events" in request.url):
        turn(page, "hidden")
    played(table, 1, 7)
    turn(page, "visible")
    until(lambda: page.evaluate("window.henge.entries") == 3)


def test_a_phone_that_the_server_knows_no_more_is_asked_to_pair_again(
    browser: Any, address: str, hall: Hall, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart; before, it said "trying again" until somebody loaded the page anew."""
    monkeypatch.setattr(rights, "is_own", lambda _: False)
    doors, table = app.extensions["doors"], a_stonehenge(hall)
    cookie = doors.keep(Session("play"))
    with browser.new_context(viewport=PHONE) as context:
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/table/{table.id}")
        arrived(page)
        turn(page, "hidden")
        doors.forget(cookie)
        turn(page, "visible")
        page.wait_for_url(f"{address}/pair")


def turn(page: Any, state: str) -> None:
    """As when another tab is chosen, or this one."""
    page.evaluate(
        f"Object.defineProperty(document, 'visibilityState', {{value: '{state}', configurable: true}})"
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_long_word_in_a_note_stays_in_its_line(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = a_stonehenge(hall, moves=1)
    table.note("https://table.example/" + 30 * "evening-")
    page = open_table(open_page, table)
    page.locator('[data-key="tab-story"]').click()
    note = page.locator(".entry .what", has_text="evening")
    assert note.evaluate("(words) => words.scrollWidth <= words.clientWidth")
