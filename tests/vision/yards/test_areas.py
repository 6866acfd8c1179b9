"""What stands in a yard: pillars and capstones with their shadows, seen from anywhere."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import ClassVar

import cv2
import numpy as np
import pytest

from engine.board import load_board
from engine.position import Piece
from tests.vision.conftest import over
from vision import Reader
from vision.geometry.bodies import Body, Prism, body_of
from vision.geometry.view import View
from vision.training.compose import Lamp, Lying
from vision.yards import areas
from vision.yards.areas import _cards_where_they_lie, _is_unread, _keep_one_figure
from vision.yards.cards import SeenCard
from vision.yards.ground import CELL_MM, KINDS, kinds_at
from vision.yards.marks import keep_one_mark
from vision.yards.solids import YARD, Stone, best, explain, yard
from vision.yards.trilith import DIRECTIONS, FALLEN, both

ANTHOLOGY = load_board("anthology")
BODIES = {kind: body_of(ANTHOLOGY.pieces[kind]) for kind in ("pillar", "capstone")}
STONE = np.array([0.52, 0.53, 0.54])


def stood(kind: str, at_mm: tuple[float, float], angle_deg: float = 20.0, number: int = 1) -> Lying:
    return Lying(BODIES[kind], at_mm, angle_deg, STONE, number)


def inside(stone: Stone) -> bool:
    """Whether a stone belongs to a yard that ends at 100 mm."""
    return stone.at_mm[0] < 100


def kinds_read(image: np.ndarray) -> list[str]:
    return sorted(piece.kind for piece in Reader("anthology", game="build").read(image).loose)


@pytest.mark.parametrize("azimuth_deg", [10, 130, 250])
@pytest.mark.parametrize("yard_id", ["yard-1", "yard-3"])
def test_a_pillar_with_its_long_shadow_is_one_pillar(picture_of, yard_id: str, azimuth_deg: float) -> None:
    x, y = np.cos(np.radians(azimuth_deg)), np.sin(np.radians(azimuth_deg))
    lamp = Lamp(np.array([0.9 * x, 0.9 * y, 0.43]), np.array([1.0, 1.05, 1.1]), 0.05)
    stone = stood("pillar", ANTHOLOGY.fields[yard_id].centre_mm)
    assert kinds_read(picture_of("anthology", more=[stone], lamp=lamp).image) == ["pillar"]


def test_stones_are_read_whose_tops_lean_out_of_the_board(picture_of) -> None:
    """The camera is on the other side: their heads are seen over the table."""
    stones = [stood("pillar", (100.0, 15.0)), stood("pillar", (60.0, 17.0), 70.0, 2)]
    assert kinds_read(picture_of("anthology", more=stones).image) == ["pillar", "pillar"]


@pytest.mark.parametrize("under_an_arm", [False, True])
def test_of_a_yard_that_is_told_as_not_seen_no_stones_are_told(
    picture_of, monkeypatch, under_an_arm: bool
) -> None:
    def seen(crop):
        chances = kinds_at(crop)
        ground, hidden = KINDS.index("ground"), KINDS.index("hidden")
        chances[[ground, hidden]] = chances[[hidden, ground]] if under_an_arm else chances[[ground, hidden]]
        return chances

    monkeypatch.setattr(areas, "kinds_at", seen)
    stone = stood("pillar", ANTHOLOGY.fields["yard-1"].centre_mm)
    read = Reader("anthology", game="build").read(picture_of("anthology", more=[stone]).image)
    assert ("yard-1" in read.unseen) is under_an_arm
    assert [piece.kind for piece in read.loose] == ([] if under_an_arm else ["pillar"])


@pytest.mark.parametrize("kinds", [(), ("capstone",), ("disc", "card")])
def test_a_board_may_lack_any_of_a_yards_pieces(picture_of, kinds: tuple[str, ...]) -> None:
    pieces = {kind: ANTHOLOGY.pieces[kind] for kind in ("block", *kinds)}
    stone = stood("capstone", ANTHOLOGY.fields["yard-1"].centre_mm)
    seen = Reader(replace(ANTHOLOGY, pieces=pieces)).read(picture_of("anthology", more=[stone]).image)
    assert {piece.kind for piece in seen.loose} <= set(kinds)


def test_pillars_side_by_side_are_two(picture_of) -> None:
    x, y = ANTHOLOGY.fields["yard-3"].centre_mm
    stones = [stood("pillar", (x - 9, y), 90.0), stood("pillar", (x + 9, y), 90.0, 2)]
    assert kinds_read(picture_of("anthology", more=stones).image) == ["pillar", "pillar"]


def test_pillars_that_lie_side_by_side_are_two() -> None:
    """One that lies across both explains most of them."""
    view = View((1280, 720), 1200.0, np.zeros(3), np.array([-50.0, -50.0, 1000.0]))
    lying = {"pillar": body_of(ANTHOLOGY.pieces["pillar"], lying=True)}
    patch, there = np.zeros((50, 50), np.uint8), [(41.0, 50.0), (58.0, 51.0)]
    for at_mm in there:
        outline, _ = lying["pillar"].outlines(view, at_mm, 135.0)[0]
        cv2.fillConvexPoly(patch, np.round(view.on_plane(outline) / CELL_MM).astype(np.int32), 1)
    patch[23:27, 20:30] = 1
    found = best(explain(patch, (0.0, 0.0), CELL_MM, view, lying, FALLEN, beam=DIRECTIONS))
    assert [each.kind for each in found] == ["pillar", "pillar"]
    for stone, at_mm in zip(sorted(found, key=lambda each: each.at_mm), there, strict=True):
        assert math.dist(stone.at_mm, at_mm) < 4 and abs(stone.angle_deg - 135) <= 15


@pytest.mark.parametrize("seems", [0.78, 1.0, 1.22])
def test_a_pillar_that_seems_taller_or_shorter_is_one(seems: float) -> None:
    """As where the camera is not known exactly. Seen from 45 degrees, over the patch's middle."""
    tilt = np.array([np.radians(135), 0.0, 0.0])
    view = View((1280, 720), 1200.0, tilt, np.array([-50.0, 0.0, 700.0]))
    tall = Prism(BODIES["pillar"].prisms[0].footprint_mm, 0.0, seems * BODIES["pillar"].top_mm)
    outline, _ = Body("pillar", (tall,), tall.high_mm).outlines(view, (50.0, 50.0), 0.0)[0]
    patch = np.zeros((60, 60), np.uint8)
    cv2.fillConvexPoly(patch, np.round(view.on_plane(outline) / CELL_MM).astype(np.int32), 1)
    found = best(explain(patch, (0.0, 0.0), CELL_MM, view, BODIES, YARD))
    assert [each.kind for each in found] == ["pillar"]
    assert math.dist(found[0].at_mm, (50.0, 50.0)) < 5


