"""White blocks on white fields, told by their outline beside a photograph of the empty board."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision import Reader
from vision.fields import beliefs, faint
from vision.fields.network import EMPTY
from vision.fields.places import Place
from vision.pictures.images import load_image

TABLES = Path(__file__).parents[3] / "sample_images" / "tables"
DUNE, GORSE = TABLES / "dune", TABLES / "gorse"


def labels_of(table: Path) -> dict[str, Any]:
    return json.loads((table / "labels.json").read_text(encoding="utf-8"))


def reader_of(table: Path) -> Reader:
    corners = np.array(labels_of(table)["empty.jpg"]["corners_px"], float)
    return Reader(
        str(table / "board.json"), game="build", reference=(load_image(table / "empty.jpg"), corners)
    )


@pytest.fixture
def reader() -> Reader:
    return reader_of(DUNE)


def rings(pieces) -> dict[str, str]:
    return {
        field: f"{colour} {kind}"
        for kind, colour, field in pieces
        if field is not None and field.startswith("ring-")
    }


def read_on_rings(reader: Reader, photo: Path) -> dict[str, str]:
    position = reader.read(load_image(photo)).position
    return rings((piece.kind, piece.colour, piece.field) for piece in position.pieces)


def truth(photo: Path) -> dict[str, str]:
    pieces = labels_of(photo.parent)[photo.name]["pieces"]
    return rings((piece["kind"], piece.get("colour"), piece.get("field")) for piece in pieces)


@pytest.mark.parametrize("photo", ["01.jpg", "02.jpg", "05.jpg"])
def test_white_blocks_on_white_fields_are_seen_and_none_is_made_up(reader: Reader, photo: str) -> None:
    assert read_on_rings(reader, DUNE / photo) == truth(DUNE / photo)


def test_the_network_alone_does_not_see_them(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = GORSE / "05.jpg"
    assert read_on_rings(reader_of(GORSE), photo) == truth(photo)
    monkeypatch.setattr(beliefs, "look_for_outlines", lambda *_: None)
    missing = truth(photo).items() - read_on_rings(reader_of(GORSE), photo).items()
    assert dict(missing) == {"ring-1": "white block"}


def test_what_is_drawn_and_not_photographed_is_no_help(reader: Reader) -> None:
    reader.read(load_image(DUNE / "05.jpg"))
    assert reader.sight is not None and reader.sight.surface.photographed
    ours = Reader("anthology", game="build")
    ours.read(load_image(TABLES.parent / "photos" / "build-opening-1.jpg"))
    assert ours.sight is not None and not ours.sight.surface.photographed


def test_of_a_field_whose_print_is_only_like_others_nothing_is_told() -> None:
    """Its own number, which that does not show, has steps, too."""
    reader = reader_of(GORSE)
    reader.read(load_image(GORSE / "05.jpg"))
    sight = reader.sight
    sight.surface = replace(sight.surface, likened=frozenset(reader.board.fields))
    taken = truth(GORSE / "05.jpg").keys() - {"ring-1"}
    places = [place for place in reader.places if place.id.startswith("ring-") and place.id not in taken]
    looks = SimpleNamespace(kind=np.tile(np.eye(6, dtype=np.float32)[EMPTY], (len(places), 1)))
    faint.look_for_outlines(sight, places, looks)
    assert (looks.kind[:, EMPTY] == 1).all()
    sight.surface = replace(sight.surface, likened=frozenset())
    faint.look_for_outlines(sight, places, looks)
    assert (looks.kind[:, EMPTY] < 1).any()


def test_what_is_usual_in_this_light_is_known_when_a_single_field_is_looked_at_again(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a light that is not the empty board's, all empty fields show steps that one alone would be taken for
    a block by."""
    reader.read(load_image(DUNE / "01.jpg"))
    sight = reader.sight
    assert sight is not None and sight.usual_steps
    fields = [place for place in reader.places if place.id.startswith("ring-") and not place.covers]
    steps = np.full((len(fields), 1, 3, 3, 2), 0.02, np.float32)
    steps[:, 0, 1, 1] = 0.08
    monkeypatch.setattr(faint, "off_print", lambda *_: None)

    def empty_after(places: list[Place]) -> float:
        kind = np.tile(np.eye(6, dtype=np.float32)[EMPTY], (len(places), 1))
        monkeypatch.setattr(faint, "_sides", lambda *_: steps[: len(places)])
        faint.look_for_outlines(sight, places, SimpleNamespace(kind=kind))
        return float(kind[0, EMPTY])

    sight.usual_steps = {}
    assert empty_after(fields[:1]) < 0.5
    assert empty_after(fields) == 1 and empty_after(fields[:1]) == 1


@pytest.mark.parametrize(("rgb", "seen"), [((241, 240, 234), True), ((52, 122, 66), False)])
def test_no_block_is_told_whose_colour_the_print_does_not_have(rgb: tuple[int, ...], seen: bool) -> None:
    """A green one on a white field is not faint: what has steps there is something else."""
    reader = reader_of(GORSE)
    reader.read(load_image(GORSE / "05.jpg"))
    assert reader.sight is not None
    places = [place for place in reader.places if place.id == "ring-1"]
    kind = np.eye(6, dtype=np.float32)[[EMPTY]].copy()
    shades = {"block": np.array([rgb[::-1]], np.float32) / 255}
    faint.look_for_outlines(reader.sight, places, SimpleNamespace(kind=kind), shades)
    assert bool(kind[0, EMPTY] < 1) is seen
