"""Golden games: whole games of every kind as text, with what was open before each move and what came out.

Each is replayed move by move; every variant and house rule, every number of players, openly and half seen,
occurs in some game. `properties.golden_text` writes such a file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES, load_game
from engine.games.stonehenge import Series
from tests.engine.games.properties import check_golden
from tests.engine.seats import SEATS

FOLDER = Path(__file__).with_name("golden")
SERIES = FOLDER / "series-of-stonehenge.txt"
GOLDEN = sorted(set(FOLDER.glob("*.txt")) - {SERIES})


@cache
def headers() -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8").splitlines()[0]) for path in GOLDEN]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_is_played_again(path):
    assert path.stem.startswith(json.loads(path.read_text("utf-8").splitlines()[0])["game"])
    assert check_golden(path.read_text("utf-8"), load_game).is_over


def test_a_golden_series_is_played_again():
    *games, end = SERIES.read_text("utf-8").split("\n\n")
    series = Series(("black", "brown"))
    for text in games:
        final = check_golden(text, load_game)
        assert final.players == series.next_players(), "the start alternates"
        series = series.with_game(final)
    assert len(games) == 4
    told = {**series.to_json(), "totals": series.totals(), "masters": list(series.masters())}
    assert {key: told[key] for key in ("games", "totals", "masters")} == json.loads(end)


@pytest.mark.parametrize(("game_id", "count"), SEATS)
def test_every_number_of_players_has_one(game_id, count):
    assert any(header["game"] == game_id and len(header["players"]) == count for header in headers())


@pytest.mark.parametrize("game_id", GAMES)
def test_every_variant_and_house_rule_has_one(game_id):
    played = defaultdict(set)
    for header in headers():
        for key, value in header["variant"].items() if header["game"] == game_id else ():
            played[key].add(value)
    assert True in played["half_seen"]
    for variant in load_game(game_id).variants:
        others = set(variant.choices[1:])
        if variant.house_rule or variant.key == "neutral_colour":
            assert played[variant.key] & others, variant.key
        else:
            assert played[variant.key] >= others, variant.key


def test_a_golden_game_can_fail():
    text = (FOLDER / "stonehenge.txt").read_text("utf-8")
    with pytest.raises(AssertionError, match="expected black"):
        check_golden(text.replace("brown |", "black |"), load_game)
    with pytest.raises(AssertionError, match="other moves are open"):
        check_golden(text.replace("| 108 |", "| 107 |"), load_game)
