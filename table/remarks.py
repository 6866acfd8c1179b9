"""What Henge itself says at a table: beside the record, and in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import Text, Thing
from engine.position import place_name
from engine.record import Entry

NOT_SHOWN_YET: Final = Text(
    "recorded; the table does not show it yet", "notiert; der Tisch zeigt es noch nicht"
)
MORE_TO_COME: Final = Text("recorded what is sure; looking again", "notiert, was sicher ist; noch ein Blick")
TAKEN_BACK: Final = Text(
    "taken back; now take it back on the table too", "zurückgenommen; nun auch auf dem Tisch zurücknehmen"
)
NOT_AS_TOLD: Final = Text(
    "what lies there does not go with what a player told in private",
    "was dort liegt, passt nicht zu dem, was ein Spieler für sich angegeben hat",
)
LEARNT: Final = Text(
    "the look of the pieces was learnt from the last picture",
    "das Aussehen der Figuren wurde vom letzten Bild gelernt",
)
NOTHING_YET: Final = Text("nothing has been seen yet", "noch wurde nichts gesehen")
CLEAR_AWAY: Final = Text("left of the last game: ", "noch von der letzten Partie: ")
LAY_OUT: Final = Text("still to lay out: ", "noch hinzulegen: ")


def named(places: Sequence[str], at_most: int = 3) -> Text:
    """ "ring-7, altar and 4 more"."""
    more = len(places) - at_most
    rest = Text(f" and {more} more", f" und {more} weitere") if more > 0 else Text("", "")
    first = [place_name(place) for place in places[:at_most]]
    return Text(", ".join(each.en for each in first), ", ".join(each.de for each in first)) + rest


def remark(words: str | Text) -> Entry:
    """A note; the German of what Henge says stands beside it, as an annotation of the log."""
    return Entry("note", str(words), extra={"de": words.de} if isinstance(words, Text) else {})


def put_right(place: str, thing: Thing | None) -> Text:
    what = Text(thing.text(), thing.text("de")) if thing else Text("nothing", "nichts")
    lies_at = Text(" lies at ", " liegt auf ") + place_name(place)
    return Text("the reading was wrong: ", "falsch gelesen: ") + what + lies_at
