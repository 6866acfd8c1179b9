"""One small photograph rendered from end to end, where Blender's module is installed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sample_images.generator import __main__ as command
from sample_images.generator.conditions import Wish, make_scene

try:
    import bpy
except ModuleNotFoundError:
    bpy = None
needs_blender = pytest.mark.skipif(
    bpy is None, reason="Blender's Python module (bpy) is not installed: nothing can be rendered"
)


@needs_blender
def test_a_photograph_from_end_to_end(tmp_path: Path) -> None:
    scene = make_scene(Wish("stonehenge", "middle", view="steep", light="overcast"), 3).to_json()
    scene["camera"] |= {"width_px": 320, "height_px": 240}
    (tmp_path / "one.json").write_text(json.dumps(scene))
    assert (
        command.main(["scene", str(tmp_path / "one.json"), "--samples", "1", "--out", str(tmp_path / "out")])
        == 0
    )
    label = json.loads((tmp_path / "out" / "one.json").read_text())
    cv2 = pytest.importorskip("cv2")
    picture = cv2.imread(str(tmp_path / "out" / "one.jpg"))
    assert picture.shape == (240, 320, 3) and picture.std() > 15
    assert len(label["pieces"]) == len(scene["pieces"])
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.array(label["corners_px"]).round().astype(np.int32)], 1)
    assert abs(picture[inside > 0].mean() - picture[inside == 0].mean()) > 5


@pytest.mark.skipif(bpy is not None, reason="Blender's module is installed here")
def test_without_blender_the_command_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["set", "--count", "1", "--out", str(tmp_path)]) == 2
    assert "requirements.txt" in capsys.readouterr().err


def test_a_scene_file_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.json").write_text("{")
    assert command.main(["scene", str(tmp_path / "bad.json"), "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@needs_blender
def test_a_sequence_keeps_what_does_not_change(tmp_path: Path) -> None:
    """The same position twice, then one stone more: the rest of the picture stays as it was."""
    scene = make_scene(Wish("stonehenge", "empty", view="steep", light="overcast"), 3).to_json()
    scene["camera"] |= {"width_px": 320, "height_px": 240}
    scene["sensor"]["noise"] = 0.0
    stone = {"kind": "druid", "colour": "black", "field": "space-A", "value": 4}
    more = {"kind": "druid", "colour": "brown", "field": "space-R", "value": 2}
    positions = [{"pieces": [stone]}, {"pieces": [stone]}, {"pieces": [stone, more]}]
    (tmp_path / "game.json").write_text(json.dumps({"scene": scene, "positions": positions}))
    options = ["--samples", "1", "--out", str(tmp_path / "out")]
    assert command.main(["sequence", str(tmp_path / "game.json"), *options]) == 0
    cv2 = pytest.importorskip("cv2")
    shots = [cv2.imread(str(tmp_path / "out" / f"000{n}.jpg")).astype(int) for n in (1, 2, 3)]
    assert np.abs(shots[0] - shots[1]).mean() < 1.5
    changed = np.abs(shots[2] - shots[1]).max(axis=2) > 40
    assert 20 < changed.sum() < 0.1 * changed.size
    labels = [json.loads((tmp_path / "out" / f"000{n}.json").read_text()) for n in (1, 3)]
    kept = [next(p for p in label["pieces"] if p["field"] == "space-A") for label in labels]
    assert kept[0] == kept[1] and len(labels[1]["pieces"]) == 2
