"""White blocks on white fields, told by their outline beside a photograph of the empty board."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision import Reader, beliefs
from vision.images import load_image

TABLE = Path(__file__).parents[2] / "sample_images" / "tables" / "dune"
LABELS = json.loads((TABLE / "labels.json").read_text(encoding="utf-8"))


@pytest.fixture
def reader() -> Reader:
    corners = np.array(LABELS["empty.jpg"]["corners_px"], float)
    return Reader(
        str(TABLE / "board.json"), game="build", reference=(load_image(TABLE / "empty.jpg"), corners)
    )


def rings(pieces) -> dict[str, str]:
    return {
        field: f"{colour} {kind}"
        for kind, colour, field in pieces
        if field is not None and field.startswith("ring-")
    }


def read_on_rings(reader: Reader, photo: str) -> dict[str, str]:
    position = reader.read(load_image(TABLE / photo)).position
    return rings((piece.kind, piece.colour, piece.field) for piece in position.pieces)


def truth(photo: str) -> dict[str, str]:
    pieces = LABELS[photo]["pieces"]
    return rings((piece["kind"], piece.get("colour"), piece.get("field")) for piece in pieces)


@pytest.mark.parametrize("photo", ["01.jpg", "02.jpg", "05.jpg"])
def test_white_blocks_on_white_fields_are_seen_and_none_is_made_up(reader: Reader, photo: str) -> None:
    assert read_on_rings(reader, photo) == truth(photo)


def test_the_network_alone_does_not_see_them(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs, "look_for_outlines", lambda *_: None)
    missing = truth("05.jpg").items() - read_on_rings(reader, "05.jpg").items()
    assert dict(missing) == {"ring-13": "white block"}


def test_what_is_drawn_and_not_photographed_is_no_help(reader: Reader) -> None:
    reader.read(load_image(TABLE / "05.jpg"))
    assert reader.sight is not None and reader.sight.surface.photographed
    ours = Reader("anthology", game="build")
    ours.read(load_image(TABLE.parents[1] / "photos" / "build-opening-1.jpg"))
    assert ours.sight is not None and not ours.sight.surface.photographed
