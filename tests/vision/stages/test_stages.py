"""What the stages of a reading draw, of photographs of which everything is known."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine import Position
from vision import Reader, TooPoor
from vision.pictures.images import load_image
from vision.prints.surface import rectified
from vision.stages import STAGES, Look
from vision.stages.on_board import PX_PER_MM, SQUARES
from vision.stages.on_fields import draw_places
from vision.stages.sheet import DOUBT, GOOD

JUDGED = Path(__file__).resolve().parents[3] / "sample_images" / "judged"
# Of each game a photograph, and what is drawn of it beside that which is drawn of all.
OF_GAME = {
    "019-stonehenge": {"digits"},
    "020-council": {"heaps"},
    "021-build": {"areas"},
    "022-rolling": {"free"},
    "024-roulette": {"facing", "piles"},
}
OF_ALL = {"tags", "locate", "register", "light", "places", "colours", "covered", "result"}


def look_at(name: str) -> tuple[Look, dict]:
    label = json.loads((JUDGED / f"{name}.json").read_text())
    reader = Reader(label["board"], game=label["game"])
    return Look(reader, load_image(JUDGED / f"{name}.jpg")), label


@pytest.mark.parametrize("name", OF_GAME)
def test_every_stage_of_a_game_is_drawn_and_no_other(name):
    look, _ = look_at(name)
    drawn = {stage: picture for stage, each in STAGES.items() if (picture := each.draw(look)) is not None}
    assert drawn.keys() == OF_ALL | OF_GAME[name]
    for picture in drawn.values():
        assert picture.dtype == np.uint8 and picture.ndim == 3 and min(picture.shape[:2]) > 100
        assert picture.std() > 5


def test_where_the_board_lies_is_told_without_reading_it(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a network was asked")

    monkeypatch.setattr("vision.nets._copy_of", refuse)
    look, _ = look_at("021-build")
    for stage in ("tags", "locate", "register", "light"):
        assert STAGES[stage].draw(look) is not None
    with pytest.raises(AssertionError):
        STAGES["places"].draw(look)


def test_tags_and_outline_are_drawn_where_the_label_says():
    look, label = look_at("021-build")
    size = look.working.shape[1] / look.picture.shape[1]
    corners = np.array(label["corners_px"]) * size
    located = STAGES["locate"].draw(look)
    top = located.shape[0] - look.working.shape[0]
    green = np.argwhere((located == GOOD).all(axis=2))[:, ::-1] - (0, top)
    for corner in corners:
        assert np.hypot(*(green - corner).T).min() < 3


def test_photograph_and_print_take_turns():
    look, _ = look_at("021-build")
    drawn = STAGES["register"].draw(look)
    side = round(look.board.size_mm[0] * PX_PER_MM)
    both, square = drawn[-side:, :side], -(-side // SQUARES)
    photo = rectified(look.working, look.found.view, look.board.size_mm, PX_PER_MM)
    assert (both[:square, :square] == photo[:square, :square]).all()
    assert (
        both[square : 2 * square, square : 2 * square] == photo[square : 2 * square, square : 2 * square]
    ).all()
    printed = look.found.surface.top_view()
    expected = cv2.resize(printed, (side, side), interpolation=cv2.INTER_AREA)[:square, square : 2 * square]
    assert (both[:square, square : 2 * square] == expected).all()


def test_what_is_not_seen_is_crossed_out():
    look, _ = look_at("022-rolling")
    covered = STAGES["covered"].draw(look)
    assert look.read.unseen
    assert ((covered == DOUBT).all(axis=2)).sum() > 50


def test_only_places_that_are_seen_are_shown():
    look, _ = look_at("021-build")
    all_of_them = draw_places(look).shape[0]
    look.sight.unseen |= {place.id: "away" for place in look.reader.places[::2]}
    assert draw_places(look).shape[0] < 0.7 * all_of_them
    look.sight.unseen |= {place.id: "away" for place in look.reader.places}
    assert draw_places(look).shape[0] < 0.1 * all_of_them


def test_of_a_dark_picture_nothing_is_drawn():
    look = Look(Reader("anthology", game="build"), np.zeros((480, 640, 3), np.uint8))
    for stage in OF_ALL:
        with pytest.raises(TooPoor, match="too dark"):
            STAGES[stage].draw(look)


def test_drawing_changes_nothing_of_what_is_read():
    look, _ = look_at("021-build")
    before = Position.from_json(json.loads(json.dumps(look.read.position.to_json())))
    for stage in STAGES.values():
        stage.draw(look)
    look.reader.forget()
    assert look.reader.read(look.picture).position == before
    assert cv2.countNonZero(cv2.absdiff(look.picture, load_image(JUDGED / "021-build.jpg")).max(axis=2)) == 0
