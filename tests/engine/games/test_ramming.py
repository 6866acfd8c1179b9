"""Trilithen knallen: the rule book's sentences, random races, and a second referee."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import IllegalActionError, Piece, Position, StateError, load_game
from engine.cards import PLAYER_COLOURS
from engine.games.ramming import crash
from engine.games.ramming.race import reach
from engine.hands import mask_of
from tests.engine.games.properties import check_random_game, random_action
from tests.engine.games.ramming_tables import (
    GROUP,
    arranged,
    clever_action,
    naive_ram,
    naive_reach,
    race_through,
    start_of_race,
    turn_up,
)

THREE = ("red", "blue", "white")


def play(state, *texts):
    for text in texts:
        state = state.apply(state.game.parse(text))
    return state


def refusal(state, text):
    with pytest.raises(IllegalActionError) as refused:
        play(state, text)
    return refused.value.reason


def stands(state):
    """The fields of each druid's trilith, as a camera sees them."""
    return {p.colour: p.fields for p in state.visible() if p.kind == "figure"}


def conserved(state):
    """Cards are counted, known ones are in one place each; ten points of every colour exist."""
    hands = state.hands
    cards = hands.pile_count + sum(hands.size(s) for s in range(len(state.players)))
    cards += hands.discards.bit_count() + state.played.bit_count()
    points = [state.points[t] + sum(row[t] for row in state.prizes) for t in range(len(state.triliths))]
    return cards, tuple(points)


def swap_hidden(state, player, rng):
    """Two cards swapped that `player` has not seen: of one pool of the pile and hands, or of the display."""
    data = state.to_json()
    seat = state.players.index(player) if player else None
    unseen = state.public | (state.peeked[seat] if player else 0)
    lying = [i for i in range(len(state.display)) if not unseen >> i & 1]
    if len(lying) > 1:
        one, other = rng.sample(lying, 2)
        cards = data["display"]
        cards[one]["card"], cards[other]["card"] = cards[other]["card"], cards[one]["card"]
    pool = [card for card in data["unseen"][-1]["cards"] if card not in data["hands"].get(player, ())]
    if len(pool) > 1 and not state.game.half_seen:
        one, other = rng.sample(pool, 2)
        change = {one: other, other: one}
        for hand in data["hands"].values():
            hand[:] = sorted((change.get(card, card) for card in hand), key=_order)
    return state.game.from_json(data)


def _order(card):
    return int(card.split("-")[0]) if card[0].isdigit() else 99


# --- whole races -------------------------------------------------------------------------------------

VARIANTS = [
    (("red", "blue"), {}),
    (("green", "yellow"), {"two_player_setup": "pre_game", "ram_own": True, "lives": 2}),
    (THREE, {}),
    (THREE, {"easy": True, "attempt_optional": True}),
    (THREE, {"trilith_cards": 3, "same_spot": True}),
    (("red", "blue", "white", "green"), {"lives": 3, "ram_needs_target_card": False}),
    (PLAYER_COLOURS, {"touch_is_ram": True, "hearts_tie": "none"}),
    (THREE, {"lives": 2, "lives_extra": True, "ascending_is_clockwise": False}),
]


@pytest.mark.parametrize(("players", "variant"), VARIANTS, ids=str)
@pytest.mark.parametrize("half_seen", [False, True])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_races(players, variant, half_seen, seed):
    game = load_game("ramming", half_seen=half_seen, turn_limit=20, **variant)
    check_random_game(game, players, seed, conserved=conserved, swap_hidden=swap_hidden, thoroughness=0.06)


@pytest.mark.parametrize(("players", "variant"), VARIANTS, ids=str)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_races_end_with_one_survivor(players, variant, seed):
    rng = random.Random(seed)
    state = load_game("ramming", **variant).start(players)
    expected = conserved(state)
    while not state.is_over:
        state = state.apply(clever_action(state, rng))
        assert conserved(state) == expected
        fields = [field for t in state.insights().get("triliths", ()) for field in t["fields"]]
        assert len(fields) == len(set(fields)), "two triliths on one field"
    left = {t["player"] for t in state.insights()["triliths"] if t["racing"]}
    assert [state.players[i] for i, r in enumerate(state.returns()) if r == 1] == list(left)
    assert sum(state.returns()) == 2 - len(players)


