"""`henge read --series` of a board that nobody has seen, from a known start and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from cli.main import main
from engine.position import Position

SERIES = Path(__file__).resolve().parents[2] / "sample_images" / "series"
NAME = "flint"


def wrong_places(label: dict, seen: dict) -> set[str]:
    """Where something else was read than what the label says that can be seen."""
    truth, read = Position.from_json(label).things(), Position.from_json(seen).things()
    hidden = set(label["occluded"])
    return {place for place in {*truth, *read} if truth.get(place) != read.get(place) and place not in hidden}


def test_corners_and_a_start_are_enough_for_a_series(capsys):
    labels = sorted((SERIES / NAME).glob("*.json"))
    first = json.loads(labels[0].read_text())
    corners = " ".join(f"{x},{y}" for x, y in first["corners_px"])
    images = [str(label.with_suffix(".jpg")) for label in labels]
    board = str(SERIES / "boards" / f"{NAME}.json")
    line = ["read", *images, "--board", board, "--game", "stonehenge", "--corners", corners]
    assert main([*line, "--series", "--start", str(labels[0]), "--json"]) == 0
    read = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [seen["image"] for seen in read] == [Path(image).name for image in images]
    wrong = [
        wrong_places(json.loads(path.read_text()), seen) for path, seen in zip(labels, read, strict=True)
    ]
    assert sum(len(each) for each in wrong) <= 3
    # The camera is knocked before the last picture: the corners that were given are not its corners.
    at_first, at_last = (seen["corners_px"] for seen in (read[0], read[-1]))
    assert max(abs(x - u) + abs(y - v) for (x, y), (u, v) in zip(at_first, at_last, strict=True)) > 10
