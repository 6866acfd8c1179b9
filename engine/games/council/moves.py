"""All choices of the player to move, in a fixed order. `reasons.py` says why anything else is refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from engine.action import Action
from engine.cards import (
    ALL_CARDS,
    NUMBER_CARDS,
    PLAYER_COLOURS,
    TRILITH_CARDS,
    UNKNOWN,
    colour_of,
    is_trilith,
    number_of,
    ring_colour,
)
from engine.games.council import phases
from engine.games.council.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    END_TURN,
    OFFER_DRAW,
    PONDER,
    RING,
    Confer,
    Discard,
    Discuss,
    GiveBack,
    Lift,
    Persuade,
    Replace,
    TakeSeat,
)
from engine.games.council.ring import COLOUR_OF, FACTION_OF, PIECES, SEATS, cost, figure, is_figure
from engine.hands import Hands, cards_of, mask_of

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState

# The colour of each field as an index of PLAYER_COLOURS; black, which takes any colour, is -1.
FIELD_COLOUR = tuple(
    PLAYER_COLOURS.index(ring_colour(n)) if ring_colour(n) != "black" else -1 for n in range(1, 31)
)
FIELDS_OF = {colour: tuple(i for i in range(SEATS) if FIELD_COLOUR[i] == colour) for colour in range(-1, 5)}
ANY = tuple(range(5))
TRILITHS = mask_of(TRILITH_CARDS)
# By colour, the number cards that bring an argument of it: its own, and black ones.
BRINGING = tuple(
    mask_of(card for card in NUMBER_CARDS if colour_of(card) in (colour, "black"))
    for colour in PLAYER_COLOURS
)


def choices(state: CouncilState) -> tuple[Action, ...]:
    """The legal actions of the player to move."""
    phase = state.phase
    if phase == phases.TURN:
        return _turn(state)
    if phase == phases.LIFT:
        return tuple(LIFT[i] for i in liftable(state))
    if phase == phases.OFFER:
        return (ACCEPT_DRAW, DECLINE_DRAW)
    if phase == phases.DISCARD:
        hands, place = state.hand(state.turn)
        return tuple(DISCARD[card] for card in cards_of(hands.possible(place)))
    mate = state.partner(state.turn)
    assert mate is not None, "only partners confer"
    return tuple(GIVE_BACK[card] for card in lendable(*state.hand(mate)))


def _turn(state: CouncilState) -> tuple[Action, ...]:
    actions: list[Action] = []
    if not state.acted:
        hands, place = state.hand(state.turn)
        actions += _discussions(state, hands, place)
        seats(state, cards_of(hands.possible(place)), actions)
        actions.append(PONDER)
        if len(state.players) == 4:
            actions += [CONFER[card] for card in lendable(hands, place)]
    if may_persuade(state):
        actions += persuasions(state)
    if state.acted or not state.game.action_mandatory:
        actions.append(END_TURN)
    if state.game.draw_by_agreement and not state.offered:
        actions.append(OFFER_DRAW)
    return tuple(actions)


def may_persuade(state: CouncilState) -> bool:
    """House rule: persuading only on one side of the action."""
    return not (state.game.persuade_one_side_only and state.acted and state.persuaded)


def lendable(hands: Hands, place: int) -> tuple[str, ...]:
    """The cards that can be handed over unseen: known ones, and "??" for the others."""
    unknown = (UNKNOWN,) if any(hands.unknown[place]) else ()
    return (*cards_of(hands.known[place]), *unknown)


def liftable(state: CouncilState) -> list[int]:
    """The ring indices of the active player's discs of colours that are used up in supply."""
    own = [colour for colour in state.colours(state.turn) if not state.discs[colour]]
    return [i for i, code in enumerate(state.ring) if COLOUR_OF[code] in own and not is_figure(code)]


# --- discuss -----------------------------------------------------------------------------------------


def _discussions(state: CouncilState, hands: Hands, place: int) -> Iterator[Action]:
    certain = not any(hands.unknown[place])
    size, room, bank = hands.size(place), state.room(state.turn), state.bank()
    free = list(map(min, room, bank))
    refuse = state.game.cap_overflow == "refuse"
    for cards in together(hands.possible(place), state.game.combine_triliths):
        mask, numbers, colours, triliths = cards
        if not certain and (mask.bit_count() > size or not hands.can_hold_all(place, mask)):
            continue
        if triliths:
            for arguments in takes(state, cards, room, bank):
                yield _discuss(mask, arguments)
            continue
        for colour in colours:  # what `takes` says of number cards, met at every turn
            count = numbers if numbers < free[colour] else free[colour]
            if count and not (refuse and numbers > room[colour]):
                yield _discuss(mask, (colour,) * count)


