"""Words that people read, always in English and German.

A `Text` is one sentence in both languages. Everything that the engine tells a person (reasons, prompts,
labels of scores) is a `Text`, so that the page, the command line and the referee say the same thing.

>>> Text("your turn", "du bist dran").in_language("de")
'du bist dran'
>>> translate_word("ring-7", "de"), translate_word("12-night", "de")
('Ring-7', '12-Nacht')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in English and German; `str()` gives the English one."""

    en: str
    de: str

    def __str__(self) -> str:
        return self.en

    def in_language(self, language: str) -> str:
        """The sentence in `language` ("en" or "de")."""
        return self.de if language == "de" else self.en

    def __add__(self, other: Text) -> Text:
        return Text(self.en + other.en, self.de + other.de)

    def to_json(self) -> dict[str, str]:
        return {"en": self.en, "de": self.de}


# The words of the table. Field ids, cards and colours are English tokens joined by hyphens; a token is
# translated part by part, so that "pit-7-night" reads "Mulde-7-Nacht". Every German word stands for
# exactly one English word: what a player types is translated back. Colours are written as names ("Rot zieht
# eine Karte"); as properties of a piece or a field they are what `shade` and `piece_words` say.
GERMAN: dict[str, str] = {
    "white": "Weiß",
    "blue": "Blau",
    "green": "Grün",
    "yellow": "Gelb",
    "red": "Rot",
    "grey": "Grau",
    "black": "Schwarz",
    "brown": "Braun",
    "ring": "Ring",
    "slot": "Platz",
    "pit": "Mulde",
    "day": "Tag",
    "night": "Nacht",
    "trilith": "Trilith",
    "bluestone": "Blaustein",
    "altar": "Altar",
    "yard": "Bauhof",
    "space": "Feld",
    "line": "Linie",
    "supply": "Vorrat",
    "pile": "Stapel",
    "display": "Auslage",
    "disc": "Scheibe",
    "block": "Block",
    "figure": "Figur",
    "pillar": "Säule",
    "capstone": "Deckstein",
    "druid": "Druidenstein",
    "megalith": "Megalith",
    "card": "Karte",
    "clockwise": "rechtsherum",
    "anticlockwise": "linksherum",
    "chance": "Zufall",
    "council": "Rat",
}
ENGLISH: dict[str, str] = {german.casefold(): english for english, german in GERMAN.items()}
# German plural and gender of the pieces, for "brauner Druidenstein", "3 blaue Blöcke".
_PIECES: dict[str, tuple[str, str]] = {
    "disc": ("Scheiben", "f"),
    "block": ("Blöcke", "m"),
    "figure": ("Figuren", "f"),
    "trilith": ("Trilithen", "m"),
    "pillar": ("Säulen", "f"),
    "capstone": ("Decksteine", "m"),
    "druid": ("Druidensteine", "m"),
    "megalith": ("Megalithen", "m"),
    "card": ("Karten", "f"),
}
_PROPERTIES = {"face-down": "verdeckt", "lying": "liegend", "unread": "ungelesen"}
COLOURS = ("white", "blue", "green", "yellow", "red", "grey", "black", "brown")


def translate_word(token: str, language: str) -> str:
    """A field id, card or colour as a person reads it in `language`; unknown parts stay as they are."""
    if language != "de":
        return token
    return "-".join(GERMAN.get(part, part) for part in token.split("-"))


def english_word(token: str) -> str:
    """The inverse of `translate_word` for either language, whatever the case."""
    folded = token.casefold()  # "WEISS" is "weiß" as well
    return "-".join(ENGLISH.get(part, part) for part in folded.split("-"))


def name(token: str) -> Text:
    """A token of the table as a `Text` ("red" / "rot"), for use inside sentences."""
    return Text(token, translate_word(token, "de"))


def shade(colour: str) -> Text:
    """A colour as a property: "field 7 is blue" / "Feld 7 ist blau"."""
    return Text(colour, translate_word(colour, "de").lower())


def piece_words(
    kind: str, *properties: str, count: int | None = 1, language: str = "en", object_: bool = False
) -> str:
    """A piece with its properties ("face-down", "lying", "unread", a colour), as one says it; `count` None:
    several that could not be counted; `object_`: as the object of a German sentence ("nimm ...").

    >>> piece_words("druid", "brown", language="de"), piece_words("block", "blue", count=3, language="de")
    ('brauner Druidenstein', '3 blaue Blöcke')
    >>> piece_words("block", "red", language="de", object_=True), piece_words("block", "red", count=3)
    ('roten Block', '3 red blocks')
    """
    heap = () if count == 1 else (str(count) if count else {"de": "mehrere"}.get(language, "several"),)
    if language != "de":
        return " ".join((*heap, *properties, kind + "s" if heap else kind))
    plural, gender = _PIECES[kind]
    ending = "e" if heap or gender == "f" else "en" if object_ else "er"
    said = (_PROPERTIES.get(each) or shade(each).de for each in properties)
    declined = object_ and kind in ("trilith", "megalith")  # "den Trilithen"
    return " ".join((*heap, *(each + ending for each in said), plural if heap or declined else GERMAN[kind]))
