"""What a patch in a yard is: a capstone, or a pillar with its shadow."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Piece
from vision import Reader
from vision.areas import _keep_one_figure, without_shadow
from vision.bodies import body_of
from vision.ground import CELL_MM
from vision.solids import YARD, Stone, best, explain, yard
from vision.training.compose import Lying
from vision.view import View

# Straight from above, a metre over the middle of the patch; 30 x 6 cells are 60 x 12 mm.
ABOVE = View((1280, 720), 1200.0, np.zeros(3), np.array([-50.0, -50.0, 1000.0]))
PATCH = np.zeros((50, 50), np.uint8)
PATCH[22:28, 10:40] = 1
BODIES = {kind: body_of(load_board("anthology").pieces[kind]) for kind in ("pillar", "capstone")}


def seen(end: float, middle: float, rest: float) -> list[str]:
    """What is found if the left end, the middle and the rest of the patch are so unlike the ground."""
    unlike = np.full(PATCH.shape, 0.1, np.float32)
    unlike[PATCH > 0] = rest
    unlike[22:28, 10:17] = end
    unlike[22:28, 22:28] = middle
    stone = without_shadow(PATCH, unlike)
    return [
        each.kind for each in best(explain(stone, (0.0, 0.0), CELL_MM, ABOVE, BODIES, YARD, PATCH - stone))
    ]


def test_a_pillar_with_its_shadow_is_no_capstone():
    assert seen(end=2.0, middle=0.3, rest=0.3) == ["pillar"]


def test_the_shadow_is_not_taken_for_a_second_pillar():
    """A stone of 18 x 14 mm, a pillar with its dark side, and beside it a shadow of nearly the same size."""
    patch, unlike = np.zeros((50, 50), np.uint8), np.full((50, 50), 0.1, np.float32)
    patch[20:28, 20:40] = 1
    unlike[20:28, 20:28] = 3.0
    stone = without_shadow(patch, unlike)
    assert stone[20:28, 20:28].all() and not stone[:, 30:].any()


@pytest.mark.parametrize(
    "capstone",
    [(0.4, 0.4, 0.4), (2.0, 2.0, 2.0), (0.4, 9.0, 0.4), (2.0, 1.6, 1.2)],
    ids=["like the ground", "unlike it", "with a disc on it", "half in the shade"],
)
def test_a_capstone_stays_one(capstone):
    assert seen(*capstone) == ["capstone"]


def test_a_set_has_one_figure_of_each_colour():
    white, shadow, red = (
        Piece("figure", colour, field="altar", lying=True, x_mm=x, y_mm=200.0, confidence=sure)
        for colour, x, sure in (("white", 200.0, 0.9), ("white", 212.0, 0.4), ("red", 250.0, 0.5))
    )
    sight = SimpleNamespace(loose=[shadow, white, red])
    _keep_one_figure(sight)
    assert [piece.x_mm for piece in sight.loose] == [200.0, 250.0]


@pytest.mark.parametrize("shade", [0.42, 0.55, 0.68, 0.8])
def test_a_bare_capstone_of_any_stone_carries_no_mark(picture_of, shade: float) -> None:
    board = load_board("anthology")
    outline = board.fields["yard-1"].outline_mm()
    middle = (float(np.mean([x for x, _ in outline])), float(np.mean([y for _, y in outline])))
    stone = Lying(BODIES["capstone"], middle, 35.0, np.array([0.98, 1.0, 1.02]) * shade, 1)
    seen = Reader("anthology", game="build").read(picture_of("anthology", more=[stone]).image)
    assert [piece.kind for piece in seen.loose] == ["capstone"]


def test_a_stone_beyond_the_yard_is_no_part_of_its_trilith():
    """Two pillars close together explain a patch nearly as well as one; with the capstone they are a whole
    trilith, and what stands beyond the yard is another's."""
    capstone, left, right, beyond = (
        Stone(kind, (x, 10.0), 0.0, 0.9)
        for kind, x in (("capstone", 40.0), ("pillar", 10.0), ("pillar", 30.0), ("pillar", 200.0))
    )
    patches = [
        [(1700.0, [capstone, left]), (1670.0, [capstone, left, right])],
        [(0.0, []), (300.0, [beyond])],
    ]
    kinds = [each.kind for each in yard(patches, lambda x, _: x < 100) if each is not beyond]
    assert kinds == ["capstone", "pillar", "pillar"]
