"""Opferroulette by Jason Bulmahn: a stone ball rolls round the ring and crushes offerings in the pits.

A turn is taken in small steps, one card and one effect at a time: move, fall, move and fall, or (a trilith
card) flip; then the player ends it. A fall ends it, too. Every deal, the set-up's included, and the card
turned up for a fall are events of their own. Rulings and variants for players: docs/rules/roulette.md.

In the order of reading: ring and cards as tables, actions, phases, state, reasons, turn (what follows),
scoring, advice, data (JSON and positions), and here the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import PLAYER_COLOURS, UNKNOWN
from engine.errors import StateError
from engine.game import CHANCE, Game, Variant
from engine.games.roulette.actions import ACTIONS, EndTurn, Fall, MoveAndFall, Offer, Pass, TurnUp
from engine.games.roulette.cards import EVERY_CARD
from engine.games.roulette.data import disc_colours, read_position, read_state
from engine.games.roulette.ring import PITS, RING_INDEX
from engine.games.roulette.scoring import POINTS, left_part
from engine.games.roulette.state import HAND, RouletteState
from engine.games.roulette.turn import enter
from engine.hands import Hands
from engine.position import Position
from engine.score import Score
from engine.words import Text

__all__ = ["Roulette", "RouletteState"]


class Roulette(Game):
    """Two to five players; the first in seat order begins."""

    id = "roulette"
    title = Text("Sacrifice Roulette", "Opferroulette")
    board = "anthology"
    player_counts = (2, 3, 4, 5)
    colours = PLAYER_COLOURS
    actions = ACTIONS
    told = (Offer, Fall, MoveAndFall, TurnUp, EndTurn, Pass)
    variants = (
        Variant("pass_allowed", (True, False), Text(
            "a player may pass, not only one without number cards",
            "man darf passen, nicht nur ohne Zahlenkarten"), house_rule=True),
        Variant("trilith_first_only", (False, True), Text(
            "trilith cards are played before the number cards only",
            "Trilith-Karten werden nur vor den Zahlenkarten gespielt"), house_rule=True),
        Variant("trilith_alone", (False, True), Text(
            "trilith cards may be played without a number card",
            "Trilith-Karten dürfen ohne Zahlenkarte gespielt werden"), house_rule=True),
        Variant("match_forces_fall", (False, True), Text(
            "a card that takes the ball to its own number makes it fall",
            "eine Karte, die die Kugel auf ihre eigene Zahl bringt, lässt sie fallen"), house_rule=True),
        Variant("trilith_free_pit_only", (False, True), Text(
            "the offering of a trilith card goes into a free pit",
            "die Opfergabe einer Trilith-Karte kommt in eine freie Mulde"), house_rule=True),
        Variant("two_player_ignore_all", (False, True), Text(
            "two players: trilith cards are replaced in all deals of the set-up",
            "zu zweit: Trilith-Karten werden bei allen Opfergaben ersetzt"), house_rule=True),
        Variant("refill_before_fall", (False, True), Text(
            "the hand is filled up before the ball falls, so discs crushed raise it from the next turn on",
            "nachgezogen wird vor dem Fall, zerstörte Opfer zählen also erst im nächsten Zug für die Hand"),
            house_rule=True),
        Variant("end", ("turn", "immediate"), Text(
            "a fall that takes the last card of the last pile still counts, or the game is over without it",
            "ein Fall mit der letzten Karte des letzten Stapels zählt noch, oder das Spiel endet ohne ihn"),
            house_rule=True),
        Variant("ascending_is_clockwise", (True, False), Text(
            "the board's numbers run clockwise",
            "die Zahlen des Bretts laufen rechtsherum"), house_rule=True),
        Variant("neutral_colour", ("unused", *PLAYER_COLOURS), Text(
            "two players: the colour of the neutral offerings",
            "zu zweit: die Farbe der neutralen Opfergaben"), house_rule=True),
    )  # fmt: skip

    def __init__(self, /, **variant: Any) -> None:
        super().__init__(**variant)
        self.pass_allowed: bool = self.variant["pass_allowed"]
        self.trilith_first_only: bool = self.variant["trilith_first_only"]
        self.trilith_alone: bool = self.variant["trilith_alone"]
        self.match_forces_fall: bool = self.variant["match_forces_fall"]
        self.trilith_free_pit_only: bool = self.variant["trilith_free_pit_only"]
        self.two_player_ignore_all: bool = self.variant["two_player_ignore_all"]
        self.refill_before_fall: bool = self.variant["refill_before_fall"]
        self.end: str = self.variant["end"]
        self.ascending_is_clockwise: bool = self.variant["ascending_is_clockwise"]
        self.neutral_colour: str = self.variant["neutral_colour"]

    def checked_players(self, players: Sequence[str]) -> tuple[str, ...]:
        seats = super().checked_players(players)
        if len(seats) == 2 and self.neutral_colour in seats:
            raise StateError(
                f"the neutral offerings are {self.neutral_colour}, but {self.neutral_colour} plays"
            )
        return seats

    def start(self, players: Sequence[str]) -> RouletteState:
        state = self._blank(self.checked_players(players))
        enter(state, "offerings")
        return state

    def _blank(self, players: tuple[str, ...]) -> RouletteState:
        """The state before anything has been dealt."""
        state = object.__new__(RouletteState)
        state.game, state.players, state.to_move = self, players, CHANCE
        state.phase, state.seat, state.drawn, state.waiting = "offerings", 0, 0, ()
        state.pits, state.ball, state.facing = ((),) * len(PITS), 0, "clockwise"
        state.captured = ((),) * len(players)
        state.passes_left = 3 if len(players) == 5 else 2
        state.hands = Hands.fresh(EVERY_CARD, len(players))
        state.colour, state.moved, state.flipped, state.falling = None, False, False, False
        return state

    def from_json(self, data: Mapping[str, Any]) -> RouletteState:
        state = self._blank(self.checked_players(data.get("players", ())))
        read_state(state, data)
        return state

    def from_position(
        self, position: Position, players: Sequence[str], to_move: str | None = None
    ) -> RouletteState:
        """The game from here on: five unknown cards in each hand and a whole pile. Who crushed the discs
        that are missing cannot be seen; they count for nobody. A ball without `facing` faces clockwise."""
        seats = self.checked_players(players)
        if to_move is not None and to_move not in seats:
            raise StateError(f"to_move is one of {', '.join(seats)}, found {to_move!r}")
        state = self.as_half_seen()._blank(seats)
        pits, balls = read_position(position, disc_colours(state))
        if len(balls) != 1:
            raise StateError(f"one grey figure, the ball, stands on the ring; found {len(balls)}")
        state.pits, state.ball = pits, RING_INDEX[str(balls[0].field)]
        state.facing = balls[0].facing or "clockwise"
        state.seat = seats.index(to_move) if to_move else 0
        for _ in range(HAND):
            for seat in range(len(seats)):
                state.hands = state.hands.draw(seat, UNKNOWN)
        enter(state, "play")
        return state

    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        """Two points per disc in a pit; who crushed the others cannot be seen on the board."""
        pits, _ = read_position(position, PLAYER_COLOURS)
        seats = self.checked_colours(players) or tuple(
            c for c in PLAYER_COLOURS if any(c in discs for discs in pits)
        )
        return {colour: Score(POINTS, (left_part(pits, colour),)) for colour in seats}
