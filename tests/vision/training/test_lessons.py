"""What the networks are told of a photograph that they learn from."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.own_boards import PX_PER_MM, random_own_board
from engine.board import Board, load_board
from sample_images.generator.camera import place_camera
from sample_images.generator.scene import Camera
from vision.fields.places import Place
from vision.geometry.bodies import placed
from vision.training.compose import Lying, compose, from_afar, random_lighting
from vision.training.heaps import heap_of_blocks
from vision.training.photographs import lessons_of, truth_of
from vision.training.scenes import EMPTY, HIDDEN, Truth, random_view
from vision.training.sets import random_set

NAMES = ["blue", "red", "white"]


@pytest.fixture
def board() -> Board:
    return load_board("anthology")


def told(
    board: Board, game: str, pieces: list[dict[str, Any]], solids: list[dict[str, Any]]
) -> list[tuple[Place, Truth]]:
    label = {"game": game, "pieces": pieces, "solids": solids, "occluded": [], "seen": {}}
    return list(zip(*truth_of(board, label, NAMES), strict=True))


def test_of_discs_on_one_another_the_uppermost_is_seen(board: Board) -> None:
    pieces = [{"kind": "disc", "colour": colour, "field": "pit-3-day"} for colour in ("red", "blue")]
    place, truth = next(
        (place, what) for place, what in told(board, "roulette", pieces, []) if place.id == "pit-3-day"
    )
    assert place.bodies[truth.body].kind == "disc"
    assert NAMES[truth.colour] == "blue"


@pytest.mark.parametrize("beside", ["slot-7", "ring-7"])
def test_a_block_is_where_on_its_field_it_lies(board: Board, beside: str) -> None:
    x, y = board.fields[beside].centre_mm
    pieces = [{"kind": "block", "colour": "white", "field": "ring-7"}]
    solids = [{"kind": "block", "x_mm": x + 3, "y_mm": y - 2}]
    seen = {
        place.at_mm: truth
        for place, truth in told(board, "build", pieces, solids)
        if place.id == "ring-7" and any(body.kind == "block" for body in place.bodies)
    }
    lying = [at for at, truth in seen.items() if truth.body >= 0]
    assert lying == [board.fields[beside].centre_mm]
    # Where it lies on the coloured part nobody looks for it elsewhere.
    assert len(seen) == (1 if beside == "ring-7" else 2)


def test_a_figure_stays_where_it_stands_though_a_block_lies_near(board: Board) -> None:
    x, y = board.fields["slot-8"].centre_mm
    pieces = [
        {"kind": "figure", "colour": "red", "field": "ring-7"},
        {"kind": "block", "colour": "white", "field": "ring-8"},
    ]
    solids = [{"kind": "block", "x_mm": x, "y_mm": y}]
    for place, truth in told(board, "build", pieces, solids):
        if place.id == "ring-7":
            assert place.at_mm == board.fields["ring-7"].centre_mm
            assert place.bodies[truth.body].kind == "figure"


@pytest.mark.parametrize("seed", range(12))
def test_boards_of_ones_own_have_fields_apart_and_pieces_that_fit_them(seed: int) -> None:
    board, texture = random_own_board(np.random.default_rng(seed))
    width, height = board.size_mm
    assert texture.dtype == np.uint8 and texture.std() > 1
    assert texture.shape[:2] == (round(height * PX_PER_MM), round(width * PX_PER_MM)) or board.id == "grid"
    fields = list(board.fields.values())
    assert len(fields) >= 8
    for field in fields:
        (x, y), reach = field.centre_mm, field.radius_mm
        assert reach - 0.5 <= x <= width - reach + 0.5 and reach - 0.5 <= y <= height - reach + 0.5
    apart = [math.dist(a.centre_mm, b.centre_mm) for a, b in combinations(fields, 2)]
    assert min(apart) >= 2 * fields[0].radius_mm - 1e-6
    assert board.pieces["disc"].diameter_mm < 2 * fields[0].radius_mm


def test_figures_of_a_hundred_sets_are_slim_and_stout_round_and_flat() -> None:
    """No network may take one maker's figures for what figures look like."""
    pieces = {"figure": load_board("anthology").pieces["figure"]}
    figures = [random_set(np.random.default_rng(seed), pieces).bodies["figure"] for seed in range(100)]
    waists = []
    for figure in figures:
        low = [prism for prism in figure.prisms if prism.low_mm < 0.45 * figure.top_mm < prism.high_mm]
        corners = np.array(low[0].footprint_mm)
        waists.append(np.ptp(corners[:, 1]) / np.ptp(np.array(figure.prisms[0].footprint_mm)[:, 0]))
    assert min(waists) < 0.4 and max(waists) > 0.8
    flat = [len(figure.prisms[0].footprint_mm) == 4 for figure in figures]
    assert 3 <= sum(flat) <= 30