def test_what_looks_like_another_stone_is_worth_less_to_one() -> None:
    """Two pillars in a row have a capstone's outline from above; the network tells them apart."""
    view = View((1280, 720), 1200.0, np.zeros(3), np.array([-50.0, -50.0, 1000.0]))
    patch = np.zeros((50, 50), np.uint8)
    patch[22:28, 10:40] = 1
    like = {"pillar": np.full(patch.shape, 0.7, np.float32), "capstone": np.ones(patch.shape, np.float32)}
    found = [
        [each.kind for each in best(explain(patch, (0.0, 0.0), CELL_MM, view, BODIES, YARD, worth))]
        for worth in (like, {"pillar": like["capstone"], "capstone": 0.3 * like["pillar"]})
    ]
    assert found == [["capstone"], ["pillar", "pillar"]]


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
    kinds = [each.kind for each in yard(patches, [], [], inside) if each is not beyond]
    assert kinds == ["capstone", "pillar", "pillar"]


def test_the_ends_of_a_stone_explain_what_lies_between_them() -> None:
    """A capstone of 60 mm lies across the middle, seen from straight above, and only its ends differ."""
    view = View((1280, 720), 1200.0, np.array([np.pi, 0.0, 0.0]), np.array([-50.0, 50.0, 700.0]))
    first, last = np.zeros((60, 60), np.uint8), np.zeros((60, 60), np.uint8)
    first[22:28, 10:19], last[22:28, 30:40] = 1, 1
    around, worth = both(first, last, dict.fromkeys(BODIES, np.ones((60, 60), np.float32)))
    (value, (stone,)), *_ = explain(around, (0.0, 0.0), CELL_MM, view, BODIES, (("capstone",),), worth)
    assert stone.kind == "capstone" and value > 0
    assert abs(stone.at_mm[0] - 50) < 4 and abs(stone.at_mm[1] - 50) < 4 and stone.angle_deg in (0, 180)


