"""What earlier pictures of a table tell of a new one: on boards that are not ours."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.board import Board, Field, PieceType, load_board
from engine.position import Piece, Position, Thing
from tests.vision.conftest import reader_of
from vision import Reader
from vision.compare import compare
from vision.fields.covered import BEHIND, TOO_BRIGHT
from vision.fields.places import places_of
from vision.following.changes import Apart
from vision.following.lying import after, lay_before
from vision.following.memory import Memory, Settled
from vision.geometry.view import fit_view
from vision.prints.bare import bare_surface

RED, BLUE = Thing("disc", "red"), Thing("disc", "blue")
HARDLY, SURELY = 0.02, 0.98
# How a place looks on which a shadow has fallen, and one on which a piece has been laid.
SHADED, COVERED = Apart(0.4, 0.0, 0.06, differs=-3.0), Apart(0.6, 0.5, 0.25, redrawn=0.3, differs=3.0)


def likeliest(belief):
    return max(belief, key=belief.__getitem__)


def test_what_has_not_changed_is_as_it_was():
    assert likeliest(after({RED: 0.9, None: 0.1}, {None: 1.0}, HARDLY)) is None
    assert likeliest(after({BLUE: 0.7, RED: 0.3}, {RED: 1.0}, HARDLY)) == RED


def test_what_has_changed_is_as_it_is_seen():
    told = after({RED: 0.999, None: 0.001}, {None: 1.0}, SURELY)
    assert told[RED] == pytest.approx(SURELY) and sum(told.values()) == pytest.approx(1)
    assert likeliest(after({RED: 0.4, BLUE: 0.3, None: 0.3}, {RED: 1.0}, SURELY)) is None


def test_what_is_laid_down_unseen_is_a_figure_more_seldom_than_a_block():
    block, figure = Thing("block", "white"), Thing("figure", "white")
    hardly_seen = {None: 0.997, block: 0.001, figure: 0.002}
    assert likeliest(after(hardly_seen, {None: 1.0}, SURELY)) == block
    assert likeliest(after({None: 0.5, block: 0.01, figure: 0.49}, {None: 1.0}, SURELY)) == figure


def test_what_was_never_thought_possible_does_not_rule_out_what_lay_there():
    assert after({RED: 1.0}, {BLUE: 1.0}, HARDLY)[BLUE] > 0.9


def test_a_direction_that_was_left_open_may_be_any():
    ball = Thing("figure", "grey", facing="clockwise")
    told = after({ball: 0.7, None: 0.3}, {Thing("figure", "grey"): 1.0}, HARDLY)
    assert told[ball] > 0.95


def test_what_was_told_in_doubt_gives_way_to_what_is_clearly_seen_later():
    doubted = {RED: 0.55, BLUE: 0.44, None: 0.01}
    clearly = {BLUE: 0.99, RED: 0.01}
    assert likeliest(after(clearly, doubted, HARDLY, relit=True)) == BLUE
    assert likeliest(after(clearly, {RED: 1.0}, HARDLY, relit=True)) == RED
    # In the same light the same mistake is made.
    assert likeliest(after(clearly, doubted, HARDLY)) == RED


def test_a_piece_is_seldom_replaced_by_another():
    assert likeliest(after({BLUE: 0.99, RED: 0.01}, {RED: 1.0}, 0.8)) == RED
    assert likeliest(after({None: 0.99, RED: 0.01}, {RED: 1.0}, 0.8)) is None
    assert likeliest(after({BLUE: 0.99, RED: 0.01}, {RED: 1.0}, SURELY)) == BLUE


def test_a_position_that_says_what_was_read_makes_it_no_surer():
    doubted = {RED: 0.55, BLUE: 0.45}
    memory = Memory(load_board("anthology"), lay={"pit-1-day": doubted, "pit-2-day": doubted})
    memory.told({"pit-1-day": {RED: 1.0}, "pit-2-day": {BLUE: 1.0}}, unseen=[])
    assert memory.lay == {"pit-1-day": doubted, "pit-2-day": {BLUE: 1.0}}


def test_only_another_light_makes_surer_of_what_lies_there():
    memory, sight = Memory(load_board("anthology"), lay={"pit-1-day": {RED: 0.8, BLUE: 0.2}}), Believing()
    for chance, relit, believed in ((0.9, False, 0.8), (0.9, True, 0.9), (0.85, True, 0.9)):
        sight.beliefs["pit-1-day"] = {RED: chance, BLUE: 1 - chance}
        memory.keep(sight, ["pit-1-day"], relit=relit)
        assert memory.lay["pit-1-day"][RED] == believed


def test_a_change_that_was_doubted_stays_doubtful():
    memory, sight = Memory(load_board("anthology"), lay={"pit-1-day": {RED: 1.0}}), Believing()
    sight.beliefs["pit-1-day"] = {RED: 0.7, None: 0.3}
    for renewed, believed in ((set(), 1.0), ({"pit-1-day"}, 0.7)):
        memory.renewed = renewed
        memory.keep(sight, ["pit-1-day"], relit=False)
        assert memory.lay["pit-1-day"][RED] == believed


def test_a_position_that_shows_nothing_where_nothing_was_seen_says_nothing():
    memory = Memory(load_board("anthology"), lay={"pit-1-day": {RED: 1.0}, "pit-2-day": {RED: 1.0}})
    memory.told({"pit-1-day": {None: 1.0}, "pit-2-day": {None: 1.0}}, unseen=["pit-1-day"])
    assert memory.lay == {"pit-1-day": {RED: 1.0}, "pit-2-day": {None: 1.0}}


def test_of_hidden_places_and_of_several_things_nothing_is_known():
    pieces = (
        Piece("disc", "red", field="pit-1-day"),
        Piece("disc", "red", field="pit-1-day"),
        Piece("disc", "red", field="pit-2-day"),
        Piece("disc", "blue", field="pit-2-day"),
        Piece("trilith", "grey", fields=("ring-4", "ring-5")),
    )
    position = Position("anthology", pieces, "ramming", ("ring-5", "ring-9"))
    names = ["pit-1-day", "pit-2-day", "pit-3-day", "ring-4+ring-5", "ring-4+ring-5^", "ring-9"]
    lay = lay_before(position, names)
    assert lay == {"pit-1-day": {Thing("disc", "red", count=2): 1.0}, "pit-3-day": {None: 1.0}}


class Believing:
    """What was read of three places in a picture, before it is weighed with what lay there."""

    def __init__(self):
        self.beliefs = {name: {RED: 0.8, None: 0.2} for name in ("pit-1-day", "pit-2-day", "pit-3-day")}
        self.unseen = {}


def test_a_shadow_does_not_turn_what_lay_there_into_something_else():
    board = load_board("anthology")
    places = places_of(board, "roulette")
    places = [place for place in places if place.id in Believing().beliefs]
    memory, sight = Memory(board), Believing()
    memory.lay = {place.id: {None: 1.0} for place in places}
    memory.apart = {"pit-1-day": COVERED, "pit-2-day": SHADED, "pit-3-day": SHADED}
    memory.weigh(sight, places, (), arm=False, relit=False)
    told = {name: likeliest(belief) for name, belief in sight.beliefs.items()}
    assert told == {"pit-1-day": RED, "pit-2-day": None, "pit-3-day": None}


def test_a_bare_place_that_looks_otherwise_carries_something_unless_it_did_so_before():
    """In the same light, and only in the first picture in which it does: what made it look so may stay."""
    board = load_board("anthology")
    (place,) = (place for place in places_of(board, "roulette") if place.id == "pit-2-day")
    memory = Memory(board, lay={place.id: {None: 1.0}}, apart={place.id: replace(SHADED, details=0.1)})
    told = []
    for unlike in (set(), {place.id}):
        sight, memory.unlike = Believing(), unlike
        memory.weigh(sight, [place], (), arm=False, relit=False)
        told.append(likeliest(sight.beliefs[place.id]))
    assert told == [RED, None] and memory.unlike == {place.id}


def test_a_hidden_place_of_which_something_else_is_seen_is_not_known_again_later():
    board = load_board("anthology")
    names = ("pit-1-day", "pit-2-day")
    places = [place for place in places_of(board, "roulette") if place.id in names]
    sight = Believing()
    sight.unseen = dict.fromkeys(names, BEHIND)
    looks = Settled(np.zeros((1, 3, 4, 4), np.float32), {}, ())
    memory = Memory(board, lay={name: {RED: 1.0} for name in names}, settled=dict.fromkeys(names, looks))
    memory.apart = {"pit-1-day": SHADED, "pit-2-day": COVERED}
    memory.weigh(sight, places, (), arm=False, relit=False)
    assert memory.settled.keys() == {"pit-1-day"} and sight.unseen.keys() == {"pit-2-day"}


def test_what_looks_as_before_is_not_hidden():
    """The network may take a disc beside which another was laid for hidden, though it is seen as before."""
    board = load_board("anthology")
    names = ("pit-1-day", "pit-2-day", "pit-3-day")
    places = [place for place in places_of(board, "roulette") if place.id in names]
    sight = Believing()
    sight.unseen = dict.fromkeys(names, BEHIND)
    memory = Memory(board, lay={name: {RED: 1.0} for name in names}, hidden=frozenset({"pit-3-day"}))
    memory.apart = {"pit-1-day": SHADED, "pit-2-day": COVERED, "pit-3-day": SHADED}
    memory.weigh(sight, places, (), arm=False, relit=False)
    assert sight.unseen.keys() == {"pit-2-day", "pit-3-day"} and likeliest(sight.beliefs["pit-1-day"]) == RED


def test_what_was_never_seen_is_told_only_where_it_surely_is():
    """What a network guessed of a hidden place is no knowledge."""
    board = load_board("anthology")
    places = [place for place in places_of(board, "roulette") if place.id in Believing().beliefs]
    sight, memory = Believing(), Memory(board)
    sight.beliefs |= {"pit-1-day": {RED: 0.7, None: 0.3}, "pit-2-day": {RED: 0.99, None: 0.01}}
    guessed = {name: {None: 0.8, RED: 0.2} for name in sight.beliefs}
    memory.starts_with(guessed, hidden=["pit-1-day", "pit-2-day"])
    assert memory.lay.keys() == {"pit-3-day"}
    memory.weigh(sight, places, (), arm=False, relit=True)
    assert sight.unseen.keys() == {"pit-1-day"} and likeliest(sight.beliefs["pit-2-day"]) == RED


def test_what_was_dark_and_is_burnt_out_has_most_likely_gone():
    """Nothing stands before it; but it may mirror a lamp."""
    board = load_board("anthology")
    names = ("pit-1-day", "pit-2-day")
    places = [place for place in places_of(board, "roulette") if place.id in names]
    for why, believed in ((TOO_BRIGHT, 0.5), (BEHIND, 1.0)):
        sight, memory = Believing(), Memory(board, lay={name: {RED: 1.0} for name in names})
        sight.unseen = dict.fromkeys(names, why)
        memory.apart = {"pit-1-day": COVERED, "pit-2-day": SHADED}
        memory.weigh(sight, places, (), arm=False, relit=False)
        assert memory.lay["pit-1-day"][RED] == believed and memory.lay["pit-2-day"] == {RED: 1.0}


class Yard:
    """What was read of a yard in a picture."""

    def __init__(self, *pieces: Piece):
        self.loose, self.beliefs, self.unseen, self.below = [*pieces], {}, {}, {}

    def lying_in(self, area):
        return [piece for piece in self.loose if piece.field == area]


def test_of_a_yard_that_looks_much_as_it_did_only_more_is_believed():
    card, pillar = Piece("card", "white", field="yard-1", face="up"), Piece("pillar", "grey", field="yard-1")
    settled = Settled(np.zeros((1, 3, 4, 4), np.float32), {}, (card, pillar))
    for read, told in (((card,), 2), ((card, pillar, pillar), 3), ((pillar, pillar), 2), ((), 2)):
        sight = Yard(*read, Piece("disc", "red", field="yard-2"))
        settled.put_back_overlooked(sight, "yard-1")
        assert len(sight.lying_in("yard-1")) == told and len(sight.lying_in("yard-2")) == 1
    assert settled.pieces == (card, pillar)


# --- a series of photographs ---------------------------------------------------------------------


def wrong(photos, reader: Reader) -> list[str]:
    found, before = [], Position.from_json(photos[1][1])
    for number, label, picture in photos[2:]:
        seen = reader.read(picture, before)
        before = seen.position
        truth = Position.from_json(label)
        found += [f"{number} {miss.place}: {miss.read}" for miss in compare(seen, truth).misses]
    return found


def test_a_series_has_an_arm_another_light_and_a_bump(photos):
    tags = {tag for _, label, _ in photos for tag in label["tags"]}
    assert tags >= {"hand", "light", "bump"} and len(photos) >= 6


def test_a_series_is_read_beside_the_empty_board(photos):
    assert not wrong(photos, reader_of(photos, reference=True))


def test_a_series_is_read_from_a_known_start_alone(photos):
    """No photograph of the empty board, no tags, and the corners only of the first picture."""
    assert len(wrong(photos, reader_of(photos, reference=False))) <= 1


def test_without_what_lay_there_before_it_is_read_worse(photos, monkeypatch):
    monkeypatch.setattr(Memory, "weigh", lambda *_, **__: None)
    monkeypatch.setattr(Memory, "recognised", lambda *_: {})
    monkeypatch.setattr(Reader, "_settle", lambda *_: None)
    assert len(wrong(photos, reader_of(photos, reference=False))) >= 6


def test_what_is_hidden_at_the_start_is_not_seen_until_it_is(photos):
    """A start may say that a field cannot be seen; nobody takes it for empty because nothing is said to lie
    there."""
    reader = reader_of(photos)
    start = Position.from_json(photos[1][1])
    bare = next(
        place.id for place in reader.places if reader.sight.beliefs[place.id].get(None, 0) > 0.99
        and place.id in reader.board.fields
    )  # fmt: skip
    reader.learn(replace(start, occluded=(bare,)))
    seen = reader.read(photos[2][2], start)
    assert bare in seen.unseen and bare in seen.position.occluded


def test_what_looks_as_when_it_was_bare_is_bare(photos, monkeypatch):
    """A disc is laid down and taken away again; whatever the networks say of the place then."""
    reader = reader_of(photos, reference=False)
    start, picture = Position.from_json(photos[1][1]), photos[1][2]
    places = {place.id: place for place in reader.places}
    bare = [name for name in places if reader.sight.beliefs[name].get(None, 0) > 0.99]
    name = next(each for each in bare if each not in reader.sight.unseen and places[each].radius_mm > 6)
    x, y = np.round(reader.sight.view.project(np.array([places[name].at_mm]))[0]).astype(int)
    laid = picture.copy()
    cv2.circle(laid, (int(x), int(y)), 12, (200, 40, 40), -1)
    seen = reader.read(laid, start)
    assert max(seen.fields[name], key=seen.fields[name].get) is not None
    monkeypatch.setattr("vision.reader.Reader._read_places", lambda self, sight, some, *_: [
        sight.beliefs.update({place.id: {Thing("disc", "white"): 0.9, None: 0.1}}) for place in some
    ] and [])  # fmt: skip
    back = reader.read(picture, seen.position)
    assert name in reader.memory.as_bare and back.fields[name].get(None, 0) > 0.9


def test_in_another_light_it_is_learnt_anew_how_places_look(photos):
    """Else everything would look different in every picture from then on."""
    reader = reader_of(photos)
    light = next(picture for _, label, picture in photos if "light" in label["tags"])
    reader.read(photos[2][2])
    before = dict(reader._memory.settled)
    reader.read(light)
    assert before and not reader._memory.settled.keys() & before.keys() - reader.sight.unseen.keys()


def test_who_forgets_the_table_forgets_its_print(photos):
    reader = reader_of(photos, reference=False)
    assert reader.sight is not None and reader.sight.surface.photographed
    reader.forget()
    corners = np.array(photos[1][1]["corners_px"], float)
    seen = reader.read(photos[1][2], corners_px=corners)
    assert any("print of this board is not known" in each["en"] for each in seen.quality["warnings"])


def test_fields_turned_this_way_and_that_are_printed_alike():
    """Of rectangles whose sides are not parallel to the board's, too, the common print is found."""
    size, fields = 200.0, {}
    picture = np.full((1000, 1000, 3), 120, np.uint8)
    for number in range(12):
        middle = (40.0 + 40 * (number % 4), 50.0 + 50 * (number // 4))
        turn = np.radians(15.0 * number)
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        outline = tuple(
            tuple(float(v) for v in np.array(middle) + a * 14 * along + b * 6 * across)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        fields[f"slot-{number}"] = Field(
            f"slot-{number}", "slot", None, None, middle, 6.0, outline, 15.0 * number
        )
        corners = np.round(np.array(outline) * 5).astype(np.int32)
        cv2.fillPoly(picture, [corners], (210, 215, 220))
        cv2.polylines(picture, [corners], True, (40, 60, 170), 6)
    block = PieceType("block", "box", ("white",), ("slot",), {"length_mm": 24, "width_mm": 8, "height_mm": 6})
    board = Board("slots", (size, size), fields, pieces={"block": block})
    view = fit_view(np.array(board.corners_mm), np.array(board.corners_mm) * 5 - 0.5, (1000, 1000))[0]
    occupied = picture.copy()
    cv2.circle(occupied, (200, 250), 60, (250, 250, 250), -1)
    empty = set(fields) - {"slot-0"}
    found = cv2.resize(bare_surface(occupied, view, board, empty).top_view().astype(np.float32), (1000, 1000))
    part = np.s_[228:272, 140:260]
    left, before = (np.abs(each[part].astype(float) - picture[part]).mean() for each in (found, occupied))
    assert left < 5 and before > 30
