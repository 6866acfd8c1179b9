"""Events that no camera sees: hidden deals and draws. The record goes on by them without asking anybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from engine.action import Action
from engine.game import CHANCE, State
from engine.record import Step

_NUMBER = re.compile(r"\d+")
_CARD = re.compile(r"(?<![\w-])(\d+)-(day|night)\b")


def unseen_event(state: State) -> Action | None:
    """The chance action that is due and that nobody at the table could see: a card dealt face down ("??"),
    or the one thing that can happen. None if no chance is due, or if something could happen that a camera
    would see (a trilith card comes to a yard): then camera or people have to state it."""
    if state.to_move != CHANCE:
        return None
    return unseen_of(state.seen_actions(), lambda action: bool(state.visible_change(action)))


def unseen_of(outcomes: Collection[Action], shows: Callable[[Action], bool]) -> Action | None:
    """The same of what may happen now. shows: whether a camera sees something of an action."""
    return None if any(map(shows, _one_of_each(outcomes))) else hidden_of(outcomes, shows)


def hidden_of(outcomes: Collection[Action], shows: Callable[[Action], bool]) -> Action | None:
    """The same, whatever else could happen: what it was if nobody saw anything."""
    likely = outcomes if len(outcomes) == 1 else filter(says_little, outcomes)
    hidden = [each for each in likely if not shows(each)]
    return hidden[0] if len(hidden) == 1 else None


@lru_cache(maxsize=65536)
def says_little(action: Action) -> bool:
    """Whether the action leaves open which card it is."""
    return "??" in str(action)


def is_unseen_draw(step: Step) -> bool:
    """Whether the record went on by itself there, with a card that nobody saw."""
    return step.by_chance and step.action is not None and says_little(step.action)


@lru_cache(maxsize=65536)
def _family(action: Action) -> str:
    return _NUMBER.sub("0", str(action))


def _one_of_each(outcomes: Iterable[Action]) -> Iterable[Action]:
    """One outcome for all that differ in nothing but a number: 60 cards come to a hand alike."""
    return {_family(action): action for action in outcomes}.values()


@lru_cache(maxsize=65536)
def but_for_cards(action: Action) -> str:
    """The action's notation with the colour of a card's field in place of its number: among such actions the
    card may be all that differs."""
    return _CARD.sub(lambda found: f"{int(found[1]) % 6}-{found[2]}", str(action))
