"""Discs on one another: how many, and of which colours, as far as they can be seen."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine.board import load_board
from engine.observation import certain
from engine.position import Piece, Position, Thing
from tests.vision.conftest import over
from vision import Reader
from vision.compare import compare
from vision.fields.beliefs import told
from vision.fields.places import Place
from vision.finding.locate import Located
from vision.geometry.bodies import Body, body_of
from vision.geometry.fitting import scaled_body
from vision.pictures.images import load_image
from vision.prints.light import fit_light
from vision.prints.printed import printed_surface
from vision.sight import Sight
from vision.stacked.stacks import looked_at, read_stacks, tell, without_shadows
from vision.training.compose import Lying

BOARD = load_board("anthology")
DEMO = Path(__file__).parents[3] / "sample_images" / "demo"
DISC = body_of(BOARD.pieces["disc"])
SINGLE = {
    "pit-1-day": "white",
    "pit-4-night": "blue",
    "pit-9-day": "green",
    "pit-12-night": "yellow",
    "pit-14-day": "red",
    "pit-18-night": "blue",
    "pit-22-day": "yellow",
    "pit-27-night": "green",
}
STACKED = {
    "pit-7-day": ("red", "blue"),
    "pit-16-night": ("red", "red"),
    "pit-24-day": ("blue", "red", "yellow"),
}


def stack(field: str, colours: tuple[str, ...], disc: Body = DISC) -> list[Lying]:
    found = []
    for level, colour in enumerate(colours):
        bgr = np.array(BOARD.colour_rgb(colour))[::-1] / 255
        at = BOARD.fields[field].centre_mm
        found.append(Lying(disc, at, 0.0, bgr, 100 + level, level * disc.top_mm, gloss=0.1))
    return found


@pytest.fixture
def read(picture_of):
    def make(stacked, elevation_deg=42.0, singles=SINGLE, disc=DISC):
        view = over(BOARD, (1280, 960), elevation_deg)
        lie = {**{field: (colour,) for field, colour in singles.items()}, **stacked}
        more = [lying for field, colours in lie.items() for lying in stack(field, colours, disc)]
        seen = Reader("anthology", game="roulette").read(picture_of("anthology", [], view, more=more).image)
        return seen, {place: Counter(things) for place, things in seen.position.things().items()}

    return make


def colours(things) -> list[str]:
    return sorted(str(thing.colour) for thing, times in things.items() for _ in range(times * thing.count))


def test_discs_on_one_another_are_counted_and_named(read):
    seen, things = read(STACKED)
    for field, stacked in STACKED.items():
        assert colours(things[field]) == sorted(stacked)
        top = max(seen.fields[field], key=seen.fields[field].get)
        assert top.colour == stacked[-1] and top.count == stacked.count(stacked[-1])
    for field, colour in SINGLE.items():
        assert colours(things[field]) == [colour]


@pytest.mark.parametrize("tall", [0.8, 1.25])
def test_how_thick_the_discs_of_a_set_are_is_seen(read, tall):
    """Two thin ones are two, though hardly higher than one of another set."""
    stacked = {field: colours for field, colours in STACKED.items() if len(colours) == 2}
    _, things = read(stacked, disc=scaled_body(DISC, 1.0, tall))
    for field, colours_there in {**stacked, **{field: (colour,) for field, colour in SINGLE.items()}}.items():
        assert colours(things[field]) == sorted(colours_there)


def test_a_lower_disc_is_seen_in_a_photograph():
    """Of a recorded evening, from not far off straight above: two rows of pixels of the lower disc show."""
    photo = DEMO / "roulette-illegal" / "0001.jpg"
    label = Position.from_json(json.loads(photo.with_suffix(".json").read_text(encoding="utf-8")))
    read = Reader("anthology", game="roulette").read(load_image(photo)).position.things()
    there = label.things()
    assert colours(read["pit-29-night"]) == colours(there["pit-29-night"]) == ["blue", "green"]
    pits = [place for place in there if place.startswith("pit")]
    assert all(len(colours(read[pit])) == 1 for pit in pits if len(colours(there[pit])) == 1)


def test_three_discs_are_three(read):
    _, things = read({"pit-16-night": ("blue", "red", "yellow")})
    assert len(colours(things["pit-16-night"])) == 3


def test_equal_discs_are_one_piece_with_a_count_as_the_game_has_them(read):
    _, things = read({"pit-16-night": ("red", "red")})
    (thing,) = things["pit-16-night"]
    assert (thing.colour, thing.count) == ("red", 2)


def test_from_above_no_more_is_read_than_is_seen(read):
    _, things = read(STACKED, elevation_deg=89.0)
    for field, stacked in STACKED.items():
        # Towards the picture's edges something of the side is seen.
        read_there = colours(things[field])
        assert stacked[-1] in read_there and not Counter(read_there) - Counter(stacked)
    assert any(sum(thing.count for thing in things[field]) == 1 for field in STACKED)


def test_no_stack_is_seen_where_there_is_none(read):
    _, things = read({})
    assert {field: colours(found) for field, found in things.items()} == {f: [c] for f, c in SINGLE.items()}


def test_a_label_may_name_each_disc_or_count_them():
    each = Piece("disc", "red", field="pit-1-day")
    both = Position("anthology", (each, each), "roulette")
    counted = Position("anthology", (Piece("disc", "red", field="pit-1-day", count=2),), "roulette")
    for label in (both, counted):
        assert compare(certain(counted, ("pit-1-day",)), label).exact
    assert not compare(certain(counted, ("pit-1-day",)), Position("anthology", (each,), "roulette")).exact


@pytest.mark.parametrize(("below", "above"), [("red", "blue"), ("green", "white"), ("blue", "yellow")])
@pytest.mark.parametrize("elevation_deg", [30.0, 42.0, 58.0])
def test_what_is_read_of_a_pile_as_one_disc_is_told_disc_by_disc(picture_of, below, above, elevation_deg):
    """The lower disc of a pile lies where a single one's top would be seen."""
    view = over(BOARD, (1280, 960), elevation_deg)
    lie = {**{field: (colour,) for field, colour in SINGLE.items()}, "pit-16-night": (below, above)}
    more = [lying for field, colours in lie.items() for lying in stack(field, colours)]
    reader = Reader("anthology", game="roulette")
    reader.read(picture_of("anthology", [], view, more=more).image)
    sight = reader.sight
    sight.beliefs["pit-16-night"] = {Thing("disc", below): 1.0}
    places = [place for place in reader.places if place.id == "pit-16-night"]
    read_stacks(BOARD, reader.palette, sight, places)
    assert told(sight.beliefs["pit-16-night"])[0] == Thing("disc", above)
    assert [piece.colour for piece in sight.below["pit-16-night"]] == [below]


