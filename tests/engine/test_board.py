"""Boards as data: the two that Henge brings along, other people's, and broken ones."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board, BoardError, board_from_json, board_ids, check_board, load_board
from engine.boards.layout import LINES, AnthologyLayout, KniziaLayout, anthology, board_text, knizia

ANTHOLOGY, KNIZIA = load_board("anthology"), load_board("knizia")
BOTH = pytest.mark.parametrize("board", [ANTHOLOGY, KNIZIA], ids=lambda board: board.id)
SMALL: dict[str, Any] = {
    "id": "small",
    "size_mm": [100, 80],
    "fields": [
        {
            "id": "a",
            "kind": "spot",
            "number": 1,
            "colour": "red",
            "x": 20,
            "y": 20,
            "radius_mm": 9,
            "smell": 3,
        },
        {"id": "b", "kind": "bed", "polygon": [[50, 50], [90, 50], [90, 70], [50, 70]], "angle_deg": 30},
    ],
    "neighbours": [["a", "b"]],
    "markers": [{"id": 3, "dictionary": "DICT_4X4_50", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}],
    "pieces": {
        "stone": {"shape": "cylinder", "diameter_mm": 12, "height_mm": 5, "colours": ["red"], "on": ["spot"]}
    },
    "palette": {"red": [200, 30, 20]},
    "author": "somebody",
}


ANTICLOCKWISE = [[0, 0], [0, 9], [9, 9], [9, 0]]


def broken(*path: str | int, value: object = None, remove: bool = False) -> dict[str, Any]:
    """SMALL with one value replaced or removed."""
    data = copy.deepcopy(SMALL)
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    if remove:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


# ---- the anthology board


def test_every_field_of_the_anthology_is_there_under_its_name() -> None:
    expected = {f"ring-{n}" for n in range(1, 31)} | {f"slot-{n}" for n in range(1, 31)}
    expected |= {f"pit-{n}-{phase}" for n in range(1, 31) for phase in ("day", "night")}
    expected |= {f"trilith-{n}" for n in range(1, 6)} | {f"bluestone-{n}" for n in range(1, 20)}
    expected |= {"altar"} | {f"yard-{n}" for n in range(1, 5)}
    assert set(ANTHOLOGY.fields) == expected


@pytest.mark.parametrize("kind", ["ring", "slot", "pit"])
def test_colours_follow_the_numbers(kind: str) -> None:
    numbers = {
        "white": {1, 7, 13, 19, 25}, "blue": {2, 8, 14, 20, 26}, "green": {3, 9, 15, 21, 27},
        "yellow": {4, 10, 16, 22, 28}, "red": {5, 11, 17, 23, 29}, "black": {6, 12, 18, 24, 30},
    }  # fmt: skip
    fields = ANTHOLOGY.fields_of_kind(kind)
    for colour, expected in numbers.items():
        assert {field.number for field in fields if field.colour == colour} == expected


def test_neighbours_of_the_anthology() -> None:
    kinds = Counter(a.partition("-")[0] for a, _ in ANTHOLOGY.neighbours)
    assert kinds == {"ring": 30, "bluestone": 18, "trilith": 4}
    assert set(ANTHOLOGY.neighbours_of("ring-1")) == {"ring-30", "ring-2"}
    assert ANTHOLOGY.neighbours_of("bluestone-19") == ("bluestone-18",)
    assert ANTHOLOGY.neighbours_of("trilith-1") == ("trilith-2",)
    assert ANTHOLOGY.neighbours_of("altar") == ()


def test_neighbours_are_named_in_the_order_in_which_a_trilith_on_both_is() -> None:
    data = ANTHOLOGY.to_json()
    turned = board_from_json({**data, "neighbours": [pair[::-1] for pair in data["neighbours"]]})
    assert turned.neighbours == ANTHOLOGY.neighbours


def test_a_trilith_spans_two_neighbouring_ring_fields() -> None:
    span = ANTHOLOGY.pieces["trilith"].span_mm
    for number in range(1, 31):
        here, there = ANTHOLOGY.fields[f"ring-{number}"], ANTHOLOGY.fields[f"ring-{number % 30 + 1}"]
        assert math.dist(here.centre_mm, there.centre_mm) == pytest.approx(span, abs=1.0)


def test_numbers_run_clockwise_from_the_top_and_angles_are_tangents() -> None:
    for number in range(1, 31):
        field = ANTHOLOGY.fields[f"ring-{number}"]
        x, y = field.centre_mm[0] - 250, field.centre_mm[1] - 250
        assert math.degrees(math.atan2(x, -y)) % 360 == pytest.approx((number - 0.5) * 12, abs=0.01)
        along = math.cos(math.radians(field.angle_deg)), math.sin(math.radians(field.angle_deg))
        assert along[0] * x + along[1] * y == pytest.approx(0, abs=0.02)  # tangents are square to the radius
        assert along[0] * -y + along[1] * x > 0  # and point clockwise


def test_the_night_pit_comes_first_clockwise() -> None:
    for number in (1, 8, 23):
        night, day = (ANTHOLOGY.fields[f"pit-{number}-{phase}"] for phase in ("night", "day"))
        assert day.angle_deg - night.angle_deg == pytest.approx(6)
        assert (night.extra["phase"], day.extra["phase"]) == ("night", "day")


def test_bluestones_stand_evenly_in_a_horseshoe_that_opens_to_the_top() -> None:
    row = [field.centre_mm for field in ANTHOLOGY.fields_of_kind("bluestone")]
    gaps = [math.dist(a, b) for a, b in pairwise(row)]
    assert max(gaps) - min(gaps) < 0.1
    assert min(gaps) > ANTHOLOGY.pieces["disc"].diameter_mm
    assert math.dist(row[0], row[-1]) > 5 * gaps[0]
    assert max(row[0][1], row[-1][1]) < min(y for _, y in row[3:-3])


@BOTH
def test_fields_keep_clear_of_each_other_of_the_tags_and_of_the_edge(board: Board) -> None:
    width, height = board.size_mm
    fields = list(board.fields.values())
    for index, field in enumerate(fields):
        assert all(0 <= x <= width and 0 <= y <= height for x, y in field.outline_mm()), field.id
        for other in fields[index + 1 :]:
            assert not any(other.contains(*point) for point in field.outline_mm()), (field.id, other.id)
        for marker in board.markers:
            left, top = marker.corners_mm[0]
            right, bottom = marker.corners_mm[2]
            quiet = (right - left) / 6
            for x, y in field.outline_mm():
                assert not (left - quiet < x < right + quiet and top - quiet < y < bottom + quiet), field.id


def test_the_boards_are_told_by_their_tags() -> None:
    assert [marker.id for marker in ANTHOLOGY.markers] == [0, 1, 2, 3]
    assert [marker.id for marker in KNIZIA.markers] == [4, 5, 6, 7]
    for marker in (*ANTHOLOGY.markers, *KNIZIA.markers):
        assert math.dist(marker.corners_mm[0], marker.corners_mm[1]) >= 30


@BOTH
def test_every_piece_fits_on_its_fields(board: Board) -> None:
    for name, piece in board.pieces.items():
        assert board.fields_for(name), name
        for field in board.fields_for(name):
            if piece.shape in ("cylinder", "figure"):
                assert field.radius_mm >= piece.diameter_mm / 2 - 1.5, (name, field.id)


# ---- Knizia's board


def test_eighteen_spaces_and_fifteen_lines_of_the_right_lengths() -> None:
    assert set(KNIZIA.fields) == {f"space-{c}" for c in "ABCDEFGHIJKLMNOPQR"} | {
        f"line-{n}" for n in range(1, 16)
    }
    lines = KNIZIA.extra["lines"]
    assert [line["id"] for line in lines] == [f"line-{n}" for n in range(1, 16)]
    assert Counter(len(line["spaces"]) for line in lines) == {2: 3, 3: 3, 4: 6, 5: 3}
    on_lines = Counter(space for line in lines for space in line["spaces"])
    assert on_lines == {f"space-{c}": 3 for c in "ABCDEFGHIJKLMNOPQR"}


def test_lines_are_straight_even_and_end_in_their_marker_field() -> None:
    spacing = KniziaLayout().spacing_mm
    for line in KNIZIA.extra["lines"]:
        way = [KNIZIA.fields[name].centre_mm for name in line["spaces"]]
        end = KNIZIA.fields[line["id"]]
        way = way if math.dist(way[0], end.centre_mm) < math.dist(way[-1], end.centre_mm) else way[::-1]
        way = [end.centre_mm, *way]
        for a, b in pairwise(way):
            assert math.dist(a, b) == pytest.approx(spacing, abs=0.02), line["id"]
        assert math.dist(way[0], way[-1]) == pytest.approx(spacing * (len(way) - 1), abs=0.05)
        direction = math.degrees(math.atan2(way[-1][1] - way[0][1], way[-1][0] - way[0][0])) % 180
        assert direction == pytest.approx(end.angle_deg, abs=0.1)


def test_spaces_next_to_each_other_are_those_one_spacing_apart() -> None:
    spaces = KNIZIA.fields_of_kind("space")
    near = {
        frozenset((a.id, b.id))
        for a in spaces
        for b in spaces
        if a != b and math.dist(a.centre_mm, b.centre_mm) < 1.1 * KniziaLayout().spacing_mm
    }
    assert {frozenset(pair) for pair in KNIZIA.neighbours} == near
    assert len(KNIZIA.neighbours) == len(near)
    assert len(LINES) == 15


# ---- files and layouts


@pytest.mark.parametrize("data", [anthology(), knizia()], ids=lambda data: str(data["id"]))
def test_board_files_are_what_their_layout_makes(data: dict[str, Any]) -> None:
    path = Path(__file__).parents[2] / "engine" / "boards" / f"{data['id']}.json"
    assert path.read_text(encoding="utf-8") == board_text(data)
    assert check_board(data) == ()


def test_another_edition_is_the_same_layout_with_other_measures() -> None:
    other = board_from_json(anthology(AnthologyLayout(ring_radius_mm=210.0)))
    assert math.dist(other.fields["ring-4"].centre_mm, (250, 250)) == pytest.approx(210, abs=0.01)
    assert other.fields["pit-4-day"] == ANTHOLOGY.fields["pit-4-day"]


@BOTH
def test_a_board_survives_being_written_and_read(board: Board) -> None:
    assert board_from_json(json.loads(board_text(board.to_json()))) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert len({board, copy.deepcopy(board)}) == 1


def test_board_ids() -> None:
    assert {"anthology", "knizia"} <= set(board_ids())


# ---- other people's boards


def test_a_small_board_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SMALL))
    board = load_board(path)
    assert board == load_board(str(path)) == board_from_json(SMALL)
    assert board.kinds == ("spot", "bed")
    assert board.fields["b"].centre_mm == pytest.approx((70, 60))
    assert board.fields["b"].radius_mm == pytest.approx(10)
    assert board.fields["a"].extra == {"smell": 3} and board.extra == {"author": "somebody"}
    assert board.to_json()["author"] == "somebody" and board.to_json()["fields"][0]["smell"] == 3
    assert board.colour_rgb("red") == (200, 30, 20)
    assert board.colour_rgb("blue") == ANTHOLOGY.colour_rgb("blue")
    assert board.pieces["stone"].diameter_mm == 12


@pytest.mark.parametrize("key", ["markers", "neighbours", "palette"])
def test_optional_keys_may_be_absent(key: str) -> None:
    assert check_board(broken(key, remove=True)) == ()
    assert not getattr(board_from_json(broken(key, remove=True)), key)


def test_points_in_fields() -> None:
    board = board_from_json(SMALL)
    assert board.contains("a", 20, 28.9) and not board.contains("a", 20, 29.1)
    assert board.contains(board.fields["b"], 50, 50) and not board.contains("b", 49.9, 60)
    bent = ANTHOLOGY.fields["yard-1"]
    assert bent.contains(*bent.centre_mm)
    assert not bent.contains(20, 20)  # the tag's corner is cut out of the yard
    assert board.field_at(21, 21) == board.fields["a"]
    assert board.field_at(21, 21, kinds=["bed"]) is None


@given(st.floats(0, 2 * math.pi), st.floats(0, 0.99) | st.floats(1.01, 3))
def test_a_circle_holds_what_is_nearer_than_its_radius(turn: float, share: float) -> None:
    field = ANTHOLOGY.fields["ring-7"]
    x = field.centre_mm[0] + share * field.radius_mm * math.cos(turn)
    y = field.centre_mm[1] + share * field.radius_mm * math.sin(turn)
    assert field.contains(x, y) == (share < 1)


# ---- broken files


@pytest.mark.parametrize(
    ("data", "path", "expected"),
    [
        ([], "the file", "an object"),
        (broken("id", remove=True), "id", "missing"),
        (broken("id", value=7), "id", "a name"),
        (broken("size_mm", value=[100]), "size_mm", "two numbers"),
        (broken("size_mm", value=[100, -1]), "size_mm", "above 0"),
        (broken("size_mm", value=[1e9, 1e9]), "size_mm", "up to 5000 mm"),
        (broken("fields", remove=True), "fields", "missing"),
        (broken("fields", value={}), "fields", "a list"),
        (broken("fields", 0, value=3), "fields[0]", "an object"),
        (broken("fields", 0, "kind", remove=True), "fields[0].kind", "missing"),
        (broken("fields", 0, "x", value="20"), "fields[0].x", "a number"),
        (broken("fields", 0, "x", value=True), "fields[0].x", "a number"),
        (broken("fields", 0, "x", value=float("nan")), "fields[0].x", "a number"),
        (broken("fields", 0, "x", value=10**400), "fields[0].x", "a number"),
        (broken("fields", 0, "y", remove=True), "fields[0].y", "missing"),
        (broken("fields", 0, "radius_mm", value=0), "fields[0].radius_mm", "above 0"),
        (broken("fields", 0, "x", value=2000), "fields[0]", "100 x 80 mm"),
        (broken("fields", 0, value={"id": "a", "kind": "spot"}), "fields[0]", "radius_mm or a polygon"),
        (broken("fields", 0, "number", value=1.5), "fields[0].number", "a whole number"),
        (broken("fields", 1, "id", value="a"), "fields[1].id", "no other field"),
        (broken("fields", 1, "polygon", value=[[1, 1], [2, 2]]), "fields[1].polygon", "three corners"),
        (broken("fields", 1, "polygon", value=[[1, 1], [2, 2], [3, 3]]), "fields[1].polygon", "an area"),
        (broken("fields", 1, "angle_deg", value="left"), "fields[1].angle_deg", "clockwise"),
        (broken("neighbours", 0, value=["a", "z"]), "neighbours[0][1]", "the id of a field"),
        (broken("neighbours", 0, value=["a"]), "neighbours[0]", "two fields"),
        (broken("neighbours", 0, value=["a", "a"]), "neighbours[0]", "different"),
        (broken("markers", 0, "id", value=-1), "markers[0].id", "a tag number"),
        (broken("markers", 0, "id", value=50), "markers[0].id", "from 0 to 49"),
        (broken("markers", 0, "dictionary", value="DICT_4X4_51"), "markers[0].dictionary", "DICT_4X4_50"),
        (broken("markers", 0, "corners", value=[[0, 0]]), "markers[0].corners", "four corners"),
        (broken("markers", 0, "corners", value=ANTICLOCKWISE), "markers[0].corners", "order"),
        (broken("pieces", "stone", "shape", value="cone"), "pieces.stone.shape", "one of cylinder"),
        (broken("pieces", "stone", "height_mm", remove=True), "pieces.stone.height_mm", "missing"),
        (broken("pieces", "stone", "colours", value="red"), "pieces.stone.colours", "a list"),
        (broken("pieces", "stone", "colours", value=[]), "pieces.stone.colours", "one at least"),
        (broken("pieces", "stone", "on", value=["spots"]), "pieces.stone.on[0]", "bed, spot"),
        (broken("palette", "red", value=[1, 2]), "palette.red", "three whole numbers"),
        (broken("palette", "red", value=[1, 2, 256]), "palette.red", "0 to 255"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_its_keys_path_and_what_was_expected(
    data: Any, path: str, expected: str
) -> None:
    mistakes = check_board(data)
    assert any(line.startswith(f"{path}: ") and expected in line for line in mistakes), mistakes
    with pytest.raises(BoardError) as error:
        board_from_json(data, "mine.json")
    assert str(error.value).startswith("mine.json: ") and "\n" not in str(error.value)


def test_all_mistakes_are_collected() -> None:
    data = broken("fields", 0, "x", value="20")
    data["palette"]["red"] = "red"
    assert {line.partition(":")[0] for line in check_board(data)} == {"fields[0].x", "palette.red"}
    with pytest.raises(BoardError, match="and 1 more"):
        board_from_json(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
KEYS = st.sampled_from([
    ("id",), ("size_mm",), ("fields",), ("fields", 0), ("fields", 0, "x"), ("fields", 1, "polygon"),
    ("fields", 0, "id"), ("neighbours",), ("neighbours", 0), ("markers",), ("markers", 0),
    ("markers", 0, "corners"), ("pieces",), ("pieces", "stone"), ("pieces", "stone", "on"),
    ("pieces", "stone", "shape"), ("palette",), ("palette", "red"),
])  # fmt: skip


@given(KEYS, JSON)
def test_whatever_stands_at_a_key_it_is_read_or_explained(path: tuple[str | int, ...], value: object) -> None:
    data = broken(*path, value=value)
    if check_board(data):
        with pytest.raises(BoardError):
            board_from_json(data)
    else:
        board = board_from_json(data)
        assert board_from_json(board.to_json()) == board


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"{", "line 1"), (b"\xff\xfe\x00", "UTF-8"), (b"[1]", "an object"), (b"[" * 100_000, "nested")],
    ids=["half", "binary", "list", "deep"],
)
def test_files_that_are_no_board_files(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(content)
    with pytest.raises(BoardError, match=says):
        load_board(path)


def test_an_unknown_board_is_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="anthology, knizia"):
        load_board("stonehedge")
    with pytest.raises(BoardError, match="cannot read"):
        load_board(tmp_path)
