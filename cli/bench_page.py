"""`henge bench page`: from the moment a new position is settled to the changed picture in the browser.

A random game is played at a table that is served as always. Each position is handed to the table as a
perfect reader would read it; the clock runs from then (the referee judges it, it is put on the disk, the
event goes out, the page loads and draws) until the frame after the one in which a real Chromium drew it.
Onlookers are other processes that do what a page does: they hold an event stream, and when something has
happened that they do not show yet they load table, moves and what was read.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import importlib
import json
import multiprocessing
import random
import shutil
import statistics
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from cli.errors import UsageError
from cli.games import playable
from cli.main import DONE
from cli.output import add_json, print_json
from engine import CHANCE, Observation, Position, draw_chance, load_game
from engine.board import load_board
from engine.observation import certain
from table import Hall, Table
from webui import create_app
from webui.server import served

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# Milliseconds from the beginning of the navigation to the frame after the one that drew the table.
FIRST = """window.first = new Promise(done => { const look = () => window.henge?.event
    ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look); look(); });"""
NETWORK = {"offline": False, "latency": 40, "downloadThroughput": 1.25e6, "uploadThroughput": 6e5}
PAUSE_S = 0.5  # between two positions: hands at a table are not faster
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-renderer-backgrounding"]
# Ends with the first frame that begins after the entry was drawn.
DRAWN = """count => { window.drawn = new Promise(done => {
    const look = () => window.henge?.entries >= count && window.henge.event
        ? requestAnimationFrame(() => done(Date.now())) : requestAnimationFrame(look);
    look(); }); }"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=playable(), default="stonehenge", help="default: %(default)s")
    parser.add_argument("--moves", type=int, default=60, help="positions to measure (default: 60)")
    parser.add_argument(
        "--first", action="store_true", help="the first board on a throttled phone, instead of new positions"
    )
    parser.add_argument("--onlookers", type=int, default=0, help="browsers besides the one measured")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves (default: 1)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.moves < 1 or not 0 <= args.onlookers <= 100:
        raise UsageError("--moves is at least 1, --onlookers from 0 to 100")
    with (
        tempfile.TemporaryDirectory(prefix="henge-bench-") as folder,
        Hall(folder) as hall,
        served(create_app(hall)) as address,
        page_of() as page,
    ):
        times = first_boards(hall, address, page, args) if args.first else measured(hall, address, page, args)
    report(times, args)
    return DONE


def measured(hall: Hall, address: str, page: Any, args: argparse.Namespace) -> list[float]:
    """Milliseconds per position. A game that ends is followed by another one."""
    rng, times = random.Random(args.seed), []
    players = some_players(args.game)
    while len(times) < args.moves:
        table = hall.create(args.game, players)
        page.goto(f"{address}/table/{table.id}")
        while not page.evaluate("Boolean(window.henge?.ready)"):
            time.sleep(0.05)
        with onlookers(address, table.id, args.onlookers):
            for position in positions(table, rng):
                times.append(one(table, position, page))
                if len(times) == args.moves:
                    break
    return times


def first_boards(hall: Hall, address: str, page: Any, args: argparse.Namespace) -> list[float]:
    """Milliseconds from the address to the drawn board with its pieces, with nothing kept from before, on a
    processor a quarter as fast and a wireless network of 40 ms and 10 Mbit/s."""
    table, rng, times = hall.create(args.game, some_players(args.game)), random.Random(args.seed), []
    while len(table.entries) < 12:
        state = table.state
        action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())
        table.play(str(action))
    for _ in range(args.moves):
        phone = page.context.browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        tools = phone.context.new_cdp_session(phone)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", NETWORK)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        phone.add_init_script(FIRST)
        phone.goto(f"{address}/table/{table.id}")
        times.append(float(phone.evaluate("window.first")))
        phone.context.close()
    return times


def some_players(game_id: str) -> tuple[str, ...]:
    game = load_game(game_id)
    return game.some_players(next(count for count in game.player_counts if count > 1))


