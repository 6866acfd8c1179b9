"""States of Der Hohe Rat as JSON data and from positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.cards import PLAYER_COLOURS
from engine.errors import StateError, no_state
from engine.games.council.actions import RING, RING_INDEX
from engine.games.council.phases import OVER, PHASES, TURN
from engine.games.council.ring import (
    CODE,
    COLOURS,
    CONTRA,
    FACTIONS,
    PIECES,
    PRO,
    SEATS,
    TO_WIN,
    disc,
    figure,
    longest_block,
)
from engine.games.council.state import ARGUMENTS, LIMIT, CouncilState
from engine.games.council.turn import enter
from engine.hands import Hands, cards_of, mask_of
from engine.position import Position

if TYPE_CHECKING:
    from engine.games.council import Council


def state_to_json(state: CouncilState) -> dict[str, Any]:
    """The state in words: fields, cards and colours as people write them."""
    return {
        **state._json_head(),
        "phase": state.phase,
        "turn": state.players[state.turn],
        "turns": state.turns,
        "ring": {field: PIECES[code] for field, code in zip(RING, state.ring, strict=True) if code},
        "arguments": {
            player: dict(zip(PLAYER_COLOURS, row, strict=True))
            for player, row in zip(state.players, state.arguments, strict=True)
        },
        "unclaimed": dict(zip(PLAYER_COLOURS, state.unclaimed, strict=True)),
        "cards": {
            faction: hands.to_json(_members(state.players, i))
            for i, (faction, hands) in enumerate(zip(FACTIONS, state.cards, strict=True))
        },
        "confided": {
            player: list(cards_of(mask)) for player, mask in zip(state.players, state.confided, strict=True)
        },
        "acted": state.acted,
        "persuaded": state.persuaded,
        "voting": state.voting,
        "draws": state.draws,
        "target": RING[state.target] if state.target >= 0 else None,
        "asked": state.players[state.asked] if state.asked >= 0 else None,
        "offered": state.offered,
        "winner": FACTIONS[state.winner] if state.winner is not None else None,
    }


def _members(players: Sequence[str], faction: int) -> list[str]:
    return [player for player in players if COLOURS.index(player) // 2 == faction]


def state_from_json(game: Council, data: Mapping[str, Any]) -> CouncilState:
    """What `state_to_json` wrote. Raises StateError naming what is wrong."""
    try:
        state = _read(game, data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise no_state("council", error) from error
    _check(state)
    return state


def _read(game: Council, data: Mapping[str, Any]) -> CouncilState:
    players = game.checked_players(data["players"])
    state = CouncilState.first(game, players)
    state.phase, state.to_move = data["phase"], data["to_move"]
    state.turn, state.turns = players.index(data["turn"]), int(data["turns"])
    ring = [0] * SEATS
    for field, piece in data["ring"].items():
        ring[RING_INDEX[field]] = CODE[piece]
    _set_ring(state, ring)
    state.arguments = tuple(_counts(data["arguments"][player]) for player in players)
    state.unclaimed = _counts(data["unclaimed"])
    state.cards = tuple(
        Hands.from_json(data["cards"][faction], _members(players, i), game.decks[i])
        for i, faction in enumerate(FACTIONS)
    )
    state.confided = tuple(mask_of(data["confided"][player]) for player in players)
    state.acted, state.persuaded = bool(data["acted"]), bool(data["persuaded"])
    state.voting, state.offered = bool(data["voting"]), bool(data["offered"])
    state.draws = int(data["draws"])
    state.target = RING_INDEX[data["target"]] if data["target"] else -1
    state.asked = players.index(data["asked"]) if data["asked"] else -1
    state.winner = FACTIONS.index(data["winner"]) if data["winner"] else None
    return state


def _counts(row: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(row[colour]) for colour in PLAYER_COLOURS)


def _set_ring(state: CouncilState, ring: Sequence[int]) -> None:
    """The ring, and what is left in the supplies. Raises StateError when there are too many pieces."""
    found = Counter(ring)
    state.ring, state._sizes = tuple(ring), None
    state.discs = tuple(10 - found[disc(colour)] for colour in range(4))
    state.figures = tuple(1 - found[figure(colour)] for colour in range(4))
    for colour, discs, figures in zip(COLOURS, state.discs, state.figures, strict=True):
        if discs < 0 or figures < 0:
            raise StateError(
                f"{colour} has 10 discs and 1 figure, found {10 - discs} discs and {1 - figures} figures"
            )


def _check(state: CouncilState) -> None:
    if state.phase not in PHASES:
        raise StateError(f"'phase' is one of {', '.join(PHASES)}, found {state.phase!r}")
    if state.phase == "lift" and state.target < 0:
        raise StateError("phase lift needs the 'target' that waits for a disc")
    if state.phase == "offer" and state.asked < 0:
        raise StateError("phase offer needs the player who is 'asked'")
    if state.phase == "answer" and len(state.players) == 2:
        raise StateError("only four players confer")
    if state.phase == "draw" and not 0 < state.draws <= 3 - state.cards_held(state.turn):
        raise StateError(f"phase draw needs 1 to 3 'draws', found {state.draws}")
    found = state.to_move
    enter(state, state.phase)
    if found != state.to_move:
        raise StateError(f"in phase {state.phase} 'to_move' is {state.to_move}, found {found!r}")
    if min(state.bank()) < 0 or min(map(min, state.arguments)) < 0 or min(state.unclaimed) < 0:
        raise StateError(f"there are {ARGUMENTS} arguments of each colour, found more or less than none")
    if min(state.room(0)) < 0 or min(state.room(1)) < 0:
        raise StateError(f"a faction owns at most {LIMIT} arguments of a colour")


def state_from_position(
    game: Council, position: Position, players: tuple[str, ...], to_move: str | None
) -> CouncilState:
    """A state in the middle of a council: who has the missing arguments is not known. Raises StateError."""
    if to_move is not None and to_move not in players:
        raise StateError(f"{to_move} does not play; the players are {', '.join(players)}")
    state = CouncilState.first(game, players)
    _set_ring(state, ring_of(position))
    state.unclaimed = tuple(ARGUMENTS - count for count in _heaps(position))
    state.voting = 0 not in state.ring or any(piece.kind == "trilith" for piece in position)
    each = len(players) // 2
    state.cards = tuple(Hands((0,) * each, ((3,),) * each, (deck,), 0) for deck in game.decks)
    state.turn = players.index(to_move) if to_move else 0
    state.winner = next((f for f in (PRO, CONTRA) if longest_block(state.ring, f)[1] >= TO_WIN), None)
    enter(state, TURN if state.winner is None else OVER)
    return state


def ring_of(position: Position) -> list[int]:
    """The codes on the 30 seats. Raises StateError for pieces that this game does not have there."""
    ring = [0] * SEATS
    for piece in position:
        if piece.kind in ("disc", "figure"):
            code, i = CODE.get(f"{piece.colour}-{piece.kind}", 0), RING_INDEX.get(str(piece.field), -1)
            if not code:
                raise StateError(
                    f"there is no {piece.colour} {piece.kind} in council, found at {piece.place}"
                )
            if i < 0 or ring[i]:
                raise StateError(f"one piece stands on a field of the ring, found another at {piece.place}")
            ring[i] = code
        elif piece.kind not in ("block", "trilith"):
            raise StateError(f"there is no {piece.kind} in council, found at {piece.place}")
    return ring


def _heaps(position: Position) -> list[int]:
    """The arguments on the board; a heap that nobody could count is taken to be whole."""
    heaps = Counter[str]()
    for piece in position:
        if piece.kind == "block":
            if not str(piece.field).startswith("trilith-") or piece.colour not in PLAYER_COLOURS:
                raise StateError(f"arguments lie on the trilith fields, found a block at {piece.place}")
            heaps[str(piece.colour)] += ARGUMENTS if piece.count is None else piece.count
    for colour, count in heaps.items():
        if count > ARGUMENTS:
            raise StateError(f"there are {ARGUMENTS} arguments in {colour}, found {count}")
    return [heaps[colour] for colour in PLAYER_COLOURS]
