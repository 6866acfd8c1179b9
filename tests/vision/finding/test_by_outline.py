"""A plain board is found by its outline and its colours, whichever way round, and no other one."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import load_board
from tests.vision.conftest import over
from vision.errors import NoBoard
from vision.finding.by_outline import by_outline, four_sided
from vision.finding.by_print import by_print
from vision.finding.finder import Finder
from vision.finding.locate import by_corners, by_tags, lines_like, refine
from vision.pictures.images import load_image

TABLES = Path(__file__).resolve().parents[3] / "sample_images" / "tables"


def known(table):
    """The board and what a photograph of it empty shows."""
    labels = json.loads((TABLES / table / "labels.json").read_text())
    board = load_board(str(TABLES / table / "board.json"))
    corners = np.array(labels["empty.jpg"]["corners_px"])
    finder = Finder(board, None, (load_image(TABLES / table / "empty.jpg"), corners))
    return board, finder.surface


def photo_of(table, name="01.jpg"):
    labels = json.loads((TABLES / table / "labels.json").read_text())
    return load_image(TABLES / table / name), np.array(labels[name]["corners_px"])


def turned(photo, corners, quarters):
    """Photograph and corners turned by so many quarters against the clock."""
    for _ in range(quarters):
        width = photo.shape[1]
        photo = np.rot90(photo)
        corners = np.column_stack([corners[:, 1], width - 1 - corners[:, 0]])
    return np.ascontiguousarray(photo), corners


@pytest.mark.parametrize(("table", "quarters"), [("frost", 0), ("weave", 1), ("quarry", 2), ("fjord", 3)])
def test_a_board_lies_where_its_outline_is(table, quarters):
    photo, corners = turned(*photo_of(table), quarters)
    found = by_outline(photo, *known(table))
    board = load_board(str(TABLES / table / "board.json"))
    assert np.abs(found.view.project(np.array(board.corners_mm)) - corners).max() < 3
    assert found.how == "reference"


def test_a_board_full_of_pieces_is_found_by_its_lines():
    """Of its colours too little is seen: more than a third of it looks otherwise than the print."""
    photo, corners = photo_of("meadow")
    board, surface = known("meadow")
    found = by_outline(photo, board, surface)
    assert np.abs(found.view.project(np.array(board.corners_mm)) - corners).max() < 2


@pytest.mark.parametrize("table", ["weave", "fjord"])
def test_a_board_of_which_hardly_anything_is_seen_but_lines_is_found(table):
    """Something of any colour lies on every field, so that four fifths of the board look otherwise."""
    photo, corners = photo_of(table)
    board, surface = known(table)
    view = by_corners(corners, board, (photo.shape[1], photo.shape[0])).view
    around = np.linspace(0, 2 * np.pi, 24)
    rim = np.column_stack([np.cos(around), np.sin(around)])
    rng = np.random.default_rng(1)
    for field in board.fields.values():
        disc = np.round(view.project(np.array(field.centre_mm) + field.radius_mm * rim)).astype(np.int32)
        cv2.fillConvexPoly(photo, disc, rng.integers(0, 256, 3).tolist(), cv2.LINE_AA)
    found = by_outline(photo, board, surface)
    assert np.abs(found.view.project(np.array(board.corners_mm)) - corners).max() < 3


def test_a_board_is_found_where_it_lay_though_its_outline_is_not_seen():
    photo, corners = photo_of("weave")
    board, surface = known("weave")
    inside = np.zeros(photo.shape[:2], np.uint8)
    middle, half = corners.mean(axis=0), 0.42 * np.ptp(corners, axis=0)
    cv2.ellipse(inside, middle.astype(int).tolist(), half.astype(int).tolist(), 0, 0, 360, 1, -1)
    clear = cv2.GaussianBlur(inside.astype(float), (0, 0), 12)[..., None]
    photo = np.round(clear * photo + (1 - clear) * cv2.GaussianBlur(photo, (0, 0), 60)).astype(np.uint8)
    with pytest.raises(NoBoard):
        by_outline(photo, board, surface)
    found = by_outline(photo, board, surface, perhaps=[corners + 3.0])
    assert np.abs(found.view.project(np.array(board.corners_mm)) - corners).max() < 3


@pytest.mark.parametrize("style", ["chalk", "parchment"])
def test_one_of_ours_is_found_so_far_out_of_focus_that_no_tag_shows(picture_of, style):
    picture = picture_of("anthology", style=style)
    noise = np.random.default_rng(2).normal(0, 6, picture.image.shape)
    seen = np.clip(cv2.GaussianBlur(picture.image, (0, 0), 4.5) + noise, 0, 255).astype(np.uint8)
    corners = np.array(picture.board.corners_mm)
    with pytest.raises(NoBoard):
        by_tags(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), picture.board)
    with pytest.raises(NoBoard):
        by_print(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), picture.board)
    found = Finder(picture.board).first_look(seen)
    assert np.abs(found.view.project(corners) - picture.view.project(corners)).max() < 5


@pytest.mark.parametrize("style", ["ink-saving", "parchment"])
def test_one_of_ours_full_of_pieces_and_out_of_focus_is_found_from_low(picture_of, style):
    """Its colours are those of the pieces rather than of its print: its lines tell."""
    board, colours = load_board("anthology"), ("white", "blue", "green", "yellow", "red")
    pieces = [("disc", f"ring-{n}", colours[n % 5]) for n in range(1, 31, 2)]
    pieces += [("figure", f"ring-{n}", colours[n % 5]) for n in range(2, 31, 4)]
    pieces += [("block", f"slot-{n}", colours[(n + 2) % 5]) for n in range(1, 31)]
    pieces += [("trilith", f"trilith-{n}", "grey") for n in (1, 3, 5)]
    picture = picture_of("anthology", pieces, view=over(board, (1440, 900), 27.0, (-0.1, 0.0)), style=style)
    noise = np.random.default_rng(2).normal(0, 4, picture.image.shape)
    seen = np.clip(cv2.GaussianBlur(picture.image, (0, 0), 3.0) + noise, 0, 255).astype(np.uint8)
    corners = np.array(board.corners_mm)
    with pytest.raises(NoBoard):
        by_tags(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), board)
    found = Finder(board).first_look(seen)
    assert np.abs(found.view.project(corners) - picture.view.project(corners)).max() < 3


def test_lines_tell_which_way_round_a_board_lies():
    photo, corners = photo_of("frost")
    board, surface = known("frost")
    size_px, grey = (photo.shape[1], photo.shape[0]), cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    right, *turned = (
        refine(grey, by_corners(np.roll(corners, turn, axis=0), board, size_px), surface).view
        for turn in range(4)
    )
    for other in turned:
        assert lines_like(grey, right, surface, but_not=other) > 0.05
        assert lines_like(grey, other, surface, but_not=right) < 0


@pytest.mark.parametrize(
    ("table", "other"), [("basalt", "flint"), ("frost", "quarry"), ("ochre", "sorrel"), ("fjord", "tern")]
)
def test_the_same_board_in_another_print_is_another_board(table, other):
    photo, _ = photo_of(other)
    with pytest.raises(NoBoard, match="reference picture"):
        by_outline(photo, *known(table))


def test_the_boards_outline_is_among_what_has_four_sides():
    photo, corners = photo_of("basalt")
    away = [
        np.abs(np.roll(each, turn, axis=0) - corners).max() for each in four_sided(photo) for turn in range(4)
    ]
    assert min(away) < 0.01 * max(photo.shape)


def test_where_nothing_has_four_sides_there_is_no_board():
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    with pytest.raises(NoBoard):
        by_outline(noise, *known("frost"))
