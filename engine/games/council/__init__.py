"""Der Hohe Rat (The High Council): Pro (white, yellow) against Contra (red, blue), 2 or 4 players.

Source: the anthology's booklet of bonus games. Rulings and variants for players: docs/rules/council.md.

>>> from engine import load_game
>>> load_game("council").start(("white", "red")).prompt().de
'teile die Handkarten aus'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import DAY_CARDS, NIGHT_CARDS
from engine.errors import StateError
from engine.game import Game, Variant
from engine.games.council.actions import ACTIONS, EndTurn
from engine.games.council.advice import ring_score
from engine.games.council.data import ring_of, state_from_json, state_from_position
from engine.games.council.ring import COLOURS, faction_of_colour
from engine.games.council.state import CouncilState
from engine.hands import mask_of
from engine.position import Position
from engine.score import Score
from engine.words import Text

__all__ = ["Council", "CouncilState"]

_VARIANTS = (
    Variant("action_mandatory", (False, True), Text(
        "everybody has to take an action",
        "jeder muss eine Aktion ausführen"), True),
    Variant("persuade_one_side_only", (False, True), Text(
        "one persuades either before or after the action, not both",
        "überzeugt wird entweder vor oder nach der Aktion, nicht beides"), True),
    Variant("combine_triliths", (False, True), Text(
        "trilith cards may be discussed together with other cards",
        "Trilith-Karten dürfen zusammen mit anderen Karten diskutiert werden"), True),
    Variant("cap_overflow", ("trim", "refuse"), Text(
        "arguments beyond six of a colour: given up, or the discussion is refused",
        "Argumente über sechs je Farbe: verfallen, oder die Diskussion ist nicht erlaubt"), True),
    Variant("swap_same_colour", (False, True), Text(
        "two players: a figure replaces only a disc of its own colour",
        "zu zweit: eine Figur ersetzt nur eine Scheibe ihrer Farbe"), True),
    Variant("share_arguments", (False, True), Text(
        "four players: partners pay with each other's arguments",
        "zu viert: Partner zahlen auch mit den Argumenten des anderen"), True),
    Variant("relocate_per_colour", (False, True), Text(
        "two players: discs of one used-up colour may be moved while the other colour is still in supply",
        "zu zweit: Scheiben einer aufgebrauchten Farbe dürfen umgesetzt werden, solange die andere reicht"),
        True),
    Variant("vote_equal_discount", (False, True), Text(
        "in the vote an equally large group persuades for one argument as well",
        "in der Abstimmung überzeugt auch eine gleich große Gruppe für ein Argument"), True),
    Variant("draw_by_agreement", (False, True), Text(
        "all players may agree on a draw",
        "alle Spieler können sich auf Unentschieden einigen"), True),
    Variant("turn_limit", (0, 20, 50, 100, 200, 500, 1000), Text(
        "the council ends without a decision after so many turns (0: never)",
        "der Rat endet nach so vielen Zügen ohne Entscheidung (0: nie)"), True),
)  # fmt: skip


class Council(Game):
    """The rules of Der Hohe Rat. Players are colours, the factions alternate around the table."""

    id = "council"
    title = Text("The High Council", "Der Hohe Rat")
    board = "anthology"
    player_counts = (2, 4)
    colours = COLOURS
    actions = ACTIONS
    told = (EndTurn,)
    variants = _VARIANTS
    # Pro has the day cards, Contra the night cards; each adds the trilith cards of its colours.
    decks = (
        mask_of((*DAY_CARDS, "trilith-white", "trilith-yellow")),
        mask_of((*NIGHT_CARDS, "trilith-red", "trilith-blue")),
    )

    def __init__(self, /, **variant: Any) -> None:
        super().__init__(**variant)
        self.action_mandatory: bool = self.variant["action_mandatory"]
        self.persuade_one_side_only: bool = self.variant["persuade_one_side_only"]
        self.combine_triliths: bool = self.variant["combine_triliths"]
        self.cap_overflow: str = self.variant["cap_overflow"]
        self.swap_same_colour: bool = self.variant["swap_same_colour"]
        self.share_arguments: bool = self.variant["share_arguments"]
        self.relocate_per_colour: bool = self.variant["relocate_per_colour"]
        self.vote_equal_discount: bool = self.variant["vote_equal_discount"]
        self.draw_by_agreement: bool = self.variant["draw_by_agreement"]
        self.turn_limit: int = self.variant["turn_limit"]

    def checked_players(self, players: Sequence[str]) -> tuple[str, ...]:
        chosen = super().checked_players(players)
        sides = [faction_of_colour(colour) for colour in chosen]
        if any(sides[i] == sides[i - 1] for i in range(len(sides))):
            raise StateError(
                "in council Pro (white, yellow) and Contra (red, blue) sit in turn, "
                f"found {', '.join(chosen)}; for example white, red, yellow, blue"
            )
        return chosen

    def start(self, players: Sequence[str]) -> CouncilState:
        return CouncilState.first(self, self.checked_players(players))

    def from_json(self, data: Mapping[str, Any]) -> CouncilState:
        return state_from_json(self, data)

    def from_position(
        self, position: Position, players: Sequence[str], to_move: str | None = None
    ) -> CouncilState:
        return state_from_position(self.as_half_seen(), position, self.checked_players(players), to_move)

    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        ring = tuple(ring_of(position))
        present = {piece.colour for piece in position if piece.kind in ("disc", "figure")}
        chosen = self.checked_colours(players) or tuple(colour for colour in COLOURS if colour in present)
        return {player: ring_score(ring, faction_of_colour(player)) for player in chosen}
