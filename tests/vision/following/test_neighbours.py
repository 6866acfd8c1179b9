"""What came or went on other places says nothing of a place that is looked at."""

from __future__ import annotations

import numpy as np
import pytest

from vision.fields.places import places_of
from vision.finding.locate import Located
from vision.following.changes import Evidence, apart_of
from vision.following.neighbours import Compared, without_others
from vision.geometry.bodies import body_of
from vision.prints.light import fit_light
from vision.prints.printed import printed_surface
from vision.sight import Sight

# Neighbouring fields; the second is farther from the camera.
NEAR, FAR = "bluestone-3", "bluestone-2"


@pytest.fixture(scope="module")
def tables(picture_of):
    """Sights of three pictures of one camera: a disc lies on one field, then another beside it, then only
    that."""

    def sight(*lying):
        picture = picture_of("anthology", [("disc", name, "white") for name in lying], style="chalk")
        surface = printed_surface(picture.board, "chalk")
        light = fit_light(picture.image, picture.view, surface)
        return Sight(picture.image, Located(picture.view, "corners", 0.0), light, surface)

    return [sight(NEAR), sight(NEAR, FAR), sight(FAR)]


@pytest.fixture
def fields(picture_of):
    board = picture_of("anthology").board
    return board, {place.id: place for place in places_of(board, "build") if place.id in (NEAR, FAR)}


def compared(fields, now, before, stays):
    """How both fields look beside how they did, and what is read there: `stays` of what lay."""
    board, places = fields
    found = {}
    for name, place in places.items():
        looked = before.crops((place,))[0, :3]
        apart = apart_of({name: (now.crops((place,))[0], looked)})[name]
        disc = body_of(board.pieces["disc"]), place.at_mm, place.angle_deg, 0.0
        evidence = Evidence(stays[name], apart, arm=False, relit=False)
        found[name] = Compared(place, looked, evidence, disc, disc)
    return found


def test_a_disc_that_is_laid_beside_another_does_not_change_that(tables, fields):
    now = compared(fields, tables[1], tables[0], {NEAR: 0.5, FAR: 0.001})
    again = without_others(tables[1], now)
    assert now[FAR].evidence.odds() > now[NEAR].evidence.odds()
    assert again.keys() == {NEAR}
    assert again[NEAR].odds() < now[NEAR].evidence.odds() - 1 and again[NEAR].odds() < -3
    assert again[NEAR].apart.redrawn < now[NEAR].evidence.apart.redrawn


def test_and_neither_does_one_that_goes(tables, fields):
    now = compared(fields, tables[0], tables[1], {NEAR: 0.5, FAR: 0.001})
    assert without_others(tables[0], now)[NEAR].odds() < -3


def test_what_changes_itself_is_seen_to_though_its_neighbour_does(tables, fields):
    """One disc moves from a field to the next."""
    now = compared(fields, tables[2], tables[0], {NEAR: 0.001, FAR: 0.001})
    again = without_others(tables[2], now)
    assert len(again) == 1 and all(each.odds() > 2 for each in again.values())


def test_what_lies_far_off_is_not_compared_again(tables, fields):
    now = compared(fields, tables[1], tables[0], {NEAR: 0.5, FAR: 0.001})
    board, _ = fields
    (other,) = (place for place in places_of(board, "build") if place.id == "bluestone-17")
    now[NEAR] = Compared(other, np.zeros((3, 48, 48), np.float32), now[NEAR].evidence, None, None)
    assert not without_others(tables[1], now)
