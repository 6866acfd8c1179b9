"""What an onlooker would point out: how each ley-line stands and why, and what is expected now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.game import CHANCE
from engine.games.stonehenge.lines import LINE_NAMES, LINES, SPACES, Side, last_placer, line_text
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.stonehenge.state import StonehengeState


def sides_of(state: StonehengeState, line: int) -> tuple[Side, Side]:
    """Both players on `line`, as claims are judged."""
    outlook = state.outlook()
    return outlook.side(line, 0), outlook.side(line, 1)


def line_why(state: StonehengeState, line: int) -> Text:
    """How `line` stands and who dominates it, in one sentence."""
    owners, sides = state.owners(line), sides_of(state, line)
    colours = [name(player) for player in state.players]
    label = line_text(line)
    if len(owners) == 2 and not state.empty[line]:
        return label + Text(
            f" is full and tied at {sides[0].has}; nobody saw who placed last there and loses it",
            f" ist voll und steht {sides[0].has} zu {sides[0].has}; wer dort zuletzt gesetzt hat und sie "
            "verliert, ist nicht bekannt",
        )
    if len(owners) != 1:
        return label + Text(" is open: ", " ist offen: ") + _both_reach(colours, sides)
    owner, loser = owners[0], 1 - owners[0]
    mine, theirs = sides[owner], sides[loser]
    if mine.least < theirs.most and (mine.hidden or theirs.hidden):
        return label + Text(
            f" is {colours[owner].en}'s on their word: some stones lie face down",
            f" gehört {colours[owner].de.capitalize()} auf Ehrenwort: einige Steine liegen verdeckt",
        )
    if state.empty[line] or mine.hidden or theirs.hidden:
        return label + Text(
            f" is {colours[owner].en}'s: {mine.least} against at most {theirs.most}",
            f" gehört {colours[owner].de.capitalize()}: {mine.least} gegen höchstens {theirs.most}",
        )
    if mine.has > theirs.has:
        return label + Text(
            f" is {colours[owner].en}'s: {mine.has} against {theirs.has}",
            f" gehört {colours[owner].de.capitalize()}: {mine.has} gegen {theirs.has}",
        )
    return label + Text(
        f" is {colours[owner].en}'s: tied at {mine.has}, and {colours[loser].en} placed last there",
        f" gehört {colours[owner].de.capitalize()}: {mine.has} zu {mine.has}, und "
        f"{colours[loser].de.capitalize()} hat dort zuletzt gesetzt",
    )


def _both_reach(colours: list[Text], sides: tuple[Side, Side]) -> Text:
    en = "; ".join(f"{c.en} has {s.has} and can reach {s.most}" for c, s in zip(colours, sides, strict=True))
    de = "; ".join(
        f"{c.de.capitalize()} hat {s.has} und kann {s.most} erreichen"
        for c, s in zip(colours, sides, strict=True)
    )
    return Text(en, de)


def line_insight(state: StonehengeState, line: int) -> dict[str, Any]:
    """One entry of `StonehengeState.insights()["lines"]`."""
    sides, owners = sides_of(state, line), state.owners(line)
    claimed_by = [p for i, p in enumerate(state.players) if state.claimed[i] >> line & 1]
    taken = {stone.space for stone in state.stones}
    return {
        "line": LINE_NAMES[line],
        "spaces": [SPACES[space] for space in LINES[line]],
        "empty": [SPACES[space] for space in LINES[line] if space not in taken],
        "sums": {p: side.has for p, side in zip(state.players, sides, strict=True)},
        "can_reach": {p: side.most for p, side in zip(state.players, sides, strict=True)},
        "dominated_by": [state.players[owner] for owner in owners],
        "claimed_by": claimed_by[0] if claimed_by else None,
        "status": _status(state, line, owners, bool(claimed_by)),
        "last_placed": _last_placed(state, line),
        "why": line_why(state, line).to_json(),
    }


def _status(state: StonehengeState, line: int, owners: tuple[int, ...], is_claimed: bool) -> str:
    if is_claimed:
        return "claimed"
    if len(owners) != 1:
        return "unclear" if owners else "contested"
    if state.overlooked >> line & 1:
        return "overlooked"
    return "claimable" if state.claimable >> line & 1 else "dominated"


def _last_placed(state: StonehengeState, line: int) -> str | None:
    last = last_placer(state.stones, line, state.unordered)
    return None if last is None else state.players[last]


def prompt(state: StonehengeState) -> Text:
    if state.to_move is None:
        winner = name(state.players[0 if state.returns()[0] > 0 else 1])
        return winner + Text(" is the Master Druid: eight megaliths", " ist Meister: acht Megalithe")
    mover = name(state.players[state.mover])
    if state.to_move == CHANCE:
        letter = SPACES[state.stones[state.face_down_on_full_lines()[0]].space][-1]
        return mover + Text(
            f" reveals the full line: which stone is on space {letter}?",
            f" deckt die volle Linie auf: welcher Stein liegt auf Feld {letter}?",
        )
    if state.has_placed or (state.claimable and not state.free):
        return mover + Text(" may claim lines", " darf Linien beanspruchen")
    if state.claimable:
        return mover + Text(
            " places a stone and may claim lines", " setzt einen Stein und darf Linien beanspruchen"
        )
    return mover + Text(" places a stone", " setzt einen Stein")
