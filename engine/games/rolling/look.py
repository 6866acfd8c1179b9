"""What a camera sees of Rollende Steine, scores, and states as data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.board import load_board
from engine.cards import PLAYER_COLOURS
from engine.errors import StateError
from engine.games.rolling import course
from engine.games.rolling.actions import Sideways, Through
from engine.games.rolling.course import GATES, Bank, Marker, Pose
from engine.games.rolling.phases import BANKS, OVER, PHASES
from engine.position import Piece, Position
from engine.score import Score, ScorePart
from engine.words import Text

if TYPE_CHECKING:
    from engine.games.rolling.game import Rolling
    from engine.games.rolling.state import RollingState

BOARD, GAME = "anthology", "rolling"
GATE_FIELDS = tuple(f"trilith-{gate}" for gate in range(1, GATES + 1))
# A disc that lies so near to the middle of a trilith is taken to lie on it.
ON_TOP_MM = 30.0
# In nats: how seldom a wheel leaves the board at its side, or goes through none but gates marked already.
SIDEWAYS, NOTHING_NEW = 3.0, 2.0


@cache
def _field_pose(field: str) -> Pose:
    place = load_board(BOARD).fields[field]
    x_mm, y_mm = place.centre_mm
    return Pose(round(x_mm), round(y_mm), round(place.angle_deg))


def gate_poses(state: RollingState) -> tuple[Pose, ...]:
    """Where the gates stand that have been put up."""
    return tuple(
        _field_pose(GATE_FIELDS[gate]) if pose is None else pose for gate, pose in enumerate(state.gates)
    )


@lru_cache(maxsize=4096)
def _piece(kind: str, colour: str, where: Pose | str, on: str | None = None) -> Piece:
    """The same piece each time, so that two positions are compared quickly. where: a pose, or a field."""
    if isinstance(where, str):
        return Piece(kind, colour, field=where, on=on)
    return Piece(kind, colour, on=on, x_mm=where.x_mm, y_mm=where.y_mm, angle_deg=where.angle_deg)


def visible(state: RollingState) -> Position:
    """Gates with their markers, banks, and the wheel that has been set up."""
    pieces: list[Piece] = []
    for gate, pose in enumerate(state.gates):
        where, marker = pose or GATE_FIELDS[gate], state.markers[gate]
        pieces.append(_piece("trilith", "grey", where))
        if marker is not None and marker.kind == "disc":
            pieces.append(_piece("disc", marker.player, where, "trilith"))
    pieces.extend(_piece("block", bank.colour, bank.pose) for bank in state.banks)
    if state.wheel is not None:
        pieces.append(_piece("disc", *state.wheel))
    return Position(BOARD, tuple(pieces), GAME)


# --- scores --------------------------------------------------------------------------------------------


def scores(players: Sequence[str], markers: Sequence[str | None]) -> dict[str, Score]:
    """Per player the gates that he scored; the game itself is won together."""
    return {player: _score(player, markers) for player in players}


def _score(player: str, markers: Sequence[str | None]) -> Score:
    parts = tuple(
        ScorePart("gate", Text(f"gate {gate}", f"Tor {gate}"), 1, (GATE_FIELDS[gate - 1],))
        for gate, marker in enumerate(markers, start=1)
        if marker == player
    )
    return Score(Text("gates", "Tore"), parts)


def score_position(position: Position, players: Sequence[str]) -> dict[str, Score]:
    """The markers on the capstones, by colour. Raises StateError for pieces that this game does not have."""
    gates = list(_gates_of(position))
    markers = [marker for _, marker in gates]
    seen = {piece.colour for piece in position if piece.kind in ("disc", "block")}
    colours = tuple(players) or tuple(colour for colour in PLAYER_COLOURS if colour in seen)
    return scores(colours, markers)


def _gates_of(position: Position) -> Iterator[tuple[Piece, str | None]]:
    """The triliths from 1 on (by field, else in the order they are listed) and what lies on each."""
    foreign = next((piece for piece in position if piece.kind not in ("trilith", "disc", "block")), None)
    if foreign is not None:
        raise StateError(f"{foreign.thing}: this game has triliths, discs and blocks")
    triliths = [piece for piece in position if piece.kind == "trilith"]
    if len(triliths) > GATES:
        raise StateError(f"a course has {GATES} gates, found {len(triliths)} triliths")
    tops = [piece for piece in position if piece.kind == "disc" and piece.on == "trilith"]
    for trilith in sorted(triliths, key=lambda piece: piece.field or ""):
        yield trilith, next((disc.colour for disc in tops if _lies_on(disc, trilith)), None)


def _lies_on(disc: Piece, trilith: Piece) -> bool:
    if trilith.field is not None or disc.field is not None:
        return trilith.field == disc.field
    if None in (disc.x_mm, disc.y_mm, trilith.x_mm, trilith.y_mm):
        return False
    return math.dist(_xy(disc), _xy(trilith)) <= ON_TOP_MM


def _xy(piece: Piece) -> tuple[float, float]:
    return piece.x_mm or 0.0, piece.y_mm or 0.0


# --- from one look -----------------------------------------------------------------------------------


def _pose_of(piece: Piece, stopgap: Pose) -> Pose:
    if piece.x_mm is None or piece.y_mm is None:
        return stopgap
    return Pose(round(piece.x_mm), round(piece.y_mm), round(piece.angle_deg or 0))


def from_position(
    game: Rolling,
    position: Position,
    players: tuple[str, ...],
    to_move: str | None,
    wheels_used: Mapping[str, int],
) -> RollingState:
    """The state before a player's turn. Wheels that lie beside the board cannot be told apart: those on
    capstones have been used, and as many more as `wheels_used` says per player."""
    from engine.games.rolling.state import RollingState

    state = RollingState.opening(game, players)
    gates = list(_gates_of(position))
    if len(gates) != GATES:
        raise StateError(f"a course has {GATES} gates, found {len(gates)} triliths")
    strangers = {marker for _, marker in gates if marker is not None} - set(players)
    if strangers:
        raise StateError(f"a {min(strangers)} disc marks a gate, but the players are {', '.join(players)}")
    state.gates = tuple(_gate_pose(piece, gate) for gate, (piece, _) in enumerate(gates, start=1))
    state.markers = tuple(Marker(marker) if marker else None for _, marker in gates)
    _set_banks(state, [piece for piece in position if piece.kind == "block"])
    for seat, player in enumerate(players):
        _set_wheels(state, seat, wheels_used.get(player))
    first = players.index(to_move) if to_move else 0
    seats = (*range(first, len(players)), *range(first))
    state.seat = next((seat for seat in seats if state.wheels_left(seat)), first)
    state.phase, state.to_move = BANKS, players[state.seat]
    if state.scored() == GATES or not any(map(state.wheels_left, range(len(players)))):
        state.phase, state.to_move = OVER, None
    return state


def _gate_pose(piece: Piece, gate: int) -> Pose | None:
    if piece.field is None:
        return _pose_of(piece, course.gate_stopgap(gate))
    return None if piece.field == GATE_FIELDS[gate - 1] else _field_pose(piece.field)


def _set_banks(state: RollingState, blocks: Sequence[Piece]) -> None:
    placed = dict.fromkeys(state.players, 0)
    banks = []
    for index, block in enumerate(blocks):
        colour = str(block.colour)
        if colour not in placed or placed[colour] >= course.BANKS_EACH:
            raise StateError(f"{block.thing}: each player has {course.BANKS_EACH} banks of his colour")
        placed[colour] += 1
        banks.append(Bank(f"{colour}-{placed[colour]}", _pose_of(block, course.bank_stopgap(index))))
    state.banks, state.placed = tuple(banks), tuple(placed.values())


def _set_wheels(state: RollingState, seat: int, used: int | None) -> None:
    """Own wheels are rolled first, so the number used tells what is left of which kind."""
    marked, total, player = _marking(state, seat), state.wheels_left(seat), state.players[seat]
    rolled = marked if used is None else used
    if not 0 <= rolled <= total:
        raise StateError(f"{player} has {total} wheels, cannot have used {rolled}")
    if rolled < marked and not state.game.variant["marker_from_supply"]:
        raise StateError(
            f"{marked} wheels of {player} mark gates, so as many were used at least, not {rolled}"
        )
    own, neutral = list(state.own), list(state.neutral)
    own[seat] = max(0, course.OWN_WHEELS - max(rolled, marked))
    neutral[seat] -= max(0, rolled - course.OWN_WHEELS)
    state.own, state.neutral = tuple(own), tuple(neutral)
    out = list(state.out)
    out[seat] = max(0, course.OWN_WHEELS - own[seat] - marked)
    state.out = tuple(out)
    state.used += rolled


def _marking(state: RollingState, seat: int) -> int:
    """How many discs of the player lie on gates."""
    return state.markers.count(Marker(state.players[seat]))


# --- as data -----------------------------------------------------------------------------------------


def to_json(state: RollingState) -> dict[str, Any]:
    """The game's own part of `State.to_json`."""
    return {
        "phase": state.phase,
        "turn_of": state.players[state.seat],
        "gates": [pose.to_json() if pose else None for pose in state.gates],
        "markers": [{"player": m.player, "kind": m.kind} if m else None for m in state.markers],
        "banks": [{"name": bank.name, **bank.pose.to_json()} for bank in state.banks],
        "wheels": {
            player: {
                "own": state.own[seat],
                "out": state.out[seat],
                "neutral": state.neutral[seat],
                "banks_placed": state.placed[seat],
            }
            for seat, player in enumerate(state.players)
        },
        "neutral_wheels": dict(state.pool),
        "wheels_used": state.used,
        "wheel": {"colour": state.wheel[0], **state.wheel[1].to_json()} if state.wheel else None,
        "repeats": state.repeats,
        "moved": state.moved,
    }


