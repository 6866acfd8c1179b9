"""What is hidden stays hidden: evenings that differ only in cards which nobody was shown look alike, byte by
byte, to everybody who was not shown them; and a hand stands in nobody's bytes but its owner's."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import CHANCE, State, draw_chance, load_game, log
from engine.cards import NUMBER_CARDS
from engine.record import Entry, Record
from table import Hall, Table
from table.seen import seen_by
from tests.webui.conftest import Client
from webui import create_app
from webui.api.events import event_text

PLAYERS = {
    "build": ("red", "blue", "green"),
    "council": ("white", "red", "yellow", "blue"),
    "ramming": ("red", "blue", "green"),
    "roulette": ("red", "blue", "green"),
    "stonehenge": ("black", "brown"),
}
VARIANTS: dict[str, dict[str, Any]] = {"stonehenge": {"face_down": True}}
STEPS = 60


def a_dealt_evening(game: str, seed: int, steps: int = STEPS) -> log.GameLog:
    """A log with every card by name, as it is written where half_seen is false."""
    rng = random.Random(seed)
    variant = VARIANTS.get(game, {})
    state: State = load_game(game, **variant).start(PLAYERS[game])
    entries: list[Entry] = []
    while (len(entries) < steps and not state.is_over) or state.to_move == CHANCE:
        action = draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())
        entries.append(Entry("move", str(action), who=state.to_move))
        state = state.apply(action)
    return log.GameLog(game, PLAYERS[game], variant, entries=tuple(entries))


def twins(game: str) -> tuple[log.GameLog, log.GameLog]:
    """Two such logs that differ in two cards which stayed hidden: what one player has in one of them,
    another player or the pile has in the other; or in the values of two stones that lie face down."""
    for seed in itertools.count():
        evening = a_dealt_evening(game, seed, 14 if game == "stonehenge" else STEPS)
        record = Record(evening.first_state(), evening.entries)
        for swapped in (stones_swapped if game == "stonehenge" else cards_swapped)(record):
            twin = log.GameLog(game, evening.players, evening.variant, entries=swapped)
            again, problem = log.check(twin)
            if problem is None and again is not None and same_views(record, again):
                return evening, twin
    raise AssertionError


def cards_swapped(record: Record) -> Iterator[tuple[Entry, ...]]:
    open_ = str([each.text for each in seen_by(None, record.start, record.entries)])
    named = " ".join(entry.text for entry in record.entries)
    hidden = [card for card in NUMBER_CARDS if re.search(rf"\b{card}\b", named) and card not in open_]
    for one, other in itertools.combinations(hidden, 2):
        yield tuple(exchanged(entry, one, other) for entry in record.entries)


def stones_swapped(record: Record) -> Iterator[tuple[Entry, ...]]:
    """Two stones of a player change places, both of which were placed face down."""
    placed = [n for n, entry in enumerate(record.entries) if entry.text.startswith("place ")]
    for one, other in itertools.combinations(placed, 2):
        texts = [entry.text for entry in record.entries]
        if record.entries[one].who != record.entries[other].who:
            continue
        first, second = (texts[n].split()[1] for n in (one, other))
        texts[one] = texts[one].replace(f"place {first}", f"place {second}")
        texts[other] = texts[other].replace(f"place {second}", f"place {first}")
        pairs = zip(record.entries, texts, strict=True)
        yield tuple(Entry(entry.kind, text, who=entry.who) for entry, text in pairs)


def same_views(record: Record, twin: Record) -> bool:
    """Whether the rules themselves hide the difference at every moment, and there is one."""
    numbers = range(len(record.entries) + 1)
    views = all(record.state_at(n).view(None) == twin.state_at(n).view(None) for n in numbers)
    return views and record.state != twin.state


def exchanged(entry: Entry, one: str, other: str) -> Entry:
    text = re.sub(rf"\b({one}|{other})\b", lambda m: other if m[0] == one else one, entry.text)
    return Entry(entry.kind, text, who=entry.who)


def everything_received(client: FlaskClient, table: Table) -> dict[str, str]:
    """All that the server tells an onlooker about a table, by address; the table's own id apart."""
    path = f"/api/tables/{table.id}"
    rest = [
        "",
        "/moves",
        "/log.txt",
        "/log.json",
        "/observation",
        "/player",
        "/sheet.pdf",
        "/moves/check?text=x",
    ]
    rest += [f"/moments/{number}" for number in range(len(table.entries) + 1)]
    found = {each: client.get(path + each).data.decode("latin-1") for each in rest}
    found["hall"] = client.get("/api/tables").get_data(as_text=True)
    found["events"] = "".join(map(event_text, table.events_since(0) + table.events_since(1_000_000)))
    return {address: text.replace(table.id, "TABLE") for address, text in found.items()}


class Stacked(random.Random):
    """A dealer with a stacked deck: draws what an evening says was drawn."""

    def __init__(self, evening: log.GameLog) -> None:
        super().__init__(0)
        self._texts = [entry.text for entry in reversed(evening.entries) if entry.who == CHANCE]

    def choices(self, population: Any, *_: Any, **__: Any) -> Any:
        wanted = self._texts.pop()
        return [next(action for action in population if str(action) == wanted)]


