"""States of Trilithen knallen as JSON data and from positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.cards import PLAYER_COLOURS, is_known
from engine.errors import StateError, no_state
from engine.game import CHANCE
from engine.games.ramming.actions import PAIR_INDEX, PAIRS
from engine.games.ramming.phases import CHANCE_PHASES, OVER, PHASES
from engine.games.ramming.race import FIELDS, GONE, OFF, next_on_way, occupied_fields
from engine.games.ramming.state import DAY_MASK, RammingState
from engine.games.ramming.turn import begin_turn
from engine.hands import Hands, cards_of, mask_of
from engine.position import Position

if TYPE_CHECKING:
    from engine.games.ramming import Ramming


def state_to_json(state: RammingState) -> dict[str, Any]:
    """The state in words: fields, cards and colours as people write them."""
    colours = state.triliths
    return {
        **state._json_head(),
        "phase": state.phase,
        "turn": state.players[state.turn],
        "turns": state.turns,
        "blocks": [PLAYER_COLOURS[c] for c in state.blocks],
        "display": [
            {
                "card": card,
                "face": "up" if state.face_up >> i & 1 else "down",
                "shown": bool(state.public >> i & 1),
                "looked_at_by": [p for p, m in zip(state.players, state.peeked, strict=True) if m >> i & 1],
            }
            for i, card in enumerate(state.display)
        ],
        **state.hands.to_json(state.players),
        "triliths": {
            colour: {
                "fields": list(PAIRS[k]) if k >= 0 else [],
                "racing": k != GONE,
                "points": state.points[t],
                "lives": state.lives[t],
                "taken_by": {p: row[t] for p, row in zip(state.players, state.prizes, strict=True) if row[t]},
            }
            for t, (colour, k) in enumerate(zip(colours, state.at, strict=True))
        },
        "blocks_won": dict(zip(state.players, state.trophies, strict=True)),
        "placed": [colours[t] for t in state.placed],
        "racer": colours[state.racer] if state.racer >= 0 else None,
        "way": state.way,
        "correct": state.correct,
        "place": state.place + 1 if state.place >= 0 else None,
        "peeker": state.players[state.peeker] if state.peeker >= 0 else None,
        "played": list(cards_of(state.played)),
        "draws": state.draws,
    }


def state_from_json(game: Ramming, data: Mapping[str, Any]) -> RammingState:
    """What `state_to_json` wrote. Raises StateError naming what is wrong."""
    try:
        state = _read(game, data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise no_state("ramming", error) from error
    _check(state, data)
    return state


def _read(game: Ramming, data: Mapping[str, Any]) -> RammingState:
    players = game.checked_players(data["players"])
    state = RammingState.first(game, players)
    colours = state.triliths
    state.phase = data["phase"]
    state.to_move = data["to_move"]
    state.turn = players.index(data["turn"])
    state.turns = int(data["turns"])
    state.blocks = tuple(PLAYER_COLOURS.index(colour) for colour in data["blocks"])
    display = data["display"]
    state.display = tuple(str(entry["card"]) for entry in display)
    state.face_up = sum(1 << i for i, entry in enumerate(display) if entry["face"] == "up")
    state.public = sum(1 << i for i, entry in enumerate(display) if entry["shown"])
    state.peeked = tuple(
        sum(1 << i for i, entry in enumerate(display) if player in entry["looked_at_by"])
        for player in players
    )
    state.played = mask_of(data["played"])
    state.hands = Hands.from_json(data, players, DAY_MASK & ~state.played)
    triliths = [data["triliths"][colour] for colour in colours]
    state.at = tuple(_place(entry) for entry in triliths)
    state.points = tuple(int(entry["points"]) for entry in triliths)
    state.lives = tuple(int(entry["lives"]) for entry in triliths)
    state.prizes = tuple(tuple(int(e["taken_by"].get(p, 0)) for e in triliths) for p in players)
    state.trophies = tuple(int(data["blocks_won"][player]) for player in players)
    state.placed = tuple(colours.index(colour) for colour in data["placed"])
    state.racer = colours.index(data["racer"]) if data["racer"] else -1
    state.way, state.correct, state.draws = int(data["way"]), int(data["correct"]), int(data["draws"])
    state.place = int(data["place"]) - 1 if data["place"] else -1
    state.peeker = players.index(data["peeker"]) if data["peeker"] else -1
    return state


def _place(entry: Mapping[str, Any]) -> int:
    if entry["fields"]:
        return PAIR_INDEX[tuple(entry["fields"])]
    return OFF if entry["racing"] else GONE


def _check(state: RammingState, data: Mapping[str, Any]) -> None:
    if state.phase not in PHASES:
        raise StateError(f"'phase' is one of {', '.join(PHASES)}, found {state.phase!r}")
    if state.phase in ("uncover", "show", "swap"):
        if state.racer < 0 or state.way not in (1, -1) or state.at[state.racer] < 0:
            raise StateError(f"phase {state.phase} needs a 'racer' on the track and its 'way' (1 or -1)")
        if state.phase != "uncover" and not 0 <= state.place < len(state.display):
            raise StateError(f"phase {state.phase} needs the 'place' of a card, found {data['place']!r}")
        free = next_on_way(state.at, state.racer, state.way)[1]
        if not 0 <= state.correct < state.steps(free):
            raise StateError(f"over {free} free fields 'correct' cannot be {state.correct}")
    if state.phase == "draw" and state.draws < 1:
        raise StateError(f"phase draw needs the number of 'draws', found {state.draws}")
    if any(state.at[t] < 0 or state.seat_of(t) != state.turn for t in state.placed):
        raise StateError("'placed' names triliths of the active player that stand on the track")
    if state.phase == "peek" and state.peeker < 0:
        raise StateError("phase peek needs a 'peeker'")
    if state.phase == "attempt" and not state.placed:
        raise StateError("phase attempt needs the triliths 'placed' in this turn")
    expected: str | None = state.players[state.peeker if state.phase == "peek" else state.turn]
    if state.phase in CHANCE_PHASES:
        expected = CHANCE
    elif state.phase == OVER:
        expected = None
    if state.to_move != expected:
        raise StateError(f"in phase {state.phase} 'to_move' is {expected}, found {state.to_move!r}")
    _check_blocks(state.blocks, whole=state.phase != "blocks")
    _check_display(state)
    _check_triliths(state)


def _check_blocks(blocks: Sequence[int], whole: bool = True) -> None:
    if whole and len(blocks) != FIELDS:
        raise StateError(f"each of the 30 number fields has one block, found {len(blocks)} blocks")
    for first in range(0, len(blocks), 5):
        group = blocks[first : first + 5]
        if len(set(group)) != len(group):
            raise StateError(
                f"the blocks under {first + 1} to {first + 5} are one of each colour, found "
                + ", ".join(PLAYER_COLOURS[c] for c in group)
            )


def _check_display(state: RammingState) -> None:
    known = [card for card in state.display if is_known(card)]
    wrong = [card for card in known if card not in state.game.display_cards]
    unknown = {card for card in state.display if not is_known(card)}
    if wrong or len(set(known)) != len(known) or unknown - {state.game.card_back}:
        raise StateError(f"the display cannot be {', '.join(state.display)}")
    if state.phase not in ("blocks", "display") and len(state.display) != len(state.game.display_cards):
        raise StateError(f"the display has {len(state.game.display_cards)} cards, found {len(state.display)}")


def _check_triliths(state: RammingState) -> None:
    standing = [k for k in state.at if k >= 0]
    if occupied_fields(state.at).bit_count() != 2 * len(standing):
        raise StateError("two triliths stand on the same number field")
    for t, colour in enumerate(state.triliths):
        total = state.points[t] + sum(row[t] for row in state.prizes)
        if total != 10 or state.points[t] < 0:
            raise StateError(f"there are 10 structure points in {colour}, found {total}")


def state_from_position(
    game: Ramming, position: Position, players: tuple[str, ...], to_move: str | None
) -> RammingState:
    """A state in the middle of a race, nobody's points taken yet. Raises StateError."""
    state = RammingState.first(game, players)
    state.blocks = _blocks_of(position)
    standing = triliths_of(position)
    strangers = [colour for colour in standing if colour not in state.triliths]
    if strangers:
        raise StateError(
            f"a trilith of {', '.join(strangers)} is on the track; expected {', '.join(state.triliths)}"
        )
    state.at = tuple(standing.get(colour, OFF) for colour in state.triliths)
    state.display = (game.card_back,) * len(game.display_cards)
    each = game.hand(players)
    state.hands = Hands((0,) * len(players), ((each,),) * len(players), (DAY_MASK,), 0)
    if to_move is not None and to_move not in players:
        raise StateError(f"{to_move} does not play; the players are {', '.join(players)}")
    state.turn = players.index(to_move) if to_move else 0
    begin_turn(state)
    _check_blocks(state.blocks)
    _check_triliths(state)
    return state


