"""Which sequences of legal actions explain a view: a best-first search led by the visible difference.

A node is a state that the game may be in by now. Only actions are tried that touch a place where the
node's position and the reading disagree (or where the reading wavers), and those that no camera sees
(a pass, the end of a turn, a card from the hand), because they may have to come in between.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.action import Action
from engine.game import CHANCE, State
from engine.referee.chance import but_for_cards
from engine.referee.evidence import Evidence, is_area, is_named
from engine.referee.looks import NOTHING, Layout, Things
from engine.referee.unfolding import FEW, Menu, Unfolding, named_places

# Nats. A turn costs a little, a second and third one between two views more: people wait for the camera
# more often than not, but not always.
TURN: Final = 1.3
FORCED_TURN: Final = 0.3  # the one thing that could be done
MORE_TURNS: Final = (0.0, 0.8, 0.8, 0.6)
MANY_TURNS: Final = 0.5  # then people have been out of step and have gone on
WITHIN_TURN: Final = 0.4
UNSEEN: Final = 0.8
CHANCE_COST: Final = 0.1

CLEARLY_OTHER: Final = -0.7  # something may have happened where the reader finds something else likelier
WAVERS: Final = 1.6  # or, if that explains nothing, nearly as likely
TORN: Final = 0.2  # or hardly tells the two apart
UNEXPLAINED: Final = 2.5
WORSE: Final = 5.0  # a node may be so much worse than its parent; it must pay by what follows
NOT_SEEN: Final = 2.0
UNDONE: Final = 2.0  # something was done and undone between two views
HIDDEN: Final = 1.0  # something changed at a place that cannot be seen just now
GUESSED: Final = 4.0  # nobody has read which of the 60 cards it is
FORGOTTEN: Final = 5.0  # where people state what happens, it has not happened as long as they did not
MAX_STEPS: Final = 18
MANY: Final = 40  # so many legal actions take as long to list as one takes to try
EXPLAINABLE: Final = 0.85  # of what still disagrees, so much may yet be explained by further moves
NOT_WORTH_IT: Final = 4.0  # a way that cannot come nearer to the best is not followed
PATIENCE: Final = 60  # actions tried without finding a better way, and so many more for each nat unexplained
PATIENCE_PER_NAT: Final = 8


# What a camera saw of one action: who did it, and what lay where afterwards; () if it saw nothing.
Mark = tuple[str | tuple[str, Things], ...]


@dataclass(frozen=True, slots=True)
class Way:
    """Actions from a known state to one that may be now, each with the mark it left.

    `prior` is what they cost (negative), `turns` how many players' turns they began, `evidence` how well
    the end agrees with the view, `gap` how much better the reader's favourites would, `open` the places
    where something may still have happened; `owed` is what it is given back if somebody else is seen to go
    on after a turn of which nobody has said that it is over."""

    actions: tuple[Action, ...]
    who: tuple[str, ...]
    marks: tuple[Mark, ...]
    state: State
    layout: Layout
    prior: float = 0.0
    turns: int = 0
    evidence: float = 0.0
    gap: float = 0.0
    open: frozenset[str] = frozenset()
    owed: float = 0.0

    @property
    def score(self) -> float:
        return self.prior + self.evidence

    def story(self) -> list[tuple[str, str]]:
        """What was seen to be done, by whom, in whatever order."""
        return story(self.actions, self.who, self.marks)

    @property
    def ceiling(self) -> float:
        """The score if everything that still disagrees were explained for nothing."""
        return self.score + self.gap


def story(actions: Iterable[Action], who: Iterable[str], marks: Iterable[Mark]) -> list[tuple[str, str]]:
    """The actions that left a mark, in whatever order: which came first of several between two views often
    nobody can tell."""
    return sorted((mover, str(each)) for each, mover, mark in zip(actions, who, marks, strict=True) if mark)


class _Step(NamedTuple):
    """An action that may have come next: what it leads to, where that looks different, and whether the
    reader speaks of any of these places. detour: nothing of it is seen, but it makes possible what may be."""

    action: Action
    after: State
    layout: Layout
    changed: tuple[str, ...]
    spoken: bool
    detour: bool = False


class Search:
    """The ways from one state that explain one reading, best first."""

    def __init__(
        self,
        unfolding: Unfolding,
        evidence: Evidence,
        budget: int = 700,
        since_last_view: bool = True,
        people_tell: bool = False,
        detours: bool = False,
        left_unsaid: float = FORGOTTEN,
    ) -> None:
        """since_last_view: the ways begin with the state of the view before, so that what they change has
        changed since then. people_tell: at this table they state what no camera sees (`Game.told`).
        detours: something may have been done and undone on the way. left_unsaid: the price of the end of a
        turn that nobody stated, if the next player is seen to go on."""
        self._unfolding = unfolding
        self._evidence = evidence
        self._budget = budget
        self._forgotten = FORGOTTEN if people_tell else 0.0
        self._given_back = max(0.0, self._forgotten - left_unsaid)
        self._since_last_view = since_last_view
        self._may_turn_aside = detours
        self._before: Layout = {}
        self.tried = 0  # actions, in all
        self._wavers = CLEARLY_OTHER
        self._spent = 0

    def ways(self, state: State, max_turns: int = 4, before: Layout | None = None) -> list[Way]:
        """All ways found, the one that does nothing included. before: what lay on the table at the view
        before, if that was not what `state` says: it has changed since then."""
        self._before = self._unfolding.layout(state) if before is None else before
        found = self._find(state, max_turns)
        best = max(found, key=lambda way: way.score)
        if best.gap > UNEXPLAINED or (not best.actions and self._is_torn(best.layout)):
            self._budget //= 2
            self._wavers = WAVERS  # perhaps a field that the reader was not sure of has part in it
            found = self._find(state, max_turns)
        return found

    def paid(self, state: State, actions: Iterable[Action]) -> float:
        """What these actions cost, however well they were seen: the price of a way that is on record."""
        way = self._root(state)
        for action in actions:
            mover = way.state.to_move or CHANCE
            after, layout, changed = self._unfolding.child(way.state, action)
            if action != self._unfolding.unseen(way.state):
                seen = any(self._evidence.speaks_of(place) for place in changed)
                cost, turns = self._cost(way, mover, seen)
                prior = way.prior - cost - way.state.rarity(action)
                way = replace(way, prior=prior, turns=turns, who=(*way.who, mover))
            way = replace(way, state=after, layout=layout)
        return -way.prior

    def _is_torn(self, layout: Layout) -> bool:
        """Whether the reader is undecided between what lies there and something else."""
        return any(
            self._evidence.wavers(place, layout.get(place, NOTHING), TORN, changed=True)
            for place in self._evidence.places()
            if not is_area(place)
        )

    def _find(self, state: State, max_turns: int) -> list[Way]:
        """Follows the most hopeful way first. What a way may still explain is only guessed, so a way is
        given up by what it can reach at best, and the search ends when it has found nothing better for a
        while: the first explanation found is not always the best one."""
        root = self._root(state)
        found, best = [root], root
        counter = itertools.count()
        heap = [(-self._hope(root), next(counter), root)]
        alike: dict[object, list[Way]] = {}
        self._spent, limit = 0, self._patience(root)
        while heap and self._spent < min(limit, self._budget) and not self._unfolding.is_exhausted:
            _, _, way = heapq.heappop(heap)
            if not way.open or way.ceiling < best.score - NOT_WORTH_IT:
                continue
            for child in self._children(way, max_turns):
                if self._is_known(child, alike):
                    continue
                found.append(child)
                if child.score > best.score:
                    best, limit = child, self._spent + self._patience(child)
                if len(child.actions) < MAX_STEPS and child.state.to_move is not None:
                    heapq.heappush(heap, (-self._hope(child), next(counter), child))
        self.tried += self._spent
        return found

    def _is_known(self, way: Way, alike: dict[object, list[Way]]) -> bool:
        """Whether as many actions have led as well to a state that looks the same and goes on alike."""
        key = len(way.actions), way.state.to_move, frozenset(way.layout.items())
        rivals = alike.setdefault(key, [])
        future = self._unfolding.future(way.state) if rivals else None
        self._spent += future[1] // MANY if future else 0
        for index, rival in enumerate(rivals):
            if self._unfolding.future(rival.state) == future and rival.story() == way.story():
                if rival.score >= way.score - 1e-9:
                    return True
                rivals[index] = way
                return False
        rivals.append(way)
        return False

    def _patience(self, way: Way) -> int:
        return PATIENCE + round(PATIENCE_PER_NAT * way.gap)

    def _root(self, state: State) -> Way:
        layout = self._unfolding.layout(state)
        there = {place: layout.get(place, NOTHING) for place in (*self._evidence.places(), *layout)}
        openings = frozenset(place for place, things in there.items() if self._is_open(place, things))
        evidence, gap = self._evidence.total(layout), 0.0
        for place, things in there.items():
            is_new = self._is_new(place, things)
            gap += self._evidence.shortfall(place, things, is_new)
            if is_new:
                evidence += self._evidence.log(place, things, True) - self._evidence.log(place, things)
        return Way((), (), (), state, layout, evidence=evidence, gap=gap, open=openings)

    def _hope(self, way: Way) -> float:
        """The score if most of what disagrees could still be explained: equal for ways that differ only in
        the order in which it was added up."""
        return round(way.score + EXPLAINABLE * way.gap, 6)

    def _is_open(self, place: str, things: Things) -> bool:
        return self._evidence.wavers(place, things, self._wavers, self._is_new(place, things))

    def _children(self, way: Way, max_turns: int) -> Iterator[Way]:
        told = way.state.game.told
        guesses: dict[type[Action], list[_Step]] = {}
        for alike in self._steps(way):
            first = alike[0]
            if first.changed and not first.spoken:
                guesses.setdefault(type(first.action), []).extend(alike)
                continue
            unclear = not first.spoken or len(alike) > 1
            for step in alike:
                child = self._extended(way, step, unlikely=unclear and isinstance(step.action, told))
                worst = -math.inf if step.detour else way.evidence - WORSE
                if child.turns <= max_turns and child.evidence >= worst:
                    yield child
        for alike in guesses.values():  # it leaves a trace where this reader does not look: only if it is
            if len(alike) == 1:  # the one such thing that can have happened
                child = self._extended(way, alike[0])
                if child.turns <= max_turns:
                    yield child

    def _steps(self, way: Way) -> Iterable[list[_Step]]:
        """The actions that may have come next, those that look alike together: of those after which the game
        goes on alike one is enough."""
        state, openings = way.state, way.open
        menu = self._unfolding.menu(state)
        self._spent += menu.count // MANY
        fields = {field for place in openings for field in (place, *place.rstrip("^").split("+"))}
        fields.update(self._evidence.unseen)  # what happens there may show elsewhere, in a yard
        groups: dict[tuple[tuple[str, Things], ...], list[_Step]] = {}
        first_looks: dict[object, list[Layout]] = {}
        detours = dict.fromkeys(self._detours(way, menu))
        for action in dict.fromkeys((*menu.touching(fields), *detours)):
            looks = first_looks.setdefault((but_for_cards(action), named_places(action)), [])
            if len(looks) == 2 and looks[0] == looks[1]:
                continue  # nobody sees which card it is
            self._spent += 1
            after, layout, changed = self._unfolding.child(state, action)
            if len(looks) < 2:
                looks.append(layout)
            spoken = any(self._evidence.speaks_of(place) for place in changed)
            if (
                spoken
                and menu.count > FEW
                and action not in detours
                and not any(place in openings and self._evidence.speaks_of(place) for place in changed)
            ):
                continue
            if not changed and menu.hidden is not None and action != menu.hidden:
                continue
            alike = groups.setdefault(tuple((place, layout.get(place, NOTHING)) for place in changed), [])
            if not any(self._goes_on_alike(each, action, after) for each in alike):
                alike.append(_Step(action, after, layout, changed, spoken, action in detours))
        return groups.values()

    def _detours(self, way: Way, menu: Menu) -> list[Action]:
        """If nothing else explains the view: what may have come first that only adds to a heap or takes from
        it, and makes possible what the reader speaks of. It leaves no trace if what follows takes it back (an
        argument is won and spent at once)."""
        if not self._may_turn_aside or way.actions or self._wavers != WAVERS or way.gap <= UNEXPLAINED:
            return []
        wanted = [place for place in way.open if self._shortfall(place, way.layout) > UNEXPLAINED]
        actions = dict.fromkeys(itertools.chain.from_iterable(menu.by_field.values()))
        first_of = {type(action): action for action in reversed(actions)}
        kinds = {kind for kind, action in first_of.items() if self._moves_heaps(way, action)}
        return [
            each for each in actions if type(each) in kinds and self._opens_up(way.state, menu, each, wanted)
        ]

    def _moves_heaps(self, way: Way, action: Action) -> bool:
        _, layout, changed = self._unfolding.child(way.state, action)
        heaps = (way.layout.get(place, NOTHING) + layout.get(place, NOTHING) for place in changed)
        return bool(changed) and all(any(thing.count != 1 for thing in things) for things in heaps)

    def _opens_up(self, state: State, menu: Menu, action: Action, wanted: Iterable[str]) -> bool:
        """Whether more becomes possible at one of the places that are wanted."""
        after = self._unfolding.child(state, action).state
        while (event := self._unfolding.unseen(after)) is not None:
            after = self._unfolding.child(after, event).state
        new = self._unfolding.menu(after).by_field
        self._spent += 1
        return any(each not in menu.by_field.get(p, ()) for p in wanted for each in new.get(p, ()))

    def _goes_on_alike(self, step: _Step, action: Action, after: State) -> bool:
        alike = type(step.action) is type(action)
        return alike and self._unfolding.future(step.after) == self._unfolding.future(after)

    def _extended(self, way: Way, step: _Step, unlikely: bool = False) -> Way:
        """The way with one more action and what nobody sees after it. unlikely: people would have said so."""
        mover, after, layout = way.state.to_move or CHANCE, step.after, step.layout
        gain, gap, cost = 0.0, 0.0, 0.0
        openings, undone, done = set(way.open), 0, False
        for place in step.changed:
            old, new = way.layout.get(place, NOTHING), layout.get(place, NOTHING)
            was_new, is_new = self._is_new(place, old), self._is_new(place, new)
            gain += self._evidence.log(place, new, is_new) - self._evidence.log(place, old, was_new)
            gap += self._evidence.shortfall(place, new, is_new)
            gap -= self._evidence.shortfall(place, old, was_new)
            openings.discard(place)
            if self._is_open(place, new):
                openings.add(place)
            undone += was_new and not is_new
            done |= is_new
        more, turns = self._cost(way, mover, step.spoken)
        cost += more + way.state.rarity(step.action)
        if not done:  # what moves on has not come back
            cost += UNDONE * undone
        owed = way.owed
        if unlikely:
            cost += self._forgotten
            if way.state.goes_without_saying(step.action):
                owed = self._given_back
        if self._is_guessed(step.changed, way.layout, layout):
            cost += GUESSED
        if step.changed and not self._is_seen(step.changed, way.layout, layout):
            cost += NOT_SEEN  # one of many moves that nobody can have seen is as likely as any other
        elif step.spoken:
            cost, owed = cost - way.owed, 0.0
        hidden = [place for place in step.changed if place in self._evidence.unseen]
        cost += HIDDEN * len(hidden)
        noted = [p for p in step.changed if p in hidden or self._evidence.speaks_of(p)]
        seen = [(place, layout.get(place, NOTHING)) for place in noted]
        mark: Mark = (mover, *seen) if seen else ()
        if mark and unlikely:
            mark = (*mark, str(step.action))  # which of those that look alike it was, nobody has seen
        actions, who, marks = (*way.actions, step.action), (*way.who, mover), (*way.marks, mark)
        while (event := self._unfolding.unseen(after)) is not None:
            after, layout, _ = self._unfolding.child(after, event)
            actions, who, marks = (*actions, event), (*who, CHANCE), (*marks, ())
        return Way(
            actions, who, marks, after, layout, way.prior - cost, turns, way.evidence + gain, way.gap + gap,
            frozenset(openings), owed,
        )  # fmt: skip

    def _is_new(self, place: str, things: Things) -> bool:
        return self._since_last_view and self._before.get(place, NOTHING) != things

    def _is_guessed(self, changed: Iterable[str], before: Layout, after: Layout) -> bool:
        """Whether a card is named that the reader does not read there."""
        return any(
            is_named(thing)
            and thing not in before.get(place, NOTHING)
            and thing not in self._evidence.best(place)
            for place in changed
            for thing in after.get(place, NOTHING)
        )

    def _is_seen(self, changed: Iterable[str], before: Layout, after: Layout) -> bool:
        """Whether at one of its places the reader finds what the action leaves, or rather that than what was
        there before; or nothing of it is seen."""
        spoken = [place for place in changed if self._evidence.speaks_of(place)]
        enough = (max(1.0, self._shortfall(place, before) - 1.0) for place in spoken)
        agree = (self._shortfall(p, after) < gap for p, gap in zip(spoken, enough, strict=True))
        return not spoken or any(agree)

    def _shortfall(self, place: str, layout: Layout) -> float:
        return self._evidence.shortfall(place, layout.get(place, NOTHING), changed=True)

    def _cost(self, way: Way, mover: str, seen: bool) -> tuple[float, int]:
        if mover == CHANCE:
            return CHANCE_COST, way.turns
        last = next((who for who in reversed(way.who) if who != CHANCE), None)
        could_be_seen = seen or self._unfolding.menu(way.state).shows
        cost = 0.0 if seen else UNSEEN if could_be_seen else CHANCE_COST
        if not could_be_seen:
            return cost, way.turns  # he had no choice but to do something that nobody sees
        if mover == last:
            return cost + WITHIN_TURN, way.turns
        if not seen and not way.turns:
            return cost, way.turns  # ending a turn that was seen before
        extra = MORE_TURNS[way.turns] if way.turns < len(MORE_TURNS) else MANY_TURNS
        turn = FORCED_TURN if self._unfolding.menu(way.state).count == 1 else TURN
        return cost + turn + extra, way.turns + 1
