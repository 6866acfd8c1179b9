"""A hall with tables, served for real by waitress, and a Chromium that looks at it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine import CHANCE, Piece, draw_chance
from table import Hall, Table
from tests.webui.seeing import stone, view_of, with_piece
from webui import create_app
from webui.server import served

HEADERS = {"X-Henge": "1"}


class Client(FlaskClient):
    """A test client that is allowed to change things."""

    def open(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["headers"] = {**HEADERS, **(kwargs.get("headers") or {})}
        return super().open(*args, **kwargs)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path / "hall") as opened:
        yield opened


@pytest.fixture
def app(hall: Hall) -> Flask:
    made = create_app(hall)
    made.test_client_class = Client
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the hall is served."""
    with served(app) as found:
        yield found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import expect, sync_playwright

    flags = ("no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
             "disable-component-update", "disable-sync")  # fmt: skip
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=[f"--{flag}" for flag in flags])
        yield opened
        opened.close()


def played(table: Table, moves: int, seed: int) -> Table:
    """The table after so many chosen moves, drawn from the legal ones."""
    rng = random.Random(seed)
    for _ in range(moves):
        state = table.state
        if state.is_over:
            break
        action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())
        table.play(str(action))
    return table


def a_stonehenge(hall: Hall, moves: int = 0, seed: int = 3) -> Table:
    return played(hall.create("stonehenge", ("black", "brown")), moves, seed)


def out_of_step(hall: Hall) -> Table:
    """A table on which a stone lies that nobody may have placed: a second one of who just moved."""
    table = hall.create("stonehenge", ("black", "brown"))
    table.play("place 4 on space-A")
    table.see(*view_of(table.state.visible()))
    wrong = with_piece(table.state.visible(), Piece("druid", "black", field="space-Q", value=5))
    for _ in range(4):
        table.see(*view_of(wrong))
    assert table.status.name == "out_of_step", table.status
    return table


def asking(hall: Hall) -> Table:
    """A table at which a stone is as much like a 3 as like a 5."""
    table = hall.create("stonehenge", ("black", "brown"))
    table.see(*view_of(table.state.visible()))
    after = with_piece(table.state.visible(), Piece("druid", "black", field="space-G", value=3))
    doubt = {"space-G": {stone("black", 3): 0.5, stone("black", 5): 0.5}}
    for _ in range(6):
        table.see(*view_of(after, doubt))
    assert table.status.name == "asking", table.status
    return table
