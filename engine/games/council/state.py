"""One moment of Der Hohe Rat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from engine.action import Action
from engine.cards import PLAYER_COLOURS, UNKNOWN
from engine.errors import StateError
from engine.game import CHANCE, Outcome, State
from engine.games.council import moves, phases, reasons, turn, unread
from engine.games.council.actions import RING, EndTurn, heap
from engine.games.council.advice import insights, prompt, scores
from engine.games.council.ring import COLOURS, PIECES, SEATS, Ring, disc, faction_of_colour, group_sizes
from engine.hands import SHUFFLE, Hands, cards_of, drawing
from engine.position import Piece, Position, piece
from engine.score import Score
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.council import Council

ARGUMENTS = 10  # of each colour
LIMIT = 6  # of each colour that one faction may own


class CouncilState(State):
    """A state of the council. Players are counted by seat; seats of one faction are every second one.

    ring: see ring.py. discs, figures: per colour of COLOURS what is left in supply. arguments: per seat,
    how many of each of PLAYER_COLOURS he has; unclaimed: those that some player has, but nobody told who
    (a game begun in the middle). cards: per faction its hands and pile. confided: per seat, the cards of
    that hand that the partner has seen. turn, turns: the active seat, and how many turns are over.
    acted: the action of this turn is taken. persuaded: somebody was persuaded before it. voting: the ring
    was full once. draws: cards still to draw. target: the seat on the ring that waits for a lifted disc.
    asked: who has to answer an offered draw. offered: a draw was
    offered in this turn. winner: a faction, or None."""

    __slots__ = (
        "_sizes",
        "acted",
        "arguments",
        "asked",
        "cards",
        "confided",
        "discs",
        "draws",
        "figures",
        "offered",
        "persuaded",
        "phase",
        "ring",
        "target",
        "turn",
        "turns",
        "unclaimed",
        "voting",
        "winner",
    )
    game: Council
    phase: str
    turn: int
    turns: int
    ring: Ring
    discs: tuple[int, ...]
    figures: tuple[int, ...]
    arguments: tuple[tuple[int, ...], ...]
    unclaimed: tuple[int, ...]
    cards: tuple[Hands, ...]
    confided: tuple[int, ...]
    acted: bool
    persuaded: bool
    voting: bool
    draws: int
    target: int
    asked: int
    offered: bool
    winner: int | None
    _sizes: list[int] | None

    @classmethod
    def first(cls, game: Council, players: tuple[str, ...]) -> Self:
        """Before the first card is dealt."""
        state = object.__new__(cls)
        state.game, state.players = game, players
        state.turn = state.turns = 0
        state.ring = (0,) * SEATS
        state.discs, state.figures = (10,) * 4, (1,) * 4
        state.arguments = ((0,) * 5,) * len(players)
        state.unclaimed = (0,) * 5
        seats = len(players) // 2
        state.cards = tuple(Hands.fresh(deck, seats) for deck in game.decks)
        state.confided = (0,) * len(players)
        state.acted = state.persuaded = state.voting = state.offered = False
        state.draws, state.target, state.asked = 0, -1, -1
        state.winner = state._sizes = None
        turn.enter(state, phases.DEAL)
        return state

    def _copy(self) -> Self:
        new = object.__new__(type(self))
        new.game = self.game
        new.players = self.players
        new.to_move = self.to_move
        new.phase = self.phase
        new.turn = self.turn
        new.turns = self.turns
        new.ring = self.ring
        new.discs = self.discs
        new.figures = self.figures
        new.arguments = self.arguments
        new.unclaimed = self.unclaimed
        new.cards = self.cards
        new.confided = self.confided
        new.acted = self.acted
        new.persuaded = self.persuaded
        new.voting = self.voting
        new.draws = self.draws
        new.target = self.target
        new.asked = self.asked
        new.offered = self.offered
        new.winner = self.winner
        new._sizes = self._sizes
        return new

    # --- who owns what -----------------------------------------------------------------------------

    def faction(self, seat: int) -> int:
        """PRO or CONTRA."""
        return faction_of_colour(self.players[seat])

    def colours(self, seat: int) -> tuple[int, ...]:
        """The colours of COLOURS that this player places: both of his faction with two players."""
        own = COLOURS.index(self.players[seat])
        return (own,) if len(self.players) == 4 else (own // 2 * 2, own // 2 * 2 + 1)

    def partner(self, seat: int) -> int | None:
        return (seat + 2) % 4 if len(self.players) == 4 else None

    def team(self, seat: int) -> tuple[int, ...]:
        """The seats of a player's faction."""
        return tuple(range(seat % 2, len(self.players), 2))

    def hand(self, seat: int) -> tuple[Hands, int]:
        """The cards of a player's faction, and his seat among them."""
        return self.cards[self.faction(seat)], seat // 2

    def bank(self) -> list[int]:
        """Per colour of PLAYER_COLOURS, the arguments on the board."""
        return [ARGUMENTS - sum(column) for column in zip(self.unclaimed, *self.arguments, strict=True)]

    def has(self, seat: int) -> tuple[int, ...]:
        """Per colour, how many arguments this player can pay with: his own, with a house rule his
        partner's too, and those of which nobody told whose they are."""
        own = self.arguments[seat]
        if self.game.share_arguments and len(self.players) == 4:
            own = tuple(map(sum, zip(own, self.arguments[(seat + 2) % 4], strict=True)))
        if not any(self.unclaimed):
            return own
        return tuple(min(LIMIT, a + b) for a, b in zip(own, self.unclaimed, strict=True))

    def room(self, seat: int) -> list[int]:
        """Per colour, how many more arguments this player may own: the cap is his faction's."""
        team = [self.arguments[mate] for mate in self.team(seat)]
        return [LIMIT - sum(column) for column in zip(*team, strict=True)]

    def sizes(self) -> list[int]:
        """Per seat of the ring the size of the group there."""
        if self._sizes is None:
            self._sizes = group_sizes(self.ring)
        return self._sizes

    def new_discs(self, seat: int) -> list[str]:
        """The discs that this player can place: by name from supply, "disc" for one that is lifted."""
        left = [colour for colour in self.colours(seat) if self.discs[colour]]
        names = [PIECES[disc(colour)] for colour in left]
        if not left or (self.game.relocate_per_colour and len(left) < len(self.colours(seat))):
            names.append("disc")
        return names

    # --- what may happen ---------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        if self.to_move is None:
            return ()
        if self.to_move == CHANCE:
            return self._drawable()
        return moves.choices(self)

    def seen_actions(self) -> tuple[Action, ...]:
        """Cards that a camera cannot read are "??"."""
        if self.game.half_seen and self.to_move not in (CHANCE, None):
            return unread.seen(self)
        return self.legal_actions()

    def why_not(self, action: Action) -> Text | None:
        check = reasons.CHECKS.get(type(action))
        if check is None:
            return Text("this is no move of this game", "das ist kein Zug dieses Spiels")
        return check(self, action)

    def _after(self, action: Action) -> Self:
        new = self._copy()
        turn.EFFECTS[type(action)](new, action)
        return new

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        if self.to_move != CHANCE:
            return ()
        actions = self._drawable()
        chance = 1.0 / len(actions)
        return tuple((action, chance) for action in actions)

    def drawer(self) -> int:
        """The seat that gets the next card."""
        if self.phase == phases.DRAW:
            return self.turn
        return next(seat for seat in range(len(self.players)) if self.cards_held(seat) < 3)

    def cards_held(self, seat: int) -> int:
        hands, place = self.hand(seat)
        return hands.size(place)

    def _drawable(self) -> tuple[Action, ...]:
        seat = self.drawer()
        hands, _ = self.hand(seat)
        if hands.pile_count == 0:
            return (SHUFFLE,)
        player = self.players[seat]
        if self.game.half_seen:
            return (drawing(player, UNKNOWN),)
        return tuple([drawing(player, card) for card in cards_of(hands.pile)])

    def goes_without_saying(self, action: Action) -> bool:
        return self.acted and isinstance(action, EndTurn)

    # --- what it is worth --------------------------------------------------------------------------

    def scores(self) -> dict[str, Score]:
        return scores(self)

    def returns(self) -> tuple[float, ...]:
        if self.winner is None:
            return (0.0,) * len(self.players)
        return tuple(1.0 if self.faction(seat) == self.winner else -1.0 for seat in range(len(self.players)))

    def insights(self) -> dict[str, Any]:
        return insights(self)

    def prompt(self) -> Text:
        return prompt(self)

    # --- what is seen ------------------------------------------------------------------------------

    def visible(self) -> Position:
        pieces = [*_seated(self.ring)]
        for colour, count in zip(PLAYER_COLOURS, self.bank(), strict=True):
            if count:
                pieces.append(piece("block", colour, field=heap(colour), count=count))
        if self.voting:
            pieces.append(piece("trilith", "grey", field="altar"))
        return Position("anthology", tuple(pieces), "council")

    def view(self, player: str | None) -> Self:
        new = self._copy()
        new.game = self.game.as_half_seen()
        me = self.players.index(player) if player in self.players else None
        shown = [0] * len(self.players)
        if me is not None:
            shown[me] = -1
            mate = self.partner(me)
            if mate is not None:
                shown[mate] = self.confided[mate]
        new.cards = tuple(
            hands.seen_by([shown[s] for s in range(len(shown)) if self.faction(s) == faction])
            for faction, hands in enumerate(self.cards)
        )
        new.confided = tuple(
            mask if me is not None and seat in (me, self.partner(me)) else 0
            for seat, mask in enumerate(self.confided)
        )
        return new

    def with_hand(self, player: str, cards: Sequence[str]) -> Self:
        if player not in self.players:
            raise StateError(f"{player} does not play; the players are {', '.join(self.players)}")
        seat = self.players.index(player)
        hands, place = self.hand(seat)
        new = self._copy()
        new.cards = turn.replaced(self.cards, self.faction(seat), hands.tell(place, player, cards))
        return new

    def to_json(self) -> dict[str, Any]:
        from engine.games.council.data import state_to_json

        return state_to_json(self)


@lru_cache(maxsize=4096)
def _seated(ring: Ring) -> tuple[Piece, ...]:
    seats = ((field, *PIECES[code].split("-")) for field, code in zip(RING, ring, strict=True) if code)
    return tuple(piece(kind, colour, field=field) for field, colour, kind in seats)
