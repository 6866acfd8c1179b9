"""Stonehenge by Reiner Knizia: two druids, 18 stones, 15 ley-lines; the eighth megalith wins.

A turn: claim lines, place one stone, claim lines. It passes on by itself after the stone when there is
nothing (more) to claim; else the player claims or ends the turn. Once all stones lie, turns are for claims
only. With face-down stones a full line is revealed stone by stone, each reveal an event of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from engine.action import Action, Notation
from engine.errors import IllegalActionError, StateError
from engine.game import CHANCE, Game, Outcome, State, Variant
from engine.games.stonehenge_lines import (
    BEST,
    LINE_INDEX,
    LINE_NAMES,
    LINES,
    LINES_OF,
    MEGALITHS,
    SPACE_INDEX,
    SPACES,
    STONES,
    TAKE,
    VALUES,
    Placed,
    dominators,
    line_text,
    lines_in,
    stones_in,
    supply_after,
)
from engine.games.stonehenge_words import line_insight, why_not_claim
from engine.position import Piece, Position
from engine.score import Score, ScorePart
from engine.words import Text, name

ALL_LINES: Final = range(15)
MEGALITH_UNIT = Text("megaliths", "Megalithe")


# --- actions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Put one of your stones on an empty space (face down in that variant, and known to the record)."""

    notation = Notation("place {value} on {space}", "setze {value} auf {space}")
    title = Text("place a stone", "Stein setzen")
    value: int
    space: str


