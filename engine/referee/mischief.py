"""Mischief: positions that no legal move leads to, to see whether they are caught."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.errors import HengeError
from engine.game import State
from engine.observation import Belief, Observation
from engine.position import Piece, Position, thing_at
from engine.referee.evidence import is_area
from engine.referee.referee import Referee
from engine.referee.simulated_reader import SimulatedReader, kind_of, tops


def illegal_position(
    state: State, allowed: Sequence[State], reader: SimulatedReader, rng: random.Random
) -> Position | None:
    """The position after something that the rules do not allow: a piece added, moved or taken away. What may
    follow one of the `allowed` states is not that (nor taking back the last move, or making another instead,
    if the state before it is among them).

    None if nothing illegal was found."""
    position = state.visible()
    free = [place for place in reader.places if "+" not in place and not position.at(place)]
    for _ in range(40):
        pieces = [piece for piece in position.pieces if piece.place and not is_area(piece.place)]
        others = tuple(position.pieces)
        kind = rng.choice(("add", "add", "move", "remove")) if pieces else "add"
        if kind == "add" and free:
            place = rng.choice(free)
            others = (*others, thing_at(rng.choice(reader.things[kind_of(place)]), place))
        elif kind == "move":
            piece = rng.choice(pieces)
            targets = [place for place in free if kind_of(place) == kind_of(piece.place or "")]
            if not targets:
                continue
            others = (*_but(others, piece), piece.at(rng.choice(targets)))
        elif kind == "remove":
            others = _but(others, rng.choice(pieces))
        wrong = Position(position.board, others, position.game)
        if not any(_is_legal(each, wrong, reader.places) for each in allowed):
            return wrong
    return None


def _but(pieces: Sequence[Piece], piece: Piece) -> tuple[Piece, ...]:
    rest = list(pieces)
    rest.remove(piece)
    return tuple(rest)


def _is_legal(state: State, position: Position, places: Sequence[str]) -> bool:
    """Whether moves lead from `state` to what can be seen of `position`: asked of the referee itself, with a
    reader that makes no mistakes."""
    top = tops(position)
    fields: dict[str, Belief] = {place: {top.get(place): 1.0} for place in places}
    loose = tuple(p for p in position.pieces if is_area(p.place or ""))
    try:
        decision = Referee().see(
            state, Observation(position.board, fields, Position(position.board), {}, loose)
        )
    except HengeError:
        return False
    return decision.verdict != "out_of_step"
