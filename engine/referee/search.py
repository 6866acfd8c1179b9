"""Which sequences of legal actions explain a view: a best-first search led by the visible difference.

A node is a state that the game may be in by now. Only actions are tried that touch a place where the
node's position and the reading disagree (or where the reading wavers), and those that no camera sees
(a pass, the end of a turn, a card from the hand), because they may have to come in between.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.action import Action
from engine.game import CHANCE, State
from engine.referee.chance import unseen_event
from engine.referee.evidence import Evidence, Layout, Things, layout_of, touched

# Nats. A turn costs a little, a second and third one between two views more: people wait for the camera
# more often than not, but not always.
TURN: Final = 1.3
MORE_TURNS: Final = (0.0, 1.5, 2.0, 2.5)
TOO_MANY_TURNS: Final = 6.0
WITHIN_TURN: Final = 0.4
UNSEEN: Final = 0.8
CHANCE_COST: Final = 0.1

WAVERS: Final = 1.6  # a place whose second-best reading is so close is worth a try
WORSE: Final = 4.0  # a node may be so much worse than its parent; it must pay by what follows
MAX_STEPS: Final = 14


@dataclass(frozen=True, slots=True)
class Way:
    """Actions from a known state to one that may be now. `prior` is what they cost (negative),
    `turns` how many players' turns they began, `evidence` how well the end agrees with the view."""

    actions: tuple[Action, ...]
    who: tuple[str, ...]
    state: State
    layout: Layout
    prior: float = 0.0
    turns: int = 0
    evidence: float = 0.0

    @property
    def score(self) -> float:
        return self.prior + self.evidence


class Unfolding:
    """Follows states by actions and remembers what it has worked out: the same states come up in every
    view of the same minute."""

    def __init__(self, limit: int = 4096) -> None:
        self._children: dict[int, tuple[State, dict[Action, tuple[State, Layout]]]] = {}
        self._layouts: dict[int, tuple[State, Layout]] = {}
        self._limit = limit

    def layout(self, state: State) -> Layout:
        known = self._layouts.get(id(state))
        if known is None:
            self._trim()
            known = self._layouts[id(state)] = (state, layout_of(state.visible()))
        return known[1]

    def child(self, state: State, action: Action) -> tuple[State, Layout]:
        """The state after a legal action, and its layout."""
        known = self._children.get(id(state))
        if known is None:
            self._trim()
            known = self._children[id(state)] = (state, {})
        after = known[1].get(action)
        if after is None:
            new = state._after(action)
            after = known[1][action] = (new, layout_of(new.visible()))
        return after

    def _trim(self) -> None:
        if len(self._children) > self._limit or len(self._layouts) > self._limit:
            self._children.clear()
            self._layouts.clear()


class Search:
    """The ways from one state that explain one reading, best first."""

    def __init__(self, unfolding: Unfolding, evidence: Evidence, budget: int = 700) -> None:
        self._unfolding = unfolding
        self._evidence = evidence
        self._budget = budget

    def ways(self, state: State, max_turns: int = 4) -> list[Way]:
        """All ways found, the one that does nothing included."""
        layout = self._unfolding.layout(state)
        root = Way((), (), state, layout, evidence=self._evidence.total(layout))
        found = [root]
        best = root.score
        counter = itertools.count()
        heap = [(-self._hope(root), next(counter), root)]
        spent = 0
        while heap and spent < self._budget:
            hope, _, way = heapq.heappop(heap)
            if -hope < best - 3.0:
                break  # even if everything else fell into place it would not come near
            for child in self._children(way, max_turns):
                spent += 1
                found.append(child)
                best = max(best, child.score)
                if len(child.actions) < MAX_STEPS and child.state.to_move is not None:
                    heapq.heappush(heap, (-self._hope(child), next(counter), child))
        return found

    def _hope(self, way: Way) -> float:
        """The score if the rest of the disagreement could be explained for nothing."""
        return way.prior + way.evidence + sum(gap for _, gap in self._gaps(way.layout) if gap > 0)

    def _gaps(self, layout: Layout) -> Iterator[tuple[str, float]]:
        for place in {*self._evidence.places(), *layout}:
            yield place, self._evidence.shortfall(place, layout.get(place, ()))

    def _children(self, way: Way, max_turns: int) -> Iterator[Way]:
        state = way.state
        openings = self._open_places(way.layout)
        for action in state.legal_actions():
            named = action.places()
            if named and not any(place in openings for place in named):
                continue
            after, layout = self._unfolding.child(state, action)
            changed = touched(way.layout, layout)
            if changed and not any(place in openings for place in changed):
                continue
            child = self._extended(way, action, after, layout, changed)
            if child.turns <= max_turns and child.evidence >= way.evidence - WORSE:
                yield child

    def _open_places(self, layout: Layout) -> set[str]:
        """Places where something may have happened, and the single fields of pairs and capstones."""
        places: set[str] = set()
        for place, gap in self._gaps(layout):
            if gap > 1.0 or self._wavers(place, layout.get(place, ())):
                places.add(place)
                places.update(place.rstrip("^").split("+"))
        return places

    def _wavers(self, place: str, things: Things) -> bool:
        believed = self._evidence.log(place, things)
        ranked = self._evidence.observation.ranked(place)[:2]
        return any(
            self._evidence.log(place, (thing,) if thing else ()) > believed - WAVERS
            for thing, _ in ranked
            if ((thing,) if thing else ()) != things
        )

    def _extended(
        self, way: Way, action: Action, after: State, layout: Layout, changed: Iterable[str]
    ) -> Way:
        mover = way.state.to_move or CHANCE
        gain = sum(
            self._evidence.log(place, layout.get(place, ()))
            - self._evidence.log(place, way.layout.get(place, ()))
            for place in changed
        )
        cost, turns = self._cost(way, mover, bool(changed))
        actions, who = (*way.actions, action), (*way.who, mover)
        while (hidden := unseen_event(after)) is not None:
            after, layout = self._unfolding.child(after, hidden)
            actions, who = (*actions, hidden), (*who, CHANCE)
        return Way(actions, who, after, layout, way.prior - cost, turns, way.evidence + gain)

    def _cost(self, way: Way, mover: str, seen: bool) -> tuple[float, int]:
        if mover == CHANCE:
            return CHANCE_COST, way.turns
        last = next((who for who in reversed(way.who) if who != CHANCE), None)
        cost = 0.0 if seen else UNSEEN
        if mover == last:
            return cost + WITHIN_TURN, way.turns
        if not seen and not way.turns:
            return cost, way.turns  # ending a turn that was seen before
        extra = MORE_TURNS[way.turns] if way.turns < len(MORE_TURNS) else TOO_MANY_TURNS
        return cost + TURN + extra, way.turns + 1
