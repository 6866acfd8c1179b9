"""Nobody is shut out: axe-core finds nothing on any view, in both themes, on both sizes."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from table import Hall
from tests.webui.conftest import a_stonehenge, asking, out_of_step, played
from tests.webui.seeing import view_of
from tests.webui.test_hand_page import take_seat
from tests.webui.test_page import PHONE, WIDE, arrived, open_page, until  # noqa: F401

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def problems(page: Any) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{each['impact']} {each['id']}: {each['nodes'][0]['html'][:140]}" for each in found]


FEW = ("hall", "alarm", "cards", "hand")


@pytest.mark.parametrize(
    ("size", "theme", "views"),
    [
        pytest.param(PHONE, "dark", FEW, id="a few"),
        pytest.param(WIDE, "light", None, id="wide", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", None, id="phone", marks=pytest.mark.slow),
        pytest.param(PHONE, "dark", None, id="phone dark", marks=pytest.mark.slow),
        pytest.param(WIDE, "dark", None, id="dark", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_on_any_view(
    open_page: Any,  # noqa: F811
    hall: Hall,
    size: dict[str, int],
    theme: str,
    views: tuple[str, ...] | None,
) -> None:
    seen = a_stonehenge(hall, moves=8)
    seen.see(*view_of(seen.state.visible()))
    build = played(hall.create("build", ("red", "blue", "green")), 25, 1)
    finished = a_stonehenge(hall, moves=300)
    dealt = hall.create("build", ("red", "blue", "green"), {"half_seen": False})
    paths = {
        "hall": "/", "shelf": "/shelf", "new": "/new", "phones": "/phones", "pair": "/pair",
        "in step": f"/table/{seen.id}", "moment": f"/table/{seen.id}?at=3", "over": f"/table/{finished.id}",
        "alarm": f"/table/{out_of_step(hall).id}", "question": f"/table/{asking(hall).id}",
        "cards": f"/table/{build.id}", "whose hand": f"/table/{build.id}/hand",
        "pin": f"/table/{build.id}/hand/red", "hand": f"/table/{dealt.id}/hand/{dealt.state.to_move}",
        "told hand": f"/table/{build.id}/hand/blue", "setup": "/setup",
    }  # fmt: skip
    for game in ("council", "rolling", "ramming", "roulette"):
        players = {"council": ("white", "red")}.get(game, ("red", "blue"))
        paths[game] = f"/table/{played(hall.create(game, players), 12, 1).id}"
    page = open_page("/", size, "en", theme)
    page.set_default_timeout(60_000)
    origin = page.url.rstrip("/")
    found: dict[str, list[str]] = {}
    for name in views or paths:
        path = paths[name]
        page.goto(origin + path)
        arrived(page)
        if name in ("hand", "told hand"):
            take_seat(page, "2468")
        if name != "setup":
            until(lambda: page.evaluate("Boolean(window.henge) && (!henge.event || henge.ready)"), 60)
        found[name] = problems(page)
        if name == "alarm":
            page.locator('[data-key="wrong"]').click()
            page.locator(".field-panel").wait_for()
            found["a field"] = problems(page)
        if name in ("in step", "cards"):
            for tab in ("Story", "As text"):
                page.get_by_role("tab", name=tab, exact=True).click()
                found[f"{name}, {tab}"] = problems(page)
            page.keyboard.press("?")
            page.locator(".help").wait_for()
            found[f"{name}, help"] = problems(page)
    assert {name: each for name, each in found.items() if each} == {}
