"""One moment of Trilithen knallen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from engine.action import Action
from engine.cards import ALL_CARDS, PLAYER_COLOURS, UNKNOWN, is_known
from engine.errors import StateError
from engine.game import CHANCE, Outcome, State
from engine.games.ramming import choices, phases, reasons, turn
from engine.games.ramming.actions import ANTICLOCKWISE, BLOCKS, CLOCKWISE, PAIRS, PLACES, LayCard, Show
from engine.games.ramming.advice import insights, prompt, scores
from engine.games.ramming.race import FIELDS, GONE, OFF, fields_entered, free_pairs, next_on_way, reach
from engine.hands import SHUFFLE, Hands, cards_of, drawing
from engine.position import Piece, Position, piece
from engine.score import Score
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.ramming import Ramming

DAY_MASK = (1 << 30) - 1


class RammingState(State):
    """A state of the race. Triliths are numbered: one per player in seat order, then the second ones.

    turn: seat of the active player. turns: how many turns are finished. blocks: colour number 0..4 of
    fields 1.. as far as laid. display: card per display place, UNKNOWN.. where nobody told. face_up,
    public: bit masks of display places (turned up now; everybody has seen that card). peeked: per seat,
    the places looked at in private. at: per trilith its place on the track (see race.py). points: per
    trilith what its owner has left. prizes: per seat and trilith, points taken. lives: blocks left per
    trilith (longer game), trophies: blocks won per seat. placed: triliths materialised in this turn.
    racer, way, correct, place: the attempt: who, which way, cards turned up rightly, the place in hand.
    peeker: seat that may look. played: set of cards played this turn. draws: cards still to draw."""

    __slots__ = (
        "at",
        "blocks",
        "correct",
        "display",
        "draws",
        "face_up",
        "hands",
        "lives",
        "peeked",
        "peeker",
        "phase",
        "place",
        "placed",
        "played",
        "points",
        "prizes",
        "public",
        "racer",
        "trophies",
        "turn",
        "turns",
        "way",
    )
    game: Ramming
    turn: int
    turns: int
    phase: str
    blocks: tuple[int, ...]
    display: tuple[str, ...]
    face_up: int
    public: int
    peeked: tuple[int, ...]
    hands: Hands
    at: tuple[int, ...]
    points: tuple[int, ...]
    prizes: tuple[tuple[int, ...], ...]
    lives: tuple[int, ...]
    trophies: tuple[int, ...]
    placed: tuple[int, ...]
    racer: int
    way: int
    correct: int
    place: int
    peeker: int
    played: int
    draws: int

    @classmethod
    def first(cls, game: Ramming, players: tuple[str, ...]) -> Self:
        """Before the first block is laid."""
        state = object.__new__(cls)
        state.game, state.players = game, players
        seats, count = len(players), len(game.trilith_colours(players))
        state.turn = state.turns = 0
        state.blocks, state.display = (), ()
        state.face_up = state.public = 0
        state.peeked = (0,) * seats
        state.hands = Hands.fresh(DAY_MASK, seats)
        state.at = (OFF,) * count
        state.points = (10,) * count
        state.prizes = ((0,) * count,) * seats
        state.lives = (game.lives,) * count
        state.trophies = (0,) * seats
        state.placed = ()
        state.racer = state.peeker = state.place = -1
        state.way = state.correct = state.played = state.draws = 0
        turn.enter(state, phases.BLOCKS)
        return state

    def _copy(self) -> Self:
        new = object.__new__(type(self))
        new.game = self.game
        new.players = self.players
        new.to_move = self.to_move
        new.turn = self.turn
        new.turns = self.turns
        new.phase = self.phase
        new.blocks = self.blocks
        new.display = self.display
        new.face_up = self.face_up
        new.public = self.public
        new.peeked = self.peeked
        new.hands = self.hands
        new.at = self.at
        new.points = self.points
        new.prizes = self.prizes
        new.lives = self.lives
        new.trophies = self.trophies
        new.placed = self.placed
        new.racer = self.racer
        new.way = self.way
        new.correct = self.correct
        new.place = self.place
        new.peeker = self.peeker
        new.played = self.played
        new.draws = self.draws
        return new

    # --- words for places and owners ---------------------------------------------------------------

    @property
    def triliths(self) -> tuple[str, ...]:
        """The colour of each trilith."""
        return self.game.trilith_colours(self.players)

    def seat_of(self, trilith: int) -> int:
        """The seat of a trilith's owner."""
        return trilith % len(self.players)

    def triliths_of(self, seat: int) -> tuple[int, ...]:
        """A player's triliths that are not out for good."""
        return tuple(t for t in range(seat, len(self.at), len(self.players)) if self.at[t] != GONE)

    def in_the_race(self) -> tuple[int, ...]:
        """The seats that still have a trilith."""
        return tuple(seat for seat in range(len(self.players)) if self.triliths_of(seat))

    def label(self, trilith: int) -> str | None:
        """A trilith's colour as actions name it: None where every player has one only."""
        return self.triliths[trilith] if len(self.at) > len(self.players) else None

    def direction(self, way: int) -> str:
        """The way as players call it: +1 is clockwise where the board's numbers run clockwise."""
        return CLOCKWISE if (way > 0) == self.game.ascending_is_clockwise else ANTICLOCKWISE

    def way_to(self, direction: str) -> int:
        """The way (+1 or -1) that players call `direction`."""
        return 1 if (direction == CLOCKWISE) == self.game.ascending_is_clockwise else -1

    # --- what may happen ---------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        if self.to_move is None:
            return ()
        if self.to_move == CHANCE:
            return tuple(action for action, _ in self.chance_outcomes())
        return choices.choices(self)

    def seen_actions(self) -> tuple[Action, ...]:
        """Cards that a camera cannot read are "??", and a race is one action: so many cards were right."""
        return choices.seen(self) if self.game.half_seen else self.legal_actions()

    def to_place(self) -> tuple[int, ...]:
        """The triliths that the active player may materialise now: those beside the track come first."""
        own = self.triliths_of(self.turn)
        beside = tuple(t for t in own if self.at[t] == OFF)
        return beside or own

    def free_pairs(self, trilith: int) -> int:
        """Bit mask of the pairs k where this trilith may be set down."""
        free = free_pairs(self.at, trilith)
        if self.at[trilith] >= 0 and not self.game.same_spot:
            free &= ~(1 << self.at[trilith])
        return free

    def usable(self) -> int:
        """The set of day cards with which the active player could place a trilith."""
        pairs = 0
        for trilith in self.to_place():
            pairs |= self.free_pairs(trilith)
        # Card i serves the pairs i-1 and i.
        return pairs | (pairs << 1 & DAY_MASK) | pairs >> (FIELDS - 1)

    def may_sit_out(self) -> bool:
        """Whether, for all that is known, no card of the active player can be placed."""
        return self.hands.can_all_be_among(self.turn, DAY_MASK & ~self.usable())

    def target(self, trilith: int, way: int) -> tuple[int, int]:
        """Who would be rammed, and the free fields between; (-1, 0) if this trilith may not race there."""
        victim, free = next_on_way(self.at, trilith, way)
        if victim < 0 or free == 0 or (self.seat_of(victim) == self.turn and not self.game.ram_own):
            return -1, 0
        if reach(self.blocks, self.at[trilith], way, self.game.cards_per_colour) < self.steps(free):
            return -1, 0
        return victim, free

    def steps(self, free: int) -> int:
        """How many cards must be right to ram over `free` fields."""
        return free + self.game.ram_needs_target_card

    def next_block(self) -> int:
        """The colour of the block on the field that the racing trilith enters next."""
        return self.blocks[fields_entered(self.at[self.racer], self.way, self.correct + 1)[-1]]

    # --- chance ------------------------------------------------------------------------------------

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        if self.phase in (phases.DRAW, phases.DEAL):
            actions: tuple[Action, ...] = self._draws()
        elif self.phase == phases.SHOW:
            place = PLACES[self.place]
            actions = tuple(_SHOW[place, card] for card in self.may_lie(self.place))
        elif self.phase == phases.BLOCKS:
            laid = self.blocks[len(self.blocks) // 5 * 5 :]
            actions = tuple(BLOCKS[len(self.blocks)][c] for c in range(5) if c not in laid)
        elif self.phase == phases.DISPLAY:
            place = PLACES[len(self.display)]
            if self.game.half_seen:
                actions = (_lay_card(self.game.card_back, place),)
            else:
                actions = tuple(_lay_card(card, place) for card in self._not_in_display())
        else:
            return ()
        chance = 1.0 / len(actions)
        return tuple((action, chance) for action in actions)

    def _draws(self) -> tuple[Action, ...]:
        hands = self.hands
        if hands.pile_count == 0:
            return (SHUFFLE,)
        player = self.players[self._drawer()]
        if self.game.half_seen:
            return (drawing(player, UNKNOWN),)
        return tuple(drawing(player, card) for card in cards_of(hands.pile))

    def _drawer(self) -> int:
        if self.phase == phases.DRAW:
            return self.turn
        return next(
            seat for seat in range(len(self.players)) if self.hands.size(seat) < self.game.hand(self.players)
        )

    def may_lie(self, place: int) -> tuple[str, ...]:
        """The cards that may lie at this display place."""
        card = self.display[place]
        return (card,) if is_known(card) else self._not_in_display()

    def _not_in_display(self) -> tuple[str, ...]:
        """The cards of the display whose place is not known (or which are not laid out yet)."""
        lying = set(self.display)
        return tuple(card for card in self.game.display_cards if card not in lying)

    # --- why not -----------------------------------------------------------------------------------

    def why_not(self, action: Action) -> Text | None:
        check = reasons.CHECKS.get(type(action))
        if check is None:
            return Text("this is no move of this game", "das ist kein Zug dieses Spiels")
        return check(self, action)

    # --- what follows ------------------------------------------------------------------------------

    def _after(self, action: Action) -> Self:
        new = self._copy()
        turn.EFFECTS[type(action)](new, action)
        return new

    def named(self, colour: str | None) -> int:
        """The trilith that an action names: by its colour, or the only one there is."""
        if colour is not None:
            return self.triliths.index(colour) if colour in self.triliths else -1
        return self.to_place()[0] if self.phase == phases.PLACE else self.placed[0]

    def most_taken(self, trilith: int) -> int | None:
        """The seat that alone took most points of this trilith from its owner; None on a tie."""
        taken = {s: row[trilith] for s, row in enumerate(self.prizes) if s != self.seat_of(trilith)}
        best = [seat for seat, count in taken.items() if count == max(taken.values()) and count]
        return best[0] if len(best) == 1 else None

    # --- what it is worth, what is seen --------------------------------------------------------------

    def scores(self) -> dict[str, Score]:
        return scores(self)

    def returns(self) -> tuple[float, ...]:
        if not self.is_over:
            return (0.0,) * len(self.players)
        left = self.in_the_race()
        won = 1.0 if len(left) == 1 else 0.0
        return tuple(won if seat in left else -1.0 for seat in range(len(self.players)))

    def insights(self) -> dict[str, Any]:
        return insights(self)

    def prompt(self) -> Text:
        return prompt(self)

    def visible(self) -> Position:
        pieces = [*_lying(self.blocks)]
        for colour, k in zip(self.triliths, self.at, strict=True):
            if k >= 0:
                pieces.append(piece("trilith", "grey", fields=PAIRS[k]))
                pieces.append(piece("figure", colour, fields=PAIRS[k], on="trilith"))
        return Position("anthology", tuple(pieces), "ramming")

    def view(self, player: str | None) -> Self:
        new = self._copy()
        new.game = self.game.as_half_seen()
        seat = self.players.index(player) if player in self.players else None
        new.hands = self.hands.seen_by([DAY_MASK if i == seat else 0 for i in range(len(self.players))])
        seen = self.public | (self.peeked[seat] if seat is not None else 0)
        back = self.game.card_back
        new.display = tuple(card if seen >> i & 1 else back for i, card in enumerate(self.display))
        return new

    def with_hand(self, player: str, cards: Sequence[str]) -> Self:
        if player not in self.players:
            raise StateError(f"{player} does not play; the players are {', '.join(self.players)}")
        new = self._copy()
        new.hands = self.hands.tell(self.players.index(player), player, cards)
        return new

    def to_json(self) -> dict[str, Any]:
        from engine.games.ramming.data import state_to_json

        return state_to_json(self)


_SLOTS = tuple(f"slot-{field + 1}" for field in range(30))


def _lay_card(card: str, place: str) -> LayCard:
    found = _LAY.get((card, place))
    if found is None:
        found = _LAY[card, place] = LayCard(card, place)
    return found


_LAY: dict[tuple[str, str], LayCard] = {}
_SHOW = {(place, card): Show(place, card) for place in PLACES for card in ALL_CARDS[30:]}


@lru_cache(maxsize=1024)
def _lying(blocks: tuple[int, ...]) -> tuple[Piece, ...]:
    pairs = enumerate(blocks)
    return tuple(piece("block", PLAYER_COLOURS[colour], field=_SLOTS[field]) for field, colour in pairs)
