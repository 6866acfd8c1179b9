"""One moment of Knizia's Stonehenge, and what follows from each action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from engine.action import Action
from engine.errors import IllegalActionError
from engine.game import CHANCE, Outcome, State
from engine.games.stonehenge.actions import (
    CLAIM,
    END_TURN,
    PLACE,
    PLACE_FACE_DOWN,
    REVEAL,
    Claim,
    EndTurn,
    Place,
    PlaceFaceDown,
    Reveal,
)
from engine.games.stonehenge.advice import line_insight, prompt
from engine.games.stonehenge.data import state_json
from engine.games.stonehenge.lines import (
    ALL_LINES,
    BEST,
    LINE_INDEX,
    LINE_NAMES,
    LINES,
    LINES_OF,
    MEGALITHS,
    SPACE_INDEX,
    SPACES,
    TAKE,
    VALUES,
    Outlook,
    Placed,
    last_placer,
    lines_in,
    stones_in,
)
from engine.games.stonehenge.reasons import (
    why_not_claim,
    why_not_end,
    why_not_place,
    why_not_place_face_down,
    why_not_reveal,
)
from engine.games.stonehenge.scoring import megalith_score
from engine.position import Position, piece
from engine.score import Score
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.stonehenge import Stonehenge


class StonehengeState(State):
    """stones: what lies on the board, in the order of placing; of the first `unordered` (a position taken
    over in the middle of a game) the order is not known. mover: whose turn it is (0 or 1), also while a
    reveal is due. has_placed: his stone of this turn lies.

    The rest follows from these, except who owns which megalith: supply (mask of the stones not known to
    lie on the board), sums and empty per line, dominated and claimed (masks of lines per player),
    overlooked (lines left unclaimed at the end of a turn of the player who dominates them)."""

    __slots__ = (
        "claimed", "dominated", "empty", "free", "has_placed", "mover", "overlooked", "stones", "sums",
        "supply", "unordered",
    )  # fmt: skip
    game: Stonehenge
    stones: tuple[Placed, ...]
    unordered: int
    mover: int
    has_placed: bool
    free: tuple[int, ...]
    supply: tuple[int, int]
    sums: tuple[Sequence[int], Sequence[int]]
    empty: Sequence[int]
    dominated: tuple[int, int]
    claimed: tuple[int, int]
    overlooked: int

    # --- what may happen -------------------------------------------------------------------------

    @property
    def claimable(self) -> int:
        """The lines that the mover may claim now, as a mask."""
        if self.has_placed or self.game.claim_before_place or not self.free:
            return self.dominated[self.mover] & ~(self.claimed[0] | self.claimed[1])
        return 0

    @property
    def owed(self) -> int:
        """The lines among them that are certainly the mover's, whatever hidden stones are: by house rule
        he has to claim them."""
        claimable = self.claimable
        if self.game.early != "honour":
            return claimable
        return claimable & self._mover_owns(Outlook(self.stones), "provable")

    def _may_still_claim(self) -> bool:
        """Whether the turn waits for a claim. Where a player's word counts, that must not tell what his
        hidden stones are: it waits as long as anybody at the table has to reckon with a claim."""
        if self.game.early != "honour":
            return bool(self.claimable)
        if not (self.has_placed or self.game.claim_before_place or not self.free):
            return False
        shown = [stone if stone.is_open else stone._replace(value=0) for stone in self.stones]
        return bool(self._mover_owns(Outlook(shown), "honour") & ~(self.claimed[0] | self.claimed[1]))

    def _mover_owns(self, outlook: Outlook, early: str) -> int:
        """The lines that the mover dominates in this outlook, as a mask."""
        owners = (outlook.owners(i, last_placer(self.stones, i, self.unordered), early) for i in ALL_LINES)
        return sum(1 << line for line, players in enumerate(owners) if self.mover in players)

    def legal_actions(self) -> tuple[Action, ...]:
        if self.to_move is None:
            return ()
        if self.to_move == CHANCE:
            return tuple(action for action, _ in self.chance_outcomes())
        actions: list[Action] = []
        if not self.has_placed:
            free = self.free
            for value in VALUES[self.supply[self.mover]]:
                row = PLACE[value]
                actions += [row[space] for space in free]
            if self.game.is_half_seen_face_down:
                actions += [PLACE_FACE_DOWN[space] for space in free]
        claimable = self.claimable
        if claimable:
            actions += [CLAIM[line] for line in lines_in(claimable)]
        if self.has_placed and not (self.game.claim_duty and self.owed):
            actions.append(END_TURN)
        return tuple(actions)

    def why_not(self, action: Action) -> Text | None:
        if self.to_move is None:
            return Text("the game is over", "das Spiel ist zu Ende")
        if self.to_move == CHANCE or isinstance(action, Reveal):
            return why_not_reveal(self, action)
        if isinstance(action, Place):
            return why_not_place(self, action.space, action.value)
        if isinstance(action, Claim):
            return why_not_claim(self, action.line)
        if isinstance(action, PlaceFaceDown):
            return why_not_place_face_down(self, action.space)
        if isinstance(action, EndTurn):
            return why_not_end(self)
        return Text(f"{action} is no move of this game", f"{action} ist kein Zug dieses Spiels")

    # --- reveals ---------------------------------------------------------------------------------

    def face_down_on_full_lines(self) -> list[int]:
        """The stones (indices into `stones`) that have to be turned up now, by space."""
        full = {space for line in ALL_LINES if not self.empty[line] for space in LINES[line]}
        due = [i for i, stone in enumerate(self.stones) if not stone.is_open and stone.space in full]
        return sorted(due, key=lambda i: self.stones[i].space)

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        if self.to_move != CHANCE:
            return ()
        stone = self.stones[self.face_down_on_full_lines()[0]]
        if stone.value:
            return ((REVEAL[stone.value][stone.space], 1.0),)
        pool = stones_in(self.supply[stone.player])
        return tuple((REVEAL[v][stone.space], pool.count(v) / len(pool)) for v in sorted(set(pool)))

    # --- what follows ----------------------------------------------------------------------------

    def _after(self, action: Action) -> Self:
        new = self._copy()
        if isinstance(action, Place):
            new._place(SPACE_INDEX[action.space], action.value)
        elif isinstance(action, Claim):
            new._claim(LINE_INDEX[action.line])
        elif isinstance(action, PlaceFaceDown):
            new._place(SPACE_INDEX[action.space], 0)
        elif isinstance(action, Reveal):
            new._reveal(SPACE_INDEX[action.space], action.value)
        else:
            new.overlooked |= new._overlooked_now()
            new._pass_on()
        return new

    def _copy(self) -> Self:
        new = object.__new__(type(self))
        new.game, new.players, new.to_move, new.stones = self.game, self.players, self.to_move, self.stones
        new.unordered, new.mover, new.has_placed = self.unordered, self.mover, self.has_placed
        new.free, new.supply, new.sums, new.empty = self.free, self.supply, self.sums, self.empty
        new.dominated, new.claimed, new.overlooked = self.dominated, self.claimed, self.overlooked
        return new

    # The following change a fresh copy before anyone else sees it.

    def _place(self, space: int, value: int) -> None:
        mover = self.mover
        self.stones = (*self.stones, Placed(space, mover, value, not self.game.face_down))
        self.free = tuple([other for other in self.free if other != space])
        self.empty = empty = list(self.empty)
        mine = list(self.sums[mover])
        for line in LINES_OF[space]:
            empty[line] -= 1
            mine[line] += value
        supply = TAKE[self.supply[mover]][value] if value else self.supply[mover]
        if mover:
            self.sums, self.supply = (self.sums[0], mine), (self.supply[0], supply)
        else:
            self.sums, self.supply = (mine, self.sums[1]), (supply, self.supply[1])
        self.has_placed = True
        if self.game.face_down:
            self._judge_all_lines()
        else:
            self._judge_lines_after(space)
        self._settle()

    def _judge_lines_after(self, space: int) -> None:
        """Who dominates what once the mover's stone lies on `space`, all stones open. On the stone's own
        lines he may have gained; on every line the opponent may have, because the mover's supply shrank.
        A line that this stone filled with a tie goes to the opponent: the mover placed last."""
        mover, other = self.mover, 1 - self.mover
        mine, theirs, empty = self.sums[mover], self.sums[other], self.empty
        decided = self.dominated[0] | self.dominated[1]
        gained, lost = 0, 0
        best = BEST[self.supply[other]]
        for line in LINES_OF[space]:
            left = empty[line]
            if mine[line] >= theirs[line] + (best[left] if left else 1):
                gained |= 1 << line
        gained &= ~decided
        decided |= gained
        best = BEST[self.supply[mover]]
        for line in ALL_LINES:
            if not decided >> line & 1 and theirs[line] >= mine[line] + best[empty[line]]:
                lost |= 1 << line
        if gained or lost:
            first, second = (lost, gained) if mover else (gained, lost)
            self.dominated = (self.dominated[0] | first, self.dominated[1] | second)

    def _judge_all_lines(self) -> None:
        """Who dominates what, from nothing but the stones and the megaliths that stand. A megalith settles
        its line; one placed on a player's word comes off once that word cannot have been true."""
        early = self.game.early
        outlook = self.outlook()
        masks, claimed = [0, 0], list(self.claimed)
        for line in ALL_LINES:
            bit = 1 << line
            taken = (claimed[0] | claimed[1]) & bit
            if taken and early != "honour":
                continue
            owners = outlook.owners(line, last_placer(self.stones, line, self.unordered), early)
            if taken and int(bool(claimed[1] & bit)) in owners:
                continue
            for player in (0, 1):
                claimed[player] &= ~bit
                if player in owners:
                    masks[player] |= bit
        self.claimed = (claimed[0], claimed[1])
        self.dominated = (masks[0] | claimed[0], masks[1] | claimed[1])

    def outlook(self) -> Outlook:
        """The lines as claims are judged: provable claims count open stones only."""
        return Outlook(self.stones, only_open=self.game.early == "provable")

    def owners(self, line: int) -> tuple[int, ...]:
        """Who dominates `line`; both players when the record cannot tell."""
        return tuple(player for player in (0, 1) if self.dominated[player] >> line & 1)

    def _claim(self, line: int) -> None:
        mover, bit = self.mover, 1 << line
        claimed, dominated = list(self.claimed), list(self.dominated)
        claimed[mover] |= bit
        dominated[1 - mover] &= ~bit
        self.claimed, self.dominated = (claimed[0], claimed[1]), (dominated[0], dominated[1])
        self.overlooked &= ~bit
        if claimed[mover].bit_count() == MEGALITHS:
            self.to_move = None
        elif self.has_placed or not self.free:
            self.has_placed = True
            self._settle()

    def _reveal(self, space: int, value: int) -> None:
        index = next(i for i, stone in enumerate(self.stones) if stone.space == space)
        stone = self.stones[index]
        shown = stone._replace(value=value, is_open=True)
        self.stones = (*self.stones[:index], shown, *self.stones[index + 1 :])
        if not stone.value:
            self.tally()
        self._judge_all_lines()
        self._settle()

    def tally(self) -> None:
        """Sums, supplies and empty spaces from the stones."""
        outlook = Outlook(self.stones)
        self.sums, self.empty = outlook.sums, outlook.empty
        self.supply = (outlook.supply[0], outlook.supply[1])
        taken = [stone.space for stone in self.stones]
        self.free = tuple([space for space in range(18) if space not in taken])

    def _settle(self) -> None:
        """After a stone, a reveal or a claim: reveal what is due, go on claiming, or pass the turn on."""
        if self.game.face_down and self.face_down_on_full_lines():
            self.to_move = CHANCE
        elif (self.has_placed or not self.free) and not self._may_still_claim():
            self._pass_on()
        else:
            self.to_move = self.players[self.mover]

    def _overlooked_now(self) -> int:
        """The lines that everybody sees are left unclaimed; not those that only hidden stones decide."""
        if self.game.early != "honour":
            return self.claimable
        return self.claimable & self._mover_owns(Outlook(self.stones, only_open=True), "provable")

    def _pass_on(self) -> None:
        """The next turn; without stones a player with nothing to claim is passed over."""
        self.mover = 1 - self.mover
        self.has_placed = False
        if not self.free and not self.claimable:
            self.mover = 1 - self.mover
        self.to_move = self.players[self.mover]

    # --- what it is worth ------------------------------------------------------------------------

    def scores(self) -> dict[str, Score]:
        return {p: megalith_score(lines_in(self.claimed[i])) for i, p in enumerate(self.players)}

    def returns(self) -> tuple[float, ...]:
        if self.to_move is not None:
            return (0.0, 0.0)
        return (1.0, -1.0) if self.claimed[0].bit_count() == MEGALITHS else (-1.0, 1.0)

    def insights(self) -> dict[str, Any]:
        """The 15 lines and what may be done about them; lines and players by name:

        lines: a list of {line, spaces, empty, sums, can_reach, dominated_by (players), claimed_by, status,
        why}; status is "claimed", "claimable" (by the mover, now), "overlooked" (its owner let an earlier
        turn pass), "dominated" (by the player who is not to move), "unclear" (tied, and nobody saw who
        placed last) or "contested". claimable, overlooked, contested: the lines of that kind.
        megaliths_left and supply: per player."""
        lines = [line_insight(self, line) for line in ALL_LINES]
        claimable = self.claimable if self.to_move not in (None, CHANCE) else 0
        return {
            "lines": lines,
            "claimable": [LINE_NAMES[line] for line in lines_in(claimable)],
            "overlooked": [LINE_NAMES[line] for line in lines_in(self.overlooked)],
            "contested": [entry["line"] for entry in lines if entry["status"] == "contested"],
            "megaliths_left": {p: self.megaliths_left(p) for p in self.players},
            "supply": {p: list(stones_in(self.supply[i])) for i, p in enumerate(self.players)},
        }

    def megaliths_left(self, player: str) -> int:
        """How many megaliths `player` still has to place; the loser's count in a series of games."""
        return MEGALITHS - self.claimed[self.players.index(player)].bit_count()

    def prompt(self) -> Text:
        return prompt(self)

    # --- what is seen ----------------------------------------------------------------------------

    def visible(self) -> Position:
        pieces = [
            piece("druid", self.players[player], field=SPACES[space], value=value if is_open else None)
            for space, player, value, is_open in self.stones
        ]
        for player, colour in enumerate(self.players):
            pieces += [
                piece("megalith", colour, field=LINE_NAMES[line]) for line in lines_in(self.claimed[player])
            ]
        return Position(self.game.board, tuple(pieces), self.game.id)

    def view(self, player: str | None) -> Self:
        new = self._copy()
        new.game = self.game.as_half_seen()
        new.stones = tuple(
            stone if stone.is_open or self.players[stone.player] == player else stone._replace(value=0)
            for stone in self.stones
        )
        new.tally()
        if self.game.face_down:
            new._judge_all_lines()
        return new

    def with_hand(self, player: str, cards: Sequence[str]) -> Self:
        raise IllegalActionError(
            Text(
                "this game has no cards; a face-down stone is told when it is placed: place 4 on space-A",
                "dieses Spiel hat keine Karten; ein verdeckter Stein wird beim Setzen genannt: "
                "setze 4 auf Feld-A",
            )
        )

    # --- as data ---------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return state_json(self)
