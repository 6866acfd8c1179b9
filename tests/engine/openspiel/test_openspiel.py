"""All six games under OpenSpiel's own checks, for every number of players.

`pyspiel.random_sim_test` plays random games and checks after every move: legal actions are sorted, unique
in words and empty for everybody else; clones and saved states go on as the original does; what players
observe can be told; a game ends within its length with results in their range.
"""

from __future__ import annotations

import json
import random

import pyspiel
import pytest

from engine import CHANCE, GAMES, load_game
from tests.engine.openspiel import adapter
from tests.engine.seats import SEATS, ending

VARIANTS = [
    (game_id, variant.key, choice)
    for game_id in GAMES
    for variant in load_game(game_id).variants
    for choice in list(adapter.by_parameter(variant))[1:]
    if variant.key != "turn_limit"
]


def load(game_id: str, **parameters: object) -> pyspiel.Game:
    return pyspiel.load_game(f"henge_{game_id}", parameters)


def simulate(game: pyspiel.Game, games: int) -> None:
    pyspiel.random_sim_test(game, num_sims=games, serialize=True, verbose=False)


@pytest.mark.parametrize(("game_id", "count"), SEATS)
def test_random_games(game_id, count):
    simulate(load(game_id, players=count, **ending(game_id)), games=1)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "count"), SEATS)
def test_many_random_games(game_id, count):
    simulate(load(game_id, players=count), games=5)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "key", "choice"), VARIANTS)
def test_variants(game_id, key, choice):
    for count in load_game(game_id).player_counts:
        parameters = {"players": count, key: choice, **ending(game_id)}
        simulate(load(game_id, **parameters), games=1)


@pytest.mark.slow
@pytest.mark.parametrize("count", load_game("council").player_counts)
def test_councils_come_to_a_decision_without_a_limit(count):
    simulate(load("council", players=count, turn_limit=0), games=5)


@pytest.mark.parametrize(("game_id", "count"), SEATS)
def test_the_adapter_follows_the_engine(game_id, count):
    """The same moves lead to the same state on both sides, up to the result."""
    rng = random.Random(count)
    played = load(game_id, players=count, **ending(game_id)).new_initial_state()
    state = played.state
    while not played.is_terminal():
        if state.to_move == CHANCE:
            assert played.is_chance_node()
            number, chance = rng.choice(played.chance_outcomes())
            assert state.chance_outcomes()[number] == (state.legal_actions()[number], chance)
        else:
            assert state.players[played.current_player()] == state.to_move
            number = rng.choice(played.legal_actions())
        action = state.game.parse(played.action_to_string(number))
        played.apply_action(number)
        state = state.apply(action)
        assert played.state == state
    assert state.is_over
    assert played.returns() == list(state.returns())
    assert played.num_players() == len(state.players) == count


def test_observations_are_the_views_of_the_players():
    played = load("roulette", players=2).new_initial_state()
    while played.is_chance_node():
        played.apply_action(played.legal_actions()[0])
    hands = played.state.to_json()["hands"]
    for number, (player, own) in enumerate(hands.items()):
        seen = json.loads(played.observation_string(number))["hands"]
        assert seen == {name: own if name == player else ["??"] * 5 for name in hands}


@pytest.mark.parametrize("fault", ["not sorted", "named twice", "no end", "chances"])
def test_the_checks_can_fail(fault):
    """A game that is wrong in one way does not pass `random_sim_test`."""

    class Wrong(adapter.HengeState):
        def _legal_actions(self, player):
            numbers = super()._legal_actions(player)
            return numbers[::-1] if fault == "not sorted" else numbers

        def _action_to_string(self, player, number):
            return "do it" if fault == "named twice" else super()._action_to_string(player, number)

        def chance_outcomes(self):
            outcomes = super().chance_outcomes()
            return [(n, chance / 2) for n, chance in outcomes] if fault == "chances" else outcomes

    _, ours = adapter.game_class("rolling")
    parameters = {"max_game_length": 3} if fault == "no end" else {}
    game = type("WrongGame", (ours,), {"new_initial_state": lambda self: Wrong(self, self.first)})(parameters)
    with pytest.raises(pyspiel.SpielError):
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
