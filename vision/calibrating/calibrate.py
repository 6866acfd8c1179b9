"""Getting to know a table, step by step: lens, board, pieces. Each step says how good it is in plain words,
and what would make it better. The command line and the set-up page take the same steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.coverage import coverage
from calibration.lens import Lens, LensError, Sheet, find_sheet, fit_lens
from calibration.profile import Profile, jpeg_of
from engine.board import Board
from engine.words import Text, translate_word
from vision.calibrating.health import Grade, view_health
from vision.calibrating.learn import Learnt, learn_pieces
from vision.errors import CannotRead
from vision.finding.field_edges import along_lines
from vision.finding.finder import WORKING_PX
from vision.finding.locate import Located, by_corners, by_tags, refine
from vision.geometry.lens import lens_of_board, view_of_lens
from vision.geometry.view import Array, View
from vision.pictures.images import in_copy, shrunk
from vision.prints.printed import print_seen, printed_surface
from vision.reader import Reader

Image = NDArray[np.uint8]
GOOD_RMS_PX, POOR_RMS_PX = 0.35, 1.0
GOOD_FIT_PX, POOR_FIT_PX = 0.6, 2.0
STAYED_PX = 3.0


@dataclass(frozen=True)
class Step:
    """What a step came to. text: what is known now; advice: what would make it better, if anything."""

    name: str
    grade: Grade
    text: Text
    advice: Text | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "step": self.name,
            "grade": self.grade,
            "text": self.text.to_json(),
            "advice": None if self.advice is None else self.advice.to_json(),
        }


def grey_of(image: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


# --- the lens ---------------------------------------------------------------------------------------


def sheets_in(images: Sequence[Image]) -> list[Sheet]:
    """The chessboard sheets found in these pictures."""
    found = (find_sheet(grey_of(image)) for image in images)
    return [sheet for sheet in found if sheet is not None]


def lens_step(sheets: Sequence[Sheet]) -> tuple[Lens | None, Step]:
    """The lens from photographs of the chessboard sheet; None when they do not tell it yet."""
    hint = coverage(sheets).hint
    try:
        lens = fit_lens(sheets)
    except LensError as error:
        return None, Step(
            "lens", "poor", Text(str(error), f"noch kein Objektiv aus {len(sheets)} Bildern"), hint
        )
    rms = lens.rms_px or 0.0
    seen = coverage(sheets)
    grade: Grade = "good" if rms < GOOD_RMS_PX and seen.good else "fair" if rms < POOR_RMS_PX else "poor"
    text = Text(
        f"lens: {lens.photos} photographs, reprojection error {rms:.2f} px, "
        f"{lens.field_of_view_deg:.0f} degrees of view",
        f"Objektiv: {lens.photos} Bilder, Rückprojektionsfehler {rms:.2f} px, "
        f"Bildwinkel {lens.field_of_view_deg:.0f} Grad",
    )
    if rms >= GOOD_RMS_PX:
        hint = Text(
            "the corners do not fit one lens well: is the sheet quite flat, the pictures sharp?",
            "die Ecken passen schlecht zusammen: liegt das Blatt ganz flach, sind die Bilder scharf?",
        )
    return lens, Step("lens", grade, text, None if grade == "good" else hint)


def lens_told(lens: Lens) -> Step:
    """What is known of a lens that no chessboard sheet was photographed with."""
    source = {
        "exif": Text("what the phone writes into its photographs", "den Angaben des Telefons im Bild"),
        "board": Text("the board alone", "dem Brett allein"),
    }.get(lens.source, Text(lens.source, lens.source))
    share = 100 * lens.focal_spread
    return Step(
        "lens",
        "good" if share < 3 else "fair",
        Text(
            f"lens: from {source.en}: focal length {lens.focal_px:.0f} px, give or take {share:.0f} %",
            f"Objektiv: aus {source.de}: Brennweite {lens.focal_px:.0f} px, auf {share:.0f} % genau",
        ),
        Text(
            "8 to 12 photographs of the kit's chessboard sheet tell it better, bend included",
            "8 bis 12 Bilder vom Schachbrett-Blatt sagen es genauer, samt Verzeichnung",
        ),
    )


def lens_of_view(profile: Profile | None, size_px: tuple[int, int]) -> View | None:
    """The measured lens of a profile for pictures of that size."""
    if profile is None or profile.lens is None or profile.lens.source != "charuco":
        return None
    return view_of_lens(profile.lens, size_px) if profile.lens.fits(size_px) else None


# --- the board ---------------------------------------------------------------------------------------


def find_board(
    image: Image, board: Board, corners_px: Array | None = None, lens: View | None = None
) -> Located:
    """The board in a picture: by corners or tags, and by what is printed on it: all of it, if Henge printed
    it, or else its lines. Raises CannotRead."""
    grey = grey_of(image)
    if corners_px is not None:
        located = by_corners(corners_px, board, (grey.shape[1], grey.shape[0]), lens=lens)
    else:
        located = by_tags(grey, board, lens=lens)
        seen = print_seen(image, located.view, board)
        if seen is not None:
            return refine(grey, located, printed_surface(board, seen), lens=lens)
    return along_lines(image, located, board)


def board_step(image: Image, board: Board, located: Located) -> Step:
    """How well the board is seen in the picture in which it was found."""
    health = view_health(image, board, located=located)
    if located.how == "tags":
        how = Text(
            f"by {located.tags} of {len(board.markers)} tags",
            f"an {located.tags} von {len(board.markers)} Marken",
        )
    else:
        how = Text("by its corners", "an seinen Ecken")
    fits: Grade = (
        "good" if located.error_px < GOOD_FIT_PX else "fair" if located.error_px < POOR_FIT_PX else "poor"
    )
    worst: Grade = (
        "poor" if "poor" in (fits, health.grade) else "fair" if "fair" in (fits, health.grade) else "good"
    )
    text = Text(
        f"board: {board.id}, found {how.en}, fits to {located.error_px:.1f} px",
        f"Brett: {board.id}, gefunden {how.de}, passt auf {located.error_px:.1f} px",
    )
    if fits != "good":
        advice: Text | None = Text(
            "the outlines do not fit well: is the board flat and whole? a measured lens helps",
            "die Umrisse passen nicht gut: liegt das Brett flach und ganz? ein vermessenes Objektiv hilft",
        )
    else:
        advice = None if health.grade == "good" else health.advice
    return Step("board", worst, text, advice)


def is_own_print(image: Image, board: Board, located: Located) -> bool:
    """Whether the board in the picture was printed from Henge's kit, in any of its styles."""
    return bool(board.markers) and print_seen(image, located.view, board) is not None


