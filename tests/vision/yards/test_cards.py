"""Cards are read by their tags, also where these are only a few pixels wide."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.cards import DICTIONARY, card_face_image
from calibration.drawing import Drawing, rasterise
from calibration.tags import draw_tag
from vision.geometry.view import View
from vision.yards.cards import find_cards

MM = (160.0, 160.0)
SHARP = 4.0


def laid(card: str, at_mm: tuple[float, float], angle_deg: float) -> NDArray[np.uint8]:
    """A grey-green table with a card on it, `SHARP` px per mm."""
    table = np.full((round(MM[1] * SHARP), round(MM[0] * SHARP), 3), (110, 150, 120), np.uint8)
    face = card_face_image(card, SHARP)
    height, width = face.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 90.0 - angle_deg, 1.0)
    turn[:, 2] += np.array(at_mm) * SHARP - 0.5 - [(width - 1) / 2, (height - 1) / 2]
    cv2.warpAffine(face, turn, table.shape[1::-1], dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return table


def seen_from_above(table: NDArray[np.uint8], px_per_mm: float, seed: int) -> tuple[NDArray[np.uint8], View]:
    """The table as a noisy, slightly blurred camera straight above sees it, and its view."""
    size = (round(MM[0] * px_per_mm), round(MM[1] * px_per_mm))
    grey = cv2.cvtColor(cv2.resize(table, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.7)
    noise = np.random.default_rng(seed).normal(0, 5, grey.shape)
    photo = np.clip(grey * 0.6 + 30 + noise, 0, 255).astype(np.uint8)
    distance = 1000.0
    view = View(
        size,
        px_per_mm * distance,
        np.zeros(3),
        np.array([-MM[0] / 2, -MM[1] / 2, distance]),
    )
    return photo, view


@pytest.mark.parametrize(
    ("card", "at_mm", "angle_deg"),
    [("7-day", (60.0, 70.0), 20.0), ("30-night", (90.0, 75.0), 200.0), ("trilith-red", (80.0, 100.0), 301.0),
     ("??", (75.0, 62.0), 97.0)],
)  # fmt: skip
def test_a_card_is_read_where_a_module_is_little_more_than_two_pixels_wide(
    card: str, at_mm: tuple[float, float], angle_deg: float
) -> None:
    photo, view = seen_from_above(laid(card, at_mm, angle_deg), 0.55, seed=1)
    (seen,) = find_cards(photo, view, (0, 0, *MM))
    assert seen.card == card and seen.sure > 0.9
    assert seen.at_mm == pytest.approx(at_mm, abs=1.0)
    assert abs((seen.angle_deg - angle_deg + 180) % 360 - 180) < 2.5


@pytest.mark.parametrize("number", range(8))
def test_a_boards_tag_is_no_card(number: int) -> None:
    drawing = Drawing(*MM)
    drawing.area([(0, 0), (160, 0), (160, 160), (0, 160)], (255, 255, 255))
    draw_tag(drawing, ((60, 60), (85, 60), (85, 85), (60, 85)), DICTIONARY, number)
    photo, view = seen_from_above(rasterise(drawing, SHARP), 0.7, seed=number)
    assert find_cards(photo, view, (0, 0, *MM)) == []


def test_who_is_hardly_seen_is_not_sure() -> None:
    """Under heavy noise a card is either read with doubt, or not at all, or rightly."""
    rng = np.random.default_rng(3)
    right, sure = [], []
    for seed in range(30):
        table = laid("12-night", (80.0, 80.0), 33.0)
        photo, view = seen_from_above(table, 0.42, seed)
        photo = np.clip(photo + rng.normal(0, 22, photo.shape), 0, 255).astype(np.uint8)
        for seen in find_cards(photo, view, (0, 0, *MM)):
            right.append(seen.card == "12-night")
            sure.append(seen.sure)
    assert len(sure) >= 5 and np.mean(sure) < np.mean(right) + 0.1
