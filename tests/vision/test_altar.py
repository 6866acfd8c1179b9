"""Whether a figure on the altar stands or lies, on our board and on tables that are not ours."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision import Reader
from vision.images import load_image

IMAGES = Path(__file__).resolve().parents[2] / "sample_images"


def figures(pieces) -> list[tuple[str, str, bool]]:
    return sorted(
        (p["kind"], p["colour"], p.get("lying", False)) for p in pieces if p.get("field") == "altar"
    )


def ours() -> list[Path]:
    labels = sorted((IMAGES / "photos").glob("build-*.json"))
    return [path for path in labels if figures(json.loads(path.read_text())["pieces"])]


@pytest.fixture(scope="module")
def readers():
    return {}


@pytest.mark.parametrize("path", ours(), ids=lambda path: path.stem)
def test_on_our_board(readers, path):
    label = json.loads(path.read_text())
    reader = readers.setdefault("ours", Reader("anthology", game="build"))
    reader.forget()
    seen = reader.read(load_image(path.with_suffix(".jpg"))).to_json()
    assert figures(seen["pieces"]) == figures(label["pieces"])


@pytest.mark.parametrize(
    ("table", "photo"),
    [
        ("meadow", "02.jpg"),
        ("meadow", "05.jpg"),
        ("weave", "05.jpg"),
        # two figures that touch
        ("kelp", "03.jpg"),
        ("sorrel", "03.jpg"),
        # two figures side by side
        ("dune", "03.jpg"),
    ],
)
def test_on_a_board_that_is_not_ours(readers, table, photo):
    folder = IMAGES / "tables" / table
    labels = json.loads((folder / "labels.json").read_text())
    if table not in readers:
        corners = np.array(labels["empty.jpg"]["corners_px"])
        empty = load_image(folder / "empty.jpg"), corners
        readers[table] = Reader(folder / "board.json", game="build", reference=empty)
    readers[table].forget()
    seen = readers[table].read(load_image(folder / photo)).to_json()
    assert figures(seen["pieces"]) == figures(labels[photo]["pieces"])
