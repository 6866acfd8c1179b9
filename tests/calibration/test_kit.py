"""The kit on paper: measured, cut, joined and read back from the PDF as a printer would print it."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from reportlab.pdfbase import pdfmetrics

from calibration.artwork import draw_board, render_artwork
from calibration.cards import qr_of_card, tag_of_card
from calibration.drawing import Drawing, Picture, Words, register_font
from calibration.kit import CHARUCO, COLOUR_SHEET, PAPERS, KitError, charuco_board, kit_pages, make_kit
from calibration.kit.paper import MARGIN_MM, OVERLAP_MM, tile_board
from calibration.kit.stickers import SPARES, VALUES
from calibration.kit.tiles import tile_origin_mm
from calibration.lens import Lens, find_sheet
from calibration.qr import read_qr, why_unavailable
from engine.board import board_from_json, load_board
from engine.cards import ALL_CARDS
from sample_images.flat import FlatCamera, Stand
from vision.locate import find_tags

ANTHOLOGY, KNIZIA = load_board("anthology"), load_board("knizia")
DPI = 200
PX_PER_MM = DPI / 25.4
needs_poppler = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler) is not here")


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The anthology's kit on A4."""
    path = tmp_path_factory.mktemp("kit") / "anthology.pdf"
    make_kit(ANTHOLOGY, "a4", path)
    return path


