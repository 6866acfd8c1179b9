"""Knowledge of cards: where a card can be, what an event may bring, what each player may know.

Every number card exists once, so a card can be in a hidden place if nobody knows it to be elsewhere and
the other hidden places can still be filled: hands hold number cards, face-down projects a day card that
was playable when it was laid, and triliths are only in the pile (or unread in the display)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from engine.action import Action
from engine.errors import IllegalActionError, StateError
from engine.game import Outcome
from engine.games.build import actions as act
from engine.games.build import phases
from engine.games.build.ground import (
    CARD_OF,
    CARDS,
    DAYS,
    FIRST_TRILITH_CARD,
    HIDDEN,
    HIDDEN_DAY,
    NO_CARD,
    NUMBERS,
    TRILITH_CARDS,
    bits,
)
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.build.state import BuildState

    S = TypeVar("S", bound=BuildState)


# --- where a card can be ---------------------------------------------------------------------------


def fitting(state: BuildState, cards: int, *, besides: int = -1) -> int:
    """Those of the unseen `cards` that leave a day card for every face-down project (`besides` that of
    one seat, which is about to be told)."""
    days = state.unseen & DAYS
    masks = [
        could_be & days
        for seat, could_be in enumerate(state.could_be)
        if state.projects[seat] == HIDDEN_DAY and seat != besides
    ]
    if not masks or min(mask.bit_count() for mask in masks) > len(masks):
        return cards
    return sum(1 << card for card in bits(cards) if _can_be_filled(masks, 1 << card))


def _can_be_filled(masks: Sequence[int], gone: int) -> bool:
    """Hall's condition: any group of face-down projects has as many cards to be between them."""
    for group in range(1, 1 << len(masks)):
        union = 0
        for index in bits(group):
            union |= masks[index]
        if (union & ~gone).bit_count() < group.bit_count():
            return False
    return True


def hand_options(state: BuildState, seat: int) -> int:
    """The cards that `seat` holds or may hold."""
    if not state.unknown[seat]:
        return state.hands[seat]
    return state.hands[seat] | fitting(state, state.unseen & NUMBERS)


def face_down_options(state: BuildState, seat: int) -> int:
    """The day cards that the face-down project of `seat` can be."""
    card = state.projects[seat]
    if card < HIDDEN:
        return 1 << card
    return fitting(state, state.unseen & DAYS & state.could_be[seat], besides=seat)


def may_give_unknown(state: BuildState) -> bool:
    """Whether a card can be given that nobody reads."""
    return state.game.half_seen


def whereabouts(state: BuildState, card: int) -> Text:
    """Where everybody at this table knows `card` to be."""
    subject, bit = name(CARDS[card]), 1 << card
    for seat, player in enumerate(state.players):
        owner = name(player)
        if state.hands[seat] & bit:
            return subject + Text(" is in the hand of ", " ist auf der Hand von ") + owner
        if state.projects[seat] == card:
            return subject + Text(" lies in the yard of ", " liegt im Bauhof von ") + owner
        if card in state.influence[seat]:
            return subject + Text(" is an influence card of ", " ist eine Einflusskarte von ") + owner
    if card in state.display:
        return subject + Text(" lies in the display", " liegt in der Auslage")
    if card in state.under:
        return subject + Text(" lies under the pile", " liegt unter dem Stapel")
    if state.box & bit:
        return subject + Text(" is out of the game", " ist aus dem Spiel")
    return subject + Text(" is not in that place", " ist nicht an dieser Stelle")


def lose_sight_of_influence(new: BuildState, seat: int) -> None:
    """Of the influence cards of `seat` one is used, and nobody reads which."""
    cards = new.influence[seat]
    if len(set(cards)) > 1:
        new.unseen |= sum(1 << card for card in cards if card != HIDDEN)
        new.influence = (*new.influence[:seat], (HIDDEN,) * len(cards), *new.influence[seat + 1 :])


def holds_refused(state: BuildState, seat: int, card: int) -> Text | None:
    """Refused when the card cannot be in the hand."""
    if hand_options(state, seat) >> card & 1:
        return None
    if state.unseen >> card & 1 and state.unknown[seat]:
        return name(CARDS[card]) + Text(
            " must be one of the face-down projects", " muss eines der verdeckten Bauprojekte sein"
        )
    if state.unseen >> card & 1:
        return name(CARDS[card]) + Text(" is not in this hand", " ist nicht auf dieser Hand")
    return whereabouts(state, card)


# --- moving cards between hidden places --------------------------------------------------------------


def viewers_of(state: BuildState, card: int) -> int:
    """The mask of viewers (seats, then an onlooker) who know where the hidden `card` is."""
    if card >= HIDDEN:
        return 0
    return sum((known >> card & 1) << viewer for viewer, known in enumerate(state.known))


def _set_viewers(new: BuildState, card: int, viewers: int) -> None:
    bit = 1 << card
    new.known = tuple(
        [known | bit if viewers >> viewer & 1 else known & ~bit for viewer, known in enumerate(new.known)]
    )


