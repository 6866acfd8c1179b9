"""What the networks are told of a photograph that they learn from."""

from __future__ import annotations

from typing import Any

import pytest

from engine.board import Board, load_board
from vision.places import Place
from vision.training.photographs import truth_of
from vision.training.scenes import Truth

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