def one(table: Table, position: Position, page: Any) -> float:
    time.sleep(PAUSE_S)
    count = len(table.entries)
    page.evaluate(DRAWN, count + 1)
    seen = reading(position)
    began = time.time()
    table.see(seen)
    if len(table.entries) == count:
        raise UsageError(f"the referee did not take a position for a move: {table.status.message.en}")
    return float(page.evaluate("window.drawn")) - began * 1000


def positions(table: Table, rng: random.Random) -> Iterator[Position]:
    """The position after a random move that can be seen; moves that cannot are stated."""
    table.see(reading(table.state.visible()))
    while not table.state.is_over:
        state = table.state
        action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())
        alike = [each for each in state.look_alikes() if action in each]
        if state.visible_change(action) and len(alike[0]) == 1:
            yield state.apply(action).visible()
            if table.state == state:
                return
        else:
            table.play(str(action))
            table.see(reading(table.state.visible()))


def reading(position: Position) -> Observation:
    """What a perfect reader says of it."""
    board = load_board(position.board)
    places = tuple(each.id for each in board.fields.values() if each.kind not in ("slot", "pit", "yard"))
    return certain(position, places)


def report(times: list[float], args: argparse.Namespace) -> None:
    ordered = sorted(times)
    found = {
        "game": args.game,
        "measured": "first board" if args.first else "new position",
        "onlookers": args.onlookers,
        "times": len(times),
        "median_ms": round(statistics.median(ordered), 1),
        "p90_ms": round(ordered[int(len(ordered) * 0.9)], 1) if len(ordered) > 1 else round(ordered[0], 1),
        "max_ms": round(ordered[-1], 1),
    }
    if args.json:
        print_json(found)
    else:
        print(
            f"{args.game}, {found['measured']}: {len(times)} times, {args.onlookers} onlookers: "
            f"median {found['median_ms']} ms, 9 of 10 within {found['p90_ms']} ms, "
            f"longest {found['max_ms']} ms"
        )


# --- server, browser, onlookers -------------------------------------------------------------------------


@contextmanager
def page_of() -> Iterator[Any]:
    """A page of a real Chromium. Raises UsageError where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        sync_playwright = importlib.import_module("playwright.sync_api").sync_playwright
    except ImportError:
        path = None
    if path is None:
        raise UsageError("this measures in a browser: install the package chromium, and playwright with pip")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser.new_page(viewport={"width": 1280, "height": 800})
        browser.close()


@contextmanager
def onlookers(address: str, table_id: str, count: int) -> Iterator[None]:
    """`count` of them, in two processes; on once all listen."""
    context = multiprocessing.get_context("spawn")
    ready = context.Semaphore(0)
    shares = [share for share in (count - count // 2, count // 2) if share]
    crowd = [
        context.Process(target=_look_on, args=(address, table_id, n, ready), daemon=True) for n in shares
    ]
    for process in crowd:
        process.start()
    for _ in range(count):
        ready.acquire()
    yield
    for process in crowd:
        process.terminate()
        process.join()


def _look_on(address: str, table_id: str, count: int, ready: Any) -> None:
    for _ in range(count - 1):
        threading.Thread(target=_follow, args=(address, table_id, ready), daemon=True).start()
    _follow(address, table_id, ready)


def _follow(address: str, table_id: str, ready: Any) -> None:
    path, shown = f"/api/tables/{table_id}", 0
    server = http.client.HTTPConnection(urlsplit(address).netloc)  # kept open, as a browser does

    def load(part: str) -> bytes:
        server.request("GET", path + part, headers={"Accept-Encoding": "gzip"})
        answer = server.getresponse()
        text = answer.read()
        return gzip.decompress(text) if answer.headers.get("Content-Encoding") == "gzip" else text

    with urllib.request.urlopen(f"{address}{path}/events") as stream:
        ready.release()
        for line in stream:
            if line.startswith(b"id: ") and int(line[4:]) > shown:
                shown = json.loads(load(""))["event"]
                load("/moves")
                load("/observation")