def _blocks_of(position: Position) -> tuple[int, ...]:
    lying = {piece.field: piece.colour for piece in position if piece.kind == "block"}
    missing = [f"slot-{n}" for n in range(1, FIELDS + 1) if lying.get(f"slot-{n}") not in PLAYER_COLOURS]
    if missing:
        raise StateError(
            f"every number has a block in one of five colours under it; none at {', '.join(missing)}"
        )
    return tuple(PLAYER_COLOURS.index(str(lying[f"slot-{n}"])) for n in range(1, FIELDS + 1))


def triliths_of(position: Position) -> dict[str, int]:
    """Colour of the druid on top -> where its trilith stands. Raises StateError for a trilith without
    a druid, a druid without a trilith, and pieces that this game does not have."""
    strange = [p for p in position if p.kind not in ("block", "trilith", "figure")]
    if strange:
        raise StateError(
            f"there is no {strange[0].kind} on the board in ramming, found at {strange[0].place}"
        )
    stands = {_track_place(p.fields, p.place) for p in position if p.kind == "trilith"}
    druids: dict[str, int] = {}
    for piece in position:
        if piece.kind == "figure":
            k = _track_place(piece.fields, piece.place)
            if k not in stands or piece.on != "trilith" or str(piece.colour) in druids:
                raise StateError(f"the {piece.colour} druid at {piece.place} rides no trilith of its own")
            druids[str(piece.colour)] = k
    alone = stands - set(druids.values())
    if alone:
        raise StateError(f"nobody rides the trilith on {'+'.join(PAIRS[min(alone)])}: whose is it?")
    return druids


def _track_place(fields: tuple[str, str] | None, place: str | None) -> int:
    if fields in PAIR_INDEX:
        return PAIR_INDEX[fields]
    raise StateError(f"triliths stand on two neighbouring number fields, found one at {place}")
