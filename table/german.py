"""The German of what the eyes cannot see and of what is refused at a table.

Both are raised as one English sentence, also for the command line and for programs. Those that a player meets
stand here with their German; `{}` stands for whatever is filled in. A test holds that none of the eyes'
sentences is missing, and that all of them are still said.
"""

from __future__ import annotations

import re
from typing import Final

from engine import Text

SENTENCES: Final[dict[str, str]] = {
    # --- the eyes
    "the picture is too dark: switch a lamp on or take the lens cap off":
        "das Bild ist zu dunkel: mach eine Lampe an oder nimm die Kappe vom Objektiv",
    "the picture is too bright: everything is white; turn the lamp away or lower the exposure":
        "das Bild ist zu hell: alles ist weiß; dreh die Lampe weg oder belichte kürzer",
    "the picture is too blurred: hold the camera still and let it focus":
        "das Bild ist zu unscharf: halte die Kamera ruhig und lass sie scharf stellen",
    "the picture is only {} x {} pixels: at least 320 x 240 are needed":
        "das Bild hat nur {} x {} Pixel: mindestens 320 x 240 sind nötig",
    "only {} of the {} tags of the {} board can be seen: show the whole board, or give its corners":
        "nur {} der {} Marken des Bretts {} sind zu sehen: zeige das ganze Brett, oder gib seine Ecken an",
    "no board found: none of the {} tags of the {} board can be seen; "
    "show the whole board, or give its corners":
        "kein Brett gefunden: keine der {} Marken des Bretts {} ist zu sehen; "
        "zeige das ganze Brett, oder gib seine Ecken an",
    "this is the {} board, but the {} board was expected: choose the other board":
        "das ist das Brett {}, erwartet wurde das Brett {}: nimm das andere Brett",
    "two {} boards are in the picture: leave one of them in view":
        "zwei Bretter {} sind im Bild: lass nur eines davon zu sehen",
    "the tags of the {} board do not lie where they should: is the board flat and whole?":
        "die Marken des Bretts {} liegen nicht, wo sie sollten: ist das Brett eben und ganz?",
    "the {} board has no tags: give its corners or a photo of the empty board":
        "das Brett {} hat keine Marken: gib seine Ecken an oder ein Foto des leeren Bretts",
    "the {} board has no tags: give its corners in the photo of the empty board":
        "das Brett {} hat keine Marken: gib seine Ecken im Foto des leeren Bretts an",
    "the photo of the empty board: {}": "das Foto des leeren Bretts: {}",
    "the print of the {} board is not seen": "der Druck des Bretts {} ist nicht zu sehen",
    "the board of the reference picture is not in this one, or too little of it: show the whole board, or "
    "give its corners":
        "das Brett vom Vergleichsfoto ist nicht in diesem Bild, oder zu wenig davon: zeige das ganze Brett, "
        "oder gib seine Ecken an",
    "what is seen of the board does not fit together: is it flat, whole and only once there?":
        "was vom Brett zu sehen ist, passt nicht zusammen: ist es eben, ganz und nur einmal da?",
    "{} is a damaged picture: take or copy it again":
        "{} ist ein beschädigtes Bild: nimm oder kopiere es noch einmal",
    "{} is not a picture that can be read: expected a JPEG or PNG file":
        "{} ist kein Bild, das sich lesen lässt: erwartet wird eine JPEG- oder PNG-Datei",
    "no picture comes from {} any more: check the cable or the phone":
        "von {} kommt kein Bild mehr: sieh nach Kabel oder Telefon",
    "{} is gone: {}": "{} ist nicht mehr da: {}",
    # --- the table
    "meanwhile something else was entered: look once more":
        "inzwischen wurde etwas anderes eingetragen: sieh noch einmal hin",
    "that is not the question any more: read it once more":
        "das ist nicht mehr die Frage: lies sie noch einmal",
    "the question has {} answers, there is no answer {}":
        "die Frage hat {} Antworten, eine Antwort {} gibt es nicht",
    "there is no picture yet whose reading could be corrected":
        "es gibt noch kein Bild, dessen Lesung zu berichtigen wäre",
    "there is no picture yet to go on from": "es gibt noch kein Bild, von dem aus es weitergehen könnte",
    "there is nothing to learn: first put a reading right, until all agrees":
        "es gibt nichts zu lernen: berichtige erst eine Lesung, bis alles stimmt",
    "this board has no such piece; it has {}, in the colours of its players":
        "so einen Stein hat dieses Brett nicht; es hat {}, in den Farben seiner Spieler",
    "nothing can be kept in {} ({}): make room there, then go on":
        "in {} lässt sich nichts ablegen ({}): schaffe dort Platz, dann geht es weiter",
    "there is no camera any more: start Henge anew with --camera":
        "es gibt keine Kamera mehr: starte Henge neu mit --camera",
    "this game is on the shelf: put it back on the table first":
        "diese Partie steht im Regal: stelle sie erst zurück auf den Tisch",
    "this server has no camera: start Henge with --camera":
        "dieser Server hat keine Kamera: starte Henge mit --camera",
    "nothing is to be drawn or rolled now": "jetzt ist nichts zu ziehen oder zu würfeln",
    "a note needs words": "eine Notiz braucht Worte",
    "there is no move to take back": "es gibt keinen Zug zurückzunehmen",
    "there is no move to do again": "es gibt keinen Zug zu wiederholen",
    "{} is no move of this game; moves are written: {}":
        "{} ist kein Zug dieses Spiels; so schreibt man Züge: {}",
    # --- the set-up
    "the chessboard sheet is not seen in this picture: show most of it, flat and sharp":
        "das Schachbrettblatt ist in diesem Bild nicht zu sehen: zeige das meiste davon, flach und scharf",
    "these photographs of the chessboard sheet do not tell the lens: all were taken from the same side; "
    "tilt the camera by 20 to 40 degrees in different directions":
        "diese Fotos des Schachbrettblatts verraten das Objektiv nicht: alle sind von derselben Seite; "
        "neige die Kamera um 20 bis 40 Grad in verschiedene Richtungen",
    "the photographs of the chessboard sheet have different sizes ({}): "
    "take all with the same camera setting":
        "die Fotos des Schachbrettblatts sind verschieden groß ({}): nimm alle mit derselben Einstellung auf",
    "the chessboard sheet was found in {} photographs, at least {} are needed, 8 to 12 are good: "
    "photograph it flat, from different sides, also at the picture's edges":
        "das Schachbrettblatt wurde in {} Fotos gefunden, mindestens {} sind nötig, 8 bis 12 sind gut: "
        "nimm es flach auf, von verschiedenen Seiten, auch an den Rändern des Bildes",
    "show the empty board first": "zeige erst das leere Brett",
    "nothing is known yet: show the empty board first": "noch ist nichts bekannt: zeige erst das leere Brett",
    "there is no picture of the empty board yet": "es gibt noch kein Bild des leeren Bretts",
    "the board has not been found yet": "das Brett wurde noch nicht gefunden",
    "the board's width and height are between 10 and 5000 mm":
        "Breite und Höhe des Bretts liegen zwischen 10 und 5000 mm",
    "point at some fields first": "zeige erst auf einige Felder",
    "{} is no field of the {} board: expected names such as {}":
        "{} ist kein Feld des Bretts {}: erwartet werden Namen wie {}",
    "{} fields were pointed at, at least {} are needed, far from each other, such as {}":
        "auf {} Felder wurde gezeigt, mindestens {} sind nötig, weit voneinander, etwa {}",
    "{} was pointed at {} mm from where the other fields put it: is it really {}, and are the board's "
    "corners and size right?":
        "{} liegt nach deinem Zeigen {} mm von da, wohin die anderen Felder es legen: ist es wirklich {}, "
        "und stimmen Ecken und Größe des Bretts?",
    "the board has no field {}": "das Brett hat kein Feld {}",
    "draw 1 to {} fields first": "zeichne erst 1 bis {} Felder",
    "every field needs a name, such as pond-1": "jedes Feld braucht einen Namen, etwa Teich-1",
    "the radius of {} is between 1 and 500 mm": "der Radius von {} liegt zwischen 1 und 500 mm",
    "no pieces are seen: put some of each colour onto the board or beside it, apart from each other, and "
    "photograph them again":
        "es sind keine Steine zu sehen: lege von jeder Farbe einige auf das Brett oder daneben, mit Abstand, "
        "und fotografiere sie noch einmal",
    "no pieces were shown yet": "noch wurden keine Steine gezeigt",
    "there is no piece {}": "einen Stein {} gibt es nicht",
    "no piece of this board is a {} {}": "kein Stein dieses Bretts ist so einer: {} {}",
    "{} is not played on the {} board": "{} wird nicht auf dem Brett {} gespielt",
    "no set-up is going on: choose a board first": "es wird gerade nichts eingerichtet: wähle erst ein Brett",
    "no camera sends pictures": "keine Kamera sendet Bilder",
    "no camera sends pictures any more: open this page there and switch the camera on":
        "keine Kamera sendet mehr Bilder: öffne diese Seite dort und schalte die Kamera ein",
    "\"{}\" cannot be a profile's name: expected up to 60 letters, digits, spaces, and . , + - _":
        "\"{}\" kann kein Name eines Profils sein: erwartet werden bis zu 60 Buchstaben, Ziffern, "
        "Leerzeichen und . , + - _",
    "there is a profile {} already: delete it first, or choose another name":
        "ein Profil {} gibt es schon: lösche es erst, oder nimm einen anderen Namen",
    "there is a profile {} already: delete it first, or import under another name":
        "ein Profil {} gibt es schon: lösche es erst, oder hol es unter einem anderen Namen herein",
    # --- a log that is imported
    "cut off or damaged: expected UTF-8 text": "abgeschnitten oder beschädigt: erwartet wird Text in UTF-8",
    "neither a header 'key: value' nor an entry '1. ...': {}":
        "weder eine Kopfzeile 'key: value' noch ein Eintrag '1. ...': {}",
    "the header has no line '{}: ...'": "die Zeile '{}: ...' fehlt im Kopf",
    "expected 'variant: key=value, key=value', found {}":
        "erwartet wurde 'variant: key=value, key=value', gefunden: {}",
    "expected entry {}, found number {}; read in the order of lines":
        "erwartet wurde Eintrag {}, gefunden: {}; gelesen wird in der Reihenfolge der Zeilen",
    "a confidence is a number from 0 to 1, found {}":
        "die Sicherheit einer Lesung ist eine Zahl von 0 bis 1, gefunden: {}",
    "whose hand? expected 'hand red: ?? ?? ??'": "wessen Hand? erwartet wurde 'hand red: ?? ?? ??'",
    "a correction says how many steps it goes back: 'correction back 2: ...'":
        "eine Korrektur sagt, wie viele Schritte sie zurückgeht: 'correction back 2: ...'",
    "a correction goes back {} steps, the record holds {}":
        "eine Korrektur geht {} Schritte zurück, die Aufzeichnung hat {}",
    "there is no game {}; the games are {}": "ein Spiel {} gibt es nicht; die Spiele sind {}",
    "{} has no variant {}; it has {}": "{} hat keine Variante {}; es hat {}",
    "at most {} kB of JSON": "höchstens {} kB JSON",
    # --- who may what
    "a PIN has 4 to 12 digits": "eine PIN hat 4 bis 12 Ziffern",
    "this is not the PIN of this seat": "das ist nicht die PIN dieses Platzes",
    "this hand is opened with the PIN of its player": "diese Hand öffnet sich mit der PIN ihres Spielers",
    "this is not the code: read it once more at the machine at the table":
        "das ist nicht der Code: lies ihn noch einmal am Rechner am Tisch",
    "too many wrong tries: wait a minute": "zu viele falsche Versuche: warte eine Minute",
    "too many changes at once: wait a few seconds": "zu viele Änderungen auf einmal: warte ein paar Sekunden",
    "this device may only look: pair it with the code for players":
        "dieses Gerät darf nur zuschauen: melde es mit dem Code für Spieler an",
    "only the machine at the table may do that": "das darf nur der Rechner am Tisch",
    "{} moves from his own page: his hand is private":
        "{} zieht von der eigenen Seite aus: diese Hand ist geheim",
    "this server does not read photographs": "dieser Server liest keine Fotos",
    "the picture has far too many pixels; send at most 40 million":
        "das Bild hat viel zu viele Pixel; sende höchstens 40 Millionen",
    "this is no picture that can be read: expected a JPEG, PNG, WebP or HEIC file":
        "das ist kein Bild, das sich lesen lässt: erwartet wird eine JPEG-, PNG-, WebP- oder HEIC-Datei",
}  # fmt: skip


def in_both(sentence: object) -> Text:
    """An error, or what it says, in both languages; in English twice if its German is not known."""
    english = str(sentence)
    for pattern, german in _PATTERNS:
        if found := pattern.fullmatch(english):
            return Text(english, german.format(*found.groups()))
    return Text(english, english)


_PATTERNS: Final = tuple(
    (re.compile("(.+?)".join(map(re.escape, english.split("{}"))), re.DOTALL), german)
    for english, german in SENTENCES.items()
)
