"""A server that goes away while the page is open, and comes back: the page says so, keeps to what is true
meanwhile, and goes on by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import expect

from table import Hall
from tests.webui.conftest import a_stonehenge, played
from tests.webui.test_hand_page import take_seat
from tests.webui.test_page import PHONE, WIDE, arrived, until
from webui import create_app
from webui.server import served

SILENCE = {"en": "The server does not answer.", "de": "Der Server antwortet nicht."}
LOST = {"en": "Not connected", "de": "Nicht verbunden"}


class Server:
    """Comes back at the address that it had, and knows nobody any more whom it let in."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._open = hall, ExitStack()
        self.port = 0
        self.comes()

    def comes(self) -> None:
        self.address = self._open.enter_context(served(create_app(self._hall), port=self.port))
        self.port = int(self.address.rsplit(":", 1)[1])

    def goes(self) -> None:
        self._open.close()


@pytest.fixture
def server(hall: Hall) -> Iterator[Server]:
    made = Server(hall)
    yield made
    made.goes()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Any]:
    """visit(path, size, language) is a page that has arrived. The browser may complain of requests that
    failed, the page's own code of nothing."""
    contexts: list[Any] = []
    errors: list[str] = []

    def visited(path: str, size: dict[str, int] = WIDE, language: str = "en") -> Any:
        contexts.append(browser.new_context(viewport=size, locale=language, reduced_motion="reduce"))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(server.address + path)
        arrived(page)
        return page

    yield visited
    for context in contexts:
        context.close()
    assert errors == []


def goes_and_is_missed(page: Any, server: Server, language: str = "en") -> None:
    """The server goes away, and the page says so."""
    server.goes()
    expect(page.locator(".status.offline b")).to_have_text(LOST[language])


def test_a_moment_that_does_not_come_is_not_shown_as_if_it_had(visit: Any, hall: Hall) -> None:
    table = a_stonehenge(hall, moves=8)
    page = visit(f"/table/{table.id}")
    until(lambda: page.evaluate("henge.ready"))
    stones, where, said = (
        page.locator(".layer-pieces .piece"),
        page.locator(".where b"),
        page.locator(".message"),
    )
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text("7 of 8")
    until(lambda: stones.count() == len(table.state_at(7).visible().pieces))
    page.route("**/moments/*", lambda route: route.abort())
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text(SILENCE["en"])
    expect(where).to_have_text("7 of 8")
    page.keyboard.press("n")
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_count(0)  # somebody answers other questions
    expect(page.locator(".status.page")).to_have_count(1)
    expect(where).to_have_text("8 of 8")
    page.unroute("**/moments/*")
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text("7 of 8")


def test_the_hall_says_that_the_server_is_gone_and_goes_on_with_it(
    visit: Any, hall: Hall, server: Server
) -> None:
    a_stonehenge(hall)
    page = visit("/", WIDE, "de")
    expect(page.locator(".table-card")).to_have_count(1)
    goes_and_is_missed(page, server, "de")
    expect(page.locator(".table-card")).to_have_count(1)
    a_stonehenge(hall)
    server.comes()
    expect(page.locator(".table-card")).to_have_count(2)
    expect(page.locator(".status.offline")).to_have_count(0)


@pytest.mark.slow
def test_a_table_that_was_chosen_in_vain_opens_once_the_server_is_back(
    visit: Any, hall: Hall, server: Server
) -> None:
    table = a_stonehenge(hall, moves=3)
    page = visit("/")
    page.locator(".table-card").wait_for()
    server.goes()
    page.locator(".table-card").click()
    expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
    server.comes()
    page.locator(".banner h1").wait_for()
    expect(page.locator(".message")).to_have_count(0)
    table.play(str(table.state.legal_actions()[0]))
    until(lambda: page.evaluate("henge.entries") == 4)


@pytest.mark.slow
def test_a_part_of_the_page_that_does_not_come_says_so_and_comes_later(
    visit: Any, hall: Hall, server: Server
) -> None:
    page = visit("/")
    server.goes()
    page.locator('[data-key="nav-new"]').click()
    expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
    page.locator('[data-key="nav-new"]').click()  # can be chosen again
    expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
    server.comes()
    page.locator(".new-game").wait_for()
    expect(page.locator(".message, .status.offline")).to_have_count(0)


def test_choosing_a_part_of_the_page_again_tries_again(visit: Any) -> None:
    page = visit("/")
    page.clock.install()  # no second attempt of its own
    page.route("**/views/new.js", lambda route: route.abort())
    page.locator('[data-key="nav-new"]').click()
    page.clock.run_for(100)
    expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
    page.unroute("**/views/new.js")
    page.locator('[data-key="nav-new"]').click()
    page.clock.run_for(100)
    page.locator(".new-game").wait_for()


