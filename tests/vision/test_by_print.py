"""A board whose tags are hidden, cut off or small is found by its print, and nothing else is taken for it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.by_print import by_print
from vision.errors import NoBoard

PHOTOS = Path(__file__).resolve().parents[2] / "sample_images" / "photos"


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
