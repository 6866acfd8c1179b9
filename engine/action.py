"""Actions and their notation.

Each kind of action is one frozen dataclass that declares its text once, in both languages; the same
declaration writes and reads it:

>>> @dataclass(frozen=True, slots=True)
... class Place(Action):
...     notation = Notation("place {value} on {space}", "setze {value} auf {space}")
...     value: int
...     space: str
>>> action = Place(4, "space-A")
>>> str(action), action.text("de")
('place 4 on space-A', 'setze 4 auf Feld-A')
>>> parse("Setze 4 auf Feld-a", (Place,)) == action
True

Field types are int, str (a token of the table: field id, card, colour, option), tuple[str, ...] (tokens
joined by "+" or ", " in the text), and each of these with `| None`. A part of the template in [brackets]
is left out when a field inside it is None, False or empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from functools import cache
from itertools import permutations
from typing import Any, ClassVar, NamedTuple, get_type_hints

from engine.cards import UNKNOWN, fits
from engine.errors import UnknownActionError
from engine.words import LANGUAGES, Text, english_word, translate_word


class Notation(NamedTuple):
    """The text of one kind of action, as a template per language."""

    en: str
    de: str

    def template(self, language: str) -> str:
        return self.de if language == "de" else self.en


@dataclass(frozen=True, slots=True)
class Action:
    """Base of all actions. Hashable; `str()` is its notation, unique in the state it is legal in.

    title: the heading under which a player finds such moves ("place a stone"). sums_up: the kinds of actions
    of which it says together what was seen of them."""

    notation: ClassVar[Notation]
    title: ClassVar[Text] = Text("moves", "Züge")
    sums_up: ClassVar[tuple[type[Action], ...]] = ()

    def text(self, language: str = "en") -> str:
        """The action in words that a player can read and type."""
        return _write(self, language)

    def __str__(self) -> str:
        return _write(self, "en")

    def places(self) -> tuple[str, ...]:
        """The fields that this action names, for pointing at them on the board."""
        values = (getattr(self, item.name) for item in fields(self))
        tokens = (t for v in values for t in (v if isinstance(v, tuple) else (v,)) if isinstance(t, str))
        return tuple(t for t in tokens if _PLACE.fullmatch(t))

    def to_json(self) -> dict[str, Any]:
        """The action as data: its kind and its fields, beside the notation."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {"kind": type(self).__name__, "text": str(self), **values}


_PLACE = re.compile(r"(ring|slot|trilith|bluestone|yard|line)-\d+|pit-\d+-(day|night)|space-[A-R]|altar")
_SEGMENT = re.compile(r"\[([^\]]*)\]|\{(\w+)\}|([^\[\]{}]+)")


def _write(action: Action, language: str) -> str:
    return _fill(type(action).notation.template(language), action, language)


def _fill(template: str, action: Action, language: str) -> str:
    parts = []
    for optional, field_name, literal in _SEGMENT.findall(template):
        if field_name:
            parts.append(_value_text(getattr(action, field_name), language))
        elif optional:
            names = re.findall(r"\{(\w+)\}", optional)
            if all(_is_given(getattr(action, n)) for n in names):
                parts.append(_fill(optional, action, language))
        else:
            parts.append(literal)
    return "".join(parts)


def _is_given(value: Any) -> bool:
    """Whether a value fills its [bracket]; the number 0 does."""
    return value is not None and value is not False and value != ()


def _value_text(value: Any, language: str) -> str:
    if isinstance(value, tuple):
        return "+".join(translate_word(str(token), language) for token in value)
    return translate_word(value, language) if isinstance(value, str) else str(value)


# One token of the table: letters, digits, hyphens; "??" stands for what is not known.
_TOKEN = r"[\w?][\w?^.-]*"
_PATTERNS = {
    int: r"-?\d+",
    str: _TOKEN,
    tuple[str, ...]: rf"{_TOKEN}(?:\s*[+,]\s*{_TOKEN})*",
    tuple[int, ...]: r"\d+(?:\s*[+,]\s*\d+)*",
}


@cache
def _field_types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {item.name: _without_none(hints[item.name]) for item in fields(kind)}


def _without_none(hint: Any) -> Any:
    args = getattr(hint, "__args__", ())
    if type(None) in args:
        return next(arg for arg in args if arg is not type(None))
    return hint


