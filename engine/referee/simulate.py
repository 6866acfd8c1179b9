"""A reader that makes mistakes on purpose, and evenings played before it: how good is the referee?

The simulated reader looks at true positions and is wrong at a share `error` of all fields, in the way in
which real readers are wrong: most fields are easy and read with near certainty; some are hard, there the
reader wavers and is wrong about as often as it says so; every tenth mistake is made with confidence.
What it gets wrong it takes for something that could lie there: nothing, another colour, another number.
A field that did not change reads the same in the next view every other time: glare stays.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.action import Action
from engine.board import load_board
from engine.errors import HengeError
from engine.game import CHANCE, Game, State, draw_chance
from engine.observation import Belief, Observation
from engine.position import Change, Piece, Position, Thing, thing_at
from engine.record import Entry, Record
from engine.referee.chance import unseen_event
from engine.referee.decision import Decision, Explanation
from engine.referee.evidence import is_area, layout_of
from engine.referee.referee import Prices, Referee

HARD_PER_ERROR = 4.0  # hard fields are wrong in a quarter of all cases
CONFIDENTLY_WRONG = 0.1
STAYS = 0.5
UNSEEN = 0.01
# Games in which people state how chance fell out, because no picture shows it: how the wheel rolled.
TOLD = ("rolling",)


class SimulatedReader:
    """Reads positions of one game. `things`: place kind -> what may lie there."""

    def __init__(self, game: Game, players: Sequence[str], rng: random.Random, error: float = 0.01) -> None:
        self.rng, self.error = rng, error
        self.things = _vocabulary(game, players)
        board = load_board(game.board)
        self.places = [each for each in board.fields if _kind(each) in self.things and not is_area(each)]
        self.places += [f"{each}^" for each in board.fields if f"{_kind(each)}^" in self.things]
        self.places += _pairs(self.things, board.neighbours)
        self._last: dict[str, tuple[Thing | None, Belief]] = {}

    def read(self, position: Position) -> Observation:
        """A fresh view of the table."""
        layout = layout_of(position)
        fields: dict[str, Belief] = {}
        unseen: dict[str, str] = {}
        for place in self.places:
            things = layout.get(place, ())
            truth = things[-1] if things else None
            before = self._last.get(place)
            if before is not None and before[0] == truth and self.rng.random() < STAYS:
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
        choices = [each for each in self.things[_kind(place)] if each != truth]
        if truth is None or not choices:
            return self.rng.choice(choices) if choices else None
        alike = [each for each in choices if each.kind == truth.kind]
        roll = self.rng.random()
        if roll < 0.35:
            return None
        return self.rng.choice(alike if roll < 0.8 and alike else choices)


def _kind(place: str) -> str:
    """ring-7 -> ring, pit-3-day -> pit, ring-4+ring-5 -> ring+, trilith-2^ -> trilith^."""
    mark = ("+" if "+" in place else "") + ("^" if place.endswith("^") else "")
    return place.split("-")[0].rstrip("^") + mark


def _pairs(things: dict[str, list[Thing]], neighbours: Iterable[tuple[str, str]]) -> list[str]:
    places: list[str] = []
    for a, b in neighbours:
        for first, second in ((a, b), (b, a)):
            if f"{_kind(first)}+" in things and _kind(first) == _kind(second):
                places.append(f"{first}+{second}")
            if f"{_kind(first)}+^" in things and _kind(first) == _kind(second):
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
                    found.setdefault(_kind(piece.place), {})[piece.thing] = None
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


# --- an evening ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """A move as a camera can know it: by what changed. The rest is for people."""

    who: str = field(compare=False)
    change: Change
    text: str = field(compare=False)

    def __str__(self) -> str:
        return f"{self.who}: {self.text}"


@dataclass
class Tally:
    """What came of some evenings. times_s: processor time of every decision."""

    games: int = 0
    games_exact: int = 0
    games_right: int = 0
    moves: int = 0
    moves_exact: int = 0
    moves_without: int = 0
    games_without: int = 0
    views: int = 0
    questions: int = 0
    false_alarms: int = 0
    corrections: int = 0
    planted: int = 0
    caught: int = 0
    times_s: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def entries_of(explanation: Explanation, **mark: object) -> list[Entry]:
    """The entries that put an explanation on record."""
    if explanation.back:
        text = "; ".join(map(str, explanation.actions))
        return [Entry("correction", text, back=explanation.back, **mark)]  # type: ignore[arg-type]
    pairs = zip(explanation.actions, explanation.who, strict=True)
    return [Entry("move", str(action), who=who, **mark) for action, who in pairs]  # type: ignore[arg-type]


class Evening:
    """One random game before a simulated reader, followed by a referee."""

    def __init__(
        self, game: Game, players: Sequence[str], seed: int, error: float, prices: Prices | None = None
    ) -> None:
        self.rng = random.Random(seed)
        self.truth = self.before = game.start(players)
        self.reader = SimulatedReader(game, players, self.rng, error)
        self.record = Record(game.as_half_seen().start(players))
        self.referee = Referee(prices)
        self.moves: list[Told] = []
        self.seen_after: list[int] = []  # after how many moves there was a view
        self.without: list[bool] = []
        self.tally = Tally()
        self.seed = seed
        self._follow_unseen()

    def play(self, missed: float = 0.15, longest: int = 400) -> Tally:
        """Plays to the end; a view after each visible move, of which a share is `missed`."""
        unseen_moves = 0
        while not self.truth.is_over and len(self.moves) < longest:
            action, mover = choose(self.truth, self.rng), str(self.truth.to_move)
            after = self.truth.apply(action)
            change = self.truth.visible_change(action)
            if mover == CHANCE and self.truth.game.id in TOLD:
                self._tell(action)
                unseen_moves = 0
            self.truth = after
            if not change:
                continue
            self.moves.append(Told(mover, change, str(action)))
            unseen_moves += 1
            expected = self._naive(after.visible())
            if unseen_moves <= 2 and self.rng.random() < missed:
                self.without.append(False)
                continue
            unseen_moves = 0
            self.seen_after.append(len(self.moves))
            self.look()
            argmax = {place: self.seen.ranked(place)[0][0] for place in self.seen.fields}
            self.without.append(all(argmax.get(p) == t for p, t in expected.items()))
        for _ in range(3):
            self.look()
        self._count()
        return self.tally

    def plant(self, before: int) -> bool | None:
        """Plays `before` moves, then does something illegal. True if two views of it raise an alarm."""
        while not self.truth.is_over and len(self.moves) < before:
            self.step()
        if self.truth.is_over:
            return None
        wrong = illegal_position(self.truth, self.before, self.reader, self.rng)
        if wrong is None or self.record.state.visible() is None:
            return None
        return any(self.look(wrong, count=False).verdict == "out_of_step" for _ in range(2))

    def step(self) -> None:
        action, mover = choose(self.truth, self.rng), str(self.truth.to_move)
        change = self.truth.visible_change(action)
        if change:
            self.before = self.truth
        self.truth = self.truth.apply(action)
        if change:
            self.moves.append(Told(mover, change, str(action)))
            self.look()

    def _tell(self, action: Action) -> None:
        """People state what happened, as soon as the record has come so far."""
        for _ in range(3):
            if self.record.state.to_move != CHANCE:
                self.look()
        if self.record.state.to_move == CHANCE:
            self.record.add(Entry("move", str(action), who=CHANCE, by="person"))
            return
        self.tally.questions += 1
        agreed = self.truth.apply(action).view(None).to_json()
        self.record.add(Entry("allowed", data={"state": agreed}))

    def _naive(self, position: Position) -> dict[str, Thing | None]:
        layout = layout_of(position)
        return {place: (layout.get(place) or (None,))[-1] for place in self.reader.places}

    def look(self, position: Position | None = None, count: bool = True) -> Decision:
        """A view, the referee's decision, and what the people do about it."""
        self.seen = observation = self.reader.read(position or self.truth.visible())
        started = time.thread_time()
        decision = self.referee.see(self.record.state, observation, self.record.steps)
        self.tally.times_s.append(time.thread_time() - started)
        self.tally.views += 1
        if decision.verdict == "moved" and decision.explanation is not None:
            self._enter(decision.explanation)
        elif decision.verdict == "asking" and count:
            self.tally.questions += 1
            self._answer(decision)
        elif decision.verdict == "out_of_step" and count:
            self.tally.false_alarms += 1
        return decision

    def _enter(self, explanation: Explanation) -> None:
        self.tally.corrections += bool(explanation.back)
        for entry in entries_of(explanation, by="camera"):
            self.record.add(entry)
        self._follow_unseen()

    def _answer(self, decision: Decision) -> None:
        """People know what they did; if no answer is right they leave the question."""
        truth = layout_of(self.truth.visible())
        right = [answer for answer in decision.answers if layout_of(answer.state.visible()) == truth]
        right.sort(key=lambda answer: answer.state.to_move != self.truth.to_move)
        if right:
            self._enter(right[0])

    def _follow_unseen(self) -> None:
        while (action := unseen_event(self.record.state)) is not None:
            self.record.add(Entry("move", str(action), who=CHANCE, by="rules"))

    def _count(self) -> None:
        tally = self.tally
        recorded: list[Told] = []
        for step in self.record.steps:
            if step.action is not None and (change := step.before.visible_change(step.action)):
                recorded.append(Told(str(step.before.to_move), change, str(step.action)))
        mine, theirs = self._as_seen(recorded), self._as_seen(self.moves)
        tally.games, tally.moves = 1, len(self.moves)
        tally.moves_exact = sum(a == b for a, b in zip(mine, theirs, strict=False))
        tally.games_exact = int(mine == theirs)
        tally.games_right = int(sorted(recorded, key=_by_change) == sorted(self.moves, key=_by_change))
        tally.moves_without = sum(self.without)
        tally.games_without = int(all(self.without))
        if not tally.games_right:
            missing = [move for move in self.moves if move not in recorded]
            extra = [move for move in recorded if move not in self.moves]
            tally.failures.append(
                f"seed {self.seed}: missing {[str(m) for m in missing[:4]]}, "
                f"wrong {[str(m) for m in extra[:4]]}"
            )

    def _as_seen(self, moves: list[Told]) -> list[Told]:
        """The moves, those between the same two views sorted: nobody could tell their order."""
        ends = [*self.seen_after, len(moves)]
        return [
            move
            for a, b in zip([0, *ends], ends, strict=False)
            for move in sorted(moves[a:b], key=_by_change)
        ]


