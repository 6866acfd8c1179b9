"""One page of instructions in each language, with the picture of how the sheets go together."""

from __future__ import annotations

from calibration.drawing import Drawing
from calibration.kit.page import Page
from calibration.kit.paper import GREY, INK, MARGIN_MM, Paper, Tiling, paragraph, sheet_of
from calibration.kit.tiles import assembly

TITLES = {"en": "Henge: print and play", "de": "Henge zum Ausdrucken"}
PRINTING = {
    "en": (
        """
            Print at 100 % (“actual size”, never “fit to page”). Check with a ruler that the measure
            at the foot of each page is 50 mm long.
        """,
        """
            Matt paper of 160 g or more is best; a glossy board mirrors lamps into the camera.
        """,
    ),
    "de": (
        """
            Mit 100 % drucken („tatsächliche Größe“, nie „an Seite anpassen“). Mit einem Lineal
            prüfen, dass das Maß am Fuß jeder Seite 50 mm lang ist.
        """,
        """
            Am besten ist mattes Papier ab 160 g; ein glänzender Plan spiegelt Lampen in die Kamera.
        """,
    ),
}
BOARD = {
    "en": (
        """
            Board: cut every sheet at the thin corner marks. Where black arrows point at the print,
            the strip beyond them is a flap: glue the next sheet onto it, its edge exactly at the
            arrows. Row by row from A1, as in the picture below; then glue everything onto
            cardboard.
        """,
        """
            The four black squares in the corners tell the camera where the board is: leave them and
            their white frames uncovered.
        """,
    ),
    "de": (
        """
            Spielplan: jedes Blatt an den feinen Eckmarken ausschneiden. Wo schwarze Pfeile auf den
            Druck zeigen, ist der Streifen dahinter eine Klebelasche: das nächste Blatt
            daraufkleben, die Kante genau an den Pfeilen. Zeile für Zeile ab A1, wie im Bild unten;
            dann alles auf Karton kleben.
        """,
        """
            Die vier schwarzen Quadrate in den Ecken sagen der Kamera, wo der Plan liegt: sie und
            ihre weißen Ränder frei lassen.
        """,
    ),
}
CARDS = {
    "en": """
        Cards: print faces and backs on both sides (turn over the long edge) or glue them together,
        then cut. The table camera reads the black pattern, a phone reads the small code.
    """,
    "de": """
        Karten: Vorder- und Rückseiten beidseitig drucken (über die lange Kante wenden) oder
        zusammenkleben, dann schneiden. Die Kamera am Tisch liest das schwarze Muster, ein Telefon
        den kleinen Code.
    """,
}
STONES = {
    "en": """
        Druid stones: glue the numbers onto round wood, coins or counters of {size:g} mm in two
        colours. The bar under the 6 shows which way is up.
    """,
    "de": """
        Druidensteine: die Zahlen auf Holzscheiben, Münzen oder Plättchen von {size:g} mm in zwei
        Farben kleben. Der Strich unter der 6 zeigt, wo unten ist.
    """,
}
SHEETS = {
    "en": """
        Last three pages: the chessboard teaches Henge your camera's lens (henge calibrate; glue it
        onto something flat), the colour sheet your light, the ruler shows whether the print is
        true.
    """,
    "de": """
        Letzte drei Seiten: das Schachbrett lehrt Henge das Objektiv deiner Kamera (henge calibrate;
        auf etwas Ebenes kleben), das Farbblatt das Licht, das Lineal zeigt, ob der Druck maßhaltig
        ist.
    """,
}


def instruction_page(
    language: str,
    paper: Paper,
    tiling: Tiling,
    board: Drawing,
    title: str,
    cards: bool,
    stone_mm: float | None,
) -> Page:
    """The page in "en" or "de"; `stone_mm` is the druid stones' diameter where the board has any."""
    page = sheet_of(paper, title)
    page.words(MARGIN_MM + 5, MARGIN_MM + 8, TITLES[language], 6.5, INK, align=-1)
    page.words(MARGIN_MM + 5, MARGIN_MM + 18, title, 2.8, GREY, align=-1, font="regular")
    steps = [*PRINTING[language], *BOARD[language]]
    steps += [CARDS[language]] if cards else []
    steps += [STONES[language].format(size=stone_mm)] if stone_mm else []
    y = MARGIN_MM + 26.0
    for number, step in enumerate([*steps, SHEETS[language]], 1):
        page.words(MARGIN_MM + 5, y + 2.4, str(number), 3.0, INK, align=-1)
        y = paragraph(page, (MARGIN_MM + 12, y), paper.usable_mm[0] - 17, step, 2.4) + 2.2
    room = min(paper.height_mm - MARGIN_MM - 6 - y, paper.usable_mm[0] - 10)
    window = assembly(page, tiling, board, (paper.width_mm - room) / 2, y + 3, room)
    return Page(page, window)
