"""A reader that makes mistakes on purpose.

It looks at true positions and is wrong at a share `error` of all fields, in the way in which real readers
are wrong: most fields are easy and read with near certainty; some are hard, there the reader wavers and is
wrong about as often as it says so; every tenth mistake is made with confidence. What it gets wrong it takes
for something that could lie there: nothing, another colour, another number. A field that did not change
reads the same in the next view every other time: glare stays.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.action import Action
from engine.board import load_board
from engine.game import CHANCE, Game, State, draw_chance
from engine.observation import Belief, Observation
from engine.position import Piece, Position, Thing
from engine.referee.evidence import is_area

HARD_PER_ERROR = 4.0  # hard fields are wrong in a quarter of all cases
CONFIDENTLY_WRONG = 0.1
STAYS = 0.5
UNSEEN = 0.01


class SimulatedReader:
    """Reads positions of one game. `things`: place kind -> what may lie there."""

    def __init__(self, game: Game, players: Sequence[str], rng: random.Random, error: float = 0.01) -> None:
        self.rng, self.error = rng, error
        self.things = _vocabulary(game, players)
        board = load_board(game.board)
        self.places = [each for each in board.fields if kind_of(each) in self.things and not is_area(each)]
        self.places += [f"{each}^" for each in board.fields if f"{kind_of(each)}^" in self.things]
        self.places += _pairs(self.things, board.neighbours)
        self._last: dict[str, tuple[Thing | None, Belief]] = {}
        self._known: dict[str, Thing | None] = {}

    def read(self, position: Position) -> Observation:
        """A fresh view of the table."""
        top = tops(position)
        fields: dict[str, Belief] = {}
        unseen: dict[str, str] = {}
        for place in self.places:
            truth = top.get(place)
            before = self._last.get(place)
            if place in self._known and self._known[place] == truth:
                fields[place] = {truth: 1.0}
            elif before is not None and before[0] == truth and self.rng.random() < STAYS:
                fields[place] = before[1]
            else:
                fields[place] = self._belief(place, truth)
            self._last[place] = (truth, fields[place])
            if self.rng.random() < UNSEEN:
                unseen[place] = "hidden"
        loose = tuple(
            replace(self._mistaken(piece), confidence=0.97)
            for piece in position.pieces
            if is_area(piece.place or "") and self.rng.random() > self.error
        )
        return Observation(position.board, fields, Position(position.board, ()), unseen, loose)

    def put_right(self, places: Iterable[str], lies: Mapping[str, Thing | None]) -> None:
        """People have said what lies at these places: it is read rightly as long as nothing changes there."""
        self._known.update({place: lies[place] for place in places})

    def _mistaken(self, piece: Piece) -> Piece:
        """What a piece in a yard, on the altar or beside the fields is read as."""
        if self.rng.random() >= self.error:
            return piece
        kind = {"pillar": "capstone", "capstone": "pillar"}.get(piece.kind, piece.kind)
        return replace(piece, kind=kind, lying=piece.lying != (piece.kind == "figure"))

    def _belief(self, place: str, truth: Thing | None) -> Belief:
        rng, other = self.rng, self._confusion(place, truth)
        if rng.random() < HARD_PER_ERROR * self.error:
            doubt = rng.uniform(0.02, 0.48)
            wrong = rng.random() < doubt
            if wrong and rng.random() < CONFIDENTLY_WRONG:
                doubt /= 10
        else:
            doubt, wrong = 10 ** rng.uniform(-4, -2), False
        first, second = (other, truth) if wrong else (truth, other)
        belief: dict[Thing | None, float] = {first: 1 - doubt}
        belief[second] = belief.get(second, 0.0) + doubt * 0.8
        third = None if None not in belief else self._confusion(place, truth)
        belief[third] = belief.get(third, 0.0) + doubt * 0.2
        return belief

    def _confusion(self, place: str, truth: Thing | None) -> Thing | None:
        """Something else that could lie there: nothing, the same in another colour or number, anything."""
        choices = [each for each in self.things[kind_of(place)] if each != truth]
        if truth is None or not choices:
            return self.rng.choice(choices) if choices else None
        alike = [each for each in choices if each.kind == truth.kind]
        roll = self.rng.random()
        if roll < 0.35:
            return None
        return self.rng.choice(alike if roll < 0.8 and alike else choices)


def tops(position: Position) -> dict[str, Thing]:
    """place -> what a camera sees there: the last of the pieces that lie on one another."""
    return {piece.place or "": piece.thing for piece in position.pieces}


def kind_of(place: str) -> str:
    """ring-7 -> ring, pit-3-day -> pit, ring-4+ring-5 -> ring+, trilith-2^ -> trilith^."""
    mark = ("+" if "+" in place else "") + ("^" if place.endswith("^") else "")
    return place.split("-")[0].rstrip("^") + mark


def _pairs(things: dict[str, list[Thing]], neighbours: Iterable[tuple[str, str]]) -> list[str]:
    places: list[str] = []
    for a, b in neighbours:
        for first, second in ((a, b), (b, a)):
            if f"{kind_of(first)}+" in things and kind_of(first) == kind_of(second):
                places.append(f"{first}+{second}")
            if f"{kind_of(first)}+^" in things and kind_of(first) == kind_of(second):
                places.append(f"{first}+{second}^")
    return places


def _vocabulary(game: Game, players: Sequence[str]) -> dict[str, list[Thing]]:
    """What lies where in a few games."""
    found: dict[str, dict[Thing, None]] = {}
    rng = random.Random(5)
    for _ in range(3):
        for state in play_out(game.start(players), rng):
            for piece in state.visible().pieces:
                if piece.place:
                    found.setdefault(kind_of(piece.place), {})[piece.thing] = None
    return {kind: list(things) for kind, things in found.items()}


def play_out(state: State, rng: random.Random, longest: int = 3000) -> Iterable[State]:
    """The states of a random game, the first one included."""
    yield state
    for _ in range(longest):
        if state.is_over:
            return
        state = state._after(choose(state, rng))
        yield state


def choose(state: State, rng: random.Random) -> Action:
    """A random move, of a random kind (else a game with many ways to claim would do nothing else)."""
    if state.to_move == CHANCE:
        return draw_chance(state, rng)
    actions = state.legal_actions()
    kinds = list(dict.fromkeys(type(action) for action in actions))
    kind = rng.choice(kinds)
    return rng.choice([action for action in actions if type(action) is kind])
