"""The fame of Erbaut Stonehenge!: the rule book's example, odd cases, and a second way of counting."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Position, StateError, load_game
from engine.games.build import scoring
from engine.games.build.ground import SITE_OF, SITES
from tests.engine.games.build_naive import naive_fame
from tests.engine.games.build_tables import blocks, bluestones, druid, triliths
from tests.engine.games.properties import random_game

ALTAR = druid("white", "altar")


def mask(fields):
    return sum(1 << SITE_OF[field] for field in fields)


def ring(*numbers):
    return [f"ring-{n}" for n in numbers]


def stones(*numbers):
    return [f"bluestone-{n}" for n in numbers]


def gates(*numbers):
    return [f"trilith-{n}" for n in numbers]


@pytest.mark.parametrize(
    ("fields", "fame"),
    [
        (ring(3, 4, 5, 6, 7), 14),  # the rule book's example: 5 + 4 + 5
        (ring(1, 2, 3), 5),
        (ring(1, 2, 3, 4), 12),
        (ring(29, 30, 1, 2), 12),  # the ring closes
        (ring(*range(1, 31)), 65),  # 30 blocks, 30 pairs, one run
        (ring(*range(1, 30)), 62),
        ([*ring(1, 2, 3, 4), *ring(6, 7, 8, 9)], 24),
        (ring(1, 2, 3, 4, 5, 6, 7, 8, 9), 22),  # joining two runs costs a bonus
        (stones(1, 2), 5),
        (stones(1, 2, 3), 13),
        (stones(1, 19), 4),  # the horseshoe is open
        (stones(1, 2, 3, 5, 6, 7), 26),
        (stones(1, 2, 3, 4, 5, 6, 7), 25),
        (stones(*range(1, 20)), 61),
        (gates(1), 8),
        (gates(1, 2), 21),
        (gates(1, 5), 16),
        (gates(1, 2, 3, 4, 5), 60),
        ([], 0),
    ],
)
def test_fame_of(fields, fame):
    assert scoring.score(mask(fields)).total == scoring.fame(mask(fields)) == naive_fame(fields) == fame


def test_the_example_is_broken_down_as_in_the_rule_book():
    parts = scoring.score(mask(ring(3, 4, 5, 6, 7))).parts
    assert [(part.key, part.points) for part in parts] == [
        ("blocks", 5),
        ("block_pairs", 4),
        ("block_run", 5),
    ]
    assert parts[2].places == tuple(ring(3, 4, 5, 6, 7)) and parts[0].label.de == "Steinblöcke"


def test_a_second_way_of_counting_agrees():
    rng = random.Random(1)
    for _ in range(4000):
        density = rng.random()
        mine = [field for field in SITES if rng.random() < density]
        extra = [field for field in SITES[:30] if field not in mine and rng.random() < 0.3]
        assert scoring.score(mask(mine), mask(extra)).total == naive_fame(mine, extra), (mine, extra)
        assert scoring.fame(mask(mine) | mask(extra)) == naive_fame(mine, extra), (mine, extra)


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_on_the_way_through_random_games(seed):
    players = ("red", "blue", "green", "white")[: 3 + seed % 2]
    for step, (state, _) in enumerate(random_game(load_game("build"), players, seed)):
        if step % 5:
            continue
        data, scores = state.to_json(), state.scores()
        for player, seat in data["seats"].items():
            neutral = data["neutral_blocks"] if data["neutral_owner"] == player else ()
            assert scores[player].total == naive_fame(seat["built"], neutral)
            places = [place for part in scores[player].parts if "_" not in part.key for place in part.places]
            assert sorted(places) == sorted(seat["built"])


@given(st.sets(st.integers(0, 29)), st.integers(0, 29))
def test_turning_or_mirroring_the_ring_changes_nothing(fields, turn):
    def fame(numbers):
        return scoring.fame(sum(1 << n for n in numbers))

    assert fame(fields) == fame({(n + turn) % 30 for n in fields}) == fame({-n % 30 for n in fields})


# --- from one look at the board --------------------------------------------------------------------


def look(*pieces):
    return Position("anthology", tuple(piece for some in pieces for piece in some))


def test_the_score_is_told_from_one_look():
    seen = look(
        blocks("red", 3, 4, 5, 6, 7),
        bluestones("blue", 1, 2),
        triliths("green", 2, 3),
        druid("white", "altar"),
    )
    scores = load_game("build").score_position(seen)
    assert {player: score.total for player, score in scores.items()} == {
        "white": 0, "blue": 5, "green": 21, "red": 14}  # fmt: skip


def test_neutral_blocks_stand_apart_until_somebody_says_whose_they_are():
    game = load_game("build")
    seen = look(blocks("red", 3, 4, 5), blocks("yellow", 6, 10))
    apart = game.score_position(seen, ("red", "blue", "green"))
    assert {key: score.total for key, score in apart.items()} == {
        "red": 5,
        "blue": 0,
        "green": 0,
        "yellow": 2,
    }
    told = game.score_position(seen, ("red", "blue", "green"), neutral_owner="red")
    assert told["red"].total == 5 + 2 + 1 + 5 and "yellow" not in told
    with pytest.raises(StateError, match="not to white"):
        game.score_position(seen, ("red", "blue", "green"), neutral_owner="white")
    with pytest.raises(StateError, match="not one of the players"):
        game.score_position(look(bluestones("yellow", 3)), ("red", "blue", "green"))


def test_an_unmarked_trilith_counts_for_nobody():
    assert (
        load_game("build").score_position(look(triliths("red", 1)[:1]), ("red", "blue", "green"))["red"].total
        == 0
    )


def test_chances_point_at_fields_worth_more_than_their_piece():
    state = load_game("build").from_position(
        look(blocks("red", 3, 4, 6), triliths("blue", 2)), ("red", "blue", "green")
    )
    chances = state.insights()["chances"]
    assert chances[0] == {"player": "red", "site": "ring-5", "gain": 8}, "closes the gap: 1 + 2 pairs + run"
    assert {"player": "blue", "site": "trilith-1", "gain": 13} in chances
    assert not any(chance["site"] == "ring-20" for chance in chances)
