"""Hands, a pile and its discards: what is known of one deck at a table where most cards are hidden.

Sets of cards are bit masks (bit i is ALL_CARDS[i]). A hand holds known cards, and a number of unknown ones
from each *pool*. A pool is a set of cards that have not been shown since they were last shuffled: every
card of it lies in a hand or, for the last pool, in the pile. So a card that went back into the pile can not
be in the hand of somebody who has not drawn since, and that is all that can be told from open cards.

>>> hands = Hands.fresh(mask_of(("1-day", "2-day", "3-day")), seats=2)
>>> hands = hands.draw(0, UNKNOWN).draw(1, "2-day")
>>> hands.size(0), cards_of(hands.possible(0)), hands.pile_count
(1, ('1-day', '3-day'), 1)
>>> hands.holds(0, "2-day"), hands.play(0, "3-day").size(0)
(False, 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.action import Action, Notation
from engine.cards import ALL_CARDS, UNKNOWN, fits
from engine.errors import IllegalActionError, StateError
from engine.words import Text, name

BIT: dict[str, int] = {card: 1 << i for i, card in enumerate(ALL_CARDS)}


def mask_of(cards: Iterable[str]) -> int:
    """The set of these cards."""
    return sum(BIT[card] for card in cards)


@cache
def mask_like(seen: str) -> int:
    """The set of the cards that `seen` can be, which may say little: "??", "??-white", "7-??"."""
    return mask_of(card for card in ALL_CARDS if fits(card, seen))


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a set, in the order of ALL_CARDS."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(ALL_CARDS[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(cards)


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """A card goes from the pile into a hand (chance); "??" where nobody else may see it."""

    notation = Notation("{player} draws {card}", "{player} zieht {card}")
    title = Text("deals and draws", "Austeilen und Ziehen")
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """The pile is empty: the played cards are shuffled and become the pile (chance)."""

    notation = Notation("shuffle the discards", "mische die Ablage")
    title = Text("deals and draws", "Austeilen und Ziehen")


SHUFFLE = Shuffle()


@cache
def drawing(player: str, card: str) -> Draw:
    """The one object for this draw."""
    return Draw(player, card)


class Hands:
    """The cards of one deck. Immutable; seats are numbered 0, 1, ...

    known: per seat the set of cards known to be in that hand. unknown: per seat, for each pool, how many
    further cards of it are held. pools: disjoint sets, the last one is that of the pile. discards: the
    set of cards that were shown and put away. unread: for each pool, how many cards of it were put away
    without anybody having read them."""

    __slots__ = ("discards", "known", "pools", "unknown", "unread")

    def __init__(
        self,
        known: tuple[int, ...],
        unknown: tuple[tuple[int, ...], ...],
        pools: tuple[int, ...],
        discards: int,
        unread: tuple[int, ...] | None = None,
    ) -> None:
        self.known = known
        self.unknown = unknown
        self.pools = pools
        self.discards = discards
        self.unread = unread or (0,) * len(pools)

    @classmethod
    def fresh(cls, deck: int, seats: int) -> Hands:
        """All of `deck` in the pile, nobody holds a card."""
        return cls((0,) * seats, ((0,),) * seats, (deck,), 0)

    # --- asking ----------------------------------------------------------------------------------

    @property
    def held(self) -> int:
        """All cards known to be in some hand."""
        held = 0
        for mask in self.known:
            held |= mask
        return held

    @property
    def pile(self) -> int:
        """The cards that may be in the pile; exactly the pile where every hand and card played is known."""
        return self.pools[-1] & ~self.held

    @property
    def pile_count(self) -> int:
        return self.pile.bit_count() - sum(counts[-1] for counts in self.unknown) - self.unread[-1]

    @property
    def has_discards(self) -> bool:
        """Whether there are cards to be shuffled, read or not."""
        return bool(self.discards) or any(self.unread)

    def size(self, seat: int) -> int:
        """How many cards this seat holds, known or not."""
        return self.known[seat].bit_count() + sum(self.unknown[seat])

    def possible(self, seat: int) -> int:
        """The cards that may be in this hand. Where cards were put away unread it may have been more of them
        than was told: the discards may have been shuffled since."""
        possible = self.known[seat]
        counts = self.unknown[seat]
        if any(counts):
            free = ~self.held
            if any(self.unread):
                possible |= self.discards & free
            for pool, count in zip(self.pools, counts, strict=True):
                if count:
                    possible |= pool & free
        return possible

    def holds(self, seat: int, card: str) -> bool:
        """Whether this card can be in this hand."""
        return card in BIT and bool(self.possible(seat) & BIT[card])

    def was_shuffled_before(self, card: str) -> bool:
        """Whether this card in a hand tells that the discards have become the pile, which nobody noticed."""
        return bool(BIT.get(card, 0) & self.discards) and any(self.unread)

    def can_hold_all(self, seat: int, cards: int) -> bool:
        """Whether all cards of the set `cards` can be in this hand together."""
        told = cards & ~self.known[seat]
        if not told:
            return True
        if told & self.held:
            return False
        for pool, count in zip(self.pools, self.unknown[seat], strict=True):
            if (told & pool).bit_count() > count:
                return False
            told &= ~pool
        return not told

    def most_of(self, seat: int, cards: int) -> int:
        """How many cards of the set `cards` can be in this hand together."""
        if any(self.unread):  # the discards may have been shuffled since
            return min(self.size(seat), (self.possible(seat) & cards).bit_count())
        free = cards & ~self.held
        return (self.known[seat] & cards).bit_count() + sum(
            min(count, (pool & free).bit_count())
            for pool, count in zip(self.pools, self.unknown[seat], strict=True)
        )

    def can_all_be_among(self, seat: int, cards: int) -> bool:
        """Whether, for all that is known, the whole hand may be made of cards of the set `cards`."""
        if self.known[seat] & ~cards:
            return False
        free = cards & ~self.held
        return all(
            (pool & free).bit_count() >= count
            for pool, count in zip(self.pools, self.unknown[seat], strict=True)
        )

    def why_not_hold(self, seat: int, player: str, card: str) -> Text | None:
        """Why this card cannot be in this hand; None if it can. What is known of it may be little."""
        if not mask_like(card):
            return Text(f"there is no card {card}", f"eine Karte {card} gibt es nicht")
        if self.possible(seat) & mask_like(card):
            return None
        shown = name(card)
        if not any(pool & mask_like(card) for pool in self.pools):
            return shown + Text(" has been played already", " ist schon gespielt")
        if not self.size(seat):
            return name(player) + Text(" has no card left", " hat keine Karte mehr")
        return name(player) + Text(" cannot hold ", " kann diese Karte nicht haben: ") + shown

    # --- moving cards ----------------------------------------------------------------------------

    def draw(self, seat: int, card: str) -> Hands:
        """The top of the pile goes to this seat: a known card, or "??"."""
        if card == UNKNOWN:
            counts = self.unknown[seat]
            return self._with_unknown(seat, (*counts[:-1], counts[-1] + 1))
        return self._with_known(seat, self.known[seat] | BIT[card])

    def play(self, seat: int, card: str) -> Hands:
        """The card leaves this hand openly; it is on the table until `put_away`."""
        bit = BIT[card]
        if self.was_shuffled_before(card):
            return self.shuffle().play(seat, card)
        pools = tuple(pool & ~bit for pool in self.pools)
        known = self.known
        if known[seat] & bit:
            known = (*known[:seat], known[seat] & ~bit, *known[seat + 1 :])
            return Hands(known, self.unknown, pools, self.discards, self.unread)
        counts = tuple(
            count - bool(pool & bit) for pool, count in zip(self.pools, self.unknown[seat], strict=True)
        )
        unknown = (*self.unknown[:seat], counts, *self.unknown[seat + 1 :])
        return Hands(known, unknown, pools, self.discards, self.unread)

    def turn_up(self, card: str) -> Hands:
        """The top of the pile is turned up; it is on the table until `put_away`."""
        pools = tuple(pool & ~BIT[card] for pool in self.pools)
        return Hands(self.known, self.unknown, pools, self.discards, self.unread)

    def put_away(self, cards: int) -> Hands:
        """Cards from the table go to the discards."""
        return Hands(self.known, self.unknown, self.pools, self.discards | cards, self.unread)

    def play_away(self, seat: int, card: str) -> Hands:
        """The card leaves this hand for the discards. Of a card that nobody read (`mask_like`) the discards
        hold one more unread; where it may have come from several pools they run together."""
        if card in BIT:
            return self.play(seat, card).put_away(BIT[card])
        cards, counts = mask_like(card), self.unknown[seat]
        free = cards & ~self.held
        sources = [i for i, pool in enumerate(self.pools) if counts[i] and pool & free]
        if len(sources) != 1 or self.known[seat] & cards:
            forgotten = self.known[seat] & cards  # it may have been one of these
            merged = self._with_known(seat, self.known[seat] & ~forgotten)._merged()
            held = merged.unknown[seat][0] + forgotten.bit_count()
            return merged._with_unknown(seat, (held - 1,))._with_unread((merged.unread[0] + 1,))
        [source] = sources
        fewer = tuple(count - (i == source) for i, count in enumerate(counts))
        more = tuple(count + (i == source) for i, count in enumerate(self.unread))
        return self._with_unknown(seat, fewer)._with_unread(more)

    def turn_away(self, card: str) -> Hands:
        """The top of the pile is turned up, and goes to the discards, read or not."""
        if card in BIT:
            return self.turn_up(card).put_away(BIT[card])
        return self._with_unread((*self.unread[:-1], self.unread[-1] + 1))

    def shuffle(self, with_seats: Iterable[int] = ()) -> Hands:
        """The discards become the pile, together with the hands of `with_seats` (who left the game)."""
        back = [seat for seat in with_seats if self.size(seat)]
        if back or any(self.unread):  # nobody can tell which cards those were: all pools run together
            merged = self._merged(with_discards=True)
            known, unknown = list(merged.known), list(merged.unknown)
            for seat in back:
                known[seat], unknown[seat] = 0, (0,)
            return Hands(tuple(known), tuple(unknown), merged.pools, 0)
        alive = [i for i, pool in enumerate(self.pools) if pool]
        kept = (*(self.pools[i] for i in alive), self.discards)
        counts = tuple((*(row[i] for i in alive), 0) for row in self.unknown)
        return Hands(self.known, counts, kept, 0)

    def hand_over(self, giver: int, taker: int, card: str) -> Hands:
        """A card ("??" if unknown) changes hands unseen; from now on nobody can tell which pool an
        unknown card comes from, so the pools run together."""
        merged = self._merged()
        known, unknown = list(self.known), [row[0] for row in merged.unknown]
        if card == UNKNOWN:
            unknown[giver] -= 1
            unknown[taker] += 1
        else:
            known[giver] &= ~BIT[card]
            known[taker] |= BIT[card]
        counts = tuple((count,) for count in unknown)
        return Hands(tuple(known), counts, merged.pools, self.discards, merged.unread)

    def _merged(self, with_discards: bool = False) -> Hands:
        """All pools as one; the discards may be among them, unread ones too."""
        merged = self.discards if with_discards else 0
        for pool in self.pools:
            merged |= pool
        counts = tuple((sum(row),) for row in self.unknown)
        if with_discards:
            return Hands(self.known, counts, (merged,), 0)
        return Hands(self.known, counts, (merged,), self.discards, (sum(self.unread),))

    def _with_known(self, seat: int, mask: int) -> Hands:
        known = (*self.known[:seat], mask, *self.known[seat + 1 :])
        return Hands(known, self.unknown, self.pools, self.discards, self.unread)

    def _with_unknown(self, seat: int, counts: tuple[int, ...]) -> Hands:
        unknown = (*self.unknown[:seat], counts, *self.unknown[seat + 1 :])
        return Hands(self.known, unknown, self.pools, self.discards, self.unread)

    def _with_unread(self, counts: tuple[int, ...]) -> Hands:
        return Hands(self.known, self.unknown, self.pools, self.discards, counts)

    # --- who knows what --------------------------------------------------------------------------

    def seen_by(self, visible: Sequence[int]) -> Hands:
        """These hands as somebody knows them who sees, of seat i, only the cards in visible[i]."""
        unknown = []
        for mask, counts, open_cards in zip(self.known, self.unknown, visible, strict=True):
            hidden = mask & ~open_cards
            if hidden:
                counts = tuple(
                    count + (pool & hidden).bit_count()
                    for pool, count in zip(self.pools, counts, strict=True)
                )
            unknown.append(counts)
        known = tuple(mask & open_cards for mask, open_cards in zip(self.known, visible, strict=True))
        return Hands(known, tuple(unknown), self.pools, self.discards, self.unread)

    def tell(self, seat: int, player: str, cards: Sequence[str]) -> Hands:
        """Unknown cards of this seat become known. `cards` may be a part of the hand; "??" tells nothing.

        Raises IllegalActionError when the hand cannot be that."""
        told = {card for card in cards if card != UNKNOWN}
        nameless = next((card for card in told if card not in BIT), None)
        if nameless is not None:
            raise IllegalActionError(
                Text(f"there is no card {nameless}", f"eine Karte {nameless} gibt es nicht")
            )
        if len(cards) > self.size(seat) or len(told) + cards.count(UNKNOWN) != len(cards):
            held, listed = self.size(seat), ", ".join(cards)
            more = Text(f" holds {held} cards, told were {listed}", f" hat {held} Karten, genannt: {listed}")
            raise IllegalActionError(name(player) + more)
        hands = self
        for card in cards:
            if card == UNKNOWN:
                continue
            reason = hands.why_not_hold(seat, player, card)
            if reason is not None:
                raise IllegalActionError(reason)
            hands = hands._reveal(seat, BIT[card])
        return hands

    def _reveal(self, seat: int, bit: int) -> Hands:
        if self.known[seat] & bit:
            return self
        counts = tuple(
            count - bool(pool & bit) for pool, count in zip(self.pools, self.unknown[seat], strict=True)
        )
        if min(counts) < 0:
            raise IllegalActionError(
                Text("not all of these cards can be in this hand", "diese Hand kann es so nicht geben")
            )
        return self._with_unknown(seat, counts)._with_known(seat, self.known[seat] | bit)

    # --- as data ---------------------------------------------------------------------------------

    def hand_json(self, seat: int) -> list[str]:
        """The cards of one hand, "??" for each that is not known."""
        return [*cards_of(self.known[seat]), *[UNKNOWN] * sum(self.unknown[seat])]

    def to_json(self, players: Sequence[str]) -> dict[str, Any]:
        """hands, discards, and `unseen`: the pools, each with the number of its unknown cards per hand, and
        of those among the discards that nobody has read."""
        return {
            "hands": {player: self.hand_json(seat) for seat, player in enumerate(players)},
            "discards": list(cards_of(self.discards)),
            "unseen": [
                {
                    "cards": list(cards_of(pool)),
                    "unknown": {player: row[i] for player, row in zip(players, self.unknown, strict=True)},
                    **({"unread": self.unread[i]} if self.unread[i] else {}),
                }
                for i, pool in enumerate(self.pools)
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], players: Sequence[str], deck: int) -> Hands:
        """What `to_json` wrote. Raises StateError naming what is wrong; `deck` is the set of all cards."""
        try:
            pools = tuple(_checked_mask(entry["cards"]) for entry in data["unseen"])
            unknown = tuple(
                tuple(int(entry["unknown"][player]) for entry in data["unseen"]) for player in players
            )
            known = tuple(
                _checked_mask(card for card in data["hands"][player] if card != UNKNOWN) for player in players
            )
            discards = _checked_mask(data["discards"])
            unread = tuple(int(entry.get("unread", 0)) for entry in data["unseen"])
        except (KeyError, TypeError, ValueError) as error:
            raise StateError(f"hands, discards or unseen cards cannot be read: {error!r}") from error
        hands = cls(known, unknown, pools, discards, unread)
        hands._check(players, data["hands"], deck)
        return hands

    def _check(self, players: Sequence[str], written: Mapping[str, Any], deck: int) -> None:
        if not self.pools:
            raise StateError("'unseen' needs at least the cards of the pile")
        parts = [*self.pools, self.discards]
        together = sum(part.bit_count() for part in parts)
        union = 0
        for part in parts:
            union |= part
        if together != union.bit_count() or union & ~deck:
            raise StateError("each card of the deck lies in one place: hands, pile and discards contradict")
        held = sum(mask.bit_count() for mask in self.known)
        if held != self.held.bit_count() or self.held & (self.discards | ~union):
            raise StateError("a card is in two hands, or in a hand and among the discards")
        for seat, player in enumerate(players):
            if len(written[player]) != self.size(seat):
                raise StateError(f"the hand of {player} and the counts of its unknown cards disagree")
        for i, pool in enumerate(self.pools):
            in_hands = sum(row[i] for row in self.unknown) + (pool & self.held).bit_count() + self.unread[i]
            last = i == len(self.pools) - 1
            if in_hands > pool.bit_count() or (in_hands < pool.bit_count() and not last):
                raise StateError(
                    f"{pool.bit_count()} unseen cards cannot be the {in_hands} unknown cards in hands"
                )


def _checked_mask(cards: Iterable[Any]) -> int:
    listed = list(cards)
    wrong = [card for card in listed if card not in BIT]
    if wrong or len(set(listed)) != len(listed):
        raise StateError(f"expected different known cards, found {', '.join(map(str, listed))}")
    return mask_of(listed)