@pytest.mark.parametrize("aside_mm", [(4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0)])
@pytest.mark.parametrize("under", ["trilith", "disc"])
def test_what_lies_on_another_piece_is_drawn_after_it_on_whichever_side_of_its_middle(
    board: Board, under: str, aside_mm: tuple[float, float]
) -> None:
    rng = np.random.default_rng(3)
    bodies, view = random_set(rng, board.pieces).bodies, random_view(rng, board.size_mm, (640, 480))
    at_mm = (250.0, 250.0)
    top_mm = (at_mm[0] + aside_mm[0], at_mm[1] + aside_mm[1])
    print_ = np.full((500, 500, 3), 200, np.uint8)
    pieces = [
        Lying(bodies["disc"], top_mm, 0.0, np.full(3, 0.9), 2, bodies[under].top_mm),
        Lying(bodies[under], at_mm, 0.0, np.full(3, 0.3), 1),
    ]
    _, numbers = compose(rng, print_, board.size_mm, view, pieces, random_lighting(rng), np.full(3, 0.1))
    high_mm = bodies[under].top_mm + bodies["disc"].top_mm
    x, y = view.project(np.array([top_mm]), high_mm)[0].round().astype(int)
    assert numbers[y, x] == 2


def test_a_nearer_piece_is_drawn_after_what_lies_on_one_behind_it(board: Board) -> None:
    rng = np.random.default_rng(3)
    bodies, view = random_set(rng, board.pieces).bodies, random_view(rng, board.size_mm, (640, 480))
    middle = np.array(board.size_mm) / 2
    towards = view.camera_mm[:2] - middle
    far, near = (middle + away * towards / np.linalg.norm(towards) for away in (-20, 20))
    lower, nearer = (Lying(bodies["disc"], tuple(at), 0.0, np.zeros(3), n) for n, at in ((1, far), (3, near)))
    upper = Lying(bodies["disc"], tuple(far), 0.0, np.zeros(3), 2, bodies["disc"].top_mm)
    assert [piece.number for piece in from_afar([nearer, upper, lower], view)] == [1, 2, 3]


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 180.0, 270.0])
def test_the_blocks_of_a_layer_are_drawn_from_afar_and_those_across_them_after_all(
    board: Board, turn_deg: float
) -> None:
    rng = np.random.default_rng(4)
    block, view = random_set(rng, board.pieces).bodies["block"], random_view(rng, board.size_mm, (640, 480))
    heap = list(heap_of_blocks(rng, block, (250.0, 250.0), turn_deg, 6, np.full(3, 0.5, np.float32), 0.0))
    drawn = from_afar(heap, view)
    away = {
        id(piece): math.dist(
            placed(np.array(piece.body.prisms[0].footprint_mm), piece.at_mm, piece.angle_deg).mean(axis=0),
            view.camera_mm[:2],
        )
        for piece in heap
    }
    levels = [piece.ground_mm for piece in drawn]
    assert levels == sorted(levels)
    for level in set(levels):
        layer = [away[id(piece)] for piece in drawn if piece.ground_mm == level]
        assert layer == sorted(layer, reverse=True)


def test_a_board_of_ones_own_is_learnt_from_beside_its_own_print(tmp_path: Path) -> None:
    board, drawn = random_own_board(np.random.default_rng(5))
    disc = replace(board.pieces["disc"], colours=("red", "white"))
    board = replace(board, pieces={"disc": disc}, palette={"red": (190, 30, 30), "white": (235, 235, 230)})
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "7.json").write_text(json.dumps(board.to_json()))
    cv2.imwrite(str(tmp_path / "boards" / "7.png"), drawn)
    camera = place_camera(Camera(elevation_deg=60, width_px=640, height_px=480), board.size_mm)
    print_px = np.array([[0, 0], [drawn.shape[1], 0], drawn.shape[1::-1], [0, drawn.shape[0]]], np.float32)
    corners = camera.project(np.array(board.corners_mm)).astype(np.float32)
    flat = cv2.warpPerspective(drawn, cv2.getPerspectiveTransform(print_px, corners), (640, 480))
    cv2.imwrite(str(tmp_path / "7.jpg"), flat, [cv2.IMWRITE_JPEG_QUALITY, 95])
    first, second, *_ = board.fields
    label = {
        "board": "boards/7.json", "game": None, "style": None, "camera": camera.to_json(),
        "pieces": [{"kind": "disc", "colour": "white", "field": first}], "occluded": [second], "seen": {},
    }  # fmt: skip
    (tmp_path / "7.json").write_text(json.dumps(label))
    sample, *_ = lessons_of(tmp_path / "7.jpg", np.random.default_rng(1))
    assert sorted(set(sample.labels.tolist())) == [EMPTY, 1, HIDDEN]
    # Of a photograph in which nothing lies each crop shows what its print does.
    photo, expected = sample.crops[:, 0:3].astype(float), sample.crops[:, 3:6].astype(float)
    other = np.roll(expected, 1, axis=0)
    assert np.abs(photo - expected).mean() < 0.5 * np.abs(photo - other).mean()
