"""The recorded tables: the logs are legal games, and every photograph shows what its log says."""

from __future__ import annotations

import json
import random
import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest

from engine import load_game, log
from engine.board import load_board
from engine.games.council.actions import Discuss, EndTurn, Persuade
from engine.games.rolling.actions import PlaceBank, SetUpWheel
from engine.position import Piece, Position
from engine.record import Record
from sample_images.generator import demo, player_rolling
from sample_images.generator.count import count_by_hand
from sample_images.generator.layout import laid_out
from sample_images.generator.mishaps import MISHAPS
from sample_images.generator.recordings import RECORDINGS

cv2 = pytest.importorskip("cv2")
SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
NAMES = sorted(folder.name for folder in (SAMPLES / "demo").iterdir())
EVENINGS = [name for name in NAMES if name in RECORDINGS]
ILLEGAL = [name for name in NAMES if name not in RECORDINGS]


def photos(name: str) -> list[Path]:
    return sorted((SAMPLES / "demo" / name).glob("*.jpg"))


@lru_cache
def reading(name: str) -> log.Reading:
    return log.load(SAMPLES / "demo" / name / demo.LOG)


@lru_cache
def record_of(name: str) -> Record:
    return log.replay(reading(name).log)


@lru_cache
def label_of(photo: Path) -> dict:
    return json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))


def has_hand(photo: Path) -> bool:
    return "hand" in label_of(photo)["tags"]


def shown(name: str) -> dict[str, Position]:
    """Photograph -> what the rules say lies there: after the last move that names it."""
    record = record_of(name)
    found = {photos(name)[0].name: record.start.visible()}
    for entry in record.entries:
        if entry.photo:
            found[entry.photo] = record.state_at(entry.number).visible()
    return found


def test_every_game_was_recorded_and_something_forbidden_done_in_each() -> None:
    assert set(RECORDINGS) == set(MISHAPS) == {name.partition("-")[0] for name in NAMES}
    assert set(NAMES) == set(RECORDINGS) | {f"{game}-illegal" for game in MISHAPS}


@pytest.mark.parametrize("name", EVENINGS)
def test_the_log_is_a_legal_game(name: str) -> None:
    """To its end, or to where the evening was broken off."""
    recorded, recording = reading(name), RECORDINGS[name]
    assert recorded.problems == () and recorded.log.players == recording.players
    record, problem = log.check(recorded.log)
    assert problem is None and record is not None
    assert record.state.is_over == (recording.until is None)
    totals = ", ".join(f"{player} {score.total}" for player, score in record.state.scores().items())
    assert recorded.log.result == (totals if record.state.is_over else "")


@pytest.mark.parametrize("name", NAMES)
def test_the_log_is_what_the_generator_plays(name: str) -> None:
    written, views = demo.recorded(name)
    assert log.write(written) == (SAMPLES / "demo" / name / demo.LOG).read_text(encoding="utf-8")
    assert views[-1].number == len(photos(name))


def test_the_games_have_something_to_show() -> None:
    kinds = {type(step.action).__name__ for step in record_of("build").steps}
    assert {"Reveal", "Steal", "Give", "Sabotage", "Ritual", "Blocked"} <= kinds
    final = record_of("build").state
    pieces = [piece.kind for piece in final.visible() if piece.on is None]
    assert (pieces.count("block"), pieces.count("disc"), pieces.count("trilith")) == (30, 19, 5)
    stones = record_of("stonehenge").state
    assert sorted(score.total for score in stones.scores().values()) == [7, 8]


@pytest.mark.parametrize("name", NAMES)
def test_photographs_are_numbered_in_the_order_of_the_log(name: str) -> None:
    names = [photo.name for photo in photos(name)]
    assert names == [f"{number:04d}.jpg" for number in range(1, len(names) + 1)]
    named = [entry.photo for entry in record_of(name).entries if entry.photo]
    assert named == sorted(named) and set(named) <= set(names[1:])


