"""Der Hohe Rat: the rule book's sentences and example, random councils, and a second opinion on prices."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import IllegalActionError, Piece, Position, StateError, load_game
from engine.cards import PLAYER_COLOURS
from engine.games.council.ring import CODE, block_around, cost, group_sizes
from engine.words import Text
from tests.engine.games.council_tables import (
    FOUR,
    NAMES,
    TWO,
    dealt,
    full_ring,
    naive_block,
    naive_group,
    naive_prices,
    seated,
    side,
)
from tests.engine.games.properties import check_random_game


def play(state, *texts):
    for text in texts:
        state = state.apply(state.game.parse(text))
    return state


def refusal(state, text):
    with pytest.raises(IllegalActionError) as refused:
        play(state, text)
    return refused.value.reason


def draw_all(state):
    """The cards that are due are drawn, whichever they are."""
    while state.to_move == "chance":
        state = state.apply(state.legal_actions()[0])
    return state


def written(state):
    return {str(action) for action in state.legal_actions()}


def conserved(state):
    """Cards of each side, discs and figures of each colour, arguments of each colour."""
    cards = tuple(
        hands.pile_count + sum(hands.size(i) for i in range(len(hands.known))) + hands.discards.bit_count()
        for hands in state.cards
    )
    placed = Counter(f"{p.colour}-{p.kind}" for p in state.visible() if p.kind in ("disc", "figure"))
    supply = [count for pair in zip(state.discs, state.figures, strict=True) for count in pair]
    pieces = tuple(placed[name] + left for name, left in zip(NAMES, supply, strict=True))
    arguments = tuple(
        state.bank()[c] + state.unclaimed[c] + sum(row[c] for row in state.arguments) for c in range(5)
    )
    # A piece that waits for a lifted disc is back in supply, so nothing is ever in between.
    return cards, pieces, arguments


def swap_hidden(state, player, rng):
    """Two cards of one side swapped that `player` does not know, in hands or in the pile."""
    if state.game.half_seen:
        return None
    data = state.to_json()
    cards = data["cards"][rng.choice(("pro", "contra"))]
    mate = {"white": "yellow", "yellow": "white", "red": "blue", "blue": "red"}.get(player)
    known = {*cards["hands"].get(player, ()), *data["confided"].get(mate, ())}
    # What a player has confided to his partner is not hidden from that partner; swap none of it.
    known |= {card for hand in data["confided"].values() for card in hand}
    pool = [card for card in cards["unseen"][-1]["cards"] if card not in known]
    if len(pool) < 2:
        return None
    one, other = rng.sample(pool, 2)
    change = {one: other, other: one}
    for hand in cards["hands"].values():
        hand[:] = [change.get(card, card) for card in hand]
    return state.game.from_json(data)


# --- whole councils ------------------------------------------------------------------------------------

VARIANTS = [
    (TWO, {}),
    (TWO, {"swap_same_colour": True, "action_mandatory": True, "cap_overflow": "refuse"}),
    (("blue", "yellow"), {"draw_by_agreement": True, "vote_equal_discount": True}),
    (FOUR, {}),
    (FOUR, {"persuade_one_side_only": True, "draw_by_agreement": True, "share_arguments": True}),
    (TWO, {"relocate_per_colour": True, "draw_by_agreement": True}),
]


@pytest.mark.parametrize(("players", "variant"), VARIANTS, ids=str)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_councils_come_to_a_decision(players, variant, seed):
    game = load_game("council", **variant)
    end = check_random_game(
        game, players, seed, conserved=conserved, swap_hidden=swap_hidden, thoroughness=0.02, max_moves=20000
    )
    if end.winner is not None:
        assert sorted(end.returns()) == sorted([1.0, -1.0] * (len(players) // 2))
        winners = {end.players[i] for i, r in enumerate(end.returns()) if r == 1}
        assert all(end.scores()[player].total >= 16 for player in winners)
        assert all(end.scores()[player].total < 16 for player in set(players) - winners)


@pytest.mark.parametrize("players", [TWO, FOUR], ids=str)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_half_seen_councils(players, seed):
    game = load_game("council", half_seen=True, turn_limit=20)
    check_random_game(game, players, seed, conserved=conserved, thoroughness=0.05)


# --- groups and prices: a second opinion -----------------------------------------------------------------


@st.composite
def rings(draw, least=0):
    """Any legal occupation of the ring: at most 10 discs and one figure of each colour."""
    pieces = [name for name in NAMES for _ in range(10 if name.endswith("disc") else 1)]
    rng = random.Random(draw(st.integers(0, 2**32)))
    count = draw(st.integers(least, 30))
    # Sorted stretches make the groups that a shuffled ring hardly ever has.
    chosen = rng.sample(pieces, count)
    if draw(st.booleans()):
        chosen.sort()
        return dict(zip(sorted(rng.sample(range(1, 31), count)), chosen, strict=True))
    return dict(zip(rng.sample(range(1, 31), count), chosen, strict=True))


@settings(max_examples=150, deadline=None)
@given(rings(), st.booleans())
def test_groups_and_prices_agree_with_a_second_opinion(ring, voting):
    state = seated(TWO, ring, voting=voting)
    told = state.insights()
    sizes = {field: group["size"] for group in told["groups"] for field in group["fields"]}
    assert sizes == {f"ring-{n}": naive_group(ring, n) for n in ring}
    blocks = {field: block["size"] for block in told["blocks"] for field in block["fields"]}
    assert blocks == {f"ring-{n}": naive_block(ring, n) for n in ring}
    prices = {(p["from"], p["to"]): (p["cost"], p["argument"]) for p in told["persuasions"]}
    assert prices == {
        (f"ring-{a}", f"ring-{b}"): price for (a, b), price in naive_prices(ring, voting).items()
    }
    assert all(price in (1, 2, 3) for price, _ in prices.values())
    longest = {name: max([b["size"] for b in told["blocks"] if b["faction"] == name], default=0)
               for name in ("pro", "contra")}  # fmt: skip
    assert told["to_win"] == {name: max(0, 16 - size) for name, size in longest.items()}
    assert sum(size >= 16 for size in longest.values()) <= 1


def test_thousands_of_rings_agree_with_a_second_opinion():
    rng = random.Random(16)
    pieces = [name for name in NAMES for _ in range(10 if name.endswith("disc") else 1)]
    for _ in range(2500):
        count, voting = rng.randint(10, 30), rng.random() < 0.5
        ring = dict(zip(rng.sample(range(1, 31), count), rng.sample(pieces, count), strict=True))
        codes = tuple(CODE[ring[n]] if n in ring else 0 for n in range(1, 31))
        sizes = group_sizes(codes)
        assert sizes == [naive_group(ring, n) if n in ring else 0 for n in range(1, 31)]
        assert all(block_around(codes, n - 1) == naive_block(ring, n) for n in ring)
        for (source, target), (price, _) in naive_prices(ring, voting).items():
            assert cost(codes, sizes, source - 1, target - 1, voting) == price


@settings(max_examples=100, deadline=None)
@given(rings(least=20))
def test_the_vote_never_raises_a_price(ring):
    before = {(p["from"], p["to"]): p["cost"] for p in seated(TWO, ring).insights()["persuasions"]}
    for p in seated(TWO, ring, voting=True).insights()["persuasions"]:
        assert p["cost"] <= before[p["from"], p["to"]]


@settings(max_examples=100, deadline=None)
@given(rings(), st.booleans())
def test_offered_persuasions_are_those_that_can_be_paid(ring, voting):
    owned = {"white": 1, "blue": 2, "green": 3, "yellow": 0, "red": 3}
    state = seated(TWO, ring, voting=voting, arguments={"white": owned})
    offered = {
        (a.source, a.target, a.count, a.paying)
        for a in state.legal_actions()
        if type(a).__name__ == "Persuade"
    }
    expected = set()
    for (source, target), (price, colour) in naive_prices(ring, voting).items():
        if side(ring[source]) == "pro":
            for paying in PLAYER_COLOURS if colour == "any" else (colour,):
                if owned[paying] >= price:
                    expected.add((f"ring-{source}", f"ring-{target}", price, paying))
    assert offered == expected


# --- the rule book's example -------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["white", "yellow"])
def test_example_pro_persuades_with_one_white_argument(player):
    state = seated(
        FOUR, {7: "yellow-figure", 6: "red-disc"}, turn=player, arguments={player: {"white": 1, "red": 3}}
    )
    state = play(state, f"persuade ring-6 from ring-7 with {player}-disc for 1 white")
    assert {"ring-6": f"{player}-disc", "ring-7": "yellow-figure"} == state.to_json()["ring"]
    assert state.insights()["supply"]["red"]["disc"] == 10
    assert state.arguments[state.players.index(player)] == (0, 0, 0, 0, 3)


@pytest.mark.parametrize("player", ["red", "blue"])
@pytest.mark.parametrize("paying", PLAYER_COLOURS)
def test_example_contra_needs_three_of_any_colour(player, paying):
    state = seated(FOUR, {7: "yellow-figure", 6: "red-disc"}, turn=player, arguments={player: {paying: 3}})
    persuasion = f"persuade ring-7 from ring-6 with {player}-disc for 3 {paying}"
    assert persuasion in written(state)
    assert "costs 3" in refusal(state, persuasion.replace("3", "1")).en
    state = play(state, persuasion)
    assert state.insights()["supply"]["yellow"] == {"disc": 10, "figure": 1}


# --- sentence by sentence ----------------------------------------------------------------------------


def test_factions_sit_in_turn():
    for wrong in [("white", "yellow"), ("white", "yellow", "red", "blue"), ("white", "red", "yellow")]:
        with pytest.raises(StateError):
            load_game("council").start(wrong)


def test_day_cards_for_pro_and_night_cards_for_contra():
    state = dealt(FOUR)
    sides = state.to_json()["cards"]
    assert all(
        c.endswith("day") or c in ("trilith-white", "trilith-yellow")
        for c in sides["pro"]["unseen"][0]["cards"]
    )
    assert [hands.pile_count for hands in state.cards] == [26, 26]
    assert [hands.pile_count for hands in dealt(TWO).cards] == [29, 29]


def test_discuss_brings_one_argument_per_card():
    state = seated(TWO, {}, hands={"white": ["1-day", "7-day", "6-day"]})
    offered = {text for text in written(state) if text.startswith("discuss")}
    assert offered == {
        "discuss 1-day for white", "discuss 7-day for white", "discuss 1-day+7-day for white+white",
        "discuss 1-day+6-day for white+white", "discuss 6-day+7-day for white+white",
        "discuss 1-day+6-day+7-day for white+white+white",
        *(f"discuss 6-day for {colour}" for colour in PLAYER_COLOURS),
    }  # fmt: skip
    state = play(state, "discuss 7-day+6-day+1-day for white+white+white")
    assert state.arguments[0] == (3, 0, 0, 0, 0) and state.bank() == [7, 10, 10, 10, 10]
    assert next(p for p in state.visible() if p.field == "trilith-1").count == 7
    state = draw_all(state)
    assert state.cards_held(0) == 3 and state.to_move == "white"
    assert "one action" in refusal(state, "ponder").en


def test_only_black_cards_bring_one_colour_of_choice():
    state = seated(TWO, {}, hands={"white": ["6-day", "12-day", "3-day"]})
    assert "one colour" in refusal(state, "discuss 6-day+12-day for white+blue").en
    state = play(state, "discuss 6-day+12-day for red+red")
    assert state.arguments[0] == (0, 0, 0, 0, 2)


def test_actions_point_at_the_fields_that_change():
    state = seated(
        FOUR, {1: "white-disc", 2: "red-disc"}, arguments={"white": {"white": 3}},
        hands={"white": ["7-day", "trilith-white", "9-day"]},
    )  # fmt: skip
    for action in state.legal_actions():
        changed = set(state.visible_change(action).places)
        assert changed <= set(action.places()), action
    assert state.game.parse("discuss trilith-white for white+red").places() == ("trilith-1", "trilith-5")


def test_two_colours_do_not_go_together():
    state = seated(TWO, {}, hands={"white": ["1-day", "2-day", "6-day"]})
    assert "one colour" in refusal(state, "discuss 1-day+2-day for white+white").en
    assert "schwarze" in refusal(state, "discuss 1-day+2-day+6-day for white+white+white").de
    assert "bring arguments in white" in refusal(state, "discuss 1-day+6-day for blue+blue").en
    assert "one argument for each card" in refusal(state, "discuss 1-day for white+white").en


def test_a_trilith_card_brings_any_two_arguments():
    state = seated(TWO, {}, hands={"white": ["trilith-white", "1-day", "6-day"]})
    assert sum("trilith" in text for text in written(state)) == 15
    assert "alone" in refusal(state, "discuss trilith-white+1-day for white+white").en
    assert play(state, "discuss trilith-white for red+blue").arguments[0] == (0, 1, 0, 0, 1)


def brought(state, cards):
    """The arguments that can be had for exactly these cards."""
    return {
        a.arguments for a in state.legal_actions() if type(a).__name__ == "Discuss" and set(a.cards) == cards
    }


def test_trilith_cards_join_others_as_a_house_rule():
    hand = ("7-day", "trilith-white", "trilith-yellow")
    alone = seated(TWO, {}, hands={"white": hand})
    assert (
        refusal(alone, "discuss 7-day+trilith-white for white+red+red").en == "a trilith card is played alone"
    )
    state = seated(TWO, {}, hands={"white": hand}, combine_triliths=True)
    # The white card's argument, and any two, or any four.
    for cards, more in ((set(hand[:2]), 2), (set(hand), 4)):
        ways = {
            tuple(sorted(("white", *rest))) for rest in combinations_with_replacement(PLAYER_COLOURS, more)
        }
        assert {tuple(sorted(found)) for found in brought(state, cards)} == ways
    assert len(brought(state, set(hand[1:]))) == 70, "four of five colours, with repetition"
    assert (
        "one colour"
        in refusal(
            seated(TWO, {}, hands={"white": ("7-day", "8-day", "trilith-white")}, combine_triliths=True),
            "discuss 7-day+8-day+trilith-white for white+white+red+red",
        ).en
    )
    assert "here 3" in refusal(state, "discuss 7-day+trilith-white for white+red").en
    state = play(state, "discuss 7-day+trilith-white for white+red+blue")
    assert state.arguments[0] == (1, 1, 0, 0, 1) and state.draws == 2


def test_combined_discussions_keep_to_six_of_a_colour():
    hands = {"white": ("7-day", "13-day", "trilith-white")}
    variant = {"arguments": {"white": {"white": 5}}, "combine_triliths": True}
    trim, refuse = (seated(TWO, {}, hands=hands, cap_overflow=c, **variant) for c in ("trim", "refuse"))
    assert ("white", "red", "red") in brought(trim, set(hands["white"])), "one white argument is given up"
    assert all(found.count("white") == 1 for found in brought(trim, set(hands["white"])))
    assert not brought(refuse, set(hands["white"]))
    assert brought(refuse, {"7-day", "trilith-white"})


def test_a_hand_of_unknown_cards_discusses_what_it_can_hold():
    state = dealt(TWO, half_seen=True, combine_triliths=True)
    assert "name it" in refusal(dealt(TWO, combine_triliths=True), "discuss ?? for white+white").en
    assert play(state, "discuss ?? for white+white").arguments[0][0] == 2
    assert "two of any" in refusal(state, "discuss ?? for white+red+red").en
    cards = {frozenset(a.cards) for a in state.legal_actions() if type(a).__name__ == "Discuss"}
    sizes = Counter(sum(card.startswith("trilith") for card in some) for some in cards)
    assert sizes[2] == 1 + 30, "both trilith cards, alone or with any number card"
    assert state.why_not(state.game.parse("discuss 7-day+trilith-white for white+red+red")) is None


def test_unread_cards_bring_what_cards_bring_that_can_be_in_the_hand():
    def shown(cards, hand=()):
        data = dealt(TWO, half_seen=True).to_json()
        side = data["cards"]["pro"]
        side["unseen"][0]["cards"] = [card for card in side["unseen"][0]["cards"] if card not in cards]
        side["discards"] = list(cards)
        state = load_game("council", half_seen=True).from_json(data)
        return state.with_hand("white", hand) if hand else state

    triliths = ["trilith-white", "trilith-yellow"]
    assert "cannot hold cards that bring this" in refusal(shown(triliths), "discuss ?? for red+blue").en
    play(shown(triliths[:1]), "discuss ?? for red+blue")
    # Of the cards that bring white ones two are left.
    white = [f"{n}-day" for n in range(1, 31) if n % 6 < 2][2:]
    assert "cannot hold cards" in refusal(shown(white), "discuss ?? for white+white+white").en
    play(shown(white), "discuss ?? for white+white")
    told = shown((), ["1-day", "2-day", "8-day"])
    assert "cannot hold cards" in refusal(told, "discuss ?? for white+white").en
    play(told, "discuss ?? for blue+blue")
    for state in (shown(triliths), shown(white), told):
        assert all(state.why_not(action) is None for action in state.seen_actions())


def test_a_side_owns_at_most_six_of_a_colour():
    owned = {"white": {"white": 3}, "yellow": {"white": 2}}
    hands = {"white": ["1-day", "7-day", "13-day"]}
    state = seated(FOUR, {}, arguments=owned, hands=hands)
    # One more is allowed: the rest of three cards is given up.
    assert play(state, "discuss 1-day+7-day+13-day for white").arguments[0][0] == 4
    strict = seated(FOUR, {}, arguments=owned, hands=hands, cap_overflow="refuse")
    assert "6 arguments" in refusal(strict, "discuss 1-day+7-day for white").en
    full = seated(FOUR, {}, arguments={"white": {"white": 6}}, hands=hands)
    assert "no argument" in refusal(full, "discuss 1-day for white").en


def test_take_what_the_heap_still_has():
    owned = {"white": {"white": 3}, "red": {"white": 6}}
    state = seated(TWO, {}, arguments=owned, hands={"white": ["1-day", "7-day", "13-day"]})
    assert play(state, "discuss 1-day+7-day+13-day for white").bank()[0] == 0


def test_take_a_seat_with_a_card():
    state = seated(FOUR, {8: "blue-disc"}, hands={"white": ["7-day", "8-day", "9-day"]})
    assert "ring-8 is taken" in refusal(state, "seat white-disc on ring-8 with 8-day").en
    assert "the card's number: ring-7" in refusal(state, "seat white-disc on ring-9 with 7-day").en
    foreign = refusal(state, "seat yellow-disc on ring-7 with 7-day")
    assert foreign == Text("white does not place a yellow disc", "Weiß setzt keine gelbe Scheibe")
    state = play(state, "seat white-figure on ring-7 with 7-day")
    assert state.phase == "draw" and state.insights()["supply"]["white"]["figure"] == 0
    # Two players choose between both of their colours.
    two = seated(TWO, {}, hands={"white": ["7-day", "8-day", "9-day"]})
    assert {"seat white-disc on ring-7 with 7-day", "seat yellow-figure on ring-7 with 7-day"} <= written(two)


def test_swap_a_disc_for_the_figure():
    ring, hands = {7: "white-disc", 8: "yellow-disc"}, {"white": ["7-day", "8-day", "9-day"]}
    state = seated(TWO, ring, hands=hands)
    done = play(state, "replace disc on ring-8 by white-figure with 8-day")
    assert (
        done.insights()["supply"]["yellow"]["disc"] == 10
        and done.insights()["supply"]["white"]["figure"] == 0
    )
    same = seated(TWO, ring, hands=hands, swap_same_colour=True)
    assert "no own disc" in refusal(same, "replace disc on ring-8 by white-figure with 8-day").en
    play(same, "replace disc on ring-7 by white-figure with 7-day")
    four = seated(FOUR, ring, hands=hands)
    assert "no own disc" in refusal(four, "replace disc on ring-8 by white-figure with 8-day").en


def test_three_arguments_buy_any_free_seat_of_the_colour():
    state = seated(
        FOUR, {13: "red-disc"}, arguments={"white": {"white": 3, "red": 3}},
        hands={"white": ["7-day", "6-day", "2-day"]},
    )  # fmt: skip
    assert (
        "ring-2 is blue: this card is white"
        in refusal(state, "seat white-disc on ring-2 with 7-day paying 3 white").en
    )
    assert "card's colour: white" in refusal(state, "seat white-disc on ring-1 with 7-day paying 3 red").en
    assert (
        "hat 0 von 3 Argumenten in Blau"
        in refusal(state, "seat white-disc on ring-8 with 2-day paying 3 blue").de
    )
    assert (
        "figure takes a seat only"
        in refusal(state, "seat white-figure on ring-1 with 7-day paying 3 white").en
    )
    # A black card buys any free black seat with three arguments of one colour.
    done = play(state, "setze weiß-Scheibe auf Ring-30 mit 6-Tag zahle 3 rot")
    assert done.to_json()["ring"]["ring-30"] == "white-disc" and done.arguments[0] == (3, 0, 0, 0, 0)
    assert "seat white-disc on ring-25 with 7-day paying 3 white" in written(state)


def test_ponder_discards_all_three():
    state = seated(TWO, {}, hands={"white": ["7-day", "8-day", "9-day"]})
    state = play(state, "ponder", "discard 8-day", "discard 7-day", "discard 9-day")
    assert state.phase == "draw" and state.draws == 3
    assert draw_all(state).cards_held(0) == 3


def test_confer_is_hidden_from_the_others():
    state = seated(
        FOUR, {}, hands={"white": ["7-day", "8-day", "9-day"], "yellow": ["1-day", "2-day", "3-day"]}
    )
    lent = play(state, "confer 7-day")
    assert lent.to_move == "yellow"
    assert lent.view("white").to_json()["cards"]["pro"]["hands"]["yellow"] == ["7-day", "??", "??", "??"]
    for other in ("red", "blue", None):
        assert lent.view(other).to_json()["cards"]["pro"]["hands"]["yellow"] == ["??"] * 4
    done = play(lent, "give back 2-day")
    assert done.to_move == "white" and done.acted
    assert done.to_json()["cards"]["pro"]["hands"] == {
        "white": ["2-day", "8-day", "9-day"], "yellow": ["1-day", "3-day", "7-day"]
    }  # fmt: skip
    assert done.view("yellow").to_json()["cards"]["pro"]["hands"]["white"] == ["2-day", "??", "??"]
    # The same card may come back; then nobody has learnt where it is but the two of them.
    same = play(lent, "give back 7-day")
    assert same.view("white").to_json()["cards"]["pro"]["hands"]["yellow"] == ["??"] * 3
    assert not state.visible_change(state.game.parse("confer 7-day"))
    assert "four players" in refusal(dealt(TWO), "confer 7-day").en


def test_persuade_as_often_as_one_likes_before_and_after_the_action():
    ring = {1: "white-disc", 2: "red-disc", 3: "blue-disc", 4: "red-disc"}
    owned = {"white": {"white": 1, "blue": 1, "green": 1}}
    hands = {"white": ["7-day", "8-day", "9-day"]}
    state = seated(FOUR, ring, arguments=owned, hands=hands)
    state = play(state, "persuade ring-2 from ring-1 with white-disc for 1 white")
    state = play(state, "persuade ring-3 from ring-2 with white-disc for 1 blue")
    state = draw_all(play(state, "discuss 7-day for white"))
    state = play(state, "persuade ring-4 from ring-3 with white-disc for 1 green", "end turn")
    assert state.to_move == "red" and set(state.to_json()["ring"].values()) == {"white-disc"}
    strict = seated(FOUR, ring, arguments=owned, hands=hands, persuade_one_side_only=True)
    strict = play(strict, "persuade ring-2 from ring-1 with white-disc for 1 white")
    strict = draw_all(play(strict, "discuss 7-day for white"))
    assert (
        "entweder vor oder nach"
        in refusal(strict, "persuade ring-3 from ring-2 with white-disc for 1 blue").de
    )


def test_what_cannot_be_persuaded():
    state = seated(
        FOUR,
        {1: "white-disc", 3: "red-disc", 4: "yellow-disc"},
        arguments={"white": {"white": 3, "yellow": 3}},
    )
    assert "neighbour" in refusal(state, "persuade ring-3 from ring-1 with white-disc for 1 white").en
    assert "no opponent" in refusal(state, "persuade ring-2 from ring-1 with white-disc for 1 white").en
    assert "your side" in refusal(state, "persuade ring-4 from ring-3 with white-disc for 1 green").en
    assert "ring-4 is yellow" in refusal(state, "persuade ring-3 from ring-4 with white-disc for 1 white").en
    assert (
        "figure takes a seat only"
        in refusal(state, "persuade ring-3 from ring-4 with white-figure for 1 yellow").en
    )
    # From the partner's piece, with the own arguments and an own disc.
    assert "persuade ring-3 from ring-4 with white-disc for 1 yellow" in written(state)
    assert (
        "one of a group of 1 costs 1"
        in refusal(state, "persuade ring-3 from ring-4 with white-disc for 2 yellow").en
    )


def test_the_partner_keeps_his_arguments():
    state = seated(FOUR, {1: "white-disc", 2: "red-disc"}, arguments={"yellow": {"white": 3}})
    assert "white has 0 of 1" in refusal(state, "persuade ring-2 from ring-1 with white-disc for 1 white").en


def test_partners_share_their_arguments_as_a_house_rule():
    owned = {"white": {"white": 1}, "yellow": {"white": 1}}
    ring = {1: "white-disc", 2: "red-disc", 3: "red-disc"}
    state = seated(FOUR, ring, arguments=owned, share_arguments=True)
    done = play(state, "persuade ring-2 from ring-1 with white-disc for 2 white")
    assert done.bank()[0] == 10
    assert (
        "white has 1 of 2"
        in refusal(
            seated(FOUR, ring, arguments=owned), "persuade ring-2 from ring-1 with white-disc for 2 white"
        ).en
    )


def test_one_used_up_colour_may_be_moved_as_a_house_rule():
    ring = dict.fromkeys((1, 3, 5, 7, 9, 11, 13, 15, 17, 19), "white-disc") | {2: "yellow-disc"}
    hands = {"white": ["25-day", "1-day", "2-day"]}
    usual = seated(TWO, ring, hands=hands)
    assert "supply is used up" in refusal(usual, "seat disc on ring-25 with 25-day").en
    state = play(seated(TWO, ring, hands=hands, relocate_per_colour=True), "seat disc on ring-25 with 25-day")
    assert (
        len(state.legal_actions()) == 10
        and "colour that is used up" in refusal(state, "lift disc from ring-2").en
    )


def test_the_vote_begins_with_the_last_seat_and_at_once():
    rng = random.Random(5)
    ring = full_ring(rng)
    last = next(n for n in ring if n % 6 and ring[n] == "white-disc" and side(ring[n % 30 + 1]) == "contra")
    del ring[last]
    state = seated(FOUR, ring, hands={"white": [f"{last}-day", "trilith-white", "trilith-yellow"]})
    assert not any(p.kind == "trilith" for p in state.visible())
    state = play(state, f"seat white-disc on ring-{last} with {last}-day")
    assert state.voting and any(p.kind == "trilith" for p in state.visible())
    told = {
        (f"ring-{a}", f"ring-{b}"): c
        for (a, b), (c, _) in naive_prices(ring | {last: "white-disc"}, True).items()
    }
    assert {(p["from"], p["to"]): p["cost"] for p in state.insights()["persuasions"]} == told


def test_a_larger_group_persuades_for_one_argument_in_the_vote():
    ring = {1: "white-disc", 2: "white-disc", 3: "white-disc", 4: "red-disc", 5: "red-disc", 7: "blue-figure",
            8: "yellow-disc", 9: "yellow-disc", 10: "blue-disc", 11: "blue-disc"}  # fmt: skip
    state = seated(FOUR, ring, voting=True)
    price = {(p["from"], p["to"]): p["cost"] for p in state.insights()["persuasions"]}
    assert price["ring-3", "ring-4"] == 1 and price["ring-4", "ring-3"] == 3
    assert price["ring-8", "ring-7"] == 1  # a figure as well
    assert price["ring-9", "ring-10"] == 2  # equal groups: the ordinary price
    equal = seated(FOUR, ring, voting=True, vote_equal_discount=True)
    assert {(p["from"], p["to"]): p["cost"] for p in equal.insights()["persuasions"]}[
        "ring-9", "ring-10"
    ] == 1


def test_sixteen_in_a_row_win_at_once_across_thirty_and_one():
    numbers = [*range(24, 31), *range(1, 9)]  # 15 seats around the boundary
    ring = {n: "white-disc" if i < 8 else "yellow-disc" for i, n in enumerate(numbers)}
    state = seated(FOUR, ring, hands={"white": ["9-day", "1-day", "2-day"]}, turn="white")
    assert state.insights()["to_win"] == {"pro": 1, "contra": 16}
    state = play(state, "seat white-figure on ring-9 with 9-day")
    assert state.is_over and state.returns() == (1.0, -1.0, 1.0, -1.0)
    assert state.scores()["yellow"].total == 16
    assert state.prompt().de == "Pro (Weiß und Gelb) hat den Rat für sich gewonnen"


def test_nobody_left_in_supply_a_placed_disc_is_moved():
    ring = dict.fromkeys((1, 3, 5, 7, 9, 11, 13, 15, 17, 19), "white-disc") | {2: "red-disc"}
    state = seated(
        FOUR, ring, arguments={"white": {"white": 1}}, hands={"white": ["25-day", "1-day", "2-day"]}
    )
    assert refusal(state, "seat white-disc on ring-25 with 25-day") == Text(
        "there is none left in supply: white disc", "im Vorrat ist keine mehr: weiße Scheibe"
    )
    lifting = play(state, "seat disc on ring-25 with 25-day")
    assert lifting.phase == "lift" and len(lifting.legal_actions()) == 10
    assert "an own disc is lifted" in refusal(lifting, "lift disc from ring-2").en
    done = play(lifting, "lift disc from ring-19")
    assert done.phase == "draw" and "ring-19" not in done.to_json()["ring"]
    # Persuading works the same way, even with the disc that persuades; its price is asked before.
    done = play(state, "persuade ring-2 from ring-1 with disc for 1 white", "lift disc from ring-1")
    assert "ring-1" not in done.to_json()["ring"] and done.to_json()["ring"]["ring-2"] == "white-disc"
    supplied = seated(FOUR, {1: "white-disc"}, hands={"white": ["25-day", "1-day", "2-day"]})
    assert "supply is used up" in refusal(supplied, "seat disc on ring-25 with 25-day").en


def test_played_cards_are_shuffled_when_the_pile_is_empty():
    state = dealt(TWO, half_seen=False)
    data = state.to_json()
    pro = data["cards"]["pro"]
    held = pro["hands"]["white"]
    pro["discards"] = [card for card in pro["unseen"][0]["cards"] if card not in held]
    pro["unseen"] = [{"cards": held, "unknown": {"white": 0}}]
    state = state.game.from_json(data)
    number = next(card for card in held if card.endswith("day"))
    field = f"ring-{number.split('-')[0]}"
    state = play(state, f"seat white-disc on {field} with {number}")
    assert written(state) == {"shuffle the discards"}
    state = play(state, "shuffle the discards")
    assert len(state.legal_actions()) == 30  # 29 that were played before, and the one just played


def test_passing_is_allowed_unless_the_table_says_otherwise():
    assert play(dealt(TWO), "end turn").to_move == "red"
    assert "take an action" in refusal(dealt(TWO, action_mandatory=True), "end turn").en


def test_a_draw_needs_everybody():
    state = dealt(FOUR, draw_by_agreement=True)
    offered = play(state, "offer a draw", "accept the draw", "accept the draw")
    assert offered.to_move == "blue"
    assert play(offered, "accept the draw").returns() == (0.0,) * 4
    declined = play(offered, "decline the draw")
    assert declined.to_move == "white" and "once in a turn" in refusal(declined, "offer a draw").en
    assert "know no draw" in refusal(dealt(FOUR), "offer a draw").en


# --- half seen, and from a look at the board ------------------------------------------------------------


def test_half_seen_refuses_what_cannot_be():
    state = dealt(TWO, half_seen=True)
    assert "seat white-disc on ring-7 with 7-day" in written(state)
    assert (
        "this side does not play with 7-night" in refusal(state, "seat white-disc on ring-7 with 7-night").en
    )
    state = draw_all(play(state, "discuss 7-day+13-day for white+white"))
    state = play(state, "end turn", "end turn")
    assert "7-day has been played already" in refusal(state, "seat white-disc on ring-7 with 7-day").en
    told = state.with_hand("white", ["1-day", "2-day", "3-day"])
    assert "cannot hold 4-day" in refusal(told, "discuss 4-day for yellow").en
    assert told.view("red") == state.view("red")


def test_a_field_tells_the_card_of_a_seat_and_of_a_changed_disc():
    state = seated(TWO, {7: "white-disc"}, half_seen=True)
    for move in ("seat white-disc on ring-9 with ??", "replace disc on ring-7 by white-figure with ??"):
        assert "the field tells the card" in refusal(state, move).en
    assert "tells the card" in refusal(state, "replace disc on ring-7 by white-figure with 30-??").en
    assert "replace disc on ring-7 by yellow-figure with 7-day" in written(state)
    # The 7 has been shown since.
    data = state.to_json()
    data["cards"]["pro"]["unseen"][0]["cards"].remove("7-day")
    data["cards"]["pro"]["discards"] = ["7-day"]
    state = load_game("council", half_seen=True).from_json(data)
    played = refusal(state, "replace disc on ring-7 by white-figure with ??")
    assert "7-day has been played already" in played.en


def test_a_council_can_begin_in_the_middle():
    before = seated(
        TWO, {1: "white-disc", 2: "red-figure"}, arguments={"white": {"white": 2}, "red": {"red": 1}}
    )
    state = load_game("council").from_position(before.visible(), TWO, "red")
    assert state.visible().same_as(before.visible()) and state.to_move == "red"
    # Two white arguments are with some player: white may have them.
    assert "persuade ring-1 from ring-2 with red-disc for 1 blue" not in written(state)
    scores = load_game("council").score_position(before.visible())
    assert {player: score.total for player, score in scores.items()} == {"white": 1, "red": 1}


@pytest.mark.parametrize(("first", "size", "winner"), [(20, 16, "pro"), (1, 15, None)])
def test_a_council_that_begins_with_sixteen_together_is_decided(first, size, winner):
    row = [(first + step - 1) % 30 + 1 for step in range(size)]
    ring = {n: "white-disc" if step < 8 else "yellow-disc" for step, n in enumerate(row)}
    position = seated(TWO, ring).visible()
    state = load_game("council").from_position(position, TWO, "red")
    assert state.to_json()["winner"] == winner and state.is_over == (winner is not None)
    assert state.returns() == ((1.0, -1.0) if winner else (0.0, 0.0))
    assert state.game.from_json(state.to_json()) == state


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "tea"},
        {"to_move": "blue"},
        {"phase": "draw", "to_move": "chance"},
        {"phase": "lift"},
        {"ring": {"ring-31": "white-disc"}},
        {"ring": {f"ring-{n}": "white-disc" for n in range(1, 12)}},
        {"arguments": {}},
        {"unclaimed": dict.fromkeys(PLAYER_COLOURS, 11)},
        {"cards": {}},
        {"winner": "nobody"},
    ],
    ids=str,
)
def test_contradicting_states_are_refused(change):
    data = dealt(TWO).to_json() | change
    with pytest.raises(StateError):
        load_game("council").from_json(data)


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        (Piece("disc", "green", field="ring-1"), "no green disc"),
        (Piece("pillar", "grey", field="yard-1"), "no pillar"),
        (Piece("disc", "red", field="altar"), "one piece stands"),
        (Piece("block", "red", field="ring-1"), "trilith fields"),
        (Piece("block", "red", field="trilith-5", count=11), "10 arguments"),
    ],
)
def test_impossible_positions_are_refused(piece, message):
    with pytest.raises(StateError, match=message):
        load_game("council").from_position(Position("anthology", (piece,)), TWO)
