"""A card on whose tag something stands is known from the picture before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision import Reader
from vision.pictures.images import load_image
from vision.yards import areas
from vision.yards.known_cards import KnownCard

EVENING = Path(__file__).parents[3] / "sample_images" / "demo" / "build"


def photo(number: int) -> np.ndarray:
    return load_image(EVENING / f"{number:04d}.jpg")


def cards(position) -> dict[str, tuple[str | None, int | None]]:
    return {piece.field: (piece.colour, piece.number) for piece in position.pieces if piece.kind == "card"}


@pytest.fixture
def reader() -> Reader:
    """Three cards lie in the yards: two for triliths, and 17."""
    reader = Reader("anthology", game="build")
    seen = cards(reader.read(photo(7)).position)
    assert seen == {"yard-1": ("yellow", None), "yard-2": ("red", None), "yard-3": ("red", 17)}
    return reader


def test_cards_whose_tags_are_hidden_still_lie_where_they_lay(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the next picture a pillar stands in the first yard, two pictures later one in the second."""
    monkeypatch.setattr(areas, "find_cards", lambda *_: [])
    for number in (8, 9):
        seen = reader.read(photo(number)).position
        assert cards(seen) == {"yard-1": ("yellow", None), "yard-2": ("red", None), "yard-3": ("red", 17)}
    assert sum(piece.kind == "pillar" for piece in seen.pieces) == 2


def test_another_card_that_lies_there_is_not_taken_for_it(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(areas, "find_cards", lambda *_: [])
    assert "yard-3" not in cards(reader.read(photo(10)).position)  # 4 lies there, on the same spot


def test_a_card_that_is_read_is_what_it_is(reader: Reader) -> None:
    assert cards(reader.read(photo(10)).position)["yard-3"] == ("yellow", 4)
    assert reader.memory.cards["yard-3"][0].card.card == "4-night"


def test_it_must_be_seen_and_look_as_it_did(reader: Reader) -> None:
    (known,) = reader.memory.cards["yard-3"]
    sight, corner = reader.sight, np.array([360.0, 360.0])
    everywhere = np.ones((100, 100), np.float32)
    assert known.is_seen(sight, everywhere, corner, 2.0)
    assert not known.is_seen(sight, 0 * everywhere, corner, 2.0)
    reader.read(photo(10))
    assert not known.is_seen(reader.sight, everywhere, corner, 2.0)
    assert KnownCard.of(reader.sight, known.card).is_seen(reader.sight, everywhere, corner, 2.0)


def test_another_table_knows_no_cards(reader: Reader) -> None:
    reader.forget()
    assert not reader.memory.cards
