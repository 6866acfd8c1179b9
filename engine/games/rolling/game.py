"""Game: the variants of Rollende Steine and its states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

from engine.action import Action
from engine.cards import PLAYER_COLOURS
from engine.errors import StateError
from engine.game import Game, Variant
from engine.games.rolling import look
from engine.games.rolling.actions import ACTIONS, NoGate, Sideways, Through, TooWeak
from engine.games.rolling.course import COURSES, OWN_WHEELS
from engine.games.rolling.state import RollingState
from engine.position import Position
from engine.score import Score
from engine.words import Text


def _house_rule(key: str, choices: tuple[Any, ...], en: str, de: str) -> Variant:
    return Variant(key, choices, Text(en, de), house_rule=True)


class Rolling(Game):
    """Rollende Steine, by Tyler Tinsley: roll a wheel through all five gates, together."""

    id: ClassVar[str] = "rolling"
    title: ClassVar[Text] = Text("Rolling Rocks", "Rollende Steine")
    board: ClassVar[str] = look.BOARD
    player_counts: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)
    colours: ClassVar[tuple[str, ...]] = PLAYER_COLOURS
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    told: ClassVar[tuple[type[Action], ...]] = (TooWeak, Sideways, NoGate, Through)
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "course",
            tuple(COURSES),
            Text(
                "the course: on the board's trilith fields, one of the rule book, or one of your own",
                "der Kurs: auf den Trilithenfeldern, einer aus dem Regelheft oder ein eigener",
            ),
        ),
        _house_rule(
            "neutral_pool",
            ("all_unused", "none"),
            "the discs of colours that nobody plays are neutral wheels, or there are none",
            "die Scheiben der nicht gespielten Farben sind neutrale Räder, oder es gibt keine",
        ),
        _house_rule(
            "marker_from_supply",
            (False, True),
            "a second gate in one roll may be marked with a wheel that was not rolled yet",
            "ein zweites Tor in einem Wurf darf mit einem noch nicht gerollten Rad markiert werden",
        ),
        _house_rule(
            "fallen_gate_scores",
            (False, True),
            "a gate that falls over under the wheel counts as passed",
            "ein Tor, das unter dem Rad umfällt, zählt als bezwungen",
        ),
        _house_rule(
            "reset_banks",
            (False, True),
            "banks that a wheel pushed away are put back",
            "vom Rad verschobene Banden werden zurückgestellt",
        ),
        _house_rule(
            "bank_on_reroll",
            (False, True),
            "before a wheel is rolled again banks may be placed or moved again",
            "vor einem wiederholten Wurf darf man wieder Banden stellen",
        ),
        _house_rule(
            "bank_zones",
            ("anywhere", "trilith_zone"),
            "where banks may stand",
            "wo Banden stehen dürfen",
        ),
        _house_rule(
            "sideways_exit",
            ("out", "repeat"),
            "a wheel that leaves the board at the side is out, or is rolled again",
            "ein Rad, das seitlich vom Brett rollt, ist aus dem Spiel oder rollt noch einmal",
        ),
        _house_rule(
            "max_rerolls",
            ("unlimited", 0, 1, 2, 3),
            "how often a wheel that was too weak may be rolled again in a turn",
            "so oft darf ein zu schwaches Rad je Zug wiederholt werden",
        ),
    )

    @cached_property
    def _half_seen_twin(self) -> Self:
        return super().as_half_seen()

    def as_half_seen(self) -> Self:
        return self._half_seen_twin

    def neutral_wheels(self, players: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """The discs of the colours that nobody plays; what cannot be divided equally stays out."""
        if self.variant["neutral_pool"] == "none":
            return ()
        return tuple((colour, OWN_WHEELS) for colour in PLAYER_COLOURS if colour not in players)

    def start(self, players: Sequence[str]) -> RollingState:
        """The state before the course is put up (on the trilith fields it stands already)."""
        return RollingState.opening(self, self.checked_players(players))

    def from_json(self, data: Mapping[str, Any]) -> RollingState:
        players = data.get("players")
        if not isinstance(players, list):
            raise StateError(f"'players' is a list of colours, found {players!r}")
        return look.from_json(self, data, self.checked_players(players))

    def from_position(
        self,
        position: Position,
        players: Sequence[str],
        to_move: str | None = None,
        *,
        wheels_used: Mapping[str, int] | None = None,
    ) -> RollingState:
        """The state before a player's turn, with the course as it stands. `wheels_used`: how many wheels
        each player has rolled; by default only those that mark gates."""
        chosen = self.checked_players(players)
        if to_move is not None and to_move not in chosen:
            raise StateError(f"{to_move} does not play; the players are {', '.join(chosen)}")
        return look.from_position(self.as_half_seen(), position, chosen, to_move, wheels_used or {})

    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        """The gates that each player has marked."""
        return look.score_position(position, self.checked_colours(players))