# --- collisions against a second referee ---------------------------------------------------------------


@st.composite
def collisions(draw):
    """2 to 5 triliths anywhere, their points, who rams and which way."""
    count = draw(st.integers(2, 5))
    gaps = draw(st.lists(st.integers(0, 30), min_size=count - 1, max_size=count - 1))
    spare = 30 - 2 * count
    first, at = draw(st.integers(1, 30)), []
    for gap in [*gaps, 0]:
        at.append((first - 1) % 30 + 1)
        step = min(gap, spare)
        spare -= step
        first += 2 + step
    order = draw(st.permutations(range(count)))
    at = [at[i] for i in order]
    return (
        at,
        draw(st.lists(st.integers(0, 10), min_size=count, max_size=count)),
        draw(st.sampled_from([1, -1])),
    )


def second_referee_agrees(at, points, way, bounce):
    """How many triliths were hit; 0 where nobody may ram, without a free field between."""
    ours = crash(tuple(first - 1 for first in at), tuple(points), 0, way, bounce=bounce)
    if ours.hits[0].free == 0:
        return 0
    stands, paid = naive_ram(at, points, 0, way, bounce=bounce)
    assert [k + 1 if k >= 0 else None for k in ours.at] == stands
    assert [(hit.victim, hit.paid) for hit in ours.hits] == paid
    return len(paid)


@settings(max_examples=300, deadline=None)
@given(collisions(), st.booleans())
def test_collisions_agree_with_a_second_referee(table, bounce):
    second_referee_agrees(*table, bounce)


def test_thousands_of_collisions_agree_with_a_second_referee():
    rng, chains = random.Random(7), Counter()
    while sum(chains.values()) < 5000:
        places = rng.sample(range(1, 31), rng.choice((2, 3, 4, 5, 5, 5)))
        if all((a - b) % 30 not in (0, 1, 29) for i, a in enumerate(places) for b in places[:i]):
            points = [rng.choice((10, 10, 10, rng.randint(0, 9))) for _ in places]
            chains[second_referee_agrees(places, points, rng.choice((1, -1)), rng.random() < 0.8)] += 1
    assert chains[1] > 1000 and chains[2] > 300 and chains[3] > 20, chains


@settings(max_examples=1000, deadline=None)
@given(collisions())
def test_the_ramming_trilith_is_never_hit_by_its_own_chain(table):
    at, points, way = table
    result = crash(tuple(first - 1 for first in at), tuple(points), 0, way)
    if result.hits[0].free:
        assert all(hit.victim != 0 for hit in result.hits)
        assert len({hit.victim for hit in result.hits}) == len(result.hits)


@pytest.mark.parametrize(("limit", "least", "most"), [(3, 11, 15), (2, 6, 10)])
def test_reach_over_many_layouts(limit, least, most):
    rng = random.Random(limit)
    found = set()
    for _ in range(3000):
        blocks = [c for _ in range(6) for c in rng.sample(GROUP, 5)]
        first, way = rng.randint(1, 30), rng.choice((1, -1))
        ours = reach(tuple(map(PLAYER_COLOURS.index, blocks)), first - 1, way, limit)
        assert ours == naive_reach(blocks, first, way, limit)
        found.add(ours)
    assert min(found) >= least and max(found) <= most


