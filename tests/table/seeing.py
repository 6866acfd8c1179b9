"""Readings of positions as a good reader gives them."""

from __future__ import annotations

from engine import Observation, Piece, Position, State, Thing
from engine.board import load_board
from engine.observation import Belief


def reading(
    seen: State | Position,
    *,
    doubt: float = 0.002,
    unseen: tuple[str, ...] = (),
    **beliefs: dict[Thing | None, float],
) -> Observation:
    """What a good reader makes of a position; `beliefs`: what it makes of single fields (ring_7: ring-7)."""
    position = seen if isinstance(seen, Position) else seen.visible()
    board = load_board(position.board)
    things = {piece.place: piece.thing for piece in position.pieces}
    fields: dict[str, Belief] = {}
    for place in dict.fromkeys((*board.fields, *filter(None, things))):
        thing = things.get(place)
        fields[place] = {thing: 1 - doubt, None: doubt} if thing else {None: 1.0}
    fields |= {place.replace("_", "-"): belief for place, belief in beliefs.items()}
    return Observation(position.board, fields, position, dict.fromkeys(unseen, "hidden behind a hand"))


def with_piece(state: State, **piece: object) -> Position:
    """The position of `state` with one more piece on the board."""
    before = state.visible()
    return Position(before.board, (*before.pieces, Piece(**piece)), before.game)  # type: ignore[arg-type]


def after(state: State, *moves: str) -> State:
    for move in moves:
        state = state.apply(state.game.parse(move))
    return state
