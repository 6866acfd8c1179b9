"""What lies on one another on a board of one's own hides more than one piece does."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.position import Thing
from tests.vision.fields.test_covered import BOARD, PLACES, low_view, sight_of
from vision.fields.covered import BEHIND, find_covered
from vision.fields.towers import towers_on
from vision.geometry.bodies import Stood, body_of, outlines_of_all
from vision.geometry.view import View

DISC = body_of(BOARD.pieces["disc"])
RED = (40.0, 50.0, 180.0)
AT = {place.id: place.at_mm for place in PLACES}


def piled(
    image: NDArray[np.uint8], view: View, number: int, colour: Sequence[float] = RED
) -> NDArray[np.uint8]:
    """So many discs on one another on bluestone-17, their sides darker than their tops."""
    image = image.copy()
    stood: list[Stood] = [(DISC, AT["bluestone-17"], 0.0, level * DISC.top_mm) for level in range(number)]
    for ((hull, top),) in outlines_of_all(view, stood):
        for points, light in ((hull, 0.8), (top, 1.0)):
            cv2.fillConvexPoly(image, np.round(points).astype(np.int32), [light * c for c in colour])
    return image


def test_as_many_as_lie_there_are_seen(picture_of) -> None:
    view = low_view(25)
    bare = picture_of("anthology", view=view).image
    lower: Stood = (DISC, AT["bluestone-17"], 0.0, 0.0)
    for number in (1, 2, 3):
        sight = sight_of(piled(bare, view, number), view, {"bluestone-17": Thing("disc", "red")})
        above = towers_on(sight, [lower], PLACES)
        assert [each[3] for each in above] == [level * DISC.top_mm for level in range(1, number)]


def test_a_field_behind_a_tower_is_not_called_empty_where_nobody_knows_the_game(picture_of) -> None:
    view = low_view(25)
    bare = picture_of("anthology", view=view).image
    x, y = np.round(view.project(np.array([AT["bluestone-18"]]))[0]).astype(int)
    shadow = 0.6 * bare[y, x].astype(float)
    hidden = {}
    for number in (1, 3):
        for game in (None, "build"):
            image = piled(bare, view, number, shadow)
            sight = sight_of(image, view, {"bluestone-17": Thing("disc", "red")})
            find_covered(BOARD, game, sight, PLACES, PLACES)
            hidden[number, game] = {name for name, why in sight.unseen.items() if why == BEHIND}
    assert hidden[1, None] == hidden[1, "build"]
    # The rules of our games say where discs lie on one another: there nobody looks for towers.
    assert hidden[3, None] - hidden[3, "build"] == {"bluestone-18"}
