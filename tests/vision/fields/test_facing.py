"""Which way the stone ball looks: told of a face that can be seen, not told of what cannot."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Thing
from tests.vision.conftest import over
from vision import Reader
from vision.fields.beliefs import SURE_OF_FACING, told
from vision.fields.facing import CHANNELS, SIDE_PX, clockwise_chances, clockwise_deg, sides
from vision.geometry.bodies import Body, Prism, body_of
from vision.training.compose import Lying

BOARD = load_board("anthology")
FIGURE = body_of(BOARD.pieces["figure"])
STONE = np.array([0.5, 0.52, 0.53])
# Seen from the board's printed bottom edge these are seen from the side, more or less.
ASIDE = ("ring-1", "ring-14", "ring-16", "ring-29")
FACES = {"pale": (0.75, 0.88, 0.95), "dark": (0.06, 0.06, 0.08), "red": (0.1, 0.2, 0.8)}
BALL, RIGHT, LEFT = (Thing("figure", "grey", facing=way) for way in (None, "clockwise", "anticlockwise"))
CROPS = Path(__file__).with_name("faces.npz")


def figure(field: str, clockwise: bool, face: np.ndarray | None, number: int) -> list[Lying]:
    """A stone figure with a beak of this colour (BGR 0..1), or with none."""
    at = BOARD.fields[field].centre_mm
    turn = clockwise_deg(BOARD, at) + 180 * (not clockwise)
    lying = [Lying(FIGURE, at, turn, STONE, number, gloss=0.1)]
    if face is not None:
        angles = np.arange(12) * np.pi / 6
        outline = tuple((float(5 * np.cos(a)), float(2.6 * np.sin(a))) for a in angles)
        beak = Body("face", (Prism(outline, 22.5, 28.5, 0.8),), 28.5)
        ahead = math.radians(turn)
        spot = (at[0] + 5 * math.cos(ahead), at[1] + 5 * math.sin(ahead))
        lying.append(Lying(beak, spot, turn, face, number, gloss=0.1))
    return lying


@pytest.fixture
def read(picture_of):
    def make(figures, elevation_deg=45.0):
        picture = picture_of("anthology", view=over(BOARD, (1280, 960), elevation_deg), more=figures)
        return Reader("anthology", game="roulette").read(picture.image)

    return make


@pytest.mark.parametrize(
    "face", [(0.75, 0.88, 0.95), (0.06, 0.06, 0.08), (0.1, 0.2, 0.8)], ids=["pale", "dark", "red"]
)
def test_a_face_tells_the_way(read, face):
    ways = dict(zip(ASIDE, (True, False, True, False), strict=True))
    figures = [
        part for n, (f, way) in enumerate(ways.items(), 1) for part in figure(f, way, np.array(face), n)
    ]
    seen = read(figures)
    for field, way in ways.items():
        clockwise, other = (
            seen.probability(field, Thing("figure", "grey", facing=facing))
            for facing in ("clockwise", "anticlockwise")
        )
        assert (clockwise > other) is way
    told_of = {piece.field: piece.facing for piece in seen.position if piece.facing}
    assert len(told_of) >= 2
    assert all((facing == "clockwise") is ways[field] for field, facing in told_of.items())


def test_a_figure_without_a_face_is_read_and_little_is_said_of_its_way(read):
    """Not nothing: print that shows beside the head is now and then taken for a face."""
    seen = read([part for n, field in enumerate(ASIDE, 1) for part in figure(field, True, None, n)])
    balls = [piece for piece in seen.position if piece.kind == "figure"]
    assert {piece.field for piece in balls} == set(ASIDE)
    assert sum(piece.facing is None for piece in balls) >= 2
    assert all(piece.confidence > 0.8 for piece in balls if piece.facing is None)
    assert max(seen.probability(field, way) for field in ASIDE for way in (RIGHT, LEFT)) < 0.95


def test_faces_from_rendered_photographs():
    """Figures as the reader cut them out of photographs that nothing was learnt from."""
    with np.load(CROPS) as kept:
        crops, ways, clockwise = kept["crops"].astype(np.float32) / 182, kept["ways"], kept["clockwise"]
    said = clockwise_chances(crops, ways)
    sure = np.maximum(said, 1 - said) >= SURE_OF_FACING
    assert ((said > 0.5) == clockwise)[sure].all()
    assert sure.mean() > 0.4


def test_the_opposite_way_gets_the_opposite_answer():
    with np.load(CROPS) as kept:
        crops, ways = kept["crops"].astype(np.float32) / 182, kept["ways"]
    both = clockwise_chances(crops, ways) + clockwise_chances(crops, -ways)
    assert np.abs(both - 1).max() < 0.15
    assert sides(crops[0], ways[0]).shape == (CHANNELS, SIDE_PX, SIDE_PX)


def test_clockwise_is_the_way_the_numbers_go_round_the_ring():
    for field in BOARD.fields_of_kind("ring"):
        assert math.cos(math.radians(clockwise_deg(BOARD, field.centre_mm) - field.angle_deg)) > 0.999


@pytest.mark.parametrize(
    ("belief", "thing", "confidence"),
    [
        ({None: 0.02, RIGHT: 0.95, LEFT: 0.03}, RIGHT, 0.95),
        ({None: 0.02, RIGHT: 0.6, LEFT: 0.38}, BALL, 0.98),
        # Together the two ways are likelier than that nothing stands there.
        ({None: 0.4, RIGHT: 0.35, LEFT: 0.25}, BALL, 0.6),
        ({None: 0.9, RIGHT: 0.1, LEFT: 0.0}, None, 0.9),
        ({None: 0.3, Thing("disc", "red"): 0.7}, Thing("disc", "red"), 0.7),
    ],
)
def test_the_way_is_told_only_if_it_is_sure(belief, thing, confidence):
    said, chance = told(belief)
    assert said == thing and chance == pytest.approx(confidence)
