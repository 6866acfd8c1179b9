"""States as JSON data, with the names that people use, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.errors import StateError
from engine.game import CHANCE
from engine.games.build import phases
from engine.games.build.ground import (
    ALL,
    ALTAR,
    CARD_OF,
    CARDS,
    EVERYTHING,
    HIDDEN,
    NO_CARD,
    RING,
    SITE_OF,
    SITES,
    SUPPLY,
    Setup,
    bits,
)

if TYPE_CHECKING:
    from engine.games.build.game import Build
    from engine.games.build.state import BuildState

ONLOOKER = "onlooker"


def _cards(mask: int) -> list[str]:
    return [CARDS[card] for card in bits(mask)]


def _sites(mask: int) -> list[str]:
    return [SITES[site] for site in bits(mask)]


def _maybe_card(card: int) -> str | None:
    return None if card == NO_CARD else CARDS[card]


def to_json(state: BuildState) -> dict[str, Any]:
    """The game's own part of `State.to_json`."""
    seats = list(enumerate(state.players))
    return {
        "phase": state.phase,
        "turn_of": state.players[state.seat],
        "turns": state.turn,
        "neutral_colour": state.setup.neutral,
        "seats": {player: _seat(state, seat) for seat, player in seats},
        "neutral_blocks": _sites(state.owned[-1] & RING),
        "unmarked_triliths": _sites(state.owned[-1] & ~RING),
        "neutral_owner": owner_name(state),
        "triliths_with_disc": _sites(state.disc_on),
        "display": [_maybe_card(card) for card in state.display],
        "pile": {"shuffled": state.top, "below": [CARDS[card] for card in state.under]},
        "out_of_game": _cards(state.box),
        "out_of_game_unknown": list(state.box_hidden),
        "known": _known(state),
        "this_turn": {
            "sabotages": state.sabotages,
            "triliths_drawn": state.got_trilith,
            "unread_place": state.slot + 1,
            "robbed": state.players[state.victim] if state.victim >= 0 else None,
            "cards_owed": state.owed,
        },
    }


def _seat(state: BuildState, seat: int) -> dict[str, Any]:
    site = state.druids[seat]
    project = None
    if state.projects[seat] != NO_CARD:
        project = {
            "card": CARDS[state.projects[seat]],
            "face": "down" if state.face_down >> seat & 1 else "up",
            "parts": state.parts[seat],
            "marked": bool(state.marks >> seat & 1),
            "stolen": bool(state.loot >> seat & 1),
            "could_be": [number + 1 for number in bits(state.could_be[seat])],
        }
    return {
        "yard": state.setup.yards[seat],
        "hand": _cards(state.hands[seat]) + ["??"] * state.unknown[seat],
        "project": project,
        "druid": None if site == SUPPLY else "altar" if site == ALTAR else SITES[site],
        "rituals": state.rituals[seat],
        "discs": state.discs[seat],
        "built": _sites(state.owned[seat]),
        "influence": [CARDS[card] for card in state.influence[seat]],
        "blocked": bool(state.blocked >> seat & 1),
    }


def owner_name(state: BuildState) -> str | None:
    """The player who owns the neutral blocks, None while nobody does, "??" if nobody told."""
    if state.neutral_owner == phases.UNTOLD:
        return "??"
    return None if state.neutral_owner == phases.NOBODY else state.players[state.neutral_owner]


def _known(state: BuildState) -> dict[str, list[str]]:
    """Per viewer the cards of hidden places that he knows, without his own hand's."""
    hidden = 0
    for hand in state.hands:
        hidden |= hand
    for card in (*state.under, *(state.projects[seat] for seat in bits(state.face_down))):
        hidden |= 1 << card if 0 <= card < HIDDEN else 0
    own = (*state.hands, 0)
    names = (*state.players, ONLOOKER)
    return {names[viewer]: _cards(known & hidden & ~own[viewer]) for viewer, known in enumerate(state.known)}


# --- reading -----------------------------------------------------------------------------------------