def takes(state: CouncilState, cards: Set, room: list[int], bank: list[int]) -> tuple[tuple[int, ...], ...]:
    """What these cards can bring the player whose turn it is: colours of arguments, each choice once.
    Number cards take first; what the trilith cards then find on the board is up to the player."""
    _, numbers, colours, triliths = cards
    if not numbers:
        return any_arguments(tuple(map(min, room, bank)), 2 * triliths)
    own = [(colour,) * number_takes(state, numbers, room[colour], bank[colour]) for colour in colours]
    if not triliths:
        return tuple(filter(None, own))
    found: dict[tuple[int, ...], None] = {}
    for taken, colour in zip(own, colours, strict=True):
        if state.game.cap_overflow == "trim" or room[colour] >= numbers:
            free = list(map(min, room, bank))
            free[colour] -= len(taken)
            for more in any_arguments(tuple(free), 2 * triliths) or ((),):
                found[tuple(sorted((*taken, *more)))] = None
    return tuple(filter(None, found))


def number_takes(state: CouncilState, count: int, room: int, bank: int) -> int:
    """How many arguments `count` cards really bring: the faction's cap trims, or forbids (house rule)."""
    if state.game.cap_overflow == "refuse" and count > room:
        return 0
    return min(count, room, bank)


@lru_cache(maxsize=4096)
def any_arguments(free: tuple[int, ...], wanted: int) -> tuple[tuple[int, ...], ...]:
    """All ways to take `wanted` arguments (or what there is), with so many `free` of each colour."""
    count = min(wanted, sum(free))
    if count == 0:
        return ()
    choices = combinations_with_replacement(ANY, count)
    return tuple(chosen for chosen in choices if all(chosen.count(c) <= free[c] for c in set(chosen)))


def unread_takes(state: CouncilState, *, by_any_cards: bool = False) -> set[tuple[int, ...]]:
    """What cards that nobody read can have brought: colours of arguments. Only by cards that can be in this
    hand, or `by_any_cards`."""
    hands, place = state.hand(state.turn)
    free = tuple(map(min, state.room(state.turn), state.bank()))
    found = set(any_arguments(free, 2)) if by_any_cards or hands.most_of(place, TRILITHS) else set()
    for colour, left in enumerate(free):
        most = 3 if by_any_cards else hands.most_of(place, BRINGING[colour])
        found.update((colour,) * count for count in range(1, min(most, left) + 1))
    return found


# Cards that can be discussed together: (set of cards, how many number cards, the colours of arguments to
# choose from for those, how many trilith cards). Plain tuples, as thousands of them are kept.
Set = tuple[int, int, tuple[int, ...], int]


def together(cards: int, combine: bool = False) -> tuple[Set, ...]:
    """The sets of up to three of `cards` that can be discussed together. Trilith cards are played alone,
    or (house rule: `combine`) also beside others."""
    return _of_a_hand(cards, combine) if cards.bit_count() <= 3 else tuple(_of_many(cards, combine))


@lru_cache(maxsize=32768)
def _of_a_hand(cards: int, combine: bool) -> tuple[Set, ...]:
    listed = cards_of(cards)
    return tuple(
        found
        for count in (1, 2, 3)
        for chosen in combinations(listed, count)
        if (found := set_of(chosen, combine)) is not None
    )


def set_of(chosen: tuple[str, ...], combine: bool) -> Set | None:
    """The entry of `together` for these cards; None where they do not go together."""
    numbers = [card for card in chosen if not is_trilith(card)]
    triliths = len(chosen) - len(numbers)
    if triliths and len(chosen) > 1 and not combine:
        return None
    colours = {colour_of(card) for card in numbers} - {"black"}
    if len(colours) > 1:
        return None
    choice = tuple(PLAYER_COLOURS.index(str(colour)) for colour in colours) or ANY
    return mask_of(chosen), len(numbers), choice if numbers else (), triliths


def _of_many(cards: int, combine: bool) -> Iterator[Set]:
    """The same for a hand that may hold any of many cards: only sets of one colour are tried."""
    listed = cards_of(cards)
    numbers = list(_number_sets([card for card in listed if not is_trilith(card)]))
    triliths = [card for card in listed if is_trilith(card)]
    yield from numbers
    for card in triliths:
        yield mask_of((card,)), 0, (), 1
    if not combine:
        return
    nothing: Set = (0, 0, (), 0)
    for count in (1, 2):
        for chosen in combinations(triliths, count):
            for mask, beside, colours, _ in (nothing, *numbers):
                if 2 <= beside + count <= 3:
                    yield mask | mask_of(chosen), beside, colours, count


