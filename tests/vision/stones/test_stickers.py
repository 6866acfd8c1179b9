"""Stones with white stickers on their faces: only their sides tell of which colour they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.board import load_board
from engine.position import Thing
from tests.vision.conftest import over
from vision import Reader
from vision.geometry.bodies import body_of
from vision.stones.digits import find_faces
from vision.stones.stickers import likelihoods, weigh_sides
from vision.training.compose import Lying

BOARD = load_board("knizia")
STONE = BOARD.pieces["druid"]
LIE = {"space-D": "brown", "space-G": "black", "space-L": "brown", "space-M": "black"}
BLACK, BROWN = Thing("druid", "black"), Thing("druid", "brown")


# What the network sees of a stone beside its sticker: darker, and paler in tint, than the stone is.
BESIDE = {"brown": np.array([0.15, 0.2, 0.28], np.float32), "black": np.full(3, 0.15, np.float32)}


def seen_from(picture_of, elevation_deg):
    stones = [
        Lying(
            body_of(STONE),
            BOARD.fields[field].centre_mm,
            0.0,
            np.array(BOARD.colour_rgb(colour))[::-1] / 255,
            number,
        )
        for number, (field, colour) in enumerate(LIE.items(), 1)
    ]
    picture = picture_of("knizia", more=stones, view=over(BOARD, (1280, 960), elevation_deg))
    for stone in stones:
        turns = np.arange(24) * np.pi / 12
        round_mm = np.array(stone.at_mm) + 0.46 * STONE.diameter_mm * np.column_stack(
            [np.cos(turns), np.sin(turns)]
        )
        face = picture.view.project(round_mm, STONE.height_mm)
        cv2.fillConvexPoly(picture.image, np.round(face * 16).astype(np.int32), (235, 240, 238), shift=4)
    reader = Reader("knizia", game="stonehenge")
    reader.read(picture.image)
    return reader.sight


@pytest.fixture(scope="module")
def sight(picture_of):
    return seen_from(picture_of, 40.0)


@pytest.fixture(scope="module")
def from_above(picture_of):
    return seen_from(picture_of, 89.0)


def doubt_all(sight, doubted):
    for field, colour in LIE.items():
        own, other = (BLACK, BROWN) if colour == "black" else (BROWN, BLACK)
        sight.beliefs[field] = {own: 0.99 * doubted, other: 0.99 * (1 - doubted), None: 0.01}


@pytest.mark.parametrize(("doubted", "at_least"), [(0.5, 0.8), (0.02, 0.2)])
def test_the_side_tells_the_colour_whatever_the_face_looks_like(sight, doubted, at_least):
    """Where what is seen of the whole stone speaks against it, it is at least doubted ten times less."""
    stones = find_faces(BOARD, sight, list(LIE))
    doubt_all(sight, doubted)
    beside = dict.fromkeys(LIE, BESIDE["black"])
    weigh_sides(sight, stones, STONE, Reader("knizia").palette, beside)
    for field, colour in LIE.items():
        belief = sight.beliefs[field]
        assert belief[Thing("druid", colour)] > at_least, field
        assert belief[None] == 0.01 and sum(belief.values()) == pytest.approx(1)


def test_where_no_side_is_seen_what_is_seen_beside_the_sticker_tells(from_above):
    stones = find_faces(BOARD, from_above, list(LIE))
    doubt_all(from_above, 0.3)
    beside = {field: BESIDE[colour] for field, colour in LIE.items()}
    weigh_sides(from_above, stones, STONE, Reader("knizia").palette, beside)
    for field, colour in LIE.items():
        assert from_above.beliefs[field][Thing("druid", colour)] > 0.6, field


def test_what_is_no_darker_than_its_face_has_no_sticker(from_above):
    stones = find_faces(BOARD, from_above, list(LIE))
    doubt_all(from_above, 0.3)
    before = dict(from_above.beliefs)
    bright = {field: np.array([0.6, 0.7, 0.8], np.float32) for field in LIE}
    weigh_sides(from_above, stones, STONE, Reader("knizia").palette, bright)
    assert from_above.beliefs == before


def test_a_light_that_tints_all_sides_alike_is_allowed_for():
    """Between both usual tints, but the others say how far all are off."""
    usual = np.array([0.1, 0.6])
    black, *_, doubtful = likelihoods([-0.2, -0.2, -0.2, 0.3, 0.3, 0.3], usual)
    assert black[0] > 10 * black[1]
    assert doubtful[1] > 10 * doubtful[0]
    alone = likelihoods([0.35], usual)[0]
    assert 0.5 < alone[0] / alone[1] < 2
