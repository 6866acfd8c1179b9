"""Scenes: from a seed, to JSON and back, and what the sensor does to light."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.board import load_board
from sample_images.generator.camera import place_camera
from sample_images.generator.conditions import LIGHTS, TROUBLES, VIEWS, Wish, make_scene
from sample_images.generator.editions import EDITIONS
from sample_images.generator.label import body_height_mm, piece_share
from sample_images.generator.lessons import LESSONS
from sample_images.generator.placing import Body
from sample_images.generator.positions import GAMES
from sample_images.generator.recipes import JUDGED, LEFT_OUT, SHIPPED, judged
from sample_images.generator.scene import Camera, Scene, Sensor
from sample_images.generator.series import BUILT, series
from sample_images.generator.sets import SETS, Face, piece_set

sensor = pytest.importorskip("sample_images.generator.sensor")


@pytest.mark.parametrize("game", GAMES)
def test_scene_survives_json(game: str) -> None:
    scene = make_scene(Wish(game, "full", troubles=("hand", "careless")), 5)
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene
    assert scene.hands and scene.tags[0] == "hard"


def test_a_seed_decides_everything() -> None:
    assert make_scene(Wish("build"), 3) == make_scene(Wish("build"), 3)
    assert make_scene(Wish("build"), 3) != make_scene(Wish("build"), 4)


@pytest.mark.parametrize("view", VIEWS)
def test_views_show_the_whole_board(view: str) -> None:
    for seed in range(5):
        scene = make_scene(Wish("build", view=view), seed)
        seen = place_camera(scene.camera, (500, 500))
        assert seen.inside(seen.project([[0, 0], [500, 0], [500, 500], [0, 500]])).all()


@pytest.mark.parametrize("name", TROUBLES)
def test_troubles_change_the_scene(name: str) -> None:
    calm, hard = make_scene(Wish("build"), 9), make_scene(Wish("build", troubles=(name,)), 9)
    assert name in hard.tags and "hard" in hard.tags and "plain" in calm.tags
    changed = [
        key
        for key in ("camera", "light", "table", "placement", "sensor", "hands")
        if getattr(calm, key) != getattr(hard, key)
    ]
    assert changed


def test_a_wrong_key_is_named() -> None:
    with pytest.raises(ValueError, match=r"scene.camera: unknown key 'elevation'"):
        Scene.from_json({"board": "knizia", "game": "stonehenge", "camera": {"elevation": 3}})
    with pytest.raises(ValueError, match="expected an object"):
        Scene.from_json({"board": "knizia", "game": "stonehenge", "light": 3})


def test_the_recipe_covers_both_boards() -> None:
    wishes = [wish for _, wish, _ in SHIPPED]
    assert len({name for name, _, _ in SHIPPED}) == len(SHIPPED) >= 40
    assert {wish.game for wish in wishes} == {"build", "stonehenge"}
    assert {wish.light for wish in wishes} >= set(LIGHTS)
    assert sum(bool(wish.troubles) for wish in wishes) >= 8


def test_the_judged_split_has_every_condition_often_enough() -> None:
    wishes = [wish for _, wish, _ in JUDGED]
    seen = Counter(name for wish in wishes for name in (wish.light, wish.view, *wish.troubles))
    assert min(seen[name] for name in (*LIGHTS, *VIEWS, *TROUBLES) if name != LEFT_OUT) >= 8
    assert {wish.piece_set for wish in wishes} == set(SETS) > {wish.piece_set for _, wish, _ in SHIPPED}
    assert {wish.game for wish in wishes} == set(GAMES)


@pytest.mark.parametrize("of", LESSONS)
def test_what_is_learnt_from_is_kept_apart_from_what_is_judged(of: str) -> None:
    lessons = LESSONS[of]
    known = {wish.piece_set for _, wish, _ in JUDGED} | set(SETS)
    for table in range(1, 30):
        scenes = lessons(table)
        assert scenes == lessons(table)
        assert len({(scene.light, scene.table, scene.style, scene.piece_set) for scene in scenes}) == 1
        assert not {scene.piece_set for scene in scenes} & known
        assert scenes[0].style.partition("~")[0] != "parchment"


def test_an_odd_set_is_an_ordinary_one_that_may_have_another_face() -> None:
    odd = [piece_set(f"odd-{seed}") for seed in range(20)]
    for seed, pieces in enumerate(odd):
        assert replace(pieces, name=f"any-{seed}", face=Face()) == piece_set(f"any-{seed}")
    assert len({pieces.face for pieces in odd}) > 5 and any(pieces.face == Face() for pieces in odd)


def test_figures_to_learn_from_look_both_ways_and_stand_apart() -> None:
    board = load_board("anthology")
    for scene in (scene for table in range(1, 6) for scene in LESSONS["balls"](table)):
        balls = [piece for piece in scene.pieces if piece.kind == "figure"]
        assert {"clockwise", "anticlockwise"} <= {piece.facing for piece in balls}
        spots = [board.fields[piece.field or ""].centre_mm for piece in balls]
        assert min(math.dist(a, b) for a, b in combinations(spots, 2)) > 50


def test_discs_to_learn_from_lie_alone_and_on_one_another() -> None:
    counts: Counter[int] = Counter()
    for scene in (scene for table in range(1, 6) for scene in LESSONS["stacks"](table)):
        counts.update(Counter(piece.field for piece in scene.pieces if piece.kind == "disc").values())
    assert counts[1] > counts[2] > counts[3] > 0


def test_figures_stand_among_discs_where_pieces_crowd() -> None:
    kinds: Counter[str] = Counter()
    for scene in (scene for table in range(1, 6) for scene in LESSONS["crowds"](table)):
        fields = [piece.field or "" for piece in scene.pieces]
        assert (
            max(Counter(field for field in fields if field.startswith("bluestone-")).values(), default=1) == 1
        )
        kinds.update(piece.kind for piece in scene.pieces if (piece.field or "").startswith("bluestone-"))
    assert set(kinds) == {"disc", "figure"} and kinds["disc"] > kinds["figure"] > 0.2 * kinds["disc"]


def test_sets_drawn_from_a_seed_differ_and_stay_the_same() -> None:
    first, second = piece_set("any-1"), piece_set("any-2")
    assert first == piece_set("any-1") and first.colours != second.colours and first.disc != second.disc
    with pytest.raises(ValueError, match="no piece set"):
        piece_set("any-other")


def test_bending_moves_points_as_projected() -> None:
    """A bright dot in the straight picture lands where the label's projection says."""
    view = place_camera(Camera(elevation_deg=60, k1=-0.12, k2=0.01, fill=0.9), (500, 500))
    width, height = sensor.frame_to_render(view)
    straight = np.zeros((height, width, 3), np.float32)
    spot = np.array([[30.0, 40.0]])
    x, y = (view.normalised(spot) * view.focal_px + ((width - 1) / 2, (height - 1) / 2))[0]
    rows, columns = np.mgrid[0:height, 0:width]
    straight[:] = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 8)[..., None]
    bent = sensor.bend(straight, view)[..., 0]
    weights = bent / bent.sum()
    rows, columns = np.mgrid[0 : bent.shape[0], 0 : bent.shape[1]]
    found = np.array([(weights * columns).sum(), (weights * rows).sum()])
    assert np.abs(found - view.project(spot)[0]).max() < 0.1


