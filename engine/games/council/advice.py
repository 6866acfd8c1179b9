"""What an onlooker would say of the council: whose turn, groups, blocks, prices, how far to 16."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.cards import PLAYER_COLOURS, ring_colour
from engine.game import CHANCE
from engine.games.council.actions import RING
from engine.games.council.ring import (
    COLOUR_OF,
    COLOURS,
    FACTION_OF,
    FACTIONS,
    PIECES,
    SEATS,
    TO_WIN,
    Ring,
    cost,
    group_sizes,
    longest_block,
    runs,
)
from engine.score import Score, ScorePart
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.council.state import CouncilState

UNIT = Text("seats in the longest block", "Plätze im längsten Block")

_PROMPTS = {
    "deal": Text("deal the hands", "teile die Handkarten aus"),
    "lift": Text(
        ": the supply is empty, lift a disc of your own",
        ": der Vorrat ist leer, setze eine eigene Scheibe um",
    ),
    "discard": Text(": ponders, discard all cards", ": grübelt, wirf alle Karten ab"),
    "answer": Text(": give a card back to the partner", ": gib dem Partner eine Karte zurück"),
    "offer": Text(": a draw is offered", ": ein Unentschieden ist angeboten"),
}
_FACTION_TEXT = (
    Text("Pro (white and yellow)", "Pro (Weiß und Gelb)"),
    Text("Contra (red and blue)", "Contra (Rot und Blau)"),
)


def prompt(state: CouncilState) -> Text:
    """Whose turn it is and what is expected, in one sentence."""
    if state.to_move is None:
        if state.winner is None:
            return Text("the council ends without a decision", "der Rat geht ohne Entscheidung auseinander")
        return _FACTION_TEXT[state.winner] + Text(" has won the council", " hat den Rat für sich gewonnen")
    if state.phase == "draw":
        return name(state.players[state.turn]) + Text(" draws a card", " zieht eine Karte")
    if state.phase == "turn":
        text = (
            Text(": may persuade, then end the turn", ": darf noch überzeugen und beendet den Zug")
            if state.acted
            else Text(": may take one action, and persuade", ": darf eine Aktion ausführen und überzeugen")
        )
        vote = Text(" (the vote is on)", " (die Abstimmung läuft)") if state.voting else Text("", "")
        return name(str(state.to_move)) + text + vote
    text = _PROMPTS[state.phase]
    return text if state.to_move == CHANCE else name(state.to_move) + text


# --- points ------------------------------------------------------------------------------------------


def scores(state: CouncilState) -> dict[str, Score]:
    """For every player the longest block of his faction; 16 win."""
    return {player: ring_score(state.ring, state.faction(seat)) for seat, player in enumerate(state.players)}


def ring_score(ring: Ring, faction: int) -> Score:
    """The longest block of a faction, with the seats that make it."""
    start, size = longest_block(ring, faction)
    if not size:
        return Score(UNIT)
    label = _FACTION_TEXT[faction] + Text(
        f": a block of {size}, 16 win", f": ein Block von {size}, 16 gewinnen"
    )
    return Score(UNIT, (ScorePart("block", label, size, _fields(start, size)),))


def _fields(start: int, length: int) -> tuple[str, ...]:
    return tuple(RING[i % SEATS] for i in range(start, start + length))


# --- insights ----------------------------------------------------------------------------------------


def insights(state: CouncilState) -> dict[str, Any]:
    """JSON data for the page.

    groups: runs of one colour; blocks: runs of one faction. to_win: per faction how many seats its longest
    block still lacks. persuasions: every possible one of both factions with its price; `affordable` for
    the player to move. arguments: per player; bank: those on the board; room: per faction how many more
    of each colour it may own. supply: discs and figures left. vote: the vote is on."""
    return {
        "groups": _groups(state.ring),
        "blocks": _blocks(state.ring),
        "to_win": {
            name: max(0, TO_WIN - longest_block(state.ring, faction)[1])
            for faction, name in enumerate(FACTIONS)
        },
        "persuasions": _persuasions(state),
        "arguments": {
            player: dict(zip(PLAYER_COLOURS, row, strict=True))
            for player, row in zip(state.players, state.arguments, strict=True)
        },
        "bank": dict(zip(PLAYER_COLOURS, state.bank(), strict=True)),
        "room": {
            FACTIONS[state.faction(seat)]: dict(zip(PLAYER_COLOURS, state.room(seat), strict=True))
            for seat in (0, 1)
        },
        "supply": {
            colour: {"disc": discs, "figure": figures}
            for colour, discs, figures in zip(COLOURS, state.discs, state.figures, strict=True)
        },
        "vote": state.voting,
    }


def _groups(ring: Ring) -> list[dict[str, Any]]:
    keys = [COLOUR_OF[code] for code in ring]
    return [
        {
            "colour": COLOURS[keys[start]],
            "faction": FACTIONS[keys[start] // 2],
            "fields": list(_fields(start, length)),
            "size": length,
        }
        for start, length in runs(keys)
    ]


def _blocks(ring: Ring) -> list[dict[str, Any]]:
    keys = [FACTION_OF[code] for code in ring]
    return [
        {"faction": FACTIONS[keys[start]], "fields": list(_fields(start, length)), "size": length}
        for start, length in runs(keys)
    ]


def _persuasions(state: CouncilState) -> list[dict[str, Any]]:
    """Both directions over every border between the factions."""
    found, sizes = [], group_sizes(state.ring)
    for i in range(SEATS):
        pair = (i, (i + 1) % SEATS)
        here, there = (FACTION_OF[state.ring[j]] for j in pair)
        if here >= 0 and there >= 0 and here != there:
            found += [_persuasion(state, sizes, *pair), _persuasion(state, sizes, *pair[::-1])]
    return found


def _persuasion(state: CouncilState, sizes: list[int], source: int, target: int) -> dict[str, Any]:
    price = cost(state.ring, sizes, source, target, state.voting, state.game.vote_equal_discount)
    colour = ring_colour(source + 1)
    mine = state.faction(state.turn) == FACTION_OF[state.ring[source]]
    has = dict(zip(PLAYER_COLOURS, state.has(state.turn), strict=True))
    enough = max(has.values()) >= price if colour == "black" else has[colour] >= price
    return {
        "faction": FACTIONS[FACTION_OF[state.ring[source]]],
        "from": RING[source],
        "to": RING[target],
        "piece": PIECES[state.ring[target]],
        "group": sizes[target],
        "cost": price,
        "argument": "any" if colour == "black" else colour,
        "affordable": mine and enough,
    }