class TestATrilithThatGrows:
    """Stones as a patch of 100 mm explains them, and what it is worth; the disc comes with the capstone."""

    CAPSTONE, LEFT, RIGHT, FAR = (
        Stone(kind, (x, 10.0), 0.0, 0.9)
        for kind, x in (("capstone", 40.0), ("pillar", 10.0), ("pillar", 30.0), ("pillar", 80.0))
    )

    MARK = Stone("disc", (50.0, 30.0), 0.0, 0.9)
    MARKED: ClassVar = [(0.0, [MARK])]

    def kinds(self, patches: list, discs: list = [], otherwise: list = []) -> list[str]:  # noqa: B006
        return sorted(each.kind for each in yard(patches, discs, otherwise, inside))

    def test_two_pillars_under_a_disc_are_the_whole_of_it(self) -> None:
        patch = [(700.0, [self.LEFT, self.RIGHT]), (520.0, [self.CAPSTONE, self.LEFT, self.RIGHT])]
        assert self.kinds([patch]) == ["pillar", "pillar"]
        assert self.kinds([patch, self.MARKED]) == ["capstone", "pillar", "pillar"]

    def test_what_looks_like_a_disc_is_the_pillar_that_it_lacks(self) -> None:
        patch, otherwise = [(900.0, [self.CAPSTONE, self.LEFT])], [[(10.0, [self.FAR])]]
        assert self.kinds([patch, self.MARKED], [[]], otherwise) == ["capstone", "pillar", "pillar"]

    def test_two_that_look_like_discs_are_both_its_pillars(self) -> None:
        patch, lacking = [(500.0, [self.CAPSTONE])], [[(-80.0, [self.LEFT])], [(-90.0, [self.FAR])]]
        discs = [[self.MARK], [self.MARK]]
        assert self.kinds([patch, self.MARKED], discs, lacking) == ["capstone", "pillar", "pillar"]

    def test_a_capstone_that_looks_like_its_mark_carries_it(self) -> None:
        patch = [(900.0, [self.LEFT, self.RIGHT])]
        otherwise = [[(-130.0, [self.CAPSTONE, self.MARK])]]
        assert self.kinds([patch], [[self.MARK]], otherwise) == ["capstone", "pillar", "pillar"]

    def test_what_looks_like_a_disc_is_no_pillar_where_none_is_lacking(self) -> None:
        patch, otherwise = [(900.0, [self.CAPSTONE, self.LEFT, self.RIGHT])], iter([None])
        assert self.kinds([patch, self.MARKED], [[]], otherwise) == ["capstone", "pillar", "pillar"]
        assert self.kinds([[(0.0, [])]], [[self.MARK]], [[(-260.0, [self.FAR])]]) == []

    def test_a_capstone_whose_middle_looks_like_print_is_one(self) -> None:
        """Four pillars in a yard are none; two of them may be the ends of what is lacking."""
        ends = [[(160.0, [self.LEFT]), (0.0, [])], [(60.0, [self.FAR]), (0.0, [])]]
        pillars = [[(450.0, [self.LEFT])], [(440.0, [self.RIGHT])]]
        joined = [((0, 1), [(300.0, [self.CAPSTONE])]), ((1, 2), [(-100.0, [self.CAPSTONE])])]
        stones = yard([*ends, *pillars, self.MARKED], [], [], inside, joined)
        assert sorted(each.kind for each in stones) == ["capstone", "pillar", "pillar"]
        # What is a growing trilith already is not asked.
        assert sorted(each.kind for each in yard(pillars, [], [], inside, iter([None]))) == ["pillar"] * 2

    def test_an_odd_yard_that_is_plainly_seen_is_told(self) -> None:
        patch = [(900.0, [self.CAPSTONE]), (500.0, [self.LEFT, self.RIGHT])]
        assert self.kinds([patch]) == ["capstone"]


@pytest.mark.parametrize(
    "field, elevation_deg", [("ring-7", 25), ("ring-24", 25), ("ring-7", 35), ("ring-24", 35)]
)
@pytest.mark.parametrize("colour", ["yellow", "blue"])
def test_the_head_of_a_figure_on_a_field_is_no_disc_in_the_yard(
    picture_of, field: str, elevation_deg: float, colour: str
) -> None:
    view = over(ANTHOLOGY, elevation_deg=elevation_deg)
    assert kinds_read(picture_of("anthology", [("figure", field, colour)], view=view).image) == []


