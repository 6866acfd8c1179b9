"""The empty board guessed from a board in use."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine import Position
from engine.board import Board, Field, PieceType, load_board
from vision import Reader
from vision.compare import compare
from vision.geometry.view import fit_view
from vision.pictures.images import load_image
from vision.prints.bare import bare_and_shaded, bare_surface
from vision.prints.surface import Surface

REAL = Path(__file__).resolve().parents[4] / "shared" / "real-photos"
CELL_MM, COUNT = 20.0, 8


@pytest.fixture(scope="module")
def squares() -> Board:
    fields = {}
    for row in range(COUNT):
        for column in range(COUNT):
            kind = "dark" if (row + column) % 2 else "light"
            middle = ((column + 1) * CELL_MM, (row + 1) * CELL_MM)
            x, y = (value - CELL_MM / 2 for value in middle)
            outline = ((x, y), (x + CELL_MM, y), (x + CELL_MM, y + CELL_MM), (x, y + CELL_MM))
            name = f"{kind}-{row}-{column}"
            fields[name] = Field(name, kind, None, None, middle, CELL_MM / 2, polygon_mm=outline)
    size = (COUNT + 1) * CELL_MM
    disc = PieceType("disc", "cylinder", ("white",), ("dark",), {"diameter_mm": 16, "height_mm": 5})
    return Board("squares", (size, size), fields, pieces={"disc": disc})


def printed(board: Board) -> np.ndarray:
    """5 px per mm: dark red and pale squares with a mark in each, lit from the left."""
    image = np.full((900, 900, 3), 200, np.uint8)
    for each in board.fields.values():
        colour = (40, 40, 150) if each.kind == "dark" else (190, 220, 220)
        outline = np.round(np.array(each.outline_mm()) * 5).astype(np.int32)
        cv2.fillPoly(image, [outline], colour)
        cv2.circle(
            image, tuple(np.round(np.array(each.centre_mm) * 5).astype(int).tolist()), 10, (90, 90, 90), 3
        )
    return np.asarray(image * np.linspace(1.0, 0.7, 900)[None, :, None], np.uint8)


def test_fields_of_a_colour_that_is_nowhere_empty_keep_it():
    """On both red ones lie blocks; what shows of their rims tells that they are red."""
    green, red, size = (90, 160, 90), (120, 130, 215), 150.0
    fields = {}
    for number in range(8):
        middle = (25.0 + 33 * (number % 4), 50.0 + 45 * (number // 4))
        colour = "red" if number in (2, 5) else "green"
        fields[f"ring-{number}"] = Field(f"ring-{number}", "ring", None, colour, middle, 12.0)
    block = PieceType("block", "box", ("white",), ("ring",), {"length_mm": 24, "width_mm": 8, "height_mm": 6})
    board = Board("rings", (size, size), fields, pieces={"block": block})
    view = fit_view(np.array(board.corners_mm), np.array(board.corners_mm) * 6 - 0.5, (900, 900))[0]
    photo = np.full((900, 900, 3), 170, np.uint8)
    for each in fields.values():
        x, y = (round(value * 6) for value in each.centre_mm)
        cv2.circle(photo, (x, y), 72, red if each.colour == "red" else green, -1)
        if each.colour == "red":
            cv2.rectangle(photo, (x - 72, y - 24), (x + 72, y + 24), (245, 245, 245), -1)
    empty = {name for name, each in fields.items() if each.colour == "green"}
    bare = bare_surface(photo, view, board, empty).top_view() / 255
    for each in fields.values():
        x, y = (round(value * bare.shape[1] / size) for value in each.centre_mm)
        seen = 255 * bare[y - 6 : y + 6, x - 6 : x + 6].mean(axis=(0, 1))
        assert np.abs(seen - (red if each.colour == "red" else green)).max() < 12, each.id


def ring(colours, kinds=None, radius_mm=12.0) -> Board:
    """Eight round fields in two rows, of such colours, and of one kind if not told otherwise."""
    kinds = kinds or ["ring"] * len(colours)
    fields = {}
    for number, (colour, kind) in enumerate(zip(colours, kinds, strict=True)):
        middle = (25.0 + 33 * (number % 4), 50.0 + 45 * (number // 4))
        fields[f"{kind}-{number}"] = Field(f"{kind}-{number}", kind, None, colour, middle, radius_mm)
    sizes = {"length_mm": 24, "width_mm": 8, "height_mm": 6}
    block = PieceType("block", "box", ("white",), ("ring",), sizes)
    return Board("rings", (150.0, 150.0), fields, pieces={"block": block})


def from_above(board: Board):
    return fit_view(np.array(board.corners_mm), np.array(board.corners_mm) * 6 - 0.5, (900, 900))[0]


def middle_px(each: Field) -> tuple[int, int]:
    return round(each.centre_mm[0] * 6), round(each.centre_mm[1] * 6)


def shown(bare, each: Field) -> np.ndarray:
    """What is believed to be printed in the middle of a field."""
    x, y = (round(value * bare.shape[1] / 150) for value in each.centre_mm)
    return 255 * bare[y - 6 : y + 6, x - 6 : x + 6].mean(axis=(0, 1))


def test_a_colour_that_is_bare_on_fields_of_another_kind_is_the_same_here():
    """Both red fields of the ring are covered up to their rims, a red pit is not."""
    paint = {"red": (60, 70, 200), "green": (90, 160, 90)}
    colours = ["green", "green", "red", "green", "green", "red", "green", "red"]
    board = ring(colours, ["ring"] * 7 + ["pit"])
    photo = np.full((900, 900, 3), 170, np.uint8)
    for each in board.fields.values():
        cv2.circle(photo, middle_px(each), 72, paint[each.colour], -1)
        if each.kind == "ring" and each.colour == "red":
            cv2.circle(photo, middle_px(each), 71, (245, 245, 245), -1)
    empty = {name for name, each in board.fields.items() if each.kind == "pit" or each.colour == "green"}
    bare = bare_surface(photo, from_above(board), board, empty).top_view() / 255
    for each in board.fields.values():
        assert np.abs(shown(bare, each) - paint[each.colour]).max() < 14, each.id


def test_fields_of_each_colour_are_told_by_those_of_their_own():
    """What is painted over one of them is not what the others are compared with."""
    paint = {"red": (60, 70, 200), "green": (90, 160, 90), "blue": (190, 120, 60)}
    board = ring(["green", "green", "blue", "blue", "green", "blue", "green", "red"])
    photo = np.full((900, 900, 3), 170, np.uint8)
    for each in board.fields.values():
        cv2.circle(photo, middle_px(each), 72, paint[each.colour], -1)
    for name in ("ring-5", "ring-7"):
        cv2.circle(photo, middle_px(board.fields[name]), 40, (245, 245, 245), -1)
    empty = board.fields.keys() - {"ring-5", "ring-7"}
    bare = bare_surface(photo, from_above(board), board, empty).top_view() / 255
    for each in board.fields.values():
        assert np.abs(shown(bare, each) - paint[each.colour]).max() < 14, each.id


def test_no_field_is_believed_to_bear_the_number_of_another():
    board = ring([None] * 8)
    photo = np.full((900, 900, 3), 170, np.uint8)
    for number, each in enumerate(board.fields.values()):
        x, y = middle_px(each)
        cv2.circle(photo, (x, y), 72, (215, 225, 230), -1)
        cv2.putText(photo, str(11 * number + 10), (x - 40, y + 20), 0, 2.0, (30, 30, 30), 8)
    cv2.circle(photo, middle_px(board.fields["ring-3"]), 60, (60, 70, 200), -1)
    bare = bare_surface(photo, from_above(board), board, board.fields.keys() - {"ring-3"}).top_view() / 255
    x, y = (round(value * bare.shape[1] / 150) for value in board.fields["ring-3"].centre_mm)
    assert (255 * bare[y - 20 : y + 20, x - 20 : x + 20]).min() > 190


@pytest.mark.parametrize("in_reach", [True, False])
def test_a_shadow_that_a_piece_may_throw_is_no_print(in_reach):
    board = ring([None] * 8)
    photo = np.full((900, 900, 3), 170, np.uint8)
    for each in board.fields.values():
        cv2.circle(photo, middle_px(each), 72, (150, 160, 165), -1)
    x, y = middle_px(board.fields["ring-5"])
    photo[y - 95 : y + 95, x - 95 : x + 95] = photo[y - 95 : y + 95, x - 95 : x + 95] // 2
    reached = {"ring-5", "ring-6"} if in_reach else set()
    surface, told = bare_and_shaded(photo, from_above(board), board, set(board.fields), None, reached)
    assert {each.id for each in told} == reached
    found = shown(surface.top_view() / 255, board.fields["ring-5"])
    assert np.abs(found - (150, 160, 165)).max() < 10 if in_reach else found.max() < 145


def test_where_fields_are_printed_each_in_its_own_way_no_shadow_is_told():
    """A dark field is a dark field."""
    board = ring([None] * 8)
    photo = np.full((900, 900, 3), 170, np.uint8)
    for number, each in enumerate(board.fields.values()):
        cv2.circle(photo, middle_px(each), 72, (60, 65, 60) if number % 2 else (215, 225, 230), -1)
    _, told = bare_and_shaded(photo, from_above(board), board, set(board.fields), None, {"ring-5"})
    assert not told


def test_what_is_covered_does_not_tell_how_a_field_is_lit():
    """A red piece that reaches over the rim of a field does not make its print red."""
    board = ring([None] * 8)
    photo = np.full((900, 900, 3), 170, np.uint8)
    for each in board.fields.values():
        cv2.circle(photo, middle_px(each), 72, (150, 160, 165), -1)
    x, y = middle_px(board.fields["ring-5"])
    photo[y - 95 : y + 95, x - 90 : x + 100] = (40, 50, 190)
    covered = np.zeros((450, 450), np.uint8)
    covered[(y - 95) // 2 : (y + 95) // 2, (x - 90) // 2 : (x + 100) // 2] = 1
    empty = board.fields.keys() - {"ring-5"}
    told = {}
    for name, mask in (("known", covered), ("not", None)):
        bare = bare_and_shaded(photo, from_above(board), board, empty, mask, ())[0].top_view() / 255
        told[name] = np.abs(shown(bare, board.fields["ring-5"]) - (150, 160, 165)).max()
    assert told["known"] < 6 < 15 < told["not"]


@pytest.mark.parametrize("occupied", [0.2, 0.45])
def test_pieces_vanish_and_the_print_stays(squares, occupied):
    rng = np.random.default_rng(3)
    bare = printed(squares)
    photo = bare.copy()
    for each in squares.fields.values():
        if each.kind == "dark" and rng.random() < occupied:
            spot = np.round((np.array(each.centre_mm) + rng.normal(0, 1.5, 2)) * 5).astype(int).tolist()
            cv2.circle(photo, spot, 40, (225, 230, 230), -1)
    corners = np.array([[0.0, 0.0], [180.0, 0.0], [180.0, 180.0], [0.0, 180.0]])
    view = fit_view(corners, corners * 5 - 0.5, (900, 900))[0]
    guessed = cv2.resize(bare_surface(photo, view, squares).top_view().astype(np.float32), (900, 900))

    def far_off(image: np.ndarray) -> int:
        """In how many fields the colour around the mark is not that of the print."""
        found = 0
        for each in squares.fields.values():
            x, y = (int(value * 5) for value in each.centre_mm)
            part = np.s_[y - 30 : y + 30, x - 30 : x + 30]
            found += bool(
                np.abs(np.median(image[part], axis=(0, 1)) - np.median(bare[part], axis=(0, 1))).max() > 20
            )
        return found

    assert far_off(photo) >= 5
    assert far_off(guessed) == 0


@pytest.mark.skipif(not REAL.exists(), reason="the real photographs are not here")
@pytest.mark.parametrize("name", ["board-v2", "full-board-v2", "full-board"])
def test_a_real_board_that_nobody_described_the_print_of(name):
    label = REAL / "checkers" / f"{name}.json"
    reader = Reader(load_board(REAL / "boards" / "checkers-8x8.json"))
    truth = Position.from_json(json.loads(label.read_text()))
    assert len(compare(reader.read(load_image(label.with_suffix(".jpg"))), truth).misses) <= 1


def test_hundreds_of_fields_need_no_room_for_all_pairs_of_them():
    """As on a board of Go of whose print nothing is known: each is compared with some of the others."""
    step, count = 10.0, 20
    fields = {
        f"point-{row}-{column}": Field(
            f"point-{row}-{column}", "point", None, None, ((column + 1) * step, (row + 1) * step), 4.0
        )
        for row in range(count)
        for column in range(count)
    }
    board = Board("grid", ((count + 1) * step,) * 2, fields)
    image = np.full((1050, 1050, 3), (90, 160, 200), np.uint8)
    for line in range(1, count + 1):
        cv2.line(image, (50 * line, 50), (50 * line, 1000), (20, 30, 40), 3)
        cv2.line(image, (50, 50 * line), (1000, 50 * line), (20, 30, 40), 3)
    empty = image.copy()
    rng = np.random.default_rng(2)
    for index in rng.permutation(count**2)[:150]:
        middle = (int(50 * (index % count + 1)), int(50 * (index // count + 1)))
        cv2.circle(image, middle, 20, (235, 235, 235) if index % 2 else (25, 25, 25), -1)
    corners_px = np.array([[0, 0], [1050, 0], [1050, 1050], [0, 1050]]) - 0.5
    view, _ = fit_view(np.array(board.corners_mm), corners_px, (1050, 1050))
    tracemalloc.start()
    surface = bare_surface(image, view, board)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 60e6
    as_it_is = Surface.of_photo(empty, view, board.size_mm)
    told, known = (
        cv2.resize(each.levels[0], (1050, 1050), interpolation=cv2.INTER_AREA)[60:990, 60:990] / 65535
        for each in (surface, as_it_is)
    )
    with_pieces = cv2.resize(
        Surface.of_photo(image, view, board.size_mm).levels[0], (1050, 1050), interpolation=cv2.INTER_AREA
    )
    assert np.abs(told - known).mean() < 0.1 * np.abs(with_pieces[60:990, 60:990] / 65535 - known).mean()