@pytest.mark.parametrize(("free", "damage"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_half_of_the_free_fields_rounded_up(free, damage):
    # trilith 1 is rammed over 6 fields and pushed against trilith 2, `free` fields further.
    result = crash((0, 8, 10 + free), (10, 10, 10), 0, 1)
    assert [hit.damage for hit in result.hits] == [6, damage]


# --- sentence by sentence ------------------------------------------------------------------------------


def test_blocks_lie_in_six_groups_of_all_colours():
    state = start_of_race(THREE)
    colours = [piece.colour for piece in state.visible() if piece.kind == "block"]
    assert all(sorted(colours[i : i + 5]) == sorted(GROUP) for i in range(0, 30, 5))
    assert refusal(load_game("ramming").start(THREE), "block grey on slot-1").de.startswith("es gibt keine")


def test_display_and_hands():
    state = start_of_race(THREE)
    numbers = sorted(int(card.split("-")[0]) for card in state.display)
    assert numbers == [*range(1, 6), *range(7, 12), *range(13, 18)]
    assert all(card.endswith("-night") for card in state.display)
    assert [state.hands.size(seat) for seat in range(3)] == [4, 4, 4] and state.hands.pile_count == 18
    assert start_of_race(("red", "blue")).hands.pile_count == 18


def test_materialise_on_the_card_and_a_neighbour():
    state = arranged(THREE, {"blue": 8}, hands={"red": ["7-day", "30-day", "9-day", "1-day"]})
    done = play(state, "play 30-day: trilith on ring-1+ring-30")
    assert {"ring-30", "ring-1"} == set(stands(done)["red"])
    assert "blue" in refusal(state, "play 7-day: trilith on ring-7+ring-8").en
    assert refusal(state, "play 9-day: trilith on ring-9+ring-10").de == (
        "Ring-9 ist besetzt vom Trilithen von Blau"
    )
    assert "card's number, ring-7" in refusal(state, "play 7-day: trilith on ring-5+ring-6").en
    assert "neighbouring" in refusal(state, "play 7-day: trilith on ring-7+ring-9").en
    assert "cannot hold" in refusal(state, "play 20-day: trilith on ring-20+ring-21").en
    assert "Tag-Karten" in refusal(state, "play 7-night: trilith on ring-6+ring-7").de


def test_another_place_than_before():
    state = arranged(THREE, {"red": 7}, hands={"red": ["7-day", "8-day", "20-day", "1-day"]})
    assert "another place" in refusal(state, "play 7-day: trilith on ring-7+ring-8").en
    play(state, "play 7-day: trilith on ring-6+ring-7")  # one field in common is fine
    house = arranged(THREE, {"red": 7}, hands={"red": ["7-day", "8-day", "20-day", "1-day"]}, same_spot=True)
    play(house, "play 7-day: trilith on ring-7+ring-8")


def test_a_ram_takes_as_many_points_as_fields_were_free():
    state = arranged(THREE, {"blue": 10}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]})
    state = play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise")
    state = race_through(state)  # ring-7, 8, 9 and the first field of blue's trilith
    fields = {t["colour"]: t["fields"] for t in state.insights()["triliths"]}
    assert fields["red"] == ["ring-8", "ring-9"] and fields["blue"] == ["ring-13", "ring-14"]
    assert state.scores()["red"].total == 3
    assert state.scores()["red"].parts[0].key == "taken-blue"
    # Only the rammed player may look, and only he knows what he saw.
    assert state.to_move == "blue" and state.phase == "peek"
    hidden = next(i for i in range(15) if not state.public >> i & 1)
    state = play(state, f"look at display-{hidden + 1}")
    assert state.view("blue").display[hidden] == state.display[hidden]
    assert state.view("red").display[hidden] == state.view(None).display[hidden] == "??-night"
    # Everything turned up lies face down again, and stays known.
    assert state.face_up == 0 and state.view(None).public.bit_count() == 4
    assert state.to_move == "chance" and "5-day" in state.to_json()["discards"]
    state = state.apply(state.legal_actions()[0])
    assert state.to_move == "blue" and state.hands.size(0) == 4


def test_a_wrong_card_ends_the_attempt():
    state = arranged(THREE, {"blue": 10}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]})
    state = play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise")
    state = turn_up(state, "blue")  # ring-7 has a blue block, ring-8 a green one
    state = turn_up(state, "red")
    assert {t["colour"]: t["fields"] for t in state.insights()["triliths"]}["red"] == ["ring-6", "ring-7"]
    assert state.scores()["red"].total == 0 and state.phase == "draw"


def test_bounces_pay_half_to_the_active_player():
    players = ("red", "blue", "white", "green")
    state = arranged(
        players, {"blue": 8, "white": 13, "green": 15}, hands={"red": ["1-day", "28-day", "29-day", "27-day"]}
    )
    state = play(state, "play 1-day: trilith on ring-1+ring-2", "race clockwise")
    assert state.insights()["threats"][0]["takes"] == 5 + 2
    state = race_through(state)
    at = {t["colour"]: t["fields"][0] for t in state.insights()["triliths"]}
    # blue is pushed 5 fields, meets white after 3: white pays 2, and has no room before green.
    assert at == {"red": "ring-6", "blue": "ring-11", "white": "ring-13", "green": "ring-15"}
    assert {p.key: p.points for p in state.scores()["red"].parts} == {"taken-blue": 5, "taken-white": 2}
    assert state.to_move == "blue"


