"""What lies on the table: the first of the two values that cross the borders of the house.

A *place* is where a piece can lie, as one string: a field id ("ring-7"), two ring fields under a trilith
("ring-4+ring-5", and "ring-30+ring-1"), or the top of a trilith's capstone ("trilith-2^", "ring-4+ring-5^").
A *thing* is what lies there, without where: a red block, a black druid stone with a 4.

>>> piece = Piece("druid", "black", field="space-A", value=4)
>>> piece.place, str(piece.thing)
('space-A', 'black druid 4')
>>> Piece.from_json(piece.to_json()) == piece
True
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from engine.board_check import is_number, shown
from engine.errors import StateError
from engine.words import Text, name, piece_words, translate_word

KINDS = ("disc", "block", "figure", "trilith", "pillar", "capstone", "druid", "megalith", "card")
TOP = "^"


@dataclass(frozen=True, slots=True)
class Thing:
    """A piece without its place. `value` None on a druid stone: face down. `count` None: a heap that
    could not be counted. `number`, `phase` and `face` ("up" or "down") belong to cards."""

    kind: str
    colour: str | None = None
    value: int | None = None
    facing: str | None = None
    lying: bool = False
    count: int | None = 1
    number: int | None = None
    phase: str | None = None
    face: str | None = None

    def text(self, language: str = "en", object_: bool = False) -> str:
        """In words: "red block", "black druid 4", "3 blue blocks", "7-night card"; `object_`: as the object
        of a German sentence ("nimm roten Block")."""
        if self.kind == "card":
            return self._card_text(language)
        properties = [*(["lying"] if self.lying else []), *([self.colour] if self.colour else [])]
        parts = [piece_words(self.kind, *properties, count=self.count, language=language, object_=object_)]
        if self.kind == "druid":
            parts.append(str(self.value) if self.value else {"de": "verdeckt"}.get(language, "face down"))
        if self.facing:
            parts.append(translate_word(self.facing, language))
        return " ".join(parts)

    def _card_text(self, language: str) -> str:
        if self.face == "down":
            return piece_words("card", "face-down", count=self.count, language=language)
        if self.number and self.phase:
            token = f"{self.number}-{self.phase}"
        elif self.colour and not (self.number or self.phase):
            token = f"trilith-{self.colour}"
        else:
            return self._unread_text(language)
        token = translate_word(token, language)
        return f"Karte {token}" if language == "de" else f"{token} card"

    def _unread_text(self, language: str) -> str:
        """A card of which only the number, only the phase or nothing at all was read."""
        if self.number and language == "de":
            return f"Karte {self.number} (Tag oder Nacht)"
        if self.number:
            return f"{self.number} card (day or night)"
        card = piece_words("card", "unread", count=self.count, language=language)
        return f"{card} ({translate_word(self.phase, language)})" if self.phase else card

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing and where it lies. Millimetres on the board plane (x right, y down, origin at the printed
    top-left corner), `angle_deg` clockwise from +x. `confidence` is None unless a reader gave one;
    neither it nor the exact coordinates take part in comparisons. `fields` are kept in the order of their
    numbers, in whichever order they are named.

    Raises StateError for a heap of less than one piece."""

    kind: str
    colour: str | None = None
    field: str | None = None
    fields: tuple[str, str] | None = None
    on: str | None = None
    value: int | None = None
    facing: str | None = None
    lying: bool = False
    count: int | None = 1
    number: int | None = None
    phase: str | None = None
    face: str | None = None
    x_mm: float | None = dataclasses.field(default=None, compare=False)
    y_mm: float | None = dataclasses.field(default=None, compare=False)
    angle_deg: float | None = dataclasses.field(default=None, compare=False)
    confidence: float | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.count is not None and self.count < 1:
            raise StateError(f"the 'count' of a piece is a number from 1 or null, found {self.count}")
        if self.fields is not None:
            object.__setattr__(self, "fields", one_after_the_other(*self.fields))

    @property
    def place(self) -> str | None:
        """The place as a string (see the module's text); None for a free-standing piece."""
        base = "+".join(self.fields) if self.fields else self.field
        return base + TOP if base and self.on == "trilith" else base

    @property
    def thing(self) -> Thing:
        """What this piece is, without where it lies."""
        return Thing(
            self.kind,
            self.colour,
            self.value,
            self.facing,
            self.lying,
            self.count,
            self.number,
            self.phase,
            self.face,
        )

    def at(self, place: str) -> Piece:
        """The same piece at another place."""
        bare, on = (place[:-1], "trilith") if place.endswith(TOP) else (place, None)
        first, plus, second = bare.partition("+")
        pair = (first, second) if plus else None
        return replace(
            self, field=None if pair else bare, fields=pair, on=on, x_mm=None, y_mm=None, angle_deg=None
        )

    def to_json(self) -> dict[str, Any]:
        """The piece as a label file writes it: what is absent has its default."""
        data: dict[str, Any] = {"kind": self.kind}
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if item.name == "kind" or value == item.default:
                continue
            data[item.name] = list(value) if isinstance(value, tuple) else value
        if self.kind == "druid":
            data["value"] = self.value
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Piece:
        """Read one entry of `pieces`; unknown keys are ignored.

        Raises StateError naming what is wrong."""
        if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
            raise StateError(f"a piece needs a 'kind' (one of {', '.join(KINDS)}), found {data!r}")
        known = {item.name for item in dataclasses.fields(cls)}
        values = {key: value for key, value in data.items() if key in known}
        for key, value in values.items():
            if key in _MAY_BE and not _MAY_BE[key][0](value):
                raise StateError(f"'{key}' of a piece is {_MAY_BE[key][1]}, found {shown(value)}")
        if "fields" in values:
            values["fields"] = _two_fields(values["fields"])
        return cls(**values)


