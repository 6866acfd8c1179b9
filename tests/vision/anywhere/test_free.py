"""Banks and wheels that stand anywhere on the board, in photographs of an evening of Rolling Rocks."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.board import load_board
from engine.position import TOP, Thing
from vision import Reader
from vision.anywhere.free import out_of_shadow
from vision.fields.crops import CHANNELS, CROP_PX
from vision.fields.network import Looks
from vision.fields.places import SLOTS, Place
from vision.geometry.bodies import body_of
from vision.pictures.images import load_image
from vision.sight import Sight
from vision.training.compose import Lying

EVENING = Path(__file__).resolve().parents[3] / "sample_images" / "demo" / "rolling"
JUDGED = EVENING.parents[1] / "judged"
NEAR_MM = 4.0


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader("anthology", game="rolling", players=("red", "green", "blue"))


@pytest.mark.parametrize("photo", ["0001.jpg", "0002.jpg", "0013.jpg", "0014.jpg"])
def test_what_stands_on_no_field_is_told_with_its_place(reader: Reader, photo: str) -> None:
    """By one reader, which from the second photograph on looks at what changed."""
    label = json.loads((EVENING / photo).with_suffix(".json").read_text(encoding="utf-8"))
    seen = reader.read(load_image(EVENING / photo))
    truth = [piece for piece in label["pieces"] if "field" not in piece]
    assert "" not in seen.unseen and len(seen.loose) == len(truth)
    for piece in truth:
        same = [each for each in seen.loose if (each.kind, each.colour) == (piece["kind"], piece["colour"])]
        at = (piece["x_mm"], piece["y_mm"])
        assert min(math.dist(at, (each.x_mm or 0, each.y_mm or 0)) for each in same) < NEAR_MM
        assert all(each.place is None for each in same)


def test_beside_an_arm_what_is_seen_is_told_and_that_there_may_be_more(reader: Reader) -> None:
    seen = reader.read(load_image(EVENING / "0005.jpg"))
    label = json.loads((EVENING / "0005.json").read_text(encoding="utf-8"))
    stand = [piece for piece in label["pieces"] if "field" not in piece]
    assert "" in seen.unseen and 0 < len(seen.loose) <= len(stand)
    for each in seen.loose:
        same = [piece for piece in stand if (piece["kind"], piece["colour"]) == (each.kind, each.colour)]
        assert min(math.dist((p["x_mm"], p["y_mm"]), (each.x_mm, each.y_mm)) for p in same) < NEAR_MM


def test_what_has_no_colour_of_the_set_is_a_shadow() -> None:
    """A shadow was told as a yellow bank that only one network saw."""
    seen = Reader("anthology", game="rolling").read(load_image(JUDGED / "034-rolling.jpg"))
    assert len(seen.loose) > 5
    assert all(math.dist((310, 66), (each.x_mm or 0, each.y_mm or 0)) > 20 for each in seen.loose)


def test_a_hand_that_reaches_over_the_rim_may_hide_others(reader: Reader) -> None:
    """However little of the board it covers: pieces as large would be gates, which are told."""
    image = load_image(EVENING / "0014.jpg")
    reader.read(image)
    rim = np.array([(200.0, -80.0), (260.0, -80.0), (252.0, 55.0), (208.0, 55.0)])
    hand = np.round(reader.last_view(image).project(rim)).astype(np.int32)
    reader.forget()
    seen = reader.read(cv2.fillConvexPoly(image.copy(), hand, (120, 150, 205)))
    assert "" in seen.unseen
    reader.forget()
    assert "" not in reader.read(image).unseen


# Blocks and discs where the print has their colour, and where it has another: where (mm), turned how far.
BANKS = (
    ("block", "white", (290.0, 290.0), 110.0),
    ("block", "white", (140.0, 140.0), 110.0),
    ("disc", "white", (250.0, 170.0), 0.0),
    ("block", "red", (250.0, 440.0), 120.0),
    ("block", "blue", (330.0, 130.0), 40.0),
)


def test_pieces_of_the_prints_own_colour_are_found_as_well(picture_of) -> None:
    board = load_board("anthology")
    lying = []
    for number, (kind, colour, at_mm, turn) in enumerate(BANKS, 1):
        bgr = np.array(board.colour_rgb(colour))[::-1] / 255
        lying.append(Lying(body_of(board.pieces[kind]), at_mm, turn, bgr, number))
    seen = Reader("anthology", game="rolling").read(picture_of("anthology", more=lying).image)
    assert len(seen.loose) == len(BANKS)
    for kind, colour, at_mm, turn in BANKS:
        same = [each for each in seen.loose if (each.kind, each.colour) == (kind, colour)]
        nearest = min(same, key=lambda each: math.dist(at_mm, (each.x_mm or 0, each.y_mm or 0)))
        assert math.dist(at_mm, (nearest.x_mm or 0, nearest.y_mm or 0)) < 6
        assert kind == "disc" or abs(((nearest.angle_deg or 0) - turn + 90) % 180 - 90) < 10


def test_what_lies_on_triliths_is_told_in_the_colours_of_the_banks(picture_of) -> None:
    """In a faded set the green discs on the triliths are as green as its blocks, and no dull white."""
    board = load_board("anthology")

    def faded(colour: str) -> NDArray[np.float64]:
        return 0.45 * np.array(board.colour_rgb(colour))[::-1] / 255 + 0.29

    block, disc, trilith = (body_of(board.pieces[kind]) for kind in ("block", "disc", "trilith"))
    colours = ("white", "blue", "green", "yellow", "red") * 2
    lying = [
        Lying(block, (150.0 + 45 * (n % 5), 150.0 + 190 * (n // 5)), 40.0 * n, faded(colour), n + 1)
        for n, colour in enumerate(colours)
    ]
    fields = board.fields_of_kind("trilith")[:2]
    for n, field in enumerate(fields, 20):
        lying.append(Lying(trilith, field.centre_mm, field.angle_deg, np.full(3, 0.5), n, gloss=0.1))
        lying.append(Lying(disc, field.centre_mm, 0.0, faded("green"), n + 10, ground_mm=trilith.top_mm))
    reader = Reader("anthology", game="rolling")
    reader.read(picture_of("anthology", more=lying).image)
    for field in fields:
        belief = reader.sight.beliefs[field.id + TOP]
        assert max(belief, key=belief.__getitem__) == Thing("disc", "green")


class InTheSun:
    """What is seen of one white block that stands at `at_mm`: around it white print, to its right shadow."""

    def __init__(self, at_mm):
        self.at_mm = np.array(at_mm)

    def crops(self, places):
        crops = np.zeros((len(places), CHANNELS, CROP_PX, CROP_PX), np.float32)
        crops[:, 3:6], crops[:, 9:] = 0.85, 1.0
        return crops

    def look(self, places, *, coloured=True):
        away = np.array([np.linalg.norm(np.subtract(place.at_mm, self.at_mm)) for place in places])
        kind = np.zeros((len(places), 6), np.float32)
        kind[:, 1 + SLOTS.index("box")] = np.where(away < 3, 0.99, 0.9)
        shade = np.where(away < 3, 0.9, 0.25).astype(np.float32)
        seen = np.repeat(shade[:, None], 3, axis=1)
        return Looks(kind, seen, seen.copy(), np.ones(len(places), np.float32))


def test_a_gate_that_only_the_whole_board_tells_has_a_capstone_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen on a photograph from straight above: a gate askew, and no word of the disc on it."""
    looked = Reader._read_tops

    def hardly_told(self: Reader, sight: Sight, under: set[str]) -> tuple[Place, ...]:
        tops = looked(self, sight, under)
        if len(under) > 1:
            sight.beliefs["trilith-2"] = {None: 0.6, Thing("trilith", "grey"): 0.4}
            del sight.beliefs["trilith-2" + TOP]
        return tops

    monkeypatch.setattr(Reader, "_read_tops", hardly_told)
    told = Reader("anthology", "rolling").read(load_image(JUDGED / "004-rolling.jpg")).fields
    assert told["trilith-2"][Thing("trilith", "grey")] > 0.9
    assert told["trilith-2" + TOP][Thing("disc", "yellow")] > 0.9


@pytest.mark.parametrize(
    ("told_mm", "found"), [((206.0, 200.0), True), ((202.0, 200.0), True), ((260.0, 200.0), False)]
)
def test_a_block_that_is_told_in_its_own_shadow_is_looked_for_beside_it(told_mm, found):
    sight = InTheSun((200.0, 200.0))
    block = body_of(load_board("anthology").pieces["block"])
    places = [Place("", told_mm, 0.0, (block,), 5.0)]
    looks = sight.look(places)
    out_of_shadow(sight, places, looks, np.ones(3, np.float32))
    assert (np.linalg.norm(np.subtract(places[0].at_mm, sight.at_mm)) < 3) == found
    assert (looks.seen[0].mean() > 0.8) == found
