"""`henge bench engine`: counts moves, compares with chess, tells in a table or as JSON."""

from __future__ import annotations

import json
from itertools import cycle, islice

import pytest

from cli.bench_engine import chess_moves, compared, game_moves, rates
from cli.main import BAD_INPUT, DONE
from engine import load_game

QUICK = ("--rounds", "1", "--seconds", "0.001")


def test_every_game_and_number_of_players_is_measured(henge):
    result = henge("bench", "engine", *QUICK, "--json")
    assert result.code == DONE
    measured = [(entry["game"], entry["players"]) for entry in json.loads(result.out)]
    games = map(load_game, ("stonehenge", "council", "build", "rolling", "ramming", "roulette"))
    assert measured == [(game.id, count) for game in games for count in game.player_counts]
    assert all(
        entry["per_s"] + entry["events_per_s"] > 0 and entry["chess_per_s"] > 0
        for entry in json.loads(result.out)
    )


def test_the_table_has_a_row_for_each(henge):
    result = henge("bench", "engine", "--game", "build", *QUICK)
    assert [line.split()[:2] for line in result.out.splitlines()[1:]] == [["build", "3"], ["build", "4"]]
    assert result.out.startswith("game ")


def test_half_seen_games_are_measured_too(henge):
    result = henge("bench", "engine", "--game", "roulette", "--half-seen", *QUICK, "--json")
    assert [entry["players"] for entry in json.loads(result.out)] == [2, 3, 4, 5]


def test_only_moves_of_players_count():
    """A clock that shows two seconds after a look: of 50 steps every second is a move."""
    times = iter([0.0, 2.0])
    assert rates(cycle([True, False]), 1, clock=lambda: next(times)) == (12.5, 12.5)


def test_the_ratio_is_the_median_of_the_rounds(monkeypatch):
    measured = iter([(10.0, 1.0), (5.0, 0.0), (90.0, 2.0), (10.0, 0.0), (40.0, 3.0), (10.0, 0.0)])
    monkeypatch.setattr("cli.bench_engine.rates", lambda moves, seconds: next(measured))
    speed = compared("build", 3, iter(()), iter(()), 3, 1)
    assert speed == ("build", 3, 40.0, 2.0, 10.0, 4.0)


def test_without_chess_there_is_nothing_to_compare_with():
    players = ("red", "blue", "white")
    speed = compared("build", 3, game_moves(load_game("build"), players, 1), None, 1, 0.001)
    assert (speed.chess_per_s, speed.ratio) == (None, None)


def test_chess_is_played_for_ever():
    assert sum(islice(chess_moves(1), 500)) == 500


@pytest.mark.parametrize("wrong", [("--rounds", "0"), ("--seconds", "-1"), ("--game", "chess")])
def test_what_cannot_be_measured_is_one_line(henge, wrong):
    result = henge("bench", "engine", *wrong)
    assert (result.code, result.out) == (BAD_INPUT, "")
    assert result.err.count("\n") == 1