@pytest.mark.parametrize("name", EVENINGS)
def test_every_label_is_what_the_rules_say_lies_there(name: str) -> None:
    """An arm reaches over the table as it was before."""
    expected, before = shown(name), None
    assert set(expected) == {photo.name for photo in photos(name) if not has_hand(photo)}
    for photo in photos(name):
        label = label_of(photo)
        position = Position.from_json(label)
        assert (label["image"], label["game"]) == (photo.name, RECORDINGS[name].scene.game)
        if has_hand(photo):
            assert position.same_as(before), photo.name
            continue
        assert position.same_as(expected[photo.name]), photo.name
        assert before is None or not position.same_as(before), f"{photo.name} shows nothing new"
        assert label["occluded"] == []
        before = position
    assert before is not None and before.same_as(record_of(name).state.visible())


@pytest.mark.parametrize("name", ILLEGAL)
def test_only_what_is_noted_lies_there_against_the_rules(name: str) -> None:
    record, expected = record_of(name), record_of(name).start.visible()
    wrong = {entry.photo for entry in record.entries if entry.kind == "note"}
    assert wrong
    lawful = shown(name)
    for photo in photos(name):
        expected = lawful[photo.name] if photo.name in lawful and photo.name not in wrong else expected
        assert Position.from_json(label_of(photo)).same_as(expected) == (photo.name not in wrong), photo.name


@pytest.mark.parametrize("name", NAMES)
def test_the_camera_stands_still_until_it_is_knocked(name: str) -> None:
    labels = [label_of(photo) for photo in photos(name)]
    own = [label for label in labels if label["board"] == labels[0]["board"]]
    cameras = [json.dumps(label["camera"], sort_keys=True) for label in own]
    knocks = sum(earlier != later for earlier, later in pairwise(cameras))
    knocked = any("camera" in shot.taken for shot in MISHAPS[name.partition("-")[0]]) and name in ILLEGAL
    assert knocks == knocked
    lies = [
        {(p.place, p.thing, p.x_mm, p.y_mm) for p in map(Piece.from_json, each["pieces"])} for each in own
    ]
    for earlier, later in pairwise(lies):
        # Free-standing pieces have no place: those of one colour are told apart by where they stand.
        moved = {key[:2] for key in earlier - later if key[0]} & {key[:2] for key in later - earlier}
        assert not moved, "what nobody touched stays exactly where it lies"


@pytest.mark.parametrize("name", NAMES)
def test_photographs_have_the_promised_size(name: str) -> None:
    for photo in photos(name):
        assert cv2.imread(str(photo)).shape == (720, 1280, 3)
        assert 60_000 < photo.stat().st_size < 260_000, photo.name


def test_nothing_happens_between_two_photographs_of_the_council_that_leaves_no_trace() -> None:
    """Arguments that are taken and paid at once, or taken by one player or the other."""
    steps: dict[str | None, list[object]] = {}
    written, _ = demo.recorded("council")
    for entry, step in zip(written.entries, log.replay(written).steps, strict=True):
        steps.setdefault(entry.photo, []).append(step.action)
    for actions in steps.values():
        kinds = [type(action) for action in actions]
        assert kinds.count(Discuss) <= 1 and kinds.count(EndTurn) <= 2
        assert Discuss not in kinds or Persuade not in kinds


def test_where_there_is_no_room_no_bank_is_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_game("rolling").start(("red", "blue"))
    chances = [random.Random(seed) for seed in range(20)]
    kinds = {type(player_rolling.choose_rolling(state, chance)) for chance in chances}
    assert kinds == {PlaceBank, SetUpWheel}
    monkeypatch.setattr(player_rolling, "ROOM_MM", 1000.0)
    assert {type(player_rolling.choose_rolling(state, chance)) for chance in chances} == {SetUpWheel}


def test_all_sample_images_together_are_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < 99_500_000


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
    board = load_board("anthology")
    card, first, second, capstone, disc = laid_out(Position("anthology", things), board, 1)
    assert (disc.x_mm, disc.y_mm) == pytest.approx((capstone.x_mm, capstone.y_mm), abs=4)
    yard = board.fields["yard-3"]
    for piece in (card, first, second, capstone):
        assert yard.contains(piece.x_mm, piece.y_mm)
    for part in (first, second, capstone):
        assert abs(part.x_mm - card.x_mm) + abs(part.y_mm - card.y_mm) > 45
    assert abs(first.x_mm - second.x_mm) > 15