def test_a_bounce_that_just_touches_rams_nobody():
    assert len(crash((0, 5, 10), (10, 10, 10), 0, 1).hits) == 1
    touching = crash((0, 5, 10), (10, 10, 10), 0, 1, touch_rams=True)
    assert [hit.damage for hit in touching.hits] == [3, 2]


def test_no_free_field_no_ram():
    state = arranged(THREE, {"blue": 9, "white": 5}, hands={"red": ["7-day", "1-day", "2-day", "3-day"]})
    state = play(state, "play 7-day: trilith on ring-7+ring-8")
    assert state.phase == "draw"  # both ways are blocked at once


def test_out_of_reach():
    # The blocks repeat in one order: three cards of each colour reach 15 fields.
    state = arranged(THREE, {"blue": 27}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]})
    state = play(state, "play 5-day: trilith on ring-5+ring-6")
    assert "out of reach: it takes 21 cards" in refusal(state, "race clockwise").en
    assert state.legal_actions() == (state.game.parse("race anticlockwise"),)


def test_who_cannot_pay_is_broken_and_out():
    state = arranged(
        THREE,
        {"blue": 10, "white": 20},
        points={"blue": 2},
        hands={"red": ["5-day", "1-day", "2-day", "3-day"]},
    )
    state = play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise")
    state = race_through(state)
    blue = state.insights()["triliths"][1]
    assert not blue["racing"] and blue["points"] == 0
    assert state.scores()["red"].total == 2  # the rest, not the whole damage
    assert state.phase == "draw"  # no compensation for who is out
    state = state.apply(state.legal_actions()[0])
    assert state.to_move == "white"


def test_exactly_enough_points_is_enough():
    result = crash((4, 9, 20), (10, 3, 10), 0, 1)
    assert not result.hits[0].destroyed and result.at[1] == 12


