"""What to say when no legal explanation fits: what is seen, what was expected, which rule is broken.

The reason is the engine's own: the change on the table is read as an action, legal or not, and `why_not`
tells what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, get_type_hints

from engine.action import Action
from engine.cards import UNKNOWN
from engine.errors import HengeError
from engine.game import State
from engine.position import Change, Piece, Thing, place_name, thing_at
from engine.referee.contradiction import CLEARLY
from engine.referee.decision import Alarm, Repair
from engine.referee.evidence import Evidence
from engine.referee.looks import Things, layout_of
from engine.words import Text, name

ANY_PLACE: Final = ("place", "field", "site", "to", "target", "fields", "places")
CARD_FIELDS: Final = ("card", "cards")
Difference = tuple[str, Things, Things]  # place, expected, seen


def make_alarm(state: State, evidence: Evidence, contradictions: Mapping[str, float]) -> Alarm:
    """The alarm for a view that does not follow `state` (the nearest legal explanation).

    contradictions: place -> how clearly the reading contradicts the state there, in nats."""
    layout = layout_of(state.visible())
    differences: list[Difference] = [
        (place, layout.get(place, ()), evidence.best(place))
        for place, gap in contradictions.items()
        if gap > CLEARLY
    ]
    change = Change(_pieces((place, gone) for place, gone, _ in differences),
                    _pieces((place, come) for place, _, come in differences))  # fmt: skip
    places = tuple(place for place, _, _ in differences)
    action, reason = explain(state, change)
    return Alarm(
        seen=_seen(differences),
        expected=_expected(state, differences),
        reason=reason,
        places=places,
        repairs=_repairs(change, places),
        change=change,
        action=str(action) if action else None,
    )


def _pieces(pairs: Iterator[tuple[str, Things]]) -> tuple[Piece, ...]:
    return tuple(thing_at(thing, place) for place, things in pairs for thing in things)


# --- the rule that is broken ------------------------------------------------------------------------


def explain(state: State, change: Change) -> tuple[Action | None, Text | None]:
    """The illegal action that `change` looks like, and the rule against it."""
    moved = _moved(change)
    if moved is not None and not _may_move(state, moved[0]):
        piece, start, end = moved[0], place_name(moved[0].place or ""), place_name(moved[1])
        darf = "darf" if piece.count == 1 else "dürfen"
        return None, Text(
            f"the {piece.thing} may not move from {start.en} to {end.en}",
            f"{piece.thing.text('de')} {darf} nicht von {start.de} nach {end.de}",
        )
    for piece in change.come:
        out_of_turn = _out_of_turn(state, piece)
        for action in _readings(state, piece):
            reason = _why_not(state, action)
            if reason is not None:
                return action, _join(out_of_turn, reason)
        if out_of_turn:
            return None, out_of_turn
    if change.gone:
        return None, Text("no move takes a piece away there now", "kein Zug nimmt dort jetzt eine Figur weg")
    return None, None


def _join(first: Text | None, second: Text) -> Text:
    return first if first is not None else second


def _out_of_turn(state: State, piece: Piece) -> Text | None:
    if piece.colour in state.players and state.to_move in state.players and piece.colour != state.to_move:
        turn = name(str(state.to_move))
        return (
            name(str(piece.colour))
            + Text(" is not to move: it is ", " ist nicht am Zug: am Zug ist ")
            + turn
            + Text("'s turn", "")
        )
    if state.to_move is None:
        return Text("the game is over", "das Spiel ist zu Ende")
    return None


def _moved(change: Change) -> tuple[Piece, str] | None:
    for piece in change.gone:
        for other in change.come:
            if other.thing == piece.thing and other.place:
                return piece, other.place
    return None


def _may_move(state: State, piece: Piece) -> bool:
    return any(piece.place in action.places() for action in state.legal_actions()[:400])


def _readings(state: State, piece: Piece) -> Iterator[Action]:
    """Actions, legal or not, that would put this piece there: those like the legal ones first."""
    place = piece.place or ""
    first: dict[type[Action], Action] = {}
    for action in state.legal_actions():
        first.setdefault(type(action), action)
    likely = [kind for kind, action in first.items() if _puts(state, action, piece.thing)]
    for kind in (*likely, *(kind for kind in state.game.actions if kind not in likely)):
        reading = _build(kind, place, piece.thing)
        if reading is not None and place in reading.places():
            yield reading


def _puts(state: State, action: Action, thing: Thing) -> bool:
    """Whether the action brings a piece of that kind onto the board."""
    return any(piece.kind == thing.kind for piece in state.visible_change(action).come)


def _build(kind: type[Action], place: str, thing: Thing) -> Action | None:
    """An action of that kind at that place, if the kind has a field for such a place: "space" is for
    space-A, "line" for line-3, "site" or "field" for any."""
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    placed = False
    for item in fields(kind):
        hint, here = str(hints[item.name]), not placed and _is_for(item.name, place)
        if "int" in hint:
            values[item.name] = thing.value if thing.value is not None else thing.number or 0
        elif here and "str" in hint:
            values[item.name] = tuple(place.split("+")) if "tuple" in hint else place
            placed = True
        elif "tuple" in hint:
            values[item.name] = ()
        elif "None" in hint:
            values[item.name] = None
        elif "str" in hint and item.name in CARD_FIELDS:
            values[item.name] = UNKNOWN
        elif "str" in hint and item.name == "piece":
            values[item.name] = f"{thing.colour}-{thing.kind}"
        else:
            return None
    try:
        return kind(**values) if placed else None
    except (TypeError, ValueError):
        return None


def _is_for(field_name: str, place: str) -> bool:
    return field_name in (*ANY_PLACE, place.split("-")[0])


def _why_not(state: State, action: Action) -> Text | None:
    try:
        return state.why_not(action)
    except (HengeError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None  # a made-up action may make no sense to the rules at all


# --- in words -----------------------------------------------------------------------------------------


def _words(things: Things, language: str) -> str:
    return " + ".join(thing.text(language) for thing in things) or {"de": "nichts"}.get(language, "nothing")


def _seen(differences: Sequence[Difference]) -> Text:
    if not differences:
        return Text("the table does not fit the record", "der Tisch passt nicht zum Protokoll")
    return Text("seen: ", "zu sehen: ") + _lying((place, seen) for place, _, seen in differences)


def _expected(state: State, differences: Sequence[Difference]) -> Text:
    prompt = state.prompt()
    lying = _lying((place, things) for place, things, _ in differences)
    return Text(f"expected: {lying.en} ({prompt.en})", f"erwartet: {lying.de} ({prompt.de})")


def _lying(layout: Iterable[tuple[str, Things]]) -> Text:
    """What lies where: "red block on ring-7; nothing on ring-8"."""
    parts = [(things, place_name(place) if place else _BOARD) for place, things in layout]
    return Text(
        "; ".join(f"{_words(things, 'en')} on {place.en}" for things, place in parts),
        "; ".join(f"{_words(things, 'de')} auf {place.de}" for things, place in parts),
    )


_BOARD: Final = Text("the board", "dem Brett")


def _repairs(change: Change, places: tuple[str, ...]) -> tuple[Repair, ...]:
    back = [_put("take the {} off {}", "nimm {} von {}", piece) for piece in change.come]
    back += [_put("put the {} on {}", "stelle {} auf {}", piece) for piece in change.gone]
    words = Text("; ".join(each.en for each in back), "; ".join(each.de for each in back))
    return (
        Repair("put_back", words, places),
        Repair("misread", Text("the reading is wrong", "falsch gelesen"), places),
        Repair("allow", Text("we agreed to allow it", "wir erlauben es"), places),
    )


def _put(english: str, german: str, piece: Piece) -> Text:
    place = place_name(piece.place) if piece.place else _BOARD
    return Text(
        english.format(piece.thing, place.en), german.format(piece.thing.text("de", object_=True), place.de)
    )
