"""Every game of the engine as a game of OpenSpiel (https://github.com/google-deepmind/open_spiel).

    import tests.engine.openspiel.adapter          # registers henge_stonehenge, henge_council, ...
    game = pyspiel.load_game("henge_council(players=4,turn_limit=50,cap_overflow=refuse)")

Nothing in here knows a rule: all of it comes from `Game` and `State`.

- An action's id is its index in `state.legal_actions()`, whose order the engine fixes; it is the same in
  every process, and means something only together with its state. `action_to_string` is the engine's
  notation, which means the same everywhere.
- Players are the seats in order; `players` tells how many, every variant is a parameter of its own. A
  parameter has one type: where the choices are numbers and a word (max_rerolls), the word is -1.
- Deals, draws, reveals and rolls are chance nodes with the engine's probabilities.
- What a player observes is `state.view(player)` as JSON text.
- OpenSpiel wants games that end: where a game knows a `turn_limit`, it is 200 here unless told otherwise.
  `max_game_length` bounds the number of moves that players make; it ends no game.
"""

from __future__ import annotations

import json
from typing import Any

import pyspiel

from engine import CHANCE, GAMES, State, load_game, state_from_json
from engine.game import Variant
from tests.engine.seats import seats

MOST_ACTIONS = 1024  # open to a player, or by chance, at one time
MOST_MOVES = 100_000
TURN_LIMIT = 200


class Held:
    """An engine state inside an OpenSpiel state: shared between clones, as nobody can change it, and
    saved as the JSON that the engine itself writes."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __deepcopy__(self, memo: dict[int, Any]) -> Held:
        return self

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return held_from_json, (json.dumps(self.state.to_json()),)


def held_from_json(text: str) -> Held:
    return Held(state_from_json(json.loads(text)))


class HengeState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """One moment of a game."""

    def __init__(self, game: pyspiel.Game, state: State) -> None:
        super().__init__(game)
        self.held = Held(state)

    @property
    def state(self) -> State:
        return self.held.state

    def current_player(self) -> int:
        to_move = self.state.to_move
        if to_move is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if to_move == CHANCE else self.state.players.index(to_move)

    def is_terminal(self) -> bool:
        return self.state.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.state.legal_actions())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, chance) for number, (_, chance) in enumerate(self.state.chance_outcomes())]

    def _apply_action(self, number: int) -> None:
        self.held = Held(self.state.apply(self.state.legal_actions()[number]))

    def _action_to_string(self, player: int, number: int) -> str:
        return str(self.state.legal_actions()[number])

    def returns(self) -> list[float]:
        return list(self.state.returns())

    def __str__(self) -> str:
        return json.dumps(self.state.to_json())


class HengeObserver:
    """What a player may know, as text; there are no tensors."""

    tensor = None
    dict: dict[str, Any] = {}

    def set_from(self, state: HengeState, player: int) -> None:
        """Nothing to fill in: there are no tensors."""

    def string_from(self, state: HengeState, player: int) -> str:
        return json.dumps(state.state.view(state.state.players[player]).to_json())


def by_parameter(variant: Variant) -> dict[Any, Any]:
    """The choices of a variant by the value of OpenSpiel's parameter; the default is the first."""
    mixed = len({type(choice) for choice in variant.choices}) > 1
    return {-1 if mixed and isinstance(choice, str) else choice: choice for choice in variant.choices}


def game_class(game_id: str) -> tuple[pyspiel.GameType, type[pyspiel.Game]]:
    """The type that OpenSpiel registers, and the class it makes games of."""
    plain = load_game(game_id)
    choices = {variant.key: by_parameter(variant) for variant in plain.variants}
    defaults = {key: next(iter(values)) for key, values in choices.items()}
    if "turn_limit" in defaults:
        defaults["turn_limit"] = TURN_LIMIT
    game_type = pyspiel.GameType(
        short_name=f"henge_{game_id}",
        long_name=plain.title.en,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(plain.player_counts),
        min_num_players=min(plain.player_counts),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={
            "players": plain.player_counts[0], "max_game_length": MOST_MOVES, **defaults,
        },
    )  # fmt: skip

    class HengeGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
        def __init__(self, parameters: dict[str, Any] | None = None) -> None:
            given = {**game_type.parameter_specification, **(parameters or {})}
            count = int(given["players"])
            rules = load_game(game_id, **{key: choices[key].get(given[key], given[key]) for key in defaults})
            self.first = rules.start(seats(rules, count))
            info = pyspiel.GameInfo(
                num_distinct_actions=MOST_ACTIONS,
                max_chance_outcomes=MOST_ACTIONS,
                num_players=count,
                min_utility=-1.0,
                max_utility=1.0,
                max_game_length=int(given["max_game_length"]),
            )
            super().__init__(game_type, info, parameters or {})

        def new_initial_state(self) -> HengeState:
            return HengeState(self, self.first)

        def make_py_observer(self, kind: Any = None, parameters: Any = None) -> HengeObserver:
            return HengeObserver()

    return game_type, HengeGame


for _game_id in GAMES:
    pyspiel.register_game(*game_class(_game_id))
