"""Figures as slim as a cone, in a row of discs whose colours are seen beside their heads."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Thing
from tests.vision.conftest import over
from vision import Reader
from vision.fields import network
from vision.fields.alone import _is_mixed
from vision.fields.crops import CHANNELS, CROP_PX
from vision.fields.network import ELSEWHERE, GUESSED, KINDS, ON_CAPSTONES, OURS, look
from vision.fields.places import SLOTS
from vision.geometry.bodies import Body
from vision.training.compose import Lying
from vision.training.sets import turned

BOARD = load_board("anthology")
COLOURS = ("green", "yellow", "blue", "red")
OWN = "green"


def cone() -> Body:
    piece = BOARD.pieces["figure"]
    height = piece.dims_mm["height_mm"]
    return Body("figure", turned([(0.0, piece.dims_mm["base_mm"] / 2), (1.0, 0.3)], height), height, "figure")


@pytest.mark.parametrize(
    ("style", "elevation_deg", "number"),
    [("night", 40, 3), ("chalk", 40, 16), ("chalk", 50, 16), ("night", 50, 16), ("night", 60, 8)],
)
def test_a_cone_among_discs_is_a_figure_of_its_own_colour(picture_of, style, elevation_deg, number):
    discs = [("disc", f"bluestone-{n}", COLOURS[n % 4]) for n in range(1, 19) if n != number]
    field = BOARD.fields[f"bluestone-{number}"]
    standing = Lying(cone(), field.centre_mm, 0.0, np.array(BOARD.colour_rgb(OWN))[::-1] / 255, 99, gloss=0.1)
    view = over(BOARD, size_px=(1280, 960), elevation_deg=elevation_deg)
    image = picture_of("anthology", pieces=discs, style=style, view=view, more=[standing]).image
    seen = Reader("anthology", game="build").read(image).fields[field.id]
    assert max(seen, key=seen.__getitem__) == Thing("figure", OWN)


@pytest.mark.parametrize(("beside_the_empty_one", "judge"), [(False, "judge"), (True, "stranger")])
def test_boards_that_are_not_ours_have_a_judge_of_their_own(
    picture_of, monkeypatch, beside_the_empty_one, judge
):
    view = over(BOARD, size_px=(1280, 960), elevation_deg=35)
    discs = [("disc", f"bluestone-{n}", COLOURS[n % 4]) for n in range(1, 19)]
    image, empty = (picture_of("anthology", pieces=lying, view=view).image for lying in (discs, []))
    asked, kinds_of = set(), network.kinds_of

    def noted(name, crops):
        asked.add(name)
        return kinds_of(name, crops)

    monkeypatch.setattr(network, "kinds_of", noted)
    reference = (empty, view.project(np.array(BOARD.corners_mm))) if beside_the_empty_one else None
    seen = Reader("anthology", game="build", reference=reference).read(image).fields
    assert asked & set(network.JUDGES) == {judge}
    for kind, field, _ in discs:
        assert max(seen[field], key=seen[field].__getitem__).kind == kind


def test_the_other_judge_does_not_tell_whether_anything_stands_on_our_boards(monkeypatch):
    """On a place that is doubted the one says that it is probably empty, else a disc; the other: a figure."""
    empty, disc, figure = 0, 1 + SLOTS.index("cylinder"), 1 + SLOTS.index("figure")
    logits = {name: {empty: 1.0, disc: 1.0} for name in ("place", "stand", "shade", "matt")}
    logits |= {"judge": {empty: 2.0, disc: 1.0}, "stranger": {disc: 1.0, figure: 7.0}}

    def kinds_of(name, crops):
        told = np.zeros((len(crops), 6), np.float32)
        for slot, logit in logits[name].items():
            told[:, slot] = logit
        return told

    monkeypatch.setattr(network, "kinds_of", kinds_of)
    seen = np.full((1, 3), 0.5, np.float32)
    monkeypatch.setattr(network, "run", lambda name, crops: (kinds_of(name, crops), seen[: len(crops)]))
    crops = np.zeros((1, CHANNELS, CROP_PX, CROP_PX), np.float32)
    crops[:, [9 + SLOTS.index("cylinder"), 9 + SLOTS.index("figure")], 20:30, 20:30] = 1
    ours, elsewhere = look(crops).kind[0], look(crops, ELSEWHERE).kind[0]
    assert ours[figure] > ours[disc]
    assert ours.sum() == pytest.approx(1)
    assert ours[empty] > 0.4
    assert elsewhere[empty] < 0.1


def test_shares_are_shares():
    asked = (OURS, ELSEWHERE, GUESSED, ON_CAPSTONES)
    for shares in (*(each.kinds for each in asked), *(each.colours for each in asked), KINDS):
        assert sum(shares.values()) == pytest.approx(1)


def test_a_mixture_of_a_piece_and_the_print_is_not_its_colour():
    """Display-referred: of a blue pawn, what its foot shows, and the print; and a disc behind a slim head."""
    blue, foot, printed = (
        np.array(each, np.float32) / 255 for each in ((133, 95, 76), (133, 133, 131), (154, 192, 211))
    )
    red = np.array((50, 60, 190), np.float32) / 255
    assert _is_mixed(foot, blue, printed)
    assert not _is_mixed(blue, red, printed)
