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
# exactly one English word: what a player types is translated back.
GERMAN: dict[str, str] = {
    "white": "weiß",
    "blue": "blau",
    "green": "grün",
    "yellow": "gelb",
    "red": "rot",
    "grey": "grau",
    "black": "schwarz",
    "brown": "braun",
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
