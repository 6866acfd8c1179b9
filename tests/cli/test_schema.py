"""The JSON Schemas, held against real boards, positions, states and logs, and against broken ones."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.games import playable
from cli.main import BAD_INPUT, DONE
from engine import draw_chance, load_game
from engine.schemas import NAMES, load_schema

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "engine" / "boards").glob("*.json"))
LABELS = sorted(
    path for path in (ROOT / "sample_images").rglob("*.json") if '"pieces"' in path.read_text("utf-8")
)


@cache
def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(load_schema(name))


def validate(data: Any, name: str) -> None:
    validator(name).validate(data)


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_a_schema_and_can_be_printed(henge: Any, name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(load_schema(name))
    result = henge("schema", name)
    assert result.code == DONE
    assert json.loads(result.out) == load_schema(name)


def test_the_list_and_an_unknown_name(henge: Any) -> None:
    assert [line.split()[0] for line in henge("schema").out.splitlines()] == list(NAMES)
    assert henge("schema", "weather").code == BAD_INPUT


def test_a_position_on_a_board_of_ones_own_has_pieces_of_its_own() -> None:
    frog = {"kind": "frog", "colour": "green", "field": "pond-1"}
    validate({"board": "my-board", "pieces": [frog]}, "position")


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_shipped_boards(path: Path) -> None:
    validate(json.loads(path.read_text("utf-8")), "board")


def test_the_shipped_labels() -> None:
    for path in LABELS:
        data = json.loads(path.read_text("utf-8"))
        for each in data.values() if path.name == "labels.json" else (data,):
            validate(each, "board" if "fields" in each else "position")


@pytest.mark.parametrize("game_id", playable())
def test_states_and_positions_of_a_random_game(game_id: str, seats: Any) -> None:
    rng = random.Random(11)
    game = load_game(game_id)
    state = game.start(seats(game, game.player_counts[-1]))
    for step in range(150):
        if step % 10 == 0 or state.is_over:
            validate(json.loads(json.dumps(state.to_json())), "state")
            validate(json.loads(json.dumps(state.visible().to_json())), "position")
        if state.is_over:
            break
        outcomes = state.chance_outcomes()
        state = state.apply(draw_chance(state, rng) if outcomes else rng.choice(state.legal_actions()))


def test_a_log(henge: Any, tmp_path: Path) -> None:
    path = tmp_path / "evening.henge"
    path.write_text("game: stonehenge\nplayers: black, brown\n1. place 4 on space-A {photo=1.jpg}\n2. fly\n")
    data = json.loads(henge("replay", "--json", str(path)).out)
    assert data["problems"]
    validate(data, "log")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("position", {"pieces": []}),
        ("position", {"board": "knizia", "pieces": [{"kind": "cow", "field": "space-A"}]}),
        ("position", {"board": "knizia", "pieces": [{"kind": "druid", "colour": "black"}]}),
        ("position", {"board": "knizia", "pieces": [], "corners_px": [[0, 0], [1, 0], [1, 1]]}),
        ("state", {"game": "chess", "variant": {}, "players": ["white", "black"], "to_move": "white"}),
        ("state", {"game": "build", "variant": {}, "players": ["white", "white"], "to_move": "white"}),
        ("log", {"game": "build"}),
        ("board", {"id": "x", "size_mm": [100], "fields": [], "pieces": {}}),
        ("board", {"id": "x", "size_mm": [9, 9], "fields": [{"id": "a", "kind": "k", "x": 1}], "pieces": {}}),
        (
            "board",
            {
                "id": "x",
                "size_mm": [9, 9],
                "fields": [],
                "pieces": {"disc": {"shape": "cylinder", "colours": [], "on": []}},
            },
        ),
    ],
)
def test_what_is_wrong_is_refused(name: str, data: Any) -> None:
    assert not validator(name).is_valid(data)
