"""Pieces that lie anywhere along a capstone, in composed pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from engine.position import TOP, Thing
from tests.vision.conftest import over
from vision import Reader
from vision.bodies import Body, Prism, body_of
from vision.images import load_image
from vision.training.compose import Lying

IMAGES = Path(__file__).resolve().parents[2] / "sample_images"
BOARD = load_board("anthology")
TRILITH, STONE = body_of(BOARD.pieces["trilith"]), np.full(3, 0.5)
COLOURS = ("red", "green", "white", "blue", "yellow")


def along(body: Body, mm: float) -> Body:
    """The body so far along the capstone, in whose middle it is drawn: after all of that."""
    prisms = (
        Prism(tuple((x + mm, y) for x, y in each.footprint_mm), each.low_mm, each.high_mm)
        for each in body.prisms
    )
    return Body(body.kind, tuple(prisms), body.top_mm, body.shape)


@pytest.mark.parametrize(("game", "kind"), [("rolling", "disc"), ("build", "disc")])
@pytest.mark.parametrize("aside_mm", [-11.0, -8.0, 0.0, 8.0, 11.0])
@pytest.mark.parametrize("elevation_deg", [38, 58])
def test_what_lies_aside_on_a_capstone_is_seen(picture_of, game, kind, aside_mm, elevation_deg):
    fields = BOARD.fields_of_kind("trilith")
    lying, marked = [], fields[:4]
    for number, (field, colour) in enumerate(zip(fields, COLOURS, strict=True), 50):
        lying.append(Lying(TRILITH, field.centre_mm, field.angle_deg, STONE, number, gloss=0.1))
        if field in marked:
            body, bgr = along(body_of(BOARD.pieces[kind]), aside_mm), np.array(BOARD.colour_rgb(colour))[::-1]
            at = field.centre_mm, field.angle_deg, bgr / 255, number + 10
            lying.append(Lying(body, *at, ground_mm=TRILITH.top_mm, gloss=0.1))
    reader = Reader("anthology", game=game)
    view = over(BOARD, (1280, 960), elevation_deg)
    things = reader.read(picture_of("anthology", view=view, more=lying).image).position.things()
    for field, colour in zip(marked, COLOURS, strict=False):
        assert list(things[field.id + TOP]) == [Thing(kind, colour)]
    assert fields[4].id + TOP not in things


def test_on_the_councils_altar_nothing_lies_on_the_trilith(picture_of):
    """By the rules; a lamp that its capstone mirrors was taken for a white disc."""
    altar = BOARD.fields["altar"]
    lying = [
        Lying(TRILITH, altar.centre_mm, altar.angle_deg, STONE, 50, gloss=0.1),
        Lying(body_of(BOARD.pieces["disc"]), altar.centre_mm, 0.0, np.full(3, 0.95), 51, TRILITH.top_mm),
    ]
    image = picture_of("anthology", view=over(BOARD, (1280, 960), 50), more=lying).image
    things = Reader("anthology", game="council").read(image).position.things()
    assert list(things[altar.id]) == [Thing("trilith", "grey")]
    assert altar.id + TOP not in things


def test_a_block_that_is_seen_behind_the_end_of_a_capstone_lies_on_none():
    reader = Reader("anthology", game="build")
    things = reader.read(load_image(IMAGES / "photos" / "build-hard-low.jpg")).position.things()
    assert list(things["trilith-4"]) == [Thing("trilith", "grey")]
    assert "trilith-4" + TOP not in things
