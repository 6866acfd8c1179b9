"""Where the 65 cards of Opferroulette are, as far as the record knows.

A set of cards is a bit mask over `ALL_CARDS`: day cards 1..30, night cards 1..30, triliths; number cards
have the index of their pit. The pile is played through several times. Each time it starts a new *pass* from
the cards that were discarded, so that a card nobody has seen is known by the pass in which it was drawn:
a hidden hand card can only be one of that pass's cards that have not been shown since.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from engine.cards import ALL_CARDS, UNKNOWN, colour_of, number_of

T = TypeVar("T")
INDEX: Final = {card: index for index, card in enumerate(ALL_CARDS)}
EVERY_CARD: Final = (1 << len(ALL_CARDS)) - 1
NUMBER_CARD: Final = (1 << 60) - 1
TRILITH_CARD: Final = EVERY_CARD & ~NUMBER_CARD
NUMBER: Final = tuple(number_of(card) or 0 for card in ALL_CARDS)
COLOUR: Final = tuple(str(colour_of(card)) for card in ALL_CARDS)
OF_COLOUR: Final = {
    colour: sum(1 << i for i in range(60) if COLOUR[i] == colour)
    for colour in ("white", "blue", "green", "yellow", "red", "black")
}


def indices(mask: int) -> list[int]:
    """The cards of a mask as indices, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def cards_in(mask: int) -> list[str]:
    return [ALL_CARDS[index] for index in indices(mask)]


def mask_of(cards: list[str] | tuple[str, ...]) -> int:
    """The mask of known cards; KeyError for anything that is no card, ValueError for a double one."""
    mask = sum(1 << INDEX[card] for card in set(cards))
    if mask.bit_count() != len(cards):
        raise ValueError(f"a card exists once; found {', '.join(cards)}")
    return mask


class Cards(NamedTuple):
    """passes: for each pass of the pile so far the cards it brought (a card belongs to the last one that
    did). discard: the cards lying open. known: per player, the hand cards the record knows. unknown: per
    player and pass, how many hand cards it does not know. All other cards are in the pile."""

    passes: tuple[int, ...]
    discard: int
    known: tuple[int, ...]
    unknown: tuple[tuple[int, ...], ...]

    @classmethod
    def fresh(cls, players: int) -> Cards:
        return cls((EVERY_CARD,), 0, (0,) * players, ((0,),) * players)

    @property
    def unseen(self) -> int:
        """The cards that lie neither open nor in a hand known to the record."""
        located = self.discard
        for hand in self.known:
            located |= hand
        return EVERY_CARD & ~located

    @property
    def on_top(self) -> int:
        """The cards that may be the next one of the pile."""
        return self.passes[-1] & self.unseen

    @property
    def pile_size(self) -> int:
        return self.on_top.bit_count() - sum(counts[-1] for counts in self.unknown)

    def hand_size(self, player: int) -> int:
        return self.known[player].bit_count() + sum(self.unknown[player])

    def hand(self, player: int) -> tuple[str, ...]:
        """The hand as tokens, unknown cards last."""
        return (*cards_in(self.known[player]), *[UNKNOWN] * sum(self.unknown[player]))

    def may_hold(self, player: int) -> int:
        """The cards that `player` holds or, as far as the record knows, may hold."""
        mask, counts = self.known[player], self.unknown[player]
        if any(counts):
            unseen = self.unseen
            for cards, count in zip(self.passes, counts, strict=True):
                if count:
                    mask |= cards & unseen
        return mask

    def without(self, player: int, index: int) -> Cards:
        """After `player` played card `index` from his hand onto the discard pile."""
        bit = 1 << index
        cards = self if self.known[player] & bit else self.learned(player, bit)
        known = _replaced(cards.known, player, cards.known[player] & ~bit)
        return Cards(cards.passes, cards.discard | bit, known, cards.unknown)

    def learned(self, player: int, cards: int) -> Cards:
        """Unknown hand cards of `player` turn out to be `cards`, one of the possibilities."""
        counts = tuple(
            count - (cards & of_pass).bit_count()
            for count, of_pass in zip(self.unknown[player], self.passes, strict=True)
        )
        known = _replaced(self.known, player, self.known[player] | cards)
        return self._replace(known=known, unknown=_replaced(self.unknown, player, counts))

    def can_learn(self, player: int, cards: int) -> bool:
        """Whether unknown hand cards of `player` can be `cards`."""
        if cards & ~self.unseen:
            return False
        counts = zip(self.unknown[player], self.passes, strict=True)
        return all((cards & of_pass).bit_count() <= count for count, of_pass in counts)

    def forgotten(self, player: int) -> Cards:
        """The hand of `player` as others know it: how many cards from which pass."""
        hand = self.known[player]
        counts = tuple(
            count + (hand & of_pass).bit_count()
            for count, of_pass in zip(self.unknown[player], self.passes, strict=True)
        )
        return self._replace(
            known=_replaced(self.known, player, 0), unknown=_replaced(self.unknown, player, counts)
        )

    def dealt(self, player: int, index: int | None) -> Cards:
        """After `player` drew the top card of the pile; None: nobody else saw which."""
        if index is not None:
            return self._replace(known=_replaced(self.known, player, self.known[player] | 1 << index))
        counts = self.unknown[player]
        return self._replace(unknown=_replaced(self.unknown, player, (*counts[:-1], counts[-1] + 1)))

    def turned_up(self, index: int) -> Cards:
        """After the top card was turned up onto the discard pile."""
        return self._replace(discard=self.discard | 1 << index)

    def shuffled(self) -> Cards:
        """The discard pile becomes the pile of a new pass."""
        passes = (*(cards & ~self.discard for cards in self.passes), self.discard)
        return Cards(passes, 0, self.known, tuple((*counts, 0) for counts in self.unknown))


def _replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