@dataclass(frozen=True, slots=True)
class PlaceFaceDown(Action):
    """The same as a table sees it: only the player knows which stone it was."""

    notation = Notation("place ?? on {space}", "setze ?? auf {space}")
    title = Text("place a stone face down", "Stein verdeckt setzen")
    space: str


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Put a megalith at the end of a line that you dominate."""

    notation = Notation("claim {line}", "beanspruche {line}")
    title = Text("claim a line", "Linie beanspruchen")
    line: str


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """A face-down stone of a full line is turned up and shows its value."""

    notation = Notation("reveal {value} on {space}", "decke {value} auf {space} auf")
    title = Text("reveal a stone", "Stein aufdecken")
    value: int
    space: str


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """Leave lines unclaimed for now and let the opponent go on."""

    notation = Notation("end turn", "Zug beenden")
    title = Text("end the turn", "Zug beenden")


# Every action exists once; states hand out these.
PLACE = tuple(tuple(Place(value, space) for space in SPACES) for value in range(7))
PLACE_FACE_DOWN = tuple(PlaceFaceDown(space) for space in SPACES)
CLAIM = tuple(Claim(line) for line in LINE_NAMES)
REVEAL = tuple(tuple(Reveal(value, space) for space in SPACES) for value in range(7))
END_TURN = EndTurn()


# --- state ---------------------------------------------------------------------------------------


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
        if self.has_placed and not self.game.claim_duty:
            actions.append(END_TURN)
        return tuple(actions)

    def why_not(self, action: Action) -> Text | None:
        if self.to_move is None:
            return Text("the game is over", "das Spiel ist zu Ende")
        if self.to_move == CHANCE or isinstance(action, Reveal):
            return self._why_not_reveal(action)
        if isinstance(action, Place):
            return self._why_not_place(action.space, action.value)
        if isinstance(action, Claim):
            return self._why_not_claim(action.line)
        if isinstance(action, PlaceFaceDown):
            return self._why_not_place_face_down(action.space)
        if isinstance(action, EndTurn):
            return self._why_not_end()
        return Text(f"{action} is no move of this game", f"{action} ist kein Zug dieses Spiels")

    def _why_not_place(self, space: str, value: int | None) -> Text | None:
        index = SPACE_INDEX.get(space)
        if index is None:
            return Text(f"no space {space}: spaces are A to R", f"es gibt kein {space}: Felder sind A bis R")
        if self.has_placed:
            return Text(
                "you have placed a stone in this turn: only claims are left",
                "du hast in diesem Zug schon einen Stein gesetzt: jetzt nur noch Linien beanspruchen",
            )
        if index not in self.free:
            return self._occupied(index)
        if value is not None and value not in VALUES[self.supply[self.mover]]:
            return self._no_such_stone(value)
        return None

    def _occupied(self, space: int) -> Text:
        stone = next(stone for stone in self.stones if stone.space == space)
        owner, letter = name(self.players[stone.player]), SPACES[space][-1]
        return Text(
            f"space {letter} is taken: a {owner.en} stone lies there",
            f"Feld {letter} ist besetzt: dort liegt ein Stein von {owner.de.capitalize()}",
        )

    def _no_such_stone(self, value: int) -> Text:
        if value not in STONES:
            return Text(f"no stone has the value {value}", f"kein Stein hat den Wert {value}")
        left = ", ".join(map(str, stones_in(self.supply[self.mover])))
        return Text(
            f"you have no stone with {value} left; yours are {left or 'all placed'}",
            f"du hast keinen Stein mit {value} mehr; deine sind {left or 'alle gesetzt'}",
        )

    def _why_not_place_face_down(self, space: str) -> Text | None:
        if not self.game.face_down:
            return Text("stones are placed number up", "Steine werden mit der Zahl nach oben gesetzt")
        if not self.game.half_seen:
            return Text(
                "say which stone: this record knows the face-down stones",
                "sage, welcher Stein: diese Aufzeichnung kennt die verdeckten Steine",
            )
        return self._why_not_place(space, None)

    def _why_not_claim(self, line_name: str) -> Text | None:
        line = LINE_INDEX.get(line_name)
        if line is None:
            return Text(
                f"no line {line_name}: lines are 1 to 15", f"es gibt kein {line_name}: Linien sind 1 bis 15"
            )
        if self.claimable >> line & 1:
            return None
        return why_not_claim(self, line)

    def _why_not_end(self) -> Text | None:
        if not self.has_placed:
            if self.free:
                return Text("you have to place a stone first", "du musst zuerst einen Stein setzen")
            return Text(
                "all your stones are placed: claim a line that you dominate",
                "alle deine Steine sind gesetzt: beanspruche eine Linie, die du beherrschst",
            )
        if self.game.claim_duty:
            line = line_text(lines_in(self.claimable)[0])
            return Text(
                f"a dominated line has to be claimed: {line.en} is yours",
                f"eine beherrschte Linie muss beansprucht werden: {line.de} gehört dir",
            )
        return None

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

    def _why_not_reveal(self, action: Action) -> Text | None:
        if self.to_move != CHANCE:
            return Text(
                "stones are revealed only when their line is full",
                "Steine werden erst aufgedeckt, wenn ihre Linie voll ist",
            )
        outcomes = self.legal_actions()
        if action in outcomes:
            return None
        stone = self.stones[self.face_down_on_full_lines()[0]]
        letter, owner = SPACES[stone.space][-1], name(self.players[stone.player])
        if not isinstance(action, Reveal) or action.space != SPACES[stone.space]:
            return Text(
                f"the stone on space {letter} has to be revealed first: its line is full",
                f"zuerst muss der Stein auf Feld {letter} aufgedeckt werden: seine Linie ist voll",
            )
        left = ", ".join(str(outcome.value) for outcome in outcomes if isinstance(outcome, Reveal))
        return Text(
            f"the {owner.en} stone on space {letter} cannot be {action.value}; it can be {left}",
            f"der Stein von {owner.de.capitalize()} auf Feld {letter} kann nicht {action.value} sein, "
            f"nur {left}",
        )

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
            new.overlooked |= new.claimable
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
        """Who dominates what, from nothing but the stones and the megaliths that stand."""
        if self.game.early == "honour":
            self._take_back_false_claims()
        masks = [0, 0]
        for line in ALL_LINES:
            for player in self.owners(line):
                masks[player] |= 1 << line
        self.dominated = (masks[0], masks[1])

    def _take_back_false_claims(self) -> None:
        """A megalith placed on a player's word comes off once that word cannot have been true."""
        first, second = (
            sum(
                1 << line
                for line in lines_in(mask)
                if player in dominators(self.stones, line, self.unordered, "honour")
            )
            for player, mask in enumerate(self.claimed)
        )
        self.claimed = (first, second)

    def owners(self, line: int) -> tuple[int, ...]:
        """Who dominates `line`: a megalith settles it; both when the record cannot tell who placed last
        on a tied line."""
        for player in (0, 1):
            if self.claimed[player] >> line & 1:
                return (player,)
        return dominators(self.stones, line, self.unordered, self.game.early)

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
            self.supply = (supply_after(self.stones, 0), supply_after(self.stones, 1))
            self.sums = line_sums(self.stones)
        self._judge_all_lines()
        self._settle()

    def _settle(self) -> None:
        """After a stone, a reveal or a claim: reveal what is due, go on claiming, or pass the turn on."""
        if self.game.face_down and self.face_down_on_full_lines():
            self.to_move = CHANCE
        elif self.has_placed and not self.claimable:
            self._pass_on()
        else:
            self.to_move = self.players[self.mover]

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
        if self.to_move is None:
            winner = name(self.players[0 if self.returns()[0] > 0 else 1])
            return winner + Text(" is the Master Druid: eight megaliths", " ist Meister: acht Megalithe")
        mover = name(self.players[self.mover])
        if self.to_move == CHANCE:
            letter = SPACES[self.stones[self.face_down_on_full_lines()[0]].space][-1]
            return mover + Text(
                f" reveals the full line: which stone is on space {letter}?",
                f" deckt die volle Linie auf: welcher Stein liegt auf Feld {letter}?",
            )
        if self.claimable and (self.has_placed or not self.free):
            return mover + Text(" may claim lines", " darf Linien beanspruchen")
        if self.claimable:
            return mover + Text(
                " places a stone and may claim lines", " setzt einen Stein und darf Linien beanspruchen"
            )
        return mover + Text(" places a stone", " setzt einen Stein")

    # --- what is seen ----------------------------------------------------------------------------

    def visible(self) -> Position:
        pieces = [
            Piece("druid", self.players[player], field=SPACES[space], value=value if is_open else None)
            for space, player, value, is_open in self.stones
        ]
        for player, colour in enumerate(self.players):
            pieces += [
                Piece("megalith", colour, field=LINE_NAMES[line]) for line in lines_in(self.claimed[player])
            ]
        return Position(self.game.board, tuple(pieces), self.game.id)

    def view(self, player: str | None) -> Self:
        new = self._copy()
        new.game = self.game.as_half_seen()
        new.stones = tuple(
            stone if stone.is_open or self.players[stone.player] == player else stone._replace(value=0)
            for stone in self.stones
        )
        new.supply = (supply_after(new.stones, 0), supply_after(new.stones, 1))
        new.sums = line_sums(new.stones)
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
        """mover: whose turn it is, also while a reveal is due. stones: in the order of placing, value null
        for what the record does not know; the order of the first `unordered` is not known."""
        return {
            **self._json_head(),
            "mover": self.players[self.mover],
            "has_placed": self.has_placed,
            "stones": [
                {
                    "space": SPACES[stone.space],
                    "colour": self.players[stone.player],
                    "value": stone.value or None,
                    "face": "up" if stone.is_open else "down",
                }
                for stone in self.stones
            ],
            "unordered": self.unordered,
            "megaliths": {
                LINE_NAMES[line]: self.players[player]
                for line in ALL_LINES
                for player in (0, 1)
                if self.claimed[player] >> line & 1
            },
            "overlooked": [LINE_NAMES[line] for line in lines_in(self.overlooked)],
        }