def test_a_disc_beside_a_figure_that_stands_before_the_yard_is_seen(picture_of) -> None:
    disc = Lying(body_of(ANTHOLOGY.pieces["disc"]), (388.0, 40.0), 0.0, np.array([0.2, 0.5, 0.2]), 9)
    view = over(ANTHOLOGY, elevation_deg=35)
    image = picture_of("anthology", [("figure", "ring-7", "yellow")], view=view, more=[disc]).image
    assert kinds_read(image) == ["disc"]


class TestCardsReachAsFarAsTheyAre:
    """A stone stands beside a card; the ground network takes its foot for card, hardly for a pillar."""

    CARD = SeenCard("trilith-red", (60.0, 50.0), 0.0, 0.99)

    @pytest.fixture
    def chances(self) -> np.ndarray:
        """100 by 100 mm, in whose middle a card of 50 by 34 mm lies at 60, 50, and 10 by 10 mm beside it."""
        found = np.zeros((len(KINDS), 50, 50), np.float32)
        found[KINDS.index("ground")] = 0.9
        found[:, 16:34, 18:43] = found[:, 20:25, 10:15] = 0
        for kind, chance in (("card", 0.6), ("pillar", 0.3), ("ground", 0.1)):
            found[KINDS.index(kind), 16:34, 18:43] = found[KINDS.index(kind), 20:25, 10:15] = chance
        return found

    def winners(self, chances: np.ndarray, cards: list[SeenCard]) -> tuple[set[str], set[str]]:
        after = _cards_where_they_lie(chances, cards, (0.0, 0.0)).argmax(axis=0)
        return tuple(
            {KINDS[n] for n in np.unique(after[part])} for part in (np.s_[18:32, 20:40], np.s_[20:25, 10:15])
        )

    def test_what_lies_beside_a_card_that_was_read_is_something_else(self, chances: np.ndarray) -> None:
        assert self.winners(chances, [self.CARD]) == ({"card"}, {"pillar"})

    def test_without_a_card_that_was_read_nothing_is_known_of_it(self, chances: np.ndarray) -> None:
        assert self.winners(chances, []) == ({"card"}, {"card"})

    def test_another_card_may_lie_there_that_was_not_read(self, chances: np.ndarray) -> None:
        chances[KINDS.index("card"), 36:50] = 1.0
        chances[KINDS.index("pillar"), 36:50] = 0.0
        assert self.winners(chances, [self.CARD]) == ({"card"}, {"card"})


class Loose:
    """What was read in areas."""

    def __init__(self, *pieces: Piece):
        self.loose = [*pieces]

    def lying_in(self, area):
        return [piece for piece in self.loose if piece.field == area]


@pytest.mark.parametrize(
    ("colour", "x_mm", "confidence", "kept"),
    [
        ("white", 380.0, 0.52, True),
        ("white", 340.0, 0.52, False),
        ("white", 340.0, 0.9, True),
        ("green", 340.0, 0.65, True),
    ],
)
def test_a_grey_end_of_a_stone_far_from_the_others_is_no_disc(colour, x_mm, confidence, kept):
    """Which of the stones is the capstone may be told wrongly: a disc of a colour lies on one of them."""
    stones = [
        Piece(kind, "grey", field="yard-1", x_mm=x, y_mm=40.0)
        for kind, x in (("capstone", 400.0), ("pillar", 385.0), ("pillar", 415.0))
    ]
    disc = Piece("disc", colour, field="yard-1", x_mm=x_mm, y_mm=40.0, confidence=confidence)
    sight = Loose(*stones, disc)
    keep_one_mark(ANTHOLOGY, sight, "yard-1")
    assert (disc in sight.loose) == kept and all(stone in sight.loose for stone in stones)


@pytest.mark.parametrize(("seen_mm", "unread"), [((40, 6), False), ((40, 8), True), ((60, 44), True)])
def test_more_of_a_card_than_those_that_were_read_explain(seen_mm: tuple[int, int], unread: bool) -> None:
    """A card under a hand: so much of it is seen, (long, wide); its yard is not known, unless it was read."""
    winner = np.zeros((50, 60), np.int64)
    rows, columns = (slice(4, 4 + each // CELL_MM) for each in reversed(seen_mm))
    winner[rows, columns] = KINDS.index("card")
    origin_mm, inside = (100.0, 200.0), np.ones(winner.shape, bool)
    card = SeenCard("12-night", (140.0, 230.0), 0.0, 0.9)
    assert _is_unread(winner, [], origin_mm, inside) is unread
    assert not _is_unread(winner, [card], origin_mm, inside)
    assert not _is_unread(winner, [], origin_mm, ~inside)
