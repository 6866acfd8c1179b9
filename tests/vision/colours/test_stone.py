"""Light and dark triliths, bare and with a disc on them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.geometry.bodies import body_of
from vision.training.compose import Lying

BOARD = load_board("anthology")


def trilith(field_id: str, shade: float, number: int) -> Lying:
    field = BOARD.fields[field_id]
    body = body_of(BOARD.pieces["trilith"])
    return Lying(body, field.centre_mm, field.angle_deg, np.full(3, shade), number, gloss=0.1)


def disc_on(field_id: str, colour: str, number: int) -> Lying:
    field = BOARD.fields[field_id]
    bgr = np.array(BOARD.colour_rgb(colour))[::-1] / 255
    height = body_of(BOARD.pieces["trilith"]).top_mm
    disc = body_of(BOARD.pieces["disc"])
    return Lying(disc, field.centre_mm, field.angle_deg, bgr, number, ground_mm=height, gloss=0.1)


@pytest.mark.parametrize("shade", [0.4, 0.55, 0.7])
def test_what_lies_on_a_stone_is_told_from_the_stone(picture_of, shade):
    stones = [trilith(f"trilith-{number}", shade, number) for number in (1, 2, 3, 4, 5)]
    marks = [disc_on("trilith-2", "white", 6), disc_on("trilith-4", "blue", 7)]
    seen = Reader("anthology", game="build").read(picture_of("anthology", more=[*stones, *marks]).image)
    told = {(piece.kind, piece.field, piece.on) for piece in seen.position.pieces if piece.kind != "disc"}
    assert told == {("trilith", f"trilith-{number}", None) for number in (1, 2, 3, 4, 5)}
    discs = {(piece.field, piece.colour, piece.on) for piece in seen.position.pieces if piece.kind == "disc"}
    assert discs == {("trilith-2", "white", "trilith"), ("trilith-4", "blue", "trilith")}


def test_a_capstone_under_a_hand_is_not_called_bare(picture_of):

    picture = picture_of("anthology", [("trilith", f"trilith-{number}", "grey") for number in range(1, 6)])
    field = BOARD.fields["trilith-2"]
    at = picture.view.project(np.array([field.centre_mm]), BOARD.pieces["trilith"].height_mm)[0]
    cv2.circle(picture.image, tuple(int(each) for each in at), 60, (120, 150, 205), -1)
    reader = Reader("anthology", game="rolling")
    position = reader.read(picture.image).position
    assert "trilith-2" in position.occluded
    assert {"trilith-2", "trilith-2^"} <= set(reader.sight.unseen)
    bare = {piece.field for piece in position if piece.kind == "trilith"}
    assert bare == {"trilith-1", "trilith-3", "trilith-4", "trilith-5"}


def test_a_capstone_that_mirrors_the_sky_is_seen(picture_of):
    """The others stand in the light of a warm lamp; grey it is, too."""
    warm, sky = np.array([0.36, 0.52, 0.62]), np.array([0.6, 0.53, 0.51])
    stones = [replace(trilith(f"trilith-{n}", 0.5, n), bgr=sky if n == 2 else warm) for n in (1, 2, 3, 4, 5)]
    reader = Reader("anthology", game="build")
    reader.read(picture_of("anthology", more=stones).image)
    assert not {name for name in reader.sight.unseen if name.startswith("trilith")}
