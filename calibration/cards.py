"""The printed cards: which tag and which QR text stands for which card, and how a card looks.

Cards are named as in `engine.cards` ("7-day", "trilith-red"; "??" is the back). Their tags come from
DICT_4X4_100 and follow the order of `engine.cards.ALL_CARDS`:

    10..39   1-day .. 30-day
    40..69   1-night .. 30-night
    70..74   trilith-white, -blue, -green, -yellow, -red
    75       the back of every card

The first 50 tags of DICT_4X4_100 are those of DICT_4X4_50, so one search finds the boards' tags (0-7) too.
A card lies upright when the tag's top-left corner is up and left.

>>> tag_of_card("7-day"), card_of_tag(46), card_of_tag(3), card_of_qr("HENGE:7-NIGHT")
(16, '7-night', None, '7-night')
"""

from __future__ import annotations

import segno

from calibration.artwork_anthology import draw_moon, draw_sun, readable
from calibration.drawing import (
    Colour,
    Drawing,
    Picture,
    Point,
    box,
    circle,
    rasterise,
    rectangle,
    text_width_mm,
    turned,
)
from calibration.styles import CHALK, Style
from calibration.tags import draw_tag
from engine import cards
from engine.errors import HengeError

DICTIONARY = "DICT_4X4_100"
FIRST_TAG, BACK_TAG = 10, 75
BACK = cards.UNKNOWN
WIDTH_MM, LENGTH_MM = 34.0, 50.0
TAG_MM = 25.0
TAG_CORNERS_MM: tuple[Point, Point, Point, Point] = ((4.5, 20.5), (29.5, 20.5), (29.5, 45.5), (4.5, 45.5))
QR_PREFIX = "HENGE:"
_QR_MODULE_MM = 0.52


class CardError(HengeError):
    """A card that does not exist."""


def card_of_tag(tag: int) -> str | None:
    """The card with that tag, "??" for the back's, None for a tag that is on no card."""
    if tag == BACK_TAG:
        return BACK
    index = tag - FIRST_TAG
    return cards.ALL_CARDS[index] if 0 <= index < len(cards.ALL_CARDS) else None


def tag_of_card(card: str) -> int:
    """The tag on that card's face; "??" and other face-down cards have the back's. Raises CardError."""
    if card.startswith(cards.UNKNOWN):
        return BACK_TAG
    return FIRST_TAG + _index(card)


def qr_of_card(card: str) -> str:
    """The text of the QR code on a card's face, in capitals to keep it small. Raises CardError."""
    _index(card)
    return QR_PREFIX + card.upper()


def card_of_qr(text: str) -> str | None:
    """The card whose QR code says `text`, or None."""
    card = text.removeprefix(QR_PREFIX).lower()
    return card if text.startswith(QR_PREFIX) and cards.is_known(card) else None


def card_face_image(card: str, px_per_mm: float) -> Picture:
    """The card's face, or its back for "??", as uint8 (50 * px_per_mm, 34 * px_per_mm, 3), BGR, upright.

    Pixel (c, r) has its centre at ((c + 0.5) / px_per_mm, (r + 0.5) / px_per_mm) mm on the card.
    """
    return rasterise(draw_card(card), px_per_mm)


def draw_card(card: str, ink_saving: bool = False) -> Drawing:
    """A card's face, or the back for "??". Raises CardError."""
    drawing = Drawing(WIDTH_MM, LENGTH_MM)
    drawing.area(rectangle(0, 0, WIDTH_MM, LENGTH_MM), (255, 255, 255))
    if card.startswith(cards.UNKNOWN):
        _back(drawing, CHALK, ink_saving)
    else:
        _face(drawing, card, CHALK, ink_saving)
    draw_tag(drawing, TAG_CORNERS_MM, DICTIONARY, tag_of_card(card))
    return drawing


def _index(card: str) -> int:
    try:
        return cards.ALL_CARDS.index(card)
    except ValueError:
        raise CardError(f"no card {card}: expected a name such as 7-day, 12-night or trilith-red") from None


def _face(drawing: Drawing, card: str, look: Style, ink_saving: bool) -> None:
    """Above: number, sun or moon on the card's colour, and the QR code. Below: the tag."""
    qr_of_card(card)
    colour = look.colours[cards.colour_of(card) or "grey"]
    head = box((WIDTH_MM / 2, 9.3), 31.0, 15.6, 0.0, 2.2)
    letter: Colour = look.ink if ink_saving else readable(colour, look)
    if ink_saving:
        drawing.outline(box((WIDTH_MM / 2, 9.3), 29.8, 14.4, 0.0, 1.8), colour, 1.2)
    else:
        drawing.area(head, colour)
    drawing.outline(head, look.ink, 0.25)
    _draw_qr(drawing, qr_of_card(card), (24.6, 9.3))
    number = cards.number_of(card)
    if number is None:
        draw_trilith(drawing, (9.6, 9.6), 8.5, letter)
    else:
        cap = min(7.4, 12.6 / text_width_mm(str(number), 1.0))
        drawing.words(9.6, 6.7, str(number), cap, letter)
        if number in (6, 9):
            drawing.area(rectangle(7.4, 11.0, 4.4, 0.6), letter)
        if cards.phase_of(card) == "day":
            draw_sun(drawing, (9.6, 14.1), 2.4, letter)
        else:
            draw_moon(drawing, (9.9, 14.1), 2.1, letter, -30)
    drawing.words(WIDTH_MM / 2, 48.0, card, 1.5, look.quiet, font="regular")


def _back(drawing: Drawing, look: Style, ink_saving: bool) -> None:
    field = rectangle(1.5, 1.5, WIDTH_MM - 3, 16.5)
    if not ink_saving:
        drawing.area(field, look.moon)
    drawing.outline(field, look.ink, 0.25)
    stone = look.moon if ink_saving else look.paper
    draw_trilith(drawing, (WIDTH_MM / 2, 10.4), 9.0, stone)
    for spot in (-11.5, -8.6, 8.6, 11.5):
        drawing.area(circle((WIDTH_MM / 2 + spot, 14.0 - abs(spot) / 4), 0.8), stone)


def draw_trilith(
    drawing: Drawing, centre: Point, height_mm: float, colour: Colour, angle_deg: float = 0.0
) -> None:
    """A trilith seen from the front: two pillars and a capstone."""
    unit = height_mm / 10
    for part, size in (((-3.2, 1.6), (2.8, 6.8)), ((3.2, 1.6), (2.8, 6.8)), ((0.0, -3.5), (11.4, 2.8))):
        middle = turned((part[0] * unit, part[1] * unit), centre, angle_deg)
        drawing.area(box(middle, size[0] * unit, size[1] * unit, angle_deg), colour)


def _draw_qr(drawing: Drawing, text: str, centre: Point) -> None:
    """A QR code (never a Micro QR code, which phones and zbar do not read) on a white square."""
    rows = [[bool(module) for module in row] for row in segno.make_qr(text, error="m").matrix]
    side = len(rows) * _QR_MODULE_MM
    drawing.area(box(centre, side + 2.6, side + 2.6), (255, 255, 255))
    left, top = centre[0] - side / 2, centre[1] - side / 2
    for row, modules in enumerate(rows):
        start = None
        for column, dark in enumerate([*modules, False]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                run = (column - start) * _QR_MODULE_MM
                x, y = left + start * _QR_MODULE_MM, top + row * _QR_MODULE_MM
                drawing.area(rectangle(x, y, run, _QR_MODULE_MM), (0, 0, 0))
                start = None
