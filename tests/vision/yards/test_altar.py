"""Whether a figure on the altar stands or lies, on our board and on tables that are not ours."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from tests.vision.conftest import over
from vision import Reader
from vision.geometry.bodies import Body, body_of
from vision.pictures.images import load_image
from vision.training.compose import Lying
from vision.yards import areas
from vision.yards.altar import _lying
from vision.yards.ground import KINDS, kinds_at

IMAGES = Path(__file__).resolve().parents[3] / "sample_images"


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


BOARD = load_board("anthology")
FIGURE, ALTAR = BOARD.pieces["figure"], BOARD.fields["altar"]
AROUND = [("disc", "bluestone-3", "red"), ("disc", "bluestone-5", "blue"), ("disc", "bluestone-9", "green")]


def on_altar(body: Body, colour: str, turn_deg: float, aside_mm: float, number: int) -> Lying:
    way = np.radians(turn_deg + 90)
    x, y = np.array(ALTAR.centre_mm) + aside_mm * np.array([np.cos(way), np.sin(way)])
    bgr = np.array(BOARD.colour_rgb(colour))[::-1] / 255
    return Lying(body, (float(x), float(y)), turn_deg, bgr, number)


@pytest.mark.parametrize(
    ("style", "elevation_deg", "colour", "turn_deg"),
    [
        ("night", 32, "green", 20),
        ("night", 32, "red", 110),
        ("chalk", 25, "red", 110),
        ("chalk", 32, "green", 20),
    ],
)
def test_a_white_figure_on_white_print_lies_beside_another(
    picture_of, style, elevation_deg, colour, turn_deg
):
    """No pixel of it surely differs from the altar, but something is there."""
    lying = [
        on_altar(_lying(FIGURE), colour, turn_deg, -7, 50),
        on_altar(_lying(FIGURE), "white", turn_deg + 180, -7, 51),
    ]
    view = over(BOARD, (1280, 960), elevation_deg)
    image = picture_of("anthology", AROUND, view, more=lying, style=style).image
    seen = Reader("anthology", game="build").read(image).to_json()
    assert figures(seen["pieces"]) == sorted([("figure", colour, True), ("figure", "white", True)])


@pytest.mark.parametrize(("style", "elevation_deg"), [("night", 55), ("chalk", 42)])
def test_a_figure_that_stands_is_none_that_lies_behind_the_altar(picture_of, style, elevation_deg):
    view = over(BOARD, (1280, 960), elevation_deg)
    standing = [on_altar(body_of(FIGURE), "white", 0, 0, 50)]
    image = picture_of("anthology", AROUND[:2], view, more=standing, style=style).image
    seen = Reader("anthology", game="build").read(image).to_json()
    assert figures(seen["pieces"]) == [("figure", "white", False)]


def as_if(monkeypatch: pytest.MonkeyPatch, kind: str, share: float) -> None:
    """Whatever is seen on the altar looks like such a piece, and so does this share of all of it, from the
    left."""

    def seen(crop):
        chances = kinds_at(crop)
        solid = chances.argmax(axis=0) != KINDS.index("ground")
        solid[:, : round(share * solid.shape[1])] = True
        chances[:, solid] = np.eye(len(KINDS), dtype=np.float32)[KINDS.index(kind), :, None]
        return chances

    monkeypatch.setattr(areas, "kinds_at", seen)


@pytest.mark.parametrize("kind", ["trilith", "hidden"])
def test_a_hand_or_a_gate_over_the_altar_is_no_figure(picture_of, monkeypatch, kind: str) -> None:
    lying = Lying(_lying(FIGURE), (250.0, 265.0), 0.0, np.array([0.2, 0.3, 0.9]), 1)
    for more, share, unseen in (((), 0.0, False), ((lying,), 0.0, True), ((lying,), 1.0, True)):
        as_if(monkeypatch, kind, share)
        read = Reader("anthology", game="build").read(picture_of("anthology", more=more).image)
        assert not any(piece.field == "altar" for piece in read.loose)
        assert ("altar" in read.unseen) is unseen
