"""The wheel that is set up to be rolled stands on its rim, and is no bank."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from tests.vision.conftest import over
from vision import Reader
from vision.anywhere.wheels import on_its_rim
from vision.geometry.bodies import body_of
from vision.training.compose import Lying

BOARD = load_board("anthology")
WHEEL, BANK = on_its_rim(BOARD.pieces["disc"]), body_of(BOARD.pieces["block"])
SET_UP = (330.0, 480.0)


def test_a_disc_on_its_rim_is_as_high_as_it_is_wide_and_as_thick_as_it_is_high():
    disc = BOARD.pieces["disc"]
    points = np.concatenate([prism.footprint_mm for prism in WHEEL.prisms])
    assert np.ptp(points[:, 1]) == disc.height_mm
    assert 0.9 * disc.diameter_mm < np.ptp(points[:, 0]) <= disc.diameter_mm == WHEEL.top_mm


@pytest.mark.parametrize("turn_deg", [0.0, 40.0, 100.0])
@pytest.mark.parametrize("elevation_deg", [40.0, 60.0])
def test_a_wheel_that_is_set_up_is_told_from_a_bank(picture_of, turn_deg, elevation_deg):
    colour = np.array(BOARD.colour_rgb("red"))[::-1] / 255
    view = over(BOARD, (1280, 960), elevation_deg)
    read = {}
    for name, body in (("wheel", WHEEL), ("bank", BANK)):
        lying = [Lying(body, SET_UP, turn_deg, colour, 1, gloss=0.1)]
        image = picture_of("anthology", view=view, more=lying).image
        read[name] = [each for each in Reader("anthology", game="rolling").read(image).loose if not each.on]
    assert [(each.kind, each.colour) for each in read["bank"]] == [("block", "red")]
    assert [(each.kind, each.colour) for each in read["wheel"]] == [("disc", "red")]
    (wheel,) = read["wheel"]
    assert np.hypot(wheel.x_mm - SET_UP[0], wheel.y_mm - SET_UP[1]) < 6.0


def test_a_wheel_whose_colour_is_hardly_seen_has_to_be_plainly_better_than_a_bank(picture_of, monkeypatch):
    colour = np.array(BOARD.colour_rgb("red"))[::-1] / 255
    view = over(BOARD, (1280, 960), 40.0)
    image = picture_of("anthology", view=view, more=[Lying(WHEEL, SET_UP, 100.0, colour, 1, gloss=0.1)]).image

    def told() -> list[str]:
        return [each.kind for each in Reader("anthology", game="rolling").read(image).loose]

    monkeypatch.setattr("vision.anywhere.wheels.GOOD_COVER", 2.0)
    assert told() == ["disc"]
    monkeypatch.setattr("vision.anywhere.wheels.PLAINLY_BETTER", 1.0)
    assert told() == ["block"]


def test_nobody_sets_up_a_wheel_outside_the_kick_off_zone(picture_of):
    colour = np.array(BOARD.colour_rgb("red"))[::-1] / 255
    image = picture_of("anthology", more=[Lying(WHEEL, (330.0, 400.0), 100.0, colour, 1, gloss=0.1)]).image
    read = Reader("anthology", game="rolling").read(image).loose
    assert [each.kind for each in read] == ["block"]
