"""Tables of Erbaut Stonehenge! for tests: pieces by name, states in the middle of a game, dealt games."""

from __future__ import annotations

import pytest

from engine import IllegalActionError, Piece, Position, load_game
from engine.cards import ring_colour

PLAYERS = ("red", "blue", "green", "white")
YARD = {player: f"yard-{seat}" for seat, player in enumerate(PLAYERS, start=1)}


def blocks(colour, *numbers):
    return [Piece("block", colour, field=f"ring-{n}") for n in numbers]


def bluestones(colour, *numbers):
    return [Piece("disc", colour, field=f"bluestone-{n}") for n in numbers]


def triliths(colour, *numbers):
    fields = [f"trilith-{n}" for n in numbers]
    return [Piece("trilith", "grey", field=field) for field in fields] + [
        Piece("disc", colour, field=field, on="trilith") for field in fields
    ]


def druid(colour, field, **more):
    return [Piece("figure", colour, field=field, **more)]


def project(player, card, site=None, *, pillars=0, capstone=False):
    """A card in the player's yard, with trilith parts and his druid on its site."""
    yard, (first, _, rest) = YARD[player], card.partition("-")
    if card == "??-day":
        lying = Piece("card", field=yard, face="down")
    elif first == "trilith":
        lying = Piece("card", rest, field=yard, face="up")
    else:
        colour = ring_colour(int(first))
        lying = Piece("card", colour, field=yard, number=int(first), phase=rest, face="up")
    parts = [Piece("pillar", "grey", field=yard)] * pillars
    if capstone:
        parts += [Piece("capstone", "grey", field=yard), Piece("disc", player, field=yard)]
    return [lying, *parts, *(druid(player, site) if site else [])]


def table(*pieces, to_move="red", count=3, influence=None, neutral_owner=None, **variant):
    """A half-seen game that begins with these lists of pieces, before the turn of `to_move`."""
    position = Position("anthology", tuple(piece for some in pieces for piece in some))
    return load_game("build", **variant).from_position(
        position, PLAYERS[:count], to_move, influence=influence, neutral_owner=neutral_owner
    )


def dealt(hands, display, *, count=3, **variant):
    """A fully known game after the deal: per player three cards, and the three of the display."""
    state = load_game("build", **variant).start(PLAYERS[:count])
    for card in range(3):
        for player, hand in zip(PLAYERS[:count], hands, strict=True):
            state = play(state, f"deal {hand[card]} to {player}")
    for slot, card in enumerate(display, start=1):
        state = play(state, f"turn up {card} in place {slot}")
    return state


def play(state, moves):
    """The state after moves separated by semicolons."""
    for move in filter(None, map(str.strip, moves.split(";"))):
        state = state.apply(state.game.parse(move))
    return state


def refusal(state, move):
    """Why the move is refused, in English; the German reason is there as well."""
    with pytest.raises(IllegalActionError) as refused:
        state.apply(state.game.parse(move))
    assert refused.value.reason.de and refused.value.reason.de != refused.value.reason.en
    return str(refused.value)


def legal(state):
    return [str(action) for action in state.legal_actions()]


def at(state, place):
    """What lies at a place, in words."""
    return sorted(str(piece.thing) for piece in state.visible().at(place))
