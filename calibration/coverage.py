"""Which parts of the picture the chessboard sheet has not been in yet: what to photograph next.

The bend of a lens shows at the picture's edges; a lens learnt from sheets in the middle is wrong there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.lens import TILTED_DEG, Sheet
from engine.words import Text

COLUMNS, ROWS = 4, 3
# A part counts as covered once so many corners of the sheet were seen in it.
ENOUGH_CORNERS = 4
GOOD_PHOTOS, GOOD_SHARE = 8, 0.9
GOOD_TILTED = 4
# Sheets that moved less than this share of the picture's width are in the same place.
ALIKE_SHARE = 0.05
_ACROSS = (("left", "links"), ("left of the middle", "links der Mitte"),
           ("right of the middle", "rechts der Mitte"), ("right", "rechts"))  # fmt: skip
_DOWN = (("upper", "oben"), ("middle", "in der Mitte"), ("lower", "unten"))


@dataclass(frozen=True)
class Coverage:
    """counts: ROWS x COLUMNS, corners seen in each part of the picture. tilted: sheets seen from a side.
    hint: what to do next, or that it is enough."""

    counts: tuple[tuple[int, ...], ...]
    photos: int
    tilted: int
    hint: Text

    @property
    def share(self) -> float:
        """How much of the picture is covered, 0..1."""
        cells = [count >= ENOUGH_CORNERS for row in self.counts for count in row]
        return sum(cells) / len(cells)

    @property
    def good(self) -> bool:
        return self.photos >= GOOD_PHOTOS and self.share >= GOOD_SHARE and self.tilted >= GOOD_TILTED

    def to_json(self) -> dict[str, object]:
        return {
            "counts": [list(row) for row in self.counts],
            "photos": self.photos,
            "tilted": self.tilted,
            "share": round(self.share, 3),
            "good": self.good,
            "hint": self.hint.to_json(),
        }


def alike(sheet: Sheet, other: Sheet) -> bool:
    """Whether two pictures of the sheet show it in nearly the same place: the second tells nothing new."""
    common, a, b = np.intersect1d(sheet.ids, other.ids, return_indices=True)
    if len(common) < 6:
        return False
    moved = np.linalg.norm(sheet.corners_px[a] - other.corners_px[b], axis=1).mean()
    return bool(moved < ALIKE_SHARE * sheet.size_px[0])


def coverage(sheets: Sequence[Sheet]) -> Coverage:
    """What these photographs of the sheet cover of the picture."""
    counts = np.zeros((ROWS, COLUMNS), int)
    for sheet in sheets:
        width, height = sheet.size_px
        column = np.clip(sheet.corners_px[:, 0] / width * COLUMNS, 0, COLUMNS - 1).astype(int)
        row = np.clip(sheet.corners_px[:, 1] / height * ROWS, 0, ROWS - 1).astype(int)
        np.add.at(counts, (row, column), 1)
    tilted = sum(sheet.tilt_deg > TILTED_DEG for sheet in sheets)
    cells = tuple(tuple(int(n) for n in row) for row in counts)
    return Coverage(cells, len(sheets), tilted, _hint(counts, sheets, tilted))


def _hint(counts: np.ndarray, sheets: Sequence[Sheet], tilted: int) -> Text:
    bare = [(int(n), r, c) for (r, c), n in np.ndenumerate(counts) if n < ENOUGH_CORNERS]
    if not sheets:
        return Text(
            "lay the chessboard sheet flat and photograph it",
            "das Schachbrett-Blatt flach hinlegen und fotografieren",
        )
    if len(bare) > (1 - GOOD_SHARE) * counts.size:
        # The barest part; of equals the one nearest to a corner, where the lens bends most.
        _, row, column = min(bare, key=lambda part: (part[0], -abs(part[1] - 1) - abs(part[2] - 1.5)))
        down, across = _DOWN[row], _ACROSS[column]
        return Text(
            f"next, hold the sheet so that it reaches into the {down[0]} part of the picture, {across[0]}",
            f"als Nächstes das Blatt so halten, dass es im Bild {down[1]} {across[1]} zu sehen ist",
        )
    if tilted < GOOD_TILTED:
        return Text(
            "next, tilt the camera or the sheet by 20 to 40 degrees",
            "als Nächstes die Kamera oder das Blatt um 20 bis 40 Grad neigen",
        )
    if len(sheets) < GOOD_PHOTOS:
        more = GOOD_PHOTOS - len(sheets)
        return Text(
            f"{more} more from other sides make it better", f"noch {more} von anderen Seiten machen es besser"
        )
    return Text("that is enough", "das genügt")