@cache
def _pattern(kind: Any, language: str) -> re.Pattern[str]:
    return re.compile(_regex(kind.notation.template(language), _field_types(kind)), re.IGNORECASE)


def _regex(template: str, types: dict[str, Any]) -> str:
    out = []
    for optional, field_name, literal in _SEGMENT.findall(template):
        if field_name:
            out.append(f"(?P<{field_name}>{_PATTERNS[types[field_name]]})")
        elif optional:
            out.append(f"(?:{_regex(optional, types)})?")
        else:
            out.append(re.escape(literal).replace(r"\ ", r"\s+"))
    return "".join(out)


def _read_value(text: str | None, hint: Any) -> Any:
    if text is None:
        return () if hint in (tuple[str, ...], tuple[int, ...]) else None
    if hint is int:
        return int(text)
    if hint is str:
        return canonical_token(text)
    convert = int if hint == tuple[int, ...] else canonical_token
    return tuple(convert(part) for part in re.split(r"\s*[+,]\s*", text))


def canonical_token(text: str) -> str:
    """The English token that a player means, in either language and any case ("FELD-a" -> "space-A")."""
    token = english_word(text)
    if re.fullmatch(r"space-[a-r]", token):
        token = "space-" + token[-1].upper()
    return token


def covers(vague: Action, exact: Action) -> bool:
    """Whether `vague` says nothing of `exact` that is not so: the same kind of action, with the same in all
    its fields or "??" for a card. Details that may be left out of the notation are not compared.

    >>> @dataclass(frozen=True, slots=True)
    ... class Show(Action):
    ...     notation = Notation("show {cards}", "zeige {cards}")
    ...     cards: tuple[str, ...]
    >>> shown = Show(("7-day", "3-night"))
    >>> covers(Show(("??", "7-day")), shown), covers(Show(("7-day", "3-day")), shown)
    (True, False)
    """
    if type(vague) is not type(exact):
        return False
    needed = (item.name for item in fields(exact) if item.default is MISSING)
    return all(_value_covers(getattr(vague, name), getattr(exact, name)) for name in needed)


def _value_covers(vague: Any, exact: Any) -> bool:
    if isinstance(vague, tuple) and isinstance(exact, tuple):
        if vague == (UNKNOWN,):
            return True  # any number of cards
        return len(vague) == len(exact) and any(
            all(map(_value_covers, order, exact)) for order in permutations(vague)
        )
    return bool(vague == exact or (isinstance(vague, str) and isinstance(exact, str) and fits(exact, vague)))


_PLACES = "|".join(
    f"{kind}|{translate_word(kind, 'de')}"
    for kind in ("ring", "slot", "pit", "bluestone", "trilith", "yard", "space", "line", "display")
)


def _with_hyphens(text: str) -> str:
    """Places as they are written: "space A" is "space-A"; with hyphens that may be broken at.

    >>> _with_hyphens("claim line 3"), _with_hyphens("Setze 4 auf Feld A")
    ('claim line-3', 'Setze 4 auf Feld-A')
    """
    plain = text.replace("\N{NON-BREAKING HYPHEN}", "-")
    return re.sub(rf"\b({_PLACES}) (?=\d|[A-R]\b)", r"\1-", plain, flags=re.IGNORECASE)


def parse(text: str, kinds: Iterable[type[Action]]) -> Action:
    """The action that `text` writes, in English or German, also as people say it ("space A").

    Raises UnknownActionError when no kind of action reads like that."""
    cleaned = " ".join(text.split())
    candidates: tuple[Any, ...] = tuple(kinds)
    for written in dict.fromkeys((cleaned, _with_hyphens(cleaned))):
        for kind in candidates:
            for language in LANGUAGES:
                match = _pattern(kind, language).fullmatch(written)
                if match:
                    types = _field_types(kind)
                    action: Action = kind(**{n: _read_value(match.group(n), types[n]) for n in types})
                    return action
    forms = list(dict.fromkeys(kind.notation.en for kind in candidates))
    # What begins like one of them is most likely meant to be that.
    begins = re.split(r"\W", cleaned, maxsplit=1)[0]
    meant = [form for form in forms if begins and re.match(rf"{begins}\b", form)]
    examples = "; ".join(meant or forms)
    raise UnknownActionError(f"{text!r} is no move of this game; moves are written: {examples}")