def test_the_last_trilith_wins_and_hearts_make_it_grand():
    state = arranged(
        THREE, {"blue": 10}, points={"blue": 1}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]}
    )
    data = state.to_json()
    data["triliths"]["white"]["racing"] = False
    state = state.game.from_json(data)
    state = race_through(play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise"))
    assert state.is_over and state.returns() == (1.0, -1.0, -1.0)
    # blue's other nine points lie with white, who keeps them and is the winner of the hearts
    assert state.insights()["hearts"] == ["white"]
    assert state.prompt().en == "red has won: the last trilith in the race"


def test_two_players_drive_two_triliths_each():
    state = arranged(
        ("red", "blue"), {}, hands={"red": ["1-day", "2-day", "9-day", "20-day", "5-day", "6-day"]}
    )
    assert state.triliths == ("red", "blue", "white", "green")
    assert "colour" in refusal(state, "play 1-day: trilith on ring-1+ring-2").en
    state = play(state, "play 1-day: red trilith on ring-1+ring-2")
    assert "beside the track" in refusal(state, "play 9-day: red trilith on ring-9+ring-10").en
    state = play(state, "play 9-day: white trilith on ring-9+ring-10")
    # Only the own second trilith is there: nobody to ram, two cards are drawn.
    assert state.phase == "draw" and state.draws == 2
    assert state.insights()["hearts"] == []


@pytest.mark.parametrize(("turns", "phase"), [(0, "draw"), (1, "draw"), (2, "attempt")])
def test_nobody_races_before_all_are_placed_but_who_comes_back_with_both_may(turns, phase):
    variant = {"two_player_setup": "pre_game", "lives": 2}
    hands = {"red": ["1-day", "2-day", "9-day", "20-day", "5-day", "6-day"]}
    data = arranged(("red", "blue"), {"blue": 15, "green": 25}, hands=hands, **variant).to_json()
    state = load_game("ramming", **variant).from_json(data | {"turns": turns})
    state = play(
        state, "play 1-day: red trilith on ring-1+ring-2", "play 9-day: white trilith on ring-9+ring-10"
    )
    assert state.phase == phase


def test_longer_game_gives_a_block_and_returns_the_points():
    state = arranged(
        THREE,
        {"blue": 10, "white": 20},
        points={"blue": 2},
        hands={"red": ["5-day", "1-day", "2-day", "3-day"]},
        lives=2,
    )
    state = race_through(play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise"))
    blue = state.insights()["triliths"][1]
    assert blue == {
        "colour": "blue", "player": "blue", "fields": [], "points": 10, "lives": 1, "racing": True
    }  # fmt: skip
    # white had eight of blue's points, red got two: the block goes to white, who leads the hearts now.
    assert state.to_json()["blocks_won"] == {"red": 0, "blue": 0, "white": 1}
    assert state.insights()["hearts"] == ["white"] and state.scores()["red"].total == 0
    assert state.to_move == "blue" and state.phase == "peek"


@pytest.mark.parametrize(
    ("lives", "extra", "given"), [(2, False, 1), (2, True, 1), (1, False, 1), (1, True, 0)]
)
def test_longer_game_the_last_loss_costs_a_block_unless_blocks_are_extra_lives(lives, extra, given):
    variant = {"lives": 2, "lives_extra": extra}
    hands = {"red": ["5-day", "1-day", "2-day", "3-day"]}
    data = arranged(THREE, {"blue": 10, "white": 20}, points={"blue": 2}, hands=hands, **variant).to_json()
    data["triliths"]["blue"]["lives"] = lives
    state = load_game("ramming", **variant).from_json(data)
    state = race_through(play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise"))
    blue = state.insights()["triliths"][1]
    assert (blue["lives"], blue["racing"]) == (lives - 1, lives > 1)
    assert sum(state.to_json()["blocks_won"].values()) == given


def test_where_numbers_run_the_other_way_clockwise_is_downwards():
    hands = {"red": ["5-day", "1-day", "2-day", "3-day"]}
    state = arranged(THREE, {"blue": 10, "white": 20}, hands=hands, ascending_is_clockwise=False)
    state = play(state, "play 5-day: trilith on ring-5+ring-6")
    threats = {t["direction"]: t["target"] for t in state.insights()["threats"]}
    assert threats["anticlockwise"] == "blue"
    state = play(state, "race anticlockwise")
    assert state.insights()["attempt"]["direction"] == "anticlockwise"
    assert race_through(state).insights()["triliths"][1]["fields"] != ["ring-10", "ring-11"]


def test_longer_game_a_tie_takes_the_block_out():
    data = arranged(THREE, {"blue": 10, "white": 20}, lives=2).to_json()
    data["triliths"]["blue"].update(points=2, taken_by={"white": 5, "red": 3})
    data["hands"]["red"] = ["5-day"]
    data["hands"]["blue"], data["hands"]["white"] = [], []
    state = load_game("ramming", lives=2).from_json(data)
    state = race_through(play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise"))
    assert set(state.to_json()["blocks_won"].values()) == {0}
    assert state.insights()["triliths"][1]["lives"] == 1


def test_changing_display_swaps_trilith_cards_at_once():
    state = arranged(
        THREE, {"blue": 10}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]}, trilith_cards=5
    )
    assert sum(card.startswith("trilith-") for card in state.display) == 5
    state = play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise")
    here = state.display.index("trilith-blue")
    there = (here + 1) % 15
    lay_there = state.display[there]
    state = play(state, f"turn up display-{here + 1}", f"display-{here + 1} shows trilith-blue")
    assert state.phase == "swap"
    state = play(state, f"swap display-{here + 1} with display-{there + 1}")
    assert state.display[there] == "trilith-blue" and state.display[here] == lay_there
    assert state.face_up == state.public == 1 << there
    assert state.phase == "uncover" and state.correct == 1  # it counted as the blue card of ring-7


def test_easy_game():
    state = arranged(
        THREE, {"blue": 10, "white": 14}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]}, easy=True
    )
    assert len(state.display) == 10
    state = race_through(play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise"))
    at = {t["colour"]: t["fields"][0] for t in state.insights()["triliths"]}
    assert at == {"red": "ring-8", "blue": "ring-10", "white": "ring-14"}


def test_who_can_place_may_not_sit_out():
    state = arranged(THREE, {"blue": 10}, hands={"red": ["5-day", "1-day", "2-day", "3-day"]})
    assert "may not sit out" in refusal(state, "sit out").en


def test_sitting_out_discards_openly_and_draws_anew():
    players = ("red", "blue", "white", "green", "yellow")
    state = arranged(
        players,
        {"red": 20, "blue": 1, "white": 4, "green": 7},
        hands={"red": ["2-day", "3-day", "5-day", "6-day"]},
    )
    assert state.legal_actions() == (state.game.parse("sit out"),)
    state = play(state, "sit out", "discard 3-day", "discard 6-day")
    assert "played already" in refusal(state, "discard 3-day").en
    state = play(state, "discard no more")
    assert state.phase == "draw" and state.draws == 2
    while state.phase == "draw":
        state = state.apply(state.legal_actions()[0])
    assert state.hands.size(0) == 4 and state.to_move == "blue"
    assert stands(state)["red"] == ("ring-20", "ring-21")


# --- half seen -----------------------------------------------------------------------------------------


def test_half_seen_refuses_what_cannot_be():
    state = start_of_race(THREE, half_seen=True)
    assert state.to_json()["hands"]["red"] == ["??"] * 4
    state = play(state, "play 5-day: trilith on ring-5+ring-6")
    state = play(state, *["red draws ??"] * (state.phase == "draw"))
    assert "played already" in refusal(state, "play 5-day: trilith on ring-4+ring-5").en
    state = play(state, "play 10-day: trilith on ring-10+ring-11", "race anticlockwise", "turn up display-3")
    state = play(state, "display-3 shows 4-night")
    while state.phase != "uncover":
        state = state.apply(random_action(state, random.Random(3)))
        if state.phase == "show" and state.place == 2:
            assert "known to be 4-night" in refusal(state, "display-3 shows 5-night").en
    assert "lies at display-3" in refusal(play(state, "turn up display-7"), "display-7 shows 4-night").en


def test_a_hand_told_in_private_stays_private():
    state = start_of_race(THREE, half_seen=True).with_hand("red", ["5-day", "9-day", "??", "??"])
    assert state.view("red").to_json()["hands"]["red"] == ["5-day", "9-day", "??", "??"]
    assert state.view("blue").to_json()["hands"]["red"] == ["??"] * 4
    with pytest.raises(IllegalActionError, match="holds 4 cards"):
        state.with_hand("red", ["1-day", "2-day", "3-day", "4-day", "6-day"])
    with pytest.raises(IllegalActionError):
        state.with_hand("blue", ["5-day"])


@pytest.mark.parametrize(
    ("seen", "shown", "reason"),
    [
        ({}, "??-blue", None), ({}, "??", None),
        ({4: "3-night"}, "??", None), ({4: "3-night"}, "??-blue", "display-4 is known to be 3-night"),
        ({4: "2-night"}, "??-blue", None), ({4: "2-night"}, "??", "display-4 is known to be 2-night"),
        ({1: "2-night", 2: "8-night", 3: "14-night"}, "??", None),
        ({1: "2-night", 2: "8-night", 3: "14-night"}, "??-blue", "no such card"),
    ],
)  # fmt: skip
def test_an_unread_card_of_the_display_is_right_or_wrong_as_far_as_it_can_be(seen, shown, reason):
    """The next field needs blue."""
    data = arranged(THREE, {"blue": 10, "white": 20}, half_seen=True).to_json()
    for place, card in seen.items():
        data["display"][place - 1] |= {"card": card, "shown": True}
    state = load_game("ramming", half_seen=True).from_json(data)
    state = play(state, "play 5-day: trilith on ring-5+ring-6", "race clockwise", "turn up display-4")
    told = state.game.parse(f"display-4 shows {shown}")
    assert (told in state.seen_actions()) == (reason is None)
    if reason is None:
        assert state.why_not(told) is None
    else:
        assert reason in refusal(state, str(told)).en


def test_cards_shuffled_back_are_not_in_old_hands():
    """Red never draws while blue uses the pile up; afterwards red cannot hold what blue has played."""
    state = start_of_race(("red", "blue", "white"), half_seen=True, turn_limit=0)
    hands = state.hands
    for card in [f"{n}-day" for n in range(1, 27)]:
        if hands.pile_count == 0:
            break
        hands = hands.play(1, card).put_away(mask_of([card])).draw(1, "??")
    shuffled = hands.shuffle()
    assert shuffled.pile_count == 18
    assert not shuffled.holds(0, "1-day") and shuffled.holds(0, "30-day")
    assert shuffled.draw(0, "??").holds(0, "1-day")


# --- from a look at the board ----------------------------------------------------------------------------


def test_a_race_can_begin_in_the_middle():
    before = arranged(THREE, {"red": 1, "blue": 10, "white": 20})
    state = load_game("ramming").from_position(before.visible(), THREE, "blue")
    assert state.visible().same_as(before.visible())
    assert state.game.half_seen and state.to_move == "blue"
    assert state.to_json()["hands"] == {player: ["??"] * 4 for player in THREE}
    assert set(load_game("ramming").score_position(before.visible())) == set(THREE)


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "tea"},
        {"to_move": "blue"},
        {"phase": "uncover"},
        {"phase": "peek", "to_move": "blue"},
        {"phase": "attempt"},
        {"blocks": GROUP * 5},
        {"blocks": ["red"] * 30},
        {"display": []},
        {"triliths": {}},
        {"placed": ["blue"]},
        {"discards": ["1-night"]},
    ],
    ids=str,
)
def test_contradicting_states_are_refused(change):
    data = arranged(THREE, {"blue": 10}).to_json() | change
    with pytest.raises(StateError):
        load_game("ramming").from_json(data)


