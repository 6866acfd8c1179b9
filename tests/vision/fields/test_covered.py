"""What stands before a field hides it, and what is burnt out cannot be seen."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.board import load_board
from engine.position import Thing
from vision import Reader
from vision.fields.covered import BEHIND, GROUND, TOO_BRIGHT, find_behind, find_covered
from vision.fields.network import EMPTY, HIDDEN
from vision.fields.places import Place, places_of
from vision.finding.locate import Located
from vision.geometry.bodies import body_of, placed
from vision.geometry.view import View
from vision.prints.light import fit_light
from vision.prints.printed import printed_surface
from vision.sight import Sight

SIZE = (1280, 720)
BOARD = load_board("anthology")
PLACES = places_of(BOARD, "build")
TRILITH = Thing("trilith")


def low_view(elevation_deg: float) -> View:
    """A camera at the lower edge of the board, so high over it."""
    up = math.radians(elevation_deg)
    middle = np.array(BOARD.size_mm) / 2
    camera = np.array([middle[0], middle[1] + 800 * math.cos(up), -800 * math.sin(up)])
    look = np.array([middle[0], middle[1], 0.0]) - camera
    look /= np.linalg.norm(look)
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(look, right), look])
    return View(SIZE, 1100.0, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ camera)


def sight_of(image: NDArray[np.uint8], view: View, lying: dict[str, Thing | None]) -> Sight:
    surface = printed_surface(BOARD, "chalk")
    beliefs = {place.id: {lying.get(place.id): 1.0} for place in PLACES}
    light = fit_light(image, view, surface)
    return Sight(image, Located(view, "tags", 0.1), light, surface, beliefs=beliefs)


def in_the_way(camera: NDArray[np.float64], ground: NDArray[np.float64], stone: Place) -> bool:
    """Whether the line of sight to a point of the ground goes through the trilith: walked in small steps."""
    turn = math.radians(stone.angle_deg)
    x, y, z = (camera + (np.array([*ground, 0.0]) - camera) * np.linspace(0, 1, 4000)[:, None]).T
    dx, dy = x - stone.at_mm[0], y - stone.at_mm[1]
    along, across = dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
    met = np.zeros(len(x), bool)
    for prism in body_of(BOARD.pieces["trilith"]).prisms:
        (left, top), (right, bottom) = np.min(prism.footprint_mm, axis=0), np.max(prism.footprint_mm, axis=0)
        within = (left < along) & (along < right) & (top < across) & (across < bottom)
        met |= within & (prism.low_mm <= -z) & (-z <= prism.high_mm)
    return bool(met.any())


@pytest.mark.parametrize("number", [1, 5])
def test_fields_behind_a_trilith_are_not_called_empty(picture_of, number: int) -> None:
    view = low_view(20)
    stone = next(place for place in PLACES if place.id == f"trilith-{number}")
    bare = picture_of("anthology", view=view).image
    sight = sight_of(bare, view, {stone.id: TRILITH})
    find_covered(BOARD, "build", sight, PLACES, PLACES)
    assert set(sight.unseen.values()) == {BEHIND}
    near = [place for place in PLACES if place is not stone and math.dist(place.at_mm, stone.at_mm) < 120]
    for place in near:
        ground = np.array(place.at_mm) + GROUND * place.radius_mm
        hidden = np.mean([in_the_way(view.camera_mm * [1, 1, -1], point, stone) for point in ground])
        if abs(hidden - 0.7) > 0.2:  # at the limit a point more or less decides
            assert (place.id in sight.unseen) == (hidden > 0.7), (place.id, hidden)


def test_what_most_likely_stands_there_unseen_hides_what_is_behind_it(picture_of) -> None:
    view = low_view(20)
    bare = picture_of("anthology", view=view).image
    hidden = []
    for unseen in ({}, {"trilith-1": BEHIND}):
        sight = sight_of(bare, view, {"trilith-1": TRILITH})
        sight.unseen |= unseen
        find_covered(BOARD, "build", sight, PLACES, PLACES)
        hidden.append({*sight.unseen} - {"trilith-1"})
    assert hidden[0] and hidden[0] == hidden[1]


def test_a_piece_that_would_hardly_be_seen_behind_a_trilith_is_not_told(picture_of) -> None:
    """Whatever the network makes of what it sees there; the other pieces are."""
    view = low_view(15)
    stone = next(place for place in PLACES if place.id == "trilith-1")
    blocks = {place.id: Thing("block", "blue") for place in PLACES if place.id.startswith("ring-")}
    image = picture_of("anthology", view=view).image
    hidden = []
    for standing in ({stone.id: TRILITH}, {}):
        sight = sight_of(image, view, blocks | standing)
        find_covered(BOARD, "build", sight, PLACES, PLACES)
        hidden.append(blocks.keys() & sight.unseen.keys())
    assert hidden == [{"ring-3"}, set()]
    behind = next(place for place in PLACES if place.id == "ring-3")
    feet = placed(body_of(BOARD.pieces["block"]).corners_mm[0], behind.at_mm, behind.angle_deg)
    hides = [in_the_way(view.camera_mm * [1, 1, -1], foot, stone) for foot in feet]
    assert np.mean(hides) > 0.8


def test_where_white_is_burnt_out_nothing_is_called_empty(picture_of) -> None:
    view = low_view(60)
    burnt_out = np.full((SIZE[1], SIZE[0], 3), 254, np.uint8)
    sight = sight_of(burnt_out, view, {"ring-3": Thing("block", "red")})
    find_covered(BOARD, "build", sight, PLACES, PLACES)
    assert sight.unseen["ring-4"] == TOO_BRIGHT
    assert "ring-3" not in sight.unseen  # what is seen is seen
    sight = sight_of(picture_of("anthology", view=view).image, view, {})
    find_covered(BOARD, "build", sight, PLACES, PLACES)
    assert sight.unseen == {}


def test_a_field_under_an_arm_is_not_called_empty(picture_of) -> None:
    view = low_view(60)
    image = picture_of("anthology", view=view).image
    places = {place.id: place for place in PLACES}
    start, end = view.project(np.array([places["ring-1"].at_mm, places["ring-10"].at_mm]))
    cv2.line(image, *(tuple(np.round(at).astype(int).tolist()) for at in (start, end)), (110, 150, 205), 60)
    sight = sight_of(image, view, {})
    find_covered(BOARD, "build", sight, PLACES, PLACES)
    assert sight.unseen["ring-1"] == sight.unseen["ring-10"] == BEHIND
    assert not {"ring-15", "ring-20", "ring-25"} & set(sight.unseen)


def test_a_field_under_something_of_its_own_colour_is_not_empty(picture_of):
    """A bowl may be as pale as the print, and smooth: nothing of the print is seen there."""
    picture = picture_of("anthology", [("disc", "pit-20-day", "blue")])
    x, y = BOARD.fields["pit-5-day"].centre_mm
    around = [(x - 22, y - 22), (x + 22, y - 22), (x + 22, y + 22), (x - 22, y + 22)]
    bowl = np.round(picture.view.project(np.array(around, float))).astype(np.int32)
    left, top, wide, high = cv2.boundingRect(bowl)
    shade = np.median(picture.image[top : top + high, left : left + wide].reshape(-1, 3), axis=0)
    cv2.fillConvexPoly(picture.image, bowl, tuple(0.8 * shade))
    position = Reader("anthology", game="roulette").read(picture.image).position
    assert "pit-5-day" in position.occluded
    assert not {"pit-20-day", "pit-12-day", "ring-3"} & set(position.occluded)


@pytest.mark.parametrize(
    ("empty", "hidden", "seen"), [(0.36, 0.41, False), (0.49, 0.5, True), (0.2, 0.6, False)]
)
def test_what_is_rather_hidden_than_empty_is_not_called_empty(picture_of, empty, hidden, seen) -> None:
    """Of a field under the rim of a hand the networks say that something hides it, but none surely."""
    view = low_view(60)
    sight = sight_of(picture_of("anthology", view=view).image, view, {})
    slot = next(place for place in PLACES if place.id == "ring-3")
    kind = np.zeros((1, HIDDEN + 1), np.float32)
    kind[0, EMPTY], kind[0, HIDDEN] = empty, hidden
    kind[0, 1 + slot.slots[0]] = 1 - empty - hidden
    reader = Reader("anthology", game="build")
    colours = np.full((1, len(reader.palette.names)), 1 / len(reader.palette.names), np.float32)
    reader._believe(sight, (slot,), kind, colours, reader.palette.names)
    assert (slot.id not in sight.unseen) == seen
    assert sum(sight.beliefs[slot.id].values()) == pytest.approx(1, abs=1e-3)


def test_what_is_read_later_hides_what_was_read_as_empty():
    """Gates that stand on no field: a field close behind one is not seen, one before it is."""
    view = low_view(22.0)
    sight = sight_of(np.full((SIZE[1], SIZE[0], 3), 128, np.uint8), view, {})
    field = next(place for place in PLACES if place.id == "bluestone-10")
    gate = body_of(BOARD.pieces["trilith"])
    x, y = field.at_mm
    row = [(gate, (x + aside, y + 30.0), 0.0, 0.0) for aside in (-22.5, 0.0, 22.5)]
    find_behind(sight, (field,), [])
    assert not sight.unseen
    behind = [(body, (right, down - 80.0), turn, high) for body, (right, down), turn, high in row]
    find_behind(sight, (field,), behind)
    assert not sight.unseen
    find_behind(sight, (field,), row)
    assert sight.unseen == {field.id: BEHIND}