def from_json(game: Rolling, data: Mapping[str, Any], players: tuple[str, ...]) -> RollingState:
    """The state that `to_json` wrote. Raises StateError naming what is wrong."""
    from engine.games.rolling.state import RollingState

    state = RollingState.opening(game, players)
    try:
        state.phase = _one_of(data, "phase", PHASES)
        state.to_move = data["to_move"]
        state.seat = players.index(_one_of(data, "turn_of", players))
        state.gates = tuple(Pose.from_json(pose) if pose else None for pose in data["gates"])
        state.markers = tuple(Marker(m["player"], m["kind"]) if m else None for m in data["markers"])
        state.banks = tuple(Bank(str(each["name"]), Pose.from_json(each)) for each in data["banks"])
        wheels = [data["wheels"][player] for player in players]
        state.own, state.out, state.neutral, state.placed = (
            tuple(_count(each, key) for each in wheels) for key in ("own", "out", "neutral", "banks_placed")
        )
        state.pool = tuple((colour, _count(data["neutral_wheels"], colour)) for colour, _ in state.pool)
        state.used, state.repeats = _count(data, "wheels_used"), _count(data, "repeats")
        wheel = data["wheel"]
        state.wheel = (str(wheel["colour"]), Pose.from_json(wheel)) if wheel else None
        state.moved = data["moved"]
    except KeyError as error:
        raise StateError(f"the state lacks {error}") from None
    except TypeError as error:
        raise StateError(f"a value of the state has the wrong type: {error}") from None
    _check(state)
    return state