def test_the_meter_evens_out_brightness_and_colour() -> None:
    light = np.full((72, 128, 3), 0.01, np.float32) * np.array([1.5, 1.0, 0.5], np.float32)
    calm = Sensor(white_balance=1.0, noise=0, blur_px=0, sharpening=0)
    picture = sensor.expose(light, calm, sensor.meter(light, calm, np.array([1.5, 1.0, 0.5])), 1)
    red, green, blue = picture.reshape(-1, 3).mean(axis=0)
    assert 100 < green < 190 and abs(red - blue) < 4
    brighter = sensor.expose(light * 50, calm, sensor.meter(light * 50, calm, np.array([1.5, 1.0, 0.5])), 1)
    assert abs(int(brighter[36, 64, 1]) - int(picture[36, 64, 1])) <= 2


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_viewer_turns_phone_photos_back(orientation: int, tmp_path: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    picture = np.zeros((60, 100, 3), np.uint8)
    picture[:20, :30] = 255
    sensor.save_photo(picture, tmp_path / "a.jpg", 95, orientation)
    shown = cv2.imread(str(tmp_path / "a.jpg"))
    assert shown.shape == picture.shape and np.abs(shown.astype(int) - picture).mean() < 4


def evening(name: str, seed: int = 0) -> tuple[Scene, list[dict[str, Any]]]:
    return series(name, EDITIONS[name].board_of(name), Path("board.json"), seed)


def test_another_evening_at_a_table_is_in_another_light_and_seen_from_another_side() -> None:
    own, other = evening("plum")[0], evening("plum", 4)[0]
    assert evening("plum", 4) == evening("plum", 4)
    assert (own.board, own.piece_set, own.style) == (other.board, other.piece_set, other.style)
    assert own.light != other.light and own.camera != other.camera and own.seed != other.seed


def test_in_yards_it_is_built_piece_by_piece_until_all_is_cleared_away() -> None:
    """The card first, then pillars, capstone and disc."""
    many = 0
    for seed in range(1, 6):
        steps = [
            [piece for piece in step["pieces"] if piece["field"] == "yard-2"]
            for step in evening("plum", seed)[1][1:]
        ]
        for before, after in pairwise(steps):
            kinds = [piece["kind"] for piece in after]
            assert kinds == sorted(kinds, key=BUILT.index)
            assert after == before or not after or after[:-1] == before
            many += after != before
    assert many >= 5


def test_another_seed_makes_another_split_of_the_same_kind() -> None:
    other = judged(43_000, ("night.hdr", "noon.hdr"))
    assert other == judged(43_000, ("night.hdr", "noon.hdr")) != judged(44_000, ("night.hdr", "noon.hdr"))
    assert [name for name, _, _ in other] == [name for name, _, _ in JUDGED]
    assert Counter(wish.game for _, wish, _ in other) == Counter(wish.game for _, wish, _ in JUDGED)
    captured = [wish for _, wish, _ in other if wish.environment]
    assert len(captured) == len(other) / 3 and not any(wish.light for wish in captured)
    assert judged() == JUDGED


@pytest.mark.parametrize("kind", ["block", "trilith", "disc"])
def test_how_much_of_a_piece_is_seen_is_the_share_that_nothing_stands_before(kind: str) -> None:
    pieces, view = piece_set("wood"), place_camera(Camera(), (500, 500))
    body = Body(kind, "grey", 250.0, 250.0, 0.0, 0.0, "standing", "it")

    def share(hidden: Callable[[float, float], bool]) -> float:
        def cast(point: np.ndarray) -> tuple[str, float]:
            return ("hand" if hidden(point[0], point[2]) else "it"), 0.0

        return piece_share("it", [body], pieces, view, cast)

    assert share(lambda x, z: False) == 1 and share(lambda x, z: True) == 0
    assert 0.4 < share(lambda x, z: x < 249) < 0.75
    assert share(lambda x, z: z < body_height_mm(body, pieces) * 0.8) < 0.6
