"""Cards of the kit lying on the table, read by the tag on their face or back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import BACK, DICTIONARY, TAG_CORNERS_MM, TAG_MM, card_of_tag
from calibration.cards import LENGTH_MM as CARD_LENGTH_MM
from calibration.cards import WIDTH_MM as CARD_WIDTH_MM
from engine.cards import colour_of, is_trilith, number_of, phase_of
from engine.position import Piece
from vision.geometry.view import Array, View
from vision.yards.plane_tags import find_plane_tags

# Areas are seen from above at this scale before tags are looked for: slanting and small tags profit.
PX_PER_MM = 2.0
# A tag that agrees fully may still be a picture of one.
MOST_SURE = 0.99


@dataclass(frozen=True)
class SeenCard:
    """A card on the table: `card` as in `engine.cards` ("??" is a back), centre in mm, the direction of its
    long side, and how sure it is which card it is."""

    card: str
    at_mm: tuple[float, float]
    angle_deg: float
    sure: float

    @classmethod
    def of(cls, piece: Piece) -> SeenCard | None:
        """A card of a position; None if that does not tell where it lies and how it is turned."""
        if piece.kind != "card" or piece.x_mm is None or piece.y_mm is None or piece.angle_deg is None:
            return None
        known = f"{piece.number}-{piece.phase}" if piece.number else f"trilith-{piece.colour}"
        return cls(
            BACK if piece.face == "down" else known, (piece.x_mm, piece.y_mm), piece.angle_deg, MOST_SURE
        )

    def outline_mm(self, more_mm: float = 0.0) -> Array:
        """(4, 2) its corners, as if it were so much longer and wider."""
        size = CARD_LENGTH_MM + more_mm, CARD_WIDTH_MM + more_mm
        return np.array(cv2.boxPoints((self.at_mm, size, self.angle_deg)), float)

    def piece(self, field: str | None) -> Piece:
        """As a piece of a position."""
        x, y = (round(v, 1) for v in self.at_mm)
        if self.card == BACK:
            return Piece(
                "card",
                field=field,
                face="down",
                x_mm=x,
                y_mm=y,
                angle_deg=round(self.angle_deg, 1),
                confidence=round(self.sure, 4),
            )
        number = None if is_trilith(self.card) else number_of(self.card)
        return Piece(
            "card",
            colour_of(self.card),
            field=field,
            number=number,
            phase=phase_of(self.card),
            face="up",
            x_mm=x,
            y_mm=y,
            angle_deg=round(self.angle_deg, 1),
            confidence=round(self.sure, 4),
        )


def find_cards(
    grey: NDArray[np.uint8], view: View, box_mm: tuple[float, float, float, float]
) -> list[SeenCard]:
    """The cards inside a box of the board (left, top, right, bottom in mm; may reach beyond the board)."""
    left, top, right, bottom = box_mm
    columns, rows = round((right - left) * PX_PER_MM), round((bottom - top) * PX_PER_MM)
    maps = view.maps((left, top), 1 / PX_PER_MM, (columns, rows))
    above = cv2.remap(
        grey,
        maps,
        None,
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(128,),
    )
    first = np.array([left + 0.5 / PX_PER_MM, top + 0.5 / PX_PER_MM])
    return [
        _seen(card, tag.quad_px / PX_PER_MM + first, tag.sure)
        for tag in find_plane_tags(np.asarray(above, np.uint8), PX_PER_MM, TAG_MM, DICTIONARY)
        if (card := card_of_tag(tag.number))
    ]


def _seen(card: str, quad_mm: Array, sure: float) -> SeenCard:
    """The card around its tag's corners (top-left, top-right, bottom-right, bottom-left as printed)."""
    printed = np.array(TAG_CORNERS_MM)
    across = (quad_mm[1] - quad_mm[0] + quad_mm[2] - quad_mm[3]) / 2
    across /= np.linalg.norm(across)
    down = np.array([-across[1], across[0]])
    offset = np.array([CARD_WIDTH_MM / 2, CARD_LENGTH_MM / 2]) - printed.mean(axis=0)
    x, y = quad_mm.mean(axis=0) + across * offset[0] + down * offset[1]
    angle = float(np.degrees(np.arctan2(down[1], down[0])))
    return SeenCard(card, (float(x), float(y)), angle, min(sure, MOST_SURE))
