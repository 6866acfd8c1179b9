"""How well a camera sees the table: what is measured in every picture, and one sentence of advice when
something is poor.

Works on pictures of at most 1280 pixels and takes some tens of milliseconds, so that it can be always on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.words import Text
from vision.calibrating.colours import sheet_colours
from vision.errors import CannotRead
from vision.finding.locate import Located, by_corners, by_tags, find_tags
from vision.geometry.view import Array, View
from vision.pictures.images import in_copy, sharpness, shrunk

Image = NDArray[np.uint8]
Grade = Literal["good", "fair", "poor"]
WORKING_PX: Final = 1280
# Each measure's limits: below the first it is poor, below the second fair.
SHARP: Final = (2.5, 5.0)  # spread of the Laplacian at 640 px, grey values
BRIGHT: Final = (55.0, 90.0)  # grey value of the board's lightest tenth
GLARE: Final = (0.04, 0.008)  # share of the board (above the first it is poor)
SCALE: Final = (0.7, 1.0)  # px per mm at the board's farthest corner
ELEVATION: Final = (22.0, 33.0)  # degrees above the table
SEEN: Final = (0.85, 0.99)  # share of the fields
RATE: Final = (1.0, 3.0)  # pictures per second
CAST: Final = (0.25, 0.1)  # share by which a channel of the colour sheet's greys is off
BURNT: Final = 250
PLACES = {
    (0, 0): ("upper left", "oben links"), (0, 1): ("upper middle", "oben in der Mitte"),
    (0, 2): ("upper right", "oben rechts"), (1, 0): ("left", "links"), (1, 1): ("middle", "in der Mitte"),
    (1, 2): ("right", "rechts"), (2, 0): ("lower left", "unten links"),
    (2, 1): ("lower middle", "unten in der Mitte"), (2, 2): ("lower right", "unten rechts"),
}  # fmt: skip
NAMES = {
    "board": Text("board", "Brett"), "tags": Text("tags", "Marken"),
    "sharpness": Text("sharpness", "Schärfe"),
    "light": Text("light", "Licht"), "glare": Text("glare", "Spiegelung"), "scale": Text("size", "Größe"),
    "angle": Text("angle", "Winkel"), "fields": Text("fields visible", "Felder sichtbar"),
    "colours": Text("colour cast", "Farbstich"),
    "rate": Text("pictures per second", "Bilder pro Sekunde"),
}  # fmt: skip


@dataclass(frozen=True)
class Measure:
    """One thing that was measured: its value in `unit`, how good it is, and what to do if it is not."""

    name: str
    value: float
    unit: str
    grade: Grade
    advice: Text | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "label": NAMES[self.name].to_json(),
            "value": round(self.value, 3),
            "unit": self.unit,
            "grade": self.grade,
            "advice": None if self.advice is None else self.advice.to_json(),
        }


@dataclass(frozen=True)
class Health:
    """All measures, the worst grade among them, and the one sentence that helps most."""

    measures: tuple[Measure, ...]
    advice: Text

    @property
    def grade(self) -> Grade:
        grades = [measure.grade for measure in self.measures]
        return "poor" if "poor" in grades else "fair" if "fair" in grades else "good"

    def to_json(self) -> dict[str, Any]:
        return {
            "grade": self.grade,
            "advice": self.advice.to_json(),
            "measures": [measure.to_json() for measure in self.measures],
        }


def view_health(
    image: Image,
    board: Board,
    *,
    corners_px: Array | None = None,
    located: Located | None = None,
    lens: View | None = None,
    unseen: Sequence[str] | None = None,
    pictures_per_s: float | None = None,
) -> Health:
    """The health of one picture, uint8 (H, W, 3) BGR.

    located: where the board is, for pictures of the size of `image`, if somebody knows already; else it is
    looked for by `corners_px` or its tags. unseen: fields that a reading could not see. lens: a measured
    one, for this size."""
    small, factor = shrunk(image, WORKING_PX)
    size = (small.shape[1], small.shape[0])
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    reason = ""
    view = located.view.scaled(factor, size) if located is not None else None
    if view is None:
        try:
            view = _find(grey, board, corners_px, factor, lens)
        except CannotRead as error:
            reason = str(error)
    measures = [_board(view, reason)]
    measures += [_tags(grey, board)] if board.markers else []
    inside = _mask(view, board, size)
    measures += [_sharpness(grey), _light(grey, inside)]
    if view is not None:
        measures += [_glare(small, view, board, inside), _scale(view, board, factor), _angle(view)]
        measures.append(_fields(view, board, unseen))
    measures += _colours(small, grey)
    if pictures_per_s is not None:
        measures.append(_rate(pictures_per_s))
    return Health(tuple(measures), _advice(measures))


def _advice(measures: Sequence[Measure]) -> Text:
    """That of the worst measure; those that explain others come first."""
    order = ("light", "sharpness", "board", "glare", "tags", "fields", "colours", "scale", "angle", "rate")
    for grade in ("poor", "fair"):
        for name in order:
            for measure in measures:
                if measure.name == name and measure.grade == grade and measure.advice is not None:
                    return measure.advice
    return Text("the table is seen well", "der Tisch ist gut zu sehen")


def _grade(value: float, limits: tuple[float, float]) -> Grade:
    """limits rising: more is better; falling: less is better."""
    poor, fair = limits
    if poor > fair:
        value, poor, fair = -value, -poor, -fair
    return "poor" if value < poor else "fair" if value < fair else "good"


def _find(
    grey: NDArray[np.uint8], board: Board, corners_px: Array | None, factor: float, lens: View | None
) -> View:
    size = (grey.shape[1], grey.shape[0])
    if lens is not None:
        lens = lens.scaled(factor, size)
    if corners_px is not None:
        return by_corners(in_copy(np.asarray(corners_px, float), factor), board, size, lens=lens).view
    return by_tags(grey, board, lens=lens).view


def _board(view: View | None, reason: str) -> Measure:
    if view is not None:
        return Measure("board", 1.0, "", "good")
    advice = Text(
        reason or "the board is not seen: show the whole of it",
        "das Brett wird nicht gefunden: ganz ins Bild rücken oder seine Ecken angeben",
    )
    return Measure("board", 0.0, "", "poor", advice)


def _tags(grey: NDArray[np.uint8], board: Board) -> Measure:
    wanted = {(marker.dictionary, marker.id) for marker in board.markers}
    seen = {
        (name, number)
        for name in sorted({name for name, _ in wanted})
        for number in find_tags(grey, name)
        if (name, number) in wanted
    }
    missing = len(wanted) - len(seen)
    grade: Grade = "good" if not missing else "fair" if len(seen) >= 3 else "poor"
    advice = Text(
        f"only {len(seen)} of the {len(wanted)} tags in the board's corners are seen: uncover them, show the "
        "whole board",
        f"nur {len(seen)} der {len(wanted)} Marken in den Brettecken sind zu sehen: freilegen, ganzes Brett "
        "zeigen",
    )
    return Measure("tags", len(seen), f"of {len(wanted)}", grade, advice if missing else None)


def _sharpness(grey: NDArray[np.uint8]) -> Measure:
    value = sharpness(grey)
    advice = Text(
        "the picture is blurred: hold the camera still, clean its lens, let it focus on the board",
        "das Bild ist unscharf: Kamera ruhig halten, Linse putzen, auf das Brett scharf stellen",
    )
    grade = _grade(value, SHARP)
    return Measure("sharpness", value, "", grade, None if grade == "good" else advice)


def _mask(view: View | None, board: Board, size: tuple[int, int]) -> NDArray[np.uint8]:
    """(H, W) 255 where the board is; the whole picture if nobody knows."""
    mask = np.full((size[1], size[0]), 255, np.uint8)
    if view is not None:
        mask[:] = 0
        width, height = board.size_mm
        side = np.linspace(0, 1, 9)[:-1]
        zero, one = np.zeros(8), np.ones(8)
        edge = np.concatenate([
            np.column_stack([side, zero]), np.column_stack([one, side]),
            np.column_stack([1 - side, one]), np.column_stack([zero, 1 - side]),
        ]) * [width, height]  # fmt: skip
        cv2.fillPoly(mask, [np.round(np.clip(view.project(edge), -1e4, 1e4)).astype(np.int32)], 255)
        if not mask.any():
            mask[:] = 255
    return mask


def _light(grey: NDArray[np.uint8], inside: NDArray[np.uint8]) -> Measure:
    pixels = grey[inside > 0]
    value = float(np.percentile(pixels, 90))
    burnt = float((pixels >= BURNT).mean())
    if burnt > 0.5:
        advice = Text(
            "the picture is too bright: turn the lamp away or lower the camera's exposure",
            "das Bild ist zu hell: Lampe wegdrehen oder Belichtung der Kamera senken",
        )
        return Measure("light", value, "of 255", "poor", advice)
    advice = Text(
        "it is too dark on the board: switch on a lamp, best from above and from the side",
        "auf dem Brett ist es zu dunkel: eine Lampe anschalten, am besten von oben und von der Seite",
    )
    grade = _grade(value, BRIGHT)
    return Measure("light", value, "of 255", grade, None if grade == "good" else advice)


def _glare(image: Image, view: View, board: Board, inside: NDArray[np.uint8]) -> Measure:
    """The share of the board that is burnt out in one large patch, and where."""
    burnt = ((image.min(axis=2) >= BURNT) & (inside > 0)).astype(np.uint8)
    # Narrow white print is no mirrored lamp.
    reach = max(3, round(6 * view.px_per_mm((board.size_mm[0] / 2, board.size_mm[1] / 2))) | 1)
    patches = cv2.morphologyEx(
        burnt, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    )
    share = float(patches.sum()) / max(1, int((inside > 0).sum()))
    grade = _grade(share, GLARE)
    if grade == "good":
        return Measure("glare", share, "", grade)
    rows, columns = np.nonzero(patches)
    y, x = float(rows.mean()), float(columns.mean())
    area = cv2.boundingRect(inside)
    third = (
        int(np.clip((y - area[1]) / max(1, area[3]) * 3, 0, 2)),
        int(np.clip((x - area[0]) / max(1, area[2]) * 3, 0, 2)),
    )
    en, de = PLACES[third]
    return Measure(
        "glare", share, "", grade,
        Text(
            f"the lamp mirrors on the {en} of the board: move it or tilt the camera",
            f"die Lampe spiegelt sich {de} auf dem Brett: umstellen oder die Kamera neigen",
        ),
    )  # fmt: skip


def _scale(view: View, board: Board, factor: float) -> Measure:
    value = min(view.px_per_mm(corner) for corner in board.corners_mm) / factor
    advice = Text(
        "the board is small in the picture: move the camera closer or choose a higher resolution",
        "das Brett ist klein im Bild: Kamera näher heran oder höhere Auflösung wählen",
    )
    grade = _grade(value, SCALE)
    return Measure("scale", value, "px/mm", grade, None if grade == "good" else advice)


def _angle(view: View) -> Measure:
    value = view.elevation_deg
    advice = Text(
        "the camera looks at the board from the side: raise it, so that pieces do not hide each other",
        "die Kamera sieht das Brett von der Seite: höher stellen, damit Figuren einander nicht verdecken",
    )
    grade = _grade(value, ELEVATION)
    return Measure("angle", value, "deg", grade, None if grade == "good" else advice)


def _fields(view: View, board: Board, unseen: Sequence[str] | None) -> Measure:
    fields = list(board.fields.values())
    if not fields:
        return Measure("fields", 1.0, "", "good")
    pixels = view.project(np.array([each.centre_mm for each in fields]))
    limit = np.array(view.size_px) - 3
    shown = ((pixels > 2) & (pixels < limit)).all(axis=1)
    hidden = set(unseen or ())
    share = float(
        np.mean([bool(good) and each.id not in hidden for good, each in zip(shown, fields, strict=True)])
    )
    advice = Text(
        "part of the board is outside the picture: move the camera back or turn it",
        "ein Teil des Bretts liegt außerhalb des Bildes: Kamera weiter weg oder drehen",
    )
    if shown.all():
        advice = Text(
            "something hides fields of the board: take hands, cups and boxes away",
            "etwas verdeckt Felder des Bretts: Hände, Tassen und Schachteln wegnehmen",
        )
    grade = _grade(share, SEEN)
    return Measure("fields", share, "", grade, None if grade == "good" else advice)


def _colours(image: Image, grey: NDArray[np.uint8]) -> list[Measure]:
    """The cast of the picture, where the kit's colour sheet lies in it."""
    shown = sheet_colours(image, grey)
    if shown is None:
        return []
    grade = _grade(shown.cast, CAST)
    en, de = shown.tint
    advice = Text(
        f"the camera shows greys {en}: fix its white balance, or play under a whiter lamp",
        f"die Kamera zeigt Grau {de}: Weißabgleich fest einstellen, oder eine weißere Lampe nehmen",
    )
    return [Measure("colours", shown.cast, "", grade, None if grade == "good" else advice)]


def _rate(pictures_per_s: float) -> Measure:
    advice = Text(
        "few pictures come from the camera: more light, a lower resolution or a shorter cable help",
        "von der Kamera kommen wenige Bilder: mehr Licht, weniger Auflösung oder ein kürzeres Kabel helfen",
    )
    grade = _grade(pictures_per_s, RATE)
    return Measure("rate", pictures_per_s, "per s", grade, None if grade == "good" else advice)