def _number_sets(listed: list[str]) -> Iterator[Set]:
    black = [card for card in listed if colour_of(card) == "black"]
    for count in (1, 2, 3):
        for name in PLAYER_COLOURS:
            own = [card for card in listed if colour_of(card) == name]
            for chosen in combinations((*own, *black), count):
                if colour_of(chosen[0]) == name:
                    yield mask_of(chosen), count, (PLAYER_COLOURS.index(name),), 0
        for chosen in combinations(black, count):
            yield mask_of(chosen), count, ANY, 0


@lru_cache(maxsize=65536)
def _discuss(mask: int, colours: tuple[int, ...]) -> Discuss:
    return Discuss(cards_of(mask), tuple(PLAYER_COLOURS[colour] for colour in colours))


# --- take a seat -------------------------------------------------------------------------------------


def seats(state: CouncilState, cards: tuple[str, ...], actions: list[Action]) -> None:
    ring, seat = state.ring, state.turn
    discs = state.new_discs(seat)
    figures = [figure(colour) for colour in state.colours(seat) if state.figures[colour]]
    rich = [colour for colour, count in enumerate(state.has(seat)) if count >= 3]
    for card in cards:
        number = number_of(card)
        if number is None:
            continue
        i = number - 1
        if ring[i] == 0:
            actions += [_take_seat(card, piece, i, None) for piece in discs]
            actions += [_take_seat(card, PIECES[code], i, None) for code in figures]
        else:
            actions += [_replace(card, code, i) for code in figures if may_replace(state, i, code)]
        if rich:
            colour = FIELD_COLOUR[i]
            free = [j for j in FIELDS_OF[colour] if ring[j] == 0]
            payable = rich if colour < 0 else [colour] * (colour in rich)
            actions += [_take_seat(card, p, j, c) for c in payable for j in free for p in discs]


def may_replace(state: CouncilState, i: int, code: int) -> bool:
    """Whether the figure `code` may take the place of the piece on ring index i: an own disc."""
    there = state.ring[i]
    own = COLOUR_OF[there] in state.colours(state.turn) and not is_figure(there)
    same = COLOUR_OF[there] == COLOUR_OF[code]
    return own and (same or not state.game.swap_same_colour)


_SEATS: dict[tuple[str, str, int, int | None], TakeSeat] = {}


def _take_seat(card: str, piece: str, i: int, paying: int | None) -> TakeSeat:
    key = (card, piece, i, paying)
    found = _SEATS.get(key)
    if found is None:
        colour = None if paying is None else PLAYER_COLOURS[paying]
        found = _SEATS[key] = TakeSeat(card, piece, RING[i], colour)
    return found


@lru_cache(maxsize=4096)
def _replace(card: str, code: int, i: int) -> Replace:
    return Replace(card, PIECES[code], RING[i])


# --- persuade ----------------------------------------------------------------------------------------


def persuasions(state: CouncilState) -> list[Action]:
    has = state.has(state.turn)
    if not any(has):
        return []
    ring, mine = state.ring, state.faction(state.turn)
    sides = [FACTION_OF[code] for code in ring]
    actions: list[Action] = []
    discs: list[str] = []
    for i, (before, here) in enumerate(zip(sides[-1:] + sides, sides, strict=False)):
        if before ^ here != 1:  # only Pro beside Contra gives 1: 0 and 1 are factions, -1 an empty seat
            continue
        source, target = ((i - 1) % SEATS, i) if before == mine else (i, (i - 1) % SEATS)
        price = cost(ring, state.sizes(), source, target, state.voting, state.game.vote_equal_discount)
        colour = FIELD_COLOUR[source]
        for paying in ANY if colour < 0 else (colour,):
            if has[paying] >= price:
                discs = discs or state.new_discs(state.turn)
                actions += [_persuade(source, target, disc, price, paying) for disc in discs]
    return actions


_PERSUADE: dict[tuple[int, int, str, int, int], Persuade] = {}


def _persuade(source: int, target: int, piece: str, price: int, paying: int) -> Persuade:
    key = (source, target, piece, price, paying)
    found = _PERSUADE.get(key)
    if found is None:
        found = Persuade(RING[source], RING[target], piece, price, PLAYER_COLOURS[paying])
        _PERSUADE[key] = found
    return found


LIFT = tuple(Lift(field) for field in RING)
DISCARD = {card: Discard(card) for card in ALL_CARDS}
CONFER = {card: Confer(card) for card in (*ALL_CARDS, UNKNOWN)}
GIVE_BACK = {card: GiveBack(card) for card in (*ALL_CARDS, UNKNOWN)}
