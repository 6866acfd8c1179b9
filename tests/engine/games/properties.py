"""What has to hold in every game: checks that take a game, its players and a seed.

`check_random_game` plays one random game to its end and checks everything below on the way; the other
functions are its parts, for tests that look at single states:

    check_random_game(load_game("build"), ("red", "blue", "green"), seed, conserved=count_cards)

Every failure names the game, the seed and the moves so far, so that it can be replayed.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from engine import CHANCE, Action, Game, IllegalActionError, State, draw_chance
from engine.action import Notation
from engine.board import load_board
from engine.cards import UNKNOWN
from engine.position import difference

Conserved = Callable[[State], Hashable]
SwapHidden = Callable[[State, "str | None", random.Random], "State | None"]


@dataclass(frozen=True, slots=True)
class Nonsense(Action):
    """An action of no game at all: every state has to refuse it with a reason."""

    notation = Notation("sing a song", "singe ein Lied")


def random_action(state: State, rng: random.Random) -> Action:
    """A chance outcome with its probability, else any legal action."""
    return draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(state.legal_actions())


def random_game(
    game: Game,
    players: Sequence[str],
    seed: int,
    max_moves: int = 5000,
    choose: Callable[[State, random.Random], Action] = random_action,
) -> Iterator[tuple[State, Action | None]]:
    """(state, the action taken in it) to the end of a random game; the last action is None. `choose` is a
    player with a plan.

    Fails when the game does not end within `max_moves`."""
    rng = random.Random(seed)
    state = game.start(players)
    for _ in range(max_moves):
        if state.to_move is None:
            yield state, None
            return
        actions = state.legal_actions()
        assert actions, f"nobody can move although the game goes on: {state.to_json()}"
        action = choose(state, rng)
        yield state, action
        state = state.apply(action)
    pytest.fail(f"{game!r} with seed {seed} is not over after {max_moves} moves")


def check_random_game(
    game: Game,
    players: Sequence[str],
    seed: int,
    *,
    conserved: Conserved | None = None,
    swap_hidden: SwapHidden | None = None,
    thoroughness: float = 0.15,
    max_moves: int = 5000,
) -> State:
    """Play a random game to its end with all checks; returns the final state.

    conserved: what must stay the same all the time (cards, pieces per colour); called on every state.
    swap_hidden: (state, player, rng) -> the same state with cards swapped that `player` (None: an
        onlooker) has not seen, or None when there are none; `view(player)` must not notice.
    thoroughness: the share of states on which the expensive checks run."""
    rng = random.Random(seed)
    seen: list[Action] = []
    told: list[str] = []
    first = None if conserved is None else conserved(game.start(players))
    state = game.start(players)
    try:
        for state, action in random_game(game, players, seed, max_moves):
            check_state(state)
            if conserved is not None:
                assert conserved(state) == first, "something appeared or got lost"
            if rng.random() < thoroughness or action is None:
                check_thoroughly(state, rng, seen)
                if swap_hidden is not None:
                    check_views_ignore_hidden(state, rng, swap_hidden)
            if action is not None:
                seen.append(action)
                told.append(str(action))
    except AssertionError as error:
        error.add_note(f"{game!r}, players {tuple(players)}, seed {seed}, after: {'; '.join(told)}")
        raise
    check_over(state)
    return state


def check_thoroughly(state: State, rng: random.Random, seen: Sequence[Action] = ()) -> None:
    """The expensive checks of one state."""
    check_agreement(state, rng, seen)
    check_notation(state, rng)
    check_json(state)
    check_never_changed(state, rng)
    check_visible(state, rng)
    check_views(state)


def check_state(state: State) -> None:
    """Who is to move, chances and results fit together."""
    assert state.to_move in (*state.players, CHANCE, None)
    assert state.is_over == (state.to_move is None)
    outcomes = state.chance_outcomes()
    if state.to_move == CHANCE:
        assert tuple(action for action, _ in outcomes) == state.legal_actions()
        assert all(probability > 0 for _, probability in outcomes)
        assert sum(probability for _, probability in outcomes) == pytest.approx(1)
    else:
        assert outcomes == ()
    if state.to_move is not None:
        assert state.legal_actions(), "no legal action although the game is not over"
        assert not any(state.returns()), "results before the end"


def check_over(state: State) -> None:
    """The end of a game: no action is legal, everybody has a result and a score."""
    assert state.is_over and state.legal_actions() == () and state.chance_outcomes() == ()
    assert len(state.returns()) == len(state.players)
    assert all(-1 <= result <= 1 for result in state.returns())
    assert set(state.scores()) == set(state.players)


def check_agreement(state: State, rng: random.Random, seen: Iterable[Action] = ()) -> None:
    """legal_actions, why_not and apply agree both ways; refusals have a reason in both languages."""
    legal = state.legal_actions()
    assert len(set(legal)) == len(legal), "an action is listed twice"
    for action in legal:
        assert state.why_not(action) is None, f"{action} is listed, but: {state.why_not(action)}"
    for action in rng.sample(legal, min(4, len(legal))):
        state.apply(action)
    listed = set(legal)
    pool = [*seen, *legal]
    strangers: set[Action] = {Nonsense(), *rng.sample(pool, min(12, len(pool)))}
    strangers |= {_varied(rng.choice(pool), pool, rng) for _ in range(12) if pool}
    for action in strangers - listed:
        if not tells_more(action, listed) or state.why_not(action) is not None:
            check_refused(state, action)


# What may be told of a move, but is left out of the lists of legal ones.
DETAILS: dict[str, Any] = {"x_mm": None, "y_mm": None, "angle_deg": None, "pushed": (), "toppled": ()}


def tells_more(action: Action, listed: Container[Action]) -> bool:
    """Whether a listed action is `action` told with less: without coordinates, or with "??" for the card
    that somebody is dealt."""
    names = {field.name for field in dataclasses.fields(action)}
    less = {name: value for name, value in DETAILS.items() if name in names}
    if "card" in names:
        less["card"] = UNKNOWN
    return bool(less) and dataclasses.replace(action, **less) in listed


def check_refused(state: State, action: Action) -> None:
    """`action` is refused, for a reason that is more than "illegal"."""
    reason = state.why_not(action)
    assert reason is not None, f"{action} is not listed, but why_not has nothing against it"
    assert len(reason.en) > 8 and len(reason.de) > 8, f"{action}: {reason!r} says too little"
    assert reason.en.strip().lower() not in ("illegal", "illegal move", "not legal")
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(action)
    assert refusal.value.reason == reason


def _varied(action: Action, pool: Sequence[Action], rng: random.Random) -> Action:
    """`action` with one of its fields taken from another action of the same kind."""
    fields = dataclasses.fields(action)
    others = [other for other in pool if type(other) is type(action)]
    if not fields:
        return action
    field = rng.choice(fields).name
    return dataclasses.replace(action, **{field: getattr(rng.choice(others), field)})


def check_notation(state: State, rng: random.Random, most: int = 40) -> None:
    """What is written is unique in the state and reads back, in English and in German."""
    legal = state.legal_actions()
    for language in ("en", "de"):
        written = [action.text(language) for action in legal]
        assert len(set(written)) == len(written), f"two actions are written alike in {language}"
        for action, text in rng.sample(list(zip(legal, written, strict=True)), min(most, len(legal))):
            assert state.game.parse(text) == action, f"{text!r} reads back as {state.game.parse(text)!r}"
            assert state.game.parse(text.lower()) == action, f"{text.lower()!r} is not understood"


def check_json(state: State) -> State:
    """A state survives JSON, and goes on in the same way afterwards."""
    data = json.loads(json.dumps(state.to_json()))
    back = state.game.from_json(data)
    assert back == state and back.to_json() == data
    assert back.to_move == state.to_move and back.players == state.players
    assert back.legal_actions() == state.legal_actions()
    assert back.scores() == state.scores() and back.returns() == state.returns()
    assert back.visible().same_as(state.visible())
    assert {"game", "variant", "players", "to_move"} <= set(data)
    return back


def check_never_changed(state: State, rng: random.Random) -> None:
    """Nothing that is done with a state changes it."""
    before = json.dumps(state.to_json())
    legal = state.legal_actions()
    for action in rng.sample(legal, min(5, len(legal))):
        state.apply(action)
        state.visible_change(action)
    json.dumps(state.insights())
    for text in (state.prompt(), *(part.label for s in state.scores().values() for part in s.parts)):
        assert text.en and text.de
    for player in (*state.players, None):
        state.view(player)
    assert json.dumps(state.to_json()) == before, "an old state was changed"


@cache
def _fields_of(board: str) -> frozenset[str]:
    return frozenset(load_board(board).fields)


def check_visible(state: State, rng: random.Random) -> None:
    """Every piece lies on a field of the board, and `visible_change` tells what really changes."""
    fields = _fields_of(state.game.board)
    for piece in state.visible():
        names = piece.fields or ((piece.field,) if piece.field else ())
        assert names or piece.x_mm is not None, f"{piece} lies nowhere"
        assert all(field in fields for field in names), f"{piece} lies on no field of the board"
    legal = state.legal_actions()
    for action in rng.sample(legal, min(5, len(legal))):
        expected = difference(state.visible(), state.apply(action).visible())
        assert state.visible_change(action) == expected


def check_views(state: State) -> None:
    """A view is a half-seen state that shows the same board, and a second look hides nothing more."""
    for player in (*state.players, None):
        view = state.view(player)
        assert view.game.half_seen and view.players == state.players
        assert view.visible().same_as(state.visible()), "a view shows another board"
        assert view.view(player) == view
        assert view.is_over == state.is_over
        assert view.is_over or view.legal_actions(), "a view knows no way on"
        check_json(view)


def check_views_ignore_hidden(state: State, rng: random.Random, swap_hidden: SwapHidden) -> None:
    """No view changes when cards are swapped that its player has not seen."""
    for player in (*state.players, None):
        swapped = swap_hidden(state, player, rng)
        if swapped is not None:
            assert swapped.view(player) == state.view(player), f"the view of {player} leaks"


# --- golden playthroughs -------------------------------------------------------------------------


def golden_text(
    game: Game,
    players: Sequence[str],
    seed: int,
    choose: Callable[[State, random.Random], Action] = random_action,
) -> str:
    """A random game as a golden file: a JSON header, then per move "who | moves open to him | the move",
    and the scores at the end. Written once, checked by a person, replayed by `check_golden` for ever."""
    header = {"game": game.id, "variant": game.variant_json(), "players": list(players)}
    lines = [json.dumps(header)]
    state = game.start(players)
    for state, action in random_game(game, players, seed, choose=choose):
        if action is not None:
            lines.append(f"{state.to_move} | {len(state.legal_actions())} | {action}")
    return "\n".join([*lines, json.dumps(_outcome(state))]) + "\n"


def check_golden(text: str, load: Callable[..., Game]) -> State:
    """Replay what `golden_text` wrote; `load` is engine.load_game."""
    first, *moves, last = text.strip().splitlines()
    header = json.loads(first)
    game = load(header["game"], **header["variant"])
    state = game.start(header["players"])
    for number, line in enumerate(moves, 1):
        to_move, count, written = line.split(" | ")
        assert str(state.to_move) == to_move, f"move {number}: {state.to_move} to move, expected {to_move}"
        assert len(state.legal_actions()) == int(count), f"move {number}: other moves are open"
        state = state.apply(game.parse(written))
    assert _outcome(state) == json.loads(last)
    return state


def _outcome(state: State) -> dict[str, Any]:
    scores = {player: score.to_json() for player, score in state.scores().items()}
    return {
        "over": state.is_over,
        "returns": list(state.returns()),
        "totals": {player: score["total"] for player, score in scores.items()},
        "parts": {
            player: [[part["key"], part["points"]] for part in score["parts"]]
            for player, score in scores.items()
        },
    }
