"""A board whose tags are hidden, cut off or small is found by its print, and nothing else is taken for it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import own_boards
from engine.board import load_board
from vision import Reader
from vision.errors import NoBoard
from vision.finding.by_print import by_print
from vision.finding.finder import Finder
from vision.finding.locate import by_reference
from vision.geometry.view import View
from vision.training.compose import compose, random_lighting, through_camera

PHOTOS = Path(__file__).resolve().parents[3] / "sample_images" / "photos"


def without_tags(name: str, hidden: int) -> tuple[np.ndarray, dict]:
    """A shipped photograph, so many of whose tags lie under something grey."""
    label = json.loads((PHOTOS / f"{name}.json").read_text())
    photo = cv2.imread(str(PHOTOS / f"{name}.jpg"))
    corners = np.array(label["corners_px"])
    for corner, opposite in list(zip(corners, np.roll(corners, 2, axis=0), strict=True))[:hidden]:
        middle = corner + 0.06 * (opposite - corner)
        radius = round(0.09 * photo.shape[1])
        cv2.circle(photo, np.round(middle).astype(int).tolist(), radius, (96, 104, 110), -1)
    return photo, label


@pytest.mark.parametrize("name", ["build-middle-2", "stonehenge-middle-1", "build-hard-low", "build-full-3"])
@pytest.mark.parametrize("hidden", [2, 4])
def test_a_board_without_tags_is_found_by_its_print(name, hidden):
    photo, label = without_tags(name, hidden)
    board = load_board(label["board"])
    found = by_print(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), board)
    width, height = board.size_mm
    corners = found.view.project(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    assert found.how == "print"
    assert np.abs(corners - label["corners_px"]).max() < 3


def test_what_lies_on_it_is_read_and_what_is_covered_is_not_called_empty():
    photo, label = without_tags("stonehenge-middle-1", 4)
    seen = Reader("knizia", game="stonehenge").read(photo)
    lying = {(p["field"], p["kind"], p["colour"]) for p in label["pieces"]}
    covered = {piece for piece in lying if piece[0] in seen.unseen}
    assert seen.quality["found_by"] == "print"
    # Of what stands on line-7 no more than the foot shows beside what covers the tag.
    assert set(seen.unseen) == {"space-R", "line-7", "line-11", "line-12", "line-13"}
    assert {(p.field, p.kind, p.colour) for p in seen.position.pieces} == lying - covered
    assert covered == {("space-R", "druid", "brown"), ("line-7", "megalith", "brown")}


@pytest.mark.parametrize(
    ("name", "other"), [("stonehenge-middle-1", "anthology"), ("build-middle-2", "knizia")]
)
def test_another_board_is_not_taken_for_it(name, other):
    photo, _ = without_tags(name, 4)
    with pytest.raises(NoBoard, match=f"print of the {other} board"):
        by_print(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), load_board(other))


def from_the_side(board, azimuth_deg):
    """A camera 30 degrees above the table."""
    up, turn = np.radians(30), np.radians(azimuth_deg)
    middle = np.array([*np.array(board.size_mm) / 2, 0.0])
    back = np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), -np.sin(up)])
    right = np.cross(-back, [0.0, 0.0, -1.0])
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(-back, right), -back])
    eye = middle + 1.7 * max(board.size_mm) * back
    return View((1280, 720), 1000.0, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ eye, (0.0, 0.0))


@pytest.mark.parametrize("seed", [1, 8])
def test_a_board_photographed_empty_is_known_again_from_quite_another_side(seed):
    """Low cameras on two sides of the table show the print foreshortened in two ways: nothing of one picture
    looks as in the other."""
    rng = np.random.default_rng(seed)
    board, print_ = own_boards.random_field_board(rng)
    light, views = random_lighting(rng), [from_the_side(board, azimuth) for azimuth in (90, 190)]
    photos = [
        through_camera(rng, compose(rng, print_, board.size_mm, view, [], light, np.full(3, 0.3))[0])
        for view in views
    ]
    corners_px = [view.project(np.array(board.corners_mm)) for view in views]
    finder = Finder(board, None, (photos[0], corners_px[0]))
    with pytest.raises(NoBoard):
        by_reference(cv2.cvtColor(photos[1], cv2.COLOR_BGR2GRAY), *finder.reference)
    found = finder.first_look(photos[1]).located
    assert found.how == "reference"
    assert np.abs(found.view.project(np.array(board.corners_mm)) - corners_px[1]).max() < 3
