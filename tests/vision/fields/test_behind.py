"""The colour of pieces of which a nearer one covers a part."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Thing
from tests.vision.conftest import over
from vision import Reader
from vision.fields.behind import look_behind
from vision.fields.beliefs import told
from vision.fields.network import EMPTY
from vision.fields.places import Place, top_place
from vision.geometry.bodies import body_of
from vision.sight import Sight
from vision.training.compose import Lying

BOARD = load_board("anthology")
BLOCK, TRILITH, FIGURE, DISC = (
    body_of(BOARD.pieces[kind]) for kind in ("block", "trilith", "figure", "disc")
)
STONE = np.array([0.62, 0.56, 0.5])
# The trilith that stands before a slot, as a camera in front of the board sees them.
PAIR = max(
    (place for place in Reader("anthology", game="ramming").places if "+" in place.id),
    key=lambda place: place.at_mm[1],
)
SLOT = min(BOARD.fields_of_kind("slot"), key=lambda field: math.dist(field.centre_mm, PAIR.at_mm))


def bgr(colour: str) -> np.ndarray:
    return np.array(BOARD.colour_rgb(colour))[::-1] / 255


@pytest.fixture
def reader(picture_of) -> Reader:
    """Of a blue block behind a trilith on which a yellow figure stands."""
    more = [
        Lying(BLOCK, SLOT.centre_mm, SLOT.angle_deg, bgr("blue"), 100),
        Lying(TRILITH, PAIR.at_mm, PAIR.angle_deg, STONE, 101, gloss=0.1),
        Lying(FIGURE, PAIR.at_mm, 0.0, bgr("yellow"), 102, ground_mm=TRILITH.top_mm),
    ]
    reader = Reader("anthology", game="ramming")
    reader.read(picture_of("anthology", [], over(BOARD, (1280, 960), 47.0), more=more).image)
    return reader


def behind(reader: Reader, belief: dict[Thing | None, float]) -> dict[Thing | None, float]:
    """What is believed of the block after a look behind what stands before it."""
    reader.sight.beliefs[SLOT.id] = belief
    places = [place for place in reader.places if place.id in (SLOT.id, PAIR.id)]
    tops = [top_place(BOARD, PAIR, ("figure",))]
    (thing, *_) = [thing for thing in belief if thing is not None]
    seen = {SLOT.id: bgr(str(thing.colour)), PAIR.id: STONE}
    look_behind(BOARD, "ramming", reader.palette, reader.sight, places, tops, seen)
    return reader.sight.beliefs[SLOT.id]


def seen_by(reader: Reader, places: list[Place]) -> dict[str, np.ndarray]:
    looks = reader.look(reader.sight, tuple(places))
    return {place.id: each for place, each in zip(places, looks.seen, strict=True)}


def test_what_stands_before_a_piece_is_not_its_colour(reader):
    assert told(reader.sight.beliefs[PAIR.id + "^"])[0] == Thing("figure", "yellow")
    seen = behind(reader, {Thing("block", "yellow"): 0.98, None: 0.02})
    assert told(seen)[0] == Thing("block", "blue")
    assert seen[None] == pytest.approx(0.02)
    assert sum(seen.values()) == pytest.approx(1, abs=1e-3)
    assert json.dumps([*seen.values()])


def test_a_piece_with_nothing_before_it_stays_what_it_was(reader):
    reader.sight.beliefs.pop(PAIR.id)
    reader.sight.beliefs.pop(PAIR.id + "^")
    belief = {Thing("block", "yellow"): 0.98, None: 0.02}
    assert behind(reader, dict(belief)) == belief


def test_where_nothing_surely_stands_no_colour_is_told(reader):
    belief = {Thing("block", "yellow"): 0.3, None: 0.7}
    assert behind(reader, dict(belief)) == belief


def test_a_disc_on_a_trilith_may_hide_one_like_it(picture_of):
    """A white disc behind a trilith that carries a yellow one was taken for another yellow one."""
    trilith = min(BOARD.fields_of_kind("trilith"), key=lambda each: -each.centre_mm[1])
    spot = min(
        BOARD.fields_of_kind("bluestone"), key=lambda each: math.dist(each.centre_mm, trilith.centre_mm)
    )
    more = [
        Lying(DISC, spot.centre_mm, 0.0, bgr("white"), 100),
        Lying(TRILITH, trilith.centre_mm, trilith.angle_deg, STONE, 101, gloss=0.1),
        Lying(DISC, trilith.centre_mm, 0.0, bgr("yellow"), 102, ground_mm=TRILITH.top_mm),
    ]
    reader = Reader("anthology", game="build")
    reader.read(picture_of("anthology", [], over(BOARD, (1280, 960), 38.0), more=more).image)
    assert told(reader.sight.beliefs[trilith.id + "^"])[0] == Thing("disc", "yellow")
    reader.sight.beliefs[spot.id] = {Thing("disc", "yellow"): 0.98, None: 0.02}
    places = [place for place in reader.places if place.id in (spot.id, trilith.id)]
    top = top_place(BOARD, next(place for place in places if place.id == trilith.id), ("disc",))
    look_behind(BOARD, "build", reader.palette, reader.sight, places, [top], seen_by(reader, places))
    assert told(reader.sight.beliefs[spot.id])[0] == Thing("disc", "white")


def test_what_is_left_of_it_is_its_colour_and_not_the_prints(picture_of):
    """Where the nearer piece covers what is seen of it, only the print is left: the piece is hardly a white
    one, but nobody knows."""
    more = [
        Lying(TRILITH, PAIR.at_mm, PAIR.angle_deg, STONE, 101, gloss=0.1),
        Lying(FIGURE, PAIR.at_mm, 0.0, bgr("yellow"), 102, ground_mm=TRILITH.top_mm),
    ]
    reader = Reader("anthology", game="ramming")
    reader.read(picture_of("anthology", [], over(BOARD, (1280, 960), 47.0), more=more).image)
    seen = behind(reader, {Thing("block", "yellow"): 0.9, None: 0.1})
    assert told(seen)[0] == Thing("block", "yellow")
    assert 0.5 < seen[Thing("block", "yellow")] < 0.6
    assert seen[None] == pytest.approx(0.1)


@pytest.mark.parametrize("lies", [False, True])
def test_the_stone_before_a_slot_is_no_block(picture_of, lies):
    """A slot behind a trilith of pale stone was told to carry a white block."""
    more = [
        Lying(TRILITH, PAIR.at_mm, PAIR.angle_deg, STONE, 101, gloss=0.1),
        *([Lying(BLOCK, SLOT.centre_mm, SLOT.angle_deg, bgr("white"), 100)] if lies else []),
    ]
    reader = Reader("anthology", game="ramming")
    reader.read(picture_of("anthology", [], over(BOARD, (1280, 960), 47.0), more=more).image)
    places = [place for place in reader.places if place.id in (SLOT.id, PAIR.id)]
    top = replace(top_place(BOARD, PAIR, ("figure",)), under_bgr=tuple(STONE.tolist()))
    reader.sight.unseen.clear()
    seen = {SLOT.id: np.array(STONE if not lies else bgr("white"), np.float32), PAIR.id: STONE}
    reader.sight.beliefs[SLOT.id] = {Thing("block", "white"): 0.97, None: 0.03}
    look_behind(BOARD, "ramming", reader.palette, reader.sight, places, [top], seen)
    thing, sure = told(reader.sight.beliefs[SLOT.id])
    assert (thing is None, sure < 0.9) == ((False, False) if lies else (True, True))


def test_where_nothing_is_left_but_grey_a_piece_keeps_its_colour(reader, monkeypatch):
    """A gate that is lower than the usual ones hides less than is painted over: nothing of the piece is left
    in the look behind it, and what is seen then has no colour."""
    told_by = Sight.told_by

    def nothing(sight, crops, **how):
        looks = told_by(sight, crops, **how)
        looks.kind[:], looks.kind[:, EMPTY] = 0.01, 0.95
        looks.seen[:] = looks.matt[:] = 1.3
        return looks

    monkeypatch.setattr(Sight, "told_by", nothing)
    assert told(behind(reader, {Thing("block", "yellow"): 0.98, None: 0.02}))[0] == Thing("block", "yellow")


def test_of_two_figures_of_one_colour_the_farther_may_be_of_another(picture_of):
    """What was seen of it was the nearer one."""
    near, far = BOARD.fields["bluestone-3"], BOARD.fields["bluestone-1"]
    more = [
        Lying(FIGURE, near.centre_mm, 0.0, bgr("red"), 100),
        Lying(FIGURE, far.centre_mm, 0.0, bgr("green"), 101),
    ]
    reader = Reader("anthology", game="build")
    reader.read(picture_of("anthology", [], over(BOARD, (1280, 960), 38.0), more=more).image)
    red = Thing("figure", "red")
    reader.sight.beliefs |= {near.id: {red: 0.99}, far.id: {red: 0.97, Thing("figure", "green"): 0.03}}
    places = [place for place in reader.places if place.id in (near.id, far.id)]
    seen = {near.id: bgr("red"), far.id: bgr("red")}
    look_behind(BOARD, "build", reader.palette, reader.sight, places, (), seen)
    assert told(reader.sight.beliefs[far.id])[0] == Thing("figure", "green")
    assert told(reader.sight.beliefs[near.id])[0] == red
