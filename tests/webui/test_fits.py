"""What matters is in sight without scrolling, on a phone and on a small laptop, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Piece
from table import Hall, Table
from tests.webui.conftest import played
from tests.webui.seeing import view_of, with_piece
from tests.webui.test_page import LANGUAGES, PHONE, SIZES, WIDE, open_page, open_table  # noqa: F401

FIVE = ("red", "blue", "green", "white", "yellow")
LONG_NAME = "Donaudampfschifffahrtsgesellschaftskapitänsmützenrunde am langen Freitagabend"


def many_wrong(hall: Hall) -> Table:
    """A council of four in which three blocks lie where nobody may have put them."""
    table = played(hall.create("council", ("white", "red", "yellow", "blue")), 60, 1)
    lies = table.state.visible()
    table.see(*view_of(lies))
    for colour, number in (("red", 7), ("blue", 12), ("green", 19)):
        lies = with_piece(lies, Piece("block", colour, field=f"ring-{number}"))
    for _ in range(5):
        table.see(*view_of(lies))
    assert table.status.name == "out_of_step", table.status
    return table


def bottom(locator: Any) -> float:
    # Waits for what is just being drawn anew; a bounding box of that is none.
    return float(locator.evaluate("element => element.getBoundingClientRect().bottom"))


@SIZES
@LANGUAGES
def test_the_three_ways_out_of_an_alarm_are_in_sight(
    open_page: Any,  # noqa: F811
    hall: Hall,
    size: dict[str, int],
    language: str,
) -> None:
    page = open_page(f"/table/{many_wrong(hall).id}", size, language)
    page.locator(".alarm").wait_for()
    assert page.locator(".way").count() == 3
    for way in page.locator(".way").all():
        assert bottom(way) <= size["height"]


def test_in_an_alarm_the_scores_of_all_are_in_sight_on_a_small_laptop(open_page: Any, hall: Hall) -> None:  # noqa: F811
    page = open_page(f"/table/{many_wrong(hall).id}", WIDE, "de")
    page.locator(".alarm").wait_for()
    below = page.locator(".story-box").bounding_box()["y"]
    for score in page.locator(".score").all():
        assert bottom(score) <= below


@pytest.mark.parametrize("game", ["roulette", "ramming"])
def test_five_scores_stand_in_one_line_on_a_phone(open_page: Any, hall: Hall, game: str) -> None:  # noqa: F811
    page = open_table(open_page, played(hall.create(game, FIVE), 60, 1), PHONE, "de")
    page.locator(".score").last.wait_for()
    assert len({score.bounding_box()["y"] for score in page.locator(".score").all()}) == 1
    page.locator(".score summary").first.click()
    assert page.locator(".score[open] .who").bounding_box()["width"] > 20  # opened, it says who it is


def test_the_name_of_the_game_is_whole_on_a_phone(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = played(hall.create("roulette", FIVE), 20, 1)
    table.see(*view_of(table.state.visible()))
    page = open_table(open_page, table, PHONE, "de")
    page.locator('[data-key="icon-camera"]').wait_for()
    assert page.locator(".where-am-i").evaluate("each => each.scrollWidth <= each.clientWidth")


@SIZES
def test_a_long_name_stays_within_its_card(open_page: Any, hall: Hall, size: dict[str, int]) -> None:  # noqa: F811
    hall.create("stonehenge", ("black", "brown"), name=LONG_NAME)
    page = open_page("/", size)
    card = page.locator(".table-card")
    assert card.evaluate("each => each.scrollWidth <= each.clientWidth")
    box = card.bounding_box()
    assert box["x"] + box["width"] <= size["width"] and box["height"] < 260
