"""Trilithen knallen: druids race on triliths and ram each other, for 2 to 5 players.

Sources: rulebooks of the anthology and the early edition. Rulings and variants for players:
docs/rules/ramming.md.

>>> from engine import load_game
>>> load_game("ramming", easy=True).start(("red", "blue", "white")).prompt().en
'lay the next block under its number'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import PLAYER_COLOURS, UNKNOWN, UNKNOWN_NIGHT
from engine.game import Game, Variant
from engine.games.ramming.actions import ACTIONS, Attempt, NoPeek, Peek, SitOut
from engine.games.ramming.advice import UNIT
from engine.games.ramming.data import state_from_json, state_from_position, triliths_of
from engine.games.ramming.race import Crash, Hit, crash
from engine.games.ramming.state import RammingState
from engine.position import Position
from engine.score import Score
from engine.words import Text

__all__ = ["Crash", "Hit", "Ramming", "RammingState", "crash"]

_VARIANTS = (
    Variant("easy", (False, True), Text(
        "easy game: two cards per colour, nobody bounces",
        "einfaches Spiel: zwei Karten je Farbe, kein Abprallen")),
    Variant("lives", (1, 2, 3, 4), Text(
        "longer game: lives of each trilith",
        "längeres Spiel: Leben jedes Trilithen")),
    Variant("trilith_cards", (0, 1, 2, 3, 4, 5), Text(
        "changing display: how many number cards are replaced by trilith cards",
        "wechselnde Auslage: wie viele Zahlen-Karten durch Trilith-Karten ersetzt sind")),
    Variant("two_player_setup", ("first_turn", "pre_game"), Text(
        "two players: triliths are placed in the first turn, or before anybody races",
        "zu zweit: Trilithen kommen im ersten Zug auf die Strecke oder bevor jemand fährt"), True),
    Variant("same_spot", (False, True), Text(
        "a trilith may reappear on the same two fields",
        "ein Trilith darf auf denselben zwei Feldern wieder erscheinen"), True),
    Variant("ram_needs_target_card", (True, False), Text(
        "the first field of the target needs a card too",
        "auch für das erste Feld des Gerammten braucht man eine Karte"), True),
    Variant("attempt_optional", (False, True), Text(
        "nobody has to try to ram",
        "niemand muss versuchen zu rammen"), True),
    Variant("touch_is_ram", (False, True), Text(
        "a bounce that just touches the next trilith rams it",
        "ein Abprallen, das gerade bis zum nächsten reicht, rammt ihn"), True),
    Variant("ram_own", (False, True), Text(
        "two players: the own second trilith may be rammed",
        "zu zweit: der eigene zweite Trilith darf gerammt werden"), True),
    Variant("hearts_tie", ("shared", "none"), Text(
        "a tie for the hearts is shared, or nobody wins them",
        "bei Gleichstand teilen sich die Sieger der Herzen den Titel, oder niemand bekommt ihn"), True),
    Variant("lives_extra", (False, True), Text(
        "longer game: the first life is without a block, so that the last loss costs none",
        "längeres Spiel: das erste Leben ist ohne Block, der letzte Verlust kostet also keinen"), True),
    Variant("ascending_is_clockwise", (True, False), Text(
        "the board's numbers run clockwise",
        "die Zahlen des Bretts laufen rechtsherum"), True),
    Variant("turn_limit", (0, 20, 50, 100, 200, 500, 1000), Text(
        "the race is called off after so many turns (0: never)",
        "das Rennen endet nach so vielen Zügen ohne Sieger (0: nie)"), True),
)  # fmt: skip


class Ramming(Game):
    """The rules of Trilithen knallen. With two players each drives two triliths: the player's colour,
    and the first colours that nobody plays, in seat order (`trilith_colours`)."""

    id = "ramming"
    title = Text("Trilith Bang", "Trilithen knallen")
    board = "anthology"
    player_counts = (2, 3, 4, 5)
    colours = PLAYER_COLOURS
    actions = ACTIONS
    told = (Attempt, SitOut, Peek, NoPeek)
    variants = _VARIANTS

    def __init__(self, /, **variant: Any) -> None:
        super().__init__(**variant)
        self.easy: bool = self.variant["easy"]
        self.lives: int = self.variant["lives"]
        self.two_player_setup: str = self.variant["two_player_setup"]
        self.same_spot: bool = self.variant["same_spot"]
        self.ram_needs_target_card: bool = self.variant["ram_needs_target_card"]
        self.attempt_optional: bool = self.variant["attempt_optional"]
        self.touch_is_ram: bool = self.variant["touch_is_ram"]
        self.ram_own: bool = self.variant["ram_own"]
        self.hearts_tie: str = self.variant["hearts_tie"]
        self.lives_extra: bool = self.variant["lives_extra"]
        self.ascending_is_clockwise: bool = self.variant["ascending_is_clockwise"]
        self.turn_limit: int = self.variant["turn_limit"]
        self.cards_per_colour = 2 if self.easy else 3
        self.display_cards = _display_cards(self.cards_per_colour, self.variant["trilith_cards"])
        self.card_back = UNKNOWN if self.variant["trilith_cards"] else UNKNOWN_NIGHT

    def trilith_colours(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """The colours of all triliths: one per player in seat order, then the second ones of two players."""
        if len(players) > 2:
            return players
        unused = [colour for colour in PLAYER_COLOURS if colour not in players]
        return (*players, *unused[:2])

    def hand(self, players: Sequence[str]) -> int:
        """How many cards everybody holds."""
        return 6 if len(players) == 2 else 4

    def start(self, players: Sequence[str]) -> RammingState:
        return RammingState.first(self, self.checked_players(players))

    def from_json(self, data: Mapping[str, Any]) -> RammingState:
        return state_from_json(self, data)

    def from_position(
        self, position: Position, players: Sequence[str], to_move: str | None = None
    ) -> RammingState:
        return state_from_position(self.as_half_seen(), position, self.checked_players(players), to_move)

    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        """Structure points lie beside the board: one look at it tells who races, not who has taken what."""
        riding = triliths_of(position)
        return {player: Score(UNIT) for player in (self.checked_colours(players) or riding)}


def _display_cards(per_colour: int, triliths: int) -> tuple[str, ...]:
    """The cards of the display; trilith cards replace the highest number of their colour."""
    numbers = [n + 6 * i for i in range(per_colour) for n in range(1, 6)]
    replaced = {6 * (per_colour - 1) + 1 + i for i in range(triliths)}
    cards = tuple(f"{n}-night" for n in numbers if n not in replaced)
    return (*cards, *(f"trilith-{colour}" for colour in PLAYER_COLOURS[:triliths]))