@pytest.mark.parametrize("module", ["panels", pytest.param("scores", marks=pytest.mark.slow)])
def test_panels_that_do_not_come_are_missed_and_come_later(visit: Any, hall: Hall, module: str) -> None:
    """Neither their own module, nor one that it needs."""
    a_stonehenge(hall, moves=3)
    page = visit("/")
    page.route(f"**/views/{module}.js", lambda route: route.abort())
    page.locator(".table-card").click()
    page.locator(".banner h1").wait_for()
    expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
    page.unroute(f"**/views/{module}.js")
    page.locator(".panel .moves").wait_for()
    expect(page.locator(".message, .status.offline")).to_have_count(0)


def test_a_board_that_cannot_be_taken_along_now_can_be_later(visit: Any, hall: Hall, server: Server) -> None:
    page = visit(f"/table/{a_stonehenge(hall, moves=3).id}")
    until(lambda: page.evaluate("henge.ready"))

    def take() -> None:
        page.locator('[data-key="menu-summary"]').click()
        page.get_by_role("button", name="Board as picture").click()

    goes_and_is_missed(page, server)
    take()
    expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
    server.comes()
    expect(page.locator(".status.offline")).to_have_count(0)
    with page.expect_download() as taken:
        take()
    assert taken.value.suggested_filename.endswith(".png")


def test_the_hand_is_asked_its_pin_again_by_a_server_that_was_started_anew(
    visit: Any, hall: Hall, server: Server
) -> None:
    table = hall.create("build", ("red", "blue", "green"), {"half_seen": False})
    page = visit(f"/table/{table.id}/hand/red", PHONE, "de")
    take_seat(page, "2468")
    held = page.locator(".held-cards li")
    expect(held).to_have_count(3)
    goes_and_is_missed(page, server, "de")
    server.comes()
    expect(page.locator(".status.offline")).to_have_count(0)
    played(table, 1, 1)  # what happens makes the page ask for the hand
    page.locator('[data-key="pin"]').wait_for()
    expect(page.locator(".message.bad")).to_have_text("Diese Hand öffnet sich mit der PIN ihres Spielers")
    expect(held).to_have_count(0)
    take_seat(page, "2468")
    expect(held.first).to_be_visible()
    expect(page.locator(".message")).to_have_count(0)


def test_that_the_server_does_not_answer_is_said_no_longer_than_it_is_true(
    visit: Any, hall: Hall, server: Server
) -> None:
    table = a_stonehenge(hall, moves=3)
    hand = hall.create("build", ("red", "blue", "green"), {"half_seen": False})
    mover = hand.state.to_move
    at_table, at_hand, at_new = (
        visit(f"/table/{table.id}"),
        visit(f"/table/{hand.id}/hand/{mover}"),
        visit("/new"),
    )
    take_seat(at_hand, "2468")
    at_hand.locator("#typed").fill(str(hand.state.view(mover).legal_actions()[0]))
    until(lambda: at_table.evaluate("henge.ready"))
    server.goes()
    at_table.keyboard.press("u")
    at_hand.locator('[data-key="typed-play"]').click()
    at_new.locator('[data-key="name"]').fill("Solstice")
    at_new.locator('[data-key="start"]').click()
    for page in (at_table, at_hand, at_new):
        expect(page.locator(".message.bad")).to_have_text(SILENCE["en"])
        expect(page.locator(".status.offline b")).to_have_text(LOST["en"])
    server.comes()
    for page in (at_table, at_hand, at_new):
        expect(page.locator(".message, .status.offline")).to_have_count(0)
    expect(at_new.locator('[data-key="name"]')).to_have_value("Solstice")
    assert (len(table.entries), len(hall.tables())) == (3, 2)


@pytest.mark.slow
def test_what_was_said_of_something_else_stays(visit: Any, hall: Hall, server: Server) -> None:
    table = a_stonehenge(hall, moves=3)
    page = visit(f"/table/{table.id}")
    page.locator("#typed").fill("fly away")
    page.locator('[data-key="typed-play"]').click()
    said = page.locator(".message.bad")
    said.wait_for()
    refusal = said.inner_text()
    assert refusal != SILENCE["en"]
    goes_and_is_missed(page, server)
    server.comes()
    expect(page.locator(".status.offline")).to_have_count(0)
    expect(said).to_have_text(refusal)
