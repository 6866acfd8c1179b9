"""Cards: tag, QR code and card belong together, on paper and on the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.cards import (
    BACK,
    BACK_TAG,
    TAG_CORNERS_MM,
    CardError,
    card_face_image,
    card_of_qr,
    card_of_tag,
    qr_of_card,
    tag_of_card,
)
from calibration.drawing import Picture
from calibration.qr import read_qr, why_unavailable
from calibration.styles import CHALK
from engine.cards import ALL_CARDS, colour_of

SOME = ("1-day", "6-night", "30-night", "17-day", "trilith-yellow")


def tags_in(picture: Picture) -> dict[int, np.ndarray]:
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    corners, ids, _ = cv2.aruco.ArucoDetector(tags).detectMarkers(picture)
    return (
        {} if ids is None else {int(n): c.reshape(4, 2) for n, c in zip(np.ravel(ids), corners, strict=True)}
    )


def test_every_card_has_a_tag_of_its_own() -> None:
    tags = [tag_of_card(card) for card in ALL_CARDS]
    assert tags == list(range(10, 75))
    assert [card_of_tag(tag) for tag in tags] == list(ALL_CARDS)
    assert card_of_tag(BACK_TAG) == BACK and tag_of_card("??") == tag_of_card("??-day") == BACK_TAG
    assert [card_of_tag(tag) for tag in (0, 7, 9, 76)] == [None] * 4  # the boards' own tags are no cards


def test_every_card_has_a_qr_text_of_its_own() -> None:
    texts = [qr_of_card(card) for card in ALL_CARDS]
    assert [card_of_qr(text) for text in texts] == list(ALL_CARDS)
    assert [card_of_qr(text) for text in ("7-DAY", "HENGE:31-DAY", "HENGE:??", "")] == [None] * 4


def test_cards_that_do_not_exist() -> None:
    for card in ("31-day", "trilith-black", ""):
        with pytest.raises(CardError, match="7-day, 12-night or trilith-red"):
            card_face_image(card, 4)


@pytest.mark.parametrize("card", [*ALL_CARDS, BACK])
def test_the_table_camera_reads_the_tag_of_a_card_lying_anyhow(card: str) -> None:
    """1280x720 over a 500 mm board: about 1.3 px per mm, seen from 50 degrees, a little blurred and noisy."""
    face = cv2.GaussianBlur(card_face_image(card, 6.0), (0, 0), 2.0)
    seed = tag_of_card(card)
    chance = np.random.default_rng(seed)
    turn = np.deg2rad(chance.uniform(0, 360))
    place = np.float32([[0, 0], [203, 0], [203, 299], [0, 299]]) - np.float32([101.5, 149.5])
    rotated = place @ np.float32([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    seen = rotated * 1.3 / 6.0
    seen[:, 1] *= np.sin(np.deg2rad(50))
    seen *= (1 + seen[:, 1:] / 600) * 1.0
    homography = cv2.getPerspectiveTransform(
        place + np.float32([101.5, 149.5]), (seen + 60).astype(np.float32)
    )
    table = cv2.warpPerspective(face, homography, (120, 120), borderValue=(150, 158, 165))
    noisy = np.clip(table + chance.normal(0, 4, table.shape), 0, 255).astype(np.uint8)
    assert set(tags_in(noisy)) == {seed}


@pytest.mark.parametrize("card", [*SOME, BACK])
def test_the_tag_lies_where_it_is_said_to_lie(card: str) -> None:
    corners = tags_in(card_face_image(card, 8.0))[tag_of_card(card)]
    assert np.abs((corners + 0.5) / 8.0 - np.array(TAG_CORNERS_MM)).max() < 0.15


@pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))
def test_a_phone_reads_the_qr_code_close_up() -> None:
    for card in ALL_CARDS:
        assert read_qr(cv2.GaussianBlur(card_face_image(card, 10.0), (0, 0), 1.5)) == (qr_of_card(card),)
    assert read_qr(card_face_image(BACK, 10.0)) == ()


@pytest.mark.parametrize("card", SOME)
def test_the_card_shows_its_colour(card: str) -> None:
    edge = card_face_image(card, 4.0)[int(16.3 * 4), (17 * 4)]
    assert np.abs(edge[::-1].astype(int) - CHALK.colours[colour_of(card) or ""]).max() < 6


def test_day_and_night_differ() -> None:
    day, night = (card_face_image(f"8-{phase}", 4.0).astype(int) for phase in ("day", "night"))
    sign = (slice(12 * 4, 17 * 4), slice(6 * 4, 13 * 4))
    assert np.abs(day[sign] - night[sign]).mean() > 10
