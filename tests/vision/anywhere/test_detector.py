"""What the detector is taught, and what is made of its answer."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.anywhere.detector import (
    CELL_MM,
    KINDS,
    LEAN,
    MARGIN_MM,
    MM_PER_PX,
    OFFSETS,
    _turned,
    detect,
    detections,
    whole_board,
)
from vision.pictures.images import load_image
from vision.training.strewn import _labelled, turned_about, wanted

EVENING = Path(__file__).resolve().parents[3] / "sample_images" / "demo" / "rolling"
CELLS = (60, 80)
SIDE_MM = 240.0
# Kind, middle (mm), direction (degrees), whether it is seen.
PIECES = np.array(
    [
        (KINDS.index("block"), 40.7, 52.1, 25.0, 1),
        (KINDS.index("block"), 62.0, 60.0, 155.0, 1),
        (KINDS.index("disc"), 121.3, 199.0, 0.0, 1),
        (KINDS.index("trilith"), 201.9, 100.4, 90.0, 1),
        (KINDS.index("mark"), 201.9, 100.4, 0.0, 1),
        (KINDS.index("block"), 250.0, 180.0, 70.0, 0),
    ],
    np.float32,
)


def taught(rows: np.ndarray, origin_mm: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """What the network should answer, with peaks as logits."""
    answer, _ = wanted(rows, origin_mm, CELLS)
    chances = np.clip(answer[:OFFSETS], 1e-6, 1 - 1e-6)
    return np.concatenate([np.log(chances / (1 - chances)), answer[OFFSETS:]])


def test_an_answer_as_it_is_taught_tells_every_piece_with_its_pose() -> None:
    shift = np.array([0, 16, 16, 0, 0], np.float32)
    found = detections(taught(PIECES - shift, (-16.0, -16.0)), (0.0, 0.0), 0.5)
    seen = PIECES[PIECES[:, 4] == 1]
    assert len(found) == len(seen)
    for kind, x, y, angle, _ in seen.tolist():
        name = KINDS[int(kind)]
        (same,) = [
            each for each in found if each.kind == name and np.hypot(each.at_mm[0] - x, each.at_mm[1] - y) < 3
        ]
        if name != "mark":
            assert same.at_mm == pytest.approx((x, y), abs=0.01)
        if name in ("block", "trilith"):
            assert same.angle_deg == pytest.approx(angle, abs=0.1)


def test_what_is_not_seen_is_neither_there_nor_not_there() -> None:
    answer, counts = wanted(PIECES, (0.0, 0.0), CELLS)
    row, column = round(180.0 / CELL_MM - 0.5), round(250.0 / CELL_MM - 0.5)
    assert counts[0, row, column] == 0 and answer[:OFFSETS, row, column].max() == 0
    assert counts[0].sum() > 0.98 * counts[0].size


def test_the_same_pieces_are_found_on_whichever_side_one_sits() -> None:
    """A photograph of an evening, seen as its players on the next side of the table would."""
    reader = Reader("anthology", game="rolling", players=("red", "green", "blue"))
    reader.read(load_image(EVENING / "0006.jpg"))
    sight = reader.sight
    board = whole_board(sight.halves, sight.view, sight.surface, sight.light)
    side = board.shape[1] * MM_PER_PX
    found, turned = detect(board, 0.5), detect(_turned(board, 1, LEAN), 0.5)
    assert len(found) == len(turned) > 5
    for each in found:
        x, y = (along + MARGIN_MM for along in each.at_mm)
        at_mm = (y - MARGIN_MM, side - x - MARGIN_MM)
        (same,) = [
            other for other in turned if other.kind == each.kind and math.dist(other.at_mm, at_mm) < 0.1
        ]
        assert same.sure == pytest.approx(each.sure, abs=1e-3)
        if each.kind in ("block", "trilith"):
            assert abs((same.angle_deg - each.angle_deg + 90 + 90) % 180 - 90) < 0.5


@pytest.mark.parametrize("seed", range(8))
def test_a_board_that_is_turned_about_keeps_its_pieces_in_their_places(seed: int) -> None:
    side = int(SIDE_MM / MM_PER_PX)
    board = np.zeros((8, side, side), np.float32)
    x, y, angle = 70.0, 160.0, 30.0
    end = x + 30 * np.cos(np.radians(angle)), y + 30 * np.sin(np.radians(angle))
    for channel, (px, py) in enumerate(((x, y), end)):
        board[channel, int(py / MM_PER_PX), int(px / MM_PER_PX)] = 1
    board[6], board[7] = 3.0, -2.0
    rows = np.array([(0, x, y, angle, 1)], np.float32)
    turned, moved = turned_about(np.random.default_rng(seed), board, rows, SIDE_MM)
    middle, tip = ((np.argwhere(turned[channel] > 0)[0][::-1] + 0.5) * MM_PER_PX for channel in (0, 1))
    assert moved[0, 1:3] == pytest.approx(middle, abs=MM_PER_PX)
    leads = np.degrees(np.arctan2(*(tip - middle)[::-1]))
    assert abs((leads - moved[0, 3] + 90) % 180 - 90) < 6
    # What leans to the right and up goes on leaning as the picture was turned.
    assert sorted(np.abs([turned[6, 0, 0], turned[7, 0, 0]])) == [2.0, 3.0]
    assert rows[0, 1:3].tolist() == [x, y]


def test_a_piece_that_a_gate_hides_is_not_learnt_as_seen() -> None:
    """A block right behind the capstone of a gate, as a camera before it sees them, and one beside it."""
    board, up = load_board("anthology"), math.radians(25)
    position = np.array([250.0, 250 + 700 * math.cos(up), -700 * math.sin(up)])
    ahead = (np.array([250.0, 250.0, 0.0]) - position) / 700
    right = np.array([1.0, 0.0, 0.0])
    camera = {
        "size_px": [1280, 720], "focal_px": 1100.0, "centre_px": [639.5, 359.5], "distortion": [0.0, 0.0],
        "rotation": np.stack([right, np.cross(ahead, right), ahead]).tolist(),
        "position_mm": position.tolist(),
    }  # fmt: skip
    at = {"trilith": (250, 250), "hidden": (250, 177), "beside": (330, 177)}
    pieces = [
        {"kind": name if name == "trilith" else "block", "x_mm": x, "y_mm": y, "angle_deg": 0.0}
        for name, (x, y) in at.items()
    ]
    rows = _labelled({"camera": camera, "pieces": pieces, "seen": {}}, board)
    assert [bool(row[-1]) for row in rows] == [True, False, True]
