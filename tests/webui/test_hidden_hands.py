"""Every byte that a browser receives during a whole game dealt by Henge: a player's hand is in what his own
phone gets, and in nothing that another player's or an onlooker's browser gets."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.wsgi import ClosingIterator

from engine import CHANCE
from table import Hall, Table
from tests.webui.test_hand_page import take_seat
from tests.webui.test_page import until
from webui import create_app
from webui.server import served
from webui.showing import hand

GAMES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "build": (("red", "blue", "green"), {}),
    "roulette": (("red", "blue"), {}),
    "ramming": (("red", "blue"), {"turn_limit": 20}),
    "council": (("white", "red"), {"turn_limit": 20}),
}
ONLOOKER = "onlooker"
LISTED = re.compile(r'"(?:cards|hand)":\s*\[([^\]]*)\]')


class Overheard:
    """Keeps what each browser, known by its user agent, is sent: headers and bodies, event streams too."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.by_browser: dict[str, bytearray] = defaultdict(bytearray)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # bytes that can be searched
        heard = self.by_browser[environ.get("HTTP_USER_AGENT", "")]

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            heard.extend(repr(headers).encode())
            return start_response(status, headers, *more)

        def kept(chunks: Iterable[bytes]) -> Iterator[bytes]:
            for chunk in chunks:
                heard.extend(chunk)
                yield chunk

        answer = self._app(environ, start)
        return ClosingIterator(kept(answer), getattr(answer, "close", None))

    def take(self, browser: str) -> str:
        """What this browser was sent since the last time."""
        heard = self.by_browser[browser]
        text = bytes(heard).decode("utf-8", "replace")
        heard.clear()
        return text


def forms(held: list[str]) -> Iterator[str]:
    """A hand as it might be written: a list, or the words of a log, in any order."""
    for order in itertools.permutations(held[:5]):
        yield json.dumps(order)
        yield json.dumps(order, separators=(",", ":"))
        yield f'cards="{" ".join(order)}"'


def hand_of(table: Table, player: str) -> list[str]:
    """The cards that the player really holds."""
    return [card for card in hand(table, player)["cards"] if not card.startswith("??")]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nobody_elses_browser_ever_gets_a_hand(browser: Any, tmp_path: Path, game: str) -> None:
    players, variants = GAMES[game]
    with Hall(tmp_path, dealer=random.Random(11)) as hall:
        table = hall.create(game, players, {**variants, "half_seen": False})
        app = create_app(hall)
        overheard = Overheard(app.wsgi_app)
        app.wsgi_app = overheard  # type: ignore[method-assign]
        with served(app) as address:
            pages = {each: browser.new_context(user_agent=each).new_page() for each in (*players, ONLOOKER)}
            for player in players:
                pages[player].goto(f"{address}/table/{table.id}/hand/{player}")
                take_seat(pages[player], "2468")
            pages[ONLOOKER].goto(f"{address}/table/{table.id}")
            own, before = 0, ""
            rng = random.Random(5)
            while True:
                for page in pages.values():
                    until(lambda page=page: page.evaluate("henge.entries") == len(table.entries), 60)  # type: ignore[misc]
                own += searched(table, overheard, players, before)
                before = anybody_knows(table)
                if table.state.is_over:
                    break
                assert table.state.to_move != CHANCE
                table.play(str(rng.choice(table.state.legal_actions())))
            for export in ("log.json", "log.txt", "sheet.pdf", "moments/3"):
                fetched = f"fetch('/api/tables/{table.id}/{export}').then(answer => answer.text())"
                assert pages[ONLOOKER].evaluate(fetched)
            searched(table, overheard, players, before)
            for page in pages.values():
                page.context.close()
        assert own > len(table.entries) / 10


def anybody_knows(table: Table) -> str:
    """What the rules let everybody know, and what somebody could do as far as everybody knows: a hand that
    happens to stand among those possibilities is no secret told."""
    state = table.state.view(None)
    moves = [] if state.to_move in (None, CHANCE) else [move.to_json() for move in state.legal_actions()]
    return json.dumps([state.to_json(), moves])


def searched(table: Table, overheard: Overheard, players: tuple[str, ...], before: str) -> int:
    """Looks for every hand in what everybody got since the last move; how often an owner got his own.
    before: what anybody knew then."""
    received = {each: overheard.take(each) for each in (*players, ONLOOKER)}
    public = before + anybody_knows(table)
    own = 0
    for player in players:
        held = hand_of(table, player)
        orders = [json.dumps(order) for order in itertools.permutations(held[:5])]
        if len(held) < 2 or any(order in public for order in orders):
            continue
        own += any(each in received[player] for each in forms(held))
        for other in received.keys() - {player}:
            assert not any(each in received[other] for each in forms(held)), (player, other, held)
    lists = " ".join(LISTED.findall(received[ONLOOKER]))
    listed = set(re.findall(r'"([^"]+)"', lists))
    assert all(card.startswith("??") or f'"{card}"' in public for card in listed), listed
    return own
