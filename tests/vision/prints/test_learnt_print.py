"""The print of a table, learnt from a picture in which pieces lie on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.board import Board, board_from_json
from engine.position import Thing
from vision.fields.places import places_of
from vision.finding.locate import Located
from vision.geometry.view import View, fit_view
from vision.pictures.halves import Halves
from vision.prints.learnt_print import learn_print
from vision.prints.light import fit_light
from vision.prints.surface import Surface
from vision.sight import Sight

SIZE_MM, PX_PER_MM = 200, 5
BLOCK = {
    "shape": "box", "length_mm": 25, "width_mm": 6, "height_mm": 6, "colours": ["white"], "on": ["ring"]
}  # fmt: skip
MIDDLES = ((60, 60), (140, 60), (60, 140), (140, 140))
# The block on the first field lies beyond where anybody expects it (mm: left, right, top, bottom); its shadow
# falls on the field below it.
RIM, SHADOW = (46, 74, 40, 47), (50, 85, 75, 105)


@pytest.fixture
def board() -> Board:
    fields = [
        {"id": f"ring-{n}", "kind": "ring", "x": x, "y": y, "radius_mm": 14}
        for n, (x, y) in enumerate(MIDDLES)
    ]
    palette = {"white": [240, 240, 235]}
    data = {"id": "four", "size_mm": [SIZE_MM, SIZE_MM], "fields": fields, "pieces": {"block": BLOCK}}
    return board_from_json({**data, "palette": palette})


@pytest.fixture
def empty() -> np.ndarray:
    """The board seen from straight above: grained, with a grey spot at each field."""
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 60, (1000, 1000)), (0, 0), 6)
    picture = np.full((1000, 1000, 3), (90, 130, 110), np.float32) + grain[..., None]
    for x, y in MIDDLES:
        cv2.circle(picture, (x * PX_PER_MM, y * PX_PER_MM), 70, (150, 160, 165), -1)
        cv2.circle(picture, (x * PX_PER_MM, y * PX_PER_MM), 70, (40, 50, 60), 5)
    return np.clip(picture, 0, 255).astype(np.uint8)


def part(mm):
    left, right, top, bottom = (each * PX_PER_MM for each in mm)
    return np.s_[top:bottom, left:right]


def learnt_from(picture, empty, board):
    """What is learnt from a picture in which a block is known to lie on ring-0, beside the empty board."""
    corners = np.array(board.corners_mm)
    view: View = fit_view(corners, corners * PX_PER_MM - 0.5, (1000, 1000))[0]
    known = Surface.of_photo(empty, view, board.size_mm)
    places = places_of(board, None)
    sight = Sight(Halves.of(picture), Located(view, "corners", 0.0), fit_light(picture, view, known), known)
    sight.beliefs = {place.id: {None: 1.0} for place in places} | {"ring-0": {Thing("block", "white"): 1.0}}
    found = learn_print(board, sight, places, ())
    return cv2.resize(found.top_view().astype(np.float32), (1000, 1000))


def test_no_rim_and_no_shadow_of_a_piece_is_learnt_as_print(board, empty):
    """When the piece goes, they go."""
    picture = empty.copy()
    picture[part(SHADOW)] = (0.6 * picture[part(SHADOW)]).astype(np.uint8)
    picture[part(RIM)] = (235, 240, 240)
    found = learnt_from(picture, empty, board)
    for where in map(part, (RIM, SHADOW)):
        left, before = (np.abs(each[where] - empty[where]).mean() for each in (found, picture * 1.0))
        assert left < 12 and before > 35


def test_between_the_pieces_the_picture_is_the_print(board, empty):
    """Also where the board has since been stained: it is learnt as it is now."""
    picture = empty.copy()
    stain = part((120, 135, 120, 135))
    picture[stain] = (60, 90, 200)
    assert np.abs(learnt_from(picture, empty, board)[stain] - picture[stain])[8:-8, 8:-8].mean() < 8
