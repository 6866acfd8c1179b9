"""The printed look: true to the board file, readable for a camera, in every style."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.artwork import STYLES, ArtworkError, draw_board, render_artwork
from calibration.drawing import Drawing, Picture, circle, rasterise, rectangle
from calibration.prints import any_print
from calibration.tags import TagError, tag_bits
from engine.board import Board, board_from_json, load_board
from engine.board_check import TAG_COUNTS

ANTHOLOGY, KNIZIA = load_board("anthology"), load_board("knizia")
BOTH = pytest.mark.parametrize("board", [ANTHOLOGY, KNIZIA], ids=lambda board: board.id)
EVERY_STYLE = pytest.mark.parametrize("style", STYLES)
LANDING = ("ring", "slot", "pit", "trilith", "bluestone", "altar", "space", "line")
PX_PER_MM = 4.0


@pytest.fixture(scope="module")
def pictures() -> dict[tuple[str, str], Picture]:
    """(board id, style) -> artwork at 4 px/mm; the style "chalk!" is chalk saving ink."""
    made = {(board.id, style): render_artwork(board, PX_PER_MM, style=style)
            for board in (ANTHOLOGY, KNIZIA) for style in STYLES}  # fmt: skip
    saving = {(board.id, "chalk!"): render_artwork(board, PX_PER_MM, True) for board in (ANTHOLOGY, KNIZIA)}
    return made | saving


def lab(picture: Picture) -> np.ndarray:
    """(H, W, 3) float: CIE lightness 0..100, a, b."""
    return cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)


def patch(picture: Picture, x_mm: float, y_mm: float, radius_mm: float) -> Picture:
    """(N, 3) pixels within a radius."""
    left, top = (max(0, int((value - radius_mm) * PX_PER_MM) - 1) for value in (x_mm, y_mm))
    cut = picture[
        top : int((y_mm + radius_mm) * PX_PER_MM) + 2, left : int((x_mm + radius_mm) * PX_PER_MM) + 2
    ]
    rows, columns = np.mgrid[top : top + cut.shape[0], left : left + cut.shape[1]]
    near = np.hypot((columns + 0.5) / PX_PER_MM - x_mm, (rows + 0.5) / PX_PER_MM - y_mm) < radius_mm
    return cut[near]


def found_tags(picture: Picture) -> dict[int, np.ndarray]:
    """id -> (4, 2) corners in pixels, pixel centres at whole numbers."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(tags, parameters).detectMarkers(picture)
    found = [] if ids is None else zip(np.ravel(ids), corners, strict=True)
    return {int(number): quad.reshape(4, 2) for number, quad in found}


@BOTH
@pytest.mark.parametrize("style", [*STYLES, "chalk!"])
def test_tags_are_found_at_their_millimetres(
    board: Board, style: str, pictures: dict[tuple[str, str], Picture]
) -> None:
    tags = found_tags(pictures[board.id, style])
    assert set(tags) == {marker.id for marker in board.markers}
    for marker in board.markers:
        found_mm = (tags[marker.id] + 0.5) / PX_PER_MM
        assert np.abs(found_mm - np.array(marker.corners_mm)).max() < 0.15


@EVERY_STYLE
@BOTH
def test_where_pieces_land_the_board_is_neutral_and_neither_white_grey_nor_black(
    board: Board, style: str, pictures: dict[tuple[str, str], Picture]
) -> None:
    picture = pictures[board.id, style]
    colours = {name: lab(np.full((1, 1, 3), board.colour_rgb(name)[::-1], np.uint8))[0, 0]
               for name in ("white", "grey", "black", "yellow", "brown", "red", "blue", "green")}  # fmt: skip
    for field in board.fields.values():
        if field.kind not in LANDING:
            continue
        pixels = lab(patch(picture, *field.centre_mm, 0.45 * field.radius_mm)[None])[0]
        ground = np.median(pixels, axis=0)
        assert np.hypot(ground[1], ground[2]) < 20, field.id  # hardly coloured
        for name, piece in colours.items():
            assert np.linalg.norm(ground - piece) > 15, (field.id, name)


@EVERY_STYLE
def test_rims_have_the_fields_colour(style: str, pictures: dict[tuple[str, str], Picture]) -> None:
    for field in ANTHOLOGY.fields_of_kind("ring"):
        outwards = (np.array(field.centre_mm) - 250) / 217.5
        rim = np.median(patch(pictures["anthology", style], *(250 + outwards * 232.5), 1.0), axis=0)
        wanted = STYLES[style].colours[field.colour or ""]
        assert np.abs(rim[::-1] - wanted).max() < 6, field.id