def test_a_card_that_nobody_read_is_one_of_the_two_fields():
    state = start_of_race(THREE, half_seen=True)
    fields = "trilith on ring-4+ring-5"
    for card in ("??", "??-day", "4-??", "??-red"):
        assert state.why_not(state.game.parse(f"play {card}: {fields}")) is None
    for card in ("??-blue", "28-??"):
        assert "neither the card" in refusal(state, f"play {card}: {fields}").en
    # Both cards have been shown since.
    data = state.to_json()
    for card in ("4-day", "5-day"):
        data["unseen"][0]["cards"].remove(card)
    state = load_game("ramming", half_seen=True).from_json(data | {"discards": ["4-day", "5-day"]})
    assert "4-day has been played already" in refusal(state, f"play ??-day: {fields}").en
    assert "5-day has been played already" in refusal(state, f"play ??-red: {fields}").en
    assert state.why_not(state.game.parse("play ??-day: trilith on ring-5+ring-6")) is None


def test_two_triliths_on_one_field_are_refused():
    with pytest.raises(StateError, match="same number field"):
        arranged(THREE, {"blue": 10, "white": 11})
    with pytest.raises(StateError, match="10 structure points in blue, found 9"):
        data = arranged(THREE, {"blue": 10}).to_json()
        data["triliths"]["blue"]["points"] = 9
        load_game("ramming").from_json(data)


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        (Piece("trilith", "grey", fields=("ring-4", "ring-5")), "nobody rides"),
        (Piece("pillar", "grey", field="yard-1"), "no pillar"),
        (Piece("trilith", "grey", field="trilith-1"), "two neighbouring"),
    ],
)
def test_impossible_positions_are_refused(piece, message):
    visible = arranged(THREE, {"blue": 10}).visible()
    with pytest.raises(StateError, match=message):
        load_game("ramming").from_position(Position("anthology", (*visible.pieces, piece)), THREE)
    with pytest.raises(StateError, match="none at slot-1,"):
        load_game("ramming").from_position(Position("anthology"), THREE)


# --- what an onlooker would say ----------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_threats_come_true(seed):
    """What `insights` promises for a placement and a direction is what happens with the right cards."""
    rng = random.Random(seed)
    state = start_of_race(("red", "blue", "white", "green"), seed)
    for _ in range(400):
        threats = [
            t
            for t in (state.insights()["threats"] if state.phase == "place" else ())
            if set(t["cards"]) & set(state.to_json()["hands"][state.to_move])
        ]
        if threats:
            break
        state = state.apply(random_action(state, rng))
    threat = rng.choice(threats)
    mover = state.to_move
    card = next(c for c in threat["cards"] if c in state.to_json()["hands"][mover])
    before = state.scores()[mover].total
    state = play(
        state, f"play {card}: trilith on {'+'.join(threat['fields'])}", f"race {threat['direction']}"
    )
    assert state.insights()["attempt"]["needed"] == threat["needed"]
    state = race_through(state)
    assert state.scores()[mover].total == before + threat["takes"]
    fields = {t["colour"]: t["fields"] for t in state.insights()["triliths"]}
    assert fields[mover] == threat["stops_on"]
    assert all(fields[link["trilith"]] == link["to"] for link in threat["chain"])
