"""What a camera sees of a state, and what can be told from one look at a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from engine.cards import PLAYER_COLOURS, ring_colour
from engine.errors import StateError
from engine.games.build import phases, scoring
from engine.games.build.ground import (
    ALL,
    ALTAR,
    BLUESTONES,
    CARD_OF,
    CARDS,
    DISCS,
    DISPLAY_SIZE,
    EVERYTHING,
    FIRST_TRILITH_CARD,
    HAND_SIZE,
    HIDDEN,
    HIDDEN_DAY,
    NO_CARD,
    RING,
    SITE_OF,
    SITES,
    SUPPLY,
    TRILITH_COUNT,
    TRILITHS,
    Setup,
    bits,
)
from engine.games.build.turn import begin_turn
from engine.position import Piece, Position
from engine.score import Score

if TYPE_CHECKING:
    from engine.games.build.game import Build
    from engine.games.build.state import BuildState

BOARD, GAME = "anthology", "build"
_BUILDING = {"ring": "block", "bluestone": "disc", "trilith": "trilith"}
# Pieces are made once: a table is looked at again and again.
_piece = cache(Piece)


def visible(state: BuildState) -> Position:
    """Blocks, discs, triliths and druids on the board, and cards and trilith parts in the yards."""
    pieces: list[Piece] = []
    for seat, colour in enumerate((*state.players, state.setup.neutral)):
        pieces += _buildings_of(colour, state.owned[seat], state.owned[seat] & state.disc_on)
    for seat, colour in enumerate(state.players):
        pieces.extend(_druid(state, seat, colour))
        pieces.extend(_yard(state, seat, colour))
    return Position(BOARD, tuple(pieces), GAME)


@lru_cache(maxsize=4096)
def _buildings_of(colour: str, owned: int, disc_on: int) -> tuple[Piece, ...]:
    return tuple(p for site in bits(owned) for p in _building(colour, site, bool(disc_on >> site & 1)))


@cache
def _building(colour: str, site: int, disc: bool) -> tuple[Piece, ...]:
    kind = _BUILDING[SITES[site].split("-")[0]]
    if kind != "trilith":
        return (_piece(kind, colour, field=SITES[site]),)
    marker = (_piece("disc", colour, field=SITES[site], on="trilith"),) if disc else ()
    return (_piece("trilith", "grey", field=SITES[site]), *marker)


def _druid(state: BuildState, seat: int, colour: str) -> tuple[Piece, ...]:
    site = state.druids[seat]
    if site == SUPPLY:
        return ()
    if site == ALTAR:
        return (_piece("figure", colour, field="altar", lying=state.rituals[seat] == phases.LYING),)
    return (_piece("figure", colour, field=SITES[site]),)


def _yard(state: BuildState, seat: int, colour: str) -> Iterable[Piece]:
    card, yard = state.projects[seat], state.setup.yards[seat]
    if card != NO_CARD:
        yield card_piece(card, yard, face_down=bool(state.face_down >> seat & 1))
    for _ in range(min(2, state.parts[seat])):
        yield _piece("pillar", "grey", field=yard)
    if state.parts[seat] == phases.MARKED:
        yield _piece("capstone", "grey", field=yard)
    if state.marks >> seat & 1:
        yield _piece("disc", colour, field=yard)


@cache
def card_piece(card: int, field: str, *, face_down: bool) -> Piece:
    """A card on the table; what cannot be read is None."""
    if face_down:
        return Piece("card", field=field, face="down")
    if card >= HIDDEN:
        return Piece("card", field=field, face="up")
    first, _, rest = CARDS[card].partition("-")
    if card >= FIRST_TRILITH_CARD:
        return Piece("card", rest, field=field, face="up")
    return Piece("card", ring_colour(int(first)), field=field, number=int(first), phase=rest, face="up")


# --- from one look -----------------------------------------------------------------------------------


def _buildings(position: Position) -> tuple[dict[str, int], int, int]:
    """colour -> sites built (blocks, bluestones, triliths by their disc); then the triliths that no disc
    marks, and all triliths. Raises StateError for pieces that cannot lie like that."""
    owned: dict[str, int] = {}
    marked = triliths = taken = 0
    for piece in position:
        site = SITE_OF.get(piece.field or "")
        if site is None or piece.kind == "figure":
            continue
        on_top = piece.on == "trilith"
        fits = "disc" if on_top and site >= 49 else _BUILDING[SITES[site].split("-")[0]]
        if piece.kind != fits or (on_top and site < 49):
            raise StateError(f"{piece.thing} on {piece.field}: a {fits} was expected there")
        if not on_top and taken >> site & 1:
            raise StateError(f"{piece.field}: only one piece can stand there")
        if on_top:
            marked |= 1 << site
        else:
            taken |= 1 << site
        if piece.kind == "trilith":
            triliths |= 1 << site
        else:
            owned[_player_colour(piece)] = owned.get(_player_colour(piece), 0) | 1 << site
    if marked & ~triliths:
        raise StateError(
            f"{SITES[next(bits(marked & ~triliths))]}: a disc lies there, but no trilith stands under it"
        )
    return owned, triliths & ~marked, triliths


def _player_colour(piece: Piece) -> str:
    if piece.colour not in (*PLAYER_COLOURS, "grey"):
        raise StateError(
            f"{piece.thing} on {piece.field}: pieces of this game are {', '.join(PLAYER_COLOURS)}"
        )
    return str(piece.colour)


def score_position(
    position: Position, players: Sequence[str] = (), neutral_owner: str | None = None
) -> dict[str, Score]:
    """What each player's buildings are worth. Blocks of a colour that nobody plays are neutral: they
    count for `neutral_owner`, or stand in a line of their own as long as nobody says who that is."""
    owned, _, _ = _buildings(position)
    colours = tuple(players) or _colours_on(position)
    neutral_colours = [colour for colour in owned if colour not in colours]
    neutral = 0
    for colour in neutral_colours:
        if owned[colour] & ~RING:
            raise StateError(f"{colour} has more than blocks on the board but is not one of the players")
        neutral |= owned[colour]
    if neutral_owner is not None and neutral_owner not in colours:
        raise StateError(f"the neutral blocks belong to one of {', '.join(colours)}, not to {neutral_owner}")
    scores = {
        colour: scoring.score(owned.get(colour, 0), neutral if colour == neutral_owner else 0)
        for colour in colours
    }
    if neutral and neutral_owner is None:
        scores["+".join(neutral_colours)] = scoring.unowned_score(neutral)
    return scores


def _colours_on(position: Position) -> tuple[str, ...]:
    """Everybody who has a block, disc or figure on the board, in the order of the colours."""
    found = {piece.colour for piece in position if piece.kind in ("block", "disc", "figure")}
    return tuple(colour for colour in PLAYER_COLOURS if colour in found)


def from_position(
    game: Build,
    position: Position,
    players: tuple[str, ...],
    setup: Setup,
    to_move: str | None,
    neutral_owner: str | None,
    influence: Mapping[str, int],
) -> BuildState:
    """The half-seen state at the beginning of a player's turn. Hands are taken to be full, less the card
    that lies in the yard, or as large as the cards left allow; all other cards are in the pile, the display
    or out of the game."""
    from engine.games.build.state import BuildState

    state = BuildState.opening(game, players, setup)
    state.seat = players.index(to_move) if to_move else 0
    state.turn = len(players)
    _set_buildings(state, position)
    for seat in range(len(players)):
        _set_druid(state, position, seat)
        _set_yard(state, position, seat)
        _check_druid(state, seat)
    state.neutral_owner = _owner(state, players, neutral_owner)
    state.influence = tuple((HIDDEN,) * influence.get(colour, 0) for colour in players)
    _count_cards(state)
    if state.built == EVERYTHING:
        state.phase, state.to_move = phases.OVER, None
    else:
        begin_turn(state)
    return state


def _set_buildings(state: BuildState, position: Position) -> None:
    owned, unmarked, triliths = _buildings(position)
    strangers = [colour for colour in owned if colour not in (*state.players, state.setup.neutral)]
    if strangers:
        raise StateError(
            f"{strangers[0]} pieces lie on the board, but that is no player's colour, and the neutral blocks "
            f"are {state.setup.neutral}"
        )
    neutral = owned.get(state.setup.neutral, 0)
    if neutral & ~RING:
        raise StateError(
            f"neutral pieces ({state.setup.neutral}) are blocks on ring fields, "
            f"found one on {SITES[next(bits(neutral & ~RING))]}"
        )
    state.owned = (*(owned.get(colour, 0) for colour in state.players), neutral | unmarked)
    state.built = sum(state.owned)
    state.disc_on = triliths & ~unmarked
    state.discs = tuple(DISCS - (mask >> 30).bit_count() for mask in state.owned[:-1])
    for seat, left in enumerate(state.discs):
        if left < 0 or state.blocks_left(seat) < 0:
            raise StateError(f"{state.players[seat]} has more pieces on the board than in the box")


def _set_druid(state: BuildState, position: Position, seat: int) -> None:
    colour = state.players[seat]
    figures = [piece for piece in position if piece.kind == "figure" and piece.colour == colour]
    if len(figures) > 1:
        raise StateError(f"{colour} has one druid, found {len(figures)} figures")
    for figure in figures:
        site = ALTAR if figure.field == "altar" else SITE_OF.get(figure.field or "", SUPPLY)
        if site < ALTAR and site >= 0 and state.built >> site & 1:
            raise StateError(f"{figure.field}: the druid of {colour} stands where something is built")
        _assign(state, "druids", seat, site)
        if site == ALTAR:
            _assign(state, "rituals", seat, phases.LYING if figure.lying else phases.STANDING)


def _assign(state: BuildState, slot: str, seat: int, value: int) -> None:
    values = getattr(state, slot)
    setattr(state, slot, (*values[:seat], value, *values[seat + 1 :]))


def _set_yard(state: BuildState, position: Position, seat: int) -> None:
    yard, colour = state.setup.yards[seat], state.players[seat]
    pieces = position.at(yard)
    cards = [piece for piece in pieces if piece.kind == "card"]
    if len(cards) > 1:
        raise StateError(f"{yard}: a player has one project at a time, found {len(cards)} cards")
    for card in cards:
        number = _card_number(card)
        _assign(state, "projects", seat, number)
        if card.face == "down":
            state.face_down |= 1 << seat
            _assign(state, "could_be", seat, RING)
    # Pillars that nobody could count are more than one, and a trilith has but two.
    pillars = sum(piece.count or 2 for piece in pieces if piece.kind == "pillar")
    capstone = any(piece.kind == "capstone" for piece in pieces)
    if (pillars or capstone) and not state.is_trilith_project(seat):
        raise StateError(f"{yard}: parts of a trilith lie there without a trilith card")
    _assign(state, "parts", seat, phases.MARKED if capstone else min(pillars, 2))
    if any(piece.kind == "disc" and piece.colour == colour for piece in pieces):
        state.marks |= 1 << seat
        _assign(state, "discs", seat, state.discs[seat] - 1)


def _card_number(card: Piece) -> int:
    if card.face == "down":
        return HIDDEN_DAY
    if card.number is None and card.phase is None and card.colour is not None:
        return CARD_OF.get(f"trilith-{card.colour}", HIDDEN)
    return CARD_OF.get(f"{card.number}-{card.phase}", HIDDEN)


def _check_druid(state: BuildState, seat: int) -> None:
    card, site, colour = state.projects[seat], state.druids[seat], state.players[seat]
    hidden = bool(state.face_down >> seat & 1)
    if site == ALTAR:
        if card != NO_CARD and not state.is_trilith_project(seat):
            raise StateError(
                f"{colour}: the druid is at the altar, so the yard holds a trilith card or nothing"
            )
    elif card == NO_CARD or hidden:
        if site != SUPPLY:
            raise StateError(
                f"{colour}: the druid stands on {SITES[site]}, but no open card lies in the yard"
            )
    elif site == SUPPLY or (site >= 49) != state.is_trilith_project(seat):
        raise StateError(f"{colour}: the druid of an open project stands on a site that fits its card")


def _owner(state: BuildState, players: tuple[str, ...], neutral_owner: str | None) -> int:
    if neutral_owner is not None:
        if neutral_owner not in players:
            raise StateError(
                f"the neutral blocks belong to one of {', '.join(players)}, not to {neutral_owner}"
            )
        return players.index(neutral_owner)
    return phases.UNTOLD if state.owned[-1] & RING else phases.NOBODY


def _count_cards(state: BuildState) -> None:
    """Everything built has used up a card that we have not seen; the rest is in hands, display and pile."""
    in_yards = [card for card in state.projects if card != NO_CARD]
    if len({card for card in in_yards if card < HIDDEN}) != sum(card < HIDDEN for card in in_yards):
        raise StateError("the same card lies in two yards")
    trilith_projects = sum(map(state.is_trilith_project, range(len(state.players))))
    triliths = (state.built & TRILITHS).bit_count()
    used = (state.built & (RING | BLUESTONES)).bit_count()
    trilith_cards = TRILITH_COUNT - triliths - trilith_projects
    if trilith_cards < 0:
        raise StateError("more trilith cards would be in use than the game has")
    influence = sum(map(len, state.influence))
    if used < influence:
        raise StateError("influence cards come from blocks on the board: there are fewer blocks than that")
    state.box_hidden = (used - influence, triliths)
    for card in in_yards:
        state.unseen &= ~(1 << card) if card < HIDDEN else ALL
    number_cards = FIRST_TRILITH_CARD - used - (len(in_yards) - trilith_projects)
    state.unknown = _hand_sizes(state, number_cards)
    rest = number_cards - sum(state.unknown) + trilith_cards
    state.display = ((HIDDEN,) * min(rest, DISPLAY_SIZE) + (NO_CARD,) * DISPLAY_SIZE)[:DISPLAY_SIZE]
    state.top = max(rest - DISPLAY_SIZE, 0)


def _hand_sizes(state: BuildState, number_cards: int) -> tuple[int, ...]:
    """Full hands, less the card in the yard. Near the end the pile has run out: then the number cards that
    are left are dealt out one by one, as hands hold no triliths."""
    full = [
        HAND_SIZE - (card != NO_CARD or r > 0) for card, r in zip(state.projects, state.rituals, strict=True)
    ]
    rounds = [seat for size in range(HAND_SIZE) for seat in range(len(full)) if size < full[seat]]
    dealt = rounds[:number_cards]
    return tuple(map(dealt.count, range(len(full))))
