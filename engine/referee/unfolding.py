"""What may follow a state, worked out once: the same states come up in every view of the same minute."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engine.action import Action
from engine.game import CHANCE, State
from engine.referee.chance import hidden_of, says_little, unseen_of
from engine.referee.looks import Layout, Look

LISTED_FOR_ONE: Final = 10  # legal actions take as long to list as one takes to follow
FEW: Final = 3  # choices; then one is tried even where the reader sees nothing new


@lru_cache(maxsize=65536)
def named_places(action: Action) -> tuple[str, ...]:
    """The fields that the action names, and those that make up a pair."""
    return action.places()


class Menu:
    """The legal actions of a state, in the order in which the search asks for them.

    by_field: those that name fields, by field. unnamed: the others; of one kind only those that say
    little ("play ??-day face down") where there are such. hidden: what chance does if nobody sees it.
    kinds: those of all actions. shows: whether something could be done that leaves a trace."""

    __slots__ = ("by_field", "count", "hidden", "kinds", "shows", "unnamed")

    def __init__(self, state: State, shows: Callable[[Action], bool]) -> None:
        legal = state.seen_actions()
        self.count, self.kinds = len(legal), frozenset(map(type, legal))
        self.hidden = hidden_of(legal, shows) if state.to_move == CHANCE else None
        self.by_field: dict[str, list[Action]] = {}
        unnamed = []
        for action in legal:
            named = named_places(action)
            for field in named:
                self.by_field.setdefault(field, []).append(action)
            if not named:
                unnamed.append(action)
        vague = {type(action) for action in unnamed if says_little(action)}
        self.unnamed = [
            each for each in unnamed if type(each) not in vague or says_little(each) or self.hidden
        ]
        one_of_each = {type(action): action for action in unnamed}.values()
        self.shows = bool(self.by_field) or any(map(shows, one_of_each))

    def touching(self, fields: Iterable[str]) -> list[Action]:
        """The actions that name one of the fields, and those that name none; all if there are few. In the
        order of the menu, so that the same view is always read in the same way."""
        wanted = set(fields)
        near = [place for place in self.by_field if place in wanted or self.count <= FEW]
        found = dict.fromkeys(action for field in near for action in self.by_field[field])
        return [*found, *self.unnamed]


class Unfolded(NamedTuple):
    """A state that follows another by one action: how it looks, and the places where it looks different."""

    state: State
    layout: Layout
    changed: tuple[str, ...]


class Unfolding:
    """Follows states by actions and remembers what it has worked out: the same states come up in every
    view of the same minute. limit: so many states, for a few views; many more would cost more time (to the
    collector of garbage) than they save."""

    def __init__(self, limit: int = 4000) -> None:
        self._children: dict[int, tuple[State, dict[Action, Unfolded]]] = {}
        self._looks: dict[int, tuple[State, Look]] = {}
        self._unseen: dict[int, tuple[State, Action | None]] = {}
        self._menus: dict[int, tuple[State, Menu]] = {}
        self._limit = limit
        self._left = 0

    def begin(self, most: int) -> None:
        """A new view: so many states may be worked out for it."""
        self._left = most

    @property
    def is_exhausted(self) -> bool:
        """Whether more has been worked out than there is time for. What has been, need not be again."""
        return self._left <= 0

    def layout(self, state: State) -> Layout:
        return self._look(state).layout

    def menu(self, state: State) -> Menu:
        known = self._menus.get(id(state))
        if known is None:
            self._trim()
            known = self._menus[id(state)] = (state, Menu(state, self._shows(state)))
            self._left -= known[1].count // LISTED_FOR_ONE
        return known[1]

    def future(self, state: State) -> tuple[object, int, object]:
        """Equal for states that leave everybody as many moves of the same kinds. If they look alike too,
        what differs is something that nobody saw."""
        menu = self.menu(state)
        return state.to_move, menu.count, menu.kinds

    def child(self, state: State, action: Action) -> Unfolded:
        """What a legal action leads to."""
        known = self._children.get(id(state))
        if known is None:
            self._trim()
            known = self._children[id(state)] = (state, {})
        after = known[1].get(action)
        if after is None:
            self._left -= 1
            new = state._after(action)
            look, changed = self._look(state).then(new.visible())
            self._looks[id(new)] = (new, look)
            after = known[1][action] = Unfolded(new, look.layout, changed)
        return after

    def unseen(self, state: State) -> Action | None:
        """`unseen_event`, remembered."""
        if state.to_move != CHANCE:
            return None
        known = self._unseen.get(id(state))
        if known is None:
            self._trim()
            event = unseen_of(state.seen_actions(), self._shows(state))
            known = self._unseen[id(state)] = (state, event)
        return known[1]

    def _look(self, state: State) -> Look:
        known = self._looks.get(id(state))
        if known is None:
            self._trim()
            known = self._looks[id(state)] = (state, Look(state.visible()))
        return known[1]

    def _shows(self, state: State) -> Callable[[Action], bool]:
        """Whether a camera sees something of an action of `state`."""
        return lambda action: bool(self.child(state, action).changed)

    def _trim(self) -> None:
        if len(self._looks) > self._limit:
            self._children.clear()
            self._looks.clear()
            self._unseen.clear()
            self._menus.clear()
