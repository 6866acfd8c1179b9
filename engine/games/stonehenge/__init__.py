"""Stonehenge by Reiner Knizia: two druids, 18 stones, 15 ley-lines; the eighth megalith wins.

A turn: claim lines, place one stone, claim lines. It passes on by itself after the stone when there is
nothing (more) to claim; else the player claims or ends the turn. Once all stones lie, turns are for claims
only. With face-down stones a full line is revealed stone by stone, each reveal an event of its own.
Rulings and variants for players: docs/rules/stonehenge.md.

In the order of reading: lines (the board, and who dominates what), actions, state, reasons, scoring,
advice, data (JSON and positions), and here the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import StateError, no_state
from engine.game import Game, Variant
from engine.games.stonehenge.actions import ACTIONS
from engine.games.stonehenge.data import (
    check_megaliths,
    check_stones,
    checked_piece,
    read_position,
    stone_from_json,
)
from engine.games.stonehenge.lines import (
    LINE_INDEX,
    MEGALITHS,
    Placed,
)
from engine.games.stonehenge.scoring import Series, SeriesGame, megalith_score
from engine.games.stonehenge.state import StonehengeState
from engine.position import Position
from engine.score import Score
from engine.words import Text

__all__ = ["Series", "SeriesGame", "Stonehenge", "StonehengeState"]


class Stonehenge(Game):
    """Two players, the first in seat order begins."""

    id = "stonehenge"
    title = Text("Stonehenge", "Stonehenge")
    board = "knizia"
    player_counts = (2,)
    colours = ("black", "brown")
    actions = ACTIONS
    variants = (
        Variant(
            "face_down",
            (False, True),
            Text(
                "stones lie face down until their line is full",
                "Steine liegen verdeckt, bis ihre Linie voll ist",
            ),
        ),
        Variant(
            "facedown_early",
            ("provable", "never", "honour"),
            Text(
                "face-down stones: a line that is not full is claimed when the open stones prove it, never, "
                "or on a player's word",
                "verdeckte Steine: eine nicht volle Linie wird beansprucht, wenn die offenen Steine es "
                "beweisen, nie, oder auf Ehrenwort",
            ),
            house_rule=True,
        ),
        Variant(
            "claim_before_place",
            (True, False),
            Text(
                "lines may be claimed before placing, too, not only afterwards",
                "Linien dürfen auch vor dem Setzen beansprucht werden, nicht nur danach",
            ),
            house_rule=True,
        ),
        Variant(
            "claim_duty",
            (False, True),
            Text(
                "who dominates a line has to claim it before the turn ends",
                "wer eine Linie beherrscht, muss sie vor Ende seines Zuges beanspruchen",
            ),
            house_rule=True,
        ),
    )

    def __init__(self, /, **variant: Any) -> None:
        super().__init__(**variant)
        self.face_down: bool = self.variant["face_down"]
        self.early: str = self.variant["facedown_early"] if self.face_down else "provable"
        self.claim_before_place: bool = self.variant["claim_before_place"]
        self.claim_duty: bool = self.variant["claim_duty"]
        self.is_half_seen_face_down = self.face_down and self.half_seen

    def start(self, players: Sequence[str]) -> StonehengeState:
        return self._state(self.checked_players(players), (), mover=0)

    def _state(
        self,
        players: tuple[str, ...],
        stones: tuple[Placed, ...],
        *,
        mover: int,
        unordered: int = 0,
        has_placed: bool = False,
        claimed: tuple[int, int] = (0, 0),
        overlooked: int = 0,
    ) -> StonehengeState:
        """The state with everything that follows from these. Raises StateError for a contradiction."""
        state = object.__new__(StonehengeState)
        state.game, state.players, state.stones, state.unordered = self, players, stones, unordered
        state.mover, state.has_placed, state.claimed = mover, has_placed, claimed
        state.overlooked = overlooked
        check_stones(stones, players)
        state.tally()
        check_megaliths(state)
        state._judge_all_lines()
        if MEGALITHS in (claimed[0].bit_count(), claimed[1].bit_count()):
            state.to_move = None
        else:
            state._settle()
        return state

    def from_json(self, data: Mapping[str, Any]) -> StonehengeState:
        try:
            players = self.checked_players(data["players"])
            stones = tuple(stone_from_json(entry, players) for entry in data["stones"])
            claimed = [0, 0]
            for line, colour in data["megaliths"].items():
                claimed[players.index(colour)] |= 1 << LINE_INDEX[line]
            state = self._state(
                players,
                stones,
                mover=players.index(data["mover"]),
                unordered=int(data["unordered"]),
                has_placed=bool(data["has_placed"]),
                claimed=(claimed[0], claimed[1]),
                overlooked=sum(1 << LINE_INDEX[line] for line in data["overlooked"]),
            )
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise no_state("stonehenge", error) from error
        if state.to_move != data.get("to_move", state.to_move):
            raise StateError(f"'to_move' is {data['to_move']!r}, expected {state.to_move!r} from the stones")
        return state

    def from_position(
        self, position: Position, players: Sequence[str], to_move: str | None = None
    ) -> StonehengeState:
        """The game from here on; the order of the stones is unknown, so a line that is full and tied may
        be claimed by either player. Without `to_move` the player with fewer stones is to move, or the
        first when both have as many; given the player with one stone more, he has just placed it and may
        still claim."""
        seats = self.checked_players(players)
        stones, claimed = read_position(position, seats, self.face_down)
        ahead = sum(1 if stone.player == 0 else -1 for stone in stones)
        if abs(ahead) > 1:
            raise StateError(
                "players place in turn, so that they differ by one stone at most; found "
                f"{seats[0]} with {abs(ahead)} {'more' if ahead > 0 else 'fewer'} than {seats[1]}"
            )
        if to_move is not None and to_move not in seats:
            raise StateError(f"to_move is one of {', '.join(seats)}, found {to_move!r}")
        mover = seats.index(to_move) if to_move is not None else int(ahead > 0)
        has_placed = ahead == (1 if mover == 0 else -1)
        game = self.as_half_seen() if self.face_down else self
        return game._state(
            seats, stones, mover=mover, unordered=len(stones), has_placed=has_placed, claimed=claimed
        )

    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        seats = self.checked_colours(players) or tuple(
            c for c in self.colours if any(p.colour == c for p in position)
        )
        scored: dict[str, list[int]] = {colour: [] for colour in seats}
        for piece in position:
            checked_piece(piece, self.colours)
            if piece.kind == "megalith" and piece.colour in scored:
                scored[piece.colour].append(LINE_INDEX[str(piece.field)])
        return {colour: megalith_score(sorted(lines)) for colour, lines in scored.items()}
