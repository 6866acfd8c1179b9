"""Tables for the tests of Trilithen knallen: arranged states, a player who remembers, a second referee."""

from __future__ import annotations

import random

from engine import load_game
from engine.cards import PLAYER_COLOURS, colour_of, is_known
from tests.engine.games.properties import random_action

GROUP = ["white", "blue", "green", "yellow", "red"]


def start_of_race(players, seed=0, **variant):
    """The first turn of a race, everything dealt."""
    rng = random.Random(seed)
    state = load_game("ramming", **variant).start(players)
    while state.phase in ("blocks", "display", "deal"):
        state = state.apply(random_action(state, rng))
    return state


def arranged(players, at, *, points=None, turn=None, hands=None, blocks=None, seed=0, **variant):
    """A race in which the triliths stand at `at` (colour -> its first ring number, clockwise); blocks
    repeat white, blue, green, yellow, red unless told otherwise. `points`: colour -> points left, the
    rest lies with the player after its owner."""
    data = start_of_race(players, seed, **variant).to_json()
    data["blocks"] = blocks or GROUP * 6
    data["turn"] = data["to_move"] = turn or players[0]
    for colour, first in at.items():
        data["triliths"][colour]["fields"] = [f"ring-{first}", f"ring-{first % 30 + 1}"]
    for colour, left in (points or {}).items():
        seat = list(data["triliths"]).index(colour) % len(players)
        taker = players[(seat + 1) % len(players)]
        data["triliths"][colour]["points"] = left
        data["triliths"][colour]["taken_by"] = {taker: 10 - left}
    for player, cards in (hands or {}).items():
        _give(data, player, cards)
    return load_game("ramming", **variant).from_json(data)


def _give(data, player, cards):
    """Deal exactly these cards; whoever had one of them gets a card of the pile instead."""
    data["hands"][player] = list(cards)
    held = {card for hand in data["hands"].values() for card in hand}
    spare = [card for card in data["unseen"][-1]["cards"] if card not in held]
    for other, hand in data["hands"].items():
        if other != player:
            data["hands"][other] = [spare.pop() if card in cards else card for card in hand]


def turn_up(state, colour):
    """Turn up a face-down number card of this colour (known to the state)."""
    place = next(
        i
        for i, card in enumerate(state.display)
        if not state.face_up >> i & 1 and colour_of(card) == colour and card.endswith("night")
    )
    state = state.apply(state.game.parse(f"turn up display-{place + 1}"))
    return state.apply(state.legal_actions()[0])


def race_through(state):
    """Turn up the right cards until the attempt is over."""
    while state.phase == "uncover":
        attempt = state.insights()["attempt"]
        state = turn_up(state, attempt["needed"][attempt["right"]])
    return state


def clever_action(state, rng):
    """A player who mostly remembers where the cards lie: such races come to their end."""
    if state.phase == "uncover" and rng.random() < 0.9:
        attempt = state.insights()["attempt"]
        needed = attempt["needed"][attempt["right"]]
        for action in state.legal_actions():
            card = state.display[int(action.place.removeprefix("display-")) - 1]
            if is_known(card) and colour_of(card) == needed:
                return action
    return random_action(state, rng)


# --- a second referee: pushes triliths field by field, and knows nothing of the first one -----------


def naive_ram(at, points, rammer, way, *, bounce=True):
    """(where all stand, [(victim, paid)]) after `rammer` has reached the next trilith on its way.

    at: per trilith its first field 1..30 clockwise, or None; a trilith also covers the next field."""
    ring = [None] * 30
    for trilith, first in enumerate(at):
        if first is not None:
            ring[first - 1] = ring[first % 30] = trilith
    paid = []
    damage, mover, moved = None, rammer, 0
    budget = 30  # the rammer is driven on until it meets somebody
    while True:
        struck = None
        while moved < budget and struck is None:
            struck = push(ring, mover, way)
            moved += struck is None
        # Out of push with the next trilith just touched: nobody is hit.
        if struck is None or (mover == rammer and struck == mover):
            break
        free = moved
        damage = free if mover == rammer else (free + 1) // 2
        if damage == 0:
            break
        left = points[struck]
        paid.append((struck, min(left, damage)))
        if left < damage:
            ring = [None if cell == struck else cell for cell in ring]
            break
        if not bounce:
            break
        mover, moved, budget = struck, 0, damage
    return [first_field(ring, trilith) for trilith in range(len(at))], paid


def push(ring, trilith, way):
    """Moves a trilith one field; if another one is in the way, moves nothing and returns that one."""
    first = first_field(ring, trilith) - 1
    front = (first + 2) % 30 if way > 0 else (first - 1) % 30
    back = first if way > 0 else (first + 1) % 30
    if ring[front] is not None:
        return ring[front]
    ring[front], ring[back] = trilith, None
    return None


def first_field(ring, trilith):
    """The first of the two fields, clockwise; None when it is off the track."""
    cells = [i for i, cell in enumerate(ring) if cell == trilith]
    if not cells:
        return None
    return next(i + 1 for i in cells if ring[(i + 1) % 30] == trilith)


def naive_reach(blocks, first, way, limit):
    """How many fields can be entered from `first` with `limit` cards of each colour."""
    cards = [colour for colour in PLAYER_COLOURS for _ in range(limit)]
    field = first + 1 if way > 0 else first
    entered = 0
    while True:
        field += way
        colour = blocks[(field - 1) % 30]
        if colour not in cards:
            return entered
        cards.remove(colour)
        entered += 1
