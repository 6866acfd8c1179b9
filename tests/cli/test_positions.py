"""How positions are told in words."""

from __future__ import annotations

import pytest

from cli.output import print_position
from engine.observation import Observation
from engine.position import Piece, Position

COURSE = Position(
    "anthology",
    (
        Piece("trilith", "grey", x_mm=66.2, y_mm=229.8, angle_deg=40.0),
        Piece("disc", "red", on="trilith", x_mm=66.2, y_mm=229.8),
        Piece("trilith", "grey", field="trilith-3"),
    ),
    "rolling",
)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "grey trilith (66, 230 mm), red disc on a trilith (66, 230 mm)"),
        ("de", "grauer Trilith (66, 230 mm), rote Scheibe auf einem Trilithen (66, 230 mm)"),
    ],
)
def test_what_stands_on_no_field_is_told_with_its_place(capsys, language, told):
    print_position(COURSE, language)
    assert told in capsys.readouterr().out


def test_where_no_field_is_is_no_occluded_field():
    seen = Observation("anthology", {}, COURSE, {"": "an arm", "trilith-2": "an arm"}, (), (), {})
    assert seen.to_json()["occluded"] == ["trilith-2"]