class _Reader:
    """Reads keys of a JSON object and says which one is wrong."""

    def __init__(self, value: Mapping[str, Any], path: str = "") -> None:
        if not isinstance(value, Mapping):
            raise StateError(f"{path or 'a state'} is a JSON object, found {value!r}")
        self.value, self.path = value, path

    def _get(self, key: str) -> Any:
        if key not in self.value:
            raise StateError(f"the state lacks {self.path}{key!r}")
        return self.value[key]

    def wrong(self, key: str, expected: str) -> StateError:
        return StateError(f"{self.path}{key!r} is {expected}, found {self.value.get(key)!r}")

    def inside(self, key: str) -> _Reader:
        return _Reader(self._get(key), f"{self.path}{key}.")

    def number(self, key: str, low: int = 0, high: int = 99) -> int:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, f"a whole number from {low} to {high}")
        return value

    def flag(self, key: str) -> bool:
        if not isinstance(self._get(key), bool):
            raise self.wrong(key, "true or false")
        return bool(self.value[key])

    def one_of(self, key: str, choices: Sequence[Any]) -> Any:
        value = self._get(key)
        if value not in choices:
            raise self.wrong(key, "one of " + ", ".join(map(str, choices)))
        return value

    def listed(self, key: str, convert: Callable[[Any], int | None], what: str) -> list[int]:
        values = self._get(key)
        if not isinstance(values, list):
            raise self.wrong(key, f"a list of {what}")
        found = [convert(value) for value in values]
        if any(item is None for item in found):
            raise self.wrong(key, f"a list of {what}")
        return [item for item in found if item is not None]

    def mask(self, key: str, convert: Callable[[Any], int | None], what: str) -> int:
        found = self.listed(key, convert, what)
        if len(set(found)) != len(found):
            raise self.wrong(key, f"a list of different {what}")
        return sum(1 << item for item in found)


def _read_card(value: Any) -> int | None:
    return CARD_OF.get(value) if isinstance(value, str) else None


def _read_known_card(value: Any) -> int | None:
    card = _read_card(value)
    return card if card is not None and card < HIDDEN else None


def _read_site(value: Any) -> int | None:
    return SITE_OF.get(value) if isinstance(value, str) else None


def _read_place(value: Any) -> int | None:
    return NO_CARD if value is None else _read_card(value)


def from_json(game: Build, raw: Mapping[str, Any], players: tuple[str, ...], setup: Setup) -> BuildState:
    """The state that `to_json` wrote. Raises StateError naming what is wrong."""
    from engine.games.build.state import BuildState

    state = BuildState.opening(game, players, setup)
    read = _Reader(raw)
    state.phase = read.one_of("phase", phases.PHASES)
    state.seat = players.index(read.one_of("turn_of", players))
    state.turn = read.number("turns", high=100_000)
    _read_seats(state, read.inside("seats"))
    state.disc_on = read.mask("triliths_with_disc", _read_site, "trilith fields")
    neutral = read.mask("neutral_blocks", _read_site, "ring fields")
    unmarked = read.mask("unmarked_triliths", _read_site, "trilith fields")
    state.owned = (*state.owned[:-1], neutral | unmarked)
    state.built = sum(state.owned)
    owners: dict[str | None, int] = {None: phases.NOBODY, "??": phases.UNTOLD}
    owners.update({player: seat for seat, player in enumerate(players)})
    state.neutral_owner = owners[read.one_of("neutral_owner", tuple(owners))]
    display = read.listed("display", _read_place, "cards or null")
    if len(display) != 3:
        raise read.wrong("display", "a list of three cards or null")
    state.display = tuple(display)
    pile = read.inside("pile")
    state.top, state.under = pile.number("shuffled"), tuple(pile.listed("below", _read_card, "cards"))
    state.box = read.mask("out_of_game", _read_known_card, "cards")
    hidden = read.listed("out_of_game_unknown", lambda v: v if isinstance(v, int) else None, "two numbers")
    state.box_hidden = (hidden[0], hidden[1]) if len(hidden) == 2 else (0, 0)
    _read_turn(state, read.inside("this_turn"))
    known = read.inside("known")
    own = (*state.hands, 0)
    state.known = tuple(
        known.mask(name, _read_known_card, "cards") | own[viewer]
        for viewer, name in enumerate((*players, ONLOOKER))
    )
    _check(state)
    state.to_move = read.one_of("to_move", _movers(state.phase, players))
    return state


