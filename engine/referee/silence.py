"""How often people leave unsaid that a turn is over, where the next player's move tells it as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.game import State
from engine.record import Step
from engine.referee.decision import Explanation
from engine.referee.search import FORGOTTEN

# As long as nothing is known it counts as forgotten; people who leave it unsaid will do so again.
USUAL: Final = math.exp(-FORGOTTEN)


class Silence:
    """What was said and what was not at one table."""

    def __init__(self) -> None:
        self._said = self._unsaid = 0

    @property
    def price(self) -> float:
        """What it costs, in nats, that people did not say so once more."""
        return -math.log((self._unsaid + USUAL) / (self._unsaid + self._said + 1))

    def heard(self, told: Sequence[Step]) -> None:
        """People have stated these steps. What they state together with what came after it they had left
        unsaid until somebody asked."""
        last = max((n for n, step in enumerate(told) if not step.by_chance), default=-1)
        for number, step in enumerate(told):
            if step.action is not None and step.before.goes_without_saying(step.action):
                self._said += number == last
                self._unsaid += number < last

    def entered(self, state: State, explanation: Explanation) -> None:
        """The camera saw it, beginning with `state`. What is corrected may have been said before."""
        if explanation.back:
            return
        for action in explanation.actions:
            self._unsaid += state.goes_without_saying(action)
            state = state.apply(action)
