"""State: one moment of Erbaut Stonehenge! and how it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

from engine.action import Action
from engine.game import CHANCE, Outcome, State
from engine.games.build import actions as act
from engine.games.build import advice, data, knowledge, look, rules, scoring
from engine.games.build.ground import (
    ALL,
    ALTAR,
    BLUESTONES,
    CARD_OF,
    CARDS,
    DAYS,
    DISCS,
    EVERYTHING,
    FIRST_TRILITH_CARD,
    HAND_SIZE,
    HIDDEN,
    HIDDEN_DAY,
    NEUTRAL_BLOCKS,
    NO_CARD,
    NUMBERS,
    RING,
    RING_OF,
    SAME_COLOUR,
    SITE_OF,
    SUPPLY,
    TRILITH_CARDS,
    TRILITHS,
    Setup,
    bits,
)
from engine.games.build.phases import (
    BUILD,
    DEALING,
    DISCARD,
    DISPLAY,
    DRAW,
    DRAWN,
    END,
    GIVE,
    LYING,
    MARKED,
    NOBODY,
    OCCUPY,
    OVER,
    PROJECT,
    STANDING,
)
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
        "face_down", "got_trilith", "hands", "influence", "known", "marks", "neutral_owner", "owed", "owned",
        "parts", "phase", "projects", "rituals", "sabotages", "seat", "setup", "slot", "top", "turn", "under",
        "unknown", "unseen", "victim",
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
        return tuple(seat for seat in range(len(self.players)) if rules.may_be_sabotaged(self, seat))

    def steal_victims(self) -> tuple[int, ...]:
        """The seats whose trilith project the player whose turn it is may steal."""
        return tuple(seat for seat in range(len(self.players)) if rules.theft_refused(self, seat) is None)

    # --- what may happen -------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        if self.to_move == CHANCE:
            return tuple([action for action, _ in self.chance_outcomes()])
        if self.to_move is None:
            return ()
        found: list[Action] = _MOVES[self.phase](self)
        if self.phase not in (GIVE, DISCARD) and self.influence[self.seat]:
            for victim in self.sabotage_victims():
                table = act.SABOTAGE[self.players[victim]]
                found.extend([table[card] for card in dict.fromkeys(self.influence[self.seat])])
        return tuple(found)

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
        _EFFECTS[type(action)](new, action)
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


# --- the moves of each phase -----------------------------------------------------------------------


def _build_moves(state: BuildState) -> list[Action]:
    seat = state.seat
    if state.rituals[seat] == STANDING and state.is_trilith_project(seat):
        return [act.RITUAL_TO[site] for site in bits(state.free_sites() & TRILITHS)]
    if state.rituals[seat]:
        return [act.RITUAL]
    if state.face_down >> seat & 1:
        return _reveals(state)
    return [state.construction()]


def _reveals(state: BuildState) -> list[Action]:
    found: list[Action] = []
    for card in bits(knowledge.face_down_options(state, state.seat)):
        sites = state.sites_for(state.seat, card)
        if sites:
            found.extend([act.REVEAL[card][site] for site in bits(sites)])
        else:
            found.append(act.REVEAL_DEAD[card])
    return found


def _draw_moves(state: BuildState) -> list[Action]:
    """Triliths in the display first; after a trilith only open number cards, the pile if there are none."""
    numbers = [card for card in state.display if 0 <= card < FIRST_TRILITH_CARD]
    triliths = [card for card in state.display if FIRST_TRILITH_CARD <= card < HIDDEN]
    unread: list[Action] = [
        act.TAKE_UNREAD[slot] for slot, card in enumerate(state.display) if card == HIDDEN
    ]
    if triliths and not state.got_trilith:
        return [act.TAKE[card] for card in triliths] + unread
    open_cards = [act.TAKE[card] for card in numbers] + unread
    if rules.pile_refused(state) is None:
        open_cards.append(act.DRAW)
    return open_cards


def _project_moves(state: BuildState) -> list[Action]:
    seat = state.seat
    playable = state.playable_numbers(seat)
    options = knowledge.hand_options(state, seat) & (playable | playable << 30)
    found: list[Action] = []
    for card in bits(options >> 30):
        row = act.PLAY_NIGHT[card + 30]
        found.extend([row[site] for site in bits(state.sites_for(seat, card))])
    if state.unknown[seat]:
        if options & DAYS:
            found.append(act.PLAY_DAY[HIDDEN_DAY])
        options &= state.hands[seat]
    found.extend([act.PLAY_DAY[card] for card in bits(options & DAYS)])
    for victim in state.steal_victims():
        table = act.STEAL[state.players[victim]]
        found.extend([table[site] for site in bits(rules.sites_for_thief(state, victim))])
    if rules.blocked_refused(state) is None:
        found.append(act.BLOCKED)
    return found


def _occupy_moves(state: BuildState) -> list[Action]:
    return [act.OCCUPY[site] for site in bits(state.free_sites() & TRILITHS)]


def _give_moves(state: BuildState) -> list[Action]:
    options = knowledge.hand_options(state, state.seat) & rules.compensation(state, state.victim)
    found: list[Action] = [act.GIVE[HIDDEN]] if knowledge.may_give_unknown(state) else []
    return found + [act.GIVE[card] for card in bits(options)]


def _discard_moves(state: BuildState) -> list[Action]:
    found: list[Action] = [act.DISCARD[HIDDEN]] if state.game.half_seen else []
    return found + [act.DISCARD[card] for card in bits(state.hands[state.victim])]


def _end_moves(state: BuildState) -> list[Action]:
    return [act.END_TURN]


_MOVES: dict[str, Callable[[BuildState], list[Action]]] = {
    BUILD: _build_moves,
    DRAW: _draw_moves,
    OCCUPY: _occupy_moves,
    PROJECT: _project_moves,
    GIVE: _give_moves,
    DISCARD: _discard_moves,
    END: _end_moves,
}


# --- effects: each changes a fresh copy ------------------------------------------------------------


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _become(new: BuildState, phase: str, mover: str | None) -> None:
    new.phase, new.to_move = phase, mover


def begin_turn(new: BuildState) -> None:
    """Changes a fresh state to the first step of the turn of `seat`; round one is project phase only."""
    new.sabotages = new.got_trilith = 0
    if new.turn < len(new.players):
        _become(new, PROJECT, new.players[new.seat])
    elif new.projects[new.seat] != NO_CARD or new.rituals[new.seat]:
        _become(new, BUILD, new.players[new.seat])
    else:
        _go_draw(new)


def _go_draw(new: BuildState) -> None:
    if new.rituals[new.seat] or (new.projects[new.seat] != NO_CARD and not new.got_trilith):
        _go_end(new)
        return
    new.phase = DRAW
    if new.cards_needed() > 0 and _draw_moves(new):
        _become(new, DRAW, new.players[new.seat])
    else:
        _go_display(new)


def _go_display(new: BuildState) -> None:
    if NO_CARD in new.display and new.pile_size():
        _become(new, DISPLAY, CHANCE)
    elif new.projects[new.seat] != NO_CARD:
        _become(new, OCCUPY, new.players[new.seat])
    else:
        _become(new, PROJECT, new.players[new.seat])


def _go_end(new: BuildState) -> None:
    if new.influence[new.seat] and new.sabotage_victims():
        _become(new, END, new.players[new.seat])
    else:
        _next_turn(new)


def _next_turn(new: BuildState) -> None:
    new.turn += 1
    if new.blocked == new.setup.everybody:
        _become(new, OVER, None)
        return
    count = len(new.players)
    new.seat = (new.seat + 1) % count
    while new.blocked >> new.seat & 1:
        new.seat = (new.seat + 1) % count
    begin_turn(new)


def _take_from_pile(new: BuildState, card: int) -> int:
    """Takes the next card off the pile; returns the viewers (mask) who know from below which it is."""
    if new.top:
        new.top -= 1
        new.unseen &= ~(1 << card) if card < HIDDEN else -1
        return 0
    new.under = new.under[1:]
    viewers = knowledge.viewers_of(new, card)
    new.unseen &= ~(1 << card) if card < HIDDEN else -1
    return viewers


def _deal(new: BuildState, action: act.Deal) -> None:
    card, seat = CARD_OF[action.card], new.players.index(action.player)
    dealing = new.phase == DEALING
    if new.slot >= 0:
        new.display = _with(new.display, new.slot, NO_CARD)
        new.unseen &= ~(1 << card) if card < HIDDEN else -1
        new.slot, viewers = -1, 0
    else:
        viewers = _take_from_pile(new, card)
    if FIRST_TRILITH_CARD <= card < HIDDEN:
        _receive_trilith(new, seat, card)
    else:
        knowledge.put_in_hand(new, seat, card, viewers)
    if not dealing:
        _go_draw(new)
    elif min(map(new.hand_size, range(len(new.players)))) == HAND_SIZE:
        _become(new, DISPLAY, CHANCE)


def _receive_trilith(new: BuildState, seat: int, card: int) -> None:
    if new.got_trilith:
        _put_under(new, card)
        return
    new.projects = _with(new.projects, seat, card)
    new.parts = _with(new.parts, seat, 0)
    new.got_trilith = 1


def _put_under(new: BuildState, card: int) -> None:
    """A card that everybody has seen (or that nobody has) goes below the pile."""
    new.under = (*new.under, card)
    if card < HIDDEN:
        knowledge.show_to_all(new, card)


def _turn_up(new: BuildState, action: act.TurnUp) -> None:
    card = CARD_OF[action.card]
    _take_from_pile(new, card)
    new.display = _with(new.display, action.slot - 1, card)
    if new.turn == 0 and NO_CARD not in new.display:
        begin_turn(new)
    else:
        _go_display(new)


def _ritual(new: BuildState, action: act.Ritual) -> None:
    seat = new.seat
    new.rituals = _with(new.rituals, seat, new.rituals[seat] - 1)
    if new.rituals[seat]:
        _go_end(new)
        return
    new.druids = _with(new.druids, seat, SITE_OF[action.field] if action.field else SUPPLY)
    if new.game.variant["ritual_blocks_whole_turn"]:
        _go_end(new)
    else:
        _go_draw(new)


def _reveal(new: BuildState, action: act.Reveal) -> None:
    seat, card = new.seat, CARD_OF[action.card]
    new.unseen &= ~(1 << card)
    new.face_down &= ~(1 << seat)
    new.could_be = _with(new.could_be, seat, 0)
    if action.site is not None:
        new.projects = _with(new.projects, seat, card)
        new.druids = _with(new.druids, seat, SITE_OF[action.site])
        _go_end(new)
        return
    new.projects = _with(new.projects, seat, NO_CARD)
    if new.game.variant["dead_reveal"] == "under_pile":
        _put_under(new, card)
    else:
        new.box |= 1 << card
    _go_draw(new)


def _construct(new: BuildState, action: act.Construct) -> None:
    seat = new.seat
    if new.is_trilith_project(seat) and new.parts[seat] < MARKED:
        new.parts = _with(new.parts, seat, new.parts[seat] + 1)
        if new.parts[seat] == MARKED and new.discs[seat] > 0:
            new.discs = _with(new.discs, seat, new.discs[seat] - 1)
            new.marks |= 1 << seat
        _go_end(new)
        return
    site, card = new.druids[seat], new.projects[seat]
    owner = _set_building(new, seat, site)
    new.druids = _with(new.druids, seat, SUPPLY)
    new.projects = _with(new.projects, seat, NO_CARD)
    new.parts = _with(new.parts, seat, 0)
    _put_card_away(new, card, influence=_gives_influence(new, seat, site, owner))
    if new.built == EVERYTHING:
        _become(new, OVER, None)
    else:
        _go_draw(new)


def _set_building(new: BuildState, seat: int, site: int) -> int:
    """Erects what belongs on `site`; returns whose it is (the last index: neutral)."""
    owner = seat
    if site < 30 and new.blocks_left(seat) <= 0:
        owner = len(new.players)
        if new.neutral_owner == NOBODY:
            new.neutral_owner = seat
    elif 30 <= site < 49:
        new.discs = _with(new.discs, seat, new.discs[seat] - 1)
    elif site >= 49 and new.marks >> seat & 1:
        new.marks &= ~(1 << seat)
        new.disc_on |= 1 << site
    new.owned = _with(new.owned, owner, new.owned[owner] | 1 << site)
    new.built |= 1 << site
    return owner


def _gives_influence(new: BuildState, seat: int, site: int, owner: int) -> bool:
    if site >= 30 or not new.setup.own_fields[seat] >> site & 1:
        return False
    return owner == seat or not new.game.variant["influence_needs_own_block"]


def _put_card_away(new: BuildState, card: int, *, influence: bool) -> None:
    if influence:
        cards = tuple(sorted((*new.influence[new.seat], card)))
        new.influence = (*new.influence[: new.seat], cards, *new.influence[new.seat + 1 :])
    elif card == HIDDEN:
        new.box_hidden = (new.box_hidden[0] + 1, new.box_hidden[1])
    else:
        new.box |= 1 << card


def _take(new: BuildState, action: act.Take) -> None:
    if action.slot is not None:
        new.slot = action.slot - 1
        _become(new, DRAWN, CHANCE)
        return
    card = CARD_OF[action.card]
    new.display = _with(new.display, new.display.index(card), NO_CARD)
    if card >= FIRST_TRILITH_CARD:
        _receive_trilith(new, new.seat, card)
    else:
        knowledge.put_in_hand(new, new.seat, card, -1)
    _go_draw(new)


def _draw(new: BuildState, action: act.Draw) -> None:
    _become(new, DRAWN, CHANCE)


def _occupy(new: BuildState, action: act.Occupy) -> None:
    new.druids = _with(new.druids, new.seat, SITE_OF[action.field])
    _go_end(new)


def _play_night(new: BuildState, action: act.PlayNight) -> None:
    card = CARD_OF[action.card]
    knowledge.take_from_hand(new, new.seat, card)
    new.projects = _with(new.projects, new.seat, card)
    new.druids = _with(new.druids, new.seat, SITE_OF[action.site])
    _go_end(new)


def _play_day(new: BuildState, action: act.PlayDay) -> None:
    seat, card = new.seat, CARD_OF[action.card]
    could_be = new.playable_numbers(seat)
    knowledge.leave_hand_hidden(new, seat, card, could_be)
    new.projects = _with(new.projects, seat, card)
    new.face_down |= 1 << seat
    new.could_be = _with(new.could_be, seat, could_be)
    _go_end(new)


def _steal(new: BuildState, action: act.Steal) -> None:
    thief, victim = new.seat, new.players.index(action.victim)
    card, parts = new.projects[victim], new.parts[victim]
    new.projects = _with(_with(new.projects, victim, NO_CARD), thief, card)
    new.parts = _with(_with(new.parts, victim, 0), thief, parts)
    if not new.rituals[victim]:
        new.druids = _with(new.druids, victim, SUPPLY)
    new.druids = _with(new.druids, thief, SITE_OF[action.field])
    new.victim, new.owed = victim, 2
    _become(new, GIVE, new.players[thief])


def _give(new: BuildState, action: act.Give) -> None:
    card, victim = CARD_OF[action.card], new.victim
    if card == HIDDEN or not new.game.variant["steal_cards_open"]:
        both = 1 << new.seat | 1 << victim
        knowledge.leave_hand_hidden(new, new.seat, card, rules.compensation(new, victim), both)
        knowledge.put_in_hand(new, victim, card, both)
    else:
        knowledge.take_from_hand(new, new.seat, card)
        knowledge.put_in_hand(new, victim, card, -1)
    new.owed -= 1
    if not new.owed:
        _settle_theft(new)


def _settle_theft(new: BuildState) -> None:
    if new.hand_size(new.victim) > HAND_SIZE:
        _become(new, DISCARD, new.players[new.victim])
        return
    new.victim = -1
    _go_end(new)


def _discard(new: BuildState, action: act.Discard) -> None:
    card = CARD_OF[action.card]
    knowledge.leave_hand_hidden(new, new.victim, card, NUMBERS)
    knowledge.put_under_unseen(new, card)
    _settle_theft(new)


def _sabotage(new: BuildState, action: act.Sabotage) -> None:
    victim, card = new.players.index(action.victim), CARD_OF[action.card]
    rest = list(new.influence[new.seat])
    rest.remove(card)
    new.influence = (*new.influence[: new.seat], tuple(rest), *new.influence[new.seat + 1 :])
    if new.game.variant["influence_spent"] == "under_pile":
        _put_under(new, card)
    else:
        _put_card_away(new, card, influence=False)
    _abort_project(new, victim)
    new.druids = _with(new.druids, victim, ALTAR)
    new.rituals = _with(new.rituals, victim, LYING)
    new.sabotages += 1
    if new.phase == END and not (new.influence[new.seat] and new.sabotage_victims()):
        _next_turn(new)


def _abort_project(new: BuildState, victim: int) -> None:
    """A number project goes below the pile, a face-down one unseen; a trilith project stays."""
    card = new.projects[victim]
    if card == NO_CARD or new.is_trilith_project(victim):
        return
    new.projects = _with(new.projects, victim, NO_CARD)
    new.could_be = _with(new.could_be, victim, 0)
    if new.face_down >> victim & 1:
        knowledge.put_under_unseen(new, card)
        new.face_down &= ~(1 << victim)
    else:
        _put_under(new, card)


def _blocked(new: BuildState, action: act.Blocked) -> None:
    knowledge.show_hand(new, new.seat, [CARD_OF[card] for card in action.cards])
    new.blocked |= 1 << new.seat
    _next_turn(new)


def _end_turn(new: BuildState, action: act.EndTurn) -> None:
    _next_turn(new)


_EFFECTS: dict[type[Action], Callable[[BuildState, Any], None]] = {
    act.Deal: _deal,
    act.TurnUp: _turn_up,
    act.Ritual: _ritual,
    act.Reveal: _reveal,
    act.Construct: _construct,
    act.Take: _take,
    act.Draw: _draw,
    act.Occupy: _occupy,
    act.PlayNight: _play_night,
    act.PlayDay: _play_day,
    act.Steal: _steal,
    act.Give: _give,
    act.Discard: _discard,
    act.Sabotage: _sabotage,
    act.Blocked: _blocked,
    act.EndTurn: _end_turn,
}