def _movers(phase: str, players: tuple[str, ...]) -> tuple[str | None, ...]:
    """Who can be to move in a phase."""
    if phase == phases.OVER:
        return (None,)
    return (CHANCE,) if phase in phases.EVENTS else players


def _read_turn(state: BuildState, read: _Reader) -> None:
    state.sabotages = read.number("sabotages")
    state.got_trilith = read.number("triliths_drawn", high=1)
    state.slot = read.number("unread_place", high=3) - 1
    robbed = read.one_of("robbed", (None, *state.players))
    state.victim = -1 if robbed is None else state.players.index(robbed)
    state.owed = read.number("cards_owed", high=2)


def _read_seats(state: BuildState, read: _Reader) -> None:
    seats = [read.inside(player) for player in state.players]
    hands = [seat.listed("hand", _read_card, "cards") for seat in seats]
    state.hands = tuple(sum(1 << card for card in set(hand) if card < HIDDEN) for hand in hands)
    state.unknown = tuple(hand.count(HIDDEN) for hand in hands)
    places: dict[str | None, int] = {None: SUPPLY, "altar": ALTAR}
    places.update(SITE_OF)
    state.druids = tuple(places[seat.one_of("druid", tuple(places))] for seat in seats)
    state.rituals = tuple(seat.number("rituals", high=2) for seat in seats)
    state.discs = tuple(seat.number("discs", high=10) for seat in seats)
    state.owned = (*(seat.mask("built", _read_site, "building sites") for seat in seats), 0)
    state.influence = tuple(tuple(seat.listed("influence", _read_card, "cards")) for seat in seats)
    state.blocked = sum(seat.flag("blocked") << index for index, seat in enumerate(seats))
    for index, seat in enumerate(seats):
        if seat.value.get("project") is not None:
            _read_project(state, seat.inside("project"), index)


def _read_project(state: BuildState, read: _Reader, seat: int) -> None:
    def put(values: tuple[int, ...], value: int) -> tuple[int, ...]:
        return (*values[:seat], value, *values[seat + 1 :])

    card = _read_card(read.one_of("card", CARDS))
    state.projects = put(state.projects, NO_CARD if card is None else card)
    state.face_down |= (read.one_of("face", ("up", "down")) == "down") << seat
    state.parts = put(state.parts, read.number("parts", high=3))
    state.marks |= read.flag("marked") << seat
    state.loot |= ("stolen" in read.value and read.flag("stolen")) << seat
    numbers = read.mask(
        "could_be", lambda n: n - 1 if isinstance(n, int) and 1 <= n <= 30 else None, "numbers"
    )
    state.could_be = put(state.could_be, numbers)


def _check(state: BuildState) -> None:
    """Every card is in one place, every site is built on once. Sets `unseen`."""
    located, total = 0, 0
    open_cards = [
        *(card for hand in state.hands for card in bits(hand)),
        *(card for card in state.projects if card != NO_CARD),
        *(card for cards in state.influence for card in cards),
        *(card for card in state.display if card != NO_CARD),
        *state.under,
        *bits(state.box),
    ]
    for card in open_cards:
        if card < HIDDEN and located >> card & 1:
            raise StateError(f"the card {CARDS[card]} is in two places at once")
        located |= 1 << card if card < HIDDEN else 0
    total = len(open_cards) + sum(state.unknown) + sum(state.box_hidden) + state.top
    if total != len(CARDS) - 2:
        raise StateError(f"the game has {len(CARDS) - 2} cards, the state accounts for {total}")
    state.unseen = ALL & ~located
    if state.built & ~EVERYTHING or sum(mask.bit_count() for mask in state.owned) != state.built.bit_count():
        raise StateError("a field is built on twice")