def show_to_all(new: BuildState, card: int) -> None:
    _set_viewers(new, card, -1)


def put_in_hand(new: BuildState, seat: int, card: int, viewers: int) -> None:
    """`card` (or HIDDEN) comes to a hand; the mask `viewers` and the player himself know which it is."""
    if card >= HIDDEN:
        new.unknown = _plus(new.unknown, seat, 1)
        return
    new.hands = _plus(new.hands, seat, 1 << card)
    _set_viewers(new, card, viewers | 1 << seat)


def take_from_hand(new: BuildState, seat: int, card: int) -> None:
    """`card` leaves a hand openly; an unknown card may turn out to be it."""
    bit = 1 << card
    if new.hands[seat] & bit:
        new.hands = _plus(new.hands, seat, -bit)
    else:
        new.unknown = _plus(new.unknown, seat, -1)
        new.unseen &= ~bit


def leave_hand_hidden(new: BuildState, seat: int, card: int, among: int, viewers: int = 0) -> None:
    """A card leaves a hand face down; it could have been any of `among`. Whoever does not see it (only
    the player and `viewers` do) no longer knows which of those are still in the hand."""
    if card >= HIDDEN:
        lost = new.hands[seat] & among
        new.hands = _plus(new.hands, seat, -lost)
        new.unknown = _plus(new.unknown, seat, lost.bit_count() - 1)
        new.unseen |= lost
        new.known = tuple([known & ~lost for known in new.known])
        return
    viewers |= 1 << seat
    lost = new.hands[seat] & among
    take_from_hand(new, seat, card)
    new.known = tuple(
        [known if viewers >> viewer & 1 else known & ~lost for viewer, known in enumerate(new.known)]
    )
    _set_viewers(new, card, viewers)


def put_under_unseen(new: BuildState, card: int) -> None:
    """A face-down card goes below the pile; from now on nobody is held to remember which it was."""
    if card < HIDDEN:
        _set_viewers(new, card, 0)
        if new.game.half_seen:
            new.unseen |= 1 << card
    new.under = (*new.under, HIDDEN if new.game.half_seen else card)


def show_hand(new: BuildState, seat: int, cards: Iterable[int]) -> None:
    """A blocked player's hand is shown; in a half-seen game only as far as somebody notes it."""
    for card in cards if new.game.half_seen else bits(new.hands[seat]):
        if not new.hands[seat] >> card & 1:
            take_from_hand(new, seat, card)
            new.hands = _plus(new.hands, seat, 1 << card)
        show_to_all(new, card)


