"""What every game is: the interface that pages, referees and other people's tools call.

Every file in `engine.games` has the same order: constants, actions, knowledge of cards (where there are
any), State, scoring, Game. A reader of one has read them all.

A state is immutable. Deals, draws, reveals and rolls are actions of their own, taken while `to_move` is
CHANCE: at a real table a camera or a person states them, so there is no random generator in here.

*Half-seen games.* `load_game(id, half_seen=True)` is the game as a table knows it: a card dealt to a hand
is "??" until it is shown, legal_actions lists what is possible given what has been shown, and `apply`
refuses what cannot be. `state.view(player)` turns any state into the half-seen one of that player.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar, Final, Self

from engine.action import Action, parse
from engine.errors import IllegalActionError, StateError
from engine.position import Change, Position, difference
from engine.score import Score
from engine.words import Text, name

CHANCE: Final = "chance"
Outcome = tuple[Action, float]


@dataclass(frozen=True, slots=True)
class Variant:
    """A keyword of a game: a variant of the rule book or a house rule.

    `choices` are all values it may have, the first is the default (the ruling); `house_rule` tells a
    house rule from a variant that the rule book names."""

    key: str
    choices: tuple[Any, ...]
    label: Text
    house_rule: bool = False

    @property
    def default(self) -> Any:
        return self.choices[0]

    def chosen(self, value: Any) -> Any:
        """The choice that `value` is, or that is typed so. Raises StateError listing the choices.

        >>> HALF_SEEN.chosen("Yes"), HALF_SEEN.chosen(False)
        (True, False)
        """
        typed = _SAME_WORD.get(value.lower(), value.lower()) if isinstance(value, str) else None
        for choice in self.choices:
            if choice == value or typed == as_typed(choice).lower():
                return choice
        raise StateError(f"{self.key} is one of {', '.join(map(as_typed, self.choices))}, not {value!r}")


_SAME_WORD: Final = {"true": "yes", "on": "yes", "false": "no", "off": "no"}


def as_typed(choice: object) -> str:
    """A variant's choice as people type it: yes, no, a number or a word."""
    return {True: "yes", False: "no"}[choice] if isinstance(choice, bool) else str(choice)


HALF_SEEN = Variant(
    "half_seen",
    (False, True),
    Text(
        "hands and piles are hidden, as at a real table",
        "Hände und Stapel sind verdeckt, wie am echten Tisch",
    ),
)