def test_every_landing_place_is_framed_by_sharp_print(pictures: dict[tuple[str, str], Picture]) -> None:
    for board in (ANTHOLOGY, KNIZIA):
        grey = cv2.cvtColor(pictures[board.id, "chalk"], cv2.COLOR_BGR2GRAY)
        edges = cv2.Canny(grey, 40, 120)
        for field in board.fields.values():
            x, y = (round(value * PX_PER_MM) for value in field.centre_mm)
            reach = round((field.radius_mm + 3) * PX_PER_MM)
            around = edges[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
            assert np.count_nonzero(around) > 0.02 * around.size, field.id


def test_the_same_board_gives_the_same_picture() -> None:
    assert np.array_equal(render_artwork(KNIZIA, 2.0), render_artwork(KNIZIA, 2.0))


def test_styles_differ_clearly(pictures: dict[tuple[str, str], Picture]) -> None:
    chalk, night = (pictures["anthology", style].astype(int) for style in ("chalk", "night"))
    assert np.abs(chalk - night).mean() > 40


def test_saving_ink_saves_ink(pictures: dict[tuple[str, str], Picture]) -> None:
    for board in (ANTHOLOGY, KNIZIA):
        ink, less = (255 - pictures[board.id, style].mean() for style in ("chalk", "chalk!"))
        assert less < 0.75 * ink


@pytest.mark.parametrize("px_per_mm", [0.5, 1.3, 4.0])
def test_size_and_pixel_convention(px_per_mm: float) -> None:
    sheet = Drawing(60, 40)
    sheet.area(rectangle(0, 0, 60, 40), (255, 255, 255))
    sheet.area(circle((42, 11), 8), (0, 0, 0))
    picture = rasterise(sheet, px_per_mm)
    assert picture.shape == (round(40 * px_per_mm), round(60 * px_per_mm), 3) and picture.dtype == np.uint8
    dark = 255.0 - picture[..., 0]
    rows, columns = np.mgrid[0 : dark.shape[0], 0 : dark.shape[1]]
    middle = [((axis + 0.5) * dark).sum() / dark.sum() / px_per_mm for axis in (columns, rows)]
    assert middle == pytest.approx([42, 11], abs=0.05)
    assert dark.sum() / 255 / px_per_mm**2 == pytest.approx(np.pi * 64, rel=0.03)


def test_colours_are_bgr_in_arrays() -> None:
    sheet = Drawing(4, 4)
    sheet.area(rectangle(0, 0, 4, 4), (200, 100, 50))
    assert rasterise(sheet, 2.0)[3, 3].tolist() == [50, 100, 200]


def test_a_tile_border_leaves_no_trace() -> None:
    whole = rasterise(draw_board(KNIZIA), 2.0)
    moved = Drawing(KNIZIA.size_mm[0] + 100, KNIZIA.size_mm[1])
    moved.place(draw_board(KNIZIA), 100, 0)
    difference = np.abs(rasterise(moved, 2.0)[:, 200:].astype(int) - whole)
    assert difference.max() <= 50 and difference.mean() < 0.02  # OpenCV may step a clipped line otherwise


def test_a_board_of_unknown_layout_shows_its_fields() -> None:
    fields = [
        {"id": "spot-1", "kind": "spot", "x": 30, "y": 30, "radius_mm": 12},
        {"id": "bed", "kind": "bed", "colour": "red", "polygon": [[60, 20], [90, 20], [90, 50], [60, 50]]},
    ]
    data = {"id": "mine", "size_mm": [120, 70], "fields": fields, "pieces": {}}
    plain = render_artwork(board_from_json(data))
    assert plain.shape == (280, 480, 3)
    frame = patch(plain, 60, 35, 0.3)[0]  # the bed's left edge is red
    assert frame[2] > 1.5 * frame[0]
    assert np.ptp(patch(plain, 30, 30, 4)) > 20  # its name is written in the spot
    claimed = render_artwork(board_from_json(data | {"layout": "anthology"}))
    assert np.array_equal(claimed, plain)  # whatever it says, it is not that layout


def test_unknown_style_and_unknown_tag() -> None:
    with pytest.raises(ArtworkError, match="chalk, night, parchment"):
        draw_board(KNIZIA, "neon")
    with pytest.raises(TagError, match="0 to 49"):
        tag_bits("DICT_4X4_50", 50)
    with pytest.raises(TagError, match="DICT_4X4_50"):
        tag_bits("ArucoDetector", 1)


@pytest.mark.parametrize(("name", "count"), TAG_COUNTS.items())
def test_every_tag_that_a_board_file_may_name_can_be_printed(name: str, count: int) -> None:
    assert len(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)).bytesList) == count
    assert tag_bits(name, count - 1)


def test_a_print_in_other_colours_is_still_a_board_of_its_own():
    usual, other = any_print(ANTHOLOGY, "chalk", 1.0), any_print(ANTHOLOGY, "chalk~7", 1.0)
    assert other.shape == usual.shape and np.abs(other.astype(int) - usual).mean() > 5
    assert (any_print(ANTHOLOGY, "chalk~7", 1.0) == other).all()
