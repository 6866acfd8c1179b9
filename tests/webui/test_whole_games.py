"""A whole game of each of the six through the page by touch alone: headings, choices, listed moves, the
button that draws. Every test run plays one of Stonehenge (`test_page`), these are played with --slow."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as WaitedInVain

from engine import CHANCE, Action
from table import Hall, Table
from tests.webui.test_page import PHONE, WIDE, open_page, open_table, until  # noqa: F401
from webui.api import moves

GAMES = {
    "stonehenge": (("black", "brown"), {}, 3),
    "council": (("white", "red"), {}, 0),
    "build": (("red", "blue", "green"), {}, 7),
    "rolling": (("red", "blue"), {}, 0),
    "ramming": (("red", "blue"), {"turn_limit": 20}, 0),
    "roulette": (("red", "blue"), {}, 0),
}
WAYS = [
    pytest.param(game, size, language, id=f"{game}-{name}-{language}")
    for game in GAMES
    for name, size in (("wide", WIDE), ("phone", PHONE))
    for language in ("en", "de")
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size", "language"), WAYS)
def test_a_whole_game_by_touch(
    open_page: Any,  # noqa: F811
    hall: Hall,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    size: dict[str, int],
    language: str,
) -> None:
    players, variants, seed = GAMES[game]
    monkeypatch.setattr(moves, "SystemRandom", lambda: random.Random(len(table.entries)))
    table = hall.create(game, players, variants)
    page = open_table(open_page, table, size, language)
    rng = random.Random(seed)
    while not table.state.is_over:
        count = len(table.entries)
        if table.state.to_move == CHANCE:
            page.locator('[data-key="draw"]').click()
        else:
            touch(page, table, rng.choice(table.state.legal_actions()))
        until(lambda count=count: len(table.entries) > count)  # type: ignore[misc]
        until(lambda: page.evaluate("window.henge.entries") == len(table.entries))
    page.locator(".banner.over").wait_for()
    totals = page.locator(".score .total").all_inner_texts()
    assert totals == [str(score.total) for score in table.state.view(None).scores().values()]
    assert table.row.closed is not None


def touch(page: Any, table: Table, action: Action) -> None:
    """Enters `action` as fingers do: its heading, then what it names, then the one move that is left."""
    key = f'[data-key="move-{action}"]'
    move = page.locator(f".panel {key}")
    heading = page.locator(f'.panel [data-key="group-{type(action).title.en}"]')
    move.or_(heading).or_(page.locator(".panel .facet")).first.wait_for()
    if heading.count() and heading.get_attribute("aria-selected") != "true":
        heading.click()
    fields = {k: v for k, v in action.to_json().items() if k not in ("kind", "text")}
    chips = [
        page.locator(f'.panel .chip:enabled[aria-pressed="false"][data-key="{name}-{text_of(value)}"]')
        for name, value in fields.items()
    ]
    end = time.monotonic() + 30  # a busy machine draws late
    while not move.count():
        assert time.monotonic() < end, f"{action} is not to be found"
        for chip in chips:
            if chip.count():
                with suppress(WaitedInVain):  # it went away: the panel was drawn anew
                    chip.first.click(timeout=2000)
                    until(lambda chip=chip: chip.count() == 0)  # type: ignore[misc]  # it is drawn as chosen
                break
        page.wait_for_timeout(30)
    return move.first.click()


def text_of(value: object) -> str:
    """As the page writes a value of a choice."""
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)