def _is_word(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_whole(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _is_measure(value: object) -> bool:
    return value is None or is_number(value)


def _is_one_of(words: tuple[str, ...], value: object) -> bool:
    return value is None or value in words


_WORDS: dict[str, tuple[str, ...]] = {
    "on": ("trilith",),
    "facing": ("clockwise", "anticlockwise"),
    "phase": ("day", "night"),
    "face": ("up", "down"),
}
# What the keys of a piece may be in a file, and how that is told.
_MAY_BE: dict[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(("colour", "field"), (_is_word, "a word or null")),
    **{key: (partial(_is_one_of, words), " or ".join((*words, "null"))) for key, words in _WORDS.items()},
    **dict.fromkeys(("value", "count", "number"), (_is_whole, "a whole number or null")),
    **dict.fromkeys(("x_mm", "y_mm", "angle_deg", "confidence"), (_is_measure, "a number or null")),
    "lying": (lambda value: isinstance(value, bool), "true or false"),
}


def _two_fields(value: Any) -> tuple[str, str]:
    if isinstance(value, (list, tuple)) and len(value) == 2:
        return str(value[0]), str(value[1])
    raise StateError(f"'fields' of a piece names the two fields it stands on, found {value!r}")


def one_after_the_other(first: str, second: str) -> tuple[str, str]:
    """Two neighbouring fields as one counts round the ring, in whichever order they are named.

    >>> one_after_the_other("ring-10", "ring-9"), one_after_the_other("ring-1", "ring-30")
    (('ring-9', 'ring-10'), ('ring-30', 'ring-1'))
    """
    low, high = sorted((first, second), key=lambda field: (_number_of(field), field))
    return (low, high) if _number_of(high) - _number_of(low) <= 1 else (high, low)


def _number_of(field: str) -> int:
    digits = field.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0


def fields_of(place: str) -> tuple[str, ...]:
    """The fields that a place is on: two for a trilith on two number fields, and for its capstone."""
    return tuple(place.removesuffix(TOP).split("+"))


def place_name(place: str) -> Text:
    """A place as people read it.

    >>> str(place_name("ring-4+ring-5")), place_name("trilith-2^").de
    ('ring-4+ring-5', 'Deckstein von Trilith-2')
    """
    names = [name(field) for field in fields_of(place)]
    said = Text("+".join(each.en for each in names), "+".join(each.de for each in names))
    return Text("the capstone of ", "Deckstein von ") + said if place.endswith(TOP) else said


def thing_at(thing: Thing, place: str, **more: Any) -> Piece:
    """The piece that is `thing` lying at `place`; `more` sets coordinates or confidence."""
    piece = Piece(
        thing.kind,
        thing.colour,
        value=thing.value,
        facing=thing.facing,
        lying=thing.lying,
        count=thing.count,
        number=thing.number,
        phase=thing.phase,
        face=thing.face,
    )
    return replace(piece.at(place), **more)


# The same piece as one object, for states that are looked at again and again.
piece = lru_cache(maxsize=65536)(Piece)


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces on one board. A field that no piece names is empty."""

    board: str
    pieces: tuple[Piece, ...] = ()
    game: str | None = None
    occluded: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    def at(self, place: str) -> tuple[Piece, ...]:
        """The pieces at `place`, in no particular order."""
        return tuple(piece for piece in self.pieces if piece.place == place)

    def things(self) -> dict[str, Counter[Thing]]:
        """place -> what lies there, how often. Free-standing pieces stand under the empty string."""
        found: dict[str, Counter[Thing]] = {}
        for piece in self.pieces:
            found.setdefault(piece.place or "", Counter())[piece.thing] += 1
        return found

    def same_as(self, other: Position) -> bool:
        """Whether the same things lie at the same places, whatever the order and exact coordinates."""
        return self.things() == other.things()

    def to_json(self) -> dict[str, Any]:
        """The label-file format, without `image` and `corners_px`."""
        data: dict[str, Any] = {"board": self.board, "pieces": [piece.to_json() for piece in self.pieces]}
        if self.game:
            data["game"] = self.game
        if self.occluded:
            data["occluded"] = list(self.occluded)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Read a position or label file's content. Raises StateError naming what is wrong."""
        if not isinstance(data, Mapping) or not isinstance(data.get("pieces"), list):
            raise StateError("a position needs a list 'pieces' and a 'board'")
        if not isinstance(data.get("board"), str):
            raise StateError(f"a position needs the id of its 'board', found {data.get('board')!r}")
        game, occluded = data.get("game"), data.get("occluded", [])
        if not _is_word(game):
            raise StateError(f"the 'game' of a position is the id of a game or null, found {shown(game)}")
        if not isinstance(occluded, list) or not all(isinstance(name, str) for name in occluded):
            raise StateError(f"'occluded' of a position is a list of fields, found {shown(occluded)}")
        pieces = tuple(Piece.from_json(entry) for entry in data["pieces"])
        return cls(data["board"], pieces, game, tuple(occluded))


@dataclass(frozen=True, slots=True)
class Change:
    """The visible difference between two positions: pieces that went and pieces that came."""

    gone: tuple[Piece, ...] = ()
    come: tuple[Piece, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.come)

    @property
    def places(self) -> tuple[str, ...]:
        """The places concerned, in reading order, each once."""
        return tuple(dict.fromkeys(piece.place or "" for piece in self.gone + self.come))

    def text(self) -> Text:
        """What a person at the table would see, in words."""
        if not self:
            return Text("nothing changes on the board", "auf dem Brett ändert sich nichts")
        return Text(self._sentence("en"), self._sentence("de"))

    def _sentence(self, language: str) -> str:
        leaves, comes = _VERBS[language]
        moves = [(piece, leaves) for piece in self.gone] + [(piece, comes) for piece in self.come]
        board = "das Brett" if language == "de" else "the board"  # where a free-standing piece is
        return "; ".join(
            f"{piece.thing.text(language)} {verb[piece.count != 1]} "
            + (place_name(piece.place).in_language(language) if piece.place else board)
            for piece, verb in moves
        )


# One piece leaves and comes, several leave and come.
_VERBS = {
    "en": (("leaves", "leave"), ("comes to", "come to")),
    "de": (("verlässt", "verlassen"), ("kommt auf", "kommen auf")),
}


def difference(before: Position, after: Position) -> Change:
    """What a camera sees change from `before` to `after`: two multisets of pieces, sorted by place."""
    old, new = Counter(before.pieces), Counter(after.pieces)
    return Change(_sorted((old - new).elements()), _sorted((new - old).elements()))


def _sorted(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    return tuple(sorted(pieces, key=lambda piece: (piece.place or "", str(piece.thing))))