@lru_cache(maxsize=8)
def printed(pdf: Path, page: int) -> Picture:
    """Page 1, 2, .. as a printer sees it: uint8 (H, W, 3) BGR."""
    command = ["pdftoppm", "-png", "-r", str(DPI), "-f", str(page), "-l", str(page), str(pdf)]
    data = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def tags_in(picture: Picture, dictionary: int = cv2.aruco.DICT_4X4_100) -> dict[int, np.ndarray]:
    """id -> (4, 2) corners in mm on the page."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.005
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), parameters)
    corners, ids, _ = detector.detectMarkers(picture)
    found = [] if ids is None else zip(np.ravel(ids), corners, strict=True)
    return {int(number): (quad.reshape(4, 2) + 0.5) / PX_PER_MM for number, quad in found}


# ---- tiles


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("board", [ANTHOLOGY, KNIZIA], ids=lambda board: board.id)
def test_tiles_cover_the_board_and_fit_on_the_paper(paper: str, board: object) -> None:
    width, height = board.size_mm  # type: ignore[attr-defined]
    tiling = tile_board(width, height, PAPERS[paper])
    assert len(tiling.tiles) == tiling.columns * tiling.rows
    assert sum(tile.width_mm * tile.height_mm for tile in tiling.tiles) == pytest.approx(width * height)
    for tile in tiling.tiles:
        assert tile.width_mm + tile.flap_right_mm <= tiling.paper.usable_mm[0] + 1e-9
        assert tile.height_mm + tile.flap_below_mm <= tiling.paper.usable_mm[1] + 1e-9
        assert (tile.flap_right_mm == OVERLAP_MM) == (tile.x_mm + tile.width_mm < width - 1)
        assert min(tile_origin_mm(tiling, tile)) >= MARGIN_MM - 1e-9


def test_a_small_board_needs_one_sheet() -> None:
    assert [tile.name for tile in tile_board(180, 200, PAPERS["a4"]).tiles] == ["A1"]
    assert [tile.name for tile in tile_board(200, 180, PAPERS["a4"]).tiles] == ["A1"]


@needs_poppler
def test_the_board_is_printed_true_to_the_millimetre(kit: Path) -> None:
    tiling = tile_board(500, 500, PAPERS["a4"])
    seen = 0
    for number, tile in enumerate(tiling.tiles):
        page = printed(kit, 3 + number)
        assert page.shape[:2] == (round(297 * PX_PER_MM), round(210 * PX_PER_MM))
        origin = np.array(tile_origin_mm(tiling, tile)) - (tile.x_mm, tile.y_mm)
        for tag, corners_mm in tags_in(page).items():
            wanted = np.array(ANTHOLOGY.markers[tag].corners_mm) + origin
            assert np.abs(corners_mm - wanted).max() < 0.15
            assert np.linalg.norm(corners_mm[1] - corners_mm[0]) == pytest.approx(32, abs=0.15)
            seen += 1
    assert seen == 4


@needs_poppler
def test_the_joined_tiles_are_the_artwork(kit: Path) -> None:
    """Cut at the marks and glued: paper and screen show the same board, across the joins as well."""
    board, tiling = render_artwork(ANTHOLOGY, 2.0), tile_board(500, 500, PAPERS["a4"])
    joined = np.zeros_like(board)
    for number, tile in enumerate(tiling.tiles):
        page = cv2.GaussianBlur(printed(kit, 3 + number), (0, 0), 1.5)
        x, y = tile_origin_mm(tiling, tile)
        # Of board pixel (c, r), the centre is at (c + 0.5) / 2 mm on the board; the same on the page.
        scale, shift = PX_PER_MM / 2, 0.5 * PX_PER_MM / 2 - 0.5
        page_from_board = np.float64([
            [scale, 0, shift + (x - tile.x_mm) * PX_PER_MM], [0, scale, shift + (y - tile.y_mm) * PX_PER_MM],
        ])  # fmt: skip
        size = board.shape[1::-1]
        seen = cv2.warpAffine(page, page_from_board, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        part = (
            slice(round(tile.y_mm * 2), round((tile.y_mm + tile.height_mm) * 2)),
            slice(round(tile.x_mm * 2), round((tile.x_mm + tile.width_mm) * 2)),
        )
        joined[part] = seen[part]
    assert np.abs(joined.astype(int) - board).mean() < 4
    shift, _ = cv2.phaseCorrelate(*(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32)
                                    for each in (joined, board)))  # fmt: skip
    assert np.hypot(*shift) < 0.1  # 0.05 mm


@needs_poppler
def test_the_measure_at_the_foot_of_a_page_is_50_mm(kit: Path) -> None:
    page = printed(kit, 3)
    foot = page[round((297 - MARGIN_MM / 2) * PX_PER_MM), round(149 * PX_PER_MM) :].mean(axis=1) < 200
    columns = np.flatnonzero(foot)
    assert (columns[-1] - columns[0] + 1) / PX_PER_MM == pytest.approx(50.2, abs=0.3)  # and its line's width


# ---- cards, stickers, sheets


@needs_poppler
def test_printed_cards_are_read_back_by_tag_and_by_qr_code(kit: Path) -> None:
    first = 3 + 6
    tags: dict[int, np.ndarray] = {}
    texts: list[str] = []
    for page in (first, first + 2, first + 4):
        picture = printed(kit, page)
        tags |= tags_in(picture)
        for corners in tags_in(picture).values() if why_unavailable() is None else ():
            left, top = ((corners[0] - (5, 21)) * PX_PER_MM).astype(int)  # the card's upper half, close up
            head = picture[top : top + round(20 * PX_PER_MM), left : left + round(35 * PX_PER_MM)]
            texts += read_qr(cv2.resize(head, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
        assert set(tags_in(printed(kit, page + 1))) == {75}
    assert set(tags) == {tag_of_card(card) for card in ALL_CARDS}
    for corners in tags.values():
        assert np.linalg.norm(corners[2] - corners[0]) == pytest.approx(25 * np.sqrt(2), abs=0.2)
    if why_unavailable() is None:
        assert sorted(texts) == sorted(qr_of_card(card) for card in ALL_CARDS)


@needs_poppler
def test_faces_and_backs_meet_on_both_sides_of_a_sheet(kit: Path) -> None:
    """The last sheet has 15 cards; the one at the top left has its back at the top right."""
    above_foot = round(285 * PX_PER_MM)
    face, back = printed(kit, 13)[:above_foot], printed(kit, 14)[:above_foot]
    used = [
        cv2.boundingRect(cv2.findNonZero((page[..., 1] < 60).astype(np.uint8)))
        for page in (face, back[:, ::-1])
    ]
    assert np.abs(np.subtract(used[0], used[1])).max() < 12
    parameters = tags_in(face)
    assert min(parameters, key=lambda tag: parameters[tag][0].sum()) == tag_of_card(ALL_CARDS[50])


@needs_poppler
def test_the_lens_sheet_is_a_charuco_board_of_30_mm_squares(kit: Path) -> None:
    page = printed(kit, 15)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(page)
    assert len(np.ravel(ids)) == (CHARUCO.columns - 1) * (CHARUCO.rows - 1)
    points = (corners.reshape(-1, 2) + 0.5) / PX_PER_MM
    wanted = charuco_board().getChessboardCorners()[np.ravel(ids), :2]
    errors = (points - points.mean(axis=0)) - (wanted - wanted.mean(axis=0))
    assert np.abs(errors).max() < 0.12


@needs_poppler
def test_the_colour_sheet_is_found_and_shows_its_colours(kit: Path) -> None:
    page = printed(kit, 16)
    tags = tags_in(page)
    assert set(tags) == {marker.id for marker in COLOUR_SHEET.markers}
    wanted = np.concatenate([marker.corners_mm for marker in COLOUR_SHEET.markers]).astype(np.float32)
    found = np.concatenate([tags[marker.id] for marker in COLOUR_SHEET.markers]).astype(np.float32)
    page_from_sheet, _ = cv2.findHomography(wanted, found)
    for field in COLOUR_SHEET.fields.values():
        x, y = cv2.perspectiveTransform(np.float32([[field.centre_mm]]), page_from_sheet)[0, 0] * PX_PER_MM
        assert (
            np.abs(page[int(y), int(x), ::-1].astype(int) - COLOUR_SHEET.colour_rgb(field.colour or "")).max()
            <= 1
        )


def test_eighteen_stones_spares_and_backs() -> None:
    pages = kit_pages(KNIZIA, PAPERS["a4"])
    words = [shape.text for page in pages for shape in page.drawing.shapes
             if isinstance(shape, Words) and shape.text in set("123456") and shape.cap_mm > 8]  # fmt: skip
    assert sorted(words) == sorted(2 * [str(value) for value in (*VALUES, *SPARES)])
    assert sorted(VALUES) == [1, 1, 2, 2, 3, 3, 4, 5, 6]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_kit_for_every_paper(tmp_path: Path, paper: str) -> None:
    path = tmp_path / "kit.pdf"
    assert make_kit(KNIZIA, paper, path) == len(kit_pages(KNIZIA, PAPERS[paper])) >= 7
    assert path.read_bytes().startswith(b"%PDF")


@needs_poppler
def test_the_ink_saving_kit_needs_less_ink_and_is_read_as_well(tmp_path: Path, kit: Path) -> None:
    make_kit(ANTHOLOGY, "a4", tmp_path / "kit.pdf", ink_saving=True)
    for page, most in ((3, 0.7), (9, 0.95)):  # on cards the tags themselves need most of the ink
        plain, saving = printed(kit, page), printed(tmp_path / "kit.pdf", page)
        assert 255 - saving.mean() < most * (255 - plain.mean())
        assert set(tags_in(saving)) == set(tags_in(plain))


def test_a_kit_for_a_board_of_ones_own(tmp_path: Path) -> None:
    fields = [{"id": "a", "kind": "spot", "x": 30, "y": 30, "radius_mm": 12}]
    board = board_from_json({"id": "mine", "size_mm": [150, 100], "fields": fields, "pieces": {}})
    assert make_kit(board, "a4", tmp_path / "kit.pdf") == 2 + 1 + 3


def test_nothing_runs_off_a_page_and_every_letter_is_in_the_font() -> None:
    for board, paper in ((ANTHOLOGY, "letter"), (KNIZIA, "a4"), (KNIZIA, "a3")):
        for page in kit_pages(board, PAPERS[paper]):
            _assert_on_page(page.drawing)
        _assert_on_page(draw_board(board))


def _assert_on_page(page: Drawing) -> None:
    for shape in page.shapes:
        if isinstance(shape, Words):
            glyphs = pdfmetrics.getFont(register_font(shape.font)).face.charToGlyph
            assert all(ord(letter) in glyphs for letter in shape.text), shape.text
            assert 0 <= shape.x <= page.width_mm and 0 <= shape.y <= page.height_mm, shape
        else:
            contours = shape.contours if hasattr(shape, "contours") else (shape.points,)
            points = np.concatenate([np.array(contour) for contour in contours])
            assert points.min() >= -0.5 and (points <= (page.width_mm + 0.5, page.height_mm + 0.5)).all(), (
                shape
            )


def test_bad_paper_and_bad_path(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="a4, a3, letter"):
        make_kit(KNIZIA, "a5", tmp_path / "kit.pdf")
    with pytest.raises(KitError, match="cannot write"):
        make_kit(KNIZIA, "a4", tmp_path / "nowhere" / "kit.pdf")


# ---- on the table


def on_the_table(
    page: Picture, stand: Stand, size_px: tuple[int, int], focal_px: float, seed: int
) -> Picture:
    """A photograph of a printed page lying on a table, with a somewhat bent lens."""
    lens = Lens(size_px, focal_px, ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2), (-0.06, 0.01, 0.0, 0.0, 0.0))
    return FlatCamera(lens, seed).take(page, PX_PER_MM, stand)


@needs_poppler
def test_cards_are_read_from_table_photographs_of_the_printed_sheets(kit: Path) -> None:
    """From where a table camera stands over a 500 mm board, at 1280x720: every card by its tag, as tables
    look for them."""
    camera = FlatCamera(Lens((1280, 720), 1050.0, (639.5, 359.5), (-0.06, 0.01, 0.0, 0.0, 0.0)), seed=3)
    stand = Stand((105.0, 560.0, 620.0), (105.0, 148.0), turn_deg=4.0)
    read: set[int] = set()
    for page in (9, 11, 13):
        photo = cv2.cvtColor(camera.take(printed(kit, page), PX_PER_MM, stand), cv2.COLOR_BGR2GRAY)
        seen = find_tags(photo, "DICT_4X4_100", patient=True)
        for tag, corners_mm in tags_in(printed(kit, page)).items():
            wanted = camera.pixels(corners_mm, stand)
            read |= {tag} if any(np.abs(quad - wanted).max() < 4 for quad in seen.get(tag, ())) else set()
    assert read == {tag_of_card(card) for card in ALL_CARDS}


@needs_poppler
@pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))
def test_a_phone_scans_the_printed_cards_one_by_one(kit: Path) -> None:
    """A phone held over each card of the last sheet reads its QR code."""
    page = printed(kit, 13)
    corners = tags_in(page)
    for tag in sorted(corners)[:3]:
        left, top = corners[tag][0]
        middle = (float(left) + 12.5, float(top) - 11.0)  # the card's upper half
        stand = Stand((middle[0] + 15, middle[1] + 40, 130.0), middle)
        texts = read_qr(on_the_table(page, stand, (1280, 960), 1100.0, tag))
        assert qr_of_card(ALL_CARDS[tag - 10]) in texts


@needs_poppler
def test_the_calibration_sheets_are_found_in_table_photographs(kit: Path) -> None:
    stand = Stand((105.0, 480.0, 480.0), (105.0, 140.0))
    lens_sheet = on_the_table(printed(kit, 15), stand, (1280, 720), 1000.0, 1)
    sheet = find_sheet(cv2.cvtColor(lens_sheet, cv2.COLOR_BGR2GRAY))
    assert sheet is not None and len(sheet.ids) == 35 and sheet.tilt_deg > 15
    colours = on_the_table(printed(kit, 16), stand, (1280, 720), 1000.0, 2)
    assert set(tags_in(colours)) == {marker.id for marker in COLOUR_SHEET.markers}