def test_what_lies_beyond_the_edge_of_the_picture_is_no_side_of_a_pile(picture_of):
    """The picture's last pixels do not go on there as stripes."""
    view = over(BOARD, (1280, 960), 42.0)
    more = [lying for field, colour in SINGLE.items() for lying in stack(field, (colour,))]
    image = picture_of("anthology", [], view, more=more).image
    pit = Place("pit-9-day", BOARD.fields["pit-9-day"].centre_mm, 0.0, (DISC,), 2.0)
    last = int(view.project(np.array([pit.at_mm]))[0, 1]) + 3
    view = replace(view, size_px=(1280, last), centre_px=view.axis_px)
    surface = printed_surface(BOARD, "chalk")
    light = fit_light(image[:last], view, surface)
    belief = {pit.id: {Thing("disc", "green"): 1.0}}
    sight = Sight(image[:last], Located(view, "tags", 0.5), light, surface, belief)
    (pile,) = looked_at(sight, [pit], ["green"])
    beyond = pile.inside == 0
    assert 0.1 < beyond.mean() < 0.6
    assert np.array_equal(pile.seen[beyond], pile.empty[beyond])


def test_how_sure_a_count_is_is_told():
    """Nobody knows how many lie there if it is otherwise."""
    sight = SimpleNamespace(beliefs={"pit-1-day": {Thing("disc", "red"): 0.9, None: 0.1}}, below={})
    tell(sight, "pit-1-day", ["red"], np.array([0.75, 0.2, 0.05]), None)
    belief = sight.beliefs["pit-1-day"]
    assert belief[Thing("disc", "red")] == pytest.approx(0.9 * 0.75)
    assert belief[Thing("disc", "red", count=None)] == pytest.approx(0.9 * 0.25)
    assert belief[None] == pytest.approx(0.1) and sight.below == {"pit-1-day": []}


@pytest.mark.parametrize(
    ("second", "third", "count"), [(0.95, 0.95, 3), (0.95, 0.5, 2), (0.5, 0.95, 1), (0.5, 0.5, 1)]
)
def test_a_lower_disc_of_no_clear_colour_is_a_shadow(second, third, count):
    layers = np.array([[share, 1 - share] for share in (1.0, second, third)], np.float32)
    weighed = without_shadows(np.array([0.1, 0.3, 0.6], np.float32), layers)
    assert weighed.sum() == pytest.approx(1.0) and 1 + int(weighed.argmax()) == count
