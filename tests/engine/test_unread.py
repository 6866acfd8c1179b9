"""Cards that nobody could read: what a camera tells of a move is legal and says nothing that is not so."""

from __future__ import annotations

import random

import pytest

from engine import CHANCE, load_game
from engine.action import Action, covers
from engine.errors import IllegalActionError
from engine.game import draw_chance
from engine.games import state_from_json
from engine.hands import BIT, Hands, mask_like, mask_of
from engine.referee.simulate import PLAYERS

WITH_CARDS = ("council", "build", "ramming", "roulette")


def random_action(state, actions, rng):
    """Of a random kind, so that a game comes to all of them."""
    kind = rng.choice(list(dict.fromkeys(map(type, actions))))
    return rng.choice([each for each in actions if type(each) is kind])


def real_game(game_id: str, seed: int, longest: int = 250):
    """(state, action) of a game in which everything is known."""
    rng, state = random.Random(seed), load_game(game_id).start(PLAYERS[game_id])
    for _ in range(longest):
        if state.is_over:
            return
        action = (
            draw_chance(state, rng)
            if state.to_move == CHANCE
            else random_action(state, state.legal_actions(), rng)
        )
        yield state, action
        state = state.apply(action)


def is_said_by(seen: Action, action: Action) -> bool:
    return covers(seen, action) or type(action) in seen.sums_up


@pytest.mark.parametrize("game_id", PLAYERS)
@pytest.mark.parametrize("seed", range(2))
def test_a_game_that_only_a_camera_follows_goes_on_and_can_be_kept(game_id, seed):
    """Played by seen actions alone: each is legal, is written and read again, and so is each state."""
    rng, state = random.Random(seed), load_game(game_id, half_seen=True).start(PLAYERS[game_id])
    unread = 0
    for number in range(300):
        actions = state.seen_actions()
        if not actions:
            break
        action = random_action(state, actions, rng)
        assert state.game.parse(str(action)) == action
        state = state.apply(action)
        unread += "??" in str(action) and "draws" not in str(action)
        if number % 10 == 0:
            assert state_from_json(state.to_json()) == state
    assert unread > 5 or game_id not in WITH_CARDS


@pytest.mark.parametrize("game_id", PLAYERS)
def test_every_move_that_can_be_seen_is_among_what_a_camera_can_tell(game_id):
    seen_moves = 0
    for number, (state, action) in enumerate(real_game(game_id, 7)):
        change = state.visible_change(action)
        if not change or number % 3:
            continue
        known = state.view(None)
        alike = [each for each in known.seen_actions() if is_said_by(each, action)]
        assert (
            any(known.visible_change(each) == change for each in alike) or "Show" in type(action).__name__
        ), action
        seen_moves += 1
    assert seen_moves > 10


@pytest.mark.parametrize("game_id", ["council", "ramming", "roulette"])
def test_where_all_is_known_cards_are_named(game_id):
    """No action with ?? is legal in a game whose cards are all in the record."""
    refused = 0
    for state, _ in real_game(game_id, 3, longest=120):
        if state.to_move == CHANCE:
            continue
        for each in state.view(None).seen_actions()[:12]:
            if "??" in str(each):
                assert state.why_not(each) is not None, each
                with pytest.raises(IllegalActionError):
                    state.apply(each)
                refused += 1
    assert refused > 10


# --- hands -----------------------------------------------------------------------------------------------


def test_an_unread_card_comes_back_when_the_discards_are_shuffled():
    hands = Hands.fresh(mask_of(("1-day", "2-day", "3-day", "4-day")), 1)
    hands = hands.draw(0, "??").draw(0, "??").play_away(0, "??")
    assert (hands.size(0), hands.pile_count, hands.unread) == (1, 2, (1,)) and hands.has_discards
    hands = hands.draw(0, "??").draw(0, "??")
    assert hands.pile_count == 0
    hands = hands.shuffle()
    assert (hands.size(0), hands.pile_count, hands.has_discards) == (3, 1, False)
    assert Hands.from_json(hands.to_json(("red",)), ("red",), 15).to_json(("red",)) == hands.to_json(("red",))


def test_a_known_card_that_may_have_been_played_unread_is_not_known_any_more():
    hands = Hands.fresh(mask_of(("1-day", "7-day", "2-day")), 1).draw(0, "1-day").draw(0, "2-day")
    after = hands.play_away(0, "??-white")
    assert not after.known[0] & BIT["1-day"] and after.known[0] & BIT["2-day"]
    assert after.size(0) == 1


@pytest.mark.parametrize(
    ("seen", "cards"),
    [
        ("7-??", {"7-day", "7-night"}),
        ("trilith-??", {f"trilith-{c}" for c in ("white", "blue", "green", "yellow", "red")}),
    ],
)
def test_a_card_may_be_partly_read(seen, cards):
    assert mask_like(seen) == mask_of(cards)


# --- what is written -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vague", "exact", "said"),
    [
        ("move ??-white", "move 7-day", True),
        ("move ??-white", "move 8-day", False),
        ("turn up ?? hitting pit-7-night", "turn up 7-night", True),
        ("flip trilith-??", "flip trilith-red", True),
        ("fall ??-white", "move 7-day", False),
    ],
)
def test_what_an_unread_card_says(vague, exact, said):
    game = load_game("roulette")
    assert covers(game.parse(vague), game.parse(exact)) is said