def _by_change(move: Told) -> str:
    return str(move.change)


def illegal_position(
    state: State, before: State, reader: SimulatedReader, rng: random.Random
) -> Position | None:
    """The position after something that the rules do not allow: a piece added, moved or taken away.
    Taking back the last move, or making another instead (`before`: it was not made yet), is not that.

    None if nothing illegal was found."""
    position = state.visible()
    free = [place for place in reader.places if "+" not in place and not position.at(place)]
    for _ in range(40):
        pieces = [piece for piece in position.pieces if piece.place and not is_area(piece.place)]
        others = tuple(position.pieces)
        kind = rng.choice(("add", "add", "move", "remove")) if pieces else "add"
        if kind == "add" and free:
            place = rng.choice(free)
            others = (*others, thing_at(rng.choice(reader.things[_kind(place)]), place))
        elif kind == "move":
            piece = rng.choice(pieces)
            targets = [place for place in free if _kind(place) == _kind(piece.place or "")]
            if not targets:
                continue
            others = (*_but(others, piece), piece.at(rng.choice(targets)))
        elif kind == "remove":
            others = _but(others, rng.choice(pieces))
        wrong = Position(position.board, others, position.game)
        if not any(_is_legal(each, wrong, reader.places) for each in (state, before)):
            return wrong
    return None


def _but(pieces: Sequence[Piece], piece: Piece) -> tuple[Piece, ...]:
    rest = list(pieces)
    rest.remove(piece)
    return tuple(rest)


def _is_legal(state: State, position: Position, places: Sequence[str]) -> bool:
    """Whether moves lead from `state` to what can be seen of `position`: asked of the referee itself, with a
    reader that makes no mistakes."""
    layout = layout_of(position)
    fields: dict[str, Belief] = {}
    for place in places:
        things = layout.get(place, ())
        fields[place] = {things[-1] if things else None: 1.0}
    loose = tuple(p for p in position.pieces if is_area(p.place or ""))
    try:
        decision = Referee().see(
            state, Observation(position.board, fields, Position(position.board), {}, loose)
        )
    except HengeError:
        return False
    return decision.verdict != "out_of_step"


def add(total: Tally, one: Tally) -> None:
    """Adds one evening's tally to another's."""
    for name, value in vars(one).items():
        setattr(total, name, getattr(total, name) + value)
