"""What is said about a ley-line: why it is dominated, why it may not be claimed, how it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.games.stonehenge_lines import (
    LINE_NAMES,
    LINES,
    SPACES,
    Side,
    last_placer,
    line_text,
    side_of,
)
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.stonehenge import StonehengeState


def _sides(state: StonehengeState, line: int) -> tuple[Side, Side]:
    """Both players on `line`, as the claim is judged: provable claims count open stones only."""
    only_open = state.game.early == "provable"
    first, second = (side_of(state.stones, line, p, only_open=only_open) for p in (0, 1))
    return first, second


def line_why(state: StonehengeState, line: int) -> Text:
    """How `line` stands and who dominates it, in one sentence."""
    owners, sides = state.owners(line), _sides(state, line)
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
    if state.empty[line]:
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


def why_not_claim(state: StonehengeState, line: int) -> Text:
    """Why the mover may not claim `line` now."""
    label, mover = line_text(line), state.mover
    for player, mask in enumerate(state.claimed):
        if mask >> line & 1:
            owner = name(state.players[player])
            return label + Text(
                f" is taken: a {owner.en} megalith stands there",
                f" ist vergeben: dort steht ein Megalith von {owner.de.capitalize()}",
            )
    if state.dominated[mover] >> line & 1:
        return Text("place your stone first, then claim", "setze zuerst deinen Stein, dann beanspruche")
    mine, theirs = (_sides(state, line)[p] for p in (mover, 1 - mover))
    other = name(state.players[1 - mover])
    not_yours = label + Text(" is not dominated: ", " ist nicht beherrscht: ")
    if not state.empty[line]:
        if mine.has == theirs.has:
            return not_yours + Text(
                f"it is full and tied at {mine.has}, and you placed last there",
                f"sie ist voll, es steht {mine.has} zu {mine.has}, und du hast dort zuletzt gesetzt",
            )
        return not_yours + Text(
            f"it is full, you have {mine.has} and {other.en} has {theirs.has}",
            f"sie ist voll, du hast {mine.has} und {other.de.capitalize()} hat {theirs.has}",
        )
    if state.game.early == "never":
        return not_yours + Text(
            "with face-down stones only full lines are claimed",
            "mit verdeckten Steinen werden nur volle Linien beansprucht",
        )
    return not_yours + Text(
        f"you have {_at_least(mine, 'en')}, {other.en} can still reach {theirs.most}",
        f"du hast {_at_least(mine, 'de')}, {other.de.capitalize()} kann noch {theirs.most} erreichen",
    )


def _at_least(side: Side, language: str) -> str:
    if not side.hidden:
        return str(side.has)
    return f"{ {'de': 'sicher nur'}.get(language, 'for certain only') } {side.least}"


def line_insight(state: StonehengeState, line: int) -> dict[str, Any]:
    """One entry of `StonehengeState.insights()["lines"]`."""
    sides, owners = _sides(state, line), state.owners(line)
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
