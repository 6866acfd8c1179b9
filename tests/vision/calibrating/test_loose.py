"""Pieces anywhere: found by what differs from the empty table, told apart by the solid that covers them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.artwork import render_artwork
from calibration.lens import Lens
from calibration.profile import Profile
from engine.board import load_board
from engine.position import Thing
from sample_images.flat import FlatCamera, Stand
from vision.calibrating.calibrate import find_board, pieces_step, with_board
from vision.calibrating.learn import Shown, _by_outline, _out_of_shadow, learnt_from
from vision.calibrating.loose import differing, find_loose, with_surroundings
from vision.fields.places import Place, places_of
from vision.finding.locate import Located
from vision.geometry.bodies import body_of
from vision.geometry.fitting import Fit, Foot, scaled_body
from vision.geometry.view import View
from vision.prints.light import fit_light
from vision.prints.printed import printed_surface
from vision.prints.surface import Surface
from vision.sight import Sight

BOARD = load_board("anthology")
QUARRY = Path(__file__).resolve().parents[3] / "sample_images" / "tables" / "quarry"
LENS = Lens((960, 720), 1150.0, (479.5, 359.5), (-0.05, 0.0, 0.0, 0.0, 0.0))
STAND = Stand((250, 700, 860), (250, 256))
LYING = (  # kind, shade (blue, green, red), where (mm), turn
    ("disc", (200, 60, 30), (-50.0, 200.0), 0.0),
    ("block", (40, 40, 210), (560.0, 300.0), 35.0),
    ("figure", (40, 190, 230), (-60.0, 380.0), 0.0),
    ("block", (60, 150, 60), (300.0, 330.0), 100.0),
)


def view() -> View:
    x, y, high = STAND.position_mm
    turn = STAND.rotation
    middle = np.array([x, y, -high])
    return View(LENS.size_px, LENS.focal_px, cv2.Rodrigues(turn)[0].ravel(), -turn @ middle,
                LENS.distortion, LENS.centre_px)  # fmt: skip


def table(lying=LYING, plan: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """The empty table, and the same with pieces drawn as solids: sides darker than upper faces."""
    empty = FlatCamera(LENS, seed=3).take(render_artwork(BOARD, 2.0), 2.0, STAND)
    full = FlatCamera(LENS, seed=4).take(render_artwork(BOARD, 2.0), 2.0, STAND)
    for kind, shade, at, turn in lying:
        for hull, top in scaled_body(body_of(BOARD.pieces[kind]), plan, 1.0).outlines(view(), at, turn):
            side = tuple(0.75 * part for part in shade)
            cv2.fillConvexPoly(full, np.round(hull * 16).astype(np.int32), side, cv2.LINE_AA, 4)
            cv2.fillConvexPoly(full, np.round(top * 16).astype(np.int32), shade, cv2.LINE_AA, 4)
    return empty, full


def sight_of(empty: np.ndarray, full: np.ndarray) -> tuple[Sight, np.ndarray]:
    surface = Surface.of_photo(empty, view(), BOARD.size_mm)
    light = fit_light(full, view(), surface)
    sight = Sight(full, Located(view(), "corners", 0.1), light, surface)
    return with_surroundings(sight, BOARD, empty, view())


def test_pieces_beside_the_board_and_between_its_fields_are_found() -> None:
    wide, origin = sight_of(*table())
    found = find_loose(wide, BOARD, ("disc", "block", "figure", "trilith", "pillar", "capstone"))
    assert len(found) == len(LYING)
    for kind, _, at, turn in LYING:
        foot, fit = min(found, key=lambda each: np.hypot(*(np.array(each[0].at_mm) + origin - at)))
        assert np.hypot(*(np.array(foot.at_mm) + origin - at)) < 3 and foot.thing.kind == kind
        assert fit.cover > 0.8
        if kind == "block":
            off = abs(foot.angle_deg - turn) % 180
            assert min(off, 180 - off) < 8


def test_their_sizes_are_told() -> None:
    wide, _ = sight_of(*table(plan=1.2))
    found = find_loose(wide, BOARD, ("disc", "block", "figure"))
    assert [fit.plan for _, fit in found] == pytest.approx([1.2] * len(LYING), abs=0.16)


def test_light_and_shadow_are_no_pieces() -> None:
    empty, _ = table()
    dimmer = np.clip(empty.astype(float) * np.linspace(0.6, 1.0, 960)[None, :, None], 0, 255)
    dimmer[200:330, 40:140] *= 0.6  # a shadow beside the board
    wide, _ = sight_of(empty, dimmer.astype(np.uint8))
    assert differing(wide).sure.mean() < 0.002 and not find_loose(wide, BOARD, ("disc", "block"))


def test_another_table_is_not_searched() -> None:
    empty, full = table()
    other = full.copy()
    other[:, :300] = 255 - other[:, :300]
    other[:, 700:] = 255 - other[:, 700:]
    wide, _ = sight_of(empty, other)
    assert not differing(wide).sure.any()


def test_pieces_that_touch_are_left_aside() -> None:
    heap = [("block", (40, 40, 210), (-60.0 + 9 * n, 300.0 + 6 * n), 50.0 * n) for n in range(4)]
    wide, _ = sight_of(*table(heap))
    assert not find_loose(wide, BOARD, ("disc", "figure"))


@pytest.mark.parametrize("kind", ["figure", "block"])
def test_what_a_white_piece_on_white_print_is_its_outline_tells(kind: str) -> None:
    """The networks waver between kinds where a piece hardly differs from its ground."""
    field = BOARD.fields["ring-7"]
    lying = ((kind, (236, 243, 246), field.centre_mm, field.angle_deg),)
    empty, full = table(lying)
    surface = Surface.of_photo(empty, view(), BOARD.size_mm)
    sight = Sight(full, Located(view(), "corners", 0.1), fit_light(full, view(), surface), surface)
    place = next(each for each in places_of(BOARD, "build") if each.id == field.id)
    sight.beliefs[field.id] = {Thing("block", "white"): 0.5, Thing("figure", "white"): 0.48, None: 0.02}
    ((foot, fit),) = _by_outline(place, sight)
    assert foot.thing == Thing(kind, "white") and fit.cover > 0.6
    # Where the colour wavers too, or nothing may lie, nothing is said.
    sight.beliefs[field.id] = {Thing("block", "white"): 0.5, Thing("figure", "blue"): 0.5}
    assert not _by_outline(place, sight)
    sight.beliefs[field.id] = {Thing("block", "white"): 0.3, Thing("figure", "white"): 0.3, None: 0.4}
    assert not _by_outline(place, sight)


def test_a_person_says_what_a_piece_really_is() -> None:
    def shown(kind: str, colour: str, rgb: tuple[int, int, int], plan: float = 1.0) -> Shown:
        return Shown(kind, colour, "beside", 0.9, 0.9, plan, 1.0, rgb, (0.0, 0.0))

    pieces = [shown("disc", "red", (200, 40, 40)), shown("disc", "red", (220, 190, 40), 1.2)]
    assert learnt_from(BOARD, pieces).colours == {"disc": {"red": (210, 115, 40)}}
    right = learnt_from(BOARD, [pieces[0], shown("disc", "yellow", (220, 190, 40), 1.2)])
    assert right.colours["disc"] == {"red": (200, 40, 40), "yellow": (220, 190, 40)}
    assert right.sizes_mm["disc"]["diameter_mm"] == pytest.approx(15 * 1.08, abs=0.2)
    assert right.missing == {"disc": ("white", "blue", "green")} and Fit().cover == 0


def test_a_piece_in_the_shade_beside_the_board_is_as_bright_as_its_colour_is() -> None:
    def standing(kind: str, colour: str, grey: float) -> tuple[Foot, Fit]:
        place = Place("x", (0.0, 0.0), 0.0, (body_of(BOARD.pieces[kind]),), 5.0)
        return Foot(Thing(kind, colour), place, np.full(3, grey, np.float32), 1.0), Fit()

    on = [standing("block", "white", 0.95), standing("figure", "white", 0.93), standing("block", "red", 0.4)]
    beside = [standing("disc", "white", 0.7), standing("disc", "red", 0.5), standing("disc", "blue", 0.2)]
    shades = [float(foot.seen[0]) for foot, _ in _out_of_shadow(on, beside)]
    assert shades == pytest.approx([0.86, 0.5, 0.2], abs=0.02)


def test_beside_a_board_of_the_kit_shades_are_those_under_even_light() -> None:
    """The kit's print is known, so what lies on it is seen without the lamp; so is what lies beside it."""
    empty, _ = table(())
    profile = with_board(Profile("t", BOARD), empty, find_board(empty, BOARD), keep_picture=True)
    assert profile.own_print
    light = fit_light(empty, view(), printed_surface(BOARD))
    lying, wanted = [], {}
    for colour, rgb, at in (("red", (190, 50, 46), (-45.0, 180.0)), ("blue", (40, 84, 160), (545.0, 300.0))):
        edge = np.array([[float(np.clip(at[0], 0, 500)), at[1]]], np.float32)
        gain = light.at(edge)[0] ** (1 / 2.2)  # blue, green, red
        lying.append(("disc", tuple(float(v) for v in np.array(rgb[::-1]) * gain), at, 0.0))
        wanted[colour] = rgb
    _, full = table(lying)
    _, learnt, step = pieces_step(full, profile, "build")
    assert [each.place for each in learnt.shown] == ["beside", "beside"] and "disc" in step.text.en
    for colour, rgb in wanted.items():
        assert learnt.colours["disc"][colour] == pytest.approx(rgb, abs=30)


def test_dark_pieces_on_light_wood_are_no_shadows_and_tell_what_the_one_on_the_board_is():
    """The table `quarry`: one stone of each colour, a black one on the board, a brown one beside it."""
    labels = json.loads((QUARRY / "labels.json").read_text())
    board = load_board(QUARRY / "board.json")
    corners = np.array(labels["empty.jpg"]["corners_px"], float)
    empty, shown = (cv2.imread(str(QUARRY / name)) for name in ("empty.jpg", "pieces.jpg"))
    profile = with_board(Profile("q", board), empty, find_board(empty, board, corners), keep_picture=True)
    _, learnt, step = pieces_step(shown, profile, "stonehenge")
    found = {
        (each.kind, each.colour, each.place if each.place != "beside" else None) for each in learnt.shown
    }
    assert found == {(p["kind"], p["colour"], p.get("field")) for p in labels["pieces.jpg"]["pieces"]}
    assert step.grade == "good" and not learnt.missing
