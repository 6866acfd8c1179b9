"""Where the board lies, what is printed on it and how it is lit."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.finder import check_quality
from vision.finding.locate import tags_of
from vision.prints.surface import GAMMA, rectified
from vision.stages.look import Look
from vision.stages.sheet import (
    DOUBT,
    GOOD,
    MARK,
    captioned,
    chequered,
    dimmed,
    enlarged,
    from_floats,
    line,
    sheet,
    tile,
    write,
)

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# Straightened boards are drawn with so many pixels a millimetre, one of four beside another so high (px).
PX_PER_MM, QUARTER_PX = 2.0, 560
# Squares of photograph and print along the board's longer side; and by how much misses are enlarged.
SQUARES, LARGER = 12, 25
HOW = {"tags": "its tags", "print": "its print", "corners": "corners given by hand",
       "reference": "the photograph of it empty", "before": "the picture before"}  # fmt: skip


def draw_tags(look: Look) -> Image | None:
    """The printed tags that a quick look finds; a board of somebody else's may have none."""
    if not look.board.markers:
        return None
    grey = np.asarray(cv2.cvtColor(look.working, cv2.COLOR_BGR2GRAY), np.uint8)
    check_quality(grey)
    seen = tags_of(grey, look.board).quads
    out = dimmed(look.working)
    for number, quad in seen.items():
        line(out, quad, GOOD)
        for corner in quad:
            cv2.circle(out, np.round(corner).astype(int).tolist(), 3, MARK, -1, cv2.LINE_AA)
        write(out, str(number), np.round(quad.mean(axis=0)).astype(int).tolist(), DOUBT, 2)
    missing = ", ".join(str(marker.id) for marker in look.board.markers if marker.id not in seen)
    rest = f"; not seen: {missing}" if missing else ""
    return captioned(out, f"{len(seen)} of {len(look.board.markers)} tags{rest}")


def draw_place(look: Look) -> Image:
    """The board's outline and fields as the camera must see them, and how far what it was found by is off."""
    sight = look.found
    view, located, (width, height) = sight.view, sight.located, look.board.size_mm
    out = dimmed(look.working)
    for each in look.board.fields.values():
        line(out, view.project(np.array(each.outline_mm(24))), MARK, width=1)
    share = np.linspace(0, 1, 30)[:-1, None]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    edge = np.concatenate(
        [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    line(out, view.project(edge), GOOD)
    if located.told is not None:
        expected, seen = view.project(located.told[0]), located.told[1]
        for there, here in zip(expected, seen, strict=True):
            line(out, np.array([there, there + LARGER * (here - there)]), DOUBT, closed=False, width=1)
            cv2.circle(out, np.round(here).astype(int).tolist(), 3, DOUBT, 1, cv2.LINE_AA)
    x, y, up = (round(float(each)) for each in view.camera_mm)
    return captioned(
        out,
        f"found by {HOW.get(located.how, located.how)}, off by {located.error_px:.2f} px in the middle; "
        f"camera at {x}, {y} mm, {abs(up)} mm up, looks {view.elevation_deg:.0f} degrees down, focal length "
        f"{view.focal_px:.0f} px; misses are drawn {LARGER} times as long",
    )


def draw_register(look: Look) -> Image:
    """Photograph and print in turns, straightened: lines run on from square to square where they fit."""
    photo = _from_above(look)
    print_ = look.found.surface.top_view()
    printed = np.asarray(cv2.resize(print_, photo.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    both = chequered(photo, printed, SQUARES)
    return captioned(both, f"photograph and {_print_of(look)} in turns")


def draw_light(look: Look) -> Image:
    """The light on the board, the photograph in even light, and the print as it shows there."""
    sight = look.found
    photo = _from_above(look)
    x, y = ((np.arange(side) + 0.5) / PX_PER_MM for side in photo.shape[1::-1])
    mm = np.stack(np.meshgrid(x, y), axis=2).astype(np.float32)
    light = sight.light.at(mm)
    brightest = float(light.max())
    pictures = {
        "photograph": photo,
        f"light: {float(light.min()) / brightest:.2f} to 1 of the brightest": from_floats(
            (light / brightest) ** (1 / GAMMA)
        ),
        "photograph in even light": from_floats(sight.light.even_out(photo.astype(np.float32), mm)),
        f"{_print_of(look)} as it shows there": from_floats(
            sight.light.shown(sight.surface, mm[None], [1 / PX_PER_MM])[0]
        ),
    }
    veiled = "" if sight.light.veil is None else "; a veil of mirrored light lies over the print"
    tone = sight.light.tone
    toned = f"; contrast to the power {tone.contrast:.2f}, colours x {tone.depth:.2f}" if tone else ""
    dazzled = sight.dazzles(np.round(sight.view.project(mm[::4, ::4].reshape(-1, 2))).astype(int)).mean()
    glare = f"; {dazzled:.0%} of it mirrors a lamp" if dazzled else ""
    tiles = [tile(enlarged(picture, QUARTER_PX), name) for name, picture in pictures.items()]
    seen = f"the photograph is {sight.light.misfit:.2f} from the lit print{veiled}{toned}{glare}"
    return sheet(seen, tiles)


def _from_above(look: Look) -> Image:
    """The board in the photograph, straightened."""
    return rectified(look.working, look.found.view, look.board.size_mm, PX_PER_MM)


def _print_of(look: Look) -> str:
    surface = look.found.surface
    if surface.guessed:
        return "the print, made up from empty fields,"
    return "the photograph of the empty board" if surface.photographed else "the print"
