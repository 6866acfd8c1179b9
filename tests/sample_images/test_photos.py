"""Every shipped photograph has a label that the board file bears out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from engine.board import load_board
from engine.position import Piece
from sample_images.generator.camera import View, board_corners
from sample_images.generator.conditions import LIGHTS, STYLES, TROUBLES, VIEWS
from sample_images.generator.positions import FIELDS_OF
from sample_images.generator.recipes import JUDGED, LEFT_OUT, SHIPPED
from sample_images.generator.sets import SETS

cv2 = pytest.importorskip("cv2")
SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
PHOTOS = sorted((SAMPLES / "photos").glob("*.jpg"))
JUDGED_PHOTOS = sorted((SAMPLES / "judged").glob("*.jpg"))


def label_of(photo: Path) -> dict:
    return json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))


def view_of(label: dict) -> View:
    camera = label["camera"]
    return View(
        np.array(camera["rotation"]),
        np.array(camera["position_mm"]),
        camera["focal_px"],
        np.array(camera["centre_px"]),
        *camera["distortion"],
        *camera["size_px"],
    )


def test_the_set_is_complete() -> None:
    assert [photo.stem for photo in PHOTOS] == sorted(name for name, _, _ in SHIPPED)
    tags = Counter(tag for photo in PHOTOS for tag in label_of(photo)["tags"])
    assert tags["hard"] >= 8 and tags["plain"] >= 32
    for stage in ("empty", "opening", "middle", "full"):
        assert tags[stage] >= 3, stage


def test_all_games_and_conditions_are_judged() -> None:
    """Every light, view, trouble, style and set at least eight times, every game eighteen times."""
    assert [photo.stem for photo in JUDGED_PHOTOS] == sorted(name for name, _, _ in JUDGED)
    labels = [label_of(photo) for photo in JUDGED_PHOTOS]
    tags = Counter(tag for label in labels for tag in label["tags"])
    for condition in (*LIGHTS, *TROUBLES, *(view for view in VIEWS if view != LEFT_OUT), "plain", "hard"):
        assert tags[condition] >= 8, condition
    for key, values, least in (("game", FIELDS_OF, 18), ("style", STYLES, 30), ("piece_set", SETS, 20)):
        counts = Counter(label[key] for label in labels)
        assert set(counts) == set(values) and min(counts.values()) >= least, key
    assert len(PHOTOS) + len(JUDGED_PHOTOS) >= 150


def test_the_photographs_are_small() -> None:
    sizes = [photo.stat().st_size for photo in PHOTOS]
    assert max(sizes) < 500_000 and sum(sizes) < 12_000_000


@pytest.mark.parametrize("photo", [*PHOTOS, *JUDGED_PHOTOS], ids=lambda photo: photo.stem)
def test_the_label_fits_board_and_picture(photo: Path) -> None:
    label = label_of(photo)
    board = load_board(label["board"])
    picture = cv2.imread(str(photo))
    assert label["image"] == photo.name and [picture.shape[1], picture.shape[0]] == label["camera"]["size_px"]
    assert set(label["occluded"]) <= {
        field.id for field in board.fields.values() if field.kind in FIELDS_OF[label["game"]]
    }
    for entry in label["pieces"]:
        piece = Piece.from_json(entry)
        for name in piece.fields or ((piece.field,) if piece.field else ()):
            field = board.fields[name]
            allowed = board.pieces[piece.kind].on
            assert field.kind in allowed or name in allowed or piece.on == "trilith"
            if not piece.fields and field.kind != "yard":
                off = np.hypot(piece.x_mm - field.centre_mm[0], piece.y_mm - field.centre_mm[1])
                assert off < field.radius_mm + 36  # a block may lie in the block room of its number
    corners = view_of(label).project(board_corners(board.size_mm))
    assert np.abs(corners - label["corners_px"]).max() < 0.02


@pytest.mark.parametrize(
    "photo", [p for p in PHOTOS if "plain" in label_of(p)["tags"]], ids=lambda photo: photo.stem
)
def test_printed_tags_lie_where_the_label_says(photo: Path) -> None:
    """The label's geometry against the picture itself: tags lie within half a pixel."""
    label = label_of(photo)
    board, view = load_board(label["board"]), view_of(label)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), options)
    corners, ids, _ = finder.detectMarkers(cv2.imread(str(photo), cv2.IMREAD_GRAYSCALE))
    found = {int(number): quad.reshape(4, 2) for quad, number in zip(corners, np.ravel(ids), strict=True)}
    offs = [found[m.id] - view.project(np.array(m.corners_mm)) for m in board.markers if m.id in found]
    assert len(offs) >= 3, f"only {len(offs)} of four tags found"  # a card's tag beside one can cost it
    for off in offs:
        assert np.abs(off.mean(axis=0)).max() < 0.5
        assert np.sqrt((off**2).sum(axis=1)).mean() < 1.5  # single corners bleed into a dark board's print
    assert not label["occluded"]
