"""One moment of Opferroulette, and what follows from each action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Self

from engine.action import Action
from engine.cards import PLAYER_COLOURS, UNKNOWN
from engine.errors import IllegalActionError
from engine.game import CHANCE, Outcome, State
from engine.games.roulette.actions import (
    DRAW,
    END_TURN,
    FALL,
    FLIP,
    MOVE,
    MOVE_AND_FALL,
    OFFER,
    PASS,
    PLACE_BALL,
    PLACE_OFFERING,
    TURN_UP,
    EndTurn,
    Fall,
    Flip,
    Move,
    MoveAndFall,
    Offer,
    Pass,
    PlaceBall,
    TurnUp,
)
from engine.games.roulette.advice import fall_insights, prompt
from engine.games.roulette.cards import (
    COLOUR,
    EVERY_CARD,
    INDEX,
    NUMBER,
    NUMBER_CARD,
    OF_COLOUR,
    TRILITH_CARD,
    indices,
)
from engine.games.roulette.data import state_json
from engine.games.roulette.phases import Phase
from engine.games.roulette.reasons import (
    refuse_event,
    why_not_a_move,
    why_not_end,
    why_not_flip,
    why_not_number_card,
    why_not_offering,
    why_not_pass,
    why_not_trilith_card,
)
from engine.games.roulette.ring import (
    NEXT_FIELD,
    PITS,
    RING,
)
from engine.games.roulette.scoring import POINTS, crushed_parts, left_part
from engine.games.roulette.turn import EFFECTS
from engine.games.roulette.unread import rarity, seen_actions
from engine.hands import Draw, Hands, drawing
from engine.position import Piece, Position, piece
from engine.score import Score
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.roulette import Roulette

HAND: Final = 5


class RouletteState(State):
    """phase and seat: what is due, and for which player (an index; during the neutral deals it means
    nothing). drawn: the set-up's cards so far, as a mask. waiting: who still places an offering for a
    trilith card, in order. pits: the discs in each of the 60 pits of `PITS`. ball: 0 before it is placed,
    then 1..30. facing: "clockwise" or "anticlockwise". captured: the discs crushed by each player.
    passes_left: how often the pile has still to be played through.

    Of the turn: colour of the number cards played (None: none yet), moved (a card has moved the ball),
    flipped (a trilith card was played), falling (house rule: the ball falls when the hand is filled up)."""

    __slots__ = (
        "ball", "captured", "colour", "drawn", "facing", "falling", "flipped", "hands", "moved",
        "passes_left", "phase", "pits", "seat", "waiting",
    )  # fmt: skip
    game: Roulette
    phase: Phase
    seat: int
    drawn: int
    waiting: tuple[int, ...]
    pits: tuple[tuple[str, ...], ...]
    ball: int
    facing: str
    captured: tuple[tuple[str, ...], ...]
    passes_left: int
    hands: Hands
    colour: str | None
    moved: bool
    flipped: bool
    falling: bool

    # --- what may happen -------------------------------------------------------------------------

    @property
    def held(self) -> int:
        """The cards that the player of `seat` may hold; in the last pass none comes from the discards."""
        held = self.hands.possible(self.seat)
        return held if self.passes_left > 1 else held & ~self.hands.discards

    def legal_actions(self) -> tuple[Action, ...]:
        if self.to_move is None:
            return ()
        if self.to_move == CHANCE:
            return self._events()[0]
        if self.phase == "triliths":
            free_only = self.game.trilith_free_pit_only
            return tuple(
                a for a, discs in zip(PLACE_OFFERING, self.pits, strict=True) if not (free_only and discs)
            )
        actions: list[Action] = []
        held = self.held
        numbers = held & (OF_COLOUR[self.colour] if self.colour else NUMBER_CARD)
        for index in indices(numbers):
            if NUMBER[index] == self.next_field(COLOUR[index]):
                if not self.game.match_forces_fall:
                    actions.append(MOVE[index])
                actions.append(MOVE_AND_FALL[index])
            else:
                actions.append(MOVE[index])
            if self.moved:
                actions.append(FALL[index])
        for index in indices(held & TRILITH_CARD):
            if why_not_flip(self, index) is None:
                actions.append(FLIP[index])
        if why_not_end(self) is None:
            actions.append(END_TURN)
        if why_not_pass(self) is None:
            actions.append(PASS)
        return tuple(actions)

    def seen_actions(self) -> tuple[Action, ...]:
        """Cards that a camera cannot tell apart are "??": what lies on the discards may not be readable."""
        return seen_actions(self) if self.game.half_seen else self.legal_actions()

    def rarity(self, action: Action) -> float:
        return rarity(self, action)

    def why_not(self, action: Action) -> Text | None:
        if self.to_move is None:
            return Text("the game is over", "das Spiel ist zu Ende")
        if self.to_move == CHANCE:
            return None if self._is_event(action) else self._why_not_event(action)
        if self.phase == "triliths":
            return why_not_offering(self, action)
        match action:
            case Move() | MoveAndFall() | Fall():
                return why_not_number_card(self, action)
            case Flip():
                return why_not_trilith_card(self, action)
            case EndTurn():
                return why_not_end(self)
            case Pass():
                return why_not_pass(self)
        return why_not_a_move(self, action)

    # --- events ----------------------------------------------------------------------------------

    def _candidates(self) -> int:
        """The cards that may come up now, as a mask (not while cards are dealt unseen)."""
        if self.phase in ("fall", "refill", "deal"):
            return self.hands.pile
        left = EVERY_CARD & ~self.drawn
        numbers_only = self.phase != "offerings" or (
            self.game.two_player_ignore_all and len(self.players) == 2
        )
        return left & NUMBER_CARD if numbers_only else left

    def _events(self) -> tuple[tuple[Action, ...], list[int]]:
        """What may happen now, and how many cards stand for each."""
        if self.phase in ("deal", "refill") and self.game.half_seen:
            return (drawing(self.players[self.seat], UNKNOWN),), [1]
        found = indices(self._candidates())
        if self.phase == "ball":
            numbers = [NUMBER[index] for index in found]
            fields = sorted(set(numbers))
            return tuple([PLACE_BALL[n] for n in fields]), [numbers.count(n) for n in fields]
        row = self._event_row()
        return tuple([row[index] for index in found]), [1] * len(found)

    def _event_row(self) -> Sequence[Action]:
        """The event for each card."""
        if self.phase == "fall":
            return TURN_UP
        if self.phase == "neutral":
            return OFFER[self.neutral_colour]
        return (OFFER if self.phase == "offerings" else DRAW)[self.players[self.seat]]

    def _is_event(self, action: Action) -> bool:
        if self.phase == "ball":
            return isinstance(action, PlaceBall) and action in self._events()[0]
        if self.phase in ("deal", "refill") and self.game.half_seen:
            return action == drawing(self.players[self.seat], UNKNOWN)
        if not isinstance(action, (TurnUp, Draw, Offer)):
            return False
        if self.game.half_seen and UNKNOWN in action.card:
            return action in seen_actions(self)
        index = INDEX.get(action.card, -1)
        return index >= 0 and self._candidates() >> index & 1 == 1 and action == self._event_row()[index]

    def _why_not_event(self, action: Action) -> Text:
        expected = self._events()[0][0]
        return refuse_event(self, action, expected)

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        if self.to_move != CHANCE:
            return ()
        actions, weights = self._events()
        total = sum(weights)
        return tuple([(a, weight / total) for a, weight in zip(actions, weights, strict=True)])

    # --- what follows ----------------------------------------------------------------------------

    def _after(self, action: Action) -> Self:
        new = self._copy()
        EFFECTS[type(action)](new, action)
        return new

    def _copy(self) -> Self:
        new = object.__new__(type(self))
        new.game, new.players, new.to_move = self.game, self.players, self.to_move
        new.phase, new.seat, new.drawn, new.waiting = self.phase, self.seat, self.drawn, self.waiting
        new.pits, new.ball, new.facing, new.captured = self.pits, self.ball, self.facing, self.captured
        new.passes_left, new.hands, new.colour = self.passes_left, self.hands, self.colour
        new.moved, new.flipped, new.falling = self.moved, self.flipped, self.falling
        return new

    # --- the ball --------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """+1 when the ball rolls towards higher numbers, else -1."""
        return 1 if (self.facing == "clockwise") == self.game.ascending_is_clockwise else -1

    def next_field(self, colour: str) -> int:
        """The next number of `colour` in front of the ball; from a field of that colour six further."""
        return NEXT_FIELD[self.step][colour][self.ball]

    def hand_limit(self, seat: int) -> int:
        """Five, and one more for each own disc that the player has crushed."""
        return HAND + self.captured[seat].count(self.players[seat])

    @property
    def neutral_colour(self) -> str:
        """The colour of the ten discs that belong to nobody, with two players."""
        chosen: str = self.game.neutral_colour
        return next(c for c in PLAYER_COLOURS if c not in self.players) if chosen == "unused" else chosen

    # --- what it is worth ------------------------------------------------------------------------

    def scores(self) -> dict[str, Score]:
        return {
            colour: Score(POINTS, (left_part(self.pits, colour), *crushed_parts(self.captured[seat])))
            for seat, colour in enumerate(self.players)
        }

    def returns(self) -> tuple[float, ...]:
        if self.to_move is not None:
            return (0.0,) * len(self.players)
        totals = [score.total for score in self.scores().values()]
        best = max(totals)
        shared = totals.count(best) > 1
        return tuple(-1.0 if total < best else 0.0 if shared else 1.0 for total in totals)

    def insights(self) -> dict[str, Any]:
        """What each fall would crush:

        ball, facing; here: the fall on the ball's field as {field, night, day, trilith} (the colours hit);
        ahead: per colour the fields that one, two .. cards of it reach, as such entries with `cards`;
        chances: of night, day and trilith for the card turned up; pile, passes_left; hands: per player
        size, limit and the cards the record knows ("??" for others)."""
        hands = {
            colour: {
                "size": self.hands.size(seat),
                "limit": self.hand_limit(seat),
                "cards": self.hands.hand_json(seat),
            }
            for seat, colour in enumerate(self.players)
        }
        return {
            **fall_insights(self),
            "pile": self.hands.pile_count,
            "passes_left": self.passes_left,
            "hands": hands,
        }

    def prompt(self) -> Text:
        return prompt(self)

    # --- what is seen ----------------------------------------------------------------------------

    def visible(self) -> Position:
        """The disc that lies on top comes last of those in a pit."""
        pieces = [disc for pit, discs in enumerate(self.pits) if discs for disc in _stacked(pit, discs)]
        if self.ball:
            pieces.append(piece("figure", "grey", field=RING[self.ball], facing=self.facing))
        return Position(self.game.board, tuple(pieces), self.game.id)

    def view(self, player: str | None) -> Self:
        new = self._copy()
        new.game = self.game.as_half_seen()
        new.hands = self.hands.seen_by(
            [self.hands.known[seat] if p == player else 0 for seat, p in enumerate(self.players)]
        )
        return new

    def with_hand(self, player: str, cards: Sequence[str]) -> Self:
        """Knowing `cards` of the hand of `player`; "??" tells nothing."""
        if player not in self.players:
            raise IllegalActionError(name(player) + Text(" does not play here", " spielt hier nicht mit"))
        new = self._copy()
        new.hands = self.hands.tell(self.players.index(player), player, cards)
        return new

    # --- as data ---------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return state_json(self)


@lru_cache(maxsize=4096)
def _stacked(pit: int, discs: tuple[str, ...]) -> tuple[Piece, ...]:
    colours = reversed(dict.fromkeys(reversed(discs)))
    return tuple(piece("disc", colour, field=PITS[pit], count=discs.count(colour)) for colour in colours)
