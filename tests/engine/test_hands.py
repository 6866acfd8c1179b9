"""Hands and piles of which only a part is known, against all deals that could really be."""

from __future__ import annotations

import doctest
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.hands
from engine import IllegalActionError, StateError
from engine.cards import UNKNOWN
from engine.hands import BIT, Hands, cards_of, mask_of

DECK = tuple(f"{n}-day" for n in range(1, 8))


def test_examples_in_docstrings_hold():
    assert doctest.testmod(engine.hands).failed == 0


class Table:
    """Two hands, a pile and discards, and every deal that an onlooker cannot rule out."""

    def __init__(self) -> None:
        self.real = Hands.fresh(mask_of(DECK), seats=2)
        self.seen = self.real
        self.worlds = {(frozenset(), frozenset(), frozenset(DECK))}  # hands of both, pile
        self.discards = frozenset()

    def draw(self, seat: int, card: str) -> None:
        self.real, self.seen = self.real.draw(seat, card), self.seen.draw(seat, UNKNOWN)
        self.worlds = {self._drawn(world, seat, any_card) for world in self.worlds for any_card in world[2]}

    @staticmethod
    def _drawn(world, seat, card):
        hands = [world[0], world[1]]
        hands[seat] |= {card}
        return (*hands, world[2] - {card})

    def play(self, seat: int, card: str) -> None:
        self.real = self.real.play(seat, card).put_away(BIT[card])
        self.seen = self.seen.play(seat, card).put_away(BIT[card])
        self.worlds = {
            (world[0] - {card}, world[1] - {card}, world[2]) for world in self.worlds if card in world[seat]
        }
        self.discards |= {card}

    def shuffle(self) -> None:
        self.real, self.seen = self.real.shuffle(), self.seen.shuffle()
        self.worlds = {(one, other, self.discards) for one, other, _ in self.worlds}
        self.discards = frozenset()

    def step(self, rng: random.Random) -> None:
        seat = rng.randrange(2)
        if not self.real.pile_count:
            self.shuffle()
        elif self.real.size(seat) < 2:
            self.draw(seat, rng.choice(cards_of(self.real.pile)))
        else:
            self.play(seat, rng.choice(cards_of(self.real.known[seat])))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_possible_is_exactly_what_can_be(seed):
    rng, table = random.Random(seed), Table()
    for _ in range(25):
        table.step(rng)
        for seat in range(2):
            possible = set().union(*(world[seat] for world in table.worlds))
            assert set(cards_of(table.seen.possible(seat))) == possible
            for pair in combinations(DECK, 2):
                together = any(set(pair) <= world[seat] for world in table.worlds)
                assert table.seen.can_hold_all(seat, mask_of(pair)) == together
            some = rng.sample(DECK, 4)
            among = any(world[seat] <= set(some) for world in table.worlds)
            assert table.seen.can_all_be_among(seat, mask_of(some)) == among
        assert table.seen.pile_count == table.real.pile_count == len(next(iter(table.worlds))[2])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_who_sees_nothing_sees_the_half_seen_game(seed):
    rng, table = random.Random(seed), Table()
    players = ("red", "blue")
    for _ in range(20):
        table.step(rng)
        assert table.real.seen_by((0, 0)).to_json(players) == table.seen.to_json(players)
        told = table.seen
        for seat, player in enumerate(players):
            told = told.tell(seat, player, cards_of(table.real.known[seat]))
        assert told.to_json(players) == table.real.to_json(players)
        for hands in (table.real, table.seen, table.real.seen_by((-1, 0))):
            back = Hands.from_json(hands.to_json(players), players, mask_of(DECK))
            assert back.to_json(players) == hands.to_json(players)


def test_a_card_handed_over_unseen_can_be_anywhere_among_the_unseen():
    hands = Hands.fresh(mask_of(DECK), 2).draw(0, UNKNOWN).draw(1, UNKNOWN).hand_over(0, 1, UNKNOWN)
    assert (hands.size(0), hands.size(1), hands.pile_count) == (0, 2, 5)
    assert not hands.possible(0) and hands.possible(1) == mask_of(DECK)


def test_hands_of_those_who_left_are_shuffled_in():
    hands = Hands.fresh(mask_of(DECK[:2]), 2).draw(0, DECK[0]).draw(1, DECK[1]).shuffle(with_seats=[0])
    assert hands.size(0) == 0 and cards_of(hands.pile) == (DECK[0],)


def test_a_hand_that_cannot_be_is_refused():
    hands = Hands.fresh(mask_of(DECK), 2).draw(0, UNKNOWN).draw(1, DECK[1])
    for told in ([DECK[1]], [DECK[2], DECK[3]], ["8-day"], ["99-day"]):
        with pytest.raises(IllegalActionError):
            hands.tell(0, "red", told)


@pytest.mark.parametrize(
    "change",
    [
        {"discards": ["1-day"]},
        {"hands": {"red": ["1-day"], "blue": ["1-day"]}},
        {"hands": {"red": ["??"], "blue": []}},
        {"unseen": []},
        {"discards": ["burnt"]},
        {"hands": {"red": []}},
    ],
)
def test_contradicting_data_is_refused(change):
    data = Hands.fresh(mask_of(DECK), 2).to_json(("red", "blue")) | change
    with pytest.raises(StateError):
        Hands.from_json(data, ("red", "blue"), mask_of(DECK))
