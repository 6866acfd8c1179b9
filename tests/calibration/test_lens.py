"""The lens, from photographs of the printed chessboard sheet taken through a strongly bent one.

The sheet is flat, so the photographs are made ray by ray through the true lens (`sample_images.flat`), with
light that falls off, blur, noise and JPEG.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.artwork import render_artwork
from calibration.coverage import coverage
from calibration.drawing import Picture, rasterise
from calibration.kit.paper import PAPERS
from calibration.kit.sheets import charuco_page
from calibration.lens import Lens, LensError, Sheet, find_sheet, fit_lens, lens_of_exif
from engine.board import load_board
from sample_images.flat import FlatCamera, Stand, around
from vision.finding.locate import by_corners, by_tags, refine
from vision.geometry.lens import lens_of_board, view_of_lens
from vision.prints.printed import printed_surface

BARREL = Lens((1280, 720), 794.0, (648.5, 352.0), (-0.32, 0.12, 0.0006, -0.0004, -0.02))
PX_PER_MM = 8.0
BOARD = load_board("anthology")


def grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def camera() -> FlatCamera:
    return FlatCamera(BARREL, seed=1)


@cache
def sheets() -> tuple[Sheet, ...]:
    page = rasterise(charuco_page(PAPERS["a4"], "").drawing, PX_PER_MM)
    found = [
        find_sheet(grey(camera().take(page, PX_PER_MM, stand)))
        for stand in around((210, 297), 9, 330, seed=3)
    ]
    return tuple(sheet for sheet in found if sheet is not None)


@cache
def learnt() -> Lens:
    return fit_lens(sheets())


def test_a_strong_barrel_lens_is_recovered() -> None:
    lens = learnt()
    assert lens.rms_px is not None and lens.rms_px < 0.3
    assert lens.focal_px == pytest.approx(BARREL.focal_px, rel=0.004)
    assert 0 < lens.focal_spread < 0.01
    x, y = np.meshgrid(np.linspace(0, 1279, 17), np.linspace(0, 719, 11))
    pixels = np.column_stack([x.ravel(), y.ravel()]).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, BARREL.matrix, np.array(BARREL.distortion), criteria=(3, 50, 1e-9))
    seen, _ = cv2.projectPoints(
        np.column_stack([rays.reshape(-1, 2), np.ones(len(pixels))]), np.zeros(3), np.zeros(3), lens.matrix,
        np.array(lens.distortion),
    )  # fmt: skip
    misses = np.linalg.norm(seen.reshape(-1, 2) - pixels.reshape(-1, 2), axis=1)
    assert np.median(misses) < 1.5 and misses.max() < 12  # of a bend of 150 px; the corners saw no sheet


NEAR = Stand((250, 560, 400), (250, 270))
CORNERS = [[0, 0], [500, 0], [500, 500], [0, 500]]


@cache
def near() -> Picture:
    return grey(camera().take(render_artwork(BOARD, 4.0), 4.0, NEAR))


def test_field_outlines_fit_to_a_millimetre() -> None:
    lens, print_seen = view_of_lens(learnt(), (1280, 720)), printed_surface(BOARD)
    corners = camera().pixels(CORNERS, NEAR)
    found = {
        "tags": refine(near(), by_tags(near(), BOARD, lens=lens), print_seen, lens=lens),
        "corners": by_corners(corners, BOARD, (1280, 720), lens=lens),
        "no lens": by_corners(corners, BOARD, (1280, 720)),
    }
    outlines = np.concatenate([each.outline_mm(12) for each in BOARD.fields.values()])
    seen = camera().pixels(outlines, NEAR)
    off = {
        name: np.linalg.norm(located.view.on_plane(seen) - outlines, axis=1).max()
        for name, located in found.items()
    }
    assert off["tags"] < 1.0 and off["corners"] < 1.0
    assert off["no lens"] > 5.0  # what the lens is good for


def test_heights_are_seen_through_the_lens_too() -> None:
    view = by_corners(
        camera().pixels(CORNERS, NEAR), BOARD, (1280, 720), lens=view_of_lens(learnt(), (1280, 720))
    ).view
    tops = np.array([each.centre_mm for each in BOARD.fields.values()])
    assert np.linalg.norm(view.project(tops, 40.0) - camera().pixels(tops, NEAR, 40.0), axis=1).max() < 1.5


def test_the_board_alone_tells_the_focal_length_with_its_uncertainty() -> None:
    straight = Lens((1280, 720), 1100.0, (639.5, 359.5))
    points = np.array([each.centre_mm for each in BOARD.fields.values()])
    spreads = []
    for stand in (Stand((250, 900, 600), (250, 270)), Stand((250, 251, 850), (250, 250))):
        photo = grey(FlatCamera(straight, 2).take(render_artwork(BOARD, 4.0), 4.0, stand))
        located = refine(photo, by_tags(photo, BOARD), printed_surface(BOARD))
        lens = lens_of_board(located, points)
        assert lens.source == "board"
        assert abs(np.log(lens.focal_px / straight.focal_px)) < 3 * lens.focal_spread
        spreads.append(lens.focal_spread)
    assert spreads[0] < 0.03 and spreads[1] > 5 * spreads[0]  # straight from above hardly tells it


def test_the_phone_says_its_focal_length() -> None:
    lens = lens_of_exif((4000, 3000), 26.0)
    assert lens.focal_px == pytest.approx(3004, rel=0.01) and lens.focal_spread == 0.05
    assert 60 < lens.field_of_view_deg < 75


def test_coverage_says_where_to_hold_the_sheet_next() -> None:
    left = [sheet for sheet in sheets() if sheet.corners_px[:, 0].mean() < 560]
    seen = coverage(left)
    assert not seen.good and "right" in seen.hint.en and "rechts" in seen.hint.de
    assert seen.counts[1][0] + seen.counts[1][1] > seen.counts[1][2] + seen.counts[1][3]
    every = coverage(sheets())
    assert every.share > seen.share and every.tilted >= 4
    assert coverage([]).share == 0 and "photograph" in coverage([]).hint.en


def test_too_few_photographs_and_mixed_sizes() -> None:
    with pytest.raises(LensError, match="found in 2 photographs, at least 4 are needed"):
        fit_lens(sheets()[:2])
    other = Sheet((640, 480), sheets()[0].corners_px, sheets()[0].ids)
    with pytest.raises(LensError, match="different sizes"):
        fit_lens([*sheets(), other])


def test_a_shaken_photograph_is_left_out() -> None:
    bad = sheets()[0]
    shaken = Sheet(
        bad.size_px, bad.corners_px + np.random.default_rng(1).normal(0, 4, bad.corners_px.shape), bad.ids
    )
    lens = fit_lens([*sheets()[1:], shaken])
    assert lens.photos == len(sheets()) - 1 and (lens.rms_px or 9) < 0.3


def test_photographs_from_one_side_tell_no_lens() -> None:
    flat = FlatCamera(Lens((640, 360), 600.0, (319.5, 179.5)), 1)
    page = rasterise(charuco_page(PAPERS["a4"], "").drawing, 4.0)
    found = [
        find_sheet(grey(flat.take(page, 4.0, Stand((105 + n, 148.5, 500), (105 + n, 148.5)))))
        for n in range(5)
    ]
    with pytest.raises(LensError, match="same side"):
        fit_lens([sheet for sheet in found if sheet is not None])


def test_a_lens_is_scaled_and_refuses_other_shapes() -> None:
    half = BARREL.scaled((640, 360))
    assert half.focal_px == 397 and half.centre_px == (324.0, 175.75)
    with pytest.raises(LensError, match="1280 x 720 pixels, these have 640 x 480"):
        BARREL.scaled((640, 480))


def test_a_lens_is_kept_as_json() -> None:
    assert Lens.from_json(BARREL.to_json()) == BARREL
    for wrong in ({}, [], {**BARREL.to_json(), "distortion": [1, 2]}, {**BARREL.to_json(), "focal_px": "x"}):
        with pytest.raises(LensError, match="lens"):
            Lens.from_json(wrong)