# --- scoring -------------------------------------------------------------------------------------


def megalith_score(lines: Sequence[int]) -> Score:
    """One megalith for each of `lines`."""
    parts = [ScorePart(LINE_NAMES[line], line_text(line), 1, (LINE_NAMES[line],)) for line in lines]
    return Score(MEGALITH_UNIT, tuple(parts))


def line_sums(stones: Sequence[Placed]) -> tuple[list[int], list[int]]:
    """Per player the known values on each of the 15 lines."""
    sums = ([0] * 15, [0] * 15)
    for stone in stones:
        for line in LINES_OF[stone.space]:
            sums[stone.player][line] += stone.value
    return sums


# --- game ----------------------------------------------------------------------------------------


class Stonehenge(Game):
    """Two players, the first in seat order begins."""

    id = "stonehenge"
    title = Text("Stonehenge", "Stonehenge")
    board = "knizia"
    player_counts = (2,)
    colours = ("black", "brown")
    actions = (Place, PlaceFaceDown, Claim, Reveal, EndTurn)
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

    def __init__(self, **variant: Any) -> None:
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
        taken = [stone.space for stone in stones]
        state.free = tuple(space for space in range(18) if space not in taken)
        state.empty = [sum(space in state.free for space in line) for line in LINES]
        state.sums = line_sums(stones)
        state.supply = (supply_after(stones, 0), supply_after(stones, 1))
        check_stones(state)
        state._judge_all_lines()
        check_megaliths(state)
        if MEGALITHS in (claimed[0].bit_count(), claimed[1].bit_count()):
            state.to_move = None
        else:
            state._settle()
        return state

    def from_json(self, data: Mapping[str, Any]) -> StonehengeState:
        try:
            players = self.checked_players(data["players"])
            stones = tuple(_stone_from_json(entry, players) for entry in data["stones"])
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
            raise StateError(f"this is no state of stonehenge: {error!r}") from error
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
        return self._state(
            seats, stones, mover=mover, unordered=len(stones), has_placed=has_placed, claimed=claimed
        )

    def score_position(self, position: Position, players: Sequence[str] = ()) -> dict[str, Score]:
        seats = tuple(players) or tuple(c for c in self.colours if any(p.colour == c for p in position))
        scored: dict[str, list[int]] = {colour: [] for colour in seats}
        for piece in position:
            _checked_piece(piece, self.colours)
            if piece.kind == "megalith" and piece.colour in scored:
                scored[piece.colour].append(LINE_INDEX[str(piece.field)])
        return {colour: megalith_score(sorted(lines)) for colour, lines in scored.items()}