class State(ABC):
    """One moment of a game. Immutable: `apply` returns another state and never changes this one.

    game: the Game with its variants. players: colours in seat order. to_move: a colour of `players`,
    CHANCE while a deal, draw, reveal or roll is due, or None when the game is over."""

    __slots__ = ("game", "players", "to_move")
    game: Game
    players: tuple[str, ...]
    to_move: str | None

    # --- what may happen -------------------------------------------------------------------------

    @abstractmethod
    def legal_actions(self) -> tuple[Action, ...]:
        """All legal actions in a fixed order; the chance outcomes while to_move is CHANCE."""

    def seen_actions(self) -> tuple[Action, ...]:
        """The legal actions as a camera can know them: of several that look alike one with "??", and none
        that only people can tell. What `legal_actions` lists, where a game has no such actions."""
        return self.legal_actions()

    @abstractmethod
    def why_not(self, action: Action) -> Text | None:
        """None if `action` is legal now, else the rule that forbids it, in plain words. This is the one
        source of the rules: `legal_actions` and `apply` agree with it."""

    @abstractmethod
    def _after(self, action: Action) -> Self:
        """The state after `action`, which is known to be legal."""

    def apply(self, action: Action) -> Self:
        """The state after `action`. Raises IllegalActionError saying why it is refused."""
        reason = self.why_not(action)
        if reason is not None:
            raise IllegalActionError(reason)
        return self._after(action)

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        """((action, probability), ...) while to_move is CHANCE, summing to 1; else ()."""
        return ()

    # --- what it is worth ------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.to_move is None

    @abstractmethod
    def scores(self) -> dict[str, Score]:
        """player -> score so far, with its breakdown, at any time of the game."""

    @abstractmethod
    def returns(self) -> tuple[float, ...]:
        """Per player in seat order, once the game is over: 1 won, -1 lost, 0 shared or drawn (and 0
        for everybody while it goes on). Partners share a result."""

    def insights(self) -> dict[str, Any]:
        """What a good onlooker would point out, as JSON data that the page draws (dominated lines,
        groups, threats); documented per game."""
        return {}

    def prompt(self) -> Text:
        """Whose turn it is and what is expected of them, in one sentence."""
        if self.to_move is None:
            return Text("the game is over", "das Spiel ist zu Ende")
        return name(self.to_move) + Text(" to move", " ist am Zug")

    # --- what is seen ----------------------------------------------------------------------------

    @abstractmethod
    def visible(self) -> Position:
        """The position that a camera above the board would see."""

    def visible_change(self, action: Action) -> Change:
        """What a camera sees of a legal `action`: an empty change means that only people can tell."""
        return difference(self.visible(), self._after(action).visible())

    def rarity(self, action: Action) -> float:
        """By how many nats a legal `action` is rarer than what people usually do when it could be done: what
        no camera tells apart is decided by it. 0 where a game does not know better."""
        return 0.0

    def goes_without_saying(self, action: Action) -> bool:
        """Whether a legal `action` that people state (`Game.told`) is often left unsaid, as what the next
        player does tells it as well: the end of a turn."""
        return False

    def look_alikes(self) -> tuple[tuple[Action, ...], ...]:
        """The legal actions in groups that no camera can tell apart (same visible change)."""
        groups: dict[Change, list[Action]] = {}
        for action in self.legal_actions():
            groups.setdefault(self.visible_change(action), []).append(action)
        return tuple(tuple(group) for group in groups.values())

    @abstractmethod
    def view(self, player: str | None) -> Self:
        """The half-seen state that `player` may know (None: an onlooker). The only way from a state to
        a page or an exported log: it holds no card that this player has not been shown."""

    def with_hand(self, player: str, cards: Sequence[str]) -> Self:
        """This state with what `player` privately told about his hand: unknown cards become known.

        Raises IllegalActionError when the hand cannot be that. Games without cards refuse."""
        raise IllegalActionError(Text("this game has no hands of cards", "dieses Spiel hat keine Handkarten"))

    # --- as data ---------------------------------------------------------------------------------

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """JSON data with the keys game, variant, players, to_move and the game's own;
        `game.from_json` reads it back to an equal state."""

    def _json_head(self) -> dict[str, Any]:
        return {
            "game": self.game.id,
            "variant": self.game.variant_json(),
            "players": list(self.players),
            "to_move": self.to_move,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        raise TypeError("states are compared, not hashed")


class Game(ABC):
    """The rules of one game with its variants; makes states.

    told: the kinds of actions that the record needs and no picture shows: people state them."""

    id: ClassVar[str]
    title: ClassVar[Text]
    board: ClassVar[str]
    player_counts: ClassVar[tuple[int, ...]]
    colours: ClassVar[tuple[str, ...]]
    actions: ClassVar[tuple[type[Action], ...]]
    variants: ClassVar[tuple[Variant, ...]] = ()
    told: ClassVar[tuple[type[Action], ...]] = ()

    def __init__(self, /, **variant: Any) -> None:
        known = {item.key: item for item in (*self.variants, HALF_SEEN)}
        self.variant: dict[str, Any] = {key: item.default for key, item in known.items()}
        for key, value in variant.items():
            if key not in known:
                raise StateError(f"{self.id} has no variant {key!r}; it has {', '.join(known)}")
            try:
                self.variant[key] = known[key].chosen(value)
            except StateError as error:
                raise StateError(f"{self.id}: {error}") from None

    @property
    def half_seen(self) -> bool:
        return bool(self.variant["half_seen"])

    def as_half_seen(self) -> Self:
        """The same game as a table knows it."""
        return self if self.half_seen else type(self)(**{**self.variant, "half_seen": True})

    def variant_json(self) -> dict[str, Any]:
        """The variants that differ from the default."""
        defaults = {item.key: item.default for item in (*self.variants, HALF_SEEN)}
        return {key: value for key, value in self.variant.items() if value != defaults[key]}

    @abstractmethod
    def start(self, players: Sequence[str]) -> State:
        """The state before the first event; `players` are colours in seat order.

        Raises StateError for a wrong number of players or colours the game does not have."""

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that `State.to_json` wrote. Raises StateError naming what is wrong."""

    @abstractmethod
    def from_position(self, position: Position, players: Sequence[str], to_move: str | None = None) -> State:
        """A half-seen state that begins with `position` in the middle of a game; what cannot be known is
        "??". `to_move` defaults to the first player. Raises StateError for an impossible position."""

    @abstractmethod
    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        """The scores that can be told from one look at the board. Without `players`, everybody who has
        a piece on it. Raises StateError for pieces and players that this game does not have."""

    def parse(self, text: str) -> Action:
        """The action that a player wrote, in English or German. Raises UnknownActionError."""
        return parse(text, self.actions)

    def checked_players(self, players: Sequence[str]) -> tuple[str, ...]:
        """`players` as a tuple, or StateError when this game cannot be played by them."""
        chosen = self.checked_colours(players)
        if len(chosen) not in self.player_counts:
            counts = " or ".join(map(str, self.player_counts))
            raise StateError(
                f"{self.id} is played by {counts} players, found {len(chosen)}: {', '.join(chosen)}"
            )
        return chosen

    def checked_colours(self, players: Sequence[str]) -> tuple[str, ...]:
        """`players`, however many, as a tuple, or StateError when they are not different colours of this
        game."""
        if not isinstance(players, (list, tuple)) or not all(isinstance(colour, str) for colour in players):
            raise StateError(f"'players' is a list of colours, found {players!r}")
        chosen = tuple(players)
        wrong = [colour for colour in chosen if colour not in self.colours]
        if wrong or len(set(chosen)) != len(chosen):
            raise StateError(
                f"players of {self.id} are different colours of {', '.join(self.colours)}; "
                f"found {', '.join(chosen)}"
            )
        return chosen

    def some_players(self, count: int) -> tuple[str, ...]:
        """The first `count` colours that may sit down together, in an order that the game accepts.

        Raises StateError when it is not played by so many."""
        for colours in permutations(self.colours, count):
            try:
                return self.start(colours).players
            except StateError:
                continue
        raise StateError(f"{self.id} is not played by {count}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.id == other.id and self.variant == other.variant

    def __hash__(self) -> int:
        return hash((self.id, tuple(sorted(self.variant.items(), key=str))))

    def __repr__(self) -> str:
        settings = "".join(f", {key}={value!r}" for key, value in self.variant_json().items())
        return f"load_game({self.id!r}{settings})"


def draw_chance(state: State, rng: random.Random) -> Action:
    """One chance outcome of `state`, drawn with its probability. For simulations and `rules apply`."""
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    chosen: Action = rng.choices(actions, weights)[0]
    return chosen


__all__ = ["CHANCE", "HALF_SEEN", "Game", "Outcome", "State", "Variant", "draw_chance"]
