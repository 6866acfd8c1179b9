"""State: one moment of Erbaut Stonehenge! and how it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from engine.action import Action
from engine.game import CHANCE, Outcome, State
from engine.games.build import actions as act
from engine.games.build import advice, conflict, data, knowledge, look, moves, rules, scoring, turn, unread
from engine.games.build.ground import (
    ALL,
    ALTAR,
    BLUESTONES,
    CARDS,
    DISCS,
    EVERYTHING,
    FIRST_TRILITH_CARD,
    HAND_SIZE,
    HIDDEN,
    NEUTRAL_BLOCKS,
    NO_CARD,
    RING,
    RING_OF,
    SAME_COLOUR,
    SUPPLY,
    TRILITH_CARDS,
    TRILITHS,
    Setup,
)
from engine.games.build.phases import DEALING, DISCARD, GIVE, MARKED, NOBODY
from engine.position import Position
from engine.score import Score
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.build.game import Build


class BuildState(State):
    """Sites and cards are numbers, sets of them bit masks (see `ground`). Tuples are by seat.

    phase, seat, turn: what is due, whose turn it is, how many turns are over.
    owned: what each player built; the last entry is what is neutral or of unknown owner. built: all that.
    druids: site, SUPPLY or ALTAR. rituals: 0, LYING or STANDING. discs: bluestones left in the supply.
    projects: card in the yard or NO_CARD; face_down: mask of seats; could_be: the day cards that were
        playable when the face-down card was laid. parts: 0..3 parts of a trilith. marks: mask of seats
        whose trilith project carries a disc; disc_on: mask of erected triliths that carry one.
    loot: mask of seats whose trilith project is stolen and has not been built on since.
    influence: the influence cards. neutral_owner: seat, NOBODY yet or UNTOLD. blocked: mask of seats.
    hands: mask of the cards known to be there; unknown: how many more. known: per viewer (the seats, then
        an onlooker) the hidden cards whose place he knows.
    unseen: the cards of which nobody told where they are (all of the pile, in a fully known game).
    top: size of the shuffled pile; under: the cards put below it, the next one first.
    box: the cards out of the game; box_hidden: how many (number cards, triliths) of them are not known.
    display: three places, NO_CARD or HIDDEN. slot: the place whose unread card is being drawn, or -1.
    sabotages, got_trilith: done in this turn. victim, owed: who gets compensation, how many cards still."""

    __slots__ = (
        "blocked", "box", "box_hidden", "built", "could_be", "disc_on", "discs", "display", "druids",
        "face_down", "got_trilith", "hands", "influence", "known", "loot", "marks", "neutral_owner", "owed",
        "owned", "parts", "phase", "projects", "rituals", "sabotages", "seat", "setup", "slot", "top", "turn",
        "under", "unknown", "unseen", "victim",
    )  # fmt: skip
    game: Build
    setup: Setup
    phase: str
    seat: int
    turn: int
    owned: tuple[int, ...]
    built: int
    druids: tuple[int, ...]
    rituals: tuple[int, ...]
    discs: tuple[int, ...]
    projects: tuple[int, ...]
    face_down: int
    could_be: tuple[int, ...]
    parts: tuple[int, ...]
    marks: int
    disc_on: int
    loot: int
    influence: tuple[tuple[int, ...], ...]
    neutral_owner: int
    blocked: int
    hands: tuple[int, ...]
    unknown: tuple[int, ...]
    known: tuple[int, ...]
    unseen: int
    top: int
    under: tuple[int, ...]
    box: int
    box_hidden: tuple[int, int]
    display: tuple[int, ...]
    slot: int
    sabotages: int
    got_trilith: int
    victim: int
    owed: int

    @classmethod
    def opening(cls, game: Build, players: tuple[str, ...], setup: Setup) -> Self:
        """The state before the first card is dealt."""
        state, nothing = cls(), (0,) * len(players)
        state.game, state.players, state.setup = game, players, setup
        state.to_move, state.phase, state.seat, state.turn = CHANCE, DEALING, 0, 0
        state.owned, state.built = (*nothing, 0), 0
        state.druids, state.rituals = (SUPPLY,) * len(players), nothing
        state.discs, state.projects = (DISCS,) * len(players), (NO_CARD,) * len(players)
        state.face_down, state.could_be, state.parts, state.marks, state.disc_on = 0, nothing, nothing, 0, 0
        state.loot = 0
        state.influence, state.neutral_owner, state.blocked = ((),) * len(players), NOBODY, 0
        state.hands, state.unknown, state.known = nothing, nothing, (*nothing, 0)
        state.unseen, state.top, state.under = ALL, len(CARDS) - 2, ()
        state.box, state.box_hidden = 0, (0, 0)
        state.display, state.slot = (NO_CARD,) * 3, -1
        state.sabotages, state.got_trilith, state.victim, state.owed = 0, 0, -1, 0
        return state

    # --- what holds now --------------------------------------------------------------------------

    def free_sites(self) -> int:
        """The sites with neither a building nor a druid."""
        taken = self.built
        for site in self.druids:
            if 0 <= site < ALTAR:
                taken |= 1 << site
        return EVERYTHING & ~taken

    def blocks_left(self, seat: int) -> int:
        return self.setup.blocks - (self.owned[seat] & RING).bit_count()

    def neutral_left(self) -> int:
        return NEUTRAL_BLOCKS - (self.owned[-1] & RING).bit_count()

    def can_get_block(self, seat: int) -> bool:
        """An own block is left, or a neutral one that no druid on the ring is waiting for."""
        if self.blocks_left(seat) > 0:
            return True
        waiting = sum(
            0 <= site < 30 and other != seat and self.blocks_left(other) <= 0
            for other, site in enumerate(self.druids)
        )
        return self.neutral_left() > waiting

    def sites_for(self, seat: int, number: int) -> int:
        """Where `seat` may build with a card of ring field `number` (0..29)."""
        free = self.free_sites()
        sites = 0
        if self.can_get_block(seat):
            sites = free & (1 << number if self.setup.site_by_number else SAME_COLOUR[number])
        if self._counts_as_built() >> number & 1 and self.discs[seat] > 0:
            sites |= free & BLUESTONES
        return sites

    def playable_numbers(self, seat: int) -> int:
        """The ring fields (0..29) whose cards `seat` could build something with."""
        free = self.free_sites()
        numbers = 0
        if self.can_get_block(seat):
            if self.setup.site_by_number:
                numbers = free & RING
            else:
                for fields in RING_OF:
                    if free & fields:
                        numbers |= fields
        if free & BLUESTONES and self.discs[seat] > 0:
            numbers |= self._counts_as_built() & RING
        return numbers

    def _counts_as_built(self) -> int:
        if self.setup.druid_counts_as_built:
            return EVERYTHING & ~self.free_sites()
        return self.built

    def hand_size(self, seat: int) -> int:
        return self.hands[seat].bit_count() + self.unknown[seat]

    def cards_needed(self) -> int:
        """How many cards the player whose turn it is still has to draw."""
        taken = self.got_trilith if self.game.trilith_counts_as_draw else 0
        return HAND_SIZE - self.hand_size(self.seat) - taken

    def pile_size(self) -> int:
        return self.top + len(self.under)

    def hidden_slots(self) -> int:
        """How many cards lie where a trilith card that nobody has seen could be."""
        return self.top + self.display.count(HIDDEN)

    def unseen_triliths(self) -> int:
        """How many trilith cards are in the pile (or unread in the display)."""
        return (self.unseen & TRILITH_CARDS).bit_count() - self.box_hidden[1]

    def pile_has_number_card(self) -> bool:
        """Whether the pile can hold anything but triliths."""
        return self.top > self.unseen_triliths() or any(card < 60 or card > 64 for card in self.under)

    def is_trilith_project(self, seat: int) -> bool:
        return FIRST_TRILITH_CARD <= self.projects[seat] < HIDDEN

    def construction(self) -> act.Construct:
        """The one step that the open project of the player whose turn it is takes now."""
        if self.is_trilith_project(self.seat) and self.parts[self.seat] < MARKED:
            return act.CONSTRUCT_IN_YARD[self.setup.yards[self.seat]]
        return act.CONSTRUCT[self.druids[self.seat]]

    def sabotage_victims(self) -> tuple[int, ...]:
        """The seats whom the player whose turn it is may sabotage, if he has a card for it."""
        if self.rituals[self.seat] or self.sabotages >= self.game.sabotage_per_turn:
            return ()
        return tuple(seat for seat in range(len(self.players)) if conflict.may_be_sabotaged(self, seat))

    def steal_victims(self) -> tuple[int, ...]:
        """The seats whose trilith project the player whose turn it is may steal."""
        return tuple(seat for seat in range(len(self.players)) if conflict.theft_refused(self, seat) is None)

    # --- what may happen -------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        if self.to_move == CHANCE:
            return tuple([action for action, _ in self.chance_outcomes()])
        if self.to_move is None:
            return ()
        found: list[Action] = moves.MOVES[self.phase](self)
        if self.phase not in (GIVE, DISCARD) and self.influence[self.seat]:
            for victim in self.sabotage_victims():
                table = act.SABOTAGE[self.players[victim]]
                found.extend([table[card] for card in dict.fromkeys(self.influence[self.seat])])
        return tuple(found)

    def seen_actions(self) -> tuple[Action, ...]:
        legal = self.legal_actions()
        return unread.seen_actions(self, legal) if self.game.half_seen else legal

    def why_not(self, action: Action) -> Text | None:
        return rules.why_not(self, action)

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        if self.to_move != CHANCE:
            return ()
        return knowledge.outcomes(self)

    def as_seen(self, action: Action, player: str | None) -> Action:
        """The legal `action` as `player` (None: an onlooker) sees it happen: what is hidden is "??"."""
        return knowledge.as_seen(self, action, player)

    # --- how it goes on --------------------------------------------------------------------------

    def _after(self, action: Action) -> Self:
        new = self._copy()
        turn.EFFECTS[type(action)](new, action)
        return new

    def _copy(self) -> Self:
        new = type(self)()
        for name in _SLOTS:
            setattr(new, name, getattr(self, name))
        return new

    # --- what it is worth, what is seen, as data --------------------------------------------------

    def scores(self) -> dict[str, Score]:
        neutral = self.owned[-1] & RING
        return {
            player: scoring.score(self.owned[seat], neutral if seat == self.neutral_owner else 0)
            for seat, player in enumerate(self.players)
        }

    def returns(self) -> tuple[float, ...]:
        if not self.is_over:
            return (0.0,) * len(self.players)
        totals = {player: score.total for player, score in self.scores().items()}
        by_triliths = self.game.variant["tiebreak"] == "triliths"
        best = scoring.winners(
            self.players,
            totals,
            (lambda seat: (self.owned[seat] & TRILITHS).bit_count()) if by_triliths else None,
        )
        prize = 1.0 if len(best) == 1 else 0.0
        return tuple(prize if seat in best else -1.0 for seat in range(len(self.players)))

    def insights(self) -> dict[str, Any]:
        return advice.insights(self)

    def prompt(self) -> Text:
        return advice.prompt(self)

    def visible(self) -> Position:
        return look.visible(self)

    def view(self, player: str | None) -> Self:
        return knowledge.view(self, player)

    def with_hand(self, player: str, cards: Sequence[str]) -> Self:
        return knowledge.with_hand(self, player, cards)

    def to_json(self) -> dict[str, Any]:
        return self._json_head() | data.to_json(self)


_SLOTS = ("game", "players", "to_move", *BuildState.__slots__)
