"""Tables for the tests of the referee, and how they are seen."""

from __future__ import annotations

from engine import Observation, Piece, Position, load_game
from engine.board import load_board
from engine.observation import certain
from engine.record import Entry, Record
from engine.referee import Referee, unseen_event
from engine.referee.simulate import entries_of

SPACES = tuple(load_board("knizia").fields)
RING = tuple(load_board("anthology").fields)


def stonehenge(*moves: str):
    state = load_game("stonehenge").start(("black", "brown"))
    for move in moves:
        state = state.apply(state.game.parse(move))
    return state


def building():
    state = load_game("build", half_seen=True).start(("red", "blue", "green"))
    while (event := unseen_event(state)) is not None:
        state = state.apply(event)
    return state


BALL = Piece("figure", "grey", field="ring-6", facing="clockwise")
PITS_AND_RING = tuple(place for place in RING if place.startswith(("ring", "pit")))


def ball_on_6():
    """White is to move; below the ball's next field 7 nothing lies."""
    position = Position("anthology", (Piece("disc", "white", field="pit-3-day"), BALL))
    players = ("white", "blue", "green")
    return load_game("roulette", half_seen=True).from_position(position, players, "white")


def seen(position: Position, *, doubt: float = 0.001, **more: object) -> Observation:
    places = (
        SPACES
        if position.board == "knizia"
        else tuple(p for p in RING if not p.startswith(("yard", "altar")))
    )
    sure = certain(position, places, doubt=doubt)
    return Observation(position.board, {**sure.fields}, position, **more)  # type: ignore[arg-type]


def texts(decision) -> list[str]:
    return [str(action) for action in decision.explanation.actions]


def followed(record: Record, referee: Referee, view: Observation):
    """The referee's decision on a view; what it enters is on record then."""
    decision = referee.see(record.state, view, record.steps)
    for entry in entries_of(decision.explanation) if decision.verdict == "moved" else ():
        record.add(entry)
    return decision


def draw_unseen(record: Record) -> None:
    while (event := unseen_event(record.state)) is not None:
        record.add(Entry("move", str(event), who="chance", by="rules"))


def ball_seen(state) -> Observation:
    sure = certain(state.visible(), PITS_AND_RING, doubt=0.001)
    return Observation("anthology", sure.fields, state.visible())


def gates_seen(position: Position) -> Observation:
    """What lies at the gates of Rolling Rocks, and what stands free."""
    places = tuple(f"trilith-{gate}{top}" for gate in range(1, 6) for top in ("", "^"))
    free = tuple(piece for piece in position if not piece.place)
    return Observation("anthology", certain(position, places).fields, position, loose=free)
