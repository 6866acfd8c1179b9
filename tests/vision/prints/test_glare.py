"""The board mirrors a lamp: a white spot with a soft seam, in which nothing is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.fields.covered import BEHIND
from vision.pictures.halves import Halves
from vision.prints.glare import find_glare

BOARD = load_board("anthology")
DISCS = [("disc", f"pit-{number}-day", "white") for number in (1, 2, 3, 18, 19)]


@pytest.fixture(scope="module")
def mirrored(picture_of):
    """Pits with and without white discs, and a reader that has read them; the lamp shines on empty pits."""
    picture = picture_of("anthology", DISCS)
    x, y = BOARD.fields["pit-10-night"].centre_mm
    at, beside = picture.view.project(np.array([(x, y), (x + 28.0, y)]))
    spot = np.zeros(picture.image.shape[:2], np.float32)
    cv2.circle(spot, tuple(int(each) for each in at), int(np.hypot(*(beside - at))), 400.0, -1)
    spot = cv2.GaussianBlur(spot, (0, 0), 4)
    image = np.clip(picture.image + spot[..., None], 0, 255).astype(np.uint8)
    reader = Reader("anthology", game="roulette")
    reader.read(picture.image)
    without = reader.sight
    seen = reader.read(image)
    return without, reader.sight, seen.position


def test_no_white_disc_is_seen_in_the_mirrored_lamp(mirrored):
    *_, position = mirrored
    assert {(piece.kind, piece.field) for piece in position} == {(kind, field) for kind, field, _ in DISCS}


def test_what_it_hides_is_not_called_empty(mirrored):
    _, sight, position = mirrored
    assert "pit-10-night" in position.occluded
    assert BEHIND not in sight.unseen.values()


def test_its_place_is_known(mirrored):
    without, sight, _ = mirrored
    there, elsewhere = (
        np.round(sight.view.project(np.array([BOARD.fields[field].centre_mm]))).astype(int)
        for field in ("pit-10-night", "pit-25-day")
    )
    assert sight.dazzles(there).all() and not sight.dazzles(elsewhere).any()
    assert not without.dazzles(there).any()


def test_a_board_that_is_white_all_over_mirrors_everywhere(mirrored):
    without, *_ = mirrored
    white = np.full((*without.view.size_px[::-1], 3), 255, np.uint8)
    glare = find_glare(Halves(white), without.view, without.surface, without.light)
    assert glare is not None
    assert glare.size > 2 * 2**15
    spread = np.array([field.centre_mm for field in BOARD.fields.values()])
    shrink = np.array(without.view.size_px) / glare.shape[::-1]
    column, row = (without.view.project(spread) / shrink).astype(int).T
    assert glare[row, column].mean() > 0.9
