"""Game: the variants of Erbaut Stonehenge! and its states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

from engine.action import Action
from engine.cards import PLAYER_COLOURS
from engine.errors import StateError
from engine.game import Game, Variant
from engine.games.build import data, look
from engine.games.build.actions import ACTIONS
from engine.games.build.ground import make_setup
from engine.games.build.state import BuildState
from engine.position import Position
from engine.score import Score
from engine.words import Text


def _house_rule(key: str, choices: tuple[Any, ...], en: str, de: str) -> Variant:
    return Variant(key, choices, Text(en, de), house_rule=True)


class Build(Game):
    """Erbaut Stonehenge!, by Dustin D. Trammell: the cults build the monument and count their fame."""

    id: ClassVar[str] = "build"
    title: ClassVar[Text] = Text("Build Stonehenge!", "Erbaut Stonehenge!")
    board: ClassVar[str] = look.BOARD
    player_counts: ClassVar[tuple[int, ...]] = (3, 4)
    colours: ClassVar[tuple[str, ...]] = PLAYER_COLOURS
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "neutral_colour",
            ("unused", *PLAYER_COLOURS, "grey"),
            Text(
                "colour of the neutral blocks (unused: the first that nobody plays)",
                "Farbe der neutralen Blöcke (unused: die erste, die niemand spielt)",
            ),
        ),
        _house_rule(
            "block_site",
            ("colour", "number"),
            "a card builds its block on any field of its colour, or on the field of its number only",
            "eine Karte baut ihren Block auf jedem Feld ihrer Farbe, oder nur auf dem ihrer Zahl",
        ),
        _house_rule(
            "druid_counts_as_built",
            (False, True),
            "a druid on the card's field opens the bluestones as a block does",
            "ein Druide auf dem Feld der Karte erlaubt Dolerite wie ein Block",
        ),
        _house_rule(
            "trilith_counts_as_draw",
            (True, False),
            "a drawn trilith counts as one of the cards drawn",
            "ein gezogener Trilith zählt als gezogene Karte",
        ),
        _house_rule(
            "dead_reveal",
            ("under_pile", "box"),
            "a revealed card without a site goes under the pile, or out of the game",
            "eine aufgedeckte Karte ohne Bauplatz kommt unter den Stapel, oder aus dem Spiel",
        ),
        _house_rule(
            "steal_cards_open",
            (True, False),
            "the two cards of a theft are shown to everybody",
            "die zwei Karten beim Klauen werden allen gezeigt",
        ),
        _house_rule(
            "steal_prevents_block",
            (False, True),
            "a player who could steal a trilith may not declare to be blocked, unless it was just stolen",
            "wer einen Trilith klauen könnte, der nicht gerade erst geklaut wurde, darf sich nicht blockiert "
            "erklären",
        ),
        _house_rule(
            "sabotage_per_turn",
            (1, 2, 3),
            "how often a player may sabotage per turn",
            "so oft darf man je Zug sabotieren",
        ),
        _house_rule(
            "sabotage_idle",
            (False, True),
            "players without a project may be sabotaged too",
            "auch Spieler ohne Bauprojekt dürfen sabotiert werden",
        ),
        _house_rule(
            "influence_spent",
            ("box", "under_pile"),
            "a used influence card is out of the game, or goes under the pile",
            "eine benutzte Einflusskarte ist aus dem Spiel, oder kommt unter den Stapel",
        ),
        _house_rule(
            "influence_needs_own_block",
            (False, True),
            "a neutral block on a field of the own colour gives no influence card",
            "ein neutraler Block auf einem Feld der eigenen Farbe bringt keine Einflusskarte",
        ),
        _house_rule(
            "ritual_blocks_whole_turn",
            (False, True),
            "after the second ritual the player draws and plays only in his next turn",
            "nach dem zweiten Ritual zieht und spielt man erst im nächsten Zug wieder",
        ),
        _house_rule(
            "tiebreak",
            ("none", "triliths"),
            "equal fame is a shared win, or the triliths decide",
            "gleicher Ruhm ist ein gemeinsamer Sieg, oder die Trilithen entscheiden",
        ),
    )

    @cached_property
    def sabotage_per_turn(self) -> int:
        return int(self.variant["sabotage_per_turn"])

    @cached_property
    def trilith_counts_as_draw(self) -> bool:
        return bool(self.variant["trilith_counts_as_draw"])

    @cached_property
    def _half_seen_twin(self) -> Self:
        return super().as_half_seen()

    def as_half_seen(self) -> Self:
        return self._half_seen_twin

    def start(self, players: Sequence[str], yards: Sequence[str] | None = None) -> BuildState:
        """The state before the first card is dealt; the first player begins. `yards`: each player's yard
        in seat order, by default yard-1, yard-2 and so on."""
        chosen = self.checked_players(players)
        return BuildState.opening(self, chosen, make_setup(self.variant, chosen, yards))

    def from_json(self, raw: Mapping[str, Any]) -> BuildState:
        players = self.checked_players(_players(raw))
        seats = raw.get("seats")
        if not isinstance(seats, Mapping) or any(not isinstance(seats.get(p), Mapping) for p in players):
            raise StateError("'seats' is an object with one entry per player")
        yards = [str(seats[player].get("yard")) for player in players]
        return data.from_json(self, raw, players, make_setup(self.variant, players, yards))

    def from_position(
        self,
        position: Position,
        players: Sequence[str],
        to_move: str | None = None,
        *,
        yards: Sequence[str] | None = None,
        neutral_owner: str | None = None,
        influence: Mapping[str, int] | None = None,
    ) -> BuildState:
        """The half-seen state at the beginning of the turn of `to_move`. What no picture shows can be
        told: who owns the neutral blocks, and how many influence cards each player has."""
        chosen = self.checked_players(players)
        if to_move is not None and to_move not in chosen:
            raise StateError(f"{to_move} does not play; the players are {', '.join(chosen)}")
        setup = make_setup(self.variant, chosen, yards)
        half_seen = self.as_half_seen()
        return look.from_position(half_seen, position, chosen, setup, to_move, neutral_owner, influence or {})

    def score_position(
        self, position: Position, players: Sequence[str] = (), neutral_owner: str | None = None
    ) -> dict[str, Score]:
        """The fame of everybody. Blocks of a colour that nobody plays count for `neutral_owner`; without
        him they stand in a line of their own, under their colour."""
        return look.score_position(position, self.checked_colours(players), neutral_owner)


def _players(raw: Mapping[str, Any]) -> Sequence[str]:
    players = raw.get("players")
    if not isinstance(players, list) or not all(isinstance(colour, str) for colour in players):
        raise StateError(f"'players' is a list of colours, found {players!r}")
    return players