def _plus(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return (*values[:index], values[index] + more, *values[index + 1 :])


# --- events ------------------------------------------------------------------------------------------


def dealt_seat(state: BuildState) -> int:
    """Who gets the next card: at the start the players in turn, later the one who draws."""
    if state.phase != phases.DEALING:
        return state.seat
    sizes = [state.hand_size(seat) for seat in range(len(state.players))]
    return sizes.index(min(sizes))


def event_cards(state: BuildState) -> tuple[int, bool]:
    """What the due event can bring: the mask of cards, and whether it may stay unread."""
    half_seen = state.game.half_seen
    if state.phase == phases.DEALING:
        return state.unseen & NUMBERS, half_seen
    if state.slot < 0 and not state.top and state.under[0] < HIDDEN:
        return 1 << state.under[0], False
    if not half_seen:
        return state.unseen, False
    cards = fitting(state, state.unseen & NUMBERS)
    if state.slot < 0 and not state.top:
        return cards, True
    triliths = 0 if state.slot >= 0 and state.got_trilith else state.unseen & TRILITH_CARDS
    if state.hidden_slots() <= state.unseen_triliths():
        return triliths, state.phase == phases.DISPLAY
    return cards | triliths, True


def destination(state: BuildState, card: int) -> str:
    """Where a card that is dealt or drawn goes: to a player's hand, a yard, or back below the pile."""
    seat = dealt_seat(state)
    if not FIRST_TRILITH_CARD <= card < HIDDEN:
        return state.players[seat]
    return act.PILE if state.got_trilith else state.setup.yards[seat]


def outcomes(state: BuildState) -> tuple[Outcome, ...]:
    """The due event's outcomes. In a half-seen game a number card that comes to a hand is "??" (it can
    still be stated by its name, when the player or the display shows it)."""
    cards, unread = event_cards(state)
    if state.phase == phases.DISPLAY:
        return _turned_up(state, cards, unread)
    hand, yard = (act.DEAL[destination(state, card)] for card in (0, FIRST_TRILITH_CARD))
    numbers, triliths = cards & NUMBERS, cards & TRILITH_CARDS
    if not unread:
        share = 1 / cards.bit_count()
        return (
            *[(hand[card], share) for card in bits(numbers)],
            *[(yard[card], share) for card in bits(triliths)],
        )
    part = _trilith_part(state, cards)
    each = part / triliths.bit_count() if triliths else 0.0
    return ((hand[HIDDEN], 1 - part), *[(yard[card], each) for card in bits(triliths)])


# How often nobody can read a card of the display.
UNREADABLE = 0.01


def _turned_up(state: BuildState, cards: int, unread: bool) -> tuple[Outcome, ...]:
    table = act.TURN_UP[state.display.index(NO_CARD)]
    if not unread:
        share = 1 / cards.bit_count()
        return tuple([(table[card], share) for card in bits(cards)])
    if not cards:
        return ((table[HIDDEN], 1.0),)
    numbers, triliths = cards & NUMBERS, cards & TRILITH_CARDS
    part = _trilith_part(state, cards) if numbers else 1.0
    each_number = (1 - UNREADABLE) * (1 - part) / max(1, numbers.bit_count())
    each_trilith = (1 - UNREADABLE) * part / max(1, triliths.bit_count())
    return (
        (table[HIDDEN], UNREADABLE),
        *[(table[card], each_number) for card in bits(numbers)],
        *[(table[card], each_trilith) for card in bits(triliths)],
    )


def _trilith_part(state: BuildState, cards: int) -> float:
    """How likely the next card of the pile, of those in the mask `cards`, is a trilith."""
    return state.unseen_triliths() / state.hidden_slots() if cards & TRILITH_CARDS else 0.0


# --- what a player may know ----------------------------------------------------------------------------


def _viewer(state: BuildState, player: str | None) -> int:
    if player is None:
        return len(state.players)
    if player not in state.players:
        raise StateError(f"{player} is not a player here; the players are {', '.join(state.players)}")
    return state.players.index(player)


def view(state: S, player: str | None) -> S:
    """The state as `player` (None: an onlooker) knows it."""
    known = state.known[_viewer(state, player)]
    new = state._copy()
    new.game = state.game.as_half_seen()
    hidden = [hand & ~known for hand in state.hands]
    new.hands = tuple([hand & known for hand in state.hands])
    new.unknown = tuple([n + cards.bit_count() for n, cards in zip(state.unknown, hidden, strict=True)])
    forgotten = sum(hidden)
    projects = list(state.projects)
    for seat in bits(state.face_down):
        if projects[seat] < HIDDEN and not known >> projects[seat] & 1:
            forgotten |= 1 << projects[seat]
            projects[seat] = HIDDEN_DAY
    new.projects = tuple(projects)
    for card in state.under:
        if card < HIDDEN and not known >> card & 1:
            forgotten |= 1 << card
    new.under = tuple([HIDDEN if card < HIDDEN and forgotten >> card & 1 else card for card in state.under])
    new.unseen |= forgotten
    new.known = tuple([others & known for others in state.known])
    return new


def as_seen(state: BuildState, action: Action, player: str | None) -> Action:
    """The action as `player` sees it happen."""
    viewer = _viewer(state, player)
    match action:
        case act.Deal(card, to):
            seen = to == player or to not in state.players or state.known[viewer] >> CARD_OF[card] & 1
            return action if seen or state.slot >= 0 else act.DEAL[to][HIDDEN]
        case act.PlayDay():
            return action if player == state.to_move else act.PLAY_DAY[HIDDEN_DAY]
        case act.Discard():
            return action if player == state.to_move else act.DISCARD[HIDDEN]
        case act.Give():
            open_cards = state.game.variant["steal_cards_open"] or viewer in (state.seat, state.victim)
            return action if open_cards else act.GIVE[HIDDEN]
        case act.Blocked():
            hand = tuple(CARDS[card] for card in bits(state.hands[state.seat]))
            return action if state.game.half_seen else act.Blocked(hand)
    return action


def with_hand(state: S, player: str, cards: Sequence[str]) -> S:
    """The state with the hand that `player` told, known to nobody else."""
    seat = _viewer(state, player)
    numbers = [CARD_OF.get(card, NO_CARD) for card in cards]
    told = sorted(card for card in numbers if card != HIDDEN)
    if NO_CARD in numbers or len(set(told)) != len(told) or any(card >= FIRST_TRILITH_CARD for card in told):
        in_german = ", ".join(name(card).de for card in cards)
        raise IllegalActionError(
            Text(
                f"a hand holds different number cards, not {', '.join(cards)}",
                f"eine Hand enthält verschiedene Zahlenkarten, nicht {in_german}",
            )
        )
    size = state.hand_size(seat)
    if len(cards) != size:
        raise IllegalActionError(
            name(player)
            + Text(
                f" holds {size} cards, {len(cards)} were named", f" hat {size} Karten, genannt: {len(cards)}"
            )
        )
    new = state._copy()
    for card in bits(state.hands[seat] & ~sum(1 << card for card in told)):
        raise IllegalActionError(whereabouts(state, card))
    for card in told:
        if new.hands[seat] >> card & 1:
            continue
        refused = holds_refused(new, seat, card)
        if refused is not None:
            raise IllegalActionError(refused)
        take_from_hand(new, seat, card)
        put_in_hand(new, seat, card, 0)
    return new
