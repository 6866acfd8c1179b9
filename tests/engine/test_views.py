"""Nobody is told of a card that he has not seen: the whole text of every view is searched for it.

What a player has seen is worked out here from the full state, game by game and without the engine's help.
Lists of all cards that may still turn up somewhere ("unseen", "drawn") name hidden cards without telling
where they are; they have to be the same for everybody.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine import CHANCE, State, draw_chance, load_game
from engine.cards import ALL_CARDS
from tests.engine.seats import SEATS, ending, seats

CARD_GAMES = ("council", "build", "ramming", "roulette")
CARD_SEATS = [(game_id, count) for game_id, count in SEATS if game_id in CARD_GAMES]
SAME_FOR_ALL = ("unseen", "drawn")
VARIANTS = {
    "council": [{}],
    "build": [{}, {"steal_cards_open": False, "sabotage_idle": True, "influence_spent": "under_pile"}],
    "ramming": [{}, {"trilith_cards": 5, "lives": 2}],
    "roulette": [{}],
}  # fmt: skip


def states(game_id: str, count: int, seed: int, **variant: Any) -> Iterator[State]:
    """States on the way through a random game."""
    game = load_game(game_id, **{**ending(game_id, 100), **variant})
    rng = random.Random(seed)
    state = game.start(seats(game, count))
    while not state.is_over:
        yield state
        by_chance = state.to_move == CHANCE
        state = state.apply(draw_chance(state, rng) if by_chance else rng.choice(state.legal_actions()))
    yield state


def seen_by(data: dict[str, Any], player: str | None) -> set[str]:
    """The cards that `player` (None: an onlooker) has before his eyes or in his memory."""
    return {"council": council, "build": build, "ramming": ramming, "roulette": roulette}[data["game"]](
        data, player
    )


def council(data, player):
    seen = set()
    for side in data["cards"].values():
        seen |= {*side["discards"], *side["hands"].get(player, ())}
        if player in side["hands"]:  # what the partner let him see
            seen |= {card for partner in side["hands"] for card in data["confided"][partner]}
    return seen


def build(data, player):
    seen = {*data["display"], *data["out_of_game"], *data["known"][player or "onlooker"]}
    for name, seat in data["seats"].items():
        seen |= set(seat["influence"]) | (set(seat["hand"]) if name == player else set())
        project = seat["project"]
        if project and (project["face"] == "up" or name == player):
            seen.add(project["card"])
    return seen


def ramming(data, player):
    seen = {*data["discards"], *data["played"], *data["hands"].get(player, ())}
    for place in data["display"]:
        if place["shown"] or place["face"] == "up" or player in place["looked_at_by"]:
            seen.add(place["card"])
    return seen


def roulette(data, player):
    return {*data["discards"], *data["hands"].get(player, ())}


def without(data: Any, keys: tuple[str, ...]) -> Any:
    """JSON data without these keys, however deep."""
    if isinstance(data, dict):
        return {key: without(value, keys) for key, value in data.items() if key not in keys}
    return [without(item, keys) for item in data] if isinstance(data, list) else data


def named_cards(data: Any) -> set[str]:
    """The cards whose token stands anywhere in the text of this data."""
    text = json.dumps(without(data, SAME_FOR_ALL))
    return {card for card in ALL_CARDS if f'"{card}"' in text or f" {card}" in text}


def pools(data: Any) -> list[Any]:
    """What the lists under SAME_FOR_ALL say of cards."""
    if isinstance(data, dict):
        own = [[entry["cards"] for entry in data["unseen"]]] if "unseen" in data else []
        own += [data["drawn"]] if "drawn" in data else []
        return own + [found for value in data.values() for found in pools(value)]
    return []


@pytest.mark.parametrize(("game_id", "count"), CARD_SEATS)
def test_no_view_names_a_card_that_its_player_has_not_seen(game_id, count):
    hidden_anywhere = 0
    for variant in VARIANTS[game_id]:
        for number, state in enumerate(states(game_id, count, seed=count, **variant)):
            if number % 9 and not state.is_over:
                continue
            full = state.to_json()
            for player in (*state.players, None):
                view = state.view(player)
                told = view.to_json()
                unseen = set(ALL_CARDS) - seen_by(full, player)
                assert not named_cards(told) & unseen, f"{game_id}, view of {player}, step {number}"
                assert pools(told) == pools(full), "a list of what may turn up tells more"
                hidden_anywhere += len(named_cards(full) & unseen)
    assert hidden_anywhere > 200, "this game had nothing to hide: the search above proves nothing"


@pytest.mark.parametrize("count", [2])
def test_face_down_stones_are_known_to_their_owner_only(count):
    hidden = 0
    for state in states("stonehenge", count, seed=4, face_down=True):
        truth = {stone["space"]: stone for stone in state.to_json()["stones"]}
        for player in (*state.players, None):
            for stone in state.view(player).to_json()["stones"]:
                own = truth[stone["space"]]
                open_to_him = own["face"] == "up" or own["colour"] == player
                hidden += not open_to_him
                assert stone["value"] == (own["value"] if open_to_him else None)
    assert hidden > 50


@pytest.mark.parametrize(("game_id", "count"), CARD_SEATS)
def test_the_search_finds_what_is_told(game_id, count):
    """A full state passed off as a view is caught."""
    caught = 0
    for number, state in enumerate(states(game_id, count, seed=1)):
        if number > 200:
            break
        full = state.to_json()
        caught += bool(named_cards(full) - seen_by(full, state.players[0]))
    assert caught > 50
