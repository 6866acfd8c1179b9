"""The recorded demo table: the logs are legal games, and every photograph shows what its log says."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest

from engine import log
from engine.position import Piece, Position
from engine.record import Record
from sample_images.generator import demo
from sample_images.generator.count import count_by_hand

cv2 = pytest.importorskip("cv2")
SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
GAMES = tuple(demo.RECORDINGS)


def photos(game: str) -> list[Path]:
    return sorted((SAMPLES / "demo" / game).glob("*.jpg"))


@lru_cache
def reading(game: str) -> log.Reading:
    return log.load(SAMPLES / "demo" / game / demo.LOG)


@lru_cache
def record_of(game: str) -> Record:
    return log.replay(reading(game).log)


@lru_cache
def label_of(photo: Path) -> dict:
    return json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))


def shown(game: str) -> dict[str, Position]:
    """Photograph -> what the rules say lies there: after the last move that names it."""
    record = record_of(game)
    found = {photos(game)[0].name: record.start.visible()}
    for entry in record.entries:
        if entry.photo:
            found[entry.photo] = record.state_at(entry.number).visible()
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_log_is_a_legal_game_to_its_end(game: str) -> None:
    recorded = reading(game)
    assert recorded.problems == () and recorded.log.players == demo.RECORDINGS[game].players
    record, problem = log.check(recorded.log)
    assert problem is None and record is not None and record.state.is_over
    totals = ", ".join(f"{player} {score.total}" for player, score in record.state.scores().items())
    assert recorded.log.result == totals


def test_the_games_have_something_to_show() -> None:
    kinds = {type(step.action).__name__ for step in record_of("build").steps}
    assert {"Reveal", "Steal", "Give", "Sabotage", "Ritual", "Blocked"} <= kinds
    final = record_of("build").state
    pieces = [piece.kind for piece in final.visible() if piece.on is None]
    assert (pieces.count("block"), pieces.count("disc"), pieces.count("trilith")) == (30, 19, 5)
    stones = record_of("stonehenge").state
    assert sorted(score.total for score in stones.scores().values()) == [7, 8]


@pytest.mark.parametrize("game", GAMES)
def test_photographs_are_numbered_in_the_order_of_the_log(game: str) -> None:
    names = [photo.name for photo in photos(game)]
    assert names == [f"{number:04d}.jpg" for number in range(1, len(names) + 1)]
    named = [entry.photo for entry in record_of(game).entries if entry.photo]
    assert named == sorted(named) and sorted(set(named)) == names[1:]


@pytest.mark.parametrize("game", GAMES)
def test_every_label_is_what_the_rules_say_lies_there(game: str) -> None:
    expected, before = shown(game), None
    for photo in photos(game):
        label = label_of(photo)
        position = Position.from_json(label)
        assert position.same_as(expected[photo.name]), photo.name
        assert before is None or not position.same_as(before), f"{photo.name} shows nothing new"
        assert (label["image"], label["game"], label["occluded"]) == (photo.name, game, [])
        before = position
    assert before is not None and before.same_as(record_of(game).state.visible())


@pytest.mark.parametrize("game", GAMES)
def test_the_camera_stands_still(game: str) -> None:
    labels = [label_of(photo) for photo in photos(game)]
    assert all(label["camera"] == labels[0]["camera"] for label in labels)
    lies = [
        {(p.place, p.thing, p.x_mm, p.y_mm) for p in map(Piece.from_json, each["pieces"])} for each in labels
    ]
    for earlier, later in pairwise(lies):
        moved = {key[:2] for key in earlier - later} & {key[:2] for key in later - earlier}
        assert not moved, "what nobody touched stays exactly where it lies"


@pytest.mark.parametrize("game", GAMES)
def test_photographs_have_the_promised_size(game: str) -> None:
    for photo in photos(game):
        assert cv2.imread(str(photo)).shape == (720, 1280, 3)
        assert 60_000 < photo.stat().st_size < 260_000, photo.name


def test_all_sample_images_together_are_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < 40_000_000


def test_the_last_build_label_carries_the_score_counted_by_hand() -> None:
    record, label = record_of("build"), label_of(photos("build")[-1])
    engine = {player: score.total for player, score in record.state.scores().items()}
    assert {player: counted["total"] for player, counted in label["score"].items()} == engine
    for counted in label["score"].values():
        points = [int(re.fullmatch(r".+: (\d+)", step)[1]) for step in counted["count"]]
        assert sum(points) == counted["total"]
    seen = record.state.game.score_position(Position.from_json(label), record.state.players)
    assert label["score_without_owner"] == {colour: score.total for colour, score in seen.items()}


def blocks(*numbers: int, colour: str = "red") -> tuple[Piece, ...]:
    return tuple(Piece("block", colour, field=f"ring-{number}") for number in numbers)


@pytest.mark.parametrize(
    ("pieces", "total"),
    [
        (blocks(3, 4, 5, 6, 7), 14),  # the rule book's example
        (blocks(29, 30, 1, 2), 4 + 3 + 5),  # the ring is closed
        (blocks(*range(1, 31)), 30 + 30 + 5),
        (tuple(Piece("disc", "red", field=f"bluestone-{n}") for n in (1, 2, 3, 19)), 8 + 2 + 5),
        (tuple(Piece("disc", "red", field=f"trilith-{n}", on="trilith") for n in (1, 2, 5)), 24 + 5),
    ],
)
def test_counting_by_hand(pieces: tuple[Piece, ...], total: int) -> None:
    counted = count_by_hand(Position("anthology", pieces), ("red", "blue"), None)
    assert counted["score"]["red"]["total"] == total == counted["score_without_owner"]["red"]
    assert counted["score"]["blue"]["total"] == 0


def test_neutral_blocks_join_their_owners_rows() -> None:
    position = Position("anthology", (*blocks(1, 2, 4), *blocks(3, colour="white")))
    counted = count_by_hand(position, ("red", "blue"), "red")
    assert counted["score"]["red"]["total"] == 4 + 3 + 5
    assert counted["score_without_owner"] == {"red": 4, "blue": 0, "white": 1}


def test_parts_of_a_trilith_do_not_lie_on_the_card() -> None:
    things = (
        Piece("card", "red", field="yard-3", face="up"), Piece("pillar", "grey", field="yard-3"),
        Piece("pillar", "grey", field="yard-3"), Piece("capstone", "grey", field="yard-3"),
        Piece("disc", "red", field="yard-3"),
    )  # fmt: skip
    board = demo.load_board("anthology")
    card, first, second, capstone, disc = demo.laid_out(Position("anthology", things), board, 1)
    assert (disc.x_mm, disc.y_mm) == pytest.approx((capstone.x_mm, capstone.y_mm), abs=4)
    yard = board.fields["yard-3"]
    for piece in (card, first, second, capstone):
        assert yard.contains(piece.x_mm, piece.y_mm)
    for part in (first, second, capstone):
        assert abs(part.x_mm - card.x_mm) + abs(part.y_mm - card.y_mm) > 45
    assert abs(first.x_mm - second.x_mm) > 15
