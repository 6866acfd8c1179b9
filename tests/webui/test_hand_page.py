"""A player's own page on his phone: a PIN, his hand, his moves; a device that comes in by a code."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from table import Hall
from tests.webui.test_page import PHONE, open_page, until  # noqa: F401
from webui.showing import hand


def take_seat(page: Any, pin: str) -> None:
    page.locator('[data-key="pin"]').fill(pin)
    page.locator('[data-key="take"]').click()
    page.locator('[data-key="cover"]').wait_for()


def play_something(page: Any) -> None:
    """A listed move, or choices until one is left."""
    moves = page.locator(".move")
    # Of every group one choice: a second one would only take the first one's place.
    chips = page.locator('.chips:not(:has([aria-pressed="true"])) .chip:enabled')
    moves.or_(chips).first.wait_for()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if moves.count():
            return moves.first.click()
        if chips.count():
            chips.first.click()
        page.wait_for_timeout(300)  # a busy machine draws the next choices late
    raise AssertionError("there was nothing to play")


def test_a_player_sees_his_hand_and_plays_from_it(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = hall.create("build", ("red", "blue", "green"), {"half_seen": False})
    mover = str(table.state.to_move)
    page = open_page(f"/table/{table.id}/hand", PHONE, "de")
    page.locator(f'[data-key="hand-{mover}"]').click()
    take_seat(page, "2468")
    held = page.locator(".held-cards li")
    until(lambda: held.count() == 3)
    shown = {held.nth(i).get_attribute("data-card") for i in range(3)}
    assert shown == set(table.state.to_json()["seats"][mover]["hand"])
    count = len(table.entries)
    play_something(page)
    until(lambda: len(table.entries) > count)
    until(lambda: held.count() == 2)
    page.locator('[data-key="cover"]').click()
    until(lambda: held.count() == 0)
    other = open_page(f"/table/{table.id}/hand/{mover}", PHONE)
    other.locator('[data-key="pin"]').wait_for()
    expect(other.locator(".held-cards")).to_have_count(0)
    take_seat(other, "2468")
    until(lambda: other.locator(".held-cards li").count() == 2)


def test_what_is_typed_into_the_form_stays(open_page: Any, hall: Hall) -> None:  # noqa: F811
    """Once a form for the PIN is on the screen no other takes its place: typing would get lost."""
    table = hall.create("build", ("red", "blue", "green"), {"half_seen": False})
    page = open_page(f"/table/{table.id}/hand", PHONE)
    page.evaluate(
        """() => { window.shown = []; new MutationObserver(() => {
             const pin = document.querySelector('[data-key="pin"]') !== null;
             if (window.shown.at(-1) !== pin) window.shown.push(pin);
           }).observe(document.body, { childList: true, subtree: true }); }"""
    )
    page.locator('[data-key="hand-red"]').click()
    page.locator('[data-key="pin"]').wait_for()
    until(lambda: page.evaluate("window.henge.arrived"))
    assert page.evaluate("window.shown") == [False, True]


@pytest.mark.parametrize(
    ("language", "typed", "told"),
    [
        ("de", "7-Tag 12-Nacht ??", ["7-day", "12-night", "??"]),
        ("de", "7 tag, 12\N{NON-BREAKING HYPHEN}NACHT ?? Tag", ["7-day", "12-night", "??-day"]),
        ("de", "Trilith-Weiß; trilith GRÜN", ["trilith-white", "trilith-green"]),
        ("de", "TRILITH\N{EN DASH}WEISS ??", ["trilith-white", "??"]),
        ("de", "?? 7-day 12-??", ["??", "7-day", "12-??"]),
        ("en", "7-day 12 night ??-white", ["7-day", "12-night", "??-white"]),
        ("en", "?? ?? trilith-red", ["??", "??", "trilith-red"]),
        ("en", "queen 7", ["queen", "7"]),
    ],
)
def test_cards_are_told_in_the_language_of_the_page(
    open_page: Any,  # noqa: F811
    hall: Hall,
    language: str,
    typed: str,
    told: list[str],
) -> None:
    table = hall.create("build", ("red", "blue", "green"))
    page = open_page(f"/table/{table.id}/hand/red", PHONE, language)
    take_seat(page, "2468")
    page.locator('[data-key="tell"] summary').click()
    field = page.locator('[data-key="told"]')
    placeholder = {"de": "7-Tag 12-Nacht ??", "en": "7-day 12-night ??"}[language]
    expect(field).to_have_attribute("placeholder", placeholder)
    page.route("**/hands/red", lambda route: route.fulfill(json=hand(table, "red")))  # whatever is told
    field.fill(typed)
    with page.expect_request(lambda request: request.method == "POST") as asked:
        field.press("Enter")
    assert asked.value.post_data_json == {"cards": told}


def test_the_hand_that_was_told_is_held(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = hall.create("build", ("red", "blue", "green"))
    page = open_page(f"/table/{table.id}/hand/red", PHONE, "de")
    take_seat(page, "2468")
    page.locator('[data-key="tell"] summary').click()
    page.locator('[data-key="told"]').fill("7-Tag 12\N{NON-BREAKING HYPHEN}nacht ??")
    page.locator('[data-key="told"]').press("Enter")
    held = page.locator(".held-cards li")
    expect(held).to_have_count(2)
    assert {each.get_attribute("data-card") for each in held.all()} == {"7-day", "12-night"}
