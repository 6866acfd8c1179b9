"""Tables for the tests of Der Hohe Rat: arranged states, and a second opinion on groups and prices."""

from __future__ import annotations

import json
import random
from functools import cache

from engine import load_game
from engine.cards import ring_colour
from tests.engine.games.properties import random_action

TWO = ("white", "red")
FOUR = ("white", "red", "yellow", "blue")
NAMES = [f"{colour}-{kind}" for colour in ("white", "yellow", "red", "blue") for kind in ("disc", "figure")]


def dealt(players, seed=0, **variant):
    """The first turn, everybody has three cards."""
    rng = random.Random(seed)
    state = load_game("council", **variant).start(players)
    while state.phase == "deal":
        state = state.apply(random_action(state, rng))
    return state


@cache
def _dealt_json(players, seed, variant):
    return json.dumps(dealt(players, seed, **dict(variant)).to_json())


def seated(players, ring, *, arguments=None, hands=None, turn=None, voting=False, seed=0, **variant):
    """A council with these pieces (number -> "yellow-figure"), arguments (player -> colour -> count) and
    hands (player -> three cards)."""
    data = json.loads(_dealt_json(tuple(players), seed, tuple(sorted(variant.items()))))
    data["ring"] = {f"ring-{number}": piece for number, piece in ring.items()}
    data["turn"] = data["to_move"] = turn or players[0]
    data["voting"] = voting
    for player, owned in (arguments or {}).items():
        data["arguments"][player].update(owned)
    for player, cards in (hands or {}).items():
        _give(data, player, cards)
    return load_game("council", **variant).from_json(data)


def _give(data, player, cards):
    """Deal exactly these cards; a partner who had one of them gets a card of the pile instead."""
    side = data["cards"]["pro" if player in ("white", "yellow") else "contra"]
    side["hands"][player] = list(cards)
    held = {card for hand in side["hands"].values() for card in hand}
    spare = [card for card in side["unseen"][-1]["cards"] if card not in held]
    for other, hand in side["hands"].items():
        if other != player:
            side["hands"][other] = [spare.pop() if card in cards else card for card in hand]


def full_ring(rng, most=14):
    """A full ring without a winner: blocks of at most `most` seats."""
    while True:
        pieces = [name for name in NAMES for _ in range(10 if name.endswith("disc") else 1)]
        ring = dict(enumerate(rng.sample(pieces, 30), 1))
        if max(naive_block(ring, n) for n in ring) <= most:
            return ring


# --- a second opinion: floods over neighbours, one seat at a time ----------------------------------------


def neighbours(number):
    return (number - 2) % 30 + 1, number % 30 + 1


def side(piece):
    return "pro" if piece.split("-")[0] in ("white", "yellow") else "contra"


def flood(ring, number, alike):
    """The seats that hang together with `number` through pieces that are alike."""
    reached, waiting = set(), [number]
    while waiting:
        here = waiting.pop()
        reached.add(here)
        waiting += [
            n for n in neighbours(here) if n in ring and n not in reached and alike(ring[n], ring[here])
        ]
    return reached


def naive_group(ring, number):
    return len(flood(ring, number, lambda a, b: a.split("-")[0] == b.split("-")[0]))


def naive_block(ring, number):
    return len(flood(ring, number, lambda a, b: side(a) == side(b)))


def naive_prices(ring, voting):
    """{(from, to): (price, colour of the arguments, "any" on black)} for every possible persuasion."""
    prices = {}
    for source, piece in ring.items():
        for target in neighbours(source):
            if target in ring and side(ring[target]) != side(piece):
                price = {1: 1, 2: 2}.get(naive_group(ring, target), 3)
                if ring[target].endswith("figure"):
                    price = 3
                if voting and naive_group(ring, source) > naive_group(ring, target):
                    price = 1
                colour = ring_colour(source)
                prices[source, target] = (price, "any" if colour == "black" else colour)
    return prices
