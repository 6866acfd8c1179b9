"""States and positions of Opferroulette as data, and what makes no sense in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.cards import RING_COLOURS
from engine.errors import StateError, no_state
from engine.game import CHANCE
from engine.games.roulette.cards import EVERY_CARD
from engine.games.roulette.ring import OFFERINGS, OTHER_WAY, PIT_INDEX, PITS, RING, RING_INDEX
from engine.hands import Hands, cards_of, mask_of
from engine.position import Piece, Position

if TYPE_CHECKING:
    from engine.games.roulette.state import RouletteState


def state_json(state: RouletteState) -> dict[str, Any]:
    """hands, discards, unseen: see `Hands.to_json`; drawn: the cards of the set-up, shuffled in later."""
    return {
        **state._json_head(),
        "phase": state.phase,
        "seat": state.players[state.seat],
        "drawn": list(cards_of(state.drawn)),
        "waiting": [state.players[seat] for seat in state.waiting],
        "pits": {PITS[index]: list(discs) for index, discs in enumerate(state.pits) if discs},
        "ball": RING[state.ball] if state.ball else None,
        "facing": state.facing,
        "captured": {p: list(discs) for p, discs in zip(state.players, state.captured, strict=True)},
        **state.hands.to_json(state.players),
        "pile": state.hands.pile_count,
        "passes_left": state.passes_left,
        "turn": {
            "colour": state.colour,
            "moved": state.moved,
            "flipped": state.flipped,
            "falling": state.falling,
        },
    }


def read_state(state: RouletteState, data: Mapping[str, Any]) -> None:
    """Fill a blank state from what `state_json` wrote. Raises StateError naming what is wrong."""
    try:
        _read_board(state, data)
        state.hands = Hands.from_json(data, state.players, EVERY_CARD)
        state.phase, state.seat = data["phase"], state.players.index(data["seat"])
        state.drawn = mask_of(data["drawn"])
        state.waiting = tuple(state.players.index(colour) for colour in data["waiting"])
        state.passes_left = int(data["passes_left"])
        turn = data["turn"]
        state.colour, state.moved, state.flipped = turn["colour"], turn["moved"], turn["flipped"]
        if state.colour not in (None, *RING_COLOURS):
            raise StateError(
                f"the 'colour' of a turn is one of {', '.join(RING_COLOURS)} or null, found {state.colour!r}"
            )
        state.falling = bool(turn.get("falling", False))
        state.to_move = _to_move(state)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise no_state("roulette", error) from error
    if state.to_move != data.get("to_move", state.to_move):
        raise StateError(f"'to_move' is {data['to_move']!r}, expected {state.to_move!r} in this phase")


def disc_colours(state: RouletteState) -> tuple[str, ...]:
    """The colours of discs there are: the players', and with two players the neutral one."""
    return (*state.players, state.neutral_colour) if len(state.players) == 2 else state.players


def read_position(
    position: Position, colours: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], list[Piece]]:
    """The discs in each pit and the figures on the ring. Raises StateError for what cannot lie there."""
    pits: list[tuple[str, ...]] = [()] * len(PITS)
    balls = []
    for piece in position:
        if piece.kind == "figure" and piece.colour == "grey" and piece.field in RING_INDEX:
            if piece.facing not in (None, *OTHER_WAY):
                raise StateError(f"the ball faces {piece.facing!r}, expected clockwise or anticlockwise")
            balls.append(piece)
        elif piece.kind == "disc" and piece.colour in colours and piece.field in PIT_INDEX:
            if piece.count is None:
                raise StateError(f"{piece.thing} lie on {piece.field}: say how many, as their 'count'")
            pits[PIT_INDEX[piece.field]] += (str(piece.colour),) * piece.count
        else:
            raise StateError(
                f"found {piece.thing} on {piece.place}; this game has discs ({', '.join(colours)}) "
                "in pits and the grey figure on the ring"
            )
    _check_discs([colour for discs in pits for colour in discs])
    return tuple(pits), balls


def _check_discs(discs: Sequence[str]) -> None:
    for colour in set(discs):
        if discs.count(colour) > OFFERINGS:
            raise StateError(f"found {discs.count(colour)} {colour} discs, a colour has {OFFERINGS}")


def _read_board(state: RouletteState, data: Mapping[str, Any]) -> None:
    colours = disc_colours(state)
    pits: list[tuple[str, ...]] = [()] * len(PITS)
    for pit, discs in data["pits"].items():
        pits[PIT_INDEX[pit]] = tuple(discs)
    state.pits = tuple(pits)
    state.captured = tuple(tuple(data["captured"][colour]) for colour in state.players)
    discs = [colour for heap in (*state.pits, *state.captured) for colour in heap]
    if set(discs) - set(colours):
        raise StateError(
            f"found discs of {', '.join(set(discs) - set(colours))}, expected {', '.join(colours)}"
        )
    _check_discs(discs)
    state.ball = RING_INDEX[data["ball"]] if data["ball"] else 0
    state.facing = data["facing"]
    if state.facing not in OTHER_WAY:
        raise StateError(f"'facing' is clockwise or anticlockwise, found {state.facing!r}")


def _to_move(state: RouletteState) -> str | None:
    if state.phase == "over":
        return None
    if state.phase == "triliths":
        return state.players[state.waiting[0]]
    if state.phase == "play":
        return state.players[state.seat]
    if state.phase not in ("offerings", "neutral", "ball", "deal", "fall", "refill"):
        raise StateError(f"there is no phase {state.phase!r}")
    return CHANCE