def hall_of(folder: Path, evening: log.GameLog) -> Hall:
    """A hall in which time stands still: what two of them say can be compared."""
    return Hall(folder, lambda: datetime(2026, 3, 6, tzinfo=UTC), Stacked(evening))


def client_of(hall: Hall) -> FlaskClient:
    app = create_app(hall)
    app.test_client_class = Client
    return app.test_client()


@pytest.mark.parametrize("game", PLAYERS)
def test_logs_that_differ_in_hidden_cards_look_alike(tmp_path: Path, game: str) -> None:
    """Imported, scrubbed, taken back, exported, put on the shelf."""
    received, states = [], []
    for each in twins(game):
        with hall_of(tmp_path / str(len(received)), each) as hall:
            table = hall.import_log(log.write(each))
            states.append(table.state)
            told = everything_received(client_of(hall), table)
            table.undo()
            told |= {f"undone {k}": v for k, v in everything_received(client_of(hall), table).items()}
            table.put_away()
            told |= {f"shelf {k}": v for k, v in everything_received(client_of(hall), table).items()}
            received.append(told)
    assert states[0] != states[1]
    for address, text in received[0].items():
        assert text == received[1][address], address


@pytest.mark.parametrize("game", PLAYERS)
def test_evenings_dealt_by_henge_look_alike_while_they_go_on(tmp_path: Path, game: str) -> None:
    told: list[list[str]] = []
    for each in twins(game):
        with hall_of(tmp_path / str(len(told)), each) as hall:
            table = hall.create(game, each.players, {**each.variant, "half_seen": False})
            client = client_of(hall)
            told.append([])
            for number, entry in enumerate(move for move in each.entries if move.who != CHANCE):
                client.post(f"/api/tables/{table.id}/moves", json={"text": entry.text})
                if number % 6 == 0:
                    told[-1] += everything_received(client, table).values()
            assert len(table.entries) == len(each.entries)
    assert told[0] == told[1]


# --- seats and hands ----------------------------------------------------------------------------------


def test_a_hand_is_in_the_bytes_of_its_player_alone(tmp_path: Path) -> None:
    """Red, blue and an onlooker each with a browser of their own, through a game dealt by Henge."""
    with Hall(tmp_path, dealer=random.Random(7)) as hall:
        table = hall.create("build", PLAYERS["build"], {"half_seen": False})
        app = create_app(hall)
        app.test_client_class = Client
        clients = {player: app.test_client() for player in PLAYERS["build"]}
        for player, client in clients.items():
            assert client.put(seat(table, player), json={"pin": "1234"}).status_code == 200
        looker, rng, found = app.test_client(), random.Random(2), 0
        for _ in range(40):
            if table.state.is_over:
                break
            mover = str(table.state.to_move)
            private = {player: client.get(hand(table, player)) for player, client in clients.items()}
            received = {player: answer.get_data(as_text=True) for player, answer in private.items()}
            others = "".join(everything_received(looker, table).values())
            for player, answer in private.items():
                cards = answer.get_json()["cards"]
                needle = json.dumps(cards, separators=(",", ":"))
                if len(cards) > 1:
                    found += needle in received[player]
                    assert needle not in others
                    assert all(needle not in received[other] for other in clients if other != player)
            legal = private[mover].get_json()["moves"]["moves"]
            assert {move["text"] for move in legal} == set(map(str, table.state.legal_actions()))
            text = rng.choice(legal)["text"]
            moves = f"/api/tables/{table.id}/moves"
            assert looker.post(moves, json={"text": text}).status_code == 403
            assert clients[mover].post(moves, json={"text": text}).status_code == 200
        assert found > 40


def test_a_pin_opens_one_seat_and_guessing_it_ends_soon(tmp_path: Path) -> None:
    with Hall(tmp_path) as hall:
        table = hall.create("build", PLAYERS["build"], {"half_seen": False})
        app = create_app(hall)
        app.test_client_class = Client
        red, thief = app.test_client(), app.test_client()
        assert red.put(seat(table, "red"), json={"pin": "12"}).status_code == 409
        assert red.put(seat(table, "red"), json={"pin": "1234"}).status_code == 200
        assert red.get(hand(table, "red")).status_code == 200
        assert red.get(hand(table, "blue")).status_code == thief.get(hand(table, "red")).status_code == 403
        tries = [thief.put(seat(table, "red"), json={"pin": f"{n:04}"}).status_code for n in range(12)]
        assert tries[:8] == [403] * 8 and set(tries[8:]) == {429}
        assert thief.delete(seat(table, "red")).status_code == 200  # at the machine; everybody is told
        assert "given free" in table.entries[-1].text
        assert red.get(hand(table, "red")).status_code == 403
    with Hall(tmp_path) as hall:  # a PIN outlives a restart
        assert hall.seats.taken(table.id) == frozenset()
        assert hall.seats.take(table.id, "blue", "9876") and not hall.seats.take(table.id, "blue", "9877")
    with Hall(tmp_path) as hall:
        assert hall.seats.take(table.id, "blue", "9876") and not hall.seats.take(table.id, "blue", "1234")


def seat(table: Table, player: str) -> str:
    return f"/api/tables/{table.id}/seats/{player}"


def hand(table: Table, player: str) -> str:
    return f"/api/tables/{table.id}/hands/{player}"
