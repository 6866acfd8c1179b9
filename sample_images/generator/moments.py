"""When somebody at the recorded table takes a photograph: so that a camera, which sees neither cards nor
words, can tell what has happened since the last one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.action import Action
from engine.game import CHANCE, State
from engine.games.build.actions import Sabotage
from engine.games.build.state import BuildState
from engine.games.council import actions as council
from engine.games.ramming import actions as ramming
from engine.games.ramming.state import RammingState
from engine.games.rolling import actions as rolling
from engine.games.roulette import actions as roulette

TURNS_TOGETHER = 2  # of the council: a seat taken by each side is told apart at once
BLOCKS_TOGETHER = 15


@dataclass(frozen=True)
class Moment:
    """After `action`. `following` comes next, `choice` is what a player does next (None: the game is over);
    `since`: the kinds of actions since the last photograph, this one included."""

    before: State
    action: Action
    after: State
    following: Action | None
    choice: Action | None
    since: tuple[type[Action], ...]


def is_due(game: str, moment: Moment) -> bool:
    """Whether a photograph is taken now."""
    return moment.following is None or _DUE[game](moment)


def _stonehenge(moment: Moment) -> bool:
    """A stone, and every line that is claimed with it."""
    return True


def _build(moment: Moment) -> bool:
    """At the end of every turn, and in the middle of it where the order of moves could not be seen: who
    sabotages chooses the moment, so what came before it and what comes after it are told apart."""
    before, after = moment.before, moment.after
    assert isinstance(before, BuildState) and isinstance(after, BuildState)
    sabotage = isinstance(moment.action, Sabotage) or isinstance(moment.following, Sabotage)
    return after.turn != before.turn or sabotage


def _council(moment: Moment) -> bool:
    """After every second turn; sooner where somebody is persuaded, as arguments that are taken and paid at
    once leave no trace, and between two who take some, or nobody could tell who took which."""
    discussed = council.Discuss in moment.since
    persuades = isinstance(moment.choice, council.Persuade)
    if isinstance(moment.action, council.EndTurn):
        both = discussed and isinstance(moment.choice, council.Discuss)
        busy = persuades or council.Persuade in moment.since
        return moment.since.count(council.EndTurn) >= TURNS_TOGETHER or both or busy
    return persuades and discussed and moment.after.to_move != CHANCE


def _rolling(moment: Moment) -> bool:
    """The course, every wheel that is set up, and what is left when it has rolled."""
    if isinstance(moment.action, rolling.SetGate):
        return not isinstance(moment.following, rolling.SetGate)
    return not isinstance(moment.action, rolling.PlaceBank)


def _ramming(moment: Moment) -> bool:
    """A trilith that is set down and then races stands in between where the race begins."""
    match moment.action:
        case ramming.LayBlock():
            assert isinstance(moment.after, RammingState)
            return len(moment.after.blocks) % BLOCKS_TOGETHER == 0
        case ramming.Materialise():
            return isinstance(moment.following, ramming.Attempt)
        case ramming.Show():
            return not isinstance(moment.following, (ramming.Uncover, ramming.Swap))
    return False


def _roulette(moment: Moment) -> bool:
    """The offerings of each player; the ball where a turn ends, is turned round, or begins to fall; what the
    fall has crushed."""
    match moment.action, moment.following:
        case roulette.Offer(player), roulette.Offer(next_player):
            return player != next_player
        case _, roulette.Fall() | roulette.EndTurn():
            return True
    whole = (roulette.Offer, roulette.PlaceOffering, roulette.PlaceBall, roulette.Flip, roulette.TurnUp)
    return isinstance(moment.action, whole)


_DUE: dict[str, Callable[[Moment], bool]] = {
    "stonehenge": _stonehenge,
    "build": _build,
    "council": _council,
    "rolling": _rolling,
    "ramming": _ramming,
    "roulette": _roulette,
}
