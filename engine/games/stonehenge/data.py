"""States and positions of Knizia's Stonehenge as data, and what makes no sense in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.errors import StateError
from engine.games.stonehenge.lines import (
    ALL_LINES,
    LINE_INDEX,
    LINE_NAMES,
    MEGALITHS,
    SPACE_INDEX,
    SPACES,
    STONES,
    Outlook,
    Placed,
    last_placer,
    lines_in,
    supply_after,
)
from engine.position import Piece, Position

if TYPE_CHECKING:
    from engine.games.stonehenge.state import StonehengeState


def state_json(state: StonehengeState) -> dict[str, Any]:
    """mover: whose turn it is, also while a reveal is due. stones: in the order of placing, value null
    for what the record does not know; the order of the first `unordered` is not known."""
    return {
        **state._json_head(),
        "mover": state.players[state.mover],
        "has_placed": state.has_placed,
        "stones": [
            {
                "space": SPACES[stone.space],
                "colour": state.players[stone.player],
                "value": stone.value or None,
                "face": "up" if stone.is_open else "down",
            }
            for stone in state.stones
        ],
        "unordered": state.unordered,
        "megaliths": {
            LINE_NAMES[line]: state.players[player]
            for line in ALL_LINES
            for player in (0, 1)
            if state.claimed[player] >> line & 1
        },
        "overlooked": [LINE_NAMES[line] for line in lines_in(state.overlooked)],
    }


def stone_from_json(entry: Mapping[str, Any], players: tuple[str, ...]) -> Placed:
    value = entry.get("value")
    if value is not None and value not in STONES:
        raise StateError(f"the stone on {entry.get('space')} has value {value!r}, expected 1 to 6 or null")
    if value is None and entry["face"] == "up":
        raise StateError(f"the stone on {entry['space']} lies face up without a value")
    return Placed(
        SPACE_INDEX[entry["space"]], players.index(entry["colour"]), value or 0, entry["face"] == "up"
    )


def checked_piece(piece: Piece, players: Sequence[str]) -> None:
    """Raises StateError unless `piece` is a stone on a space or a megalith at a line's end."""
    places: Mapping[str, int] = {"druid": SPACE_INDEX, "megalith": LINE_INDEX}.get(piece.kind, {})
    if piece.field not in places or piece.colour not in players:
        raise StateError(
            f"found {piece.thing} on {piece.place}; this game has {' and '.join(players)} druid stones on "
            "space-A..space-R and megaliths on line-1..line-15"
        )
    if piece.count != 1:
        raise StateError(f"found {piece.count or 'several'} pieces on {piece.field}, expected one")
    if piece.kind == "druid" and piece.value is not None and piece.value not in STONES:
        raise StateError(f"the stone on {piece.field} reads {piece.value}, expected 1 to 6")


def read_position(
    position: Position, players: tuple[str, ...], face_down: bool
) -> tuple[tuple[Placed, ...], tuple[int, int]]:
    """The stones by space and the megaliths per player. Raises StateError for what cannot lie there."""
    stones, claimed = [], [0, 0]
    for piece in position:
        checked_piece(piece, players)
        player = players.index(str(piece.colour))
        if piece.kind == "megalith":
            line = LINE_INDEX[str(piece.field)]
            if (claimed[0] | claimed[1]) >> line & 1:
                raise StateError(f"two megaliths stand on {piece.field}, expected one at most")
            claimed[player] |= 1 << line
        elif piece.value is None and not face_down:
            raise StateError(
                f"the stone on {piece.field} shows no number; say its value, or choose face_down=True"
            )
        else:
            value = piece.value or 0
            stones.append(Placed(SPACE_INDEX[str(piece.field)], player, value, piece.value is not None))
    return tuple(sorted(stones)), (claimed[0], claimed[1])


def check_stones(stones: Sequence[Placed], players: Sequence[str]) -> None:
    """Raises StateError when the stones on the board cannot all be there."""
    spaces = [stone.space for stone in stones]
    double = [SPACES[space] for space in set(spaces) if spaces.count(space) > 1]
    if double:
        raise StateError(f"two stones lie on {double[0]}, expected one at most")
    for player, colour in enumerate(players):
        own = [stone for stone in stones if stone.player == player]
        if len(own) > len(STONES) or supply_after(stones, player) < 0:
            values = ", ".join(str(stone.value or "??") for stone in own)
            raise StateError(
                f"{colour} has the stones {', '.join(map(str, STONES))}; found {values} on the board"
            )


def check_megaliths(state: StonehengeState) -> None:
    """Raises StateError for a megalith on a line that its owner cannot dominate."""
    outlook = Outlook(state.stones)
    for player, colour in enumerate(state.players):
        lines = lines_in(state.claimed[player])
        if len(lines) > MEGALITHS:
            raise StateError(f"{colour} has {MEGALITHS} megaliths, found {len(lines)}")
        for line in lines:
            last = last_placer(state.stones, line, state.unordered)
            if player not in outlook.owners(line, last, "honour"):
                raise StateError(f"a {colour} megalith on {LINE_NAMES[line]}: {colour} does not dominate it")