def with_board(profile: Profile, image: Image, located: Located, *, keep_picture: bool) -> Profile:
    """The profile with what the empty board's picture tells: the picture itself with its corners (needed
    where the print is not ours), and the focal length if no better lens is known."""
    board = profile.board
    edge = np.array(board.corners_mm)
    corners = tuple((float(x), float(y)) for x, y in located.view.project(edge))
    if keep_picture:
        own = is_own_print(image, board, located)
        profile = replace(profile, reference=jpeg_of(image), reference_corners_px=corners, own_print=own)
    if profile.lens is None or profile.lens.source == "board":
        points = np.array([each.centre_mm for each in board.fields.values()] or edge)
        profile = replace(profile, lens=lens_of_board(located, points))
    return profile


# --- the pieces --------------------------------------------------------------------------------------


def pieces_step(
    image: Image, profile: Profile, game: str | None = None, corners_px: Array | None = None
) -> tuple[Profile, Learnt, Step]:
    """The profile with the shades and sizes of the pieces on the board in `image`. Raises CannotRead."""
    reader = Reader(profile.board, game=game, profile=replace(profile, colours={}))
    reader.read(image, corners_px=corners_px)
    learnt = learn_pieces(reader, _empty_board(profile, reader))
    if not learnt.shown:
        raise CannotRead(
            "no pieces are seen: put some of each colour onto the board or beside it, apart from each other, "
            "and photograph them again"
        )
    return with_pieces(profile, learnt), learnt, pieces_told(learnt)


def with_pieces(profile: Profile, learnt: Learnt) -> Profile:
    """The profile with these shades and sizes; shades of what was not shown are kept."""
    return replace(profile, board=learnt.board, colours={**profile.colours, **learnt.colours})


def pieces_told(learnt: Learnt) -> Step:
    """What the pieces that were shown come to."""
    count = len(learnt.shown)
    en, de = (
        "; ".join(f"{translate_word(kind, to)} {_sizes_text(dims)}" for kind, dims in learnt.sizes_mm.items())
        for to in ("en", "de")
    )
    text = Text(
        f"pieces: {count} seen ({_colours_text(learnt, 'en')})" + (f"; measured: {en}" if en else ""),
        f"Figuren: {count} gesehen ({_colours_text(learnt, 'de')})" + (f"; gemessen: {de}" if de else ""),
    )
    missing = learnt.missing
    advice = Text(
        "not shown: " + "; ".join(f"{kind} {', '.join(names)}" for kind, names in missing.items()),
        "nicht gezeigt: "
        + "; ".join(
            f"{translate_word(kind, 'de')} {', '.join(translate_word(name, 'de') for name in names)}"
            for kind, names in missing.items()
        ),
    )
    grade: Grade = "good" if not missing and learnt.sizes_mm else "fair"
    return Step("pieces", grade, text, advice if missing else None)


def _empty_board(profile: Profile, reader: Reader) -> tuple[Image, View] | None:
    """The profile's empty board and its view, in pictures of the reader's working size."""
    photo, sight = profile.reference_image(), reader.sight
    if photo is None or sight is None:
        return None
    image, factor = shrunk(photo, WORKING_PX)
    size = (image.shape[1], image.shape[0])
    corners = profile.reference_corners_px
    given = None if corners is None or profile.board.markers else np.array(corners, float)
    if given is not None:
        given = in_copy(given, factor)
    try:
        view = find_board(image, profile.board, given, lens_of_view(profile, size)).view
    except CannotRead:
        return None
    edge = np.array(profile.board.corners_mm)
    moved = np.abs(view.project(edge) - sight.view.project(edge)).max()
    # A camera that did not move shows what lies around the board in the same pixels.
    same = size == sight.view.size_px and moved < STAYED_PX
    return image, sight.view if same else view


def _colours_text(learnt: Learnt, language: str) -> str:
    return "; ".join(
        f"{translate_word(kind, language)} {', '.join(translate_word(name, language) for name in named)}"
        for kind, named in learnt.colours.items()
    )


def _sizes_text(dims: dict[str, float]) -> str:
    return " x ".join(f"{value:g}" for value in dims.values()) + " mm"