def _one_of(data: Mapping[str, Any], key: str, choices: Sequence[str]) -> str:
    value = data[key]
    if value not in choices:
        raise StateError(f"{key!r} is one of {', '.join(choices)}, found {value!r}")
    return str(value)


def _count(data: Mapping[str, Any], key: str) -> int:
    value = data[key]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise StateError(f"{key!r} is a whole number from 0, found {value!r}")
    return value


def _check(state: RollingState) -> None:
    checks: tuple[tuple[bool, str], ...] = (
        (state.to_move in (*state.players, "chance", None), f"'to_move' cannot be {state.to_move!r}"),
        (len(state.markers) == GATES, f"'markers' lists {GATES} gates"),
        (len(state.gates) == GATES or state.phase == "course", f"'gates' lists {GATES} gates"),
        (len(state.gates) <= GATES, f"a course has {GATES} gates"),
        (
            all(marker is None or marker.player in state.players for marker in state.markers),
            "a gate is marked for somebody who does not play",
        ),
        (all(own + out + _marking(state, seat) <= course.OWN_WHEELS
             for seat, (own, out) in enumerate(zip(state.own, state.out, strict=True))),
         f"a player has {course.OWN_WHEELS} own wheels, those that mark gates among them"),
        (len({bank.name for bank in state.banks}) == len(state.banks), "two banks have the same name"),
    )  # fmt: skip
    for holds, message in checks:
        if not holds:
            raise StateError(message)


def rarity(state: RollingState, action: Action) -> float:
    """See `State.rarity`: a wheel that is gone and has marked nothing mostly went past the gates."""
    if isinstance(action, Sideways):
        return SIDEWAYS
    if isinstance(action, Through) and all(state.markers[gate - 1] is not None for gate in action.gates):
        return NOTHING_NEW
    return 0.0
