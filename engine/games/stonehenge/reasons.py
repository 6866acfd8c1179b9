"""Why something may not be done: the rules of Knizia's Stonehenge in plain words.

The functions say None for what is legal; `StonehengeState.why_not` asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.action import Action
from engine.game import CHANCE
from engine.games.stonehenge.actions import Reveal
from engine.games.stonehenge.advice import sides_of
from engine.games.stonehenge.lines import (
    LINE_INDEX,
    SPACE_INDEX,
    SPACES,
    STONES,
    VALUES,
    Side,
    line_text,
    lines_in,
    stones_in,
)
from engine.words import Text, name

if TYPE_CHECKING:
    from engine.games.stonehenge.state import StonehengeState


def why_not_place(state: StonehengeState, space: str, value: int | None) -> Text | None:
    index = SPACE_INDEX.get(space)
    if index is None:
        return Text(f"no space {space}: spaces are A to R", f"es gibt kein {space}: Felder sind A bis R")
    if state.has_placed:
        return Text(
            "you have placed a stone in this turn: only claims are left",
            "du hast in diesem Zug schon einen Stein gesetzt: jetzt nur noch Linien beanspruchen",
        )
    if index not in state.free:
        return _occupied(state, index)
    if value is not None and value not in VALUES[state.supply[state.mover]]:
        return _no_such_stone(state, value)
    return None


def _occupied(state: StonehengeState, space: int) -> Text:
    stone = next(stone for stone in state.stones if stone.space == space)
    owner, letter = name(state.players[stone.player]), SPACES[space][-1]
    return Text(
        f"space {letter} is taken: a {owner.en} stone lies there",
        f"Feld {letter} ist besetzt: dort liegt ein Stein von {owner.de.capitalize()}",
    )


def _no_such_stone(state: StonehengeState, value: int) -> Text:
    if value not in STONES:
        return Text(f"no stone has the value {value}", f"kein Stein hat den Wert {value}")
    left = ", ".join(map(str, stones_in(state.supply[state.mover])))
    return Text(
        f"you have no stone with {value} left; yours are {left or 'all placed'}",
        f"du hast keinen Stein mit {value} mehr; deine sind {left or 'alle gesetzt'}",
    )


def why_not_place_face_down(state: StonehengeState, space: str) -> Text | None:
    if not state.game.face_down:
        return Text("stones are placed number up", "Steine werden mit der Zahl nach oben gesetzt")
    if not state.game.half_seen:
        return Text(
            "say which stone: this record knows the face-down stones",
            "sage, welcher Stein: diese Aufzeichnung kennt die verdeckten Steine",
        )
    return why_not_place(state, space, None)


def why_not_claim(state: StonehengeState, line_name: str) -> Text | None:
    line = LINE_INDEX.get(line_name)
    if line is None:
        return Text(
            f"no line {line_name}: lines are 1 to 15", f"es gibt kein {line_name}: Linien sind 1 bis 15"
        )
    if state.claimable >> line & 1:
        return None
    return _not_claimable(state, line)


def why_not_end(state: StonehengeState) -> Text | None:
    if not state.has_placed:
        if state.free:
            return Text("you have to place a stone first", "du musst zuerst einen Stein setzen")
        return Text(
            "all your stones are placed: claim a line that you dominate",
            "alle deine Steine sind gesetzt: beanspruche eine Linie, die du beherrschst",
        )
    if state.game.claim_duty and state.owed:
        line = line_text(lines_in(state.owed)[0])
        return Text(
            f"a dominated line has to be claimed: {line.en} is yours",
            f"eine beherrschte Linie muss beansprucht werden: {line.de} gehört dir",
        )
    return None


def why_not_reveal(state: StonehengeState, action: Action) -> Text | None:
    if state.to_move != CHANCE:
        return Text(
            "stones are revealed only when their line is full",
            "Steine werden erst aufgedeckt, wenn ihre Linie voll ist",
        )
    outcomes = state.legal_actions()
    if action in outcomes:
        return None
    stone = state.stones[state.face_down_on_full_lines()[0]]
    letter, owner = SPACES[stone.space][-1], name(state.players[stone.player])
    if not isinstance(action, Reveal) or action.space != SPACES[stone.space]:
        return Text(
            f"the stone on space {letter} has to be revealed first: its line is full",
            f"zuerst muss der Stein auf Feld {letter} aufgedeckt werden: seine Linie ist voll",
        )
    left = ", ".join(str(outcome.value) for outcome in outcomes if isinstance(outcome, Reveal))
    return Text(
        f"the {owner.en} stone on space {letter} cannot be {action.value}; it can be {left}",
        f"der Stein von {owner.de.capitalize()} auf Feld {letter} kann nicht {action.value} sein, nur {left}",
    )


def _not_claimable(state: StonehengeState, line: int) -> Text:
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
    mine, theirs = (sides_of(state, line)[p] for p in (mover, 1 - mover))
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
