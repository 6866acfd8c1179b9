"""What counts: the megaliths placed; over a series of games, the megaliths left.

>>> series = Series(("black", "brown"), (SeriesGame("black", 3), SeriesGame("brown", 1)))
>>> series.totals(), series.masters(), series.next_players()
({'black': 1, 'brown': 3}, ('black',), ('black', 'brown'))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from engine.errors import StateError
from engine.games.stonehenge.lines import LINE_NAMES, MEGALITHS, line_text
from engine.score import Score, ScorePart
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.stonehenge.state import StonehengeState

MEGALITH_UNIT: Final = Text("megaliths", "Megalithe")


def megalith_score(lines: Sequence[int]) -> Score:
    """One megalith for each of `lines`."""
    parts = [ScorePart(LINE_NAMES[line], line_text(line), 1, (LINE_NAMES[line],)) for line in lines]
    return Score(MEGALITH_UNIT, tuple(parts))


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """One finished game: who won it, and how many megaliths the loser had left."""

    winner: str
    left: int


@dataclass(frozen=True, slots=True)
class Series:
    """Several games between the same two players: the loser's megaliths are added up, and the true master
    is who has fewer of them in the end. `players`: the first one began the first game; the start
    alternates."""

    players: tuple[str, str]
    games: tuple[SeriesGame, ...] = ()

    def with_game(self, final: StonehengeState) -> Series:
        """The series after one more game. Raises StateError when that game is not over or not theirs."""
        if not final.is_over or set(final.players) != set(self.players):
            raise StateError(
                f"a series counts finished games of {' and '.join(self.players)}; found one of "
                f"{' and '.join(final.players)} with {final.to_move or 'nobody'} to move"
            )
        winner, loser = final.players if final.returns()[0] > 0 else final.players[::-1]
        game = SeriesGame(winner, final.megaliths_left(loser))
        return replace(self, games=(*self.games, game))

    def totals(self) -> dict[str, int]:
        """player -> megaliths left over all the games he lost."""
        return {p: sum(game.left for game in self.games if game.winner != p) for p in self.players}

    def masters(self) -> tuple[str, ...]:
        """Who has the fewest megaliths left; both of them share a tie."""
        totals = self.totals()
        return tuple(p for p in self.players if totals[p] == min(totals.values()))

    def next_players(self) -> tuple[str, ...]:
        """The seat order of the next game, the beginner first."""
        return self.players[::-1] if len(self.games) % 2 else self.players

    def to_json(self) -> dict[str, Any]:
        games = [{"winner": game.winner, "left": game.left} for game in self.games]
        return {"players": list(self.players), "games": games}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Series:
        """Read what `to_json` wrote. Raises StateError naming what is wrong."""
        try:
            first, second = data["players"]
            games = tuple(SeriesGame(game["winner"], int(game["left"])) for game in data["games"])
        except (KeyError, ValueError, TypeError) as error:
            raise StateError(f"this is no series of stonehenge: {error!r}") from error
        for game in games:
            if game.winner not in (first, second) or not 1 <= game.left <= MEGALITHS:
                raise StateError(
                    f"a game of a series has a winner ({first} or {second}) and 1 to {MEGALITHS} megaliths "
                    f"left; found {game.winner!r} and {game.left}"
                )
        return cls((first, second), games)
