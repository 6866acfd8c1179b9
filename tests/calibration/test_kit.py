"""The kit on paper: measured, cut, joined and read back from the PDF as a printer would print it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
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
from engine.board import Board, board_from_json, load_board
from engine.cards import ALL_CARDS
from sample_images.flat import FlatCamera, Stand
from vision import Reader
from vision.finding.locate import find_tags

ANTHOLOGY, KNIZIA = load_board("anthology"), load_board("knizia")
DPI = 200
PX_PER_MM = DPI / 25.4
# Pages of the anthology's kit on A4 with card faces, each followed by its backs.
CARD_SHEETS = (9, 11, 13)
needs_zbar = pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The anthology's kit on A4."""
    path = tmp_path_factory.mktemp("kit") / "anthology.pdf"
    make_kit(ANTHOLOGY, "a4", path)
    return path


@lru_cache(maxsize=8)
def printed(pdf: Path, page: int) -> Picture:
    """Page 1, 2, .. as a printer sees it: uint8 (H, W, 3) BGR."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        sheet = document[page - 1]
        width, height = (round(side * DPI / 72) for side in sheet.get_size())
        # pdfium rounds the picture up to whole pixels.
        return sheet.render(scale=DPI / 72).to_numpy()[:height, :width, :3].copy()
    finally:
        document.close()


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


def test_the_joined_tiles_are_the_artwork(kit: Path) -> None:
    """Cut at the marks and glued: paper and screen show the same board, across the joins as well."""
    board, joined = render_artwork(ANTHOLOGY, 2.0), glued(kit, ANTHOLOGY, 2.0)
    assert np.abs(joined.astype(int) - board).mean() < 4
    shift, _ = cv2.phaseCorrelate(*(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32)
                                    for each in (joined, board)))  # fmt: skip
    assert np.hypot(*shift) < 0.1  # 0.05 mm


def test_the_measure_at_the_foot_of_a_page_is_50_mm(kit: Path) -> None:
    page = printed(kit, 3)
    foot = page[round((297 - MARGIN_MM / 2) * PX_PER_MM), round(149 * PX_PER_MM) :].mean(axis=1) < 200
    columns = np.flatnonzero(foot)
    assert (columns[-1] - columns[0] + 1) / PX_PER_MM == pytest.approx(50.2, abs=0.3)  # and its line's width


# ---- cards, stickers, sheets


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


def test_the_lens_sheet_is_a_charuco_board_of_30_mm_squares(kit: Path) -> None:
    page = printed(kit, 15)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(page)
    assert len(np.ravel(ids)) == (CHARUCO.columns - 1) * (CHARUCO.rows - 1)
    points = (corners.reshape(-1, 2) + 0.5) / PX_PER_MM
    wanted = charuco_board().getChessboardCorners()[np.ravel(ids), :2]
    errors = (points - points.mean(axis=0)) - (wanted - wanted.mean(axis=0))
    assert np.abs(errors).max() < 0.12


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


def test_cards_are_read_from_table_photographs_of_the_printed_sheets(kit: Path) -> None:
    """From where a table camera stands over a 500 mm board, at 1280x720: every card by its tag, as tables
    look for them."""
    camera = FlatCamera(Lens((1280, 720), 1050.0, (639.5, 359.5), (-0.06, 0.01, 0.0, 0.0, 0.0)), seed=3)
    stand = Stand((105.0, 560.0, 620.0), (105.0, 148.0), turn_deg=4.0)
    read: set[int] = set()
    for page in CARD_SHEETS:
        photo = cv2.cvtColor(camera.take(printed(kit, page), PX_PER_MM, stand), cv2.COLOR_BGR2GRAY)
        seen = find_tags(photo, "DICT_4X4_100", "patient")
        for tag, corners_mm in tags_in(printed(kit, page)).items():
            wanted = camera.pixels(corners_mm, stand)
            read |= {tag} if any(np.abs(quad - wanted).max() < 4 for quad in seen.get(tag, ())) else set()
    assert read == {tag_of_card(card) for card in ALL_CARDS}


@needs_zbar
def test_a_phone_scans_the_printed_cards_one_by_one(kit: Path) -> None:
    """A phone held over some cards of each sheet reads their QR codes."""
    for sheet in CARD_SHEETS:
        tags = tags_in(printed(kit, sheet))
        for tag in sorted(tags)[::12]:
            assert scanned(kit, sheet, tag, tags[tag]), ALL_CARDS[tag - 10]


@needs_zbar
@pytest.mark.slow
def test_a_phone_scans_every_printed_card(kit: Path) -> None:
    read = [
        tag
        for sheet in CARD_SHEETS
        for tag, corners_mm in tags_in(printed(kit, sheet)).items()
        if scanned(kit, sheet, tag, corners_mm)
    ]
    assert sorted(read) == [tag_of_card(card) for card in ALL_CARDS]


def scanned(kit: Path, sheet: int, tag: int, corners_mm: np.ndarray) -> bool:
    """Whether a phone that comes down on a card of the printed sheet, held a little aslant, reads its code in
    one of three pictures."""
    left, top = corners_mm[0]
    middle = (float(left) + 12.5, float(top) - 11.0)  # the card's upper half
    for number, high in enumerate((150.0, 130.0, 115.0)):
        stand = Stand((middle[0] + 15, middle[1] + 40 - 10 * number, high), middle)
        photo = on_the_table(printed(kit, sheet), stand, (1280, 960), 1100.0, tag + number)
        if qr_of_card(ALL_CARDS[tag - 10]) in read_qr(photo):
            return True
    return False


@pytest.mark.parametrize("board", [ANTHOLOGY, KNIZIA], ids=lambda board: board.id)
def test_the_glued_board_is_read_as_an_empty_board(tmp_path: Path, board: Board) -> None:
    """All tiles of the kit, cut and glued, on a table at 1280x720: found by at least three of its tags
    to a millimetre, and nothing lies on it."""
    make_kit(board, "a4", tmp_path / "kit.pdf")
    camera = FlatCamera(Lens((1280, 720), 1050.0, (639.5, 359.5), (-0.06, 0.01, 0.0, 0.0, 0.0)), seed=5)
    width, height = board.size_mm
    stand = Stand((width * 0.6, height * 1.6, 1.35 * height), (width / 2, height / 2), turn_deg=-3.0)
    photo = camera.take(glued(tmp_path / "kit.pdf", board, 4.0), 4.0, stand)
    seen = Reader(board, game={"knizia": "stonehenge"}.get(board.id, "roulette")).read(photo)
    assert seen.quality["found_by"] in ("tags", "print") and seen.quality["tags"] >= 3
    assert seen.position.pieces == ()
    corners_mm = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    assert np.abs(np.array(seen.corners_px) - camera.pixels(corners_mm, stand)).max() < 1.0


def glued(pdf: Path, board: Board, px_per_mm: float) -> Picture:
    """The board's tiles, cut at their marks and joined: uint8 (H, W, 3) BGR from above."""
    tiling = tile_board(*board.size_mm, PAPERS["a4"])
    width, height = (round(side * px_per_mm) for side in board.size_mm)
    joined = np.full((height, width, 3), 255, np.uint8)
    scale = PX_PER_MM / px_per_mm
    for number, tile in enumerate(tiling.tiles):
        x, y = tile_origin_mm(tiling, tile)
        shift = 0.5 * scale - 0.5
        page_from_board = np.float64([
            [scale, 0, shift + (x - tile.x_mm) * PX_PER_MM], [0, scale, shift + (y - tile.y_mm) * PX_PER_MM],
        ])  # fmt: skip
        page = cv2.GaussianBlur(printed(pdf, 3 + number), (0, 0), 0.4 * scale)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpAffine(page, page_from_board, (width, height), flags=flags)
        part = (
            slice(round(tile.y_mm * px_per_mm), round((tile.y_mm + tile.height_mm) * px_per_mm)),
            slice(round(tile.x_mm * px_per_mm), round((tile.x_mm + tile.width_mm) * px_per_mm)),
        )
        joined[part] = seen[part]
    return joined


def test_the_calibration_sheets_are_found_in_table_photographs(kit: Path) -> None:
    stand = Stand((105.0, 480.0, 480.0), (105.0, 140.0))
    lens_sheet = on_the_table(printed(kit, 15), stand, (1280, 720), 1000.0, 1)
    sheet = find_sheet(cv2.cvtColor(lens_sheet, cv2.COLOR_BGR2GRAY))
    assert sheet is not None and len(sheet.ids) == 35 and sheet.tilt_deg > 15
    colours = on_the_table(printed(kit, 16), stand, (1280, 720), 1000.0, 2)
    assert set(tags_in(colours)) == {marker.id for marker in COLOUR_SHEET.markers}