# --- reading and checking ------------------------------------------------------------------------


def _stone_from_json(entry: Mapping[str, Any], players: tuple[str, ...]) -> Placed:
    value = entry.get("value")
    if value is not None and value not in STONES:
        raise StateError(f"the stone on {entry.get('space')} has value {value!r}, expected 1 to 6 or null")
    if value is None and entry["face"] == "up":
        raise StateError(f"the stone on {entry['space']} lies face up without a value")
    return Placed(
        SPACE_INDEX[entry["space"]], players.index(entry["colour"]), value or 0, entry["face"] == "up"
    )


def _checked_piece(piece: Piece, players: Sequence[str]) -> None:
    """Raises StateError unless `piece` is a stone on a space or a megalith at a line's end."""
    places: Mapping[str, int] = {"druid": SPACE_INDEX, "megalith": LINE_INDEX}.get(piece.kind, {})
    if piece.field not in places or piece.colour not in players:
        raise StateError(
            f"found {piece.thing} on {piece.place}; this game has {' and '.join(players)} druid stones on "
            "space-A..space-R and megaliths on line-1..line-15"
        )
    if piece.count != 1:
        raise StateError(f"found {piece.count or 'several'} pieces on {piece.field}, expected one")
    if piece.kind == "druid" and piece.value is not None and piece.value not in STONES:
        raise StateError(f"the stone on {piece.field} reads {piece.value}, expected 1 to 6")


def read_position(
    position: Position, players: tuple[str, ...], face_down: bool
) -> tuple[tuple[Placed, ...], tuple[int, int]]:
    """The stones by space and the megaliths per player. Raises StateError for what cannot lie there."""
    stones, claimed = [], [0, 0]
    for piece in position:
        _checked_piece(piece, players)
        player = players.index(str(piece.colour))
        if piece.kind == "megalith":
            line = LINE_INDEX[str(piece.field)]
            if (claimed[0] | claimed[1]) >> line & 1:
                raise StateError(f"two megaliths stand on {piece.field}, expected one at most")
            claimed[player] |= 1 << line
        elif piece.value is None and not face_down:
            raise StateError(
                f"the stone on {piece.field} shows no number; say its value, or choose face_down=True"
            )
        else:
            value = piece.value or 0
            stones.append(Placed(SPACE_INDEX[str(piece.field)], player, value, piece.value is not None))
    return tuple(sorted(stones)), (claimed[0], claimed[1])


def check_stones(state: StonehengeState) -> None:
    """Raises StateError when the stones on the board cannot all be there."""
    spaces = [stone.space for stone in state.stones]
    double = [SPACES[space] for space in set(spaces) if spaces.count(space) > 1]
    if double:
        raise StateError(f"two stones lie on {double[0]}, expected one at most")
    for player, colour in enumerate(state.players):
        own = [stone for stone in state.stones if stone.player == player]
        if len(own) > len(STONES) or state.supply[player] < 0:
            values = ", ".join(str(stone.value or "??") for stone in own)
            raise StateError(
                f"{colour} has the stones {', '.join(map(str, STONES))}; found {values} on the board"
            )


def check_megaliths(state: StonehengeState) -> None:
    """Raises StateError for a megalith on a line that its owner cannot dominate."""
    for player, colour in enumerate(state.players):
        if state.claimed[player].bit_count() > MEGALITHS:
            raise StateError(f"{colour} has {MEGALITHS} megaliths, found {state.claimed[player].bit_count()}")
        for line in lines_in(state.claimed[player]):
            if player not in dominators(state.stones, line, state.unordered, "honour"):
                raise StateError(f"a {colour} megalith on {LINE_NAMES[line]}: {colour} does not dominate it")
