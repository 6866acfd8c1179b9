"""Whole evenings before a reader that makes mistakes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from engine import load_game
from engine.referee.simulate import PLAYERS, Evening
from engine.referee.simulated_reader import SimulatedReader, tops
from tests.engine.referee.tables import (
    stonehenge,
)

ROOT = Path(__file__).resolve().parents[3]


def test_the_simulated_reader_errs_as_often_as_it_is_told():
    game = load_game("stonehenge")
    reader = SimulatedReader(game, ("black", "brown"), random.Random(3), error=0.03)
    position, wrong, all_fields = stonehenge("place 4 on space-A").visible(), 0, 0
    truth = tops(position)
    for _ in range(150):
        view = reader.read(position)
        for place, belief in view.fields.items():
            wrong += max(belief, key=belief.__getitem__) != truth.get(place)
            all_fields += 1
    assert 0.015 < wrong / all_fields < 0.045


@pytest.mark.parametrize("seed", range(3))
def test_an_evening_before_an_unreliable_reader_is_recorded_right(seed):
    tally = Evening(load_game("stonehenge"), ("black", "brown"), seed, error=0.01).play()
    assert tally.games_right == 1 and tally.moves_without < tally.moves


@pytest.mark.parametrize(
    ("game_id", "players", "moves"),
    [
        ("rolling", ("white", "blue"), 40),
        ("build", ("red", "blue", "green"), 25),
        ("ramming", ("white", "blue", "green"), 60),
        ("council", ("white", "red"), 40),
    ],
)
def test_games_with_cards_and_wheels_are_followed_as_far_as_can_be_seen(game_id, players, moves):
    tally = Evening(load_game(game_id), players, 5, error=0.01).play(longest=moves)
    assert tally.failures == [] and tally.moves_exact == tally.moves
    assert tally.questions <= 2


@pytest.mark.parametrize(
    ("game_id", "players", "made"),
    [
        ("stonehenge", ("black", "brown"), 9),
        ("council", ("white", "red"), 60),
        ("build", ("red", "blue", "green"), 60),
        ("rolling", ("white", "blue"), 12),
        ("ramming", ("white", "blue", "green"), 120),
        ("roulette", ("white", "blue", "green"), 90),
    ],
)
def test_a_game_is_followed_from_the_middle(game_id, players, made):
    evening = Evening(load_game(game_id), players, 1, error=0.005)
    evening.skip(made)
    tally = evening.play(longest=15)
    assert tally.failures == [] and tally.moves == 15 and tally.questions <= 1


SCORES = """
from engine import load_game
from engine.referee import Referee
from engine.referee.simulate import Evening

see = Referee.see
def shown(*args):
    decision = see(*args)
    print(decision.verdict, *decision.scores.values())
    return decision

Referee.see = shown
Evening(load_game("roulette"), ("white", "blue", "green"), 4, error=0.03).play(longest=25)
"""


def test_the_same_evening_is_judged_alike_in_every_process():
    """To the last digit: no set of texts decides in which order anything is tried or added up, as their
    order is another one in each process."""
    told = [
        subprocess.run(
            [sys.executable, "-c", SCORES], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True, cwd=ROOT,
        ).stdout
        for seed in ("0", "1")
    ]  # fmt: skip
    assert told[0] == told[1] and told[0].count("\n") >= 25


@pytest.mark.parametrize("seed", range(4))
def test_planted_illegal_moves_are_caught(seed):
    caught = Evening(load_game("stonehenge"), PLAYERS["stonehenge"], seed, error=0.01).plant(6)
    assert caught in (True, None)


def test_turns_that_nobody_saw_do_not_explain_what_no_rule_allows():
    """What speaks against the record speaks as much against any other story that says the same lies there."""
    assert Evening(load_game("council"), PLAYERS["council"], 1_400_003, error=0.01).plant(10)
